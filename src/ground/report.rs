//! Anchored citations on their way out, in two spellings, and back in.

use super::Anchored;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// How fields are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casing {
    /// `anchoredCoveragePct`.
    Camel,
    /// `anchored_coverage_pct`.
    Snake,
}

/// Anchored citations as JSON.
pub fn write(anchored: &Anchored, casing: Casing) -> String {
    match casing {
        Casing::Camel => serde_json::to_string(anchored).unwrap_or_default(),
        Casing::Snake => snake(serde_json::to_value(anchored).unwrap_or_default()).to_string(),
    }
}

fn snake(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (snake_name(&name), snake(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(snake).collect(),
        other => other,
    }
}

fn snake_name(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

/// What a policy looks at. Read from anchored citations in either spelling, or from a response that has
/// them at its top or in its metadata.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Who answered.
    pub vendor: String,
    /// Which model.
    pub model: String,
    /// Searches.
    pub tool_calls: usize,
    /// What was searched for.
    pub queries: usize,
    /// Sources listed.
    pub chunks: usize,
    /// Spans tied to them.
    pub supports: usize,
    /// Spans that could be placed.
    pub annotations: usize,
    /// Sources a span leans on.
    pub anchored: usize,
    /// Sources none leans on.
    pub unlinked: usize,
    /// Share of the answer, in percent.
    pub coverage: f64,
    /// Why it may pass.
    pub reason: Option<String>,
    /// Searched, and nothing came of it.
    pub evidence_missing: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Report {
    #[serde(deserialize_with = "lenient")]
    vendor: Option<String>,
    #[serde(deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(deserialize_with = "lenient")]
    annotations: Option<Vec<IgnoredAny>>,
    #[serde(deserialize_with = "lenient")]
    citations: Option<Vec<Cited>>,
    #[serde(deserialize_with = "lenient")]
    metadata: Option<Figures>,
}

#[derive(Deserialize)]
struct Cited {
    #[serde(default, deserialize_with = "lenient")]
    count: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Figures {
    #[serde(alias = "anchoredCitationsCount", deserialize_with = "lenient")]
    anchored_citations_count: Option<usize>,
    #[serde(alias = "unlinkedSourcesCount", deserialize_with = "lenient")]
    unlinked_sources_count: Option<usize>,
    #[serde(alias = "anchoredCoveragePct", deserialize_with = "lenient")]
    anchored_coverage_pct: Option<f64>,
    #[serde(alias = "requiredPassReason", deserialize_with = "lenient")]
    required_pass_reason: Option<String>,
    #[serde(alias = "groundingEvidenceMissing", deserialize_with = "lenient")]
    grounding_evidence_missing: Option<bool>,
    #[serde(alias = "toolCallCount", deserialize_with = "lenient")]
    tool_call_count: Option<usize>,
    #[serde(alias = "webSearchQueries", deserialize_with = "lenient")]
    web_search_queries: Option<Vec<IgnoredAny>>,
    #[serde(alias = "groundingChunks", deserialize_with = "lenient")]
    grounding_chunks: Option<usize>,
    #[serde(alias = "groundingSupports", deserialize_with = "lenient")]
    grounding_supports: Option<usize>,
    #[serde(deserialize_with = "lenient")]
    citations: Option<Vec<Cited>>,
}

/// A field of another type is a field that is missing.
fn lenient<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<T> {
        Right(T),
        Wrong(IgnoredAny),
    }
    Ok(match Option::<Either<T>>::deserialize(input)? {
        Some(Either::Right(value)) => Some(value),
        Some(Either::Wrong(_)) | None => None,
    })
}

/// The facts that a report states. What it does not say is nothing.
pub fn read_facts(json: &str) -> Facts {
    let report: Report = serde_json::from_str(json).unwrap_or_default();
    let figures = report.metadata.unwrap_or_default();
    let citations = report.citations.or(figures.citations).unwrap_or_default();
    let linked = citations.iter().filter(|cited| cited.count != Some(0)).count();
    let annotations = report.annotations.map_or(0, |list| list.len());
    Facts {
        vendor: report.vendor.unwrap_or_default(),
        model: report.model.unwrap_or_default(),
        tool_calls: figures.tool_call_count.unwrap_or_default(),
        queries: figures.web_search_queries.map_or(0, |queries| queries.len()),
        chunks: figures.grounding_chunks.unwrap_or(citations.len()),
        supports: figures.grounding_supports.unwrap_or(annotations),
        annotations,
        anchored: figures.anchored_citations_count.unwrap_or(linked),
        unlinked: figures.unlinked_sources_count.unwrap_or(citations.len() - linked),
        coverage: figures.anchored_coverage_pct.unwrap_or_default(),
        reason: figures.required_pass_reason,
        evidence_missing: figures.grounding_evidence_missing.unwrap_or_default(),
    }
}

/// One line for a log: who, how many, why.
pub fn audit_line(facts: &Facts) -> String {
    // A blank or a line break in a name would make another field or line.
    let name = |text: &str| {
        let clean = crate::clean::text::line(text.into(), 100);
        let name: String = clean.split_whitespace().collect::<Vec<_>>().join("_");
        if name.is_empty() { "unknown".to_owned() } else { name }
    };
    format!(
        "AUDIT vendor={} model={} tool_calls={} queries={} chunks={} supports={} annotations={} \
         anchored_sources={} unlinked_sources={} coverage_pct={:.1} reason={}",
        name(&facts.vendor),
        name(&facts.model),
        facts.tool_calls,
        facts.queries,
        facts.chunks,
        facts.supports,
        facts.annotations,
        facts.anchored,
        facts.unlinked,
        facts.coverage,
        name(facts.reason.as_deref().unwrap_or("none")),
    )
}

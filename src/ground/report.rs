//! Anchored citations on their way out, in two spellings, and back in.

use super::Anchored;
use crate::input::{Key, Value as Given};
use crate::model::Text;
use serde_json::{Map, Value};

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
            let mut renamed = Map::new();
            for (name, value) in fields {
                renamed.insert(snake_name(&name), snake(value));
            }
            renamed.into()
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

/// The facts that a report states. What it does not say is nothing.
pub fn read_facts<'v, V: Given<'v>>(report: V) -> Facts {
    let own = |key: Key| report.text_at(key).map(Text::into_owned).unwrap_or_default();
    let vendor = text_field(report, "vendor").unwrap_or_default();
    let mut facts = Facts { vendor, model: own(Key::Model), ..Facts::default() };
    facts.annotations = report.get(Key::Annotations).map_or(0, length);
    facts.supports = facts.annotations;
    let metadata = report.get(Key::Metadata);
    let lists = [report.get(Key::Citations), metadata.and_then(|inner| inner.get(Key::Citations))];
    let cited = lists.into_iter().flatten().find(|list| length(*list) > 0);
    if let Some(cited) = cited {
        facts.chunks = length(cited);
        // Without a count it is for the spans to say whether any leans on it.
        let usual = facts.annotations as u64;
        cited.each(|_, citation| {
            facts.unlinked += usize::from(count_of(citation).unwrap_or(usual) == 0);
        });
        facts.anchored = facts.chunks - facts.unlinked;
    }
    if let Some(metadata) = metadata {
        metadata.fields(|name, value| facts.take(&snake_name(name), value));
    }
    facts
}

impl Facts {
    fn take<'v, V: Given<'v>>(&mut self, name: &str, value: V) {
        let count = value.whole().and_then(|count| usize::try_from(count).ok());
        let set = |field: &mut usize| *field = count.unwrap_or(*field);
        match name {
            "anchored_citations_count" => set(&mut self.anchored),
            "unlinked_sources_count" => set(&mut self.unlinked),
            "tool_call_count" => set(&mut self.tool_calls),
            "grounding_chunks" => set(&mut self.chunks),
            "grounding_supports" => set(&mut self.supports),
            "anchored_coverage_pct" => {
                let share = value.number().filter(|share| share.is_finite());
                self.coverage = share.unwrap_or(self.coverage);
            }
            "web_search_queries" => self.queries = length(value),
            "required_pass_reason" => self.reason = value.text().map(Text::into_owned),
            "grounding_evidence_missing" => self.evidence_missing = value.is_true(),
            _ => {}
        }
    }
}

fn length<'v, V: Given<'v>>(list: V) -> usize {
    let mut length = 0;
    list.each(|_, _| length += 1);
    length
}

fn text_field<'v, V: Given<'v>>(report: V, wanted: &str) -> Option<String> {
    let mut found = None;
    report.fields(|name, value| {
        if name == wanted {
            found = value.text().map(Text::into_owned);
        }
    });
    found
}

fn count_of<'v, V: Given<'v>>(citation: V) -> Option<u64> {
    let mut found = None;
    citation.fields(|name, value| {
        if name == "count" {
            found = value.whole();
        }
    });
    found
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

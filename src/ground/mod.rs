//! How far an answer rests on what was found for it.
//!
//! In: the payload of a turn. Out: anchored citations with their figures, what a policy says of them,
//! addresses that still lead through a redirect, and one line for an audit. Promise: figures are
//! counted, never estimated; nothing is fetched.

mod gates;
mod redirect;
mod report;

pub use gates::{Evaluation, Gate, Messages, Mode, Policy, Summary, evaluate, summarize};
pub use redirect::{is_redirect, pending, resolve};
pub use report::{Casing, Facts, audit_line, read_facts, write};

use crate::clean::url::host;
use crate::model::{Anchor, Payload, Source};
use serde::Serialize;

/// An answer's citations, tied to its text as far as they are.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Anchored {
    /// Who answered.
    pub vendor: Option<String>,
    /// Which model, where that is known.
    pub model: Option<String>,
    /// Spans of the answer with the sources they lean on.
    pub annotations: Vec<Annotation>,
    /// Every source once.
    pub citations: Vec<Citation>,
    /// Figures.
    pub metadata: Metadata,
}

/// A span of the answer.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotation {
    /// First UTF-16 unit.
    pub start: usize,
    /// One past the last UTF-16 unit.
    pub end: usize,
    /// What the answer says there.
    pub text: String,
    /// What it leans on.
    pub sources: Vec<Reference>,
}

/// A source under a place of the provider's list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reference {
    /// Where it is, and what it is called.
    #[serde(flatten)]
    pub page: Page,
    /// `chunk_0`.
    pub source_id: String,
    /// Its place in the provider's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_index: Option<usize>,
}

/// A source, and how many spans lean on it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Citation {
    /// Where it is, and what it is called.
    #[serde(flatten)]
    pub page: Page,
    /// `chunk_0`: the first place it has in the provider's list.
    pub source_id: String,
    /// How many spans lean on it.
    pub count: usize,
}

/// Where a source is, and what it is called.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The best address there is.
    pub resolved_url: Option<String>,
    /// The address before redirects were resolved.
    pub raw_uri: Option<String>,
    /// Its name.
    pub title: Option<String>,
    /// Its host; behind a redirect, the name the provider gives it, which is that.
    pub domain: Option<String>,
}

/// Figures of an answer.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// Sources that a span leans on.
    pub anchored_citations_count: usize,
    /// Sources that none does.
    pub unlinked_sources_count: usize,
    /// Share of the answer that lies in a span, in percent, to one decimal.
    pub anchored_coverage_pct: f64,
    /// Why a policy that requires grounding may pass.
    pub required_pass_reason: Option<String>,
    /// Why there are no spans.
    pub why_not_anchored: Option<&'static str>,
    /// Whether something was searched for and nothing came of it.
    pub grounding_evidence_missing: bool,
    /// Searches that were made.
    pub tool_call_count: usize,
    /// What was searched for.
    pub web_search_queries: Vec<String>,
    /// Sources the provider listed.
    pub grounding_chunks: usize,
    /// Spans it tied to them.
    pub grounding_supports: usize,
}

/// Something was searched for, and the provider's answer does not say what was found.
const MISSING_CHUNKS: &str = "API_RESPONSE_MISSING_GROUNDING_CHUNKS";
/// Sources were found, and the provider does not say which words lean on them.
const MISSING_SUPPORTS: &str = "API_RESPONSE_MISSING_GROUNDING_SUPPORTS";
/// Spans were given, and none of them lies in the answer.
const LOST_SUPPORTS: &str = "GROUNDING_SUPPORTS_NOT_PLACED";
/// Nothing was searched for.
const NOT_SEARCHED: &str = "NO_TOOL_CALL";

/// The anchored citations of a payload.
pub fn anchored(payload: &Payload, vendor: Option<String>, model: Option<String>) -> Anchored {
    let vendor = vendor.or_else(|| vendor_of(payload).map(str::to_owned));
    // Google's own name has the path of a resource before it.
    let named = payload.grounding.model.as_deref().and_then(|name| name.rsplit('/').next());
    let model = model.or_else(|| named.map(str::to_owned));
    let annotations: Vec<_> =
        payload.anchors.iter().map(|anchor| annotation(anchor, &payload.sources)).collect();
    let citations = citations(payload);
    let linked = citations.iter().filter(|citation| citation.count > 0).count();
    let grounding = &payload.grounding;
    let found = grounding.chunks > 0 || !citations.is_empty();
    let searched = grounding.tool_calls > 0;
    let metadata = Metadata {
        anchored_citations_count: linked,
        unlinked_sources_count: citations.len() - linked,
        anchored_coverage_pct: coverage(payload),
        required_pass_reason: pass_reason(
            vendor.as_deref(),
            !annotations.is_empty(),
            found || searched,
        ),
        why_not_anchored: match (annotations.is_empty(), found, searched) {
            (false, ..) => None,
            (true, true, _) if grounding.supports > 0 => Some(LOST_SUPPORTS),
            (true, true, _) => Some(MISSING_SUPPORTS),
            (true, false, true) => Some(MISSING_CHUNKS),
            (true, false, false) => Some(NOT_SEARCHED),
        },
        grounding_evidence_missing: searched && !found,
        tool_call_count: grounding.tool_calls,
        web_search_queries: grounding.queries.clone(),
        grounding_chunks: grounding.chunks,
        grounding_supports: grounding.supports,
    };
    Anchored { vendor, model, annotations, citations, metadata }
}

/// Google's answers pass with sources alone, those of others only with spans.
fn pass_reason(vendor: Option<&str>, anchored: bool, found: bool) -> Option<String> {
    let vendor = vendor?;
    let house = if is_strict(vendor) { vendor } else { "google" };
    match (anchored, found) {
        (true, _) => Some(format!("anchored_{house}")),
        (false, true) if house == "google" => Some("unlinked_google".to_owned()),
        _ => None,
    }
}

/// Whether answers of this vendor pass only with spans: all but Google's.
fn is_strict(vendor: &str) -> bool {
    !["gemini", "vertex", "google"].iter().any(|own| vendor.starts_with(own))
}

fn vendor_of(payload: &Payload) -> Option<&'static str> {
    let provider = payload.sources.iter().find_map(|source| source.provider.as_deref());
    match provider.or(payload.grounding.provider.as_deref()) {
        Some("gemini") => Some("gemini_direct"),
        Some("anthropic") => Some("anthropic"),
        Some("openai-responses" | "openai") => Some("openai"),
        _ => None,
    }
}

fn page(source: &Source<'_>) -> Page {
    let own = |text: &str| text.to_owned();
    let url = source.url.as_deref();
    let raw = source.finding.as_ref().and_then(|finding| finding.raw_url.as_deref());
    let host = url.filter(|url| !is_redirect(url)).and_then(host);
    let host = host.map(|host| host.strip_prefix("www.").unwrap_or(host));
    let title = source.title.as_deref();
    let domain =
        source.domain.as_deref().or(host).or(title.filter(|_| url.is_some_and(is_redirect)));
    Page {
        resolved_url: url.map(own),
        raw_uri: raw.or(url).or(source.uri.as_deref()).map(own),
        title: title.map(own),
        domain: domain.map(own),
    }
}

fn annotation(anchor: &Anchor, sources: &[Source<'_>]) -> Annotation {
    let source = |number: usize| number.checked_sub(1).and_then(|index| sources.get(index));
    let listed = anchor.listed.iter().filter_map(|(chunk, number)| {
        let chunk_index = Some(*chunk);
        let source_id = format!("chunk_{chunk}");
        Some(Reference { page: page(source(*number)?), source_id, chunk_index })
    });
    let mut references: Vec<_> = listed.collect();
    if references.is_empty() {
        references.extend(anchor.sources.iter().filter_map(|number| {
            let source = source(*number)?;
            let source_id = id(source, number - 1);
            Some(Reference { page: page(source), source_id, chunk_index: None })
        }));
    }
    Annotation {
        start: anchor.start,
        end: anchor.end,
        text: anchor.text.clone(),
        sources: references,
    }
}

fn id(source: &Source<'_>, index: usize) -> String {
    use crate::model::Location;
    match (&source.location, &source.finding) {
        (Some(Location::Grounding { chunk, .. }), _) => format!("chunk_{chunk}"),
        (_, Some(finding)) if finding.origin.id.is_some() => {
            finding.origin.id.as_deref().unwrap_or_default().to_owned()
        }
        _ => format!("source_{index}"),
    }
}

fn citations(payload: &Payload) -> Vec<Citation> {
    let mut counts = vec![0_usize; payload.sources.len()];
    for number in payload.anchors.iter().flat_map(|anchor| &anchor.sources) {
        if let Some(count) = number.checked_sub(1).and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
    }
    let numbered = payload.sources.iter().zip(counts).enumerate();
    let citation = |(index, (source, count)): (usize, (&Source<'_>, usize))| Citation {
        page: page(source),
        source_id: id(source, index),
        count,
    };
    numbered.map(citation).collect()
}

/// Share of the answer's UTF-16 units that lie in a span, in percent, to one decimal. Spans that
/// overlap count once.
pub fn coverage(payload: &Payload) -> f64 {
    let length = payload.answer.encode_utf16().count();
    let inside =
        covered(&payload.anchors).map(|(start, end)| end.min(length).saturating_sub(start));
    let covered: usize = inside.sum();
    #[expect(clippy::cast_precision_loss, reason = "answers are not that long")]
    let share = if length == 0 { 0.0 } else { covered as f64 / length as f64 * 100.0 };
    (share * 10.0).round() / 10.0
}

/// The ranges that spans cover, ascending and apart. Anchors are sorted by their start.
pub fn covered(anchors: &[Anchor]) -> impl Iterator<Item = (usize, usize)> {
    let mut reached = 0;
    anchors.iter().filter_map(move |anchor| {
        let start = anchor.start.max(reached);
        reached = reached.max(anchor.end);
        (start < anchor.end).then_some((start, anchor.end))
    })
}

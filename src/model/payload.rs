//! What a turn comes to: its sources, and where the answer leans on them.

use super::Source;
use serde::{Deserialize, Serialize};

/// The result of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Payload {
    /// The visible text of the answer.
    pub answer: String,
    /// In the order of their numbers.
    pub sources: Vec<Source<'static>>,
    /// Spans of the answer and the sources they lean on, sorted by place.
    pub anchors: Vec<Anchor>,
    /// Numbers of the sources that a span or a marker points at, ascending. The others were consulted.
    pub cited: Vec<usize>,
    /// What was dropped or mended, and why.
    pub diagnostics: Vec<Diagnostic>,
    /// What was searched for and found.
    pub grounding: Grounding,
}

/// What a provider's own search came to, in its own figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grounding {
    /// Who searched.
    pub provider: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// What was searched for.
    pub queries: Vec<String>,
    /// How many searches were made.
    pub tool_calls: usize,
    /// How many sources were listed, repeats included.
    pub chunks: usize,
    /// How many spans were tied to them.
    pub supports: usize,
}

/// A span of the answer that leans on sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// First UTF-16 unit.
    pub start: usize,
    /// One past the last UTF-16 unit.
    pub end: usize,
    /// What the answer says there.
    pub text: String,
    /// Numbers of the sources, from 1, ascending.
    pub sources: Vec<usize>,
    /// Places in the provider's list, each with the number of the source there.
    pub listed: Vec<(usize, usize)>,
    /// How sure the provider is, where it says so.
    pub confidence: Option<f64>,
}

/// Something that was dropped or mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// What happened.
    pub code: Code,
    /// The first case, in words.
    pub detail: String,
    /// How often.
    pub count: usize,
}

/// Why something is missing or not where the provider put it. Codes are never reworded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Code {
    /// A support names a source that the provider did not list.
    SourceNotListed,
    /// A span did not hold the words the provider quotes, and was moved to where they stand.
    SpanMoved,
    /// A span could not be placed in the answer. Its source stays.
    SpanLost,
    /// Bytes that are no JSON, or JSON that was cut off.
    DataDamaged,
    /// A citation quotes other words than its place in the document holds.
    QuoteDiffers,
    /// The host's extractor threw, or returned what is no list of sources.
    ExtractorFailed,
}

impl Code {
    /// As JavaScript sees it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SourceNotListed => "source_not_listed",
            Self::SpanMoved => "span_moved",
            Self::SpanLost => "span_lost",
            Self::DataDamaged => "data_damaged",
            Self::QuoteDiffers => "quote_differs",
            Self::ExtractorFailed => "extractor_failed",
        }
    }
}

/// Reports, each kind once with a count, so that no input can make them many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Reports one case.
    pub fn report(&mut self, code: Code, detail: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|held| held.code == code) {
            Some(held) => held.count = held.count.saturating_add(1),
            None => self.0.push(Diagnostic { code, detail: detail(), count: 1 }),
        }
    }

    /// Passes every detail through `clean`.
    pub fn clean(&mut self, clean: impl Fn(String) -> String) {
        for held in &mut self.0 {
            held.detail = clean(std::mem::take(&mut held.detail));
        }
    }

    /// What was reported, in the order of first appearance.
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A restored turn brings its counts along, and where `usize` has 32 bits a stored one can be the greatest.
    #[test]
    fn the_greatest_count_stays() {
        let held = Diagnostic { code: Code::SpanLost, detail: String::new(), count: usize::MAX };
        let mut diagnostics = Diagnostics(vec![held]);
        diagnostics.report(Code::SpanLost, String::new);
        assert_eq!(diagnostics.0.first().map(|held| held.count), Some(usize::MAX));
    }
}

//! The one vocabulary: what every other room speaks.
//!
//! Plain data, no behaviour beyond small questions about itself. Field names follow LLxprt's own
//! specification, so that a host sees in JavaScript what it reads about here.

mod finding;
mod location;
mod payload;
pub mod span;

use finding::own;
pub use finding::{Finding, Kind, Lines, METADATA_BYTES, Origin};
pub use location::Location;
pub use payload::{Anchor, Code, Diagnostic, Diagnostics, Grounding, Payload};

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Text that is borrowed from the payload where that outlives it.
pub type Text<'a> = Cow<'a, str>;

/// One thing an answer leans on: a page, a document, a passage of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Source<'a> {
    /// What people call it.
    pub title: Option<Text<'a>>,
    /// Where a browser finds it. After `clean`, a serialised http or https URL or nothing.
    pub url: Option<Text<'a>>,
    /// What the provider calls it when that is no web address (`gs://…`, a store's document name).
    pub uri: Option<Text<'a>>,
    /// Words of the source itself, never of the answer.
    pub cited_text: Option<Text<'a>>,
    /// Who said so. Nearly always one of a few names that need no copy.
    pub provider: Option<Text<'static>>,
    /// Host name the provider gives for the page, when it gives one.
    pub domain: Option<Text<'a>>,
    /// The provider's file id, for files it stores.
    pub file_id: Option<Text<'a>>,
    /// Where in the answer or in the source the provider points.
    pub location: Option<Location>,
    /// Later citations of the same source, folded into this one.
    pub also: Vec<Mention<'a>>,
    /// What a tool call knows of it. Boxed: providers' sources have none, and are moved a lot.
    pub finding: Option<Box<Finding<'a>>>,
}

/// Numbers of sources, each once, ascending.
pub fn ascending(numbers: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut numbers: Vec<_> = numbers.into_iter().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Whether there is nothing to see in a text. Most texts show that there is by their first byte.
pub fn is_blank(text: &str) -> bool {
    !text.bytes().next().is_some_and(|first| first.is_ascii_graphic()) && text.trim().is_empty()
}

/// One further citation of a source that is already listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mention<'a> {
    /// The words it quotes, when they differ from the first ones.
    pub cited_text: Option<Text<'a>>,
    /// Where it points.
    pub location: Option<Location>,
    /// Other lines of the same file.
    pub lines: Option<Lines>,
    /// Who else found it.
    pub origin: Option<Box<Origin<'a>>>,
    /// Another address it was given under, before a redirect was resolved.
    pub raw_url: Option<Text<'a>>,
}

impl Source<'_> {
    /// Whether there is anything to show a reader.
    pub fn is_blank(&self) -> bool {
        let is_passage = self.location.as_ref().is_some_and(Location::is_passage);
        !is_passage
            && [&self.title, &self.url, &self.uri, &self.cited_text, &self.file_id]
                .into_iter()
                .all(|field| field.as_deref().is_none_or(is_blank))
    }

    /// Whether a tool has shown it to the reader already.
    pub fn is_shown_inline(&self) -> bool {
        self.finding.as_ref().is_some_and(|finding| finding.inline)
    }

    /// The same source, on its own feet.
    pub fn into_owned(self) -> Source<'static> {
        let own_mention = |mention: Mention<'_>| Mention {
            cited_text: own(mention.cited_text),
            location: mention.location,
            lines: mention.lines,
            origin: mention.origin.map(|origin| Box::new(origin.into_owned())),
            raw_url: own(mention.raw_url),
        };
        Source {
            title: own(self.title),
            url: own(self.url),
            uri: own(self.uri),
            cited_text: own(self.cited_text),
            provider: self.provider,
            domain: own(self.domain),
            file_id: own(self.file_id),
            location: self.location,
            also: self.also.into_iter().map(own_mention).collect(),
            finding: self.finding.map(|finding| Box::new(finding.into_owned())),
        }
    }
}

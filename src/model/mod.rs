//! The one vocabulary: what every other room speaks.
//!
//! Plain data, no behaviour beyond small questions about itself. Field names follow LLxprt's own
//! specification, so that a host sees in JavaScript what it reads about here.

mod location;

pub use location::Location;

use std::borrow::Cow;

/// One thing an answer leans on: a page, a document, a passage of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// What people call it.
    pub title: Option<String>,
    /// Where a browser finds it. After `clean`, a serialised http or https URL or nothing.
    pub url: Option<String>,
    /// What the provider calls it when that is no web address (`gs://…`, a store's document name).
    pub uri: Option<String>,
    /// Words of the source itself, never of the answer.
    pub cited_text: Option<String>,
    /// Who said so.
    pub provider: Option<Cow<'static, str>>,
    /// Host name the provider gives for the page, when it gives one.
    pub domain: Option<String>,
    /// The provider's file id, for files it stores.
    pub file_id: Option<String>,
    /// Where in the answer or in the source the provider points.
    pub location: Option<Location>,
    /// Later citations of the same source, folded into this one.
    pub also: Vec<Mention>,
}

/// One further citation of a source that is already listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mention {
    /// The words it quotes, when they differ from the first ones.
    pub cited_text: Option<String>,
    /// Where it points.
    pub location: Option<Location>,
}

impl Source {
    /// Whether there is anything to show a reader.
    pub fn is_blank(&self) -> bool {
        [&self.title, &self.url, &self.uri, &self.cited_text, &self.file_id]
            .into_iter()
            .all(|field| field.as_deref().is_none_or(|text| text.trim().is_empty()))
    }
}

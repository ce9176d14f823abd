//! The documents of a request, so that citations of them land.
//!
//! In: the parameters of an Anthropic request. Out: its documents and search results in the order
//! citations count them, the passage a location points at, and what the API would not take or cite.
//! Promise: no request is an error; positions are counted in characters, as the API does, and given in
//! UTF-16.

mod base64;
mod check;
mod finds;
mod pdf;
mod shelf;

pub use base64::encode;
pub use check::{Complaint, check};
pub use finds::{Finds, lacks};
pub use shelf::{Fetched, Shelf};

use crate::input::{Key, Value};
use crate::model::span::Positions;
use crate::model::{Location, Text};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a request has to cite from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Documents {
    documents: Vec<Document>,
    /// Search results of the caller, which are counted apart.
    results: Vec<Document>,
}

/// A document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Document {
    /// What it is called.
    pub title: Option<String>,
    /// Where it was fetched from.
    pub url: Option<String>,
    /// What it says. Turns that were stored without it are checked no further.
    #[serde(default)]
    body: Body,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
enum Body {
    Text(String),
    Blocks(Vec<String>),
    /// A PDF, a file, an address: not for us to read.
    #[default]
    Elsewhere,
}

/// Words of a document, and where in it they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The words.
    pub text: String,
    /// First UTF-16 unit.
    pub start: usize,
    /// One past the last UTF-16 unit.
    pub end: usize,
}

/// How deep tool results may hold documents.
const DEEPEST: usize = 4;

impl Documents {
    /// The documents of a request, in the order of its messages.
    pub fn of<'v, V: Value<'v>>(request: V) -> Self {
        let mut found = Self::default();
        visit_blocks(request, &mut |block, _| found.take(block));
        found
    }

    fn take<'v, V: Value<'v>>(&mut self, block: V) {
        match block.text_at(Key::Type).as_deref() {
            Some("document") => self.documents.push(Document::of(block)),
            Some("search_result") => self.results.push(Document::of(block)),
            // What was fetched in an earlier answer is sent again, and counts.
            Some("web_fetch_tool_result") => {
                let Some(result) = block.get(Key::Content) else { return };
                let url = result.text_at(Key::Url).map(Text::into_owned);
                if let Some(page) = result.get(Key::Content).filter(|_| url.is_some()) {
                    self.documents.push(Document { url, ..Document::of(page) });
                }
            }
            _ => {}
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.results.is_empty()
    }

    /// The document a location points into.
    fn document(&self, location: &Location) -> Option<&Document> {
        let at = |index: u64| usize::try_from(index).ok();
        match *location {
            Location::SearchResult { result, .. } => self.results.get(at(result)?),
            _ => self.documents.get(at(location.document()?)?),
        }
    }

    fn holds(&self, url: &str) -> bool {
        self.documents.iter().any(|document| document.url.as_deref() == Some(url))
    }
}

impl Document {
    /// Reads a document block, a search result, or bare text.
    pub fn of<'v, V: Value<'v>>(block: V) -> Self {
        if let Some(text) = block.text() {
            return Self { body: Body::Text(text.into_owned()), ..Self::default() };
        }
        let title = block.text_at(Key::Title).map(Text::into_owned);
        let source = block.get(Key::Source).filter(|source| source.text().is_none());
        let body = match source {
            Some(source) if source.text_at(Key::Type).as_deref() == Some("text") => {
                let text = source.get(Key::Data).and_then(Value::text);
                text.map_or(Body::Elsewhere, |text| Body::Text(text.into_owned()))
            }
            Some(source) => source.get(Key::Content).map_or(Body::Elsewhere, read_blocks),
            None => block.get(Key::Content).map_or(Body::Elsewhere, read_blocks),
        };
        Self { title, url: None, body }
    }

    /// The words at a location.
    pub fn passage(&self, location: &Location) -> Option<Passage> {
        match (&self.body, location) {
            (Body::Text(text), Location::Char { .. }) => {
                let positions = Positions::of(text);
                let range = cited_bytes(&positions, location)?;
                let (start, end) = (positions.utf16(range.start), positions.utf16(range.end));
                Some(Passage { text: text.get(range)?.to_owned(), start, end })
            }
            (
                Body::Blocks(blocks),
                Location::ContentBlock { start, .. } | Location::SearchResult { start, .. },
            ) => {
                let units = |blocks: &[String]| -> usize {
                    blocks.iter().map(|block| block.encode_utf16().count()).sum()
                };
                let cited = cited_blocks(blocks, location)?;
                let first = units(blocks.get(..usize::try_from(*start).ok()?)?);
                let text = cited.concat();
                Some(Passage { text, start: first, end: first + units(cited) })
            }
            _ => None,
        }
    }
}

/// The bytes of a text that a location points at.
fn cited_bytes(positions: &Positions, location: &Location) -> Option<Range<usize>> {
    let &Location::Char { start, end, .. } = location else { return None };
    let byte = |at: u64| positions.byte_of_character(usize::try_from(at).ok()?);
    Some(byte(start)?..byte(end)?)
}

/// The blocks of a document that a location points at.
fn cited_blocks<'b>(blocks: &'b [String], location: &Location) -> Option<&'b [String]> {
    let (Location::ContentBlock { start, end, .. } | Location::SearchResult { start, end, .. }) =
        location
    else {
        return None;
    };
    blocks.get(usize::try_from(*start).ok()?..usize::try_from(*end).ok()?)
}

/// Custom content is a string or a list of text blocks.
fn read_blocks<'v, V: Value<'v>>(content: V) -> Body {
    let mut blocks = Vec::new();
    if let Some(text) = content.text() {
        blocks.push(text.into_owned());
    }
    content.each(|_, block| {
        let text = block.text().or_else(|| block.text_at(Key::Text)).unwrap_or_default();
        blocks.push(text.into_owned());
    });
    Body::Blocks(blocks)
}

/// Calls `visit` with each block of each message and its path, those of tool results included.
fn visit_blocks<'v, V: Value<'v>>(request: V, visit: &mut dyn FnMut(V, &str)) {
    let Some(messages) = request.get(Key::Messages) else { return };
    messages.each(|index, message| {
        if let Some(content) = message.get(Key::Content) {
            visit_content(content, &format!("messages[{index}].content"), DEEPEST, visit);
        }
    });
}

fn visit_content<'v, V: Value<'v>>(
    content: V,
    path: &str,
    depth: usize,
    visit: &mut dyn FnMut(V, &str),
) {
    content.each(|index, block| {
        let path = format!("{path}[{index}]");
        visit(block, &path);
        let kind = block.text_at(Key::Type);
        if let Some(inner) =
            block.get(Key::Content).filter(|_| kind.as_deref() == Some("tool_result"))
            && depth > 0
        {
            visit_content(inner, &format!("{path}.content"), depth - 1, visit);
        }
    });
}

//! The documents of a request, so that citations of them land.
//!
//! In: the parameters of an Anthropic request. Out: its documents and search results in the order
//! citations count them, the passage a location points at, and what the API would not take or cite.
//! Promise: no request is an error; positions are counted in characters, as the API does, and given in
//! UTF-16.

mod base64;
mod check;
mod pdf;

pub use base64::encode;
pub use check::{Complaint, check};

use crate::input::{Key, Value};
use crate::model::span::Positions;
use crate::model::{Location, Source, Text};
use serde::{Deserialize, Serialize};

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
    /// What it says. Not stored: the host has it.
    #[serde(skip)]
    body: Body,
}

#[derive(Clone, Debug, Default)]
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
            _ => {}
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.results.is_empty()
    }

    /// Adds a document that the model fetched: it counts behind those of the request.
    pub fn add_fetched(&mut self, url: Option<String>, title: Option<String>) {
        self.documents.push(Document { title, url, body: Body::Elsewhere });
    }

    /// The document a location points into.
    pub fn document(&self, location: &Location) -> Option<&Document> {
        let at = |index: u64| usize::try_from(index).ok();
        match *location {
            Location::SearchResult { result, .. } => self.results.get(at(result)?),
            _ => self.documents.get(at(location.document()?)?),
        }
    }

    /// Gives sources the name and address of their documents, where they have none of their own.
    pub fn complete(&self, sources: &mut [Source<'static>]) {
        if !self.is_empty() {
            for source in sources {
                self.complete_one(source);
            }
        }
    }

    fn complete_one(&self, source: &mut Source<'static>) {
        let Some(document) = source.location.as_ref().and_then(|at| self.document(at)) else {
            return;
        };
        let named = |text: &Option<String>| text.clone().map(Text::Owned);
        source.title = source.title.take().or_else(|| named(&document.title));
        source.url = source.url.take().or_else(|| named(&document.url));
        crate::clean::source(source);
    }

    /// Whether a citation quotes what its place holds. `None` where nobody can tell.
    pub fn is_quoted(&self, location: &Location, quote: &str) -> Option<bool> {
        let passage = self.document(location)?.passage(location)?;
        let words = crate::clean::text::line(passage.text.into(), crate::clean::EXCERPT_LIMIT);
        Some(words.trim() == quote.trim())
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
        let at = |index: u64| usize::try_from(index).ok();
        match (&self.body, location) {
            (Body::Text(text), Location::Char { start, end, .. }) => {
                let positions = Positions::of(text);
                let start = positions.byte_of_character(at(*start)?)?;
                let end = positions.byte_of_character(at(*end)?)?;
                Some(Passage {
                    text: text.get(start..end)?.to_owned(),
                    start: positions.utf16(start),
                    end: positions.utf16(end),
                })
            }
            (
                Body::Blocks(blocks),
                Location::ContentBlock { start, end, .. }
                | Location::SearchResult { start, end, .. },
            ) => {
                let (start, end) = (at(*start)?, at(*end)?);
                let units = |blocks: &[String]| -> usize {
                    blocks.iter().map(|block| block.encode_utf16().count()).sum()
                };
                let (before, cited) = (blocks.get(..start)?, blocks.get(start..end)?);
                let first = units(before);
                let text = cited.concat();
                Some(Passage { text, start: first, end: first + units(cited) })
            }
            _ => None,
        }
    }
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
fn visit_blocks<'v, V: Value<'v>>(request: V, visit: &mut impl FnMut(V, &str)) {
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
    visit: &mut impl FnMut(V, &str),
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

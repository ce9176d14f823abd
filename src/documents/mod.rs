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

use crate::anchor::{Found, locate_quote};
use crate::input::{Key, Value};
use crate::model::span::Positions;
use crate::model::{Location, Source, Text};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

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

/// A page that the model fetched by itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fetched {
    /// Where from.
    pub url: String,
    /// What it is called.
    pub title: Option<String>,
    /// What it says, where that came along.
    pub text: Option<String>,
}

impl Fetched {
    /// Whether a citation may be of this page.
    fn may_hold(&self, quote: Option<&str>) -> bool {
        match (&self.text, quote) {
            (Some(text), Some(quote)) => locate_quote(quote, text) != Found::NotFound,
            _ => true,
        }
    }
}

/// The documents of a request, and behind them those that the model fetched.
pub struct Shelf<'t> {
    request: &'t Documents,
    fetched: Vec<&'t Fetched>,
    /// Positions in the documents that were looked into.
    positions: HashMap<(bool, u64), Positions>,
}

impl<'t> Shelf<'t> {
    /// `fetched` are in the order of the answer.
    pub fn new(request: &'t Documents, fetched: impl Iterator<Item = &'t Fetched>) -> Self {
        // A later request repeats what was fetched before.
        let fetched = fetched.filter(|page| !request.holds(&page.url)).collect();
        Self { request, fetched, positions: HashMap::new() }
    }

    /// What a source's document is called, and where it is from.
    fn names(&self, source: &Source<'_>) -> Option<(Option<String>, Option<String>)> {
        let location = source.location.as_ref()?;
        if let Some(own) = self.request.document(location) {
            return Some((own.title.clone(), own.url.clone()));
        }
        let index = usize::try_from(location.document()?).ok()?;
        let page = self.fetched.get(index.checked_sub(self.request.documents.len())?)?;
        // Without the request nobody knows how many documents come before those that were fetched; the
        // words tell.
        let certain = !self.request.is_empty() || page.may_hold(source.cited_text.as_deref());
        certain.then(|| (page.title.clone(), Some(page.url.clone())))
    }

    /// Gives sources the name and address of their documents, where they have none of their own.
    pub fn complete(&self, sources: &mut [Source<'static>]) {
        if self.request.is_empty() && self.fetched.is_empty() {
            return;
        }
        for source in sources.iter_mut().filter(|source| is_own(source)) {
            let Some((title, url)) = self.names(source) else { continue };
            source.title = source.title.take().or(title.map(Text::Owned));
            source.url = source.url.take().or(url.map(Text::Owned));
            crate::clean::source(source);
        }
    }

    /// Whether a citation quotes what its place holds. `None` where nobody can tell.
    pub fn is_quoted(&mut self, source: &Source<'_>) -> Option<bool> {
        let (location, quote) = (source.location.as_ref()?, source.cited_text.as_deref()?);
        let document = self.request.document(location)?;
        let words = match (&document.body, location) {
            (Body::Text(text), Location::Char { document: index, .. }) => {
                let positions =
                    self.positions.entry((false, *index)).or_insert_with(|| Positions::of(text));
                slice(text, positions, location)
            }
            (Body::Blocks(_), Location::ContentBlock { .. } | Location::SearchResult { .. }) => {
                document.passage(location)
            }
            _ => return None,
        };
        let words = words.map(|passage| {
            crate::clean::text::line(passage.text.into(), crate::clean::EXCERPT_LIMIT).into_owned()
        });
        Some(words.is_some_and(|words| words.trim() == quote.trim()))
    }
}

/// Whether a source is of this turn's own calls: a sub-agent counts documents of another request.
fn is_own(source: &Source<'_>) -> bool {
    source.finding.as_ref().is_none_or(|finding| finding.origin.is_unknown())
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
            (Body::Text(text), Location::Char { .. }) => {
                slice(text, &Positions::of(text), location)
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

/// Characters of a text.
fn slice(text: &str, positions: &Positions, location: &Location) -> Option<Passage> {
    let &Location::Char { start, end, .. } = location else { return None };
    let byte = |at: u64| positions.byte_of_character(usize::try_from(at).ok()?);
    let (start, end) = (byte(start)?, byte(end)?);
    let text = text.get(start..end)?.to_owned();
    Some(Passage { text, start: positions.utf16(start), end: positions.utf16(end) })
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

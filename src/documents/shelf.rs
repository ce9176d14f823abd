//! The documents an answer may cite: those of the request, and behind them those that were fetched.

use super::{Body, Document, Documents, Finds, cited_blocks, cited_bytes};
use crate::anchor::{Document as Searched, Found};
use crate::clean::{self, EXCERPT_LIMIT};
use crate::model::span::{Positions, floor};
use crate::model::{Location, Source, Text};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// How much of a passage is held against a quotation, which has a few hundred characters.
const PASSAGE_BYTES: usize = 1 << 14;

/// How many bytes of fetched pages are searched for quotations. Many citations of long pages would
/// otherwise take as long as their product.
const SEARCHED_BYTES: usize = 1 << 26;

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

/// A fetched page, ready to be searched.
struct Page<'t> {
    fetched: &'t Fetched,
    text: Option<Searched<'t>>,
}

impl<'t> Page<'t> {
    fn of(fetched: &'t Fetched) -> Self {
        Self { fetched, text: fetched.text.as_deref().map(Searched::new) }
    }

    /// Whether a citation may be of this page. Searching takes from what is `left` to search.
    fn may_hold(&mut self, quote: Option<&str>, left: &mut usize) -> bool {
        let Some((text, quote)) = self.text.as_mut().zip(quote) else { return true };
        let length = self.fetched.text.as_ref().map_or(0, String::len);
        // Better no name than the wrong one.
        let may = *left > 0 && text.locate(quote) != Found::NotFound;
        *left = left.saturating_sub(length);
        may
    }
}

/// The documents of a request, and behind them those that the model fetched.
pub struct Shelf<'t> {
    request: &'t Documents,
    fetched: Vec<Page<'t>>,
    /// What searches have found.
    finds: &'t Finds,
    /// Bytes of fetched pages that may still be searched.
    left: usize,
    /// Positions in the documents that were looked into.
    positions: HashMap<u64, Positions>,
}

impl<'t> Shelf<'t> {
    /// `fetched` are in the order of the answer.
    pub fn new(
        request: &'t Documents,
        fetched: impl Iterator<Item = &'t Fetched>,
        finds: &'t Finds,
    ) -> Self {
        // A later request repeats what was fetched before.
        let fetched = fetched.filter(|page| !request.holds(&page.url)).map(Page::of).collect();
        Self { request, fetched, finds, left: SEARCHED_BYTES, positions: HashMap::new() }
    }

    /// What a source's document is called, and where it is from.
    fn names(&mut self, source: &Source<'_>) -> Option<(Option<String>, Option<String>)> {
        let location = source.location.as_ref()?;
        if let Some(own) = self.request.document(location) {
            return Some((own.title.clone(), own.url.clone()));
        }
        let index = usize::try_from(location.document()?).ok()?;
        let page = self.fetched.get_mut(index.checked_sub(self.request.documents.len())?)?;
        // Without the request nobody knows how many documents come before those that were fetched; the
        // words tell.
        let certain =
            !self.request.is_empty() || page.may_hold(source.cited_text.as_deref(), &mut self.left);
        certain.then(|| (page.fetched.title.clone(), Some(page.fetched.url.clone())))
    }

    /// Gives sources the name and address of their documents, or what a search said of them, where they have
    /// none of their own.
    pub fn complete(&mut self, sources: &mut [Cow<'_, Source<'static>>]) {
        self.complete_documents(sources);
        self.finds.complete_all(sources);
    }

    fn complete_documents(&mut self, sources: &mut [Cow<'_, Source<'static>>]) {
        if self.request.is_empty() && self.fetched.is_empty() {
            return;
        }
        for source in sources.iter_mut().filter(|source| is_own(source)) {
            let Some((title, url)) = self.names(source) else { continue };
            let source = source.to_mut();
            source.title = source.title.take().or(title.map(Text::Owned));
            source.url = source.url.take().or(url.map(Text::Owned));
            clean::source(source);
        }
    }

    /// Whether a citation quotes what its place holds. `None` where nobody can tell.
    pub fn is_quoted(&mut self, source: &Source<'_>) -> Option<bool> {
        let (location, quote) = (source.location.as_ref()?, source.cited_text.as_deref()?);
        let Document { body, .. } = self.request.document(location)?;
        let words = match (body, location) {
            (Body::Text(text), Location::Char { document, .. }) => {
                let positions =
                    self.positions.entry(*document).or_insert_with(|| Positions::of(text));
                let range = cited_bytes(positions, location);
                range.and_then(|range| text.get(range)).map(|words| beginning([words]))
            }
            (
                Body::Blocks(blocks),
                Location::ContentBlock { .. } | Location::SearchResult { .. },
            ) => {
                let cited = cited_blocks(blocks, location);
                cited.map(|cited| beginning(cited.iter().map(String::as_str)))
            }
            _ => return None,
        };
        let words = words.map(|words| clean::text::line(words.into(), EXCERPT_LIMIT));
        Some(words.is_some_and(|words| words.trim() == quote.trim()))
    }
}

/// As much of a passage as a quotation can show.
fn beginning<'p>(pieces: impl IntoIterator<Item = &'p str>) -> String {
    let mut text = String::new();
    for piece in pieces.into_iter().take(PASSAGE_BYTES) {
        let room = PASSAGE_BYTES.saturating_sub(text.len());
        text.push_str(piece.get(..floor(piece, room)).unwrap_or_default());
        if piece.len() >= room {
            break;
        }
    }
    text
}

/// Whether a source is of this turn's own calls: a sub-agent counts documents of another request.
fn is_own(source: &Source<'_>) -> bool {
    source.finding.as_ref().is_none_or(|finding| finding.origin.is_unknown())
}

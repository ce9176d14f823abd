//! What makes two sources the same one.
//!
//! In: cleaned sources. Out: for each of them, the first that is the same. Promise: linear, whatever they are called.

use crate::clean::url::page_key;
use crate::model::{Finding, Location, Source};
use std::borrow::{Borrow, Cow};
use std::collections::HashMap;
use std::ops::Range;

/// What makes two sources the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity<'s> {
    /// The page, whatever was quoted from it.
    Page(Cow<'s, str>),
    /// A passage: what is called what, and where in it.
    Passage {
        /// File id, document name or title.
        name: &'s str,
        /// Kind of place, document, start, end.
        place: (u8, u64, u64, u64),
        /// The words quoted, where the place does not tell enough.
        quote: &'s str,
    },
}

/// The identity of a cleaned source.
pub fn identity<'s>(source: &'s Source<'_>) -> Identity<'s> {
    if let Some(url) = &source.url {
        return Identity::Page(page_key(url));
    }
    let name = [&source.file_id, &source.uri, &source.title].into_iter().flatten().next();
    let place = place_of(source);
    let quote = if is_told_by_words(source, place.0) { source.cited_text.as_deref() } else { None };
    Identity::Passage {
        name: name.map_or("", AsRef::as_ref),
        place,
        quote: quote.unwrap_or_default(),
    }
}

/// Whether words tell a passage apart, of which the place is of this kind.
pub(super) fn is_told_by_words(source: &Source<'_>, kind: u8) -> bool {
    match kind {
        0 => !cites_file(source),
        // A title may be that of several documents, and is that of the store where a search names none.
        LISTED_PAGES => source.file_id.is_none() && source.uri.is_none(),
        _ => false,
    }
}

/// Whether this cites a file and no passage of it, as OpenAI does. Words it has are what a search found there, which
/// every search says anew.
pub fn cites_file(source: &Source<'_>) -> bool {
    source.file_id.is_some() && matches!(source.location, Some(Location::FileCitation { .. }))
}

/// The kind of places that are pages of what Gemini lists.
const LISTED_PAGES: u8 = 6;

pub(super) fn place_of(source: &Source<'_>) -> (u8, u64, u64, u64) {
    let place = source.location.as_ref().map_or((0, 0, 0, 0), place);
    source.finding.as_ref().map_or(place, |finding| passage(finding).unwrap_or(place))
}

/// Places inside a source tell passages apart; places in the answer do not.
fn place(location: &Location) -> (u8, u64, u64, u64) {
    match *location {
        Location::Char { start, end, document } => (1, document, start, end),
        Location::Page { start, end, document } => (2, document, start, end),
        Location::ContentBlock { start, end, document } => (3, document, start, end),
        Location::SearchResult { start, end, result } => (4, result, start, end),
        Location::Grounding { pages: Some(Range { start, end }), .. } => {
            (LISTED_PAGES, 0, start, end)
        }
        _ => (0, 0, 0, 0),
    }
}

/// A page or lines of a file are a passage as well.
fn passage(finding: &Finding<'_>) -> Option<(u8, u64, u64, u64)> {
    let lines = finding.lines.map_or((0, 0), |lines| (lines.start, lines.end));
    let page = finding.page.unwrap_or_default();
    (finding.page.is_some() || finding.lines.is_some()).then_some((5, page, lines.0, lines.1))
}

/// For each source, the index of the first one that is the same, or behind the first `numbered`, which have
/// their numbers already, a passage of the same document.
pub fn first_of_document<'a>(sources: &[impl Borrow<Source<'a>>], numbered: usize) -> Vec<usize> {
    let mut same = HashMap::with_capacity(sources.len());
    let mut documents = HashMap::new();
    let mut firsts = Vec::with_capacity(sources.len());
    for (at, source) in sources.iter().map(Borrow::borrow).enumerate() {
        let first = *same.entry(identity(source)).or_insert(at);
        // What others have merged here counts documents of another request.
        firsts.push(match document(source).filter(|_| source.finding.is_none()) {
            Some(key) if first == at && at >= numbered => *documents.entry(key).or_insert(at),
            Some(key) => {
                documents.entry(key).or_insert(first);
                first
            }
            None => first,
        });
    }
    firsts
}

/// What tells documents of a request apart: their place in it. Search results are counted apart.
pub fn document(source: &Source<'_>) -> Option<(bool, u64)> {
    match source.location.as_ref()? {
        Location::SearchResult { result, .. } => Some((true, *result)),
        location => location.document().map(|document| (false, document)),
    }
}

/// Up to this many sources, looking at each beats hashing.
pub(super) const FEW: usize = 32;

/// For each source, the index of the first one that is the same.
pub fn first_seen<'a>(sources: &[impl Borrow<Source<'a>>]) -> Vec<usize> {
    let names = sources.iter().map(|source| identity(source.borrow()));
    if sources.len() <= FEW {
        let mut seen: Vec<(u64, Identity<'_>)> = Vec::with_capacity(sources.len());
        let first = |(at, name): (usize, _)| {
            let glance = glance(&name);
            let same = |held: &(u64, Identity<'_>)| held.0 == glance && held.1 == name;
            let first = seen.iter().position(same).unwrap_or(at);
            seen.push((glance, name));
            first
        };
        return names.enumerate().map(first).collect();
    }
    // Looked up by reference: identities are large, and a table of them would not stay near.
    let names: Vec<_> = names.collect();
    first_alike(&names).unwrap_or_else(|| {
        let mut seen = HashMap::with_capacity(names.len());
        names.iter().enumerate().map(|(at, name)| *seen.entry(name).or_insert(at)).collect()
    })
}

/// The same by glances, which take less time than to hash all of an identity. `None` where two are alike that differ.
fn first_alike(names: &[Identity<'_>]) -> Option<Vec<usize>> {
    let mut seen = HashMap::with_capacity(names.len());
    let firsts = names.iter().enumerate().map(|(at, name)| {
        let first = *seen.entry(glance(name)).or_insert(at);
        (first == at || names.get(first) == Some(name)).then_some(first)
    });
    firsts.collect()
}

/// Enough of an identity to tell nearly all apart at once. Whoever makes them alike gains nothing: those are
/// looked at in full.
fn glance(identity: &Identity<'_>) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    /// Words that are mixed beside each other: one after the other, each would wait for the one before.
    const LANES: usize = 4;
    let mix = |all: u64, word: u64| (all ^ word).wrapping_mul(FACTOR);
    let (text, start) = match identity {
        Identity::Page(page) => (page.as_ref(), 0),
        Identity::Passage { name, place: (_, document, start, end), .. } => {
            (*name, [*document, *start, *end].into_iter().fold(0, mix))
        }
    };
    let bytes = text.as_bytes();
    let start = mix(start, bytes.len() as u64);
    let Some(end) = bytes.last_chunk() else {
        let words = bytes.as_chunks().0.iter().chain(bytes.last_chunk());
        return words.fold(start, |all, word| mix(all, u64::from_le_bytes(*word)));
    };
    let mut lanes = [start; LANES];
    // The end is a block too, which overlaps the one before it.
    for block in bytes.as_chunks::<{ 8 * LANES }>().0.iter().chain([end]) {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks().0) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    lanes.into_iter().fold(0, mix)
}

/// Whether a glance tells all of the sources apart.
pub(super) fn all_differ(sources: &[Source<'_>]) -> bool {
    let glances = sources.iter().map(|source| glance(&identity(source)));
    if sources.len() > FEW {
        let mut sorted: Vec<_> = glances.collect();
        sorted.sort_unstable();
        return sorted.is_sorted_by(|one, next| one < next);
    }
    let mut held = [0; FEW];
    glances.zip(0..).all(|(glance, at)| {
        let is_new = held.get(..at).is_some_and(|held| !held.contains(&glance));
        if let Some(place) = held.get_mut(at) {
            *place = glance;
        }
        is_new
    })
}

//! Which markers of an answer point at which sources.

use super::insert::insert_markers;
use super::marker::{Marker, parse};
use crate::model::span::Positions;
use crate::model::{Anchor, Source};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// A marker with what it points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// First UTF-16 unit.
    pub start: usize,
    /// One past the last UTF-16 unit.
    pub end: usize,
    /// The marker as it is written.
    pub text: String,
    /// Numbers of the sources that exist, as written, each once.
    pub numbers: Vec<usize>,
    /// Numbers and ids that name no source.
    pub unknown: Vec<String>,
}

/// Every marker of `text`, resolved against `sources`.
pub fn references(text: &str, sources: &[Source<'_>]) -> Vec<Reference> {
    let resolved = resolved(text, sources);
    if resolved.is_empty() {
        return Vec::new();
    }
    let positions = Positions::of(text);
    let reference = |Resolved { range, numbers, unknown }| Reference {
        start: positions.utf16(range.start),
        end: positions.utf16(range.end),
        text: text.get(range).unwrap_or_default().to_owned(),
        numbers,
        unknown,
    };
    resolved.into_iter().map(reference).collect()
}

/// An answer whose citations are written in it.
pub struct Marked<'t> {
    /// The answer.
    pub text: Cow<'t, str>,
    /// Its markers, in their order.
    pub markers: Vec<Resolved>,
}

/// `text` as it is where it has markers that name sources; else with the markers its spans call for.
pub fn marked<'t>(text: &'t str, sources: &[Source<'_>], anchors: &[Anchor]) -> Marked<'t> {
    let markers = resolved(text, sources);
    let is_cited = |markers: &[Resolved]| markers.iter().any(|one| !one.numbers.is_empty());
    if anchors.is_empty() || is_cited(&markers) {
        return Marked { text: Cow::Borrowed(text), markers };
    }
    let text = insert_markers(text, anchors, "");
    let markers = resolved(&text, sources);
    Marked { text: Cow::Owned(text), markers }
}

/// A marker by its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Numbers of the sources that exist, as written, each once.
    pub numbers: Vec<usize>,
    /// Numbers and ids that name no source.
    pub unknown: Vec<String>,
}

/// The same for who goes on with the bytes of the text.
fn resolved(text: &str, sources: &[Source<'_>]) -> Vec<Resolved> {
    let markers = parse(text, Some(sources.len()));
    if markers.is_empty() {
        return Vec::new();
    }
    let named = source_ids(sources);
    let resolve = |marker: Marker| {
        let (numbers, unknown) = resolve(&marker, sources.len(), &named);
        Resolved { range: marker.range, numbers, unknown }
    };
    markers.into_iter().map(resolve).collect()
}

fn resolve(
    marker: &Marker,
    count: usize,
    named: &HashMap<&str, usize>,
) -> (Vec<usize>, Vec<String>) {
    let (mut numbers, mut unknown) = (Vec::new(), Vec::new());
    let written = marker.numbers.iter().map(|number| match *number {
        number if number <= count => Ok(number),
        number => Err(number.to_string()),
    });
    let ids = marker
        .ids
        .iter()
        .map(|source| named.get(source.id.as_str()).copied().ok_or_else(|| source.id.clone()));
    for found in written.chain(ids) {
        match found {
            Ok(number) if numbers.contains(&number) => {}
            Ok(number) => numbers.push(number),
            Err(name) => unknown.push(name),
        }
    }
    (numbers, unknown)
}

/// Numbers by every id a source has: its own, its file's, and those under which it was found again.
pub fn source_ids<'s>(sources: &'s [Source<'_>]) -> HashMap<&'s str, usize> {
    let mut named = HashMap::new();
    for (index, source) in sources.iter().enumerate() {
        let own = source.finding.as_ref().and_then(|finding| finding.origin.id.as_deref());
        let others = source.also.iter().filter_map(|also| also.origin.as_ref()?.id.as_deref());
        for id in own.into_iter().chain(source.file_id.as_deref()).chain(others) {
            named.entry(id).or_insert(index + 1);
        }
    }
    named
}

//! Gemini and Vertex `generateContent`: one source per grounding chunk.
//!
//! A chunk is a bag of optional members, not a tagged union, and search supports count positions in
//! the list, so a chunk that holds nothing still takes its number. The words under
//! `groundingSupports` are words of the answer and so are never an excerpt.

use super::Found;
use super::key::Key;
use super::payload;
use super::value::Value;
use crate::model::{Location, Source, Text};

const PROVIDER: &str = "gemini";

/// Reads a response, an array of responses, a candidate or bare grounding metadata.
pub fn read<'v, V: Value<'v>>(value: V, found: &mut Found<'v>) {
    if value.is_array() {
        value.each(|_, item| read_one(item, found));
    } else {
        read_one(value, found);
    }
}

fn read_one<'v, V: Value<'v>>(value: V, found: &mut Found<'v>) {
    // Code Assist wraps the response once.
    let wrapped = || value.get(Key::Response)?.get(Key::Candidates);
    if let Some(candidates) = value.get(Key::Candidates).or_else(wrapped) {
        read_candidates(candidates, found);
    } else if !read_candidate(value, found) && value.get(Key::Sources).is_some() {
        read_neutral(value, found);
    }
}

/// Reads the first candidate. Other candidates are other answers: what they cite says nothing about
/// the one that is shown.
pub(super) fn read_candidates<'v, V: Value<'v>>(candidates: V, found: &mut Found<'v>) {
    if let Some(candidate) = candidates.first() {
        read_candidate(candidate, found);
    }
}

/// Reads a candidate, or its grounding metadata. Answers whether there were chunks.
fn read_candidate<'v, V: Value<'v>>(candidate: V, found: &mut Found<'v>) -> bool {
    let grounding = candidate.get(Key::GroundingMetadata).unwrap_or(candidate);
    let Some(chunks) = grounding.get(Key::GroundingChunks) else { return false };
    chunks.each(|index, chunk| {
        if let Some(source) = read_chunk(index, chunk, found) {
            found.add(source);
        }
    })
}

/// LLxprt's `GroundingInfo`: the same list, already out of its chunks.
fn read_neutral<'v, V: Value<'v>>(value: V, found: &mut Found<'v>) {
    let before = found.sources.len();
    payload::read(value, found);
    for source in found.sources.iter_mut().skip(before) {
        source.provider.get_or_insert(PROVIDER.into());
    }
}

fn read_chunk<'v, V: Value<'v>>(index: usize, chunk: V, found: &Found<'v>) -> Option<Source<'v>> {
    let source = if let Some(web) = chunk.get(Key::Web) {
        Source {
            title: web.text_at(Key::Title),
            url: web.text_at(Key::Uri),
            domain: found.full(|| web.text_at(Key::Domain)),
            ..Source::default()
        }
    } else if let Some(context) = chunk.get(Key::RetrievedContext) {
        read_context(context)
    } else if let Some(place) = chunk.get(Key::Maps) {
        Source {
            title: place.text_at(Key::Title),
            url: place.text_at(Key::Uri),
            cited_text: place.text_at(Key::Text),
            ..Source::default()
        }
    } else {
        let image = chunk.get(Key::Image)?;
        Source {
            title: image.text_at(Key::Title),
            // The page is what must be credited; the picture's own address is second best.
            url: image.text_at(Key::SourceUri).or_else(|| image.text_at(Key::ImageUri)),
            domain: image.text_at(Key::Domain),
            ..Source::default()
        }
    };
    let location = Some(Location::Grounding { chunk: index as u64 });
    Some(Source { provider: Some(PROVIDER.into()), location, ..source })
}

/// A passage of the caller's own documents. File search names neither page nor title: what there is
/// stands in the document's name, in the metadata the caller attached, or in the store's name.
fn read_context<'v, V: Value<'v>>(context: V) -> Source<'v> {
    let uri = context.text_at(Key::Uri);
    let name = context.text_at(Key::DocumentName);
    Source {
        title: context
            .text_at(Key::Title)
            .or_else(|| attached(context, &["title", "display_name", "file_name"]))
            .or_else(|| name.as_deref().or(uri.as_deref()).and_then(last_segment))
            .or_else(|| context.text_at(Key::FileSearchStore).as_deref().and_then(last_segment)),
        url: attached(context, &["source_url", "url"]),
        uri: uri.or(name),
        cited_text: context.text_at(Key::Text),
        ..Source::default()
    }
}

/// The text the caller attached to a document under one of these names, the first name first.
fn attached<'v, V: Value<'v>>(context: V, names: &[&str]) -> Option<Text<'v>> {
    let metadata = context.get(Key::CustomMetadata)?;
    let mut best: Option<(usize, Text<'v>)> = None;
    metadata.each(|_, entry| {
        let rank =
            entry.text_at(Key::Key).and_then(|key| names.iter().position(|name| *name == key));
        if let Some(rank) = rank.filter(|rank| best.as_ref().is_none_or(|(held, _)| rank < held)) {
            best = entry.text_at(Key::StringValue).map(|text| (rank, text)).or(best.take());
        }
    });
    best.map(|(_, text)| text)
}

fn last_segment(path: &str) -> Option<Text<'static>> {
    let name = path.trim_end_matches('/').rsplit('/').next()?;
    (!name.is_empty()).then(|| name.to_owned().into())
}

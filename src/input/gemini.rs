//! Gemini and Vertex `generateContent`: a list of grounding chunks, and supports that name them.
//!
//! A chunk is a bag of optional members, not a tagged union, and supports count places in the list,
//! so a chunk that holds nothing still takes its number. Offsets are UTF-8 bytes over the visible
//! text of the call, with zero left out. The words of a support are words of the answer, so they
//! prove its place and are never an excerpt.

use super::key::Key;
use super::location::{page_number, pages};
use super::payload;
use super::plan::Plan;
use super::said::{Detail, Listener, MOST_PLACES, Place, Proof, Said, Span, put, reserve};
use super::value::{MOST_WHOLE, Value};
use crate::model::{Location, Source, Text};
use std::ops::Range;

const PROVIDER: &str = "gemini";

/// Reads a response, an array of responses, a candidate or bare grounding metadata.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    value.each_or_this(|_, value| read_one(value, to));
}

fn read_one<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    if let Some(candidates) = value.get(Key::Candidates) {
        return read_response(value, candidates, to);
    }
    // Code Assist wraps the response once.
    if let Some(response) = value.get(Key::Response)
        && let Some(candidates) = response.get(Key::Candidates)
    {
        return read_response(response, candidates, to);
    }
    if !read_candidate(value, to) && value.get(Key::Sources).is_some() {
        read_neutral(value, to);
    }
}

/// The answer that is shown among several, which is the one with the index 0; zeros are left out. Others are other
/// answers: what they say and cite says nothing about it. In a stream they come in events of their own, before it or
/// behind it, and an event does not tell whether it is all there is. So where none has this index, there is no answer.
pub(super) fn shown<'v, V: Value<'v>>(answers: V) -> Option<V> {
    let is_shown = |answer: &V| answer.whole_at(Key::Index).unwrap_or_default() == 0;
    let first = answers.first()?;
    if is_shown(&first) {
        return Some(first);
    }
    let mut shown = None;
    answers.each(|_, answer| shown = shown.or_else(|| Some(answer).filter(is_shown)));
    shown
}

/// Reads the candidate that is shown.
pub(super) fn read_response<'v, V: Value<'v>>(
    response: V,
    candidates: V,
    to: &mut dyn Listener<'v>,
) {
    let full = to.detail() == Detail::Full;
    if full && let Some(id) = response.text_at(Key::ResponseId) {
        to.hear(Said::Call { id });
    }
    let Some(candidate) = shown(candidates) else { return };
    if full {
        read_text(candidate, to);
    }
    let grounding = candidate.get(Key::GroundingMetadata);
    let cites = read_cited(candidate, grounding, to) || grounding.is_some();
    let ends = full && candidate.get(Key::FinishReason).is_some_and(is_reason);
    if ends {
        to.hear(Said::CallEnds);
    }
    // Every event names the model; one that says something is enough.
    if full
        && (cites || ends)
        && let Some(model) = response.text_at(Key::ModelVersion)
    {
        to.hear(Said::Model(model));
    }
}

/// Whether this says why a call came to its end. Some proxies send the field in every event, with nothing in it.
fn is_reason<'v, V: Value<'v>>(reason: V) -> bool {
    reason.text().is_none_or(|name| !matches!(&*name, "" | "FINISH_REASON_UNSPECIFIED"))
}

/// The visible text. Thoughts and tool parts are none, but they are parts, and offsets may count from
/// one: each part takes its place.
fn read_text<'v, V: Value<'v>>(candidate: V, to: &mut dyn Listener<'v>) {
    let Some(parts) = candidate.get(Key::Content).and_then(|content| content.get(Key::Parts))
    else {
        return;
    };
    parts.each(|_, part| {
        let is_thought = part.get(Key::Thought).is_some_and(Value::is_true);
        let text = part.text_at(Key::Text).filter(|_| !is_thought).unwrap_or_default();
        to.hear(Said::Text { part: (0, 0), text, whole: false });
    });
}

/// Reads a candidate, or its grounding metadata. Answers whether there was anything to read.
fn read_candidate<'v, V: Value<'v>>(candidate: V, to: &mut dyn Listener<'v>) -> bool {
    let grounding = candidate.get(Key::GroundingMetadata);
    let cites = read_cited(candidate, Some(grounding.unwrap_or(candidate)), to);
    cites || grounding.is_some()
}

/// Reads what a candidate cites. Answers whether there was anything to read.
fn read_cited<'v, V: Value<'v>>(
    candidate: V,
    grounding: Option<V>,
    to: &mut dyn Listener<'v>,
) -> bool {
    let mut any = grounding.is_some_and(|grounding| read_grounding(grounding, to));
    any |= read_recitations(candidate, to);
    any |= read_pages(candidate, to);
    any
}

fn read_grounding<'v, V: Value<'v>>(grounding: V, to: &mut dyn Listener<'v>) -> bool {
    let chunks = grounding.get(Key::GroundingChunks);
    if let Some(chunks) = chunks {
        read_chunks(chunks, to);
    }
    if to.detail() != Detail::Full {
        return chunks.is_some();
    }
    read_queries(grounding, to);
    let supports = grounding.get(Key::GroundingSupports);
    if let Some(supports) = supports {
        supports.each_as(Plan::Supports, |_, support| read_support(support, to));
    }
    chunks.is_some() || supports.is_some()
}

fn read_chunks<'v, V: Value<'v>>(chunks: V, to: &mut dyn Listener<'v>) {
    let full = to.detail() != Detail::Shown;
    let plan = if full { Plan::Chunks } else { Plan::ShownChunks };
    if let Some(list) = to.list() {
        reserve(list, chunks);
        chunks.each_as(plan, |index, chunk| {
            if index < MOST_PLACES
                && let Some(source) = read_chunk(index, chunk, full)
            {
                list.push(source);
            }
        });
        return;
    }
    let mut list = Vec::new();
    reserve(&mut list, chunks);
    chunks.each_as(plan, |index, chunk| {
        put(&mut list, index, read_chunk(index, chunk, full));
    });
    to.hear(Said::List(list));
}

fn read_queries<'v, V: Value<'v>>(grounding: V, to: &mut dyn Listener<'v>) {
    let mut queries = Vec::new();
    for key in [Key::WebSearchQueries, Key::RetrievalQueries] {
        if let Some(list) = grounding.get(key) {
            list.each(|_, query| queries.extend(query.text()));
        }
    }
    if !queries.is_empty() {
        to.hear(Said::Searched { id: None, queries });
    }
}

fn read_support<'v, V: Value<'v>>(support: V, to: &mut dyn Listener<'v>) {
    let (mut listed, mut confidence) = (Vec::new(), None);
    if let Some(indices) = support.get(Key::GroundingChunkIndices) {
        indices.each(|_, index| {
            listed.push(place_in_list(index));
        });
    }
    if let Some(scores) = support.get(Key::ConfidenceScores) {
        scores.each(|_, score| {
            confidence = score.number().into_iter().chain(confidence).reduce(f64::max);
        });
    }
    let Some(segment) = support.get(Key::Segment) else { return };
    let span = Span {
        part: None,
        place: bytes(segment, segment.whole_at(Key::PartIndex)),
        proof: segment.text_at(Key::Text).map_or(Proof::None, Proof::Quote),
    };
    to.hear(Said::Support { span, listed, confidence });
}

/// What is no place in any list is behind the end of this one.
fn place_in_list<'v, V: Value<'v>>(index: V) -> usize {
    usize::try_from(index.whole().unwrap_or(MOST_WHOLE)).unwrap_or(usize::MAX)
}

/// A range with zero left out, as protocol buffers write it. What is no position lies behind the end.
fn bytes<'v, V: Value<'v>>(fields: V, part_index: Option<u64>) -> Place {
    let at = |key| fields.get(key).map_or(0, |at| at.whole().unwrap_or(MOST_WHOLE));
    Place::Bytes { start: at(Key::StartIndex), end: at(Key::EndIndex), part_index }
}

/// Passages the model recited: `citationSources` on the wire, `citations` in the SDK and on Vertex.
fn read_recitations<'v, V: Value<'v>>(candidate: V, to: &mut dyn Listener<'v>) -> bool {
    let Some(metadata) = candidate.get(Key::CitationMetadata) else { return false };
    let list = metadata.get(Key::CitationSources).or_else(|| metadata.get(Key::Citations));
    list.is_some_and(|list| {
        list.each(|_, recited| {
            let source = Source {
                title: recited.text_at(Key::Title),
                url: recited.text_at(Key::Uri),
                provider: Some(PROVIDER.into()),
                ..Source::default()
            };
            let span = Span { part: None, place: bytes(recited, None), proof: Proof::None };
            if !source.is_blank() {
                to.hear(Said::Cited { order: None, source, span: Some(span) });
            }
        })
    })
}

/// Pages the URL context tool fetched. Those it could not fetch are no sources.
fn read_pages<'v, V: Value<'v>>(candidate: V, to: &mut dyn Listener<'v>) -> bool {
    let Some(metadata) = candidate.get(Key::UrlContextMetadata) else { return false };
    metadata.get(Key::UrlMetadata).is_some_and(|list| {
        list.each(|_, page| {
            let status = page.text_at(Key::UrlRetrievalStatus).unwrap_or_default();
            let url = page.text_at(Key::RetrievedUrl).filter(|_| status.ends_with("_SUCCESS"));
            if url.is_some() {
                let provider = Some(PROVIDER.into());
                let source = Source { url, provider, ..Source::default() };
                to.hear(Said::Consulted(source));
            }
        })
    })
}

/// LLxprt's `GroundingInfo`: the same list, already out of its chunks, with byte segments.
fn read_neutral<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    let Some(sources) = value.get(Key::Sources) else { return };
    let mut list = Vec::new();
    sources.each_as(Plan::Sources, |index, source| {
        let snippet = source.text_at(Key::Snippet);
        let source = payload::read_source(source);
        let location = Some(listed_at(index, None));
        let cited_text = source.cited_text.or(snippet);
        let provider = Some(PROVIDER.into());
        let source = Source { provider, location, cited_text, finding: None, ..source };
        // A chunk that held no page became an empty source.
        put(&mut list, index, Some(source).filter(|source| !source.is_blank()));
    });
    to.hear(Said::List(list));
    if to.detail() != Detail::Full {
        return;
    }
    if let Some(segments) = value.get(Key::Segments) {
        segments.each(|_, segment| {
            let mut listed = Vec::new();
            if let Some(indices) = segment.get(Key::SourceIndices) {
                indices.each(|_, index| {
                    listed.push(place_in_list(index));
                });
            }
            let proof = segment.text_at(Key::Text).map_or(Proof::None, Proof::Quote);
            let span = Span { part: None, place: bytes(segment, None), proof };
            to.hear(Said::Support { span, listed, confidence: None });
        });
    }
}

fn read_chunk<'v, V: Value<'v>>(index: usize, chunk: V, full: bool) -> Option<Source<'v>> {
    // A page, which most chunks are, is made at its place: a source is long, and to move it takes time.
    if let Some(web) = chunk.get(Key::Web) {
        let page = Source {
            title: web.text_at(Key::Title),
            url: web.text_at(Key::Uri),
            domain: if full { web.text_at(Key::Domain) } else { None },
            provider: Some(PROVIDER.into()),
            location: Some(listed_at(index, None)),
            ..Source::default()
        };
        if !page.is_blank() {
            return Some(page);
        }
    }
    let source = read_other(index, chunk)?;
    Some(Source { provider: Some(PROVIDER.into()), ..source })
}

fn listed_at(index: usize, pages: Option<Range<u64>>) -> Location {
    Location::Grounding { chunk: index as u64, pages }
}

/// A chunk that is no page of the web.
fn read_other<'v, V: Value<'v>>(index: usize, chunk: V) -> Option<Source<'v>> {
    let place = |place: V| Source {
        title: place.text_at(Key::Title),
        url: place.text_at(Key::Uri),
        cited_text: place.text_at(Key::Text),
        location: Some(listed_at(index, None)),
        ..Source::default()
    };
    let image = |image: V| Source {
        title: image.text_at(Key::Title),
        // The page is what must be credited; the picture's own address is second best.
        url: image.text_at(Key::SourceUri).or_else(|| image.text_at(Key::ImageUri)),
        domain: image.text_at(Key::Domain),
        location: Some(listed_at(index, None)),
        ..Source::default()
    };
    let member = |key, read: &dyn Fn(V) -> Source<'v>| {
        chunk.get(key).map(read).filter(|source| !source.is_blank())
    };
    member(Key::RetrievedContext, &|context| read_context(index, context))
        .or_else(|| member(Key::Maps, &place))
        .or_else(|| member(Key::Image, &image))
}

/// A passage of the caller's own documents. File search names neither page nor title: what there is
/// stands in the document's name, in the metadata the caller attached, or in the store's name.
fn read_context<'v, V: Value<'v>>(index: usize, context: V) -> Source<'v> {
    let chunk = context.get(Key::RagChunk);
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
        cited_text: context.text_at(Key::Text).or_else(|| chunk?.text_at(Key::Text)),
        location: Some(listed_at(index, pages_of(context, chunk))),
        ..Source::default()
    }
}

/// File search names one page, Vertex the first and the last one.
fn pages_of<'v, V: Value<'v>>(context: V, chunk: Option<V>) -> Option<Range<u64>> {
    let spanned = || {
        let span = chunk?.get(Key::PageSpan)?;
        let last = span.whole_at(Key::LastPage);
        pages(span.whole_at(Key::FirstPage)?, last.map(|last| last.saturating_add(1)))
    };
    page_number(context).and_then(|page| pages(page, None)).or_else(spanned)
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

//! Anthropic Messages: citations that hang on text blocks and quote the source.
//!
//! A cited block is the claim: there are no offsets into the answer. In a stream the citations of a
//! block come before its text. The reader always reads; whether a host wants citations at all is its
//! `documents` switch, which stands with the listener.

use super::key::Key;
use super::location::read_location;
use super::openai::number;
use super::said::{Detail, Listener, Place, Proof, Said, Span, reserve};
use super::value::Value;
use crate::model::Source;

pub(crate) const PROVIDER: &str = "anthropic";

/// The type of a citation of a page that a search has found.
pub const FOUND_PAGE: &str = "web_search_result_location";

/// The type of a block that holds what a search has found.
pub(super) const SEARCHED: &str = "web_search_tool_result";

/// The type of a block that holds a page.
pub const FETCHED: &str = "web_fetch_tool_result";

/// Reads a message, a content block, a citation, a stream event, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    value.each_or_this(|index, value| enter(value, number(index), to));
}

/// `at` is the place in a list of blocks; events say theirs themselves.
fn enter<'v, V: Value<'v>>(value: V, at: u32, to: &mut dyn Listener<'v>) {
    let block = value.whole_at(Key::Index).and_then(|index| u32::try_from(index).ok());
    if let Some(message) = value.get(Key::Message) {
        // Its content comes in events of its own; the SDK fills it in afterwards.
        read_id(message, to);
    } else if let Some(content) = value.get(Key::ContentBlock) {
        read_block(content, block.unwrap_or(at), to);
    } else if let Some(delta) = value.get(Key::Delta) {
        read_delta(delta, block.unwrap_or(at), to);
    } else if value.get(Key::Content).is_some_and(Value::is_array) {
        match value.text_at(Key::Type).as_deref() {
            Some(SEARCHED) => read_results(value, to),
            _ => read_message(value, to),
        }
    } else if value.get(Key::Citations).is_some() || value.get(Key::Text).is_some() {
        read_block(value, at, to);
    } else {
        cite(value.get(Key::Citation).unwrap_or(value), None, to);
    }
}

fn read_id<'v, V: Value<'v>>(message: V, to: &mut dyn Listener<'v>) {
    if to.detail() == Detail::Full
        && let Some(id) = message.text_at(Key::Id)
    {
        to.hear(Said::Call { id });
        if let Some(model) = message.text_at(Key::Model) {
            to.hear(Said::Model(model));
        }
    }
}

fn read_message<'v, V: Value<'v>>(message: V, to: &mut dyn Listener<'v>) {
    read_id(message, to);
    if let Some(content) = message.get(Key::Content) {
        if let Some(list) = to.list() {
            reserve(list, content);
        }
        content.each(|index, block| read_block(block, number(index), to));
    }
}

fn read_block<'v, V: Value<'v>>(block: V, at: u32, to: &mut dyn Listener<'v>) {
    if to.detail() == Detail::Full
        && block.text_at(Key::Type).as_deref() == Some("text")
        && let Some(text) = block.get(Key::Text).and_then(Value::text)
    {
        to.hear(Said::Text { part: (at, 0), text, whole: true });
    }
    if to.detail() == Detail::Full && block.text_at(Key::Type).as_deref() == Some("server_tool_use")
    {
        let queries = Vec::new();
        to.hear(Said::Searched { id: block.text_at(Key::Id), queries });
    }
    match block.text_at(Key::Type).as_deref() {
        Some(FETCHED) => read_fetched(block, at, to),
        // A block of sources asks for what was found only where it lacks something.
        Some(SEARCHED) if to.detail() != Detail::Shown => read_results(block, to),
        _ => {}
    }
    if let Some(citations) = block.get(Key::Citations) {
        citations.each(|index, citation| cite(citation, Some((at, number(index))), to));
    }
}

/// What a search has found: citations of it may lack its name.
fn read_results<'v, V: Value<'v>>(block: V, to: &mut dyn Listener<'v>) {
    // A search that failed has no list.
    let Some(results) = block.get(Key::Content) else { return };
    results.each(|_, result| {
        let (title, url) = (result.text_at(Key::Title), result.text_at(Key::Url));
        to.hear(Said::Found(Source { title, url, ..Source::default() }));
    });
}

/// What the model fetched by itself: citations of it name no address.
fn read_fetched<'v, V: Value<'v>>(block: V, at: u32, to: &mut dyn Listener<'v>) {
    let Some(result) = block.get(Key::Content) else { return };
    if let Some(url) = result.text_at(Key::Url) {
        let title = result.get(Key::Content).and_then(|document| document.text_at(Key::Title));
        let text = result
            .get(Key::Content)
            .and_then(|document| document.get(Key::Source))
            .filter(|source| source.text_at(Key::Type).as_deref() == Some("text"))
            .and_then(|source| source.text_at(Key::Data));
        to.hear(Said::Fetched { order: at, url, title, text });
    }
}

/// Whether a delta of this kind says nothing of the answer, whatever fields it has. Of kinds that we do not know, the
/// fields decide.
pub(super) fn is_silent(kind: &[u8]) -> bool {
    matches!(kind, b"input_json_delta" | b"thinking_delta" | b"signature_delta")
}

fn read_delta<'v, V: Value<'v>>(delta: V, at: u32, to: &mut dyn Listener<'v>) {
    if delta.text_at(Key::Type).is_some_and(|kind| is_silent(kind.as_bytes())) {
        return;
    }
    if let Some(citation) = delta.get(Key::Citation) {
        return cite(citation, Some((at, u32::MAX)), to);
    }
    if to.detail() == Detail::Full
        && let Some(text) = delta.get(Key::Text).and_then(Value::text)
    {
        to.hear(Said::Text { part: (at, 0), text, whole: false });
    }
}

/// `place` is the block and the citation's number in it, the highest number standing for the next.
fn cite<'v, V: Value<'v>>(citation: V, place: Option<(u32, u32)>, to: &mut dyn Listener<'v>) {
    let full = to.detail() != Detail::Shown;
    let source = read_citation(citation, full).filter(|source| !source.is_blank());
    let Some(source) = source else { return };
    if let Some(list) = to.list() {
        return list.push(source);
    }
    let block = place.map(|(block, _)| (block, 0));
    let span = block.map(|part| Span { part: Some(part), place: Place::Part, proof: Proof::None });
    let order = place.map(|(block, index)| (block, 0, index));
    to.hear(Said::Cited { order, source, span });
}

fn read_citation<'v, V: Value<'v>>(citation: V, full: bool) -> Option<Source<'v>> {
    let kind = citation.get(Key::Type)?.text()?;
    is_citation(&kind).then_some(())?;
    // All it says of its place in the page is encrypted, and never shown.
    let has_place = full || kind != FOUND_PAGE;
    Some(Source {
        title: citation.text_at(Key::DocumentTitle).or_else(|| citation.text_at(Key::Title)),
        url: citation.text_at(Key::Url),
        // Of a search result, whatever the caller put there: often a URL, not always.
        uri: citation.text_at(Key::Source),
        cited_text: citation.text_at(Key::CitedText),
        provider: Some(PROVIDER.into()),
        file_id: citation.text_at(Key::FileId),
        location: if has_place { read_location(citation) } else { None },
        ..Source::default()
    })
}

fn is_citation(kind: &str) -> bool {
    matches!(
        kind,
        "char_location"
            | "page_location"
            | "content_block_location"
            | "search_result_location"
            | FOUND_PAGE
    )
}

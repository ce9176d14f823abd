//! Anthropic Messages: one source per citation, in the order of the answer.
//!
//! Citations hang on text blocks and quote the source. The reader always reads; whether a host
//! wants it at all is its `documents` switch, which stands at the door.

use super::Found;
use super::key::Key;
use super::location::read_location;
use super::value::Value;
use crate::model::Source;

const PROVIDER: &str = "anthropic";

/// Reads a message, a content block, a citation, a stream event, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, found: &mut Found<'v>) {
    if value.is_array() {
        value.each(|_, item| enter(item, found));
    } else {
        enter(value, found);
    }
}

fn enter<'v, V: Value<'v>>(value: V, found: &mut Found<'v>) {
    if let Some(content) = value.get(Key::Content).filter(|content| content.is_array()) {
        content.each(|_, block| read_block(block, found));
    } else if let Some(block) = value.get(Key::ContentBlock) {
        read_block(block, found);
    } else if let Some(citation) = value.get(Key::Delta).and_then(|delta| delta.get(Key::Citation))
    {
        found.sources.extend(read_citation(citation));
    } else if value.get(Key::Citations).is_some() {
        read_block(value, found);
    } else {
        found.sources.extend(read_citation(value));
    }
}

fn read_block<'v, V: Value<'v>>(block: V, found: &mut Found<'v>) {
    if let Some(citations) = block.get(Key::Citations) {
        citations.each(|_, citation| found.sources.extend(read_citation(citation)));
    }
}

fn read_citation<'v, V: Value<'v>>(citation: V) -> Option<Source<'v>> {
    is_citation(&citation.get(Key::Type)?.text()?).then_some(())?;
    Some(Source {
        title: citation.text_at(Key::DocumentTitle).or_else(|| citation.text_at(Key::Title)),
        url: citation.text_at(Key::Url),
        // Of a search result, whatever the caller put there: often a URL, not always.
        uri: citation.text_at(Key::Source),
        cited_text: citation.text_at(Key::CitedText),
        provider: Some(PROVIDER.into()),
        file_id: citation.text_at(Key::FileId),
        location: read_location(citation),
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
            | "web_search_result_location"
    )
}

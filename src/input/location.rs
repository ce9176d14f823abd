//! Locations, which providers and our own payloads spell alike but for the case of their names.

use super::anthropic::FOUND_PAGE;
use super::key::Key;
use super::value::Value;
use crate::model::{Location, Text};
use std::ops::Range;

/// Reads the place an annotation, a citation or a `location` field describes. `None` when its
/// `type` is unknown or a number it needs is missing or no position.
pub fn read_location<'v, V: Value<'v>>(value: V) -> Option<Location> {
    let at = |key| value.whole_at(key);
    let document = || at(Key::DocumentIndex).unwrap_or_default();
    let owned = |key| value.text_at(key).map(Text::into_owned);
    Some(match value.get(Key::Type)?.text()?.as_ref() {
        "char_location" => Location::Char {
            start: at(Key::StartCharIndex)?,
            end: at(Key::EndCharIndex)?,
            document: document(),
        },
        "page_location" => Location::Page {
            start: at(Key::StartPageNumber)?,
            end: at(Key::EndPageNumber)?,
            document: document(),
        },
        "content_block_location" => Location::ContentBlock {
            start: at(Key::StartBlockIndex)?,
            end: at(Key::EndBlockIndex)?,
            document: document(),
        },
        "search_result_location" => Location::SearchResult {
            start: at(Key::StartBlockIndex)?,
            end: at(Key::EndBlockIndex)?,
            result: at(Key::SearchResultIndex)?,
        },
        FOUND_PAGE => Location::WebSearchResult { encrypted_index: owned(Key::EncryptedIndex) },
        "url_citation" => {
            Location::UrlCitation { start: at(Key::StartIndex)?, end: at(Key::EndIndex)? }
        }
        "file_citation" => Location::FileCitation { index: at(Key::Index)? },
        "container_file_citation" => Location::ContainerFileCitation {
            start: at(Key::StartIndex)?,
            end: at(Key::EndIndex)?,
            container: owned(Key::ContainerId),
        },
        "file_path" => Location::FilePath { index: at(Key::Index)? },
        "grounding" => Location::Grounding {
            chunk: at(Key::GroundingChunkIndex)?,
            // The second one is asked for only where there is a first: nearly all are pages of the web.
            pages: at(Key::StartPageNumber).and_then(|start| pages(start, at(Key::EndPageNumber))),
        },
        _ => return None,
    })
}

/// Pages from the first on, which is one page if there is no sensible end. They are counted from 1.
pub(super) fn pages(start: u64, end: Option<u64>) -> Option<Range<u64>> {
    let next = start.saturating_add(1);
    (start > 0).then(|| start..end.unwrap_or(next).max(next))
}

/// The page a passage says it is on, in either spelling.
pub(super) fn page_number<'v, V: Value<'v>>(passage: V) -> Option<u64> {
    passage.whole_at(Key::PageNumber).or_else(|| passage.whole_at(Key::Page))
}

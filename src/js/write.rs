//! Results as JavaScript objects. Fields that are not known are left out, never `null`.

use super::names::camel;
use super::node_api::{Handle, Passed, Scope};
use crate::input::Key;
use crate::model::{Location, Mention, Source};
use crate::render::Row;

/// A list of sources.
pub(super) fn sources<'s>(scope: &'s Scope<'s>, sources: &[Source]) -> Option<Handle<'s>> {
    scope.array(sources, |one| source(scope, one).map(Passed::from))
}

/// One source.
pub(super) fn source<'s>(scope: &'s Scope<'s>, source: &Source) -> Option<Handle<'s>> {
    let object = Object::new(scope)?;
    object.text(Key::Title, source.title.as_deref());
    object.text(Key::Url, source.url.as_deref());
    object.text(Key::CitedText, source.cited_text.as_deref());
    object.text(Key::Provider, source.provider.as_deref());
    if let Some(at) = &source.location {
        object.set(camel(Key::Location), location(scope, at));
    }
    object.text(Key::Uri, source.uri.as_deref());
    object.text(Key::Domain, source.domain.as_deref());
    object.text(Key::FileId, source.file_id.as_deref());
    if !source.also.is_empty() {
        object.set(camel(Key::Also), mentions(scope, &source.also));
    }
    Some(object.handle)
}

fn mentions<'s>(scope: &'s Scope<'s>, mentions: &[Mention]) -> Option<Handle<'s>> {
    scope.array(mentions, |mention| {
        let object = Object::new(scope)?;
        object.text(Key::CitedText, mention.cited_text.as_deref());
        if let Some(at) = &mention.location {
            object.set(camel(Key::Location), location(scope, at));
        }
        Some(object.handle.into())
    })
}

fn location<'s>(scope: &'s Scope<'s>, location: &Location) -> Option<Handle<'s>> {
    let object = Object::new(scope)?;
    let kind = |kind| object.text(Key::Type, Some(kind));
    let number = |key, number| object.number(key, number);
    match location {
        Location::Char { start, end, document } => {
            kind("char_location");
            number(Key::StartCharIndex, *start);
            number(Key::EndCharIndex, *end);
            number(Key::DocumentIndex, *document);
        }
        Location::Page { start, end, document } => {
            kind("page_location");
            number(Key::StartPageNumber, *start);
            number(Key::EndPageNumber, *end);
            number(Key::DocumentIndex, *document);
        }
        Location::ContentBlock { start, end, document } => {
            kind("content_block_location");
            number(Key::StartBlockIndex, *start);
            number(Key::EndBlockIndex, *end);
            number(Key::DocumentIndex, *document);
        }
        Location::SearchResult { start, end, result } => {
            kind("search_result_location");
            number(Key::StartBlockIndex, *start);
            number(Key::EndBlockIndex, *end);
            number(Key::SearchResultIndex, *result);
        }
        Location::WebSearchResult { encrypted_index } => {
            kind("web_search_result_location");
            object.text(Key::EncryptedIndex, encrypted_index.as_deref());
        }
        Location::UrlCitation { start, end } => {
            kind("url_citation");
            number(Key::StartIndex, *start);
            number(Key::EndIndex, *end);
        }
        Location::FileCitation { index } => {
            kind("file_citation");
            number(Key::Index, *index);
        }
        Location::ContainerFileCitation { start, end, container } => {
            kind("container_file_citation");
            number(Key::StartIndex, *start);
            number(Key::EndIndex, *end);
            object.text(Key::ContainerId, container.as_deref());
        }
        Location::FilePath { index } => {
            kind("file_path");
            number(Key::Index, *index);
        }
        Location::Grounding { chunk } => {
            kind("grounding");
            number(Key::GroundingChunkIndex, *chunk);
        }
    }
    Some(object.handle)
}

/// Rows of `{ text, url? }`.
pub(super) fn rows<'s>(scope: &'s Scope<'s>, rows: &[Row]) -> Option<Handle<'s>> {
    scope.array(rows, |row| {
        let segments = scope.array(row, |segment| {
            let object = Object::new(scope)?;
            object.text(Key::Text, Some(&segment.text));
            object.text(Key::Url, segment.url.as_deref());
            Some(object.handle.into())
        });
        segments.map(Passed::from)
    })
}

/// An object being filled.
pub(super) struct Object<'s> {
    scope: &'s Scope<'s>,
    pub(super) handle: Handle<'s>,
}

impl<'s> Object<'s> {
    pub(super) fn new(scope: &'s Scope<'s>) -> Option<Self> {
        Some(Self { scope, handle: scope.object()? })
    }

    pub(super) fn set(&self, place: usize, value: Option<Handle<'s>>) {
        // A value the engine could not make, for want of memory, is left out like any other.
        let _ = self.handle.set(place, value);
    }

    pub(super) fn text(&self, key: Key, text: Option<&str>) {
        if let Some(text) = text {
            self.set(camel(key), self.scope.string(text));
        }
    }

    fn number(&self, key: Key, number: u64) {
        #[expect(clippy::cast_precision_loss, reason = "positions were doubles when they came in")]
        self.set(camel(key), self.scope.number(number as f64));
    }
}

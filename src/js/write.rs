//! Results as JavaScript objects. Fields that are not known are left out, never `null`.

use super::names::{Name, camel};
use super::node_api::{Handle, Passed, Scope};
use crate::input::Key;
use crate::model::{Anchor, Diagnostic, Location, Mention, Payload, Source};
use crate::render::Row;

/// A list of sources.
pub(super) fn sources<'s>(scope: &'s Scope<'s>, sources: &[Source<'_>]) -> Option<Handle<'s>> {
    scope.array(sources, |one| source(scope, one).map(Passed::from))
}

/// One source.
pub(super) fn source<'s>(scope: &'s Scope<'s>, source: &Source<'_>) -> Option<Handle<'s>> {
    let mut object = Object::new(scope);
    object.text(Key::Title, source.title.as_deref());
    object.text(Key::Url, source.url.as_deref());
    object.text(Key::CitedText, source.cited_text.as_deref());
    object.text(Key::Provider, source.provider.as_deref());
    object.set(camel(Key::Location), source.location.as_ref().and_then(|at| location(scope, at)));
    object.text(Key::Uri, source.uri.as_deref());
    object.text(Key::Domain, source.domain.as_deref());
    object.text(Key::FileId, source.file_id.as_deref());
    if !source.also.is_empty() {
        object.set(camel(Key::Also), mentions(scope, &source.also));
    }
    object.finish()
}

fn mentions<'s>(scope: &'s Scope<'s>, mentions: &[Mention<'_>]) -> Option<Handle<'s>> {
    scope.array(mentions, |mention| {
        let mut object = Object::new(scope);
        object.text(Key::CitedText, mention.cited_text.as_deref());
        let at = mention.location.as_ref().and_then(|at| location(scope, at));
        object.set(camel(Key::Location), at);
        object.finish().map(Passed::from)
    })
}

fn location<'s>(scope: &'s Scope<'s>, location: &Location) -> Option<Handle<'s>> {
    let mut object = Object::new(scope);
    match location {
        Location::Char { start, end, document } => {
            object.text(Key::Type, Some("char_location"));
            object.number(Key::StartCharIndex, *start);
            object.number(Key::EndCharIndex, *end);
            object.number(Key::DocumentIndex, *document);
        }
        Location::Page { start, end, document } => {
            object.text(Key::Type, Some("page_location"));
            object.number(Key::StartPageNumber, *start);
            object.number(Key::EndPageNumber, *end);
            object.number(Key::DocumentIndex, *document);
        }
        Location::ContentBlock { start, end, document } => {
            object.text(Key::Type, Some("content_block_location"));
            object.number(Key::StartBlockIndex, *start);
            object.number(Key::EndBlockIndex, *end);
            object.number(Key::DocumentIndex, *document);
        }
        Location::SearchResult { start, end, result } => {
            object.text(Key::Type, Some("search_result_location"));
            object.number(Key::StartBlockIndex, *start);
            object.number(Key::EndBlockIndex, *end);
            object.number(Key::SearchResultIndex, *result);
        }
        Location::WebSearchResult { encrypted_index } => {
            object.text(Key::Type, Some("web_search_result_location"));
            object.text(Key::EncryptedIndex, encrypted_index.as_deref());
        }
        Location::UrlCitation { start, end } => {
            object.text(Key::Type, Some("url_citation"));
            object.number(Key::StartIndex, *start);
            object.number(Key::EndIndex, *end);
        }
        Location::FileCitation { index } => {
            object.text(Key::Type, Some("file_citation"));
            object.number(Key::Index, *index);
        }
        Location::ContainerFileCitation { start, end, container } => {
            object.text(Key::Type, Some("container_file_citation"));
            object.number(Key::StartIndex, *start);
            object.number(Key::EndIndex, *end);
            object.text(Key::ContainerId, container.as_deref());
        }
        Location::FilePath { index } => {
            object.text(Key::Type, Some("file_path"));
            object.number(Key::Index, *index);
        }
        Location::Grounding { chunk } => {
            object.text(Key::Type, Some("grounding"));
            object.number(Key::GroundingChunkIndex, *chunk);
        }
    }
    object.finish()
}

/// What a turn has come to.
pub(super) fn payload<'s>(scope: &'s Scope<'s>, payload: &Payload) -> Option<Handle<'s>> {
    let mut object = Object::new(scope);
    object.text(Key::Text, Some(""));
    object.set(Name::Answer.place(), scope.string(&payload.answer));
    object.set(camel(Key::Sources), sources(scope, &payload.sources));
    object.set(Name::Anchors.place(), scope.array(&payload.anchors, |one| anchor(scope, one)));
    let diagnostics = scope.array(&payload.diagnostics, |one| diagnostic(scope, one));
    object.set(Name::Diagnostics.place(), diagnostics);
    object.finish()
}

fn anchor(scope: &Scope<'_>, anchor: &Anchor) -> Option<Passed> {
    let mut object = Object::new(scope);
    object.count(camel(Key::Start), anchor.start);
    object.count(camel(Key::End), anchor.end);
    object.text(Key::Text, Some(&anchor.text));
    let numbers = scope.array(&anchor.sources, |number| {
        #[expect(clippy::cast_precision_loss, reason = "sources are never that many")]
        scope.number(*number as f64).map(Passed::from)
    });
    object.set(camel(Key::Sources), numbers);
    let confidence = anchor.confidence.and_then(|confidence| scope.number(confidence));
    object.set(Name::Confidence.place(), confidence);
    object.finish().map(Passed::from)
}

fn diagnostic(scope: &Scope<'_>, diagnostic: &Diagnostic) -> Option<Passed> {
    let mut object = Object::new(scope);
    object.set(Name::Code.place(), scope.string(diagnostic.code.name()));
    object.set(Name::Detail.place(), scope.string(&diagnostic.detail));
    object.count(Name::Count.place(), diagnostic.count);
    object.finish().map(Passed::from)
}

/// Rows of `{ text, url? }`.
pub(super) fn rows<'s>(scope: &'s Scope<'s>, rows: &[Row]) -> Option<Handle<'s>> {
    scope.array(rows, |row| {
        let segments = scope.array(row, |segment| {
            let mut object = Object::new(scope);
            object.text(Key::Text, Some(&segment.text));
            object.text(Key::Url, segment.url.as_deref());
            object.finish().map(Passed::from)
        });
        segments.map(Passed::from)
    })
}

/// An object being filled. Fields without a value are left out.
pub(super) struct Object<'s> {
    scope: &'s Scope<'s>,
    fields: Vec<(usize, Handle<'s>)>,
}

impl<'s> Object<'s> {
    pub(super) fn new(scope: &'s Scope<'s>) -> Self {
        Self { scope, fields: Vec::with_capacity(8) }
    }

    pub(super) fn set(&mut self, place: usize, value: Option<Handle<'s>>) {
        self.fields.extend(value.map(|value| (place, value)));
    }

    pub(super) fn text(&mut self, key: Key, text: Option<&str>) {
        self.set(camel(key), text.and_then(|text| self.scope.string(text)));
    }

    fn count(&mut self, place: usize, count: usize) {
        #[expect(clippy::cast_precision_loss, reason = "counts of things in memory")]
        self.set(place, self.scope.number(count as f64));
    }

    fn number(&mut self, key: Key, number: u64) {
        #[expect(clippy::cast_precision_loss, reason = "positions were doubles when they came in")]
        self.set(camel(key), self.scope.number(number as f64));
    }

    pub(super) fn finish(self) -> Option<Handle<'s>> {
        self.scope.object(&self.fields)
    }
}

//! Results as JavaScript objects. Fields that are not known are left out, never `null`.

use super::names::{Name, camel};
use super::node_api::{Handle, Passed, Scope};
use super::options::Config;
use crate::input::Key;
use crate::model::{
    Anchor, Diagnostic, Finding, Kind, Lines, Location, Mention, Origin, Payload, Source,
};
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
    if let Some(finding) = &source.finding {
        write_finding(&mut object, finding);
    }
    if !source.also.is_empty() {
        object.set(camel(Key::Also), mentions(scope, &source.also));
    }
    object.finish()
}

/// One source in the compact form that is stored: one field for wherever it is.
pub(super) fn stored_source(scope: &Scope<'_>, source: &Source<'_>) -> Option<Passed> {
    let mut object = Object::new(scope);
    let finding = source.finding.as_deref();
    let kind = finding.and_then(|finding| finding.kind);
    let usual = if source.url.is_some() { Kind::Web } else { Kind::File };
    let origin = finding.map(|finding| &finding.origin);
    let tool = origin.and_then(|origin| origin.tool.as_deref());
    object.text(Key::Id, origin.and_then(|origin| origin.id.as_deref()));
    object.text(Key::Type, Some(kind.unwrap_or(usual).name()));
    object.text(Key::ToolName, tool.or(source.provider.as_deref()));
    object.text(Key::Uri, source.url.as_deref().or(source.uri.as_deref()));
    object.text(Key::Title, source.title.as_deref());
    object.text(Key::Domain, source.domain.as_deref());
    object.text(Key::Snippet, finding.and_then(|finding| finding.snippet.as_deref()));
    object.text(Key::FileId, source.file_id.as_deref());
    object.text(Key::CitedText, source.cited_text.as_deref());
    let at = source.location.as_ref().and_then(|at| location(scope, at));
    object.set(camel(Key::Location), at);
    if source.is_shown_inline() {
        object.set(camel(Key::ShownInline), scope.flag(true));
    }
    object.text(Key::AgentId, origin.and_then(|origin| origin.agent.as_deref()));
    if let Some(page) = finding.and_then(|finding| finding.page) {
        object.number(Key::PageNumber, page);
    }
    write_lines(&mut object, finding.and_then(|finding| finding.lines));
    if !source.also.is_empty() {
        object.set(camel(Key::Also), mentions(scope, &source.also));
    }
    object.finish().map(Passed::from)
}

/// What a tool call knows of a source.
fn write_finding(object: &mut Object<'_>, finding: &Finding) {
    object.text(Key::Type, finding.kind.map(Kind::name));
    write_origin(object, &finding.origin);
    object.text(Key::Snippet, finding.snippet.as_deref());
    object.text(Key::Author, finding.author.as_deref());
    object.text(Key::PublishedDate, finding.published.as_deref());
    object.text(Key::RawUrl, finding.raw_url.as_deref());
    object.text(Key::Timestamp, finding.accessed.as_deref());
    if let Some(page) = finding.page {
        object.number(Key::PageNumber, page);
    }
    write_lines(object, finding.lines);
    if finding.inline {
        object.set(camel(Key::ShownInline), object.scope.flag(true));
    }
    let metadata = finding.metadata.as_deref().and_then(|json| parsed(object.scope, json));
    object.set(camel(Key::Metadata), metadata);
}

fn write_origin(object: &mut Object<'_>, origin: &Origin) {
    object.text(Key::Id, origin.id.as_deref());
    object.text(Key::ToolName, origin.tool.as_deref());
    object.text(Key::ToolRequestId, origin.request.as_deref());
    object.text(Key::AgentId, origin.agent.as_deref());
}

fn write_lines(object: &mut Object<'_>, lines: Option<Lines>) {
    if let Some(Lines { start, end }) = lines {
        object.number(Key::LineStart, start);
        object.number(Key::LineEnd, end);
    }
}

/// The value a JSON text stands for. JavaScript knows best.
pub(super) fn parsed<'s>(scope: &'s Scope<'s>, json: &str) -> Option<Handle<'s>> {
    let object = scope.global()?.property_named("JSON")?;
    object.call_with(object.property_named("parse")?, &[scope.string(json)?.raw])
}

/// Numbers of sources.
pub(super) fn numbers<'s>(scope: &'s Scope<'s>, numbers: &[usize]) -> Option<Handle<'s>> {
    scope.array(numbers, |number| {
        #[expect(clippy::cast_precision_loss, reason = "sources are never that many")]
        scope.number(*number as f64).map(Passed::from)
    })
}

/// The options of a service.
pub(super) fn config<'s>(scope: &'s Scope<'s>, config: &Config) -> Option<Handle<'s>> {
    let mut object = Object::new(scope);
    object.set(Name::Enabled.place(), scope.flag(config.enabled));
    object.set(Name::Format.place(), scope.string(config.format));
    object.set(Name::ExpandSourcesByDefault.place(), scope.flag(config.expand_sources));
    let most = config.max_displayed.filter(|most| *most != usize::MAX);
    #[expect(clippy::cast_precision_loss, reason = "nobody displays that many")]
    let most = most.map_or(f64::INFINITY, |most| most as f64);
    object.set(Name::MaxSourcesDisplayed.place(), scope.number(most));
    let all = ["*".to_owned()];
    let tools = config.enabled_tools.as_deref().unwrap_or(&all);
    let tools = scope.array(tools, |glob| scope.string(glob).map(Passed::from));
    object.set(Name::EnabledTools.place(), tools);
    object.set(Name::EnableTooltips.place(), scope.flag(config.tooltips));
    object.finish()
}

fn mentions<'s>(scope: &'s Scope<'s>, mentions: &[Mention<'_>]) -> Option<Handle<'s>> {
    scope.array(mentions, |mention| {
        let mut object = Object::new(scope);
        object.text(Key::CitedText, mention.cited_text.as_deref());
        let at = mention.location.as_ref().and_then(|at| location(scope, at));
        object.set(camel(Key::Location), at);
        write_lines(&mut object, mention.lines);
        if let Some(origin) = &mention.origin {
            write_origin(&mut object, origin);
        }
        object.text(Key::RawUrl, mention.raw_url.as_deref());
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
    object.set(camel(Key::Answer), scope.string(&payload.answer));
    object.set(camel(Key::Sources), sources(scope, &payload.sources));
    object.set(camel(Key::Anchors), scope.array(&payload.anchors, |one| anchor(scope, one)));
    object.set(camel(Key::Cited), numbers(scope, &payload.cited));
    let diagnostics = scope.array(&payload.diagnostics, |one| diagnostic(scope, one));
    object.set(Name::Diagnostics.place(), diagnostics);
    object.finish()
}

fn anchor(scope: &Scope<'_>, anchor: &Anchor) -> Option<Passed> {
    let mut object = Object::new(scope);
    object.count(camel(Key::Start), anchor.start);
    object.count(camel(Key::End), anchor.end);
    object.text(Key::Text, Some(&anchor.text));
    object.set(camel(Key::Sources), numbers(scope, &anchor.sources));
    let confidence = anchor.confidence.and_then(|confidence| scope.number(confidence));
    object.set(camel(Key::Confidence), confidence);
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

    pub(super) fn count(&mut self, place: usize, count: usize) {
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

//! Results as JavaScript objects. Fields that are not known are left out, never `null`.

use super::names::{Name, camel};
use super::node_api::{Handle, Passed, Scope};
use super::options::Config;
use super::sheet::Sheet;
use crate::input::Key;
use crate::model::{
    Anchor, Diagnostic, Finding, Kind, Lines, Location, Mention, Origin, Payload, Source,
};
use crate::render::Row;
use std::borrow::Borrow;

/// A list of sources.
pub(super) fn sources<'s, 'a>(
    scope: &'s Scope<'s>,
    sources: &[impl Borrow<Source<'a>>],
) -> Option<Handle<'s>> {
    scope.sheet().array(scope, sources, |sheet, source| write_source(sheet, source.borrow()))
}

/// One source.
pub(super) fn source<'s>(scope: &'s Scope<'s>, source: &Source<'_>) -> Option<Handle<'s>> {
    scope.sheet().object(scope, None, |sheet| write_source(sheet, source))
}

fn write_source(sheet: &mut Sheet, source: &Source<'_>) {
    sheet.text(camel(Key::Title), source.title.as_deref());
    sheet.text(camel(Key::Url), source.url.as_deref());
    sheet.text(camel(Key::CitedText), source.cited_text.as_deref());
    sheet.text(camel(Key::Provider), source.provider.as_deref());
    write_location(sheet, source.location.as_ref());
    sheet.text(camel(Key::Uri), source.uri.as_deref());
    sheet.text(camel(Key::Domain), source.domain.as_deref());
    sheet.text(camel(Key::FileId), source.file_id.as_deref());
    if let Some(finding) = &source.finding {
        write_finding(sheet, finding);
    }
    write_mentions(sheet, &source.also);
}

/// Sources in the compact form that is stored: one field for wherever they are.
pub(super) fn stored_sources<'s>(
    scope: &'s Scope<'s>,
    sources: &[Source<'_>],
) -> Option<Handle<'s>> {
    scope.sheet().array(scope, sources, write_stored)
}

fn write_stored(sheet: &mut Sheet, source: &Source<'_>) {
    let finding = source.finding.as_deref();
    let kind = finding.and_then(|finding| finding.kind);
    let usual = if source.url.is_some() { Kind::Web } else { Kind::File };
    let origin = finding.map(|finding| &finding.origin);
    let tool = origin.and_then(|origin| origin.tool.as_deref());
    sheet.text(camel(Key::Id), origin.and_then(|origin| origin.id.as_deref()));
    sheet.word(camel(Key::Type), kind.unwrap_or(usual).name());
    sheet.text(camel(Key::ToolName), tool.or(source.provider.as_deref()));
    sheet.text(camel(Key::Uri), source.url.as_deref().or(source.uri.as_deref()));
    sheet.text(camel(Key::Title), source.title.as_deref());
    sheet.text(camel(Key::Domain), source.domain.as_deref());
    sheet.text(camel(Key::Snippet), finding.and_then(|finding| finding.snippet.as_deref()));
    sheet.text(camel(Key::FileId), source.file_id.as_deref());
    sheet.text(camel(Key::CitedText), source.cited_text.as_deref());
    write_location(sheet, source.location.as_ref());
    if source.is_shown_inline() {
        sheet.yes(camel(Key::ShownInline));
    }
    sheet.text(camel(Key::AgentId), origin.and_then(|origin| origin.agent.as_deref()));
    if let Some(page) = finding.and_then(|finding| finding.page) {
        position(sheet, Key::PageNumber, page);
    }
    write_lines(sheet, finding.and_then(|finding| finding.lines));
    write_mentions(sheet, &source.also);
}

/// What a tool call knows of a source.
fn write_finding(sheet: &mut Sheet, finding: &Finding<'_>) {
    if let Some(kind) = finding.kind {
        sheet.word(camel(Key::Type), kind.name());
    }
    write_origin(sheet, &finding.origin);
    sheet.text(camel(Key::Snippet), finding.snippet.as_deref());
    sheet.text(camel(Key::Author), finding.author.as_deref());
    sheet.text(camel(Key::PublishedDate), finding.published.as_deref());
    sheet.text(camel(Key::RawUrl), finding.raw_url.as_deref());
    sheet.text(camel(Key::Timestamp), finding.accessed.as_deref());
    if let Some(page) = finding.page {
        position(sheet, Key::PageNumber, page);
    }
    write_lines(sheet, finding.lines);
    if finding.inline {
        sheet.yes(camel(Key::ShownInline));
    }
    sheet.json(camel(Key::Metadata), finding.metadata.as_deref());
}

fn write_origin(sheet: &mut Sheet, origin: &Origin<'_>) {
    sheet.text(camel(Key::Id), origin.id.as_deref());
    sheet.text(camel(Key::ToolName), origin.tool.as_deref());
    sheet.text(camel(Key::ToolRequestId), origin.request.as_deref());
    sheet.text(camel(Key::AgentId), origin.agent.as_deref());
}

fn write_lines(sheet: &mut Sheet, lines: Option<Lines>) {
    if let Some(Lines { start, end }) = lines {
        position(sheet, Key::LineStart, start);
        position(sheet, Key::LineEnd, end);
    }
}

fn position(sheet: &mut Sheet, key: Key, position: u64) {
    #[expect(clippy::cast_precision_loss, reason = "positions were doubles when they came in")]
    sheet.number(camel(key), position as f64);
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

fn write_mentions(sheet: &mut Sheet, mentions: &[Mention<'_>]) {
    if mentions.is_empty() {
        return;
    }
    sheet.list(camel(Key::Also), mentions, |sheet, mention| {
        sheet.text(camel(Key::CitedText), mention.cited_text.as_deref());
        write_location(sheet, mention.location.as_ref());
        write_lines(sheet, mention.lines);
        if let Some(origin) = &mention.origin {
            write_origin(sheet, origin);
        }
        sheet.text(camel(Key::RawUrl), mention.raw_url.as_deref());
    });
}

fn write_location(sheet: &mut Sheet, location: Option<&Location>) {
    if let Some(location) = location {
        sheet.inside(camel(Key::Location), |sheet| write_place(sheet, location));
    }
}

fn write_place(sheet: &mut Sheet, location: &Location) {
    let kind = camel(Key::Type);
    match location {
        Location::Char { start, end, document } => {
            sheet.word(kind, "char_location");
            position(sheet, Key::StartCharIndex, *start);
            position(sheet, Key::EndCharIndex, *end);
            position(sheet, Key::DocumentIndex, *document);
        }
        Location::Page { start, end, document } => {
            sheet.word(kind, "page_location");
            position(sheet, Key::StartPageNumber, *start);
            position(sheet, Key::EndPageNumber, *end);
            position(sheet, Key::DocumentIndex, *document);
        }
        Location::ContentBlock { start, end, document } => {
            sheet.word(kind, "content_block_location");
            position(sheet, Key::StartBlockIndex, *start);
            position(sheet, Key::EndBlockIndex, *end);
            position(sheet, Key::DocumentIndex, *document);
        }
        Location::SearchResult { start, end, result } => {
            sheet.word(kind, "search_result_location");
            position(sheet, Key::StartBlockIndex, *start);
            position(sheet, Key::EndBlockIndex, *end);
            position(sheet, Key::SearchResultIndex, *result);
        }
        Location::WebSearchResult { encrypted_index } => {
            sheet.word(kind, "web_search_result_location");
            sheet.text(camel(Key::EncryptedIndex), encrypted_index.as_deref());
        }
        Location::UrlCitation { start, end } => {
            sheet.word(kind, "url_citation");
            position(sheet, Key::StartIndex, *start);
            position(sheet, Key::EndIndex, *end);
        }
        Location::FileCitation { index } => {
            sheet.word(kind, "file_citation");
            position(sheet, Key::Index, *index);
        }
        Location::ContainerFileCitation { start, end, container } => {
            sheet.word(kind, "container_file_citation");
            position(sheet, Key::StartIndex, *start);
            position(sheet, Key::EndIndex, *end);
            sheet.text(camel(Key::ContainerId), container.as_deref());
        }
        Location::FilePath { index } => {
            sheet.word(kind, "file_path");
            position(sheet, Key::Index, *index);
        }
        Location::Grounding { chunk, pages } => {
            sheet.word(kind, "grounding");
            position(sheet, Key::GroundingChunkIndex, *chunk);
            if let Some(pages) = pages {
                position(sheet, Key::StartPageNumber, pages.start);
                position(sheet, Key::EndPageNumber, pages.end);
            }
        }
    }
}

/// What a turn has come to.
pub(super) fn payload<'s>(scope: &'s Scope<'s>, payload: &Payload) -> Option<Handle<'s>> {
    // A string of its own, since it may be long.
    let answer = scope.string(&payload.answer);
    scope.sheet().object(scope, answer, |sheet| {
        sheet.word(camel(Key::Text), "");
        sheet.given(camel(Key::Answer));
        sheet.list(camel(Key::Sources), &payload.sources, write_source);
        sheet.list(camel(Key::Anchors), &payload.anchors, write_anchor);
        sheet.counts(camel(Key::Cited), &payload.cited);
        sheet.list(Name::Diagnostics.place(), &payload.diagnostics, write_diagnostic);
    })
}

fn write_anchor(sheet: &mut Sheet, anchor: &Anchor) {
    sheet.count(camel(Key::Start), anchor.start);
    sheet.count(camel(Key::End), anchor.end);
    sheet.text(camel(Key::Text), Some(&anchor.text));
    sheet.counts(camel(Key::Sources), &anchor.sources);
    if let Some(confidence) = anchor.confidence {
        sheet.number(camel(Key::Confidence), confidence);
    }
}

fn write_diagnostic(sheet: &mut Sheet, diagnostic: &Diagnostic) {
    sheet.word(Name::Code.place(), diagnostic.code.name());
    sheet.text(Name::Detail.place(), Some(&diagnostic.detail));
    sheet.count(Name::Count.place(), diagnostic.count);
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

    pub(super) fn finish(self) -> Option<Handle<'s>> {
        self.scope.object(&self.fields)
    }
}

//! Lists of sources that already have our own form.

use super::key::Key;
use super::location::read_location;
use super::plan::Plan;
use super::said::{Listener, Said, put};
use super::shape::{Shape, shape_of};
use super::tool::rest;
use super::value::Value;
use super::write::to_json;
use crate::model::{
    Anchor, Finding, Kind, Lines, METADATA_BYTES, Mention, Origin, Payload, Source, Text,
};

/// Whether this is in our own form, or a list with something in it that is. Tools say things under names of their own, so
/// of JSON it must be opened whole.
pub fn is_in<'v, V: Value<'v>>(value: V) -> bool {
    let mut found = false;
    value.each_or_this(|_, value| found = found || shape_of(value) == Shape::Payload);
    found
}

/// Reads a payload, a tool result with `sources`, one source, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    let mut list = Vec::new();
    each_source(value, |item| {
        list.push(Some(read_source(item)).filter(|source| !source.is_blank()));
    });
    to.hear(Said::List(list));
}

/// The same, as far as a block shows them, of which none is blank.
pub fn read_shown<'v, V: Value<'v>>(value: V) -> Vec<Source<'v>> {
    let mut list = Vec::new();
    each_source(value, |item| list.push(read_shown_source(item)));
    list.retain(|source| !source.is_blank());
    list
}

fn each_source<'v, V: Value<'v>>(value: V, mut visit: impl FnMut(V)) {
    let sources = value.get(Key::Sources).unwrap_or(value);
    if !sources.each_as(Plan::Sources, |_, item| visit(item)) {
        visit(sources);
    }
}

/// The sources of a payload or of a list, one for each place. What is no source is blank.
pub fn read_list<'v, V: Value<'v>>(value: V) -> Vec<Source<'static>> {
    let mut list = Vec::new();
    value.get(Key::Sources).unwrap_or(value).each_as(Plan::Sources, |index, source| {
        put(&mut list, index, Some(read_source(source).into_owned()));
    });
    list.into_iter().map(Option::unwrap_or_default).collect()
}

/// What a payload says of its answer and the sources of it. Reports and figures are its maker's.
pub fn read_payload<'v, V: Value<'v>>(value: V) -> Payload {
    Payload {
        sources: read_list(value),
        anchors: read_anchors(value),
        cited: read_cited_numbers(value),
        answer: value.text_at(Key::Answer).map(Text::into_owned).unwrap_or_default(),
        ..Payload::default()
    }
}

/// The numbers a payload says are cited, ascending.
pub fn read_cited_numbers<'v, V: Value<'v>>(value: V) -> Vec<usize> {
    let mut numbers = value.get(Key::Cited).map(read_counts).unwrap_or_default();
    numbers.sort_unstable();
    numbers
}

/// The spans of a payload. What is no span is passed over.
pub fn read_anchors<'v, V: Value<'v>>(value: V) -> Vec<Anchor> {
    let mut anchors = Vec::new();
    if let Some(list) = value.get(Key::Anchors) {
        list.each(|_, item| anchors.extend(read_anchor(item)));
    }
    anchors
}

fn read_anchor<'v, V: Value<'v>>(value: V) -> Option<Anchor> {
    Some(Anchor {
        start: value.get(Key::Start).and_then(count)?,
        end: value.get(Key::End).and_then(count)?,
        text: value.text_at(Key::Text).map(Text::into_owned).unwrap_or_default(),
        sources: value.get(Key::Sources).map(read_counts).unwrap_or_default(),
        listed: Vec::new(),
        confidence: value.get(Key::Confidence).and_then(V::number),
    })
}

fn read_counts<'v, V: Value<'v>>(list: V) -> Vec<usize> {
    let mut counts = Vec::new();
    list.each(|_, item| counts.extend(count(item)));
    counts
}

fn count<'v, V: Value<'v>>(value: V) -> Option<usize> {
    value.whole().and_then(|number| usize::try_from(number).ok())
}

/// Reads one source. A `google_web_search` result keeps its sources as Gemini chunks.
pub fn read_source<'v, V: Value<'v>>(value: V) -> Source<'v> {
    let fields = value.get(Key::Web).unwrap_or(value);
    Source { finding: boxed(read_finding(fields)), ..read_cited(fields) }
}

/// Most sources are not what a tool found.
fn boxed(finding: Finding<'_>) -> Option<Box<Finding<'_>>> {
    (finding != Finding::default()).then(|| Box::new(finding))
}

fn read_shown_source<'v, V: Value<'v>>(value: V) -> Source<'v> {
    let fields = value.get(Key::Web).unwrap_or(value);
    let finding = Finding {
        kind: read_kind(fields),
        page: fields.whole_at(Key::PageNumber),
        lines: read_lines(fields),
        inline: is_inline(fields),
        ..Finding::default()
    };
    Source { finding: boxed(finding), ..read_named(fields) }
}

fn read_kind<'v, V: Value<'v>>(source: V) -> Option<Kind> {
    source.text_at(Key::Type).and_then(|kind| Kind::named(&kind))
}

fn is_inline<'v, V: Value<'v>>(source: V) -> bool {
    source.get(Key::ShownInline).is_some_and(Value::is_true)
}

/// Reads one source that an extractor of the host made. Fields we do not know stay with it.
pub fn read_found<'v, V: Value<'v>>(value: V) -> Source<'v> {
    let finding = Finding { metadata: rest(value, &OWN, &[]), ..read_finding(value) };
    let finding = Some(Box::new(finding));
    Source { finding, ..read_cited(value) }
}

/// The fields of our own form.
const OWN: [Key; 23] = [
    Key::Title,
    Key::Url,
    Key::Uri,
    Key::CitedText,
    Key::Provider,
    Key::Domain,
    Key::FileId,
    Key::Location,
    Key::Also,
    Key::Type,
    Key::Id,
    Key::ToolName,
    Key::ToolRequestId,
    Key::AgentId,
    Key::Snippet,
    Key::Author,
    Key::PublishedDate,
    Key::Timestamp,
    Key::PageNumber,
    Key::LineStart,
    Key::LineEnd,
    Key::ShownInline,
    Key::RawUrl,
];

fn read_cited<'v, V: Value<'v>>(fields: V) -> Source<'v> {
    Source {
        provider: fields.text_at(Key::Provider).map(|name| name.into_owned().into()),
        domain: fields.text_at(Key::Domain),
        ..read_named(fields)
    }
}

/// What a source is called, where it is, and what it says.
fn read_named<'v, V: Value<'v>>(fields: V) -> Source<'v> {
    Source {
        title: fields.text_at(Key::Title),
        url: fields.text_at(Key::Url),
        uri: fields.text_at(Key::Uri),
        cited_text: fields.text_at(Key::CitedText),
        file_id: fields.text_at(Key::FileId),
        location: fields.get(Key::Location).and_then(read_location),
        also: fields.get(Key::Also).map(read_mentions).unwrap_or_default(),
        ..Source::default()
    }
}

/// What a tool call knows of a source.
fn read_finding<'v, V: Value<'v>>(source: V) -> Finding<'v> {
    Finding {
        kind: read_kind(source),
        origin: read_origin(source),
        snippet: source.text_at(Key::Snippet),
        author: source.text_at(Key::Author),
        published: source.text_at(Key::PublishedDate),
        raw_url: source.text_at(Key::RawUrl),
        accessed: source.text_at(Key::Timestamp),
        page: source.whole_at(Key::PageNumber),
        lines: read_lines(source),
        inline: is_inline(source),
        metadata: source.get(Key::Metadata).and_then(|inner| to_json(inner, METADATA_BYTES)),
    }
}

fn read_origin<'v, V: Value<'v>>(value: V) -> Origin<'v> {
    Origin {
        id: value.text_at(Key::Id),
        tool: value.text_at(Key::ToolName),
        request: value.text_at(Key::ToolRequestId),
        agent: value.text_at(Key::AgentId),
    }
}

/// A first line, and a last one unless it is the same.
pub(super) fn read_lines<'v, V: Value<'v>>(value: V) -> Option<Lines> {
    let start = value.whole_at(Key::LineStart)?;
    let end = value.whole_at(Key::LineEnd).unwrap_or(start);
    Some(Lines { start, end: end.max(start) })
}

fn read_mentions<'v, V: Value<'v>>(list: V) -> Vec<Mention<'v>> {
    let mut mentions = Vec::new();
    list.each(|_, mention| {
        mentions.push(Mention {
            cited_text: mention.text_at(Key::CitedText),
            location: mention.get(Key::Location).and_then(read_location),
            lines: read_lines(mention),
            origin: Some(Box::new(read_origin(mention))).filter(|origin| !origin.is_unknown()),
            raw_url: mention.text_at(Key::RawUrl),
        });
    });
    mentions
}

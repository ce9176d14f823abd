//! OpenAI Responses: annotations that carry their own source, on the parts of the answer.
//!
//! A response holds output items, an item holds content parts, a part holds text and annotations; an
//! event of a stream holds one of these and says where it belongs. The same annotation arrives in
//! four events of a stream, each time with the same place, which is what tells it from others.

use super::key::Key;
use super::location::read_location;
use super::plan::Plan;
use super::said::{Detail, Listener, Order, PartId, Place, Proof, Said, Span, reserve};
use super::value::Value;
use crate::model::{Location, Source, Text};

const PROVIDER: &str = "openai-responses";

/// Reads a response, an output item, a content part, an annotation, an event, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    if value.is_array() {
        value.each(|_, item| {
            if !enter(item, to) {
                read_annotation(item, (0, 0), None, to);
            }
        });
    } else if !enter(value, to) && value.text_at(Key::Type).is_some() {
        // Without a type it may be anything that has an address, such as a fetch `Request`.
        read_annotation(value, (0, 0), None, to);
    }
}

/// Reads what holds annotations. Answers whether this is such a thing.
fn enter<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) -> bool {
    let kind = value.text_at(Key::Type);
    if let Some(event) = kind.as_deref().and_then(|kind| kind.strip_prefix("response.")) {
        read_event(value, event, to);
    } else if let Some(output) = value.get(Key::Output) {
        read_response(value, output, to);
    } else if value.get(Key::Response).is_some() {
        read_event(value, "completed", to);
    } else if let Some(item) = value.get(Key::Item) {
        read_item(item, index(value, Key::OutputIndex), to);
    } else if let Some(part) = value.get(Key::Part) {
        read_part(part, part_id(value), to);
    } else if let Some(annotation) = value.get(Key::Annotation) {
        read_annotation(annotation, (0, 0), None, to);
    } else if value.get(Key::Annotations).is_some() {
        read_part(value, (0, 0), to);
    } else if value.get(Key::Content).is_some_and(Value::is_array)
        || kind.as_deref() == Some(FILE_SEARCH)
    {
        read_item(value, 0, to);
    } else {
        return false;
    }
    true
}

/// Reads an event of a stream by its name. Most of them are text.
fn read_event<'v, V: Value<'v>>(event: V, name: &str, to: &mut dyn Listener<'v>) {
    let full = to.detail() == Detail::Full;
    match name {
        "output_text.delta" if full => read_text(event, Key::Delta, false, to),
        "output_text.done" if full => read_text(event, Key::Text, true, to),
        "output_text.annotation.added" => {
            let (output, content) = part_id(event);
            let order = (output, content, index(event, Key::AnnotationIndex));
            if let Some(annotation) = event.get(Key::Annotation) {
                read_annotation(annotation, (output, content), Some(order), to);
            }
        }
        "content_part.added" | "content_part.done" => {
            let Some(part) = event.get(Key::Part) else { return };
            let id = part_id(event);
            if name == "content_part.done"
                && let Some(json) = part.json()
            {
                to.hear_part(id, json);
            }
            read_part(part, id, to);
            to.end_part();
        }
        "output_item.added" | "output_item.done" => {
            if let Some(item) = event.get(Key::Item) {
                read_item(item, index(event, Key::OutputIndex), to);
            }
        }
        "created" | "in_progress" | "queued" | "completed" | "incomplete" | "failed" => {
            let Some(response) = event.get(Key::Response) else { return };
            match response.get(Key::Output) {
                Some(output) => read_response(response, output, to),
                None => read_id(response, to),
            }
        }
        _ => {}
    }
}

fn read_text<'v, V: Value<'v>>(event: V, field: Key, whole: bool, to: &mut dyn Listener<'v>) {
    if let Some(text) = event.get(field).and_then(Value::text) {
        to.hear(Said::Text { part: part_id(event), text, whole });
    }
}

/// Reads a whole response.
pub(super) fn read_response<'v, V: Value<'v>>(response: V, output: V, to: &mut dyn Listener<'v>) {
    read_id(response, to);
    output.each(|index, item| read_item(item, number(index), to));
}

fn read_id<'v, V: Value<'v>>(response: V, to: &mut dyn Listener<'v>) {
    if to.detail() == Detail::Full
        && let Some(id) = response.text_at(Key::Id)
    {
        to.hear(Said::Call { id });
        if let Some(model) = response.text_at(Key::Model) {
            to.hear(Said::Model(model));
        }
    }
}

fn read_item<'v, V: Value<'v>>(item: V, output: u32, to: &mut dyn Listener<'v>) {
    if let Some(content) = item.get(Key::Content) {
        content.each(|index, part| read_part(part, (output, number(index)), to));
    } else if to.detail() != Detail::Shown {
        read_search(item, to);
    }
}

/// The type of a search in files.
pub(super) const FILE_SEARCH: &str = "file_search_call";

/// A search the provider made: its id, what for, and what it found.
fn read_search<'v, V: Value<'v>>(item: V, to: &mut dyn Listener<'v>) {
    let kind = item.text_at(Key::Type);
    let is_of_files = kind.as_deref() == Some(FILE_SEARCH);
    if is_of_files {
        read_results(item, to);
    }
    if to.detail() != Detail::Full || !is_of_files && kind.as_deref() != Some("web_search_call") {
        return;
    }
    let mut queries = Vec::new();
    let action = item.get(Key::Action).unwrap_or(item);
    match action.get(Key::Queries) {
        Some(list) => drop(list.each(|_, query| queries.extend(query.text()))),
        None => queries.extend(action.text_at(Key::Query)),
    }
    to.hear(Said::Searched { id: item.text_at(Key::Id), queries });
}

/// Passages of files: citations of these quote nothing, and name no passage.
fn read_results<'v, V: Value<'v>>(search: V, to: &mut dyn Listener<'v>) {
    let Some(results) = search.get(Key::Results) else { return };
    results.each(|_, result| {
        to.hear(Said::Found(Source {
            title: result.text_at(Key::Filename),
            cited_text: result.text_at(Key::Text),
            file_id: result.text_at(Key::FileId),
            ..Source::default()
        }));
    });
}

fn read_part<'v, V: Value<'v>>(part: V, id: PartId, to: &mut dyn Listener<'v>) {
    if part.json().is_some_and(|json| to.has_heard(id, json)) {
        return;
    }
    let annotations = part.get(Key::Annotations);
    // Services that speak the dialect leave out annotations where there are none, and others the type.
    let is_answer =
        || annotations.is_some() || part.text_at(Key::Type).as_deref() == Some("output_text");
    if to.detail() == Detail::Full
        && is_answer()
        && let Some(text) = part.text_at(Key::Text)
    {
        to.hear(Said::Text { part: id, text, whole: true });
    }
    if let Some(annotations) = annotations {
        let full = to.detail() != Detail::Shown;
        let plan = if full { Plan::Annotations } else { Plan::ShownAnnotations };
        if let Some(list) = to.list() {
            reserve(list, annotations);
        }
        annotations.each_as(plan, |index, annotation| {
            read_annotation(annotation, id, Some((id.0, id.1, number(index))), to);
        });
    }
}

fn read_annotation<'v, V: Value<'v>>(
    annotation: V,
    part: PartId,
    order: Option<Order>,
    to: &mut dyn Listener<'v>,
) {
    let full = to.detail() != Detail::Shown;
    let Some(mut source) = annotated(annotation, full) else { return };
    if source.is_blank() {
        return;
    }
    source.provider = Some(PROVIDER.into());
    if let Some(list) = to.list() {
        return list.push(source);
    }
    // A page is proved by its address, a file in a container by its name.
    let proof = source.url.as_ref().or(source.title.as_ref());
    let span = source.location.as_ref().and_then(|at| span(at, proof, part));
    to.hear(Said::Cited { order, source, span });
}

/// Where an annotation stands in its part.
pub(super) fn span<'v>(at: &Location, url: Option<&Text<'v>>, part: PartId) -> Option<Span<'v>> {
    let is_point = matches!(at, Location::FileCitation { .. });
    let (start, end) = match *at {
        // OpenRouter sends zeros for pages that it ties to nothing.
        Location::UrlCitation { start: 0, end: 0 }
        | Location::ContainerFileCitation { start: 0, end: 0, .. } => return None,
        Location::UrlCitation { start, end }
        | Location::ContainerFileCitation { start, end, .. } => (start, end),
        Location::FileCitation { index } => (index, index),
        _ => return None,
    };
    let proof = url.filter(|_| !is_point).map_or(Proof::None, |url| Proof::Link(url.clone()));
    Some(Span { part: Some(part), place: Place::Characters { start, end }, proof })
}

/// An annotation with an address is a citation of a page, whatever else it says: services that
/// speak OpenAI's dialect leave out its `type`.
pub(super) fn annotated<'v, V: Value<'v>>(value: V, full: bool) -> Option<Source<'v>> {
    if let Some(url) = value.text_at(Key::Url) {
        return Some(read_page(value, Some(url), full));
    }
    // Chat Completions nests the very same fields one level deeper; OpenRouter quotes the page there.
    if let Some(fields) = value.get(Key::UrlCitation) {
        let page = read_page(fields, fields.text_at(Key::Url), full);
        return Some(Source { cited_text: fields.text_at(Key::Content), ..page });
    }
    is_file_citation(&value.get(Key::Type)?.text()?).then_some(())?;
    let file_id = value.text_at(Key::FileId);
    Some(Source {
        title: value.text_at(Key::Filename).or_else(|| file_id.clone()),
        file_id,
        location: read_location(value),
        ..Source::default()
    })
}

fn read_page<'v, V: Value<'v>>(fields: V, url: Option<Text<'v>>, full: bool) -> Source<'v> {
    let span = || Some((fields.whole_at(Key::StartIndex)?, fields.whole_at(Key::EndIndex)?));
    // xAI counts its citations in the title.
    let counts = |title: &Text<'v>| title.len() <= 3 && title.parse::<u32>().is_ok();
    let title = fields.text_at(Key::Title).filter(|title| !counts(title));
    Source {
        title,
        url,
        location: if full { span() } else { None }
            .map(|(start, end)| Location::UrlCitation { start, end }),
        ..Source::default()
    }
}

fn is_file_citation(kind: &str) -> bool {
    matches!(kind, "file_citation" | "container_file_citation" | "file_path")
}

fn part_id<'v, V: Value<'v>>(event: V) -> PartId {
    (index(event, Key::OutputIndex), index(event, Key::ContentIndex))
}

fn index<'v, V: Value<'v>>(event: V, key: Key) -> u32 {
    event.whole_at(key).and_then(|index| u32::try_from(index).ok()).unwrap_or_default()
}

/// Lists are never longer than a 32-bit number counts.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

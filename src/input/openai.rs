//! OpenAI Responses: one source per annotation, in the order of the answer.
//!
//! A response holds output items, an item holds content parts, a part holds annotations; an event of
//! a stream holds one of these. Whatever is given is entered at its own level.

use super::Found;
use super::key::Key;
use super::location::read_location;
use super::value::Value;
use crate::model::{Location, Source, Text};

const PROVIDER: &str = "openai-responses";

/// Reads a response, an output item, a content part, an annotation, an event, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, found: &mut Found<'v>) {
    if value.is_array() {
        value.each(|_, item| enter(item, found));
    } else {
        enter(value, found);
    }
}

fn enter<'v, V: Value<'v>>(value: V, found: &mut Found<'v>) {
    let wrapped = || value.get(Key::Response)?.get(Key::Output);
    if let Some(output) = value.get(Key::Output).or_else(wrapped) {
        read_output(output, found);
    } else if let Some(item) = value.get(Key::Item) {
        read_item(item, found);
    } else if let Some(part) = value.get(Key::Part) {
        read_part(part, found);
    } else if let Some(annotation) = value.get(Key::Annotation) {
        read_annotation(annotation, found);
    } else if value.get(Key::Annotations).is_some() {
        read_part(value, found);
    } else if value.get(Key::Content).is_some_and(Value::is_array) {
        read_item(value, found);
    } else {
        read_annotation(value, found);
    }
}

/// Reads the output items of a response.
pub(super) fn read_output<'v, V: Value<'v>>(output: V, found: &mut Found<'v>) {
    output.each(|_, item| read_item(item, found));
}

fn read_item<'v, V: Value<'v>>(item: V, found: &mut Found<'v>) {
    if let Some(content) = item.get(Key::Content) {
        content.each(|_, part| read_part(part, found));
    }
}

fn read_part<'v, V: Value<'v>>(part: V, found: &mut Found<'v>) {
    if let Some(annotations) = part.get(Key::Annotations) {
        annotations.each(|_, annotation| read_annotation(annotation, found));
    }
}

fn read_annotation<'v, V: Value<'v>>(annotation: V, found: &mut Found<'v>) {
    if let Some(source) = annotated(annotation, found) {
        found.add(Source { provider: Some(PROVIDER.into()), ..source });
    }
}

/// An annotation with an address is a citation of a page, whatever else it says: services that
/// speak OpenAI's dialect leave out its `type`.
fn annotated<'v, V: Value<'v>>(value: V, found: &Found<'v>) -> Option<Source<'v>> {
    if let Some(url) = value.text_at(Key::Url) {
        return Some(read_page(value, Some(url), found));
    }
    // Chat Completions nests the very same fields one level deeper; OpenRouter quotes the page there.
    if let Some(fields) = value.get(Key::UrlCitation) {
        let page = read_page(fields, fields.text_at(Key::Url), found);
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

fn read_page<'v, V: Value<'v>>(fields: V, url: Option<Text<'v>>, found: &Found<'v>) -> Source<'v> {
    Source {
        title: fields.text_at(Key::Title),
        url,
        location: found.full(|| {
            let (start, end) = (fields.whole_at(Key::StartIndex)?, fields.whole_at(Key::EndIndex)?);
            Some(Location::UrlCitation { start, end })
        }),
        ..Source::default()
    }
}

fn is_file_citation(kind: &str) -> bool {
    matches!(kind, "file_citation" | "container_file_citation" | "file_path")
}

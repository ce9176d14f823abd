//! Gemini Interactions: annotations on the content of steps, in UTF-8 bytes of that content.
//!
//! One annotation per span and source, so a span repeats. In a stream all of them come in one event
//! behind the text, and the last event does not repeat them.

use super::key::Key;
use super::openai::number;
use super::said::{Detail, Listener, PartId, Place, Proof, Said, Span};
use super::value::Value;
use crate::model::{Location, Source};

const PROVIDER: &str = "gemini";

/// Reads an interaction, an event of its stream, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    value.each_or_this(|_, value| read_one(value, to));
}

fn read_one<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    let step = value.whole_at(Key::Index).and_then(|index| u32::try_from(index).ok());
    if let Some(delta) = value.get(Key::Delta) {
        read_delta(delta, (step.unwrap_or_default(), 0), to);
    } else if let Some(step_value) = value.get(Key::Step) {
        read_step(step_value, step.unwrap_or_default(), to);
    } else {
        let interaction = value.get(Key::Interaction).unwrap_or(value);
        if let Some(id) = interaction.text_at(Key::Id).filter(|_| to.detail() == Detail::Full) {
            to.hear(Said::Call { id });
            if let Some(model) = interaction.text_at(Key::Model) {
                to.hear(Said::Model(model));
            }
        }
        if let Some(steps) = interaction.get(Key::Steps) {
            steps.each(|index, step| read_step(step, number(index), to));
        }
    }
}

fn read_step<'v, V: Value<'v>>(step: V, at: u32, to: &mut dyn Listener<'v>) {
    // The prompt is a step, too.
    if step.text_at(Key::Type).as_deref() == Some("user_input") {
        return;
    }
    read_search(step, at, to);
    let Some(content) = step.get(Key::Content) else { return };
    content.each(|index, part| {
        let id = (at, number(index));
        if let Some(text) = part.text_at(Key::Text).filter(|_| to.detail() == Detail::Full) {
            to.hear(Said::Text { part: id, text, whole: true });
        }
        read_annotations(part, id, to);
    });
}

/// A search is a step of its own, with what it is for, in a stream in the next event. Its id is not in
/// both, its place is.
fn read_search<'v, V: Value<'v>>(step: V, at: u32, to: &mut dyn Listener<'v>) {
    let kind = step.text_at(Key::Type);
    if to.detail() != Detail::Full || !kind.is_some_and(|kind| kind.ends_with("_search_call")) {
        return;
    }
    let mut queries = Vec::new();
    if let Some(arguments) = step.get(Key::Arguments) {
        match arguments.get(Key::Queries) {
            Some(list) => drop(list.each(|_, query| queries.extend(query.text()))),
            None => queries.extend(arguments.text_at(Key::Query)),
        }
    }
    let id = Some(format!("step-{at}").into());
    to.hear(Said::Searched { id, queries });
}

fn read_delta<'v, V: Value<'v>>(delta: V, part: PartId, to: &mut dyn Listener<'v>) {
    let is_text = delta.text_at(Key::Type).as_deref() == Some("text");
    if is_text
        && to.detail() == Detail::Full
        && let Some(text) = delta.get(Key::Text).and_then(Value::text)
    {
        to.hear(Said::Text { part, text, whole: false });
    }
    read_search(delta, part.0, to);
    read_annotations(delta, part, to);
}

fn read_annotations<'v, V: Value<'v>>(holder: V, part: PartId, to: &mut dyn Listener<'v>) {
    let Some(annotations) = holder.get(Key::Annotations) else { return };
    annotations.each(|_, annotation| {
        let Some(source) = read_annotation(annotation).filter(|source| !source.is_blank()) else {
            return;
        };
        let at = |key| annotation.whole_at(key).unwrap_or_default();
        let place =
            Place::Bytes { start: at(Key::StartIndex), end: at(Key::EndIndex), part_index: None };
        let span = Some(Span { part: Some(part), place, proof: Proof::None });
        to.hear(Said::Cited { order: None, source, span });
    });
}

/// Speech timings come as annotations too; they cite nothing.
fn read_annotation<'v, V: Value<'v>>(annotation: V) -> Option<Source<'v>> {
    let span = || {
        let start = annotation.whole_at(Key::StartIndex).unwrap_or_default();
        Some(Location::UrlCitation { start, end: annotation.whole_at(Key::EndIndex)? })
    };
    let source = match annotation.text_at(Key::Type).as_deref() {
        Some("url_citation") => Source {
            title: annotation.text_at(Key::Title),
            url: annotation.text_at(Key::Url),
            location: span(),
            ..Source::default()
        },
        Some("file_citation") => Source {
            title: annotation.text_at(Key::FileName),
            uri: annotation.text_at(Key::DocumentUri),
            cited_text: annotation.text_at(Key::Source),
            location: span(),
            ..Source::default()
        },
        Some("place_citation") => Source {
            title: annotation.text_at(Key::Name),
            url: annotation.text_at(Key::Url),
            location: span(),
            ..Source::default()
        },
        _ => return None,
    };
    Some(Source { provider: Some(PROVIDER.into()), ..source })
}

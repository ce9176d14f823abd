//! Chat Completions and the services that speak its dialect: OpenAI's search models, OpenRouter,
//! Perplexity, xAI, Mistral.
//!
//! Annotations on the message are OpenAI's, one level deeper. Perplexity and xAI list what they read
//! beside the choices, again in every event of a stream. Mistral puts references between pieces of
//! text, so a reference stands where it is in the list.

use super::gemini::shown;
use super::key::Key;
use super::openai::{annotated, span};
use super::said::{Detail, Listener, PartId, Place, Proof, Said, Span, put};
use super::value::Value;
use crate::model::Source;

/// There is one answer and it has one part.
const PART: PartId = (0, 0);

/// Reads a completion, a chunk of a stream, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    value.each_or_this(|_, value| read_one(value, to));
}

fn read_one<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    if to.detail() == Detail::Full
        && let Some(id) = value.text_at(Key::Id)
    {
        to.hear(Said::Call { id });
    }
    read_list(value, to);
    let Some(choices) = value.get(Key::Choices) else { return };
    // A choice without a delta is a whole answer: nothing else will come.
    let whole = || choices.first().filter(|choice| choice.get(Key::Delta).is_none());
    let Some(choice) = shown(choices).or_else(whole) else { return };
    // Perplexity sends the text so far beside the new piece of it, and all of it beside an empty one.
    let (delta, message) = (choice.get(Key::Delta), choice.get(Key::Message));
    let says = |delta: &V| {
        delta.get(Key::Content).is_some_and(Value::is_array)
            || delta.text_at(Key::Content).is_some()
    };
    match (delta.filter(says), message) {
        (Some(delta), _) => read_message(delta, false, to),
        (None, Some(message)) => read_message(message, true, to),
        (None, None) => {
            if let Some(delta) = delta {
                read_message(delta, false, to);
            }
        }
    }
}

/// What the service read: `search_results` with titles, or bare addresses.
fn read_list<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    let results = value.get(Key::SearchResults).filter(|list| list.is_array());
    let Some(results) = results.or_else(|| value.get(Key::Citations)) else { return };
    let mut list = Vec::new();
    results.each(|index, result| {
        let source = match result.text() {
            Some(url) => Source { url: Some(url), ..Source::default() },
            None => Source {
                title: result.text_at(Key::Title),
                url: result.text_at(Key::Url),
                cited_text: result.text_at(Key::Snippet),
                ..Source::default()
            },
        };
        let source = Source { provider: Some("openai".into()), ..source };
        put(&mut list, index, Some(source).filter(|source| !source.is_blank()));
    });
    to.hear(Said::List(list));
}

fn read_message<'v, V: Value<'v>>(message: V, whole: bool, to: &mut dyn Listener<'v>) {
    let full = to.detail() == Detail::Full;
    if let Some(content) = message.get(Key::Content) {
        if content.is_array() {
            content.each(|_, piece| read_piece(piece, to));
        } else if let Some(text) = content.text().filter(|_| full) {
            to.hear(Said::Text { part: PART, text, whole });
        }
    }
    let Some(annotations) = message.get(Key::Annotations) else { return };
    annotations.each(|_, annotation| {
        let source =
            annotated(annotation, to.detail() != Detail::Shown).filter(|source| !source.is_blank());
        let Some(source) = source else { return };
        let span = source.location.as_ref().and_then(|at| span(at, source.url.as_ref(), PART));
        let source = Source { provider: Some("openai".into()), ..source };
        to.hear(Said::Cited { order: None, source, span });
    });
}

/// Mistral's pieces: text, references into the caller's own results, references to pages.
fn read_piece<'v, V: Value<'v>>(piece: V, to: &mut dyn Listener<'v>) {
    let kind = piece.text_at(Key::Type);
    let here = || Span { part: Some(PART), place: Place::Here, proof: Proof::None };
    match kind.as_deref() {
        Some("text") => {
            if let Some(text) = piece.text_at(Key::Text).filter(|_| to.detail() == Detail::Full) {
                to.hear(Said::Text { part: PART, text, whole: false });
            }
        }
        Some("tool_reference") => {
            let source = Source {
                title: piece.text_at(Key::Title),
                url: piece.text_at(Key::Url),
                cited_text: piece.text_at(Key::Description),
                provider: Some("openai".into()),
                ..Source::default()
            };
            if !source.is_blank() {
                to.hear(Said::Cited { order: None, source, span: Some(here()) });
            }
        }
        Some("reference") => {
            let mut listed = Vec::new();
            if let Some(ids) = piece.get(Key::ReferenceIds) {
                ids.each(|_, id| {
                    listed.extend(id.whole().and_then(|id| usize::try_from(id).ok()));
                });
            }
            to.hear(Said::Support { span: here(), listed, confidence: None });
        }
        _ => {}
    }
}

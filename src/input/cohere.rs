//! Cohere v2: citations that quote the span of the answer they support.

use super::key::Key;
use super::openai::number;
use super::said::{Detail, Listener, Place, Proof, Said, Span};
use super::value::Value;
use crate::model::Source;

const PROVIDER: &str = "cohere";

/// Reads a response, an event of its stream, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    value.each_or_this(|_, value| read_one(value, to));
}

fn read_one<'v, V: Value<'v>>(value: V, to: &mut dyn Listener<'v>) {
    if let Some(id) = value.text_at(Key::Id).filter(|_| to.detail() == Detail::Full) {
        to.hear(Said::Call { id });
    }
    let delta = value.get(Key::Delta);
    let Some(message) = delta.unwrap_or(value).get(Key::Message) else { return };
    if let Some(content) = message.get(Key::Content) {
        let index = value.whole_at(Key::Index).and_then(|index| u32::try_from(index).ok());
        if content.is_array() {
            content.each(|index, block| read_text(block, number(index), true, to));
        } else {
            read_text(content, index.unwrap_or_default(), false, to);
        }
    }
    if let Some(citations) = message.get(Key::Citations) {
        // A stream sends each as a bare object.
        if citations.is_array() {
            citations.each(|_, citation| read_citation(citation, to));
        } else {
            read_citation(citations, to);
        }
    }
}

fn read_text<'v, V: Value<'v>>(block: V, at: u32, whole: bool, to: &mut dyn Listener<'v>) {
    if to.detail() == Detail::Full
        && let Some(text) = block.text_at(Key::Text)
    {
        to.hear(Said::Text { part: (at, 0), text, whole });
    }
}

fn read_citation<'v, V: Value<'v>>(citation: V, to: &mut dyn Listener<'v>) {
    // Citations of thoughts and plans do not belong to the visible answer.
    let kind = citation.text_at(Key::Type);
    if kind.is_some_and(|kind| kind != "TEXT_CONTENT") {
        return;
    }
    let at = |key| citation.whole_at(key);
    let block = at(Key::ContentIndex).and_then(|index| u32::try_from(index).ok());
    let span = at(Key::End).map(|end| Span {
        part: block.map(|block| (block, 0)),
        place: Place::Characters { start: at(Key::Start).unwrap_or_default(), end },
        proof: citation.text_at(Key::Text).map_or(Proof::None, Proof::Quote),
    });
    let Some(sources) = citation.get(Key::Sources) else { return };
    sources.each(|_, source| {
        let document = source.get(Key::Document).or_else(|| source.get(Key::ToolOutput));
        let field = |key| document.and_then(|document| document.text_at(key));
        let id = source.text_at(Key::Id);
        let source = Source {
            title: field(Key::Title).or_else(|| id.clone()),
            url: field(Key::Url),
            cited_text: field(Key::Snippet).or_else(|| field(Key::Text)),
            provider: Some(PROVIDER.into()),
            file_id: id,
            ..Source::default()
        };
        if !source.is_blank() {
            to.hear(Said::Cited { order: None, source, span: span.clone() });
        }
    });
}

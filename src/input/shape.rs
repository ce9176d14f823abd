//! Which reader fits a value nobody has introduced.

use super::anthropic::FOUND_PAGE;
use super::key::Key;
use super::value::Value;
use serde::{Deserialize, Serialize};

/// A family of wire shapes with one reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Gemini and Vertex responses, candidates, grounding metadata.
    Gemini,
    /// Gemini Interactions and their events.
    Interactions,
    /// OpenAI Responses: responses, output items, parts, annotations, events.
    OpenAi,
    /// Chat Completions and its dialects.
    Chat,
    /// Anthropic messages, blocks, citations, events.
    Anthropic,
    /// Cohere v2 responses and events.
    Cohere,
    /// A list of sources that is already in our own form.
    Payload,
    /// Nothing a reader knows.
    Unknown,
}

/// Tells the shape from the fields that are there. A list has the shape of its first known item.
pub fn shape_of<'v, V: Value<'v>>(value: V) -> Shape {
    if !value.is_array() {
        return shape_of_object(value);
    }
    let mut shape = Shape::Unknown;
    value.each(|_, item| {
        if shape == Shape::Unknown {
            shape = shape_of_object(item);
        }
    });
    shape
}

/// The fields that give a shape away, most telling first.
pub(super) const TELLING: [(Key, Shape); 14] = [
    (Key::Candidates, Shape::Gemini),
    (Key::Output, Shape::OpenAi),
    (Key::Choices, Shape::Chat),
    (Key::EventType, Shape::Interactions),
    (Key::Steps, Shape::Interactions),
    (Key::GroundingMetadata, Shape::Gemini),
    (Key::GroundingChunks, Shape::Gemini),
    (Key::GroundingSupports, Shape::Gemini),
    (Key::CitationMetadata, Shape::Gemini),
    (Key::Annotations, Shape::OpenAi),
    (Key::Annotation, Shape::OpenAi),
    (Key::Segments, Shape::Gemini),
    (Key::Sources, Shape::Payload),
    (Key::Citations, Shape::Anthropic),
];

fn shape_of_object<'v, V: Value<'v>>(value: V) -> Shape {
    let content = || value.get(Key::Content)?.is_array().then_some(Shape::Anthropic);
    // Code Assist and some hosts wrap the response once.
    let wrapped = || shape_of_fields(value.get(Key::Response)?);
    let cohere = || value.get(Key::Message)?.get(Key::Content).map(|_| Shape::Cohere);
    value
        .text_at(Key::Type)
        .and_then(|kind| shape_of_type(&kind))
        .or_else(|| shape_of_fields(value))
        .or_else(content)
        .or_else(wrapped)
        .or_else(cohere)
        .unwrap_or(Shape::Unknown)
}

fn shape_of_fields<'v, V: Value<'v>>(value: V) -> Option<Shape> {
    TELLING.iter().find(|(key, _)| value.get(*key).is_some()).map(|(_, shape)| *shape)
}

fn shape_of_type(kind: &str) -> Option<Shape> {
    match kind {
        "url_citation" | "file_citation" | "container_file_citation" | "file_path" => {
            Some(Shape::OpenAi)
        }
        "char_location"
        | "page_location"
        | "content_block_location"
        | "search_result_location"
        | FOUND_PAGE
        | "content_block_start"
        | "content_block_delta"
        | "content_block_stop"
        | "message_start"
        | "message_delta"
        | "message_stop" => Some(Shape::Anthropic),
        "message-start" | "message-end" | "content-start" | "content-delta" | "content-end"
        | "citation-start" | "citation-end" => Some(Shape::Cohere),
        _ if kind.starts_with("response.") => Some(Shape::OpenAi),
        _ => None,
    }
}

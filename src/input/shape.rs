//! Which reader fits a value nobody has introduced.

use super::key::Key;
use super::value::Value;

/// A family of wire shapes with one reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Gemini and Vertex responses, candidates, grounding metadata.
    Gemini,
    /// OpenAI Responses: responses, output items, parts, annotations, events.
    OpenAi,
    /// Anthropic messages, blocks, citations, events.
    Anthropic,
    /// A list of sources that is already in our own or in LLxprt's neutral form.
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
const TELLING: [(Key, Shape); 8] = [
    (Key::Candidates, Shape::Gemini),
    (Key::Output, Shape::OpenAi),
    (Key::GroundingMetadata, Shape::Gemini),
    (Key::GroundingChunks, Shape::Gemini),
    (Key::Annotations, Shape::OpenAi),
    (Key::Annotation, Shape::OpenAi),
    (Key::Sources, Shape::Payload),
    (Key::Citations, Shape::Anthropic),
];

fn shape_of_object<'v, V: Value<'v>>(value: V) -> Shape {
    shape_of_fields(value)
        .or_else(|| shape_of_type(&value.get(Key::Type)?.text()?))
        .or_else(|| value.get(Key::Content)?.is_array().then_some(Shape::Anthropic))
        // Code Assist and some hosts wrap the response once.
        .or_else(|| shape_of_fields(value.get(Key::Response)?))
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
        | "web_search_result_location"
        | "content_block_start"
        | "content_block_delta" => Some(Shape::Anthropic),
        _ if kind.starts_with("response.") => Some(Shape::OpenAi),
        _ => None,
    }
}

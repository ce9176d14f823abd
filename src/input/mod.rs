//! What providers and tools hand us, read into statements about text, sources and spans.
//!
//! In: any value, as JSON or as a live object, or the bytes of a stream. Out: what it says, one
//! statement at a time, nothing cleaned and nothing converted. Promise: no input is an error; one
//! reader per wire shape, written once for every kind of input.

pub mod alike;
pub mod anthropic;
pub mod chat;
pub mod cohere;
pub mod delta;
pub mod gemini;
pub mod interactions;
pub mod json;
pub mod key;
pub mod location;
pub mod openai;
pub mod payload;
pub mod plan;
pub mod said;
mod shape;
pub mod stream;
pub mod tool;
pub mod value;
pub mod write;

pub use key::Key;
pub use said::{Detail, Listener, Said};
pub use shape::{Shape, shape_of};
pub use value::Value;

/// Reads a value nobody has introduced. If it is not what is almost always given, `shape` is asked what it is.
pub fn read_any<'v, V: Value<'v>>(
    value: V,
    to: &mut dyn Listener<'v>,
    shape: impl FnOnce() -> Shape,
) {
    // A whole response is opened once and not looked at twice.
    if let Some(candidates) = value.get(Key::Candidates) {
        gemini::read_response(value, candidates, to);
    } else if let Some(output) = value.get(Key::Output) {
        openai::read_response(value, output, to);
    } else {
        read(value, shape(), to);
    }
}

/// Reads `value` with the reader of its shape.
pub fn read<'v, V: Value<'v>>(value: V, shape: Shape, to: &mut dyn Listener<'v>) {
    match shape {
        Shape::Gemini => gemini::read(value, to),
        Shape::Interactions => interactions::read(value, to),
        Shape::OpenAi => openai::read(value, to),
        Shape::Chat => chat::read(value, to),
        Shape::Anthropic => anthropic::read(value, to),
        Shape::Cohere => cohere::read(value, to),
        Shape::Payload => payload::read(value, to),
        Shape::Unknown => {}
    }
}

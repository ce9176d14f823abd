//! What providers and tools hand us, read into sources.
//!
//! In: any value, as JSON or as a live object. Out: the sources it names, in the order it names
//! them, repeats included and nothing cleaned. Promise: no input is an error; one reader per wire
//! shape, written once for both kinds of input.

pub mod anthropic;
pub mod gemini;
pub mod json;
pub mod key;
mod location;
pub mod openai;
pub mod payload;
mod shape;
pub mod value;

pub use key::Key;
pub use shape::{Shape, shape_of};
pub use value::Value;

use crate::model::Source;

/// What a reader has found.
#[derive(Debug, Default)]
pub struct Found<'v> {
    /// The sources, in the order they were named.
    pub sources: Vec<Source<'v>>,
    /// How much of each source to read.
    pub detail: Detail,
}

/// How much of a source is wanted. Each field of a live object costs a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Everything.
    #[default]
    Full,
    /// What a block of sources shows, which of web pages is title and address.
    Shown,
}

impl<'v> Found<'v> {
    fn add(&mut self, source: Source<'v>) {
        if !source.is_blank() {
            self.sources.push(source);
        }
    }

    fn full<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.detail == Detail::Full { read() } else { None }
    }
}

/// Reads a value nobody has introduced, unless `skip` says that its shape is not wanted.
pub fn read_any<'v, V: Value<'v>>(value: V, found: &mut Found<'v>, skip: impl Fn(Shape) -> bool) {
    // What is almost always given, a whole response, is opened once and not looked at twice.
    if let Some(candidates) = value.get(Key::Candidates) {
        return gemini::read_candidates(candidates, found);
    }
    if let Some(output) = value.get(Key::Output) {
        return openai::read_output(output, found);
    }
    let shape = shape_of(value);
    if !skip(shape) {
        read(value, shape, found);
    }
}

/// Reads `value` with the reader of its shape.
pub fn read<'v, V: Value<'v>>(value: V, shape: Shape, found: &mut Found<'v>) {
    match shape {
        Shape::Gemini => gemini::read(value, found),
        Shape::OpenAi => openai::read(value, found),
        Shape::Anthropic => anthropic::read(value, found),
        Shape::Payload => payload::read(value, found),
        Shape::Unknown => {}
    }
}

//! What a payload says, one statement at a time.
//!
//! Readers know wire shapes and speak in these; listeners know nothing of wire shapes. A whole
//! response is a few statements in a row, an event of a stream is one, so both come to the same.

use super::value::Value;
use crate::model::{Source, Text};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Hears what readers say.
pub trait Listener<'v> {
    /// How much is worth saying. Each field of a live object costs a call.
    fn detail(&self) -> Detail;
    /// Hears one statement.
    fn hear(&mut self, said: Said<'v>);
    /// Hears that all this JSON says of a part follows, and that other events are likely to say it again.
    fn hear_part(&mut self, _part: PartId, _json: &[u8]) {}
    /// Hears that it was said.
    fn end_part(&mut self) {}
    /// Whether it would change nothing to hear this of a part.
    fn has_heard(&self, _part: PartId, _json: &[u8]) -> bool {
        false
    }
    /// Where a listener that wants sources and nothing else has them put: a source is long, and to hand it on takes as
    /// much time as to read it.
    fn list(&mut self) -> Option<&mut Vec<Source<'v>>> {
        None
    }
}

/// How much a listener wants to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Everything: text, places, spans.
    #[default]
    Full,
    /// Every field of whatever name, as tools need it.
    Whole,
    /// All of each source, but neither text nor spans.
    Sources,
    /// What a block of sources shows, which of web pages is title and address.
    Shown,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Said<'v> {
    /// What follows belongs to the model call with this id; without an id, to the current one.
    Call {
        /// The provider's id of the response.
        id: Text<'v>,
    },
    /// The current model call has come to its end.
    CallEnds,
    /// Visible text of the answer.
    Text {
        /// Which part of the answer.
        part: PartId,
        /// What it says.
        text: Text<'v>,
        /// Whether this is the whole part so far, or only what is new.
        whole: bool,
    },
    /// A list of sources that spans name by their place in it. `None` where the list has an empty
    /// place.
    List(Vec<Option<Source<'v>>>),
    /// A span of the answer that leans on sources of the list.
    Support {
        /// Where.
        span: Span<'v>,
        /// Places in the list.
        listed: Vec<usize>,
        /// How sure the provider is.
        confidence: Option<f64>,
    },
    /// A source together with the span that cites it.
    Cited {
        /// What tells this citation from others of the same call, and where it belongs among them.
        /// `None`: it comes after all others, unless it is already there.
        order: Option<Order>,
        /// What is cited.
        source: Source<'v>,
        /// Where, if the provider says so.
        span: Option<Span<'v>>,
    },
    /// A page that was read but not tied to any span.
    Consulted(Source<'v>),
    /// The model fetched a document. It counts behind those of the request.
    Fetched {
        /// What tells it from others of the call.
        order: u32,
        /// Where from.
        url: Text<'v>,
        /// What it is called.
        title: Option<Text<'v>>,
        /// What it says, where that came along.
        text: Option<Text<'v>>,
    },
    /// What a search of the provider's says of a file or a page. Whether it is cited is another matter, and
    /// citations of it may say less.
    Found(Source<'v>),
    /// The model that answers.
    Model(Text<'v>),
    /// Something was searched for.
    Searched {
        /// The id of the search, where it has one; without, each query is a search.
        id: Option<Text<'v>>,
        /// For what.
        queries: Vec<Text<'v>>,
    },
}

/// The most places a list has. Empty places cost their sender next to nothing and us a source each;
/// no provider lists anywhere near as many.
pub const MOST_PLACES: usize = 1 << 16;

/// Room for the sources of the longest answer; the length of a list is no promise.
const MOST_AT_ONCE: usize = 1 << 14;

/// Makes room for all sources of a list at once: it would be copied each time it outgrows its room.
pub(super) fn reserve<'v, T>(list: &mut Vec<T>, items: impl Value<'v>) {
    list.reserve(items.length().unwrap_or_default().min(MOST_AT_ONCE));
}

/// Puts a source at its place in a list, behind empty places for those that were passed over.
pub(super) fn put<'v>(
    list: &mut Vec<Option<Source<'v>>>,
    index: usize,
    source: Option<Source<'v>>,
) {
    if index < MOST_PLACES {
        if list.len() < index {
            list.resize(index, None);
        }
        list.push(source);
    }
}

/// Parts of an answer are numbered by two levels at the most: output item and content part.
pub type PartId = (u32, u32);

/// Output item, content part, annotation.
pub type Order = (u32, u32, u32);

/// A place in the answer, in the provider's terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span<'v> {
    /// Which part it counts in. `None`: all text of the call.
    pub part: Option<PartId>,
    /// Where in it.
    pub place: Place,
    /// What must stand there.
    pub proof: Proof<'v>,
}

impl Span<'_> {
    /// The bytes of all text of the call, if it counts those.
    pub fn bytes(&self) -> Option<Range<usize>> {
        match (self.part, self.place) {
            (None, Place::Bytes { start, end, part_index: None }) => {
                Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
            }
            _ => None,
        }
    }
}

/// A range, in its provider's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Place {
    /// UTF-8 bytes.
    Bytes {
        /// First byte.
        start: u64,
        /// One past the last byte.
        end: u64,
        /// The place of the text part among all parts of the message that the range counts in, for
        /// the few payloads that say so.
        part_index: Option<u64>,
    },
    /// Characters: whether code points or UTF-16 units is for the proof to say.
    Characters {
        /// First character.
        start: u64,
        /// One past the last character.
        end: u64,
    },
    /// All of the part.
    Part,
    /// Where the text of the part ends so far.
    Here,
    /// A point between two characters of the part that was found already.
    Point {
        /// The byte behind it.
        byte: usize,
    },
}

/// How a place can be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Proof<'v> {
    /// The provider quotes the very text.
    Quote(Text<'v>),
    /// The text holds this address.
    Link(Text<'v>),
    /// It cannot.
    None,
}

/// All that was said, in words, for tests.
#[cfg(test)]
#[derive(Default)]
pub(super) struct Transcript(pub(super) Vec<String>);

#[cfg(test)]
impl<'v> Listener<'v> for Transcript {
    fn detail(&self) -> Detail {
        Detail::Full
    }

    fn hear(&mut self, said: Said<'v>) {
        self.0.push(format!("{said:?}"));
    }
}

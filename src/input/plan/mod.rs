//! What of a value a reader asks for, said beforehand.
//!
//! A live object costs a call across the border for each field; who knows the fields of a whole response can
//! fetch them in one. A plan is advice, not a rule: what it leaves out, and values that are not as it says, are
//! read field by field. Where a record may be of several kinds, the plan has the fields of each, and it is taken for
//! the first of which it has what is needed.
//!
//! A turn may keep what was fetched of a response and read it later, when the live object is gone. So of what is
//! as planned, [`Plan::Answer`] must have every field that a reader asks of a whole response: a kind that lacks
//! one must need something that only those have of which nobody asks for it.

use super::anthropic::{FOUND_PAGE, SEARCHED};
use super::key::Key;
use super::openai::FILE_SEARCH;
use super::shape::TELLING;

/// A field of a record, and what it should hold. Nothing at all is fine, unless it is needed.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, in any spelling.
    pub key: Key,
    /// What is expected there.
    pub holds: Holds,
    /// Whether a record without it is of another kind.
    pub needed: bool,
    /// The place of its cell behind that of the record.
    pub place: u32,
}

/// What a field should hold.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// Nothing: few have it.
    Nothing,
    /// A string.
    Text,
    /// A string that begins like this.
    Begins(&'static str),
    /// This very string.
    Word(Word),
    /// A string, which mostly is this one.
    Usually(Word),
    /// A boolean.
    Flag,
    /// A number.
    Number,
    /// An array of numbers.
    Numbers,
    /// An array of strings.
    Texts,
    /// A record of its own.
    Record(&'static Fields),
    /// An array of records.
    Records(&'static Fields),
}

/// Strings that are so common that it is enough to say which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Word {
    /// A citation of a page that a search of Anthropic's has found.
    FoundPage,
    /// What such a search has found.
    Searched,
    /// A search of OpenAI's in files.
    FileSearch,
    /// A block of Anthropic's that is text.
    Text,
    /// A message of either.
    Message,
    /// A part of a message of OpenAI's that is text.
    OutputText,
}

impl Word {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::FoundPage,
        Self::Searched,
        Self::FileSearch,
        Self::Text,
        Self::Message,
        Self::OutputText,
    ];

    /// The string.
    pub const fn text(self) -> &'static str {
        match self {
            Self::FoundPage => FOUND_PAGE,
            Self::Searched => SEARCHED,
            Self::FileSearch => FILE_SEARCH,
            Self::Text => "text",
            Self::Message => "message",
            Self::OutputText => "output_text",
        }
    }
}

/// What is worth a plan: whole answers, and the lists in them that are long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Plan {
    /// A response or an event, all that readers ask of it.
    Answer,
    /// The same, as far as a block of sources shows it.
    ShownAnswer,
    /// The same, all of its sources and nothing else.
    CitedAnswer,
    /// A list of Gemini's grounding chunks.
    Chunks,
    /// The same, as far as a block shows them.
    ShownChunks,
    /// A list of Gemini's grounding supports.
    Supports,
    /// A list of OpenAI's annotations.
    Annotations,
    /// The same, as far as a block shows them.
    ShownAnnotations,
    /// A list of sources in our own form.
    Sources,
    /// A payload of them, as far as a block lists it.
    Payload,
}

const fn field(key: Key, holds: Holds) -> Field {
    Field { key, holds, needed: false, place: 0 }
}

const fn text(key: Key) -> Field {
    field(key, Holds::Text)
}

const fn number(key: Key) -> Field {
    field(key, Holds::Number)
}

const fn record(key: Key, fields: &'static Fields) -> Field {
    field(key, Holds::Record(fields))
}

const fn records(key: Key, fields: &'static Fields) -> Field {
    field(key, Holds::Records(fields))
}

const fn needed(field: Field) -> Field {
    Field { needed: true, ..field }
}

/// This very string, which the record is known by.
const fn is(key: Key, word: Word) -> Field {
    needed(field(key, Holds::Word(word)))
}

/// A string that mostly is this one.
const fn usually(key: Key, word: Word) -> Field {
    field(key, Holds::Usually(word))
}

/// A string that begins as addresses of the web do.
const fn address(key: Key) -> Field {
    field(key, Holds::Begins("h"))
}

/// A field that is asked for and hardly ever there.
const fn absent(key: Key) -> Field {
    field(key, Holds::Nothing)
}

/// Gives each field its place: a cell of its own, and behind it those of what stands inside of it.
const fn laid_out<const COUNT: usize>(mut fields: [Field; COUNT]) -> [Field; COUNT] {
    let (mut index, mut place) = (0, 1);
    while index < COUNT {
        #[expect(clippy::indexing_slicing, reason = "constant evaluation checks the bounds")]
        {
            fields[index].place = place;
            place += fields[index].size();
        }
        index += 1;
    }
    fields
}

impl Field {
    /// How many cells it takes in its record.
    const fn size(&self) -> u32 {
        match self.holds {
            Holds::Record(fields) => fields.size,
            _ => 1,
        }
    }
}

/// The fields of a record, in the order they are asked for.
#[derive(Debug)]
pub struct Fields {
    /// All of them.
    pub all: &'static [Field],
    /// Where each key stands among them, or behind the last.
    places: [u8; Key::COUNT],
    /// How many cells a record takes, its own cell included, of whichever kind it is.
    pub size: u32,
    /// What another kind of record has. This is one of those if something needed is missing.
    otherwise: Option<&'static Self>,
}

/// Fields with their places.
macro_rules! fields {
    ([$($field:expr),* $(,)?]) => { &Fields::of(&laid_out([$($field),*])) };
}

impl Fields {
    const fn of(all: &'static [Field]) -> Self {
        let (mut places, mut index) = ([u8::MAX; Key::COUNT], 0);
        while index < all.len() {
            #[expect(
                clippy::indexing_slicing,
                clippy::cast_possible_truncation,
                reason = "constant evaluation checks the bounds, and no record has so many fields"
            )]
            {
                places[all[index].key as usize] = index as u8;
            }
            index += 1;
        }
        let size = match all {
            [] => 1,
            [.., last] => last.place + last.size(),
        };
        Self { all, places, size, otherwise: None }
    }

    /// The same, or else this other kind.
    const fn or(&self, other: &'static Self) -> Self {
        let size = if self.size > other.size { self.size } else { other.size };
        Self { all: self.all, places: self.places, size, otherwise: Some(other) }
    }

    /// All kinds of records that this may be, in the order they are tried.
    pub fn kinds(&'static self) -> impl Iterator<Item = &'static Self> {
        std::iter::successors(Some(self), |fields| fields.otherwise)
    }

    /// The kind with this number among them.
    #[inline]
    pub fn kind(&'static self, number: usize) -> &'static Self {
        if number == 0 { self } else { self.kinds().nth(number).unwrap_or(NONE) }
    }

    /// The field of this key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<&'static Field> {
        self.all.get(usize::from(*self.places.get(key as usize)?))
    }
}

/// A record of one of these kinds.
macro_rules! one_of {
    ($last:expr $(,)?) => { $last };
    ($first:expr, $($others:expr),+ $(,)?) => { &$first.or(one_of!($($others),+)) };
}

/// The fields of something that must be recognised by them: its own, and of others by which it would be taken for
/// something else, that they are not there.
macro_rules! telling_fields {
    ([$($field:expr),* $(,)?]) => {{
        const OWN: &[Field] = &[$($field),*];
        &Fields::of(&laid_out(with_tells::<{ OWN.len() + tells_beside(OWN) }>(OWN)))
    }};
}

/// How many of the fields that tell a shape are not among these.
const fn tells_beside(own: &[Field]) -> usize {
    let (mut index, mut count) = (0, 0);
    while index < TELLING.len() {
        #[expect(clippy::indexing_slicing, reason = "constant evaluation checks the bounds")]
        if !has(own, TELLING[index].0) {
            count += 1;
        }
        index += 1;
    }
    count
}

const fn has(fields: &[Field], key: Key) -> bool {
    let mut index = 0;
    while index < fields.len() {
        #[expect(clippy::indexing_slicing, reason = "constant evaluation checks the bounds")]
        if fields[index].key as u8 == key as u8 {
            return true;
        }
        index += 1;
    }
    false
}

/// These fields, and behind them those that tell a shape.
#[expect(clippy::indexing_slicing, reason = "constant evaluation checks the bounds")]
const fn with_tells<const COUNT: usize>(own: &[Field]) -> [Field; COUNT] {
    let (mut all, mut count, mut index) = ([absent(TELLING[0].0); COUNT], 0, 0);
    while count < own.len() {
        all[count] = own[count];
        count += 1;
    }
    while index < TELLING.len() {
        if !has(own, TELLING[index].0) {
            all[count] = absent(TELLING[index].0);
            count += 1;
        }
        index += 1;
    }
    all
}

/// Nothing is known of it.
pub const NONE: &Fields = fields!([]);

// Behind the macros it is written with.
mod records;

use records::{
    ANNOTATION, ANSWER, CHUNK, CITED_ANSWER, PAYLOAD, SHOWN_ANNOTATION, SHOWN_ANSWER, SHOWN_CHUNK,
    SOURCE, SUPPORT,
};

impl Plan {
    /// All of them, in order.
    pub const ALL: [Self; 10] = [
        Self::Answer,
        Self::ShownAnswer,
        Self::CitedAnswer,
        Self::Chunks,
        Self::ShownChunks,
        Self::Supports,
        Self::Annotations,
        Self::ShownAnnotations,
        Self::Sources,
        Self::Payload,
    ];

    /// What is expected: a record, or a list of them.
    pub const fn holds(self) -> Holds {
        match self {
            Self::Answer => Holds::Record(ANSWER),
            Self::ShownAnswer => Holds::Record(SHOWN_ANSWER),
            Self::CitedAnswer => Holds::Record(CITED_ANSWER),
            Self::Chunks => Holds::Records(CHUNK),
            Self::ShownChunks => Holds::Records(SHOWN_CHUNK),
            Self::Supports => Holds::Records(SUPPORT),
            Self::Annotations => Holds::Records(ANNOTATION),
            Self::ShownAnnotations => Holds::Records(SHOWN_ANNOTATION),
            Self::Sources => Holds::Records(SOURCE),
            Self::Payload => Holds::Record(PAYLOAD),
        }
    }
}

//! What of a record a reader asks for, said beforehand.
//!
//! A live object costs a call across the border for each field; who knows the fields of a whole list can
//! fetch them in one. A plan is advice, not a rule: what it leaves out, and records that are not as it says,
//! are read field by field.

use super::key::Key;

/// A field of a record, and what it should hold. Nothing at all is always fine.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, in any spelling.
    pub key: Key,
    /// What is expected there.
    pub holds: Holds,
}

/// What a field should hold.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// A string.
    Text,
    /// A number.
    Number,
    /// An array of numbers.
    Numbers,
    /// A record of its own.
    Record(&'static [Field]),
}

/// The lists that are long and come with every answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Plan {
    /// Gemini's grounding chunks.
    Chunk,
    /// The same, as far as a block shows them.
    ShownChunk,
    /// Gemini's grounding supports.
    Support,
    /// OpenAI's annotations.
    Annotation,
    /// The same, as far as a block shows them.
    ShownAnnotation,
}

const fn text(key: Key) -> Field {
    Field { key, holds: Holds::Text }
}

const fn number(key: Key) -> Field {
    Field { key, holds: Holds::Number }
}

const fn numbers(key: Key) -> Field {
    Field { key, holds: Holds::Numbers }
}

const fn record(key: Key, fields: &'static [Field]) -> Field {
    Field { key, holds: Holds::Record(fields) }
}

impl Plan {
    /// All of them, in order.
    pub const ALL: [Self; 5] =
        [Self::Chunk, Self::ShownChunk, Self::Support, Self::Annotation, Self::ShownAnnotation];

    /// The fields of a record.
    pub fn fields(self) -> &'static [Field] {
        const SHOWN: &[Field] = &[text(Key::Title), text(Key::Uri)];
        const FULL: &[Field] = &[text(Key::Title), text(Key::Uri), text(Key::Domain)];
        const SEGMENT: &[Field] = &[
            number(Key::PartIndex),
            number(Key::StartIndex),
            number(Key::EndIndex),
            text(Key::Text),
        ];
        match self {
            Self::Chunk => const { &[record(Key::Web, FULL)] },
            Self::ShownChunk => const { &[record(Key::Web, SHOWN)] },
            Self::Support => {
                const {
                    &[
                        numbers(Key::GroundingChunkIndices),
                        numbers(Key::ConfidenceScores),
                        record(Key::Segment, SEGMENT),
                    ]
                }
            }
            Self::Annotation => {
                const {
                    &[
                        text(Key::Url),
                        text(Key::Title),
                        number(Key::StartIndex),
                        number(Key::EndIndex),
                    ]
                }
            }
            Self::ShownAnnotation => const { &[text(Key::Url), text(Key::Title)] },
        }
    }
}

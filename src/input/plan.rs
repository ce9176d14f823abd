//! What of a value a reader asks for, said beforehand.
//!
//! A live object costs a call across the border for each field; who knows the fields of a whole response can
//! fetch them in one. A plan is advice, not a rule: what it leaves out, and values that are not as it says, are
//! read field by field.

use super::key::Key;

/// A field of a record, and what it should hold. Nothing at all is fine, unless it is needed.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, in any spelling.
    pub key: Key,
    /// What is expected there.
    pub holds: Holds,
    /// Whether a record without it is another kind of record, of which this plan knows nothing.
    pub needed: bool,
    /// The place of its cell behind that of the record, in numbers.
    pub place: u32,
}

/// Numbers in a cell, which is what a value takes: its kind with a length, and a number or a place.
pub const CELL: usize = CELL_SIZE as usize;

const CELL_SIZE: u32 = 2;

/// What a field should hold.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// Nothing: few have it.
    Nothing,
    /// A string.
    Text,
    /// A string that begins as addresses of the web do.
    Address,
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

/// Gives each field its place: a cell of its own, and behind it those of what stands inside of it.
const fn laid_out<const COUNT: usize>(mut fields: [Field; COUNT]) -> [Field; COUNT] {
    let (mut index, mut place) = (0, CELL_SIZE);
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
    /// How many numbers it takes in its record.
    const fn size(&self) -> u32 {
        match self.holds {
            Holds::Record(fields) => fields.size(),
            _ => CELL_SIZE,
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
        Self { all, places }
    }

    /// The field of this key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<&'static Field> {
        self.all.get(usize::from(*self.places.get(key as usize)?))
    }

    /// How many numbers a record takes, its own cell included.
    pub const fn size(&self) -> u32 {
        match self.all {
            [] => CELL_SIZE,
            [.., last] => last.place + last.size(),
        }
    }
}

/// Nothing is known of it.
pub const NONE: &Fields = fields!([]);

const CHUNK: &Fields = fields!([needed(record(
    Key::Web,
    fields!([needed(field(Key::Uri, Holds::Address)), text(Key::Title), text(Key::Domain)]),
))]);

const SHOWN_CHUNK: &Fields = fields!([needed(record(
    Key::Web,
    fields!([needed(field(Key::Uri, Holds::Address)), text(Key::Title)]),
))]);

const SUPPORT: &Fields = fields!([
    field(Key::GroundingChunkIndices, Holds::Numbers),
    field(Key::ConfidenceScores, Holds::Numbers),
    record(
        Key::Segment,
        fields!([
            number(Key::PartIndex),
            number(Key::StartIndex),
            number(Key::EndIndex),
            text(Key::Text),
        ]),
    ),
]);

const ANNOTATION: &Fields = fields!([
    needed(field(Key::Url, Holds::Address)),
    text(Key::Title),
    number(Key::StartIndex),
    number(Key::EndIndex),
]);

const SHOWN_ANNOTATION: &Fields =
    fields!([needed(field(Key::Url, Holds::Address)), text(Key::Title)]);

/// A source in our own form, of a page of the web or of what a tool found. Passages of documents have more to their
/// places, and repeats more to themselves.
const SOURCE: &Fields = fields!([
    field(Key::Web, Holds::Nothing),
    text(Key::Title),
    text(Key::Url),
    text(Key::Uri),
    text(Key::CitedText),
    text(Key::Provider),
    text(Key::Domain),
    text(Key::FileId),
    record(
        Key::Location,
        fields!([
            text(Key::Type),
            number(Key::GroundingChunkIndex),
            number(Key::StartIndex),
            number(Key::EndIndex),
        ]),
    ),
    field(Key::Also, Holds::Nothing),
    text(Key::Type),
    text(Key::Id),
    text(Key::ToolName),
    text(Key::ToolRequestId),
    text(Key::AgentId),
    text(Key::Snippet),
    text(Key::Author),
    text(Key::PublishedDate),
    text(Key::RawUrl),
    text(Key::Timestamp),
    number(Key::PageNumber),
    number(Key::LineStart),
    number(Key::LineEnd),
    field(Key::ShownInline, Holds::Flag),
    field(Key::Metadata, Holds::Nothing),
]);

/// A candidate of Gemini's.
const CANDIDATE: &Fields = fields!([
    record(
        Key::Content,
        fields!([records(
            Key::Parts,
            fields!([field(Key::Thought, Holds::Flag), text(Key::Text)]),
        )]),
    ),
    record(
        Key::GroundingMetadata,
        fields!([
            records(Key::GroundingChunks, CHUNK),
            field(Key::WebSearchQueries, Holds::Texts),
            field(Key::RetrievalQueries, Holds::Texts),
            records(Key::GroundingSupports, SUPPORT),
        ]),
    ),
    field(Key::CitationMetadata, Holds::Nothing),
    field(Key::UrlContextMetadata, Holds::Nothing),
    text(Key::FinishReason),
]);

/// An output item of OpenAI's: a message, or a search.
const ITEM: &Fields = fields!([
    records(Key::Content, fields!([records(Key::Annotations, ANNOTATION), text(Key::Text)])),
    text(Key::Type),
    text(Key::Id),
    record(Key::Action, fields!([field(Key::Queries, Holds::Texts), text(Key::Query)])),
    field(Key::Queries, Holds::Texts),
    text(Key::Query),
]);

const ANSWER: &Fields = fields!([
    records(Key::Candidates, CANDIDATE),
    records(Key::Output, ITEM),
    text(Key::Type),
    text(Key::ResponseId),
    text(Key::ModelVersion),
    text(Key::Id),
    text(Key::Model),
    // A piece of text, as an event of OpenAI's.
    text(Key::Delta),
    number(Key::OutputIndex),
    number(Key::ContentIndex),
]);

/// An answer of which nothing is asked but its sources, as chunks or as annotations with these fields.
macro_rules! sources_of_answer {
    ($chunk:expr, $annotation:expr) => {
        fields!([
            records(
                Key::Candidates,
                fields!([
                    record(
                        Key::GroundingMetadata,
                        fields!([records(Key::GroundingChunks, $chunk)])
                    ),
                    field(Key::CitationMetadata, Holds::Nothing),
                    field(Key::UrlContextMetadata, Holds::Nothing),
                ]),
            ),
            records(
                Key::Output,
                fields!([records(Key::Content, fields!([records(Key::Annotations, $annotation)]))]),
            ),
            field(Key::Type, Holds::Nothing),
        ])
    };
}

const SHOWN_ANSWER: &Fields = sources_of_answer!(SHOWN_CHUNK, SHOWN_ANNOTATION);

const CITED_ANSWER: &Fields = sources_of_answer!(CHUNK, ANNOTATION);

impl Plan {
    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::Answer,
        Self::ShownAnswer,
        Self::CitedAnswer,
        Self::Chunks,
        Self::ShownChunks,
        Self::Supports,
        Self::Annotations,
        Self::ShownAnnotations,
        Self::Sources,
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
        }
    }
}

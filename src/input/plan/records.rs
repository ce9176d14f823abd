//! The fields of what providers send, and of our own sources.

use super::{
    Field, Fields, Holds, Word, absent, address, field, is, laid_out, needed, number, record,
    records, tells_beside, text, usually, with_tells,
};
use crate::input::Key;

/// A chunk of Gemini's that is a page of the web.
const PAGE: &Fields = fields!([needed(record(
    Key::Web,
    fields!([needed(address(Key::Uri)), text(Key::Title), text(Key::Domain)]),
))]);

const SHOWN_PAGE: &Fields =
    fields!([needed(record(Key::Web, fields!([needed(address(Key::Uri)), text(Key::Title)])))]);

/// One that is a place on a map.
const PLACE: &Fields = fields!([
    needed(record(Key::Maps, fields!([text(Key::Title), text(Key::Uri), text(Key::Text)]))),
    absent(Key::Web),
    absent(Key::RetrievedContext),
    absent(Key::Image),
]);

/// One that is a passage of the caller's documents.
const PASSAGE: &Fields = fields!([
    needed(record(
        Key::RetrievedContext,
        fields!([
            text(Key::Uri),
            text(Key::DocumentName),
            text(Key::Title),
            records(Key::CustomMetadata, fields!([text(Key::Key), text(Key::StringValue)])),
            text(Key::FileSearchStore),
            text(Key::Text),
            number(Key::PageNumber),
            number(Key::Page),
            record(
                Key::RagChunk,
                fields!([
                    text(Key::Text),
                    record(Key::PageSpan, fields!([number(Key::FirstPage), number(Key::LastPage)]),),
                ]),
            ),
        ]),
    )),
    absent(Key::Web),
    absent(Key::Maps),
    absent(Key::Image),
]);

pub(super) const CHUNK: &Fields = one_of!(PAGE, PLACE, PASSAGE);

pub(super) const SHOWN_CHUNK: &Fields = one_of!(SHOWN_PAGE, PLACE, PASSAGE);

pub(super) const SUPPORT: &Fields = fields!([
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

pub(super) const ANNOTATION: &Fields = fields!([
    needed(address(Key::Url)),
    text(Key::Title),
    number(Key::StartIndex),
    number(Key::EndIndex),
]);

pub(super) const SHOWN_ANNOTATION: &Fields = fields!([needed(address(Key::Url)), text(Key::Title)]);

/// Where a source was cited, by who cited it, the most common first.
const LOCATION: &Fields = one_of!(
    fields!([
        needed(number(Key::GroundingChunkIndex)),
        text(Key::Type),
        absent(Key::StartPageNumber),
    ]),
    fields!([needed(number(Key::EndIndex)), number(Key::StartIndex), text(Key::Type)]),
    fields!([needed(text(Key::EncryptedIndex)), text(Key::Type)]),
    fields!([
        text(Key::Type),
        number(Key::DocumentIndex),
        number(Key::StartCharIndex),
        number(Key::EndCharIndex),
        number(Key::StartPageNumber),
        number(Key::EndPageNumber),
        number(Key::StartBlockIndex),
        number(Key::EndBlockIndex),
        number(Key::SearchResultIndex),
    ]),
);

/// A source in our own form, of a page of the web or of what a tool found. Repeats have more to themselves.
pub(super) const SOURCE: &Fields = fields!([
    absent(Key::Web),
    text(Key::Title),
    text(Key::Url),
    text(Key::Uri),
    text(Key::CitedText),
    text(Key::Provider),
    text(Key::Domain),
    text(Key::FileId),
    record(Key::Location, LOCATION),
    absent(Key::Also),
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
    absent(Key::Metadata),
]);

/// The same, as far as a block shows it.
const SHOWN_SOURCE: &Fields = fields!([
    absent(Key::Web),
    text(Key::Title),
    text(Key::Url),
    text(Key::Uri),
    text(Key::CitedText),
    text(Key::FileId),
    record(Key::Location, LOCATION),
    absent(Key::Also),
    text(Key::Type),
    number(Key::PageNumber),
    number(Key::LineStart),
    number(Key::LineEnd),
    field(Key::ShownInline, Holds::Flag),
]);

/// A payload of ours. What it says of the answer is not for a block.
pub(super) const PAYLOAD: &Fields =
    fields!([records(Key::Sources, SHOWN_SOURCE), field(Key::Cited, Holds::Numbers)]);

/// A response of Gemini's, with all that readers ask of it.
const GEMINI: &Fields = fields!([
    needed(records(
        Key::Candidates,
        fields!([
            number(Key::Index),
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
            absent(Key::CitationMetadata),
            absent(Key::UrlContextMetadata),
            text(Key::FinishReason),
        ]),
    )),
    text(Key::Type),
    text(Key::ResponseId),
    text(Key::ModelVersion),
]);

/// A part of the answer of OpenAI's.
const PART: &Fields = fields!([
    records(Key::Annotations, ANNOTATION),
    usually(Key::Type, Word::OutputText),
    text(Key::Text)
]);

/// A search of OpenAI's in files, and what it found. Others are not asked for that.
const FOUND_FILES: &Fields = fields!([
    is(Key::Type, Word::FileSearch),
    absent(Key::Content),
    text(Key::Id),
    absent(Key::Action),
    field(Key::Queries, Holds::Texts),
    text(Key::Query),
    records(Key::Results, fields!([text(Key::FileId), text(Key::Filename), text(Key::Text)])),
]);

/// An output item of OpenAI's: a message, or a search.
const ITEM: &Fields = one_of!(
    FOUND_FILES,
    fields!([
        records(Key::Content, PART),
        usually(Key::Type, Word::Message),
        text(Key::Id),
        record(Key::Action, fields!([field(Key::Queries, Holds::Texts), text(Key::Query)])),
        field(Key::Queries, Holds::Texts),
        text(Key::Query),
    ]),
);

/// A response of OpenAI's.
const OPENAI: &Fields = fields!([
    needed(records(Key::Output, ITEM)),
    absent(Key::Candidates),
    text(Key::Type),
    text(Key::Id),
    text(Key::Model),
]);

/// A response of Gemini's of which nothing is asked but its sources: chunks with these fields.
macro_rules! sources_of_gemini {
    ($chunk:expr) => {
        fields!([needed(records(
            Key::Candidates,
            fields!([
                number(Key::Index),
                record(Key::GroundingMetadata, fields!([records(Key::GroundingChunks, $chunk)])),
                absent(Key::CitationMetadata),
                absent(Key::UrlContextMetadata),
            ]),
        ))])
    };
}

/// A response of OpenAI's of which nothing is asked but its sources: output items with these fields.
macro_rules! sources_of_openai {
    ($item:expr) => {
        fields!([needed(records(Key::Output, $item)), absent(Key::Candidates)])
    };
}

const SHOWN_ITEM: &Fields =
    fields!([records(Key::Content, fields!([records(Key::Annotations, SHOWN_ANNOTATION)]))]);

const CITED_ITEM: &Fields = one_of!(
    FOUND_FILES,
    fields!([
        records(Key::Content, fields!([records(Key::Annotations, ANNOTATION)])),
        usually(Key::Type, Word::Message),
    ]),
);

/// An answer or a piece of one in the dialects of Chat Completions.
const CHAT: &Fields = fields!([
    needed(records(
        Key::Choices,
        fields!([
            number(Key::Index),
            record(Key::Delta, CHAT_MESSAGE),
            record(Key::Message, CHAT_MESSAGE),
        ]),
    )),
    absent(Key::Candidates),
    absent(Key::Output),
    text(Key::Type),
    text(Key::Id),
    records(Key::SearchResults, fields!([text(Key::Title), text(Key::Url), text(Key::Snippet)])),
    field(Key::Citations, Holds::Texts),
]);

const CHAT_MESSAGE: &Fields =
    fields!([text(Key::Content), records(Key::Annotations, one_of!(CHAT_ANNOTATION, ANNOTATION))]);

const CHAT_ANNOTATION: &Fields = fields!([
    needed(record(
        Key::UrlCitation,
        fields!([
            text(Key::Url),
            text(Key::Title),
            number(Key::StartIndex),
            number(Key::EndIndex),
            text(Key::Content),
        ]),
    )),
    absent(Key::Url),
]);

/// A piece of text, as an event of OpenAI's.
const OPENAI_DELTA: &Fields = fields!([
    needed(text(Key::Delta)),
    text(Key::Type),
    number(Key::OutputIndex),
    number(Key::ContentIndex),
]);

/// Another event of OpenAI's: an annotation, a part, an item, all of it, or something nobody asks for.
const OPENAI_EVENT: &Fields = fields!([
    needed(field(Key::Type, Holds::Begins("response."))),
    number(Key::OutputIndex),
    number(Key::ContentIndex),
    number(Key::AnnotationIndex),
    record(Key::Annotation, ANNOTATION),
    record(Key::Part, PART),
    record(Key::Item, ITEM),
    record(Key::Response, OPENAI),
    text(Key::Text),
]);

/// A piece of text or a citation, as an event of Anthropic's, of Cohere's, or of Gemini Interactions.
const DELTA: &Fields = fields!([
    needed(record(
        Key::Delta,
        fields!([
            text(Key::Text),
            text(Key::Type),
            record(Key::Citation, ANTHROPIC_CITATION),
            absent(Key::Annotations),
            record(
                Key::Message,
                fields!([record(Key::Content, fields!([text(Key::Text)])), absent(Key::Citations)]),
            ),
        ]),
    )),
    text(Key::Type),
    number(Key::Index),
    text(Key::Id),
    absent(Key::Message),
    absent(Key::ContentBlock),
    absent(Key::Candidates),
    absent(Key::Output),
    absent(Key::Choices),
    text(Key::EventType),
]);

/// A citation of Anthropic's, of a page that it found.
macro_rules! page_citation {
    ($($more:expr)?) => {
        fields!([
            is(Key::Type, Word::FoundPage),
            absent(Key::DocumentTitle),
            text(Key::Title),
            text(Key::Url),
            absent(Key::Source),
            text(Key::CitedText),
            absent(Key::FileId),
            $($more)?
        ])
    };
}

/// One of a document.
const PASSAGE_CITATION: &Fields = fields!([
    text(Key::Type),
    text(Key::DocumentTitle),
    text(Key::Title),
    text(Key::Url),
    text(Key::Source),
    text(Key::CitedText),
    text(Key::FileId),
    number(Key::DocumentIndex),
    number(Key::StartCharIndex),
    number(Key::EndCharIndex),
    number(Key::StartPageNumber),
    number(Key::EndPageNumber),
    number(Key::StartBlockIndex),
    number(Key::EndBlockIndex),
    number(Key::SearchResultIndex),
]);

const ANTHROPIC_CITATION: &Fields =
    one_of!(page_citation!(text(Key::EncryptedIndex)), PASSAGE_CITATION);

/// What a search of Anthropic's has found.
const FOUND_PAGES: &Fields = fields!([
    is(Key::Type, Word::Searched),
    records(Key::Content, fields!([text(Key::Title), text(Key::Url)])),
    absent(Key::Citations),
]);

/// A block of a message of Anthropic's.
const BLOCK: &Fields = one_of!(
    FOUND_PAGES,
    fields!([
        usually(Key::Type, Word::Text),
        text(Key::Text),
        text(Key::Id),
        records(Key::Citations, ANTHROPIC_CITATION),
    ]),
);

const SHOWN_BLOCK: &Fields = fields!([
    usually(Key::Type, Word::Text),
    records(Key::Citations, one_of!(page_citation!(), PASSAGE_CITATION)),
]);

/// One that begins, as an event.
const BLOCK_BEGINS: &Fields = fields!([
    needed(record(Key::ContentBlock, BLOCK)),
    text(Key::Type),
    number(Key::Index),
    absent(Key::Message),
]);

/// A response or an event of any provider. The kinds that say what they are come first, those most in a hurry
/// before others. What is left may be a message of Anthropic's, a response in a wrapper, or something else, which
/// has to be told by its fields.
macro_rules! answer {
    ($gemini:expr, $openai:expr, $block:expr $(, $event:expr)*) => {{
        const OTHER: &Fields = telling_fields!([
            usually(Key::Type, Word::Message),
            text(Key::Id),
            text(Key::Model),
            number(Key::Index),
            records(Key::Content, $block),
            record(Key::Response, one_of!($gemini, $openai)),
            absent(Key::Citation),
            absent(Key::ContentBlock),
            absent(Key::Delta),
            absent(Key::Message),
            absent(Key::Text),
        ]);
        one_of!($gemini, $openai, CHAT, $($event,)* OTHER)
    }};
}

pub(super) const ANSWER: &Fields =
    answer!(GEMINI, OPENAI, BLOCK, OPENAI_DELTA, DELTA, OPENAI_EVENT, BLOCK_BEGINS);

pub(super) const SHOWN_ANSWER: &Fields =
    answer!(sources_of_gemini!(SHOWN_CHUNK), sources_of_openai!(SHOWN_ITEM), SHOWN_BLOCK);

pub(super) const CITED_ANSWER: &Fields =
    answer!(sources_of_gemini!(CHUNK), sources_of_openai!(CITED_ITEM), BLOCK);

//! Every field name the readers ask for, with every spelling it has on the wire.
//!
//! A closed vocabulary has two uses: the JSON reader skips all other fields without keeping them,
//! and the JavaScript reader keeps one ready-made property key per spelling and environment.

macro_rules! keys {
    ($($name:ident $first:literal $(| $other:literal)*;)*) => {
        /// A field some provider or tool sends.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Key { $(#[doc = concat!("`", $first, "`")] $name),* }

        /// One row per [`Key`], in order: its spellings, the commonest first.
        pub const SPELLINGS: &[&[&str]] = &[$(&[$first $(, $other)*]),*];

        const ALL: &[Key] = &[$(Key::$name),*];
    };
}

keys! {
    Action "action";
    AgentId "agentId" | "agent_id" | "subAgentId";
    Also "also";
    Anchors "anchors";
    Annotation "annotation";
    AnnotationIndex "annotation_index" | "annotationIndex";
    Annotations "annotations";
    Answer "answer";
    Args "args" | "parameters";
    Arguments "arguments";
    Author "author" | "authors";
    Body "body";
    CallId "callId" | "call_id" | "toolCallId" | "tool_call_id";
    Candidates "candidates";
    Choices "choices";
    Citation "citation";
    CitationMetadata "citationMetadata" | "citation_metadata";
    CitationSources "citationSources" | "citation_sources";
    Citations "citations";
    Cited "cited";
    CitedText "cited_text" | "citedText";
    Confidence "confidence";
    ConfidenceScores "confidenceScores" | "confidence_scores";
    Config "config";
    ContainerId "container_id" | "containerId";
    Content "content";
    ContentBlock "content_block" | "contentBlock";
    ContentIndex "content_index" | "contentIndex";
    Contents "contents";
    Context "context";
    CustomMetadata "customMetadata" | "custom_metadata";
    Data "data";
    Delta "delta";
    Description "description";
    Distances "distances";
    Document "document";
    DocumentIndex "document_index" | "documentIndex";
    DocumentName "documentName" | "document_name";
    DocumentTitle "document_title" | "documentTitle";
    DocumentUri "document_uri" | "documentUri";
    Domain "domain";
    Enabled "enabled";
    EncryptedIndex "encrypted_index" | "encryptedIndex";
    End "end";
    EndBlockIndex "end_block_index" | "endBlockIndex";
    EndCharIndex "end_char_index" | "endCharIndex";
    EndIndex "end_index" | "endIndex";
    EndPageNumber "end_page_number" | "endPageNumber";
    Error "error";
    EventType "event_type" | "eventType";
    File "file" | "path" | "file_path" | "filePath" | "absolute_path";
    FileId "file_id" | "fileId";
    FileName "file_name" | "fileName";
    FileSearchStore "fileSearchStore" | "file_search_store";
    Filename "filename";
    FinishReason "finishReason" | "finish_reason";
    FirstLine "line_start" | "startLine" | "start_line" | "line";
    FirstPage "firstPage" | "first_page";
    Format "format";
    FullName "full_name" | "fullName";
    FunctionResponse "functionResponse" | "function_response";
    GroundingChunkIndex "groundingChunkIndex" | "grounding_chunk_index";
    GroundingChunkIndices "groundingChunkIndices" | "grounding_chunk_indices" | "supportChunkIndices";
    GroundingChunks "groundingChunks" | "grounding_chunks";
    GroundingMetadata "groundingMetadata" | "grounding_metadata";
    GroundingSupports "groundingSupports" | "grounding_supports";
    HtmlUrl "html_url" | "htmlUrl";
    Id "id";
    Image "image";
    ImageUri "imageUri" | "image_uri";
    Index "index";
    InlineData "inlineData" | "inline_data";
    Input "input";
    Instructions "instructions";
    Interaction "interaction";
    IsError "isError" | "is_error";
    Item "item";
    Key "key";
    LastLine "line_end" | "endLine" | "end_line";
    LastPage "lastPage" | "last_page";
    Limit "limit";
    LineEnd "lineEnd";
    LineStart "lineStart";
    Lines "lines";
    Link "link" | "href" | "permalink";
    LlmContent "llmContent";
    Location "location";
    Maps "maps";
    Message "message";
    Messages "messages";
    Metadata "metadata";
    Model "model";
    ModelVersion "modelVersion" | "model_version";
    Name "name";
    NumResults "numResults" | "num_results";
    Offset "offset";
    Output "output";
    OutputConfig "output_config" | "outputConfig";
    OutputFormat "output_format" | "outputFormat";
    OutputIndex "output_index" | "outputIndex";
    Page "page_number" | "page";
    PageNumber "pageNumber";
    PageSpan "pageSpan" | "page_span";
    Part "part";
    PartIndex "partIndex" | "part_index";
    Parts "parts";
    Prompt "prompt";
    Provider "provider";
    Published "published_date" | "published" | "date" | "publishedAt" | "published_at";
    PublishedDate "publishedDate";
    Queries "queries";
    Query "query";
    RagChunk "ragChunk" | "rag_chunk";
    RawUrl "rawUrl" | "raw_url";
    ReferenceIds "reference_ids" | "referenceIds";
    Request "request";
    Resource "resource";
    Response "response";
    ResponseId "responseId" | "response_id";
    ResponseParts "responseParts";
    Result "result";
    Results "results" | "items" | "organic" | "organic_results" | "matches" | "documents" | "chunks" | "hits";
    RetrievalQueries "retrievalQueries" | "retrieval_queries";
    RetrievedContext "retrievedContext" | "retrieved_context";
    RetrievedUrl "retrievedUrl" | "retrieved_url";
    ReturnDisplay "returnDisplay";
    Role "role";
    SearchResultIndex "search_result_index" | "searchResultIndex";
    SearchResults "search_results" | "searchResults";
    Segment "segment";
    Segments "segments";
    ShownInline "shownInline";
    Snippet "snippet";
    Source "source";
    SourceIndices "sourceIndices" | "source_indices";
    SourceUri "sourceUri" | "source_uri";
    Sources "sources";
    Start "start";
    StartBlockIndex "start_block_index" | "startBlockIndex";
    StartCharIndex "start_char_index" | "startCharIndex";
    StartIndex "start_index" | "startIndex";
    StartPageNumber "start_page_number" | "startPageNumber";
    Status "status" | "statusCode" | "status_code";
    Step "step";
    Steps "steps";
    StringValue "stringValue" | "string_value";
    StructuredContent "structuredContent" | "structured_content";
    Summary "summary" | "excerpt";
    System "system";
    SystemInstruction "systemInstruction" | "system_instruction";
    Text "text";
    Thought "thought";
    Timestamp "timestamp";
    Title "title";
    ToolName "toolName" | "tool_name";
    ToolOutput "tool_output" | "toolOutput";
    ToolRequestId "toolRequestId" | "tool_request_id";
    Type "type";
    Uri "uri";
    Url "url";
    UrlCitation "url_citation" | "urlCitation";
    UrlContextMetadata "urlContextMetadata" | "url_context_metadata";
    UrlMetadata "urlMetadata" | "url_metadata";
    UrlRetrievalStatus "urlRetrievalStatus" | "url_retrieval_status";
    Web "web";
    WebSearchQueries "webSearchQueries" | "web_search_queries";
}

/// A name as words: eight bytes each, the first one lowest, nothing behind its end. All names that are known fit.
pub(super) type Words = [u64; 3];

/// A spelling of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    words: Words,
    /// Nothing, where the slot is free.
    length: u8,
    pub(super) key: Key,
    /// Which one it is, the commonest first.
    pub(super) spelling: u8,
    pub(super) class: Class,
}

/// Who asks for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Common,
    /// Only a full reading, and there is a lot of it.
    Bulk,
    /// Only tools and payloads of ours have this: in the response of a provider it is somebody else's business.
    OfTools,
}

/// Twice as many slots as names, so that most searches look once.
const SLOTS: usize = 512;

/// Every spelling, placed by [`slot`], neighbours taking the next free place.
static NAMES: [Name; SLOTS] = names();

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "evaluated when this is compiled, and no name is long"
)]
const fn names() -> [Name; SLOTS] {
    let free =
        Name { words: [0; 3], length: 0, key: Key::Action, spelling: 0, class: Class::Common };
    let mut names = [free; SLOTS];
    let mut at = 0;
    while at < ALL.len() {
        let key = ALL[at];
        let mut spelling = 0;
        while (spelling as usize) < SPELLINGS[at].len() {
            let name = SPELLINGS[at][spelling as usize].as_bytes();
            let words = words(name);
            let mut free = slot(words);
            while names[free].length > 0 {
                free = (free + 1) % SLOTS;
            }
            names[free] =
                Name { words, length: name.len() as u8, key, spelling, class: key.class() };
            spelling += 1;
        }
        at += 1;
    }
    names
}

/// The words of a name that is no longer than they are.
#[expect(clippy::indexing_slicing, reason = "no longer than the words")]
const fn words(name: &[u8]) -> Words {
    let mut words = [0; 3];
    let mut at = 0;
    while at < name.len() {
        words[at / 8] |= (name[at] as u64) << (at % 8 * 8);
        at += 1;
    }
    words
}

/// Not a hash for hostile input, and it need not be: the table never grows, and a search ends at the first free slot.
/// The factor is one that gives nearly all names a slot of their own.
#[inline]
const fn slot([one, two, three]: Words) -> usize {
    const FACTOR: u64 = 0x9063_81b0_c26b_59f1;
    let mixed = (one ^ two.rotate_left(23) ^ three.rotate_left(46)).wrapping_mul(FACTOR);
    #[expect(clippy::cast_possible_truncation, reason = "less than there are slots")]
    let slot = (mixed >> (u64::BITS - SLOTS.ilog2())) as usize;
    slot
}

impl Key {
    /// How many there are.
    pub const COUNT: usize = SPELLINGS.len();

    /// Who asks for it.
    const fn class(self) -> Class {
        match self {
            Self::GroundingSupports | Self::Parts => Class::Bulk,
            Self::Anchors
            | Self::Answer
            | Self::Args
            | Self::Config
            | Self::Contents
            | Self::Input
            | Self::Instructions
            | Self::Role
            | Self::System
            | Self::SystemInstruction
            | Self::Confidence
            | Self::Context
            | Self::Enabled
            | Self::Format
            | Self::Messages
            | Self::OutputConfig
            | Self::OutputFormat
            | Self::FirstLine
            | Self::LastLine
            | Self::Published
            | Self::Body
            | Self::CallId
            | Self::Error
            | Self::File
            | Self::FullName
            | Self::FunctionResponse
            | Self::HtmlUrl
            | Self::InlineData
            | Self::IsError
            | Self::Limit
            | Self::Lines
            | Self::Link
            | Self::LlmContent
            | Self::NumResults
            | Self::Offset
            | Self::Prompt
            | Self::Request
            | Self::Resource
            | Self::ResponseParts
            | Self::Result
            | Self::ReturnDisplay
            | Self::Status
            | Self::StructuredContent
            | Self::Summary => Class::OfTools,
            _ => Class::Common,
        }
    }

    /// One of its spellings.
    pub fn spelling(self, number: u8) -> &'static str {
        let row = SPELLINGS.get(self as usize).copied().unwrap_or_default();
        row.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// The key a field name spells, if the readers ever ask for it, and the number of the spelling.
    pub fn spelled(name: &[u8]) -> Option<(Self, u8)> {
        Self::of_name(name).map(|name| (name.key, name.spelling))
    }

    /// The key that a field is called by.
    pub(super) fn of_name(name: &[u8]) -> Option<&'static Name> {
        if name.len() > size_of::<Words>() { None } else { Self::of_words(words(name), name.len()) }
    }

    /// The same for a name in words.
    #[inline]
    pub(super) fn of_words(words: Words, length: usize) -> Option<&'static Name> {
        let mut at = slot(words);
        // A free slot ends the search, and half of them are free.
        while let Some(name) = NAMES.get(at).filter(|name| name.length > 0) {
            // Not as arrays: they would be written just to be read again.
            let [[one, two, three], [first, second, third]] = [name.words, words];
            let differing = (one ^ first) | (two ^ second) | (three ^ third);
            if differing == 0 && usize::from(name.length) == length {
                return Some(name);
            }
            at = (at + 1) % SLOTS;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_finds_its_key() {
        for (key, names) in ALL.iter().zip(SPELLINGS) {
            for name in *names {
                assert_eq!(Key::spelled(name.as_bytes()).map(|(key, _)| key), Some(*key), "{name}");
            }
        }
        assert_eq!(Key::spelled(b"renderedContent"), None);
    }

    #[test]
    fn nearly_every_name_has_its_own_slot() {
        let names = SPELLINGS.iter().flat_map(|names| names.iter());
        let apart = |name: &&str| {
            let words = words(name.as_bytes());
            NAMES[slot(words)].words == words
        };
        let (own, shared): (Vec<_>, Vec<_>) = names.copied().partition(apart);
        assert!(own.len() > 2 * shared.len(), "{shared:?}");
        for name in ["type", "url", "uri", "web", "title", "text", "start_index", "delta"] {
            assert!(own.contains(&name), "{name}");
        }
    }
}

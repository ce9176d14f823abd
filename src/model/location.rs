//! Where a provider points. Each variant is one wire shape; numbers are the provider's own.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A place in the answer or in a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Location {
    /// Characters of a plain text document, end exclusive.
    Char {
        /// First character.
        start: u64,
        /// One past the last character.
        end: u64,
        /// Which document of the request.
        document: u64,
    },
    /// Pages of a PDF, counted from 1, end exclusive.
    Page {
        /// First page.
        start: u64,
        /// One past the last page.
        end: u64,
        /// Which document of the request.
        document: u64,
    },
    /// Blocks of a custom content document, counted from 0, end exclusive.
    ContentBlock {
        /// First block.
        start: u64,
        /// One past the last block.
        end: u64,
        /// Which document of the request.
        document: u64,
    },
    /// Blocks of a search result the caller handed in, counted from 0, end exclusive.
    SearchResult {
        /// First block.
        start: u64,
        /// One past the last block.
        end: u64,
        /// Which search result of the request.
        result: u64,
    },
    /// A result of the provider's own web search.
    WebSearchResult {
        /// Must be sent back unchanged when the message is replayed.
        encrypted_index: Option<String>,
    },
    /// A span of the answer that carries the link.
    UrlCitation {
        /// First character.
        start: u64,
        /// One past the last character.
        end: u64,
    },
    /// The place in the answer where a stored file is cited.
    FileCitation {
        /// Character position.
        index: u64,
    },
    /// A span of the answer that names a file made in a code container.
    ContainerFileCitation {
        /// First character.
        start: u64,
        /// One past the last character.
        end: u64,
        /// The container that holds the file.
        container: Option<String>,
    },
    /// A file the model made.
    FilePath {
        /// As sent; its meaning is not documented.
        index: u64,
    },
    /// An entry of Gemini's list of grounding chunks.
    Grounding {
        /// Index in that list, as the supports count it.
        chunk: u64,
        /// Pages of the document that the entry is from, counted from 1, end exclusive, where it says so.
        pages: Option<Range<u64>>,
    },
}

impl Location {
    /// Whether this is a place in a source, and so something to show by itself.
    pub fn is_passage(&self) -> bool {
        matches!(self, Self::SearchResult { .. }) || self.document().is_some()
    }

    /// Which document of the request this is a passage of, for passages of documents.
    pub fn document(&self) -> Option<u64> {
        match *self {
            Self::Char { document, .. }
            | Self::Page { document, .. }
            | Self::ContentBlock { document, .. } => Some(document),
            _ => None,
        }
    }
}

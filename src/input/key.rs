//! Every field name the readers ask for, with every spelling it has on the wire.
//!
//! A closed vocabulary has two uses: the JSON reader skips all other fields without keeping them,
//! and the JavaScript reader keeps one ready-made property key per spelling and environment.

use once_cell::sync::Lazy;

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
    Also "also";
    Annotation "annotation";
    Annotations "annotations";
    Candidates "candidates";
    Citation "citation";
    Citations "citations";
    CitedText "cited_text" | "citedText";
    ContainerId "container_id" | "containerId";
    Content "content";
    ContentBlock "content_block" | "contentBlock";
    CustomMetadata "customMetadata" | "custom_metadata";
    Delta "delta";
    DocumentIndex "document_index" | "documentIndex";
    DocumentName "documentName" | "document_name";
    DocumentTitle "document_title" | "documentTitle";
    Domain "domain";
    EncryptedIndex "encrypted_index" | "encryptedIndex";
    EndBlockIndex "end_block_index" | "endBlockIndex";
    EndCharIndex "end_char_index" | "endCharIndex";
    EndIndex "end_index" | "endIndex";
    EndPageNumber "end_page_number" | "endPageNumber";
    FileId "file_id" | "fileId";
    FileSearchStore "fileSearchStore" | "file_search_store";
    Filename "filename";
    GroundingChunkIndex "groundingChunkIndex" | "grounding_chunk_index";
    GroundingChunks "groundingChunks" | "grounding_chunks";
    GroundingMetadata "groundingMetadata" | "grounding_metadata";
    Image "image";
    ImageUri "imageUri" | "image_uri";
    Index "index";
    Item "item";
    Key "key";
    Location "location";
    Maps "maps";
    Output "output";
    Part "part";
    Provider "provider";
    Response "response";
    RetrievedContext "retrievedContext" | "retrieved_context";
    SearchResultIndex "search_result_index" | "searchResultIndex";
    Segments "segments";
    Snippet "snippet";
    Source "source";
    SourceUri "sourceUri" | "source_uri";
    Sources "sources";
    StartBlockIndex "start_block_index" | "startBlockIndex";
    StartCharIndex "start_char_index" | "startCharIndex";
    StartIndex "start_index" | "startIndex";
    StartPageNumber "start_page_number" | "startPageNumber";
    StringValue "stringValue" | "string_value";
    Text "text";
    Title "title";
    Type "type";
    Uri "uri";
    Url "url";
    UrlCitation "url_citation";
    Web "web";
}

/// How many keys there are.
pub const COUNT: usize = SPELLINGS.len();

/// Twice as many slots as names, so that most searches look once.
const SLOTS: usize = 256;

type Spelling = (&'static [u8], Key);

/// Every spelling with its key, placed by [`slot`], neighbours taking the next free place.
#[expect(
    clippy::non_std_lazy_statics,
    reason = "once_cell is the project's choice for lazy statics"
)]
static TABLE: Lazy<[Option<Spelling>; SLOTS]> = Lazy::new(|| {
    let mut table = [None; SLOTS];
    for (key, names) in ALL.iter().zip(SPELLINGS) {
        for name in *names {
            let free = (slot(name.as_bytes())..SLOTS)
                .chain(0..SLOTS)
                .find(|at| table.get(*at) == Some(&None));
            if let Some(place) = free.and_then(|at| table.get_mut(at)) {
                *place = Some((name.as_bytes(), *key));
            }
        }
    }
    table
});

/// Names differ in their length, their ends and their middle. Not a hash for hostile input, and it
/// need not be: the table never grows, and a search ends at the first free slot.
fn slot(name: &[u8]) -> usize {
    let at = |index: usize| name.get(index).copied().map_or(0, usize::from);
    let mixed =
        name.len() * 7 + at(0) * 31 + at(name.len() / 2) * 13 + at(name.len().wrapping_sub(1)) * 3;
    mixed % SLOTS
}

impl Key {
    /// The key a field name spells, if the readers ever ask for it.
    pub fn named(name: &[u8]) -> Option<Self> {
        let table = &*TABLE;
        let mut at = slot(name);
        // A free slot ends the search, and half of them are free.
        while let Some(&Some((held, key))) = table.get(at) {
            if held == name {
                return Some(key);
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
                assert_eq!(Key::named(name.as_bytes()), Some(*key), "{name}");
            }
        }
        assert_eq!(Key::named(b"renderedContent"), None);
    }
}

//! Whether a quotation really stands in a text.
//!
//! In: a document and quotations said to come from it. Out: where each stands, and whether word for
//! word or but for blanks and typography. Promise: ranges are bytes of the document as it was given
//! and cut no character; each quotation takes time linear in the document.

use memchr::memmem;
use std::ops::Range;

/// Where a quotation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Word for word in these bytes.
    Exact(Range<usize>),
    /// In these bytes, but for blanks, quotation marks, dashes, dots and soft hyphens.
    Normalised(Range<usize>),
    /// Nowhere.
    NotFound,
}

/// A document in which many quotations are looked for.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    /// Made when the first quotation asks for it.
    plain: Option<Plain>,
}

impl<'t> Document<'t> {
    /// A document as it was given.
    pub fn new(text: &'t str) -> Self {
        Self { text, plain: None }
    }

    /// Finds a quotation, the first time it stands there. One that ends in `…` may have been cut: it
    /// is found by what stands before that. A quotation of blanks alone is found nowhere.
    pub fn locate(&mut self, quote: &str) -> Found {
        let quote = quote.trim();
        let cut = quote.strip_suffix('…').map_or(quote, str::trim_end);
        for wanted in [quote, cut] {
            if let Some(start) = exact(self.text, wanted) {
                return Found::Exact(start..start + wanted.len());
            }
        }
        let plain = self.plain.get_or_insert_with(|| Plain::of(self.text));
        [quote, cut]
            .into_iter()
            .find_map(|wanted| plain.find(wanted))
            .map_or(Found::NotFound, Found::Normalised)
    }
}

fn exact(text: &str, wanted: &str) -> Option<usize> {
    if wanted.is_empty() { None } else { memmem::find(text.as_bytes(), wanted.as_bytes()) }
}

/// A text without what typography adds, and the way back.
#[derive(Debug, Default)]
struct Plain {
    text: String,
    /// In the order of the text; each reaches to the next.
    pieces: Vec<Piece>,
}

/// A piece of the plain text and where it comes from.
#[derive(Clone, Copy, Debug)]
struct Piece {
    plain: usize,
    original: usize,
    /// The length of the one character this stands for; none where each byte answers to a byte.
    character: Option<usize>,
}

impl Plain {
    fn of(original: &str) -> Self {
        let mut plain = Self::default();
        // Blanks at the start are none.
        let mut blank = true;
        for (at, character) in original.char_indices() {
            match normal(character) {
                Normal::Text("") => continue,
                Normal::Text(" ") if blank => continue,
                Normal::Same => plain.copy(at, character),
                Normal::Text(" ") if character == ' ' => plain.copy(at, character),
                Normal::Text(text) => plain.replace(at, character, text),
            }
            blank = plain.text.ends_with(' ');
        }
        plain
    }

    fn copy(&mut self, at: usize, character: char) {
        let plain = self.text.len();
        let in_step = self.pieces.last().is_some_and(|last| {
            last.character.is_none() && last.original + (plain - last.plain) == at
        });
        if !in_step {
            self.pieces.push(Piece { plain, original: at, character: None });
        }
        self.text.push(character);
    }

    fn replace(&mut self, at: usize, character: char, text: &str) {
        let plain = self.text.len();
        let length = character.len_utf8();
        self.pieces.push(Piece { plain, original: at, character: Some(length) });
        self.text.push_str(text);
    }

    /// Where in the original a quotation stands.
    fn find(&self, quote: &str) -> Option<Range<usize>> {
        let quote = Self::of(quote).text;
        let quote = quote.trim_end_matches(' ');
        let start = exact(&self.text, quote)?;
        let first = self.original(start)?;
        let last = self.original((start + quote.len()).checked_sub(1)?)?;
        Some(first.start..last.end)
    }

    /// Where a byte of the plain text comes from.
    fn original(&self, at: usize) -> Option<Range<usize>> {
        let next = self.pieces.partition_point(|piece| piece.plain <= at);
        let piece = self.pieces.get(next.checked_sub(1)?)?;
        let byte = piece.original + (at - piece.plain);
        let of_character = |length| piece.original..piece.original + length;
        Some(piece.character.map_or(byte..byte + 1, of_character))
    }
}

/// What typography makes no difference for.
enum Normal {
    Same,
    Text(&'static str),
}

fn normal(character: char) -> Normal {
    match character {
        one if one.is_whitespace() => Normal::Text(" "),
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => Normal::Text(""),
        one if one.is_control() => Normal::Text(""),
        '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | '‹' | '›' => Normal::Text("'"),
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => Normal::Text("\""),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => Normal::Text("-"),
        '…' => Normal::Text("..."),
        _ => Normal::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn locate_quote(quote: &str, document: &str) -> Found {
        Document::new(document).locate(quote)
    }

    fn found(quote: &str, document: &str) -> (&'static str, String) {
        match locate_quote(quote, document) {
            Found::Exact(range) => ("exact", document.get(range).unwrap().to_owned()),
            Found::Normalised(range) => ("normalised", document.get(range).unwrap().to_owned()),
            Found::NotFound => ("none", String::new()),
        }
    }

    #[test]
    fn word_for_word_or_but_for_typography() {
        let cases = [
            ("the cat", "see the cat sit", "exact", "the cat"),
            ("  the cat\n", "see the cat sit", "exact", "the cat"),
            ("the cat…", "see the cat sit", "exact", "the cat"),
            ("the cat…", "see the cat… sit", "exact", "the cat…"),
            ("the cat sat", "the\n  cat\u{a0}\tsat.", "normalised", "the\n  cat\u{a0}\tsat"),
            ("\"it's\" - so", "“it’s” – so", "normalised", "“it’s” – so"),
            ("“it’s” — so", "\"it's\" - so", "normalised", "\"it's\" - so"),
            ("wait... what", "so wait… what", "normalised", "wait… what"),
            ("wait… what", "so wait... what", "normalised", "wait... what"),
            ("example", "an exam\u{ad}ple", "normalised", "exam\u{ad}ple"),
            ("exam\u{ad}ple", "an example", "normalised", "example"),
            ("the  cat s…", "see the cat sit", "normalised", "the cat s"),
            ("a..", "b a… c", "normalised", "a…"),
            ("The cat", "the cat", "none", ""),
            ("the dog", "the cat", "none", ""),
            ("", "the cat", "none", ""),
            (" \n", "the cat", "none", ""),
            ("…", "the cat", "none", ""),
            ("\u{ad}", "the cat", "none", ""),
            ("long quote", "", "none", ""),
        ];
        for (quote, document, verdict, text) in cases {
            assert_eq!(
                found(quote, document),
                (verdict, text.to_owned()),
                "{quote:?} {document:?}"
            );
        }
    }

    #[test]
    fn many_quotes_search_one_document() {
        let mut document = Document::new("One  two “three”.");
        assert_eq!(document.locate("One two"), Found::Normalised(0..8));
        assert_eq!(document.locate("\"three\""), Found::Normalised(9..20));
        assert_eq!(document.locate("two"), Found::Exact(5..8));
    }

    /// Too simple to be wrong: one character after the other.
    fn naive(text: &str) -> String {
        let mut out = String::new();
        for character in text.chars() {
            match normal(character) {
                Normal::Same => out.push(character),
                Normal::Text(text) => out.push_str(text),
            }
        }
        out.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    proptest! {
        /// What is found is the quotation, and what is there is found.
        #[test]
        fn agrees_with_the_naive_search(
            document in "[ab \n\u{a0}\u{ad}…’'“\"é漢.–-]{0,40}",
            quote in "[ab \u{ad}…’'.-]{0,4}",
        ) {
            let cut = quote.trim().strip_suffix('…').unwrap_or(quote.trim());
            let wanted = [naive(&quote), naive(cut)];
            match locate_quote(&quote, &document) {
                Found::Exact(range) => {
                    let text = document.get(range).unwrap();
                    prop_assert!(text == quote.trim() || text == cut.trim_end());
                }
                Found::Normalised(range) => {
                    let text = naive(document.get(range).unwrap());
                    // A quotation may start or end within the three dots of one character.
                    prop_assert!(wanted.iter().any(|one| text.contains(one) && text.len() <= one.len() + 4));
                }
                Found::NotFound => {
                    let document = naive(&document);
                    for one in wanted.iter().filter(|one| !one.is_empty()) {
                        prop_assert!(!document.contains(one.as_str()), "{one:?}");
                    }
                }
            }
        }

        #[test]
        fn a_piece_is_found(document in "[ab \n\u{ad}…’“é漢😀.–]{1,40}", from in 0usize..40, to in 0usize..40) {
            let pieces: Vec<_> = document.chars().collect();
            let (from, to) = (from.min(pieces.len()), to.min(pieces.len()));
            let quote: String = pieces.get(from.min(to)..from.max(to)).unwrap().iter().collect();
            let is_found = locate_quote(&quote, &document) != Found::NotFound;
            prop_assert!(is_found || quote.trim().trim_end_matches('…').trim().is_empty());
        }
    }
}

//! Where the next byte stands that matters: quotes, backslashes, brackets, the end of a word.
//!
//! Most strings and gaps of a payload are a few bytes long, so what looks for them must be part of the loop around it. Of
//! the searchers of `memchr` that holds for those every processor of a kind has; wider ones are called.

use crate::input::key::Words;
#[cfg(target_arch = "aarch64")]
use memchr::arch::aarch64::neon::memchr::Two;
#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr::Two;
use memchr::memchr2;

const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// The eight bytes that stand there, the first one lowest.
#[inline]
pub(super) fn word(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Where the first quote or backslash stands.
#[inline]
fn find_quote(text: &[u8]) -> Option<usize> {
    #[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
    if let Some(near) = Two::new(b'"', b'\\') {
        return near.find(text);
    }
    memchr2(b'"', b'\\', text)
}

/// Where the first quote or bracket stands. What stands between them is short.
#[inline]
pub(super) fn find_structure(text: &[u8]) -> Option<usize> {
    let (words, rest) = text.as_chunks();
    let is_structure = |byte: &u8| matches!(byte, b'"' | b'[' | b']' | b'{' | b'}');
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // Square brackets differ from curly ones in this bit only.
        let curly = word | (LOW * 0x20);
        let marks = marks_of(word, b'"') | marks_of(curly, b'{') | marks_of(curly, b'}');
        if marks != 0 {
            return Some(index * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(is_structure).map(|at| words.len() * 8 + at)
}

/// What stands before the next string, as far as eight bytes show.
pub(super) struct Gap {
    /// How many brackets open there.
    pub(super) opening: u64,
    /// How many close.
    pub(super) closing: u64,
    pub(super) length: usize,
    /// Whether the string is seen.
    pub(super) is_whole: bool,
}

/// The gap that begins here, unless the text ends with it.
#[inline]
pub(super) fn gap(text: &[u8], at: usize) -> Option<Gap> {
    let word = word(text, at)?;
    let quotes = all_marks_of(word, b'"');
    let before = (quotes & quotes.wrapping_neg()).wrapping_sub(1);
    let curly = word | (LOW * 0x20);
    let count = |byte| ((all_marks_of(curly, byte) & before) >> 7).wrapping_mul(LOW) >> 56;
    let length = quotes.trailing_zeros() as usize / 8;
    Some(Gap { opening: count(b'{'), closing: count(b'}'), length, is_whole: quotes != 0 })
}

/// The high bit of every byte that is this one.
#[inline]
fn all_marks_of(word: u64, byte: u8) -> u64 {
    let other = (word & !HIGH) ^ (LOW * u64::from(byte));
    !(other.wrapping_add(!HIGH) | word) & HIGH
}

/// What stands before the closing quote of a short string that starts here, and how long it is.
#[inline]
pub(super) fn quoted_words(text: &[u8]) -> Option<(Words, usize)> {
    let (words, _) = text.first_chunk::<24>()?.as_chunks();
    let &[one, two, three] = words else { return None };
    let [one, two, three] = [one, two, three].map(u64::from_le_bytes);
    let (words, length) = if let Some((one, length)) = before_quote(one) {
        ([one, 0, 0], length)
    } else if let Some((two, length)) = before_quote(two) {
        ([one, two, 0], 8 + length)
    } else {
        let (three, length) = before_quote(three)?;
        ([one, two, three], 16 + length)
    };
    // An escape is no end.
    (text.get(length) == Some(&b'"')).then_some((words, length))
}

/// The high bit of every byte that is this one, and of none below the first.
#[inline]
fn marks_of(word: u64, byte: u8) -> u64 {
    let other = word ^ (LOW * u64::from(byte));
    other.wrapping_sub(LOW) & !other & HIGH
}

/// The bytes before the first quote or backslash, and how many there are.
#[inline]
fn before_quote(word: u64) -> Option<(u64, usize)> {
    let marks = marks_of(word, b'"') | marks_of(word, b'\\');
    // The lowest mark is the highest bit of its byte.
    let below = ((marks & marks.wrapping_neg()) >> 7).wrapping_sub(1);
    (marks != 0).then_some((word & below, marks.trailing_zeros() as usize / 8))
}

/// How far it is to the closing quote of a string that starts here, and whether there are escapes
/// on the way. The latter alone when there is no closing quote.
#[expect(
    clippy::inline_always,
    reason = "most strings are short, and a call takes longer than they do"
)]
#[inline(always)]
pub(in crate::input) fn string_length(text: &[u8]) -> Result<(usize, bool), bool> {
    match find_quote(text) {
        Some(at) if text.get(at) == Some(&b'"') => Ok((at, false)),
        Some(at) => escaped_length(text, at + 2),
        None => Err(false),
    }
}

/// The same from behind the first escape on.
#[inline(never)]
fn escaped_length(text: &[u8], from: usize) -> Result<(usize, bool), bool> {
    let mut at = from;
    while let Some(found) = text.get(at..).and_then(find_quote) {
        at += found;
        if text.get(at) == Some(&b'"') {
            return Ok((at, true));
        }
        at += 2;
    }
    Err(true)
}

/// How long the number or the word is that starts here.
#[inline]
pub(in crate::input) fn word_length(text: &[u8]) -> usize {
    let digits = digits(text);
    match text.get(digits) {
        Some(byte) if ends_word(*byte) => digits,
        _ => text.iter().position(|byte| ends_word(*byte)).unwrap_or(text.len()),
    }
}

/// Whether this stands behind a word: what is between values, or the start of the next one where something is missing.
#[inline]
fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t' | b'"' | b'[' | b'{')
}

/// The high bit of every byte that is no digit.
#[inline]
fn others_than_digits(word: u64) -> u64 {
    let values = word ^ (LOW * u64::from(b'0'));
    (values.wrapping_add(LOW * 0x76) | values) & HIGH
}

/// How many digits the text begins with, as far as eight bytes show, and none at its end.
#[inline]
fn digits(text: &[u8]) -> usize {
    word(text, 0).map_or(0, |word| others_than_digits(word).trailing_zeros() as usize / 8)
}

/// Whether a list or object goes on with a whole number of just this length, which is short. At the end of the text none
/// is seen.
#[inline]
pub(in crate::input) fn is_whole_number(text: &[u8], length: usize) -> bool {
    let Some(word) = word(text, 0).filter(|_| (1..8).contains(&length)) else { return false };
    let others = others_than_digits(word) << (u64::BITS as usize - 8 * length);
    others == 0 && matches!(text.get(length), Some(b',' | b'}' | b']'))
}

/// How many bytes there are before the first that is a quote, a backslash, a control character (which JSON must escape) or
/// not ASCII. At the end of the text, not all of them need be counted.
#[inline]
pub(in crate::input) fn plain_length(text: &[u8]) -> usize {
    let words = text.as_chunks().0;
    for (index, word) in words.iter().enumerate() {
        let found = others_than_plain(u64::from_le_bytes(*word));
        if found != 0 {
            return index * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    words.len() * 8
}

/// The high bit of the first byte of that kind, of none below it, and of some above.
#[inline]
fn others_than_plain(word: u64) -> u64 {
    // This bit turned, quote and blank change places: one comparison finds control characters and quotes.
    let turned = word ^ (LOW * 0x02);
    let low = turned.wrapping_sub(LOW * 0x21) & !turned;
    let escape = word ^ (LOW * u64::from(b'\\'));
    (low | (escape.wrapping_sub(LOW) & !escape) | word) & HIGH
}

#[cfg(test)]
mod tests {
    use super::{Gap, find_quote, find_structure, gap, plain_length, word_length};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn brackets_are_counted_up_to_the_next_string(text in r#"[\[\]{}"z|:,#1\\é]{0,12}"#) {
            let eight = text.as_bytes().get(..8);
            let naive = eight.map(|eight| {
                let quote = eight.iter().position(|byte| *byte == b'"');
                let length = quote.unwrap_or(8);
                let before = || eight[..length].iter();
                let count = |kind: &[u8]| before().filter(|byte| kind.contains(byte)).count() as u64;
                (count(b"[{"), count(b"]}"), length, quote.is_some())
            });
            let seen = |gap: Gap| (gap.opening, gap.closing, gap.length, gap.is_whole);
            prop_assert_eq!(gap(text.as_bytes(), 0).map(seen), naive);
        }
    }

    #[test]
    fn plain_bytes_end_at_the_first_that_is_none() {
        for odd in
            (0..=u8::MAX).filter(|byte| !matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=0x7f))
        {
            for at in 0..24 {
                let mut text = [b'a'; 32];
                text[at] = odd;
                assert_eq!(plain_length(&text), at, "{odd} at {at}");
            }
        }
        let plain: Vec<_> = (b' '..=0x7f).filter(|byte| !matches!(byte, b'"' | b'\\')).collect();
        assert!(plain_length(&plain) + 8 > plain.len());
    }

    #[test]
    fn a_word_is_as_long_as_it_is() {
        for other in 0..=u8::MAX {
            for at in 0..12 {
                let mut text = *b"1234567890123,5678901234567890";
                text[at] = other;
                let ends = |byte: &u8| b",]} \n\r\t\"[{".contains(byte);
                for text in [&text[..], &text[..14], &text[..13], &text[..at], &text[at..]] {
                    let naive = text.iter().position(ends).unwrap_or(text.len());
                    assert_eq!(word_length(text), naive, "{other} at {at}");
                }
            }
        }
    }

    #[test]
    fn finds_the_first_wherever_it_stands() {
        for length in 0..300 {
            for at in 0..length {
                let mut text = vec![b'a'; length];
                text[at] = b'"';
                text[length - 1] = b'\\';
                let naive = text.iter().position(|byte| matches!(byte, b'"' | b'\\'));
                assert_eq!(find_quote(&text), naive, "{at} of {length}");
            }
        }
    }

    #[test]
    fn finds_brackets_and_quotes_and_nothing_else() {
        for length in 1..30 {
            for (at, other) in
                (0..length).flat_map(|at| (0..=u8::MAX).map(move |other| (at, other)))
            {
                let mut text = vec![b'a'; length];
                text[at] = other;
                let naive = b"\"[]{}".contains(&other).then_some(at);
                assert_eq!(find_structure(&text), naive, "{other} at {at} of {length}");
            }
        }
    }
}

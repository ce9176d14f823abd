//! A paragraph as far as it has come.

use super::grammar::opens;
use super::scan::{WINDOW, Window};

/// A paragraph as far as it is known.
#[derive(Clone, Copy)]
pub(super) struct Page<'t> {
    pub(super) window: Window<'t>,
    /// Where the known part ends, and whether the paragraph ends there.
    pub(super) limit: usize,
    pub(super) complete: bool,
    pub(super) known: Option<usize>,
}

impl<'t> Page<'t> {
    /// Text from `at`, as far as a construct that starts there may reach, and whether that is all.
    pub(super) fn ahead(&self, at: usize, reach: usize) -> (&'t str, bool) {
        let text = self.window.slice(at, self.limit.min(at + reach));
        (text, self.complete && self.limit < at + reach)
    }

    /// Whether a construct that starts at `at` has had its 4 kB.
    pub(super) fn is_past(&self, at: usize) -> bool {
        self.limit >= at + WINDOW
    }

    /// The byte at `at`; inside, none at the end of the paragraph.
    #[expect(clippy::option_option, reason = "outside: not known yet; inside: the end")]
    pub(super) fn byte(&self, at: usize) -> Option<Option<u8>> {
        match self.window.slice(at, self.limit).bytes().next() {
            None if !self.complete => None,
            byte => Some(byte),
        }
    }
}

/// The end of the next run of exactly `length` backticks; or from where to look on.
pub(super) fn closing_run(
    page: &Page<'_>,
    from: usize,
    to: usize,
    length: usize,
) -> Result<usize, usize> {
    let text = page.window.slice(from, to);
    let ended = page.complete && to == page.limit;
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'`', text.as_bytes().get(at..).unwrap_or_default()) {
        let start = at + offset;
        let rest = text.bytes().skip(start);
        at = start + rest.take_while(|byte| *byte == b'`').count();
        if at == text.len() && !ended {
            // It may go on. Of a run that is too long already, no more is looked at again than shows that.
            return Err(from + start.max(at.saturating_sub(length + 1)));
        }
        if at - start == length {
            return Ok(from + at);
        }
    }
    Err((from + text.len()).max(from))
}

/// The next character that may mean anything to the text of a paragraph.
pub(super) fn next_token(text: &str) -> Option<usize> {
    find::<false>(text)
}

/// Whether this neither ends a line nor holds anything that may mean something.
pub(super) fn is_plain(text: &str) -> bool {
    find::<true>(text).is_none()
}

/// How many bytes are looked at together.
const LANE: usize = 32;

/// The next character that means anything, ends of lines among them if asked for.
fn find<const LINES: bool>(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk() else {
        let marks = if LINES { &MARKS_AND_ENDS } else { &MARKS };
        let may_mean = |byte: &u8| marks.get(usize::from(*byte)).is_some_and(|mark| *mark != 0);
        return (0..).zip(bytes).position(|(at, byte)| may_mean(byte) && means(text, at));
    };
    let (lanes, rest) = bytes.as_chunks();
    for (lane, start) in lanes.iter().zip((0..).step_by(LANE)) {
        if let found @ Some(_) = find_in::<LINES>(text, start, lane) {
            return found;
        }
    }
    // What it has in common with the lane before it was looked at, and means nothing.
    if rest.is_empty() { None } else { find_in::<LINES>(text, bytes.len() - LANE, last) }
}

/// The same in the lane that starts at `start`.
#[inline]
fn find_in<const LINES: bool>(text: &str, start: usize, lane: &[u8; LANE]) -> Option<usize> {
    let mut marks = [0; LANE];
    for (mark, byte) in marks.iter_mut().zip(lane) {
        *mark = may_mean::<LINES>(*byte);
    }
    let (words, _) = marks.as_chunks::<8>();
    // Most of a text means nothing.
    let any = words.iter().fold(0, |any, word| any | u64::from_le_bytes(*word));
    if any == 0 { None } else { first_of(text, start, words) }
}

/// The first character that does mean something, of those in a lane that may. The lane starts at `start`. Most lanes have
/// none, so it is not made part of the loop over them.
#[inline(never)]
fn first_of(text: &str, start: usize, marks: &[[u8; 8]]) -> Option<usize> {
    for (index, word) in marks.iter().enumerate() {
        let mut word = u64::from_le_bytes(*word);
        while word != 0 {
            let at = start + index * 8 + word.trailing_zeros() as usize / 8;
            if means(text, at) {
                return Some(at);
            }
            word &= word - 1;
        }
    }
    None
}

/// Whether a character of which the first byte may mean something does.
fn means(text: &str, at: usize) -> bool {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    match rest {
        // Dashes and quotation marks, which are everywhere, and commas of East Asia.
        [0xe2, 0x80, ..] | [0xe3, 0x81..=0xff, ..] => false,
        [0..0x80, ..] => true,
        _ => text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(opens),
    }
}

/// 1 for a byte that means something in ASCII, and for one that starts a character which may. It becomes
/// vector code, without branches.
const fn may_mean<const LINES: bool>(byte: u8) -> u8 {
    let ascii = byte == b'`' || byte == b'<' || byte.wrapping_sub(b'[') < 3;
    let wide = byte & 0xfe == 0xe2 || byte & 0xfe == 0xee || byte == 0xc2;
    let ends = LINES && (byte == b'\n' || byte == b'\r');
    (ascii || wide || ends) as u8
}

/// The same for every byte: what is shorter than a lane is looked up.
static MARKS: [u8; 256] = every_byte::<false>();
static MARKS_AND_ENDS: [u8; 256] = every_byte::<true>();

#[expect(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "evaluated when this is compiled, for 256 bytes"
)]
const fn every_byte<const LINES: bool>() -> [u8; 256] {
    let mut marks = [0; 256];
    let mut byte = 0;
    while byte < marks.len() {
        marks[byte] = may_mean::<LINES>(byte as u8);
        byte += 1;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::{is_plain, next_token};
    use crate::anchor::marker::grammar::opens;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_one_character_after_the_other_finds(text in "[a-z`<\\[\\\\\\]é²⁴—“漢【［\u{e200}😀\r\n]{0,100}", plain in "[a-z—“é漢 ]{0,100}") {
            let text = format!("{plain}{text}");
            let means = |one: char| "`<[\\]".contains(one) || opens(one);
            let expected = text.char_indices().find(|(_, one)| means(*one)).map(|(at, _)| at);
            prop_assert_eq!(next_token(&text), expected);
            prop_assert_eq!(is_plain(&text), expected.is_none() && !text.contains(['\n', '\r']));
        }
    }
}

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
            return Err(from + start);
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

/// The next character that may mean anything, ends of lines among them if asked for.
fn find<const LINES: bool>(text: &str) -> Option<usize> {
    let (lanes, rest) = text.as_bytes().as_chunks::<LANE>();
    for (index, lane) in lanes.iter().enumerate() {
        // Most of a text means nothing.
        if lane.iter().fold(0, |any, byte| any | may_mean::<LINES>(*byte)) != 0
            && let Some(at) = first_in::<LINES>(text, index * LANE, lane)
        {
            return Some(at);
        }
    }
    let mut last = [0; LANE];
    last.get_mut(..rest.len())?.copy_from_slice(rest);
    first_in::<LINES>(text, lanes.len() * LANE, &last)
}

/// The same within the lane of `text` that starts at `start`.
fn first_in<const LINES: bool>(text: &str, start: usize, lane: &[u8; LANE]) -> Option<usize> {
    let mut marks = [0; LANE];
    for (mark, byte) in marks.iter_mut().zip(lane) {
        *mark = may_mean::<LINES>(*byte);
    }
    for (index, word) in marks.as_chunks::<8>().0.iter().enumerate() {
        let mut word = u64::from_le_bytes(*word);
        while word != 0 {
            let at = start + index * 8 + word.trailing_zeros() as usize / 8;
            let first = text.get(at..).and_then(|rest| rest.chars().next());
            if first.is_some_and(|first| first.is_ascii() || opens(first)) {
                return Some(at);
            }
            word &= word - 1;
        }
    }
    None
}

/// 1 for a byte that means something in ASCII, and for one that starts a character which may. No
/// branches: so it becomes vector code.
fn may_mean<const LINES: bool>(byte: u8) -> u8 {
    let ascii =
        u8::from(byte == b'`') | u8::from(byte == b'<') | u8::from(byte.wrapping_sub(b'[') < 3);
    let wide =
        u8::from(byte & 0xfe == 0xe2) | u8::from(byte & 0xfe == 0xee) | u8::from(byte == 0xc2);
    let ends = u8::from(byte == b'\n') | u8::from(byte == b'\r');
    ascii | wide | if LINES { ends } else { 0 }
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

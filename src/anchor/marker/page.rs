//! A paragraph as far as it has come.

use super::grammar;
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

/// The characters of a text that mean something to a paragraph, one after the other; with `LINES`, ends of lines among
/// them.
pub(super) struct Tokens<'t, const LINES: bool> {
    text: &'t str,
    /// Where the lane starts that was looked at last, and which of its bytes, not passed yet, may mean something: a bit
    /// for each.
    lane: usize,
    marks: u32,
}

/// How many bytes are looked at together.
const LANE: usize = 32;

impl<'t, const LINES: bool> Tokens<'t, LINES> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, lane: text.len(), marks: 0 }
    }

    /// Where the next one starts, from `from` on, which never goes back.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        let passed = from.wrapping_sub(self.lane);
        if passed < LANE {
            self.marks = self.marks >> passed << passed;
        } else {
            (self.lane, self.marks) = (from, self.marks_at(from)?);
        }
        loop {
            while self.marks != 0 {
                let at = self.lane + self.marks.trailing_zeros() as usize;
                if means(self.text, at) {
                    return Some(at);
                }
                self.marks &= self.marks - 1;
            }
            let next = self.lane + LANE;
            (self.lane, self.marks) = (next, self.marks_at(next)?);
        }
    }

    /// The bytes that may mean something in the lane that starts at `at`. `None` behind the last one.
    #[inline]
    fn marks_at(&self, at: usize) -> Option<u32> {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(at..)?;
        Some(match rest.first_chunk() {
            Some(lane) => marks::<LINES>(lane),
            None => last_marks::<LINES>(bytes, rest),
        })
    }
}

/// The same for the last lane, of which there is only this much; what comes before it fills it up.
#[inline(never)]
fn last_marks<const LINES: bool>(bytes: &[u8], rest: &[u8]) -> u32 {
    if rest.is_empty() {
        return 0;
    }
    if let Some(lane) = bytes.last_chunk() {
        return marks::<LINES>(lane) >> (LANE - rest.len());
    }
    let mut lane = [0; LANE];
    lane.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    marks::<LINES>(&lane)
}

/// Which bytes of a lane may mean something.
#[inline]
fn marks<const LINES: bool>(lane: &[u8; LANE]) -> u32 {
    let mut marks = [0; LANE];
    for (mark, byte) in marks.iter_mut().zip(lane) {
        *mark = may_mean::<LINES>(*byte);
    }
    let (words, _) = marks.as_chunks();
    // Most of a text means nothing.
    if words.iter().fold(0, |any, word| any | u64::from_le_bytes(*word)) == 0 {
        return 0;
    }
    // The lowest bits of the eight bytes of a word, side by side in its highest byte.
    let gathered = |word: u64| word.wrapping_mul(0x0102_0408_1020_4080).to_le_bytes()[7];
    let bytes =
        [0, 1, 2, 3].map(|at| words.get(at).map_or(0, |word| gathered(u64::from_le_bytes(*word))));
    u32::from_le_bytes(bytes)
}

/// Whether a character of which the first byte may mean something does.
#[inline]
fn means(text: &str, at: usize) -> bool {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    match rest {
        // Dashes and quotation marks, which are everywhere, and the texts of East Asia.
        [b'^' | b'_' | 0xe4..=0xed, ..] | [0xe2, 0x80, ..] | [0xe3, 0x81..=0xff, ..] => false,
        [0..0x80, ..] => true,
        _ => text.get(at..).is_some_and(grammar::may_start),
    }
}

/// 1 for a byte that means something in ASCII, and for one that starts a character which may. It is 1 for a few more, for the
/// exact question takes more instructions. It becomes vector code, without branches.
const fn may_mean<const LINES: bool>(byte: u8) -> u8 {
    // From `[` to the backtick there are `^` and `_`, too.
    let ascii = (byte == b'<') as u8 | (byte.wrapping_sub(b'[') < 6) as u8;
    // 0xe2, 0xe3, 0xee, 0xef; the others are Chinese and Korean.
    let wide = (byte & 0xf2 == 0xe2) as u8 | (byte == 0xc2) as u8;
    let ends = (byte == b'\n') as u8 | (byte == b'\r') as u8;
    ascii | wide | if LINES { ends } else { 0 }
}

/// Whether this neither ends a line nor holds anything that means something.
pub(super) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let may_mean = |byte: &u8| MARKS.get(usize::from(*byte)).is_some_and(|mark| *mark);
    // To fill a lane with a short text takes longer than to look its bytes up.
    let is_short = bytes.len() < LANE;
    (is_short && !bytes.iter().any(may_mean)) || Tokens::<true>::of(text).next(0).is_none()
}

/// Which bytes may mean something, just those.
static MARKS: [bool; 256] = every_byte();

#[expect(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "evaluated when this is compiled, for 256 bytes"
)]
const fn every_byte() -> [bool; 256] {
    let mut marks = [false; 256];
    let mut byte = 0;
    while byte < marks.len() {
        let never = matches!(byte as u8, b'^' | b'_' | 0xe4..=0xed);
        marks[byte] = !never && may_mean::<true>(byte as u8) != 0;
        byte += 1;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::{Tokens, is_plain};
    use crate::anchor::marker::grammar::opens;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_one_character_after_the_other_finds(text in "[a-z`<\\[\\\\\\]^_é²⁴—“漢世한【［\u{e200}😀\r\n]{0,100}", plain in "[a-z—“é漢 ]{0,100}") {
            let text = format!("{plain}{text}");
            let means = |one: char| "`<[\\]".contains(one) || opens(one);
            let expected = text.char_indices().filter(|(_, one)| means(*one)).map(|(at, _)| at);
            let mut tokens = Tokens::<false>::of(&text);
            let mut from = 0;
            for expected in expected {
                prop_assert_eq!(tokens.next(from), Some(expected));
                prop_assert_eq!(tokens.next(from), Some(expected), "asked again");
                prop_assert_eq!(Tokens::<false>::of(&text).next(expected), Some(expected));
                from = expected + 1;
            }
            prop_assert_eq!(tokens.next(from), None);
            prop_assert_eq!(tokens.next(text.len()), None);
        }

        #[test]
        fn plain_is_what_neither_means_anything_nor_ends_a_line(text in "[a-z—“é漢世 ]{0,50}[a-z`\\[_\r\n]?[a-z]{0,40}") {
            let plain = !text.contains(['`', '[', '\r', '\n']);
            prop_assert_eq!(is_plain(&text), plain);
        }
    }
}

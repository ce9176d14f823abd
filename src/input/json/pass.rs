//! Past what nobody asks for.
//!
//! In: a text and a place in it. Out: the place behind what starts there. Promise: never further than one behind the
//! end of the text, which is where a string ends that has no closing quote; and past no bracket that is not counted, so
//! that of damaged text all agree where it ends.

use super::search::{find_structure, gap, string_length, word, word_length};

/// Whether this stands between values and says nothing.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Behind the blanks that start here, if there are any.
pub(super) fn behind_blanks(text: &[u8], from: usize) -> usize {
    const BLANKS: u64 = u64::from_ne_bytes([b' '; 8]);
    let mut at = from;
    while text.get(at).copied().is_some_and(is_blank) {
        at += 1;
        // Lines of a document for human eyes begin with many.
        while word(text, at) == Some(BLANKS) {
            at += 8;
        }
    }
    at
}

/// Behind the string that starts here, and whether there are escapes in it.
#[expect(
    clippy::inline_always,
    reason = "most strings are short, and a call takes longer than they do"
)]
#[inline(always)]
pub(super) fn behind_string(text: &[u8], at: usize) -> (usize, bool) {
    let length = match text.get(at + 1..) {
        Some(inside) => string_length(inside),
        None => Err(false),
    };
    match length {
        Ok((length, escaped)) => (at + length + 2, escaped),
        // Without its closing quote the rest of the text is the string.
        Err(escaped) => (text.len() + 1, escaped),
    }
}

/// Behind a number or a literal.
#[inline]
pub(super) fn behind_word(text: &[u8], at: usize) -> usize {
    // A stray comma must not stand still.
    at + text.get(at..).map_or(1, word_length).max(1)
}

/// Behind the value that starts here, or behind blanks. A closing bracket is no value.
pub(in crate::input) fn skip_value(text: &[u8], at: usize) -> usize {
    let at = behind_blanks(text, at);
    match text.get(at) {
        Some(b'"') => behind_string(text, at).0,
        Some(b'{' | b'[') => behind_nested(text, at),
        Some(b'}' | b']') | None => at,
        Some(_) => behind_word(text, at),
    }
}

/// Whichever kind a bracket is of, it closes what was opened last: the same text as a stream is cut there.
fn behind_nested(text: &[u8], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0_u64);
    loop {
        // In whichever order these brackets come, none of them closes the last that is open.
        if let Some(gap) = gap(text, at).filter(|gap| gap.closing < depth) {
            depth = depth + gap.opening - gap.closing;
            at += gap.length;
            if gap.is_whole {
                at = behind_string(text, at).0;
            }
            continue;
        }
        let Some(found) = text.get(at..).and_then(find_structure) else { return text.len() };
        at += found;
        match text.get(at) {
            Some(b'"') => {
                at = behind_string(text, at).0;
                continue;
            }
            Some(b'{' | b'[') => depth += 1,
            _ => depth -= 1,
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
}

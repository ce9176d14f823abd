//! What stands around the text of an event.
//!
//! In: the bytes of an event, and where its text is. Out: of other events, what is behind the same bytes, whatever the
//! values say that no reader asks for. Promise: it looks no further than the line goes on.

use crate::input::json::{passed_over, skip_value, string_length, word_length};
use memchr::memchr2;
use std::cell::Cell;
use std::ops::Range;

/// Bytes around a text, and where among them stand values that no reader asks for.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    bytes: Vec<u8>,
    free: Vec<Range<usize>>,
    /// Which of these was the only one that differed last: mostly it is so again.
    counting: Cell<usize>,
}

/// What stands around a text that was read from an event.
pub(super) fn frames(event: &[u8], text: &str) -> Option<(Frame, Frame)> {
    if !event.starts_with(b"{") {
        return None;
    }
    let start = text.as_ptr().addr().checked_sub(event.as_ptr().addr())?;
    let end = start + text.len();
    let mut before = passed_over(event);
    let behind = before.split_off(before.partition_point(|free| free.start <= start));
    let from_text = |free: Range<usize>| Some(free.start.checked_sub(end)?..free.end - end);
    let behind = behind.into_iter().map(from_text).collect::<Option<Vec<_>>>()?;
    let head = event.get(..start).filter(|head| head.ends_with(b"\""))?;
    let tail = event.get(end..).filter(|tail| tail.starts_with(b"\""))?;
    let counting = Cell::new(usize::MAX);
    let head = Frame { bytes: head.to_vec(), free: before, counting: counting.clone() };
    Some((head, Frame { bytes: tail.to_vec(), free: behind, counting }))
}

impl Frame {
    /// What is behind bytes like these.
    #[inline]
    pub(super) fn strip<'e>(&self, text: &'e [u8]) -> Option<&'e [u8]> {
        let same = text.strip_prefix(self.bytes.as_slice());
        same.or_else(|| self.strip_counting(text)).or_else(|| self.strip_other(text))
    }

    /// The same where one value is another, the one that was another before.
    fn strip_counting<'e>(&self, text: &'e [u8]) -> Option<&'e [u8]> {
        let free = self.free.get(self.counting.get())?;
        let rest = text.strip_prefix(self.bytes.get(..free.start)?)?;
        behind_value(rest)?.strip_prefix(self.bytes.get(free.end..)?)
    }

    /// The same where some values nobody asks for are others. Most are the same again in most events, so only those
    /// that are not are looked at.
    fn strip_other<'e>(&self, text: &'e [u8]) -> Option<&'e [u8]> {
        let (mut bytes, mut rest, mut from) = (self.bytes.as_slice(), text, 0);
        let (mut free, mut differing) = (self.free.iter().enumerate(), 0);
        loop {
            let same = alike(bytes, rest);
            if same == bytes.len() {
                return rest.get(same..);
            }
            let (index, other) = free.find(|(_, free)| free.end >= from + same)?;
            if other.start > from + same {
                return None;
            }
            differing += 1;
            self.counting.set(if differing == 1 { index } else { usize::MAX });
            rest = behind_value(rest.get(other.start - from..)?)?;
            bytes = self.bytes.get(other.end..)?;
            from = other.end;
        }
    }
}

/// What is behind the value at the start of `text`, if no line ends in it.
fn behind_value(text: &[u8]) -> Option<&[u8]> {
    let length = match text {
        [b'"', string @ ..] => {
            let (length, _) = string_length(string).ok()?;
            (!ends_line(string.get(..length)?)).then_some(length + 2)?
        }
        // All of its brackets must be on this line: what has none would be looked for to the end of the stream.
        [b'{' | b'[', ..] => {
            let end = memchr2(b'\n', b'\r', text).unwrap_or(text.len());
            skip_value(text.get(..end)?, 0)
        }
        [b'-' | b'0'..=b'9' | b'a'..=b'z', ..] => word_length(text),
        _ => return None,
    };
    text.get(length..)
}

/// How many bytes two texts have in common at their start.
fn alike(one: &[u8], other: &[u8]) -> usize {
    let length = one.len().min(other.len());
    let (Some(one), Some(other)) = (one.get(..length), other.get(..length)) else { return 0 };
    let differing = |one: &[u8; 8], other: &[u8; 8]| {
        let bits = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        (bits != 0).then_some((bits.trailing_zeros() / 8) as usize)
    };
    let words = one.as_chunks().0.iter().zip(other.as_chunks().0);
    for (index, (one, other)) in words.enumerate() {
        if let Some(at) = differing(one, other) {
            return index * 8 + at;
        }
    }
    // The last word overlaps the one before it, in which nothing differs.
    match (one.last_chunk(), other.last_chunk()) {
        (Some(one), Some(other)) => differing(one, other).map_or(length, |at| length - 8 + at),
        _ => one.iter().zip(other).take_while(|(byte, other)| byte == other).count(),
    }
}

/// Whether a line ends in here.
pub(super) fn ends_line(text: &[u8]) -> bool {
    text.iter().fold(false, |ends, byte| ends | matches!(byte, b'\n' | b'\r'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn likeness_is_counted_byte_by_byte(one in "[ab]{0,30}", other in "[ab]{0,3}", same in 0..30_usize) {
            let other = one.get(..same).unwrap_or(&one).to_owned() + &other;
            let naive = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            prop_assert_eq!(super::alike(one.as_bytes(), other.as_bytes()), naive);
        }
    }
}

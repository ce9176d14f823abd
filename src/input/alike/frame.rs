//! What stands around the text of an event.
//!
//! In: the bytes of an event, and where its text is. Out: of other events, what is behind the same bytes, whatever the
//! values say that no reader asks for. Promise: it looks no further than the line goes on.

use crate::input::json::{
    is_whole_number, passed_over, plain_length, skip_value, string_length, word_length,
};
use memchr::memchr2;
use std::ops::Range;

/// Bytes around a text, and where among them stand values that no reader asks for.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    bytes: Vec<u8>,
    free: Vec<Range<usize>>,
    /// The strings and words that these are, or that they hold.
    leaves: Vec<Range<usize>>,
    /// Which of these were others last: mostly they are so again.
    moving: Vec<Moving>,
    /// How often others were found to be.
    changes: usize,
}

/// A value that was another last.
#[derive(Clone, Debug)]
struct Moving {
    place: Range<usize>,
    /// How long it was when it was last read in full, which is of use if it was a number.
    length: usize,
    /// Whether it is a whole value, and no leaf of one.
    whole: bool,
}

impl Moving {
    /// What is behind such a value at the start of `text`.
    #[inline]
    fn strip<'e>(&mut self, text: &'e [u8]) -> Option<&'e [u8]> {
        // Nearly all are of one of these two kinds, and to call anybody takes as long as they do.
        if let [b'"', string @ ..] = text {
            if let Some([b'"', behind @ ..]) = string.get(plain_length(string)..) {
                return Some(behind);
            }
        } else if is_whole_number(text, self.length) {
            // What counts something is mostly as long as before: the processor need not wait for where it ends.
            return text.get(self.length..);
        }
        self.strip_other(text)
    }

    /// The same for any other value, and for a number of another length; apart, so that the way of most stays short.
    #[inline(never)]
    fn strip_other<'e>(&mut self, text: &'e [u8]) -> Option<&'e [u8]> {
        let behind = if self.whole { behind_value(text)? } else { behind_leaf(text)? };
        self.length = text.len() - behind.len();
        Some(behind)
    }
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
    Some((Frame::new(head, before), Frame::new(tail, behind)))
}

impl Frame {
    fn new(bytes: &[u8], free: Vec<Range<usize>>) -> Self {
        let leaves = free.iter().flat_map(|free| leaves(bytes, free.clone())).collect();
        Self { bytes: bytes.to_vec(), free, leaves, moving: Vec::new(), changes: 0 }
    }

    /// What stands around the values that were others before.
    fn gaps(&self) -> Vec<&[u8]> {
        let starts = [0].into_iter().chain(self.moving.iter().map(|moving| moving.place.end));
        let ends = self.moving.iter().map(|moving| moving.place.start).chain([self.bytes.len()]);
        starts.zip(ends).filter_map(|(start, end)| self.bytes.get(start..end)).collect()
    }

    /// What is behind bytes like these.
    #[inline]
    pub(super) fn strip<'e>(&mut self, text: &'e [u8]) -> Option<&'e [u8]> {
        self.strip_moving(text).or_else(|| self.strip_other(text))
    }

    /// The same where the values may be others that were others before.
    #[inline]
    pub(super) fn strip_moving<'e>(&mut self, text: &'e [u8]) -> Option<&'e [u8]> {
        let (mut rest, mut from) = (text, 0);
        for moving in &mut self.moving {
            let value = rest.strip_prefix(self.bytes.get(from..moving.place.start)?)?;
            rest = moving.strip(value)?;
            from = moving.place.end;
        }
        rest.strip_prefix(self.bytes.get(from..)?)
    }

    /// The same where any of the values may be others, or else where they hold something else. Most are the same again
    /// in most events, so only those that are not are looked at.
    #[cold]
    pub(super) fn strip_other<'e>(&mut self, text: &'e [u8]) -> Option<&'e [u8]> {
        let leaves = behind_alike(&self.bytes, &self.leaves, behind_leaf, text);
        let whole = leaves.is_none();
        let alike = leaves.or_else(|| behind_alike(&self.bytes, &self.free, behind_value, text));
        let (rest, others) = alike?;
        // Those that were others before may be so again, unless what holds them is.
        self.moving.retain(|moving| moving.whole == whole);
        self.moving.extend(others.into_iter().map(|place| Moving { place, length: 0, whole }));
        self.moving.sort_by_key(|moving| moving.place.start);
        self.moving.dedup_by_key(|moving| moving.place.start);
        self.changes += 1;
        Some(rest)
    }
}

/// All that stands between the texts of two events in a row, from the quote that closes the one to that which opens the
/// other.
#[derive(Clone, Debug)]
pub(super) struct Between {
    /// Up to the first value that moves.
    first: Vec<u8>,
    /// Those values, and what stands behind each.
    moving: Vec<(Moving, Vec<u8>)>,
    /// How many of them belong to the event of the one.
    behind: usize,
    /// How much stands before the first value that moves in the event of the other, with its lead.
    opening: usize,
    /// How often the two frames had changed, and what stood between them.
    changes: (usize, usize),
    blank: usize,
    lead: Vec<u8>,
}

impl Between {
    /// Behind the event with the tail stands a blank line, and `lead` before the one with the head.
    pub(super) fn new(tail: &Frame, blank: &[u8], lead: &[u8], head: &Frame) -> Self {
        let own = <[u8]>::to_vec;
        let (mut gaps, mut ahead) = (tail.gaps(), head.gaps().into_iter());
        let (last, opening) = (gaps.pop().unwrap_or_default(), ahead.next().unwrap_or_default());
        let joined = [last, blank, lead, opening].concat();
        let mut gaps = gaps.into_iter().map(own).chain([joined]).chain(ahead.map(own));
        Self {
            first: gaps.next().unwrap_or_default(),
            moving: tail.moving.iter().chain(&head.moving).cloned().zip(gaps).collect(),
            behind: tail.moving.len(),
            opening: lead.len() + opening.len(),
            changes: (tail.changes, head.changes),
            blank: blank.len(),
            lead: lead.to_vec(),
        }
    }

    /// Whether it would be made of the same now.
    pub(super) fn is_of(&self, tail: &Frame, blank: &[u8], lead: &[u8], head: &Frame) -> bool {
        self.changes == (tail.changes, head.changes)
            && self.blank == blank.len()
            && self.lead == lead
    }

    /// What is behind the like of it, and how much of what was passed belongs to the event that is there.
    #[inline]
    pub(super) fn strip<'e>(&mut self, text: &'e [u8]) -> Option<(&'e [u8], usize)> {
        let mut rest = text.strip_prefix(&*self.first)?;
        let mut left = rest.len();
        for (place, (moving, gap)) in self.moving.iter_mut().enumerate() {
            rest = moving.strip(rest)?.strip_prefix(&**gap)?;
            if place < self.behind {
                left = rest.len();
            }
        }
        Some((rest, self.opening + (left - rest.len())))
    }
}

/// What is behind bytes like `bytes`, but for what is `free` and may be whatever `behind` passes over, and which of
/// that is another.
fn behind_alike<'e>(
    bytes: &[u8],
    free: &[Range<usize>],
    behind: fn(&[u8]) -> Option<&[u8]>,
    text: &'e [u8],
) -> Option<(&'e [u8], Vec<Range<usize>>)> {
    let (mut free, mut rest, mut from) = (free.iter(), text, 0);
    let mut others = Vec::new();
    loop {
        let left = bytes.get(from..)?;
        let same = alike(left, rest);
        if same == left.len() {
            return Some((rest.get(same..)?, others));
        }
        let other = free.find(|free| free.end >= from + same)?;
        if other.start > from + same {
            return None;
        }
        others.push(other.clone());
        rest = behind(rest.get(other.start - from..)?)?;
        from = other.end;
    }
}

/// Where the strings and words stand in a value that nobody asks for.
fn leaves(bytes: &[u8], value: Range<usize>) -> Vec<Range<usize>> {
    let (mut leaves, mut at) = (Vec::new(), value.start);
    while let Some(byte) = bytes.get(at).filter(|_| at < value.end) {
        let is_leaf = !matches!(byte, b'{' | b'[' | b'}' | b']' | b',' | b':' | b' ' | b'\t');
        let end = if is_leaf { skip_value(bytes, at) } else { at + 1 };
        if is_leaf {
            leaves.push(at..end);
        }
        at = end;
    }
    leaves
}

/// What is behind the value at the start of `text`, if no line ends in it.
fn behind_value(text: &[u8]) -> Option<&[u8]> {
    let length = match text {
        [b'"', ..] => return behind_leaf(text),
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

/// The same of a string or a word. There is nothing in it that could pass for the end of what it is in.
#[inline]
fn behind_leaf(text: &[u8]) -> Option<&[u8]> {
    if let [b'"', string @ ..] = text {
        let plain = plain_length(string);
        if let Some([b'"', behind @ ..]) = string.get(plain..) {
            return Some(behind);
        }
        let (length, _) = string_length(string).ok()?;
        let (string, behind) = string.split_at_checked(length)?;
        return if ends_line(string) { None } else { behind.get(1..) };
    }
    let (word, behind) = text.split_at_checked(word_length(text))?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    (!word.is_empty() && word.iter().all(is_plain)).then_some(behind)
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

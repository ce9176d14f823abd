//! The pass over the text: which fields are kept, and where they stand.

use super::escape::unescape;
use crate::input::key::Key;
use crate::input::said::Detail;
use memchr::memmem::Finder;
use memchr::{memchr2, memchr3};
use once_cell::sync::Lazy;
use std::ops::Range;

/// A value that was kept: where it stands in the text, and which node comes after it and all that is
/// inside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) key: Option<Key>,
    /// Which of the key's spellings the text uses.
    pub(super) spelling: u8,
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// `null`, `true`, `false`, and whatever damage left behind.
    Other,
    /// The name of the field that follows, when it is none of ours.
    Name,
    Number,
    Text,
    /// Text with escapes in it.
    Escaped,
    Array,
    Object,
}

/// Skims `text`, which is shorter than 32 bits count, for what `detail` asks, and if it `may_end_early`, no
/// further than to the last of the sources. Answers also whether the text breaks off.
pub(super) fn skim(text: &[u8], detail: Detail, may_end_early: bool) -> (Vec<Node>, bool) {
    let nodes = Vec::with_capacity(64);
    let mut skimmer = Skimmer { nodes, detail, may_end_early, ..Skimmer::new(text) };
    skimmer.skim();
    (skimmer.nodes, skimmer.cut)
}

/// Where the values stand that skimming for all that readers ask for goes past.
pub(in crate::input) fn passed_over(text: &[u8]) -> Vec<Range<usize>> {
    let mut skimmer = Skimmer { passed: Some(Vec::new()), ..Skimmer::new(text) };
    skimmer.skim();
    skimmer.passed.unwrap_or_default()
}

/// Where the value ends that starts at `at`.
pub(in crate::input) fn skip_value(text: &[u8], at: usize) -> usize {
    let mut skimmer = Skimmer { at, ..Skimmer::new(text) };
    skimmer.pass_over();
    skimmer.at
}

/// A list or object that is not closed yet.
#[derive(Clone, Copy)]
struct Open {
    /// Its place in the nodes.
    node: usize,
    /// The node that the next one inside is likely to be like. Records of a list mostly have the same fields, in
    /// the same order.
    twin: usize,
}

/// No node is like it.
const NO_TWIN: usize = usize::MAX;

struct Skimmer<'a> {
    text: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    /// Lists and objects that are not closed yet.
    open: Vec<Open>,
    detail: Detail,
    /// Whether to stop where nothing more comes that a block of sources shows.
    may_end_early: bool,
    /// Whether something was still open where the text ends.
    cut: bool,
    /// Values nobody asks for, if they are to be listed.
    passed: Option<Vec<Range<usize>>>,
}

impl<'a> Skimmer<'a> {
    fn new(text: &'a [u8]) -> Self {
        let (nodes, open, detail) = (Vec::new(), Vec::new(), Detail::Full);
        let may_end_early = false;
        Self { text, at: 0, nodes, open, detail, may_end_early, cut: false, passed: None }
    }

    fn skim(&mut self) {
        self.value(None, NO_TWIN);
        while let Some(&Open { node, twin }) = self.open.last() {
            if self.member(node, twin).is_none() {
                self.close();
            }
        }
    }

    /// Reads the next item or field of the innermost list or object. `None` at its end, and where
    /// the text is damaged.
    fn member(&mut self, holder: usize, twin: usize) -> Option<()> {
        let mut next = self.peek_inside()?;
        if next == b',' {
            self.at += 1;
            next = self.peek_inside()?;
        }
        if matches!(next, b']' | b'}') {
            self.at += 1;
            return None;
        }
        if self.nodes.get(holder)?.kind == Kind::Array {
            self.expect_like(self.nodes.len());
            self.value(None, twin);
            return Some(());
        }
        if let Some((name, length, next)) = self.name_like(twin) {
            self.at += length;
            self.expect_like(next);
            self.value(Some(name), twin);
            return Some(());
        }
        if next != b'"' {
            self.cut = true;
            self.at = self.text.len();
            return None;
        }
        let start = self.at;
        let name = self.name();
        let end = self.at;
        if self.peek()? == b':' {
            self.at += 1;
        }
        match name {
            Some(name) if self.wants(name.0) => self.value(Some(name), NO_TWIN),
            None if self.detail == Detail::Whole => {
                let next = place(self.nodes.len() + 1);
                let (start, end) = (place(start), place(end));
                self.nodes.push(Node {
                    key: None,
                    spelling: 0,
                    kind: Kind::Name,
                    start,
                    end,
                    next,
                });
                self.value(None, NO_TWIN);
            }
            _ => {
                let start = self.at;
                self.pass_over();
                if let Some(passed) = &mut self.passed {
                    passed.push(start..self.at);
                }
            }
        }
        Some(())
    }

    /// What the next inside of the innermost list or object is likely to be like.
    fn expect_like(&mut self, twin: usize) {
        if let Some(open) = self.open.last_mut() {
            open.twin = twin;
        }
    }

    /// The field that is called as its twin is, how far it is to its value, and which twin comes next.
    fn name_like(&self, twin: usize) -> Option<((Key, u8), usize, usize)> {
        let &Node { key, spelling, next, .. } = self.nodes.get(twin)?;
        let name = key?.spelling(spelling).as_bytes();
        let behind = self.rest().strip_prefix(b"\"")?.strip_prefix(name)?;
        behind.starts_with(b"\":").then_some(((key?, spelling), name.len() + 3, next as usize))
    }

    fn wants(&self, key: Key) -> bool {
        match self.detail {
            Detail::Whole => true,
            Detail::Full => !key.is_of_tools(),
            Detail::Sources | Detail::Shown => !key.is_bulk() && !key.is_of_tools(),
        }
    }

    /// Reads a field name as the key it spells.
    fn name(&mut self) -> Option<(Key, u8)> {
        let start = self.at + 1;
        let escaped = self.pass_string();
        let name = self.text.get(start..self.at.saturating_sub(1))?;
        if escaped { Key::spelled(unescape(name).as_bytes()) } else { Key::spelled(name) }
    }

    /// Keeps the value that starts here; the inside of a list or object is read by `skim`.
    fn value(&mut self, key: Option<(Key, u8)>, twin: usize) {
        let Some(first) = self.peek() else { return };
        let start = self.at;
        let kind = match first {
            b'"' => {
                let escaped = self.pass_string();
                // Half an address is another address.
                let whole = self.at <= self.text.len();
                if !whole {
                    Kind::Other
                } else if escaped {
                    Kind::Escaped
                } else {
                    Kind::Text
                }
            }
            b'{' | b'[' => {
                self.at += 1;
                // What stands inside of the twin comes right behind it.
                let twin = twin.saturating_add(1);
                self.open.push(Open { node: self.nodes.len(), twin });
                if first == b'{' { Kind::Object } else { Kind::Array }
            }
            _ => {
                self.pass_word();
                // A number at the very end may have lost its last digits.
                let whole = self.at < self.text.len() || self.open.is_empty();
                let is_number = matches!(first, b'-' | b'0'..=b'9') && whole;
                if is_number { Kind::Number } else { Kind::Other }
            }
        };
        let next = place(self.nodes.len() + 1);
        let (key, spelling) = key.map_or((None, 0), |(key, spelling)| (Some(key), spelling));
        self.nodes.push(Node {
            key,
            spelling,
            kind,
            start: place(start),
            end: place(self.at),
            next,
        });
    }

    fn close(&mut self) {
        let (next, end) = (place(self.nodes.len()), place(self.at));
        let Some(node) = self.open.pop().and_then(|open| self.nodes.get_mut(open.node)) else {
            return;
        };
        node.next = next;
        node.end = end;
        let ends = self.may_end_early && node.key == Some(Key::GroundingChunks);
        if ends && self.is_in_candidate() && !may_name_more(self.rest()) {
            for open in std::mem::take(&mut self.open) {
                if let Some(node) = self.nodes.get_mut(open.node) {
                    node.next = next;
                }
            }
        }
    }

    /// Whether we are in the grounding of a candidate of the response itself. What a block of sources shows
    /// comes behind its chunks only under the names that [`may_name_more`] knows; anywhere else something may.
    fn is_in_candidate(&self) -> bool {
        let [_, candidates, _, grounding] = self.open.as_slice() else { return false };
        let is =
            |open: &Open, key| self.nodes.get(open.node).is_some_and(|node| node.key == Some(key));
        is(candidates, Key::Candidates) && is(grounding, Key::GroundingMetadata)
    }

    /// The next character that is no blank, where there must be one.
    fn peek_inside(&mut self) -> Option<u8> {
        let next = self.peek();
        self.cut |= next.is_none();
        next
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let next = *self.text.get(self.at)?;
            if !matches!(next, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(next);
            }
            self.at += 1;
        }
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves behind the string that starts here. Answers whether there are escapes in it.
    fn pass_string(&mut self) -> bool {
        let inside = self.text.get(self.at + 1..).unwrap_or_default();
        match string_length(inside) {
            Ok((length, escaped)) => {
                self.at += length + 2;
                escaped
            }
            // Without its closing quote the rest of the text is the string.
            Err(escaped) => {
                self.at = self.text.len() + 1;
                escaped
            }
        }
    }

    /// Moves behind a number or a literal.
    fn pass_word(&mut self) {
        // A stray bracket or colon must not stand still.
        self.at += word_length(self.rest()).max(1);
    }

    /// Moves behind a value nobody asks for.
    fn pass_over(&mut self) {
        match self.peek() {
            Some(b'"') => {
                self.pass_string();
            }
            Some(open @ (b'{' | b'[')) => {
                self.pass_nested(open, if open == b'{' { b'}' } else { b']' });
            }
            Some(_) => self.pass_word(),
            None => {}
        }
    }

    /// Brackets of the other kind are balanced in between, so one kind is enough to count.
    fn pass_nested(&mut self, open: u8, close: u8) {
        let mut depth = 0_usize;
        while let Some(found) = find([b'"', open, close], self.rest()) {
            self.at += found;
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.pass_string();
                    continue;
                }
                Some(byte) if *byte == open => depth += 1,
                _ => depth -= 1,
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
        self.at = self.text.len();
    }
}

/// How the names of recited passages and fetched pages end. To build a searcher takes longer than to search.
#[expect(
    clippy::non_std_lazy_statics,
    reason = "once_cell is the project's choice for lazy statics"
)]
static NAMES_END: Lazy<Finder<'static>> = Lazy::new(|| Finder::new("etadata"));
/// How an escaped letter begins.
#[expect(
    clippy::non_std_lazy_statics,
    reason = "once_cell is the project's choice for lazy statics"
)]
static ESCAPE: Lazy<Finder<'static>> = Lazy::new(|| Finder::new("\\u00"));

/// Whether recited passages or fetched pages may come: their names end alike. Letters of a name may be escaped.
fn may_name_more(rest: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"citationM", b"citation_m", b"ontextM", b"ontext_m"];
    let before = |at: usize| rest.get(..at).unwrap_or_default();
    let is_letter = |at: usize| matches!(rest.get(at + 4), Some(b'4'..=b'7'));
    NAMES_END.find_iter(rest).any(|at| NAMES.iter().any(|name| before(at).ends_with(name)))
        || ESCAPE.find_iter(rest).any(is_letter)
}

/// How long the number or the word is that starts here.
pub(in crate::input) fn word_length(text: &[u8]) -> usize {
    let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
    text.iter().position(ends).unwrap_or(text.len())
}

/// How many bytes there are before the first that is a quote, a backslash or no printable ASCII. At the end of the
/// text, not all of them need be counted.
#[inline]
pub(in crate::input) fn plain_length(text: &[u8]) -> usize {
    let words = text.as_chunks().0;
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let zero = |word: u64| word.wrapping_sub(LOW) & !word;
        let quoted = zero(word ^ (LOW * u64::from(b'"'))) | zero(word ^ (LOW * u64::from(b'\\')));
        let low = word.wrapping_sub(LOW * 0x20) & !word;
        let found = (quoted | low | zero(word ^ (LOW * 0x7f)) | word) & HIGH;
        if found != 0 {
            return index * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    words.len() * 8
}

/// How far it is to the closing quote of a string that starts here, and whether there are escapes
/// on the way. The latter alone when there is no closing quote.
#[inline]
pub(in crate::input) fn string_length(text: &[u8]) -> Result<(usize, bool), bool> {
    match find([b'"', b'\\'], text) {
        Some(at) if text.get(at) == Some(&b'"') => Ok((at, false)),
        Some(at) => escaped_length(text, at + 2),
        None => Err(false),
    }
}

/// The same from behind the first escape on.
fn escaped_length(text: &[u8], from: usize) -> Result<(usize, bool), bool> {
    let mut at = from;
    while let Some(found) = text.get(at..).and_then(|rest| find([b'"', b'\\'], rest)) {
        at += found;
        if text.get(at) == Some(&b'"') {
            return Ok((at, true));
        }
        at += 2;
    }
    Err(true)
}

const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// Where the first of `needles` stands. Most strings and gaps of a payload are a few bytes long, so
/// the first four words are looked at here; the long ones are for `memchr`.
#[inline]
fn find<const N: usize>(needles: [u8; N], text: &[u8]) -> Option<usize> {
    let (words, _) = text.as_chunks::<8>();
    for (index, word) in words.iter().take(4).enumerate() {
        let word = u64::from_le_bytes(*word);
        // The high bit of each byte that equals a needle, and of none below the first such byte.
        let hits = needles.iter().fold(0, |hits, needle| {
            let same = word ^ (LOW * u64::from(*needle));
            hits | (same.wrapping_sub(LOW) & !same & HIGH)
        });
        if hits != 0 {
            return Some(index * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    find_far(needles, text, words.len().min(4) * 8)
}

/// The same from `near` on.
fn find_far<const N: usize>(needles: [u8; N], text: &[u8], near: usize) -> Option<usize> {
    let far = text.get(near..)?;
    let found = match *needles.as_slice() {
        [one, two] => memchr2(one, two, far),
        [one, two, three] => memchr3(one, two, three, far),
        _ => far.iter().position(|byte| needles.contains(byte)),
    };
    found.map(|at| near + at)
}

/// Texts are shorter than this, as `from_bytes` sees to.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{find, plain_length};

    #[test]
    fn plain_bytes_end_at_the_first_that_is_none() {
        for odd in
            (0..=u8::MAX).filter(|byte| !matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~'))
        {
            for at in 0..24 {
                let mut text = [b'a'; 32];
                text[at] = odd;
                assert_eq!(plain_length(&text), at, "{odd} at {at}");
            }
        }
        let plain: Vec<_> = (b' '..=b'~').filter(|byte| !matches!(byte, b'"' | b'\\')).collect();
        assert!(plain_length(&plain) + 8 > plain.len());
    }

    #[test]
    fn finds_the_first_needle_wherever_it_stands() {
        for length in 0..200 {
            for at in 0..length {
                let mut text = vec![b'a'; length];
                text[at] = b'"';
                text[length - 1] = b'\\';
                let naive = text.iter().position(|byte| matches!(byte, b'"' | b'\\'));
                assert_eq!(find([b'"', b'\\'], &text), naive, "{at} of {length}");
                assert_eq!(find([b'"', b'{', b'\\'], &text), naive, "{at} of {length}");
            }
        }
    }
}

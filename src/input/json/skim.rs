//! The pass over the text: which fields are kept, and where they stand.

use super::escape::unescape;
use super::pass::{behind_blanks, behind_string, behind_word, is_blank, skip_value};
use super::search::quoted_words;
use crate::input::key::{Class, Key, Name};
use crate::input::said::Detail;
use memchr::memmem::Finder;
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

/// No node: the outermost value is in none.
const NOWHERE: u32 = u32::MAX;

/// The most bytes between two values that are compared with those of the record before.
const LONGEST_GAP: usize = 64;

struct Skimmer<'a> {
    text: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    /// The innermost list or object that is not closed yet. Until it is, its `next` says which one it is in, and its
    /// `end` which one it is likely to be like.
    open: u32,
    /// Whether that is a list.
    in_list: bool,
    like: Like,
    detail: Detail,
    /// Whether to stop where nothing more comes that a block of sources shows.
    may_end_early: bool,
    /// Whether something was still open where the text ends.
    cut: bool,
    /// Values nobody asks for, if they are to be listed.
    passed: Option<Vec<Range<usize>>>,
}

/// What a field is called: its key, and which spelling of it.
type Called = (Option<Key>, u8);

/// An item of a list, or a field that no key names.
const NAMELESS: Called = (None, 0);

/// What comes next in a list or object.
enum Member {
    /// A value to keep, and which node it is likely to be like.
    Value(Called, u32),
    /// A value nobody asks for.
    PassedOver,
    /// Its end, or damage.
    End,
}

/// What the next node is likely to be like. Records of a list mostly have the same fields, in the same order, so what
/// stands between two values of one stands there in the next, too, and says the same.
#[derive(Clone, Copy)]
struct Like {
    /// A node that is closed already.
    node: u32,
    /// Where the list or object that it is in has no more nodes.
    until: u32,
    /// Where the value before it ends in the text.
    gap: u32,
}

/// Nothing is known.
const UNLIKE: Like = Like { node: NOWHERE, until: 0, gap: 0 };

impl<'a> Skimmer<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            nodes: Vec::new(),
            open: NOWHERE,
            in_list: false,
            like: UNLIKE,
            detail: Detail::Full,
            may_end_early: false,
            cut: false,
            passed: None,
        }
    }

    fn skim(&mut self) {
        let mut member = Member::Value(NAMELESS, NOWHERE);
        loop {
            match member {
                Member::Value(name, like) => self.value(name, like),
                Member::PassedOver => {}
                Member::End => self.close(),
            }
            if self.open == NOWHERE {
                return;
            }
            member = self.member();
        }
    }

    /// Moves to the next value in the innermost list or object that is worth keeping.
    #[inline]
    fn member(&mut self) -> Member {
        if !self.in_list
            && let Some(name) = self.name_alike()
        {
            let like = self.like.node;
            self.like_next(like);
            return Member::Value(name, like);
        }
        let Some(mut next) = self.peek_inside() else { return Member::End };
        if next == b',' {
            self.at += 1;
            let Some(behind) = self.peek_inside() else { return Member::End };
            next = behind;
        }
        if matches!(next, b']' | b'}') {
            self.at += 1;
            return Member::End;
        }
        if self.in_list {
            return Member::Value(NAMELESS, self.like.node);
        }
        if next != b'"' {
            self.cut = true;
            self.at = self.text.len();
            return Member::End;
        }
        self.field()
    }

    /// The same for a field that is not like the one before.
    fn field(&mut self) -> Member {
        let start = self.at;
        let name = self.name();
        let end = self.at;
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(_) => {}
            None => {
                self.cut = true;
                return Member::End;
            }
        }
        match name {
            Some(name) if self.wants(name.class) => {
                return Member::Value((Some(name.key), name.spelling), NOWHERE);
            }
            None if self.detail == Detail::Whole => {
                self.keep(NAMELESS, Kind::Name, start, end);
                return Member::Value(NAMELESS, NOWHERE);
            }
            _ => {}
        }
        let start = self.at;
        self.at = skip_value(self.text, self.at);
        if let Some(passed) = &mut self.passed {
            passed.push(start..self.at);
        }
        // That it is there may tell what this is.
        if let Some(name) = name.filter(|name| name.class == Class::Bulk) {
            let start = behind_blanks(self.text, start);
            self.keep((Some(name.key), name.spelling), Kind::Other, start, self.at);
        }
        Member::PassedOver
    }

    /// Moves to the value of the next field, if the same bytes stand before it as in the record before. They say the
    /// same, whatever they say: the name of the field, and what nobody asks for before it.
    #[inline]
    fn name_alike(&mut self) -> Option<Called> {
        let Like { node, until, gap } = self.like;
        if node >= until {
            return None;
        }
        let &Node { key, spelling, start, .. } = self.nodes.get(node as usize)?;
        let gap = self.text.get(gap as usize..start as usize)?;
        // A colon that is missing there may stand here.
        let ([.., b':'] | [.., b':', b' ']) = gap else { return None };
        if gap.len() > LONGEST_GAP || !self.text.get(self.at..)?.starts_with(gap) {
            return None;
        }
        key?;
        self.at += gap.len();
        Some((key, spelling))
    }

    /// What comes behind `node`, and what is inside of it, is likely to come next.
    #[inline]
    fn like_next(&mut self, node: u32) {
        if let Some(node) = self.nodes.get(node as usize) {
            (self.like.node, self.like.gap) = (node.next, node.end);
        }
    }

    #[inline]
    fn wants(&self, class: Class) -> bool {
        match self.detail {
            Detail::Whole => true,
            Detail::Full => class != Class::OfTools,
            Detail::Sources | Detail::Shown => class == Class::Common,
        }
    }

    /// Reads a field name as the key it spells.
    #[inline]
    fn name(&mut self) -> Option<&'static Name> {
        // All names that are known are short.
        let start = self.at + 1;
        let Some((words, length)) = self.text.get(start..).and_then(quoted_words) else {
            return self.long_name();
        };
        self.at = start + length + 1;
        Key::of_words(words, length)
    }

    /// The same for a name with escapes, a long one, and one at the end of the text.
    fn long_name(&mut self) -> Option<&'static Name> {
        let start = self.at + 1;
        let (behind, escaped) = behind_string(self.text, self.at);
        self.at = behind;
        let name = self.text.get(start..behind.saturating_sub(1))?;
        if escaped { Key::of_name(unescape(name).as_bytes()) } else { Key::of_name(name) }
    }

    /// Keeps the value that starts here, which is likely to be like the node `like`; the inside of a list or object
    /// is read by `skim`.
    #[inline]
    fn value(&mut self, name: Called, like: u32) {
        let Some(first) = self.peek() else { return };
        let start = self.at;
        match first {
            b'"' => {
                let escaped;
                (self.at, escaped) = behind_string(self.text, self.at);
                // Half an address is another address.
                let whole = self.at <= self.text.len();
                let kind = if escaped { Kind::Escaped } else { Kind::Text };
                self.keep(name, if whole { kind } else { Kind::Other }, start, self.at);
            }
            b'{' | b'[' => {
                self.at += 1;
                self.in_list = first == b'[';
                let kind = if self.in_list { Kind::Array } else { Kind::Object };
                self.open(name, kind, start, like);
            }
            // There is none: what this is in ends here.
            b']' | b'}' => {}
            _ => {
                self.at = behind_word(self.text, self.at);
                // A number at the very end may have lost its last digits.
                let whole = self.at < self.text.len() || self.open == NOWHERE;
                let is_number = matches!(first, b'-' | b'0'..=b'9') && whole;
                let kind = if is_number { Kind::Number } else { Kind::Other };
                self.keep(name, kind, start, self.at);
            }
        }
    }

    #[inline]
    fn keep(&mut self, (key, spelling): Called, kind: Kind, start: usize, end: usize) {
        let next = place(self.nodes.len() + 1);
        let (start, end) = (place(start), place(end));
        self.nodes.push(Node { key, spelling, kind, start, end, next });
    }

    /// Keeps a list or object, and goes into it.
    #[inline]
    fn open(&mut self, (key, spelling): Called, kind: Kind, start: usize, like: u32) {
        // What is passed over must be seen to be listed.
        let may_be_like = |node: &&Node| node.kind == kind && self.passed.is_none();
        let inside = self.nodes.get(like as usize).filter(may_be_like);
        let is_like = inside.map_or(UNLIKE, |holder| Like {
            node: like + 1,
            until: holder.next,
            gap: holder.start + 1,
        });
        let end = if inside.is_some() { like } else { NOWHERE };
        self.like = is_like;
        let holder = std::mem::replace(&mut self.open, place(self.nodes.len()));
        let start = place(start);
        self.nodes.push(Node { key, spelling, kind, start, end, next: holder });
    }

    #[inline]
    fn close(&mut self) {
        let (next, end) = (place(self.nodes.len()), place(self.at));
        let closed = self.open;
        let Some(node) = self.nodes.get_mut(closed as usize) else { return };
        let holder = std::mem::replace(&mut node.next, next);
        let like = std::mem::replace(&mut node.end, end);
        let ends = self.may_end_early && node.key == Some(Key::GroundingChunks);
        self.open = holder;
        if ends && self.is_in_candidate() {
            // One look at all that is left is enough: behind each of many candidates it would take forever.
            self.may_end_early = false;
            if !self.may_say_more() {
                while let Some(node) = self.nodes.get_mut(self.open as usize) {
                    self.open = std::mem::replace(&mut node.next, next);
                    node.end = end;
                }
            }
        }
        let Some(&Node { kind, end, .. }) = self.nodes.get(holder as usize) else { return };
        self.in_list = kind == Kind::Array;
        self.like = UNLIKE;
        if self.in_list {
            // The next item is likely to be like this one.
            self.like.node = closed;
        } else if let Some(holder) = self.nodes.get(end as usize) {
            self.like.until = holder.next;
            self.like_next(like);
        }
    }

    /// Whether we are in the grounding of a candidate of the response itself. What a block of sources shows
    /// comes behind its chunks only under the names that [`may_name_more`] knows; anywhere else something may.
    fn is_in_candidate(&self) -> bool {
        let open = |at: u32| self.nodes.get(at as usize);
        let around = |node: &&Node| open(node.next);
        let mut holders = std::iter::successors(open(self.open), around).map(|node| node.key);
        holders.next() == Some(Some(Key::GroundingMetadata))
            && holders.nth(1) == Some(Some(Key::Candidates))
            && holders.count() == 1
    }

    /// Whether more may come that counts: there may be another candidate that is the answer.
    fn may_say_more(&self) -> bool {
        let is_other = |node: &Node| {
            let number = self.text.get(node.start as usize..node.end as usize);
            node.key == Some(Key::Index) && number != Some(b"0")
        };
        let rest = self.text.get(self.at..).unwrap_or_default();
        may_name_more(rest) || may_be_other(rest) || self.nodes.iter().any(is_other)
    }

    /// The next character that is no blank, where there must be one.
    #[inline]
    fn peek_inside(&mut self) -> Option<u8> {
        let next = self.peek();
        self.cut |= next.is_none();
        next
    }

    /// The next character that is no blank.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let next = *self.text.get(self.at)?;
        if !is_blank(next) {
            return Some(next);
        }
        self.at = behind_blanks(self.text, self.at);
        self.text.get(self.at).copied()
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

/// What candidates are numbered by.
#[expect(
    clippy::non_std_lazy_statics,
    reason = "once_cell is the project's choice for lazy statics"
)]
static INDEX: Lazy<Finder<'static>> = Lazy::new(|| Finder::new("\"index\""));

/// Whether recited passages or fetched pages may come: their names end alike. Letters of a name may be escaped.
fn may_name_more(rest: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"citationM", b"citation_m", b"ontextM", b"ontext_m"];
    let before = |at: usize| rest.get(..at).unwrap_or_default();
    let is_letter = |at: usize| matches!(rest.get(at + 4), Some(b'4'..=b'7'));
    NAMES_END.find_iter(rest).any(|at| NAMES.iter().any(|name| before(at).ends_with(name)))
        || ESCAPE.find_iter(rest).any(is_letter)
}

/// Whether an index may come that is not that of the answer: a candidate may name its own behind all else.
fn may_be_other(rest: &[u8]) -> bool {
    let is_zero = |at: usize| {
        let value = rest.get(at + INDEX.needle().len()..).unwrap_or_default().trim_ascii_start();
        let value = value.strip_prefix(b":").unwrap_or_default().trim_ascii_start();
        matches!(value, [b'0', behind, ..] if matches!(behind, b',' | b'}') || is_blank(*behind))
    };
    INDEX.find_iter(rest).any(|at| !is_zero(at))
}

/// Texts are shorter than this, as `from_bytes` sees to.
#[expect(clippy::cast_possible_truncation, reason = "texts are shorter")]
#[inline]
fn place(at: usize) -> u32 {
    at as u32
}

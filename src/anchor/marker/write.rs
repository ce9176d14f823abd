//! Text and what replaces its markers, put together so that it reads the same again.
//!
//! What is written for a marker is a marker where it stands: a blank keeps `[1]` from a word it would
//! be a subscript of and from a bracket it would be a link with; a comma or a narrow blank keeps raised
//! numbers from others. What becomes of the blanks around a marker that goes, `repair` says.

use super::context::{Behind, Context, REACH, is_word, raises};
use super::grammar::{self, Read, Shape};
use super::raised::superscript;
use super::tail::{Gone, REMEMBERED, Tail, is_separators};
use crate::model::span::{ceil, floor};
use std::mem;

/// What becomes of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// It stays as it is.
    Keep,
    /// What was written stands instead.
    Text,
    /// It goes, and blanks are repaired.
    Remove,
}

/// How much of what was given away is remembered.
const BEHIND: usize = 4 * REMEMBERED;
/// A narrow blank that no line breaks at.
const NARROW: &str = "\u{202f}";

/// A marker that was written.
#[derive(Clone, Copy)]
pub(super) struct Written {
    /// Where it starts; of raised numbers, where the first of those that are read as one starts.
    at: usize,
    pub(super) end: usize,
    /// Whether it is as it came.
    kept: bool,
}

/// Puts a text together, piece by piece; how it is cut makes no difference.
pub(super) struct Writer {
    known: Option<usize>,
    may_remove: bool,
    /// What was written. Of what was given away only the end is left.
    pub(super) out: String,
    given: usize,
    /// Whether `out` is all there ever was.
    pub(super) whole: bool,
    pub(super) last: Option<Written>,
    pub(super) gone: Option<Gone>,
    /// Where a marker starts that is one only if what follows says so, and the marker.
    doubt: Option<(usize, Shape)>,
}

impl Writer {
    /// A writer for markers of which some may go. `known` is how many sources there are.
    pub(super) fn new(known: Option<usize>, may_remove: bool) -> Self {
        Self {
            known,
            may_remove,
            out: String::new(),
            given: 0,
            whole: true,
            last: None,
            gone: None,
            doubt: None,
        }
    }

    /// Makes room for a text of so many bytes and what becomes of its markers, in `room` if it fits.
    pub(super) fn expect(&mut self, length: usize, room: String) {
        self.out = room;
        self.out.clear();
        self.out.reserve(length + length / 8);
    }

    /// What is ready.
    pub(super) fn take(&mut self) -> &str {
        let end = self.gone.as_ref().map_or(self.out.len(), |gone| gone.at);
        let ready = if self.may_remove { Tail::of(self, end).from } else { end };
        let doubt = self.doubt.as_ref().map_or(ready, |(at, _)| *at);
        let ready = ready.min(doubt).max(self.given);
        self.give(ready)
    }

    /// The rest, when nothing follows.
    pub(super) fn finish(&mut self) -> &str {
        self.settle(true);
        self.give(self.out.len())
    }

    fn give(&mut self, to: usize) -> &str {
        let from = mem::replace(&mut self.given, to);
        self.out.get(from..to).unwrap_or_default()
    }

    /// All of it, when nothing follows and nothing was given away.
    pub(super) fn into_text(mut self) -> String {
        self.settle(true);
        self.out
    }

    /// Lets go of most of what was given away.
    pub(super) fn forget(&mut self) {
        if self.given < 5 * BEHIND {
            return;
        }
        let done = floor(&self.out, self.given - BEHIND);
        self.out.drain(..done);
        self.whole = false;
        self.given -= done;
        self.last = self.last.filter(|last| last.at >= done).map(|last| Written {
            at: last.at - done,
            end: last.end - done,
            ..last
        });
        if let Some(gone) = &mut self.gone {
            gone.at -= done;
        }
        if let Some((at, _)) = &mut self.doubt {
            *at -= done;
        }
    }

    #[inline]
    pub(super) fn text(&mut self, text: &str) {
        if self.gone.is_some() || self.doubt.is_some() {
            self.settle_by(text);
        } else {
            self.append(text);
        }
    }

    /// Takes text that says what becomes of what is in doubt.
    fn settle_by(&mut self, text: &str) {
        let mut rest = text;
        // One character after the other, so that a piece decides what its start decides.
        while self.gone.is_some() || self.doubt.is_some() {
            let Some(next) = rest.chars().next() else { return };
            let (one, behind) = rest.split_at(next.len_utf8());
            self.append(one);
            self.settle(false);
            rest = behind;
        }
        self.append(rest);
    }

    #[inline]
    fn append(&mut self, text: &str) {
        let at = self.out.len();
        self.out.push_str(text);
        if self.last.is_some_and(|last| last.end == at) && self.gone.is_none() {
            self.part(at);
        }
    }

    /// Keeps a marker that was written from what follows it at `at`.
    pub(super) fn part(&mut self, at: usize) {
        let Some(last) = self.last else { return };
        if last.end != at || last.kept {
            return;
        }
        let Some(next) = self.out.get(at..).and_then(|text| text.chars().next()) else { return };
        let marker = self.out.get(last.at..at).unwrap_or_default();
        match next {
            _ if marker.ends_with(is_raised) && raises(Some(next)) => {
                self.out.insert_str(at, NARROW);
            }
            '(' if marker.ends_with(']') => self.out.insert(at, ' '),
            // It would be a definition.
            ':' if self.context(last.at, at).starts_line() => self.out.insert(at, ' '),
            _ => {}
        }
    }

    /// Takes the next marker, which is `raw`, and what was written for it; `joined` when a link or a citation stood right
    /// before it.
    pub(super) fn marker(&mut self, raw: &str, replacement: Replacement, text: &str, joined: bool) {
        match replacement {
            Replacement::Remove => self.remove(raw),
            Replacement::Keep => {
                self.settle_before(raw);
                self.push(raw, self.out.len(), true);
            }
            Replacement::Text => {
                let free = joined && self.gone.is_none();
                self.settle_before(text);
                self.write(text, free);
            }
        }
        self.settle(false);
    }

    fn remove(&mut self, raw: &str) {
        if !is_separators(self.ahead()) {
            self.settle_gone(true);
        }
        let at = self.out.len();
        match &mut self.gone {
            Some(gone) => {
                gone.join(self.out.get(gone.at..).unwrap_or_default(), raw);
                self.out.truncate(gone.at);
            }
            None => self.gone = Some(Gone::new(at, raw)),
        }
    }

    /// What follows the marker that went.
    pub(super) fn ahead(&self) -> &str {
        self.gone.as_ref().and_then(|gone| self.out.get(gone.at..)).unwrap_or_default()
    }

    /// Decides what can be decided; all of it where nothing follows.
    fn settle(&mut self, ended: bool) {
        self.settle_gone(ended);
        if self.gone.is_none() {
            self.settle_doubt(ended);
        }
    }

    /// Whether what is written at the doubtful place is a marker there.
    fn settle_doubt(&mut self, ended: bool) {
        let Some((at, shape)) = self.doubt else { return };
        let end = at + shape.length;
        let ended = ended || self.out.len() >= end + REACH;
        let context = Context { ended, ..self.context(at, end) };
        let Some(ends_a_word) = context.ends_a_word(&shape) else { return };
        self.doubt = None;
        if !ends_a_word {
            self.put_blank(at);
        }
    }

    fn put_blank(&mut self, at: usize) {
        self.out.insert(at, ' ');
        self.last = self.last.map(|last| Written {
            at: last.at + usize::from(last.at >= at),
            end: last.end + 1,
            ..last
        });
    }

    fn write(&mut self, text: &str, free: bool) {
        let at = match text.chars().next() {
            Some(first) if is_raised(first) => self.part_raised(text, free),
            Some('[') if !free => self.part_bracket(text),
            _ => self.out.len(),
        };
        self.push(text, at, false);
    }

    fn push(&mut self, text: &str, at: usize, kept: bool) {
        self.out.push_str(text);
        self.last = Some(Written { at, end: self.out.len(), kept });
    }

    /// Keeps raised numbers from what stands before them; where those start that they are read with.
    fn part_raised(&mut self, text: &str, free: bool) -> usize {
        let at = self.out.len();
        let Read::Marker(shape) = grammar::read(text, true) else { return at };
        let right_behind = self.last.is_some_and(|last| last.end == at);
        let group = self.last.filter(|last| self.joins(last)).map(|last| last.at);
        let readable = match group {
            None if right_behind || free => true,
            None if self.out.trim_end_matches([',', '˒']).ends_with(is_raised) => false,
            group => self.context(group.unwrap_or(at), at).may_be_raised(&shape),
        };
        if !readable {
            self.out.push_str(NARROW);
        } else if right_behind {
            self.out.push(',');
        }
        group.filter(|_| readable).unwrap_or(self.out.len())
    }

    /// Whether raised numbers that come next are read as one marker with these.
    fn joins(&self, last: &Written) -> bool {
        let raised = self.out.get(..last.end).is_some_and(|text| text.ends_with(is_raised));
        raised && matches!(self.out.get(last.end..), Some("" | "," | "˒"))
    }

    /// Keeps a bracket from what stands before it, or lets it wait for what follows it; where it starts.
    fn part_bracket(&mut self, text: &str) -> usize {
        let at = self.out.len();
        let parts = |one| matches!(one, '!' | ']' | '[' | '\\' | ')') || is_word(one);
        if self.last.is_some_and(|last| last.end == at) || !self.out.ends_with(parts) {
            return at;
        }
        let Read::Marker(shape) = grammar::read(text, true) else { return at };
        let link = text.get(shape.length..).is_some_and(|behind| behind.starts_with('('));
        if link {
            // It would be a picture.
            if self.out.ends_with('!') {
                self.out.push(' ');
            }
            return self.out.len();
        }
        match self.out.chars().next_back() {
            Some(']' | '[' | '\\') => self.out.push(' '),
            Some(one) if one == ')' || is_word(one) => {
                // One may be in doubt at a time.
                if let Some((older, _)) = self.doubt.take() {
                    self.put_blank(older);
                }
                self.doubt = Some((self.out.len(), shape));
            }
            _ => {}
        }
        self.out.len()
    }

    /// What stands around a marker that was written from `at` to `end`.
    fn context(&self, at: usize, end: usize) -> Context<'_> {
        let from = ceil(&self.out, at.saturating_sub(REACH));
        let to = floor(&self.out, end + REACH);
        Context {
            before: self.out.get(from..at).unwrap_or_default(),
            after: self.out.get(end..to).unwrap_or_default(),
            ended: false,
            behind: Behind::Text,
            known: self.known,
        }
    }
}

fn is_raised(character: char) -> bool {
    superscript(character).is_some()
}

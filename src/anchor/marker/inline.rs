//! The text of one paragraph: code, tags, links, and the markers outside of them.
//!
//! In: the paragraph as far as it has come. Out: markers, as soon as nothing that may follow can make
//! them code or part of a link. Every construct gets 4 kB to come to its end; then the text behind it
//! is left as it is.

use super::Marker;
use super::brackets::Brackets;
use super::context::{Behind, Context, REACH};
use super::edges::Edges;
use super::grammar::{Names, Read, Shape, read_names};
use super::link;
use super::page::{Page, Tokens};
use super::scan::WINDOW;
use std::mem;

/// What protects text without being settled.
#[derive(Clone, Copy, Default)]
pub(super) enum Guard {
    #[default]
    None,
    /// Code, up to a run of so many backticks.
    Run(usize),
    /// All up to the end of the paragraph.
    Rest,
}

/// Whether reading can go on.
#[derive(PartialEq, Eq)]
pub(super) enum Flow {
    On,
    /// More text must come.
    Wait,
}

/// The state of reading one paragraph.
#[derive(Default)]
pub(super) struct Inline {
    /// How far all is decided, but for markers that wait for a bracket to close.
    pub(super) at: usize,
    brackets: Brackets,
    waiting: Vec<Marker>,
    pub(super) guard: Guard,
    /// Runs of backticks, and kinds of markup, that nothing closes any more.
    pub(super) missing_runs: Vec<usize>,
    pub(super) missing_ends: [bool; 4],
    /// How far the end of the code at `at` was looked for.
    pub(super) searched: usize,
    pub(super) edges: Edges,
    /// What is named by the marker that is being read.
    names: Names,
}

impl Inline {
    /// Begins a paragraph that starts at `at`, in the memory of the last one.
    pub(super) fn start(&mut self, at: usize) {
        // Lists keep their room; what a marker names is cleared when the next one is read.
        let Self { brackets, waiting, missing_runs, names, .. } = mem::take(self);
        *self = Self { at, brackets, waiting, missing_runs, names, ..Self::default() };
        self.brackets.clear();
        self.waiting.clear();
        self.missing_runs.clear();
    }

    /// Up to where all is decided.
    pub(super) fn settled(&self) -> usize {
        self.waiting.first().map_or(self.at, |marker| marker.range.start.min(self.at))
    }

    /// From where text may be held back.
    pub(super) fn oldest(&self) -> usize {
        self.brackets.oldest().map_or(self.at, |bracket| bracket.min(self.at))
    }

    /// Where what is open must have come to its end, when all up to `limit` is read.
    pub(super) fn deadline(&self, limit: usize) -> Option<usize> {
        let stuck = self.at < limit && matches!(self.guard, Guard::None);
        (stuck || self.brackets.oldest().is_some()).then(|| self.oldest() + WINDOW)
    }

    /// Goes past text that means nothing and stands at `at`, where nothing before it is in doubt;
    /// false otherwise.
    pub(super) fn pass(&mut self, at: usize, length: usize) -> bool {
        let free = self.at == at && self.waiting.is_empty() && self.brackets.oldest().is_none();
        let passes = free && matches!(self.guard, Guard::None);
        if passes {
            self.at += length;
        }
        passes
    }

    /// Reads on, as far as the page goes.
    pub(super) fn step(&mut self, page: &Page<'_>, found: &mut Vec<Marker>) {
        let start = self.at;
        let mut tokens = Tokens::<false>::of(page.window.slice(start, page.limit));
        while self.at < page.limit && self.pass_guard(page) {
            // While a bracket is open nobody looks behind its deadline.
            let deadline = self.brackets.oldest().map(|at| at + WINDOW);
            let past = deadline.filter(|deadline| *deadline <= page.limit);
            let view = past.map_or(*page, |limit| Page { limit, complete: false, ..*page });
            let next = tokens.next(self.at - start).map_or(view.limit, |offset| start + offset);
            self.at = next.min(view.limit).max(self.at);
            let waits = self.at >= view.limit || self.token(&view) == Flow::Wait;
            if waits && past.is_some() {
                self.give_up();
            } else if waits {
                break;
            }
            self.release(found);
        }
        if page.complete {
            found.append(&mut self.waiting);
        }
    }

    fn token(&mut self, page: &Page<'_>) -> Flow {
        match page.window.byte(self.at) {
            Some(b'\\') => self.escape(page),
            Some(b'`') => self.code(page),
            Some(b'<') => self.tag(page),
            Some(b']') => self.close(page),
            _ => self.marker(page),
        }
    }

    pub(super) fn skip(&mut self, length: usize) -> Flow {
        self.at += length;
        self.searched = 0;
        Flow::On
    }

    /// Leaves the rest of the paragraph, and the markers in doubt, as they are.
    pub(super) fn give_up(&mut self) -> Flow {
        self.waiting.clear();
        self.brackets.clear();
        self.guard = Guard::Rest;
        Flow::On
    }

    /// A bracket closes: what it holds may be the text of a link.
    fn close(&mut self, page: &Page<'_>) -> Flow {
        let Some(bracket) = self.brackets.last() else { return self.skip(1) };
        let mut length = None;
        if bracket.may_be_link {
            length = match self.link_tail(page, self.at + 1) {
                Ok(length) => length,
                Err(flow) => return flow,
            };
        }
        self.brackets.pop();
        let end = self.at + 1 + length.unwrap_or(0);
        if length.is_some() {
            let inside = self.waiting.partition_point(|marker| marker.range.start < bracket.at);
            self.waiting.truncate(inside);
            self.brackets.end_link(bracket.image);
            self.edges.link = end;
        } else {
            self.edges.bracket = end;
        }
        self.skip(end - self.at)
    }

    /// The length of the address in parentheses at `at`, if there is one.
    fn link_tail(&mut self, page: &Page<'_>, at: usize) -> Result<Option<usize>, Flow> {
        match page.byte(at) {
            None => return Err(Flow::Wait),
            Some(Some(b'(')) => {}
            Some(_) => return Ok(None),
        }
        let (text, ended) = page.ahead(at, WINDOW);
        match link::tail(text, ended) {
            Some(length) => Ok(length),
            None if page.is_past(at) => Err(self.give_up()),
            None => Err(Flow::Wait),
        }
    }

    fn marker(&mut self, page: &Page<'_>) -> Flow {
        let (text, ended) = page.ahead(self.at, 4 * WINDOW);
        let Some(first) = text.chars().next() else {
            // A character that the deadline cuts.
            return Flow::Wait;
        };
        let bracket = first == '[';
        let image = bracket
            && self.edges.escape != self.at
            && page.window.byte(self.at.wrapping_sub(1)) == Some(b'!');
        let shape = match read_names(text, ended, &mut self.names) {
            Read::More => return Flow::Wait,
            Read::Marker(shape) => shape,
            Read::Not(offset) => {
                self.edges.nested = self.at + offset;
                if bracket {
                    self.brackets.push(self.at, image);
                }
                return self.skip(first.len_utf8());
            }
        };
        let end = self.at + shape.length;
        if bracket {
            match self.link_tail(page, end) {
                Err(flow) => return flow,
                Ok(Some(length)) => {
                    self.brackets.end_link(image);
                    self.edges.link = end + length;
                    return self.skip(shape.length + length);
                }
                Ok(None) => {}
            }
        }
        let listed = self.edges.is_listed(page, self.at);
        match self.context(page, end).accepts(&shape) {
            None => return Flow::Wait,
            Some(true) if !listed => self.citation(&shape),
            Some(_) => self.edges.refuse(end, bracket, listed),
        }
        self.skip(end - self.at)
    }

    fn context<'t>(&self, page: &Page<'t>, end: usize) -> Context<'t> {
        let after = page.window.slice(end, page.limit.min(end + REACH));
        Context {
            before: page.window.before(self.at, REACH),
            after,
            ended: page.complete || page.limit >= end + REACH,
            behind: self.edges.behind(self.at),
            known: page.known,
        }
    }

    fn citation(&mut self, shape: &Shape) {
        let joined = matches!(self.edges.behind(self.at), Behind::Citation | Behind::Link);
        let range = self.at..self.at + shape.length;
        self.edges.citation = range.end;
        if shape.is_flag {
            return;
        }
        let Names { numbers, ids, lines } = &mut self.names;
        self.waiting.push(Marker {
            range,
            // Their room is kept for the next marker; ids are rare.
            numbers: numbers.clone(),
            ids: mem::take(ids),
            lines: lines.take(),
            dialect: shape.dialect,
            joined,
        });
    }

    fn release(&mut self, found: &mut Vec<Marker>) {
        if self.brackets.oldest().is_none() {
            found.append(&mut self.waiting);
        }
    }
}

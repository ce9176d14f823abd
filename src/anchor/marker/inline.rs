//! The text of one paragraph: code, tags, links, and the markers outside of them.
//!
//! In: the paragraph as far as it has come. Out: markers, as soon as nothing that may follow can make
//! them code or part of a link. Every construct gets 4 kB to come to its end; then the text behind it
//! is left as it is.

use super::Marker;
use super::brackets::Brackets;
use super::context::{Context, REACH};
use super::edges::Edges;
use super::grammar::{self, Read, Shape};
use super::page::{Page, closing_run, next_token};
use super::scan::WINDOW;
use super::{html, link};

/// What protects text without being settled.
#[derive(Clone, Copy, Default)]
enum Guard {
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
pub(super) struct Inline {
    /// How far all is decided, but for markers that wait for a bracket to close.
    at: usize,
    brackets: Brackets,
    waiting: Vec<Marker>,
    guard: Guard,
    /// Runs of backticks, and kinds of markup, that nothing closes any more.
    missing_runs: Vec<usize>,
    missing_ends: [bool; 4],
    /// How far the end of the code at `at` was looked for.
    searched: usize,
    edges: Edges,
}

impl Inline {
    pub(super) fn new(at: usize) -> Self {
        Self {
            at,
            brackets: Brackets::default(),
            waiting: Vec::new(),
            guard: Guard::None,
            missing_runs: Vec::new(),
            missing_ends: [false; 4],
            searched: 0,
            edges: Edges::none(),
        }
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

    /// Reads on, as far as the page goes.
    pub(super) fn step(&mut self, page: &Page<'_>, found: &mut Vec<Marker>) {
        while self.at < page.limit && self.pass_guard(page) {
            // While a bracket is open nobody looks behind its deadline.
            let deadline = self.brackets.oldest().map(|at| at + WINDOW);
            let past = deadline.filter(|deadline| *deadline <= page.limit);
            let view = past.map_or(*page, |limit| Page { limit, complete: false, ..*page });
            let next = next_token(view.window.slice(self.at, view.limit));
            self.at = next.map_or(view.limit, |offset| self.at + offset).max(self.at);
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
        match page.window.slice(self.at, page.limit).chars().next() {
            None => Flow::On,
            Some('\\') => self.escape(page),
            Some('`') => self.code(page),
            Some('<') => self.tag(page),
            Some(']') => self.close(page),
            Some(character) if grammar::opens(character) => self.marker(page, character),
            Some(character) => self.skip(character.len_utf8()),
        }
    }

    fn skip(&mut self, length: usize) -> Flow {
        self.at += length;
        self.searched = 0;
        Flow::On
    }

    fn escape(&mut self, page: &Page<'_>) -> Flow {
        let Some(next) = page.byte(self.at + 1) else { return Flow::Wait };
        if next.is_some_and(|byte| byte.is_ascii_punctuation()) {
            self.skip(1);
            self.edges.escape = self.at + 1;
        }
        self.skip(1)
    }

    /// Whether anything is left behind what is protected.
    fn pass_guard(&mut self, page: &Page<'_>) -> bool {
        match self.guard {
            Guard::None => return true,
            Guard::Rest => self.at = page.limit,
            Guard::Run(length) => match closing_run(page, self.at, page.limit, length) {
                Ok(end) => {
                    self.at = end;
                    self.guard = Guard::None;
                }
                Err(resume) => {
                    self.at = if page.complete { page.limit } else { resume };
                    return false;
                }
            },
        }
        self.at < page.limit
    }

    /// Leaves the rest of the paragraph, and the markers in doubt, as they are.
    pub(super) fn give_up(&mut self) -> Flow {
        self.waiting.clear();
        self.brackets = Brackets::default();
        self.guard = Guard::Rest;
        Flow::On
    }

    fn code(&mut self, page: &Page<'_>) -> Flow {
        let (text, ended) = page.ahead(self.at, WINDOW);
        let run = text.bytes().take_while(|byte| *byte == b'`').count();
        if run >= WINDOW {
            return self.give_up();
        }
        if run == text.len() && !ended {
            return Flow::Wait;
        }
        if self.missing_runs.contains(&run) {
            return self.skip(run);
        }
        let from = self.searched.max(self.at + run);
        match closing_run(page, from, page.limit.min(self.at + WINDOW), run) {
            Ok(end) => self.skip(end - self.at),
            Err(resume) if page.is_past(self.at) => {
                self.guard = Guard::Run(run);
                self.skip(resume - self.at)
            }
            Err(_) if page.complete => {
                self.missing_runs.push(run);
                self.skip(run)
            }
            Err(resume) => {
                self.searched = resume;
                Flow::Wait
            }
        }
    }

    fn tag(&mut self, page: &Page<'_>) -> Flow {
        let (text, ended) = page.ahead(self.at, WINDOW);
        let missing = html::endless_kind(text).and_then(|kind| self.missing_ends.get_mut(kind));
        if missing.as_ref().is_some_and(|missing| **missing) {
            return self.skip(1);
        }
        match html::tag(text, ended) {
            Some(Some(length)) => self.skip(length),
            Some(None) => {
                if let Some(missing) = missing {
                    *missing = ended;
                }
                self.skip(1)
            }
            None if page.is_past(self.at) => self.give_up(),
            None => Flow::Wait,
        }
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

    fn marker(&mut self, page: &Page<'_>, first: char) -> Flow {
        let (text, ended) = page.ahead(self.at, 4 * WINDOW);
        let image = self.edges.escape != self.at && page.window.before(self.at, 1) == "!";
        let shape = match grammar::read(text, ended) {
            Read::More => return Flow::Wait,
            Read::Marker(shape) => shape,
            Read::Not(offset) => {
                self.edges.nested = self.at + offset;
                if first == '[' {
                    self.brackets.push(self.at, image);
                }
                return self.skip(first.len_utf8());
            }
        };
        let end = self.at + shape.length;
        if first == '[' {
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
            Some(true) if !listed => self.citation(shape),
            Some(_) => self.edges.refuse(end, first == '[', listed),
        }
        self.skip(end - self.at)
    }

    fn context<'t>(&self, page: &Page<'t>, end: usize) -> Context<'t> {
        let after = page.window.slice(end, page.limit.min(end + REACH));
        Context {
            before: page.window.before(self.at, REACH),
            after,
            ended: page.complete || page.limit >= end + REACH,
            behind_citation: self.edges.citation == self.at,
            behind_link: self.edges.link == self.at,
            behind_bracket: self.edges.bracket == self.at,
            known: page.known,
        }
    }

    fn citation(&mut self, shape: Shape) {
        let joined = [self.edges.link, self.edges.citation].contains(&self.at);
        self.edges.citation = self.at + shape.length;
        if shape.is_flag() {
            return;
        }
        let Shape { length, numbers, ids, lines, dialect } = shape;
        let range = self.at..self.at + length;
        self.waiting.push(Marker { range, numbers, ids, lines, dialect, joined });
    }

    fn release(&mut self, found: &mut Vec<Marker>) {
        if self.brackets.oldest().is_none() {
            found.append(&mut self.waiting);
        }
    }
}

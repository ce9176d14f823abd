//! The text of one paragraph: code, tags, links, and the markers outside of them.
//!
//! In: the paragraph as far as it has come. Out: markers, as soon as nothing that may follow can make
//! them code or part of a link. Every construct gets 4 kB to come to its end; then the text behind it
//! is left as it is.

use super::Marker;
use super::brackets::Brackets;
use super::context::{Context, REACH};
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
enum Flow {
    On,
    /// More text must come.
    Wait,
}

/// The state of reading one paragraph.
#[derive(Default)]
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
    /// A marker here is a piece of something that looks like one.
    nested: usize,
    /// Where the last citation, the last other bracket and the last escape ended.
    citation_end: usize,
    bracket_end: usize,
    escape_end: usize,
}

impl Inline {
    pub(super) fn new(at: usize) -> Self {
        let nowhere = usize::MAX;
        Self {
            at,
            nested: nowhere,
            citation_end: nowhere,
            bracket_end: nowhere,
            escape_end: nowhere,
            ..Self::default()
        }
    }

    /// Up to where all is decided.
    pub(super) fn settled(&self) -> usize {
        self.waiting.first().map_or(self.at, |marker| marker.range.start.min(self.at))
    }

    /// Reads on, as far as the page goes.
    pub(super) fn step(&mut self, page: &Page<'_>, found: &mut Vec<Marker>) {
        while self.at < page.limit && self.pass_guard(page) {
            let next = next_token(page.window.slice(self.at, page.limit));
            let next = next.map_or(page.limit, |offset| self.at + offset);
            let deadline = self.brackets.oldest().map(|at| at + WINDOW);
            if deadline.is_some_and(|deadline| next >= deadline && page.limit >= deadline) {
                self.give_up();
                continue;
            }
            self.at = next;
            if self.token(page) == Flow::Wait {
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
            self.escape_end = self.at + 1;
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
    fn give_up(&mut self) -> Flow {
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
            Err(_) if page.is_past(self.at) && self.brackets.oldest().is_some() => self.give_up(),
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
        if let Some(length) = length {
            let inside = self.waiting.partition_point(|marker| marker.range.start < bracket.at);
            self.waiting.truncate(inside);
            self.brackets.end_link(bracket.image);
            self.skip(length);
        }
        self.bracket_end = self.at + 1;
        self.skip(1)
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
        let image = self.escape_end != self.at && page.window.before(self.at, 1) == "!";
        let shape = match grammar::read(text, ended) {
            Read::More => return Flow::Wait,
            Read::Marker(shape) => shape,
            Read::Not(offset) => {
                self.nested = self.at + offset;
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
                    return self.skip(shape.length + length);
                }
                Ok(None) => {}
            }
        }
        match self.context(page, end).accepts(&shape) {
            None => return Flow::Wait,
            Some(true) if self.nested != self.at => self.citation(shape),
            Some(_) => self.bracket_end = end,
        }
        self.skip(end - self.at)
    }

    fn context<'t>(&self, page: &Page<'t>, end: usize) -> Context<'t> {
        let after = page.window.slice(end, page.limit.min(end + REACH));
        Context {
            before: page.window.before(self.at, REACH),
            after,
            ended: page.complete || page.limit >= end + REACH,
            behind_citation: self.citation_end == self.at,
            behind_bracket: self.bracket_end == self.at,
            known: page.known,
        }
    }

    fn citation(&mut self, shape: Shape) {
        let Shape { length, numbers, ids, lines, dialect } = shape;
        let range = self.at..self.at + length;
        self.citation_end = range.end;
        self.waiting.push(Marker { range, numbers, ids, lines, dialect });
    }

    fn release(&mut self, found: &mut Vec<Marker>) {
        if self.brackets.oldest().is_none() {
            found.append(&mut self.waiting);
        }
    }
}

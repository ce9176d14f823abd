//! A text read once, in pieces of any size.

use super::Marker;
use super::block::{Blocks, Line};
use super::inline::Inline;
use super::page::{Page, is_plain};
use crate::model::span::{ceil, floor};

/// How much text a construct gets to come to its end.
pub(super) const WINDOW: usize = 4096;

/// The part of a text that is at hand. Positions count from the start of the whole text.
#[derive(Clone, Copy)]
pub(super) struct Window<'t> {
    text: &'t str,
    base: usize,
}

impl<'t> Window<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, base: 0 }
    }

    /// The part of a text that starts at `base`.
    pub(super) fn from(base: usize, text: &'t str) -> Self {
        Self { text, base }
    }

    pub(super) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    /// The text from a position on.
    pub(super) fn rest(&self, at: usize) -> &'t str {
        self.text.get(at.saturating_sub(self.base)..).unwrap_or_default()
    }

    /// The byte at a position.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at.checked_sub(self.base)?).copied()
    }

    /// The text between two positions; a character that the second cuts is left out.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        let rest = self.rest(from);
        let length = to.saturating_sub(from.max(self.base));
        if length >= rest.len() {
            return rest;
        }
        rest.get(..floor(rest, length)).unwrap_or_default()
    }

    /// Up to `length` bytes before a position; a character that this cuts is left out.
    pub(super) fn before(&self, at: usize, length: usize) -> &'t str {
        let at = at.saturating_sub(self.base);
        let from = ceil(self.text, at.saturating_sub(length));
        self.text.get(from..at).unwrap_or_default()
    }
}

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The start of a line.
    Start,
    /// A line that is left as it is.
    Solid,
    /// A line of text.
    Text,
}

/// Finds the markers of a text.
pub(super) struct Scanner {
    known: Option<usize>,
    blocks: Blocks,
    /// The paragraph, if one is open.
    inline: Inline,
    is_open: bool,
    /// How far lines are read.
    at: usize,
    place: Place,
}

impl Scanner {
    pub(super) fn new(known: Option<usize>) -> Self {
        let (blocks, inline) = (Blocks::default(), Inline::default());
        Self { known, blocks, inline, is_open: false, at: 0, place: Place::Start }
    }

    /// Up to where all markers are found.
    pub(super) fn settled(&self) -> usize {
        if self.is_open { self.inline.settled() } else { self.at }
    }

    /// Goes past a piece that neither ends a line nor holds anything that means something, as most do;
    /// false when it must be read.
    pub(super) fn pass_plain(&mut self, piece: &str) -> bool {
        let passes = match self.place {
            Place::Start => false,
            Place::Solid => !first_line(piece).1,
            Place::Text => {
                self.is_open && is_plain(piece) && self.inline.pass(self.at, piece.len())
            }
        };
        if passes {
            self.at += piece.len();
        }
        passes
    }

    /// Reads on as far as the text goes, or up to the end of a line once there is something in `found`; true where it stops
    /// for that. So whoever takes it out need not have room for the markers of all paragraphs. `complete` says that nothing
    /// follows.
    pub(super) fn scan(
        &mut self,
        window: Window<'_>,
        complete: bool,
        found: &mut Vec<Marker>,
    ) -> bool {
        while self.at < window.end() {
            let goes_on = match self.place {
                Place::Start => self.start(window, complete, found),
                Place::Solid | Place::Text => self.line(window),
            };
            if !goes_on {
                break;
            }
            if !found.is_empty() {
                return true;
            }
        }
        if complete {
            self.end_paragraph(window, found);
        } else {
            self.step(window, false, found);
        }
        false
    }

    /// Reads the start of a line; false when more of it must come.
    fn start(&mut self, window: Window<'_>, complete: bool, found: &mut Vec<Marker>) -> bool {
        let rest = window.rest(self.at);
        // The second half of a line end.
        if rest.starts_with('\n') && window.byte(self.at.wrapping_sub(1)) == Some(b'\r') {
            self.at += 1;
            return true;
        }
        let (line, ended) = first_line(rest);
        self.give_up_above(window, line.len(), found);
        let ended = ended || (complete && line.len() == rest.len());
        let read = if line.len() < WINDOW {
            self.blocks.read(line, ended)
        } else {
            self.blocks.read(window.slice(self.at, self.at + WINDOW), false)
        };
        match read {
            None if line.len() < WINDOW => return false,
            // Whatever it is, nobody writes so.
            None | Some(Line::Solid) => {
                self.end_paragraph(window, found);
                self.place = Place::Solid;
            }
            Some(Line::Text { at, continues }) => {
                if !continues {
                    self.end_paragraph(window, found);
                }
                if !self.is_open {
                    self.inline.start(self.at + at);
                    self.is_open = true;
                }
                self.place = Place::Text;
            }
        }
        let length = line.len();
        self.pass(length, length < rest.len())
    }

    /// What is open above a line has until its deadline, also when nobody can say by then what the
    /// line is.
    fn give_up_above(&mut self, window: Window<'_>, length: usize, found: &mut Vec<Marker>) {
        let end = self.at + length;
        if !self.is_open || end < self.inline.oldest() + WINDOW {
            return;
        }
        self.step(window, false, found);
        let Some(deadline) = self.inline.deadline(self.at).filter(|deadline| *deadline <= end)
        else {
            return;
        };
        let known = window.slice(self.at, deadline);
        if self.blocks.clone().read(known, false).is_none() {
            self.inline.give_up();
        }
    }

    /// Reads a line to its end; false when that is not there yet.
    fn line(&mut self, window: Window<'_>) -> bool {
        let (line, ended) = first_line(window.rest(self.at));
        self.pass(line.len(), ended)
    }

    /// Goes past so much of a line, and its end if it has one.
    fn pass(&mut self, length: usize, ended: bool) -> bool {
        self.at += length + usize::from(ended);
        if ended {
            self.place = Place::Start;
        }
        ended
    }

    fn step(&mut self, window: Window<'_>, complete: bool, found: &mut Vec<Marker>) {
        if self.is_open {
            let page = Page { window, limit: self.at, complete, known: self.known };
            self.inline.step(&page, found);
        }
    }

    fn end_paragraph(&mut self, window: Window<'_>, found: &mut Vec<Marker>) {
        self.step(window, true, found);
        self.is_open = false;
    }
}

/// A line without its end, and whether it has one.
fn first_line(text: &str) -> (&str, bool) {
    match memchr::memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(end) => (text.get(..end).unwrap_or_default(), true),
        None => (text, false),
    }
}

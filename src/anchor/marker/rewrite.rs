//! A text with its markers replaced, piece by piece.

use super::Marker;
use super::context::REACH;
use super::grammar::{self, Read};
use super::scan::{Scanner, Window};
use super::write::{Replacement, Writer};
use std::mem;

/// `text` with each marker replaced by what `replace` makes of it. `known` is how many sources there
/// are, where that is known.
pub fn rewrite(
    text: &str,
    known: Option<usize>,
    mut replace: impl FnMut(&Marker, &str) -> Replacement,
) -> String {
    let mut rewriter = Rewriter::new(known, true);
    let mut out = rewriter.push(text, &mut replace);
    out.push_str(&rewriter.finish(&mut replace));
    out
}

/// How much text is let go of at least, so that it does not move with every piece.
const KEPT: usize = 1024;

/// Replaces the markers of a text that comes in pieces.
pub(super) struct Rewriter {
    scanner: Scanner,
    writer: Writer,
    /// The text that is still needed, and where it starts.
    text: String,
    base: usize,
    /// Up to where text was handed to the writer.
    written: usize,
    found: Vec<Marker>,
}

impl Rewriter {
    /// `may_remove` says whether any marker may go: then blanks wait for what follows them.
    pub(super) fn new(known: Option<usize>, may_remove: bool) -> Self {
        Self {
            scanner: Scanner::new(known),
            writer: Writer::new(known, may_remove),
            text: String::new(),
            base: 0,
            written: 0,
            found: Vec::new(),
        }
    }

    /// Takes a piece of text and gives what can be shown now.
    pub(super) fn push(
        &mut self,
        delta: &str,
        replace: &mut impl FnMut(&Marker, &str) -> Replacement,
    ) -> String {
        let settled = self.written == self.base + self.text.len();
        self.text.push_str(delta);
        if settled && self.scanner.pass_plain(delta) {
            self.written += delta.len();
            self.writer.text(delta);
        } else {
            self.scan(false, replace);
            self.write_text(self.first_in_doubt());
        }
        self.forget();
        self.writer.take()
    }

    /// The rest, when nothing follows.
    pub(super) fn finish(
        &mut self,
        replace: &mut impl FnMut(&Marker, &str) -> Replacement,
    ) -> String {
        self.scan(true, replace);
        self.write_text(self.base + self.text.len());
        self.writer.finish()
    }

    fn scan(&mut self, complete: bool, replace: &mut impl FnMut(&Marker, &str) -> Replacement) {
        let mut found = mem::take(&mut self.found);
        self.scanner.scan(Window::from(self.base, &self.text), complete, &mut found);
        for marker in found.drain(..) {
            self.write_text(marker.range.start);
            self.written = marker.range.end;
            let window = Window::from(self.base, &self.text);
            let raw = window.slice(marker.range.start, marker.range.end);
            self.writer.marker(raw, replace(&marker, raw), marker.joined);
        }
        self.found = found;
    }

    fn write_text(&mut self, to: usize) {
        if to > self.written {
            self.writer.text(Window::from(self.base, &self.text).slice(self.written, to));
            self.written = to;
        }
    }

    /// Where the first thing starts that may still turn out to be a marker.
    fn first_in_doubt(&self) -> usize {
        let window = Window::from(self.base, &self.text);
        let start = self.scanner.settled().max(self.written);
        let text = window.slice(start, window.end());
        let may_be = |at: &usize| {
            let marker = text.get(*at..).unwrap_or_default();
            !matches!(grammar::read(marker, false), Read::Not(_))
        };
        let opening = text.char_indices().filter(|(_, one)| grammar::opens(*one));
        opening.map(|(at, _)| at).find(may_be).map_or(window.end(), |at| start + at)
    }

    /// Lets go of text that nobody looks at any more, when that is most of it.
    fn forget(&mut self) {
        let needed = self.scanner.settled().min(self.written).saturating_sub(2 * REACH);
        let done = needed.saturating_sub(self.base);
        if done > KEPT.max(self.text.len() / 2) && self.text.is_char_boundary(done) {
            self.text.drain(..done);
            self.base = needed;
        }
    }
}

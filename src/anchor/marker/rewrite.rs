//! A text with its markers replaced, whole or piece by piece.

use super::Marker;
use super::context::REACH;
use super::grammar::{self, Read};
use super::page::Tokens;
use super::scan::{Scanner, Window};
use super::write::{Replacement, Writer};

/// `text` with each marker replaced by what `replace` makes of it, which writes what it wants to have instead. `known` is
/// how many sources there are, where that is known.
pub fn rewrite(
    text: &str,
    known: Option<usize>,
    mut replace: impl FnMut(&Marker, &mut String) -> Replacement,
) -> String {
    Rewriter::new(known, true).whole(text, String::new(), &mut replace)
}

/// How much text is let go of at least, so that it does not move with every piece.
const KEPT: usize = 1024;

/// Replaces the markers of a text that comes in pieces.
pub(super) struct Rewriter {
    progress: Progress,
    /// The text that is still needed, and where it starts.
    text: String,
    base: usize,
}

/// How far a text is read and written.
struct Progress {
    scanner: Scanner,
    writer: Writer,
    /// Up to where text was handed to the writer.
    written: usize,
    found: Vec<Marker>,
    /// What is written for a marker.
    instead: String,
}

impl Rewriter {
    /// `may_remove` says whether any marker may go: then blanks wait for what follows them.
    pub(super) fn new(known: Option<usize>, may_remove: bool) -> Self {
        let (scanner, writer) = (Scanner::new(known), Writer::new(known, may_remove));
        let (found, instead) = (Vec::new(), String::new());
        let progress = Progress { scanner, writer, written: 0, found, instead };
        Self { progress, text: String::new(), base: 0 }
    }

    /// Takes a whole text, of which no copy is needed, and gives all that becomes of it. `room` is
    /// used to write it.
    pub(super) fn whole(
        mut self,
        text: &str,
        room: String,
        replace: &mut impl FnMut(&Marker, &mut String) -> Replacement,
    ) -> String {
        self.progress.writer.expect(text.len(), room);
        self.progress.scan(Window::of(text), true, replace);
        self.progress.writer.into_text()
    }

    /// Takes a piece of text and gives what can be shown now.
    pub(super) fn push(
        &mut self,
        delta: &str,
        replace: &mut impl FnMut(&Marker, &mut String) -> Replacement,
    ) -> &str {
        self.forget();
        let Self { progress, text, base } = self;
        let settled = progress.written == *base + text.len();
        text.push_str(delta);
        if settled && progress.scanner.pass_plain(delta) {
            progress.written += delta.len();
            progress.writer.text(delta);
        } else {
            progress.scan(Window::from(*base, text), false, replace);
        }
        progress.writer.take()
    }

    /// The rest, when nothing follows.
    pub(super) fn finish(
        &mut self,
        replace: &mut impl FnMut(&Marker, &mut String) -> Replacement,
    ) -> &str {
        self.progress.scan(Window::from(self.base, &self.text), true, replace);
        self.progress.writer.finish()
    }

    /// Lets go of text that nobody looks at any more, when that is most of it.
    fn forget(&mut self) {
        self.progress.writer.forget();
        if self.text.len() <= KEPT {
            return;
        }
        let Progress { scanner, written, .. } = &self.progress;
        let needed = scanner.settled().min(*written).saturating_sub(2 * REACH);
        let done = needed.saturating_sub(self.base);
        if done > KEPT.max(self.text.len() / 2) && self.text.is_char_boundary(done) {
            self.text.drain(..done);
            self.base = needed;
        }
    }
}

impl Progress {
    /// Reads and writes on, as far as nothing is in doubt. `complete` says that nothing follows.
    fn scan(
        &mut self,
        window: Window<'_>,
        complete: bool,
        replace: &mut impl FnMut(&Marker, &mut String) -> Replacement,
    ) {
        let mut goes_on = true;
        while goes_on {
            goes_on = self.scanner.scan(window, complete, &mut self.found);
            for marker in self.found.drain(..) {
                self.writer.text(window.slice(self.written, marker.range.start));
                self.written = marker.range.end;
                self.instead.clear();
                let replacement = replace(&marker, &mut self.instead);
                let raw = window.slice(marker.range.start, marker.range.end);
                self.writer.marker(raw, replacement, &self.instead, marker.joined);
            }
        }
        let end = if complete { window.end() } else { self.first_in_doubt(window) };
        if end > self.written {
            self.writer.text(window.slice(self.written, end));
            self.written = end;
        }
    }

    /// Where the first thing starts that may still turn out to be a marker.
    fn first_in_doubt(&self, window: Window<'_>) -> usize {
        let text = window.rest(self.scanner.settled().max(self.written));
        let mut tokens = Tokens::<false>::of(text);
        let mut from = 0;
        while let Some(at) = tokens.next(from) {
            let token = text.get(at..).unwrap_or_default();
            if grammar::may_start(token) && !matches!(grammar::read(token, false), Read::Not(_)) {
                return window.end() - token.len();
            }
            from = at + 1;
        }
        window.end()
    }
}

//! Text and what replaces its markers, put together with the blanks in their places.
//!
//! A marker that goes takes the blanks before it along where a blank, a line end or punctuation
//! follows; at the start of a line it takes those behind it. Two words that it kept apart stay apart.
//! Where its going would turn what follows into a list, a heading or a fence, it stays.

use super::line::{is_marks, opens_block};

/// What becomes of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// It stays as it is.
    Keep,
    /// This is written instead. A blank keeps it from what would make it a link.
    Text(String),
    /// Raised numbers, which are kept apart from raised numbers and digits before them.
    Raised(String),
    /// It goes, and blanks are repaired.
    Remove,
}

/// The most blanks, and bytes of markers that went, that are remembered.
const REMEMBERED: usize = 64;

/// A marker that went, until what follows says what becomes of the blanks.
struct Gone {
    /// The marker, while it may come back.
    raw: Option<String>,
    ahead: String,
}

/// Puts a text together, piece by piece; how it is cut makes no difference.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    may_remove: bool,
    /// Blanks at the end, which a marker that goes may take along.
    blanks: String,
    gone: Option<Gone>,
    /// The character before the blanks.
    last: Option<char>,
    /// The start of the line, without those blanks.
    line: String,
    /// What was written last.
    wrote: Wrote,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Wrote {
    #[default]
    Text,
    /// A marker that ends in a bracket.
    Bracket,
}

/// What becomes of the blanks around a marker that went.
enum Repair {
    /// Those before it go too.
    Drop,
    Keep,
    /// A blank takes its place.
    Part,
    /// So many bytes behind it go.
    Skip(usize),
    /// So many bytes behind it go, and the blanks before it: nothing is left of the line.
    Line(usize),
    /// It does not go.
    Stay,
}

impl Writer {
    /// A writer for markers of which some may go.
    pub(super) fn new(may_remove: bool) -> Self {
        Self { may_remove, ..Self::default() }
    }

    /// What is ready.
    pub(super) fn take(&mut self) -> String {
        if !self.may_remove && !self.blanks.is_empty() {
            self.last = self.blanks.pop();
            self.out.push_str(&std::mem::take(&mut self.blanks));
            self.out.extend(self.last);
        }
        std::mem::take(&mut self.out)
    }

    pub(super) fn text(&mut self, text: &str) {
        let mut characters = text.chars();
        // One character after the other, so that a piece decides what its start decides.
        while let Some(gone) = &mut self.gone {
            let Some(next) = characters.next() else { return };
            gone.ahead.push(next);
            self.decide(false);
        }
        self.plain(characters.as_str());
    }

    pub(super) fn marker(&mut self, raw: &str, replacement: Replacement) {
        let only_blanks = |gone: &Gone| gone.ahead.chars().all(is_blank);
        match replacement {
            Replacement::Remove => {
                if !self.gone.as_ref().is_some_and(only_blanks) {
                    self.decide_before(raw);
                }
                self.remove(raw);
            }
            Replacement::Keep => {
                self.decide_before(raw);
                self.plain(raw);
            }
            Replacement::Text(text) => {
                self.decide_before(&text);
                self.plain(&text);
                self.wrote = if text.ends_with(']') { Wrote::Bracket } else { Wrote::Text };
            }
            Replacement::Raised(text) => {
                self.decide_before(&text);
                match self.last.filter(|_| self.blanks.is_empty()) {
                    Some(last) if super::raised::superscript(last).is_some() => self.plain(","),
                    // Behind a digit it would be an exponent.
                    Some(last) if last.is_ascii_digit() => self.plain("\u{202f}"),
                    _ => {}
                }
                self.plain(&text);
            }
        }
    }

    /// Nothing follows.
    pub(super) fn finish(&mut self) {
        self.decide(true);
        self.out.push_str(&std::mem::take(&mut self.blanks));
    }

    fn remove(&mut self, raw: &str) {
        let may_stay = !self.has_text();
        if let Some(gone) = &mut self.gone {
            let length = gone.ahead.len() + raw.len();
            gone.raw = gone.raw.take().filter(|seen| seen.len() + length <= REMEMBERED);
            if let Some(seen) = &mut gone.raw {
                seen.push_str(&gone.ahead);
                seen.push_str(raw);
            }
            gone.ahead.clear();
            return;
        }
        self.gone = Some(Gone { raw: may_stay.then(|| raw.to_owned()), ahead: String::new() });
    }

    /// Decides about a marker that went before something else is written.
    fn decide_before(&mut self, text: &str) {
        if let Some(gone) = &mut self.gone {
            let own = gone.ahead.len();
            gone.ahead.push_str(text);
            if let Some((gone, repair)) = self.decided(true) {
                let ahead = gone.ahead.get(..own).unwrap_or_default().to_owned();
                self.repair(&Gone { ahead, ..gone }, &repair);
            }
        }
    }

    fn decide(&mut self, ended: bool) {
        if let Some((gone, repair)) = self.decided(ended) {
            self.repair(&gone, &repair);
        }
    }

    fn decided(&mut self, ended: bool) -> Option<(Gone, Repair)> {
        let gone = self.gone.as_ref()?;
        let ended = ended || gone.ahead.len() >= REMEMBERED;
        let repair = if self.has_text() {
            self.repair_in_line(&gone.ahead, ended)?
        } else {
            self.repair_at_start(gone, ended)?
        };
        self.gone.take().map(|gone| (gone, repair))
    }

    fn repair(&mut self, gone: &Gone, repair: &Repair) {
        let mut ahead = gone.ahead.as_str();
        match repair {
            Repair::Drop => self.blanks.clear(),
            Repair::Keep => {}
            Repair::Part => self.plain(" "),
            Repair::Line(count) => {
                self.blanks.clear();
                ahead = ahead.get(*count..).unwrap_or_default();
            }
            Repair::Skip(count) => ahead = ahead.get(*count..).unwrap_or_default(),
            Repair::Stay => self.plain(gone.raw.as_deref().unwrap_or_default()),
        }
        self.plain(ahead);
    }

    fn repair_in_line(&self, ahead: &str, ended: bool) -> Option<Repair> {
        let Some(next) = ahead.chars().next() else { return ended.then_some(Repair::Drop) };
        let last = self.last.filter(|_| self.blanks.is_empty());
        let one_word = last.is_some_and(is_part_of_word) && is_part_of_word(next);
        // Two of them that meet would be another mark.
        let one_run = last == Some(next) && "`*_~#-=+<>|".contains(next);
        Some(if next.is_whitespace() || ".,;:!?)…。，、；：！？）".contains(next) {
            Repair::Drop
        } else if one_word || one_run {
            Repair::Part
        } else {
            Repair::Keep
        })
    }

    /// At the start of a line, what follows must not become a block of its own.
    fn repair_at_start(&self, gone: &Gone, ended: bool) -> Option<Repair> {
        let rest = gone.ahead.trim_start_matches(is_blank);
        let blanks = gone.ahead.len() - rest.len();
        let mut next = rest.chars();
        match next.next() {
            None if !ended => None,
            // A line of its own goes with its end: an empty line would part the paragraph.
            Some('\n') if self.line.is_empty() && self.last.is_some() => {
                Some(Repair::Line(blanks + 1))
            }
            Some('\r') if self.line.is_empty() && self.last.is_some() => match next.next() {
                None if !ended => None,
                Some('\n') => Some(Repair::Line(blanks + 2)),
                _ => Some(Repair::Line(blanks + 1)),
            },
            _ if gone.raw.is_some() && opens_block(rest, ended)? => Some(Repair::Stay),
            _ => Some(Repair::Skip(blanks)),
        }
    }

    fn has_text(&self) -> bool {
        self.line.len() > REMEMBERED || !is_marks(&self.line)
    }

    fn remember_line(&mut self, text: &str) {
        let line = text.rsplit(['\n', '\r']).next().unwrap_or_default();
        if line.len() < text.len() {
            self.line.clear();
        }
        if self.line.len() <= REMEMBERED {
            self.line.extend(line.chars().take(REMEMBERED + 1));
        }
    }

    /// Writes text as it is, but for blanks at its end.
    fn plain(&mut self, text: &str) {
        let wrote = std::mem::take(&mut self.wrote);
        // `[1](` would open a link.
        if wrote == Wrote::Bracket && self.blanks.is_empty() && text.starts_with('(') {
            self.blanks.push(' ');
        } else if text.is_empty() {
            self.wrote = wrote;
        }
        let trimmed = text.trim_end_matches(is_blank);
        if !trimmed.is_empty() {
            let blanks = std::mem::take(&mut self.blanks);
            self.remember_line(&blanks);
            self.out.push_str(&blanks);
            self.out.push_str(trimmed);
            self.last = trimmed.chars().next_back();
            self.remember_line(trimmed);
        }
        self.blanks.push_str(text.get(trimmed.len()..).unwrap_or_default());
        let extra = self.blanks.len().saturating_sub(REMEMBERED);
        self.out.extend(self.blanks.drain(..extra));
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Whether two of these next to each other read as one word. Scripts without case have no blanks to
/// lose.
fn is_part_of_word(character: char) -> bool {
    character.is_lowercase() || character.is_uppercase() || character.is_ascii_digit()
}

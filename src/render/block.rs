//! The block of sources as rows of segments. Every terminal form is written from these.

use super::label::{Entry, HEADER, remainder};
use super::select::select;
use super::wrap::{columns, rows};
use super::{Numbered, Options};
use crate::clean::url::is_linkable;

/// Rows narrower than this are not worth wrapping: a number, a gap and a word no longer fit.
const NARROWEST: usize = 20;

/// A piece of a row, all of it linked or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What to print.
    pub text: String,
    /// Where it leads.
    pub url: Option<String>,
}

/// One line of the screen.
pub type Row = Vec<Segment>;

/// Whoever writes the rows down.
pub(super) trait Paper {
    /// More text on this row, leading to `url`.
    fn segment(&mut self, text: &str, url: Option<&str>);
    /// On to the next row.
    fn end_row(&mut self);
}

/// The block as rows of segments.
pub fn layout(sources: &[Numbered<'_, '_>], options: Options) -> Vec<Row> {
    struct Rows(Vec<Row>);
    impl Paper for Rows {
        fn segment(&mut self, text: &str, url: Option<&str>) {
            let Some(row) = self.0.last_mut() else { return };
            match row.last_mut() {
                Some(Segment { text: before, url: None }) if url.is_none() => before.push_str(text),
                _ => row.push(Segment { text: text.to_owned(), url: url.map(str::to_owned) }),
            }
        }
        fn end_row(&mut self) {
            self.0.push(Row::new());
        }
    }
    if sources.is_empty() {
        return Vec::new();
    }
    let mut paper = Rows(vec![Row::new()]);
    write(sources, options, true, &mut paper);
    paper.0
}

/// Writes the block. An address that is no link is not broken: half an address helps nobody.
pub(super) fn write(
    sources: &[Numbered<'_, '_>],
    options: Options,
    linked: bool,
    paper: &mut impl Paper,
) {
    let width = options.width.map(|width| width.max(NARROWEST));
    let (listed, hidden) = select(sources, options.max_sources);
    paper.segment(HEADER, None);
    for listed in listed {
        paper.end_row();
        let mut digits = [0; 20];
        let entry = Entry::of(listed.source, options.show_excerpts);
        let mut line = Line::new(paper, width);
        line.label("  ");
        line.label(decimal(listed.number, &mut digits));
        line.label(". ");
        line.entry(&entry, linked);
    }
    if hidden > 0 {
        paper.end_row();
        paper.segment(&remainder(hidden), None);
    }
}

/// A number's digits, without the detour over formatting.
pub(super) fn decimal(number: usize, digits: &mut [u8; 20]) -> &str {
    // Most have one digit.
    if let Some(digit) = "0123456789".get(number..=number) {
        return digit;
    }
    let mut rest = number;
    let mut start = digits.len();
    for (at, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        start = at;
        if rest == 0 {
            break;
        }
    }
    digits.get(start..).and_then(|digits| str::from_utf8(digits).ok()).unwrap_or_default()
}

/// A logical line that may take several rows, each indented under its first word.
struct Line<'p, P> {
    paper: &'p mut P,
    indent: usize,
    used: usize,
    /// A space is due, unless the row ends first.
    gap: bool,
    width: Option<usize>,
}

impl<'p, P: Paper> Line<'p, P> {
    fn new(paper: &'p mut P, width: Option<usize>) -> Self {
        Self { paper, indent: 0, used: 0, gap: false, width }
    }

    /// What stands before the text; later rows start where it ends.
    fn label(&mut self, label: &str) {
        self.paper.segment(label, None);
        // Labels are digits, dots and spaces.
        self.indent += label.len();
        self.used = self.indent;
    }

    fn entry(&mut self, entry: &Entry<'_>, linked: bool) {
        let target = entry.url.filter(|url| linked && is_linkable(url));
        if let Some(title) = &entry.title {
            self.text(title, target.filter(|_| !entry.misleading));
            self.place(entry);
        }
        if let Some(url) = entry.url {
            match (entry.title.is_some(), self.width) {
                (false, _) => {}
                (true, None) => self.paper.segment(" — ", None),
                (true, Some(_)) => {
                    self.gap = true;
                    self.text("—", None);
                    self.gap = true;
                }
            }
            match target {
                Some(_) => self.text(url, target),
                None => self.unbroken(url),
            }
            if entry.title.is_none() {
                self.place(entry);
            }
        }
        let indent = self.indent;
        for (index, excerpt) in entry.excerpts.iter().enumerate() {
            if index == 0 && entry.url.is_none() {
                self.text(":", None);
            }
            self.indent = indent;
            self.next_row();
            self.label("> ");
            self.quoted(excerpt);
        }
    }

    /// Prints words between quotation marks, which stay with the words where the row ends.
    fn quoted(&mut self, words: &str) {
        if self.width.is_some() {
            return self.text(&["\"", words, "\""].concat(), None);
        }
        for piece in ["\"", words, "\""] {
            self.paper.segment(piece, None);
        }
    }

    fn place(&mut self, entry: &Entry<'_>) {
        if !entry.place.is_empty() {
            self.gap = true;
            self.text(&entry.place, None);
        }
    }

    /// Prints text, broken where the row ends.
    fn text(&mut self, text: &str, url: Option<&str>) {
        let Some(width) = self.width else {
            self.print_gap();
            return self.paper.segment(text, url);
        };
        let rest = width.saturating_sub(self.indent).max(1);
        let first = width.saturating_sub(self.used + usize::from(self.gap));
        for (index, range) in rows(text, first, rest).into_iter().enumerate() {
            if index > 0 {
                self.next_row();
            }
            if let Some(piece) = text.get(range).filter(|piece| !piece.is_empty()) {
                self.print_gap();
                self.paper.segment(piece, url);
                self.used += columns(piece);
            }
        }
    }

    /// Prints a word that must stay whole, on a row of its own if it has to.
    fn unbroken(&mut self, word: &str) {
        let wide = columns(word) + usize::from(self.gap);
        if self.width.is_some_and(|width| self.used > self.indent && self.used + wide > width) {
            self.next_row();
        }
        self.print_gap();
        self.paper.segment(word, None);
        self.used += columns(word);
    }

    /// The space that was due before what is printed now.
    fn print_gap(&mut self) {
        if std::mem::take(&mut self.gap) {
            self.paper.segment(" ", None);
            self.used += 1;
        }
    }

    fn indentation(&mut self) {
        const SPACES: &str = "                ";
        match SPACES.get(..self.indent) {
            Some(spaces) => self.paper.segment(spaces, None),
            None => self.paper.segment(&" ".repeat(self.indent), None),
        }
    }

    fn next_row(&mut self) {
        self.paper.end_row();
        self.indentation();
        self.used = self.indent;
        self.gap = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for number in [0, 1, 9, 10, 99, 100, 12345, usize::MAX] {
            assert_eq!(decimal(number, &mut [0; 20]), number.to_string());
        }
    }
}

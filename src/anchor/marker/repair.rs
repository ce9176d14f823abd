//! What becomes of the text around a marker that goes.
//!
//! It takes the blanks before it along where a blank, a line end, or punctuation or emphasis that
//! closes follows; at the start of a line it takes those behind it. Parentheses and emphasis around
//! nothing but markers go with them, and so do commas between them. Two words that it kept apart stay
//! apart. Where its going would make a list, a link, code or a rule of what is left, a blank takes its
//! place, or it stays.

use super::grammar;
use super::line::{depends_on_text, is_definition_start, is_marks, opens_block};
use super::tail::{REMEMBERED, Tail, is_blank, is_separators};
use super::write::Writer;
use crate::model::span::ceil;

/// What becomes of the text around a marker that went.
enum Repair {
    /// Text before it goes too, from here on.
    Drop(usize),
    Keep,
    /// A blank takes its place.
    Part,
    /// So many bytes behind it go.
    Skip(usize),
    /// The same, and the blanks before it: nothing is left of the line.
    Line(usize),
    /// It does not go.
    Stay,
}

impl Writer {
    /// Decides about a marker that went, if what follows it says enough.
    pub(super) fn settle_gone(&mut self, ended: bool) {
        if !self.unwrap_gone(ended) {
            return;
        }
        if let Some(repair) = self.repair(ended) {
            self.apply(&repair);
        }
    }

    /// Decides about it before a marker is written.
    pub(super) fn settle_before(&mut self, text: &str) {
        let Some(at) = self.gone.as_ref().map(|gone| gone.at) else { return };
        let ahead = self.ahead();
        if is_separators(ahead) && !ahead.trim_matches(is_blank).is_empty() {
            // What stood between it and the next one goes too.
            let behind_text = Tail::of(self, at).from == at && self.has_text(at);
            let blank = behind_text && ahead.ends_with(is_blank);
            self.out.truncate(at);
            self.out.push_str(if blank { " " } else { "" });
            self.gone = None;
            return;
        }
        let end = self.out.len();
        self.out.push_str(text);
        let repair = self.repair(true);
        self.out.truncate(end);
        if let Some(repair) = repair {
            self.apply(&repair);
        }
    }

    /// Takes along parentheses and emphasis around nothing but markers; false while they may close.
    fn unwrap_gone(&mut self, ended: bool) -> bool {
        let Some(at) = self.gone.as_ref().map(|gone| gone.at) else { return false };
        let opener = Tail::of(self, at).opener;
        let open = self.out.get(opener..at).unwrap_or_default().to_owned();
        let close: String = open.chars().map(closing).collect();
        let ahead = self.ahead();
        let Some(behind) = ahead.strip_prefix(&close).filter(|_| !open.is_empty()) else {
            return ended || ahead.is_empty() || !close.starts_with(ahead);
        };
        // More of the run, or a bracket that is none of ours.
        match behind.chars().next() {
            None if !ended => return false,
            Some(next) if open.ends_with(next) || grammar::opens(next) => return true,
            _ => {}
        }
        self.out.replace_range(at..at + close.len(), "");
        self.out.replace_range(opener..at, "");
        if let Some(gone) = &mut self.gone {
            gone.at = opener;
            gone.wrap(&open, &close);
        }
        true
    }

    fn repair(&self, ended: bool) -> Option<Repair> {
        let gone = self.gone.as_ref()?;
        let ahead = self.ahead();
        let ended = ended || ahead.len() >= REMEMBERED;
        let tail = Tail::of(self, gone.at);
        if self.has_text(gone.at) {
            self.in_line(tail, gone.at, ended)
        } else {
            let stays = gone.raw.is_some();
            self.at_start(tail, gone.at, ended).map(|repair| match repair {
                Repair::Stay if !stays => Repair::Part,
                repair => repair,
            })
        }
    }

    fn apply(&mut self, repair: &Repair) {
        let Some(gone) = self.gone.take() else { return };
        let mut at = gone.at;
        match repair {
            Repair::Keep => {}
            Repair::Drop(from) => {
                self.out.replace_range(*from..at, "");
                at = *from;
            }
            Repair::Part => self.out.insert(at, ' '),
            Repair::Skip(count) => self.out.replace_range(at..at + count, ""),
            Repair::Line(count) => {
                let from = Tail::of(self, at).blanks;
                self.out.replace_range(from..at + count, "");
                at = from;
            }
            Repair::Stay => self.out.insert_str(at, &gone.raw.unwrap_or_default()),
        }
        self.part(at);
    }

    /// Whether the line holds more than marks of lists, quotations and headings before `at`.
    fn has_text(&self, at: usize) -> bool {
        self.line(at).is_none_or(|line| !is_marks(line))
    }

    /// The line up to `at`, if it is short.
    fn line(&self, at: usize) -> Option<&str> {
        let text = self.out.get(..at).unwrap_or_default();
        let near = text.get(ceil(text, at.saturating_sub(REMEMBERED + 1))..).unwrap_or_default();
        match near.rfind(['\n', '\r']) {
            Some(end) => near.get(end + 1..),
            None => (self.whole && near.len() == text.len()).then_some(near),
        }
    }

    fn in_line(&self, tail: Tail, at: usize, ended: bool) -> Option<Repair> {
        let ahead = self.ahead();
        if tail.opener < at {
            return self.behind_opener(at, ended);
        }
        let Some(next) = ahead.chars().next() else {
            return ended.then_some(Repair::Drop(tail.from));
        };
        if is_separators(ahead) && !is_blank(next) && !ended {
            return None;
        }
        let drops = match next {
            _ if next.is_whitespace() => true,
            '*' | '_' | '~' | '"' | '\'' | '”' | '’' | '»' => closes(ahead, ended)?,
            _ => ends_a_part(next),
        };
        let before = self.out.get(..tail.blanks).unwrap_or_default();
        let meets = self.would_mean(before, next);
        let words = before.ends_with(is_part_of_word) && is_part_of_word(next);
        Some(if drops && !meets {
            // A comma between a marker and a word is of the sentence.
            Repair::Drop(if is_blank(next) { tail.blanks } else { tail.from })
        } else if tail.blanks == at && (meets || words) {
            Repair::Part
        } else {
            Repair::Keep
        })
    }

    /// Behind what opens there is neither a blank nor a comma.
    fn behind_opener(&self, at: usize, ended: bool) -> Option<Repair> {
        let ahead = self.ahead();
        if is_separators(ahead) && !ended {
            return None;
        }
        let separates = |one| is_blank(one) || matches!(one, ',' | ';' | '，' | '；' | '、');
        let rest = ahead.trim_start_matches(separates);
        let before = self.out.get(..at).unwrap_or_default();
        let meets = rest.chars().next().is_some_and(|next| self.would_mean(before, next));
        Some(if meets { Repair::Part } else { Repair::Skip(ahead.len() - rest.len()) })
    }

    /// Whether what stands before a marker and what stands behind it would mean something together.
    fn would_mean(&self, before: &str, next: char) -> bool {
        let number = || {
            let line = self.line(before.len()).unwrap_or_default().trim_start_matches(is_blank);
            let number = line.trim_start_matches(['>', '-', '+', '*', ' ', '\t']);
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        match before.chars().next_back() {
            // A marker is kept from them anyway.
            Some(']') if self.last.is_some_and(|last| last.end == before.len()) => false,
            Some(']') => matches!(next, ':' | '(' | '['),
            Some('!') => next == '[',
            Some('<') => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            Some('&') => next.is_ascii_alphanumeric() || next == '#',
            Some(last) if last.is_ascii_digit() => matches!(next, '.' | ')') && number(),
            last => last == Some(next) && "`*_~#-=+<>|".contains(next),
        }
    }

    /// At the start of a line, what follows must not become a block of its own.
    fn at_start(&self, tail: Tail, at: usize, ended: bool) -> Option<Repair> {
        let ahead = self.ahead();
        let rest = ahead.trim_start_matches(is_blank);
        let blanks = ahead.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return ended.then_some(Repair::Skip(blanks));
        };
        if matches!(first, '\n' | '\r') {
            return self.alone(tail, blanks, rest, ended);
        }
        if is_separators(rest) && !ended {
            return None;
        }
        let before = self.out.get(..at).unwrap_or_default();
        let meets = blanks == 0 && self.would_mean(before, first);
        let means = meets || opens_block(rest, ended)? || is_definition_start(rest, ended)?;
        Some(if means { Repair::Stay } else { Repair::Skip(blanks) })
    }

    /// A line of its own goes with its end: an empty line would part the paragraph.
    fn alone(&self, tail: Tail, blanks: usize, rest: &str, ended: bool) -> Option<Repair> {
        let end = match rest.strip_prefix('\r') {
            Some("") if !ended => return None,
            Some(behind) => 1 + usize::from(behind.starts_with('\n')),
            None => 1,
        };
        let next = rest.get(end..).unwrap_or_default();
        let marks = self.line(tail.blanks).unwrap_or_default();
        if depends_on_text(next, !marks.is_empty(), ended)? {
            return Some(Repair::Stay);
        }
        Some(if marks.is_empty() && tail.blanks > 0 {
            Repair::Line(blanks + end)
        } else {
            Repair::Skip(blanks)
        })
    }
}

fn ends_a_part(next: char) -> bool {
    ".,;:!?)]}…。，、；：！？）".contains(next)
}

/// Whether emphasis or quotation marks close here, and do not open.
fn closes(ahead: &str, ended: bool) -> Option<bool> {
    let behind = ahead.trim_start_matches(['*', '_', '~', '"', '\'', '”', '’', '»']);
    match behind.chars().next() {
        None => ended.then_some(true),
        Some(next) => Some(next.is_whitespace() || ends_a_part(next)),
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '（' => '）',
        other => other,
    }
}

/// Whether two of these next to each other read as one word. Scripts without case have no blanks to
/// lose.
fn is_part_of_word(character: char) -> bool {
    character.is_lowercase() || character.is_uppercase() || character.is_ascii_digit()
}

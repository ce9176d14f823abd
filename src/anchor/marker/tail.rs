//! A marker that went, and the text before it that may go along.

use super::write::Writer;
use crate::model::span::ceil;

/// The most bytes before a marker, and of markers that went, that are remembered.
pub(super) const REMEMBERED: usize = 64;

/// A marker that went, until what follows says what becomes of the blanks.
pub(super) struct Gone {
    pub(super) at: usize,
    /// The marker, while it may come back.
    pub(super) raw: Option<String>,
}

impl Gone {
    pub(super) fn new(at: usize, raw: &str) -> Self {
        Self { at, raw: Some(raw.to_owned()) }
    }

    /// Another one goes, with what stands between them.
    pub(super) fn join(&mut self, between: &str, raw: &str) {
        let length = between.len() + raw.len();
        self.raw = self.raw.take().filter(|seen| seen.len() + length <= REMEMBERED);
        if let Some(seen) = &mut self.raw {
            seen.push_str(between);
            seen.push_str(raw);
        }
    }

    /// Parentheses or emphasis around it go too.
    pub(super) fn wrap(&mut self, before: &str, behind: &str) {
        if let Some(raw) = &mut self.raw {
            raw.insert_str(0, before);
            raw.push_str(behind);
        }
    }
}

/// What a marker that goes may take along of the text before it.
#[derive(Clone, Copy)]
pub(super) struct Tail {
    /// A comma behind a marker that stays.
    pub(super) from: usize,
    /// Blanks.
    pub(super) blanks: usize,
    /// A parenthesis or emphasis that opens.
    pub(super) opener: usize,
}

impl Tail {
    /// What stands right before `at`.
    pub(super) fn of(writer: &Writer, at: usize) -> Self {
        let text = writer.out.get(..at).unwrap_or_default();
        let text = text.get(ceil(text, at.saturating_sub(REMEMBERED))..).unwrap_or_default();
        let start = at - text.len();
        let before = text.get(..text.len() - opener(text)).unwrap_or_default();
        let opener = start + before.len();
        let blanks = start + before.trim_end_matches(is_blank).len();
        let comma =
            writer.last.filter(|last| writer.out.get(last.end..blanks).is_some_and(is_separator));
        Self { from: comma.map_or(blanks, |last| last.end), blanks, opener }
    }
}

/// The length of the parenthesis or the emphasis that opens at the end of `text`.
fn opener(text: &str) -> usize {
    let Some(last) = text.chars().next_back() else { return 0 };
    let before = match last {
        '(' | '（' => text.strip_suffix(last).unwrap_or_default(),
        '*' | '_' => text.trim_end_matches(last),
        _ => return 0,
    };
    let opens = match before.chars().next_back() {
        None => true,
        Some(one) => last == '（' || one.is_whitespace() || "([{\"“‘«（".contains(one),
    };
    if opens { text.len() - before.len() } else { 0 }
}

/// Whether nothing but blanks, with at most one separator among them, stands here.
pub(super) fn is_separators(text: &str) -> bool {
    let rest = text.trim_matches(is_blank);
    rest.is_empty() || is_separator(rest)
}

fn is_separator(text: &str) -> bool {
    matches!(text, "," | ";" | "，" | "；" | "、")
}

pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{a0}' | '\u{202f}')
}

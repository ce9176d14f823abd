//! Where the last of each kind of thing ended in a paragraph.

use super::context::{Behind, REACH};
use super::page::Page;

/// Positions, by what ended there.
pub(super) struct Edges {
    pub(super) citation: usize,
    pub(super) link: usize,
    /// A bracket that is neither.
    pub(super) bracket: usize,
    pub(super) escape: usize,
    /// A marker here is a piece of something that looks like one.
    pub(super) nested: usize,
    /// The last piece of a list in brackets: `[[1]` in `[[1], [2]]`.
    list: usize,
}

impl Default for Edges {
    fn default() -> Self {
        let nowhere = usize::MAX;
        Self {
            citation: nowhere,
            link: nowhere,
            bracket: nowhere,
            escape: nowhere,
            nested: nowhere,
            list: nowhere,
        }
    }
}

impl Edges {
    /// What ends at `at`.
    pub(super) fn behind(&self, at: usize) -> Behind {
        match at {
            _ if at == self.citation => Behind::Citation,
            _ if at == self.link => Behind::Link,
            _ if at == self.bracket => Behind::Bracket,
            _ => Behind::Text,
        }
    }

    /// Whether a marker at `at` is a piece of a list in brackets: all of them are citations, or none.
    pub(super) fn is_listed(&self, page: &Page<'_>, at: usize) -> bool {
        let separates = |one: char| matches!(one, ' ' | ',' | ';');
        self.nested == at
            || page.window.byte(at.wrapping_sub(1)) == Some(b'[')
            || (self.list <= at
                && at - self.list <= REACH
                && page.window.slice(self.list, at).chars().all(separates))
    }

    /// A marker was refused.
    pub(super) fn refuse(&mut self, end: usize, bracket: bool, listed: bool) {
        if bracket {
            self.bracket = end;
        }
        if listed {
            self.list = end;
        }
    }
}

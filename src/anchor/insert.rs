//! Markers behind the spans they belong to.

use super::solid::{Solid, solid_ranges};
use crate::model::span::Positions;
use crate::model::{Anchor, ascending};
use std::collections::BTreeMap;
use unicode_segmentation::UnicodeSegmentation;

/// `text` with `[1][2]` behind each span, `gap` before each group of markers. Ascending at the same
/// place; a place inside a link, an image, an address or code moves behind it, one inside a
/// user-perceived character behind that, one on a blank line back to the words before.
pub fn insert_markers(text: &str, anchors: &[Anchor], gap: &str) -> String {
    let positions = Positions::of(text);
    let mut ends: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for anchor in anchors {
        // Inside a surrogate pair there is no place; behind it there is.
        let end = positions.byte_of_utf16(anchor.end);
        let end = end.or_else(|| positions.byte_of_utf16(anchor.end.checked_add(1)?));
        let numbers = anchor.sources.iter().copied().filter(|number| *number > 0);
        if let Some(end) = end {
            ends.entry(end).or_default().extend(numbers);
        }
    }
    ends.retain(|_, numbers| !numbers.is_empty());
    let mut marks: BTreeMap<usize, (bool, Vec<usize>)> = BTreeMap::new();
    let mut page = Page::of(text);
    for (at, numbers) in behind_characters(text, ends) {
        if let Some(Spot { at, own_line }) = page.spot(at) {
            let mark = marks.entry(at).or_default();
            mark.0 |= own_line;
            mark.1.extend(numbers);
        }
    }
    write(text, marks, gap)
}

fn write(text: &str, marks: BTreeMap<usize, (bool, Vec<usize>)>, gap: &str) -> String {
    let mut out = String::with_capacity(text.len() + marks.len() * 8);
    let mut done = 0;
    for (at, (own_line, numbers)) in marks {
        out.push_str(text.get(done..at).unwrap_or_default());
        done = at;
        out.push_str(if own_line { "\n" } else { gap });
        out.extend(ascending(numbers).into_iter().map(|number| format!("[{number}]")));
        match text.get(at..).and_then(|rest| rest.chars().next()) {
            // `[1](` would open a link.
            Some('(') => out.push(' '),
            Some(next) if own_line && next != '\n' => out.push('\n'),
            _ => {}
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Moves each place to the first boundary between user-perceived characters at or behind it, in one
/// walk over the text.
fn behind_characters(
    text: &str,
    ends: BTreeMap<usize, Vec<usize>>,
) -> impl Iterator<Item = (usize, Vec<usize>)> {
    let mut boundaries = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]);
    let mut boundary = 0;
    ends.into_iter().map(move |(end, numbers)| {
        while boundary < end {
            boundary = boundaries.next().unwrap_or(usize::MAX);
        }
        (boundary, numbers)
    })
}

/// Where a marker goes.
struct Spot {
    at: usize,
    /// Whether it needs a line of its own: right behind a fence it would be no fence any more.
    own_line: bool,
}

/// The text as a marker sees it. Asked for ascending places, it answers all in one walk.
struct Page<'t> {
    text: &'t str,
    solid: Vec<Solid>,
    newlines: Vec<usize>,
    /// How far the walk has come, and where the last word before that ends.
    walked: usize,
    words: usize,
}

impl<'t> Page<'t> {
    fn of(text: &'t str) -> Self {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        Self { text, solid: solid_ranges(text), newlines, walked: 0, words: 0 }
    }

    /// Where the line of `at` starts.
    fn line(&self, at: usize) -> usize {
        let before = self.newlines.partition_point(|newline| *newline < at);
        before
            .checked_sub(1)
            .and_then(|last| self.newlines.get(last))
            .map_or(0, |newline| newline + 1)
    }

    /// Where the last word before `at` ends.
    fn words(&mut self, at: usize) -> usize {
        let walk = self.text.get(self.walked..at).unwrap_or_default();
        for (index, character) in walk.char_indices().filter(|(_, one)| !one.is_whitespace()) {
            self.words = self.walked + index + character.len_utf8();
        }
        self.walked = self.walked.max(at);
        self.words
    }

    /// The place for a marker whose span ends at `at`. None behind a fence that is still open: all
    /// that follows is code.
    fn spot(&mut self, at: usize) -> Option<Spot> {
        let words = self.words(at);
        if let Some(spot) = behind_block(&self.solid, at) {
            return spot;
        }
        // At the start of a line, and on a blank one, a marker would be part of what follows.
        let mut at = at;
        if words > 0 && words <= self.line(at) {
            at = words;
            if let Some(spot) = behind_block(&self.solid, at) {
                return spot;
            }
        }
        let next = self.solid.partition_point(|solid| solid.range.end <= at);
        match self.solid.get(next) {
            // Between the start of its line and the block: in the mark of a list or a quotation.
            Some(Solid { range, block: true, .. }) if self.line(range.start) <= at => {
                let before = self.text.get(..self.line(range.start)).unwrap_or_default();
                let words = before.trim_end().len();
                (words > 0).then_some(Spot { at: words, own_line: false })
            }
            Some(Solid { range, block: false, .. }) if range.start < at => {
                Some(Spot { at: range.end, own_line: false })
            }
            _ => Some(Spot { at, own_line: false }),
        }
    }
}

/// The place behind the block of code that `at` lies in or ends; nothing to say elsewhere.
#[expect(clippy::option_option, reason = "inside an open fence the place is that there is none")]
fn behind_block(solid: &[Solid], at: usize) -> Option<Option<Spot>> {
    let next = solid.partition_point(|solid| solid.range.end < at);
    let block = solid.get(next).filter(|solid| solid.block && solid.range.start < at)?;
    Some((!block.open).then_some(Spot { at: block.range.end, own_line: true }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn anchor(end: usize, sources: &[usize]) -> Anchor {
        let text = String::new();
        let (sources, listed) = (sources.to_vec(), Vec::new());
        Anchor { start: 0, end, text, sources, listed, confidence: None }
    }

    fn marked(text: &str, end: usize) -> String {
        insert_markers(text, &[anchor(end, &[1])], "")
    }

    #[test]
    fn ascending_at_the_same_place() {
        let anchors = [anchor(5, &[3, 1]), anchor(5, &[2, 1])];
        assert_eq!(insert_markers("héllo.", &anchors, ""), "héllo[1][2][3].");
        assert_eq!(insert_markers("héllo.", &anchors, " "), "héllo [1][2][3].");
    }

    #[test]
    fn counts_in_utf16_and_keeps_characters_whole() {
        assert_eq!(marked("a😀b", 3), "a😀[1]b");
        assert_eq!(marked("a😀b", 2), "a😀[1]b");
        let family = "👩‍👩‍👧‍👦";
        assert_eq!(marked(&format!("{family}b"), 2), format!("{family}[1]b"));
        assert_eq!(marked("e\u{301}b", 1), "e\u{301}[1]b");
    }

    #[test]
    fn code_and_links_stay_whole() {
        assert_eq!(marked("see `a[0]` now", 7), "see `a[0]`[1] now");
        assert_eq!(
            marked("see [x](https://a.example) now", 10),
            "see [x](https://a.example)[1] now"
        );
        assert_eq!(marked("![x](https://a.example) now", 10), "![x](https://a.example)[1] now");
        assert_eq!(marked("```\ncode\n```\nrest", 6), "```\ncode\n```\n[1]\nrest");
        assert_eq!(marked("```\ncode\n```", 6), "```\ncode\n```\n[1]");
        assert_eq!(marked("```\nnever closed", 6), "```\nnever closed");
        assert_eq!(marked("```\nnever closed", 16), "```\nnever closed");
        assert_eq!(marked("Claim.\n```\ncode\n```", 7), "Claim.[1]\n```\ncode\n```");
        assert_eq!(marked("found(1887)", 5), "found[1] (1887)");
    }

    proptest! {
        /// Taking the markers out again gives the words back.
        #[test]
        fn only_adds(
            text in "[ab é漢😀\u{301}`*\\n]{0,40}",
            ends in prop::collection::vec(0usize..60, 0..5),
        ) {
            let anchors: Vec<_> = ends.iter().map(|end| anchor(*end, &[7])).collect();
            let out = insert_markers(&text, &anchors, "");
            prop_assert_eq!(out.replace("[7]", "").replace('\n', ""), text.replace('\n', ""));
        }
    }
}

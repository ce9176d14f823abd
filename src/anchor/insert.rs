//! Markers behind the spans they belong to.

use crate::model::Anchor;
use crate::model::span::Positions;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::ops::Range;
use unicode_segmentation::GraphemeCursor;

/// `text` with `[1][2]` behind each span, `gap` before each group of markers. Ascending at the same
/// place; a place inside a link, an image or code moves behind it, one inside a user-perceived
/// character behind that.
pub fn insert_markers(text: &str, anchors: &[Anchor], gap: &str) -> String {
    let positions = Positions::of(text);
    let solid = solid_ranges(text);
    let mut marks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for anchor in anchors {
        let Some(end) = positions.byte_of_utf16(anchor.end) else { continue };
        if let Some(at) = free_place(text, &solid, grapheme_end(text, end)) {
            marks.entry(at).or_default().extend(&anchor.sources);
        }
    }
    let mut out = String::with_capacity(text.len() + marks.len() * 8);
    let mut done = 0;
    for (at, mut numbers) in marks {
        out.push_str(text.get(done..at).unwrap_or_default());
        done = at;
        numbers.sort_unstable();
        numbers.dedup();
        // Behind a fence the marker must stand on a line of its own, or the fence would be none.
        let fenced = solid.iter().any(|solid| solid.block && solid.range.end == at);
        out.push_str(if fenced { fence_gap(&out) } else { gap });
        out.extend(numbers.iter().map(|number| format!("[{number}]")));
        if fenced && !text.get(at..).is_some_and(|rest| rest.is_empty() || rest.starts_with('\n')) {
            out.push('\n');
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

fn fence_gap(before: &str) -> &'static str {
    if before.ends_with('\n') { "" } else { "\n" }
}

/// A range no marker may stand in.
struct Solid {
    range: Range<usize>,
    /// A block of code, as against a piece of a line.
    block: bool,
}

/// Code, links and images, in the order of the text, none inside another.
fn solid_ranges(text: &str) -> Vec<Solid> {
    let mut ranges: Vec<Solid> = Vec::new();
    let mut open = 0_usize;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let block = matches!(event, Event::Start(Tag::CodeBlock(_)));
        let holds = block || matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }));
        if open == 0 && (holds || matches!(event, Event::Code(_))) {
            ranges.push(Solid { range, block });
        }
        match event {
            Event::Start(_) if holds => open += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Link | TagEnd::Image) => {
                open = open.saturating_sub(1);
            }
            _ => {}
        }
    }
    ranges
}

/// The nearest place at or behind `at` where a marker may stand. None behind a fence that is still
/// open: all that follows is code.
fn free_place(text: &str, solid: &[Solid], at: usize) -> Option<usize> {
    // A place at the very end of a block of code is inside it, too.
    let next = solid.partition_point(|solid| solid.range.end < at + usize::from(!solid.block));
    match solid.get(next) {
        Some(solid) if solid.range.start < at => {
            let open =
                solid.block && is_open_fence(text.get(solid.range.clone()).unwrap_or_default());
            (!open).then(|| grapheme_end(text, solid.range.end))
        }
        _ => Some(at),
    }
}

fn is_open_fence(block: &str) -> bool {
    let fence = |line: &str| {
        let line = line.trim();
        ['`', '~'].iter().any(|mark| line.len() >= 3 && line.chars().all(|c| c == *mark))
    };
    let mut lines = block.trim_end().lines();
    let opens = lines.next().is_some_and(|line| line.trim_start().starts_with(['`', '~']));
    opens && !lines.next_back().is_some_and(fence)
}

fn grapheme_end(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn anchor(end: usize, sources: &[usize]) -> Anchor {
        let text = String::new();
        Anchor { start: 0, end, text, sources: sources.to_vec(), confidence: None }
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
        // Inside the pair there is no place.
        assert_eq!(marked("a😀b", 2), "a😀b");
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
    }

    proptest! {
        /// Taking the markers out again gives the text back, and no user-perceived character is cut.
        #[test]
        fn only_adds(text in "[ab é漢😀\u{301}`*()\\n]{0,40}", ends in prop::collection::vec(0usize..60, 0..5)) {
            let anchors: Vec<_> = ends.iter().map(|end| anchor(*end, &[7])).collect();
            let out = insert_markers(&text, &anchors, "");
            prop_assert_eq!(out.replace("[7]", "").replace('\n', ""), text.replace('\n', ""));
        }
    }
}

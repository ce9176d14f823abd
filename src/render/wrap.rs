//! Text broken into rows by what it takes on the screen.

use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns a run of text takes.
pub(super) fn columns(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.graphemes(true).map(UnicodeWidthStr::width).sum()
    }
}

/// Breaks `text` into byte ranges, one a row: at spaces where it can, inside a word that is wider
/// than a row. `first` columns are left on the row the text starts on, `rest` on the others. A
/// leading empty range means that the text starts on the next row. Spaces at a break vanish.
pub(super) fn rows(text: &str, first: usize, rest: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut room = first;
    let mut row = 0..0;
    for (start, word) in words(text) {
        let wide = columns(word.trim_end());
        let gap = columns(text.get(row.end..start).unwrap_or_default());
        if gap + wide <= room {
            room -= gap + wide;
            row.end = start + word.trim_end().len();
            continue;
        }
        // A word that fits no row at all goes on from here; any other takes the next row.
        let mut fresh = wide <= rest || gap >= room;
        let mut left = room.saturating_sub(gap);
        if fresh {
            rows.push(row);
            row = start..start;
            left = rest;
        }
        for (at, character) in word.trim_end().grapheme_indices(true) {
            let cells = columns(character);
            // Even a row too narrow for it takes one character.
            if cells > left && !fresh {
                rows.push(row);
                row = start + at..start + at;
                left = rest;
            }
            fresh = false;
            left = left.saturating_sub(cells);
            row.end = start + at + character.len();
        }
        room = left;
    }
    rows.push(row);
    rows
}

/// Words with the spaces after them, and where each starts.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(' ').filter_map(move |word| {
        let start = at;
        at += word.len();
        (!word.trim_end().is_empty()).then_some((start, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn broken(text: &str, first: usize, rest: usize) -> Vec<&str> {
        rows(text, first, rest).into_iter().map(|range| text.get(range).unwrap()).collect()
    }

    #[test]
    fn breaks_at_spaces() {
        assert_eq!(broken("one two three", 7, 7), ["one two", "three"]);
        assert_eq!(broken("one two three", 2, 9), ["", "one two", "three"]);
        assert_eq!(broken("one", 3, 3), ["one"]);
        assert_eq!(broken("", 3, 3), [""]);
    }

    #[test]
    fn breaks_long_words_between_characters() {
        assert_eq!(broken("abcdefgh", 3, 3), ["abc", "def", "gh"]);
        assert_eq!(broken("a bcdefgh", 4, 4), ["a bc", "defg", "h"]);
        assert_eq!(broken("漢字漢字", 3, 3), ["漢", "字", "漢", "字"]);
        assert_eq!(broken("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2, 2), ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]);
    }

    #[test]
    fn a_row_too_narrow_for_a_character_still_gets_one() {
        assert_eq!(broken("漢字", 1, 1), ["", "漢", "字"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_every_row_fits(
            text in "[a-c漢é👍 ]{0,60}", first in 0usize..20, rest in 2usize..20
        ) {
            let rows = broken(&text, first, rest);
            let joined: String = rows.concat().split_whitespace().collect();
            prop_assert_eq!(joined, text.split_whitespace().collect::<String>());
            for (index, row) in rows.iter().enumerate() {
                let room = if index == 0 { first } else { rest };
                prop_assert!(columns(row) <= room.max(2), "{row:?} in {room}");
            }
        }
    }
}

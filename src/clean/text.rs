//! One line of text that a terminal, a page or a prompt prints as nothing but text.

use super::block::any;
use crate::model::Text;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// How many marks may pile up on one letter. Written languages need four at the most; without a
/// limit one "character" can fill the screen.
const MOST_MARKS: usize = 8;

/// Cleans `text` and cuts it to `limit` characters as a reader counts them, never inside one. What
/// was cut ends in `…`.
pub fn line(text: Text<'_>, limit: usize) -> Text<'_> {
    if text.len() > limit
        && let Some(beginning) = beginning(&text, limit)
    {
        return Cow::Owned(beginning);
    }
    let text = match clean(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => Cow::Owned(clean),
    };
    match cut(&text, limit).and_then(|end| text.get(..end)) {
        None => text,
        Some(kept) => Cow::Owned([kept, "…"].concat()),
    }
}

/// Whether [`line()`] certainly leaves `text` as it is: printable ASCII within its limit.
pub fn is_plain(text: &str, limit: usize) -> bool {
    text.len() <= limit && is_printable(text)
}

fn is_printable(text: &str) -> bool {
    !any(text.as_bytes(), |byte| !is_shown(byte))
}

/// A space or something to see, in ASCII.
fn is_shown(byte: u8) -> bool {
    byte.wrapping_sub(b' ') <= b'~' - b' '
}

/// The same for a long text whose first characters say what becomes of it, as they mostly do: cleaning goes from left
/// to right, so what stands behind them is cut off, whatever it is.
fn beginning(text: &str, limit: usize) -> Option<String> {
    // A character takes at least a byte.
    if text.len() <= limit {
        return None;
    }
    let clean = String::with_capacity(limit + limit / 4);
    let mut start = Beginning { text, at: 0, clean, copied: 0, spaced: false };
    start.take(limit)?;
    start.copy();
    let end = start.clean.len();
    // The first that is cut off must not join what is kept, nor be the mark of an earlier cut.
    start.take(2)?;
    start.clean.truncate(end);
    start.clean.push('…');
    Some(start.clean)
}

/// A text of which only the beginning is cleaned.
struct Beginning<'t> {
    text: &'t str,
    /// How much of it was looked at.
    at: usize,
    clean: String,
    /// How much of it is in `clean`, or gone.
    copied: usize,
    spaced: bool,
}

impl Beginning<'_> {
    /// Takes so many characters more. `None` when there are fewer, and at one of which more must be known.
    fn take(&mut self, mut left: usize) -> Option<()> {
        while left > 0 {
            let rest = self.text.get(self.at..)?;
            let plain = printable(rest.as_bytes().get(..left).unwrap_or(rest.as_bytes()));
            if plain > 0 {
                (self.at, self.spaced, left) = (self.at + plain, false, left - plain);
                continue;
            }
            let character = rest.chars().next()?;
            let end = self.at + character.len_utf8();
            if is_single(character) {
                (self.at, self.spaced, left) = (end, false, left - 1);
                continue;
            }
            let verdict = judge(character);
            if verdict == Verdict::Keep {
                return None;
            }
            self.copy();
            (self.at, self.copied) = (end, end);
            if verdict == Verdict::Space && !self.spaced {
                self.clean.push(' ');
                (self.spaced, left) = (true, left - 1);
            }
        }
        Some(())
    }

    /// Copies what was kept.
    fn copy(&mut self) {
        self.clean.push_str(self.text.get(self.copied..self.at).unwrap_or_default());
        self.copied = self.at;
    }
}

/// The byte where `text` must end to have `limit` characters; `None` when it has no more.
fn cut(text: &str, limit: usize) -> Option<usize> {
    // A character takes at least a byte.
    if text.len() <= limit {
        return None;
    }
    let (end, rest) = match simple(text, limit) {
        Some(cut) => cut?,
        None => text.grapheme_indices(true).nth(limit)?,
    };
    // What an earlier cut left: the limit, and the mark that says so.
    (rest != "…" || end + rest.len() != text.len()).then_some(end)
}

/// Where the character behind `limit` others stands, if there is one, for text whose characters never
/// join, which most text is: to find out which do costs a hundred times as much. `None` when it is not
/// known that they do not.
#[expect(clippy::option_option, reason = "outside: not known; inside: there is none")]
fn simple(text: &str, limit: usize) -> Option<Option<(usize, &str)>> {
    let (mut end, mut left) = (0, limit);
    while left > 0 {
        let rest = text.get(end..)?;
        let plain = printable(rest.as_bytes().get(..left).unwrap_or(rest.as_bytes()));
        (end, left) = (end + plain, left - plain);
        if left > 0 {
            let Some(character) = rest.get(plain..)?.chars().next() else { return Some(None) };
            is_single(character).then_some(())?;
            (end, left) = (end + character.len_utf8(), left - 1);
        }
    }
    let mut characters = text.get(end..)?.chars();
    let Some(next) = characters.next() else { return Some(None) };
    let behind = characters.next().is_none_or(is_single);
    (is_single(next) && behind).then_some(())?;
    Some(text.get(end..end + next.len_utf8()).map(|next| (end, next)))
}

/// Whether a character is kept, and one by itself next to others like it. Letters and signs of Latin, Greek and
/// Cyrillic, punctuation, Chinese and Japanese; of all others we do not know.
fn is_single(character: char) -> bool {
    matches!(
        character,
        ' '..='~'
            | '\u{a0}'..='\u{ac}'
            | '\u{ae}'..='\u{2ff}'
            | '\u{370}'..='\u{482}'
            | '\u{48a}'..='\u{52f}'
            | '\u{2010}'..='\u{2027}'
            | '\u{2030}'..='\u{205e}'
            | '\u{20a0}'..='\u{20c0}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{3001}'..='\u{3029}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30ff}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ff01}'..='\u{ff5e}'
    )
}

/// Removes what is not text: controls, bidirectional overrides, invisible and tag characters, stray
/// citation marks, marks piled too high. Line breaks and tabs become one space.
pub fn clean(text: &str) -> Text<'_> {
    if is_printable(text) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::new();
    // All up to here is kept as it is; nothing is copied until something is not.
    let mut kept = 0;
    let mut touched = false;
    let mut spaced = false;
    let mut marks = 0;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        // Most of a text is this, and none of it is ever touched.
        let plain = printable(rest.as_bytes());
        if plain > 0 {
            (spaced, marks) = (false, 0);
            at += plain;
            continue;
        }
        let Some(character) = rest.chars().next() else { break };
        // Nearly all of the rest is, too.
        if is_common(character) {
            (spaced, marks) = (false, 0);
            at += character.len_utf8();
            continue;
        }
        let verdict = judge(character);
        marks = match verdict {
            Verdict::Keep if is_mark(character) => marks + 1,
            // What is gone does not part a letter from its marks.
            Verdict::Drop => marks,
            _ => 0,
        };
        let end = at + character.len_utf8();
        if verdict == Verdict::Keep && marks <= MOST_MARKS {
            spaced = false;
            at = end;
            continue;
        }
        if !touched {
            touched = true;
            clean.reserve(text.len());
        }
        clean.push_str(text.get(kept..at).unwrap_or_default());
        (kept, at) = (end, end);
        if verdict == Verdict::Space && !spaced {
            clean.push(' ');
            spaced = true;
        }
    }
    if !touched {
        return Cow::Borrowed(text);
    }
    clean.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(clean)
}

/// The same for a text of several lines: its line breaks and tabs stay, every break as `\n`.
pub fn passage(text: &str) -> Text<'_> {
    let is_break = |byte: u8| matches!(byte, b'\n' | b'\t');
    if !any(text.as_bytes(), |byte| !(is_shown(byte) | is_break(byte))) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut after_return = false;
    for piece in text.split_inclusive(['\n', '\t', '\r']) {
        let end = piece.chars().next_back().filter(|last| matches!(last, '\n' | '\t' | '\r'));
        let words = piece.strip_suffix(['\n', '\t', '\r']).unwrap_or(piece);
        let second_half = after_return && piece == "\n";
        after_return = end == Some('\r');
        if !second_half {
            out.push_str(&clean(words));
            out.extend(end.map(|end| if end == '\r' { '\n' } else { end }));
        }
    }
    Cow::Owned(out)
}

/// How many bytes from the start are printable ASCII. Eight at a time: the high bit of a byte is set where it is none,
/// and behind the first of these it may be wrong.
fn printable(bytes: &[u8]) -> usize {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let (words, _) = bytes.as_chunks::<8>();
    let odd = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        // Below a space, 0x7f or above.
        let low = word.wrapping_sub(LOW * 0x20) & !word;
        let delete = (word ^ (LOW * 0x7f)).wrapping_sub(LOW) & !(word ^ (LOW * 0x7f));
        (low | delete | word) & HIGH
    };
    if let Some((odd, word)) = words.iter().map(odd).zip(0..).find(|(odd, _)| *odd != 0) {
        return word * 8 + (odd.trailing_zeros() / 8) as usize;
    }
    let whole = words.len() * 8;
    let rest = bytes.get(whole..).unwrap_or_default();
    whole + rest.iter().position(|byte| !matches!(byte, b' '..=b'~')).unwrap_or(rest.len())
}

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Keep,
    Space,
    Drop,
}

fn judge(character: char) -> Verdict {
    match character {
        '\t' | '\n' | '\r' => Verdict::Space,
        // C0, DEL, C1: what terminals obey.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // The twelve Bidi_Control characters: what makes text read otherwise than it is.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Line and paragraph separator.
        | '\u{2028}' | '\u{2029}'
        // Invisible: but not the joiners U+200C and U+200D, which words and emoji need.
        | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        // Citation marks of OpenAI's private-use dialect that no marker parser took.
        | '\u{e200}'..='\u{e206}'
        // Tag characters: a second, unseen text.
        | '\u{e0000}'..='\u{e007f}' => Verdict::Drop,
        _ => Verdict::Keep,
    }
}

/// Letters of Latin, dashes and quotation marks, signs and letters of East Asia: they are kept, and drawn onto nothing.
fn is_common(character: char) -> bool {
    matches!(
        character,
        '\u{ae}'..='\u{2ff}' | '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{4e00}'..='\u{9fff}'
    )
}

/// Whether a character is drawn onto the one before it. Letters of Latin, dashes and quotation marks are not, and to
/// look them up takes longer than to say so.
fn is_mark(character: char) -> bool {
    !matches!(character, '\0'..='\u{ac}' | '\u{ae}'..='\u{2ff}' | '\u{2010}'..='\u{2027}')
        && character.width() == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_byte_that_is_not_printable_is_found(
            text in "[ -~]{0,20}[\u{0}-\u{1f}\u{7f}-\u{ff}]{0,3}[ -~]{0,9}"
        ) {
            let first = text.bytes().position(|byte| !matches!(byte, b' '..=b'~'));
            prop_assert_eq!(printable(text.as_bytes()), first.unwrap_or(text.len()));
        }

        #[test]
        fn the_beginning_of_a_text_says_what_becomes_of_all_of_it(
            text in "([ -~]{0,40}[é“—漢👩\u{301}\u{200b}\u{200d}\n]{0,9}){0,8}", limit in 1..90_usize
        ) {
            let clean = clean(&text);
            let mut whole = clean.clone().into_owned();
            if let Some(end) = cut(&clean, limit) {
                whole.replace_range(end.., "…");
            }
            prop_assert_eq!(line(text.as_str().into(), limit), whole);
        }
    }

    #[test]
    fn clean_text_is_not_copied() {
        for text in ["", "plain", "naïve — 漢字 👩‍👩‍👧‍👦 e\u{301}", "a  b"] {
            assert!(matches!(clean(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn what_terminals_obey_is_gone() {
        let hostile =
            "a\u{1b}]0;x\u{7}b\u{9b}31mc\u{202e}d\u{200b}e\u{e0041}f\u{e200}g\u{2028}h\u{7f}";
        assert_eq!(clean(hostile), "a]0;xb31mcdefgh");
    }

    #[test]
    fn breaks_become_one_space() {
        assert_eq!(clean("a\r\n\t\nb\nc"), "a b c");
        assert_eq!(clean("a\n\u{200b}\nb"), "a b");
    }

    #[test]
    fn marks_do_not_pile_up() {
        let zalgo = format!("a{}b", "\u{301}".repeat(1000));
        assert_eq!(clean(&zalgo).chars().count(), 2 + MOST_MARKS);
        // Not in portions either, with something unseen between them.
        let parted = format!("a{}", "\u{301}\u{301}\u{301}\u{200b}".repeat(100));
        assert_eq!(clean(&parted).chars().count(), 1 + MOST_MARKS);
    }

    #[test]
    fn marks_are_what_has_no_width() {
        for character in '\u{80}'..=char::MAX {
            let stays = judge(character) == Verdict::Keep && !is_mark(character);
            assert!(stays || !is_common(character), "{character:?}");
            assert!(stays || !is_single(character), "{character:?}");
            assert_eq!(is_mark(character), character.width() == Some(0), "{character:?}");
        }
    }

    #[test]
    fn cuts_between_characters_a_reader_sees() {
        let family = "👩‍👩‍👧‍👦";
        assert_eq!(line(family.repeat(4).into(), 3), format!("{}…", family.repeat(3)));
        assert_eq!(line(family.repeat(3).into(), 3), family.repeat(3));
        assert_eq!(line("e\u{301}".repeat(3).into(), 2), "e\u{301}e\u{301}…");
    }

    #[test]
    fn a_passage_keeps_its_lines() {
        let cases = [
            ("a\r\nb\rc\nd\te", "a\nb\nc\nd\te"),
            ("a\r\n\nb\r\r\nc", "a\n\nb\n\nc"),
            ("a\r\tb\r\n", "a\n\tb\n"),
            ("\u{1b}[2Ja\n\u{202e}b", "[2Ja\nb"),
            ("é\n", "é\n"),
        ];
        for (text, wanted) in cases {
            assert_eq!(passage(text), wanted, "{text:?}");
            assert_eq!(passage(wanted), wanted);
        }
        assert!(matches!(passage("a\n\tb"), Cow::Borrowed(_)));
    }

    /// Each range that goes, by its ends; what stands beside it stays.
    #[test]
    fn no_more_goes_than_must() {
        let gone = [
            ('\u{7f}', '\u{9f}'),
            ('\u{61c}', '\u{61c}'),
            ('\u{180e}', '\u{180e}'),
            ('\u{200b}', '\u{200b}'),
            ('\u{200e}', '\u{200f}'),
            ('\u{2028}', '\u{202e}'),
            ('\u{2060}', '\u{2064}'),
            ('\u{2066}', '\u{206f}'),
            ('\u{feff}', '\u{feff}'),
            ('\u{fff9}', '\u{fffb}'),
            ('\u{e200}', '\u{e206}'),
            ('\u{e0000}', '\u{e007f}'),
        ];
        let one = |character: char| clean(character.encode_utf8(&mut [0; 4])).into_owned();
        for (first, last) in gone {
            assert_eq!((first..=last).map(one).collect::<String>(), "", "{first:?}");
            let beside = ('\0'..first).next_back().into_iter();
            for kept in beside.chain((last..).nth(1)) {
                assert_eq!(one(kept), kept.to_string());
            }
        }
        let controls: String = ('\0'..' ').map(one).collect();
        assert_eq!(controls, "   ");
    }

    /// Eight bytes are looked at in one go: none may hide among its like.
    #[test]
    fn nothing_goes_unseen_in_a_row() {
        for control in ('\0'..' ').chain(['\u{7f}', '\u{80}', '\u{9f}', '\u{202e}']) {
            for length in 1..20 {
                let row = control.to_string().repeat(length);
                let space = if matches!(control, '\t' | '\n' | '\r') { " " } else { "" };
                assert_eq!(clean(&row), space, "{control:?} {length}");
                assert_eq!(clean(&format!("{row}a word {row}")), format!("{space}a word {space}"));
            }
        }
    }

    #[test]
    fn what_was_cut_is_not_cut_again() {
        assert!(matches!(line("abc…".into(), 3), Cow::Borrowed("abc…")));
        assert_eq!(line("abc…d".into(), 3), "abc…");
        assert_eq!(line("abc…".into(), 2), "ab…");
    }

    /// Too simple to be wrong: one character at a time, no shortcuts.
    fn naive(text: &str) -> String {
        let mut out = String::new();
        let (mut spaced, mut marks) = (false, 0);
        for character in text.chars() {
            match judge(character) {
                Verdict::Keep => {
                    marks = if is_mark(character) { marks + 1 } else { 0 };
                    if marks <= MOST_MARKS {
                        out.push(character);
                        spaced = false;
                    }
                }
                Verdict::Space => {
                    if !spaced {
                        out.push(' ');
                    }
                    spaced = true;
                    marks = 0;
                }
                Verdict::Drop => {}
            }
        }
        out
    }

    proptest! {
        #[test]
        fn agrees_with_the_naive_walk(text in "[ -~\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{200f}\u{301}\u{2028}-\u{202e}é漢😀\u{e200}\u{e0041}]{0,40}") {
            prop_assert_eq!(clean(&text), naive(&text));
        }

        /// Oracle: what the segmentation says.
        #[test]
        fn the_short_way_cuts_where_the_long_one_does(
            text in "([ -~é漢。–…\u{ad}я→ァ]|[😀\u{301}\u{200d}\u{fe0f}🇩각]){0,30}",
            limit in 0..12_usize,
        ) {
            if let Some(found) = simple(&text, limit) {
                prop_assert_eq!(found, text.grapheme_indices(true).nth(limit));
            }
        }

        #[test]
        fn a_long_text_is_cut_where_all_of_it_says(
            text in "([ -~]{0,9}|[é漢–…→\n\t]|[😀\u{301}\u{200d}\u{200b}🇩각]){0,12}",
            limit in 0..20_usize,
        ) {
            let clean = naive(&text);
            let expected = match clean.grapheme_indices(true).nth(limit) {
                Some((end, rest)) if rest != "…" || end + rest.len() < clean.len() => {
                    format!("{}…", clean.get(..end).unwrap())
                }
                _ => clean,
            };
            prop_assert_eq!(line(text.into(), limit), expected);
        }

        #[test]
        fn cleaning_twice_is_cleaning_once(text in "\\PC{0,40}[\u{0}-\u{a0}\u{200b}-\u{206f}\u{301}]{0,40}\\PC{0,300}") {
            let once = line(text.into(), 60);
            prop_assert_eq!(line(once.clone(), 60), once);
        }
    }
}

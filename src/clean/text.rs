//! One line of text that a terminal, a page or a prompt prints as nothing but text.

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
    let text = match clean(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => Cow::Owned(clean),
    };
    match cut(&text, limit).and_then(|end| text.get(..end)) {
        None => text,
        Some(kept) => Cow::Owned(format!("{kept}…")),
    }
}

/// The byte where `text` must end to have `limit` characters; `None` when it has no more.
fn cut(text: &str, limit: usize) -> Option<usize> {
    // A character takes at least a byte.
    if text.len() <= limit {
        return None;
    }
    // Clean ASCII has no line ends, so each byte is a character.
    if text.is_ascii() {
        return Some(limit);
    }
    let (end, rest) = text.grapheme_indices(true).nth(limit)?;
    // What an earlier cut left: the limit, and the mark that says so.
    (rest != "…" || end + rest.len() != text.len()).then_some(end)
}

/// Whether `test` holds for any byte. Looks at all of them without a way out, which lets the compiler
/// take many at a time.
fn any(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(0, |hit, byte| hit | u8::from(test(*byte))) != 0
}

/// Removes what is not text: controls, bidirectional overrides, invisible and tag characters, stray
/// citation marks, marks piled too high. Line breaks and tabs become one space.
pub fn clean(text: &str) -> Text<'_> {
    if !any(text.as_bytes(), |byte| !matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::new();
    // All up to here is kept as it is; nothing is copied until something is not.
    let mut kept = 0;
    let mut touched = false;
    let mut spaced = false;
    let mut marks = 0;
    for (at, character) in text.char_indices() {
        let verdict = judge(character);
        marks = match verdict {
            Verdict::Keep if is_mark(character) => marks + 1,
            // What is gone does not part a letter from its marks.
            Verdict::Drop => marks,
            _ => 0,
        };
        if verdict == Verdict::Keep && marks <= MOST_MARKS {
            spaced = false;
            continue;
        }
        touched = true;
        clean.push_str(text.get(kept..at).unwrap_or_default());
        kept = at + character.len_utf8();
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

/// Whether a character is drawn onto the one before it.
fn is_mark(character: char) -> bool {
    !character.is_ascii() && character.width() == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    }

    #[test]
    fn cuts_between_characters_a_reader_sees() {
        let family = "👩‍👩‍👧‍👦";
        assert_eq!(line(family.repeat(4).into(), 3), format!("{}…", family.repeat(3)));
        assert_eq!(line(family.repeat(3).into(), 3), family.repeat(3));
        assert_eq!(line("e\u{301}".repeat(3).into(), 2), "e\u{301}e\u{301}…");
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

        #[test]
        fn cleaning_twice_is_cleaning_once(text in "\\PC{0,40}[\u{0}-\u{a0}\u{200b}-\u{206f}\u{301}]{0,40}\\PC{0,300}") {
            let once = line(text.into(), 60);
            prop_assert_eq!(line(once.clone(), 60), once);
        }
    }
}

//! Positions in a text, in every unit somebody counts in.
//!
//! The engine cuts text by UTF-8 byte; JavaScript counts UTF-16 units; some providers count
//! characters. This is the one module that knows all three.

/// Translates positions in one text. ASCII text, where all counts agree, costs nothing.
#[derive(Debug)]
pub struct Positions {
    /// One entry per non-ASCII character. Between two of them all counts run in step.
    wide: Vec<Wide>,
    end: Wide,
}

/// The place behind a character.
#[derive(Clone, Copy, Debug, Default)]
struct Wide {
    byte: usize,
    utf16: usize,
    character: usize,
}

impl Positions {
    /// Reads `text` once.
    pub fn of(text: &str) -> Self {
        let mut end = Wide::default();
        let mut wide = Vec::new();
        if text.is_ascii() {
            let length = text.len();
            return Self { wide, end: Wide { byte: length, utf16: length, character: length } };
        }
        for character in text.chars() {
            end.byte += character.len_utf8();
            end.utf16 += character.len_utf16();
            end.character += 1;
            if !character.is_ascii() {
                wide.push(end);
            }
        }
        Self { wide, end }
    }

    /// The UTF-16 position of a byte position that lies between two characters.
    pub fn utf16(&self, byte: usize) -> usize {
        let before = self.before(byte, |wide| wide.byte);
        before.utf16 + byte.saturating_sub(before.byte)
    }

    /// The byte position of a character count. `None` beyond the end.
    pub fn byte_of_character(&self, character: usize) -> Option<usize> {
        let before = self.before(character, |wide| wide.character);
        (character <= self.end.character).then(|| before.byte + (character - before.character))
    }

    /// The byte position of a UTF-16 position. `None` beyond the end and inside a character.
    pub fn byte_of_utf16(&self, utf16: usize) -> Option<usize> {
        let before = self.before(utf16, |wide| wide.utf16);
        let byte = before.byte + (utf16 - before.utf16);
        // Inside a surrogate pair the way back does not lead here.
        (utf16 <= self.end.utf16 && self.is_between(byte)).then_some(byte)
    }

    /// Whether a byte position reached by counting on from a wide character is not inside the next.
    fn is_between(&self, byte: usize) -> bool {
        let next = self.wide.partition_point(|wide| wide.byte <= byte);
        let Some(after) = self.wide.get(next) else { return true };
        let before = next.checked_sub(1).and_then(|index| self.wide.get(index));
        let before = before.copied().unwrap_or_default();
        let start = before.byte + (after.character - 1 - before.character);
        byte <= start
    }

    fn before(&self, position: usize, unit: impl Fn(&Wide) -> usize) -> Wide {
        let after = self.wide.partition_point(|wide| unit(wide) <= position);
        after.checked_sub(1).and_then(|index| self.wide.get(index)).copied().unwrap_or_default()
    }
}

/// The nearest byte position at or before `byte` that lies between two characters.
pub fn floor(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The nearest byte position at or after `byte` that lies between two characters.
pub fn ceil(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Oracle: the start and the end of the character around a place.
        #[test]
        fn places_inside_a_character_move_to_its_ends(text in "[ab é漢😀\u{301}]{0,12}", byte in 0..60_usize) {
            let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            let before = starts.clone().filter(|at| *at <= byte).max().unwrap_or_default();
            let behind = starts.into_iter().find(|at| *at >= byte).unwrap_or(text.len());
            prop_assert_eq!((floor(&text, byte), ceil(&text, byte)), (before, behind));
        }

        /// Oracle: count along every character.
        #[test]
        fn agrees_with_the_naive_walk(text in "[ab é漢😀\u{301}]{0,24}") {
            let positions = Positions::of(&text);
            let mut places = vec![(0, 0, 0)];
            for character in text.chars() {
                let (byte, utf16, count) = *places.last().unwrap();
                places.push((byte + character.len_utf8(), utf16 + character.len_utf16(), count + 1));
            }
            for (byte, utf16, count) in &places {
                prop_assert_eq!(positions.utf16(*byte), *utf16);
                prop_assert_eq!(positions.byte_of_character(*count), Some(*byte));
                prop_assert_eq!(positions.byte_of_utf16(*utf16), Some(*byte));
            }
            for utf16 in 0..60 {
                let naive = places.iter().find(|place| place.1 == utf16).map(|place| place.0);
                prop_assert_eq!(positions.byte_of_utf16(utf16), naive);
            }
            prop_assert_eq!(positions.byte_of_character(places.len()), None);
        }
    }
}

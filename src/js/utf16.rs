//! Text between UTF-16, as engines lend it, and UTF-8, as we keep it.
//!
//! Both ways a block of ASCII is copied in one go, as far as it goes; the few characters between such blocks one by
//! one. Lone surrogates become U+FFFD.

use crate::clean::block::any;

/// How many units are looked at together.
const BLOCK: usize = 16;

/// The same where all of them are expected to be ASCII.
const LARGE: usize = 32;

/// Shorter texts are looked at as a whole first: most of them are a few words of ASCII.
const SHORT: usize = 8 * BLOCK;

/// The most bytes that a character takes.
const WIDEST: usize = 4;

/// Bytes of a page of memory.
const PAGE: usize = 4096;

/// Bytes of a unit.
const UNIT: usize = size_of::<u16>();

/// Room for so many units in a buffer, from the middle of a page of memory on. Engines put long strings at the beginning
/// of one, and some processors copy a fifth as fast to what lies just behind there from where, in its own page, the same is
/// copied from: large blocks of memory begin just there, too.
pub(super) fn room_in(buffer: &mut Vec<u16>, length: usize) -> &mut [u16] {
    let needed = length + PAGE / UNIT;
    if buffer.len() < needed {
        // Not what was there grown: the system gives zeroes for nothing.
        *buffer = vec![0; needed];
    }
    let to_the_middle = (PAGE / 2).wrapping_sub(buffer.as_ptr().addr()) % PAGE;
    buffer.get_mut(to_the_middle / UNIT..).unwrap_or_default()
}

/// Appends UTF-16 as UTF-8: whole characters only.
pub(super) fn append_utf8(bytes: &mut Vec<u8>, units: &[u16]) {
    if units.len() < SHORT && units.iter().fold(0, |all, unit| all | unit) < 0x80 {
        #[expect(clippy::cast_possible_truncation, reason = "nothing is cut off")]
        bytes.extend(units.iter().map(|unit| *unit as u8));
        return;
    }
    let end = fill_piece(bytes, bytes.len(), units, units.len());
    bytes.truncate(end);
}

/// The same for pieces that end at these places, each on its own: half a character at the end of one and at the start of
/// the next make no character. The first begins at `begin`. Says where in the bytes each of them ends.
#[expect(clippy::cast_possible_truncation, reason = "pieces of a text that fits in memory thrice")]
pub(super) fn append_pieces(
    bytes: &mut Vec<u8>,
    units: &[u16],
    mut begin: usize,
    ends: &mut [u32],
) {
    let mut written = bytes.len();
    for end in ends {
        let stop = *end as usize;
        let piece = units.get(begin..stop).unwrap_or_default();
        written = fill_piece(bytes, written, piece, units.len().saturating_sub(begin));
        *end = written as u32;
        begin = stop;
    }
    bytes.truncate(written);
}

/// Converts a piece into the room from `written` on. Where there is none, it makes some for `left` units. Answers where
/// the piece ends.
#[inline]
fn fill_piece(bytes: &mut Vec<u8>, mut written: usize, piece: &[u16], left: usize) -> usize {
    let mut rest = piece;
    while !rest.is_empty() {
        let (read, more) = fill_utf8(rest, bytes.get_mut(written..).unwrap_or_default());
        written += more;
        rest = rest.get(read..).unwrap_or_default();
        if !rest.is_empty() {
            // Most text is ASCII; what is not gets more room when this one is full.
            bytes.resize(written + left + left / 8 + WIDEST, 0);
        }
    }
    written
}

/// Appends UTF-16 that is ASCII, up to what is not. Answers whether all of it was.
pub(super) fn append_ascii(bytes: &mut Vec<u8>, units: &[u16]) -> bool {
    let start = bytes.len();
    bytes.resize(start + units.len(), 0);
    let ascii = fill_ascii::<LARGE>(units, bytes.get_mut(start..).unwrap_or_default());
    bytes.truncate(start + ascii);
    ascii == units.len()
}

/// Converts as much as fits. Answers how much that is, in units and in bytes.
fn fill_utf8(units: &[u16], room: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(rest @ [_, ..]) = units.get(read..)
        && let Some(space) = room.get_mut(written..)
        && space.len() >= WIDEST
    {
        let ascii = fill_ascii::<BLOCK>(rest, space);
        read += ascii;
        written += ascii;
        // What follows is another script, or the end of the text or of the room.
        while let Some(rest @ [(0x80..), ..]) = units.get(read..)
            && let Some(space) = room.get_mut(written..).and_then(<[u8]>::first_chunk_mut)
        {
            let (taken, length) = fill_character(rest, space);
            read += taken;
            written += length;
        }
    }
    (read, written)
}

/// Converts ASCII, block by block. Answers how much that is.
fn fill_ascii<const SIZE: usize>(units: &[u16], room: &mut [u8]) -> usize {
    let mut ascii = 0;
    for (block, space) in units.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
        if !fill_block::<SIZE>(block, space) {
            return ascii + ascii_units(block);
        }
        ascii += SIZE;
    }
    // Short text is mostly its end, so that is a block too, which overlaps the one before it.
    if let (Some(block), Some(space)) = (units.last_chunk(), room.get_mut(..units.len()))
        && let Some(space) = space.last_chunk_mut()
        && fill_block::<SIZE>(block, space)
    {
        return units.len();
    }
    let rest = units.iter().zip(room).skip(ascii).take_while(|(unit, _)| **unit < 0x80);
    #[expect(clippy::cast_possible_truncation, reason = "less than 0x80")]
    let filled = rest.map(|(unit, byte)| *byte = *unit as u8).count();
    ascii + filled
}

/// Converts a block. Answers whether all of it was ASCII; what was not must be written over.
#[inline]
fn fill_block<const SIZE: usize>(block: &[u16; SIZE], space: &mut [u8; SIZE]) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "what is cut off is written over")]
    let narrow = block.map(|unit| unit as u8);
    *space = narrow;
    fours(block).fold(0, |all, four| all | four) & BEYOND_ASCII == 0
}

/// How many units come before the first that is not ASCII.
#[inline]
fn ascii_units<const SIZE: usize>(block: &[u16; SIZE]) -> usize {
    // Found without a branch for each: which one it is nobody can guess.
    let wide = fours(block).map(|four| four & BEYOND_ASCII);
    let found = wide.zip(0..).find(|(wide, _)| *wide != 0);
    found.map_or(SIZE, |(wide, four)| four * 4 + (wide.trailing_zeros() / 16) as usize)
}

/// The bits of four units that ASCII does not have.
const BEYOND_ASCII: u64 = u64::from_le_bytes([0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff]);

/// Units, four by four.
#[inline]
fn fours<const SIZE: usize>(block: &[u16; SIZE]) -> impl Iterator<Item = u64> {
    block.as_chunks().0.iter().map(|[first, second, third, fourth]| {
        u64::from(*first)
            | u64::from(*second) << 16
            | u64::from(*third) << 32
            | u64::from(*fourth) << 48
    })
}

/// Converts the character at the start, which is not ASCII. Answers how many units it has, and how many bytes.
#[inline]
fn fill_character(units: &[u16], room: &mut [u8; WIDEST]) -> (usize, usize) {
    let first = units.first().copied().unwrap_or_default();
    let unit = u32::from(first);
    let last = 0x80 | unit & 0x3f;
    // Nearly all take two or three bytes; the rest of the room is written over.
    if first < 0x800 {
        *room = (0xc0 | unit >> 6 | last << 8).to_le_bytes();
        return (1, 2);
    }
    if first & 0xf800 != 0xd800 {
        *room = (0xe0 | unit >> 12 | (0x80 | unit >> 6 & 0x3f) << 8 | last << 16).to_le_bytes();
        return (1, 3);
    }
    let character = char::from_u32(first.into()).or_else(|| {
        let pair = [first, units.get(1).copied().unwrap_or_default()];
        char::decode_utf16(pair).next()?.ok()
    });
    let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
    (character.len_utf16(), character.encode_utf8(room).len())
}

/// How many units a text takes in JavaScript: one for each character, and another for those of four bytes.
pub(super) fn length(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let is_beyond = |byte: u8| byte >= 0xf0;
    let has_pairs = any(text.as_bytes(), is_beyond);
    let pairs = if has_pairs { text.bytes().filter(|byte| is_beyond(*byte)).count() } else { 0 };
    text.chars().count() + pairs
}

/// UTF-8 as UTF-16, into room for as many units as the text has bytes. Answers how many it took.
pub(super) fn encode(text: &str, room: &mut [u16]) -> usize {
    let (mut rest, mut written) = (text, 0);
    while !rest.is_empty() {
        let Some(space) = room.get_mut(written..) else { break };
        let ascii = fill_units(rest.as_bytes(), space);
        written += ascii;
        rest = rest.get(ascii..).unwrap_or_default();
        // What follows is another script, or the end.
        let mut characters = rest.chars();
        while let Some(0x80..) = rest.as_bytes().first()
            && let Some(character) = characters.next()
            && let Some(space) = room.get_mut(written..written + character.len_utf16())
        {
            written += character.encode_utf16(space).len();
            rest = characters.as_str();
        }
    }
    written
}

/// Converts ASCII, up to what is not. Answers how much that is.
fn fill_units(bytes: &[u8], room: &mut [u16]) -> usize {
    let blocks = fill_blocks::<LARGE>(bytes, room).or_else(|| fill_blocks::<WORD>(bytes, room));
    blocks.unwrap_or_else(|| {
        let ascii = bytes.iter().zip(room).take_while(|(byte, _)| byte.is_ascii());
        ascii.map(|(byte, unit)| *unit = (*byte).into()).count()
    })
}

/// How many bytes are in a word of the processor.
const WORD: usize = 8;

/// The same, block by block. `None` when there is not one whole block.
#[inline]
fn fill_blocks<const SIZE: usize>(bytes: &[u8], room: &mut [u16]) -> Option<usize> {
    let end = bytes.last_chunk::<SIZE>()?;
    let mut ascii = 0;
    for (block, space) in bytes.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
        if !widen::<SIZE>(block, space) {
            return Some(ascii + ascii_bytes(block));
        }
        ascii += SIZE;
    }
    // As above.
    let is_ascii =
        ascii == bytes.len() || widen(end, room.get_mut(..bytes.len())?.last_chunk_mut()?);
    Some(if is_ascii { bytes.len() } else { bytes.len() - SIZE + ascii_bytes(end) })
}

/// How many bytes come before the first that is not ASCII.
#[inline]
fn ascii_bytes<const SIZE: usize>(block: &[u8; SIZE]) -> usize {
    let wide = block.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word) & HIGHEST);
    let found = wide.zip(0..).find(|(wide, _)| *wide != 0);
    found.map_or(SIZE, |(wide, word)| word * WORD + (wide.trailing_zeros() / 8) as usize)
}

/// The bits of the bytes of a word that ASCII does not have.
const HIGHEST: u64 = u64::from_le_bytes([0x80; WORD]);

/// Converts a block. Answers whether all of it was ASCII; what was not must be written over.
#[inline]
fn widen<const SIZE: usize>(block: &[u8; SIZE], space: &mut [u16; SIZE]) -> bool {
    for (unit, byte) in space.iter_mut().zip(block) {
        *unit = (*byte).into();
    }
    let words = block.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
    words.fold(0, |all, word| all | word) & HIGHEST == 0
}

#[cfg(test)]
mod tests {
    use super::{PAGE, append_ascii, append_pieces, append_utf8, encode, room_in};
    use proptest::prelude::*;

    #[test]
    fn room_begins_in_the_middle_of_a_page() {
        let mut buffer = Vec::new();
        for length in [0, 1, 1000, 5000, 300_000, 10] {
            let room = room_in(&mut buffer, length);
            assert!(room.len() >= length, "{length}");
            assert_eq!(room.as_ptr().addr() % PAGE, PAGE / 2, "{length}");
        }
        assert!(buffer.len() >= 300_000, "what is there is kept");
    }

    fn decoded(units: &[u16]) -> Vec<u8> {
        let mut bytes = b"before".to_vec();
        append_utf8(&mut bytes, units);
        bytes
    }

    #[test]
    fn every_unit_becomes_the_bytes_it_should() {
        for unit in 0..=u16::MAX {
            assert_eq!(
                decoded(&[unit])[6..],
                *String::from_utf16_lossy(&[unit]).as_bytes(),
                "{unit:x}"
            );
        }
    }

    proptest! {
        #[test]
        fn encodes_as_the_standard_library_does(text in "([a-z]{0,40}[é漢😀]{0,20}){0,4}", odd: String) {
            for text in [text, odd] {
                let mut units = vec![0; text.len()];
                let length = encode(&text, &mut units);
                prop_assert_eq!(super::length(&text), length);
                prop_assert!(text.encode_utf16().eq(units[..length].iter().copied()));
            }
        }

        #[test]
        fn ascii_is_appended_up_to_what_is_not(units: Vec<u16>, text in "[a-z]{0,80}[é漢😀]{0,2}[a-z]{0,40}") {
            for units in [units, text.encode_utf16().collect()] {
                let ascii: Vec<_> = units.iter().take_while(|unit| **unit < 0x80).copied().collect();
                let mut bytes = b"before".to_vec();
                prop_assert_eq!(append_ascii(&mut bytes, &units), ascii.len() == units.len());
                prop_assert_eq!(bytes, ["before", &String::from_utf16_lossy(&ascii)].concat().into_bytes());
            }
        }

        #[test]
        fn pieces_are_decoded_one_by_one(pieces: Vec<Vec<u16>>, text in "[a-z]{0,40}[é漢😀]{0,9}") {
            let text: Vec<_> = text.encode_utf16().collect();
            let (mut units, mut ends) = (vec![0; 3], vec![]);
            let (mut decoded, mut decoded_ends) = ("before".to_owned(), vec![]);
            for piece in pieces.iter().chain([&text]) {
                units.extend(piece);
                ends.push(u32::try_from(units.len()).unwrap());
                decoded += &String::from_utf16_lossy(piece);
                decoded_ends.push(u32::try_from(decoded.len()).unwrap());
            }
            let mut bytes = b"before".to_vec();
            append_pieces(&mut bytes, &units, 3, &mut ends);
            prop_assert_eq!((bytes, ends), (decoded.into_bytes(), decoded_ends));
        }

        #[test]
        fn decodes_as_the_standard_library_does(units: Vec<u16>, text in "([a-z]{0,40}[é漢😀]{0,3}){0,3}[é漢😀]{0,60}", at in 0usize..40, unit: u16) {
            let expected = |units: &[u16]| ["before", &String::from_utf16_lossy(units)].concat().into_bytes();
            prop_assert_eq!(decoded(&units), expected(&units));
            let mut units: Vec<_> = text.encode_utf16().collect();
            prop_assert_eq!(decoded(&units), expected(&units));
            units.insert(at.min(units.len()), unit);
            prop_assert_eq!(decoded(&units), expected(&units));
        }
    }
}

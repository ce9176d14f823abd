//! Bytes looked at many at a time.
//!
//! A question about the bytes of a small block, asked of all of them without a way out, is one the compiler answers
//! for all of them at once. Short text is mostly its end, so that is not looked at byte by byte either: the last
//! block overlaps the one before it.

/// How many bytes are looked at together.
const BLOCK: usize = 16;

/// How many pairs are: addresses are longer than most text.
const PAIRS: usize = 32;

/// Whether `test` holds for any byte. It must not hold for a space.
pub(crate) fn any(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    let hit = |block: &[u8; BLOCK]| block.iter().fold(false, |hit, byte| hit | test(*byte));
    let (blocks, rest) = bytes.as_chunks();
    if blocks.iter().any(hit) {
        return true;
    }
    match bytes.last_chunk() {
        _ if rest.is_empty() => false,
        Some(last) => hit(last),
        None => hit(&padded(rest, b' ')),
    }
}

/// Whether `test` holds for any byte but the first, of which it sees also the one before. It must not hold for a
/// letter behind a letter.
pub(crate) fn any_pair(bytes: &[u8], test: impl Fn(u8, u8) -> bool) -> bool {
    let hit = |before: &[u8; PAIRS], block: &[u8; PAIRS]| any_in_block(before, block, &test);
    let (Some((_, before)), Some((_, bytes))) = (bytes.split_last(), bytes.split_first()) else {
        return false;
    };
    let ((befores, rest_before), (blocks, rest)) = (before.as_chunks(), bytes.as_chunks());
    if befores.iter().zip(blocks).any(|(before, block)| hit(before, block)) {
        return true;
    }
    match (before.last_chunk(), bytes.last_chunk()) {
        _ if rest.is_empty() => false,
        (Some(before), Some(block)) => hit(before, block),
        _ => hit(&padded(rest_before, b'a'), &padded(rest, b'a')),
    }
}

/// A function of its own: a compiler that knows how the two overlap puts one together from pieces of the other, which
/// takes twice as long as to load it.
#[inline(never)]
fn any_in_block(before: &[u8; PAIRS], block: &[u8; PAIRS], test: &impl Fn(u8, u8) -> bool) -> bool {
    before.iter().zip(block).fold(false, |hit, (before, byte)| hit | test(*before, *byte))
}

/// A block that begins with `bytes`, which are fewer.
pub(crate) fn padded<const SIZE: usize>(bytes: &[u8], pad: u8) -> [u8; SIZE] {
    let mut block = [pad; SIZE];
    if let Some(start) = block.get_mut(..bytes.len()) {
        start.copy_from_slice(bytes);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::any_pair;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_byte_is_seen(bytes in "[ab]{0,70}[abc]?[ab]{0,20}") {
            prop_assert_eq!(super::any(bytes.as_bytes(), |byte| byte == b'c'), bytes.contains('c'));
        }

        #[test]
        fn every_pair_is_seen(bytes in "[ab.]{0,70}(/[ab.])?[ab.]{0,20}") {
            let seen = any_pair(bytes.as_bytes(), |before, byte| before == b'/' && byte == b'.');
            prop_assert_eq!(seen, bytes.contains("/."));
        }
    }
}

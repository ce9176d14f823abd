//! Bytes looked at many at a time.
//!
//! A question about the bytes of a small block, asked of all of them without a way out, is one the compiler answers
//! for all of them at once. Short text is mostly its end, so that is not looked at byte by byte either: the last
//! block overlaps the one before it. Text that is shorter than a block is looked at in smaller ones; to fill one up
//! takes longer, for a processor waits for what was written piece by piece and is read as a whole.

/// Whether `test` holds for any byte.
#[inline]
pub(crate) fn any(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    any_in_blocks::<16>(bytes, &test)
        .or_else(|| any_in_blocks::<8>(bytes, &test))
        .unwrap_or_else(|| bytes.iter().any(|byte| test(*byte)))
}

/// `None` when there is not one whole block.
#[inline]
fn any_in_blocks<const SIZE: usize>(bytes: &[u8], test: &impl Fn(u8) -> bool) -> Option<bool> {
    let hit = |block: &[u8; SIZE]| block.iter().fold(false, |hit, byte| hit | test(*byte));
    let last = bytes.last_chunk()?;
    let (blocks, rest) = bytes.as_chunks();
    Some(blocks.iter().any(hit) || !rest.is_empty() && hit(last))
}

/// Whether `test` holds for any byte but the first, of which it sees also the one before.
pub(crate) fn any_pair(bytes: &[u8], test: impl Fn(u8, u8) -> bool) -> bool {
    let (Some((_, before)), Some((_, bytes))) = (bytes.split_last(), bytes.split_first()) else {
        return false;
    };
    any_pair_in_blocks::<32>(before, bytes, &test)
        .or_else(|| any_pair_in_blocks::<16>(before, bytes, &test))
        .or_else(|| any_pair_in_blocks::<8>(before, bytes, &test))
        .unwrap_or_else(|| before.iter().zip(bytes).any(|(before, byte)| test(*before, *byte)))
}

/// `None` when there is not one whole block.
#[inline]
fn any_pair_in_blocks<const SIZE: usize>(
    before: &[u8],
    bytes: &[u8],
    test: &impl Fn(u8, u8) -> bool,
) -> Option<bool> {
    let hit = |before: &[u8; SIZE], block: &[u8; SIZE]| any_pair_in_block(before, block, test);
    let (last_before, last) = (before.last_chunk()?, bytes.last_chunk()?);
    let ((befores, _), (blocks, rest)) = (before.as_chunks(), bytes.as_chunks());
    let mut pairs = befores.iter().zip(blocks);
    Some(
        pairs.any(|(before, block)| hit(before, block))
            || !rest.is_empty() && hit(last_before, last),
    )
}

/// A function of its own: a compiler that knows how the two overlap puts one together from pieces of the other, which
/// takes twice as long as to load it.
#[inline(never)]
fn any_pair_in_block<const SIZE: usize>(
    before: &[u8; SIZE],
    block: &[u8; SIZE],
    test: &impl Fn(u8, u8) -> bool,
) -> bool {
    before.iter().zip(block).fold(false, |hit, (before, byte)| hit | test(*before, *byte))
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

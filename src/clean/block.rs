//! Bytes looked at many at a time.
//!
//! A block is small enough for one register, and a question about all of its bytes, asked without a way out, is one
//! the compiler answers for all of them at once. Short text is mostly end, so the end is not looked at byte by
//! byte either: the last block overlaps the one before it.

/// How many bytes are looked at together.
pub(super) const BLOCK: usize = 16;

/// Whether `test` holds for any block of `bytes`. Bytes may be seen twice, and text shorter than a block with `pad` behind
/// it: neither may change the answer.
pub(super) fn any_block(bytes: &[u8], pad: u8, test: impl Fn(&[u8; BLOCK]) -> bool) -> bool {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    if blocks.iter().any(&test) {
        return true;
    }
    match bytes.last_chunk() {
        _ if rest.is_empty() => false,
        Some(last) => test(last),
        None => test(&padded(rest, pad)),
    }
}

/// The same for two texts of one length, side by side.
pub(super) fn any_pair(
    one: &[u8],
    other: &[u8],
    pad: u8,
    test: impl Fn(&[u8; BLOCK], &[u8; BLOCK]) -> bool,
) -> bool {
    let (ones, rest) = one.as_chunks::<BLOCK>();
    let (others, other_rest) = other.as_chunks::<BLOCK>();
    if ones.iter().zip(others).any(|(one, other)| test(one, other)) {
        return true;
    }
    match one.last_chunk().zip(other.last_chunk()) {
        _ if rest.is_empty() => false,
        Some((one, other)) => test(one, other),
        None => test(&padded(rest, pad), &padded(other_rest, pad)),
    }
}

fn padded(bytes: &[u8], pad: u8) -> [u8; BLOCK] {
    let mut block = [pad; BLOCK];
    block.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_byte_is_seen(bytes in prop::collection::vec(0_u8..4, 0..70)) {
            let seen = any_block(&bytes, 1, |block| block.contains(&0));
            prop_assert_eq!(seen, bytes.contains(&0));
        }

        #[test]
        fn every_pair_is_seen(pairs in prop::collection::vec((0_u8..6, 0_u8..6), 0..70)) {
            let (ones, others): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            let seen = any_pair(&ones, &others, 1, |one, other| {
                one.iter().zip(other).any(|(one, other)| one + other == 0)
            });
            prop_assert_eq!(seen, pairs.contains(&(0, 0)));
        }
    }
}

//! Bytes as text, the way JSON carries files.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64, with padding.
pub fn encode(bytes: &[u8]) -> String {
    let letter = |bits: u32| ALPHABET.get((bits & 63) as usize).copied().map_or('=', char::from);
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        text.push(letter(bits >> 18));
        text.push(letter(bits >> 12));
        text.push(if three.len() > 1 { letter(bits >> 6) } else { '=' });
        text.push(if three.len() > 2 { letter(bits) } else { '=' });
    }
    text
}

/// The bytes that base64 stands for; blanks are passed over.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        bits = bits << 6 | u32::from(value(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap_or_default());
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_everybody_writes_it() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(bytes: Vec<u8>) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }
}

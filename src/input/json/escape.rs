//! The text a JSON string stands for.

use super::search::string_length;
use crate::model::Text;
use memchr::memchr;

/// The text of the string that starts here, behind its quote, and what follows, the closing quote first.
pub(in crate::input) fn string(text: &[u8]) -> Option<(Text<'_>, &[u8])> {
    let (length, escaped) = string_length(text).ok()?;
    let (raw, rest) = text.split_at_checked(length)?;
    Some((text_of(raw, escaped), rest))
}

/// The text that stands between quotes, `escaped` if there are escapes in it.
pub(in crate::input) fn text_of(raw: &[u8], escaped: bool) -> Text<'_> {
    if escaped { unescape(raw).into() } else { decode(raw) }
}

/// The text a JSON string stands for, given what is between its quotes.
pub(in crate::input) fn unescape(raw: &[u8]) -> String {
    let mut text = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, escape)) = memchr(b'\\', rest).and_then(|at| rest.split_at_checked(at)) {
        text.extend_from_slice(plain);
        let taken = unescape_one(escape, &mut text);
        rest = escape.get(taken..).unwrap_or_default();
    }
    text.extend_from_slice(rest);
    String::from_utf8(text)
        .unwrap_or_else(|broken| String::from_utf8_lossy(broken.as_bytes()).into_owned())
}

/// Appends what the escape at the start of `escape` stands for. Answers how long the escape is.
fn unescape_one(escape: &[u8], text: &mut Vec<u8>) -> usize {
    let plain = match escape.get(1) {
        Some(b'n') => b'\n',
        Some(b't') => b'\t',
        Some(b'r') => b'\r',
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'u') => return unescape_unit(escape, text),
        Some(&other) => other,
        None => b'\\',
    };
    text.push(plain);
    2
}

fn unescape_unit(escape: &[u8], text: &mut Vec<u8>) -> usize {
    let unit = |at: usize| -> Option<u16> {
        let digits = escape.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let digits = digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)?;
        u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
    };
    let Some(first) = unit(0) else {
        text.extend_from_slice("\u{fffd}".as_bytes());
        return 2;
    };
    let pair = unit(6).map_or([first, 0], |second| [first, second]);
    let character = char::decode_utf16(pair).next().and_then(Result::ok);
    let mut bytes = [0; 4];
    let encoded = character.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut bytes);
    text.extend_from_slice(encoded.as_bytes());
    if character.is_some_and(|character| character.len_utf16() == 2) { 12 } else { 6 }
}

/// Valid text is checked far faster than broken text is mended.
pub(in crate::input) fn decode(raw: &[u8]) -> Text<'_> {
    str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Text::Borrowed)
}

/// Appends `text` as a JSON string.
pub(in crate::input) fn quote(text: &str, json: &mut String) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\u{1f}' => {
                json.push_str("\\u00");
                json.extend(
                    [u32::from(character) / 16, u32::from(character) % 16]
                        .map(|digit| char::from_digit(digit, 16).unwrap_or('0')),
                );
            }
            _ => json.push(character),
        }
    }
    json.push('"');
}

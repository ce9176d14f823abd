//! JSON text and bytes as a [`Value`].
//!
//! A skimmer, not a validator: one pass keeps a flat list of the fields somebody may ask for and
//! jumps over all others from quote to quote, so the HTML, base64 and ciphertext that fill provider
//! responses cost a memory scan. Numbers and escapes are decoded when asked for. Damaged text is no
//! error: what stands before the damage is read. On valid JSON it agrees with `JSON.parse`, lone
//! surrogates included, which arrive as U+FFFD.

use super::key::Key;
use super::said::Detail;
use super::value::{MOST_ITEMS, Value};
use crate::model::Text;
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;

/// A skimmed document.
#[derive(Debug)]
pub struct Json<'a> {
    text: &'a [u8],
    nodes: Vec<Node>,
}

/// A value that was kept: where it stands in the text, and which node comes after it and all that is
/// inside it.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: Option<Key>,
    /// Which of the key's spellings the text uses.
    spelling: u8,
    kind: Kind,
    start: u32,
    end: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// `null`, `true`, `false`, and whatever damage left behind.
    Other,
    Number,
    Text,
    /// Text with escapes in it.
    Escaped,
    Array,
    Object,
}

impl<'a> Json<'a> {
    /// Skims UTF-8 bytes. Bytes that are no UTF-8 arrive as U+FFFD.
    pub fn from_bytes(text: &'a [u8]) -> Self {
        Self::skimmed(text, Detail::Full)
    }

    /// Skims as much as `detail` asks for.
    pub fn skimmed(text: &'a [u8], detail: Detail) -> Self {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        // Places are 32 bits wide; no response comes near.
        let text = if u32::try_from(text.len()).is_ok() { text } else { &[] };
        let (nodes, open) = (Vec::with_capacity(64), Vec::new());
        let mut skimmer = Skimmer { text, at: 0, nodes, open, detail };
        skimmer.skim();
        Self { text, nodes: skimmer.nodes }
    }

    /// Skims text.
    pub fn from_text(text: &'a str) -> Self {
        Self::from_bytes(text.as_bytes())
    }

    /// The outermost value, if there is anything but blanks.
    pub fn root(&self) -> Option<JsonValue<'_>> {
        (!self.nodes.is_empty()).then_some(JsonValue { json: self, at: 0 })
    }
}

struct Skimmer<'a> {
    text: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    /// Lists and objects that are not closed yet, as places in `nodes`.
    open: Vec<usize>,
    detail: Detail,
}

impl Skimmer<'_> {
    fn skim(&mut self) {
        self.value(None);
        while let Some(&holder) = self.open.last() {
            if self.member(holder).is_none() {
                self.close();
            }
        }
    }

    /// Reads the next item or field of the innermost list or object. `None` at its end, and where
    /// the text is damaged.
    fn member(&mut self, holder: usize) -> Option<()> {
        let mut next = self.peek()?;
        if next == b',' {
            self.at += 1;
            next = self.peek()?;
        }
        if matches!(next, b']' | b'}') {
            self.at += 1;
            return None;
        }
        if self.nodes.get(holder)?.kind == Kind::Array {
            self.value(None);
            return Some(());
        }
        if next != b'"' {
            self.at = self.text.len();
            return None;
        }
        let name = self.name();
        if self.peek()? == b':' {
            self.at += 1;
        }
        match name {
            Some(name) if self.detail == Detail::Full || !name.0.is_bulk() => {
                self.value(Some(name));
            }
            _ => self.pass_over(),
        }
        Some(())
    }

    /// Reads a field name as the key it spells.
    fn name(&mut self) -> Option<(Key, u8)> {
        let start = self.at + 1;
        let escaped = self.pass_string();
        let name = self.text.get(start..self.at.saturating_sub(1))?;
        if escaped { Key::spelled(unescape(name).as_bytes()) } else { Key::spelled(name) }
    }

    /// Keeps the value that starts here; the inside of a list or object is read by `skim`.
    fn value(&mut self, key: Option<(Key, u8)>) {
        let Some(first) = self.peek() else { return };
        let start = self.at;
        let kind = match first {
            b'"' => {
                let escaped = self.pass_string();
                // Half an address is another address.
                let whole = self.at <= self.text.len();
                if !whole {
                    Kind::Other
                } else if escaped {
                    Kind::Escaped
                } else {
                    Kind::Text
                }
            }
            b'{' | b'[' => {
                self.at += 1;
                self.open.push(self.nodes.len());
                if first == b'{' { Kind::Object } else { Kind::Array }
            }
            _ => {
                self.pass_word();
                // A number at the very end may have lost its last digits.
                let whole = self.at < self.text.len() || self.open.is_empty();
                let is_number = matches!(first, b'-' | b'0'..=b'9') && whole;
                if is_number { Kind::Number } else { Kind::Other }
            }
        };
        let next = place(self.nodes.len() + 1);
        let (key, spelling) = key.map_or((None, 0), |(key, spelling)| (Some(key), spelling));
        self.nodes.push(Node {
            key,
            spelling,
            kind,
            start: place(start),
            end: place(self.at),
            next,
        });
    }

    fn close(&mut self) {
        let next = place(self.nodes.len());
        let Some(node) = self.open.pop().and_then(|holder| self.nodes.get_mut(holder)) else {
            return;
        };
        node.next = next;
        let ends = self.detail == Detail::Shown && node.key.is_some_and(Key::ends_shown);
        // Of a list of responses the others still come.
        if ends && self.nodes.first().is_some_and(|root| root.kind == Kind::Object) {
            self.at = self.text.len();
        }
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let next = *self.text.get(self.at)?;
            if !matches!(next, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(next);
            }
            self.at += 1;
        }
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves behind the string that starts here. Answers whether there are escapes in it.
    fn pass_string(&mut self) -> bool {
        let inside = self.text.get(self.at + 1..).unwrap_or_default();
        match string_length(inside) {
            Ok((length, escaped)) => {
                self.at += length + 2;
                escaped
            }
            // Without its closing quote the rest of the text is the string.
            Err(escaped) => {
                self.at = self.text.len() + 1;
                escaped
            }
        }
    }

    /// Moves behind a number or a literal.
    fn pass_word(&mut self) {
        let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
        // A stray bracket or colon must not stand still.
        let length = self.rest().iter().position(ends).unwrap_or(self.rest().len());
        self.at += length.max(1);
    }

    /// Moves behind a value nobody asks for.
    fn pass_over(&mut self) {
        match self.peek() {
            Some(b'"') => {
                self.pass_string();
            }
            Some(open @ (b'{' | b'[')) => {
                self.pass_nested(open, if open == b'{' { b'}' } else { b']' });
            }
            Some(_) => self.pass_word(),
            None => {}
        }
    }

    /// Brackets of the other kind are balanced in between, so one kind is enough to count.
    fn pass_nested(&mut self, open: u8, close: u8) {
        let mut depth = 0_usize;
        while let Some(found) = find([b'"', open, close], self.rest()) {
            self.at += found;
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.pass_string();
                    continue;
                }
                Some(byte) if *byte == open => depth += 1,
                _ => depth -= 1,
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
        self.at = self.text.len();
    }
}

/// How far it is to the closing quote of a string that starts here, and whether there are escapes
/// on the way. The latter alone when there is no closing quote.
pub(super) fn string_length(text: &[u8]) -> Result<(usize, bool), bool> {
    let (mut at, mut escaped) = (0, false);
    while let Some(found) = text.get(at..).and_then(|rest| find([b'"', b'\\'], rest)) {
        at += found;
        if text.get(at) == Some(&b'"') {
            return Ok((at, escaped));
        }
        escaped = true;
        at += 2;
    }
    Err(escaped)
}

/// Where the first of `needles` stands. Most strings and gaps of a payload are a few bytes long, so
/// the first four words are looked at here; the long ones are for `memchr`.
#[inline]
fn find<const N: usize>(needles: [u8; N], text: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let (words, _) = text.as_chunks::<8>();
    for (index, word) in words.iter().take(4).enumerate() {
        let word = u64::from_le_bytes(*word);
        // The high bit of each byte that equals a needle, and of none below the first such byte.
        let hits = needles.iter().fold(0, |hits, needle| {
            let same = word ^ (LOW * u64::from(*needle));
            hits | (same.wrapping_sub(LOW) & !same & HIGH)
        });
        if hits != 0 {
            return Some(index * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    let near = words.len().min(4) * 8;
    let far = text.get(near..)?;
    let found = match *needles.as_slice() {
        [one, two] => memchr2(one, two, far),
        [one, two, three] => memchr3(one, two, three, far),
        _ => far.iter().position(|byte| needles.contains(byte)),
    };
    found.map(|at| near + at)
}

/// Texts are shorter than this, as `from_bytes` sees to.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The text a JSON string stands for, given what is between its quotes.
pub(super) fn unescape(raw: &[u8]) -> String {
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
pub(super) fn decode(raw: &[u8]) -> Text<'_> {
    str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed)
}

/// A value inside a [`Json`] document.
#[derive(Clone, Copy, Debug)]
pub struct JsonValue<'j> {
    json: &'j Json<'j>,
    at: usize,
}

impl<'j> JsonValue<'j> {
    fn node(self) -> Option<Node> {
        self.json.nodes.get(self.at).copied()
    }

    /// What the text holds for a node, without quotes.
    fn raw(self, node: Node) -> &'j [u8] {
        let quotes = usize::from(matches!(node.kind, Kind::Text | Kind::Escaped));
        let (start, end) =
            (node.start as usize + quotes, (node.end as usize).saturating_sub(quotes));
        self.json.text.get(start..end.min(self.json.text.len())).unwrap_or_default()
    }

    /// `null` is the only literal that counts as nothing.
    fn is_null(self, node: Node) -> bool {
        node.kind == Kind::Other && self.raw(node).first().is_none_or(|first| *first == b'n')
    }

    /// The values directly inside this one, with their nodes.
    fn inside(self, holder: Node) -> impl Iterator<Item = (Node, Self)> {
        let (mut next, end) = (self.at + 1, holder.next as usize);
        std::iter::from_fn(move || {
            let child = Self { json: self.json, at: next };
            let node = if next < end { child.node()? } else { return None };
            next = node.next as usize;
            Some((node, child))
        })
    }

    fn present(self) -> Option<Self> {
        self.node().filter(|node| !self.is_null(*node)).map(|_| self)
    }
}

impl<'j> Value<'j> for JsonValue<'j> {
    /// Of a field that occurs twice the last one counts, as in `JSON.parse`; of one that is spelled in
    /// two ways the commoner spelling, as with live objects.
    fn get(self, key: Key) -> Option<Self> {
        let node = self.node().filter(|node| node.kind == Kind::Object)?;
        let mut best: Option<(u8, Option<Self>)> = None;
        for (field, child) in self.inside(node) {
            if field.key == Some(key) {
                let child = child.present();
                let better =
                    |(held, value): &(u8, Option<Self>)| field.spelling <= *held || value.is_none();
                let gone = child.is_none() && best.is_some_and(|(held, _)| field.spelling != held);
                if best.as_ref().is_none_or(better) && !gone {
                    best = Some((field.spelling, child));
                }
            }
        }
        best?.1
    }

    fn each(self, mut visit: impl FnMut(usize, Self)) -> bool {
        let Some(node) = self.node().filter(|node| node.kind == Kind::Array) else { return false };
        for (index, (_, child)) in self.inside(node).take(MOST_ITEMS).enumerate() {
            if let Some(child) = child.present() {
                visit(index, child);
            }
        }
        true
    }

    fn first(self) -> Option<Self> {
        let node = self.node().filter(|node| node.kind == Kind::Array)?;
        self.inside(node).next().and_then(|(_, item)| item.present())
    }

    fn is_array(self) -> bool {
        self.node().is_some_and(|node| node.kind == Kind::Array)
    }

    fn text(self) -> Option<Text<'j>> {
        let node = self.node()?;
        match node.kind {
            Kind::Text => Some(decode(self.raw(node))),
            Kind::Escaped => Some(unescape(self.raw(node)).into()),
            _ => None,
        }
    }

    fn is_true(self) -> bool {
        self.node().is_some_and(|node| node.kind == Kind::Other && self.raw(node) == b"true")
    }

    fn number(self) -> Option<f64> {
        let node = self.node().filter(|node| node.kind == Kind::Number)?;
        str::from_utf8(self.raw(node)).ok()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn title(json: &Json<'_>) -> Option<String> {
        json.root()?.text_at(Key::Title).map(Cow::into_owned)
    }

    #[test]
    fn unknown_fields_leave_no_trace() {
        let json = Json::from_text(r#"{"x":[1,{"title":"no"},"]}"],"title":"yes","y":"z\"}"}"#);
        assert_eq!(title(&json).as_deref(), Some("yes"));
        assert_eq!(json.nodes.len(), 2);
    }

    #[test]
    fn the_commoner_spelling_counts() {
        let index = |text: &str| Json::from_text(text).root()?.whole_at(Key::StartIndex);
        assert_eq!(index(r#"{"start_index":3,"startIndex":5}"#), Some(3));
        assert_eq!(index(r#"{"startIndex":5,"start_index":3}"#), Some(3));
        assert_eq!(index(r#"{"startIndex":5,"start_index":null}"#), Some(5));
        assert_eq!(index(r#"{"start_index":3,"startIndex":null}"#), Some(3));
        assert_eq!(index(r#"{"start_index":3,"start_index":null}"#), None);
    }

    #[test]
    fn the_last_of_two_equal_names_counts() {
        assert_eq!(title(&Json::from_text(r#"{"title":"a","title":"b"}"#)).as_deref(), Some("b"));
        assert_eq!(title(&Json::from_text(r#"{"title":"a","title":null}"#)), None);
        assert_eq!(title(&Json::from_text(r#"{"tit\u006ce":"a"}"#)).as_deref(), Some("a"));
    }

    #[test]
    fn half_a_document_is_read_up_to_the_damage() {
        let whole = r#"{"title":"kept","sources":[{"url":"https://a.example/x\"y"},{}]}"#;
        for end in 0..whole.len() {
            let json = Json::from_bytes(&whole.as_bytes()[..end]);
            if end > 15 {
                assert_eq!(title(&json).as_deref(), Some("kept"), "{end}");
            }
            if let Some(sources) = json.root().and_then(|root| root.get(Key::Sources)) {
                sources.each(|_, source| drop(source.text_at(Key::Url)));
            }
        }
    }

    #[test]
    fn lone_surrogates_do_not_cost_the_document() {
        let json = Json::from_text(r#"{"title":"a\ud83d b\\ud83d \ud83d\ude00 \udc00 \u12"}"#);
        assert_eq!(title(&json).as_deref(), Some("a\u{fffd} b\\ud83d 😀 \u{fffd} \u{fffd}12"));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let json = Json::from_bytes(b"\xEF\xBB\xBF{\"title\":\"a\xff\"}");
        assert_eq!(title(&json).as_deref(), Some("a\u{fffd}"));
        assert!(Json::from_bytes(b"").root().is_none());
        assert!(Json::from_text(" \n").root().is_none());
    }

    #[test]
    fn finds_the_first_needle_wherever_it_stands() {
        for length in 0..80 {
            for at in 0..length {
                let mut text = vec![b'a'; length];
                text[at] = b'"';
                text[length - 1] = b'\\';
                let naive = text.iter().position(|byte| matches!(byte, b'"' | b'\\'));
                assert_eq!(find([b'"', b'\\'], &text), naive, "{at} of {length}");
                assert_eq!(find([b'"', b'{', b'\\'], &text), naive, "{at} of {length}");
            }
        }
    }

    #[test]
    fn nesting_has_no_limit() {
        let deep =
            format!(r#"{{"x":{}1{},"title":"t"}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(title(&Json::from_text(&deep)).as_deref(), Some("t"));
        let kept = format!("{}1{}", r#"{"content":["#.repeat(50_000), "]}".repeat(50_000));
        assert!(Json::from_text(&kept).root().is_some());
    }

    /// What a reader sees of a value, both ways.
    fn seen(value: JsonValue<'_>) -> serde_json::Value {
        if let Some(text) = value.text() {
            return text.into_owned().into();
        }
        if let Some(number) = value.number() {
            return number.into();
        }
        let mut items = Vec::new();
        if value.each(|_, item| items.push(seen(item))) {
            return items.into();
        }
        let keys = [Key::Title, Key::Url, Key::Content];
        let field = |key: Key| Some((format!("{key:?}").to_lowercase(), seen(value.get(key)?)));
        keys.into_iter().filter_map(field).collect::<serde_json::Map<_, _>>().into()
    }

    fn expected(value: &serde_json::Value) -> serde_json::Value {
        use serde_json::Value::{Array, Number, Object, String};
        match value {
            String(text) => text.clone().into(),
            Number(number) => number.as_f64().into(),
            Array(items) => items.iter().filter(|item| !item.is_null()).map(expected).collect(),
            Object(fields) => ["title", "url", "content"]
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), fields.get(*name)?)))
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name, expected(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            _ => serde_json::Map::new().into(),
        }
    }

    fn documents() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i32>().prop_map(Into::into),
            (-1e9..1e9).prop_map(|number: f64| number.into()),
            "[ -~\n\t\u{7f}é漢😀\"\\\\]{0,12}".prop_map(Into::into),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::btree_map("title|url|content|[a-z\"{}\\[\\]]{1,4}", inner, 0..6)
                    .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        })
    }

    proptest! {
        #[test]
        fn agrees_with_serde_json(document in documents(), pretty: bool) {
            let text = if pretty {
                serde_json::to_string_pretty(&document).unwrap()
            } else {
                document.to_string()
            };
            if !document.is_null() {
                let json = Json::from_text(&text);
                prop_assert_eq!(seen(json.root().unwrap()), expected(&document));
            }
        }

        #[test]
        fn survives_anything(bytes: Vec<u8>, garbage in "[\\[\\]{}\",:\\\\ tiur0-9-]{0,60}") {
            for text in [bytes.as_slice(), garbage.as_bytes()] {
                if let Some(root) = Json::from_bytes(text).root() {
                    seen(root);
                }
            }
        }
    }
}

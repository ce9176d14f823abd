//! JSON text and bytes as a [`Value`].
//!
//! A skimmer, not a validator: one pass keeps a flat list of the fields somebody may ask for and
//! jumps over all others from quote to quote, so the HTML, base64 and ciphertext that fill provider
//! responses cost a memory scan. Numbers and escapes are decoded when asked for. Damaged text is no
//! error: what stands before the damage is read. On valid JSON it agrees with `JSON.parse`, lone
//! surrogates included, which arrive as U+FFFD.

mod escape;
mod pass;
mod search;
mod skim;

use escape::{decode, unescape};
pub(super) use escape::{quote, string, text_of};
pub(super) use pass::skip_value;
pub(super) use search::{is_whole_number, plain_length, string_length, word_length};
pub(super) use skim::passed_over;

use super::key::Key;
use super::said::Detail;
use super::value::{MOST_FIELDS, MOST_ITEMS, Value};
use crate::model::Text;
use skim::{Kind, Node, skim};

/// A skimmed document.
#[derive(Debug)]
pub struct Json<'a> {
    text: &'a [u8],
    nodes: Vec<Node>,
    cut: bool,
}

impl<'a> Json<'a> {
    /// Skims UTF-8 bytes. Bytes that are no UTF-8 arrive as U+FFFD.
    pub fn from_bytes(text: &'a [u8]) -> Self {
        Self::skimmed(text, Detail::Full)
    }

    /// Skims as much as `detail` asks for.
    pub fn skimmed(text: &'a [u8], detail: Detail) -> Self {
        Self::skim(text, detail, detail == Detail::Shown)
    }

    /// The same, and on to the end of the outermost value, whether or not `detail` asks for that.
    pub fn to_the_end(text: &'a [u8], detail: Detail) -> Self {
        Self::skim(text, detail, false)
    }

    fn skim(text: &'a [u8], detail: Detail, may_end_early: bool) -> Self {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        // Places are 32 bits wide; no response comes near.
        let text = if u32::try_from(text.len()).is_ok() { text } else { &[] };
        let (nodes, cut) = skim(text, detail, may_end_early);
        Self { text, nodes, cut }
    }

    /// Keeps every field, whatever its name.
    pub fn whole(text: &'a str) -> Self {
        Self::skimmed(text.as_bytes(), Detail::Whole)
    }

    /// Where the outermost value ends in the text.
    pub fn end(&self) -> usize {
        self.nodes.first().map_or(0, |root| root.end as usize)
    }

    /// Skims text.
    pub fn from_text(text: &'a str) -> Self {
        Self::from_bytes(text.as_bytes())
    }

    /// Whether this is no list or object, or one that breaks off.
    pub fn is_damaged(&self) -> bool {
        let root = self.nodes.first();
        self.cut || !root.is_some_and(|root| matches!(root.kind, Kind::Array | Kind::Object))
    }

    /// The outermost value, if there is anything but blanks.
    pub fn root(&self) -> Option<JsonValue<'_>> {
        (!self.nodes.is_empty()).then_some(JsonValue { json: self, at: 0 })
    }
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
        let quotes = usize::from(matches!(node.kind, Kind::Text | Kind::Escaped | Kind::Name));
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
        let nodes = self.json.nodes.as_slice();
        let holder = nodes.get(self.at).filter(|node| node.kind == Kind::Object)?;
        let mut best: Option<(u8, Option<Self>)> = None;
        let mut at = self.at + 1;
        // Most fields are others, so nothing is made of them.
        while at < holder.next as usize
            && let Some(field) = nodes.get(at)
        {
            let child = Self { json: self.json, at };
            at = field.next as usize;
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

    fn is_text(self) -> bool {
        self.node().is_some_and(|node| matches!(node.kind, Kind::Text | Kind::Escaped))
    }

    fn text(self) -> Option<Text<'j>> {
        let node = self.node()?;
        match node.kind {
            Kind::Text => Some(decode(self.raw(node))),
            Kind::Escaped => Some(unescape(self.raw(node)).into()),
            _ => None,
        }
    }

    fn fields(self, mut visit: impl FnMut(&str, Self)) -> bool {
        let Some(node) = self.node().filter(|node| node.kind == Kind::Object) else { return false };
        let mut name: Option<Text<'j>> = None;
        for (field, child) in self.inside(node).take(2 * MOST_FIELDS) {
            if field.kind == Kind::Name {
                name = Some(unescape(self.raw(field)).into());
                continue;
            }
            let spelled = field.key.map(|key| Text::Borrowed(key.spelling(field.spelling)));
            if let Some((name, child)) = spelled.or(name.take()).zip(child.present()) {
                visit(&name, child);
            }
        }
        true
    }

    fn length(self) -> Option<usize> {
        let node = self.node().filter(|node| node.kind == Kind::Array)?;
        Some(self.inside(node).count())
    }

    fn json(self) -> Option<&'j [u8]> {
        let node = self.node()?;
        self.json.text.get(node.start as usize..node.end as usize)
    }

    fn flag(self) -> Option<bool> {
        let node = self.node().filter(|node| node.kind == Kind::Other)?;
        match self.raw(node) {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    fn number(self) -> Option<f64> {
        let node = self.node().filter(|node| node.kind == Kind::Number)?;
        let raw = self.raw(node);
        short_number(raw).map_or_else(|| str::from_utf8(raw).ok()?.parse().ok(), Some)
    }
}

/// A number of few digits and nothing else, as places in a text are.
fn short_number(raw: &[u8]) -> Option<f64> {
    let add = |number: u32, digit: &u8| {
        digit.is_ascii_digit().then(|| number * 10 + u32::from(*digit - b'0'))
    };
    let few = (1..=9).contains(&raw.len()).then_some(raw)?;
    few.iter().try_fold(0, add).map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::borrow::Cow;

    fn title(json: &Json<'_>) -> Option<String> {
        json.root()?.text_at(Key::Title).map(Cow::into_owned)
    }

    #[test]
    fn whatever_lacks_its_end_is_damaged() {
        let whole =
            r#"{"x":[1,{"title":"no"},"]}"],"title":"yes\"}","output":[{}],"y}":{"z":-1.5e3}}"#;
        for detail in [Detail::Full, Detail::Whole, Detail::Sources] {
            let is_damaged =
                |end: usize| Json::skimmed(&whole.as_bytes()[..end], detail).is_damaged();
            assert_eq!(
                (1..=whole.len()).filter(|end| !is_damaged(*end)).collect::<Vec<_>>(),
                [whole.len()]
            );
        }
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

    /// A record that is like the one before it is read by what stands between its values.
    #[test]
    fn records_of_a_list_do_not_colour_each_other() {
        let records = [
            r#"{"title":"a","url":"b"}"#,
            r#"{"title":"c","url":"d"}"#,
            r#"{"title": "e", "url": "f"}"#,
            r#"{"title": "g", "url": "h"}"#,
            r#"{"x":[1],"title":"i","y":{"url":"no"},"url":"j"}"#,
            r#"{"x":[1],"title":"k","y":{"url":"no"},"url":"l"}"#,
            r#"{"x":[2],"title":"m","y":{"url":"no"}}"#,
            r#"{"content":[{"title":"n"},{"url":"o"}],"url":"p"}"#,
            r#"{"content":[{"title":"q"},{"url":"r"}],"url":"s"}"#,
            r#"{"content":{"title":"t"},"url":"u"}"#,
            r#"{"content":{"title":"v"}}"#,
            // Without its colon a value starts right behind the name, with it, behind the colon.
            r#"{"title"1,"url" "w"}"#,
            r#"{"title":"x","url" :"y"}"#,
            "{}",
        ];
        let alone = |record: &&str| seen(Json::from_text(record).root().unwrap());
        for first in records {
            for second in records {
                let list = [first, second, first];
                let text = format!("[{}]", list.join(","));
                let expected = serde_json::Value::Array(list.iter().map(alone).collect());
                assert_eq!(seen(Json::from_text(&text).root().unwrap()), expected, "{text}");
            }
        }
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

    /// The fields of a record are expected to be those of the one before it.
    #[test]
    fn records_need_not_be_like_those_before() {
        let records = [
            r#"{"title":"a","x":[],"url":"b","content":{"url":"c"}}"#,
            r#"{"title" :"d","url": "e","content":{"title":"f","url":"g"}}"#,
            r#"{"url":"h","title":"i"}"#,
            r#"{"titles":"no","title":"j","content":[{"title":"k"},{"title":"l","url":"m"}]}"#,
            r#"{"tit\u006ce":"n","content":[{"url":"o"},7,{"title":"p"},[{"title":"q"}]]}"#,
            r#"{"title":{"title":"r"},"title":"s","url":null}"#,
            "{}",
            r#""title""#,
            "[]",
        ];
        for first in records {
            for second in records {
                for third in records {
                    let text = format!("[{first},{second},{third}]");
                    let wanted = expected(&serde_json::from_str(&text).unwrap());
                    assert_eq!(seen(Json::from_text(&text).root().unwrap()), wanted, "{text}");
                }
            }
        }
    }

    /// A record that is no JSON is refused whatever stands before it.
    #[test]
    fn damage_is_damage_behind_a_record_that_is_alike() {
        let damaged = r#"{xtitle":"b",yurl":"c"}"#;
        for before in [r#"{"title":"a","url":"b"}"#, "{}"] {
            let text = format!("[{before},{damaged}]");
            let json = Json::from_text(&text);
            assert!(json.is_damaged(), "{text}");
            let mut titles = Vec::new();
            json.root().unwrap().each(|_, record| titles.extend(record.text_at(Key::Title)));
            assert!(!titles.contains(&"b".into()), "{text}");
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

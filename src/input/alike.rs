//! Events that differ from one before them in nothing but their text.
//!
//! Chat Completions and Gemini wrap each piece of text in the same fields again, so an event that was
//! read the long way says how the next ones can be read. In: such an event, and what it said. Out: what
//! a later event says whose bytes are the same but for that text and for the fields that no reader asks
//! for. Promise: it says what the long way says, since skimming both keeps the same fields with the same
//! values; any other event is left to the long way.

use super::json::{passed_over, skip_value, string};
use super::said::{Detail, Listener, PartId, Said};
use super::shape::Shape;
use crate::model::Text;
use std::ops::Range;

/// How many events in a row may be learned from to no avail.
const MOST_TRIES: u8 = 16;

/// What the events of a stream have in common, as far as that is known.
#[derive(Clone, Debug, Default)]
pub struct Alike {
    learned: Option<Learned>,
    /// Events learned from since one last was like another.
    tries: u8,
}

/// An event without its text.
#[derive(Clone, Debug)]
struct Learned {
    shape: Shape,
    call: Option<String>,
    part: PartId,
    /// Up to the text, with the quote that opens it.
    head: Frame,
    /// From the quote that closes it on.
    tail: Frame,
}

/// Bytes around a text, and where among them stand values that no reader asks for.
#[derive(Clone, Debug)]
struct Frame {
    bytes: Vec<u8>,
    free: Vec<Range<usize>>,
}

/// A piece of text, and what its event says beside it.
pub struct Told<'a, 'e> {
    /// Whose event it is.
    pub shape: Shape,
    /// The id of the model call.
    pub call: Option<&'a str>,
    /// Which part of the answer.
    pub part: PartId,
    /// What is new of it.
    pub text: Text<'e>,
}

impl Told<'_, '_> {
    /// Says it as a reader would.
    pub fn tell<'v>(&'v self, to: &mut dyn Listener<'v>) {
        if let Some(id) = self.call {
            to.hear(Said::Call { id: id.into() });
        }
        to.hear(Said::Text { part: self.part, text: Text::Borrowed(&self.text), whole: false });
    }
}

impl Alike {
    /// What an event says that is like the one learned from.
    pub fn read<'e>(&mut self, event: &'e [u8]) -> Option<Told<'_, 'e>> {
        let Learned { shape, call, part, head, tail } = self.learned.as_ref()?;
        let (text, behind) = string(event.get(head.fit(event)?..)?)?;
        let whole = tail.fit(behind)? == behind.len();
        // An empty string may count as no string at all.
        if text.is_empty() || !whole {
            return None;
        }
        self.tries = 0;
        Some(Told { shape: *shape, call: call.as_deref(), part: *part, text })
    }

    /// Learns from an event that was read the long way and said this.
    pub fn learn(&mut self, event: &[u8], shape: Shape, outline: Outline<'_>) {
        let Outline { call, text: Some((part, text)), more: false } = outline else { return };
        if self.tries < MOST_TRIES && matches!(shape, Shape::Chat | Shape::Gemini) {
            self.tries += 1;
            let call = call.map(Text::into_owned);
            self.learned =
                frames(event, text).map(|(head, tail)| Learned { shape, call, part, head, tail });
        }
    }
}

/// What stands around a text that was read from an event.
fn frames(event: &[u8], text: &str) -> Option<(Frame, Frame)> {
    if !event.starts_with(b"{") {
        return None;
    }
    let start = text.as_ptr().addr().checked_sub(event.as_ptr().addr())?;
    let end = start + text.len();
    let mut before = passed_over(event);
    let behind = before.split_off(before.partition_point(|free| free.start <= start));
    let from_text = |free: Range<usize>| Some(free.start.checked_sub(end)?..free.end - end);
    let behind = behind.into_iter().map(from_text).collect::<Option<Vec<_>>>()?;
    let head = event.get(..start).filter(|head| head.ends_with(b"\""))?;
    let tail = event.get(end..).filter(|tail| tail.starts_with(b"\""))?;
    let head = Frame { bytes: head.to_vec(), free: before };
    Some((head, Frame { bytes: tail.to_vec(), free: behind }))
}

impl Frame {
    /// How many bytes at the start of `text` are like this.
    fn fit(&self, text: &[u8]) -> Option<usize> {
        if text.starts_with(&self.bytes) {
            return Some(self.bytes.len());
        }
        let (mut at, mut from) = (0, 0);
        for free in &self.free {
            let fixed = self.bytes.get(from..free.start)?;
            text.get(at..)?.strip_prefix(fixed)?;
            at = skip_value(text, at + fixed.len());
            from = free.end;
        }
        let fixed = self.bytes.get(from..)?;
        text.get(at..)?.starts_with(fixed).then_some(at + fixed.len())
    }
}

/// What an event said, as far as another can say it again.
#[derive(Debug, Default)]
pub struct Outline<'v> {
    call: Option<Text<'v>>,
    text: Option<(PartId, &'v str)>,
    /// Whether there was anything else.
    more: bool,
}

/// Hears what a reader says, and passes it on.
pub struct Overheard<'o, 'v> {
    /// Whom it is for.
    pub to: &'o mut dyn Listener<'v>,
    /// What was said.
    pub outline: &'o mut Outline<'v>,
}

impl<'v> Listener<'v> for Overheard<'_, 'v> {
    fn detail(&self) -> Detail {
        self.to.detail()
    }

    fn hear(&mut self, said: Said<'v>) {
        let Outline { call, text, more } = &mut *self.outline;
        match &said {
            Said::Call { id } if call.is_none() && text.is_none() => *call = Some(id.clone()),
            Said::Text { part, text: Text::Borrowed(piece), whole: false }
                if text.is_none() && !piece.is_empty() =>
            {
                *text = Some((*part, piece));
            }
            _ => *more = true,
        }
        self.to.hear(said);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::json::Json;
    use crate::input::{read, shape_of};
    use proptest::prelude::*;

    /// What is said, in words, and of what shape.
    #[derive(Default)]
    struct Heard(Vec<String>);

    impl<'v> Listener<'v> for Heard {
        fn detail(&self) -> Detail {
            Detail::Full
        }
        fn hear(&mut self, said: Said<'v>) {
            self.0.push(format!("{said:?}"));
        }
    }

    /// Reads an event the long way and learns from it.
    fn the_long_way(event: &[u8], alike: &mut Alike) -> (Shape, Vec<String>) {
        let json = Json::from_bytes(event);
        let root = json.root().unwrap();
        let (mut heard, mut outline) = (Heard::default(), Outline::default());
        let shape = shape_of(root);
        read(root, shape, &mut Overheard { to: &mut heard, outline: &mut outline });
        alike.learn(event, shape, outline);
        (shape, heard.0)
    }

    fn the_short_way(event: &[u8], alike: &mut Alike) -> Option<(Shape, Vec<String>)> {
        let told = alike.read(event)?;
        let mut heard = Heard::default();
        told.tell(&mut heard);
        Some((told.shape, heard.0))
    }

    fn chat(text: &str, created: u32, more: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        format!(
            r#"{{"id":"c-1","object":"chat.completion.chunk","created":{created},"choices":[{{"index":0,"delta":{{"content":{text}}},"logprobs":null{more}}}],"obfuscation":"x\"{created}"}}"#
        )
    }

    fn gemini(text: &str, count: u32, more: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":{text}}}],"role":"model"}}{more}}}],"usageMetadata":{{"promptTokenCount":{count},"details":[{{"modality":"}}"}}]}},"modelVersion":"g","responseId":"r-1"}}"#
        )
    }

    #[test]
    fn an_event_like_the_one_before_takes_the_short_way() {
        for make in [chat, gemini] {
            let mut alike = Alike::default();
            the_long_way(make("Hello", 7, "").as_bytes(), &mut alike);
            for text in [" world", "\"quoted\"\n", "😀", "}"] {
                let event = make(text, 12345, "");
                let short = the_short_way(event.as_bytes(), &mut alike);
                let long = the_long_way(event.as_bytes(), &mut Alike::default());
                assert_eq!(short, Some(long), "{event}");
            }
        }
    }

    #[test]
    fn any_other_event_takes_the_long_way() {
        for make in [chat, gemini] {
            let mut alike = Alike::default();
            let first = make("Hello", 7, "");
            the_long_way(first.as_bytes(), &mut alike);
            let other = [
                make("", 7, ""),
                make("x", 7, r#","finishReason":"STOP""#),
                make("x", 7, r#","annotations":[{"url":"https://a.example/"}]"#),
                make("x", 7, "").replace("-1\"", "-2\""),
                make("x", 7, "").replace("-1\"", "-1\",\"citations\":[\"https://a.example/\"]"),
                make("x", 7, "") + " ",
            ];
            let cut = (1..first.len()).map(|end| first.get(..end).unwrap().to_owned());
            for event in other.into_iter().chain(cut) {
                assert_eq!(the_short_way(event.as_bytes(), &mut alike), None, "{event}");
            }
        }
    }

    #[test]
    fn what_says_more_than_text_is_not_learned_from() {
        let sources =
            r#","groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/"}}]}"#;
        for event in [
            gemini("x", 1, sources),
            gemini("x", 1, r#","finishReason":"STOP""#),
            gemini("", 1, ""),
            chat("", 1, ""),
            chat("x", 1, "").replace(
                "{\"content",
                "{\"annotations\":[{\"url\":\"https://a.example/\"}],\"content",
            ),
        ] {
            let mut alike = Alike::default();
            the_long_way(event.as_bytes(), &mut alike);
            assert_eq!(the_short_way(event.as_bytes(), &mut alike), None, "{event}");
        }
    }

    #[test]
    fn streams_in_which_nothing_repeats_are_given_up() {
        let mut alike = Alike::default();
        for id in 0..100 {
            let event = chat("x", 1, "").replace("c-1", &format!("c-{id}"));
            assert_eq!(the_short_way(event.as_bytes(), &mut alike), None);
            the_long_way(event.as_bytes(), &mut alike);
        }
        assert_eq!(alike.tries, MOST_TRIES);
    }

    /// Fields in any order, known and unknown ones, some of them twice.
    fn fields() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            Just("1"),
            Just("23"),
            Just("null"),
            Just("true"),
            Just("\"x\""),
            Just("\"y\\\"z\""),
            Just("[]"),
            Just("{}"),
            Just("[{\"url\":\"https://a.example/\"}]"),
            Just("{\"content\":\"z\"}"),
            Just(" 4 "),
        ];
        let name = prop_oneof![
            Just("id"),
            Just("responseId"),
            Just("created"),
            Just("usage"),
            Just("citations"),
            Just("content"),
            Just("text"),
            Just("type"),
            Just("index"),
            Just("message"),
            Just("thought"),
        ];
        proptest::collection::vec((name, value), 0..4).prop_map(|all| {
            all.iter().flat_map(|(name, value)| [",\"", name, "\":", value]).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 8 * ProptestConfig::default().cases, ..ProptestConfig::default() })]
        #[test]
        fn agrees_with_the_long_way(
            chatty: bool, changes in proptest::collection::vec(any::<bool>(), 3), texts in ["[a\"\\\\é]{0,3}", "[a\"\\\\é]{0,3}"],
            first in [fields(), fields(), fields()], second in [fields(), fields(), fields()],
        ) {
            let make = |text: &str, [one, two, three]: &[String; 3]| {
                let text = serde_json::to_string(text).unwrap();
                if chatty {
                    format!(r#"{{"x":1{one},"choices":[{{"y":2{two},"delta":{{"z":3{three},"content":{text}{two}}}{three}}}]{one}}}"#)
                } else {
                    format!(r#"{{"x":1{one},"candidates":[{{"y":2{two},"content":{{"parts":[{{"z":3{three},"text":{text}{two}}}]}}{three}}}]{one}}}"#)
                }
            };
            let mut other = first.clone();
            for (at, change) in changes.iter().enumerate() {
                if *change {
                    other[at].clone_from(&second[at]);
                }
            }
            let mut alike = Alike::default();
            the_long_way(make(&texts[0], &first).as_bytes(), &mut alike);
            let event = make(&texts[1], &other);
            if let Some(short) = the_short_way(event.as_bytes(), &mut alike) {
                prop_assert_eq!(short, the_long_way(event.as_bytes(), &mut Alike::default()), "{}", event);
            }
        }
    }
}

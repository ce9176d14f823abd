//! Events that differ from one before them in nothing but their text.
//!
//! Providers wrap each piece of text in the same fields again, so an event that was read the long way
//! says how the next ones can be read. In: such an event, and what it said. Out: what
//! a later event says whose bytes are the same but for that text and for the fields that no reader asks
//! for. Promise: it says what the long way says, since skimming both keeps the same fields with the same
//! values; any other event is left to the long way.

mod frame;

use super::json::{plain_length, string_length, text_of};
use super::said::{Detail, Listener, PartId, Said};
use super::shape::Shape;
use crate::model::Text;
use frame::{Frame, ends_line, frames};

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
        let learned = self.learned.as_ref()?;
        let (raw, kind, behind) = learned.read(event)?;
        if !behind.is_empty() {
            return None;
        }
        self.tries = 0;
        Some(learned.told(text_of(raw, kind == Kind::Escaped)))
    }

    /// What the events at the start of a stream say that are like the one learned from, all their text in one, and
    /// how long they are. Each is `lead`, the event, and a blank line.
    pub fn read_row(&mut self, lead: &[u8], events: &[u8]) -> Option<(Told<'_, 'static>, usize)> {
        let learned = self.learned.as_ref()?;
        let (mut all, mut rest) = (Vec::new(), events);
        while let Some(behind) = learned.read_next(lead, rest, &mut all) {
            rest = behind;
        }
        // Whole characters were appended.
        let text = String::from_utf8(all).ok().filter(|text| !text.is_empty())?;
        self.tries = 0;
        Some((learned.told(text.into()), events.len() - rest.len()))
    }

    /// Learns from an event that was read the long way and said this.
    pub fn learn(&mut self, event: &[u8], shape: Shape, outline: Outline<'_>) {
        let Outline { call, text: Some((part, text)), more: false } = outline else { return };
        let told = Told { shape, call: call.as_deref(), part, text: Text::Borrowed(text) };
        if matches!(shape, Shape::Chat | Shape::Gemini) {
            self.learn_from(event, &told);
        }
    }

    /// Learns from an event that says this. Text that is no slice of the event cannot be found in it.
    pub fn learn_from(&mut self, event: &[u8], told: &Told<'_, '_>) {
        let Told { shape, call, part, text: Text::Borrowed(text) } = told else { return };
        if self.tries < MOST_TRIES && !text.is_empty() {
            self.tries += 1;
            let (shape, call, part) = (*shape, call.map(str::to_owned), *part);
            self.learned =
                frames(event, text).map(|(head, tail)| Learned { shape, call, part, head, tail });
        }
    }
}

impl Learned {
    fn told<'e>(&self, text: Text<'e>) -> Told<'_, 'e> {
        Told { shape: self.shape, call: self.call.as_deref(), part: self.part, text }
    }

    /// What stands between the quotes of the text of `event`, and what is behind an event like this one. An
    /// empty text may count as none at all.
    #[inline]
    fn read<'e>(&self, event: &'e [u8]) -> Option<(&'e [u8], Kind, &'e [u8])> {
        let event = self.head.strip(event)?;
        let plain = plain_length(event);
        let (length, kind) = if event.get(plain) == Some(&b'"') {
            (plain, Kind::Plain)
        } else {
            let (length, escaped) = string_length(event).ok()?;
            (length, if escaped { Kind::Escaped } else { Kind::Other })
        };
        let (text, behind) = event.split_at_checked(length)?;
        Some((text, kind, self.tail.strip(behind)?)).filter(|_| length > 0)
    }

    /// Appends the text of the event at the start of a row. Answers what is behind it. An event ends where its line
    /// does, so no line may end inside of it.
    fn read_next<'e>(&self, lead: &[u8], events: &'e [u8], all: &mut Vec<u8>) -> Option<&'e [u8]> {
        let (raw, kind, end) = self.read(events.strip_prefix(lead)?)?;
        let ([b'\n', b'\n', behind @ ..] | [b'\r', b'\n', b'\r', b'\n', behind @ ..]) = end else {
            return None;
        };
        match kind {
            Kind::Plain => all.extend_from_slice(raw),
            _ if ends_line(raw) => return None,
            _ => all.extend_from_slice(text_of(raw, kind == Kind::Escaped).as_bytes()),
        }
        Some(behind)
    }
}

/// What stands between the quotes of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Printable ASCII without escapes.
    Plain,
    Escaped,
    Other,
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
    use crate::input::said::Transcript;
    use crate::input::{delta, read, shape_of};
    use proptest::prelude::*;

    /// Reads an event the long way and learns from it.
    fn the_long_way(event: &[u8], alike: &mut Alike) -> (Shape, Vec<String>) {
        let json = Json::from_bytes(event);
        let root = json.root().unwrap();
        let (mut heard, mut outline) = (Transcript::default(), Outline::default());
        let shape = shape_of(root);
        read(root, shape, &mut Overheard { to: &mut heard, outline: &mut outline });
        alike.learn(event, shape, outline);
        (shape, heard.0)
    }

    fn the_short_way(event: &[u8], alike: &mut Alike) -> Option<(Shape, Vec<String>)> {
        let told = alike.read(event)?;
        let mut heard = Transcript::default();
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

    fn response(text: &str, count: u32, more: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        format!(
            r#"{{"type":"response.output_text.delta","sequence_number":{count},"output_index":1,"content_index":0,"delta":{text},"obfuscation":"{more}"}}"#
        )
    }

    /// Reads a row of events with what was learned from its first.
    fn row(lead: &str, events: &[String], end: &str) -> Option<(String, usize)> {
        let mut alike = Alike::default();
        the_long_way(events.first()?.as_bytes(), &mut alike);
        if let Some(told) = delta::read(events.first()?.as_bytes()) {
            alike.learn_from(events.first()?.as_bytes(), &told);
        }
        let stream: String = events.iter().flat_map(|event| [lead, event, end]).collect();
        let (told, length) = alike.read_row(lead.as_bytes(), stream.as_bytes())?;
        Some((told.text.into_owned(), length))
    }

    #[test]
    fn a_row_of_events_is_read_at_once() {
        let texts = ["Hello", " \"world\"\n", " é漢😀", "a longer piece of text with an end"];
        for make in [chat, gemini, response] {
            let events: Vec<_> = texts
                .iter()
                .zip([7, 12, 345, 6])
                .map(|(text, count)| make(text, count, ""))
                .collect();
            for (lead, end) in [("data: ", "\n\n"), ("event: x\ndata: ", "\r\n\r\n")] {
                let length = events.iter().map(|event| lead.len() + event.len() + end.len()).sum();
                assert_eq!(row(lead, &events, end), Some((texts.concat(), length)));
            }
        }
    }

    /// An event that is not like the first, not whole or not alone on its line is left where it is.
    #[test]
    fn a_row_ends_where_its_events_do() {
        let first = response("a", 1, "x");
        let good = response("b", 22, "yz");
        let length = 2 * ("data: \n\n".len() + first.len()) + 2;
        for other in [
            response("", 3, "x"),
            response("c", 3, "x").replace(":3,", ":\n,"),
            response("c", 3, "x").replace(":3,", ":3\n,"),
            response("c", 3, "a\nb"),
            response("c", 3, "x").replace("\"c\"", "\"c\nd\""),
            response("c", 3, "x").replace("\"c\"", "\"é\rd\""),
            response("c", 3, "x").replace("\"x\"", "[1\n]"),
            response("c", 3, "x").replace('}', ""),
            response("c", 3, "x") + "}",
            gemini("c", 3, ""),
        ] {
            let events = [first.clone(), good.clone(), other.clone(), good.clone()];
            assert_eq!(row("data: ", &events, "\n\n"), Some(("ab".into(), length)), "{other}");
        }
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

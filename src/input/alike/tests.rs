//! Whether the short way says what the long way says.

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
            make("x", 7, r#","index":1"#),
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
fn what_says_more_than_text_or_less_is_not_learned_from() {
    let sources =
        r#","groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/"}}]}"#;
    for event in [
        gemini("x", 1, sources),
        gemini("x", 1, r#","finishReason":"STOP""#),
        gemini("", 1, ""),
        gemini("x", 1, r#","index":1"#),
        chat("", 1, ""),
        chat("x", 1, "").replace("\"index\":0", "\"index\":1"),
        chat("x", 1, "")
            .replace("{\"content", "{\"annotations\":[{\"url\":\"https://a.example/\"}],\"content"),
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
        let events: Vec<_> =
            texts.iter().zip([7, 12, 345, 6]).map(|(text, count)| make(text, count, "")).collect();
        for (lead, end) in [("data: ", "\n\n"), ("event: x\ndata: ", "\r\n\r\n")] {
            let length = events.iter().map(|event| lead.len() + event.len() + end.len()).sum();
            assert_eq!(row(lead, &events, end), Some((texts.concat(), length)));
        }
    }
}

/// What changes in them may be deep inside, and then be another kind of value.
#[test]
fn values_that_nobody_asks_for_may_be_others() {
    let used = [
        r#"{"a":1,"b":[{"c":"x","d":2}]}"#,
        r#"{"a":2,"b":[{"c":"y","d":3}]}"#,
        r#"{"a":20,"b":[{"c":"z\"}","d":31}]}"#,
        r#"{"a":-1.5e3,"b":[{"c":null,"d":true}]}"#,
        r#"{"a":{"e":[4]},"b":"f"}"#,
        "7",
        r#"{"a":8,"b":[{"c":"x","d":9}]}"#,
    ];
    let events: Vec<_> = used
        .iter()
        .map(|used| gemini("a", 1, "").replace("\"modality\":\"}\"", &format!("\"x\":{used}")))
        .collect();
    let length = events.iter().map(|event| "data: \n\n".len() + event.len()).sum();
    assert_eq!(row("data: ", &events, "\n\n"), Some(("aaaaaaa".into(), length)));
}

/// Brackets of one kind that are closed by those of another would end what they are in somewhere else.
#[test]
fn values_that_could_end_something_else_take_the_long_way() {
    for other in ["[}]", "[{]", "{]}", "1}", "1{", "\"}", "]"] {
        let mut alike = Alike::default();
        the_long_way(gemini("Hello", 7, "").as_bytes(), &mut alike);
        let event = gemini("Hello", 7, "").replace("\"}\"", other);
        let short = the_short_way(event.as_bytes(), &mut alike);
        let long = the_long_way(event.as_bytes(), &mut Alike::default());
        assert!(short.is_none_or(|short| short == long), "{event}");
    }
}

#[test]
fn empty_pieces_of_text_are_part_of_a_row() {
    let texts = ["Hello", "", "", " world", ""];
    let events: Vec<_> = texts.iter().map(|text| response(text, 3, "x")).collect();
    let length = events.iter().map(|event| "data: \n\n".len() + event.len()).sum();
    assert_eq!(row("data: ", &events, "\n\n"), Some(("Hello world".into(), length)));
    let empty = |text: &str| (response("", 3, "x") + text).into_bytes();
    let mut alike = Alike::default();
    let first = response("Hello", 1, "x");
    alike.learn_from(first.as_bytes(), &delta::read(first.as_bytes()).unwrap());
    let (told, length) =
        alike.read_row(b"", &[empty("\n\n"), empty("\n\n"), empty("")].concat()).unwrap();
    assert_eq!((told.text.as_ref(), length), ("", 2 * empty("\n\n").len()));
}

/// An event that is not like the first, not whole or not alone on its line is left where it is.
#[test]
fn a_row_ends_where_its_events_do() {
    let first = response("a", 1, "x");
    let good = response("b", 22, "yz");
    let length = 2 * ("data: \n\n".len() + first.len()) + 2;
    for other in [
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
    proptest::collection::vec((name, value), 0..4)
        .prop_map(|all| all.iter().flat_map(|(name, value)| [",\"", name, "\":", value]).collect())
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

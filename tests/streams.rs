//! However a body is cut into pieces, it is the same body.

use llxprt_code_citations::input::stream::Splitter;
use llxprt_code_citations::turn::Turn;
use proptest::prelude::*;

/// The documents of a body, and what is left without an end.
fn documents<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> (Vec<Vec<u8>>, Option<Vec<u8>>) {
    let mut splitter = Splitter::default();
    let mut found = Vec::new();
    for piece in pieces {
        splitter.push(piece, &mut |document: &[u8]| found.push(document.to_vec()));
    }
    (found, splitter.unfinished())
}

/// A line may end in CR LF and the next, which is empty, in LF alone.
#[test]
fn mixed_line_ends() {
    let body = b"data: {\"a\":1}\r\n\ndata: {\"b\":2}\r\n\n";
    let whole = documents([body.as_slice()]);
    assert_eq!(whole.0, [b"{\"a\":1}", b"{\"b\":2}"]);
    for length in 1..body.len() {
        assert_eq!(documents(body.chunks(length)), whole, "in pieces of {length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_body_in_any_pieces(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "\r", "\n", "\r\n", "\n\n", " ", "\u{feff}", "data: ", "data:", "event: x", ": note",
                "{\"a\":1}", "{\"a\":[", "]}", "{", "}", "[", "]", ",", "\"", "\\", "\"é漢\"", "[DONE]", "x",
            ]),
            0..14,
        ),
        cuts in prop::collection::vec(1..9_usize, 1..20),
    ) {
        let body = parts.concat().into_bytes();
        let mut rest = body.as_slice();
        let mut pieces = Vec::new();
        for length in cuts.iter().cycle() {
            let (piece, behind) = rest.split_at(rest.len().min(*length));
            pieces.push(piece);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(documents(pieces), documents([body.as_slice()]));
    }
}

/// What a turn comes to that takes a body in pieces of this length.
fn heard(body: &[u8], length: usize) -> String {
    let mut turn = Turn::new(true);
    body.chunks(length).for_each(|piece| turn.push_bytes(piece));
    turn.serialize()
}

/// Events of every provider that are nearly alike, some of them odd, with what may stand between events.
fn events() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec![
        "a",
        "more words",
        "é漢",
        "漢",
        "words, ü and others",
        "\\n",
        "\\\"q\\\"",
        "x\ny",
        "x\ry",
        "",
        "{",
        "\u{1}",
    ]);
    let count = prop::sample::select(vec![
        "1",
        "23",
        "null",
        "\"x\"",
        "[1]",
        "{\"a\":1}",
        "\n",
        "[",
        "\"x",
    ]);
    let event = (0..4_usize, text, count).prop_map(|(shape, text, count)| match shape {
        0 => format!(r#"{{"type":"response.output_text.delta","sequence_number":{count},"output_index":0,"content_index":0,"delta":"{text}","obfuscation":{count}}}"#),
        1 => format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#),
        2 => format!(r#"{{"id":"c","created":{count},"choices":[{{"delta":{{"content":"{text}"}}}}],"usage":{count}}}"#),
        _ => format!(r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}]}}}}],"usageMetadata":{count},"responseId":"r"}}"#),
    });
    let lead = prop::sample::select(vec![
        "data: ",
        "data: ",
        "data:",
        "event: x\ndata: ",
        ": note\ndata: ",
        "",
        "{\"choices\":[{\"delta\":{\"content\":\"q\"}}]}\ndata: ",
        "data: {\ndata: ",
    ]);
    let end =
        prop::sample::select(vec!["\n\n", "\n\n", "\n\n", "\r\n\r\n", "\n", "\r\r", "\r\n\n", ""]);
    (lead, prop::collection::vec(event, 1..3), end, 1..4_usize).prop_map(
        |(lead, events, end, times)| {
            let once: String = events.iter().flat_map(|event| [lead, event, end]).collect();
            once.repeat(times)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// A row of events that are read at once says what they say one by one: in pieces of one byte there is none.
    #[test]
    fn rows_of_events_in_any_pieces(parts in prop::collection::vec(events(), 1..4), length in 2..200_usize) {
        let body = parts.concat();
        let slowly = heard(body.as_bytes(), 1);
        prop_assert_eq!(heard(body.as_bytes(), body.len()), slowly.clone(), "{}", body);
        prop_assert_eq!(heard(body.as_bytes(), length), slowly, "{}", body);
    }
}

#[test]
fn a_part_is_read_again_where_something_else_was_said_in_between() {
    let done = r#"{"type":"response.content_part.done","part":{"text":"AA","annotations":[]}}"#;
    let other = r#"{"type":"response.output_text.done","text":"BB"}"#;
    let added = done.replace(".done", ".added");
    for first in [format!("[[{done},{other}]]"), format!("[{done},{other}]")] {
        let mut turn = Turn::new(true);
        turn.push_bytes(format!("data: {first}\n\ndata: {added}\n\n").as_bytes());
        assert_eq!(turn.payload().answer, "AA", "{first}");
    }
}

#[test]
fn halves_of_a_character_in_two_events_make_none() {
    let event = |text: &[u8]| {
        let (before, behind) = (
            r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""#,
            r#""}}"#,
        );
        [before.as_bytes(), text, behind.as_bytes(), b"\n\n"].concat()
    };
    let texts: [&[u8]; 6] = [b"a", "\u{6f22}".as_bytes(), b"\xe6\xbc", b"\xa2", b"b", b"c\xff"];
    let body = texts.map(event).concat();
    let slowly = heard(&body, 1);
    assert!(slowly.contains("a\u{6f22}\u{fffd}"), "{slowly}");
    for length in 2..=body.len() {
        assert_eq!(heard(&body, length), slowly, "in pieces of {length}");
    }
}

/// A body that begins as a document, with brackets, quotes and values that stand anywhere.
fn damaged_body() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "{}",
        "[]",
        "\"",
        "\\",
        ":",
        ",",
        " ",
        "\n",
        "1",
        "1{",
        "null",
        "\"candidates\":",
        "\"content\":",
        "\"usageMetadata\":",
        "\"x\":",
        "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}",
        "\"usageMetadata\":[",
        "\"usageMetadata\":{\"n\":1}",
    ]);
    prop::collection::vec(part, 0..14).prop_map(|parts| format!("{{{}", parts.concat()))
}

/// What is read of it, and what is passed over, must agree on which bracket closes which.
#[test]
fn a_bracket_that_never_closes() {
    for body in [
        r#"{"candidates":[],"usageMetadata":[,"responseId":"r"}{"candidates":[],"x":]}"#,
        r#"{"candidates":[],"usageMetadata":1{,"responseId":"r"}"#,
        r#"{"candidates":]}"#,
        r#"{"usageMetadata":]}"#,
        r#"{"usageMetadata":{"a":[}]"#,
        r#"{"usageMetadata":1"}"}"#,
    ] {
        assert_eq!(heard(body.as_bytes(), body.len()), heard(body.as_bytes(), 1), "{body}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn damaged_bodies_in_any_pieces(body in damaged_body(), length in 2..60_usize) {
        let slowly = heard(body.as_bytes(), 1);
        prop_assert_eq!(heard(body.as_bytes(), body.len()), slowly.clone(), "{}", body);
        prop_assert_eq!(heard(body.as_bytes(), length), slowly, "{}", body);
    }
}

/// An event of OpenAI's that says one of two parts, or something that may change what it comes to. `gap` are blanks
/// inside of the part, which say nothing.
fn event_of_part((event, id, part): (usize, usize, usize), gap: &str) -> String {
    let annotation = |page: usize| {
        format!(
            r#"{{"type":"url_citation","start_index":0,"end_index":3,"url":"https://{page}.example/"}}"#
        )
    };
    let (text, cited) = [("one", annotation(1)), ("two", annotation(1) + "," + &annotation(2))]
        .into_iter()
        .nth(part)
        .unwrap_or_default();
    let part = format!(r#"{{{gap}"type":"output_text","text":"{text}","annotations":[{cited}]}}"#);
    let at = format!(r#""output_index":0,"content_index":{id}"#);
    match event {
        0..3 => format!(r#"{{"type":"response.content_part.done",{at},"part":{part}}}"#),
        3 => format!(
            r#"{{"type":"response.output_item.done","output_index":0,"item":{{"content":[{part},{part}]}}}}"#
        ),
        4 => format!(
            r#"{{"type":"response.completed","response":{{"id":"r{id}","output":[{{"content":[{part}]}}]}}}}"#
        ),
        5 => format!(r#"{{"type":"response.output_text.delta",{at},"delta":"{text}"}}"#),
        6 => format!(
            r#"{{"type":"response.output_text.annotation.added",{at},"annotation_index":0,"annotation":{}}}"#,
            annotation(id)
        ),
        _ => format!(r#"{{"type":"message_start","message":{{"id":"r{id}","content":[]}}}}"#),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// A part that is the same to the last byte as the one before it says what it says where it is not.
    #[test]
    fn parts_that_are_said_again(
        events in prop::collection::vec(((0..8_usize, 0..2_usize, 0..2_usize), any::<bool>()), 0..10),
    ) {
        let heard = |is_same: bool| {
            let mut turn = Turn::new(true);
            for (place, (event, is_sealed)) in events.iter().enumerate() {
                let gap = " ".repeat(if is_same { 0 } else { place });
                turn.push_bytes(format!("data: {}\n\n", event_of_part(*event, &gap)).as_bytes());
                if *is_sealed {
                    turn.add_found(Vec::new());
                }
            }
            turn.serialize()
        };
        prop_assert_eq!(heard(true), heard(false));
    }
}

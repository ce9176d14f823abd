//! Nearly all events of a stream are pieces of text or of no interest: told by their first bytes,
//! without skimming.
//!
//! Knows the exact bytes that OpenAI and Anthropic send and says nothing about any other: those take
//! the long way, which always is right. A quoted name followed by a colon is a field and never text,
//! since quotes inside text are escaped.

use super::alike::Told;
use super::anthropic;
use super::json::string;
use super::said::PartId;
use super::shape::Shape;
use crate::model::Text;
use memchr::memmem::Finder;
use once_cell::sync::Lazy;

/// To build a searcher takes longer than to search one event.
#[expect(
    clippy::non_std_lazy_statics,
    reason = "once_cell is the project's choice for lazy statics"
)]
static OUTPUT_INDEX: Lazy<Finder<'static>> = Lazy::new(|| Finder::new(br#""output_index":"#));

/// A part of the answer, and what is new of it.
type Delta<'e> = (PartId, Text<'e>);

/// Reads the event of a text delta.
pub fn read(event: &[u8]) -> Option<Told<'_, '_>> {
    let told = |shape| move |(part, text)| Told { shape, call: None, part, text };
    let openai = read_openai(event).map(told(Shape::OpenAi));
    openai.or_else(|| read_anthropic(event).map(told(Shape::Anthropic)))
}

/// Whether an event certainly says nothing about text, sources or spans: reasoning, tool arguments,
/// thinking, progress of searches, pings.
pub fn is_silent(event: &[u8]) -> bool {
    let Some(rest) = event.strip_prefix(br#"{"type":""#) else { return false };
    if let Some(name) = rest.strip_prefix(b"response.") {
        return OPENAI_SILENT.iter().any(|silent| name.starts_with(silent));
    }
    if let Some(rest) = rest.strip_prefix(br#"content_block_delta","index":"#) {
        let delta = number(rest).and_then(|(_, rest)| rest.strip_prefix(br#","delta":{"type":""#));
        let kind = delta.and_then(|delta| delta.split(|byte| *byte == b'"').next());
        return kind.is_some_and(anthropic::is_silent);
    }
    rest.starts_with(br#"ping""#) || rest.starts_with(br#"content_block_stop""#)
}

const OPENAI_SILENT: [&[u8]; 9] = [
    b"reasoning",
    b"function_call_arguments.",
    b"mcp_",
    b"web_search_call.",
    b"file_search_call.",
    b"code_interpreter_call",
    b"image_generation_call.",
    b"custom_tool_call_input.",
    b"audio.",
];

fn read_openai(event: &[u8]) -> Option<Delta<'_>> {
    let rest = event.strip_prefix(br#"{"type":"response.output_text.delta","#)?;
    let (_, rest) =
        rest.split_at_checked(OUTPUT_INDEX.find(rest)? + OUTPUT_INDEX.needle().len())?;
    let (output, rest) = number(rest)?;
    let (content, rest) = number(rest.strip_prefix(br#","content_index":"#)?)?;
    let (text, _) = string(rest.strip_prefix(br#","delta":""#)?)?;
    Some(((output, content), text))
}

fn read_anthropic(event: &[u8]) -> Option<Delta<'_>> {
    let rest = event.strip_prefix(br#"{"type":"content_block_delta","index":"#)?;
    let (block, rest) = number(rest)?;
    let rest = rest.strip_prefix(br#","delta":{"type":"text_delta","text":""#)?;
    let (text, rest) = string(rest)?;
    rest.starts_with(b"\"}").then_some(((block, 0), text))
}

fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let (mut number, mut rest) = (None, text);
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        let so_far = number.unwrap_or(0_u32).checked_mul(10)?;
        number = Some(so_far.checked_add(u32::from(digit - b'0'))?);
        rest = tail;
    }
    Some((number?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::json::Json;
    use crate::input::said::Transcript;
    use crate::input::{read_any, shape_of};
    use proptest::prelude::*;

    fn the_long_way(event: &str) -> Vec<String> {
        let mut heard = Transcript::default();
        let json = Json::from_text(event);
        let root = json.root().unwrap();
        read_any(root, &mut heard, || shape_of(root));
        heard.0
    }

    proptest! {
        #[test]
        fn agrees_with_the_long_way(text in "[ -~é漢😀\\n\"\\\\]{0,20}", output in 0u32..20, content in 0u32..3, anthropic: bool) {
            let quoted = serde_json::to_string(&text).unwrap();
            let event = if anthropic {
                format!(r#"{{"type":"content_block_delta","index":{output},"delta":{{"type":"text_delta","text":{quoted}}}  }}"#)
            } else {
                format!(r#"{{"type":"response.output_text.delta","sequence_number":4,"item_id":"m","output_index":{output},"content_index":{content},"delta":{quoted},"logprobs":[]}}"#)
            };
            let mut heard = Transcript::default();
            let told = read(event.as_bytes());
            if let Some(told) = &told {
                told.tell(&mut heard);
            }
            prop_assert_eq!(heard.0, the_long_way(&event));
            let json = Json::from_text(&event);
            prop_assert!(told.is_none_or(|told| told.shape == shape_of(json.root().unwrap())));
        }
    }

    #[test]
    fn silent_events_say_nothing_the_long_way_either() {
        for event in [
            r#"{"type":"response.reasoning_summary_text.delta","delta":"thinking","output_index":0}"#,
            r#"{"type":"response.function_call_arguments.done","arguments":"{\"url\":\"https://a.example/\"}"}"#,
            r#"{"type":"response.web_search_call.searching","item_id":"ws"}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","text":"x"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x","text":"x"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"ping"}"#,
        ] {
            assert!(is_silent(event.as_bytes()), "{event}");
            assert_eq!(the_long_way(event), Vec::<String>::new(), "{event}");
        }
        for event in [
            r#"{"type":"response.completed","response":{}}"#,
            r#"{"type":"response.output_text.annotation.added"}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"new_delta","text":"x"}}"#,
            r#"{"type":"content_block_start","index":0}"#,
            r#"{"candidates":[]}"#,
        ] {
            assert!(!is_silent(event.as_bytes()), "{event}");
        }
    }

    #[test]
    fn leaves_other_events_alone() {
        for event in [
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{}}}"#,
            r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"cut of"#,
            r#"{"type": "response.output_text.delta","output_index":0,"content_index":0,"delta":"x"}"#,
            "{}",
            "",
        ] {
            assert!(read(event.as_bytes()).is_none(), "{event}");
        }
    }
}

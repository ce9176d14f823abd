//! Pieces of text, which are nearly all events of a stream, read without skimming.
//!
//! Knows the exact bytes that OpenAI and Anthropic send and says nothing about any other: those take
//! the long way, which always is right. A quoted name followed by a colon is a field and never text,
//! since quotes inside text are escaped.

use super::json::{decode, string_length, unescape};
use super::said::Said;
use memchr::memmem::Finder;
use once_cell::sync::Lazy;

/// To build a searcher takes longer than to search one event.
#[expect(
    clippy::non_std_lazy_statics,
    reason = "once_cell is the project's choice for lazy statics"
)]
static OUTPUT_INDEX: Lazy<Finder<'static>> = Lazy::new(|| Finder::new(br#""output_index":"#));

/// Reads the event of a text delta.
pub fn read(event: &[u8]) -> Option<Said<'_>> {
    read_openai(event).or_else(|| read_anthropic(event))
}

fn read_openai(event: &[u8]) -> Option<Said<'_>> {
    let rest = event.strip_prefix(br#"{"type":"response.output_text.delta","#)?;
    let (_, rest) =
        rest.split_at_checked(OUTPUT_INDEX.find(rest)? + OUTPUT_INDEX.needle().len())?;
    let (output, rest) = number(rest)?;
    let (content, rest) = number(rest.strip_prefix(br#","content_index":"#)?)?;
    let (text, _) = string(rest.strip_prefix(br#","delta":""#)?)?;
    Some(Said::Text { part: (output, content), text, whole: false })
}

fn read_anthropic(event: &[u8]) -> Option<Said<'_>> {
    let rest = event.strip_prefix(br#"{"type":"content_block_delta","index":"#)?;
    let (block, rest) = number(rest)?;
    let rest = rest.strip_prefix(br#","delta":{"type":"text_delta","text":""#)?;
    let (text, rest) = string(rest)?;
    rest.starts_with(b"}").then_some(Said::Text { part: (block, 0), text, whole: false })
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

/// The string that starts here, behind its quote, and what follows it.
fn string(text: &[u8]) -> Option<(crate::model::Text<'_>, &[u8])> {
    let (length, escaped) = string_length(text).ok()?;
    let (raw, rest) = text.split_at_checked(length)?;
    let text = if escaped { unescape(raw).into() } else { decode(raw) };
    Some((text, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::json::Json;
    use crate::input::{Detail, Listener, read_any};
    use proptest::prelude::*;

    /// Hears the way the long way speaks.
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

    fn the_long_way(event: &str) -> Vec<String> {
        let mut heard = Heard::default();
        read_any(Json::from_text(event).root().unwrap(), &mut heard, |_| false);
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
            let said = read(event.as_bytes()).map(|said| format!("{said:?}"));
            prop_assert_eq!(said.into_iter().collect::<Vec<_>>(), the_long_way(&event));
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
            assert_eq!(read(event.as_bytes()), None, "{event}");
        }
    }
}

//! The wrappings a result may come in, taken off.
//!
//! A string, `{ output }`, `{ error }`, LLxprt's `ToolResult`, Gemini's `functionResponse` parts,
//! `tool_response` blocks, an MCP `CallToolResult`, or plain data: all come to the same pieces.

use crate::input::key::Key;
use crate::input::value::Value;
use crate::model::Text;

/// One piece of a result.
pub(super) enum Piece<V> {
    /// A string, which the model reads, and the part it is of, if any.
    Text(V, Option<V>),
    /// A value in the tool's own form.
    Data(V),
    /// LLxprt's list of sources.
    Listed(V),
}

/// Wrappings are a few deep; a live object may hold itself.
const DEEPEST: usize = 8;
/// And it may hold itself many times over.
const MOST_OPENED: usize = 10_000;

/// In how many parts of a result the name of its tool is looked for.
const MOST_PARTS: usize = 100;

/// Takes the wrapping off and hands out what is inside, piece by piece. Pieces must not be kept: a live
/// value is good only while it is visited. Answers whether the call failed, so that nothing in it is a
/// source.
pub(super) fn open<'v, V: Value<'v>>(output: V, each: &mut dyn FnMut(Piece<V>)) -> bool {
    let mut opening = Opening { each, failed: false, left: MOST_OPENED };
    opening.open(output, DEEPEST);
    opening.failed
}

struct Opening<'s, V> {
    each: &'s mut dyn FnMut(Piece<V>),
    failed: bool,
    /// How many values may still be opened.
    left: usize,
}

impl<'v, V: Value<'v>> Opening<'_, V> {
    fn open(&mut self, value: V, depth: usize) {
        if depth == 0 || self.left == 0 || self.failed {
            return;
        }
        self.left -= 1;
        if value.is_text() {
            return (self.each)(Piece::Text(value, None));
        }
        if value.is_array() {
            return self.open_list(value, depth);
        }
        if is_failure(value) {
            self.failed = true;
            return;
        }
        if let Some(sources) = value.get(Key::Sources).filter(|_| is_tool_result(value)) {
            (self.each)(Piece::Listed(sources));
        }
        match inner(value) {
            Some(inner) => self.open(inner, depth - 1),
            None => self.open_content(value, depth),
        }
    }

    /// A list of parts or blocks is opened one by one; any other list is data.
    fn open_list(&mut self, list: V, depth: usize) {
        let mut parts = true;
        list.each(|_, item| parts = parts && (item.is_text() || is_part(item)));
        if parts {
            list.each(|_, item| self.open(item, depth - 1));
        } else {
            (self.each)(Piece::Data(list));
        }
    }

    /// The content of an MCP result, a text part, or else the tool's own data.
    fn open_content(&mut self, value: V, depth: usize) {
        let structured = value.get(Key::StructuredContent);
        let content = value.get(Key::Content).filter(|content| content.is_array());
        if let Some(content) = content.filter(|content| structured.is_some() || has_parts(*content))
        {
            content.each(|_, item| self.open(item, depth - 1));
            if let Some(structured) = structured {
                (self.each)(Piece::Data(structured));
            }
        } else if let Some(structured) = structured {
            (self.each)(Piece::Data(structured));
        } else if let Some(text) =
            value.get(Key::Text).filter(|text| text.is_text() && is_part(value))
        {
            (self.each)(Piece::Text(text, Some(value)));
        } else if !is_media(value) {
            (self.each)(Piece::Data(value));
        }
    }
}

/// What this wrapping holds, if it is one.
fn inner<'v, V: Value<'v>>(value: V) -> Option<V> {
    if let Some(part) = value.get(Key::FunctionResponse) {
        return part.get(Key::Response).or(Some(part));
    }
    let kind = value.text_at(Key::Type);
    match kind.as_deref() {
        Some("tool_response") => return value.get(Key::Result),
        Some("tool_result") => return value.get(Key::Content),
        _ => {}
    }
    if is_tool_result(value) {
        return value.get(Key::LlmContent).or_else(|| value.get(Key::ReturnDisplay));
    }
    // A completed call of LLxprt's scheduler, JSON-RPC, `{ output }`.
    let response =
        || value.get(Key::Response).filter(|inner| inner.get(Key::ResponseParts).is_some());
    let is_record = || value.get(Key::Results).is_some() || value.get(Key::Url).is_some();
    let result = || value.get(Key::Result).filter(|_| !is_record());
    value
        .get(Key::ResponseParts)
        .or_else(response)
        .or_else(result)
        .or_else(|| value.get(Key::Output))
}

fn is_tool_result<'v, V: Value<'v>>(value: V) -> bool {
    value.get(Key::LlmContent).is_some() || value.get(Key::ReturnDisplay).is_some()
}

/// Whether a value says that its call went wrong.
pub(super) fn is_failure<'v, V: Value<'v>>(value: V) -> bool {
    let said = |error: V| {
        error.is_true()
            || error.text().map_or_else(
                || {
                    let mut any = error.get(Key::Message).is_some();
                    error.fields(|_, _| any = true);
                    any
                },
                |text| !text.trim().is_empty(),
            )
    };
    // An error that was caught and handed over as the result.
    let is_error = || {
        let name = value.get(Key::Message).and_then(|_| value.text_at(Key::Name));
        name.is_some_and(|name| name.ends_with("Error"))
    };
    value.get(Key::IsError).is_some_and(Value::is_true)
        || value.get(Key::Error).is_some_and(said)
        || value.whole_at(Key::Status).is_some_and(|status| (400..600).contains(&status))
        || is_error()
}

/// Whether a value is the wrapping of a result, and not just any object.
pub(super) fn is_wrapped<'v, V: Value<'v>>(value: V) -> bool {
    let mut parts = value.is_array();
    value.each(|_, item| parts = parts && is_part(item));
    parts || inner(value).is_some() || is_part(value)
}

/// Whether a value is a part of a message or a block of content, as against somebody's data.
fn is_part<'v, V: Value<'v>>(value: V) -> bool {
    let kind = value.text_at(Key::Type);
    match kind.as_deref() {
        Some("text") => value.get(Key::Text).is_some(),
        Some(
            "tool_response" | "tool_result" | "resource_link" | "resource" | "media" | "image"
            | "audio",
        ) => true,
        Some(_) => false,
        None => {
            value.get(Key::FunctionResponse).is_some()
                || value.get(Key::InlineData).is_some()
                || value.get(Key::Text).is_some() && is_only_text(value)
        }
    }
}

/// `{ text }` and nothing that would make it a record.
fn is_only_text<'v, V: Value<'v>>(value: V) -> bool {
    [Key::Url, Key::Uri, Key::Link, Key::Title, Key::File]
        .iter()
        .all(|key| value.get(*key).is_none())
}

fn has_parts<'v, V: Value<'v>>(content: V) -> bool {
    content.first().is_some_and(is_part)
}

/// Pictures and sound have no sources in them.
pub(super) fn is_media<'v, V: Value<'v>>(value: V) -> bool {
    let kind = value.text_at(Key::Type);
    matches!(kind.as_deref(), Some("media" | "image" | "audio"))
        || value.get(Key::InlineData).is_some()
}

/// The tool's name and the call's id, as far as the wrapping has them.
pub(super) fn introduce<'v, V: Value<'v>>(output: V) -> (Option<String>, Option<String>) {
    let mut name = None;
    let mut id = None;
    output.each_or_this(|index, item| {
        // A result has a few parts; a list of anything else is data.
        if index >= MOST_PARTS || name.is_some() && id.is_some() {
            return;
        }
        let part = item.get(Key::FunctionResponse);
        let (names, ids) = match part {
            Some(part) => (part.text_at(Key::Name), part.text_at(Key::Id)),
            None => (
                item.text_at(Key::ToolName).or_else(|| item.get(Key::Request)?.text_at(Key::Name)),
                item.text_at(Key::CallId).or_else(|| item.get(Key::Request)?.text_at(Key::CallId)),
            ),
        };
        name = name.take().or(names.map(Text::into_owned));
        id = id.take().or(ids.map(Text::into_owned));
    });
    (name, id)
}

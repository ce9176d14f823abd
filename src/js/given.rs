//! What JavaScript gave us, as the readers see it: a live object or JSON.

use super::names;
use super::node_api::Handle;
use crate::input::Key;
use crate::input::json::{Json, JsonValue};
use crate::input::value::Value;

/// A value inside a live object or inside parsed JSON.
#[derive(Clone, Copy)]
pub(super) enum Given<'g> {
    Live(Handle<'g>),
    Json(JsonValue<'g>),
}

/// Opens an argument: an object as it is, a string or bytes as JSON. Anything else is nothing.
/// While `run` reads bytes no JavaScript runs, so options must be read before.
pub(super) fn open<T>(argument: Handle<'_>, run: impl FnOnce(Given<'_>) -> T) -> Option<T> {
    if argument.is_string() {
        return argument.with_text(|text| json(&Json::from_text(text), run))?;
    }
    if !argument.is_object() {
        return None;
    }
    let mut run = Some(run);
    let bytes =
        argument.with_bytes(|bytes| run.take().and_then(|run| json(&Json::from_bytes(bytes), run)));
    match (bytes, run) {
        (Some(read), _) => read,
        (None, run) => run.map(|run| run(Given::Live(argument))),
    }
}

fn json<T>(json: &Json<'_>, run: impl FnOnce(Given<'_>) -> T) -> Option<T> {
    json.root().map(|root| run(Given::Json(root)))
}

impl Value for Given<'_> {
    fn get(self, key: Key) -> Option<Self> {
        match self {
            Self::Live(live) => {
                names::spellings(key).find_map(|place| live.property(place)).map(Self::Live)
            }
            Self::Json(json) => json.get(key).map(Self::Json),
        }
    }

    fn each(self, mut visit: impl FnMut(usize, Self)) -> bool {
        match self {
            Self::Live(live) => live.each(|index, item| visit(index, Self::Live(item))).is_some(),
            Self::Json(json) => json.each(|index, item| visit(index, Self::Json(item))),
        }
    }

    fn is_array(self) -> bool {
        match self {
            Self::Live(live) => live.is_array(),
            Self::Json(json) => json.is_array(),
        }
    }

    fn with_text<T>(self, look: impl FnOnce(&str) -> T) -> Option<T> {
        match self {
            Self::Live(live) => live.with_text(look),
            Self::Json(json) => json.with_text(look),
        }
    }

    fn text(self) -> Option<String> {
        match self {
            Self::Live(live) => live.text(),
            Self::Json(json) => json.text(),
        }
    }

    fn number(self) -> Option<f64> {
        match self {
            Self::Live(live) => live.as_number(),
            Self::Json(json) => json.number(),
        }
    }
}

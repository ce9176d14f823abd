//! Messages, events and lists of sources, as live objects.
//!
//! What a message carries goes back to its owner as it is, so text and bytes are parsed by JavaScript
//! itself, and only what that refuses is mended by our own reader first.

use super::exchange::written;
use crate::clean;
use crate::input::json::Json;
use crate::input::payload::read_source;
use crate::input::said::MOST_PLACES;
use crate::input::write::to_json;
use crate::input::{Key, Value};
use crate::js::given::Given;
use crate::js::names::camel;
use crate::js::node_api::{Handle, Scope};
use crate::js::write::parsed;
use crate::model::Source;
use crate::openwebui::{Made, Maker, is_source};

/// The object an argument is, or that its text or bytes stand for.
pub(super) fn live<'s>(scope: &'s Scope<'s>, argument: Handle<'s>) -> Option<Handle<'s>> {
    let bytes = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match argument.whole_text().or_else(|| argument.with_bytes(bytes)) {
        Some(text) => from_text(scope, &text),
        None => Some(argument).filter(|value| is_data(*value)),
    }
}

/// The same for an event, which may still be a frame of a stream.
pub(super) fn live_event<'s>(scope: &'s Scope<'s>, argument: Handle<'s>) -> Option<Handle<'s>> {
    let frame = argument.whole_text();
    let frame = frame.as_deref().and_then(|text| text.trim_start().strip_prefix("data:"));
    frame.map_or_else(|| live(scope, argument), |json| from_text(scope, json))
}

fn is_data(value: Handle<'_>) -> bool {
    value.is_object() && !value.is_function()
}

fn from_text<'s>(scope: &'s Scope<'s>, text: &str) -> Option<Handle<'s>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mended = || to_json(Json::whole(text).root()?, usize::MAX);
    let value = parsed(scope, text).or_else(|| parsed(scope, &mended()?));
    value.filter(|value| is_data(*value))
}

/// What a message keeps: `sources`, else `citations` of older releases.
pub(super) fn stored(message: Handle<'_>) -> Option<Handle<'_>> {
    let kept = message.property(camel(Key::Sources));
    let kept = kept.or_else(|| message.property(camel(Key::Citations)));
    kept.filter(|list| list.is_array())
}

/// A copy of a message, without `citations` that become `sources`.
pub(super) fn copy<'s>(scope: &'s Scope<'s>, message: Option<Handle<'s>>) -> Option<Handle<'s>> {
    let Some(message) = message else { return scope.object(&[]) };
    let list = |key: Key| message.property(camel(key));
    let old = list(Key::Sources).is_none() && list(Key::Citations).is_some_and(Handle::is_array);
    message.copied(old.then_some("citations"))
}

/// The list of a message, of an event or of a payload; a list as it is; one source as a list.
pub(super) fn listed<'s>(scope: &'s Scope<'s>, value: Handle<'s>) -> Option<Handle<'s>> {
    if value.is_array() {
        return Some(value);
    }
    let one = || value.property(camel(Key::Document)).and_then(|_| scope.list(&[value]));
    stored(value).or_else(one)
}

/// The sources an argument holds, all in the form of Open WebUI.
pub(super) fn sources<'s>(scope: &'s Scope<'s>, argument: Handle<'s>) -> Option<Handle<'s>> {
    adopted(scope, listed(scope, live(scope, argument)?)?)
}

/// Where an entry of a list comes from.
pub(super) enum Place {
    /// It stands at this index.
    Own(usize),
    /// It is made of the source at this index, or of nothing, to hold a number.
    Made(Option<usize>, Made),
}

/// A list with its sources in the form of Open WebUI. Those that have it already are the same objects, and
/// if all have it this is the same list; what is no source is left out.
pub(super) fn adopted<'s>(scope: &'s Scope<'s>, list: Handle<'s>) -> Option<Handle<'s>> {
    let mut places = Vec::new();
    let (mut maker, mut next) = (Maker::default(), 0);
    list.each(|index, item| {
        let given = Given::Live(item);
        if is_source(given) {
            places.push(Place::Own(index));
            next = index + 1;
        } else if let Some(source) = own_source(given) {
            // Sources of ours are numbered by their places, so those that hold nothing count.
            let first = if index < MOST_PLACES { next } else { index };
            for _ in first..index {
                places.push(Place::Made(None, maker.make(&Source::default())));
            }
            places.push(Place::Made(Some(index), maker.make(&source)));
            next = index + 1;
        }
    })?;
    let same = |(index, place): (usize, &Place)| matches!(place, Place::Own(at) if *at == index);
    if list.length() == Some(places.len()) && places.iter().enumerate().all(same) {
        return Some(list);
    }
    scope.array(&places, |place| match place {
        Place::Own(index) => list.item(*index).map(Into::into),
        Place::Made(from, made) => {
            written(scope, made, from.and_then(|index| list.item(index))).map(Into::into)
        }
    })
}

/// A source in our own form, unless there is nothing to it.
fn own_source(given: Given<'_>) -> Option<Source<'static>> {
    if given.is_array() {
        return None;
    }
    let mut source = read_source(given).into_owned();
    clean::source(&mut source);
    (!source.is_blank()).then_some(source)
}

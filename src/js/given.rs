//! What JavaScript gave us, as the readers see it: a live object or JSON.

use super::carry;
use super::names;
use super::node_api::Handle;
use super::packed::{Carried, Cell, Found, Item};
use crate::input::json::{Json, JsonValue};
use crate::input::plan::Plan;
use crate::input::stream::{is_event_stream, is_stream};
use crate::input::value::{MOST_FIELDS, Value};
use crate::input::{Detail, Key, payload};
use crate::model::Text;

/// A value inside a live object or inside parsed JSON.
#[derive(Clone, Copy)]
pub(super) enum Given<'g> {
    Live(Handle<'g>),
    /// Something of a live object that was fetched together with the rest of it.
    Carried(Carried<'g>),
    /// A number of a list that was.
    Number(f64),
    Json(JsonValue<'g>),
}

/// Opens an argument: an object as it is, a string or bytes as JSON. Anything else is nothing.
/// While `run` reads bytes no JavaScript runs, so options must be read before.
pub(super) fn open<T>(argument: Handle<'_>, run: impl FnOnce(Given<'_>) -> T) -> Option<T> {
    open_for(argument, Detail::Full, run)
}

/// The same, for a listener that wants no more than `detail`.
pub(super) fn open_for<T>(
    argument: Handle<'_>,
    detail: Detail,
    run: impl FnOnce(Given<'_>) -> T,
) -> Option<T> {
    open_with(argument, detail, is_event_stream, Given::Live, run)
}

/// The same for what goes into a turn. A stream is left to [`open_stream`].
pub(super) fn open_pushed(argument: Handle<'_>, mut push: impl FnMut(Given<'_>)) -> Option<()> {
    let again = open_with(argument, Detail::Full, is_stream, Given::Live, |given| {
        let again = matches!(given, Given::Json(_)) && payload::is_in(given);
        if !again {
            push(given);
        }
        again
    })?;
    if !again {
        return Some(());
    }
    argument.scope.rest();
    open_for(argument, Detail::Whole, push)
}

/// The same for what is most likely a response or an event. A stream is left to [`open_stream`].
pub(super) fn open_answer<T>(
    argument: Handle<'_>,
    detail: Detail,
    run: impl FnOnce(Given<'_>) -> T,
) -> Option<T> {
    let plan = match detail {
        Detail::Shown => Plan::ShownAnswer,
        Detail::Sources => Plan::CitedAnswer,
        Detail::Full | Detail::Whole => Plan::Answer,
    };
    open_planned(argument, plan, detail, is_stream, run)
}

/// The same for what is most likely as this plan says.
pub(super) fn open_as<T>(
    argument: Handle<'_>,
    plan: Plan,
    detail: Detail,
    run: impl FnOnce(Given<'_>) -> T,
) -> Option<T> {
    open_planned(argument, plan, detail, is_event_stream, run)
}

fn open_planned<T>(
    argument: Handle<'_>,
    plan: Plan,
    detail: Detail,
    is_other: fn(&[u8]) -> bool,
    run: impl FnOnce(Given<'_>) -> T,
) -> Option<T> {
    if let Some(carried) = carry::carried_ahead(argument, plan) {
        return Some(run(Given::Carried(carried)));
    }
    let carried = |object| carry::carry(object, plan).map_or(Given::Live(object), Given::Carried);
    open_with(argument, detail, is_other, carried, run)
}

/// Lends the body of a stream, of events or of documents, as bytes or as a string, to `hear`. `None` when the argument
/// is none.
pub(super) fn open_stream<T>(argument: Handle<'_>, hear: impl FnOnce(&[u8]) -> T) -> Option<T> {
    // To find out that it is no single document, it was read already.
    argument.scope.rest();
    let hear = |body: &[u8]| is_stream(body).then(|| hear(body));
    if argument.is_string() {
        argument.with_text(|text| hear(text.as_bytes()))?
    } else {
        argument.with_bytes(hear)?
    }
}

/// `is_other` says of which bodies more than one document must be read.
fn open_with<'g, T>(
    argument: Handle<'g>,
    detail: Detail,
    is_other: fn(&[u8]) -> bool,
    object: impl FnOnce(Handle<'g>) -> Given<'g>,
    run: impl FnOnce(Given<'_>) -> T,
) -> Option<T> {
    let open_json = |body: &[u8], run| open_json(body, detail, is_other, run);
    if argument.is_string() {
        return argument.with_text(|text| open_json(text.as_bytes(), run))?;
    }
    if !argument.is_object() {
        return None;
    }
    let mut run = Some(run);
    let bytes = argument.with_bytes(|bytes| run.take().and_then(|run| open_json(bytes, run)));
    match (bytes, run) {
        (Some(read), _) => read,
        (None, run) => run.map(|run| run(object(argument))),
    }
}

/// Events are no JSON, though they hold some.
fn open_json<T>(
    body: &[u8],
    detail: Detail,
    is_other: fn(&[u8]) -> bool,
    run: impl FnOnce(Given<'_>) -> T,
) -> Option<T> {
    if is_other(body) {
        return None;
    }
    Json::skimmed(body, detail).root().map(|root| run(Given::Json(root)))
}

impl<'g> From<Item<'g>> for Given<'g> {
    fn from(item: Item<'g>) -> Self {
        match item {
            Item::Carried(carried) => Self::Carried(carried),
            Item::Live(live) => Self::Live(live),
            Item::Number(number) => Self::Number(number),
        }
    }
}

impl<'g> Given<'g> {
    /// The live object behind something that was carried.
    fn live(carried: Carried<'g>) -> Option<Self> {
        carried.live().map(Self::Live)
    }

    /// [`Value::text_at`], compiled once and not for every reader.
    fn find_text(self, key: Key) -> Option<Text<'g>> {
        let text = match self {
            Self::Live(_) => self.get(key)?.text(),
            Self::Carried(carried) => match carried.text_at(key) {
                Found::There(text) => Some(Text::Borrowed(text)),
                Found::Nothing => None,
                Found::Unknown => return Self::live(carried)?.find_text(key),
            },
            Self::Number(_) => None,
            Self::Json(json) => json.text_at(key),
        };
        text.filter(|text| !text.is_empty())
    }

    /// [`Value::each`], the same.
    fn visit(self, visit: &mut dyn FnMut(usize, Self)) -> bool {
        match self {
            Self::Live(live) => live.each(|index, item| visit(index, Self::Live(item))).is_some(),
            Self::Carried(carried) => {
                carried.each(&mut |index, item| visit(index, item.into())).is_some()
            }
            Self::Number(_) => false,
            Self::Json(json) => json.each(|index, item| visit(index, Self::Json(item))),
        }
    }

    /// [`Value::fields`], the same.
    fn visit_fields(self, visit: &mut dyn FnMut(&str, Self)) -> bool {
        match self {
            Self::Live(live) => {
                let mut visit = |name: &str, value| visit(name, Self::Live(value));
                live.is_record() && live.each_field(MOST_FIELDS, &mut visit).is_some()
            }
            Self::Carried(carried) => {
                Self::live(carried).is_some_and(|live| live.visit_fields(visit))
            }
            Self::Number(_) => false,
            Self::Json(json) => json.fields(|name, value| visit(name, Self::Json(value))),
        }
    }

    fn visit_as(self, plan: Plan, visit: &mut dyn FnMut(usize, Self)) -> bool {
        let Self::Live(live) = self else { return self.each(visit) };
        carry::each(live, plan, &mut |index, item| visit(index, item.into())).is_some()
    }
}

impl<'g> Value<'g> for Given<'g> {
    fn get(self, key: Key) -> Option<Self> {
        match self {
            // A function has a name and a length, and is no data.
            Self::Live(live) if live.is_function() => None,
            Self::Live(live) => {
                names::spellings(key).find_map(|place| live.property(place)).map(Self::Live)
            }
            Self::Carried(carried) => match carried.get(key) {
                Found::There(found) => Some(Self::Carried(found)),
                Found::Nothing => None,
                Found::Unknown => Self::live(carried)?.get(key),
            },
            Self::Number(_) => None,
            Self::Json(json) => json.get(key).map(Self::Json),
        }
    }

    fn each(self, mut visit: impl FnMut(usize, Self)) -> bool {
        self.visit(&mut visit)
    }

    fn each_as(self, plan: Plan, mut visit: impl FnMut(usize, Self)) -> bool {
        self.visit_as(plan, &mut visit)
    }

    fn first(self) -> Option<Self> {
        match self {
            Self::Live(live) => live.item(0).map(Self::Live),
            Self::Carried(carried) => carried.item(0).map(Self::from),
            Self::Number(_) => None,
            Self::Json(json) => json.first().map(Self::Json),
        }
    }

    fn is_array(self) -> bool {
        match self {
            Self::Live(live) => live.is_array(),
            Self::Carried(_) => self.length().is_some(),
            Self::Number(_) => false,
            Self::Json(json) => json.is_array(),
        }
    }

    fn is_text(self) -> bool {
        match self {
            Self::Live(live) => live.is_string(),
            Self::Carried(carried) => matches!(carried.cell(), Cell::Text(_)),
            Self::Number(_) => false,
            Self::Json(json) => json.is_text(),
        }
    }

    fn text(self) -> Option<Text<'g>> {
        match self {
            Self::Live(live) => live.text().map(Text::Owned),
            Self::Carried(carried) => match carried.cell() {
                Cell::Text(text) => Some(Text::Borrowed(text)),
                _ => None,
            },
            Self::Number(_) => None,
            Self::Json(json) => json.text(),
        }
    }

    #[inline]
    fn text_at(self, key: Key) -> Option<Text<'g>> {
        if let Self::Carried(carried) = self
            && let Found::There(text) = carried.text_at(key)
        {
            return (!text.is_empty()).then_some(Text::Borrowed(text));
        }
        self.find_text(key)
    }

    fn fields(self, mut visit: impl FnMut(&str, Self)) -> bool {
        self.visit_fields(&mut visit)
    }

    fn length(self) -> Option<usize> {
        match self {
            Self::Live(live) => live.length(),
            Self::Carried(carried) => match carried.cell() {
                Cell::Numbers(numbers) => Some(numbers.len()),
                Cell::Texts(list) | Cell::Records(list) => Some(list.length),
                _ => None,
            },
            Self::Number(_) => None,
            Self::Json(json) => json.length(),
        }
    }

    fn flag(self) -> Option<bool> {
        match self {
            Self::Live(live) => live.as_flag(),
            Self::Carried(carried) => match carried.cell() {
                Cell::Flag(flag) => Some(flag),
                _ => None,
            },
            Self::Number(_) => None,
            Self::Json(json) => json.flag(),
        }
    }

    fn number(self) -> Option<f64> {
        match self {
            Self::Live(live) => live.as_number(),
            Self::Carried(carried) => match carried.cell() {
                Cell::Number(number) => Some(number),
                _ => None,
            },
            Self::Number(number) => Some(number),
            Self::Json(json) => json.number(),
        }
    }
}

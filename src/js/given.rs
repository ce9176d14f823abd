//! What JavaScript gave us, as the readers see it: a live object or JSON.

use super::carry::{self, Carried, Item};
use super::names;
use super::node_api::Handle;
use crate::input::json::{Json, JsonValue};
use crate::input::plan::Plan;
use crate::input::value::{MOST_FIELDS, Value};
use crate::input::{Detail, Key};
use crate::model::Text;

/// A value inside a live object or inside parsed JSON.
#[derive(Clone, Copy)]
pub(super) enum Given<'g> {
    Live(Handle<'g>),
    /// Something of a live object that was fetched together with others like it.
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
    if argument.is_string() {
        let skim = |text: &str| json(&Json::skimmed(text.as_bytes(), detail), run);
        return argument.with_text(skim)?;
    }
    if !argument.is_object() {
        return None;
    }
    let mut run = Some(run);
    let bytes = argument
        .with_bytes(|bytes| run.take().and_then(|run| json(&Json::skimmed(bytes, detail), run)));
    match (bytes, run) {
        (Some(read), _) => read,
        (None, run) => run.map(|run| run(Given::Live(argument))),
    }
}

fn json<T>(json: &Json<'_>, run: impl FnOnce(Given<'_>) -> T) -> Option<T> {
    json.root().map(|root| run(Given::Json(root)))
}

impl<'g> Given<'g> {
    /// The live object behind something that was carried.
    fn live(carried: Carried<'g>) -> Option<Self> {
        carried.live().map(Self::Live)
    }

    /// [`Value::each`], compiled once and not for every reader.
    fn visit(self, visit: &mut dyn FnMut(usize, Self)) -> bool {
        match self {
            Self::Live(live) => live.each(|index, item| visit(index, Self::Live(item))).is_some(),
            Self::Carried(carried) => match carried.numbers() {
                Some(numbers) => {
                    let numbers = numbers.iter().copied().map(Self::Number);
                    numbers.enumerate().for_each(|(index, number)| visit(index, number));
                    true
                }
                None => Self::live(carried).is_some_and(|live| live.each(visit)),
            },
            Self::Number(_) => false,
            Self::Json(json) => json.each(|index, item| visit(index, Self::Json(item))),
        }
    }

    fn visit_as(self, plan: Plan, visit: &mut dyn FnMut(usize, Self)) -> bool {
        let Self::Live(live) = self else { return self.each(visit) };
        let mut visit = |index, item| {
            let item = match item {
                Item::Carried(carried) => Self::Carried(carried),
                Item::Live(live) => Self::Live(live),
            };
            visit(index, item);
        };
        carry::each(live, plan, &mut visit).is_some()
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
                Some(found) => found.map(Self::Carried),
                None => Self::live(carried)?.get(key),
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
            Self::Carried(carried) => match carried.numbers() {
                Some(numbers) => numbers.first().copied().map(Self::Number),
                None => Self::live(carried)?.first(),
            },
            Self::Number(_) => None,
            Self::Json(json) => json.first().map(Self::Json),
        }
    }

    fn is_array(self) -> bool {
        match self {
            Self::Live(live) => live.is_array(),
            Self::Carried(carried) => {
                carried.numbers().is_some() || Self::live(carried).is_some_and(Self::is_array)
            }
            Self::Number(_) => false,
            Self::Json(json) => json.is_array(),
        }
    }

    fn text(self) -> Option<Text<'g>> {
        match self {
            Self::Live(live) => live.text().map(Text::Owned),
            Self::Carried(carried) => carried.text().map(Text::Borrowed),
            Self::Number(_) => None,
            Self::Json(json) => json.text(),
        }
    }

    fn text_at(self, key: Key) -> Option<Text<'g>> {
        let text = match self {
            Self::Live(live) if live.is_function() => None,
            Self::Live(live) => {
                let spelled = |place| live.text_property(place);
                names::spellings(key).find_map(spelled).map(Text::Owned)
            }
            Self::Carried(carried) => match carried.get(key) {
                Some(found) => found?.text().map(Text::Borrowed),
                None => return Self::live(carried)?.text_at(key),
            },
            Self::Number(_) => None,
            Self::Json(json) => json.text_at(key),
        };
        text.filter(|text| !text.is_empty())
    }

    fn fields(self, mut visit: impl FnMut(&str, Self)) -> bool {
        match self {
            Self::Live(live) => {
                let visit = |name: &str, value| visit(name, Self::Live(value));
                live.is_record() && live.each_field(MOST_FIELDS, visit).is_some()
            }
            Self::Carried(carried) => Self::live(carried).is_some_and(|live| live.fields(visit)),
            Self::Number(_) => false,
            Self::Json(json) => json.fields(|name, value| visit(name, Self::Json(value))),
        }
    }

    fn length(self) -> Option<usize> {
        match self {
            Self::Live(live) => live.length(),
            Self::Carried(carried) => match carried.numbers() {
                Some(numbers) => Some(numbers.len()),
                None => Self::live(carried)?.length(),
            },
            Self::Number(_) => None,
            Self::Json(json) => json.length(),
        }
    }

    fn flag(self) -> Option<bool> {
        match self {
            Self::Live(live) => live.as_flag(),
            // No plan asks for one.
            Self::Carried(_) | Self::Number(_) => None,
            Self::Json(json) => json.flag(),
        }
    }

    fn number(self) -> Option<f64> {
        match self {
            Self::Live(live) => live.as_number(),
            Self::Carried(carried) => carried.number(),
            Self::Number(number) => Some(number),
            Self::Json(json) => json.number(),
        }
    }
}

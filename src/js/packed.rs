//! Values that were carried across the border together: numbers, and one string of text.
//!
//! In: what `carry.js` wrote, by a [`Plan`]. Out: its parts by key and by place, and of what is not as planned
//! the live value. Promise: numbers are looked up, not trusted.

use super::names;
use super::node_api::{Handle, Scope, decode_ascii_onto, decode_pieces_onto};
use crate::input::Key;
use crate::input::plan::{self, Field, Fields, Holds, Plan, Word};
use napi::sys::{napi_value, napi_valuetype};
use std::ops::Range;

/// Lists inside of lists that a plan has at the most.
const DEPTH: u32 = 3;

/// What a cell holds.
#[derive(Clone, Copy)]
pub(super) enum Cell<'p> {
    Nothing,
    /// Something else than the plan says.
    Odd,
    Record,
    Text(&'p str),
    Number(f64),
    Flag(bool),
    Numbers(&'p [f64]),
    Texts(List),
    Records(List),
}

/// Where the items of a list stand.
#[derive(Clone, Copy)]
pub(super) struct List {
    begin: usize,
    pub(super) length: usize,
}

impl List {
    fn of(rest: usize) -> Self {
        Self { begin: rest / LENGTHS, length: rest % LENGTHS }
    }

    fn places(self) -> Range<usize> {
        self.begin..self.begin.saturating_add(self.length)
    }

    fn item(self, index: usize, size: usize) -> Option<usize> {
        (index < self.length).then(|| self.begin.saturating_add(index.saturating_mul(size)))
    }
}

/// A value with all that its plan asks of it.
pub(super) struct Packed {
    room: Room,
    plan: Plan,
    origin: Origin,
}

/// What is kept of a value, used again for the next.
#[derive(Default)]
pub(super) struct Room {
    pub(super) text: String,
    pub(super) cells: Vec<u32>,
    /// Where among these is said where texts end, behind where the first begins.
    pub(super) ends: usize,
    /// Its numbers.
    pub(super) values: Vec<f64>,
}

impl Room {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
        self.values.clear();
    }

    /// Decodes each text on its own. Those that end within what is decoded already are where they should be.
    fn decode(&mut self, units: &[u16]) {
        let ends = self.cells.get_mut(self.ends..).unwrap_or_default();
        let decoded = ends.partition_point(|end| *end as usize <= self.text.len());
        let begin = ends.get(decoded.saturating_sub(1)).map_or(0, |begin| *begin as usize);
        self.text.truncate(begin);
        let rest = ends.get_mut(decoded..).unwrap_or_default();
        decode_pieces_onto(&mut self.text, units, begin, rest);
    }

    /// The text with this number.
    #[inline]
    fn text(&self, number: usize) -> Option<&str> {
        let [begin, end] = *self.cells.get(self.ends.saturating_add(number)..)?.first_chunk()?;
        self.text.get(begin as usize..end as usize)
    }
}

/// What all was read from, and which of its items was the first to be read. Good only in the call that read it.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) raw: napi_value,
    pub(super) kind: napi_valuetype,
    pub(super) from: usize,
}

impl Packed {
    /// From what the carrier wrote, beside room for text, and the units of its text.
    pub(super) fn new(room: Room, units: &[u16], plan: Plan, origin: Origin) -> Self {
        debug_assert!(room.text.is_empty(), "all places are counted from its start");
        let mut packed = Self { room, plan, origin };
        // In ASCII all places are the same.
        if !decode_ascii_onto(&mut packed.room.text, units) {
            packed.room.decode(units);
        }
        packed
    }

    /// Whether this is what `plan` asks of `value`.
    pub(super) fn is_of(&self, value: Handle<'_>, plan: Plan) -> bool {
        self.origin.raw == value.raw && self.plan == plan
    }

    /// What it took, to be used again.
    pub(super) fn into_room(self) -> Room {
        self.room
    }

    pub(super) fn text_length(&self) -> usize {
        self.room.text.len()
    }

    /// What is in the cell at `at`: its kind, as it is called in the script, and the rest.
    #[inline]
    fn raw(&self, at: usize) -> Option<(u32, usize)> {
        let cell = *self.room.cells.get(at)?;
        Some((cell % LENGTH, (cell / LENGTH) as usize))
    }

    #[inline]
    fn cell(&self, at: usize) -> Cell<'_> {
        let Some((kind, which)) = self.raw(at) else { return Cell::Odd };
        let values = &self.room.values;
        let cell = match kind {
            NOTHING => Some(Cell::Nothing),
            RECORD => Some(Cell::Record),
            TEXT => self.room.text(which).map(Cell::Text),
            WORD => Word::ALL.get(which).map(|word| Cell::Text(word.text())),
            NUMBER => values.get(which).copied().map(Cell::Number),
            FLAG => Some(Cell::Flag(which != 0)),
            NUMBERS => values.get(List::of(which).places()).map(Cell::Numbers),
            TEXTS => Some(Cell::Texts(List::of(which))),
            RECORDS => Some(Cell::Records(List::of(which))),
            _ => None,
        };
        cell.unwrap_or(Cell::Odd)
    }
}

// Kinds of cells, called the same in `carry.js`. What is none of these is odd too.
const NOTHING: u32 = 0;
const RECORD: u32 = 2;
const TEXT: u32 = 3;
const NUMBER: u32 = 4;
const FLAG: u32 = 5;
const NUMBERS: u32 = 6;
const TEXTS: u32 = 7;
const RECORDS: u32 = 8;
const WORD: u32 = 9;
const ODD: u32 = 1;
const LENGTH: u32 = 1 << 4;
/// Of the rest of a list, this many are lengths.
const LENGTHS: usize = 1 << 14;

/// Cells of one record.
pub(super) fn size(fields: &Fields) -> usize {
    fields.size as usize
}

/// Something inside of a packed value.
#[derive(Clone, Copy)]
pub(super) struct Carried<'g> {
    packed: &'g Packed,
    /// The call that read it, while that goes on.
    scope: Option<&'g Scope<'g>>,
    /// Of a record, or of the records of a list.
    fields: &'static Fields,
    at: u32,
    trail: Trail,
}

/// Its place in each list around something: two bytes for each, the outermost first, and their number behind them. All
/// in one number, since a processor waits for what was written piece by piece and is read as a whole.
#[derive(Clone, Copy, Default)]
struct Trail(u64);

impl Trail {
    /// One place more.
    const ONE: u64 = 1 << (u16::BITS * DEPTH);

    fn with(self, place: usize) -> Option<Self> {
        let length = self.length();
        let place = u64::from(u16::try_from(place).ok()?) << (u16::BITS * length);
        (length < DEPTH).then_some(Self((self.0 | place) + Self::ONE))
    }

    fn length(self) -> u32 {
        (self.0 / Self::ONE) as u32
    }

    #[expect(clippy::cast_possible_truncation, reason = "two bytes are meant")]
    fn places(self) -> impl Iterator<Item = u16> {
        (0..self.length()).map(move |at| (self.0 >> (u16::BITS * at)) as u16)
    }
}

/// What there is under a key.
pub(super) enum Found<T> {
    Nothing,
    There(T),
    /// That is for the live value to say.
    Unknown,
}

/// An item of a list.
pub(super) enum Item<'g> {
    Carried(Carried<'g>),
    Live(Handle<'g>),
    Number(f64),
}

impl<'g> Carried<'g> {
    /// All of it. `None` when that is not as planned.
    pub(super) fn whole(packed: &'g Packed, scope: Option<&'g Scope<'g>>) -> Option<Self> {
        let fields = match (packed.plan.holds(), packed.raw(0)?) {
            (Holds::Record(fields), (RECORD, kind)) => fields.kind(kind),
            (Holds::Records(fields), (RECORDS, _)) => fields,
            _ => return None,
        };
        Some(Self { packed, scope, fields, at: 0, trail: Trail::default() })
    }

    #[inline]
    pub(super) fn cell(self) -> Cell<'g> {
        self.packed.cell(self.at as usize)
    }

    /// What stands under `key`.
    #[inline]
    pub(super) fn get(self, key: Key) -> Found<Self> {
        let Some(field) = self.fields.get(key) else {
            return Found::Unknown;
        };
        let at = self.place(field);
        match self.packed.raw(at as usize) {
            Some((NOTHING, _)) => Found::Nothing,
            None | Some((ODD, _)) => Found::Unknown,
            Some((_, kind)) => {
                let fields = match field.holds {
                    Holds::Record(fields) => fields.kind(kind),
                    Holds::Records(fields) => fields,
                    _ => plan::NONE,
                };
                Found::There(Self { fields, at, ..self })
            }
        }
    }

    /// The text under `key`. Anything else there is nothing.
    #[inline]
    pub(super) fn text_at(self, key: Key) -> Found<&'g str> {
        let Some(field) = self.fields.get(key) else {
            return Found::Unknown;
        };
        match self.packed.raw(self.place(field) as usize) {
            Some((TEXT, number)) => {
                self.packed.room.text(number).map_or(Found::Unknown, Found::There)
            }
            Some((WORD, number)) => {
                Word::ALL.get(number).map_or(Found::Unknown, |word| Found::There(word.text()))
            }
            None | Some((ODD, _)) => Found::Unknown,
            Some(_) => Found::Nothing,
        }
    }

    #[inline]
    fn place(self, field: &Field) -> u32 {
        self.at.saturating_add(field.place)
    }

    /// The item at `index` of a list, unless it is nothing.
    pub(super) fn item(self, index: usize) -> Option<Item<'g>> {
        let (list, size) = match self.cell() {
            Cell::Numbers(numbers) => return numbers.get(index).copied().map(Item::Number),
            Cell::Texts(list) => (list, 1),
            Cell::Records(list) => (list, size(self.fields)),
            _ => return None,
        };
        self.item_at(list, size, index)
    }

    #[inline]
    fn item_at(self, list: List, size: usize, index: usize) -> Option<Item<'g>> {
        let at = u32::try_from(list.item(index, size)?).ok()?;
        let item = Self { at, trail: self.trail.with(index)?, ..self };
        match self.packed.raw(at as usize)? {
            (NOTHING, _) => None,
            (ODD, _) => item.live().map(Item::Live),
            (RECORD, kind) => Some(Item::Carried(Self { fields: self.fields.kind(kind), ..item })),
            _ => Some(Item::Carried(item)),
        }
    }

    /// Calls `visit` with each item of a list that is something. `None` when this is no list.
    pub(super) fn each(self, visit: &mut dyn FnMut(usize, Item<'g>)) -> Option<()> {
        let (list, size) = match self.cell() {
            Cell::Numbers(numbers) => {
                let items = numbers.iter().copied().map(Item::Number);
                items.enumerate().for_each(|(index, item)| visit(index, item));
                return Some(());
            }
            Cell::Texts(list) => (list, 1),
            Cell::Records(list) => (list, size(self.fields)),
            _ => return None,
        };
        for index in 0..list.length {
            if let Some(item) = self.item_at(list, size, index) {
                visit(index, item);
            }
        }
        Some(())
    }

    /// The live value this was read from, for what the plan did not have.
    pub(super) fn live(self) -> Option<Handle<'g>> {
        let Origin { raw, kind, from } = self.packed.origin;
        let value = Handle { scope: self.scope?, raw, kind };
        let holds = self.packed.plan.holds();
        let places: Vec<_> = self.trail.places().collect();
        // Of a list, only some items were read.
        let (value, holds, at, trail) = match (holds, places.as_slice()) {
            (Holds::Records(fields), [first, trail @ ..]) => {
                let at = self.item_of(0, fields, *first)?;
                (value.item(from + usize::from(*first))?, Holds::Record(fields), at, trail)
            }
            (_, trail) => (value, holds, 0, trail),
        };
        self.reach(value, holds, at, trail)
    }

    /// The way from a live value to this one.
    fn reach(
        self,
        value: Handle<'g>,
        holds: Holds,
        at: usize,
        trail: &[u16],
    ) -> Option<Handle<'g>> {
        if at == self.at as usize {
            return Some(value);
        }
        match (holds, trail) {
            (Holds::Record(fields), _) => {
                let fields = self.kind_at(at, fields)?;
                let place = |field: &Field| at + field.place as usize;
                let is_inside = |field: &&Field| self.is_in(field.holds, place(field), trail);
                let field = fields.all.iter().find(is_inside)?;
                let mut spellings = names::spellings(field.key);
                let value = spellings.find_map(|spelling| value.property(spelling))?;
                self.reach(value, field.holds, place(field), trail)
            }
            (Holds::Records(fields), [first, trail @ ..]) => {
                let at = self.item_of(at, fields, *first)?;
                let value = value.item(usize::from(*first))?;
                self.reach(value, Holds::Record(fields), at, trail)
            }
            _ => None,
        }
    }

    /// Whether this stands inside of what the cell at `at` holds.
    fn is_in(self, holds: Holds, at: usize, trail: &[u16]) -> bool {
        if at == self.at as usize {
            return true;
        }
        match (holds, self.packed.cell(at), trail) {
            (Holds::Record(fields), Cell::Record, _) => {
                let is_inside =
                    |field: &Field| self.is_in(field.holds, at + field.place as usize, trail);
                self.kind_at(at, fields).is_some_and(|fields| fields.all.iter().any(is_inside))
            }
            (Holds::Records(fields), Cell::Records(_), [first, trail @ ..]) => {
                let item = self.item_of(at, fields, *first);
                item.is_some_and(|at| self.is_in(Holds::Record(fields), at, trail))
            }
            _ => false,
        }
    }

    /// The fields of the record at `at`, by its kind.
    fn kind_at(self, at: usize, fields: &'static Fields) -> Option<&'static Fields> {
        match self.packed.raw(at)? {
            (RECORD, kind) => Some(fields.kind(kind)),
            _ => None,
        }
    }

    /// Where an item of the list at `at` stands.
    fn item_of(self, at: usize, fields: &Fields, index: u16) -> Option<usize> {
        match self.packed.cell(at) {
            Cell::Records(list) => list.item(index.into(), size(fields)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each_kind(fields: &'static Fields, depth: u32, check: &mut dyn FnMut(&[Field], u32)) {
        for kind in fields.kinds() {
            check(kind.all, depth);
            for field in kind.all {
                match field.holds {
                    Holds::Record(fields) => each_kind(fields, depth, check),
                    Holds::Records(fields) => each_kind(fields, depth + 1, check),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn plans_are_no_deeper_than_a_trail_and_name_each_field_once() {
        for plan in Plan::ALL {
            let (fields, depth) = match plan.holds() {
                Holds::Records(fields) => (fields, 1),
                Holds::Record(fields) => (fields, 0),
                _ => (plan::NONE, 0),
            };
            each_kind(fields, depth, &mut |fields, depth| {
                assert!(depth <= DEPTH, "{plan:?}");
                for field in fields {
                    let same = fields.iter().filter(|other| other.key == field.key);
                    assert_eq!(same.count(), 1, "{plan:?} {:?}", field.key);
                }
            });
        }
    }
}

//! Values fetched in one call instead of one for each field.
//!
//! In: a live object or array, and a [`Plan`] of what readers ask of it. Out: the same as reading field by
//! field gives, from numbers and text that crossed together. Promise: what is not as planned, throws, or is
//! asked for more is read the long way.

use super::errand::Written;
use super::names::{self, Name};
use super::node_api::Handle;
use super::packed::{Carried, Item, Origin, Packed, Room, size};
use super::scope::{PIECE, PIECE_OF_TEXT};
use crate::input::plan::{self, Field, Fields, Holds, Plan};
use std::cell::{Cell, OnceCell};
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

/// How many cells and numbers cross at once. Longer lists go in several pieces.
pub(super) const ROOM: usize = 1 << 13;

/// Of these, how many are left for lists inside of the records of a list.
const FOR_LISTS: usize = ROOM / 2;

/// Where the carrier says how much it wrote.
pub(super) const END: usize = ROOM - 4;

/// Where it says what it knows of options, or less than nothing when it could not look at all of them.
pub(super) const CHOSEN: usize = ROOM;

/// Where it says that somebody is at work over there: a getter may call us again, and there is one set of numbers.
pub(super) const BUSY: usize = CHOSEN + 1;

/// Where a front says on what it was called, by number.
pub(super) const ON: usize = BUSY + 1;

/// All numbers together.
pub(super) const NUMBERS: usize = ON + 1;

/// Where among the cells the carrier says where each text ends, behind where the first begins.
pub(super) const ENDS: usize = ROOM;

/// All cells together: there are no more texts than other cells.
pub(super) const CELLS: usize = ENDS + 1 + ROOM;

/// Stands for a plan where nothing but options is looked at.
pub(super) const CHOOSE: usize = Plan::ALL.len();

/// Stands for a plan where a host is asked for the setting of its session.
pub(super) const ASK: usize = CHOOSE + 1;

/// Stands for a plan where objects are made of what a [`Sheet`](super::sheet::Sheet) says.
pub(super) const MAKE: usize = CHOOSE + 2;

/// Stands for a plan where the carrier learns how one kind of record is made.
pub(super) const ADD_SHAPE: usize = CHOOSE + 3;

/// Stands for a plan where the carrier learns a plan.
pub(super) const ADD_PLAN: usize = CHOOSE + 4;

/// Stands for a plan where a front learns the short way.
pub(super) const OPEN: usize = CHOOSE + 5;

/// Stands for a plan where something gets a number.
pub(super) const GIVE_NUMBER: usize = CHOOSE + 6;

/// How many numbers say what to do.
pub(super) const TASK: usize = 3;

/// Shorter lists are not worth the call.
const FEWEST: usize = 2;

/// The most pieces of one call. Whoever sends more is not in a hurry.
const MOST_PIECES: usize = 64;

/// The options of a block, most of which are left out in most calls.
pub(super) const CHOICES: [(Name, Takes); 10] = [
    (Name::AlreadyShown, Takes::Other),
    (Name::Documents, Takes::Flag),
    (Name::GroupByDocument, Takes::Flag),
    (Name::Links, Takes::Words(&["auto", "osc8", "markdown", "plain"])),
    (Name::MaxSources, Takes::Other),
    (Name::ShowExcerpts, Takes::Flag),
    (Name::ShowInlineSources, Takes::Flag),
    (Name::Terminal, Takes::Other),
    (Name::Terminator, Takes::Words(&["bel", "st"])),
    (Name::Width, Takes::Other),
];

/// What an option takes. Words and flags are told by their numbers.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    Words(&'static [&'static str]),
    Flag,
    Other,
}

/// What is known of each of [`CHOICES`] without asking for it, as the carrier tells it: that it is missing, that
/// it is there, or behind that, which of its words it is, or whether it is true. Four bits for each: bytes would be copied one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Known(u64);

pub(super) const MISSING: u64 = 0;
pub(super) const THERE: u64 = 1;
pub(super) const FALSE: u64 = 2;
pub(super) const TRUE: u64 = 3;

/// Stands for the first of its words.
const FIRST_WORD: u64 = 2;

/// Bits that say what is known of one choice.
const BITS: usize = 4;

impl Known {
    /// None of them is there.
    pub(super) const NONE: Self = Self(0);

    /// Each of them may be.
    pub(super) const ANY: Self = {
        let (mut all, mut choice) = (0, 0);
        while choice < CHOICES.len() {
            all = all << BITS | THERE;
            choice += 1;
        }
        Self(all)
    };

    /// From the number that the carrier wrote.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number, unless it is less than nothing"
    )]
    pub(super) fn from_number(number: f64) -> Option<Self> {
        (number >= 0.0).then_some(Self(number as u64))
    }

    /// What is known of the choice at `place`.
    #[inline]
    pub(super) fn of(self, place: usize) -> u64 {
        self.0 >> (BITS * place) & ((1 << BITS) - 1)
    }
}

/// The word that an option is known to be.
pub(super) fn known_word(known: u64, takes: Takes) -> Option<&'static str> {
    let Takes::Words(words) = takes else { return None };
    let at = usize::try_from(known.checked_sub(FIRST_WORD)?).ok()?;
    words.get(at).copied()
}

/// What runs on the other side: a function that takes the numbers and the cells, and gives the carrier.
pub(super) fn script() -> String {
    let carrier = include_str!("carry.js");
    let mut choices = String::new();
    for (place, (name, takes)) in (0..).zip(CHOICES) {
        let unit = 1_u64 << (BITS * place);
        let _ = write!(choices, "v=o.{};if(v!==undefined&&v!==null)k+=", name.text());
        let _ = match takes {
            Takes::Words(words) => words
                .iter()
                .zip(FIRST_WORD..)
                .try_for_each(|(word, told)| write!(choices, "v==='{word}'?{}:", unit * told)),
            Takes::Flag => {
                write!(choices, "v===true?{}:v===false?{}:", unit * TRUE, unit * FALSE)
            }
            Takes::Other => Ok(()),
        };
        let _ = write!(choices, "{unit};");
    }
    let choices = format!("o=>{{let k=0,v;{choices}return k}}");
    let (method, setting) = (Name::GetEphemeralSetting.text(), Name::Citations.text());
    let ask = format!(
        "(apply=>o=>{{const f=o.{method};return typeof f==='function'?apply(f,o,['{setting}']):undefined}})(Reflect.apply)"
    );
    let maker = include_str!("make.js");
    let made = format!(
        "maker(values,{TASK},String.prototype,Function.prototype.call,Object.getOwnPropertyDescriptor,JSON.parse)"
    );
    let places =
        format!("{{END:{END},CHOSEN:{CHOSEN},BUSY:{BUSY},ON:{ON},ENDS:{ENDS},CHOOSE:{CHOOSE}}}");
    let asked = "Array.isArray,ArrayBuffer.isView,queueMicrotask";
    let arguments = format!("values,cells,{places},{choices},{ask},{asked},{made}");
    let fronts = include_str!("front.js");
    // Strict, all of it: a getter sees its caller otherwise.
    format!(
        "(function(values,cells){{'use strict';{carrier}\n{fronts}\n{maker}\nreturn carrier({arguments})}})"
    )
}

/// A plan as the carrier learns it.
pub(super) fn plan_script(plan: Plan) -> Option<String> {
    let (is_list, fields) = match plan.holds() {
        Holds::Records(fields) => (true, fields),
        Holds::Record(fields) => (false, fields),
        _ => return None,
    };
    let mut writer = Writer { names: names::all().collect(), code: String::new(), written: vec![] };
    let fill = writer.write(fields);
    let plan = format!("{{fill:f{fill},size:{},isList:{is_list}}}", size(fields));
    let code = writer.code;
    // Strict: a getter sees its caller otherwise.
    Some(format!(
        "(function(takes){{'use strict';const{{nothing,text,begins,word,usually,number,flag,numbers,texts,record,records,kind}}=takes;{code}return{plan}}})"
    ))
}

/// Writes functions that fill the cells of records, field by field. Straight code for each plan: engines read a
/// property ten times as fast where only one name is ever asked for.
struct Writer {
    names: Vec<&'static str>,
    code: String,
    /// By the number of each function, for which fields it is, if it is for one kind of record.
    written: Vec<Option<&'static [Field]>>,
}

impl Writer {
    /// Writes one for a record of any of these kinds. Answers its number.
    fn write(&mut self, fields: &'static Fields) -> usize {
        let first = self.write_kind(fields.all);
        let mut tried = format!("f{first}(o,at)");
        for (number, other) in fields.kinds().enumerate().skip(1) {
            let other = self.write_kind(other.all);
            let _ = write!(tried, "||f{other}(o,at)&&kind(at,{number})");
        }
        if fields.kinds().count() == 1 {
            return first;
        }
        self.add(None, &format!("return {tried}"))
    }

    fn write_kind(&mut self, fields: &'static [Field]) -> usize {
        let is_same = |written: &[Field]| std::ptr::eq(written, fields);
        if let Some(number) = self.written.iter().position(|written| written.is_some_and(is_same)) {
            return number;
        }
        let told = |word: plan::Word| format!(",'{}',{}", word.text(), word as u8);
        let mut body = String::new();
        for field in fields {
            let (takes, more) = match field.holds {
                Holds::Nothing => ("nothing", String::new()),
                Holds::Text => ("text", String::new()),
                Holds::Begins(start) => ("begins", format!(",'{start}'")),
                Holds::Word(word) => ("word", told(word)),
                Holds::Usually(word) => ("usually", told(word)),
                Holds::Flag => ("flag", String::new()),
                Holds::Number => ("number", String::new()),
                Holds::Numbers => ("numbers", String::new()),
                Holds::Texts => ("texts", String::new()),
                Holds::Record(fields) => ("record", format!(",f{}", self.write(fields))),
                Holds::Records(fields) => {
                    ("records", format!(",f{},{}", self.write(fields), size(fields)))
                }
            };
            let (before, behind) = if field.needed { ("if(!", ")return false") } else { ("", "") };
            body.extend([before, takes]);
            // Of several spellings, the first that is there.
            let names = names::spellings(field.key).filter_map(|place| self.names.get(place));
            for (spelling, name) in names.enumerate() {
                body.extend([if spelling == 0 { "(o." } else { "??o." }, name]);
            }
            let _ = write!(body, ",at+{}{more}){behind};", field.place);
        }
        self.add(Some(fields), &format!("{body}return true"))
    }

    fn add(&mut self, fields: Option<&'static [Field]>, body: &str) -> usize {
        let number = self.written.len();
        self.written.push(fields);
        let _ = write!(self.code, "const f{number}=(o,at)=>{{{body}}};");
        number
    }
}

/// All pieces of one call. They stay where they are until it ends.
pub(super) struct Pieces {
    /// Most calls have one piece, so that is not boxed.
    first: OnceCell<Packed>,
    more: Link,
    count: Cell<usize>,
    /// Where the room of the first goes then.
    spare: Rc<Spare>,
}

/// Room for a piece, kept from call to call.
pub(super) type Spare = Cell<Option<Room>>;

/// Text that needs more room than this gets it each time anew.
const MOST_SPARE: usize = 1 << 16;

impl Drop for Pieces {
    fn drop(&mut self) {
        if let Some(first) = self.first.take() {
            self.give_back(first);
        }
    }
}

/// Where a piece goes, with the place of the next behind it.
type Link = OnceCell<Box<Linked>>;

struct Linked {
    piece: Packed,
    next: Link,
}

impl Pieces {
    pub(super) fn new(spare: &Rc<Spare>) -> Self {
        let (first, more, count) = (OnceCell::new(), Link::new(), Cell::new(0));
        Self { first, more, count, spare: Rc::clone(spare) }
    }

    /// Empty room for a piece.
    pub(super) fn room(&self) -> Room {
        let mut room = self.spare.take().unwrap_or_default();
        room.clear();
        room
    }

    /// Gives back the room of a piece that nobody needs any more.
    pub(super) fn give_back(&self, piece: Packed) {
        let room = piece.into_room();
        if room.text.capacity() <= MOST_SPARE {
            self.spare.set(Some(room));
        }
    }

    fn is_full(&self) -> bool {
        self.count.get() == MOST_PIECES
    }

    /// The first one, if that is this value by this plan.
    fn ahead(&self, value: Handle<'_>, plan: Plan) -> Option<&Packed> {
        self.first.get().filter(|piece| piece.is_of(value, plan))
    }

    pub(super) fn keep(&self, piece: Packed) -> &Packed {
        self.count.set(self.count.get() + 1);
        if self.first.get().is_none() {
            return self.first.get_or_init(|| piece);
        }
        let mut end = &self.more;
        while let Some(linked) = end.get() {
            end = &linked.next;
        }
        &end.get_or_init(|| Box::new(Linked { piece, next: Link::new() })).piece
    }
}

/// All that `plan` asks of a value. `None` when the value is nothing like it.
pub(super) fn carry(value: Handle<'_>, plan: Plan) -> Option<Carried<'_>> {
    kept(value, 0..0, plan)
}

/// The same, if that was carried before it was asked for.
pub(super) fn carried_ahead(value: Handle<'_>, plan: Plan) -> Option<Carried<'_>> {
    let packed = value.scope.pieces().ahead(value, plan)?;
    Carried::whole(packed, Some(value.scope))
}

/// Carries a value that will be asked for, with what is known of the options beside it. `None` when it cannot be.
pub(super) fn carry_ahead(value: Handle<'_>, plan: Plan, options: Handle<'_>) -> Option<Known> {
    if !value.is_object() || value.is_typed_array() {
        return None;
    }
    let written = value.scope.carry(value, 0..0, plan, Some(options))?;
    let known = written.known;
    keep_ahead(value, plan, written)?;
    // Options of which nothing is known may all be there.
    Some(known.unwrap_or(Known::ANY))
}

/// Keeps what was written down of a value that will be asked for.
pub(super) fn keep_ahead(value: Handle<'_>, plan: Plan, written: Written<'_>) -> Option<()> {
    let (packed, _) = unpack(value, plan, written)?;
    value.scope.pieces().keep(packed);
    Some(())
}

/// Calls `visit` with each item of a list, carried or, where that cannot be, live. `None` when it is no list.
pub(super) fn each<'g>(
    list: Handle<'g>,
    plan: Plan,
    visit: &mut dyn FnMut(usize, Item<'g>),
) -> Option<()> {
    let length = list.length()?;
    let Holds::Records(fields) = plan.holds() else { return None };
    let at_once = (ROOM - FOR_LISTS) / size(fields);
    let mut from = 0;
    while from < length && list.scope.spend(0).is_some() {
        let to = length.min(from + at_once);
        let carried = if length < FEWEST { None } else { kept(list, from..to, plan) };
        let mut visit = |index: usize| {
            let item = match carried {
                Some(carried) => carried.item(index - from),
                None => list.item(index).map(Item::Live),
            };
            if let Some(item) = item {
                visit(index, item);
            }
        };
        if length <= PIECE {
            (from..to).for_each(&mut visit);
        } else {
            for first in (from..to).step_by(PIECE) {
                list.scope.briefly(|| (first..to.min(first + PIECE)).for_each(&mut visit));
            }
        }
        from = to;
    }
    Some(())
}

/// A value, or some items of a list, for the rest of this call.
fn kept(value: Handle<'_>, range: Range<usize>, plan: Plan) -> Option<Carried<'_>> {
    let pieces = value.scope.pieces();
    if pieces.is_full() {
        return None;
    }
    let (packed, _) = cross(value, range, plan)?;
    Carried::whole(pieces.keep(packed), Some(value.scope))
}

/// What `plan` asks of a value, written down. `None` when that cannot be.
pub(super) fn fetch(value: Handle<'_>, plan: Plan) -> Option<Written<'_>> {
    let is_plain = value.is_object() && !value.is_typed_array();
    if is_plain { value.scope.carry(value, 0..0, plan, None) } else { None }
}

/// All that was written down of a value by `plan`, and whether all of it was as planned.
pub(super) fn unpack(
    value: Handle<'_>,
    plan: Plan,
    written: Written<'_>,
) -> Option<(Packed, bool)> {
    unpack_from(value, 0, plan, written)
}

fn cross(value: Handle<'_>, range: Range<usize>, plan: Plan) -> Option<(Packed, bool)> {
    let (scope, from) = (value.scope, range.start);
    scope.spend(range.len())?;
    unpack_from(value, from, plan, scope.carry(value, range, plan, None)?)
}

fn unpack_from(
    value: Handle<'_>,
    from: usize,
    plan: Plan,
    Written { text, room, as_planned, .. }: Written<'_>,
) -> Option<(Packed, bool)> {
    let scope = value.scope;
    scope.spend(room.cells.len());
    let packed = text.with_units(|units| {
        // Made at its place: a processor waits for what was written piece by piece and is moved as a whole.
        let origin = Origin { raw: value.raw, kind: value.kind, from };
        Packed::new(room, units, plan, origin)
    })?;
    scope.spend(packed.text_length() / PIECE_OF_TEXT);
    Some((packed, as_planned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_stand_where_their_numbers_say() {
        for (place, plan) in Plan::ALL.into_iter().enumerate() {
            assert_eq!(plan as usize, place);
        }
    }
}

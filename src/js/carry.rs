//! Lists of records, fetched in one call instead of one for each field.
//!
//! In: an array of live objects, and a [`Plan`] of what readers ask of each. Out: the same as reading field by
//! field gives, from numbers and text that crossed together. Promise: a record that is not as planned, throws,
//! or is asked for more is read the long way.

use super::names::{self, Name};
use super::node_api::{Handle, PIECE, PIECE_OF_TEXT, decode};
use crate::input::Key;
use crate::input::plan::{Field, Holds, Plan};
use std::cell::{Cell, OnceCell};
use std::fmt::Write;
use std::ops::Range;

/// How many numbers cross at once. Longer lists go in several pieces.
pub(super) const ROOM: usize = 1 << 13;

/// Of these, how many are left for lists inside of records.
const FOR_LISTS: usize = ROOM / 2;

/// Stands for a plan where it is options that are looked at.
pub(super) const CHOOSE: usize = Plan::ALL.len();

/// Shorter lists are not worth the call.
const FEWEST: usize = 2;

/// The most pieces of one call. Whoever sends more is not in a hurry.
const MOST_PIECES: usize = 64;

/// Numbers in a cell: its kind with a length, and a number or a place.
const CELL: usize = 2;

// Kinds of cells, called the same in `carry.js`. What is ODD is whatever is none of these.
const NOTHING: u8 = 0;
const RECORD: u8 = 2;
const TEXT: u8 = 3;
const NUMBER: u8 = 4;
const NUMBERS: u8 = 5;

/// The options of a block, most of which are left out in most calls.
pub(super) const CHOICES: [Name; 10] = [
    Name::AlreadyShown,
    Name::Documents,
    Name::GroupByDocument,
    Name::Links,
    Name::MaxSources,
    Name::ShowExcerpts,
    Name::ShowInlineSources,
    Name::Terminal,
    Name::Terminator,
    Name::Width,
];

/// What runs on the other side: a function that takes the numbers and gives the carrier.
pub(super) fn script() -> String {
    let (mut code, mut plans, mut count) = (String::new(), String::new(), 0);
    for plan in Plan::ALL {
        let fill = write_function(plan.fields(), &mut count, &mut code);
        let _ = write!(plans, "{{fill:f{fill},size:{}}},", size(plan));
    }
    let carrier = include_str!("carry.js");
    let plan = format!("(text,number,numbers,record)=>{{{code}return[{plans}]}}");
    let mut choices = String::new();
    for (bit, name) in CHOICES.iter().enumerate() {
        let (name, bit) = (name.text(), 1 << bit);
        let _ = write!(choices, "v=o.{name};if(v!==undefined&&v!==null)m|={bit};");
    }
    let choices = format!("o=>{{let v,m=0;{choices}return m}}");
    let end = ROOM - 1;
    let arguments = format!("cells,{end},{plan},{choices},Array.isArray");
    // Strict, all of it: a getter sees its caller otherwise.
    format!("(()=>{{'use strict';{carrier}\nreturn cells=>carrier({arguments})}})()")
}

/// Writes a function that fills the cells of a record, field by field. Straight code for each plan: engines read a
/// property ten times as fast where only one name is ever asked for. Answers its number.
fn write_function(fields: &[Field], count: &mut usize, code: &mut String) -> usize {
    let mut at = CELL;
    let mut body = String::new();
    for field in fields {
        let names = names::spellings(field.key).filter_map(|place| names::all().nth(place));
        for (spelling, name) in names.enumerate() {
            let before = if spelling == 0 { "" } else { "if(v===undefined||v===null)" };
            let _ = write!(body, "{before}v=o.{name};");
        }
        let _ = match field.holds {
            Holds::Text => write!(body, "if(!text(v,at+{at}))return false;"),
            Holds::Number => write!(body, "if(!number(v,at+{at}))return false;"),
            Holds::Numbers => write!(body, "if(!numbers(v,at+{at}))return false;"),
            Holds::Record(fields) => {
                let inner = write_function(fields, count, code);
                write!(body, "if(!record(v,at+{at},f{inner}))return false;")
            }
        };
        at += CELL * width(field);
    }
    *count += 1;
    let _ = write!(code, "const f{count}=(o,at)=>{{let v;{body}return true}};");
    *count
}

/// How many cells these fields take, with all inside of them.
fn cells(fields: &[Field]) -> usize {
    fields.iter().map(width).sum()
}

fn width(field: &Field) -> usize {
    match field.holds {
        Holds::Record(fields) => 1 + cells(fields),
        Holds::Text | Holds::Number | Holds::Numbers => 1,
    }
}

/// All pieces of one call. They stay where they are until it ends.
#[derive(Default)]
pub(super) struct Pieces {
    first: Link,
    count: Cell<usize>,
}

/// Where a piece goes, with the place of the next behind it.
type Link = OnceCell<Box<Linked>>;

struct Linked {
    piece: Piece,
    next: Link,
}

impl Pieces {
    fn is_full(&self) -> bool {
        self.count.get() == MOST_PIECES
    }

    fn keep(&self, piece: Piece) -> &Piece {
        self.count.set(self.count.get() + 1);
        let mut end = &self.first;
        while let Some(linked) = end.get() {
            end = &linked.next;
        }
        &end.get_or_init(|| Box::new(Linked { piece, next: Link::new() })).piece
    }
}

/// Some records of a list.
pub(super) struct Piece {
    text: String,
    numbers: Vec<f64>,
}

impl Piece {
    fn new(text: Handle<'_>, numbers: Vec<f64>, records: usize, plan: Plan) -> Option<Self> {
        let mut piece = Self { text: String::new(), numbers };
        text.with_units(|units| {
            piece.text = decode(units);
            // In ASCII all places are the same.
            if piece.text.len() != units.len() {
                piece.text.clear();
                let size = size(plan);
                for record in (0..records).map(|record| record * size) {
                    piece.decode_record(plan.fields(), record, units);
                }
            }
        })?;
        text.scope.spend(piece.text.len() / PIECE_OF_TEXT);
        Some(piece)
    }

    /// Decodes the texts of a record one by one, since half a character at the end of one and at the start
    /// of the next make no character.
    fn decode_record(&mut self, fields: &[Field], record: usize, units: &[u16]) {
        // Cells of what is no record are not of this call.
        if self.cell(record).is_none_or(|(kind, ..)| kind != RECORD) {
            return;
        }
        let mut at = record + CELL;
        for field in fields {
            match field.holds {
                Holds::Text => self.decode_text(at, units),
                Holds::Record(fields) => self.decode_record(fields, at, units),
                Holds::Number | Holds::Numbers => {}
            }
            at += CELL * width(field);
        }
    }

    fn decode_text(&mut self, at: usize, units: &[u16]) {
        if let Some((TEXT, length, start)) = self.cell(at)
            && let Some(units) = units.get(start..start.saturating_add(length))
        {
            let (start, text) = (self.text.len(), decode(units));
            self.text.push_str(&text);
            #[expect(clippy::cast_precision_loss, reason = "a text that fits in memory")]
            if let Some([kind, place]) = self.numbers.get_mut(at..at + CELL) {
                *kind = f64::from(TEXT) + 8.0 * text.len() as f64;
                *place = start as f64;
            }
        }
    }

    /// Kind, length and place of the cell at `at`. What is no such number is 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "what does not fit is cut off, and places are looked up, not trusted"
    )]
    fn cell(&self, at: usize) -> Option<(u8, usize, usize)> {
        let (kind, place) = (*self.numbers.get(at)? as usize, *self.numbers.get(at + 1)? as usize);
        Some(((kind % 8) as u8, kind / 8, place))
    }
}

/// Numbers of one record.
fn size(plan: Plan) -> usize {
    CELL * (1 + cells(plan.fields()))
}

/// A record that was carried, or something inside of it.
#[derive(Clone, Copy)]
pub(super) struct Carried<'g> {
    /// Where the record lives.
    list: Handle<'g>,
    index: usize,
    piece: &'g Piece,
    at: usize,
    /// Which fields a record was asked for, and the field of another it stands in.
    fields: &'static [Field],
    within: Option<Key>,
}

/// An item of a list.
pub(super) enum Item<'g> {
    Carried(Carried<'g>),
    Live(Handle<'g>),
}

/// Calls `visit` with each item of a list, carried or, where that cannot be, live. `None` when it is no list.
pub(super) fn each<'g>(
    list: Handle<'g>,
    plan: Plan,
    visit: &mut dyn FnMut(usize, Item<'g>),
) -> Option<()> {
    let length = list.length()?;
    let (scope, size) = (list.scope, size(plan));
    let at_once = (ROOM - FOR_LISTS) / size;
    let mut from = 0;
    while from < length && scope.spend(0).is_some() {
        let to = length.min(from + at_once);
        let worth = length >= FEWEST && !scope.pieces().is_full();
        let carried = worth.then(|| carry(list, from..to, plan)).flatten();
        let mut visit = |index: usize| {
            let at = (index - from) * size;
            match carried.and_then(|piece| Some((piece, piece.cell(at)?.0))) {
                Some((_, NOTHING)) => {}
                Some((piece, RECORD)) => {
                    let fields = plan.fields();
                    let record = Carried { list, index, piece, at, fields, within: None };
                    visit(index, Item::Carried(record));
                }
                _ => drop(list.item(index).map(|item| visit(index, Item::Live(item)))),
            }
        };
        if length <= PIECE {
            (from..to).for_each(&mut visit);
        } else {
            for first in (from..to).step_by(PIECE) {
                scope.briefly(|| (first..to.min(first + PIECE)).for_each(&mut visit));
            }
        }
        from = to;
    }
    Some(())
}

/// Some records of a list, in one call.
fn carry(list: Handle<'_>, range: Range<usize>, plan: Plan) -> Option<&Piece> {
    let (scope, count) = (list.scope, range.len());
    scope.spend(count * size(plan) / CELL)?;
    let (text, numbers) = scope.carry(list, range, plan as usize)?;
    Some(scope.pieces().keep(Piece::new(text, numbers, count, plan)?))
}

impl<'g> Carried<'g> {
    /// What stands under `key`.
    #[expect(
        clippy::option_option,
        reason = "outside: the plan has no such field; inside: it is missing"
    )]
    pub(super) fn get(self, key: Key) -> Option<Option<Self>> {
        let mut at = self.at + CELL;
        for field in self.fields {
            if field.key == key {
                let fields = match field.holds {
                    Holds::Record(fields) => fields,
                    Holds::Text | Holds::Number | Holds::Numbers => &[],
                };
                let cell = Self { at, fields, within: Some(key), ..self };
                return Some((cell.kind() != NOTHING).then_some(cell));
            }
            at += CELL * width(field);
        }
        None
    }

    /// The live record this was read from, for what the plan did not have.
    pub(super) fn live(self) -> Option<Handle<'g>> {
        if self.fields.is_empty() {
            return None;
        }
        let record = self.list.item(self.index)?;
        match self.within {
            None => Some(record),
            Some(key) => names::spellings(key).find_map(|place| record.property(place)),
        }
    }

    fn kind(self) -> u8 {
        self.piece.cell(self.at).map_or(NOTHING, |(kind, ..)| kind)
    }

    pub(super) fn text(self) -> Option<&'g str> {
        let (kind, length, start) = self.piece.cell(self.at)?;
        let text = self.piece.text.get(start..start.saturating_add(length));
        text.filter(|_| kind == TEXT)
    }

    pub(super) fn number(self) -> Option<f64> {
        let number = self.piece.numbers.get(self.at + 1).copied();
        number.filter(|_| self.kind() == NUMBER)
    }

    /// The numbers of a list.
    pub(super) fn numbers(self) -> Option<&'g [f64]> {
        let (kind, length, start) = self.piece.cell(self.at)?;
        let numbers = self.piece.numbers.get(start..start.saturating_add(length));
        numbers.filter(|_| kind == NUMBERS)
    }
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

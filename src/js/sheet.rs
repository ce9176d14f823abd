//! Results, written down before they are made.
//!
//! In: records, field by field. Out: the same as objects of JavaScript, made in one call of `make.js` from numbers and
//! one text; the first ones of their kind, and all where there is no such script, field by field. Promise: both come
//! to the same, and no JavaScript runs before all is written.

use super::carry::{END, TASK};
use super::names;
use super::node_api::{Handle, Passed, Scope};
use super::utf16;
use super::write::parsed;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

/// So many records of a kind are made field by field before the script learns how: to teach it takes as long.
const BEFORE_TAUGHT: u32 = 256;

/// With more kinds of records than this, all are forgotten. Few results have more than a dozen.
const MOST_SHAPES: usize = 128;

/// Longer texts are made one by one. Those made at once are parts of one string, which engines keep as long as one of
/// them is kept.
const MOST_TEXT: usize = 1 << 15;

/// Room that is kept for the next result, in bytes and in numbers.
const MOST_KEPT: usize = 1 << 16;

/// A result being written down.
#[derive(Default)]
pub(super) struct Sheet {
    /// All texts, one behind the other.
    text: String,
    /// What the script reads: numbers, lengths of texts in UTF-16 and of lists, and before each record its shape.
    cells: Vec<f64>,
    /// The fields so far of the records that are not complete.
    fields: Vec<Field>,
    shapes: Shapes,
    /// Whether the script does not know all shapes of this result.
    has_untaught: bool,
    /// Whether another one is being made meanwhile, by whose places the script knows shapes.
    is_second: bool,
}

/// A field, and what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Field {
    /// Its name, by its place in the table.
    name: usize,
    holds: Holds,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holds {
    Text,
    Number,
    /// A text that is JSON, as the value it stands for.
    Json,
    Numbers,
    Record,
    Records,
    /// The value that was given beside the sheet.
    Given,
    True,
    /// This word, whenever.
    Word(&'static str),
}

/// The kinds of records an environment has made.
#[derive(Default)]
struct Shapes {
    all: Vec<Shape>,
    /// The places of all, by their fields.
    places: HashMap<Rc<[Field]>, usize>,
    /// The places of some that were found of late: the next is mostly one of these.
    recent: [usize; 4],
}

struct Shape {
    fields: Rc<[Field]>,
    made: u32,
    is_taught: bool,
}

impl Shapes {
    /// The place of the shape that has these fields, and whether the script knows it.
    fn place(&mut self, fields: &[Field]) -> (usize, bool) {
        let has = |at: &usize| self.all.get(*at).is_some_and(|shape| *shape.fields == *fields);
        let place = self.recent.iter().copied().find(has).unwrap_or_else(|| {
            let place = self.look_up(fields);
            self.recent.rotate_right(1);
            self.recent[0] = place;
            place
        });
        let is_taught = self.all.get_mut(place).is_some_and(|shape| {
            shape.made = shape.made.saturating_add(1);
            shape.is_taught
        });
        (place, is_taught)
    }

    /// The same the long way. What is new is added.
    fn look_up(&mut self, fields: &[Field]) -> usize {
        if let Some(place) = self.places.get(fields) {
            return *place;
        }
        let (place, fields) = (self.all.len(), Rc::from(fields));
        self.places.insert(Rc::clone(&fields), place);
        self.all.push(Shape { fields, made: 0, is_taught: false });
        place
    }

    /// Teaches the script those that are no longer rare.
    fn teach(&mut self, scope: &Scope<'_>) {
        for (place, shape) in self.all.iter_mut().enumerate() {
            if !shape.is_taught && shape.made >= BEFORE_TAUGHT {
                shape.is_taught = scope.add_shape(place, || shape.code()).is_some();
            }
        }
    }
}

impl Shape {
    /// The function that makes such a record, from what `make.js` hands it.
    fn code(&self) -> String {
        let mut fields = String::new();
        for Field { name, holds } in &*self.fields {
            let name = names::all().nth(*name).unwrap_or_default();
            let _ = match holds {
                Holds::Text => write!(fields, "{name}:text(),"),
                Holds::Number => write!(fields, "{name}:number(),"),
                Holds::Json => write!(fields, "{name}:json(),"),
                Holds::Numbers => write!(fields, "{name}:numbers(),"),
                Holds::Record => write!(fields, "{name}:record(),"),
                Holds::Records => write!(fields, "{name}:records(),"),
                Holds::Given => write!(fields, "{name}:given(),"),
                Holds::True => write!(fields, "{name}:true,"),
                Holds::Word(word) => write!(fields, "{name}:'{word}',"),
            };
        }
        // Strict, as all that runs over there.
        format!(
            "(()=>{{'use strict';return({{number,text,json,given,numbers,record,records}})=>()=>({{{fields}}})}})()"
        )
    }
}

impl Sheet {
    /// A sheet beside the one that an environment keeps.
    pub(super) fn second() -> Self {
        Self { is_second: true, ..Self::default() }
    }

    /// Whether it is the one that an environment keeps.
    pub(super) fn is_first(&self) -> bool {
        !self.is_second
    }

    fn field(&mut self, name: usize, holds: Holds) {
        self.fields.push(Field { name, holds });
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of things in memory")]
    fn cell(&mut self, count: usize) {
        self.cells.push(count as f64);
    }

    fn write(&mut self, text: &str) {
        self.text.push_str(text);
        self.cell(utf16::length(text));
    }

    /// A text, unless it is missing.
    pub(super) fn text(&mut self, name: usize, text: Option<&str>) {
        if let Some(text) = text {
            self.field(name, Holds::Text);
            self.write(text);
        }
    }

    /// One of our own words, which are letters and underscores.
    pub(super) fn word(&mut self, name: usize, word: &'static str) {
        self.field(name, Holds::Word(word));
    }

    /// A number.
    pub(super) fn number(&mut self, name: usize, number: f64) {
        self.field(name, Holds::Number);
        self.cells.push(number);
    }

    /// A count.
    pub(super) fn count(&mut self, name: usize, count: usize) {
        self.field(name, Holds::Number);
        self.cell(count);
    }

    /// A value as JSON, unless it is missing or `null`.
    pub(super) fn json(&mut self, name: usize, json: Option<&str>) {
        if let Some(json) = json.filter(|json| json.trim() != "null") {
            self.field(name, Holds::Json);
            self.write(json);
        }
    }

    /// `true`.
    pub(super) fn yes(&mut self, name: usize) {
        self.field(name, Holds::True);
    }

    /// The value that will be given when all is made.
    pub(super) fn given(&mut self, name: usize) {
        self.field(name, Holds::Given);
    }

    /// A list of counts.
    pub(super) fn counts(&mut self, name: usize, counts: &[usize]) {
        self.field(name, Holds::Numbers);
        self.cell(counts.len());
        for count in counts {
            self.cell(*count);
        }
    }

    /// A record inside of this one.
    pub(super) fn inside(&mut self, name: usize, fill: impl FnOnce(&mut Self)) {
        self.field(name, Holds::Record);
        self.record(fill);
    }

    /// A list of records inside of this one.
    pub(super) fn list<T>(&mut self, name: usize, items: &[T], fill: impl Fn(&mut Self, &T)) {
        self.field(name, Holds::Records);
        self.records(items, fill);
    }

    fn record(&mut self, fill: impl FnOnce(&mut Self)) {
        let (cell, first) = (self.cells.len(), self.fields.len());
        self.cell(0);
        fill(self);
        let (shape, is_taught) = self.shapes.place(self.fields.get(first..).unwrap_or_default());
        self.has_untaught |= !is_taught;
        self.fields.truncate(first);
        #[expect(clippy::cast_precision_loss, reason = "there are few shapes")]
        if let Some(cell) = self.cells.get_mut(cell) {
            *cell = shape as f64;
        }
    }

    fn records<T>(&mut self, items: &[T], fill: impl Fn(&mut Self, &T)) {
        self.cell(items.len());
        for item in items {
            self.record(|sheet| fill(sheet, item));
        }
    }

    /// Makes an object. `given` stands where [`Self::given`] said.
    pub(super) fn object<'s>(
        mut self,
        scope: &'s Scope<'s>,
        given: Option<Handle<'s>>,
        fill: impl FnOnce(&mut Self),
    ) -> Option<Handle<'s>> {
        self.record(fill);
        self.made(scope, false, given)
    }

    /// Makes an array of objects.
    pub(super) fn array<'s, T>(
        mut self,
        scope: &'s Scope<'s>,
        items: &[T],
        fill: impl Fn(&mut Self, &T),
    ) -> Option<Handle<'s>> {
        self.records(items, fill);
        self.made(scope, true, None)
    }

    fn made<'s>(
        mut self,
        scope: &'s Scope<'s>,
        is_list: bool,
        given: Option<Handle<'s>>,
    ) -> Option<Handle<'s>> {
        // A list without records is not worth the call, and there is no room for one with thousands.
        let fits = (2..=END - TASK).contains(&self.cells.len()) && self.text.len() <= MOST_TEXT;
        let at_once = fits && !self.has_untaught;
        let made = at_once.then(|| scope.make(&self.text, &self.cells, is_list, given)).flatten();
        let made = made.or_else(|| {
            let steps = Steps { sheet: &self, scope, given, at: Cell::new(0), from: Cell::new(0) };
            if is_list { steps.records() } else { steps.record() }
        });
        if self.has_untaught && !self.is_second {
            self.shapes.teach(scope);
        }
        scope.keep_sheet(self);
        made
    }

    /// The same without what was written.
    pub(super) fn blank(mut self) -> Self {
        self.text.clear();
        self.cells.clear();
        self.fields.clear();
        self.has_untaught = false;
        if self.text.capacity().max(self.cells.capacity()) > MOST_KEPT {
            (self.text, self.cells) = Default::default();
        }
        if self.shapes.all.len() > MOST_SHAPES {
            self.shapes = Shapes::default();
        }
        self
    }
}

/// A sheet made into objects field by field.
struct Steps<'r, 's> {
    sheet: &'r Sheet,
    scope: &'s Scope<'s>,
    given: Option<Handle<'s>>,
    /// The next cell.
    at: Cell<usize>,
    /// Where the next text begins.
    from: Cell<usize>,
}

impl<'s> Steps<'_, 's> {
    fn number(&self) -> f64 {
        let at = self.at.replace(self.at.get() + 1);
        self.sheet.cells.get(at).copied().unwrap_or_default()
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count was written there"
    )]
    fn count(&self) -> usize {
        self.number() as usize
    }

    fn text(&self) -> &str {
        let rest = self.sheet.text.get(self.from.get()..).unwrap_or_default();
        let mut left = self.count();
        let goes_on = |(_, character): &(usize, char)| {
            let is_inside = left > 0;
            left = left.saturating_sub(character.len_utf16());
            is_inside
        };
        let end = rest.char_indices().take_while(goes_on).last();
        let end = end.map_or(0, |(at, character)| at + character.len_utf8());
        self.from.set(self.from.get() + end);
        rest.get(..end).unwrap_or_default()
    }

    fn value(&self, holds: Holds) -> Option<Handle<'s>> {
        match holds {
            Holds::Text => self.scope.string(self.text()),
            Holds::Number => self.scope.number(self.number()),
            Holds::Json => parsed(self.scope, self.text()),
            Holds::Numbers => self.list(|| self.scope.number(self.number())),
            Holds::Record => self.record(),
            Holds::Records => self.records(),
            Holds::Given => self.given,
            Holds::True => self.scope.flag(true),
            Holds::Word(word) => self.scope.string(word),
        }
    }

    fn record(&self) -> Option<Handle<'s>> {
        let shape = self.sheet.shapes.all.get(self.count())?;
        let field = |field: &Field| Some((field.name, self.value(field.holds)?));
        let fields: Vec<_> = shape.fields.iter().filter_map(field).collect();
        self.scope.object(&fields)
    }

    fn records(&self) -> Option<Handle<'s>> {
        self.list(|| self.record())
    }

    fn list(&self, make: impl Fn() -> Option<Handle<'s>>) -> Option<Handle<'s>> {
        let items = vec![(); self.count()];
        self.scope.array(&items, |()| make().map(Passed::from))
    }
}

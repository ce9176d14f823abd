//! What the border has its script do (`carry.js`, `front.js`, `make.js`).
//!
//! In: values, plans, records that were written down. Out: what the script makes of them. Promise: where no script runs,
//! or while it is at work for somebody else, the answer is `None`, and who asked goes the long way.

use super::carry::{self, Known};
use super::front::{Asks, Fronted};
use super::node_api::{Handle, Passed, Reference, Scope};
use super::numbered::Numbered;
use super::packed::Room;
use crate::input::plan::Plan;
use std::any::Any;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// After so many calls a script pays off.
const BEFORE_OPENED: u64 = 32;

/// What the script of an environment knows.
#[derive(Default)]
pub(super) struct Script {
    /// Plans, a bit for each.
    plans: Cell<u16>,
    /// What opens the fronts of exports, where there are any.
    pub(super) open: OnceCell<Reference>,
    /// Which of them were opened, a bit for each.
    opened: Cell<u8>,
    /// The instances that they know.
    numbered: Rc<Numbered>,
}

/// What the carrier wrote of a value: text, numbers, whether all was as planned, and what it knows of options.
pub(super) struct Written<'s> {
    pub(super) text: Handle<'s>,
    /// The numbers, and room for the text.
    pub(super) room: Room,
    pub(super) as_planned: bool,
    pub(super) known: Option<Known>,
}

/// The same without its text.
struct Read {
    room: Room,
    as_planned: bool,
    known: Option<Known>,
}

/// What the carrier has found out about options, unless a getter threw.
fn known(numbers: &[f64]) -> Option<Known> {
    numbers.get(carry::CHOSEN).and_then(|number| Known::from_number(*number))
}

impl Scope<'_> {
    /// Calls the carrier with a value, a range of its items and a plan, and with options, if there are any.
    pub(super) fn carry(
        &self,
        value: Handle<'_>,
        range: std::ops::Range<usize>,
        plan: Plan,
        options: Option<Handle<'_>>,
    ) -> Option<Written<'_>> {
        self.know_plan(plan)?;
        let what = [range.start, range.end].map(|number| u32::try_from(number).map(f64::from));
        let [Ok(from), Ok(to)] = what else { return None };
        let task = [from, to, f64::from(plan as u8)];
        let look = |numbers: &[f64]| self.read_numbers(numbers);
        let (text, read) = self.call_carrier(value, options, task, &[], look)?;
        let written = self.written_down(text, read?);
        Some(Written { known: written.known.filter(|_| options.is_some()), ..written })
    }

    /// What a front has had written down of an object before this call, with this text. `None` when it was given no
    /// object.
    pub(super) fn carried_before(&self, text: Passed) -> Option<Written<'_>> {
        let is_there = |numbers: &[f64]| numbers.get(carry::END).is_some_and(|end| *end > 0.0);
        let read = |numbers: &[f64]| is_there(numbers).then(|| self.read_numbers(numbers))?;
        Some(self.written_down(text, self.with_numbers(read)??))
    }

    /// What a front has found out about options before this call.
    pub(super) fn known_before(&self) -> Option<Known> {
        self.with_numbers(known)?
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the carrier writes a place of the array there"
    )]
    fn read_numbers(&self, numbers: &[f64]) -> Option<Read> {
        let said: [f64; 4] = *numbers.get(carry::END..)?.first_chunk()?;
        let [cells, texts, values, as_planned] = said.map(|number| number as usize);
        let mut room = self.pieces().room();
        room.values.extend_from_slice(numbers.get(..values)?);
        self.with_cells(|all| {
            room.cells.extend_from_slice(all.get(..cells)?);
            room.ends = cells;
            room.cells.extend_from_slice(all.get(carry::ENDS..)?.get(..=texts)?);
            Some(())
        })??;
        Some(Read { room, as_planned: as_planned > 0, known: known(numbers) })
    }

    fn written_down(&self, text: Passed, read: Read) -> Written<'_> {
        let Read { room, as_planned, known } = read;
        Written { text: self.take_string(text), room, as_planned, known }
    }

    /// What an object has of [`carry::CHOICES`].
    pub(super) fn choices(&self, options: Handle<'_>) -> Option<Known> {
        let choose = u32::try_from(carry::CHOOSE).ok()?;
        self.call_carrier(options, Some(options), [0.0, 0.0, choose.into()], &[], known)?.1
    }

    /// What a host says of its session, asked in one call. `None` when it must be asked step by step.
    pub(super) fn ask(&self, host: Handle<'_>) -> Option<Handle<'_>> {
        let ask = u32::try_from(carry::ASK).ok()?;
        self.call_carrier(host, None, [0.0, 0.0, ask.into()], &[], |_| ())
            .map(|(said, ())| self.take(said))
    }

    /// Makes a list of records, or one, of what was written down of them, and with a value of the caller's.
    pub(super) fn make(
        &self,
        text: &str,
        cells: &[f64],
        is_list: bool,
        given: Option<Handle<'_>>,
    ) -> Option<Handle<'_>> {
        let make = u32::try_from(carry::MAKE).ok()?;
        let task = [f64::from(u8::from(is_list)), 0.0, make.into()];
        let text = self.string(text)?;
        self.call_carrier(text, given, task, cells, |_| ()).map(|(made, ())| self.take(made))
    }

    /// Teaches the carrier how a kind of record is made.
    pub(super) fn add_shape(&self, place: usize, code: impl FnOnce() -> String) -> Option<()> {
        self.teach(carry::ADD_SHAPE, place, || Some(code()))
    }

    /// Teaches the carrier a plan, unless it knows it.
    fn know_plan(&self, plan: Plan) -> Option<()> {
        let (known, place) = (self.script().plans.get(), plan as usize);
        if known >> place & 1 == 0 {
            self.teach(carry::ADD_PLAN, place, || carry::plan_script(plan))?;
            self.script().plans.set(known | 1 << place);
        }
        Some(())
    }

    /// Gives the carrier, where there is one, a function that this code is.
    fn teach(
        &self,
        task: usize,
        place: usize,
        code: impl FnOnce() -> Option<String>,
    ) -> Option<()> {
        let (add, place) = (u32::try_from(task).ok()?, u32::try_from(place).ok()?);
        self.carrier()?;
        let shape = self.run(&code()?)?;
        let task = [f64::from(place), 0.0, add.into()];
        self.call_carrier(shape, None, task, &[], |_| ()).map(|_| ())
    }

    /// Keeps the function that opens fronts.
    pub(super) fn keep_fronts(&self, open: Handle<'_>) -> Option<()> {
        // Somebody has loaded the addon again: its exports do without.
        if self.script().open.get().is_some() {
            return None;
        }
        self.script().open.set(self.refer(open)?).ok()
    }

    /// Opens the front of an export, unless that was tried before: what the export is given crosses with the call from
    /// then on. For that a script must run, so it waits until one has run anyway, or until it is worth it.
    pub(super) fn open_front<F: Fronted>(&self) {
        let (opened, front) = (self.script().opened.get(), 1 << F::PLACE);
        let is_due = match self.with_numbers(|numbers| numbers.get(carry::BUSY).copied()) {
            // A getter, which calls us while the carrier is at work, is a bad moment.
            Some(busy) => busy.is_some_and(|busy| busy <= 0.0),
            None => self.number_of_call() > BEFORE_OPENED,
        };
        if opened & front == 0 && is_due {
            self.script().opened.set(opened | front);
            self.show_short_way::<F>();
        }
    }

    fn show_short_way<F: Fronted>(&self) -> Option<()> {
        let open = self.referred(self.script().open.get()?);
        let asked = match F::ASKS {
            Asks::Nothing => -1.0,
            // No plan has this number.
            Asks::Options => u32::try_from(carry::CHOOSE).ok()?.into(),
            Asks::Input(plan) => {
                self.know_plan(plan)?;
                f64::from(plan as u8)
            }
        };
        let crossing = self.crossing::<F>()?;
        let task = [asked, F::PLACE.into(), u32::try_from(carry::OPEN).ok()?.into()];
        self.call_carrier(open, Some(crossing), task, &[], |_| ()).map(|_| ())
    }

    /// The insides of the instance of `C` that a front was called on.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number that was given, or none"
    )]
    pub(super) fn called_on<C, T: Any>(&self) -> napi::Result<Rc<T>> {
        let number = self.with_numbers(|numbers| numbers.get(carry::ON).copied()).flatten();
        let insides = number.and_then(|number| self.script().numbered.get(number as u32));
        insides.ok_or_else(|| self.no_instance_of::<C>())
    }

    /// Where instances get their numbers, once a front is open that asks for them.
    pub(super) fn numbered(&self) -> Option<&Rc<Numbered>> {
        (self.script().opened.get() != 0).then_some(&self.script().numbered)
    }

    /// Puts a number on an object, for fronts to know it by.
    pub(super) fn give_number(&self, object: Handle<'_>, number: u32) -> Option<()> {
        let task = [number.into(), 0.0, u32::try_from(carry::GIVE_NUMBER).ok()?.into()];
        self.call_carrier(object, None, task, &[], |_| ()).map(|_| ())
    }
}

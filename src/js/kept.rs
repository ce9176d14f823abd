//! What outlives a call. Worker threads load the addon many times, and each of them has its own.

use super::carry::Spare;
use super::errand::Script;
use super::names;
use super::node_api::{Carrier, Slot};
use super::sheet::Sheet;
use napi::sys::napi_ref;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// Room that is always kept: long answers need no more, and fresh memory for each would cost more than to read it.
const ROOM_KEPT: usize = 1 << 17;

/// Room that is kept while it is in use: who lists thousands of sources does so again.
const MOST_ROOM_KEPT: usize = 1 << 23;

/// After so many texts that have no need of it, it is given back.
const PATIENCE: u16 = 256;

/// What one environment keeps between calls: property keys, and room to copy strings through.
pub(super) struct Kept {
    /// An array with those of the [`names`] that somebody has asked for. Strings cannot be referenced before
    /// Node-API 10; an array can.
    pub(super) keys: napi_ref,
    /// One for each key.
    pub(super) slots: Vec<Slot>,
    /// Counts calls.
    pub(super) calls: Cell<u64>,
    pub(super) units: RefCell<Vec<u16>>,
    /// Room for a block being written; a fresh one for each call costs more than the writing.
    pub(super) block: Cell<String>,
    /// Room for a result being written down, and what is known of its like. `None` while it is in use.
    pub(super) sheet: Cell<Option<Sheet>>,
    /// How many texts in a row have passed that had no need of the large room there is.
    pub(super) idle: Cell<u16>,
    /// Room for what is carried.
    pub(super) spare: Rc<Spare>,
    /// Whether terminal links work, once asked. A process does not change its terminal.
    pub(super) links: Cell<Option<bool>>,
    /// What fetches many fields at once, made when first needed. `None` inside where it cannot be made.
    pub(super) carrier: OnceCell<Option<Carrier>>,
    /// Whether somebody has begun to make it.
    pub(super) making: Cell<bool>,
    /// What it knows.
    pub(super) script: Script,
}

impl Kept {
    /// Nothing so far, but for the array that `keys` refers to.
    pub(super) fn with(keys: napi_ref) -> Self {
        Self {
            keys,
            slots: names::all().map(|_| Slot::free()).collect(),
            calls: Cell::new(0),
            units: RefCell::new(vec![0; 1024]),
            block: Cell::default(),
            sheet: Cell::new(Some(Sheet::default())),
            idle: Cell::default(),
            spare: Rc::default(),
            links: Cell::new(None),
            carrier: OnceCell::new(),
            making: Cell::new(false),
            script: Script::default(),
        }
    }

    /// Whether room is worth keeping, of which this much was used now.
    pub(super) fn is_needed(&self, room: usize, used: usize) -> bool {
        if room <= ROOM_KEPT {
            return true;
        }
        let idle = if used > ROOM_KEPT { 0 } else { self.idle.get().saturating_add(1) };
        self.idle.set(idle);
        room <= MOST_ROOM_KEPT && idle < PATIENCE
    }

    /// Gives back what is not.
    pub(super) fn shrink(&self, units: &mut Vec<u16>, used: usize) {
        if !self.is_needed(units.len(), used) {
            units.truncate(ROOM_KEPT);
            units.shrink_to_fit();
        }
    }
}

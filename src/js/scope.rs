//! What a call from JavaScript has at hand, on top of what Node-API offers: a budget, room that is kept, lists.

use super::errand::Script;
use super::node_api::{Handle, Passed, Scope};
use super::sheet::Sheet;

/// How much of its arguments one call reads: properties and items, and text by the piece. Live objects
/// can hold themselves, share what they hold or make it up while they are read, so bounds on each list and
/// each depth are no bound on the walk. No provider sends anywhere near as much.
pub(super) const MOST_STEPS: usize = 1 << 20;

/// Longer lists are read and written in pieces, so that handles do not pile up.
pub(super) const PIECE: usize = 64;

/// Bytes of text that are copied in the time of a step.
pub(super) const PIECE_OF_TEXT: usize = 32;

impl Scope<'_> {
    /// An empty sheet for a result. What runs while a result is made may want one of its own.
    pub(super) fn sheet(&self) -> Sheet {
        self.kept.sheet.take().unwrap_or_else(Sheet::second)
    }

    /// Keeps it for the next one.
    pub(super) fn keep_sheet(&self, sheet: Sheet) {
        if sheet.is_first() {
            self.kept.sheet.set(Some(sheet.blank()));
        }
    }

    /// What the environment keeps of what its script knows.
    pub(super) fn script(&self) -> &Script {
        &self.kept.script
    }

    /// Takes steps of those that are left. `None` when there were none: what was asked for counts as
    /// missing. The last one may be as long as it likes.
    pub(super) fn spend(&self, steps: usize) -> Option<()> {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(steps));
        (left > 0).then_some(())
    }

    /// All steps again, for an argument that must be read however long the one before it was.
    pub(super) fn rest(&self) {
        self.steps.set(MOST_STEPS);
    }

    /// What `detect` says about the terminal, asked once per environment.
    pub(super) fn links_work(&self, detect: impl FnOnce() -> bool) -> bool {
        let known = self.kept.links.get().unwrap_or_else(detect);
        self.kept.links.set(Some(known));
        known
    }

    /// For a method that was called on something else.
    pub(super) fn no_instance_of<C>(&self) -> napi::Error {
        let path = std::any::type_name::<C>();
        let class = path.rsplit("::").next().unwrap_or(path);
        self.type_error(&format!("this must be a {class} of this copy of the package"))
    }

    /// A string of `text`. `given` is one that reads as `read`; where that is the same, it is given back, for a
    /// long one costs more to make than its text did.
    pub(super) fn string_or<'s>(
        &'s self,
        given: Handle<'s>,
        read: &str,
        text: &str,
    ) -> Option<Handle<'s>> {
        // It may stand for what is no character.
        let same = read == text && (read.is_ascii() || !read.contains(char::REPLACEMENT_CHARACTER));
        if same { Some(given) } else { self.string(text) }
    }

    /// A new string of what `write` appends.
    pub(super) fn written(&self, write: impl FnOnce(&mut String)) -> Option<Handle<'_>> {
        let mut block = self.room();
        write(&mut block);
        let made = self.string(&block);
        self.keep_room(block);
        made
    }

    /// Room for a text being written, empty.
    pub(super) fn room(&self) -> String {
        self.kept.block.take()
    }

    /// Keeps it for the next one.
    pub(super) fn keep_room(&self, mut room: String) {
        if self.kept.is_needed(room.capacity(), room.len()) {
            room.clear();
            self.kept.block.set(room);
        }
    }

    /// A new array of what `items` makes.
    pub(super) fn array<T>(
        &self,
        items: &[T],
        make: impl Fn(&T) -> Option<Passed>,
    ) -> Option<Handle<'_>> {
        self.filled(items.len(), &|index| make(items.get(index)?))
    }

    /// A new array of what `make` makes for each place, compiled once and not for every kind of item.
    fn filled(&self, length: usize, make: &dyn Fn(usize) -> Option<Passed>) -> Option<Handle<'_>> {
        let array = self.new_array(length)?;
        let put = |index| {
            let _ = make(index).and_then(|made| array.put(index, &made));
        };
        if length <= PIECE {
            (0..length).for_each(put);
        } else {
            for from in (0..length).step_by(PIECE) {
                self.briefly(|| (from..(from + PIECE).min(length)).for_each(put));
            }
        }
        Some(array)
    }

    /// A new array of these values.
    pub(super) fn list(&self, items: &[Handle<'_>]) -> Option<Handle<'_>> {
        let array = self.new_array(items.len())?;
        for (index, item) in items.iter().enumerate() {
            array.put(index, &Passed::from(*item))?;
        }
        Some(array)
    }

    /// A new array of the items of these arrays, whatever they are, while there are steps left.
    pub(super) fn joined(&self, lists: &[Handle<'_>]) -> Option<Handle<'_>> {
        let places = lists.iter().flat_map(|list| {
            let length = list.length().unwrap_or_default().min(self.steps.get());
            (0..length).map(move |index| (*list, index))
        });
        let array = self.new_array(0)?;
        for (end, (list, index)) in places.enumerate() {
            self.briefly(|| array.put(end, &list.any_item(index)?.into()));
        }
        Some(array)
    }
}

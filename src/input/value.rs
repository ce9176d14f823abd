//! "A JSON-like thing": all that a reader may ask of what it is given.
//!
//! Implemented for JSON text in [`super::json`] and for live JavaScript objects in the `js` room,
//! so each reader is written once. Nothing here fails: what is missing, of another type, or throws
//! when touched is `None`.

use super::key::Key;
use super::plan::Plan;
use crate::model::Text;

/// The most items one array is read for. A sparse array costs its maker nothing, so its length is
/// no promise; no provider sends lists anywhere near this long.
pub const MOST_ITEMS: usize = 1 << 20;

/// The most fields one object is read for when nobody knows their names.
pub const MOST_FIELDS: usize = 1 << 16;

/// A value inside a payload whose text lives for `'v`.
pub trait Value<'v>: Copy {
    /// The field `key` of an object, under any of its spellings. `null` counts as missing.
    fn get(self, key: Key) -> Option<Self>;

    /// Calls `visit` with each item of an array in order, with its index, up to [`MOST_ITEMS`].
    /// Items that are missing or `null` are passed over. Answers whether this was an array.
    fn each(self, visit: impl FnMut(usize, Self)) -> bool;

    /// The same, for records of which `visit` asks for little more than `plan` says.
    fn each_as(self, _plan: Plan, visit: impl FnMut(usize, Self)) -> bool {
        self.each(visit)
    }

    /// The first item of an array, unless it is missing or `null`.
    fn first(self) -> Option<Self>;

    /// Whether this is an array.
    fn is_array(self) -> bool;

    /// The string this is. Lone surrogates arrive as U+FFFD.
    fn text(self) -> Option<Text<'v>>;

    /// Whether this is a string. To fetch one costs more than to ask.
    fn is_text(self) -> bool;

    /// Calls `visit` with the name and value of each field of an object, up to [`MOST_FIELDS`], those
    /// that are `null` aside. Of JSON, only a document opened whole has fields that no [`Key`] names.
    fn fields(self, visit: impl FnMut(&str, Self)) -> bool;

    /// How many items an array has, missing ones included.
    fn length(self) -> Option<usize>;

    /// The JSON this is, byte for byte, if it is some.
    fn json(self) -> Option<&'v [u8]> {
        None
    }

    /// The boolean this is.
    fn flag(self) -> Option<bool>;

    /// Whether this is `true`.
    fn is_true(self) -> bool {
        self.flag() == Some(true)
    }

    /// The number this is.
    fn number(self) -> Option<f64>;

    /// Calls `visit` with each item of an array, or else with this very value.
    fn each_or_this(self, mut visit: impl FnMut(usize, Self)) {
        if self.is_array() {
            self.each(visit);
        } else {
            visit(0, self);
        }
    }

    /// The string under `key`, unless it is empty.
    fn text_at(self, key: Key) -> Option<Text<'v>> {
        self.get(key)?.text().filter(|text| !text.is_empty())
    }

    /// A count or position: a whole number from zero up.
    fn whole(self) -> Option<u64> {
        self.number().and_then(whole)
    }

    /// The count or position under `key`.
    fn whole_at(self, key: Key) -> Option<u64> {
        self.get(key)?.whole()
    }
}

/// The largest whole number that a double holds as every smaller one. Stands for a position that is none: one that no
/// double holds would not come back from a state that JavaScript has parsed.
pub const MOST_WHOLE: u64 = (1 << 53) - 1;

/// The whole number from zero up that `number` is, if it is one that a double holds exactly.
pub fn whole(number: f64) -> Option<u64> {
    #[expect(clippy::cast_precision_loss, reason = "it is the limit of that")]
    const MOST: f64 = MOST_WHOLE as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whoever was cut off is not taken"
    )]
    let whole = number as u64;
    #[expect(clippy::cast_precision_loss, clippy::float_cmp, reason = "exact up to this limit")]
    ((0.0..=MOST).contains(&number) && whole as f64 == number).then_some(whole)
}

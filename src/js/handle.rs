//! What may be asked of a JavaScript value, on top of what Node-API offers.

use super::names::Name;
use super::node_api::{Handle, decode_onto};
use super::scope::{PIECE, PIECE_OF_TEXT};
use crate::input::value::MOST_FIELDS;
use napi::sys::{KeyFilter, ValueType};
use std::cell::Cell;

impl Handle<'_> {
    /// `undefined` and `null` are how JavaScript says nothing.
    pub(super) fn is_nothing(self) -> bool {
        matches!(self.kind, ValueType::napi_undefined | ValueType::napi_null)
    }

    pub(super) fn is_object(self) -> bool {
        matches!(self.kind, ValueType::napi_object | ValueType::napi_function)
    }

    /// What `typeof` says, for messages.
    pub(super) fn type_name(self) -> &'static str {
        match self.kind {
            ValueType::napi_undefined => "undefined",
            ValueType::napi_null => "null",
            ValueType::napi_boolean => "a boolean",
            ValueType::napi_number => "a number",
            ValueType::napi_string => "a string",
            ValueType::napi_symbol => "a symbol",
            ValueType::napi_function => "a function",
            ValueType::napi_bigint => "a bigint",
            _ if self.is_array() => "an array",
            _ => "an object",
        }
    }

    pub(super) fn is_string(self) -> bool {
        self.kind == ValueType::napi_string
    }

    pub(super) fn is_function(self) -> bool {
        self.kind == ValueType::napi_function
    }

    pub(super) fn is_number(self) -> bool {
        self.kind == ValueType::napi_number
    }

    pub(super) fn is_flag(self) -> bool {
        self.kind == ValueType::napi_boolean
    }

    /// The property under the key at `place`, unless it is nothing.
    pub(super) fn property(self, place: usize) -> Option<Self> {
        let raw = self.raw_property(place)?;
        Some(self.scope.handle(raw)).filter(|value| !value.is_nothing())
    }

    /// A reactive or recording proxy around an array is no array to Node-API; only JavaScript itself
    /// knows. Asked just for objects that have a length.
    pub(super) fn is_proxied_array(self) -> bool {
        let Some(length) = self.property(Name::Length.place()) else { return false };
        let array = self.scope.global().and_then(|global| global.property_named("Array"));
        let answer = array
            .filter(|_| length.is_number())
            .and_then(|array| array.call_with(array.property_named("isArray")?, &[self.raw]));
        answer.and_then(Self::as_flag) == Some(true)
    }

    /// Whether this has fields worth going through. Bytes and boxed strings have one for each item, and
    /// to name them all takes longer than to read them.
    pub(super) fn is_record(self) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "a round number")]
        let is_long = |length: f64| length > MOST_FIELDS as f64;
        let length = self.property(Name::Length.place()).and_then(Self::as_number);
        !self.is_array() && !self.is_function() && !length.is_some_and(is_long)
    }

    /// Calls `visit` with each pair of strings of a `Map`. `None` when this is nothing like one.
    pub(super) fn each_entry(self, mut visit: impl FnMut(String, String)) -> Option<()> {
        let entries = self.call_with(self.property_named("entries")?, &[])?;
        let next = entries.property_named("next")?;
        let mut take = || {
            let step = entries.call_with(next, &[])?;
            // Behind the last pair there is no value.
            let pair = step.property(Name::Value.place())?;
            let text = |index: usize| pair.item(index).and_then(Self::text);
            if let Some((key, value)) = text(0).zip(text(1)) {
                visit(key, value);
            }
            Some(())
        };
        while self.scope.briefly(&mut take).is_some() {}
        Some(())
    }

    /// Calls the method `name` of this object as the host would, with at most one argument.
    pub(super) fn call(self, name: usize, argument: Option<Name>) -> Option<Self> {
        let method = self.property(name)?;
        match argument {
            Some(name) => self.call_with(method, &[self.scope.key(name.place())?]),
            None => self.call_with(method, &[]),
        }
    }

    /// Calls `visit` with the name and value of each own enumerable property, up to `most`.
    pub(super) fn each_field(self, most: usize, visit: &mut dyn FnMut(&str, Self)) -> Option<()> {
        let names = self.names(KeyFilter::skip_symbols)?;
        self.scope.spend(names.length()?)?;
        let mut left = most;
        names.each(|_, name| {
            if left == 0 {
                return;
            }
            left -= 1;
            let value = self.field(name).filter(|value| !value.is_nothing());
            if let Some((name, value)) = name.text().zip(value) {
                visit(&name, value);
            }
        })
    }

    /// A new object with the own enumerable properties of this one as they are, but for one called
    /// `without`. What a getter throws costs its property.
    pub(super) fn copied(self, without: Option<&str>) -> Option<Self> {
        let names = self.names(KeyFilter::all_properties)?;
        let copy = self.scope.object(&[])?;
        names.each(|_, name| {
            if without.is_none() || name.text().as_deref() != without {
                let value = self.field(name);
                value.and_then(|value| copy.define_named(name.raw, value));
            }
        });
        Some(copy)
    }

    /// Defines a property of an object made here. No setter is run.
    pub(super) fn define(self, place: usize, value: Self) -> Option<()> {
        self.define_named(self.scope.key(place)?, value)
    }

    /// Puts a value behind the last item of an array made here.
    pub(super) fn append(self, value: Self) -> Option<()> {
        self.put(self.length()?, &value.into())
    }

    /// Calls `visit` with each item that is something, while there are steps left. Items must not be
    /// kept: of a long list they are good only while they are visited. `None` when this is no array.
    pub(super) fn each(self, mut visit: impl FnMut(usize, Self)) -> Option<()> {
        self.visit(&mut visit)
    }

    /// The same, compiled once and not for every visitor.
    fn visit(self, visit: &mut dyn FnMut(usize, Self)) -> Option<()> {
        let length = self.length()?.min(self.scope.steps.get());
        let mut read = |from: usize, to: usize| {
            for index in from..to {
                if let Some(item) = self.item(index) {
                    visit(index, item);
                }
            }
        };
        if length <= PIECE {
            read(0, length);
            return Some(());
        }
        for from in (0..length).step_by(PIECE) {
            if self.scope.steps.get() == 0 {
                break;
            }
            self.scope.briefly(|| read(from, (from + PIECE).min(length)));
        }
        Some(())
    }

    /// The item at `index` of an array, unless it is nothing.
    pub(super) fn item(self, index: usize) -> Option<Self> {
        self.any_item(index).filter(|value| !value.is_nothing())
    }

    /// A copy of the characters of a string. Lone surrogates become U+FFFD.
    pub(super) fn text(self) -> Option<String> {
        self.sparing(|| self.with_units(decode))
    }

    /// The same, lent to `look`.
    pub(super) fn with_text<T>(self, look: impl FnOnce(&str) -> T) -> Option<T> {
        let mut room = self.scope.room();
        let text = self.sparing(|| {
            self.with_units(|units| decode_onto(&mut room, units))?;
            Some(room)
        })?;
        let seen = look(&text);
        self.scope.keep_room(text);
        Some(seen)
    }

    /// Lends the UTF-16 units of a string to `look`.
    pub(super) fn with_units<T>(self, look: impl FnOnce(&[u16]) -> T) -> Option<T> {
        let mut units = self.scope.kept.units.try_borrow_mut().ok()?;
        let length = self.copy_units(&mut units)?;
        let seen = units.get(..length).map(look);
        self.scope.kept.shrink(&mut units, length);
        seen
    }

    /// Appends a piece of a text to `text`: half a character at its end waits in `half` for the next piece. Answers
    /// whether that is all there is to it: no half came before, and none waits.
    pub(super) fn append_after(self, half: &Cell<Option<u16>>, text: &mut String) -> Option<bool> {
        if !self.is_string() {
            return None;
        }
        let mut units = self.scope.kept.units.try_borrow_mut().ok()?;
        let length = self.copy_units(&mut units)?;
        let whole = units.get(..length).map(|units| decode_after(half, units, text));
        self.scope.kept.shrink(&mut units, length);
        whole
    }

    /// Reads a string, unless the call has read enough.
    fn sparing(self, read: impl FnOnce() -> Option<String>) -> Option<String> {
        if !self.is_string() {
            return None;
        }
        self.scope.spend(0)?;
        let text = read()?;
        self.scope.spend(text.len() / PIECE_OF_TEXT);
        Some(text)
    }

    /// The same for an argument of a call, which is read once however long it is.
    pub(super) fn whole_text(self) -> Option<String> {
        if !self.is_string() {
            return None;
        }
        self.with_units(decode)
    }
}

/// Appends a piece of UTF-16 as UTF-8: half a character at its end waits in `half` for the next piece. Answers whether
/// no half came before, and none waits.
fn decode_after(half: &Cell<Option<u16>>, units: &[u16], text: &mut String) -> bool {
    let Some((last, before)) = units.split_last() else { return half.get().is_none() };
    let is_cut = (0xd800..0xdc00).contains(last);
    let whole = if is_cut { before } else { units };
    let first = half.replace(is_cut.then_some(*last));
    match first {
        None => decode_onto(text, whole),
        Some(first) => decode_onto(text, &[&[first], whole].concat()),
    }
    first.is_none() && !is_cut
}

/// UTF-16 as UTF-8, lone surrogates as U+FFFD.
fn decode(units: &[u16]) -> String {
    let mut text = String::new();
    decode_onto(&mut text, units);
    text
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_after};
    use proptest::prelude::*;
    use std::cell::Cell;

    proptest! {
        #[test]
        fn pieces_decode_as_the_whole_does(units in proptest::collection::vec(prop_oneof![0x61u16..0x63, 0xd83du16..0xd83f, 0xde00u16..0xde02], 0..12), length in 1usize..5) {
            let half = Cell::new(None);
            let decoded = |units: &[u16]| {
                let mut text = String::new();
                let whole = decode_after(&half, units, &mut text);
                (whole, text)
            };
            prop_assert_eq!(decoded(&[]), (true, String::new()));
            let mut text = String::new();
            for piece in units.chunks(length) {
                let (whole, read) = decoded(piece);
                prop_assert!(!whole || read == decode(piece));
                text += &read;
                text += &decoded(&[]).1;
            }
            let rest = half.take().map_or("", |_| "\u{fffd}");
            prop_assert_eq!(text + rest, decode(&units));
        }
    }
}

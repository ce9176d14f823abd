//! What may be asked of a JavaScript value, on top of what Node-API offers.

use super::names::Name;
use super::node_api::Handle;
use crate::input::value::MOST_FIELDS;
use napi::sys::ValueType;

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
}

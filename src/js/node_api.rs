//! Node-API, made safe. The only file with `unsafe` in it.
//!
//! A [`Scope`] lives for one call from JavaScript; a [`Handle`] is a value inside it. Nothing here
//! fails on data: a property that is missing, a getter that throws or a trap of a proxy all give
//! `None`, and no exception stays pending. Strings cross as UTF-16 or Latin-1, which engines copy;
//! UTF-8 they would transcode one character at a time.
#![expect(unsafe_code, reason = "the border to C lives here and nowhere else")]

use super::carry::{self, Pieces};
use super::front::{Called, Fronted};
use super::kept::Kept;
use super::names;
use super::scope::{MOST_STEPS, PIECE_OF_TEXT};
use super::utf16;
use napi::bindgen_prelude::{FromNapiValue, JsValue, Object, This, ToNapiValue, panic_to_error};
use napi::sys::{
    self, napi_callback_info, napi_env, napi_ref, napi_status, napi_value, napi_valuetype,
};
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::catch_unwind;
use std::ptr::{null, null_mut};
use std::sync::Once;

/// A value on its way in or out, as the generated glue passes it.
#[derive(Clone, Copy)]
pub struct Passed(napi_value);

impl FromNapiValue for Passed {
    unsafe fn from_napi_value(_: napi_env, value: napi_value) -> napi::Result<Self> {
        Ok(Self(value))
    }
}

impl ToNapiValue for Passed {
    unsafe fn to_napi_value(_: napi_env, value: Self) -> napi::Result<napi_value> {
        Ok(value.0)
    }
}

impl Passed {
    /// `undefined`, as a result.
    pub(super) const NOTHING: Self = Self(null_mut());
}

impl From<Object<'_>> for Passed {
    fn from(object: Object<'_>) -> Self {
        Self(object.raw())
    }
}

impl<'s> From<Handle<'s>> for Passed {
    fn from(handle: Handle<'s>) -> Self {
        Self(handle.raw)
    }
}

/// What a method of the class `C` was called on. The glue finds out whether that is an instance, by its
/// tag, and gives up before the method runs if it is not. Its own error would be no `TypeError`, so this
/// throws one first: when it is dropped before anybody asked for the insides. To ask for the tag as well
/// would cost every call as much as a sixth of a `push`.
pub struct Receiver<C> {
    env: napi_env,
    raw: napi_value,
    class: PhantomData<C>,
}

impl<C> FromNapiValue for Receiver<C> {
    unsafe fn from_napi_value(env: napi_env, raw: napi_value) -> napi::Result<Self> {
        Ok(Self { env, raw, class: PhantomData })
    }
}

impl<C> Drop for Receiver<C> {
    fn drop(&mut self) {
        let env = napi::Env::from_raw(self.env);
        if let Ok(scope) = Scope::enter(&env) {
            // The glue's question may have thrown, for want of an object.
            scope.went_well(sys::Status::napi_generic_failure);
            scope.no_instance_of::<C>();
        }
    }
}

/// What a front calls, fenced as the exports are.
extern "C" fn crossing<F: Fronted>(env: napi_env, info: napi_callback_info) -> napi_value {
    let (mut arguments, mut data) = ([null_mut(); 3], null_mut());
    let mut count = arguments.len();
    // SAFETY: the engine writes as many arguments as there is room for, `undefined` where there are fewer.
    unsafe {
        let arguments = arguments.as_mut_ptr();
        sys::napi_get_cb_info(env, info, &raw mut count, arguments, null_mut(), &raw mut data);
    }
    let [input, options, text] = arguments.map(Passed);
    let run = move || {
        // SAFETY: what `Scope::crossing` gave the function, which is what this environment keeps.
        let kept = unsafe { &*data.cast::<Kept>() };
        F::run(&Scope::new(env, kept), Called { input, options, text })
    };
    let done = catch_unwind(run).map_err(panic_to_error).and_then(|done| done);
    done.map_or_else(
        |error| {
            // SAFETY: the environment that is calling us.
            unsafe { napi::JsError::from(error).throw_into(env) };
            null_mut()
        },
        |Passed(value)| value,
    )
}

/// Has an address that no other copy of this addon in the process has.
static COPY: u8 = 0;

/// The insides of an instance. Two copies of this addon have the same classes under the same tags, and
/// instances of the one reach methods of the other: getters on V8, everything elsewhere. So the insides
/// name the copy they belong to, and the rest is behind a pointer: every build lays this out alike,
/// whatever `T` is there.
#[repr(C)]
pub(super) struct Insides<T> {
    copy: usize,
    held: Box<T>,
}

impl<T> Insides<T> {
    pub(super) fn new(held: T) -> Self {
        Self { copy: (&raw const COPY).addr(), held: Box::new(held) }
    }

    /// What is held, if this copy of the addon put it there.
    pub(super) fn of<C>(&self, scope: &Scope<'_>, this: This<'_, Receiver<C>>) -> napi::Result<&T> {
        std::mem::forget(this);
        if self.copy == (&raw const COPY).addr() {
            Ok(&self.held)
        } else {
            Err(scope.no_instance_of::<C>())
        }
    }
}

/// A function of JavaScript, and the numbers and cells it writes for us, which live as long as it does.
pub(super) struct Carrier {
    function: Reference,
    numbers: *mut f64,
    cells: *const u32,
}

/// A value that an environment keeps. It goes with the environment.
pub(super) struct Reference(napi_ref);

/// A key that a call has fetched, good for that call only. Slots are marked by call, not wiped before
/// each: there are hundreds of them, and most calls use a few.
pub(super) struct Slot {
    call: Cell<u64>,
    key: Cell<napi_value>,
    /// Whether it is among the keys of the environment.
    is_kept: Cell<bool>,
}

impl Slot {
    /// One that no call has put a key into.
    pub(super) fn free() -> Self {
        Self { call: Cell::new(0), key: Cell::new(null_mut()), is_kept: Cell::new(false) }
    }
}

/// One call from JavaScript.
pub(super) struct Scope<'c> {
    env: napi_env,
    pub(super) kept: &'c Kept,
    /// The number of this call, from 1.
    number: u64,
    /// All property keys, once one was asked for.
    keys: Cell<napi_value>,
    /// Places of the keys that were fetched, in that order.
    fetched: RefCell<Vec<u16>>,
    /// What is left of [`MOST_STEPS`].
    pub(super) steps: Cell<usize>,
    /// What was carried across in this call.
    pieces: Pieces,
    call: PhantomData<&'c napi::Env>,
}

impl<'c> Scope<'c> {
    /// Enters the environment for the length of a call.
    pub(super) fn enter(env: &'c napi::Env) -> napi::Result<Self> {
        let env = env.raw();
        let mut data = null_mut();
        // SAFETY: `env` is the environment of the call that is running.
        unsafe { sys::napi_get_instance_data(env, &raw mut data) };
        if data.is_null() {
            data = keep(env)?;
        }
        // SAFETY: instance data of this addon is only ever set in `keep`, to a leaked box that is
        // freed when the environment goes away, which is not while it is calling us.
        let kept = unsafe { &*data.cast::<Kept>() };
        Ok(Self::new(env, kept))
    }

    fn new(env: napi_env, kept: &'c Kept) -> Self {
        let number = kept.calls.get() + 1;
        kept.calls.set(number);
        let keys = Cell::new(null_mut());
        let (fetched, steps) = (RefCell::default(), Cell::new(MOST_STEPS));
        let pieces = Pieces::new(&kept.spare);
        Self { env, kept, number, keys, fetched, steps, pieces, call: PhantomData }
    }

    /// What was carried across in this call.
    pub(super) fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// The number of this call, from 1.
    pub(super) fn number_of_call(&self) -> u64 {
        self.number
    }

    /// Lends the numbers that the carrier has written to `look`, which must not call JavaScript.
    pub(super) fn with_numbers<T>(&self, look: impl FnOnce(&[f64]) -> T) -> Option<T> {
        let carrier = self.kept.carrier.get()?.as_ref()?;
        // SAFETY: `carry::NUMBERS` numbers that live as long as the carrier and that nobody but it writes, which is
        // not running now.
        Some(look(unsafe { std::slice::from_raw_parts(carrier.numbers, carry::NUMBERS) }))
    }

    /// The same for the cells that it has written.
    pub(super) fn with_cells<T>(&self, look: impl FnOnce(&[u32]) -> T) -> Option<T> {
        let carrier = self.kept.carrier.get()?.as_ref()?;
        // SAFETY: as above, with `carry::CELLS` of them.
        Some(look(unsafe { std::slice::from_raw_parts(carrier.cells, carry::CELLS) }))
    }

    /// Calls the carrier, which looks for what to do in the first numbers, and behind them for what with. Lends the
    /// numbers it leaves to `look`.
    pub(super) fn call_carrier<T>(
        &self,
        value: Handle<'_>,
        beside: Option<Handle<'_>>,
        task: [f64; carry::TASK],
        with: &[f64],
        look: impl FnOnce(&[f64]) -> T,
    ) -> Option<(Passed, T)> {
        if with.len() > carry::END - task.len() {
            return None;
        }
        let carrier = self.carrier()?;
        let (mut function, mut text) = (null_mut(), null_mut());
        // SAFETY: `carry::NUMBERS` numbers that nobody but the carrier can reach, which does not run on its own. The
        // reference is strong and lives as long as the environment; an arrow function does not mind what it is
        // called on.
        let status = unsafe {
            let busy = carrier.numbers.add(carry::BUSY);
            if busy.read() != 0.0 {
                return None;
            }
            busy.write(1.0);
            let numbers = std::slice::from_raw_parts_mut(carrier.numbers, task.len() + with.len());
            let (first, behind) = numbers.split_at_mut(task.len());
            first.copy_from_slice(&task);
            behind.copy_from_slice(with);
            sys::napi_get_reference_value(self.env, carrier.function.0, &raw mut function);
            let arguments = [value.raw, beside.unwrap_or(value).raw];
            let (count, arguments) = (1 + usize::from(beside.is_some()), arguments.as_ptr());
            sys::napi_call_function(self.env, value.raw, function, count, arguments, &raw mut text)
        };
        // SAFETY: as above.
        unsafe { carrier.numbers.add(carry::BUSY).write(0.0) };
        let went_well = self.went_well(status);
        self.with_numbers(look).filter(|_| went_well).map(|seen| (Passed(text), seen))
    }

    /// A function that a front calls.
    pub(super) fn crossing<F: Fronted>(&self) -> Option<Handle<'_>> {
        // SAFETY: the environment is alive, and what it keeps lives as long as functions of it are called.
        self.fresh(sys::ValueType::napi_function, |out| unsafe {
            let kept = std::ptr::from_ref(self.kept).cast_mut().cast();
            sys::napi_create_function(self.env, null(), 0, Some(crossing::<F>), kept, out)
        })
    }

    /// What running a script gives.
    pub(super) fn run(&self, script: &str) -> Option<Handle<'_>> {
        let source = self.string(script)?;
        // SAFETY: the source is a string of this scope; what running it throws is cleared.
        self.value(|out| unsafe { sys::napi_run_script(self.env, source.raw, out) })
    }

    /// Keeps a value of this scope as long as the environment lives.
    pub(super) fn refer(&self, value: Handle<'_>) -> Option<Reference> {
        let mut reference = null_mut();
        // SAFETY: a value of this scope; the reference goes with the environment.
        let status =
            unsafe { sys::napi_create_reference(self.env, value.raw, 1, &raw mut reference) };
        self.went_well(status).then_some(Reference(reference))
    }

    /// The value that is kept so.
    pub(super) fn referred(&self, reference: &Reference) -> Handle<'_> {
        let mut value = null_mut();
        // SAFETY: a strong reference that was made in this environment.
        unsafe { sys::napi_get_reference_value(self.env, reference.0, &raw mut value) };
        self.handle(value)
    }

    /// The carrier of this environment. Making it runs JavaScript, which may call us: such a call goes without.
    pub(super) fn carrier(&self) -> Option<&Carrier> {
        if self.kept.carrier.get().is_none() && !self.kept.making.replace(true) {
            let made = self.make_carrier();
            let _ = self.kept.carrier.set(made);
        }
        self.kept.carrier.get()?.as_ref()
    }

    fn make_carrier(&self) -> Option<Carrier> {
        // There JavaScript and we do not write to the same memory.
        if cfg!(target_family = "wasm") {
            return None;
        }
        let (numbers, data) =
            self.shared(sys::TypedarrayType::float64_array, carry::NUMBERS, size_of::<f64>())?;
        let (cells, whole) =
            self.shared(sys::TypedarrayType::int32_array, carry::CELLS, size_of::<u32>())?;
        let make = self.run(&carry::script())?;
        let function = self.undefined().call_with(make, &[numbers.raw, cells.raw])?;
        if !function.is_function() {
            return None;
        }
        let function = self.refer(function)?;
        Some(Carrier { function, numbers: data.cast(), cells: whole.cast() })
    }

    /// A new typed array, and its memory, all zeroes.
    fn shared(&self, kind: i32, length: usize, size: usize) -> Option<(Handle<'_>, *mut c_void)> {
        let mut data = null_mut();
        // SAFETY: the environment is alive and all results outlive the calls.
        let buffer = self.value(|out| unsafe {
            sys::napi_create_arraybuffer(self.env, length * size, &raw mut data, out)
        })?;
        // SAFETY: as above; the buffer has just this many numbers.
        let array = self.value(|out| unsafe {
            sys::napi_create_typedarray(self.env, kind, length, buffer.raw, 0, out)
        })?;
        (!data.is_null()).then_some((array, data))
    }

    /// A value the glue passed to this call.
    pub(super) fn take(&self, passed: Passed) -> Handle<'_> {
        self.handle(passed.0)
    }

    /// The same for what is known to be an object.
    pub(super) fn take_object(&self, passed: Passed) -> Handle<'_> {
        Handle { scope: self, raw: passed.0, kind: sys::ValueType::napi_object }
    }

    /// The same for what is known to be a string.
    pub(super) fn take_string(&self, passed: Passed) -> Handle<'_> {
        Handle { scope: self, raw: passed.0, kind: sys::ValueType::napi_string }
    }

    /// The object a method was called on.
    pub(super) fn this<C>(&self, this: &This<'_, Receiver<C>>) -> Handle<'_> {
        self.handle(this.object.raw)
    }

    /// The global object.
    pub(super) fn global(&self) -> Option<Handle<'_>> {
        // SAFETY: the environment is alive and `out` outlives the call.
        self.value(|out| unsafe { sys::napi_get_global(self.env, out) })
    }

    /// `undefined`.
    pub(super) fn undefined(&self) -> Handle<'_> {
        // SAFETY: as above.
        let value = self.value(|out| unsafe { sys::napi_get_undefined(self.env, out) });
        value.unwrap_or_else(|| self.handle(null_mut()))
    }

    /// A new string.
    pub(super) fn string(&self, text: &str) -> Option<Handle<'_>> {
        if text.is_ascii() {
            let length = text.len().cast_signed();
            // SAFETY: the pointer and length are those of a live string.
            return self.fresh(sys::ValueType::napi_string, |out| unsafe {
                sys::napi_create_string_latin1(self.env, text.as_ptr().cast(), length, out)
            });
        }
        let mut units = self.kept.units.try_borrow_mut().ok()?;
        let place = utf16::room_in(&mut units, text.len());
        let length = utf16::encode(text, place).cast_signed();
        // SAFETY: the first `length` units were just written.
        let made = self.fresh(sys::ValueType::napi_string, |out| unsafe {
            sys::napi_create_string_utf16(self.env, place.as_ptr(), length, out)
        });
        self.kept.shrink(&mut units, text.len());
        made
    }

    /// A new number.
    pub(super) fn number(&self, number: f64) -> Option<Handle<'_>> {
        // SAFETY: the environment is alive and `out` outlives the call.
        self.fresh(sys::ValueType::napi_number, |out| unsafe {
            sys::napi_create_double(self.env, number, out)
        })
    }

    /// A boolean.
    pub(super) fn flag(&self, flag: bool) -> Option<Handle<'_>> {
        // SAFETY: as above.
        self.value(|out| unsafe { sys::napi_get_boolean(self.env, flag, out) })
    }

    /// A new object with these fields, by the places of their keys. They are defined, not assigned: a
    /// setter that somebody hung on `Object.prototype` is never run.
    pub(super) fn object(&self, fields: &[(usize, Handle<'_>)]) -> Option<Handle<'_>> {
        // SAFETY: as above.
        let object = self.fresh(sys::ValueType::napi_object, |out| unsafe {
            sys::napi_create_object(self.env, out)
        })?;
        let describe = |(place, value): &(usize, Handle<'_>)| {
            self.key(*place).map(|name| described(name, value.raw))
        };
        let fields: Vec<_> = fields.iter().filter_map(describe).collect();
        // SAFETY: names and values are of this scope, and `fields` outlives the call.
        let status = unsafe {
            sys::napi_define_properties(self.env, object.raw, fields.len(), fields.as_ptr())
        };
        self.went_well(status).then_some(object)
    }

    /// A new array of so many items, all of them still missing.
    pub(super) fn new_array(&self, length: usize) -> Option<Handle<'_>> {
        // SAFETY: the environment is alive and `out` outlives the call.
        self.value(|out| unsafe { sys::napi_create_array_with_length(self.env, length, out) })
    }

    /// `null`.
    pub(super) fn null(&self) -> Option<Handle<'_>> {
        // SAFETY: the environment is alive and `out` outlives the call.
        self.value(|out| unsafe { sys::napi_get_null(self.env, out) })
    }

    /// An instance of one of our classes.
    pub(super) fn made<T: ToNapiValue>(&self, value: T) -> Option<Passed> {
        // SAFETY: the environment is the one that is calling us.
        unsafe { T::to_napi_value(self.env, value) }.ok().map(Passed)
    }

    /// Throws a `TypeError` and gives what an export must return then.
    pub(super) fn type_error(&self, message: &str) -> napi::Error {
        let thrown = self.string("ERR_INVALID_ARG_VALUE").zip(self.string(message)).is_some_and(
            |(code, message)| {
                // SAFETY: code and message are strings of this scope.
                let error = self.value(|out| unsafe {
                    sys::napi_create_type_error(self.env, code.raw, message.raw, out)
                });
                // SAFETY: the error was made just now.
                error.is_some_and(|error| unsafe {
                    sys::napi_throw(self.env, error.raw) == sys::Status::napi_ok
                })
            },
        );
        let status = if thrown { napi::Status::PendingException } else { napi::Status::InvalidArg };
        napi::Error::new(status, message.to_owned())
    }

    /// Runs `work` in a handle scope of its own. Handles made inside must not leave it.
    pub(super) fn briefly<T>(&self, work: impl FnOnce() -> T) -> T {
        // All of them together live as long as the call.
        self.keys();
        let mut scope = null_mut();
        // SAFETY: opened and closed in pairs, innermost first; keys fetched inside are forgotten.
        let opened = unsafe { sys::napi_open_handle_scope(self.env, &raw mut scope) };
        let before = self.fetched.borrow().len();
        let done = work();
        if opened == sys::Status::napi_ok {
            for place in self.fetched.borrow_mut().drain(before..) {
                if let Some(slot) = self.kept.slots.get(usize::from(place)) {
                    slot.call.set(0);
                }
            }
            // SAFETY: the scope opened above, not closed yet.
            unsafe { sys::napi_close_handle_scope(self.env, scope) };
        }
        done
    }

    pub(super) fn handle(&self, raw: napi_value) -> Handle<'_> {
        let mut kind = sys::ValueType::napi_undefined;
        if !raw.is_null() {
            // SAFETY: `raw` is a value of this scope.
            unsafe { sys::napi_typeof(self.env, raw, &raw mut kind) };
        }
        Handle { scope: self, raw, kind }
    }

    /// Runs a call that produces a value. Clears what it throws.
    fn value(&self, call: impl FnOnce(*mut napi_value) -> napi_status) -> Option<Handle<'_>> {
        let mut raw = null_mut();
        let status = call(&raw mut raw);
        (self.went_well(status) && !raw.is_null()).then(|| self.handle(raw))
    }

    /// The same where it is known what is made.
    fn fresh(
        &self,
        kind: napi_valuetype,
        call: impl FnOnce(*mut napi_value) -> napi_status,
    ) -> Option<Handle<'_>> {
        let mut raw = null_mut();
        let status = call(&raw mut raw);
        let made = self.went_well(status) && !raw.is_null();
        made.then_some(Handle { scope: self, raw, kind })
    }

    /// Whether a call did what it should. If not, whatever it threw is cleared: engines report a
    /// throwing getter by different statuses, so the status alone does not tell.
    fn went_well(&self, status: napi_status) -> bool {
        if status == sys::Status::napi_ok {
            return true;
        }
        let mut pending = false;
        // SAFETY: allowed while an exception is pending; the result outlives the call.
        unsafe { sys::napi_is_exception_pending(self.env, &raw mut pending) };
        if pending {
            let mut thrown = null_mut();
            // SAFETY: as above.
            unsafe { sys::napi_get_and_clear_last_exception(self.env, &raw mut thrown) };
        }
        false
    }

    /// All property keys, which not every call needs.
    fn keys(&self) -> napi_value {
        let mut keys = self.keys.get();
        if keys.is_null() {
            // SAFETY: the reference is strong and made in `keep`.
            unsafe { sys::napi_get_reference_value(self.env, self.kept.keys, &raw mut keys) };
            self.keys.set(keys);
        }
        keys
    }

    /// The ready-made key at `place` of the table.
    pub(super) fn key(&self, place: usize) -> Option<napi_value> {
        let slot = self.kept.slots.get(place)?;
        if slot.call.get() != self.number {
            let mut key = null_mut();
            let index = u32::try_from(place).ok()?;
            if slot.is_kept.get() {
                // SAFETY: the array has what was put there.
                let status =
                    unsafe { sys::napi_get_element(self.env, self.keys(), index, &raw mut key) };
                if !self.went_well(status) {
                    return None;
                }
            } else {
                key = self.make_key(names::all().nth(place)?)?;
                // Defined, not assigned: somebody may have hung a setter where arrays look for what they lack.
                let [keys, value] = [self.keys(), key].map(|raw| self.handle(raw));
                let kept = keys.define_named(self.string(&index.to_string())?.raw, value);
                slot.is_kept.set(kept.is_some());
            }
            slot.call.set(self.number);
            slot.key.set(key);
            self.fetched.borrow_mut().push(u16::try_from(place).unwrap_or(u16::MAX));
        }
        Some(slot.key.get())
    }

    /// A new key. The name of an object's own property is one of the engine's internal strings, the cheapest key there
    /// is.
    fn make_key(&self, name: &str) -> Option<napi_value> {
        let (mut own, mut key) = (null_mut(), null_mut());
        let name = self.string(name)?;
        let object = self.object(&[])?;
        object.define_named(name.raw, name)?;
        // SAFETY: plain calls with values of this scope.
        let status = unsafe {
            sys::napi_get_property_names(self.env, object.raw, &raw mut own);
            sys::napi_get_element(self.env, own, 0, &raw mut key)
        };
        self.went_well(status).then_some(key)
    }
}

/// A panic becomes a JavaScript error; the usual hook would also print it over the host's screen. An
/// addon has a standard library of its own, so this reaches no other Rust code of the process, not
/// even a second copy of this addon.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
}

/// Makes what an environment keeps and hands it over.
fn keep(env: napi_env) -> napi::Result<*mut c_void> {
    silence_panics();
    let failed = || napi::Error::from_reason("cannot prepare property keys");
    let (mut keys, mut reference) = (null_mut(), null_mut());
    // SAFETY: plain calls in a live environment.
    let status = unsafe {
        sys::napi_create_array(env, &raw mut keys);
        sys::napi_create_reference(env, keys, 1, &raw mut reference)
    };
    if status != sys::Status::napi_ok {
        return Err(failed());
    }
    let kept = Kept::with(reference);
    let data = Box::into_raw(Box::new(kept)).cast();
    // SAFETY: the finaliser frees the box and the reference.
    let status = unsafe { sys::napi_set_instance_data(env, data, Some(forget), null_mut()) };
    if status == sys::Status::napi_ok { Ok(data) } else { Err(failed()) }
}

extern "C" fn forget(env: napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: called once per environment with what `keep` leaked, while references may still be deleted.
    unsafe {
        let kept = Box::from_raw(data.cast::<Kept>());
        sys::napi_delete_reference(env, kept.keys);
        if let Some(carrier) = kept.carrier.get().and_then(Option::as_ref) {
            sys::napi_delete_reference(env, carrier.function.0);
        }
        if let Some(open) = kept.script.open.get() {
            sys::napi_delete_reference(env, open.0);
        }
    }
}

/// A property like any other that JavaScript assigns.
fn described(name: napi_value, value: napi_value) -> sys::napi_property_descriptor {
    sys::napi_property_descriptor {
        utf8name: null(),
        name,
        method: None,
        getter: None,
        setter: None,
        value,
        attributes: sys::PropertyAttributes::writable
            | sys::PropertyAttributes::enumerable
            | sys::PropertyAttributes::configurable,
        data: null_mut(),
    }
}

/// A JavaScript value, with its type.
#[derive(Clone, Copy)]
pub(super) struct Handle<'s> {
    pub(super) scope: &'s Scope<'s>,
    pub(super) raw: napi_value,
    pub(super) kind: napi_valuetype,
}

impl Handle<'_> {
    pub(super) fn raw_property(self, place: usize) -> Option<napi_value> {
        if !self.is_object() {
            return None;
        }
        let scope = self.scope;
        scope.spend(1)?;
        let mut value = null_mut();
        let key = scope.key(place)?;
        // SAFETY: the object is a value of this scope; what a getter throws is cleared.
        let status = unsafe { sys::napi_get_property(scope.env, self.raw, key, &raw mut value) };
        scope.went_well(status).then_some(value)
    }

    /// Any property by name, for names that are not in the table: those of the engine's own objects, above
    /// all. It takes no step, so that results can be written when the steps for arguments are used up.
    pub(super) fn property_named(self, name: &str) -> Option<Self> {
        if !self.is_object() {
            return None;
        }
        let key = self.scope.string(name)?;
        // SAFETY: as above.
        let value = self
            .scope
            .value(|out| unsafe { sys::napi_get_property(self.scope.env, self.raw, key.raw, out) });
        value.filter(|value| !value.is_nothing())
    }

    /// The names of the own enumerable properties that `filter` leaves.
    pub(super) fn names(self, filter: sys::napi_key_filter) -> Option<Self> {
        if !self.is_object() {
            return None;
        }
        // SAFETY: the object is a value of this scope; what a trap throws is cleared.
        self.scope.value(|out| unsafe {
            sys::napi_get_all_property_names(
                self.scope.env,
                self.raw,
                sys::KeyCollectionMode::own_only,
                sys::KeyFilter::enumerable | filter,
                sys::KeyConversion::numbers_to_strings,
                out,
            )
        })
    }

    /// The property under a name of [`Self::names`], whatever it is.
    pub(super) fn field(self, name: Self) -> Option<Self> {
        // SAFETY: object and name are values of this scope; what a getter throws is cleared.
        self.scope
            .value(|out| unsafe { sys::napi_get_property(self.scope.env, self.raw, name.raw, out) })
    }

    pub(super) fn define_named(self, name: napi_value, value: Self) -> Option<()> {
        let property = described(name, value.raw);
        // SAFETY: object, name and value are of this scope; the descriptor outlives the call.
        let status = unsafe {
            sys::napi_define_properties(self.scope.env, self.raw, 1, &raw const property)
        };
        self.scope.went_well(status).then_some(())
    }

    /// The item at `index` of an array, whatever it is.
    pub(super) fn any_item(self, index: usize) -> Option<Self> {
        let index = u32::try_from(index).ok()?;
        self.scope.spend(1)?;
        // SAFETY: the value is of this scope; what a trap throws is cleared.
        self.scope
            .value(|out| unsafe { sys::napi_get_element(self.scope.env, self.raw, index, out) })
    }

    /// Puts an item into an array made here.
    pub(super) fn put(self, index: usize, value: &Passed) -> Option<()> {
        let index = u32::try_from(index).ok()?;
        // SAFETY: array and value are values of this scope.
        let status = unsafe { sys::napi_set_element(self.scope.env, self.raw, index, value.0) };
        self.scope.went_well(status).then_some(())
    }

    /// Sets a property of an object made here.
    pub(super) fn set(self, place: usize, value: Self) -> Option<()> {
        let key = self.scope.key(place)?;
        // SAFETY: object, key and value are of this scope.
        let status = unsafe { sys::napi_set_property(self.scope.env, self.raw, key, value.raw) };
        self.scope.went_well(status).then_some(())
    }

    /// Keeps a value on an object of ours, out of sight of loops and copies.
    pub(super) fn hide(self, place: usize, value: Self) -> Option<()> {
        let property = sys::napi_property_descriptor {
            utf8name: null(),
            name: self.scope.key(place)?,
            method: None,
            getter: None,
            setter: None,
            value: value.raw,
            attributes: sys::PropertyAttributes::default,
            data: null_mut(),
        };
        // SAFETY: object, name and value are of this scope; the descriptor outlives the call.
        let status = unsafe {
            sys::napi_define_properties(self.scope.env, self.raw, 1, &raw const property)
        };
        self.scope.went_well(status).then_some(())
    }

    /// Whether JavaScript calls this an array.
    pub(super) fn is_array(self) -> bool {
        if self.kind != sys::ValueType::napi_object {
            return false;
        }
        let mut is_array = false;
        // SAFETY: the value is of this scope and the result outlives the call.
        unsafe { sys::napi_is_array(self.scope.env, self.raw, &raw mut is_array) };
        is_array || self.is_proxied_array()
    }

    pub(super) fn length(self) -> Option<usize> {
        let mut length = 0;
        // SAFETY: as above.
        let status =
            unsafe { sys::napi_get_array_length(self.scope.env, self.raw, &raw mut length) };
        if self.scope.went_well(status) {
            return Some(length as usize);
        }
        if !self.is_array() {
            return None;
        }
        let length = self.property(names::Name::Length.place())?.as_number()?;
        crate::input::value::whole(length).and_then(|length| usize::try_from(length).ok())
    }

    /// Copies the UTF-16 units of a string, in one call if they fit. Answers how many there are.
    pub(super) fn copy_units(self, units: &mut Vec<u16>) -> Option<usize> {
        let copy = |units: &mut Vec<u16>| {
            let mut length = 0;
            // SAFETY: the engine writes at most `units.len()` units, the last one a NUL.
            let status = unsafe {
                let (start, room) = (units.as_mut_ptr(), units.len());
                sys::napi_get_value_string_utf16(
                    self.scope.env,
                    self.raw,
                    start,
                    room,
                    &raw mut length,
                )
            };
            self.scope.went_well(status).then_some(length)
        };
        let length = copy(units)?;
        if length + 1 < units.len() {
            return Some(length);
        }
        let mut whole = 0;
        // SAFETY: without a buffer the call only measures.
        let status = unsafe {
            sys::napi_get_value_string_utf16(
                self.scope.env,
                self.raw,
                null_mut(),
                0,
                &raw mut whole,
            )
        };
        self.scope.went_well(status).then_some(())?;
        units.resize(whole + 2, 0);
        copy(units)
    }

    pub(super) fn as_number(self) -> Option<f64> {
        let mut number = 0.0;
        if !self.is_number() {
            return None;
        }
        // SAFETY: as above.
        let status =
            unsafe { sys::napi_get_value_double(self.scope.env, self.raw, &raw mut number) };
        self.scope.went_well(status).then_some(number)
    }

    pub(super) fn as_flag(self) -> Option<bool> {
        let mut flag = false;
        if !self.is_flag() {
            return None;
        }
        // SAFETY: as above.
        let status = unsafe { sys::napi_get_value_bool(self.scope.env, self.raw, &raw mut flag) };
        self.scope.went_well(status).then_some(flag)
    }

    pub(super) fn call_with(self, method: Handle<'_>, arguments: &[napi_value]) -> Option<Self> {
        if method.kind != sys::ValueType::napi_function {
            return None;
        }
        // SAFETY: receiver, method and arguments are values of this scope; what the method throws is
        // cleared.
        let value = self.scope.value(|out| unsafe {
            let (count, arguments) = (arguments.len(), arguments.as_ptr());
            sys::napi_call_function(self.scope.env, self.raw, method.raw, count, arguments, out)
        });
        value.filter(|value| !value.is_nothing())
    }

    /// The same, for who wants to know why nothing came back: the message of what was thrown.
    pub(super) fn attempt(self, method: Self, arguments: &[napi_value]) -> Result<Self, String> {
        let (scope, mut raw) = (self.scope, null_mut());
        // SAFETY: as above.
        let status = unsafe {
            let (count, arguments) = (arguments.len(), arguments.as_ptr());
            sys::napi_call_function(scope.env, self.raw, method.raw, count, arguments, &raw mut raw)
        };
        if status == sys::Status::napi_ok {
            return Ok(scope.handle(raw));
        }
        let mut thrown = null_mut();
        // SAFETY: allowed while an exception is pending, and harmless when none is.
        unsafe { sys::napi_get_and_clear_last_exception(scope.env, &raw mut thrown) };
        let thrown = scope.handle(thrown);
        let message = thrown.property(names::Name::Message.place()).unwrap_or(thrown).text();
        Err(message.unwrap_or_else(|| "something that is no error".to_owned()))
    }

    /// Whether this is a typed array, of bytes or of other numbers.
    pub(super) fn is_typed_array(self) -> bool {
        let mut is_typed = false;
        if self.kind == sys::ValueType::napi_object {
            // SAFETY: the value is of this scope and the result outlives the call.
            unsafe { sys::napi_is_typedarray(self.scope.env, self.raw, &raw mut is_typed) };
        }
        is_typed
    }

    /// Lends the bytes of a `Uint8Array` to `look`, which must not call JavaScript: that could free
    /// them. `None` when this is no such array.
    pub(super) fn with_bytes<T>(self, look: impl FnOnce(&[u8]) -> T) -> Option<T> {
        const BYTES: [i32; 2] =
            [sys::TypedarrayType::uint8_array, sys::TypedarrayType::uint8_clamped_array];
        if !self.is_typed_array() {
            return None;
        }
        let (mut kind, mut length, mut data) = (0, 0, null_mut());
        let (mut buffer, mut offset, mut owned) = (null_mut(), 0, false);
        // SAFETY: the value is a typed array; every result outlives the calls.
        let status = unsafe {
            let status = sys::napi_get_typedarray_info(
                self.scope.env,
                self.raw,
                &raw mut kind,
                &raw mut length,
                &raw mut data,
                &raw mut buffer,
                &raw mut offset,
            );
            sys::napi_is_arraybuffer(self.scope.env, buffer, &raw mut owned);
            status
        };
        if !self.scope.went_well(status) || !BYTES.contains(&kind) {
            return None;
        }
        self.scope.spend(length / PIECE_OF_TEXT)?;
        if data.is_null() || length == 0 {
            return Some(look(&[]));
        }
        if owned {
            // SAFETY: the engine vouches for `length` bytes at `data`; they stay until JavaScript
            // runs again, which it does not before `look` returns.
            return Some(look(unsafe { std::slice::from_raw_parts(data.cast(), length) }));
        }
        // Shared memory: another thread may write while we read, so it is copied first.
        let copy: Vec<u8> = (0..length)
            // SAFETY: in bounds as above; volatile, because nobody promises the bytes stand still.
            .map(|at| unsafe { data.cast::<u8>().add(at).read_volatile() })
            .collect();
        Some(look(&copy))
    }
}

/// Appends UTF-16 that is ASCII, up to what is not. Answers whether all of it was.
pub(super) fn decode_ascii_onto(text: &mut String, units: &[u16]) -> bool {
    // SAFETY: ASCII is appended.
    utf16::append_ascii(unsafe { text.as_mut_vec() }, units)
}

/// UTF-16 as UTF-8, behind another text.
pub(super) fn decode_onto(text: &mut String, units: &[u16]) {
    // SAFETY: whole characters are appended.
    utf16::append_utf8(unsafe { text.as_mut_vec() }, units);
}

/// The same for pieces that end at these places, the first of which begins at `begin`. Says where each ends then.
pub(super) fn decode_pieces_onto(text: &mut String, units: &[u16], begin: usize, ends: &mut [u32]) {
    // SAFETY: whole characters are appended.
    utf16::append_pieces(unsafe { text.as_mut_vec() }, units, begin, ends);
}

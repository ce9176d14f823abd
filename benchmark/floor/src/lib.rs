//! The floor: an addon that crosses the border as cheaply as Node-API allows, and does there what nobody can leave out.
//!
//! [`nothing`] is a call alone. [`carry`] takes strings in and gives one back, both as UTF-16. [`find`] reads the same
//! strings out of the bytes of a body. [`look`] only looks at each byte. What ours takes longer than these is its own
//! work: to clean, to compare, to number, to write.

mod body;

use napi::bindgen_prelude::{FromNapiValue, ToNapiValue};
use napi::sys::{self, napi_env, napi_value};
use napi_derive::napi;
use std::cell::RefCell;
use std::ptr::null_mut;

/// A value as the generated glue passes it, untouched.
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

thread_local! {
    /// Room for strings, kept from call to call. What is in it when a string is made of it does not matter.
    static UNITS: RefCell<Vec<u16>> = RefCell::new(vec![u16::from(b'a'); 1 << 17]);
}

/// A call that does nothing.
#[napi]
pub fn nothing() {}

/// Takes these strings in and gives one of `length` characters back, not all of them Latin, as a
/// block of sources is.
#[napi(ts_args_type = "strings: string[], length: number", ts_return_type = "string")]
#[must_use]
pub fn carry(env: &napi::Env, strings: Passed, length: u32) -> Passed {
    let mut count = 0;
    // SAFETY: fails without a word where `strings` is no array.
    unsafe { sys::napi_get_array_length(env.raw(), strings.0, &raw mut count) };
    UNITS.with_borrow_mut(|units| {
        for index in 0..count {
            let (mut item, mut read) = (null_mut(), 0);
            // SAFETY: the index is inside of the array, and the room as long as is said; what does not fit is left out.
            unsafe {
                sys::napi_get_element(env.raw(), strings.0, index, &raw mut item);
                let (room, size) = (units.as_mut_ptr(), units.len());
                sys::napi_get_value_string_utf16(env.raw(), item, room, size, &raw mut read);
            }
        }
    });
    make(env, length)
}

/// Finds the addresses and titles of the sources in the body of a response, and gives a string of `length` characters
/// back.
#[napi(ts_args_type = "body: Uint8Array, length: number", ts_return_type = "string")]
#[must_use]
pub fn find(env: &napi::Env, body: Passed, length: u32) -> Passed {
    std::hint::black_box(body::sources(bytes(env, &body)));
    make(env, length)
}

/// How many bytes the addresses and titles have that [`find`] finds.
#[napi(ts_args_type = "body: Uint8Array", ts_return_type = "number")]
#[must_use]
pub fn found(env: &napi::Env, body: Passed) -> u32 {
    let sources = body::sources(bytes(env, &body)).unwrap_or_default();
    u32::try_from(sources).unwrap_or_default()
}

/// Looks at each byte: where lines end, and whether it is UTF-8. Answers how many lines there are, or 0.
#[napi(ts_args_type = "piece: Uint8Array", ts_return_type = "number")]
#[must_use]
pub fn look(env: &napi::Env, piece: Passed) -> u32 {
    let bytes = bytes(env, &piece);
    let lines = memchr::memchr_iter(b'\n', bytes).count();
    let is_text = std::str::from_utf8(bytes).is_ok();
    if is_text { u32::try_from(lines).unwrap_or_default() } else { 0 }
}

/// The bytes of a typed array, as long as the call.
fn bytes<'c>(env: &'c napi::Env, array: &'c Passed) -> &'c [u8] {
    let (mut data, mut size) = (null_mut(), 0);
    // SAFETY: nothing is written where the value is no typed array, and nobody changes it during the call.
    unsafe {
        let (kind, buffer, offset) = (null_mut(), null_mut(), null_mut());
        let (size, data) = (&raw mut size, &raw mut data);
        sys::napi_get_typedarray_info(env.raw(), array.0, kind, size, data, buffer, offset);
    }
    if data.is_null() {
        return &[];
    }
    // SAFETY: as the engine says.
    unsafe { std::slice::from_raw_parts(data.cast(), size) }
}

/// A page of memory.
const PAGE: usize = 4096;

fn make(env: &napi::Env, length: u32) -> Passed {
    let length = length as usize;
    let mut made = null_mut();
    UNITS.with_borrow_mut(|units| {
        if units.len() < length + PAGE {
            units.resize(length + PAGE, u16::from(b'a'));
        }
        // From the middle of a page of memory: some processors copy much slower from where the engine's page begins.
        let middle = (PAGE / 2).wrapping_sub(units.as_ptr().addr()) % PAGE / size_of::<u16>();
        let room = units.get_mut(middle..).unwrap_or_default();
        if let Some(first) = room.first_mut() {
            *first = 0x2014;
        }
        // SAFETY: there are at least `length` units.
        unsafe {
            let (start, size) = (room.as_ptr(), length.cast_signed());
            sys::napi_create_string_utf16(env.raw(), start, size, &raw mut made);
        }
    });
    Passed(made)
}

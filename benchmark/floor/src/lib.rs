//! The floor: an addon that crosses the border as cheaply as Node-API allows and does nothing else.
//!
//! [`nothing`] is a call alone. [`carry`] takes strings in and gives one back, both as UTF-16.
//! [`carry_object`] only fetches the properties of a response that hold its sources, by keys that are
//! kept from call to call. What `renderCitations` takes longer than these is its own work.

use napi::bindgen_prelude::{FromNapiValue, ToNapiValue};
use napi::sys::{self, napi_env, napi_ref, napi_value};
use napi_derive::napi;
use std::cell::RefCell;
use std::ffi::c_void;
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

/// The properties on the way to a source, in the order of [`Key`].
const KEYS: [&str; 15] = [
    "candidates",
    "index",
    "groundingMetadata",
    "groundingChunks",
    "web",
    "uri",
    "title",
    "output",
    "content",
    "annotations",
    "url",
    "citationMetadata",
    "citation_metadata",
    "urlContextMetadata",
    "url_context_metadata",
];

#[derive(Clone, Copy)]
enum Key {
    Candidates,
    Index,
    GroundingMetadata,
    GroundingChunks,
    Web,
    Uri,
    Title,
    Output,
    Content,
    Annotations,
    Url,
    CitationMetadata,
    CitationMetadataSnake,
    UrlContextMetadata,
    UrlContextMetadataSnake,
}

/// What an environment keeps between calls.
struct Kept {
    /// An array of all keys: strings alone cannot be referenced in Node-API 9.
    keys: napi_ref,
    units: RefCell<Vec<u16>>,
}

/// One call, with the keys it has fetched and how many values it has.
struct Call<'c> {
    env: napi_env,
    kept: &'c Kept,
    keys: napi_value,
    fetched: [napi_value; KEYS.len()],
    count: u32,
}

impl Call<'_> {
    fn enter(env: napi_env) -> napi::Result<Self> {
        let (mut data, mut keys) = (null_mut(), null_mut());
        // SAFETY: `env` is the environment of the call that is running.
        unsafe { sys::napi_get_instance_data(env, &raw mut data) };
        if data.is_null() {
            data = keep(env)?;
        }
        // SAFETY: instance data is only ever set in `keep`, and freed when the environment ends.
        let kept = unsafe { &*data.cast::<Kept>() };
        // SAFETY: the reference is strong.
        unsafe { sys::napi_get_reference_value(env, kept.keys, &raw mut keys) };
        Ok(Self { env, kept, keys, fetched: [null_mut(); KEYS.len()], count: 0 })
    }

    /// The property under `key`, which may be `undefined`.
    fn get(&mut self, object: napi_value, key: Key) -> napi_value {
        let mut value = null_mut();
        let index = key as u32;
        let Some(slot) = self.fetched.get_mut(key as usize) else { return value };
        // SAFETY: all values are of this call.
        unsafe {
            if slot.is_null() {
                sys::napi_get_element(self.env, self.keys, index, slot);
            }
            sys::napi_get_property(self.env, object, *slot, &raw mut value);
        }
        self.count += 1;
        value
    }

    /// Visits the items of an array. Answers whether it is one.
    fn each(&mut self, list: napi_value, mut visit: impl FnMut(&mut Self, napi_value)) -> bool {
        let mut length = 0;
        // SAFETY: fails without a word where `list` is no array.
        let status = unsafe { sys::napi_get_array_length(self.env, list, &raw mut length) };
        for index in 0..length {
            let mut item = null_mut();
            // SAFETY: the index is inside of the array.
            unsafe { sys::napi_get_element(self.env, list, index, &raw mut item) };
            self.count += 1;
            visit(self, item);
        }
        status == sys::Status::napi_ok
    }
}

/// Makes the keys as the engine's internal strings, the cheapest there are.
fn keep(env: napi_env) -> napi::Result<*mut c_void> {
    let (mut keys, mut reference) = (null_mut(), null_mut());
    // SAFETY: plain calls in a live environment.
    let status = unsafe {
        sys::napi_create_array(env, &raw mut keys);
        for (index, name) in (0..).zip(KEYS) {
            let (mut object, mut key, mut own) = (null_mut(), null_mut(), null_mut());
            let length = name.len().cast_signed();
            sys::napi_create_object(env, &raw mut object);
            sys::napi_create_string_latin1(env, name.as_ptr().cast(), length, &raw mut key);
            sys::napi_set_property(env, object, key, object);
            sys::napi_get_property_names(env, object, &raw mut own);
            sys::napi_get_element(env, own, 0, &raw mut key);
            sys::napi_set_element(env, keys, index, key);
        }
        sys::napi_create_reference(env, keys, 1, &raw mut reference)
    };
    let failed = || napi::Error::from_reason("cannot prepare property keys");
    if status != sys::Status::napi_ok {
        return Err(failed());
    }
    let kept = Kept { keys: reference, units: RefCell::new(vec![0; 1024]) };
    let data = Box::into_raw(Box::new(kept)).cast();
    // SAFETY: the finaliser frees the box.
    let status = unsafe { sys::napi_set_instance_data(env, data, Some(forget), null_mut()) };
    if status == sys::Status::napi_ok { Ok(data) } else { Err(failed()) }
}

extern "C" fn forget(_: napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: called once per environment with what `keep` leaked.
    drop(unsafe { Box::from_raw(data.cast::<Kept>()) });
}

/// A call that does nothing.
#[napi]
pub fn nothing() {}

/// Takes these strings in and gives one of `length` characters back, not all of them Latin, as a
/// block of sources is.
#[napi(ts_args_type = "strings: string[], length: number", ts_return_type = "string")]
pub fn carry(env: &napi::Env, strings: Passed, length: u32) -> napi::Result<Passed> {
    let mut call = Call::enter(env.raw())?;
    let kept = call.kept;
    let mut units = kept.units.borrow_mut();
    call.each(strings.0, |call, item| {
        let mut read = 0;
        // SAFETY: the room is as long as is said; what does not fit is left out.
        unsafe {
            let (room, size) = (units.as_mut_ptr(), units.len());
            sys::napi_get_value_string_utf16(call.env, item, room, size, &raw mut read);
        }
    });
    let length = length as usize;
    if units.len() < length {
        units.resize(length, u16::from(b'a'));
    }
    if let Some(first) = units.first_mut() {
        *first = 0x2014;
    }
    let mut made = null_mut();
    // SAFETY: there are at least `length` units.
    unsafe {
        let (room, size) = (units.as_ptr(), length.cast_signed());
        sys::napi_create_string_utf16(call.env, room, size, &raw mut made);
    }
    Ok(Passed(made))
}

/// Fetches what holds the sources of a Gemini or OpenAI response; says how many values that were.
#[napi(ts_args_type = "response: object", ts_return_type = "number")]
pub fn carry_object(env: &napi::Env, response: Passed) -> napi::Result<u32> {
    let mut call = Call::enter(env.raw())?;
    let candidates = call.get(response.0, Key::Candidates);
    let is_gemini = call.each(candidates, |call, candidate| {
        call.get(candidate, Key::Index);
        let grounding = call.get(candidate, Key::GroundingMetadata);
        let chunks = call.get(grounding, Key::GroundingChunks);
        call.each(chunks, |call, chunk| {
            let web = call.get(chunk, Key::Web);
            call.get(web, Key::Uri);
            call.get(web, Key::Title);
        });
        for key in [
            Key::CitationMetadata,
            Key::CitationMetadataSnake,
            Key::UrlContextMetadata,
            Key::UrlContextMetadataSnake,
        ] {
            call.get(candidate, key);
        }
    });
    if is_gemini {
        return Ok(call.count);
    }
    let output = call.get(response.0, Key::Output);
    call.each(output, |call, item| {
        let content = call.get(item, Key::Content);
        call.each(content, |call, part| {
            let annotations = call.get(part, Key::Annotations);
            call.each(annotations, |call, annotation| {
                call.get(annotation, Key::Url);
                call.get(annotation, Key::Title);
            });
        });
    });
    // Once more, as ours does to know that there are none.
    call.get(response.0, Key::Candidates);
    Ok(call.count)
}

//! An export that panics, to prove that the fence holds. Only built for that test.
#![expect(clippy::panic, clippy::missing_panics_doc, reason = "that is what it is for")]

use super::node_api::{Passed, Scope};
use napi::Env;
use napi_derive::napi;

/// Panics with the given text in hand, in the middle of a call.
#[napi(catch_unwind, ts_args_type = "text: string", ts_return_type = "never")]
pub fn panic_while_reading(env: &Env, text: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let text = scope.take(text);
    text.with_text(|words| -> Passed { panic!("panicked over {words}") });
    Ok(text.into())
}

/// Panics and hands nothing over but a value that is no text.
#[napi(catch_unwind, ts_return_type = "never")]
pub fn panic_without_words(env: &Env) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    scope.written(|_| std::panic::panic_any(7_u8));
    Ok(scope.undefined().into())
}

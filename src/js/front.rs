//! What hosts call in place of exports that are called often.
//!
//! In: the arguments, and what of them was fetched before the call. Out: what the export gives. Promise: nobody can tell
//! but by the clock. A front passes its arguments on until it is opened; from then on they are fetched before the call
//! and not from inside of it, which would cost another call each way, and the glue between is left out.

use super::carry::keep_ahead;
use super::errand::Written;
use super::markers::{MarkerStream, Streaming};
use super::node_api::{Handle, Passed, Scope};
use super::numbered::Number;
use super::options::Chosen;
use super::turn::{CitationTurn, Held};
use super::{block_of, block_of_payload};
use crate::input::plan::Plan;
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;
use std::any::Any;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What stands behind a front.
pub(super) trait Fronted {
    /// Its place among the fronts.
    const PLACE: u8;
    /// What is found out before the call.
    const ASKS: Asks;

    /// Does what the export does.
    fn run(scope: &Scope<'_>, called: Called) -> napi::Result<Passed>;
}

/// What a front finds out before it crosses the border.
#[derive(Clone, Copy)]
pub(super) enum Asks {
    Nothing,
    /// What the options say.
    Options,
    /// The same, and what this plan asks of the input.
    Input(Plan),
}

/// How an export with a front was called.
#[derive(Clone, Copy)]
pub(super) struct Called {
    pub(super) input: Passed,
    pub(super) options: Passed,
    /// The text of what was fetched of the input, if anything was.
    pub(super) text: Passed,
}

/// An export with a front.
struct Front {
    /// Where it is found, if it is a method: the names on the way to its class.
    class: &'static [&'static str],
    name: &'static str,
    /// What it takes.
    parameters: &'static str,
    /// The same as input and options.
    passed: &'static str,
}

/// All of them, by their places.
const FRONTS: [Front; 7] = [
    front(&[], "renderCitations", "input,options", "input,options"),
    method("reset", "", ""),
    method("push", "input", "input"),
    method("pushBytes", "input", "input"),
    method("render", "options", "undefined,options"),
    front(&["markers", "MarkerStream"], "push", "input", "input"),
    front(&[], "renderCitationBlock", "input,options", "input,options"),
];

/// A class. Without a front, engines let it be called as a function, and make whatever it is called on an instance.
struct ClassFront {
    /// The names on the way to it.
    path: &'static [&'static str],
    name: &'static str,
    /// What gives instances, where `new` does not.
    given_by: Option<&'static str>,
}

/// All classes.
const CLASSES: [ClassFront; 4] = [
    ClassFront { path: &[], name: "CitationService", given_by: None },
    ClassFront {
        path: &[],
        name: "CitationTurn",
        given_by: Some("startTurn of a CitationService"),
    },
    ClassFront { path: &[], name: "BuiltInExtractor", given_by: Some("getDefaultExtractors") },
    ClassFront { path: &["markers"], name: "MarkerStream", given_by: None },
];

const fn front(
    class: &'static [&'static str],
    name: &'static str,
    parameters: &'static str,
    passed: &'static str,
) -> Front {
    Front { class, name, parameters, passed }
}

const fn method(name: &'static str, parameters: &'static str, passed: &'static str) -> Front {
    front(&["CitationTurn"], name, parameters, passed)
}

/// Puts fronts before exports when the addon is loaded. Without, the exports do the same, so nothing that goes wrong
/// here is an error. Fenced here, since the glue knows no `catch_unwind` for what runs then.
#[napi(module_exports)]
pub fn put_fronts(exports: Object, env: Env) {
    // There nothing can be fetched before a call.
    if cfg!(target_family = "wasm") {
        return;
    }
    let exports = Passed::from(exports);
    let put = move || Scope::enter(&env).ok().and_then(|scope| put(&scope, scope.take(exports)));
    let _ = catch_unwind(AssertUnwindSafe(put));
}

fn put(scope: &Scope<'_>, exports: Handle<'_>) -> Option<()> {
    let mut natives = Vec::new();
    for Front { class, name, .. } in &FRONTS {
        let path = class.iter().chain(class.first().map(|_| &"prototype"));
        let holder = path.copied().try_fold(exports, Handle::property_named)?;
        natives.push((holder, scope.string(name)?, holder.property_named(name)?));
    }
    let list: Vec<_> = natives.iter().map(|(_, _, native)| *native).collect();
    let made = scope.undefined().call_with(scope.run(&script())?, &[scope.list(&list)?.raw])?;
    put_classes(scope, exports, made.any_item(FRONTS.len() + 1)?)?;
    scope.keep_fronts(made.any_item(0)?)?;
    for (index, (holder, name, _)) in natives.iter().enumerate() {
        let front = made.any_item(index + 1).filter(|front| front.is_function())?;
        holder.define_named(name.raw, front)?;
    }
    Some(())
}

fn put_classes(scope: &Scope<'_>, exports: Handle<'_>, front: Handle<'_>) -> Option<()> {
    for ClassFront { path, name, given_by } in &CLASSES {
        let holder = path.iter().copied().try_fold(exports, Handle::property_named)?;
        let class = holder.property_named(name)?;
        let name = scope.string(name)?;
        let refusal = scope.string(given_by.unwrap_or_default())?;
        let made = scope.undefined().call_with(front, &[class.raw, name.raw, refusal.raw])?;
        holder.define_named(name.raw, made)?;
    }
    Some(())
}

/// A function that takes the exports and gives what opens a front, behind it the fronts, and last what makes one for a
/// class. Straight code for each: engines make a call faster where only one function is ever called.
fn script() -> String {
    let (mut ways, mut cases, mut fronts) = (String::new(), String::new(), String::new());
    for (place, Front { class, name, parameters, passed }) in FRONTS.iter().enumerate() {
        let on = if class.is_empty() { "null" } else { "this" };
        let _ = write!(
            ways,
            "let way{place}=(self,input,options)=>apply(natives[{place}],self,[{parameters}]);"
        );
        let _ = write!(cases, "case {place}:way{place}=short(way{place});break;");
        let _ = write!(
            fronts,
            ",({{{name}({parameters}){{return way{place}({on},{passed})}}}}).{name}"
        );
    }
    // Strict: a host must not see its callers. Methods of literals are no constructors. An engine reads a function only
    // once if it stands in brackets, for then it expects that it is called.
    format!(
        "(function(natives){{'use strict';const{{apply}}=Reflect;{ways}return[(place,short)=>{{switch(place){{{cases}}}}}{fronts},{CLASS_FRONT}]}})"
    )
}

/// Makes the front of a class, which its instances then name as theirs too.
const CLASS_FRONT: &str = "(of,name,givenBy)=>{\
    const refuse=what=>()=>{throw new TypeError(what)},\
    traps={__proto__:null,apply:refuse(`Class constructor ${name} cannot be invoked without 'new'`)};\
    if(givenBy)traps.construct=refuse(`${name} has no constructor: ${givenBy} gives one`);\
    const value=new Proxy(of,traps);\
    Object.defineProperty(of.prototype,'constructor',{__proto__:null,value});\
    return value}";

/// What was fetched of the input before the call, and the input.
fn input<'s>(scope: &'s Scope<'_>, called: Called) -> (Handle<'s>, Option<Written<'s>>) {
    match scope.carried_before(called.text) {
        Some(written) => (scope.take_object(called.input), Some(written)),
        None => (scope.take(called.input), None),
    }
}

/// The input, with what was fetched of it by this plan kept for whoever asks.
fn input_ahead<'s>(scope: &'s Scope<'_>, called: Called, plan: Plan) -> Handle<'s> {
    let (input, written) = input(scope, called);
    if let Some(written) = written {
        keep_ahead(input, plan, written);
    }
    input
}

/// Lets fronts know an instance and its insides, once one of them is open.
pub(super) fn know<T: Any>(object: Handle<'_>, insides: &Rc<T>, known: &Number) {
    if known.get().is_none()
        && let Some(numbered) = object.scope.numbered()
        && let Some(number) = numbered.add(insides)
    {
        match object.scope.give_number(object, number) {
            Some(()) => known.set(number, numbered),
            None => numbered.remove(number),
        }
    }
}

/// The turn that a front was called on.
fn turn(scope: &Scope<'_>) -> napi::Result<Rc<Held>> {
    scope.called_on::<CitationTurn, Held>()
}

/// `renderCitations`.
pub(super) struct Rendering;

impl Fronted for Rendering {
    const PLACE: u8 = 0;
    const ASKS: Asks = Asks::Input(Plan::ShownAnswer);

    fn run(scope: &Scope<'_>, called: Called) -> napi::Result<Passed> {
        let input = input_ahead(scope, called, Plan::ShownAnswer);
        block_of(scope, input, Chosen::before(scope, called.options)?)
    }
}

/// `CitationTurn.reset`.
pub(super) struct Resetting;

impl Fronted for Resetting {
    const PLACE: u8 = 1;
    const ASKS: Asks = Asks::Nothing;

    fn run(scope: &Scope<'_>, _: Called) -> napi::Result<Passed> {
        turn(scope)?.reset(scope);
        Ok(Passed::NOTHING)
    }
}

/// `CitationTurn.push`.
pub(super) struct Pushing;

impl Fronted for Pushing {
    const PLACE: u8 = 2;
    const ASKS: Asks = Asks::Input(Plan::Answer);

    fn run(scope: &Scope<'_>, called: Called) -> napi::Result<Passed> {
        let (event, written) = input(scope, called);
        turn(scope)?.push(event, written);
        Ok(Passed::NOTHING)
    }
}

/// `CitationTurn.pushBytes`.
pub(super) struct PushingBytes;

impl Fronted for PushingBytes {
    const PLACE: u8 = 3;
    const ASKS: Asks = Asks::Nothing;

    fn run(scope: &Scope<'_>, called: Called) -> napi::Result<Passed> {
        turn(scope)?.push_bytes(scope.take(called.input))?;
        Ok(Passed::NOTHING)
    }
}

/// `CitationTurn.render`.
pub(super) struct RenderingTurn;

impl Fronted for RenderingTurn {
    const PLACE: u8 = 4;
    const ASKS: Asks = Asks::Options;

    fn run(scope: &Scope<'_>, called: Called) -> napi::Result<Passed> {
        turn(scope)?.render(scope, Chosen::before(scope, called.options)?)
    }
}

/// `MarkerStream.push`.
pub(super) struct PushingText;

impl Fronted for PushingText {
    const PLACE: u8 = 5;
    const ASKS: Asks = Asks::Nothing;

    fn run(scope: &Scope<'_>, called: Called) -> napi::Result<Passed> {
        let stream = scope.called_on::<MarkerStream, Streaming>()?;
        stream.push(scope, scope.take(called.input))
    }
}

/// `renderCitationBlock`.
pub(super) struct RenderingPayload;

impl Fronted for RenderingPayload {
    const PLACE: u8 = 6;
    const ASKS: Asks = Asks::Input(Plan::Payload);

    fn run(scope: &Scope<'_>, called: Called) -> napi::Result<Passed> {
        let payload = input_ahead(scope, called, Plan::Payload);
        block_of_payload(scope, payload, Chosen::before(scope, called.options)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_stand_where_their_places_say() {
        let places = [
            (Rendering::PLACE, "renderCitations"),
            (Resetting::PLACE, "reset"),
            (Pushing::PLACE, "push"),
            (PushingBytes::PLACE, "pushBytes"),
            (RenderingTurn::PLACE, "render"),
            (PushingText::PLACE, "push"),
            (RenderingPayload::PLACE, "renderCitationBlock"),
        ];
        for (place, name) in places {
            assert_eq!(FRONTS[usize::from(place)].name, name);
        }
    }
}

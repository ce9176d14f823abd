//! An answer with its references, as applications store it.

use super::names::{Name, camel};
use super::node_api::{Passed, Scope};
use super::turn::word;
use super::write::{self, Object};
use super::{give, listed_sources};
use crate::anchor::{Reference, references};
use crate::clean;
use crate::input::Key;
use crate::model::Source;
use crate::render;
use napi::Env;
use napi_derive::napi;
use std::collections::HashSet;

/// Finds the markers of an answer and says which sources they point at, in the form applications store
/// with a message. Sources without an id are given one, from `streamId`. A marker that names no source
/// is listed in `unresolved`, never invented.
///
/// @throws `TypeError` when `streamId` or `text` is no string.
///
/// @example
/// ```ts
/// buildCitationData('stream-1', 'Tokio is a runtime [1].', turn.finish().sources)
/// // { sources: [{ id: 'req-1-0', type: 'web', … }],
/// //   references: [{ id: 'stream-1-ref-0', index: 1, startIndex: 19, endIndex: 22, citedText: '[1]', sourceIds: ['req-1-0'] }],
/// //   unresolved: [] }
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "streamId: string, text: string, sources: StoredSources",
    ts_return_type = "StoredCitationData"
)]
pub fn build_citation_data(
    env: &Env,
    stream_id: Passed,
    text: Passed,
    sources: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let stream = word(&scope, "streamId", scope.take(stream_id))?;
    let text = word(&scope, "text", scope.take(text))?;
    let mut sources = listed_sources(scope.take(sources));
    name(&mut sources, &stream);
    sources.iter_mut().for_each(clean::source);
    let found = references(&text, &sources);
    let mut object = Object::new(&scope);
    object.set(camel(Key::Sources), write::stored_sources(&scope, &sources));
    let resolved: Vec<_> = found.iter().filter(|one| !one.numbers.is_empty()).collect();
    let resolved: Vec<_> = resolved.into_iter().enumerate().collect();
    let list = scope.array(&resolved, |(index, one)| {
        let id = format!("{stream}-ref-{index}");
        write_reference(&scope, one, &id, &sources)
    });
    object.set(Name::References.place(), list);
    let dangling: Vec<_> = found.iter().filter(|one| !one.unknown.is_empty()).collect();
    object.set(Name::Unresolved.place(), scope.array(&dangling, |one| write_lost(&scope, one)));
    Ok(give(&scope, object.finish()))
}

/// Gives an id to those that have none, and another to those whose id somebody before them has.
fn name(sources: &mut [Source<'static>], stream: &str) {
    let mut taken = HashSet::new();
    for source in sources.iter_mut() {
        let id = &mut source.finding.get_or_insert_default().origin.id;
        id.take_if(|id| !taken.insert(id.clone()));
    }
    for (index, source) in sources.iter_mut().enumerate() {
        let id = &mut source.finding.get_or_insert_default().origin.id;
        if id.is_none() {
            let mut new = format!("{stream}-{index}");
            while !taken.insert(new.clone().into()) {
                new.push('x');
            }
            *id = Some(new.into());
        }
    }
}

fn write_place(object: &mut Object<'_>, reference: &Reference) {
    object.count(camel(Key::StartIndex), reference.start);
    object.count(camel(Key::EndIndex), reference.end);
    object.text(Key::CitedText, Some(&reference.text));
}

fn write_reference(
    scope: &Scope<'_>,
    reference: &Reference,
    id: &str,
    sources: &[Source<'_>],
) -> Option<Passed> {
    let mut object = Object::new(scope);
    object.text(Key::Id, Some(id));
    object.count(camel(Key::Index), reference.numbers.first().copied().unwrap_or_default());
    write_place(&mut object, reference);
    let id_of = |number: &usize| {
        let source = number.checked_sub(1).and_then(|index| sources.get(index))?;
        source.finding.as_ref()?.origin.id.clone()
    };
    let ids: Vec<_> = reference.numbers.iter().filter_map(id_of).collect();
    let ids = scope.array(&ids, |id| scope.string(id).map(Passed::from));
    object.set(Name::SourceIds.place(), ids);
    object.finish().map(Passed::from)
}

fn write_lost(scope: &Scope<'_>, reference: &Reference) -> Option<Passed> {
    let mut object = Object::new(scope);
    write_place(&mut object, reference);
    let names = scope.array(&reference.unknown, |name| scope.string(name).map(Passed::from));
    object.set(Name::Names.place(), names);
    object.finish().map(Passed::from)
}

/// Rules for a model that is to cite: how a citation is written and when. For a system prompt, together
/// with `formatSourcesForPrompt`.
#[napi(catch_unwind, ts_return_type = "string")]
pub fn get_citation_guidelines() -> &'static str {
    render::GUIDELINES
}

/// The sources as a model reads them, one line each; the numbers are those it must cite by. Text of a
/// source never leaves its line.
///
/// @example
/// ```ts
/// formatSourcesForPrompt(turn.finish().sources)
/// // [1] example.com: Page Title - "snippet…"
/// // [2] file.pdf: Document (page 5) - "…"
/// ```
#[napi(catch_unwind, ts_args_type = "sources: StoredSources", ts_return_type = "string")]
pub fn format_sources_for_prompt(env: &Env, sources: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let sources = listed_sources(scope.take(sources));
    let text = render::sources_for_prompt(&render::number(&sources, &[]));
    Ok(give(&scope, scope.string(&text)))
}

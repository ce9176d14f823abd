//! Sources in the form of Open WebUI. The namespace `openWebui`.

pub mod exchange;
mod live;

use super::give;
use super::given::Given;
use super::names::{Name, camel};
use super::node_api::{Handle, Passed, Scope};
use super::options::shown;
use super::turn::word;
use super::write::Object;
use crate::input::Key;
use crate::model::is_blank;
use crate::openwebui::{
    DEFAULT_TEMPLATE, Listed, Passage, fill_template, has_context, is_named, list, replace_markers,
    source_context,
};
use live::{adopted, copy, live, live_event, sources, stored};
use napi::Env;
use napi_derive::napi;

/// The context for a model: `<source id="1" name="…">…</source>` and a line break for each document.
///
/// Documents are numbered by what they belong to: the `source` of their metadata, else the `id` of their
/// source, else `N/A`; the first gets 1. A document that has neither of these nor a name gets a tag without
/// an `id`, and so is never cited: no list could show it. Sources of ours are numbered by their places.
///
/// A name is escaped as in HTML and cut at 300 characters. In a document only the `<` of what could be read
/// as a `source`, `context` or `user_query` tag becomes `&lt;`, however that tag is spelled; the rest stays as
/// it is, for code and mark-up are worth more to a model that way. Control characters, invisible and
/// bidirectional ones are removed, line breaks and tabs stay.
///
/// @example
/// ```ts
/// openWebui.buildSourceContext([
///   { source: { id: 'f1', name: 'notes.md' }, document: ['Tokio is a runtime.'], metadata: [{ source: 'notes.md' }] },
/// ])
/// // <source id="1" name="notes.md">Tokio is a runtime.</source>
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_args_type = "sources: OpenWebuiInput",
    ts_return_type = "string"
)]
pub fn build_source_context(env: &Env, sources: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let found = self::sources(&scope, scope.take(sources));
    let context = found.map(|found| source_context(Given::Live(found))).unwrap_or_default();
    Ok(give(&scope, scope.string(&context)))
}

/// The prompt with context and query in their places: `{{CONTEXT}}` or `[context]`, `{{QUERY}}` or `[query]`,
/// each as often as it stands there. What is put in is not looked at again, whatever it holds.
///
/// Without a template, or with a blank one, ours is taken: it asks for `[id]` behind what rests on a source,
/// only when the `<source>` tag has an `id`. A template need not have a place for the query, which may be
/// sent on its own; one without a place for the context would lose every source, and is refused.
///
/// @throws `TypeError` when `context` or `query` is no string, or `template` has no place for the context.
///
/// @example
/// ```ts
/// openWebui.ragTemplate(openWebui.buildSourceContext(sources), 'What is Tokio?')
/// openWebui.ragTemplate(context, query, 'Context: [context] Query: [query]')
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_args_type = "context: string, query: string, template?: string | null",
    ts_return_type = "string"
)]
pub fn rag_template(
    env: &Env,
    context: Passed,
    query: Passed,
    template: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let context = word(&scope, "context", scope.take(context))?;
    let query = word(&scope, "query", scope.take(query))?;
    let given = scope.take(template);
    let mut template = String::new();
    if !given.is_nothing() {
        template = word(&scope, "template", given)?;
    }
    let template = if is_blank(&template) { DEFAULT_TEMPLATE } else { &template };
    if !has_context(template) {
        let value = shown(given);
        let message = format!("template must hold {{{{CONTEXT}}}} or [context], got {value}");
        return Err(scope.type_error(&message));
    }
    Ok(give(&scope, scope.string(&fill_template(template, &context, &query))))
}

/// The frame that tells a client of its sources, to be written into the response before the first words of
/// the answer: `data: {"sources":[…]}` and a blank line. Only sources that have a name or an id, or whose
/// documents have one, are sent; none: `''`.
///
/// @example
/// ```ts
/// response.write(openWebui.sourceEvents(turn.finish()))
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_args_type = "payload: OpenWebuiInput",
    ts_return_type = "string"
)]
pub fn source_events(env: &Env, payload: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let mut sent = Vec::new();
    if let Some(found) = sources(&scope, scope.take(payload)) {
        found.each(|_, source| {
            if is_named(Given::Live(source)) {
                sent.push(exchange::json(source));
            }
        });
    }
    let mut frame = String::new();
    if !sent.is_empty() {
        frame = format!("data: {{\"sources\":[{}]}}\n\n", sent.join(","));
    }
    Ok(give(&scope, scope.string(&frame)))
}

/// The message with the sources of an event behind those it has.
///
/// Takes `{ type: 'source' | 'citation', data }`, frames `{ sources }` and `{ citations }`, `chat:completion`
/// events that hold one, and each of them as JSON or as a `data:` line. `citations` of older messages become
/// `sources`. The message is not changed: what comes back is a copy with the same values in all other
/// fields. An event that brings no source (also one of a code execution, which Open WebUI sends under the same
/// type) gives back the very message.
///
/// @example
/// ```ts
/// message = openWebui.mergeSourceEvent(message, { type: 'source', data: source })
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_generic_types = "Message extends object",
    ts_args_type = "message: Message, event: unknown",
    ts_return_type = "Message & { sources?: OpenWebuiSource[] }"
)]
pub fn merge_source_event(env: &Env, message: Passed, event: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let given = scope.take(message);
    let base = live(&scope, given).filter(|base| !base.is_array());
    let found = live_event(&scope, scope.take(event)).and_then(|event| brought(&scope, event));
    let Some(found) = found else { return Ok(base.unwrap_or(given).into()) };
    let kept = base.and_then(stored);
    let merged = scope.joined(&kept.into_iter().chain([found]).collect::<Vec<_>>());
    let made = copy(&scope, base).zip(merged).and_then(|(copy, merged)| {
        copy.define(camel(Key::Sources), merged)?;
        Some(copy)
    });
    Ok(made.unwrap_or(given).into())
}

/// The sources an event brings.
fn brought<'s>(scope: &'s Scope<'s>, event: Handle<'s>) -> Option<Handle<'s>> {
    let kind = |event: Handle<'s>| event.property(camel(Key::Type)).and_then(Handle::text);
    let inside =
        |event: Handle<'s>| event.property(camel(Key::Data)).filter(|data| data.is_object());
    // Over the socket it comes with the ids of chat and message around it.
    let around = kind(event).is_none().then(|| inside(event)).flatten();
    let event = around.filter(|inner| kind(*inner).is_some()).unwrap_or(event);
    let list = match (kind(event).as_deref(), inside(event)) {
        (Some("source" | "citation"), Some(data)) if data.is_array() => Some(data),
        (Some("source" | "citation"), Some(data)) => Some(data)
            .filter(|data| kind(*data).as_deref() != Some("code_execution"))
            .and_then(|data| scope.list(&[data])),
        (Some("chat:completion"), Some(data)) => stored(data),
        (None, _) => stored(event),
        _ => None,
    };
    adopted(scope, list?).filter(|found| found.length().is_some_and(|length| length > 0))
}

/// The sources a message keeps: its `sources`, or the `citations` of older releases. The very list, or `[]`.
///
/// @example
/// ```ts
/// openWebui.readMessageSources({ citations: [source] })   // [source]
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_args_type = "message: OpenWebuiInput",
    ts_return_type = "OpenWebuiSource[]"
)]
pub fn read_message_sources(env: &Env, message: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let kept = live(&scope, scope.take(message)).and_then(stored);
    Ok(give(&scope, kept.or_else(|| scope.list(&[]))))
}

/// The answer with `<source_id data="n" title="…" />` for each `[n]`, in one pass: what a name holds is
/// never replaced. Names are strings, or entries of `listSources`; those that are blank become `N/A`.
///
/// Code, links and HTML stay as they are, and so do numbers without a name, footnotes (`[^1]`) and raised
/// numbers. `[1, 2]` and `[1-3]` become one element for each number.
///
/// @throws `TypeError` when `text` is no string.
///
/// @example
/// ```ts
/// openWebui.replaceSourceMarkers('A runtime [1].', openWebui.listSources(message))
/// // 'A runtime <source_id data="1" title="notes.md" />.'
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_args_type = "text: string, names: ReadonlyArray<string | { name?: string | null } | null | undefined>",
    ts_return_type = "string"
)]
pub fn replace_source_markers(env: &Env, text: Passed, names: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let text = word(&scope, "text", scope.take(text))?;
    let mut list = Vec::new();
    if let Some(given) = live(&scope, scope.take(names)) {
        let length = given.length().unwrap_or_default().min(crate::input::said::MOST_PLACES);
        list.resize(length, None);
        given.each(|index, name| {
            let held = || name.property(camel(Key::Name)).and_then(Handle::text);
            if let Some(place) = list.get_mut(index) {
                *place = name.text().or_else(held);
            }
        });
    }
    Ok(give(&scope, scope.string(&replace_markers(&text, &list))))
}

/// The list below a message: every source once, under the number that `buildSourceContext` gives it and
/// `[n]` names, with all its documents, in the order they came in.
///
/// `page` counts from 1, as readers do; the `page` of metadata counts from 0. `score` is the distance as the
/// search said it. `metadata` is the very object of the message; `notShown` names what of it appears nowhere
/// in the list. Documents that nobody can name have no number and are left out.
///
/// @example
/// ```ts
/// openWebui.listSources(message)
/// // [{ number: 1, id: 'notes.md', name: 'notes.md',
/// //    documents: [{ text: 'Tokio is …', page: 3, score: 0.91, metadata: { … }, notShown: ['hash'] }] }]
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_args_type = "message: OpenWebuiInput",
    ts_return_type = "OpenWebuiListedSource[]"
)]
pub fn list_sources(env: &Env, message: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let found = sources(&scope, scope.take(message));
    let listing = found.map(|found| list(Given::Live(found))).unwrap_or_default();
    let entries: Vec<_> = (1..).zip(&listing.entries).collect();
    let made = scope.array(&entries, |(number, entry)| {
        write_entry(&scope, found?, *number, entry).map(Into::into)
    });
    Ok(give(&scope, made))
}

fn write_entry<'s>(
    scope: &'s Scope<'s>,
    found: Handle<'s>,
    number: usize,
    entry: &Listed,
) -> Option<Handle<'s>> {
    let mut object = Object::new(scope);
    object.count(Name::Number.place(), number);
    object.text(Key::Id, Some(&entry.id));
    object.text(Key::Name, Some(&entry.name));
    object.text(Key::Url, entry.url.as_deref());
    let documents =
        scope.array(&entry.documents, |one| write_passage(scope, found, one).map(Into::into));
    object.set(Name::Documents.place(), documents);
    object.finish()
}

fn write_passage<'s>(
    scope: &'s Scope<'s>,
    found: Handle<'s>,
    passage: &Passage,
) -> Option<Handle<'s>> {
    let mut object = Object::new(scope);
    object.text(Key::Text, Some(&passage.text));
    if let Some(page) = passage.page.and_then(|page| usize::try_from(page).ok()) {
        object.count(camel(Key::Page), page);
    }
    object.set(Name::Score.place(), passage.score.and_then(|score| scope.number(score)));
    let (source, place) = passage.at;
    let metadata = found.item(source).and_then(|source| source.property(camel(Key::Metadata)));
    let metadata =
        metadata.and_then(|all| if all.is_array() { all.item(place) } else { Some(all) });
    object.set(camel(Key::Metadata), metadata.or_else(|| scope.object(&[])));
    let names = scope.array(&passage.not_shown, |name| scope.string(name).map(Into::into));
    object.set(Name::NotShown.place(), names);
    object.finish()
}

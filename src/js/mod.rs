//! The JavaScript face: convert, call the engine, convert back.
//!
//! The only room that names napi. Payloads of providers are read by `given`, our own options by
//! `options`; both cross the border through `node_api`. Every export is fenced against panics.

pub mod anthropic;
mod carry;
mod errand;
pub mod front;
mod given;
pub mod grounding;
mod handle;
mod kept;
pub mod markers;
mod names;
mod node_api;
mod numbered;
pub mod openwebui;
mod options;
mod packed;
pub mod page;
#[cfg(feature = "panic-test")]
pub mod panicking;
pub mod quotes;
mod scope;
pub mod service;
mod settings;
mod sheet;
pub mod stored;
mod terminal;
pub mod tools;
pub mod turn;
mod unread;
mod utf16;
mod write;

use crate::dedupe::without;
use crate::input::plan::Plan;
use crate::input::{Detail, Shape, payload, shape_of};
use crate::model::{Payload, Source};
use crate::turn::{Turn, extract_shown, listed, read_listed, response_shape};
use crate::{anchor, clean, render};
use given::{Given, open, open_answer, open_as, open_for, open_stream};
use names::Name;
use napi::Env;
use napi_derive::napi;
pub use node_api::Passed;
use node_api::{Handle, Scope};
use options::{Chosen, shown_sources};
use std::borrow::Borrow;
use write::Object;

/// Gives a value back, or `undefined` where the engine had no memory left for it.
fn give<'s>(scope: &'s Scope<'s>, made: Option<Handle<'s>>) -> Passed {
    made.unwrap_or_else(|| scope.undefined()).into()
}

/// A turn that has heard of nothing but the sources that `input` holds in the given shape.
fn extracted(input: Handle<'_>, shape: Shape) -> Turn {
    let mut turn = Turn::for_sources();
    match shape {
        // What tools said of a source in names of their own stays with it.
        Shape::Payload => open_for(input, Detail::Whole, |given| turn.push_shape(given, shape)),
        _ => open_answer(input, Detail::Sources, |given| turn.push_shape(given, shape))
            .or_else(|| open_stream(input, |body| turn.push_stream(body, shape))),
    };
    turn
}

/// The sources of a payload, of stored data or of a list, one for each place, so that numbers hold.
fn listed_sources(input: Handle<'_>) -> Vec<Source<'static>> {
    let read = open_for(input, Detail::Whole, |given| payload::read_list(given));
    let mut sources: Vec<_> = read.unwrap_or_default();
    sources.iter_mut().for_each(clean::source);
    sources
}

/// A payload with its spans, its excerpts cut at `excerpt` characters.
fn read_payload(input: Handle<'_>, excerpt: usize) -> Payload {
    let read = open_for(input, Detail::Whole, |given| payload::read_payload(given));
    let mut payload = read.unwrap_or_default();
    payload.sources.iter_mut().for_each(|source| clean::source_within(source, excerpt));
    payload
}

/// The numbers a payload says are cited, ascending.
fn cited(input: Handle<'_>) -> Vec<usize> {
    let read = |given: Given<'_>| payload::read_cited_numbers(given);
    open_as(input, Plan::Payload, Detail::Whole, read).unwrap_or_default()
}

/// Lends the sources of a payload that a block lists to `show`, under their numbers. It must not call JavaScript.
fn with_listed<T>(
    payload: Handle<'_>,
    chosen: Chosen<'_>,
    show: impl FnOnce(&[render::Numbered<'_, '_>]) -> T,
) -> napi::Result<Option<T>> {
    let inline = chosen.flag(Name::ShowInlineSources, false)?;
    let cited = cited(payload);
    Ok(open_as(payload, Plan::Payload, Detail::Sources, |given| {
        let sources = read_listed(given);
        show(&numbered(&sources, &cited, inline))
    }))
}

/// Sources under their numbers, without those that tools have listed themselves unless these are wanted.
fn numbered<'s, 'a: 's>(
    sources: &'s [impl Borrow<Source<'a>>],
    cited: &[usize],
    inline: bool,
) -> Vec<render::Numbered<'s, 'a>> {
    let mut list = render::number(sources, cited);
    list.retain(|entry| inline || !entry.source.is_shown_inline());
    list
}

/// The same as JavaScript sees them.
fn extract(scope: &Scope<'_>, input: Passed, shape: Shape) -> Passed {
    let turn = extracted(scope.take(input), shape);
    give(scope, write::sources(scope, &turn.sources()))
}

/// The sources of a Gemini or Vertex response, in the order of its grounding chunks.
///
/// Takes a `GenerateContentResponse`, a list of streamed ones, a candidate, its
/// `groundingMetadata`, or LLxprt's neutral `GroundingInfo`. Anything else gives `[]`.
///
/// @example
/// ```ts
/// const response = await ai.models.generateContent({ model, contents, config: { tools: [{ googleSearch: {} }] } })
/// extractGeminiCitations(response)
/// // [{ title: 'History of Rust', url: 'https://…', provider: 'gemini', location: { type: 'grounding', groundingChunkIndex: 0 } }]
/// ```
#[napi(catch_unwind, ts_args_type = "input: ProviderInput", ts_return_type = "CitationSource[]")]
pub fn extract_gemini_citations(env: &Env, input: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    Ok(extract(&scope, input, Shape::Gemini))
}

/// The sources of an OpenAI Responses answer, one per annotation, in the order of the text.
///
/// Takes a `Response`, an output item, a content part, a list of annotations, or a stream event
/// that holds one of these. Anything else gives `[]`.
///
/// @example
/// ```ts
/// const response = await openai.responses.create({ model, input, tools: [{ type: 'web_search' }] })
/// extractOpenAIResponsesCitations(response)
/// // [{ title: 'Node.js Releases', url: 'https://…', provider: 'openai-responses', location: { type: 'url_citation', startIndex: 40, endIndex: 95 } }]
/// ```
#[napi(
    catch_unwind,
    js_name = "extractOpenAIResponsesCitations",
    ts_args_type = "input: ProviderInput",
    ts_return_type = "CitationSource[]"
)]
pub fn extract_openai_responses_citations(env: &Env, input: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    Ok(extract(&scope, input, Shape::OpenAi))
}

/// The sources of an Anthropic message, one per citation, in the order of the text.
///
/// Dormant unless `documents` is true: then a `Message`, content blocks, citations or stream
/// events are read, with all five kinds of location. Anything else gives `[]`. With the `request`, documents
/// whose citations come without a title are called what they are called there.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```ts
/// extractAnthropicCitations(message)                       // []
/// extractAnthropicCitations(message, { documents: true })
/// // [{ title: 'My Document', citedText: 'The grass is green. ', provider: 'anthropic', location: { type: 'char_location', … } }]
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "input: ProviderInput, options?: ExtractAnthropicOptions",
    ts_return_type = "CitationSource[]"
)]
pub fn extract_anthropic_citations(
    env: &Env,
    input: Passed,
    options: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let chosen = Chosen::from(&scope, scope.take(options))?;
    if !chosen.flag(Name::Documents, false)? {
        return Ok(give(&scope, scope.list(&[])));
    }
    let request = chosen.get(Name::Request).map(anthropic::request).unwrap_or_default();
    let mut turn = extracted(scope.take(input), Shape::Anthropic);
    turn.set_request(request);
    Ok(give(&scope, write::sources(&scope, &turn.sources())))
}

/// Cleans one source: text that cannot steer a terminal, at most 200 characters of excerpt, an
/// http or https address or none. A source whose address is refused keeps its place and its name.
///
/// @example
/// ```ts
/// sanitizeCitationSource({ title: 'a\u001b[31mb', url: 'javascript:alert(1)' })
/// // { title: 'a[31mb', uri: 'javascript:alert(1)' }
/// ```
#[napi(catch_unwind, ts_args_type = "source: CitationSource", ts_return_type = "CitationSource")]
pub fn sanitize_citation_source(env: &Env, source: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let source = open(scope.take(source), |given| payload::read_source(given).into_owned());
    let mut source = source.unwrap_or_default();
    clean::source(&mut source);
    Ok(give(&scope, write::source(&scope, &source)))
}

/// Lists every source once, in the order of first appearance, without what was shown already.
///
/// Pages are matched by address (case of the host, default port, trailing slash and
/// `utm_source=openai` do not count), passages of documents by document and place. What a repeat
/// adds stays in `also`.
///
/// @example
/// ```ts
/// dedupeCitations([{ url: 'https://a.example/x' }, { url: 'https://A.example/x/' }])   // one source
/// dedupeCitations(sources, toolResult)           // without what google_web_search has listed itself
/// dedupeCitations(sources, ['https://a.example/x'])
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "sources: ReadonlyArray<CitationSource> | string | Uint8Array, alreadyShown?: AlreadyShown",
    ts_return_type = "CitationSource[]"
)]
pub fn dedupe_citations(env: &Env, sources: Passed, already_shown: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let shown = shown_sources(scope.take(already_shown));
    let sources = extracted(scope.take(sources), Shape::Payload).into_sources();
    Ok(give(&scope, write::sources(&scope, &listed(sources, &shown))))
}

/// The block of sources of a payload, as text without a final line break. No sources: `''`.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```ts
/// renderCitationBlock({ text: '', sources: [{ title: 'History of Rust', url: 'https://en.example/rust' }] })
/// //  Sources:
/// //   1. History of Rust — https://en.example/rust
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "payload: CitationPayload | string | Uint8Array, options?: RenderOptions",
    ts_return_type = "string"
)]
pub fn render_citation_block(env: &Env, payload: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    scope.open_front::<front::RenderingPayload>();
    let payload = scope.take(payload);
    let chosen = Chosen::beside(&scope, scope.take(options), payload, Plan::Payload)?;
    block_of_payload(&scope, payload, chosen)
}

/// The block of a payload.
fn block_of_payload(
    scope: &Scope<'_>,
    payload: Handle<'_>,
    chosen: Chosen<'_>,
) -> napi::Result<Passed> {
    let options = chosen.rendering()?;
    let mut block = scope.room();
    let listed = with_listed(payload, chosen, |list| {
        render::write_block(list, options, &mut block);
    });
    // Not while what a wrong option throws is pending.
    let made = listed.map(|_| scope.string(&block));
    scope.keep_room(block);
    Ok(give(scope, made?))
}

/// The same block as rows of segments, each with its text and the address it leads to, for Ink and
/// other interfaces that draw text themselves. `links` and `terminator` have no meaning here.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```tsx
/// layoutCitationBlock(payload, { width: 80 }).map((row, i) => (
///   <Text key={i}>{row.map(({ text, url }) => (url ? createOsc8Link(text, url) : text)).join('')}</Text>
/// ))
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "payload: CitationPayload | string | Uint8Array, options?: RenderOptions",
    ts_return_type = "CitationLine[]"
)]
pub fn layout_citation_block(env: &Env, payload: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let payload = scope.take(payload);
    let chosen = Chosen::beside(&scope, scope.take(options), payload, Plan::Payload)?;
    let options = chosen.rendering()?;
    let rows = with_listed(payload, chosen, |list| render::layout(list, options))?;
    Ok(give(&scope, write::rows(&scope, &rows.unwrap_or_default())))
}

/// From a response to its block in one call: extract, clean, deduplicate, render.
///
/// The response may be of Gemini, OpenAI Responses or, with `documents`, Anthropic; which one is
/// found out by its shape. Nothing to cite: `''`.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```ts
/// renderCitations(response, { links: 'osc8', width: process.stdout.columns })
/// renderCitations(await (await fetch(url, init)).bytes(), { links: 'plain' })
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "input: ProviderInput, options?: RenderCitationsOptions",
    ts_return_type = "string"
)]
pub fn render_citations(env: &Env, input: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    scope.open_front::<front::Rendering>();
    let input = scope.take(input);
    let chosen = Chosen::beside(&scope, scope.take(options), input, Plan::ShownAnswer)?;
    block_of(&scope, input, chosen)
}

/// The block of a response.
fn block_of(scope: &Scope<'_>, input: Handle<'_>, chosen: Chosen<'_>) -> napi::Result<Passed> {
    let documents = chosen.flag(Name::Documents, false)?;
    let options = chosen.rendering()?;
    let inline = chosen.flag(Name::ShowInlineSources, false)?;
    let shown = chosen.already_shown();
    let grouped = chosen.flag(Name::GroupByDocument, false)?;
    let short = if grouped {
        None
    } else {
        short_block(scope, input, &shown, documents, |sources, block| {
            render::write_block(&numbered(sources, &[], inline), options, block);
        })
    };
    if short.is_some() {
        return Ok(give(scope, short));
    }
    let mut turn = Turn::new(documents).grouped(grouped);
    // The short way may have read it already.
    scope.rest();
    if open_answer(input, Detail::Full, |given| turn.push(given)).is_none() {
        open_stream(input, |body| turn.push_bytes(body));
    }
    let block = turn.with_listing(false, |sources, _| {
        let sources = without(sources.to_vec(), &shown);
        let list = numbered(&sources, &[], inline);
        scope.written(|block| render::write_block(&list, options, block))
    });
    Ok(give(scope, block))
}

/// The same the short way. `None` when it takes a turn to put it together, out of citations of documents or of events.
fn short_block<'s>(
    scope: &'s Scope<'_>,
    input: Handle<'_>,
    shown: &[Source<'_>],
    documents: bool,
    write: impl FnOnce(&[Source<'_>], &mut String),
) -> Option<Handle<'s>> {
    let mut block = scope.room();
    let is_written = open_answer(input, Detail::Shown, |given| {
        let shape = if documents { response_shape(given, true) } else { None };
        let is_written = !documents || shape.is_some();
        if is_written {
            let shape = || shape.unwrap_or_else(|| shape_without_documents(given));
            write(&listed(extract_shown(given, shape), shown), &mut block);
        }
        is_written
    });
    let made = if is_written == Some(true) { scope.string(&block) } else { None };
    scope.keep_room(block);
    made
}

/// The shape of a value whose citations count without `documents`.
fn shape_without_documents(given: Given<'_>) -> Shape {
    match shape_of(given) {
        Shape::Anthropic => Shape::Unknown,
        shape => shape,
    }
}

/// The answer with `[1][2]` behind each span that leans on sources.
///
/// Markers ascend where several spans end at the same place. They never stand inside a link, an
/// address, code or a user-perceived character, but behind it; at the start of a line they would be
/// part of what follows, so they go back to the words before. Behind a fence that is still open all is
/// code: there they are left out.
///
/// Apart from its markers the text comes back as it was given, control characters included, so that it can
/// still be told where everything was. Whoever prints it must clean it, or use one of the renderings.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```ts
/// const payload = turn.finish()
/// insertMarkers(payload.answer, payload)
/// // 'The Rust programming language was first released in 2015.[1][2]'
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "text: string, payload: Pick<TurnPayload, 'anchors'> | string | Uint8Array, options?: InsertMarkersOptions",
    ts_return_type = "string"
)]
pub fn insert_markers(
    env: &Env,
    text: Passed,
    payload: Passed,
    options: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let spaced = Chosen::from(&scope, scope.take(options))?.flag(Name::Spaced, false)?;
    let words = turn::word(&scope, "text", scope.take(text))?;
    let anchors =
        open_for(scope.take(payload), Detail::Whole, |given| payload::read_anchors(given));
    let anchors = anchors.unwrap_or_default();
    let marked = anchor::insert_markers(&words, &anchors, if spaced { " " } else { "" });
    Ok(give(&scope, scope.string(&marked)))
}

/// Whether this terminal shows hyperlinks (OSC 8), and why. Looks at nothing but its argument.
///
/// `FORCE_HYPERLINK` decides when it is set (`0` and `false` mean no); inside tmux and GNU screen
/// the answer is no.
///
/// @example
/// ```ts
/// detectHyperlinks({ env: process.env, isTTY: process.stdout.isTTY, platform: process.platform })
/// // { supported: true, reason: 'iTerm.app 3.5.0' }
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "terminal: TerminalDescription",
    ts_return_type = "HyperlinkSupport"
)]
pub fn detect_hyperlinks(env: &Env, terminal: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let support = terminal::detect_in(scope.take(terminal));
    let mut object = Object::new(&scope);
    object.set(Name::Supported.place(), scope.flag(support.supported));
    object.set(Name::Reason.place(), scope.string(&support.reason));
    Ok(give(&scope, object.finish()))
}

/// Whether the user wants to see citations: session setting, then stored setting, then merged
/// settings, else no. Takes LLxprt's `Config`, its runtime of 0.11, or nothing; never throws, never
/// logs.
///
/// @example
/// ```ts
/// resolveCitationsEnabled(this.chat.getConfig())         // turn.ts
/// resolveCitationsEnabled(config, settings)              // useGeminiStream.ts
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "config?: unknown, settings?: unknown",
    ts_return_type = "boolean"
)]
pub fn resolve_citations_enabled(
    env: &Env,
    config: Passed,
    settings: Passed,
) -> napi::Result<bool> {
    let scope = Scope::enter(env)?;
    Ok(settings::enabled(scope.take(config), scope.take(settings)))
}

/// Reads the value of `/set citations …`.
///
/// @example
/// ```ts
/// parseCitationsSetting('Enabled')
/// // { value: 'enabled', message: 'Citations enabled. Structured source references will appear …' }
/// parseCitationsSetting('maybe')
/// // { error: "Invalid citations mode 'maybe'. Valid modes are: enabled, disabled" }
/// ```
#[napi(catch_unwind, ts_args_type = "value: unknown", ts_return_type = "ParsedCitationsSetting")]
pub fn parse_citations_setting(env: &Env, value: Passed) -> napi::Result<Passed> {
    use crate::settings::{DISABLED_MESSAGE, ENABLED_MESSAGE, ephemeral};
    let scope = Scope::enter(env)?;
    let value = scope.take(value);
    let mut object = Object::new(&scope);
    let mut say = |name: Name, text: &str| object.set(name.place(), scope.string(text));
    if let Some(enabled) = ephemeral(&settings::setting(value)) {
        say(Name::Value, if enabled { "enabled" } else { "disabled" });
        say(Name::Message, if enabled { ENABLED_MESSAGE } else { DISABLED_MESSAGE });
    } else {
        let (value, modes) = (options::shown(value), "Valid modes are: enabled, disabled");
        say(Name::Error, &format!("Invalid citations mode {value}. {modes}"));
    }
    Ok(give(&scope, object.finish()))
}

/// Whether a provider of LLxprt, by name or alias, has an API that cites by itself. Advisory:
/// extraction runs whenever there is citation data, whatever this says.
///
/// @example
/// ```ts
/// supportsCitations('gemini')   // true
/// supportsCitations('openai')   // false: Chat Completions has none
/// ```
#[napi(catch_unwind, ts_args_type = "provider: string", ts_return_type = "boolean")]
pub fn supports_citations(env: &Env, provider: Passed) -> napi::Result<bool> {
    let scope = Scope::enter(env)?;
    let known = scope.take(provider).with_text(crate::settings::supports_citations);
    Ok(known.unwrap_or(false))
}

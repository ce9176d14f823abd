//! What all turns of a session share.

use super::give;
use super::given::Given;
use super::names::Name;
use super::node_api::{Handle, Insides, Passed, Receiver, Scope};
use super::options::{Chosen, Config, shown};
use super::tools::extract;
use super::turn::CitationTurn;
use super::write;
use crate::input::write::to_json;
use crate::turn::Turn;
use napi::Env;
use napi::bindgen_prelude::This;
use napi_derive::napi;
use std::rc::Rc;

/// The longest stored turn that is taken as an object, in bytes of its JSON.
const MOST_STORED: usize = 1 << 28;

/// Keeps what all turns of a session share. Make one and start a turn for each prompt.
///
/// @example
/// ```ts
/// const citations = new CitationService({ enabledTools: ['exa_web_search', 'mcp__*'] })
/// const turn = citations.startTurn()
/// for await (const event of stream) turn.push(event)
/// turn.addToolResult({ name, args, callId, output })
/// console.log(turn.render({ links: 'osc8' }))
/// ```
#[napi]
#[repr(transparent)]
pub struct CitationService {
    insides: Insides<Rc<Config>>,
}

type Own = Receiver<CitationService>;

#[napi]
impl CitationService {
    /// @throws `TypeError` when an option has a value it cannot have.
    #[napi(constructor, catch_unwind, ts_args_type = "options?: CitationServiceOptions")]
    pub fn new(env: &Env, options: Passed) -> napi::Result<Self> {
        let scope = Scope::enter(env)?;
        let chosen = Chosen::from(&scope, scope.take(options))?;
        Ok(Self { insides: Insides::new(Rc::new(chosen.config()?)) })
    }

    /// The options, with defaults where none were given.
    #[napi(getter, catch_unwind, ts_return_type = "Required<CitationConfig>")]
    pub fn config(&self, env: &Env, this: This<Own>) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let config = self.insides.of(&scope, this)?;
        Ok(give(&scope, write::config(&scope, config)))
    }

    /// Adds an extractor for tools of your own, or instead of a built-in one. The first that matches
    /// wins, in the order they were registered, before all built-in ones. One that throws or returns
    /// nonsense costs its own sources only, and is reported as `extractor_failed`.
    ///
    /// A string pattern is a tool's name, with `*` and `?`; a regular expression is searched for.
    ///
    /// @throws `TypeError` when `extractor` has no `pattern` or no `extract`.
    ///
    /// @example
    /// ```ts
    /// citations.registerExtractor({
    ///   pattern: /^jira_/,
    ///   extract: (requestId, toolName, parameters, output) =>
    ///     output.issues.map((issue: Issue) => ({ title: issue.summary, url: issue.self, type: 'api' })),
    /// })
    /// ```
    #[napi(catch_unwind, ts_args_type = "extractor: CitationExtractor", ts_return_type = "void")]
    pub fn register_extractor(
        &self,
        env: &Env,
        this: This<Own>,
        extractor: Passed,
    ) -> napi::Result<()> {
        let scope = Scope::enter(env)?;
        let service = scope.this(&this);
        self.insides.of(&scope, this)?;
        let extractor = scope.take(extractor);
        check(&scope, extractor)?;
        let held = extractors(service).or_else(|| {
            let list = scope.array::<()>(&[], |()| None)?;
            service.hide(Name::Extractors.place(), list)?;
            Some(list)
        });
        held.and_then(|held| held.append(extractor)).ok_or_else(|| {
            napi::Error::from_reason("the service does not take properties any more: is it frozen?")
        })
    }

    /// The sources of a tool result, read by the host's extractors and the built-in ones. An extractor that
    /// fails gives `[]` here, and why is not said: `CitationTurn.addToolResult` reports it.
    #[napi(catch_unwind, ts_args_type = "call: ToolCall", ts_return_type = "CitationSource[]")]
    pub fn extract_tool_citations(
        &self,
        env: &Env,
        this: This<Own>,
        call: Passed,
    ) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let own = extractors(scope.this(&this));
        let config = self.insides.of(&scope, this)?;
        let made = extract(scope.take(call), own, config, 1, |extracted| {
            write::sources(&scope, &extracted.sources)
        });
        Ok(give(&scope, made.flatten()))
    }

    /// A turn with nothing in it. Reuse it with `reset()`: a new one costs more than most turns do.
    #[napi(catch_unwind, ts_args_type = "", ts_return_type = "CitationTurn")]
    pub fn start_turn(&self, env: &Env, this: This<Own>) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let service = scope.this(&this);
        let config = self.insides.of(&scope, this)?;
        let turn = CitationTurn::new(Rc::clone(config));
        Ok(give(&scope, started(&scope, service, turn)))
    }

    /// A turn that goes on where a serialized one was: the same sources, numbers, spans and text. The
    /// options are those of this service.
    ///
    /// @throws `TypeError` when `data` is not what `CitationTurn.serialize` gave, as text, bytes or
    /// parsed, or when it was written by a release with another format.
    #[napi(
        catch_unwind,
        ts_args_type = "data: string | Uint8Array | object",
        ts_return_type = "CitationTurn"
    )]
    pub fn restore_turn(&self, env: &Env, this: This<Own>, data: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let service = scope.this(&this);
        let config = self.insides.of(&scope, this)?;
        let data = scope.take(data);
        let bytes = || data.with_bytes(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let parsed = || to_json(Given::Live(data), MOST_STORED).filter(|_| data.is_object());
        let Some(text) = data.whole_text().or_else(bytes).or_else(parsed) else {
            let value = shown(data);
            let wanted = "data must be a stored turn, as CitationTurn.serialize gives it";
            return Err(scope.type_error(&format!("{wanted}, got {value}")));
        };
        let turn = Turn::restore(&text, config.documents, !config.enabled);
        let turn = turn.map_err(|what| scope.type_error(&format!("data {what}")))?;
        let turn = turn.grouped(config.group_by_document);
        let turn = CitationTurn::resumed(Rc::clone(config), turn);
        Ok(give(&scope, started(&scope, service, turn)))
    }
}

/// A turn asks its service for extractors. That is a property and no reference: what holds whom is
/// then the engine's business, and circles are no leak.
fn started<'s>(
    scope: &'s Scope<'s>,
    service: Handle<'_>,
    turn: CitationTurn,
) -> Option<Handle<'s>> {
    let turn = scope.take(scope.made(turn)?);
    turn.hide(Name::Service.place(), service);
    Some(turn)
}

/// The host's extractors, in the order they were registered.
pub(super) fn extractors(service: Handle<'_>) -> Option<Handle<'_>> {
    service.property(Name::Extractors.place())
}

fn check(scope: &Scope<'_>, extractor: Handle<'_>) -> napi::Result<()> {
    let misuse = |what: &str, wanted: &str, value: Option<Handle<'_>>| {
        let value = value.map_or_else(|| "undefined".to_owned(), shown);
        Err(scope.type_error(&format!("{what} must be {wanted}, got {value}")))
    };
    if !extractor.is_object() {
        return misuse("extractor", "an object with pattern and extract", Some(extractor));
    }
    let pattern = extractor.property(Name::Pattern.place());
    let is_regex = |pattern: &Handle<'_>| {
        pattern.is_object() && pattern.property_named("source").is_some_and(Handle::is_string)
    };
    if !pattern.is_some_and(|pattern| pattern.is_string() || is_regex(&pattern)) {
        return misuse("extractor.pattern", "a string or a RegExp", pattern);
    }
    let method = extractor.property(Name::Extract.place());
    if !method.is_some_and(Handle::is_function) {
        return misuse("extractor.extract", "a function", method);
    }
    Ok(())
}

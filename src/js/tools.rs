//! Tool results on their way in: the host's own extractors first, then the built-in ones.

use super::given::{Given, open_for};
use super::names::{Name, camel};
use super::node_api::{Handle, Insides, Passed, Receiver, Scope};
use super::options::{Config, shown};
use super::{give, write};
use crate::input::tool::{SCAN, TOOLS, Tool, introduce, is_wrapped};
use crate::input::{Detail, Key, Value, payload};
use crate::model::{Source, Text};
use crate::settings::matches_glob;
use crate::turn::{Signature, sign};
use napi::Env;
use napi::bindgen_prelude::This;
use napi_derive::napi;

/// What came of a call.
#[derive(Default)]
pub(super) struct Extracted<'s> {
    /// Signed and cleaned.
    pub(super) sources: Vec<Source<'s>>,
    /// What went wrong in the host's extractor.
    pub(super) failure: Option<String>,
}

/// The parts of a call, as far as they are known.
struct Call<'g> {
    name: String,
    request: String,
    accessed: Option<String>,
    args: Option<Given<'g>>,
    /// Nothing: the host's own extractors may still know what to do.
    output: Option<Given<'g>>,
}

impl<'g> Call<'g> {
    /// Reads `{ name, args, callId, output }`, or a wrapped result that brings these along. `number`
    /// stands in for an id.
    fn of(given: Given<'g>, number: u32) -> Self {
        let output = given.get(Key::Output).or_else(|| is_wrapped(given).then_some(given));
        let request = given.get(Key::Request).or_else(|| output?.get(Key::Request));
        let (inner_name, inner_id) = output.map(introduce).unwrap_or_default();
        let own = |text: Option<Text<'_>>| text.map(Text::into_owned);
        let at = |key: Key| {
            let asked = || own(request?.text_at(key));
            own(given.text_at(key)).or_else(asked)
        };
        Self {
            name: at(Key::Name).or_else(|| at(Key::ToolName)).or(inner_name).unwrap_or_default(),
            request: at(Key::CallId).or(inner_id).unwrap_or_else(|| format!("tool-{number}")),
            accessed: own(given.text_at(Key::Timestamp)),
            args: args_of(given).or_else(|| args_of(request?)),
            output,
        }
    }
}

/// A call's arguments, under any of the names hosts give them.
fn args_of(call: Given<'_>) -> Option<Given<'_>> {
    [Key::Args, Key::Arguments, Key::Input].into_iter().find_map(|key| call.get(key))
}

/// Lends the sources of a call to `look`. `extractors` are the host's.
pub(super) fn extract<T>(
    call: Handle<'_>,
    extractors: Option<Handle<'_>>,
    config: &Config,
    number: u32,
    look: impl FnOnce(Extracted<'_>) -> T,
) -> Option<T> {
    let mut look = Some(look);
    let whole = call;
    let seen = open_for(call, Detail::Whole, |given| {
        // While bytes are lent no JavaScript may run.
        let is_live = matches!(given, Given::Live(_));
        let call = Call::of(given, number);
        extract_from(&call, extractors, whole, config, |extracted| {
            let Extracted { sources, failure } = extracted;
            match look.take_if(|_| is_live) {
                Some(look) => Ok(look(Extracted { sources, failure })),
                None => Err((sources.into_iter().map(Source::into_owned).collect(), failure)),
            }
        })
    });
    match seen.flatten() {
        Some(Ok(seen)) => Some(seen),
        kept => {
            let (sources, failure) = kept.and_then(Result::err).unwrap_or_default();
            look.map(|look| look(Extracted { sources, failure }))
        }
    }
}

fn extract_from<T>(
    call: &Call<'_>,
    extractors: Option<Handle<'_>>,
    whole: Handle<'_>,
    config: &Config,
    look: impl FnOnce(Extracted<'_>) -> T,
) -> Option<T> {
    let Call { name, request, accessed, .. } = call;
    if !config.enabled || !config.reads(name) {
        return None;
    }
    let by = Signature { tool: name, request, accessed: accessed.as_deref() };
    if let Some(own) = extractors.and_then(|extractors| run_own(call, extractors, whole)) {
        return Some(look(Extracted { sources: sign(own.sources, by), ..own }));
    }
    let tool = Tool::named(name).or(config.scan_unknown.then_some(&SCAN))?;
    read(tool, call, by, |sources| look(Extracted { sources, failure: None }))
}

/// Lends what a tool found, signed and cleaned, to `look`.
fn read<T, L: FnOnce(Vec<Source<'_>>) -> T>(
    tool: &Tool,
    call: &Call<'_>,
    by: Signature<'_>,
    look: L,
) -> Option<T> {
    let output = call.output?;
    if let Given::Live(live) = output {
        let read = |text: &str, look: L| look(sign(tool.read_text(call.args, text), by));
        if live.is_string() {
            return live.with_text(|text| read(text, look));
        }
        let text = live.with_bytes(|bytes| String::from_utf8_lossy(bytes).into_owned());
        if let Some(text) = text {
            return Some(read(&text, look));
        }
    }
    Some(look(sign(tool.read(call.args, output), by)))
}

/// Runs the first of the host's extractors that matches. `None` when none does.
fn run_own(
    call: &Call<'_>,
    extractors: Handle<'_>,
    whole: Handle<'_>,
) -> Option<Extracted<'static>> {
    let output = match call.output {
        Some(Given::Live(output)) => output,
        Some(_) => return None,
        // `null` is handed on as what it is.
        None => whole.raw_property(camel(Key::Output)).map(|raw| whole.scope.handle(raw))?,
    };
    let mut chosen = None;
    extractors.each(|_, extractor| {
        if chosen.is_none() && matches(extractor, &call.name) {
            chosen = Some(run(extractor, call, output));
        }
    });
    chosen
}

/// A string matches all of the name, with `*` and `?`; a regular expression any part of it, whatever its
/// `lastIndex` says.
fn matches(extractor: Handle<'_>, name: &str) -> bool {
    let Some(pattern) = extractor.property(Name::Pattern.place()) else { return false };
    if let Some(glob) = pattern.text() {
        return matches_glob(&glob, name);
    }
    let search = |scope: &Scope<'_>| {
        let string = scope.global()?.property_named("String")?.property_named("prototype")?;
        let search = string.property_named("search")?;
        scope.string(name)?.call_with(search, &[pattern.raw])?.as_number()
    };
    search(extractor.scope).is_some_and(|at| at >= 0.0)
}

fn run(extractor: Handle<'_>, call: &Call<'_>, output: Handle<'_>) -> Extracted<'static> {
    let Call { name, request, args, .. } = call;
    let scope = extractor.scope;
    let failed = |what: &str| Extracted {
        sources: Vec::new(),
        failure: Some(format!("the extractor for {name} {what}")),
    };
    let Some(method) = extractor.property(Name::Extract.place()) else {
        return failed("has lost its extract function");
    };
    let args = match args {
        Some(Given::Live(args)) => *args,
        _ => scope.undefined(),
    };
    let Some((request, tool)) = scope.string(request).zip(scope.string(name)) else {
        return failed("could not be called");
    };
    let returned = match extractor.attempt(method, &[request.raw, tool.raw, args.raw, output.raw]) {
        Ok(returned) if returned.is_nothing() => return Extracted::default(),
        Ok(returned) => returned,
        Err(message) => return failed(&format!("threw: {message}")),
    };
    let mut sources = Vec::new();
    returned.each(|_, item| {
        let source = payload::read_found(Given::Live(item)).into_owned();
        if item.is_object() && !source.is_blank() {
            sources.push(source);
        }
    });
    let failure = match returned.length().map(|length| length.saturating_sub(sources.len())) {
        Some(0) => None,
        Some(odd) => failed(&format!("returned {odd} items that are no sources")).failure,
        None => {
            settle(returned);
            failed(&format!("returned {}, not a list of sources", shown(returned))).failure
        }
    };
    Extracted { sources, failure }
}

/// A promise was reported already: that it fails must not end the host's process as well.
fn settle(returned: Handle<'_>) {
    let catch = || {
        let nothing = returned.scope.global()?.property_named("Function")?;
        let nothing = nothing.property_named("prototype")?;
        returned.call_with(returned.property_named("catch")?, &[nothing.raw])
    };
    catch();
}

/// The sources of a tool result, read by the built-in extractor of that tool.
///
/// `output` may be a string, `{ output }`, a `ToolResult`, `functionResponse` parts, `tool_response`
/// blocks, an MCP `CallToolResult`, plain data or bytes. Errors, empty results and notices of limits
/// give `[]`, and so do tools nobody knows, unless `scanUnknownTools` is true. For extractors of your
/// own, see `CitationService.registerExtractor`.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```ts
/// extractToolCitations({ name: 'web_search', callId: 'req-1', output: { results: [{ title: 'React 19', link: 'https://react.dev/blog' }] } })
/// // [{ title: 'React 19', url: 'https://react.dev/blog', domain: 'react.dev', type: 'web', id: 'req-1-0', toolName: 'web_search', toolRequestId: 'req-1' }]
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "call: ToolCall, options?: ToolOptions",
    ts_return_type = "CitationSource[]"
)]
pub fn extract_tool_citations(env: &Env, call: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let chosen = super::options::Chosen::from(&scope, scope.take(options))?;
    let config =
        Config { scan_unknown: chosen.flag(Name::ScanUnknownTools, false)?, ..Config::default() };
    let made = extract(scope.take(call), None, &config, 1, |extracted| {
        write::sources(&scope, &extracted.sources)
    });
    Ok(give(&scope, made.flatten()))
}

/// The extractors that are built in, in the order they are tried.
///
/// @example
/// ```ts
/// getDefaultExtractors().map((extractor) => extractor.pattern)   // [/^web_search$/, …]
/// ```
#[napi(catch_unwind, ts_return_type = "BuiltInExtractor[]")]
pub fn get_default_extractors(env: &Env) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let list =
        scope.array(TOOLS, |tool| scope.made(BuiltInExtractor { insides: Insides::new(*tool) }));
    Ok(give(&scope, list))
}

/// An extractor for one tool or family of tools. Listed by `getDefaultExtractors()`.
#[napi]
#[repr(transparent)]
pub struct BuiltInExtractor {
    insides: Insides<Tool>,
}

type Own = Receiver<BuiltInExtractor>;

#[napi]
impl BuiltInExtractor {
    /// What it is called.
    #[napi(getter, catch_unwind, ts_return_type = "string")]
    pub fn name(&self, env: &Env, this: This<Own>) -> napi::Result<&'static str> {
        let tool = self.insides.of(&Scope::enter(env)?, this)?;
        Ok(tool.name)
    }

    /// Which tools it reads.
    #[napi(getter, catch_unwind, ts_return_type = "RegExp")]
    pub fn pattern(&self, env: &Env, this: This<Own>) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let tool = self.insides.of(&scope, this)?;
        let make = || {
            let global = scope.global()?;
            let source = scope.string(&tool.pattern())?;
            global.call_with(global.property_named("RegExp")?, &[source.raw])
        };
        Ok(give(&scope, make()))
    }

    /// What it finds.
    #[napi(getter, js_name = "type", catch_unwind, ts_return_type = "CitationSourceType")]
    pub fn kind(&self, env: &Env, this: This<Own>) -> napi::Result<&'static str> {
        let tool = self.insides.of(&Scope::enter(env)?, this)?;
        Ok(tool.kind.name())
    }

    /// The sources of a result of such a tool.
    #[napi(
        catch_unwind,
        ts_args_type = "requestId: string, toolName: string, parameters: unknown, output: unknown",
        ts_return_type = "CitationSource[]"
    )]
    pub fn extract(
        &self,
        env: &Env,
        this: This<Own>,
        request_id: Passed,
        tool_name: Passed,
        parameters: Passed,
        output: Passed,
    ) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let tool = self.insides.of(&scope, this)?;
        let args = Some(scope.take(parameters)).filter(|args| !args.is_nothing()).map(Given::Live);
        let call = Call {
            name: scope.take(tool_name).text().unwrap_or_default(),
            request: scope.take(request_id).text().unwrap_or_default(),
            accessed: None,
            args,
            output: Some(Given::Live(scope.take(output))),
        };
        let by = Signature { tool: &call.name, request: &call.request, accessed: None };
        let made = read(tool, &call, by, |sources| write::sources(&scope, &sources));
        let none: [Source<'_>; 0] = [];
        Ok(give(&scope, made.unwrap_or_else(|| write::sources(&scope, &none))))
    }
}

//! How far an answer rests on its sources. The namespace `grounding`.

use super::given::{Given, open_answer, open_for};
use super::names::{Name, camel};
use super::node_api::{Handle, Passed, Scope};
use super::options::Chosen;
use super::turn::word;
use super::write::{self, Object};
use super::{give, listed_sources, read_payload};
use crate::clean::EXCERPT_LIMIT;
use crate::ground::{self, Casing, Facts, Mode, Policy};
use crate::input::{Detail, Key};
use crate::model::Payload;
use crate::render::{self, CoverageOptions};
use crate::turn::Turn;
use napi::Env;
use napi_derive::napi;
use std::collections::HashMap;

/// What a caller says about an answer.
pub(super) struct About {
    vendor: Option<String>,
    model: Option<String>,
    casing: Casing,
}

impl About {
    pub(super) fn read(chosen: Chosen<'_>) -> napi::Result<Self> {
        const CASINGS: [(&str, Casing); 2] =
            [("camelCase", Casing::Camel), ("snake_case", Casing::Snake)];
        Ok(Self {
            vendor: chosen.string(Name::Vendor)?,
            model: chosen.string(Name::Model)?,
            casing: chosen.word(Name::Keys, &CASINGS, Casing::Camel)?,
        })
    }

    /// The anchored citations of a payload, as JavaScript sees them.
    pub(super) fn write<'s>(self, scope: &'s Scope<'s>, payload: &Payload) -> Option<Handle<'s>> {
        let anchored = ground::anchored(payload, self.vendor, self.model);
        write::parsed(scope, &ground::write(&anchored, self.casing))
    }
}

/// The citations of a grounded answer, tied to its text: spans with the sources they lean on, every source
/// once with its count, and the figures a policy asks for.
///
/// Takes a response of Gemini or Vertex, whole, as a list of chunks or as bytes, with either spelling of its fields;
/// OpenAI's and Anthropic's are taken as well.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```ts
/// const anchored = grounding.anchorCitations(response, { model: 'gemini-2.5-pro' })
/// anchored.metadata.anchoredCoveragePct   // 89
/// grounding.auditLine(anchored)           // 'AUDIT vendor=gemini_direct model=gemini-2.5-pro tool_calls=3 …'
/// ```
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "input: ProviderInput, options?: AnchorOptions",
    ts_return_type = "AnchoredCitations"
)]
pub fn anchor_citations(env: &Env, input: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let about = About::read(Chosen::from(&scope, scope.take(options))?)?;
    let input = scope.take(input);
    let mut turn = Turn::new(true);
    // A body is the same in either form, and may be made of several documents.
    let is_body = input.with_bytes(|body| turn.push_bytes(body)).is_some()
        || input.with_text(|body| turn.push_bytes(body.as_bytes())).is_some();
    if !is_body {
        open_answer(input, Detail::Full, |given| turn.push(given));
    }
    Ok(give(&scope, about.write(&scope, &turn.payload())))
}

/// What `anchored` says, in either spelling.
fn facts(anchored: Handle<'_>) -> Facts {
    let read = |given: Given<'_>| ground::read_facts(given);
    open_for(anchored, Detail::Whole, read).unwrap_or_default()
}

/// Holds an answer against a policy: did it search, did it find something, are its words tied to that.
///
/// In mode `required`, spans that cover `minCoveragePct` of the answer, or `minAnnotations` of them, pass;
/// Google's answers also pass with sources alone where there are no spans at all (`unlinked_google`). In
/// mode `auto` grounding is welcome and its want no failure. With the `request`, it must hold exactly one
/// system and one user message, and model and vendor must be allowed; the request comes back untouched.
///
/// `anchored` may also be a response that has `citations` at its top or in its `metadata`, in either spelling.
///
/// @throws `TypeError` when an option has a value it cannot have.
///
/// @example
/// ```ts
/// grounding.evaluateGrounding(anchored, { mode: 'required' })
/// // { pass: true, reason: 'anchored_google', gates: [{ name: 'tool_call_count', value: 3, limit: 1, pass: true }, …] }
/// ```
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "anchored: object, options?: EvaluateOptions",
    ts_return_type = "GroundingEvaluation"
)]
pub fn evaluate_grounding(env: &Env, anchored: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let chosen = Chosen::from(&scope, scope.take(options))?;
    let policy = policy(chosen)?;
    let evaluation = ground::evaluate(&facts(scope.take(anchored)), &policy);
    let json = serde_json::to_string(&evaluation).unwrap_or_default();
    let result = write::parsed(&scope, &json);
    if let Some((result, request)) = result.zip(chosen.get(Name::Request)) {
        result.set(Name::Request.place(), request);
    }
    Ok(give(&scope, result))
}

fn policy(chosen: Chosen<'_>) -> napi::Result<Policy> {
    const MODES: [(&str, Mode); 2] = [("required", Mode::Required), ("auto", Mode::Auto)];
    let own = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
    let models = chosen.words(Name::AllowedModels)?.unwrap_or_else(|| own(&["gemini-2.5-pro"]));
    let vendors = chosen.words(Name::AllowedVendors)?;
    let vendors = vendors.unwrap_or_else(|| own(&["gemini_direct", "vertex"]));
    let messages = match chosen.get(Name::Request) {
        Some(request) if request.is_object() => Some(ground::Messages::of(Given::Live(request))),
        Some(other) => return Err(chosen.misuse(Name::Request, "an object", other)),
        None => None,
    };
    Ok(Policy {
        mode: chosen.word(Name::Mode, &MODES, Mode::Required)?,
        min_coverage_pct: chosen.number(Name::MinCoveragePct, 0.0, 100.0)?.unwrap_or(2.0),
        min_annotations: chosen.count(Name::MinAnnotations, 0.0)?.unwrap_or(3),
        allowed_models: models,
        allowed_vendors: vendors,
        messages,
    })
}

/// What is worth watching over many answers: the middle of their coverage, how often a search came to nothing,
/// and how many passed for which reason.
///
/// @example
/// ```ts
/// grounding.summarizeGrounding(today)
/// // { count: 120, medianCoveragePct: 71.4, groundingEvidenceMissingTotal: 3, reasons: { anchored_google: 110, none: 10 } }
/// ```
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "results: ReadonlyArray<object>",
    ts_return_type = "GroundingSummary"
)]
pub fn summarize_grounding(env: &Env, results: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let mut all = Vec::new();
    scope.take(results).each(|_, one| all.push(facts(one)));
    let json = serde_json::to_string(&ground::summarize(&all)).unwrap_or_default();
    Ok(give(&scope, write::parsed(&scope, &json)))
}

/// One line for a log: `AUDIT vendor=… model=… tool_calls=… coverage_pct=… reason=…`. Nothing untrusted in it
/// can start another field or line.
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "anchored: object",
    ts_return_type = "string"
)]
pub fn audit_line(env: &Env, anchored: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let line = ground::audit_line(&facts(scope.take(anchored)));
    Ok(give(&scope, scope.string(&line)))
}

/// The sources of a payload whose address leads through a redirect of Google. Nothing is fetched here: look
/// them up as you like, and hand the pages' own addresses to `applyResolvedUrls`.
///
/// @example
/// ```ts
/// grounding.pendingResolutions(payload)
/// // [{ number: 1, url: 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/…', title: 'example.com' }]
/// ```
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "payload: StoredSources",
    ts_return_type = "PendingResolution[]"
)]
pub fn pending_resolutions(env: &Env, payload: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let sources = listed_sources(scope.take(payload));
    let pending: Vec<_> = ground::pending(&sources).collect();
    let list = scope.array(&pending, |(number, source)| {
        let mut object = Object::new(&scope);
        object.count(Name::Number.place(), *number);
        object.text(Key::Url, source.url.as_deref());
        object.text(Key::Title, source.title.as_deref());
        object.finish().map(Passed::from)
    });
    Ok(give(&scope, list))
}

/// The payload with the pages' own addresses in it. Sources that turn out to be the same page become one, under
/// the number that was first; spans follow. The address each was given under stays in `rawUrl`. Where
/// numbers change, markers in the text of the answer are left alone, and `numbers[n - 1]` is the new number of
/// source n.
///
/// @example
/// ```ts
/// grounding.applyResolvedUrls(payload, { 'https://vertexaisearch.cloud.google.com/…': 'https://example.com/page' })
/// ```
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "payload: TurnPayload | string | Uint8Array, resolved: Readonly<Record<string, string>> | ReadonlyMap<string, string>",
    ts_return_type = "TurnPayload & { numbers?: number[] }"
)]
pub fn apply_resolved_urls(env: &Env, payload: Passed, resolved: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let given = scope.take(payload);
    let mut payload = read_payload(given, EXCERPT_LIMIT);
    let known = addresses(scope.take(resolved));
    let numbers = ground::resolve(&mut payload, |url| known.get(url).cloned());
    let written = write::payload(&scope, &payload);
    // What the host wrote beside the sources, and reports, are its own.
    if let Some(written) = written {
        let moved = numbers.iter().enumerate().any(|(index, number)| *number != index + 1);
        if let Some(numbers) = write::numbers(&scope, &numbers).filter(|_| moved) {
            written.set(Name::Numbers.place(), numbers);
        }
        for place in [camel(Key::Text), Name::Diagnostics.place()] {
            if let Some(value) = given.property(place) {
                written.set(place, value);
            }
        }
    }
    Ok(give(&scope, written))
}

/// A map of addresses, as an object or a `Map`.
fn addresses(map: Handle<'_>) -> HashMap<String, String> {
    let mut found = HashMap::new();
    let entries = map.each_entry(|from, to| drop(found.insert(from, to)));
    if entries.is_none() {
        map.each_field(usize::MAX, &mut |name, value| {
            found.extend(value.text().map(|value| (name.to_owned(), value)));
        });
    }
    found
}

/// What to draw: the answer as the host has it, with the spans of the payload.
fn picture(
    scope: &Scope<'_>,
    text: Passed,
    payload: Passed,
    options: Passed,
) -> napi::Result<(Payload, CoverageOptions)> {
    let chosen = Chosen::from(scope, scope.take(options))?;
    let options = CoverageOptions {
        width: chosen.count(Name::Width, 0.0)?.filter(|width| *width > 0).unwrap_or(80).min(1000),
        color: chosen.flag(Name::Color, true)?,
    };
    let answer = word(scope, "text", scope.take(text))?;
    let mut payload = Payload { answer, ..read_payload(scope.take(payload), EXCERPT_LIMIT) };
    let length = payload.answer.encode_utf16().count();
    for anchor in &mut payload.anchors {
        anchor.end = anchor.end.min(length);
    }
    payload.anchors.retain(|anchor| anchor.start <= anchor.end);
    payload.anchors.sort_by_key(|anchor| (anchor.start, anchor.end));
    Ok((payload, options))
}

/// The answer for a terminal, with the passages that lean on sources underlined (or between `«` and `»`, with
/// `color: false`) and numbered, and one line below it: a bar of how much of it they cover.
///
/// @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "text: string, payload: Pick<TurnPayload, 'anchors'> | string | Uint8Array, options?: CoverageOptions",
    ts_return_type = "string"
)]
pub fn render_coverage(
    env: &Env,
    text: Passed,
    payload: Passed,
    options: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let (payload, options) = picture(&scope, text, payload, options)?;
    Ok(give(&scope, scope.string(&render::write_coverage(&payload, options))))
}

/// The same as SVG, for a report. Follows the reader's light or dark mode.
///
/// @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
#[napi(
    namespace = "grounding",
    catch_unwind,
    ts_args_type = "text: string, payload: Pick<TurnPayload, 'anchors'> | string | Uint8Array, options?: CoverageOptions",
    ts_return_type = "string"
)]
pub fn coverage_svg(
    env: &Env,
    text: Passed,
    payload: Passed,
    options: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let (payload, options) = picture(&scope, text, payload, options)?;
    Ok(give(&scope, scope.string(&render::coverage_svg(&payload, options))))
}

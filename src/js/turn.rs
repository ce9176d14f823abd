//! What one turn has cited so far.

use super::carry;
use super::errand::Written;
use super::front::{Pushing, PushingBytes, RenderingTurn, Resetting, know};
use super::give;
use super::given::open_for;
use super::grounding::About;
use super::names::Name;
use super::node_api::{Handle, Insides, Passed, Receiver, Scope};
use super::numbered::Number;
use super::options::{Chosen, Config, shown};
use super::page::page_options;
use super::service::extractors;
use super::tools::extract;
use super::unread::Reading;
use super::write;
use crate::anchor::renumber;
use crate::dedupe::identity;
use crate::input::Detail;
use crate::input::plan::Plan;
use crate::model::{Payload, Source};
use crate::render::page::page;
use crate::render::{Leaning, write_block};
use crate::turn::Turn;
use napi::Env;
use napi::bindgen_prelude::This;
use napi_derive::napi;
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

/// What one turn has cited so far. Made by `CitationService.startTurn()`.
#[napi]
#[repr(transparent)]
pub struct CitationTurn {
    insides: Insides<Rc<Held>>,
}

pub(super) struct Held {
    config: Rc<Config>,
    /// A getter of an event may call the turn that reads it; such a call finds it closed.
    turn: RefCell<Reading>,
    /// What fronts know it by.
    number: Number,
}

type Own = Receiver<CitationTurn>;

impl CitationTurn {
    pub(super) fn new(config: Rc<Config>) -> Self {
        let turn = Turn::new(config.documents).grouped(config.group_by_document);
        let turn = if config.enabled { turn } else { turn.silent() };
        let is_patient = config.enabled && !config.group_by_document;
        Self::holding(config, Reading::new(turn, is_patient))
    }

    pub(super) fn resumed(config: Rc<Config>, turn: Turn) -> Self {
        Self::holding(config, Reading::resumed(turn))
    }

    /// The insides, for a method that has a front.
    fn fronted(&self, scope: &Scope<'_>, this: This<Own>) -> napi::Result<&Held> {
        let object = scope.this(&this);
        let held = self.insides.of(scope, this)?;
        know(object, held, &held.number);
        Ok(held)
    }

    fn holding(config: Rc<Config>, turn: Reading) -> Self {
        let (turn, number) = (RefCell::new(turn), Number::default());
        Self { insides: Insides::new(Rc::new(Held { config, turn, number })) }
    }
}

impl Held {
    /// What `look` sees of the turn, or nothing where a getter that the turn is reading asks for it.
    fn read<T: Default>(&self, look: impl FnOnce(&Turn) -> T) -> T {
        self.turn.try_borrow_mut().map(|mut turn| look(turn.turn())).unwrap_or_default()
    }

    pub(super) fn reset(&self, scope: &Scope<'_>) {
        if let Ok(mut turn) = self.turn.try_borrow_mut() {
            turn.reset(scope.pieces());
        }
    }

    /// Takes an event, and what was fetched of it, if it is an object.
    pub(super) fn push(&self, event: Handle<'_>, fetched: Option<Written<'_>>) {
        if let Ok(mut turn) = self.turn.try_borrow_mut() {
            turn.push(event, fetched);
        }
    }

    pub(super) fn push_bytes(&self, chunk: Handle<'_>) -> napi::Result<()> {
        let Ok(mut turn) = self.turn.try_borrow_mut() else { return Ok(()) };
        chunk.with_bytes(|bytes| turn.push_bytes(bytes)).ok_or_else(|| {
            let value = shown(chunk);
            chunk.scope.type_error(&format!("chunk must be a Uint8Array, got {value}"))
        })
    }

    pub(super) fn render(&self, scope: &Scope<'_>, chosen: Chosen<'_>) -> napi::Result<Passed> {
        let mut options = chosen.rendering()?;
        options.max_sources = options.max_sources.or(self.config.max_displayed);
        let inline = chosen.flag(Name::ShowInlineSources, self.config.show_inline)?;
        let shown = chosen.already_shown();
        let shown: HashSet<_> = shown.iter().map(identity).collect();
        let block = scope.written(|block| {
            let Ok(mut turn) = self.turn.try_borrow_mut() else { return };
            turn.with_numbered(options.max_sources.is_some(), |mut list| {
                list.retain(|entry| {
                    (inline || !entry.source.is_shown_inline())
                        && (shown.is_empty() || !shown.contains(&identity(entry.source)))
                });
                write_block(&list, options, block);
            });
        });
        Ok(give(scope, block))
    }

    fn merged(&self, agent: Option<&str>, stored: Handle<'_>) -> Vec<usize> {
        let Ok(mut turn) = self.turn.try_borrow_mut() else { return Vec::new() };
        let turn = turn.turn();
        open_for(stored, Detail::Whole, |given| turn.merge(agent, given)).unwrap_or_default()
    }
}

#[napi]
impl CitationTurn {
    /// Takes an event, a chunk or a whole response of any provider, as an object, as JSON, JSON lines
    /// or server-sent events; which one is found out by its shape. Anything else is passed over. One turn may span several
    /// model calls.
    ///
    /// @example
    /// ```ts
    /// for await (const chunk of await ai.models.generateContentStream(request)) turn.push(chunk)
    /// ```
    #[napi(catch_unwind, ts_args_type = "event: ProviderInput", ts_return_type = "void")]
    pub fn push(&self, env: &Env, this: This<Own>, event: Passed) -> napi::Result<()> {
        let scope = Scope::enter(env)?;
        scope.open_front::<Pushing>();
        let held = self.fronted(&scope, this)?;
        let event = scope.take(event);
        // Fetched before the turn is opened, as its front does it: a getter may ask for it.
        held.push(event, carry::fetch(event, Plan::Answer));
        Ok(())
    }

    /// Takes the next bytes of a response body: server-sent events, JSON lines or one JSON document,
    /// cut anywhere, even inside a character.
    ///
    /// @throws `TypeError` when `chunk` is no `Uint8Array`.
    ///
    /// @example
    /// ```ts
    /// for await (const chunk of response.body) turn.pushBytes(chunk)
    /// ```
    #[napi(catch_unwind, ts_args_type = "chunk: Uint8Array", ts_return_type = "void")]
    pub fn push_bytes(&self, env: &Env, this: This<Own>, chunk: Passed) -> napi::Result<()> {
        let scope = Scope::enter(env)?;
        scope.open_front::<PushingBytes>();
        self.fronted(&scope, this)?.push_bytes(scope.take(chunk))
    }

    /// Takes the result of a tool call. Answers the numbers its sources have in this turn, in their
    /// order; a page that is known already keeps the number it has.
    ///
    /// @example
    /// ```ts
    /// turn.addToolResult({ name: 'exa_web_search', args, callId, output: result })   // [1, 2, 3]
    /// turn.addToolResult({ name: 'direct_web_fetch', args: { url }, callId, output: page })   // [2]
    /// ```
    #[napi(catch_unwind, ts_args_type = "call: ToolCall", ts_return_type = "number[]")]
    pub fn add_tool_result(
        &self,
        env: &Env,
        this: This<Own>,
        call: Passed,
    ) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let object = scope.this(&this);
        let held = self.insides.of(&scope, this)?;
        let number = held.turn.try_borrow_mut().map_or(0, |mut turn| turn.turn().next_result());
        let service = object.property(Name::Service.place());
        let own = service.and_then(extractors);
        let numbers = extract(scope.take(call), own, &held.config, number, |extracted| {
            let Ok(mut turn) = held.turn.try_borrow_mut() else { return Vec::new() };
            let turn = turn.turn();
            if let Some(failure) = extracted.failure {
                turn.report_extractor(&failure);
            }
            turn.add_found(extracted.sources.into_iter().map(Source::into_owned))
        });
        Ok(give(&scope, write::numbers(&scope, &numbers.unwrap_or_default())))
    }

    /// Adds what a sub-agent found, under its name: its payload, or the data stored of it. Answers the
    /// number each of its sources has here, in their order (0 for what is no source). Merging the same
    /// again adds nothing; sources that came from an agent further down keep its name.
    ///
    /// @throws `TypeError` when `agentId` is no string.
    ///
    /// @example
    /// ```ts
    /// turn.merge('researcher', await researcher.citations())   // [4, 1, 5]
    /// ```
    #[napi(
        catch_unwind,
        ts_args_type = "agentId: string, stored: StoredSources",
        ts_return_type = "number[]"
    )]
    pub fn merge(
        &self,
        env: &Env,
        this: This<Own>,
        agent_id: Passed,
        stored: Passed,
    ) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let agent = word(&scope, "agentId", scope.take(agent_id))?;
        let numbers = held.merged(Some(&agent), scope.take(stored));
        Ok(give(&scope, write::numbers(&scope, &numbers)))
    }

    /// A sub-agent's text with its `[n]` renumbered to the numbers its sources have in this turn, where
    /// they are merged unless they are there. A number that names no source of the sub-agent becomes
    /// `[n?]`, so that it does not point at somebody else's.
    ///
    /// @throws `TypeError` when `text` or `agentId` is no string.
    ///
    /// @example
    /// ```ts
    /// turn.mergeAgentText('Tokio is a runtime [1].', stored, 'researcher')   // 'Tokio is a runtime [4].'
    /// ```
    #[napi(
        catch_unwind,
        ts_args_type = "text: string, stored: StoredSources, agentId?: string",
        ts_return_type = "string"
    )]
    pub fn merge_agent_text(
        &self,
        env: &Env,
        this: This<Own>,
        text: Passed,
        stored: Passed,
        agent_id: Passed,
    ) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let text = word(&scope, "text", scope.take(text))?;
        let agent = scope.take(agent_id);
        let agent = if agent.is_nothing() { None } else { Some(word(&scope, "agentId", agent)?) };
        if !held.config.enabled {
            return Ok(give(&scope, scope.string(&text)));
        }
        let numbers = held.merged(agent.as_deref(), scope.take(stored));
        Ok(give(&scope, scope.string(&renumber(&text, &numbers))))
    }

    /// Says which documents the request carries, for Anthropic's citations of them: they get their titles, and
    /// what they quote is held against the document (`quote_differs` reports where that is not so). Takes the
    /// parameters of the request as they were sent.
    ///
    /// @example
    /// ```ts
    /// turn.setRequest(params)
    /// for await (const event of client.messages.stream(params)) turn.push(event)
    /// ```
    #[napi(
        catch_unwind,
        ts_args_type = "params: object | string | Uint8Array",
        ts_return_type = "void"
    )]
    pub fn set_request(&self, env: &Env, this: This<Own>, params: Passed) -> napi::Result<()> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let request = super::anthropic::request(scope.take(params));
        if let Ok(mut turn) = held.turn.try_borrow_mut() {
            turn.turn().set_request(request);
        }
        Ok(())
    }

    /// Forgets everything, as a host must when it tries a model call again.
    #[napi(catch_unwind, ts_args_type = "", ts_return_type = "void")]
    pub fn reset(&self, env: &Env, this: This<Own>) -> napi::Result<()> {
        let scope = Scope::enter(env)?;
        scope.open_front::<Resetting>();
        self.fronted(&scope, this)?.reset(&scope);
        Ok(())
    }

    /// What the turn has come to: sources, spans of the answer, reports. Can be called at any time and
    /// more than once.
    ///
    /// A host that has the answer anyway can leave out the events that carry only text and hand the
    /// answer over here; the spans are then places in it.
    ///
    /// @example
    /// ```ts
    /// const { answer, sources, anchors } = turn.finish()
    /// anchors[0] // { start: 0, end: 57, text: 'The Rust …', sources: [1, 2] }
    /// ```
    #[napi(catch_unwind, ts_args_type = "text?: string", ts_return_type = "TurnPayload")]
    pub fn finish(&self, env: &Env, this: This<Own>, text: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let text = scope.take(text);
        let text = if text.is_nothing() { None } else { Some(word(&scope, "text", text)?) };
        let payload = match held.turn.try_borrow_mut() {
            Ok(mut turn) => turn.turn().finish(text),
            Err(_) => Payload::default(),
        };
        Ok(give(&scope, write::payload(&scope, &payload)))
    }

    /// Everything the turn knows, as JSON with a version, for `CitationService.restoreTurn`.
    ///
    /// @example
    /// ```ts
    /// message.metadata.citations = turn.serialize()
    /// ```
    #[napi(catch_unwind, ts_args_type = "", ts_return_type = "string")]
    pub fn serialize(&self, env: &Env, this: This<Own>) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let text = held.read(Turn::serialize);
        Ok(give(&scope, scope.string(&text)))
    }

    /// The citations of the turn tied to its text, with the figures a policy asks for; see
    /// `grounding.anchorCitations`.
    ///
    /// @throws `TypeError` when an option has a value it cannot have.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: AnchorOptions",
        ts_return_type = "AnchoredCitations"
    )]
    pub fn anchored(&self, env: &Env, this: This<Own>, options: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let about = About::read(Chosen::from(&scope, scope.take(options))?)?;
        let payload = held.read(Turn::payload);
        Ok(give(&scope, about.write(&scope, &payload)))
    }

    /// The block of sources of the turn so far, under the numbers they have in it. What a tool lists in
    /// its own output is left out, unless `showInlineSources` is true. No sources: `''`.
    ///
    /// @throws `TypeError` when an option has a value it cannot have.
    #[napi(catch_unwind, ts_args_type = "options?: RenderTurnOptions", ts_return_type = "string")]
    pub fn render(&self, env: &Env, this: This<Own>, options: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        scope.open_front::<RenderingTurn>();
        let held = self.fronted(&scope, this)?;
        held.render(&scope, Chosen::of_block(&scope, scope.take(options))?)
    }

    /// The answer of the turn with its sources, as a piece of a page; see `renderAnswerHtml`. What is not
    /// chosen here is as the service was told.
    ///
    /// @throws `TypeError` when an option has a value it cannot have.
    #[napi(catch_unwind, ts_args_type = "options?: AnswerHtmlOptions", ts_return_type = "string")]
    pub fn render_html(&self, env: &Env, this: This<Own>, options: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let chosen = Chosen::from(&scope, scope.take(options))?;
        let options = page_options(chosen, &held.config)?;
        let inline = chosen.flag(Name::ShowInlineSources, held.config.show_inline)?;
        let payload = held.read(Turn::payload);
        let html = page(&payload.answer, Leaning::of(&payload, inline), &options);
        Ok(give(&scope, scope.string(&html)))
    }
}

/// An argument that must be a string.
pub(super) fn word(scope: &Scope<'_>, name: &str, value: Handle<'_>) -> napi::Result<String> {
    value.whole_text().ok_or_else(|| {
        let value = shown(value);
        scope.type_error(&format!("{name} must be a string, got {value}"))
    })
}

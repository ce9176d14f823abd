//! The classes of a long-lived host: a service, and the turns it starts.

use super::given::open;
use super::names::Name;
use super::node_api::{Handle, Passed, Scope};
use super::options::Chosen;
use super::{give, write};
use crate::render::write_block;
use crate::turn::Turn;
use napi::Env;
use napi_derive::napi;

/// Keeps what all turns of a session share. Make one and start a turn for each prompt.
///
/// @example
/// ```ts
/// const citations = new CitationService()
/// const turn = citations.startTurn()
/// for await (const event of stream) turn.push(event)
/// console.log(turn.render({ links: 'osc8' }))
/// ```
#[napi]
pub struct CitationService {
    documents: bool,
}

#[napi]
impl CitationService {
    /// @throws `TypeError` when an option has a value it cannot have.
    #[napi(constructor, catch_unwind, ts_args_type = "options?: CitationServiceOptions")]
    pub fn new(env: &Env, options: Passed) -> napi::Result<Self> {
        let scope = Scope::enter(env)?;
        let chosen = Chosen::from(&scope, scope.take(options))?;
        Ok(Self { documents: chosen.flag(Name::Documents, false)? })
    }

    /// A turn with nothing in it. Reuse it with `reset()`: a new one costs more than most turns do.
    #[napi(catch_unwind)]
    pub fn start_turn(&self) -> CitationTurn {
        CitationTurn { turn: Turn::new(self.documents) }
    }
}

/// What one turn has cited so far. Made by `CitationService.startTurn()`.
#[napi]
pub struct CitationTurn {
    turn: Turn,
}

#[napi]
impl CitationTurn {
    /// Takes an event, a chunk or a whole response of any provider, as an object or as JSON; which one
    /// is found out by its shape. Anything else is passed over. One turn may span several model calls.
    ///
    /// @example
    /// ```ts
    /// for await (const chunk of await ai.models.generateContentStream(request)) turn.push(chunk)
    /// ```
    #[napi(catch_unwind, ts_args_type = "event: ProviderInput", ts_return_type = "void")]
    pub fn push(&mut self, env: &Env, event: Passed) -> napi::Result<()> {
        let scope = Scope::enter(env)?;
        let turn = &mut self.turn;
        open(scope.take(event), |given| turn.push(given));
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
    pub fn push_bytes(&mut self, env: &Env, chunk: Passed) -> napi::Result<()> {
        let scope = Scope::enter(env)?;
        let chunk = scope.take(chunk);
        let turn = &mut self.turn;
        chunk.with_bytes(|bytes| turn.push_bytes(bytes)).ok_or_else(|| {
            let value = super::options::shown(chunk);
            scope.type_error(&format!("chunk must be a Uint8Array, got {value}"))
        })
    }

    /// Forgets everything, as a host must when it tries a model call again.
    #[napi(catch_unwind, ts_return_type = "void")]
    pub fn reset(&mut self) {
        self.turn.reset();
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
    pub fn finish(&self, env: &Env, text: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let text = answer(&scope, scope.take(text))?;
        let payload = self.turn.finish(text.as_deref());
        Ok(give(&scope, write::payload(&scope, &payload)))
    }

    /// The block of sources of the turn so far. No sources: `''`.
    ///
    /// @throws `TypeError` when an option has a value it cannot have.
    #[napi(catch_unwind, ts_args_type = "options?: RenderTurnOptions", ts_return_type = "string")]
    pub fn render(&self, env: &Env, options: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let chosen = Chosen::from(&scope, scope.take(options))?;
        let options = chosen.rendering()?;
        let shown = chosen.already_shown();
        let sources = self.turn.sources(&shown);
        let block = scope.written(|block| write_block(&sources, options, block));
        Ok(give(&scope, block))
    }
}

fn answer(scope: &Scope<'_>, text: Handle<'_>) -> napi::Result<Option<String>> {
    match text.text() {
        Some(text) => Ok(Some(text)),
        None if text.is_nothing() => Ok(None),
        None => {
            let value = super::options::shown(text);
            Err(scope.type_error(&format!("text must be a string, got {value}")))
        }
    }
}

//! A turn that reads its first response when somebody asks for what is in it.
//!
//! In: what a turn is given. Out: the turn, or of a first response that nobody has asked more of, its sources by
//! the short way. Promise: nobody can tell. Many turns are given one response, rendered, and forgotten.

use super::carry::{self, Pieces};
use super::errand::Written;
use super::given::{Given, open_pushed, open_stream};
use super::node_api::Handle;
use super::packed::{Carried, Packed};
use crate::input::json::Json;
use crate::input::plan::Plan;
use crate::input::{Detail, Shape};
use crate::render::{Numbered, number};
use crate::turn::{Turn, extract_shown, listed, response_shape};

/// A turn, and what it has not read yet.
pub(super) struct Reading {
    turn: Turn,
    /// Whether a first response may wait.
    is_patient: bool,
    /// Whether the turn has nothing to remember.
    is_fresh: bool,
    unread: Option<Unread>,
    /// What the last body was kept in, for the next one.
    room: Vec<u8>,
}

/// The most bytes that are held for a body that has not come yet. Longer ones come seldom.
const MOST_ROOM: usize = 1 << 16;

/// A first response.
enum Unread {
    /// The bytes of a body, which may go on.
    Body(Vec<u8>),
    /// An object of which everything is here that a turn would ask it for, and its shape.
    Answer(Packed, Shape),
}

impl Reading {
    /// A turn that has heard nothing. Unless it `is_patient`, it reads all at once.
    pub(super) fn new(turn: Turn, is_patient: bool) -> Self {
        Self { turn, is_patient, is_fresh: true, unread: None, room: Vec::new() }
    }

    /// A turn that goes on.
    pub(super) fn resumed(turn: Turn) -> Self {
        Self { is_fresh: false, ..Self::new(turn, false) }
    }

    /// Takes an event, a chunk or a whole response, and what was fetched of it if it is an object.
    pub(super) fn push(&mut self, event: Handle<'_>, fetched: Option<Written<'_>>) {
        let Some(fetched) = fetched else {
            let turn = self.turn();
            if open_pushed(event, |given| turn.push(given)).is_none() {
                open_stream(event, |events| turn.push_events(events));
            }
            return;
        };
        let Some((packed, as_planned)) = carry::unpack(event, Plan::Answer, fetched) else {
            return self.turn().push(Given::Live(event));
        };
        let documents = self.turn.wants(Shape::Anthropic);
        if as_planned
            && self.may_wait()
            && let Some(shape) = carried(&packed).and_then(|given| response_shape(given, documents))
        {
            self.unread = Some(Unread::Answer(packed, shape));
            return;
        }
        let given = Carried::whole(event.scope.pieces().keep(packed), Some(event.scope));
        self.turn().push(given.map_or(Given::Live(event), Given::Carried));
    }

    /// Takes the next bytes of a body.
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        if self.may_wait() && bytes.starts_with(b"{") {
            let mut body = std::mem::take(&mut self.room);
            body.extend_from_slice(bytes);
            self.unread = Some(Unread::Body(body));
        } else {
            self.turn().push_bytes(bytes);
        }
    }

    fn may_wait(&self) -> bool {
        self.is_patient && self.is_fresh && self.unread.is_none()
    }

    /// The turn, when it has read everything.
    pub(super) fn turn(&mut self) -> &mut Turn {
        self.is_fresh = false;
        match self.unread.take() {
            Some(Unread::Body(body)) => self.turn.push_bytes(&body),
            Some(Unread::Answer(packed, _)) => {
                if let Some(given) = carried(&packed) {
                    self.turn.push(given);
                }
            }
            None => {}
        }
        &mut self.turn
    }

    /// Forgets everything. What was not read gives its room back to `pieces`.
    pub(super) fn reset(&mut self, pieces: &Pieces) {
        if !self.is_fresh {
            self.turn.reset();
        }
        self.is_fresh = true;
        match self.unread.take() {
            Some(Unread::Answer(packed, _)) => pieces.give_back(packed),
            Some(Unread::Body(mut body)) if body.capacity() <= MOST_ROOM => {
                body.clear();
                self.room = body;
            }
            _ => {}
        }
    }

    /// Lends the sources to `show` under their numbers and, if asked, with what the answer points at.
    pub(super) fn with_numbered(
        &mut self,
        cited: bool,
        mut show: impl FnMut(Vec<Numbered<'_, '_>>),
    ) {
        let mut shown = false;
        if let Some(unread) = self.unread.as_ref().filter(|_| !cited) {
            unread.open(self.turn.wants(Shape::Anthropic), |given, shape| {
                show(number(&listed(extract_shown(given, || shape), &[]), &[]));
                shown = true;
            });
        }
        if !shown {
            self.turn().with_listing(cited, |sources, cited| show(number(sources, cited)));
        }
    }
}

impl Unread {
    /// Opens it for its sources, unless it is for the turn to say what that is.
    fn open(&self, documents: bool, run: impl FnOnce(Given<'_>, Shape)) {
        match self {
            Self::Answer(packed, shape) => drop(carried(packed).map(|given| run(given, *shape))),
            Self::Body(body) => {
                let json = Json::to_the_end(body, Detail::Shown);
                let is_all =
                    body.get(json.end()..).is_some_and(|rest| rest.trim_ascii().is_empty());
                if is_all
                    && !json.is_damaged()
                    && let Some(root) = json.root().map(Given::Json)
                    && let Some(shape) = response_shape(root, documents)
                {
                    run(root, shape);
                }
            }
        }
    }
}

fn carried(packed: &Packed) -> Option<Given<'_>> {
    Carried::whole(packed, None).map(Given::Carried)
}

//! What one turn has cited so far.
//!
//! In: whatever the turn produced, as values or as bytes, in any order and any number of times. Out:
//! its sources, cleaned, deduplicated and numbered by first appearance, and the spans of the answer
//! that lean on them. Promise: how the data was cut into pieces makes no difference.

mod finish;
mod listed;
mod record;

pub use listed::{extract_shown, listed};

use crate::clean::text;
use crate::input::json::Json;
use crate::input::stream::Splitter;
use crate::input::{Detail, Listener, Shape, Value, delta, read, shape_of};
use crate::model::{Code, Payload, Source};
use record::Record;
use std::borrow::Cow;

/// The state of a turn.
#[derive(Debug, Default)]
pub struct Turn {
    documents: bool,
    record: Record,
    splitter: Splitter,
}

impl Turn {
    /// A new turn. Anthropic's citations count only with `documents`.
    pub fn new(documents: bool) -> Self {
        Self { documents, ..Self::default() }
    }

    /// A turn that is asked for nothing but sources, of whoever sends them.
    pub fn for_sources() -> Self {
        let mut turn = Self::new(true);
        turn.record.detail = Detail::Sources;
        turn
    }

    /// Takes an event, a chunk or a whole response of any provider.
    pub fn push<'v, V: Value<'v>>(&mut self, value: V) {
        value.each_or_this(|_, value| self.push_one(value));
    }

    fn push_one<'v, V: Value<'v>>(&mut self, value: V) {
        let record = &mut self.record;
        let shape = shape_of(value);
        record.heard_from(shape);
        record.muted = shape == Shape::Anthropic && !self.documents;
        read(value, shape, record);
        record.end_event();
    }

    /// Takes the next bytes of a body, cut anywhere.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.push(bytes, |document| self.push_json(document));
        self.splitter = splitter;
    }

    fn push_json(&mut self, document: &[u8]) {
        if let Some(said) = delta::read(document) {
            self.record.hear(said);
            return self.record.end_event();
        }
        if delta::is_silent(document) {
            return;
        }
        let json = Json::from_bytes(document);
        if let Some(root) = json.root() {
            self.push(root);
        }
        // The one thing streams hold that is no JSON and means it.
        if json.is_damaged() && document != b"[DONE]" {
            let detail = || text::line(String::from_utf8_lossy(document), 40).into_owned();
            self.record.diagnostics.report(Code::DataDamaged, detail);
        }
    }

    /// Reads one value with the reader of `shape`, whatever it looks like.
    pub fn push_shape<'v, V: Value<'v>>(&mut self, value: V, shape: Shape) {
        self.record.muted = false;
        read(value, shape, &mut self.record);
        self.record.end_event();
    }

    /// Forgets everything, as on a retry.
    pub fn reset(&mut self) {
        *self = Self::new(self.documents);
    }

    /// What the turn has come to. `given` is the answer as the host has it.
    pub fn finish(&self, given: Option<&str>) -> Payload {
        finish::finish(&self.heard(), given)
    }

    /// The numbered sources so far, without those that `shown` names.
    pub fn sources(&self, shown: &[Source<'_>]) -> Vec<Source<'static>> {
        listed(finish::sources(&self.heard()), shown)
    }

    /// The record, with what has come of a document that is not whole yet. That is read for this
    /// look only: the rest of it may still come.
    fn heard(&self) -> Cow<'_, Record> {
        match self.splitter.unfinished() {
            None => Cow::Borrowed(&self.record),
            Some(document) => {
                let mut turn = Self { record: self.record.clone(), ..Self::new(self.documents) };
                turn.push_json(&document);
                Cow::Owned(turn.record)
            }
        }
    }

    /// Every citation with its source, repeats included.
    pub fn into_sources(self) -> Vec<Source<'static>> {
        finish::sources(&self.record)
    }
}

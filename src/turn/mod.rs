//! What one turn has cited so far.
//!
//! In: whatever the turn produced, as values or as bytes, in any order and any number of times. Out:
//! its sources, cleaned, deduplicated and numbered by first appearance, and the spans of the answer
//! that lean on them. Promise: how the data was cut into pieces makes no difference.

mod finish;
mod ledger;
mod listed;
mod placing;
mod record;
mod state;
mod tools;

pub use listed::{extract_shown, listed, read_listed, response_shape};
pub use tools::{Signature, sign};

use crate::clean::text;
use crate::documents::Documents;
use crate::input::alike::{Alike, Outline, Overheard, Told};
use crate::input::json::Json;
use crate::input::plan::Plan;
use crate::input::said;
use crate::input::stream::{Sink, Splitter};
use crate::input::{Detail, Key, Shape, Value, delta, payload, read, shape_of};
use crate::model::{Code, Payload, Source};
use finish::Context;
use ledger::Ledger;
use record::Record;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The state of a turn.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    #[serde(skip)]
    documents: bool,
    /// Whether nobody wants to see citations.
    #[serde(skip)]
    silent: bool,
    record: Record,
    ledger: Ledger,
    /// How many tool results there were, to name those without an id.
    results: u32,
    /// What the request has to cite from.
    request: Documents,
    /// Whether passages of one document are one source.
    #[serde(skip)]
    grouped: bool,
    /// The answer as the host handed it over last.
    given: Option<String>,
    splitter: Splitter,
    #[serde(skip)]
    alike: Alike,
}

impl Sink for Turn {
    fn take(&mut self, document: &[u8]) {
        self.push_json(document);
    }

    fn take_whole(&mut self, body: &[u8]) -> bool {
        let json = Json::from_bytes(body);
        let Some((document, behind)) = body.split_at_checked(json.end()) else { return false };
        let is_whole = !json.is_damaged() && behind.trim_ascii().is_empty();
        if is_whole {
            self.hear_document(document, &json);
        }
        is_whole
    }

    fn take_alike(&mut self, lead: &[u8], events: &[u8]) -> usize {
        let Some((told, length)) = self.alike.read_row(lead, events) else { return 0 };
        hear_told(&mut self.record, &told);
        length
    }
}

/// Hears an event that says nothing but a piece of text, which nobody is not to hear.
fn hear_told(record: &mut Record, told: &Told<'_, '_>) {
    record.hear_event(told.shape, false, |record| told.tell(record));
}

impl Turn {
    /// A new turn. Anthropic's citations count only with `documents`.
    pub fn new(documents: bool) -> Self {
        Self { documents, ..Self::default() }
    }

    /// A turn that hears text and no citations.
    #[must_use]
    pub fn silent(self) -> Self {
        Self { silent: true, ..self }
    }

    /// A turn in which passages of one document are one source.
    #[must_use]
    pub fn grouped(self, grouped: bool) -> Self {
        Self { grouped, ..self }
    }

    /// Says what the request has to cite from.
    pub fn set_request(&mut self, request: Documents) {
        self.request = request;
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
        let (shape, muted) = (shape_of(value), self.mutes());
        self.record.hear_event(shape, muted(shape), |record| read(value, shape, record));
    }

    /// Whether citations of this shape count.
    pub fn wants(&self, shape: Shape) -> bool {
        !(self.mutes())(shape)
    }

    /// Of which shapes no citations are wanted.
    fn mutes(&self) -> impl Fn(Shape) -> bool + use<> {
        let (silent, documents) = (self.silent, self.documents);
        move |shape| silent || shape == Shape::Anthropic && !documents
    }

    /// Takes the next bytes of a body, cut anywhere.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.push(bytes, self);
        self.splitter = splitter;
    }

    /// Takes events that are whole, beside the body that is coming in.
    pub fn push_events(&mut self, events: &[u8]) {
        let splitter = std::mem::take(&mut self.splitter);
        self.push_bytes(events);
        if let Some(event) = self.splitter.unfinished() {
            self.push_json(&event);
        }
        self.splitter = splitter;
    }

    fn push_json(&mut self, document: &[u8]) {
        if let Some(told) = self.alike.read(document) {
            return hear_told(&mut self.record, &told);
        }
        if let Some(told) = delta::read(document) {
            self.alike.learn_from(document, &told);
            return hear_told(&mut self.record, &told);
        }
        if !delta::is_silent(document) {
            self.push_document(document);
        }
    }

    /// The long way.
    fn push_document(&mut self, document: &[u8]) {
        self.hear_document(document, &Json::from_bytes(document));
    }

    fn hear_document(&mut self, document: &[u8], json: &Json<'_>) {
        let open_whole = || Json::skimmed(document, Detail::Whole);
        match json.root() {
            Some(root) if root.is_array() => {
                let whole = payload::is_in(root).then(open_whole);
                self.push(whole.as_ref().and_then(Json::root).unwrap_or(root));
            }
            Some(root) => {
                let (shape, muted) = (shape_of(root), self.mutes());
                let whole = (shape == Shape::Payload).then(open_whole);
                let root = whole.as_ref().and_then(Json::root).unwrap_or(root);
                let mut outline = Outline::of(shape);
                self.record.hear_event(shape, muted(shape), |record| match &mut outline {
                    Some(outline) => read(root, shape, &mut Overheard { to: record, outline }),
                    None => read(root, shape, record),
                });
                if let Some(outline) = outline.filter(|_| !json.is_damaged()) {
                    self.alike.learn(document, shape, outline);
                }
            }
            None => {}
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

    /// The same with each event of a body that is whole.
    pub fn push_stream(&mut self, body: &[u8], shape: Shape) {
        let detail = self.record.detail;
        let mut hear = |event: &[u8]| {
            if let Some(root) = Json::skimmed(event, detail).root() {
                self.push_shape(root, shape);
            }
        };
        let mut splitter = Splitter::default();
        splitter.push(body, &mut hear);
        splitter.unfinished().iter().for_each(|event| hear(event));
    }

    /// Counts a tool result.
    pub fn next_result(&mut self) -> u32 {
        self.results = self.results.saturating_add(1);
        self.results
    }

    /// Takes what a tool call or a sub-agent found, signed and cleaned. Answers the number of each.
    pub fn add_found(&mut self, sources: impl IntoIterator<Item = Source<'static>>) -> Vec<usize> {
        if self.silent {
            return Vec::new();
        }
        self.record.last_part = None;
        for call in std::mem::take(&mut self.record.unsealed) {
            let call = self.record.calls.get(call);
            for source in call.into_iter().flat_map(record::Call::sources) {
                self.ledger.seal(source, self.grouped);
            }
        }
        let sources = sources.into_iter();
        self.ledger.expect(sources.size_hint().0);
        sources.map(|source| self.ledger.add(source)).collect()
    }

    /// Takes a sub-agent's sources under its name, which stays with those that have none yet. Answers
    /// the number of each place of its list, 0 where there is nothing to list.
    pub fn merge<'v, V: Value<'v>>(&mut self, agent: Option<&str>, stored: V) -> Vec<usize> {
        let mut numbers = Vec::new();
        stored.get(Key::Sources).unwrap_or(stored).each_as(Plan::Sources, |index, source| {
            let mut source = payload::read_source(source).into_owned();
            tools::credit(&mut source, agent);
            if index < said::MOST_PLACES {
                numbers.resize(index, 0);
                let number =
                    if source.is_blank() { Vec::new() } else { self.add_found(vec![source]) };
                numbers.push(number.first().copied().unwrap_or_default());
            }
        });
        numbers
    }

    /// Forgets everything, as on a retry.
    pub fn reset(&mut self) {
        let (silent, grouped) = (self.silent, self.grouped);
        *self = Self { silent, grouped, ..Self::new(self.documents) };
    }

    /// What the turn has come to. `given` is the answer as the host has it.
    pub fn finish(&mut self, given: Option<String>) -> Payload {
        self.given = given;
        self.payload()
    }

    /// The same, with the answer as it was handed over last.
    pub fn payload(&self) -> Payload {
        let context =
            Context { ledger: &self.ledger, request: &self.request, grouped: self.grouped };
        let payload = finish::finish(&self.heard(), &context, self.given.as_deref());
        // A stored turn may know sources that this one is not to show.
        if self.silent { Payload { answer: payload.answer, ..Payload::default() } } else { payload }
    }

    /// Lends the sources, in the order of their numbers, to `show` and, if asked, the numbers the answer
    /// points at.
    pub fn with_listing<T>(
        &self,
        cited: bool,
        show: impl FnOnce(&[Cow<'_, Source<'static>>], &[usize]) -> T,
    ) -> T {
        if cited || self.silent {
            let Payload { sources, cited, .. } = self.payload();
            let sources: Vec<_> = sources.into_iter().map(Cow::Owned).collect();
            return show(&sources, &cited);
        }
        let context =
            Context { ledger: &self.ledger, request: &self.request, grouped: self.grouped };
        show(&finish::numbered(&self.heard(), &context), &[])
    }

    /// Reports that an extractor of the host failed.
    pub fn report_extractor(&mut self, detail: &str) {
        let detail = || text::line(detail.into(), 120).into_owned();
        self.record.diagnostics.report(Code::ExtractorFailed, detail);
    }

    /// The record, with what has come of a document that is not whole yet. That is read for this
    /// look only: the rest of it may still come.
    fn heard(&self) -> Cow<'_, Record> {
        match self.splitter.unfinished() {
            None => Cow::Borrowed(&self.record),
            Some(document) => {
                let mut turn = Self { record: self.record.clone(), ..Self::new(self.documents) };
                turn.silent = self.silent;
                turn.push_json(&document);
                Cow::Owned(turn.record)
            }
        }
    }

    /// Every citation with its source, repeats included.
    pub fn sources(&self) -> Vec<Cow<'_, Source<'static>>> {
        let mut sources = finish::sources(&self.record);
        finish::shelf(&self.record, &self.request).complete(&mut sources);
        sources
    }

    /// The same, each on its own feet.
    pub fn into_sources(self) -> Vec<Source<'static>> {
        self.sources().into_iter().map(Cow::into_owned).collect()
    }
}

//! What was said during a turn, sorted by model call and by place.
//!
//! The order in which statements arrive does not matter, nor how often: a stream with its repeated,
//! early and late events leaves the same record as the whole response.

use super::state::pairs;
use crate::clean::{self, text};
use crate::dedupe::{complete, identity};
use crate::documents::{Fetched, Finds};
use crate::input::Shape;
use crate::input::said::{Detail, Listener, Order, PartId, Place, Proof, Said, Span};
use crate::model::{Diagnostics, Location, Source};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// The most that is kept of a query, in characters.
const QUERY_LIMIT: usize = 300;

/// Everything heard so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) calls: Vec<Call>,
    /// The call that statements without an id belong to.
    current: usize,
    /// Whether citations of what is being read are not wanted.
    #[serde(skip)]
    pub(super) muted: bool,
    /// Calls of which sources were heard that have no number of their own yet.
    pub(super) unsealed: BTreeSet<usize>,
    pub(super) diagnostics: Diagnostics,
    /// What searches have found, for citations of any call.
    #[serde(default)]
    pub(super) finds: Finds,
    #[serde(skip)]
    pub(super) detail: Detail,
    /// Places of calls by their ids.
    ids: BTreeMap<String, usize>,
    /// The model that answered last.
    pub(super) model: Option<String>,
    /// Who spoke last.
    pub(super) shape: Option<Shape>,
    /// Whether this event says which call it belongs to.
    #[serde(skip)]
    named: bool,
    /// Supports of this event.
    #[serde(skip)]
    supports: Vec<Support>,
    /// Where each text of this event starts, for offsets that count from a part of it.
    #[serde(skip)]
    starts: Vec<usize>,
    #[serde(skip)]
    pub(super) last_part: Option<LastPart>,
    #[serde(skip)]
    pub(super) hasher: RandomState,
}

/// All that was heard last. To hear it again changes nothing, until something else is heard that may change it.
#[derive(Clone, Debug)]
pub(super) struct LastPart {
    call: usize,
    id: PartId,
    json: Vec<u8>,
    /// Whether it was heard to its end.
    is_heard: bool,
}

/// One call of a model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Call {
    /// Whether it has an id.
    pub(super) named: bool,
    pub(super) ended: bool,
    #[serde(with = "pairs")]
    pub(super) parts: BTreeMap<PartId, Part>,
    /// Sources that supports name by their place.
    pub(super) list: Vec<Option<Source<'static>>>,
    pub(super) supports: Vec<Support>,
    /// Sources with their own spans, in the order of the answer.
    #[serde(with = "pairs")]
    pub(super) cited: BTreeMap<Order, Cited>,
    pub(super) consulted: Vec<Source<'static>>,
    /// Documents the model fetched, by their place in the message: address and title.
    pub(super) fetched: BTreeMap<u32, Fetched>,
    /// What the provider searched for, and the ids of its searches.
    pub(super) queries: Vec<String>,
    pub(super) searches: BTreeSet<String>,
    /// Searches of which it is known what they are for.
    asked: BTreeSet<String>,
    /// Which citations without a place of their own were heard already, and the last number of the place they got.
    #[serde(skip)]
    pub(super) seen: HashMap<u64, u32>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Support {
    pub(super) span: Span<'static>,
    pub(super) listed: Vec<usize>,
    pub(super) confidence: Option<f64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Cited {
    pub(super) source: Source<'static>,
    pub(super) span: Option<Span<'static>>,
}

impl Record {
    /// The call that is going on. There always is one.
    fn call(&mut self) -> &mut Call {
        let index = match self.calls.len() {
            0 => {
                self.calls.push(Call::default());
                0
            }
            count => self.current.min(count - 1),
        };
        #[expect(clippy::indexing_slicing, reason = "the list has at least one item")]
        &mut self.calls[index]
    }

    fn start_call(&mut self) {
        self.add_supports();
        self.last_part = None;
        self.current = self.calls.len();
        self.calls.push(Call::default());
    }

    /// Hears what `speak` says of an event. `muted` when no citations of its shape are wanted.
    pub(super) fn hear_event(&mut self, shape: Shape, muted: bool, speak: impl FnOnce(&mut Self)) {
        self.heard_from(shape);
        self.muted = muted;
        speak(self);
        self.end_event();
    }

    /// An event of another kind of provider belongs to another call.
    fn heard_from(&mut self, shape: Shape) {
        if shape == Shape::Unknown {
            return;
        }
        if self.shape.replace(shape).is_some_and(|before| before != shape) {
            self.start_call();
        }
    }

    fn enter_call(&mut self, id: &str) {
        self.add_supports();
        self.named = true;
        if let Some(known) = self.ids.get(id) {
            self.current = *known;
            return;
        }
        if self.call().named || self.call().ended {
            self.start_call();
        }
        self.call().named = true;
        self.ids.insert(id.to_owned(), self.current);
    }

    fn add_text(&mut self, part: PartId, text: &str, whole: bool) {
        // Without an id, text after the end of a call is the next one's. What says nothing still is of this one.
        if !whole && !self.named && self.call().ended && !text.is_empty() {
            self.start_call();
        }
        let held = self.call().parts.entry(part).or_default();
        if whole {
            // An empty whole opens a part; it does not empty one.
            if !text.is_empty() {
                text.clone_into(&mut held.text);
            }
            return;
        }
        let start = held.text.len();
        held.text.push_str(text);
        self.starts.push(start);
    }

    /// A list that begins like the one we have is the same list sent again; another goes on behind it.
    fn add_list(&mut self, mut list: Vec<Option<Source<'static>>>) {
        let held = &mut self.call().list;
        if held.iter().zip(&list).all(|(held, new)| held == new) {
            if list.len() > held.len() {
                *held = list;
            }
            return;
        }
        let before = held.len() as u64;
        for location in list.iter_mut().flatten().filter_map(|source| source.location.as_mut()) {
            if let Location::Grounding { chunk, .. } = location {
                *chunk = chunk.saturating_add(before);
            }
        }
        held.extend(list);
    }

    /// Supports that begin like those we have are the same ones sent again; others come on top.
    fn add_supports(&mut self) {
        if self.supports.is_empty() {
            return;
        }
        let fresh = std::mem::take(&mut self.supports);
        let held = &mut self.call().supports;
        let same =
            |(held, new): (&Support, &Support)| held.span == new.span && held.listed == new.listed;
        let known = if held.iter().zip(&fresh).all(same) { held.len() } else { 0 };
        held.extend(fresh.into_iter().skip(known));
    }

    /// The same search is reported in several events, some before what it is for, and the same list of
    /// queries again, longer.
    fn add_search(&mut self, id: Option<&str>, queries: Vec<String>) {
        let call = self.call();
        let Some(id) = id else {
            let again = call.queries.iter().zip(&queries).all(|(held, new)| held == new);
            let known = if again { call.queries.len() } else { 0 };
            return call.queries.extend(queries.into_iter().skip(known));
        };
        call.searches.insert(id.to_owned());
        if !queries.is_empty() && call.asked.insert(id.to_owned()) {
            call.queries.extend(queries);
        }
    }

    /// Whether just this was heard of this place already. What is clean stays as it is, and need not be cleaned again.
    fn holds(
        &mut self,
        order: Option<Order>,
        source: &Source<'_>,
        span: Option<&Span<'_>>,
    ) -> bool {
        let held = order.and_then(|order| self.call().cited.get(&order));
        held.is_some_and(|held| held.source == *source && held.span.as_ref() == span)
    }

    fn add_cited(
        &mut self,
        order: Option<Order>,
        mut source: Source<'static>,
        span: Option<Span<'static>>,
    ) {
        let fingerprint = match order {
            Some(_) => 0,
            None => fingerprint(&self.hasher, &source, span.as_ref()),
        };
        // The same place of another answer: its events do not say which call they are of.
        let cited = &self.call().cited;
        let held = order.and_then(|order| cited.get(&order));
        let other = held.is_some_and(|held| identity(&held.source) != identity(&source));
        if other && !self.named {
            self.start_call();
        }
        let call = self.call();
        let order = match order {
            // The next one of its block.
            Some((block, part, u32::MAX)) => {
                let held = call.cited.range((block, part, 0)..(block, part, u32::MAX));
                let next = held.last().map_or(0, |((_, _, index), _)| index.saturating_add(1));
                (block, part, next)
            }
            Some(order) => order,
            None => {
                let count = u32::try_from(call.seen.len()).unwrap_or(u32::MAX).saturating_add(1);
                match call.seen.entry(fingerprint) {
                    Entry::Vacant(free) => (u32::MAX, u32::MAX, *free.insert(count)),
                    Entry::Occupied(held) => {
                        if let Some(held) = call.cited.get_mut(&(u32::MAX, u32::MAX, *held.get())) {
                            complete(&mut held.source, &mut source);
                        }
                        return;
                    }
                }
            }
        };
        call.cited.insert(order, Cited { source, span });
    }
}

/// Tells citations without a place of their own apart.
pub(super) fn fingerprint(
    hasher: &RandomState,
    source: &Source<'_>,
    span: Option<&Span<'_>>,
) -> u64 {
    hasher.hash_one((identity(source), span.map(|span| (span.part, span.place))))
}

impl Call {
    /// The visible text of the call.
    pub(super) fn text(&self) -> String {
        self.parts.values().map(|part| part.text.as_str()).collect()
    }

    /// Its spans of the answer.
    pub(super) fn spans(&self) -> impl Iterator<Item = &Span<'static>> {
        let cited = self.cited.values().filter_map(|cited| cited.span.as_ref());
        self.supports.iter().map(|support| &support.span).chain(cited)
    }

    /// Its sources, repeats included: first those spans name by place, then those with spans of
    /// their own, then pages that neither names.
    pub(super) fn sources(&self) -> impl Iterator<Item = &Source<'static>> {
        let cited = self.cited.values().map(|cited| &cited.source);
        self.list.iter().flatten().chain(cited).chain(self.unnamed())
    }

    /// Pages that were read and never cited.
    pub(super) fn unnamed(&self) -> impl Iterator<Item = &Source<'static>> {
        let cited = self.cited.values().map(|cited| &cited.source);
        let mut named: HashSet<_> = if self.consulted.is_empty() {
            HashSet::new()
        } else {
            self.list.iter().flatten().chain(cited).map(identity).collect()
        };
        self.consulted.iter().filter(move |source| named.insert(identity(source)))
    }
}

impl<'v> Listener<'v> for Record {
    fn detail(&self) -> Detail {
        self.detail
    }

    fn hear_part(&mut self, id: PartId, json: &[u8]) {
        let (call, json) = (self.current, json.to_vec());
        self.last_part = Some(LastPart { call, id, json, is_heard: false });
    }

    fn end_part(&mut self) {
        if let Some(part) = &mut self.last_part {
            part.is_heard = true;
        }
    }

    fn has_heard(&self, id: PartId, json: &[u8]) -> bool {
        self.last_part.as_ref().is_some_and(|part| {
            part.is_heard && (part.call, part.id) == (self.current, id) && part.json == json
        })
    }

    fn hear(&mut self, said: Said<'v>) {
        let own = |source: Source<'v>| {
            let mut source = source.into_owned();
            clean::source(&mut source);
            source
        };
        if !matches!(said, Said::Call { .. } | Said::Searched { .. } | Said::Model(_)) {
            self.last_part.take_if(|part| part.is_heard);
        }
        let names = matches!(said, Said::List(_) | Said::Cited { .. } | Said::Consulted(_));
        match said {
            Said::Call { id } => self.enter_call(&id),
            Said::CallEnds => self.call().ended = true,
            Said::Model(name) => self.model = Some(text::line(name, QUERY_LIMIT).into_owned()),
            Said::Text { part, text, whole } => self.add_text(part, &text, whole),
            Said::List(_)
            | Said::Support { .. }
            | Said::Cited { .. }
            | Said::Consulted(_)
            | Said::Searched { .. }
            | Said::Fetched { .. }
            | Said::Found(_)
                if self.muted => {}
            Said::List(list) => {
                self.add_list(list.into_iter().map(|source| source.map(own)).collect());
            }
            Said::Support { span, listed, confidence } => {
                let span = self.settle(span);
                self.supports.push(Support { span, listed, confidence });
            }
            // The last events say again what came piece by piece.
            Said::Cited { order, source, span } if self.holds(order, &source, span.as_ref()) => {}
            Said::Cited { order, source, span } => {
                let span = span.map(|span| self.settle(span));
                self.add_cited(order, own(source), span);
            }
            Said::Consulted(source) => self.call().consulted.push(own(source)),
            Said::Found(source) => self.finds.add(source.into_owned()),
            Said::Fetched { order, url, title, text } => {
                let (title, text) = (title.map(Cow::into_owned), text.map(Cow::into_owned));
                let page = Fetched { url: url.into_owned(), title, text };
                self.call().fetched.insert(order, page);
            }
            Said::Searched { id, queries } => {
                let queries = queries.into_iter().map(|query| text::line(query, QUERY_LIMIT));
                self.add_search(id.as_deref(), queries.map(Cow::into_owned).collect());
            }
        }
        if names {
            self.unsealed.insert(self.current);
        }
    }
}

impl Record {
    /// Turns what only holds at this moment of a stream into a lasting place.
    fn settle(&mut self, span: Span<'_>) -> Span<'static> {
        let part = span.part.unwrap_or_default();
        let place = match span.place {
            Place::Here => {
                let held = self.call().parts.get(&part);
                Place::Point { byte: held.map_or(0, |part| part.text.len()) }
            }
            // From here on: the byte the part starts at.
            Place::Bytes { start, end, part_index: Some(index) } => {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                let part_index = self.starts.get(index).map(|start| *start as u64);
                Place::Bytes { start, end, part_index }
            }
            place => place,
        };
        let proof = match span.proof {
            Proof::Quote(quote) => Proof::Quote(quote.into_owned().into()),
            Proof::Link(url) => Proof::Link(url.into_owned().into()),
            Proof::None => Proof::None,
        };
        Span { part: span.part, place, proof }
    }

    /// An event has been heard to its end.
    pub(super) fn end_event(&mut self) {
        self.add_supports();
        self.starts.clear();
        self.named = false;
    }
}

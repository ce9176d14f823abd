//! The sources that have a number already.
//!
//! Once a tool result was added, its numbers may be in a prompt or on the screen. So whatever had been
//! heard by then keeps its number, and what comes later is numbered behind it.

use crate::dedupe::{document, fold, identity};
use crate::model::{Mention, Origin, Source};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// Numbered sources, each once.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ledger {
    sources: Vec<Source<'static>>,
    /// Places by identity.
    #[serde(skip)]
    places: HashMap<u64, usize>,
    /// Which calls have named which source.
    #[serde(skip)]
    named: HashSet<u64>,
    #[serde(skip)]
    hasher: RandomState,
}

impl Ledger {
    /// In the order of their numbers.
    pub(super) fn sources(&self) -> &[Source<'static>] {
        &self.sources
    }

    pub(super) fn into_sources(self) -> Vec<Source<'static>> {
        self.sources
    }

    /// Makes room for so many more.
    pub(super) fn expect(&mut self, count: usize) {
        self.sources.reserve(count);
        self.places.reserve(count);
        self.named.reserve(count);
    }

    /// The number of a source, its own or that of the same one before. What it adds stays with it.
    pub(super) fn add(&mut self, mut source: Source<'static>) -> usize {
        let key = self.hasher.hash_one(identity(&source));
        // Merging the same list twice adds nothing.
        let origin = source.finding.as_ref().map(|finding| &finding.origin);
        let known = origin.is_some_and(|origin| !self.is_news(key, origin));
        source.also.retain(|mention| match &mention.origin {
            Some(origin) => self.is_news(key, origin) || !is_alias(mention),
            None => !known,
        });
        let Some(place) = self.places.get(&key).copied() else {
            self.places.insert(key, self.sources.len());
            self.sources.push(source);
            return self.sources.len();
        };
        if let Some(held) = self.sources.get_mut(place) {
            if known {
                held.also.append(&mut source.also);
            } else {
                fold(held, source);
            }
        }
        place + 1
    }

    /// Gives a number to what a provider has named, without its citations: those stay with the provider.
    /// Where passages are `grouped`, one of each document is enough.
    pub(super) fn seal(&mut self, source: &Source<'static>, grouped: bool) {
        let key = self.hasher.hash_one(identity(source));
        if grouped && let Some(document) = document(source) {
            let key = self.hasher.hash_one(document);
            if !self.named.insert(key) {
                return;
            }
        }
        if let std::collections::hash_map::Entry::Vacant(free) = self.places.entry(key) {
            free.insert(self.sources.len());
            self.sources.push(Source { also: Vec::new(), ..source.clone() });
        }
    }

    fn is_news(&mut self, key: u64, origin: &Origin<'_>) -> bool {
        let Origin { id, tool, request, agent } = origin;
        let anybody = self.named.insert(self.hasher.hash_one((key, id, tool, request)));
        // Without an agent's name it is the same call whoever made it.
        match agent {
            None => anybody,
            Some(agent) => self.named.insert(self.hasher.hash_one((key, id, tool, request, agent))),
        }
    }
}

/// Whether a mention says no more than who else found the source.
fn is_alias(mention: &Mention<'_>) -> bool {
    let Mention { cited_text, location, lines, raw_url, .. } = mention;
    cited_text.is_none() && location.is_none() && lines.is_none() && raw_url.is_none()
}

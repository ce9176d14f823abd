//! A turn on paper, so that it can go on later or elsewhere.

use super::Turn;
use super::record::{Cited, Record};
use crate::clean::{self, text};
use crate::input::said::Order;
use crate::model::Source;
use serde::{Deserialize, Serialize};

/// Raised whenever an older reader could not understand what is written.
const VERSION: u32 = 1;

/// The most that a complaint quotes of the data, in characters.
const MESSAGE_LIMIT: usize = 160;

#[derive(Serialize)]
struct Written<'t> {
    version: u32,
    turn: &'t Turn,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Deserialize)]
struct Read {
    turn: Turn,
}

impl Turn {
    /// Everything the turn knows, as JSON.
    pub fn serialize(&self) -> String {
        serde_json::to_string(&Written { version: VERSION, turn: self }).unwrap_or_default()
    }

    /// The turn that was written, under the options of whoever goes on with it. What it says is not
    /// trusted more than what providers say.
    ///
    /// # Errors
    /// What is wrong with the text, for people.
    pub fn restore(text: &str, documents: bool, silent: bool) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let broken = |error: serde_json::Error| {
            let error = error.to_string();
            format!("is no stored turn ({})", text::line(error.into(), MESSAGE_LIMIT))
        };
        let Version { version } = serde_json::from_str(text).map_err(broken)?;
        if version != VERSION {
            return Err(format!("has version {version}; this release reads version {VERSION}"));
        }
        let Read { mut turn } = serde_json::from_str(text).map_err(broken)?;
        if !turn.splitter.is_sound() {
            return Err("is no stored turn (its unfinished bytes do not fit together)".to_owned());
        }
        turn.record.settle_in();
        turn.ledger.settle_in();
        Ok(Self { documents, silent, ..turn })
    }
}

impl Record {
    /// Cleans what was read and makes what was not written.
    fn settle_in(&mut self) {
        let hasher = self.hasher.clone();
        self.model =
            self.model.take().map(|name| text::line(name.into(), MESSAGE_LIMIT).into_owned());
        self.finds.clean();
        self.diagnostics.clean(|detail| text::line(detail.into(), MESSAGE_LIMIT).into_owned());
        for call in &mut self.calls {
            let listed = call.list.iter_mut().flatten().chain(&mut call.consulted);
            let cited = call.cited.values_mut().map(|cited| &mut cited.source);
            listed.chain(cited).for_each(clean::source);
            let unplaced = call.cited.range((u32::MAX, u32::MAX, 0)..);
            for query in &mut call.queries {
                *query = text::line(std::mem::take(query).into(), MESSAGE_LIMIT * 2).into_owned();
            }
            let seen = |(order, cited): (&Order, &Cited)| (fingerprint(&hasher, cited), order.2);
            call.seen = unplaced.map(seen).collect();
        }
    }
}

fn fingerprint(hasher: &std::hash::RandomState, cited: &Cited) -> u64 {
    super::record::fingerprint(hasher, &cited.source, cited.span.as_ref())
}

/// Maps whose keys are no strings, as lists of pairs.
pub(super) mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub(in crate::turn) fn serialize<K, V, S>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>
    where
        K: Serialize,
        V: Serialize,
        S: Serializer,
    {
        serializer.collect_seq(map)
    }

    pub(in crate::turn) fn deserialize<'de, K, V, D>(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let mut map = BTreeMap::new();
        for (key, value) in Vec::deserialize(deserializer)? {
            map.insert(key, value);
        }
        Ok(map)
    }
}

impl super::ledger::Ledger {
    fn settle_in(&mut self) {
        let sources: Vec<Source<'static>> = std::mem::take(self).into_sources();
        for mut source in sources {
            clean::source(&mut source);
            self.add(source);
        }
    }
}

//! Sources of ours, as Open WebUI keeps them.

use super::list::Figures;
use super::read::NOBODY;
use crate::model::Source;
use std::collections::HashSet;

/// What the key of a source starts with that no name of its own tells from others.
const PLAIN: &str = "source-";

/// What a source goes by, the best name first.
fn names<'s>(source: &'s Source<'_>) -> impl Iterator<Item = &'s str> {
    let id = source.finding.as_deref().and_then(|finding| finding.origin.id.as_deref());
    let fields = [&source.url, &source.uri, &source.file_id].map(|field| field.as_deref());
    let names = fields.into_iter().chain([id, source.title.as_deref()]).flatten();
    names.filter(|name| !name.is_empty())
}

/// Whether a source may have been made under this key. What comes along with somebody else's key says
/// nothing about it.
pub(super) fn may_have_key(source: &Source<'_>, key: &str) -> bool {
    key.starts_with(PLAIN) || names(source).any(|name| name == key)
}

/// A source on its way to Open WebUI.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Made {
    /// What its documents name as their source. No other source has the same.
    pub key: String,
    /// What it is called.
    pub name: Option<String>,
    /// Where it is.
    pub url: Option<String>,
    /// At least one: only what has documents is counted.
    pub documents: Vec<MadeDocument>,
}

/// One document of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MadeDocument {
    /// What it says.
    pub text: String,
    /// Counted from 0, as Open WebUI does.
    pub page: Option<u64>,
    /// As a search said.
    pub score: Option<f64>,
}

/// Makes sources for one list, each under a key of its own: Open WebUI counts keys, we count places.
#[derive(Debug, Default)]
pub struct Maker {
    taken: HashSet<String>,
    made: usize,
}

impl Maker {
    /// Nothing that is made from now on has this key.
    pub fn take(&mut self, key: &str) {
        self.taken.insert(key.to_owned());
    }

    /// Makes the next one.
    pub fn make(&mut self, source: &Source<'_>) -> Made {
        self.made += 1;
        let key = self.key(source);
        let finding = source.finding.as_deref();
        let snippet = finding.and_then(|finding| finding.snippet.as_deref());
        let address = source.url.as_deref().or(source.uri.as_deref());
        let name = source.title.as_deref().or(address).or(source.file_id.as_deref());
        let text = source.cited_text.as_deref().or(snippet).or(name).unwrap_or_default();
        let further = source.also.iter().filter_map(|mention| mention.cited_text.as_deref());
        let json = finding.and_then(|finding| finding.metadata.as_deref());
        let figures: Figures =
            json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        let page = finding.and_then(|finding| finding.page);
        let document = |(index, text): (usize, &str)| {
            let own = figures.pages.get(index).copied();
            let page = own.unwrap_or(if index == 0 { page } else { None });
            MadeDocument {
                text: text.to_owned(),
                page: page.and_then(|page| page.checked_sub(1)),
                score: figures.scores.get(index).copied().flatten(),
            }
        };
        Made {
            key,
            name: name.map(str::to_owned),
            url: source.url.as_deref().map(str::to_owned),
            documents: std::iter::once(text).chain(further).enumerate().map(document).collect(),
        }
    }

    /// What names it best and names nothing else.
    fn key(&mut self, source: &Source<'_>) -> String {
        let is_free = |name: &&str| *name != NOBODY && !self.taken.contains(*name);
        let best = names(source).find(is_free);
        let mut key = best.map_or_else(|| format!("{PLAIN}{}", self.made), str::to_owned);
        while !self.taken.insert(key.clone()) {
            key.push('x');
        }
        key
    }
}

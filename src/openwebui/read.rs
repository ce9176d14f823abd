//! The documents of sources, counted.

use crate::input::payload::read_source;
use crate::input::write::to_json;
use crate::input::{Key, Value};
use crate::model::Source;
use serde_json::json;
use std::collections::HashMap;

/// The most that is shown of a document that is no text.
const ODD_DOCUMENT: usize = 1 << 16;

/// What documents belong to that say nothing of it, as Open WebUI calls it.
pub const NOBODY: &str = "N/A";

/// One document of a source.
pub struct Document<'d> {
    /// The place of its source in the list, and its place in the source.
    pub at: (usize, usize),
    /// The number of what it belongs to; `None` when that cannot be named.
    pub number: Option<usize>,
    /// What it belongs to.
    pub key: &'d str,
    /// What it says, as it came.
    pub text: &'d str,
    /// The name of its source.
    pub name: Option<&'d str>,
    /// The address its source gives.
    pub address: Option<&'d str>,
    /// How well it fits, as the search said.
    pub score: Option<f64>,
    /// What its metadata say.
    pub facts: &'d Facts,
}

/// What the metadata of a document say.
#[derive(Debug, Default)]
pub struct Facts {
    /// What it belongs to.
    source: Option<String>,
    /// What that is called.
    pub name: Option<String>,
    /// Where it is.
    pub url: Option<String>,
    /// The page, counted from 1. Metadata count from 0.
    pub page: Option<u64>,
    /// The source of ours that this was made from.
    pub citation: Option<Box<Source<'static>>>,
    /// The names of all fields that say something else.
    pub others: Vec<String>,
}

/// How much of the metadata is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What a document belongs to.
    Keys,
    /// All of it.
    Whole,
}

/// Whether this is a source of Open WebUI, and not one of ours.
pub fn is_source<'v, V: Value<'v>>(value: V) -> bool {
    value.get(Key::Document).is_some() || value.get(Key::Source).is_some()
}

/// Whether readers can be told what this is: it has a name or an id, or its documents have.
pub fn is_named<'v, V: Value<'v>>(source: V) -> bool {
    let head = Head::of(source);
    let mut named = head.name.is_some() || head.id.is_some();
    if let Some(metadata) = source.get(Key::Metadata) {
        metadata.each_or_this(|_, one| named = named || naming(one, Key::Source).is_some());
    }
    named
}

/// Calls `visit` with each document of a list of sources, in their order, under its number.
pub fn each_document<'v, V: Value<'v>>(
    sources: V,
    depth: Depth,
    mut visit: impl FnMut(&Document<'_>),
) {
    let mut numbers = HashMap::new();
    sources.each(|place, source| each_of(source, place, depth, &mut numbers, &mut visit));
}

fn each_of<'v, V: Value<'v>>(
    source: V,
    place: usize,
    depth: Depth,
    numbers: &mut HashMap<String, usize>,
    visit: &mut dyn FnMut(&Document<'_>),
) {
    let Some(documents) = source.get(Key::Document) else { return };
    let head = Head::of(source);
    let metadata = read_metadata(source, depth);
    let scores = read_scores(source);
    let nothing = Facts::default();
    documents.each_or_this(|index, document| {
        let Some(text) = text_of(document) else { return };
        let facts = metadata.get(&index).unwrap_or(&nothing);
        let key = facts.source.as_deref().or(head.id.as_deref());
        let named = key.is_some() || head.name.is_some();
        let key = key.unwrap_or(NOBODY);
        let number = named.then(|| number_of(key, numbers));
        visit(&Document {
            at: (place, index),
            number,
            key,
            text: &text,
            name: head.name.as_deref(),
            address: head.address.as_deref(),
            score: scores.get(&index).copied(),
            facts,
        });
    });
}

/// What is known of a source, as JSON.
pub fn plain_json<'v, V: Value<'v>>(source: V) -> String {
    let Head { name, id, address } = Head::of(source);
    let (mut documents, mut metadata) = (Vec::new(), Vec::new());
    each_of(source, 0, Depth::Keys, &mut HashMap::new(), &mut |document| {
        documents.push(document.text.to_owned());
        metadata.push(json!({ "source": document.facts.source }));
    });
    let head = json!({ "id": id, "name": name, "url": address });
    json!({ "source": head, "document": documents, "metadata": metadata }).to_string()
}

fn number_of(key: &str, numbers: &mut HashMap<String, usize>) -> usize {
    if let Some(number) = numbers.get(key) {
        return *number;
    }
    let next = numbers.len() + 1;
    numbers.insert(key.to_owned(), next);
    next
}

/// What a source says of itself.
struct Head {
    name: Option<String>,
    id: Option<String>,
    address: Option<String>,
}

impl Head {
    fn of<'v, V: Value<'v>>(source: V) -> Self {
        let head = source.get(Key::Source);
        let field = |key: Key| head.and_then(|head| naming(head, key));
        let own = head.and_then(words);
        Self {
            name: own.or_else(|| field(Key::Name)),
            id: field(Key::Id),
            address: field(Key::Url),
        }
    }
}

/// A name under `key`. Databases number their documents.
fn naming<'v, V: Value<'v>>(value: V, key: Key) -> Option<String> {
    value.get(key).and_then(words)
}

fn words<'v, V: Value<'v>>(value: V) -> Option<String> {
    let number = || value.number().filter(|number| number.is_finite()).map(|it| it.to_string());
    value.text().map(String::from).or_else(number).filter(|words| !words.is_empty())
}

/// What a document says; what is no text, as JSON.
fn text_of<'v, V: Value<'v>>(document: V) -> Option<String> {
    document.text().map(String::from).or_else(|| to_json(document, ODD_DOCUMENT))
}

/// By place, since lists may have holes.
fn read_metadata<'v, V: Value<'v>>(source: V, depth: Depth) -> HashMap<usize, Facts> {
    let mut all = HashMap::new();
    if let Some(list) = source.get(Key::Metadata) {
        list.each_or_this(|index, one| drop(all.insert(index, read_facts(one, depth))));
    }
    all
}

fn read_scores<'v, V: Value<'v>>(source: V) -> HashMap<usize, f64> {
    let mut scores = HashMap::new();
    if let Some(list) = source.get(Key::Distances) {
        list.each_or_this(|index, one| {
            scores.extend(one.number().map(|score| (index, score)));
        });
    }
    scores
}

fn read_facts<'v, V: Value<'v>>(metadata: V, depth: Depth) -> Facts {
    let mut facts = Facts { source: naming(metadata, Key::Source), ..Facts::default() };
    if depth == Depth::Whole {
        metadata.fields(|name, value| match name {
            "source" => {}
            "name" => facts.name = words(value),
            "url" => facts.url = words(value),
            "page" => facts.page = value.whole().map(|page| page + 1),
            other => {
                if other == "citation" {
                    facts.citation = Some(Box::new(read_source(value).into_owned()));
                }
                facts.others.push(other.to_owned());
            }
        });
    }
    facts
}

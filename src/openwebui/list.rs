//! The list below a message, and its entries as sources of ours.

use super::made::may_have_key;
use super::read::{Depth, Document, each_document};
use crate::clean::{self, ADDRESS_LIMIT, TITLE_LIMIT, text, url};
use crate::input::Value;
use crate::model::{Finding, METADATA_BYTES, Mention, Origin, Source, Text, is_blank};
use serde::{Deserialize, Serialize};

/// What the documents of a list of sources come to.
#[derive(Debug, Default)]
pub struct Listing {
    /// In the order of their numbers, from 1.
    pub entries: Vec<Listed>,
    /// Documents without a number: the place of the source, and the place in it.
    pub unlisted: Vec<(usize, usize)>,
}

/// One numbered source.
#[derive(Debug)]
pub struct Listed {
    /// What its documents name as their source, as it came.
    pub key: String,
    /// The same, fit to be shown.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Where it is, if that is on the web.
    pub url: Option<String>,
    /// The source of ours that it says it was made from, as it came.
    citation: Option<Box<Source<'static>>>,
    /// Its documents, at least one.
    pub documents: Vec<Passage>,
}

/// A document in the list.
#[derive(Debug)]
pub struct Passage {
    /// The place of its source, and its place there.
    pub at: (usize, usize),
    /// What it says; control characters are gone, line breaks are not.
    pub text: String,
    /// Counted from 1.
    pub page: Option<u64>,
    /// As the search said.
    pub score: Option<f64>,
    /// Names of metadata that no list shows.
    pub not_shown: Vec<String>,
}

/// Lists every source of these that can be named, once.
pub fn list<'v, V: Value<'v>>(sources: V) -> Listing {
    let mut listing = Listing::default();
    each_document(sources, Depth::Whole, |document| {
        let Some(number) = document.number else {
            listing.unlisted.push(document.at);
            return;
        };
        // Numbers are given in order, so a new one is the next.
        if number > listing.entries.len() {
            listing.entries.push(entry(document));
        }
        if let Some(entry) = listing.entries.get_mut(number - 1) {
            entry.url = entry.url.take().or_else(|| address(document));
            entry.documents.push(Passage {
                at: document.at,
                text: text::passage(document.text).into_owned(),
                page: document.facts.page,
                score: document.score,
                not_shown: document.facts.others.clone(),
            });
        }
    });
    listing
}

fn entry(document: &Document<'_>) -> Listed {
    let shown = |words: &str| text::line(Text::Owned(words.to_owned()), TITLE_LIMIT).into_owned();
    let names = [document.facts.name.as_deref(), document.name, Some(document.key)];
    let name = names.into_iter().flatten().map(shown).find(|name| !is_blank(name));
    Listed {
        key: document.key.to_owned(),
        id: text::line(Text::Owned(document.key.to_owned()), ADDRESS_LIMIT).into_owned(),
        name: name.unwrap_or_default(),
        url: None,
        citation: document.facts.citation.clone(),
        documents: Vec::new(),
    }
}

/// The source of ours that came along with a document, if it is the one the document was made from.
fn origin(listed: &Listed, excerpt: usize) -> Option<Source<'static>> {
    let mut source = listed.citation.as_deref()?.clone();
    clean::source_within(&mut source, excerpt);
    (!source.is_blank() && may_have_key(&source, &listed.key)).then_some(source)
}

/// The first web address a document is given.
fn address(document: &Document<'_>) -> Option<String> {
    let given = [Some(document.key), document.facts.url.as_deref(), document.address];
    let link = |raw: &str| url::link(Text::Owned(raw.to_owned())).ok().map(Text::into_owned);
    given.into_iter().flatten().find_map(link)
}

/// Figures that our sources have no field for, one place for each document.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Figures {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pages: Vec<Option<u64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) scores: Vec<Option<f64>>,
}

/// An entry as a source of ours: the first document is what it is cited with, the others are `also`.
/// What was ours once is that again. Excerpts are cut at `excerpt` characters.
pub fn source_of(listed: &Listed, excerpt: usize) -> Source<'static> {
    if let Some(source) = origin(listed, excerpt) {
        return source;
    }
    let mut quotes = listed.documents.iter().map(|document| Text::Owned(document.text.clone()));
    let cited_text = quotes.next();
    let mention = |quote| Mention { cited_text: Some(quote), ..Mention::default() };
    let finding = Finding {
        origin: Origin { id: Some(listed.id.clone().into()), ..Origin::default() },
        page: listed.documents.iter().find_map(|document| document.page),
        metadata: figures(&listed.documents),
        ..Finding::default()
    };
    let mut source = Source {
        title: Some(Text::Owned(listed.name.clone())),
        url: listed.url.clone().map(Text::Owned),
        cited_text,
        also: quotes.map(mention).collect(),
        finding: Some(Box::new(finding)),
        ..Source::default()
    };
    clean::source_within(&mut source, excerpt);
    source
}

/// Pages and scores, where there are any; of very many documents those of the first.
fn figures(documents: &[Passage]) -> Option<String> {
    /// No page and no score is written longer.
    const LONGEST: usize = 26;
    let documents = documents.get(..METADATA_BYTES / (2 * LONGEST)).unwrap_or(documents);
    let mut figures = Figures::default();
    if documents.iter().any(|document| document.page.is_some()) {
        figures.pages = documents.iter().map(|document| document.page).collect();
    }
    if documents.iter().any(|document| document.score.is_some()) {
        figures.scores = documents.iter().map(|document| document.score).collect();
    }
    serde_json::to_string(&figures).ok().filter(|json| json.len() > 2)
}

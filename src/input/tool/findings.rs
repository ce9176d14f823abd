//! The list of sources a result comes to.

use crate::input::json::quote;
use crate::input::key::Key;
use crate::input::value::Value;
use crate::input::write::to_json;
use crate::model::{Finding, Kind, METADATA_BYTES, Mention, Source, Text, is_blank};
use std::hash::{BuildHasher, RandomState};

/// No tool finds more in one call; a hostile one may claim to.
const MOST_FOUND: usize = 1000;
/// Few calls ask for more.
const USUAL: usize = 32;
/// A preview is cut to a few hundred characters later; the page itself is never kept.
const SNIPPET_BYTES: usize = 1024;

/// Collects sources of one kind.
pub(super) struct Findings<'t> {
    kind: Kind,
    found: Vec<Source<'t>>,
    /// How many were found before these.
    before: usize,
    /// What was found already, hashed: a tool may say the same as text and as data.
    seen: Vec<u64>,
    hasher: RandomState,
}

impl<'t> Findings<'t> {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, found: Vec::new(), before: 0, seen: Vec::new(), hasher: RandomState::new() }
    }

    /// A list for what comes behind these, of a text that is gone sooner. Given back, it is [`Self::rejoin`]ed.
    pub(super) fn behind<'x>(&mut self) -> Findings<'x> {
        Findings {
            kind: self.kind,
            found: Vec::new(),
            before: self.before + self.found.len(),
            seen: std::mem::take(&mut self.seen),
            hasher: self.hasher.clone(),
        }
    }

    pub(super) fn rejoin(&mut self, behind: Findings<'_>) {
        self.seen = behind.seen;
        let own = |source: Source<'_>| -> Source<'t> { source.into_owned() };
        self.found.extend(behind.found.into_iter().map(own));
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Forgets all but the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        self.found.truncate(count);
    }

    /// Makes room for so many, if that is not more than there may be.
    pub(super) fn expect(&mut self, count: u64) {
        let room = usize::try_from(count).map_or(0, |count| count.min(USUAL));
        self.found.reserve(room);
        self.seen.reserve(room);
    }

    /// Adds a source, unless there is nothing to show of it.
    pub(super) fn add(&mut self, source: Source<'t>, finding: Finding<'t>) {
        let name = source.url.as_ref().or(source.uri.as_ref()).or(source.title.as_ref());
        let key = self.hasher.hash_one((
            name.map_or("", |name| name.as_ref()),
            finding.page,
            finding.lines,
        ));
        let count = self.before + self.found.len();
        if count < MOST_FOUND && !source.is_blank() && !self.seen.contains(&key) {
            self.seen.push(key);
            let finding = Finding { kind: Some(self.kind), ..finding };
            self.found.push(Source { finding: Some(Box::new(finding)), ..source });
        }
    }

    /// Adds a page.
    pub(super) fn page(&mut self, url: &str, title: Option<&str>, finding: Finding<'t>) {
        let own = |text: &str| Text::Owned(text.to_owned());
        self.named(own(url.trim()), title.map(str::trim).map(own), finding);
    }

    /// The same for one whose address and title stand in the text itself, with nothing around them.
    pub(super) fn named(&mut self, url: Text<'t>, title: Option<Text<'t>>, finding: Finding<'t>) {
        let title = title.filter(|title| !is_blank(title));
        self.add(Source { url: Some(url), title, ..Source::default() }, finding);
    }

    /// Adds a file, called by the last part of its path.
    pub(super) fn file(&mut self, path: &str, finding: Finding<'t>) {
        let path = path.trim();
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let source = Source {
            title: Some(Text::Owned(name.to_owned())),
            uri: Some(Text::Owned(path.to_owned())),
            ..Source::default()
        };
        if !path.is_empty() {
            self.add(source, finding);
        }
    }

    /// Says of the source added last where else it is.
    pub(super) fn also(&mut self, mentions: Vec<Mention<'t>>) {
        if let Some(last) = self.found.last_mut() {
            last.also = mentions;
        }
    }

    pub(super) fn finish(self, inline: bool) -> Vec<Source<'t>> {
        let mut found = self.found;
        for finding in found.iter_mut().filter_map(|source| source.finding.as_mut()) {
            finding.inline = inline;
        }
        found
    }
}

/// The beginning of a text, enough for a preview.
pub(super) fn snippet(text: &str) -> Option<&str> {
    let text = text.trim();
    let end = crate::model::span::floor(text, SNIPPET_BYTES);
    text.get(..end).filter(|text| !text.is_empty())
}

/// The same of a text that is gone afterwards.
pub(super) fn own_snippet(text: &str) -> Option<Text<'static>> {
    snippet(text).map(|text| Text::Owned(text.to_owned()))
}

/// Whether this can be an address of the web.
pub(super) fn is_web(text: &str) -> bool {
    let start = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    start("https://") || start("http://")
}

/// The fields of a record that none of `read` names, as a JSON object, long ones left out.
/// What it keeps under `metadata` already comes first, without what `inside` names.
pub(in crate::input) fn rest<'v, V: Value<'v>>(
    record: V,
    read: &[Key],
    inside: &[Key],
) -> Option<String> {
    let mut json = String::from("{");
    let mut add = |name: &str, value: V, read: &[Key]| {
        let known = Key::spelled(name.as_bytes()).is_some_and(|(key, _)| read.contains(&key));
        let value = if known { None } else { to_json(value, METADATA_BYTES) };
        // Quotation marks, colon, comma and bracket; a control character of a name takes six bytes.
        let fits = |value: &String| json.len() + 6 * name.len() + value.len() + 6 <= METADATA_BYTES;
        if let Some(value) = value.filter(fits) {
            if json.len() > 1 {
                json.push(',');
            }
            quote(name, &mut json);
            json.push(':');
            json.push_str(&value);
        }
    };
    if let Some(metadata) = record.get(Key::Metadata) {
        metadata.fields(|name, value| add(name, value, inside));
    }
    record.fields(|name, value| {
        if name != "metadata" {
            add(name, value, read);
        }
    });
    json.push('}');
    (json.len() > 2).then_some(json)
}

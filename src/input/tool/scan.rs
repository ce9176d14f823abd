//! Data nobody has described: what MCP servers and unknown tools send.
//!
//! A record with an address in a field that is named for one is a source. Addresses inside of it
//! (its author's page, its icon) are not, unless it has no name and holds a list of records with
//! addresses of their own: then it is only their frame.

use super::findings::{Findings, is_web};
use super::results::{ADDRESSES, finding_of, text_of};
use crate::input::key::Key;
use crate::input::value::Value;
use crate::model::{Finding, Source, Text};

/// Deeper than anybody nests what they want found; a live object may hold itself.
const DEEPEST: usize = 12;

/// How many records one result is searched for sources. A live object may hold itself many times over.
const MOST_VISITED: usize = 3000;

/// Fields that hold people, whose pages are no sources of what they did.
const PEOPLE: [&str; 12] = [
    "user",
    "owner",
    "author",
    "committer",
    "assignee",
    "assignees",
    "reviewers",
    "requested_reviewers",
    "sender",
    "creator",
    "merged_by",
    "organization",
];

/// Every record with an address.
pub(super) fn read<'v, V: Value<'v>>(value: V, found: &mut Findings<'_>) {
    Walk { addresses: &ADDRESSES, left: MOST_VISITED, found }.visit(value, DEEPEST);
}

/// GitHub's records: only `html_url` is a page.
pub(super) fn read_github<'v, V: Value<'v>>(value: V, found: &mut Findings<'_>) {
    Walk { addresses: &[Key::HtmlUrl], left: MOST_VISITED, found }.visit(value, DEEPEST);
}

struct Walk<'w, 't> {
    addresses: &'w [Key],
    left: usize,
    found: &'w mut Findings<'t>,
}

impl Walk<'_, '_> {
    fn visit<'v, V: Value<'v>>(&mut self, value: V, depth: usize) {
        let is_plain = value.text().is_some() || value.number().is_some();
        if depth == 0 || self.left == 0 || is_plain {
            return;
        }
        self.left -= 1;
        if value.is_array() {
            value.each(|_, item| self.visit(item, depth - 1));
            return;
        }
        // An embedded resource keeps its fields one level down.
        let record = value.get(Key::Resource).filter(|inner| inner.get(Key::Uri).is_some());
        let record = record.unwrap_or(value);
        let address = text_of(record, self.addresses).filter(|address| is_address(address));
        let Some(address) = address else { return self.visit_fields(record, false, depth) };
        // What has a name is a source, and its lists (pictures, people) are its own.
        let before = self.found.len();
        if text_of(record, &NAMES).is_none() {
            self.visit_fields(record, true, depth);
        }
        if self.found.len() == before {
            add(record, &address, self.found);
        }
    }

    fn visit_fields<'v, V: Value<'v>>(&mut self, record: V, only_lists: bool, depth: usize) {
        record.fields(|name, field| {
            if !PEOPLE.contains(&name) && (!only_lists || field.is_array()) {
                self.visit(field, depth - 1);
            }
        });
    }
}

const NAMES: [Key; 3] = [Key::Title, Key::Name, Key::FullName];

fn add<'v, V: Value<'v>>(record: V, address: &str, found: &mut Findings<'_>) {
    let title = text_of(record, &NAMES);
    let mut finding = finding_of(record);
    // That it is a link says nothing more about it.
    if finding.metadata.as_deref() == Some("{\"type\":\"resource_link\"}") {
        finding.metadata = None;
    }
    if is_web(address) {
        return found.page(address, title.as_deref(), finding);
    }
    let own = |text: &str| Some(Text::Owned(text.to_owned()));
    let source =
        Source { title: title.as_deref().and_then(own), uri: own(address), ..Source::default() };
    found.add(source, finding);
}

/// A web address, or the name of a resource such as `file:///notes.md` or `postgres://db/table`.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    !scheme.is_empty()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        && !text.contains(char::is_whitespace)
}

/// LLxprt writes the links of an MCP result as lines: `Resource Link: Name at address`.
pub(super) fn read_links(text: &str, found: &mut Findings<'_>) {
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("Resource Link: ") else { continue };
        let Some((name, address)) = rest.rsplit_once(" at ") else { continue };
        if is_web(address) {
            found.page(address, Some(name), Finding::default());
        } else if is_address(address) {
            let own = |text: &str| Some(Text::Owned(text.to_owned()));
            let source = Source { title: own(name), uri: own(address), ..Source::default() };
            found.add(source, Finding::default());
        }
    }
}

/// Every web address in a text.
pub(super) fn read_text(text: &str, found: &mut Findings<'_>) {
    for address in addresses(text) {
        found.page(address, None, Finding::default());
    }
}

/// Web addresses in prose, without the punctuation behind them.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let ends = |character: char| {
        character.is_whitespace() || matches!(character, '<' | '>' | '"' | '`' | '|' | '\\')
    };
    text.split(ends).filter_map(|word| {
        let start = word.find("https://").or_else(|| word.find("http://"))?;
        let word = word.get(start..)?;
        let opened =
            |open: char, close: char| word.matches(open).count() >= word.matches(close).count();
        let (round, square) = (opened('(', ')'), opened('[', ']'));
        let word = word.trim_end_matches(|character| match character {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' => true,
            ')' => !round,
            ']' => !square,
            _ => false,
        });
        // `[name](address)` ends before its bracket even when the address has one.
        word.get("https://".len()..).filter(|rest| !rest.is_empty()).map(|_| word)
    })
}

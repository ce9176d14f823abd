//! Exa's records: a head of `Name: value` lines, then words of the page, then `---`.
//!
//! The words are the page's own and may hold anything, `---` and whole heads included. So a head
//! counts only behind a separator as the server writes it, complete, in a known order, and with the
//! same fields as the first. Who forges even that is found out when there are more records than were
//! asked for: then only the first, which nothing stands before, is certain.

use super::findings::{Findings, is_web, snippet};
use crate::model::{Finding, Text};
use memchr::memmem;

const SEPARATOR: &str = "\n\n---\n\n";

/// The orders servers write fields in. What a server always writes is marked; the words of the page
/// come last.
const ORDERS: &[&[(&str, bool)]] = &[
    &[("Title", true), ("URL", true), ("Published", true), ("Author", true)],
    &[("Title", true), ("URL", true)],
    &[
        ("Title", true),
        ("Author", false),
        ("Published Date", false),
        ("Published", false),
        ("URL", true),
    ],
];

const BODIES: &[&str] = &["Highlights:", "Code/Highlights:", "Text:", "Code:", "Content:"];

/// A text with lines as records have them. Whoever writes files as text twice has two carriage returns before each end.
pub(super) fn lines(text: &str) -> Text<'_> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Text::Borrowed(text);
    }
    let lines: Vec<_> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    Text::Owned(lines.join("\n"))
}

/// Reads the records of a search. `asked` is how many the call wanted at most.
pub(super) fn read<'t>(text: &'t str, asked: Option<u64>, found: &mut Findings<'t>) {
    let text = text.trim_start();
    let mut pieces = split(text);
    let first = pieces.next().unwrap_or_default();
    let known = ORDERS.iter().find_map(|order| Some((order, head(first, order)?)));
    let Some((order, first)) = known else { return };
    let before = found.len();
    found.expect(asked.unwrap_or_default());
    first.add(found);
    // What stands between separators and is no record is more words of a page.
    let rest = pieces.filter_map(|record| head(record, order));
    rest.for_each(|record| record.add(found));
    let count = (found.len() - before) as u64;
    if asked.is_some_and(|asked| count > asked.max(1)) {
        found.truncate(before + 1);
    }
}

/// What stands between separators.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let ends = memmem::find_iter(text.as_bytes(), SEPARATOR).chain([text.len()]);
    let mut start = 0;
    ends.filter_map(move |end| {
        let piece = text.get(start..end);
        start = end + SEPARATOR.len();
        piece
    })
}

#[derive(Default)]
struct Record<'t> {
    title: &'t str,
    url: &'t str,
    published: &'t str,
    author: &'t str,
    words: &'t str,
}

impl<'t> Record<'t> {
    fn add(&self, found: &mut Findings<'t>) {
        let known = |text: &'t str| Some(text).filter(|text| !matches!(*text, "" | "N/A"));
        let finding = Finding {
            author: known(self.author).map(Text::Borrowed),
            published: known(self.published).map(Text::Borrowed),
            snippet: snippet(self.words).map(Text::Borrowed),
            ..Finding::default()
        };
        found.named(self.url.into(), known(self.title).map(Text::Borrowed), finding);
    }
}

/// The record that starts here, if its head is complete.
fn head<'t>(text: &'t str, order: &[(&str, bool)]) -> Option<Record<'t>> {
    let mut record = Record::default();
    let mut rest = text;
    for (name, always) in order {
        let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let line = rest.get(..end)?;
        match line.strip_prefix(name).and_then(|value| value.strip_prefix(':')) {
            Some(value) => {
                let value = value.trim();
                match *name {
                    "Title" => record.title = value,
                    "URL" => record.url = value,
                    "Author" => record.author = value,
                    _ => record.published = value,
                }
                rest = rest.get(end..)?.strip_prefix('\n').unwrap_or_default();
            }
            None if *always => return None,
            None => {}
        }
    }
    // Most are plain, which their bytes show.
    let is_one_word = record.url.bytes().all(|byte| byte.is_ascii_graphic())
        || !record.url.contains(char::is_whitespace);
    let label = BODIES.iter().find(|body| rest.starts_with(**body))?;
    record.words = rest.strip_prefix(label)?;
    (is_web(record.url) && is_one_word).then_some(record)
}

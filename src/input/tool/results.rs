//! Data with known fields: search results, passages, pages, answers of web services.

use super::Args;
use super::carrier::is_failure;
use super::fetched::title;
use super::findings::{Findings, is_web, own_snippet, rest};
use crate::input::key::Key;
use crate::input::location::page_number;
use crate::input::payload::read_lines;
use crate::input::value::Value;
use crate::input::write::preview;
use crate::model::{Finding, Lines, Source, Text};

/// The most of data that is written out for a preview.
const PREVIEW_BYTES: usize = 4096;

/// Fields that say where a page is, best first.
pub(super) const ADDRESSES: [Key; 4] = [Key::HtmlUrl, Key::Url, Key::Link, Key::Uri];
/// Fields that say what it says, best first.
const WORDS: [Key; 6] =
    [Key::Snippet, Key::Description, Key::Summary, Key::Content, Key::Text, Key::Body];

/// Fields of a record that have a place of their own in a source.
const READ: [Key; 24] = [
    Key::HtmlUrl,
    Key::Url,
    Key::Link,
    Key::Uri,
    Key::Title,
    Key::Name,
    Key::Snippet,
    Key::Description,
    Key::Summary,
    Key::Content,
    Key::Text,
    Key::Body,
    Key::Published,
    Key::Author,
    Key::Domain,
    Key::File,
    Key::Page,
    Key::LineStart,
    Key::LineEnd,
    Key::Lines,
    Key::PublishedDate,
    Key::PageNumber,
    Key::FirstLine,
    Key::LastLine,
];

/// The first of several fields that has text in it.
pub(super) fn text_of<'v, V: Value<'v>>(value: V, keys: &[Key]) -> Option<Text<'v>> {
    keys.iter().find_map(|key| value.text_at(*key))
}

/// What a record says of itself besides name and address.
pub(super) fn finding_of<'v, V: Value<'v>>(record: V) -> Finding<'static> {
    finding_but(record, &READ, &[])
}

fn finding_but<'v, V: Value<'v>>(record: V, read: &[Key], inside: &[Key]) -> Finding<'static> {
    let own = |key: Key| record.text_at(key).map(|text| Text::Owned(text.into_owned()));
    Finding {
        snippet: text_of(record, &WORDS).as_deref().and_then(own_snippet),
        author: own(Key::Author).or_else(|| author_names(record).map(Text::Owned)),
        published: own(Key::PublishedDate).or_else(|| own(Key::Published)),
        metadata: rest(record, read, inside),
        ..Finding::default()
    }
}

/// Authors come as a name, a list of names, or a record.
fn author_names<'v, V: Value<'v>>(record: V) -> Option<String> {
    let author = record.get(Key::Author)?;
    if let Some(name) = author.text_at(Key::Name) {
        return Some(name.into_owned());
    }
    let mut names: Vec<String> = Vec::new();
    author.each(|_, one| {
        names.extend(one.text().or_else(|| one.text_at(Key::Name)).map(Text::into_owned));
    });
    (!names.is_empty()).then(|| names.join(", "))
}

/// The records of a result: itself a list, or one under a usual name, one level down at the most.
fn records<'v, V: Value<'v>>(value: V) -> Option<V> {
    let list = |value: V| {
        if value.is_array() {
            Some(value)
        } else {
            value.get(Key::Results).filter(|list| list.is_array())
        }
    };
    list(value)
        .or_else(|| list(value.get(Key::Data)?))
        .or_else(|| list(value.get(Key::Web)?))
        .or_else(|| list(value.get(Key::Results)?))
        .or_else(|| list(value.get(Key::Response)?))
}

/// Search results.
pub(super) fn read<'v, V: Value<'v>>(value: V, found: &mut Findings<'_>) {
    match records(value) {
        Some(list) => drop(list.each(|_, record| read_one(record, found))),
        None => read_one(value, found),
    }
}

fn read_one<'v, V: Value<'v>>(record: V, found: &mut Findings<'_>) {
    let url = text_of(record, &ADDRESSES).filter(|url| is_web(url));
    let title = text_of(record, &[Key::Title, Key::Name]).filter(|_| !is_failure(record));
    match (url, title) {
        (Some(url), title) => found.page(&url, title.as_deref(), finding_of(record)),
        // Some encyclopaedias give names only.
        (None, Some(title)) => {
            let title = Some(Text::Owned(title.into_owned()));
            found.add(Source { title, ..Source::default() }, finding_of(record));
        }
        (None, None) => {}
    }
}

/// A page with its content; its address may be only in the call.
pub(super) fn read_page<'v, V: Value<'v>>(value: V, args: &Args, found: &mut Findings<'_>) {
    let data = value.get(Key::Results).or_else(|| value.get(Key::Data));
    let page = data.filter(|page| !page.is_array()).unwrap_or(value);
    if page.is_array() || page.get(Key::Results).is_some() {
        return read(page, found);
    }
    let about = page.get(Key::Metadata);
    let deeper = |keys: &[Key]| text_of(page, keys).or_else(|| text_of(about?, keys));
    let url = deeper(&ADDRESSES).filter(|url| is_web(url)).map(Text::into_owned);
    let words = text_of(page, &[Key::Content, Key::Text, Key::Body]);
    let name = deeper(&[Key::Title]).map(Text::into_owned);
    let name = name.or_else(|| title(words.as_deref()?));
    if let Some(url) = url.as_ref().or(args.url.as_ref()) {
        found.page(url, name.as_deref(), finding_of(page));
    }
}

/// Passages of files.
pub(super) fn read_passages<'v, V: Value<'v>>(value: V, found: &mut Findings<'_>) {
    match records(value) {
        Some(list) => drop(list.each(|_, record| read_passage(record, found))),
        None => read_passage(value, found),
    }
}

fn read_passage<'v, V: Value<'v>>(record: V, found: &mut Findings<'_>) {
    const FILES: [Key; 5] = [Key::File, Key::Filename, Key::FileName, Key::Source, Key::Uri];
    let about = record.get(Key::Metadata);
    let file = text_of(record, &FILES).or_else(|| text_of(about?, &FILES));
    let page = page_number(record).or_else(|| page_number(about?));
    let lines = lines_of(record).or_else(|| lines_of(about?));
    // Both are counted from 1.
    let (page, lines) = (page.filter(|page| *page > 0), lines.filter(|lines| lines.start > 0));
    let read: Vec<_> = READ.into_iter().chain(FILES).chain([Key::DocumentTitle]).collect();
    let finding = Finding { page, lines, ..finding_but(record, &read, &read) };
    let title = text_of(record, &[Key::Title, Key::DocumentTitle]);
    match (file, title) {
        (Some(file), None) => found.file(&file, finding),
        (file, title) => {
            let own = |text: Option<Text<'_>>| text.map(|text| Text::Owned(text.into_owned()));
            found.add(Source { title: own(title), uri: own(file), ..Source::default() }, finding);
        }
    }
}

/// `lineStart` and `lineEnd`, or `lines` as two numbers or as `10-20`.
pub(super) fn lines_of<'v, V: Value<'v>>(record: V) -> Option<Lines> {
    if let Some(lines) = read_lines(record) {
        return Some(lines);
    }
    if let Some(start) = record.whole_at(Key::FirstLine) {
        let end = record.whole_at(Key::LastLine).unwrap_or(start);
        return Some(Lines { start, end: end.max(start) });
    }
    let lines = record.get(Key::Lines)?;
    let mut numbers = Vec::new();
    if let Some(text) = lines.text() {
        numbers
            .extend(text.split(['-', '–', ',']).map_while(|part| part.trim().parse::<u64>().ok()));
    } else {
        lines.each(|_, number| numbers.extend(number.whole()));
    }
    let start = numbers.first().copied()?;
    Some(Lines { start, end: numbers.get(1).copied().unwrap_or(start).max(start) })
}

/// The answer of a web service, alone or beside the request.
pub(super) fn read_response<'v, V: Value<'v>>(value: V, args: &Args, found: &mut Findings<'_>) {
    let answer = value.get(Key::Response).unwrap_or(value);
    let status = answer.whole_at(Key::Status);
    let request = value.get(Key::Request);
    let asked = text_of(value, &[Key::Url]).or_else(|| text_of(request?, &[Key::Url]));
    let asked = asked.map(Text::into_owned);
    let failed = status.is_some_and(|status| status >= 400);
    let Some(url) = args.url.as_ref().or(asked.as_ref()).filter(|url| is_web(url) && !failed)
    else {
        return;
    };
    let body = answer.get(Key::Body).or_else(|| answer.get(Key::Data)).unwrap_or(answer);
    let words = body.text();
    let name = words
        .as_deref()
        .map_or_else(|| text_of(body, &[Key::Title, Key::Name]).map(Text::into_owned), title);
    let preview = words.map(Text::into_owned).or_else(|| preview(body, PREVIEW_BYTES));
    let finding = Finding {
        snippet: preview.as_deref().and_then(own_snippet),
        metadata: status.map(|status| format!("{{\"status\":{status}}}")),
        ..Finding::default()
    };
    found.page(url, name.as_deref(), finding);
}

//! What a source is called in a list, and whether its name may be trusted with a link.

use crate::clean::block::any;
use crate::clean::url::host;
use crate::ground::is_redirect;
use crate::model::{Kind, Lines, Location, Mention, Source};
use memchr::memchr;
use std::borrow::Cow;
use std::ops::Range;

/// First line of every block.
pub(super) const HEADER: &str = " Sources:";

/// A source as one entry of the list.
pub(super) struct Entry<'s> {
    /// Its name, if it has one besides its address.
    pub(super) title: Option<Cow<'s, str>>,
    /// Its address.
    pub(super) url: Option<&'s str>,
    /// Where in a document, as `(pages 5–7)`, or nothing.
    pub(super) place: String,
    /// Words quoted from it, passage by passage.
    pub(super) excerpts: Vec<&'s str>,
    /// The name speaks of another host than the address leads to.
    pub(super) misleading: bool,
}

impl<'s> Entry<'s> {
    pub(super) fn of(source: &'s Source<'_>, show_excerpts: bool) -> Self {
        let url = source.url.as_deref();
        let title = file_path(source).or(source.title.as_deref());
        let title = title.map(trimmed).filter(|title| Some(*title) != url);
        let misleading = title.zip(url).is_some_and(|(title, url)| is_misleading(title, url));
        let title = match url {
            Some(_) => title.map(Cow::Borrowed),
            None => Some(document_title(source, title)),
        };
        Self {
            title,
            url,
            place: places_of(source),
            excerpts: if show_excerpts { excerpts(source) } else { Vec::new() },
            misleading,
        }
    }
}

/// Without the white space at its ends, which few titles have.
fn trimmed(title: &str) -> &str {
    match title.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => title,
        _ => title.trim(),
    }
}

/// What a source without an address is called.
fn document_title<'s>(source: &Source<'_>, title: Option<&'s str>) -> Cow<'s, str> {
    let location = source.location.as_ref();
    let is_document = source.file_id.is_some() || location.is_some_and(Location::is_passage);
    match (title, location.and_then(Location::document)) {
        (Some(title), _) if is_document => Cow::Owned(format!("\"{title}\"")),
        (Some(title), _) => Cow::Borrowed(title),
        (None, Some(index)) => Cow::Owned(format!("Document {}", index.saturating_add(1))),
        (None, None) => Cow::Borrowed("Untitled source"),
    }
}

/// The line that stands for the sources that are not listed.
pub(super) fn remainder(hidden: usize) -> String {
    format!("  … and {hidden} more")
}

/// A file that is called by the last part of its path is listed under the whole of it.
fn file_path<'s>(source: &'s Source<'_>) -> Option<&'s str> {
    let kind = source.finding.as_ref()?.kind;
    let (title, path) = (source.title.as_deref()?, source.uri.as_deref()?);
    (kind == Some(Kind::File) && path.ends_with(title)).then_some(path)
}

/// Where in a document a source is, as `(page 5)` or `(lines 3–9)`.
pub(super) fn place_of(source: &Source<'_>) -> Option<String> {
    if let Some(finding) = &source.finding {
        match (finding.page, finding.lines) {
            (Some(page), _) => return Some(format!("(page {page})")),
            (None, Some(Lines { start, end })) if start == end => {
                return Some(format!("(line {start})"));
            }
            (None, Some(Lines { start, end })) => return Some(format!("(lines {start}–{end})")),
            (None, None) => {}
        }
    }
    source.location.as_ref().and_then(place)
}

/// Further passages of the same document, where they were folded into one source.
fn passages<'s>(source: &'s Source<'_>) -> impl Iterator<Item = &'s Mention<'s>> {
    let has_place = |at: &Option<Location>| at.as_ref().is_some_and(has_place);
    let own = has_place(&source.location);
    source.also.iter().filter(move |also| own && has_place(&also.location))
}

/// Whether there is something for [`place`] to say.
fn has_place(location: &Location) -> bool {
    location.is_passage() || matches!(location, Location::Grounding { pages: Some(_), .. })
}

fn excerpts<'s>(source: &'s Source<'_>) -> Vec<&'s str> {
    let others = passages(source).take(MOST_PLACES).filter_map(|also| also.cited_text.as_deref());
    let mut all: Vec<&str> = Vec::new();
    for excerpt in source.cited_text.as_deref().into_iter().chain(others).map(str::trim) {
        if !all.contains(&excerpt) {
            all.push(excerpt);
        }
    }
    all
}

/// More passages than this say no more.
const MOST_PLACES: usize = 50;

/// Where in a document, all passages in one bracket: `(chars 0–20, chars 20–36)`.
fn places_of(source: &Source<'_>) -> String {
    // A page, which most sources are, is cited as a whole.
    let Some(own) = place_of(source) else { return String::new() };
    let others = passages(source).take(MOST_PLACES);
    let others = others.filter_map(|also| also.location.as_ref().and_then(place));
    let mut all = vec![own];
    for place in others {
        if !all.contains(&place) {
            all.push(place);
        }
    }
    all.join(", ").replace("), (", ", ")
}

/// Counted as people count: pages and blocks from one, both ends named.
fn place(location: &Location) -> Option<String> {
    let range = |one: &str, many: &str, first: u64, end: u64| {
        let last = end.saturating_sub(1).max(first);
        if last == first {
            format!("({one} {first})")
        } else {
            format!("({many} {first}–{last})")
        }
    };
    match *location {
        Location::Char { start, end, .. } => Some(format!("(chars {start}–{end})")),
        Location::Page { start, end, .. }
        | Location::Grounding { pages: Some(Range { start, end }), .. } => {
            Some(range("page", "pages", start, end))
        }
        Location::ContentBlock { start, end, .. } | Location::SearchResult { start, end, .. } => {
            Some(range("block", "blocks", start.saturating_add(1), end.saturating_add(1)))
        }
        _ => None,
    }
}

/// Whether `title` contains a host name, and the link goes elsewhere.
fn is_misleading(title: &str, url: &str) -> bool {
    // Most titles name none, because they have no dot.
    any(title.as_bytes(), |byte| (byte == b'.') | ends_wide_dot(byte))
        // Behind a redirect of Google's the name is the host of the page.
        && !is_redirect(url)
        && names_another_host(title, url)
}

/// Browsers take these for dots too.
const WIDE_DOTS: [char; 3] = ['\u{3002}', '\u{ff0e}', '\u{ff61}'];

/// Whether one of them may end in this byte, as few other characters do.
#[expect(clippy::needless_bitwise_bool, reason = "a branch for each byte would cost more")]
fn ends_wide_dot(byte: u8) -> bool {
    (byte == 0x82) | (byte == 0x8e) | (byte == 0xa1)
}

/// Whether `title` contains a host name that is not that of `url`. `github.com` on a link to `docs.github.com`, or the
/// other way round, is the same house.
fn names_another_host(title: &str, url: &str) -> bool {
    let is_wide = any(title.as_bytes(), ends_wide_dot);
    let title = if is_wide { Cow::Owned(title.replace(WIDE_DOTS, ".")) } else { title.into() };
    let mut rest = &*title;
    while let Some((before, behind)) =
        memchr(b'.', rest.as_bytes()).and_then(|dot| rest.split_at_checked(dot))
    {
        let (start, end) = (behind_last_gap(before), before.len() + first_gap(behind));
        let word = without_marks(rest.get(start..end).unwrap_or_default());
        if looks_like_host(word)
            && host(url).is_some_and(|host| !same_house(&word.to_lowercase(), host))
        {
            return true;
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    false
}

/// Without the dots and hyphens at its ends, which few words have.
fn without_marks(word: &str) -> &str {
    match word.as_bytes() {
        [b'.' | b'-', ..] | [.., b'.' | b'-'] => word.trim_matches(['.', '-']),
        _ => word,
    }
}

/// Where the word begins that a text ends in.
fn behind_last_gap(text: &str) -> usize {
    match text.bytes().enumerate().rfind(|(_, byte)| !is_plain(*byte)) {
        None => 0,
        Some((at, byte)) if byte.is_ascii() => at + 1,
        // It takes the whole character to tell.
        Some(_) => text
            .char_indices()
            .rfind(|(_, character)| is_gap(*character))
            .map_or(0, |(at, character)| at + character.len_utf8()),
    }
}

/// Where the word ends that a text begins with.
fn first_gap(text: &str) -> usize {
    match text.bytes().enumerate().find(|(_, byte)| !is_plain(*byte)) {
        None => text.len(),
        Some((at, byte)) if byte.is_ascii() => at,
        Some(_) => text.find(is_gap).unwrap_or(text.len()),
    }
}

/// Whether this is part of a word that may be a host, in ASCII.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

/// Whether this is between words that may be hosts.
fn is_gap(character: char) -> bool {
    !(character.is_alphanumeric() || matches!(character, '.' | '-'))
}

fn same_house(one: &str, other: &str) -> bool {
    let under = |inner: &str, outer: &str| {
        inner == outer || inner.strip_suffix(outer).is_some_and(|rest| rest.ends_with('.'))
    };
    under(one, other) || under(other, one)
}

/// A dotted word that ends like a domain: letters, at least two, that are no file's extension.
/// An address in digits counts too.
fn looks_like_host(word: &str) -> bool {
    let is_dot = |byte| byte == b'.';
    let last = word.bytes().rposition(is_dot).and_then(|dot| word.get(dot + 1..));
    let Some(last) = last.filter(|last| last.len() + 1 < word.len()) else { return false };
    if last.starts_with(|first: char| first.is_ascii_digit()) {
        let dots = word.bytes().filter(|byte| is_dot(*byte)).count();
        return dots == 3 && word.split('.').all(|part| part.parse::<u8>().is_ok());
    }
    let letters = last.chars().all(char::is_alphabetic);
    letters && last.chars().count() >= 2 && !is_file_ending(last)
}

/// Endings that name files or products (`report.pdf`, `Node.js`) far more often than hosts.
fn is_file_ending(last: &str) -> bool {
    const ENDINGS: [&str; 22] = [
        "js", "ts", "tsx", "jsx", "mjs", "json", "html", "htm", "css", "md", "pdf", "txt", "csv",
        "xml", "yaml", "yml", "toml", "py", "rb", "php", "cpp", "java",
    ];
    ENDINGS.iter().any(|ending| last.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn misleading_titles() {
        for (title, url, expected) in [
            ("History of Rust", "https://en.example/", false),
            ("paypal.com login", "https://evil.example/", true),
            ("docs.a.example", "https://a.example/", false),
            ("a.example", "https://www.a.example/", false),
            ("www.a.example", "https://a.example/", false),
            ("a.example", "https://nota.example/", true),
            ("PAYPAL.COM", "https://evil.example/", true),
            ("Node.js Release Schedule", "https://nodejs.example/", false),
            ("report.pdf", "https://a.example/", false),
            ("v1.2.3 notes", "https://a.example/", false),
            ("e.g. this", "https://a.example/", false),
            ("192.168.0.1", "https://a.example/", true),
            ("пример.рф", "https://a.example/", true),
            ("https://good.example/x", "https://evil.example/", true),
            ("paypal。com", "https://evil.example/", true),
            ("192.168.0", "https://a.example/", false),
            ("1.2.3.256", "https://a.example/", false),
            ("Costs $9.3, says evil.example – é。", "https://a.example/", true),
            ("Costs $9.3, says (a.example).", "https://a.example/", false),
            ("“evil.example”", "https://a.example/", true),
            ("So. ...and", "https://a.example/", false),
            ("a.example, evil.example", "https://a.example/", true),
            ("éxample.com", "https://xample.com/", true),
            (
                "a.example",
                "https://vertexaisearch.cloud.google.com/grounding-api-redirect/x",
                false,
            ),
        ] {
            assert_eq!(is_misleading(title, url), expected, "{title} {url}");
        }
    }

    proptest! {
        #[test]
        fn every_word_is_looked_at(title in "([ab.。．–é -]|a\\.example|b\\.example){0,12}") {
            let plain = title.replace(WIDE_DOTS, ".");
            let words = plain.split(is_gap).map(|word| word.trim_matches(['.', '-']));
            let mut hosts = words.filter(|word| looks_like_host(word));
            let other = hosts.any(|named| !same_house(&named.to_lowercase(), "a.example"));
            prop_assert_eq!(is_misleading(&title, "https://a.example/"), other);
        }
    }

    #[test]
    fn places_as_people_count() {
        let document = 0;
        for (location, expected) in [
            (Location::Char { start: 1204, end: 1289, document }, "(chars 1204–1289)"),
            (Location::Page { start: 5, end: 6, document }, "(page 5)"),
            (Location::Page { start: 5, end: 8, document }, "(pages 5–7)"),
            (Location::Page { start: 5, end: 5, document }, "(page 5)"),
            (Location::ContentBlock { start: 2, end: 3, document }, "(block 3)"),
            (Location::ContentBlock { start: 0, end: 3, document }, "(blocks 1–3)"),
        ] {
            assert_eq!(place(&location).as_deref(), Some(expected));
        }
        let grounding = |pages| Location::Grounding { chunk: 0, pages };
        assert_eq!(place(&grounding(Some(3..6))).as_deref(), Some("(pages 3–5)"));
        assert_eq!(place(&grounding(None)), None);
        for location in [grounding(Some(1..2)), grounding(None), Location::FilePath { index: 0 }] {
            assert_eq!(has_place(&location), place(&location).is_some(), "{location:?}");
        }
    }
}

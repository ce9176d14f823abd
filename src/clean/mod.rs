//! Untrusted text and addresses, made safe to print.
//!
//! In: sources as somebody sent them. Out: the same sources with text that cannot steer a terminal
//! and addresses that are plain http or https, or none. Promise: applied once, on the way in;
//! cleaning what is clean changes nothing; a source may lose its link, never its place.

pub(crate) mod block;
pub mod text;
pub mod url;

use crate::model::{Finding, METADATA_BYTES, Origin, Source, Text, is_blank};

/// The longest excerpt, in characters as a reader counts them.
pub const EXCERPT_LIMIT: usize = 200;
/// The longest address that is kept as text. Redirects of search engines are long.
pub const ADDRESS_LIMIT: usize = 4096;
/// The longest title or name. Nothing a publisher writes comes near it.
pub const TITLE_LIMIT: usize = 300;

/// Cleans every field of a source.
pub fn source(source: &mut Source<'_>) {
    source_within(source, EXCERPT_LIMIT);
}

/// The same with excerpts of another length.
pub fn source_within(source: &mut Source<'_>, excerpt: usize) {
    let refused = address(source);
    let Source { title, uri, domain, file_id, provider, .. } = source;
    for field in [title, uri, domain, file_id] {
        line(field, TITLE_LIMIT);
    }
    // A name of ours is clean.
    if let Some(Text::Owned(_)) = provider {
        line(provider, TITLE_LIMIT);
    }
    line(&mut source.cited_text, excerpt);
    for mention in &mut source.also {
        line(&mut mention.cited_text, excerpt);
        line(&mut mention.raw_url, ADDRESS_LIMIT);
        if let Some(Origin { id, tool, request, agent }) = mention.origin.as_deref_mut() {
            for field in [id, tool, request, agent] {
                line(field, TITLE_LIMIT);
            }
        }
    }
    if let Some(finding) = &mut source.finding {
        clean_finding(finding, excerpt);
        let host = source.url.as_deref().and_then(url::host);
        let host = host.map(|host| host.strip_prefix("www.").unwrap_or(host).to_owned());
        source.domain = source.domain.take().or(host.map(Text::Owned));
    }
    if source.title.is_none() && source.url.is_none() {
        source.title = refused;
        line(&mut source.title, TITLE_LIMIT);
        let name = source.uri.as_ref().or(source.file_id.as_ref());
        source.title = source.title.take().or_else(|| name.cloned());
    }
}

fn clean_finding(finding: &mut Finding<'_>, excerpt: usize) {
    let Finding {
        origin,
        snippet,
        author,
        published,
        accessed,
        raw_url,
        metadata,
        page,
        lines,
        ..
    } = finding;
    let Origin { id, tool, request, agent } = origin;
    for field in [id, tool, request, agent, author, published, accessed] {
        line(field, TITLE_LIMIT);
    }
    metadata.take_if(|json| json.len() > METADATA_BYTES);
    page.take_if(|page| *page == 0);
    lines.take_if(|lines| lines.start == 0);
    line(snippet, excerpt);
    line(raw_url, ADDRESS_LIMIT);
}

/// Settles what the source is linked to: its `url`, or a `uri` that is a web address. An address that
/// was refused stays as `uri` only if nobody takes it for one of the web again: with its control
/// characters gone it could be another address. Gives it back, since it may be the only name there is.
fn address<'a>(source: &mut Source<'a>) -> Option<Text<'a>> {
    // Most are links already, and are not moved for nothing.
    if source.uri.is_none() && source.url.as_deref().is_some_and(url::is_serialised) {
        return None;
    }
    let web = source.uri.take_if(|uri| is_http(uri));
    let mut refused: Option<Text<'a>> = None;
    for raw in [source.url.take(), web].into_iter().flatten() {
        match url::link(raw) {
            Ok(url) if source.url.is_none() => source.url = Some(url),
            Ok(_) => {}
            Err(raw) => refused = refused.or(Some(raw)),
        }
    }
    if source.uri.is_none() {
        source.uri = refused.clone().filter(|raw| !is_http(raw));
    }
    refused
}

/// Whether this starts like a web address, once it is clean.
fn is_http(raw: &str) -> bool {
    let clean = text::clean(raw);
    clean.trim_start().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"))
}

/// Cleans one field; what is blank then is gone.
#[inline]
fn line(field: &mut Option<Text<'_>>, limit: usize) {
    // Most fields are absent or fine, and are not moved for nothing.
    if field.as_ref().is_some_and(|raw| !text::is_plain(raw, limit) || is_blank(raw)) {
        rewrite(field, limit);
    }
}

fn rewrite(field: &mut Option<Text<'_>>, limit: usize) {
    if let Some(raw) = field.take() {
        let clean = text::line(raw, limit);
        if !is_blank(&clean) {
            *field = Some(clean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Lines, Mention};

    const DIRTY: &str = "a\u{1b}[31m\nb";
    const CLEAN: &str = "a[31m b";

    fn cleaned(mut dirty: Source<'_>) -> Source<'_> {
        source(&mut dirty);
        let once = dirty.clone();
        source(&mut dirty);
        assert_eq!(dirty, once, "twice is once");
        dirty
    }

    fn origin(text: &str) -> Origin<'_> {
        let text = || Some(Text::Borrowed(text));
        Origin { id: text(), tool: text(), request: text(), agent: text() }
    }

    /// A source that says the same in every field.
    fn saying(text: &str) -> Source<'_> {
        let borrowed = || Some(Text::Borrowed(text));
        let also = Mention {
            cited_text: borrowed(),
            origin: Some(Box::new(origin(text))),
            raw_url: borrowed(),
            ..Mention::default()
        };
        let finding = Finding {
            origin: origin(text),
            snippet: borrowed(),
            author: borrowed(),
            published: borrowed(),
            raw_url: borrowed(),
            accessed: borrowed(),
            ..Finding::default()
        };
        Source {
            title: borrowed(),
            uri: borrowed(),
            cited_text: borrowed(),
            provider: Some(Text::Owned(text.to_owned())),
            domain: borrowed(),
            file_id: borrowed(),
            also: vec![also],
            finding: Some(Box::new(finding)),
            ..Source::default()
        }
    }

    #[test]
    fn every_field_is_cleaned() {
        assert_eq!(cleaned(saying(DIRTY)), saying(CLEAN));
    }

    #[test]
    fn what_is_blank_then_is_gone() {
        let Source { title, uri, cited_text, also, finding, .. } = cleaned(saying("\u{200b} \n"));
        assert_eq!((title, uri, cited_text), (None, None, None));
        assert_eq!(also[0].origin.as_deref(), Some(&Origin::default()));
        assert_eq!(finding.as_deref(), Some(&Finding::default()));
    }

    #[test]
    fn every_field_has_its_limit() {
        let long = "x".repeat(10_000);
        let cut = |limit: usize| format!("{}…", "x".repeat(limit));
        let Source { title, uri, cited_text, provider, domain, file_id, also, finding, .. } =
            cleaned(saying(&long));
        for name in [title, uri, provider, domain, file_id] {
            assert_eq!(name.as_deref(), Some(&*cut(TITLE_LIMIT)));
        }
        let finding = finding.unwrap();
        let excerpts = [cited_text.as_deref(), also[0].cited_text.as_deref()];
        for excerpt in excerpts.into_iter().chain([finding.snippet.as_deref()]) {
            assert_eq!(excerpt, Some(&*cut(EXCERPT_LIMIT)));
        }
        for address in [&also[0].raw_url, &finding.raw_url] {
            assert_eq!(address.as_deref(), Some(&*cut(ADDRESS_LIMIT)));
        }
        for found in [&*also[0].origin.clone().unwrap(), &finding.origin] {
            assert_eq!(*found, origin(&cut(TITLE_LIMIT)));
        }
        assert_eq!(finding.author.as_deref(), Some(&*cut(TITLE_LIMIT)));
    }

    #[test]
    fn excerpts_may_have_another_length() {
        let mut long = saying("0123456789");
        source_within(&mut long, 4);
        assert_eq!(long.cited_text.as_deref(), Some("0123…"));
        assert_eq!(long.title.as_deref(), Some("0123456789"));
    }

    /// Address and document name in, and what becomes of them: link, document name, title.
    #[test]
    fn addresses_are_links_or_names() {
        let page = "https://a.example/";
        let cases = [
            ([Some("https://A.example"), None], [Some(page), None, None]),
            ([None, Some("https://A.example")], [Some(page), None, None]),
            ([Some(page), Some("https://b.example/")], [Some(page), None, None]),
            ([Some("https://"), Some(page)], [Some(page), None, None]),
            ([Some(page), Some("gs://b/c")], [Some(page), Some("gs://b/c"), None]),
            ([None, Some("gs://b/c")], [None, Some("gs://b/c"), Some("gs://b/c")]),
            ([Some("data:x"), None], [None, Some("data:x"), Some("data:x")]),
            ([Some("data:x"), Some("gs://b/c")], [None, Some("gs://b/c"), Some("data:x")]),
            ([Some("HTTP://"), None], [None, None, Some("HTTP://")]),
            ([Some("ht\u{1b}tps://"), None], [None, None, Some("https://")]),
            ([Some("data:x"), Some("https://")], [None, Some("data:x"), Some("data:x")]),
        ];
        for ([url, uri], wanted) in cases {
            let given =
                Source { url: url.map(Text::from), uri: uri.map(Text::from), ..Source::default() };
            let Source { url, uri, title, .. } = cleaned(given.clone());
            assert_eq!([url, uri, title].each_ref().map(Option::as_deref), wanted, "{given:?}");
        }
    }

    #[test]
    fn a_title_is_not_taken_from_an_address_or_a_file_while_there_is_another() {
        let file = Source {
            file_id: Some("file-1".into()),
            url: Some("data:x".into()),
            ..Source::default()
        };
        let titled = Source { title: Some("Title".into()), ..file.clone() };
        assert_eq!(cleaned(titled).title.as_deref(), Some("Title"));
        assert_eq!(cleaned(file.clone()).title.as_deref(), Some("data:x"));
        let nameless = Source { url: None, ..file };
        assert_eq!(cleaned(nameless).title.as_deref(), Some("file-1"));
    }

    #[test]
    fn what_a_tool_found_has_the_host_for_a_domain() {
        let page = || Source { url: Some("https://www.a.example/x".into()), ..Source::default() };
        assert_eq!(cleaned(page()).domain, None);
        let found = || Source { finding: Some(Box::default()), ..page() };
        assert_eq!(cleaned(found()).domain.as_deref(), Some("a.example"));
        let given = Source { domain: Some("b.example".into()), ..found() };
        assert_eq!(cleaned(given).domain.as_deref(), Some("b.example"));
    }

    #[test]
    fn places_are_counted_from_one_and_metadata_is_short() {
        let found = |count: u64, bytes: usize| {
            let finding = Finding {
                page: Some(count),
                lines: Some(Lines { start: count, end: 9 }),
                metadata: Some("x".repeat(bytes)),
                ..Finding::default()
            };
            *cleaned(Source { finding: Some(Box::new(finding)), ..Source::default() })
                .finding
                .unwrap()
        };
        assert_eq!(found(0, METADATA_BYTES + 1), Finding::default());
        let Finding { page, lines, metadata, .. } = found(1, METADATA_BYTES);
        assert_eq!((page, lines), (Some(1), Some(Lines { start: 1, end: 9 })));
        assert_eq!(metadata.map(|json| json.len()), Some(METADATA_BYTES));
    }
}

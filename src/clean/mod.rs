//! Untrusted text and addresses, made safe to print.
//!
//! In: sources as somebody sent them. Out: the same sources with text that cannot steer a terminal
//! and addresses that are plain http or https, or none. Promise: applied once, on the way in;
//! cleaning what is clean changes nothing; a source may lose its link, never its place.

mod block;
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
        own_line(&mut mention.raw_url, ADDRESS_LIMIT);
        if let Some(Origin { id, tool, request, agent }) = mention.origin.as_deref_mut() {
            for field in [id, tool, request, agent] {
                own_line(field, TITLE_LIMIT);
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

fn clean_finding(finding: &mut Finding, excerpt: usize) {
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
        own_line(field, TITLE_LIMIT);
    }
    metadata.take_if(|json| json.len() > METADATA_BYTES);
    page.take_if(|page| *page == 0);
    lines.take_if(|lines| lines.start == 0);
    own_line(snippet, excerpt);
    own_line(raw_url, ADDRESS_LIMIT);
}

fn own_line(field: &mut Option<String>, limit: usize) {
    let mut text = field.take().map(Text::Owned);
    line(&mut text, limit);
    *field = text.map(Text::into_owned);
}

/// Settles what the source is linked to: its `url`, or a `uri` that is a web address. An address that
/// was refused stays as `uri` only if nobody takes it for one of the web again: with its control
/// characters gone it could be another address. Gives it back, since it may be the only name there is.
fn address<'a>(source: &mut Source<'a>) -> Option<Text<'a>> {
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
fn line(field: &mut Option<Text<'_>>, limit: usize) {
    // Most fields are absent or fine, and are not moved for nothing.
    if field.as_ref().is_none_or(|raw| text::is_plain(raw, limit) && !is_blank(raw)) {
        return;
    }
    if let Some(raw) = field.take() {
        let clean = text::line(raw, limit);
        if !is_blank(&clean) {
            *field = Some(clean);
        }
    }
}

//! Untrusted text and addresses, made safe to print.
//!
//! In: sources as somebody sent them. Out: the same sources with text that cannot steer a terminal
//! and addresses that are plain http or https, or none. Promise: applied once, on the way in;
//! cleaning what is clean changes nothing; a source may lose its link, never its place.

pub mod text;
pub mod url;

use crate::model::{Source, Text};

/// The longest excerpt, in characters as a reader counts them.
pub const EXCERPT_LIMIT: usize = 200;
/// The longest title or name. Nothing a publisher writes comes near it.
pub const TITLE_LIMIT: usize = 300;

/// Cleans every field of a source.
pub fn source(source: &mut Source<'_>) {
    let Source { title, uri, domain, file_id, provider, .. } = source;
    for field in [title, uri, domain, file_id, provider] {
        line(field, TITLE_LIMIT);
    }
    line(&mut source.cited_text, EXCERPT_LIMIT);
    for mention in &mut source.also {
        line(&mut mention.cited_text, EXCERPT_LIMIT);
    }
    if let Some(raw) = source.url.take() {
        match url::link(raw) {
            Ok(url) => source.url = Some(url),
            // No address, but still the only name it may have.
            Err(raw) if source.uri.is_none() => {
                source.uri = Some(raw);
                line(&mut source.uri, TITLE_LIMIT);
            }
            Err(_) => {}
        }
    }
    if source.title.is_none() && source.url.is_none() {
        source.title.clone_from(&source.uri);
    }
}

/// Cleans one field; what is blank then is gone.
fn line(field: &mut Option<Text<'_>>, limit: usize) {
    if let Some(raw) = field.take() {
        let clean = text::line(raw, limit);
        if !clean.trim().is_empty() {
            *field = Some(clean);
        }
    }
}

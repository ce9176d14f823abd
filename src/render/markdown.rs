//! The block as Markdown: one source per line, never wrapped, so that a line is a whole link.

use super::Options;
use super::block::decimal;
use super::label::{Entry, HEADER, counts, remainder};
use crate::model::Source;

/// Appends the block of sources.
pub(super) fn write_block(sources: &[Source<'_>], options: Options, text: &mut String) {
    let (listed, hidden) = counts(sources, options.max_sources);
    text.push_str(HEADER);
    for (index, source) in sources.iter().take(listed).enumerate() {
        text.push_str("\n  ");
        text.push_str(decimal(index + 1, &mut [0; 20]));
        text.push_str(". ");
        write_entry(text, &Entry::of(source, options.show_excerpts));
    }
    if hidden > 0 {
        text.push('\n');
        text.push_str(&remainder(hidden));
    }
}

fn write_entry(text: &mut String, entry: &Entry<'_>) {
    match (&entry.title, entry.url) {
        // A name that speaks of another host must not hide the address.
        (Some(title), Some(url)) if entry.misleading => {
            push_escaped(text, title);
            text.push_str(&entry.place);
            text.push_str(" — ");
            push_link(text, url, url);
        }
        (Some(title), Some(url)) => {
            push_link(text, title, url);
            text.push_str(&entry.place);
        }
        (None, Some(url)) => push_link(text, url, url),
        (title, None) => {
            push_escaped(text, title.as_deref().unwrap_or_default());
            text.push_str(&entry.place);
        }
    }
    if let Some(excerpt) = entry.excerpt {
        if entry.url.is_none() {
            text.push(':');
        }
        text.push_str("\n     > \"");
        push_escaped(text, excerpt);
        text.push('"');
    }
}

fn push_link(text: &mut String, label: &str, url: &str) {
    text.push('[');
    push_escaped(text, label);
    text.push_str("](");
    push_target(text, url);
    text.push(')');
}

/// A link target ends at a parenthesis, and many readers count brackets: both are percent-encoded,
/// which leads to the same page.
pub(super) fn push_target(text: &mut String, url: &str) {
    for character in url.chars() {
        match character {
            '(' => text.push_str("%28"),
            ')' => text.push_str("%29"),
            '[' => text.push_str("%5B"),
            ']' => text.push_str("%5D"),
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            '\\' => text.push_str("%5C"),
            '*' => text.push_str("%2A"),
            '`' => text.push_str("%60"),
            '|' => text.push_str("%7C"),
            other => text.push(other),
        }
    }
}

/// Text that CommonMark prints as it is.
pub(super) fn push_escaped(text: &mut String, words: &str) {
    for character in words.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '|') {
            text.push('\\');
        }
        text.push(character);
    }
}

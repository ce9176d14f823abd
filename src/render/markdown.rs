//! The block as Markdown: one source per line, never wrapped, so that a line is a whole link.

use super::block::decimal;
use super::label::{Entry, HEADER, remainder};
use super::select::select;
use super::{Numbered, Options};
use crate::clean::url::host;

/// Appends the block of sources.
pub(super) fn write_block(sources: &[Numbered<'_, '_>], options: Options, text: &mut String) {
    let (listed, hidden) = select(sources, options.max_sources);
    text.push_str(HEADER);
    for entry in listed {
        text.push_str("\n  ");
        let mut digits = [0; 20];
        let number = decimal(entry.number, &mut digits);
        text.push_str(number);
        text.push_str(". ");
        let indent = "  . ".len() + number.len();
        write_entry(text, &Entry::of(entry.source, options.show_excerpts), indent);
    }
    if hidden > 0 {
        text.push('\n');
        text.push_str(&remainder(hidden));
    }
}

/// Appends one entry; its excerpts stand on rows of their own, `indent` columns in.
pub(super) fn write_entry(text: &mut String, entry: &Entry<'_>, indent: usize) {
    let write_place = |text: &mut String| {
        if !entry.place.is_empty() {
            text.push(' ');
            text.push_str(&entry.place);
        }
    };
    match (&entry.title, entry.url) {
        // A name that speaks of another host must not hide the address.
        (Some(title), Some(url)) if entry.misleading => {
            push_line(text, title);
            write_place(text);
            text.push_str(" — ");
            push_link(text, url, url);
        }
        (title, Some(url)) => {
            push_link(text, title.as_deref().unwrap_or(url), url);
            write_place(text);
        }
        (title, None) => {
            push_line(text, title.as_deref().unwrap_or_default());
            write_place(text);
        }
    }
    for (index, excerpt) in entry.excerpts.iter().enumerate() {
        if index == 0 && entry.url.is_none() {
            text.push(':');
        }
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', indent));
        text.push_str("> \"");
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

/// An address as the target of a Markdown link.
pub fn link_target(url: &str) -> String {
    let mut target = String::with_capacity(url.len());
    push_target(&mut target, url);
    target
}

/// A link target ends at a parenthesis, many readers count brackets, and `&lt;` is read as a character:
/// all are percent-encoded, which leads to the same page, also in a host, where they are legal. The
/// brackets of an IPv6 host must stay.
fn push_target(text: &mut String, url: &str) {
    let address = host(url).filter(|host| host.starts_with('['));
    let whole = address.map_or(0, |host| url.find(host).unwrap_or_default() + host.len());
    let (address, rest) = url.split_at_checked(whole).unwrap_or(("", url));
    text.push_str(address);
    let mut in_reference = false;
    for character in rest.chars() {
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
            ';' if in_reference => text.push_str("%3B"),
            other => text.push(other),
        }
        in_reference = match character {
            '&' => true,
            '#' => in_reference,
            other => in_reference && other.is_ascii_alphanumeric(),
        };
    }
}

/// Text at the start of a line, where a mark could open a heading or a list.
fn push_line(text: &mut String, words: &str) {
    let digits = words.len() - words.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let (number, rest) = words.split_at_checked(digits).unwrap_or(("", words));
    let opens = match rest.chars().next() {
        Some('#' | '+' | '-' | '=') => number.is_empty(),
        Some('.' | ')') => !number.is_empty(),
        _ => false,
    };
    text.push_str(number);
    if opens {
        text.push('\\');
    }
    push_escaped(text, rest);
}

/// Text that CommonMark prints as it is. What opens a tag is not escaped with a backslash: behind an address, readers
/// that make it clickable take that for its end.
fn push_escaped(text: &mut String, words: &str) {
    for character in words.chars() {
        if character == '<' {
            text.push_str("&lt;");
            continue;
        }
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '>' | '&' | '~' | '|') {
            text.push('\\');
        }
        text.push(character);
    }
}

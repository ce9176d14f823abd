//! Sources as a model reads them.

use super::read::{Depth, each_document};
use crate::clean::{TITLE_LIMIT, text};
use crate::input::Value;
use crate::model::is_blank;
use crate::render::escaped;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthChar;

/// Tags that mean something in a prompt: ours, and those of the default template.
const TAGS: [&str; 3] = ["source", "context", "user_query"];

/// One `<source id="1" name="…">…</source>` a line for each document.
///
/// In a document nothing is escaped but the `<` of what could be read as one of [`TAGS`], however it is
/// spelled: code and mark-up of other kinds are worth more to a model as they are.
pub fn source_context<'v, V: Value<'v>>(sources: V) -> String {
    let mut out = String::new();
    each_document(sources, Depth::Keys, |document| {
        out.push_str("<source");
        if let Some(number) = document.number {
            // A String takes all that is written.
            let _ = write!(out, " id=\"{number}\"");
        }
        let name = document.name.map(|name| text::line(name.into(), TITLE_LIMIT));
        if let Some(name) = name.filter(|name| !is_blank(name)) {
            out.push_str(" name=\"");
            write_guarded(&escaped(&name), &mut out);
            out.push('"');
        }
        out.push('>');
        write_guarded(&text::passage(document.text), &mut out);
        out.push_str("</source>\n");
    });
    out
}

/// Appends a text that neither opens nor closes one of the tags.
fn write_guarded(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(is_opening) {
        let (before, tail) = rest.split_at(at);
        let mut behind = tail.chars();
        let opening = behind.next();
        out.push_str(before);
        rest = behind.as_str();
        match opening {
            _ if names_tag(rest) => out.push_str("&lt;"),
            opening => out.extend(opening),
        }
    }
    out.push_str(rest);
}

/// `<`, and what looks the same.
fn is_opening(character: char) -> bool {
    matches!(character, '<' | '＜' | '﹤')
}

/// Whether one of the tags is named here, behind slashes and blanks. Stops at the next `<`, so that a text
/// is gone through twice at the most.
fn names_tag(text: &str) -> bool {
    let is_lead =
        |one: &char| one.is_whitespace() || matches!(one, '/' | '\\' | '／' | '＼' | '⁄' | '∕');
    let seen = text.chars().take_while(|one| !is_opening(*one)).filter(|one| !is_unseen(*one));
    let name = seen.skip_while(is_lead).map(plain);
    TAGS.iter().any(|tag| name.clone().take(tag.len()).eq(tag.chars()))
}

/// Whether a reader sees nothing of it: joiners, soft hyphens, marks on the letter before.
fn is_unseen(character: char) -> bool {
    character == '\u{ad}' || (!character.is_ascii() && character.width() == Some(0))
}

/// A letter without its case and its width.
fn plain(character: char) -> char {
    let narrow = match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        // Its capital is the S of ASCII.
        'ſ' => 's',
        other => other,
    };
    narrow.to_ascii_lowercase()
}

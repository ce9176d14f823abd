//! Markers as elements that can be clicked.

use super::read::NOBODY;
use crate::anchor::marker::{Dialect, Marker, parse};
use crate::clean::{TITLE_LIMIT, text};
use crate::model::is_blank;
use crate::render::escaped;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

const ELEMENT: &str = "<source_id data=\"";
const TITLE: &str = "\" title=\"";
const END: &str = "\" />";

/// `text` with `<source_id data="n" title="…" />` for every number that has a name. Numbers beyond them
/// stay, and so do such elements, footnotes and raised numbers, which Open WebUI takes for what they are.
pub fn replace_markers(text: &str, names: &[Option<String>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let mut elements_before = standing(text).peekable();
    for marker in parse(text, Some(names.len())) {
        while elements_before.next_if(|element| element.end <= marker.range.start).is_some() {}
        if elements_before.peek().is_some_and(|element| element.start <= marker.range.start) {
            continue;
        }
        let Some(elements) = elements(&marker, names) else { continue };
        out.push_str(text.get(done..marker.range.start).unwrap_or_default());
        out.push_str(&elements);
        done = marker.range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Where elements stand already. To CommonMark they are no tags: those have no underscore.
fn standing(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices(ELEMENT).filter_map(|(start, _)| {
        let rest = text.get(start + ELEMENT.len()..)?;
        let behind = rest.trim_start_matches(|one: char| one.is_ascii_digit());
        let title = behind.strip_prefix(TITLE)?;
        let end = title.find(['"', '<'])?;
        let behind = title.get(end..)?.strip_prefix(END)?;
        Some(start..text.len() - behind.len())
    })
}

/// What is written for a marker; `None` when it stays.
fn elements(marker: &Marker, names: &[Option<String>]) -> Option<String> {
    if matches!(marker.dialect, Dialect::Footnote | Dialect::Superscript | Dialect::PrivateUse) {
        return None;
    }
    let name = |number: usize| names.get(number.checked_sub(1)?);
    marker.numbers.iter().find_map(|number| name(*number))?;
    let mut out = String::new();
    let mut written = HashSet::new();
    // Named twice in one marker: once is enough.
    for number in marker.numbers.iter().filter(|number| written.insert(**number)) {
        // A String takes all that is written.
        let _ = match name(*number) {
            None => write!(out, "[{number}]"),
            Some(name) => {
                let title = title(name.as_deref());
                write!(out, "{ELEMENT}{number}{TITLE}{title}{END}")
            }
        };
    }
    Some(out)
}

/// A name as an attribute inside Markdown: a backtick could end code that was opened before the marker, and
/// a bar the cell of a table.
fn title(name: Option<&str>) -> String {
    let name = text::line(name.unwrap_or_default().into(), TITLE_LIMIT);
    let name = if is_blank(&name) { NOBODY } else { &name };
    escaped(name).replace('`', "&#96;").replace('|', "&#124;")
}

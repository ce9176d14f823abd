//! An answer with its sources as Markdown that any reader of Markdown shows.

use super::label::Entry;
use super::markdown::{link_target, write_entry};
use super::{Leaning, Numbered};
use crate::anchor::marker::{self, Format, Sources};
use crate::anchor::{closing, source_ids};
use crate::clean::text::passage;
use crate::clean::url::is_linkable;
use crate::model::{Source, ascending};
use std::borrow::Cow;
use std::collections::HashMap;

/// Where the sources go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `[^1]` in the text, `[^1]: …` below it. Sources nobody points at are listed.
    Footnotes,
    /// `[1](https://…)` in the text. What is not linked there is listed below it.
    Links,
    /// `[1]` in the text, all sources in a numbered list below it.
    List,
}

/// The answer with its sources. What could steer a terminal or hide is gone from it, as it is from a page.
pub fn answer(text: &str, leaning: Leaning<'_>, style: Style, show_excerpts: bool) -> String {
    let (marked, mut listed) = leaning.on(text);
    // Two footnotes of one name would be one.
    let numbered = style == Style::Footnotes && has_footnotes(&passage(text));
    let style = if numbered { Style::List } else { style };
    let format = match style {
        Style::Footnotes => Format::Footnotes,
        Style::Links => Format::InlineLinks,
        Style::List => Format::Brackets,
    };
    let options = marker::Options { format, ..marker::Options::default() };
    let formatted = marker::format(&marked.text, Targets::of(leaning.sources), options).text;
    // Not before: spans count every character, and one dialect is written with invisible ones.
    let mut out = passage(&formatted).into_owned();
    if listed.is_empty() {
        return out;
    }
    out.truncate(out.trim_end().len());
    // What follows an open fence would be code, and behind an open comment nobody would see it.
    out.push_str(&closing(&out));
    let pointed = ascending(marked.markers.iter().flat_map(|one| &one.numbers).copied());
    let is_pointed_at = |one: &Numbered<'_, '_>| pointed.binary_search(&one.number).is_ok();
    let entry = |one: &Numbered<'_, '_>, out: &mut String, indent: usize| {
        write_entry(out, &Entry::of(one.source, show_excerpts), indent);
    };
    if style == Style::Footnotes {
        for one in listed.iter().filter(|one| is_pointed_at(one)) {
            out.extend(["\n\n[^", &one.number.to_string(), "]: "]);
            entry(one, &mut out, "    ".len());
        }
    }
    listed.retain(|one| match style {
        Style::Footnotes => !is_pointed_at(one),
        Style::Links => !is_pointed_at(one) || target(one.source).is_none(),
        Style::List => true,
    });
    write_list(&mut out, &listed, entry);
    out.push('\n');
    out
}

/// A numbered list where Markdown would number it the same way.
fn write_list(
    out: &mut String,
    listed: &[Numbered<'_, '_>],
    entry: impl Fn(&Numbered<'_, '_>, &mut String, usize),
) {
    if listed.is_empty() {
        return;
    }
    out.push_str(if out.is_empty() { "Sources:\n" } else { "\n\nSources:\n" });
    let in_order = listed.iter().zip(1..).all(|(one, place)| one.number == place);
    for one in listed {
        let mark = if in_order { format!("{}. ", one.number) } else { "- ".to_owned() };
        out.extend(["\n", &mark]);
        if !in_order {
            out.extend(["\\[", &one.number.to_string(), "\\] "]);
        }
        entry(one, out, mark.len());
    }
}

/// Whether the answer has footnotes of its own.
fn has_footnotes(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("[^") && line.contains("]:"))
}

fn target(source: &Source<'_>) -> Option<String> {
    source.url.as_deref().filter(|url| is_linkable(url)).map(link_target)
}

/// What markers of the answer name, and where it is.
struct Targets<'s> {
    sources: &'s [Source<'s>],
    ids: HashMap<&'s str, usize>,
}

impl<'s> Targets<'s> {
    fn of(sources: &'s [Source<'s>]) -> Self {
        Self { sources, ids: source_ids(sources) }
    }
}

impl Sources for Targets<'_> {
    fn count(&self) -> Option<usize> {
        Some(self.sources.len())
    }

    fn number(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    fn target(&self, number: usize) -> Option<Cow<'_, str>> {
        let source = number.checked_sub(1).and_then(|index| self.sources.get(index))?;
        target(source).map(Cow::Owned)
    }
}

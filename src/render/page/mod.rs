//! An answer as a piece of a web page, with its sources.
//!
//! In: an answer in Markdown, its sources and the spans that lean on them. Out: HTML that works without
//! any script, and the style and script that make it pleasant. Promise: no element, attribute or address
//! of the answer's or of a source's making; nothing is fetched from anywhere; ids start with the prefix
//! the caller chose, so that many answers live on one page.

mod body;
mod dialog;
mod mark;
mod panel;

use super::escape::push_escaped;
use super::label::Entry;
use super::{Leaning, Numbered};
use crate::clean::text::line;
use crate::clean::url::{host, is_linkable};
use crate::model::Source;
use std::borrow::Cow;

/// How the page looks. Include it once.
pub const STYLE: &str = include_str!("cite.css");
/// What the page does. Include it once; it also serves answers that come later.
pub const SCRIPT: &str = include_str!("cite.js");

/// The longest excerpt a dialog shows, in characters as a reader counts them.
pub const EXCERPT_LIMIT: usize = 10_000;

/// How markers look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// `[1]`, raised.
    Brackets,
    /// `1`, raised.
    Superscript,
    /// `[1]`, and leads to the page itself.
    InlineLinks,
}

/// What a caller may choose.
#[derive(Clone, Debug)]
pub struct PageOptions {
    /// What every id starts with.
    pub prefix: String,
    /// How markers look.
    pub marks: Marks,
    /// Whether markers show their source when pointed at.
    pub tooltips: bool,
    /// Whether the panel starts open.
    pub open: bool,
    /// The most sources that are listed at once; the others wait behind a line that shows all.
    pub most: Option<usize>,
}

impl Default for PageOptions {
    fn default() -> Self {
        let (prefix, marks) = ("cite".to_owned(), Marks::Brackets);
        Self { prefix, marks, tooltips: true, open: false, most: None }
    }
}

/// The answer and its sources as HTML.
pub fn page(text: &str, leaning: Leaning<'_>, options: &PageOptions) -> String {
    let (marked, listed) = leaning.on(text);
    let mut html = String::with_capacity(text.len() * 2);
    html.push_str("<div class=\"cite\" id=\"");
    // Never the prefix alone: a part behind the last hyphen keeps one answer's ids from another's.
    html.push_str(&options.prefix);
    html.push_str("-answer\">\n<div class=\"cite-answer\">\n");
    body::write(&mut html, &marked, leaning.sources, options);
    html.push_str("</div>\n");
    if !listed.is_empty() {
        panel::write(&mut html, &listed, options);
        if options.tooltips {
            listed
                .iter()
                .filter(|one| one.cited)
                .for_each(|one| write_tip(&mut html, one, options));
        }
        let sure = leaning.confidences();
        for one in &listed {
            let sure = sure.get(one.number - 1).copied().flatten();
            dialog::write(&mut html, one, sure, options);
        }
    }
    html.push_str("</div>\n");
    html
}

/// What a marker shows when it is pointed at.
fn write_tip(html: &mut String, one: &Numbered<'_, '_>, options: &PageOptions) {
    let name = name_of(one.source);
    html.push_str("<div class=\"cite-tip\" role=\"tooltip\" popover=\"manual\" hidden id=\"");
    push_id(html, options, "t", one.number);
    html.push_str("\"><strong>");
    push_escaped(html, &name);
    html.push_str("</strong>");
    if let Some(home) = home(one.source) {
        html.push_str(" <span class=\"cite-home\">");
        push_escaped(html, home);
        html.push_str("</span>");
    }
    if let Some(excerpt) = excerpt(one.source) {
        html.push_str(" <span class=\"cite-quote\">");
        push_escaped(html, &excerpt);
        html.push_str("</span>");
    }
    html.push_str("</div>\n");
}

/// What a source is called: its title, or its address.
fn name_of<'s>(source: &'s Source<'_>) -> Cow<'s, str> {
    let entry = Entry::of(source, false);
    let name = entry.title.unwrap_or_else(|| Cow::Borrowed(entry.url.unwrap_or_default()));
    // Lists of plain text quote the names of documents; here they stand apart by themselves.
    let own = source.title.as_deref().map(str::trim);
    own.filter(|own| name == format!("\"{own}\"")).map_or(name, Cow::Borrowed)
}

/// Where a source is at home. Its own word for it counts only where there is no address to tell.
fn home<'s>(source: &'s Source<'_>) -> Option<&'s str> {
    source.url.as_deref().and_then(host).or(source.domain.as_deref())
}

/// The first words of a source.
fn excerpt<'s>(source: &'s Source<'_>) -> Option<Cow<'s, str>> {
    let snippet = source.finding.as_ref().and_then(|finding| finding.snippet.as_deref());
    let words = source.cited_text.as_deref().or(snippet)?;
    Some(line(Cow::Borrowed(words.trim()), crate::clean::EXCERPT_LIMIT))
}

/// Opens a link that leaves the page; nothing where the address is none to click.
fn open_link(html: &mut String, url: &str, class: &str) -> bool {
    if !is_linkable(url) {
        return false;
    }
    html.push_str("<a ");
    if !class.is_empty() {
        html.extend(["class=\"", class, "\" "]);
    }
    html.push_str("href=\"");
    push_escaped(html, url);
    html.push_str("\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">");
    true
}

fn push_id(html: &mut String, options: &PageOptions, what: &str, number: usize) {
    html.extend([&options.prefix, "-", what, &number.to_string()]);
}

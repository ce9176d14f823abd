//! Everything that is known of one source.

use super::{PageOptions, name_of, open_link, push_id};
use crate::clean::text::line;
use crate::model::Source;
use crate::render::Numbered;
use crate::render::escape::push_escaped;
use crate::render::label::Entry;
use std::borrow::Cow;
use std::collections::HashSet;

/// Names of figures a reader can make something of; all else a tool said stays with the source unseen.
const FIGURES: [&str; 4] = ["score", "relevance", "similarity", "distance"];
/// More figures than this say no more.
const MOST_FIGURES: usize = 8;
/// Nor do more passages than this.
const MOST_QUOTES: usize = 50;

pub(super) fn write(
    html: &mut String,
    one: &Numbered<'_, '_>,
    confidence: Option<f64>,
    options: &PageOptions,
) {
    let entry = Entry::of(one.source, false);
    let said = said(one.source);
    html.push_str("<dialog class=\"cite-dialog\" closedby=\"any\" id=\"");
    push_id(html, options, "d", one.number);
    html.push_str("\" aria-labelledby=\"");
    push_id(html, options, "n", one.number);
    html.push_str("\">\n<p class=\"cite-name\" id=\"");
    push_id(html, options, "n", one.number);
    html.extend(["\"><span class=\"cite-number\">", &one.number.to_string(), "</span> "]);
    push_escaped(html, &name_of(one.source));
    html.push_str("</p>\n");
    write_facts(html, &facts(one.source, &entry.place, confidence, &said), entry.url);
    write_quotes(html, one.source, &said);
    html.push_str("<form method=\"dialog\"><button>Close</button></form>\n</dialog>\n");
}

/// All that is quoted from a source, each passage once and with its own figures; of one nobody quotes, what
/// the search showed of it.
fn write_quotes(html: &mut String, source: &Source<'_>, said: &Said) {
    let also = source.also.iter().map(|mention| mention.cited_text.as_deref());
    let all = std::iter::once(source.cited_text.as_deref()).chain(also).enumerate();
    let mut written = HashSet::new();
    for (place, words) in all.filter_map(|(place, words)| Some((place, words?.trim()))) {
        if written.len() < MOST_QUOTES && written.insert(words) {
            write_quote(html, words);
            write_figures(html, &figures_of(said, place, 1 + source.also.len()));
        }
    }
    let snippet = source.finding.as_ref().and_then(|finding| finding.snippet.as_deref());
    if let Some(snippet) = snippet.filter(|_| written.is_empty()) {
        write_quote(html, snippet.trim());
    }
}

fn write_quote(html: &mut String, words: &str) {
    html.push_str("<blockquote>");
    push_escaped(html, words);
    html.push_str("</blockquote>\n");
}

/// The figures of a passage, as `page 3 · score 0.91`.
fn write_figures(html: &mut String, figures: &[(Cow<'_, str>, String)]) {
    for (index, (name, figure)) in figures.iter().enumerate() {
        html.push_str(if index == 0 { "<p class=\"cite-figures\">" } else { " · " });
        push_escaped(html, name);
        html.extend([" ", figure]);
    }
    html.push_str(if figures.is_empty() { "" } else { "</p>\n" });
}

type Fact<'s> = (Cow<'s, str>, Cow<'s, str>);

/// What is known, name by name.
fn facts<'s>(
    source: &'s Source<'_>,
    place: &str,
    confidence: Option<f64>,
    said: &Said,
) -> Vec<Fact<'s>> {
    let mut facts: Vec<Fact<'s>> = Vec::new();
    let mut add = |name: &'static str, value: Option<&'s str>| {
        facts.extend(value.map(|value| (Cow::Borrowed(name), Cow::Borrowed(value))));
    };
    add("Name", source.uri.as_deref().filter(|_| source.url.is_none()));
    if let Some(finding) = source.finding.as_deref() {
        add("Author", finding.author.as_deref());
        add("Published", finding.published.as_deref());
        add("Accessed", finding.accessed.as_deref());
        add("Tool", finding.origin.tool.as_deref());
        add("Agent", finding.origin.agent.as_deref());
    }
    add("Cited by", source.provider.as_deref());
    let place = place.trim_matches(['(', ')']);
    if !place.is_empty() {
        facts.push((Cow::Borrowed("Place"), Cow::Owned(place.to_owned())));
    }
    let written = confidence.map(|sure| Cow::Owned(format!("{sure:.2}")));
    facts.extend(written.map(|sure| (Cow::Borrowed("Confidence"), sure)));
    facts.extend(figures(said));
    facts
}

/// What a tool said of a source, name by name.
type Said = serde_json::Map<String, serde_json::Value>;

fn said(source: &Source<'_>) -> Said {
    let json = source.finding.as_ref().and_then(|finding| finding.metadata.as_deref());
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

fn is_figure(name: &str) -> bool {
    let plain = name.to_lowercase();
    FIGURES.iter().any(|one| plain.contains(one))
}

/// Figures of the whole source.
fn figures(said: &Said) -> Vec<Fact<'static>> {
    let figures = said.iter().filter_map(|(name, value)| {
        let figure = value.as_f64().filter(|_| is_figure(name))?;
        Some((line(Cow::Owned(name.clone()), 40), Cow::Owned(format!("{figure}"))))
    });
    figures.take(MOST_FIGURES).collect()
}

/// Figures of the passage at `place`, from lists that have one for each of `count` passages: `scores`, and
/// `pages` where there are several to tell apart.
fn figures_of(said: &Said, place: usize, count: usize) -> Vec<(Cow<'static, str>, String)> {
    let lists = said.iter().filter_map(|(name, value)| Some((name, value.as_array()?)));
    let figures = lists.filter_map(|(name, list)| {
        let wanted = is_figure(name) || name == "pages" && count > 1;
        let figure = list.get(place).filter(|_| wanted && list.len() <= count)?.as_f64()?;
        let one = name.strip_suffix('s').unwrap_or(name).to_owned();
        Some((line(Cow::Owned(one), 40), format!("{figure}")))
    });
    figures.take(MOST_FIGURES).collect()
}

fn write_facts(html: &mut String, facts: &[Fact<'_>], url: Option<&str>) {
    if facts.is_empty() && url.is_none() {
        return;
    }
    html.push_str("<dl>\n");
    if let Some(url) = url {
        html.push_str("<dt>Address</dt><dd>");
        let opened = open_link(html, url, "");
        push_escaped(html, url);
        html.push_str(if opened { "</a></dd>\n" } else { "</dd>\n" });
    }
    for (name, value) in facts {
        html.push_str("<dt>");
        push_escaped(html, name);
        html.push_str("</dt><dd>");
        push_escaped(html, value);
        html.push_str("</dd>\n");
    }
    html.push_str("</dl>\n");
}

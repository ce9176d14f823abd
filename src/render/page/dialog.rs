//! Everything that is known of one source.

use super::{PageOptions, name_of, open_link, push_id};
use crate::clean::text::line;
use crate::model::Source;
use crate::render::Numbered;
use crate::render::escape::push_escaped;
use crate::render::label::Entry;
use std::borrow::Cow;

/// Names of figures a reader can make something of; all else a tool said stays with the source unseen.
const FIGURES: [&str; 4] = ["score", "relevance", "similarity", "distance"];
/// More figures than this say no more.
const MOST_FIGURES: usize = 8;

pub(super) fn write(
    html: &mut String,
    one: &Numbered<'_, '_>,
    confidence: Option<f64>,
    options: &PageOptions,
) {
    let entry = Entry::of(one.source, true);
    html.push_str("<dialog class=\"cite-dialog\" closedby=\"any\" id=\"");
    push_id(html, options, "d", one.number);
    html.push_str("\" aria-labelledby=\"");
    push_id(html, options, "n", one.number);
    html.push_str("\">\n<p class=\"cite-name\" id=\"");
    push_id(html, options, "n", one.number);
    html.extend(["\"><span class=\"cite-number\">", &one.number.to_string(), "</span> "]);
    push_escaped(html, &name_of(one.source));
    html.push_str("</p>\n");
    write_facts(html, &facts(one.source, &entry.place, confidence), entry.url);
    for excerpt in &entry.excerpts {
        write_quote(html, excerpt);
    }
    let snippet = one.source.finding.as_ref().and_then(|finding| finding.snippet.as_deref());
    if let Some(snippet) = snippet.filter(|_| entry.excerpts.is_empty()) {
        write_quote(html, snippet);
    }
    html.push_str("<form method=\"dialog\"><button>Close</button></form>\n</dialog>\n");
}

fn write_quote(html: &mut String, words: &str) {
    html.push_str("<blockquote>");
    push_escaped(html, words.trim());
    html.push_str("</blockquote>\n");
}

type Fact<'s> = (Cow<'s, str>, Cow<'s, str>);

/// What is known, name by name.
fn facts<'s>(source: &'s Source<'_>, place: &str, confidence: Option<f64>) -> Vec<Fact<'s>> {
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
    facts.extend(figures(source));
    facts
}

/// Figures among what a tool said.
fn figures(source: &Source<'_>) -> Vec<Fact<'static>> {
    let said = source.finding.as_ref().and_then(|finding| finding.metadata.as_deref());
    let said: Option<serde_json::Map<String, serde_json::Value>> =
        said.and_then(|json| serde_json::from_str(json).ok());
    let figures = said.into_iter().flatten().filter_map(|(name, value)| {
        let plain = name.to_lowercase();
        let figure = value.as_f64().filter(|_| FIGURES.iter().any(|one| plain.contains(one)))?;
        Some((line(Cow::Owned(name), 40), Cow::Owned(format!("{figure}"))))
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

//! The list of sources below an answer.

use super::{PageOptions, excerpt, home, name_of, open_link, push_id};
use crate::render::Numbered;
use crate::render::escape::push_escaped;
use crate::render::label::Entry;
use crate::render::select::select;
use std::collections::HashSet;

pub(super) fn write(html: &mut String, listed: &[Numbered<'_, '_>], options: &PageOptions) {
    html.extend(["<details class=\"cite-panel\" id=\"", &options.prefix, "-panel\""]);
    if options.open {
        html.push_str(" open");
    }
    let count = listed.len().to_string();
    html.extend([">\n<summary>Sources <span class=\"cite-count\">", &count, "</span></summary>\n"]);
    let (shown, hidden) = select(listed, options.most);
    let shown: Vec<_> = shown.collect();
    write_list(html, shown.iter().copied(), options);
    if hidden > 0 {
        let shown: HashSet<_> = shown.iter().map(|one| one.number).collect();
        let rest = listed.iter().filter(|one| !shown.contains(&one.number));
        html.extend(["<details class=\"cite-more\">\n<summary>Show all ", &count, "</summary>\n"]);
        write_list(html, rest, options);
        html.push_str("</details>\n");
    }
    html.push_str("</details>\n");
}

fn write_list<'l>(
    html: &mut String,
    list: impl Iterator<Item = &'l Numbered<'l, 'l>>,
    options: &PageOptions,
) {
    let mut list = list.peekable();
    if list.peek().is_none() {
        return;
    }
    html.push_str("<ol class=\"cite-list\">\n");
    for one in list {
        write_source(html, one, options);
    }
    html.push_str("</ol>\n");
}

fn write_source(html: &mut String, one: &Numbered<'_, '_>, options: &PageOptions) {
    let entry = Entry::of(one.source, false);
    let name = name_of(one.source);
    html.push_str("<li id=\"");
    push_id(html, options, "s", one.number);
    html.extend(["\" value=\"", &one.number.to_string(), "\">"]);
    html.push_str("<button type=\"button\" class=\"cite-open\" aria-haspopup=\"dialog\" command=\"show-modal\" commandfor=\"");
    push_id(html, options, "d", one.number);
    html.push_str("\">");
    push_escaped(html, &name);
    html.push_str("</button>");
    if !entry.place.is_empty() {
        html.push_str(" <span class=\"cite-place\">");
        push_escaped(html, &entry.place);
        html.push_str("</span>");
    }
    if let Some(home) = home(one.source) {
        html.push(' ');
        let opened = entry.url.is_some_and(|url| open_link(html, url, "cite-home"));
        html.push_str(if opened { "" } else { "<span class=\"cite-home\">" });
        push_escaped(html, home);
        html.push_str(if opened { "</a>" } else { "</span>" });
    }
    if let Some(excerpt) = excerpt(one.source) {
        html.push_str(" <span class=\"cite-quote\">");
        push_escaped(html, &excerpt);
        html.push_str("</span>");
    }
    html.push_str("</li>\n");
}

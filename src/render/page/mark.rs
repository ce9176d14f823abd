//! Markers as links to the sources they name.

use super::{Marks, PageOptions, push_id};
use crate::anchor::Resolved;
use crate::clean::text::clean;
use crate::clean::url::is_linkable;
use crate::model::Source;
use crate::render::escape::push_escaped;

/// Writes the markers of an answer.
pub(super) struct MarkWriter<'a> {
    pub(super) sources: &'a [Source<'a>],
    pub(super) options: &'a PageOptions,
}

impl MarkWriter<'_> {
    /// Each number as a link; what names no source as the answer has it.
    pub(super) fn write(&self, html: &mut String, marker: &Resolved, text: &str) {
        if marker.numbers.is_empty() {
            let words = text.get(marker.range.clone()).unwrap_or_default();
            return push_escaped(html, &clean(words));
        }
        for number in &marker.numbers {
            self.write_number(html, *number);
        }
        for unknown in &marker.unknown {
            html.push('[');
            push_escaped(html, &clean(unknown));
            html.push(']');
        }
    }

    fn write_number(&self, html: &mut String, number: usize) {
        let Self { sources, options } = self;
        let source = number.checked_sub(1).and_then(|index| sources.get(index));
        let url = source.and_then(|source| source.url.as_deref()).filter(|url| is_linkable(url));
        html.push_str("<sup class=\"cite-mark\"><a href=\"");
        if let Some(url) = url.filter(|_| options.marks == Marks::InlineLinks) {
            push_escaped(html, url);
            html.push_str("\" target=\"_blank\" rel=\"noopener noreferrer nofollow");
        } else {
            html.push('#');
            push_id(html, options, "s", number);
        }
        if options.tooltips {
            html.push_str("\" aria-describedby=\"");
            push_id(html, options, "t", number);
        }
        let digits = number.to_string();
        html.extend(["\" aria-label=\"Source ", &digits, "\">"]);
        if options.marks == Marks::Superscript {
            html.push_str(&digits);
        } else {
            html.extend(["[", &digits, "]"]);
        }
        html.push_str("</a></sup>");
    }
}

//! The answer itself: CommonMark with tables, markers as links.

use super::mark::MarkWriter;
use super::{PageOptions, open_link};
use crate::anchor::{Marked, Resolved};
use crate::clean::text::clean;
use crate::clean::url::link;
use crate::model::Source;
use crate::render::escape::push_escaped;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::ops::Range;

pub(super) fn write(
    html: &mut String,
    answer: &Marked<'_>,
    sources: &[Source<'_>],
    options: &PageOptions,
) {
    let (text, markers) = (answer.text.as_ref(), answer.markers.as_slice());
    let marks = MarkWriter { sources, options };
    let mut writer = Writer {
        html,
        text,
        markers,
        marks,
        done: 0,
        links: Vec::new(),
        linked: None,
        columns: Vec::new(),
        column: 0,
        head: false,
        cell: (0, 0),
        code: false,
    };
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        writer.event(event, range);
    }
}

struct Writer<'a> {
    html: &'a mut String,
    text: &'a str,
    /// Those that are still to come.
    markers: &'a [Resolved],
    marks: MarkWriter<'a>,
    /// All bytes before this one have been written: the rest of a marker the parser has cut up.
    done: usize,
    /// The links and pictures this is in, by where they lead; nothing for one that leads nowhere. Only
    /// one of them can be a link.
    links: Vec<Option<String>>,
    /// Where in `html` the words of the link start, inside one.
    linked: Option<usize>,
    columns: Vec<Alignment>,
    column: usize,
    /// Whether this is the head of a table.
    head: bool,
    /// Where in `html` the cell starts, and its words.
    cell: (usize, usize),
    /// Whether this is a block of code.
    code: bool,
}

impl<'a> Writer<'a> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(words) => self.words(&words, range),
            Event::Code(code) => {
                self.html.push_str("<code>");
                push_escaped(self.html, &clean(&code));
                self.html.push_str("</code>");
            }
            // Nobody's elements but ours.
            Event::Html(raw) | Event::InlineHtml(raw) => self.literal(&raw),
            Event::SoftBreak => self.html.push('\n'),
            Event::HardBreak => self.html.push_str("<br>\n"),
            Event::Rule => self.html.push_str("<hr>\n"),
            // Extensions that are not asked for.
            _ => {}
        }
    }

    fn words(&mut self, words: &str, range: Range<usize>) {
        if self.code {
            self.literal(words);
        } else if self.text.get(range.clone()) == Some(words) {
            self.prose(range);
        } else if range.start >= self.done {
            // What the parser has unescaped holds no marker.
            push_escaped(self.html, &clean(words));
        }
    }

    /// A piece of the text as it came, with the markers that start in it.
    fn prose(&mut self, range: Range<usize>) {
        let mut from = range.start.max(self.done);
        // A link inside a link is none.
        if self.linked.is_some() {
            return self.plain(from..range.end);
        }
        while let Some(marker) = self.marker_within(from..range.end) {
            self.plain(from..marker.range.start);
            self.keep_together();
            self.marks.write(self.html, marker, self.text);
            from = marker.range.end;
            self.done = from;
        }
        self.plain(from..range.end);
    }

    /// A marker does not start a line: it belongs to the words before it.
    fn keep_together(&mut self) {
        if self.html.ends_with(' ') {
            self.html.pop();
            self.html.push('\u{a0}');
        }
    }

    /// The next marker, if it starts in this range.
    fn marker_within(&mut self, range: Range<usize>) -> Option<&'a Resolved> {
        let passed = self.markers.partition_point(|one| one.range.start < range.start);
        let (next, rest) = self.markers.get(passed..)?.split_first()?;
        (next.range.start < range.end).then(|| {
            self.markers = rest;
            next
        })
    }

    fn plain(&mut self, range: Range<usize>) {
        push_escaped(self.html, &clean(self.text.get(range).unwrap_or_default()));
    }

    /// Code and foreign HTML: every character as it stands, line breaks and tabs included.
    fn literal(&mut self, text: &str) {
        for piece in text.split_inclusive(['\n', '\t']) {
            let words = piece.trim_end_matches(['\n', '\t']);
            push_escaped(self.html, &clean(words));
            self.html.push_str(piece.get(words.len()..).unwrap_or_default());
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => self.html.push_str("<p>"),
            Tag::HtmlBlock => self.html.push_str("<p class=\"cite-raw\">"),
            Tag::Heading { level, .. } => self.html.extend(["<", &level.to_string(), ">"]),
            Tag::BlockQuote(_) => self.html.push_str("<blockquote>\n"),
            Tag::CodeBlock(kind) => self.start_code(&kind),
            Tag::List(None) => self.html.push_str("<ul>\n"),
            Tag::List(Some(1)) => self.html.push_str("<ol>\n"),
            Tag::List(Some(first)) => {
                self.html.extend(["<ol start=\"", &first.to_string(), "\">\n"]);
            }
            Tag::Item => self.html.push_str("<li>"),
            Tag::Table(columns) => {
                self.columns = columns;
                // Scrolls by itself on a narrow page, and by keyboard only if it takes the focus. No
                // region: those need a name each.
                self.html.push_str(
                    "<div class=\"cite-wide\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table>\n",
                );
            }
            Tag::TableHead => {
                (self.head, self.column) = (true, 0);
                self.html.push_str("<thead><tr>");
            }
            Tag::TableRow => {
                self.column = 0;
                self.html.push_str("<tr>");
            }
            Tag::TableCell => self.start_cell(),
            Tag::Emphasis => self.html.push_str("<em>"),
            Tag::Strong => self.html.push_str("<strong>"),
            // A picture would be fetched from wherever the answer says: a way out for what it knows.
            Tag::Image { dest_url, .. } => self.start_link(&dest_url, range, "!"),
            Tag::Link { dest_url, .. } => self.start_link(&dest_url, range, ""),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.html.push_str("</p>\n"),
            TagEnd::Heading(level) => self.html.extend(["</", &level.to_string(), ">\n"]),
            TagEnd::BlockQuote(_) => self.html.push_str("</blockquote>\n"),
            TagEnd::CodeBlock => {
                self.code = false;
                self.html.push_str("</code></pre>\n");
            }
            TagEnd::List(true) => self.html.push_str("</ol>\n"),
            TagEnd::List(false) => self.html.push_str("</ul>\n"),
            TagEnd::Item => self.html.push_str("</li>\n"),
            TagEnd::Table => self.html.push_str("</tbody></table></div>\n"),
            TagEnd::TableHead => {
                self.head = false;
                self.html.push_str("</tr></thead>\n<tbody>\n");
            }
            TagEnd::TableRow => self.html.push_str("</tr>\n"),
            TagEnd::TableCell => self.end_cell(),
            TagEnd::Emphasis => self.html.push_str("</em>"),
            TagEnd::Strong => self.html.push_str("</strong>"),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            _ => {}
        }
    }

    fn start_code(&mut self, kind: &CodeBlockKind<'_>) {
        self.code = true;
        self.html.push_str("<pre tabindex=\"0\"><code");
        if let CodeBlockKind::Fenced(info) = kind {
            let plain = |letter: &char| letter.is_ascii_alphanumeric() || "+-#._".contains(*letter);
            let language: String = info.chars().take_while(plain).collect();
            if !language.is_empty() {
                self.html.extend([" class=\"language-", &language, "\""]);
            }
        }
        self.html.push('>');
    }

    fn start_cell(&mut self) {
        let class = match self.columns.get(self.column) {
            Some(Alignment::Center) => " class=\"cite-center\"",
            Some(Alignment::Right) => " class=\"cite-right\"",
            _ => "",
        };
        self.column += 1;
        let start = self.html.len();
        self.html.extend([if self.head { "<th scope=\"col\"" } else { "<td" }, class, ">"]);
        self.cell = (start, self.html.len());
    }

    fn end_cell(&mut self) {
        let (start, words) = self.cell;
        if self.head && self.html.len() == words {
            // What says nothing heads no column.
            self.html.truncate(start);
            self.html.push_str("<td></td>");
        } else {
            self.html.push_str(if self.head { "</th>" } else { "</td>" });
        }
    }

    /// A link, unless it is a marker: `[1]` names source 1 also where the answer defines
    /// `[1]: https://…` further down. `mark` is what the link starts with before its bracket.
    fn start_link(&mut self, target: &str, range: Range<usize>, mark: &str) {
        let is_marker = self.marker_starts_at(range.start + mark.len());
        let may_link = !is_marker && self.linked.is_none();
        let url = link(Cow::Borrowed(target)).ok().filter(|_| may_link);
        let url = url.filter(|url| open_link(self.html, url, "")).map(Cow::into_owned);
        if url.is_some() {
            self.linked = Some(self.html.len());
        }
        self.links.push(url);
        if is_marker {
            self.prose(range.clone());
            self.done = self.done.max(range.end);
        }
    }

    fn end_link(&mut self) {
        let Some(url) = self.links.pop().flatten() else { return };
        let start = self.linked.take().unwrap_or_default();
        // Who cannot see a link cannot follow it.
        if self.html.get(start..).is_none_or(|words| words.trim().is_empty()) {
            push_escaped(self.html, &url);
        }
        self.html.push_str("</a>");
    }

    fn marker_starts_at(&self, at: usize) -> bool {
        let found = self.markers.binary_search_by_key(&at, |one| one.range.start).ok();
        found.and_then(|at| self.markers.get(at)).is_some_and(|one| !one.numbers.is_empty())
    }
}

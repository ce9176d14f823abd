//! The ranges of a text that no marker may cut: code, links, images, addresses.
//!
//! CommonMark says what is code and what is a link, also while a fence is still open.

use memchr::memmem;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// A range that must stay whole.
pub(super) struct Solid {
    pub(super) range: Range<usize>,
    /// A block of code, as against a piece of a line.
    pub(super) block: bool,
    /// A block whose fence is not closed.
    pub(super) open: bool,
}

/// Solid ranges in the order of the text, none inside another.
pub(super) fn solid_ranges(text: &str) -> Vec<Solid> {
    let mut ranges = parsed(text);
    ranges.extend(addresses(text));
    ranges.sort_by_key(|solid| (solid.range.start, std::cmp::Reverse(solid.range.end)));
    let mut end = 0;
    ranges.retain(|solid| {
        let apart = solid.range.start >= end;
        end = end.max(solid.range.end);
        apart
    });
    ranges
}

fn parsed(text: &str) -> Vec<Solid> {
    let mut ranges = Vec::new();
    let mut inside = 0_usize;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                if inside == 0 {
                    ranges.push(block(text, range, &kind));
                }
                inside += 1;
            }
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                if inside == 0 {
                    ranges.push(Solid { range, block: false, open: false });
                }
                inside += 1;
            }
            Event::Code(_) if inside == 0 => {
                ranges.push(Solid { range, block: false, open: false });
            }
            Event::End(TagEnd::CodeBlock | TagEnd::Link | TagEnd::Image) => inside -= 1,
            _ => {}
        }
    }
    ranges
}

fn block(text: &str, range: Range<usize>, kind: &CodeBlockKind<'_>) -> Solid {
    let code = text.get(range.clone()).unwrap_or_default();
    let end = range.start + code.trim_end().len();
    let indented = matches!(kind, CodeBlockKind::Indented);
    // What makes it code is the indentation of its first line.
    let line = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let start = if indented { line } else { range.start };
    Solid { range: start..end, block: true, open: !indented && is_open_fence(code) }
}

/// Whether a fence lacks its end: a line with nothing but at least as many of the same mark.
fn is_open_fence(code: &str) -> bool {
    let mut lines = code.trim_end().lines();
    let opening = lines.next().unwrap_or_default().trim_start();
    let mark = opening.chars().next().unwrap_or('`');
    let length = opening.chars().take_while(|character| *character == mark).count();
    let closes = |line: &str| {
        // Inside a quotation every line has its mark.
        let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
        line.chars().count() >= length && line.chars().all(|character| character == mark)
    };
    !lines.next_back().is_some_and(closes)
}

/// What must end `text` for a paragraph behind it to be one: the end of a fence, of a comment, of an element
/// whose content is no Markdown. Nothing where all is closed, or where nothing helps.
pub fn closing(text: &str) -> String {
    const ENDS: [&str; 8] =
        ["-->", "</pre>", "</script>", "</style>", "</textarea>", "?>", "]]>", ">"];
    if stands_apart(text, "") {
        return String::new();
    }
    let ends = ENDS.map(str::to_owned);
    let mut ends = open_fence(text).into_iter().chain(ends);
    ends.find(|end| stands_apart(text, end)).map(|end| format!("\n{end}")).unwrap_or_default()
}

/// Whether a paragraph behind `text` and `end` is one.
fn stands_apart(text: &str, end: &str) -> bool {
    let whole = format!("{text}\n{end}\n\nx");
    let mut last = [None, None, None];
    for event in Parser::new_ext(&whole, Options::ENABLE_TABLES) {
        last.rotate_left(1);
        let [.., newest] = &mut last;
        *newest = Some(event);
    }
    let is_word = |event: &Event<'_>| matches!(event, Event::Text(word) if word.as_ref() == "x");
    matches!(
        &last,
        [Some(Event::Start(Tag::Paragraph)), Some(word), Some(Event::End(TagEnd::Paragraph))]
            if is_word(word)
    )
}

/// What closes the fence that is still open at the end of `text`, where one is that no list or quotation
/// closes.
fn open_fence(text: &str) -> Option<String> {
    let mut depth = 0_usize;
    let mut last = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) if depth == 0 => {
                last = Some(range);
            }
            Event::Start(Tag::BlockQuote(_) | Tag::Item) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::Item) => depth -= 1,
            _ => {}
        }
    }
    let code = text.get(last?)?;
    let mark = code.chars().next()?;
    is_open_fence(code).then(|| code.chars().take_while(|next| *next == mark).collect())
}

/// Addresses without any markup, which many readers make clickable.
fn addresses(text: &str) -> impl Iterator<Item = Solid> {
    let mut end = 0;
    memmem::find_iter(text.as_bytes(), "://").filter_map(move |colon| {
        // One that stands inside of another is part of it, and is not looked at again.
        let before = text.get(..colon).filter(|_| colon >= end)?;
        let start = before.strip_suffix("https").or_else(|| before.strip_suffix("http"))?.len();
        let rest = text.get(start..)?;
        let ends = |character: char| {
            character.is_whitespace() || matches!(character, '<' | '>' | '"' | '`' | '(' | ')')
        };
        let url = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
        end = start + url.len();
        let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', ']', '*', '_']);
        Some(Solid { range: start..start + url.len(), block: false, open: false })
    })
}

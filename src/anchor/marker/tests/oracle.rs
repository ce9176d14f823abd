//! The reader of the markup against pulldown-cmark.

use super::formats::Three;
use crate::anchor::marker::{Options, format, parse};
use proptest::prelude::*;
use pulldown_cmark::{Event, LinkType, Options as Extensions, Parser, Tag, TagEnd};
use std::ops::Range;

/// What pulldown-cmark takes for code; and for links, tags and HTML.
fn protected(text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut code, mut other) = (Vec::new(), Vec::new());
    let mut open = Vec::new();
    for (event, range) in Parser::new_ext(text, Extensions::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => code.push(range),
            Event::Start(Tag::Link { link_type, .. } | Tag::Image { link_type, .. }) => {
                let inline =
                    matches!(link_type, LinkType::Inline | LinkType::Autolink | LinkType::Email);
                open.push(inline);
                if inline {
                    other.push(range);
                }
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                open.pop();
            }
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => {
                other.push(range);
            }
            _ => {}
        }
    }
    (code, other)
}

fn holds(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    ranges.iter().any(|one| one.start < range.end && range.start < one.end)
}

/// pulldown-cmark takes `>` behind a tab for a quotation; in CommonMark that is indented too far.
fn loses_columns(text: &str) -> bool {
    text.split('\t').skip(1).any(|rest| rest.trim_start_matches(' ').starts_with('>'))
}

/// pulldown-cmark does not take a fence with a tab behind it for the end of code; in CommonMark it is.
fn leaves_fences_open(text: &str) -> bool {
    let tab_behind = |mark: char, fence| {
        let behind =
            |rest: &str| rest.trim_start_matches(mark).trim_start_matches(' ').starts_with('\t');
        text.split(fence).skip(1).any(behind)
    };
    tab_behind('`', "```") || tab_behind('~', "~~~")
}

/// Pieces of markdown, chosen to meet each other.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "〔",
        "〔",
        "〔",
        "a",
        "b c",
        " ",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "`",
        "``",
        "```",
        "```\n",
        "~~~\n",
        "````\n",
        "    ",
        "\t",
        "  ",
        "> ",
        "- ",
        "* ",
        "1. ",
        "2) ",
        "10. ",
        "# ",
        "---\n",
        "===\n",
        "[",
        "]",
        "](u)",
        "![",
        "(",
        ")",
        "](u 't')",
        "\\",
        "\\`",
        "\"",
        "'",
        "- - ",
        "> > ",
        "   ",
        " -",
        "\n  ",
        "\n    ",
        "***\n",
        "<b>",
        "</b>",
        "<a href=\"",
        "\">",
        "<!--",
        "-->",
        "<div>\n",
        "</div>\n",
        "<https://a.b>",
        "<pre>",
        "</pre>",
        "<",
        ">",
        "rust\n",
        "[x]: u\n",
        "=\n",
        "-\n",
        "+ ",
        "#",
        "~~~~\n",
    ];
    prop::sample::select(pieces.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16 * ProptestConfig::default().cases, ..ProptestConfig::default() })]

    /// A marker that no rule of words concerns: it is found wherever CommonMark sees text, and never
    /// where it sees code or a link.
    #[test]
    fn agrees_with_commonmark(pieces in prop::collection::vec(piece(), 0..24)) {
        let text = pieces.concat().replace('〔', "【7】");
        if loses_columns(&text) || leaves_fences_open(&text) {
            return Ok(());
        }
        let (code, other) = protected(&text);
        let found: Vec<_> = parse(&text, None).into_iter().map(|marker| marker.range).collect();
        for range in &found {
            prop_assert!(!holds(&code, range), "in code: {:?} {:?}", text, range);
            prop_assert!(!holds(&other, range), "in a link: {:?} {:?}", text, range);
        }
        // It says nothing about what stands in a definition.
        if text.contains("]: u") {
            return Ok(());
        }
        for (at, marker) in text.match_indices("【7】") {
            let range = at..at + marker.len();
            if !holds(&code, &range) && !holds(&other, &range) {
                let before = text.get(..at).unwrap();
                let listed = before.trim_end_matches(['【', '7', '】', ' ']).ends_with('[');
                let excused = listed || before.ends_with(['\\', '`']);
                prop_assert!(excused || found.contains(&range), "missed: {:?} {:?}", text, range);
            }
        }
    }

    /// What CommonMark takes for code is the same, byte for byte, when markers are rewritten.
    #[test]
    fn code_is_not_touched(pieces in prop::collection::vec(piece(), 0..24)) {
        let text = pieces.concat().replace('〔', "【1】");
        if loses_columns(&text) || leaves_fences_open(&text) {
            return Ok(());
        }
        let made = format(&text, Three, Options::default()).text;
        let code = |text: &str| -> Vec<String> {
            let ranges = protected(text).0.into_iter();
            ranges.map(|range| text.get(range).unwrap().to_owned()).collect()
        };
        prop_assert_eq!(code(&made), code(&text), "{:?} -> {:?}", text, made);
    }
}

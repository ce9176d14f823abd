//! What holds for answers as models write them.

use crate::anchor::marker::{Dangling, Format, MarkerStream, Options, Sources, format, parse};
use proptest::prelude::*;
use std::borrow::Cow;

/// Four sources with addresses and ids.
struct Four;

impl Sources for Four {
    fn count(&self) -> Option<usize> {
        Some(4)
    }
    fn number(&self, id: &str) -> Option<usize> {
        let number = id.strip_prefix("turn0search")?.parse::<usize>().ok()? + 1;
        (number <= 4).then_some(number)
    }
    fn target(&self, number: usize) -> Option<Cow<'_, str>> {
        Some(format!("https://s{number}.example/").into())
    }
}

fn cite(ids: &str) -> String {
    format!("\u{e200}cite\u{e202}{ids}\u{e201}")
}

fn marker() -> impl Strategy<Value = String> {
    let number = || prop::sample::select(vec![1, 2, 3, 4, 7, 12]);
    let many = "turn0search3\u{e202}L8-L13\u{e202}turn0search1\u{e202}turn8search8";
    prop_oneof![
        number().prop_map(|one| format!("[{one}]")),
        (number(), number()).prop_map(|(one, two)| format!("[{one}, {two}]")),
        prop::sample::select(vec!["[1-3]", "[2–4]", "[[2]]", "[^3]", "［4］", "【5:1†source】"])
            .prop_map(str::to_owned),
        number().prop_map(|one| format!("【{one}†source】")),
        prop::sample::select(vec![0, 1, 9]).prop_map(|at| cite(&format!("turn0search{at}"))),
        Just(cite(many)),
    ]
}

fn one_of(list: &[&'static str]) -> impl Strategy<Value = &'static str> + use<> {
    prop::sample::select(list.to_vec())
}

/// Words with markers behind them; or code or a link, which stays.
fn piece() -> impl Strategy<Value = (String, Option<String>)> {
    let words = ["Paris", "naïve", "漢字", "😀", "is", "since 1887", "**bold**", "\"so\""];
    let markers = prop::collection::vec(marker(), 0..4);
    let cited =
        (one_of(&words), one_of(&["", " ", " "]), markers).prop_map(|(word, blank, list)| {
            let blank = if list.is_empty() { "" } else { blank };
            (format!("{word}{blank}{}", list.concat()), None)
        });
    let shapes =
        ["`〔`", "``a ` 〔``", "[see 〔](https://a.example/x)", "![〔](https://a.example/i)"];
    let others = ["`arr[0][1] = 2`", "[1](https://a.example/y)", "<https://a.example/?q=[1]>"];
    let solid = (one_of(&[&shapes[..], &others[..]].concat()), marker())
        .prop_map(|(shape, marker)| shape.replace('〔', &marker));
    prop_oneof![3 => cited, 1 => solid.prop_map(|text| (text.clone(), Some(text)))]
}

fn block() -> impl Strategy<Value = (String, Vec<String>)> {
    let pieces = prop::collection::vec((piece(), one_of(&[" ", ", ", "; ", ". "])), 1..7);
    let paragraph =
        (one_of(&["", "", "- ", "> ", "# ", "1. "]), pieces).prop_map(|(start, list)| {
            let text: String = list.iter().flat_map(|((text, _), end)| [text, *end]).collect();
            let solid = list.into_iter().filter_map(|((_, solid), _)| solid).collect();
            (format!("{start}{text}end."), solid)
        });
    let shapes = [
        "```js\nlet a = b[1] // 〔\n\n〔\n```",
        "~~~\n〔\n```\n~~~",
        "    code 〔 ,\n\n    〔 .",
        "> ```\n> 〔\n> ```",
        "- ```\n  〔\n  ```",
        "[1]: https://a.example/ \"T\"",
    ];
    let solid = (one_of(&shapes), marker()).prop_map(|(shape, marker)| {
        let text = shape.replace('〔', &marker);
        (text.clone(), vec![format!("\n{text}\n")])
    });
    prop_oneof![3 => paragraph, 1 => solid]
}

/// A text, and what must come back of it as it is.
fn answer() -> impl Strategy<Value = (String, Vec<String>)> {
    prop::collection::vec(block(), 1..6).prop_map(|blocks| {
        // A word between blocks, so that none belongs to the one before.
        let text = blocks.iter().flat_map(|(text, _)| [text, "\n\nAnd:\n\n"]).collect();
        (text, blocks.into_iter().flat_map(|(_, solid)| solid).collect())
    })
}

fn options() -> impl Strategy<Value = Options> {
    use Dangling::{Flag, Keep, Strip};
    use Format::{Brackets, InlineLinks, Remove, Superscript};
    let format = prop::sample::select(vec![Brackets, Superscript, InlineLinks, Remove]);
    let dangling = prop::sample::select(vec![Keep, Strip, Flag]);
    (format, dangling, any::<bool>()).prop_map(|(format, dangling, renumber)| Options {
        format,
        dangling,
        renumber,
    })
}

fn made(text: &str, options: Options) -> String {
    format(text, Four, options).text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4 * ProptestConfig::default().cases, ..ProptestConfig::default() })]

    #[test]
    fn twice_is_once((text, _) in answer(), options in options()) {
        let once = made(&text, options);
        prop_assert_eq!(made(&once, options), once, "from {:?}", text);
    }

    #[test]
    fn code_and_links_come_back((text, solid) in answer(), options in options()) {
        let out = format!("\n{}", made(&text, options));
        let mut rest = out.as_str();
        for one in solid {
            let at = rest.find(&one);
            prop_assert!(at.is_some(), "{:?} in {:?}", one, out);
            // The line end behind a block may be the one before the next.
            rest = rest.get(at.unwrap_or(0) + one.len() - 1..).unwrap_or_default();
        }
    }

    #[test]
    fn nothing_is_left_of_what_goes((text, _) in answer()) {
        let removed = made(&text, Options { format: Format::Remove, ..Options::default() });
        prop_assert_eq!(parse(&removed, Some(4)), []);
        let stripped = made(&text, Options { dangling: Dangling::Strip, ..Options::default() });
        let dangling = |number: &usize| *number > 4;
        let left = parse(&stripped, Some(4)).into_iter().filter(|one| one.numbers.iter().any(dangling));
        prop_assert_eq!(left.count(), 0, "{:?}", stripped);
    }

    #[test]
    fn pieces_give_what_the_whole_gives((text, _) in answer(), options in options()) {
        let mut stream = MarkerStream::new(Four, options);
        let pieces = text.split_inclusive(|_| true);
        let mut out: String = pieces.map(|piece| stream.push(piece).to_owned()).collect();
        out.push_str(stream.finish());
        prop_assert_eq!(out, made(&text, options));
    }
}

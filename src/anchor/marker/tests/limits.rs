//! What is held back and how long it takes, for long and hostile texts.

use super::formats::Three;
use super::properties::streamed;
use crate::anchor::marker::{MarkerStream, Options, format};
use std::time::{Duration, Instant};

/// Long constructs, cut at places that matter.
#[test]
fn pieces_of_long_texts() {
    for length in [4000, 4090, 4096, 4100, 8192, 9000] {
        for (start, end) in [("`", "`"), ("[", "](u)"), ("<a b=\"", "\">"), ("[a](", ")"), ("", "")]
        {
            for stop in ["", "\n\n"] {
                let text = format!("{start}[1] {}{stop}{end} [2, 3]", "x ".repeat(length / 2));
                let whole = format(&text, Three, Options::default()).text;
                for size in [1, 7, 1000, 4096] {
                    let pieces: Vec<_> = text.as_bytes().chunks(size).collect();
                    let pieces = pieces.iter().map(|piece| std::str::from_utf8(piece).unwrap());
                    assert_eq!(streamed(pieces, Options::default()), whole, "{start} {length}");
                }
            }
        }
    }
}

/// The end of the text, or of the paragraph, just where patience ends.
#[test]
fn pieces_around_the_limit() {
    let fill = |unit: &str, length: usize| unit.repeat(length / unit.len());
    for length in 4088..4098 {
        for (start, unit) in [
            ("`[1]", "x"),
            ("[[1] ", "x"),
            ("<a b='【1】", "x"),
            ("[1](", "x"),
            ("<!--【1】", "x"),
            ("【1】", "`"),
            ("", "-"),
            ("", "="),
            ("```", "x"),
            ("", " "),
            ("[1]: ", "x"),
            ("- ", " "),
            ("【1】 ", " "),
            ("a[1]", "*"),
            ("<b ", "x"),
            ("1", "1"),
            ("> ", "> "),
            ("\u{e200}cite\u{e202}", "x"),
            ("[[1] ", "é"),
            ("【1】`", "漢"),
            ("x\n", "="),
            ("<!-- ", "x"),
        ] {
            for end in [
                "",
                "\n[1, 2]",
                "\n\n[1, 2]",
                "` [1, 2]",
                "]\n[1, 2]",
                "](u) [1, 2]",
                "-->[1, 2]",
                "]é [1, 2]",
                "\\é [1, 2]",
                "【1】 [1, 2]",
            ] {
                let text = format!("{start}{}{end}", fill(unit, length));
                let whole = format(&text, Three, Options::default()).text;
                let cut = text.char_indices().nth(4086).map_or(0, |(at, _)| at);
                let (first, rest) = text.split_at(cut);
                let pieces = [first].into_iter().chain(rest.split_inclusive(|_| true));
                let made = streamed(pieces, Options::default());
                assert_eq!(made, whole, "{start} {unit} {length} {end:?}");
            }
        }
    }
}

/// What is held back is bounded.
#[test]
fn holds_back_little() {
    let mut stream = MarkerStream::new(Three, Options::default());
    assert_eq!(stream.push("Paris "), "Paris ");
    assert_eq!(stream.push("[1"), "");
    assert_eq!(stream.push("]"), "");
    assert_eq!(stream.push(" is"), "[1] is");
    assert_eq!(stream.push(" `code"), " `code");
    assert_eq!(stream.push(" [2] x"), " ");
    assert_eq!(stream.push("` y"), "[2] x` y");
    assert_eq!(stream.push(" ["), " ");
    assert_eq!(stream.push("a"), "[a");
    for start in
        ["[1, ", "【1†", "\u{e200}cite\u{e202}", "`[1] ", "[[1] ", "<a b='[1] ", "[1](", "- [1]: x"]
    {
        let mut stream = MarkerStream::new(Three, Options::default());
        let shown = stream.push(start).len() + stream.push(&"a".repeat(20_000)).len();
        assert!(shown + 8192 >= 20_000, "{start}: {shown}");
    }
}

/// Units held back at most, over pieces of one character.
fn most_held(text: &str) -> usize {
    let mut stream = MarkerStream::new(Three, Options::default());
    let (mut shown, mut most) = (0, 0);
    for (given, piece) in (1..).zip(text.split_inclusive(|_| true)) {
        shown += stream.push(piece).chars().count();
        most = most.max(given - shown);
    }
    most
}

/// What is open never holds text back twice.
#[test]
fn holds_back_no_more_than_a_window() {
    let words = "word ".repeat(800);
    let long = "word ".repeat(3000);
    let letters = "a".repeat(9000);
    for text in [
        format!("So [a [1] {words} ` {long}"),
        format!("So [a [1] {words} [2]({letters}"),
        format!("So [a [1] {words} <a b='{letters}"),
        format!("So [a [1] {words} [b {long}"),
        format!("So [a [1] {words}\n``` {letters}"),
        format!("So ` [1] {words}\n``` {letters}"),
        format!("So <a b=' [1] {words}\n``` {letters}"),
        format!("So [a [1] {words}\n{}", "-".repeat(9000)),
        format!("So [a [1] {words}\n{}", " ".repeat(9000)),
    ] {
        let most = most_held(&text);
        assert!(most <= 4160, "{most}: {:?}", text.get(..20));
        let whole = format(&text, Three, Options::default()).text;
        for size in [1, 7, 1000, 4096] {
            let pieces = text.as_bytes().chunks(size).map(|one| std::str::from_utf8(one).unwrap());
            assert_eq!(streamed(pieces, Options::default()), whole);
        }
    }
}

fn time(unit: &str, bytes: usize) -> Duration {
    let text = unit.repeat(bytes / unit.len());
    let start = Instant::now();
    let made = format(&text, Three, Options::default());
    assert!(!made.text.is_empty());
    start.elapsed()
}

/// Growth is linear; a busy machine gets another try.
#[test]
fn hostile_text_takes_linear_time() {
    let runs: String = (1..60).map(|length| "`".repeat(length) + "a").collect();
    let units = [
        "[",
        "]",
        "1",
        "\u{e200}",
        "`",
        "`a",
        "[1",
        "[[1",
        "[1]",
        "a[1]",
        "<",
        "<a ",
        "<!--",
        "<!-- ",
        "<a b='",
        "[a](",
        "[a](b '",
        "> ",
        "- ",
        "- \n",
        "\n\n",
        "\\",
        "\\``x",
        "![",
        "[a](b)",
        "【1",
        "¹",
        "²,",
        " ",
        "\t",
        "a",
        "```\n",
        "    \n",
        "(",
        "*",
        "\u{e200}cite\u{e202}aaaa",
        &runs,
        "[1] ",
        "x\r",
        "1. ",
        "#",
        "=",
        "|",
        "<b>",
        "[x]: ",
    ];
    for unit in units {
        let grows = (0..8).all(|_| {
            let (small, big) = (time(unit, 50_000), time(unit, 200_000));
            big > small * 8 + Duration::from_millis(5)
        });
        assert!(!grows, "{unit:?}");
    }
}

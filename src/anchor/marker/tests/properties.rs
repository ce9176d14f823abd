//! What holds for every text.

use super::formats::Three;
use crate::anchor::marker::{
    Dangling, Format, MarkerStream, Options, Replacement, format, rewrite,
};
use proptest::prelude::*;

fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "[1]",
        "[2, 3]",
        "[1-3]",
        "[[1]]",
        "[^1]",
        "【1】",
        "【1†source】",
        "【4:0†source】",
        "［1］",
        "[9]",
        "[0]",
        "[",
        "]",
        "(",
        ")",
        "](u)",
        "1",
        ",",
        ", ",
        "†",
        "【",
        "】",
        ":",
        "¹",
        "²",
        "x²",
        "\u{e200}",
        "\u{e202}",
        "\u{e201}",
        "\u{e200}cite\u{e202}turn0search2\u{e201}",
        "cite",
        "a",
        "arr",
        "Paris",
        "漢",
        "é",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r\n",
        "`",
        "``",
        "```\n",
        "~~~\n",
        "    ",
        "\t",
        "> ",
        "- ",
        "1. ",
        "# ",
        "===\n",
        "---\n",
        "\\",
        "!",
        ".",
        "=",
        "= ",
        "<b>",
        "<!--",
        "-->",
        "<",
        ">",
        "\"",
        "[1]: u\n",
        "[^1]: x\n",
        "*",
        "**",
        "_",
        "-",
        "–",
    ];
    prop::sample::select(pieces.to_vec()).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..20).prop_map(|pieces| pieces.concat())
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

pub(super) fn streamed<'t>(pieces: impl IntoIterator<Item = &'t str>, options: Options) -> String {
    let mut stream = MarkerStream::new(Three, options);
    let mut out: String = pieces.into_iter().map(|piece| stream.push(piece).to_owned()).collect();
    out.push_str(stream.finish());
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8 * ProptestConfig::default().cases, ..ProptestConfig::default() })]

    #[test]
    fn pieces_give_what_the_whole_gives(text in text(), options in options()) {
        let whole = format(&text, Three, options).text;
        for (at, _) in text.char_indices() {
            let (first, second) = text.split_at(at);
            prop_assert_eq!(&streamed([first, second], options), &whole, "{:?} at {}", text, at);
        }
        let characters = text.split_inclusive(|_| true);
        prop_assert_eq!(streamed(characters, options), whole);
    }

    #[test]
    fn twice_is_once(text in text(), options in options()) {
        // A line with nothing left but a tag is a block of HTML, one with nothing left but a mark may be
        // the line under a heading, and between a list and indented code a paragraph makes a difference.
        let text = if options.may_remove() { text.replace(['<', '-', '\t'], "") } else { text };
        let text = if options.may_remove() { text.replace("    ", " ") } else { text };
        // A marker that loses a blank makes a definition of `[x]: [1, 2]`.
        let text = text.replace("]:", "] :");
        // Links are no markers any more.
        let renumber = options.renumber && options.format != Format::InlineLinks;
        let options = Options { renumber, ..options };
        let once = format(&text, Three, options).text;
        prop_assert_eq!(format(&once, Three, options).text, once, "from {:?}", text);
    }

    /// Nothing is changed but markers.
    #[test]
    fn kept_markers_change_nothing(text in text()) {
        prop_assert_eq!(rewrite(&text, Some(3), |_, _| Replacement::Keep), text);
    }
}

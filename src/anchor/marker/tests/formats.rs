//! What each format makes of markers.

use crate::anchor::marker::{Dangling, Format, Options, Sources, format};
use std::borrow::Cow;

/// Three sources; the third has no address.
pub(super) struct Three;

impl Sources for Three {
    fn count(&self) -> Option<usize> {
        Some(3)
    }
    fn number(&self, id: &str) -> Option<usize> {
        matches!(id, "turn0search2" | "4:0").then_some(2)
    }
    fn target(&self, number: usize) -> Option<Cow<'_, str>> {
        (number < 3).then(|| format!("https://{number}.example").into())
    }
}

fn check(options: Options, cases: &[(&str, &str)]) {
    for (text, wanted) in cases {
        assert_eq!(format(text, Three, options).text, *wanted, "{text:?}");
    }
}

const BASE: Options =
    Options { format: Format::Brackets, dangling: Dangling::Keep, renumber: false };

#[test]
fn brackets() {
    check(
        BASE,
        &[
            ("A [1] b", "A [1] b"),
            ("A [1, 3] b", "A [1][3] b"),
            ("A [1-3] b", "A [1][2][3] b"),
            ("A [1, 1] b", "A [1] b"),
            ("A [[1]] b[^2].", "A [1] b[2]."),
            ("A【1†source】［2］ b.³", "A[1][2] b.[3]"),
            ("A 【4:0†x.pdf】 【9:9†x.pdf】", "A [2] 【9:9†x.pdf】"),
            ("A\u{e200}cite\u{e202}turn0search2\u{e201}.", "A[2]."),
            (
                "A\u{e200}cite\u{e202}turn0search2\u{e202}turn9\u{e202}L1\u{e201}.",
                "A[2]\u{e200}cite\u{e202}turn9\u{e202}L1\u{e201}.",
            ),
            ("A 【1】(b)", "A [1] (b)"),
            ("A [9] b", "A [9] b"),
            ("A hyphen【2】-so and b【1】.", "A hyphen [2]-so and b[1]."),
            ("[text]【1】 x", "[text] [1] x"),
            ("d【1】【2】x", "d [1][2]x"),
            ("d【1】)【2】x", "d [1]) [2]x"),
            ("Paris【1, 9】.", "Paris [1][9]."),
            ("A [b](u)[1]-x [b](u)【1】x", "A [b](u)[1]-x [b](u)[1]x"),
            ("| 5【2】<br>6 |", "| 5[2]<br>6 |"),
            ("`[1, 2]` [1, 2](u) x[1, 2] = 3", "`[1, 2]` [1, 2](u) x[1, 2] = 3"),
        ],
    );
}

#[test]
fn superscript() {
    check(
        Options { format: Format::Superscript, ..BASE },
        &[
            ("A [1].", "A ¹."),
            ("A.[1][2] b", "A.¹,² b"),
            ("A.[1, 3] b", "A.¹,³ b"),
            ("A.¹[2]", "A.¹,²"),
            ("in 1990[1].", "in 1990\u{202f}¹."),
            ("A [12].", "A ¹²."),
            ("A [2]¹.", "A ²,¹."),
            ("A [2][2].", "A ²,²."),
            ("A ²,².", "A ²,²."),
            ("A [2, 2].", "A ²."),
            ("It is[2].", "It is\u{202f}²."),
            ("A 【2】b x²[1]", "A ²\u{202f}b x²\u{202f}¹"),
            ("Paris【1, 9】 Paris[1]【9】", "Paris\u{202f}¹,⁹ Paris¹\u{202f}⁹"),
            ("A [b](u)[1]", "A [b](u)¹"),
            (
                "A [1]\u{e200}cite\u{e202}turn0search2\u{e202}turn9\u{e201}.",
                "A ¹,²\u{e200}cite\u{e202}turn9\u{e201}.",
            ),
        ],
    );
    check(
        Options { format: Format::Superscript, dangling: Dangling::Flag, ..BASE },
        &[
            ("A [1][2, 7].", "A ¹,²[7?]."),
            ("A [7][2].", "A [7?],²."),
            ("A [1, 7-8, 3].", "A ¹[7?][8?],³."),
            ("2015【1, 7】", "2015\u{202f}¹[7?]"),
        ],
    );
}

#[test]
fn inline_links() {
    check(
        Options { format: Format::InlineLinks, ..BASE },
        &[
            ("A [1] b", "A [1](https://1.example) b"),
            ("A [1, 3] b", "A [1](https://1.example)[3] b"),
            ("A【3】(b)", "A[3] (b)"),
            ("A [9] b", "A [9] b"),
            ("A [1](u) b", "A [1](u) b"),
        ],
    );
}

#[test]
fn remove() {
    check(
        Options { format: Format::Remove, ..BASE },
        &[
            ("A [1].", "A."),
            ("A[1].", "A."),
            ("A [1] b", "A b"),
            ("A [1], b", "A, b"),
            ("A [1][2] [3] b", "A b"),
            ("A [1]\nb", "A\nb"),
            ("A [1]", "A"),
            ("A [1] (b)", "A (b)"),
            ("(A [1])", "(A)"),
            ("A【1】b", "A b"),
            ("巴黎【1】是", "巴黎是"),
            ("[1] A", "A"),
            ("- [1] A", "- A"),
            ("  [1] A", "  A"),
            ("A\n[1]\nb", "A\nb"),
            ("A\n  [1]\nb", "A\nb"),
            ("A\r\n[1]\r\nb", "A\r\nb"),
            ("A\n[1]\n\nb", "A\n\nb"),
            ("[1] # A", "[1] # A"),
            ("[1] - A", "[1] - A"),
            ("[1] **A**", "**A**"),
            ("[1] `a`", "`a`"),
            ("[1] ```a", "[1] ```a"),
            ("[1] 2024 A", "2024 A"),
            ("[1] 2. A", "[1] 2. A"),
            ("A [9].", "A."),
            ("`a [1]` b [1]", "`a [1]` b"),
            ("A [1]\u{301}", "A \u{301}"),
            ("**Yes [1]** no.", "**Yes** no."),
            ("*Yes [1]*, _no [1]_", "*Yes*, _no_"),
            ("A [1]**b**", "A **b**"),
            ("A [1], [2], and [3].", "A, and."),
            ("A ([1]). B ([1], [2]) c.", "A. B c."),
            ("A （【1】）。", "A。"),
            ("(see [1], [2]) ([1]; see b)", "(see) (see b)"),
            ("\"A [1]\" 'b [2]'. “c [1]”", "\"A\" 'b'. “c”"),
            ("A\u{a0}[1].", "A."),
            ("[see A [1]] b", "[see A] b"),
            ("**[1]** A **[2]** b **[1] c**", "A b **c**"),
        ],
    );
}

/// Where a marker that goes would make something else of the text.
#[test]
fn remove_keeps_structure() {
    check(
        Options { format: Format::Remove, ..BASE },
        &[
            ("**[1]***", "**[1]***"),
            ("a\n\n[1]\n    b", "a\n\n[1]\n    b"),
            ("[1]\n    b", "[1]\n    b"),
            ("a\n\n[1]\n===", "a\n\n[1]\n==="),
            ("a\n\n[1]\n2. b", "a\n\n[1]\n2. b"),
            ("a\n\n[1]\n- b", "a\n\n- b"),
            ("- [1]\nb", "- [1]\nb"),
            ("- [1]\n- b", "- \n- b"),
            ("[x]【1】: y", "[x] : y"),
            ("[x] 【1】: y", "[x] : y"),
            ("【1】[x]: y", "【1】[x]: y"),
            ("x[a]【1】(b)", "x[a] (b)"),
            ("!【1】[a](b)", "! [a](b)"),
            ("a <【1】b> &【1】amp;", "a < b> & amp;"),
            ("1【1】. a", "1 . a"),
            ("-【1】-【1】-", "-【1】- -"),
        ],
    );
}

#[test]
fn dangling() {
    let with = |dangling| Options { dangling, ..BASE };
    check(
        with(Dangling::Strip),
        &[
            ("A [9].", "A."),
            ("A [1, 9] b", "A [1] b"),
            ("A 【9:9†x】 b", "A b"),
            ("A \u{e200}cite\u{e202}turn9\u{e201}.", "A."),
        ],
    );
    check(
        with(Dangling::Flag),
        &[("A [9].", "A [9?]."), ("A [1, 9] b", "A [1][9?] b"), ("A 【9:9†x】 b", "A [?] b")],
    );
    check(
        with(Dangling::Strip),
        &[
            ("A [9], [1].", "A [1]."),
            ("A [1], [9].", "A [1]."),
            ("A [1], [9], [2] b", "A [1], [2] b"),
            ("A [1], [9] b", "A [1], b"),
            ("A ([9], [1]) ([1], [9])", "A ([1]) ([1])"),
            ("A [1]【9】[2]", "A [1][2]"),
            ("【1】【9】: b", "[1] : b"),
        ],
    );
    check(
        Options { format: Format::Remove, ..with(Dangling::Flag) },
        &[("A [1] [9].", "A [9?]."), ("A [1, 9].", "A [9?].")],
    );
}

#[test]
fn numbers_by_first_citation() {
    let made = format("A [3] b [1] c [3, 9].", Three, Options { renumber: true, ..BASE });
    assert_eq!(made.text, "A [1] b [2] c [1][9].");
    assert_eq!(made.order, [3, 1]);
    let made = format(
        "A [7, 2], 【1】",
        Three,
        Options { renumber: true, dangling: Dangling::Flag, ..BASE },
    );
    assert_eq!(made.text, "A [7?][1], [2]");
}

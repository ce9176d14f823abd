//! Every dialect and every rule, one line each.

use crate::anchor::marker::{Dialect, parse};

/// What is found, each marker in guillemets.
fn shown(text: &str, known: Option<usize>) -> String {
    let mut out = text.to_owned();
    for marker in parse(text, known).into_iter().rev() {
        out.insert(marker.range.end, '»');
        out.insert(marker.range.start, '«');
    }
    out
}

/// Each case is the text with its markers in guillemets.
pub(super) fn check(known: Option<usize>, cases: &[&str]) {
    for case in cases {
        let text = case.replace(['«', '»'], "");
        assert_eq!(shown(&text, known), *case, "known: {known:?}");
    }
}

fn numbers(text: &str) -> Vec<Vec<usize>> {
    parse(text, None).into_iter().map(|marker| marker.numbers).collect()
}

#[test]
fn every_dialect() {
    check(
        None,
        &[
            "A «[1]» b.",
            "A «[2, 3]» b.",
            "A «[2,3]» b.",
            "A «[2; 3]» b.",
            "A «[2 , 3]» b.",
            "A «[1]»«[2]» b.",
            "A «[1-3]» b.",
            "A «[1–3]» b.",
            "A «[1-3, 7]» b.",
            "A «[[1]]» b.",
            "A «[[1, 2]]» b.",
            "A «[^1]» b.",
            "A «【1】» b.",
            "A «【1†source】» b.",
            "A «【1†L3-L5】» b.",
            "A «【4:0†report.pdf】» b.",
            "A «【10:13†source】»«【10:14†source】» b.",
            "A «［1］» b.",
            "A «［1，2］» b.",
            "A \u{ab}\u{e200}cite\u{e202}turn0search1\u{e201}\u{bb} b.",
            "A \u{ab}\u{e200}cite\u{e202}turn0search1\u{e202}turn0search2\u{e201}\u{bb} b.",
            "A \u{ab}\u{e200}filecite\u{e202}turn0file1\u{e202}L8-L13\u{e201}\u{bb} b.",
            "A.«¹» B.",
            "A.«¹²» B.",
            "A.«¹˒²» B.",
            "A.«¹,²», B.",
            "A.«¹⁻³» B.",
            "A.«¹», b.",
            "«[1]»",
            "«[1]» Title",
            "- «[1]» Title",
            "# Title «[1]»",
            "| a «[1]» | b«[2]» |\n|---|---|\n| c «[3]» | d |",
        ],
    );
}

#[test]
fn what_is_no_marker() {
    let cases = "[0]|[0, 1]|[1, 0]|[01]|[]|[ ]|[x]|[ 1]|[1 ]|[1,]|[1-]|[3-1]|[1-1]|[1-99]|[12345]|[2024]|\
        [1.5]|[+1]|[-1]|[a1]|[1a]|[^a]|[^]|[1, x]|[1-3-5]|[1\n]|[1|【】|【重要】|【1|【0】|【1†a\nb】|\
        【1:†a】|［］|［x］|［1]|\u{e200}|\u{e200}cite\u{e201}|\u{e200}entity\u{e202}a\u{e201}|\
        \u{e200}cite\u{e202}\u{e201}|\u{e200}cite\u{e202}a b\u{e201}|⁰|A.¹²³⁴⁵ b|A.¹⁻";
    let cases: Vec<_> = cases.split('|').collect();
    check(None, &cases);
    check(Some(5), &cases);
}

#[test]
fn lists_in_brackets() {
    check(
        None,
        &[
            "[[1], [2]]",
            "[[1], [2]; [3]]",
            "[1, [2], [3]]",
            "[【1】, 【2】]",
            "[[1] and «[2]»",
            "[see «[1]», «[2]»]",
        ],
    );
}

#[test]
fn flags_are_no_markers() {
    check(
        Some(3),
        &[
            "A [7?] b [?].",
            "A [7?]«[1]» b [?]«[2]».",
            "A [7?]«²» b",
            "Paris«[1]»[7?].",
            "arr[?][1] arr[7?][1]",
            "[7?](u)",
        ],
    );
}

#[test]
fn numbers_as_written() {
    assert_eq!(numbers("x [3, 1]"), [[3, 1]]);
    assert_eq!(numbers("x [1-3, 7]"), [[1, 2, 3, 7]]);
    assert_eq!(numbers("x [10–12]"), [[10, 11, 12]]);
    assert_eq!(numbers("x.¹² y.³⁻⁵ z.¹,²"), [vec![12], vec![3, 4, 5], vec![1, 2]]);
    assert_eq!(numbers("x [1-50]")[0].len(), 50);
    assert_eq!(numbers("x [1-51]").len(), 0);
    assert_eq!(numbers("x 【3†source】 ［4］ [^5]"), [[3], [4], [5]]);
}

#[test]
fn ids_and_lines() {
    let marker = |text: &str| parse(text, None).remove(0);
    let private =
        marker("x\u{e200}cite\u{e202}turn0search1\u{e202}L8-L13\u{e202}turn2news0\u{e201}");
    let ids: Vec<_> = private.ids.iter().map(|id| (id.id.as_str(), id.lines.as_deref())).collect();
    assert_eq!(ids, [("turn0search1", Some("L8-L13")), ("turn2news0", None)]);
    assert!(private.numbers.is_empty());
    assert_eq!(private.dialect, Dialect::PrivateUse);
    let assistants = marker("x【10:13†source】");
    assert_eq!(assistants.ids[0].id, "10:13");
    assert!(assistants.numbers.is_empty());
    let lines = marker("x【6†L9-L11】");
    assert_eq!((lines.numbers, lines.lines.as_deref()), (vec![6], Some("L9-L11")));
    assert_eq!(marker("x【6†source】").lines, None);
}

#[test]
fn behind_a_word() {
    check(
        Some(3),
        &[
            "in Paris«[1]».",
            "in Paris«[1]»",
            "in Paris«[1]», and",
            "in Paris«[1]»: it",
            "in Paris«[1]» and",
            "in Paris«[1]»\nand",
            "in Paris«[1]»«[2]».",
            "in Paris«[1, 2]».",
            "in Paris«[1]»—and",
            "in Paris«[1]»。",
            "(in Paris«[1]»)",
            "**Paris«[1]»** is",
            "\"Paris«[1]».\"",
            "Paris«[1]» - the city",
            "Paris«[1]» (the city)",
            "Paris«[1]» *the* city",
            "(1990)«[1]» and",
            "Paris«[1]».«[2]»",
            "Paris«[1]»«【2】»",
            "Paris«[^1]». Rome«[^9]».",
            "in Zürich«[1]» and 漢字«[1]»x",
            "x[4] and",
            "x[1][4] and",
            "arr[0][1] = 2",
            "arr[1][0] = 2",
            "arr[1][2] = 2",
            "a[1].x",
            "a[1] = 2",
            "a[1]=2",
            "a[1] += 2",
            "a[1] == b",
            "a[1] + b",
            "a[1] < b",
            "a[1] * b",
            "a[1] && b",
            "a[1] || b",
            "a[1](x)",
            "a[1]->x",
            "a[1]+1",
            "a[1]x",
            "a[1]**2",
            "a[1]::b",
            "a[1]?.b",
            "a[1]:b",
            "a[1][x]",
            "print(a[1])",
            "f()[1].x",
            "lst[[1]]$x",
            "Paris«[1]»<br>x",
            "Paris«[1]»<br/>",
            "a <i>Paris«[1]»</i>",
            "~~Paris«[1]»~~ Rome",
            "Paris«[1]»&nbsp;x and Rome«[2]»&#160;y",
            "a[1]<b",
            "a[1]<b>c",
            "a[1]&b;",
            "a[1]~b",
            "[text][1]",
            "arr[i][1]",
            "$x[1]->y",
        ],
    );
    check(None, &["in Paris«[7]».", "a[7].x", "a[7] = 1"]);
    check(Some(0), &["in Paris[1]. But «[1]»."]);
}

#[test]
fn numbers_of_sources() {
    check(None, &["«[999]» [1000] [2024]"]);
    check(Some(5), &["«[5]» «[6]» «[999]» [2024]"]);
    check(Some(3000), &["«[2024]» [3001] «[2999-3000]»"]);
}

#[test]
fn raised_numbers() {
    check(
        Some(20),
        &[
            "end.«¹» Next",
            "«¹» Note",
            "Paris«¹».",
            "\"so\"«²», he",
            "**bold**«³»",
            "巴黎«¹»是",
            "«[1]»«²»",
            "x² + y²",
            "m² and km² and cm³",
            "10³ and 5²",
            "E=mc²",
            "sin²x",
            "ten meter² or miles²",
            "(x+1)²",
            "10⁻³ s⁻¹",
            "Ca²⁺",
            "isotope ¹⁴C",
            "Paris⁹⁹",
            "x[1]²",
            "var_name²",
            "¹⁄₂ cup",
            "¹²³⁴⁵",
        ],
    );
}

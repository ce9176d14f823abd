//! Where there are no markers.

use super::cases::check;

#[test]
fn code_stays() {
    check(
        None,
        &[
            "`[1]` «[2]»",
            "``a ` [1]`` «[2]»",
            "a ` «[1]» b «[2]»",
            "`a\n[1]` «[2]»",
            "`a «[1]»\n\n«[2]»`",
            "```\n[1]\n```\n«[2]»",
            "~~~\n[1]\n```\n[1]\n~~~\n«[2]»",
            "````\n```\n[1]\n```\n[1]\n````\n«[2]»",
            "```\n[1] never closed",
            "~~~ info [1]\n[1]",
            "text\n```\n[1]\n```\ntext «[2]»",
            "    [1]\n\n«[2]»",
            "\t[1]\n\n«[2]»",
            "text\n    «[1]»",
            "- a\n\n      [1]\n\n  «[2]»",
            "- a\n\n  ```\n  [1]\n  ```\n  «[2]»",
            "- ```\n  [1]\n\n«[2]»",
            "> ```\n> [1]\n«[2]»",
            "> `a [1]\n> b` «[2]»",
            "1. a\n   ```\n   [1]\n   ```\n2. «[2]»",
            "```\r\n[1]\r\n```\r\n«[2]»",
            "\\` «[1]»`",
            "\\`«[1]»`",
            "# `a «[1]»\n«[2]» `",
            "a `b\n===\n«[1]» ` c",
            "<pre>\n[1]\n</pre>\n«[2]»",
            "<div>\n[1]\n\n«[2]»",
            "<!-- [1] --> x\n\n«[2]»",
            "a <b title=\"[1]\"> «[2]»",
            "a <! «[1]» <!x [1]> «[2]»",
            "a <! «[1]» <!x «[2]»",
            "\\[1] \\[1\\]",
        ],
    );
}

#[test]
fn links_stay() {
    check(
        None,
        &[
            "[1](https://a.example) «[2]»",
            "[1](<a b>) [1](a \"t\") [1]() «[2]»",
            "«[1]»(see below)",
            "[see [1] here](https://a.example) «[2]»",
            "[[1]](https://a.example) «[2]»",
            "![1](a.png) ![see [1]](a.png) «[2]»",
            "[a ![b](c [1] d](e) «[2]»",
            "[![[1]](x) [1]](y)",
            "<https://a.example/[1]> «[2]»",
            "Wow!«[1]»",
            "[open «[1]» and «[2]»",
            "[closed «[1]»] and «[2]»",
            "[a [b](c) «[1]»](d)",
            "[1]: https://a.example\n\n«[1]»",
            "A «[1]» b.\n\n[1]: https://a.example \"Title\"",
            "A «[1]» b.\n[1]: https://a.example",
            "[1]: Title of it, https://a.example «[2]»",
            "[^1]: Note «[2]»",
            "- [1]: Title",
            "1. 【1】: Title",
            "> 2) ［1］: Title",
            "1.«【1】»: Title",
            "# «[1]»: Title",
            "[1]: https://x.example(«[^1]»",
            "[word](https://a.example)«[1]» ![a](b)«[2]»x [1](u)«[3]».x",
            "【1】: Title",
            "A «[1]»: b",
        ],
    );
}

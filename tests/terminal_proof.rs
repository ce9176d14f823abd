//! A terminal shows text and links, whatever the payload: ten thousand hostile cases, and generated
//! ones, through every reader and renderer, judged by a parser of terminal output.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test either is an assertion"
)]

mod hostile;

use hostile::screen::{Allowed, Shown, show};
use hostile::{CASES, Case, FINGERPRINT, Generator, fingerprint};
use llxprt_code_citations::anchor::insert_markers;
use llxprt_code_citations::clean;
use llxprt_code_citations::ground::{self, Casing};
use llxprt_code_citations::input::json::{Json, JsonValue};
use llxprt_code_citations::input::tool::Tool;
use llxprt_code_citations::model::{Anchor, Payload, Source};
use llxprt_code_citations::render::{
    CoverageOptions, Links, Options, Terminator, block, copy, layout, link_target, number,
    sources_for_prompt, write_coverage,
};
use llxprt_code_citations::turn::{Signature, Turn, sign};
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag};
use serde_json::json;
use std::collections::BTreeSet;
use url::Url;

const WIDTHS: [Option<usize>; 3] = [None, Some(20), Some(80)];

/// Every form of a block.
fn forms() -> impl Iterator<Item = Options> {
    let links = [Links::Osc8, Links::Plain, Links::Markdown].into_iter();
    let ends = links.flat_map(|links| {
        [Terminator::Bel, Terminator::St].map(|terminator| Options {
            links,
            terminator,
            ..Options::default()
        })
    });
    ends.flat_map(|options| WIDTHS.map(|width| Options { width, ..options }))
}

/// Where links may lead: what the `url` crate makes of the addresses that were sent.
fn addresses<'u>(urls: impl IntoIterator<Item = &'u String>) -> BTreeSet<String> {
    urls.into_iter().filter_map(|url| Url::parse(url).ok()).map(String::from).collect()
}

fn is_web(target: &str) -> bool {
    (target.starts_with("https://") || target.starts_with("http://"))
        && target.bytes().all(|byte| byte.is_ascii_graphic())
}

fn assert_shown(shown: &Shown, known: Option<&BTreeSet<String>>, about: &str) {
    assert!(shown.wrong.is_empty(), "{:?}\n{about}", shown.wrong);
    for target in &shown.targets {
        assert!(is_web(target), "{target:?}\n{about}");
        assert!(known.is_none_or(|known| known.contains(target)), "{target:?}\n{about}");
    }
}

/// Renders in one form and judges it.
fn judge(sources: &[Source<'_>], options: Options, known: Option<&BTreeSet<String>>) {
    let listed = number(sources, &[]);
    let output = block(&listed, options);
    let bell = options.terminator == Terminator::Bel;
    let allowed = match options.links {
        Links::Osc8 => Allowed::Links { bell },
        _ => Allowed::Nothing,
    };
    let shown = show(&output, allowed);
    assert_shown(&shown, known, &format!("{options:?} {output:?}"));
    assert!(sources.is_empty() || shown.text.starts_with(" Sources:"));
    if options.links == Links::Markdown {
        for target in targets_in_markdown(&output) {
            assert!(is_web(&target), "{target:?} {output:?}");
            // Some characters are percent-encoded; the address must be the same one.
            let decoded = decoded(&target);
            let same =
                |known: &BTreeSet<String>| known.iter().any(|url| self::decoded(url) == decoded);
            assert!(known.is_none_or(same), "{target:?} {output:?}");
        }
    }
}

/// Without percent-encoding.
fn decoded(url: &str) -> Vec<u8> {
    let mut rest = url.as_bytes();
    let mut all = Vec::new();
    while let [first, behind @ ..] = rest {
        let hex =
            behind.get(..2).filter(|_| *first == b'%').and_then(|hex| str::from_utf8(hex).ok());
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            all.push(byte);
            rest = &behind[2..];
        } else {
            all.push(*first);
            rest = behind;
        }
    }
    all
}

fn targets_in_markdown(text: &str) -> Vec<String> {
    let link = |event: Event<'_>| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    };
    Parser::new(text).filter_map(link).collect()
}

/// The sources of a case as somebody hands them over, cleaned.
fn given(case: &Case) -> Vec<Source<'_>> {
    let source = |index: usize| Source {
        title: Some(case.titles[index].as_str().into()),
        url: Some(case.urls[index].as_str().into()),
        cited_text: Some(case.excerpt.as_str().into()),
        domain: Some(case.titles[1 - index].as_str().into()),
        provider: Some(case.excerpt.clone().into()),
        ..Source::default()
    };
    let document = Source { url: None, file_id: Some(case.urls[0].as_str().into()), ..source(1) };
    let mut sources = vec![source(0), source(1), document];
    sources.iter_mut().for_each(clean::source);
    sources
}

/// The case as each provider would send it; the raw JSON text stands in a title.
fn responses(case: &Case) -> [String; 4] {
    let [title, second] = &case.titles;
    let [url, other] = &case.urls;
    let (answer, excerpt) = (&case.answer, &case.excerpt);
    let end = answer.len();
    let gemini = json!({ "candidates": [{
        "content": { "parts": [{ "text": answer }] },
        "groundingMetadata": {
            "webSearchQueries": [second],
            "groundingChunks": [
                { "web": { "uri": url, "title": title } },
                { "web": { "uri": other, "title": "@@@" } },
            ],
            "groundingSupports": [
                { "segment": { "endIndex": end, "text": answer }, "groundingChunkIndices": [0, 1, 7] },
                { "segment": { "endIndex": 3, "text": excerpt }, "groundingChunkIndices": [1] },
            ],
        },
    }] });
    let openai = json!({ "output": [{ "type": "message", "content": [{
        "type": "output_text",
        "text": answer,
        "annotations": [
            { "type": "url_citation", "url": url, "title": title, "start_index": 0, "end_index": 4 },
            { "type": "url_citation", "url": other, "title": "@@@", "start_index": 2, "end_index": 9 },
            { "type": "file_citation", "file_id": url, "filename": second, "index": 1 },
        ],
    }] }] });
    let anthropic = json!({ "type": "message", "role": "assistant", "content": [{
        "type": "text",
        "text": answer,
        "citations": [
            { "type": "web_search_result_location", "url": url, "title": title, "cited_text": excerpt },
            { "type": "char_location", "document_index": 0, "document_title": "@@@",
              "cited_text": excerpt, "start_char_index": 0, "end_char_index": 5 },
            { "type": "search_result_location", "source": other, "title": second,
              "cited_text": excerpt, "search_result_index": 0, "start_block_index": 0, "end_block_index": 1 },
        ],
    }] });
    let chat = json!({ "object": "chat.completion", "choices": [{ "message": {
        "role": "assistant",
        "content": answer,
        "annotations": [{ "type": "url_citation", "url_citation": { "url": url, "title": title } }],
    } }], "search_results": [{ "title": "@@@", "url": other }], "citations": [url, other] });
    [gemini, openai, anthropic, chat].map(|one| one.to_string().replace("@@@", &case.json_text))
}

fn heard(response: &str) -> Payload {
    let mut turn = Turn::new(true);
    turn.push_bytes(response.as_bytes());
    turn.payload()
}

/// What a tool found.
fn found(case: &Case) -> Vec<Source<'static>> {
    let [title, second] = &case.titles;
    let [url, other] = &case.urls;
    let text = format!(
        "Title: {title}\nURL: {url}\nHighlights:\n{}\n\n---\n\nTitle: {second}\nURL: {other}\n",
        case.excerpt
    );
    let results = json!({ "results": [{ "title": title, "url": url, "snippet": case.excerpt }] });
    let results = results.to_string();
    let json = Json::whole(&results);
    let read = |name: &str| Tool::named(name).unwrap();
    let mut sources = read("exa_web_search").read_text(None::<JsonValue<'_>>, &text);
    sources.extend(json.root().into_iter().flat_map(|root| read("mcp__a__b").read(None, root)));
    let by = Signature { tool: title, request: second, accessed: Some(&case.excerpt) };
    sign(sources, by).into_iter().map(Source::into_owned).collect()
}

/// All that is text and nothing else: prompts, copies, reports.
fn judge_texts(sources: &[Source<'_>]) {
    let listed = number(sources, &[]);
    for (text, rows) in [
        (sources_for_prompt(&listed), sources.len()),
        (copy("Answer.", &listed), sources.len() + 3),
    ] {
        assert_shown(&show(&text, Allowed::Nothing), None, &text);
        assert!(sources.is_empty() || text.lines().count() == rows, "{text:?}");
    }
    for segment in layout(&listed, Options { width: Some(40), ..Options::default() }).concat() {
        assert_shown(&show(&segment.text, Allowed::Nothing), None, &segment.text);
        assert!(!segment.text.contains('\n') && segment.url.is_none_or(|url| is_web(&url)));
    }
}

/// The picture of what an answer rests on, and the words of diagnostics and reports.
fn judge_payload(payload: &Payload) {
    for (width, color) in [(20, true), (80, true), (80, false)] {
        let picture = write_coverage(payload, CoverageOptions { width, color });
        let allowed = if color { Allowed::Styles } else { Allowed::Nothing };
        assert_shown(&show(&picture, allowed), None, &picture);
    }
    for diagnostic in &payload.diagnostics {
        assert_shown(&show(&diagnostic.detail, Allowed::Nothing), None, &diagnostic.detail);
    }
    let anchored = ground::anchored(payload, None, None);
    let report = ground::write(&anchored, Casing::Camel);
    let json = Json::whole(&report);
    let line = ground::audit_line(&ground::read_facts(json.root().unwrap()));
    assert_shown(&show(&line, Allowed::Nothing), None, &line);
    assert!(!line.contains('\n'));
}

#[test]
fn the_cases_are_those_of_javascript() {
    assert_eq!(fingerprint(&Generator::new()), FINGERPRINT);
}

#[test]
fn the_screen_would_notice() {
    for noise in [
        "\u{1b}[31m",
        "\u{9b}31m",
        "\u{1b}]0;t\u{7}",
        "\u{1b}]8;;https://a.example/\u{7}x",
        "\u{1b}]8;;\u{7}",
        "\u{1b}]8;id=1;https://a.example/\u{7}x\u{1b}]8;;\u{7}",
        "\u{1b}]8;;https://a.example/\u{1b}\\x\u{1b}]8;;\u{1b}\\",
        "\u{1b}]8;;https://a.example/\u{7}x\n\u{1b}]8;;\u{7}",
        "\u{1b}P$qm\u{1b}\\",
        "\u{1b}_G\u{1b}\\",
        "\u{1b}",
        "\u{1b}]8;;https://a.example/",
        "\u{7}",
        "\r",
        "\u{202e}",
        "\u{200b}",
        "\u{e0041}",
        "\u{1b}[4m",
    ] {
        assert!(!show(noise, Allowed::Links { bell: true }).wrong.is_empty(), "{noise:?}");
    }
    for noise in ["\u{1b}[4mx", "\u{1b}[31mx\u{1b}[0m", "\u{1b}[4mx\u{1b}[22m", "\u{1b}[4;5mx"] {
        assert!(!show(noise, Allowed::Styles).wrong.is_empty(), "{noise:?}");
    }
    let fine = "\u{1b}]8;;https://a.example/;a\u{1b}\\x\u{1b}]8;;\u{1b}\\\n漢";
    let shown = show(fine, Allowed::Links { bell: false });
    assert_eq!((shown.wrong.len(), shown.text.as_str()), (0, "x\n漢"));
    assert_eq!(shown.targets, ["https://a.example/;a"]);
}

#[test]
fn sources_in_every_form() {
    let generator = Generator::new();
    let forms: Vec<_> = forms().collect();
    for number in 0..CASES {
        let case = generator.case(number);
        let known = addresses(&case.urls);
        let sources = given(&case);
        // Every third form: each has its turn with every piece.
        for options in forms.iter().skip(number as usize % 3).step_by(3) {
            judge(&sources, *options, Some(&known));
        }
        judge_texts(&sources);
    }
}

#[test]
fn responses_through_every_reader() {
    let generator = Generator::new();
    let mut forms = forms().collect::<Vec<_>>().into_iter().cycle();
    for number in 0..CASES / 2 {
        let case = generator.case(number);
        let known = addresses(&case.urls);
        for response in responses(&case) {
            let payload = heard(&response);
            judge(&payload.sources, forms.next().unwrap(), Some(&known));
            if number.is_multiple_of(16) {
                judge_payload(&payload);
            }
        }
    }
}

#[test]
fn what_tools_find() {
    let generator = Generator::new();
    let mut forms = forms().collect::<Vec<_>>().into_iter().cycle();
    for number in 0..CASES {
        let sources = found(&generator.case(number));
        judge(&sources, forms.next().unwrap(), None);
        judge_texts(&sources);
    }
}

/// `&lt;` in an address would be read as a character, and a parenthesis in a host would end the link.
#[test]
fn markdown_links_lead_where_the_address_does() {
    for (url, target) in [
        ("https://a.example/?x=1&lt;y", "https://a.example/?x=1&lt%3By"),
        ("https://a.example/&#27;", "https://a.example/&#27%3B"),
        ("https://a.example/&#x1b;a;b", "https://a.example/&#x1b%3Ba;b"),
        ("https://a.example/?a=1&b=2;c", "https://a.example/?a=1&b=2;c"),
        ("https://a)b.example/", "https://a%29b.example/"),
        ("http://[::1]:80/[x]", "http://[::1]:80/%5Bx%5D"),
    ] {
        assert_eq!(link_target(url), target);
        let text = format!("[x]({target})");
        assert_eq!(targets_in_markdown(&text), [target], "{text}");
        let same = |url: &str| Url::parse(url).unwrap().host_str().map(str::to_owned);
        assert_eq!(same(target), same(url));
    }
}

/// Markers add nothing but themselves.
#[test]
fn markers_are_no_controls() {
    let generator = Generator::new();
    for number in 0..CASES / 10 {
        let case = generator.case(number);
        let answer = clean::text::clean(&case.answer);
        let end = answer.encode_utf16().count();
        let anchor = |start, end| Anchor {
            start,
            end,
            text: String::new(),
            sources: vec![1],
            listed: Vec::new(),
            confidence: None,
        };
        let marked = insert_markers(&answer, &[anchor(0, end / 2), anchor(end / 3, end)], "");
        assert_shown(&show(&marked, Allowed::Nothing), None, &marked);
    }
}

proptest! {
    /// Any text at all in any field.
    #[test]
    fn any_text(
        title in ".{0,40}[\u{0}-\u{a0}\u{200b}-\u{206f}\u{e0000}-\u{e0080}]{0,8}\\PC{0,8}",
        url in "(https?:/{0,3})?[\u{0}-\u{ff}]{0,30}",
        answer in "[ -~\u{0}-\u{1f}\u{7f}-\u{9f}é漢😀\u{202e}\u{301}]{0,80}",
        form in 0..18_usize,
        spans in proptest::collection::vec((0..90_usize, 0..90_usize, 1..3_usize), 0..6),
    ) {
        let mut source = Source {
            title: Some(title.as_str().into()),
            url: Some(url.as_str().into()),
            cited_text: Some(answer.as_str().into()),
            ..Source::default()
        };
        clean::source(&mut source);
        let known = addresses([&url]);
        judge(&[source], forms().nth(form).unwrap(), Some(&known));
        let end = answer.encode_utf16().count();
        let mut anchors: Vec<_> = spans.into_iter().map(|(from, to, number)| Anchor {
            start: from.min(to).min(end),
            end: from.max(to).min(end),
            text: String::new(),
            sources: vec![number],
            listed: Vec::new(),
            confidence: None,
        }).collect();
        anchors.sort_by_key(|anchor| (anchor.start, anchor.end));
        judge_payload(&Payload { answer, anchors, ..Payload::default() });
    }
}

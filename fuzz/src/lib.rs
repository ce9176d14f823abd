//! What must hold for any bytes whatever. Each function is one fuzz target; it panics where a promise
//! breaks.

#[path = "../../tests/hostile/screen.rs"]
mod screen;

use llxprt_code_citations::anchor::{insert_markers, marker};
use llxprt_code_citations::clean::url::{host, link, page_key};
use llxprt_code_citations::input::Shape;
use llxprt_code_citations::input::json::{Json, JsonValue};
use llxprt_code_citations::input::stream::Splitter;
use llxprt_code_citations::input::tool::{SCAN, TOOLS};
use llxprt_code_citations::model::{Anchor, Payload, Source};
use llxprt_code_citations::render::{
    self, CoverageOptions, Links, Options, Style, Terminator, number,
};
use llxprt_code_citations::turn::{Signature, Turn, sign};
use screen::{Allowed, show};
use std::borrow::Cow;
use url::Url;

/// A response of one provider, read by its own reader.
pub fn read(shape: Shape, data: &[u8]) {
    let payload = heard_as(shape, data);
    check(&payload);
    // What any other reader of JSON makes of it must give the same. That one stops at its own limits.
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(data) else { return };
    let again = heard_as(shape, value.to_string().as_bytes());
    assert_eq!(payload, again);
}

fn heard_as(shape: Shape, data: &[u8]) -> Payload {
    let json = Json::from_bytes(data);
    let mut turn = Turn::new(true);
    if let Some(root) = json.root() {
        turn.push_shape(root, shape);
    }
    turn.payload()
}

/// Bytes of a body, whole.
fn heard(data: &[u8]) -> Payload {
    let mut turn = Turn::new(true);
    turn.push_bytes(data);
    turn.payload()
}

fn is_clean(text: &str) -> bool {
    show(text, Allowed::Nothing).wrong.is_empty()
}

fn check(payload: &Payload) {
    payload.sources.iter().for_each(check_source);
    let units: Vec<u16> = payload.answer.encode_utf16().collect();
    let known = 1..=payload.sources.len();
    for anchor in &payload.anchors {
        let words =
            units.get(anchor.start..anchor.end).and_then(|units| String::from_utf16(units).ok());
        assert_eq!(words.as_ref(), Some(&anchor.text), "a span does not hold its words");
        assert!(anchor.sources.iter().all(|number| known.contains(number)));
    }
    assert!(payload.cited.iter().all(|number| known.contains(number)));
    assert!(payload.cited.is_sorted());
    assert!(payload.diagnostics.iter().all(|one| is_clean(&one.detail)));
}

fn check_source(source: &Source<'_>) {
    for text in [&source.title, &source.uri, &source.cited_text, &source.domain, &source.file_id] {
        assert!(text.as_deref().is_none_or(is_clean), "{source:?}");
    }
    assert!(source.url.as_deref().is_none_or(is_web), "{source:?}");
}

fn is_web(url: &str) -> bool {
    let web = url.starts_with("https://") || url.starts_with("http://");
    web && url.bytes().all(|byte| byte.is_ascii_graphic())
}

/// What a tool returned, read by every reader of tools.
pub fn tools(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let json = Json::whole(&text);
    for tool in TOOLS.iter().chain([&SCAN]) {
        let mut found = tool.read_text(None::<JsonValue<'_>>, &text);
        found.extend(json.root().into_iter().flat_map(|root| tool.read(Some(root), root)));
        let by = Signature { tool: tool.name, request: "call", accessed: None };
        sign(found, by).iter().for_each(check_source);
    }
}

/// However a body is cut, it is the same body.
pub fn stream(data: &[u8]) {
    let Some((&seed, body)) = data.split_first() else { return };
    let whole = documents(std::iter::once(body));
    assert_eq!(documents(body.chunks(usize::from(seed % 31) + 1)), whole);
    assert_eq!(documents(uneven(body, seed).into_iter()), whole);
    let mut turn = Turn::new(true);
    uneven(body, seed).into_iter().for_each(|piece| turn.push_bytes(piece));
    let payload = turn.payload();
    assert_eq!(payload, heard(body));
    check(&payload);
}

fn documents<'d>(pieces: impl Iterator<Item = &'d [u8]>) -> (Vec<Vec<u8>>, Option<Vec<u8>>) {
    let mut splitter = Splitter::default();
    let mut found = Vec::new();
    pieces.for_each(|piece| splitter.push(piece, &mut |document: &[u8]| found.push(document.to_vec())));
    assert!(splitter.is_sound());
    (found, splitter.unfinished())
}

/// Pieces of lengths that only chance would choose.
fn uneven(body: &[u8], seed: u8) -> Vec<&[u8]> {
    let (mut rest, mut pieces, mut state) = (body, Vec::new(), u32::from(seed) | 1);
    while !rest.is_empty() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (piece, behind) = rest.split_at((state >> 28) as usize % (rest.len() + 1));
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// A turn that was stored goes on as if it had not been.
pub fn stored(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(turn) = Turn::restore(&text, true, false) {
        check(&turn.payload());
    }
    let mut turn = Turn::new(true);
    turn.push_bytes(data);
    let again = Turn::restore(&turn.serialize(), true, false);
    assert_eq!(again.map(|turn| turn.payload()), Ok(turn.payload()));
}

/// Addresses, as the `url` crate sees them.
pub fn urls(data: &[u8]) {
    let raw = String::from_utf8_lossy(data);
    let Ok(url) = link(Cow::Borrowed(&*raw)) else { return };
    assert!(is_web(&url));
    let parsed = Url::parse(raw.trim_matches(|blank: char| blank.is_ascii_whitespace())).map(|parsed| parsed.to_string());
    assert_eq!(parsed.as_deref(), Ok(&*url));
    assert_eq!(link(url.clone()), Ok(url.clone()));
    assert!(host(&url).is_some());
    let key = page_key(&url).into_owned();
    assert_eq!(page_key(&key), key);
}

const FORMATS: [marker::Format; 5] = [
    marker::Format::Brackets,
    marker::Format::Superscript,
    marker::Format::Footnotes,
    marker::Format::InlineLinks,
    marker::Format::Remove,
];

/// Nine sources with addresses.
struct Nine;

impl marker::Sources for Nine {
    fn count(&self) -> Option<usize> {
        Some(9)
    }
    fn number(&self, id: &str) -> Option<usize> {
        id.strip_prefix("turn0search").and_then(|number| number.parse().ok()).filter(|n| *n < 10)
    }
    fn target(&self, number: usize) -> Option<Cow<'_, str>> {
        Some(format!("https://a.example/{number}").into())
    }
}

/// Markers lie in their text, in order and apart.
pub fn markers(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut end = 0;
    for found in marker::parse(&text, Some(9)) {
        assert!(found.range.start >= end && !found.range.is_empty());
        assert!(text.get(found.range.clone()).is_some());
        end = found.range.end;
    }
    for format in FORMATS {
        let options = marker::Options { format, ..marker::Options::default() };
        marker::format(&text, Nine, options);
    }
}

/// However an answer is cut, it is the same answer.
pub fn marker_stream(data: &[u8]) {
    let Some((&seed, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let format = FORMATS[usize::from(seed) % FORMATS.len()];
    let renumber = seed & 0x80 != 0;
    let options = marker::Options { format, renumber, ..marker::Options::default() };
    let mut stream = marker::MarkerStream::new(Nine, options);
    let mut pieces = String::new();
    let characters: Vec<_> = text.chars().collect();
    let length = usize::from(seed % 7) + 1;
    for piece in characters.chunks(length) {
        pieces.push_str(stream.push(&piece.iter().collect::<String>()));
    }
    pieces.push_str(stream.finish());
    assert_eq!(pieces, marker::format(&text, Nine, options).text);
}

/// Markers go into a text and change nothing else.
pub fn offsets(data: &[u8]) {
    let Some((spans, text)) = data.split_at_checked(8) else { return };
    let text = String::from_utf8_lossy(text);
    let anchors: Vec<_> = spans
        .chunks(2)
        .map(|pair| {
            let (from, to) = (usize::from(pair[0]), usize::from(pair[1]));
            anchor(from.min(to), from.max(to), from % 4)
        })
        .collect();
    let marked = insert_markers(&text, &anchors, "");
    assert!(marked.len() >= text.len());
    let mut left = text.chars().peekable();
    for character in marked.chars() {
        left.next_if_eq(&character);
    }
    assert_eq!(left.next(), None, "a character is gone");
    assert_eq!(insert_markers(&text, &[], ""), text);
}

fn anchor(start: usize, end: usize, number: usize) -> Anchor {
    let (text, listed) = (String::new(), Vec::new());
    Anchor { start, end, text, sources: vec![number], listed, confidence: None }
}

/// The block of sources in every form, on a screen that obeys nothing else.
pub fn block(data: &[u8]) {
    let payload = heard(data);
    let listed = number(&payload.sources, &payload.cited);
    for links in [Links::Osc8, Links::Plain, Links::Markdown] {
        for (terminator, width) in [(Terminator::Bel, None), (Terminator::St, Some(30))] {
            let options = Options { links, terminator, width, ..Options::default() };
            let bell = terminator == Terminator::Bel;
            let linked = links == Links::Osc8;
            let allowed = if linked { Allowed::Links { bell } } else { Allowed::Nothing };
            let shown = show(&render::block(&listed, options), allowed);
            assert_eq!(shown.wrong, Vec::<String>::new());
            assert!(shown.targets.iter().all(|target| is_web(target)));
        }
    }
    assert!(is_clean(&render::sources_for_prompt(&listed).replace('\n', "")));
}

fn leaning(payload: &Payload) -> render::Leaning<'_> {
    let Payload { sources, anchors, cited, .. } = payload;
    render::Leaning { sources, anchors, cited, inline: true }
}

/// A page of nothing but our own elements.
pub fn page(data: &[u8]) {
    let payload = heard(data);
    let html = render::page::page(
        &payload.answer,
        leaning(&payload),
        &render::page::PageOptions::default(),
    );
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag without an end");
        let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
        assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{tag}");
        assert!(!["script", "style", "img", "iframe", "object", "svg", "link"].contains(&name));
        // Between attributes there are no quotation marks but their own.
        for (index, part) in tag.split('"').enumerate() {
            let named = |name: &str| part.trim_start().starts_with(name);
            assert!(index % 2 == 1 || !(named("on") || named("style") || named("src")), "{tag}");
        }
        if let Some((_, target)) = tag.split_once("href=\"") {
            assert!(target.starts_with('#') || target.starts_with("http"), "{tag}");
        }
    }
}

/// An answer as Markdown, in every style.
pub fn answer(data: &[u8]) {
    let payload = heard(data);
    for style in [Style::Footnotes, Style::Links, Style::List] {
        render::answer(&payload.answer, leaning(&payload), style, true);
    }
}

/// The picture of what an answer rests on.
pub fn coverage(data: &[u8]) {
    let payload = heard(data);
    for (width, color) in [(20, true), (80, false)] {
        let options = CoverageOptions { width, color };
        let allowed = if color { Allowed::Styles } else { Allowed::Nothing };
        assert_eq!(
            show(&render::write_coverage(&payload, options), allowed).wrong,
            Vec::<String>::new()
        );
        render::coverage_svg(&payload, options);
    }
}

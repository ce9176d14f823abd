//! Pages that a tool fetched: the address is the caller's, the name is on the page.

use super::Args;
use super::findings::{Findings, is_web, own_snippet};
use super::listed;
use super::scan::addresses;
use crate::model::Finding;

/// Where on a page its name is looked for.
const HEAD_BYTES: usize = 1 << 16;

/// A page as text, Markdown or HTML, or what a model says about pages, with its list of them. Only the
/// latter lists sources: a page that does so would name its own.
pub(super) fn read(text: &str, args: &Args, found: &mut Findings<'_>) {
    if let Some(url) = &args.url {
        return found.page(url, title(text).as_deref(), Finding::default());
    }
    if let Some((url, page)) = content_from(text) {
        return found.page(url, title(page).as_deref(), Finding::default());
    }
    if listed::read_text(text, found) {
        return;
    }
    let asked: Vec<_> = addresses(args.prompt.as_deref().unwrap_or_default()).collect();
    let name = if asked.len() == 1 { title(text) } else { None };
    for url in asked {
        found.page(url, name.as_deref(), Finding::default());
    }
}

/// A scraped page, or the answer of a web service, that came as bare text.
pub(super) fn read_page(text: &str, args: &Args, found: &mut Findings<'_>) {
    if let Some(url) = &args.url {
        let finding = Finding { snippet: own_snippet(text), ..Finding::default() };
        found.page(url, title(text).as_deref(), finding);
    }
}

/// `Content from {url}:` and the page, as LLxprt writes for pages it reads without a model.
fn content_from(text: &str) -> Option<(&str, &str)> {
    let notice = text.starts_with("Private/local URLs cannot be processed");
    let (_, rest) =
        text.split_once("Content from ").filter(|(before, _)| notice || before.is_empty())?;
    let (line, page) = rest.split_once('\n')?;
    let url = line.trim_end().strip_suffix(':')?;
    is_web(url).then_some((url, page))
}

/// The name a page gives itself: its `<title>`, or its first heading.
pub(super) fn title(text: &str) -> Option<String> {
    let head = text.get(..crate::model::span::floor(text, HEAD_BYTES)).unwrap_or_default();
    html_title(head).or_else(|| heading(head)).filter(|title| !title.is_empty())
}

fn html_title(head: &str) -> Option<String> {
    let lower = head.to_ascii_lowercase();
    // Markdown may speak about the element; HTML starts with one.
    if !lower.trim_start().starts_with('<') {
        return None;
    }
    let open = lower.find("<title")?;
    let start = open + lower.get(open..)?.find('>')? + 1;
    let end = start + lower.get(start..)?.find("</title")?;
    Some(decoded(head.get(start..end)?.trim()))
}

/// The five entities of XML, and the space everybody uses.
fn decoded(text: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

/// The first Markdown heading outside of code.
fn heading(head: &str) -> Option<String> {
    let mut fenced = false;
    let mut before: &str = "";
    for line in head.lines() {
        let line = line.trim();
        fenced ^= line.starts_with("```") || line.starts_with("~~~");
        if fenced {
            continue;
        }
        let name = line.trim_start_matches('#');
        let depth = line.len() - name.len();
        if (1..=6).contains(&depth) && name.starts_with(' ') {
            return Some(name.trim().trim_end_matches('#').trim_end().to_owned());
        }
        // Underlined.
        if line.len() >= 3 && line.bytes().all(|byte| byte == b'=') && !before.is_empty() {
            return Some(before.to_owned());
        }
        before = line;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn titles() {
        for (page, expected) in [
            ("# Rust\n\ntext", Some("Rust")),
            ("intro\n\n## Second ##\n", Some("Second")),
            ("Rust\n====\n", Some("Rust")),
            ("```\n# no\n```\n# Yes", Some("Yes")),
            ("<!doctype html><html><head><TITLE lang=en>\n A &amp; B </TITLE>", Some("A & B")),
            ("about <title>no</title>", None),
            ("#no heading", None),
            ("plain", None),
        ] {
            assert_eq!(title(page).as_deref(), expected, "{page}");
        }
    }
}

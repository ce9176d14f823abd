//! Sources and rules as a model reads them.

use super::Numbered;
use super::block::decimal;
use super::label::place_of;
use crate::clean::url::host;
use crate::model::Source;

/// How an answer is to cite, for a system prompt.
pub const GUIDELINES: &str = "\
## Citing sources

Tool results come with a numbered list of sources. Cite the source of every statement that rests on one.

- Put the number in square brackets right behind the statement, before the full stop: `Rust 1.0 was released in 2015 [1].`
- Several sources for one statement go into one bracket: `[2, 3]`.
- Use only numbers from the list. Never invent a number, a source or an address.
- Cite a source only if it supports the very statement. What you know without a source needs no citation.
- Do not cite inside code, and do not write a list of sources at the end: it is shown with your answer.

Example: `Tokio is an asynchronous runtime for Rust [1]. It is used by Hyper [1, 4] and by Axum [2].`
";

/// One line for each source: `[1] example.com: Page Title - \"snippet\"`.
pub fn sources_for_prompt(sources: &[Numbered<'_, '_>]) -> String {
    let mut text = String::new();
    for Numbered { number, source, .. } in sources {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push('[');
        text.push_str(decimal(*number, &mut [0; 20]));
        text.push_str("] ");
        write_source(&mut text, source);
    }
    text
}

fn write_source(text: &mut String, source: &Source<'_>) {
    let place = site(source);
    let title = source.title.as_deref().map(str::trim).filter(|title| Some(*title) != place);
    let title = title.filter(|title| Some(*title) != source.url.as_deref());
    match (place, title) {
        (Some(place), Some(title)) => {
            text.push_str(place);
            text.push_str(": ");
            text.push_str(title);
        }
        (Some(only), None) | (None, Some(only)) => text.push_str(only),
        (None, None) => text.push_str("Untitled source"),
    }
    if let Some(place) = place_of(source) {
        text.push(' ');
        text.push_str(&place);
    }
    let snippet = source.finding.as_ref().and_then(|finding| finding.snippet.as_deref());
    if let Some(words) = snippet.or(source.cited_text.as_deref()) {
        text.push_str(" - \"");
        // A quotation mark of the source must not end the quotation.
        text.push_str(&words.trim().replace('"', "'"));
        text.push('"');
    }
}

/// Where a source is: the host of a page, the name of a file.
fn site<'s>(source: &'s Source<'_>) -> Option<&'s str> {
    let host = || source.url.as_deref().and_then(host);
    let file = || source.uri.as_deref().and_then(|path| path.rsplit(['/', '\\']).next());
    source.domain.as_deref().or_else(host).or_else(file).filter(|site| !site.is_empty())
}

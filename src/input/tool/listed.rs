//! Lists of sources that LLxprt's own search writes, as a field and at the end of its text.

use super::findings::{Findings, is_web};
use crate::input::key::Key;
use crate::input::payload::read_source;
use crate::input::value::Value;
use crate::model::Finding;
use memchr::memmem;

/// The `sources` of a tool result.
pub(super) fn read_field<'v, V: Value<'v>>(sources: V, found: &mut Findings<'_>) {
    sources.each(|_, item| {
        let fields = item.get(Key::Web).unwrap_or(item);
        let source = read_source(item).into_owned();
        let url = source.url.or(source.uri);
        let finding = source.finding.map(|finding| *finding).unwrap_or_default();
        if let Some(url) = url.filter(|url| is_web(url)) {
            let title = fields.text_at(Key::Title).filter(|title| !is_placeholder(title));
            found.page(&url, title.as_deref(), finding);
        }
    });
}

const HEADING: &str = "\n\nSources:\n";

/// The list behind the last `Sources:` of a text: `[1] Title (address)`. Answers whether there is one.
pub(super) fn read_text(text: &str, found: &mut Findings<'_>) -> bool {
    let heading = memmem::rfind(text.as_bytes(), HEADING.as_bytes());
    let Some(list) = heading.and_then(|at| text.get(at + HEADING.len()..)) else { return false };
    for (index, line) in list.lines().enumerate() {
        // The list ends where its numbers do.
        let Some(rest) = line.strip_prefix(&format!("[{}] ", index + 1)) else { break };
        let Some((title, url)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("))
        else {
            continue;
        };
        if is_web(url) {
            found.page(url, Some(title).filter(|title| !is_placeholder(title)), Finding::default());
        }
    }
    true
}

fn is_placeholder(title: &str) -> bool {
    matches!(title.trim(), "Untitled" | "No URI" | "Unknown URI" | "N/A")
}

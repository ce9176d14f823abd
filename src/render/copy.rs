//! What lands on a clipboard: the answer, and a plain list below it.

use super::Numbered;
use super::block::decimal;
use super::label::Entry;

/// `answer` with the listed sources below it, `[1] Title — address` each on a line of its own.
pub fn copy(answer: &str, sources: &[Numbered<'_, '_>]) -> String {
    let mut text = answer.trim_end().to_owned();
    if sources.is_empty() {
        return text;
    }
    text.push_str(if text.is_empty() { "Sources:" } else { "\n\nSources:" });
    for Numbered { number, source, .. } in sources {
        let entry = Entry::of(source, false);
        text.push_str("\n[");
        text.push_str(decimal(*number, &mut [0; 20]));
        text.push(']');
        let place = Some(entry.place.as_str()).filter(|place| !place.is_empty());
        for part in entry.title.as_deref().into_iter().chain(place) {
            text.push(' ');
            text.push_str(part);
        }
        if let Some(url) = entry.url {
            text.push_str(if entry.title.is_some() { " — " } else { " " });
            text.push_str(url);
        }
    }
    text
}

//! Lists of sources that already have our own form.

use super::key::Key;
use super::location::read_location;
use super::said::{Listener, Said};
use super::value::Value;
use crate::model::{Mention, Source};

/// Reads a payload, a tool result with `sources`, one source, or a list of these.
pub fn read<'v, V: Value<'v>>(value: V, to: &mut impl Listener<'v>) {
    let mut list = Vec::new();
    let mut add = |source: Source<'v>| list.push(Some(source).filter(|source| !source.is_blank()));
    let sources = value.get(Key::Sources).unwrap_or(value);
    if !sources.each(|_, item| add(read_source(item))) {
        add(read_source(sources));
    }
    to.hear(Said::List(list));
}

/// Reads one source. A `google_web_search` result keeps its sources as Gemini chunks.
pub fn read_source<'v, V: Value<'v>>(value: V) -> Source<'v> {
    let fields = value.get(Key::Web).unwrap_or(value);
    Source {
        title: fields.text_at(Key::Title),
        url: fields.text_at(Key::Url),
        uri: fields.text_at(Key::Uri),
        cited_text: fields.text_at(Key::CitedText).or_else(|| fields.text_at(Key::Snippet)),
        provider: fields.text_at(Key::Provider),
        domain: fields.text_at(Key::Domain),
        file_id: fields.text_at(Key::FileId),
        location: fields.get(Key::Location).and_then(read_location),
        also: fields.get(Key::Also).map(read_mentions).unwrap_or_default(),
    }
}

fn read_mentions<'v, V: Value<'v>>(list: V) -> Vec<Mention<'v>> {
    let mut mentions = Vec::new();
    list.each(|_, mention| {
        mentions.push(Mention {
            cited_text: mention.text_at(Key::CitedText),
            location: mention.get(Key::Location).and_then(read_location),
        });
    });
    mentions
}

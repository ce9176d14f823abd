//! The short way from a response to the list of its sources, without text, spans or copies.

use crate::clean;
use crate::dedupe::{dedupe, without};
use crate::input::{Detail, Key, Listener, Said, Shape, Value, payload, read_any};
use crate::model::Source;

/// Hears sources only.
#[derive(Default)]
struct Sources<'v> {
    list: Vec<Source<'v>>,
    /// Whether citations may be of a page that the model fetched, whose name and address they lack.
    lack_names: bool,
}

impl<'v> Listener<'v> for Sources<'v> {
    fn detail(&self) -> Detail {
        Detail::Shown
    }

    fn list(&mut self) -> Option<&mut Vec<Source<'v>>> {
        Some(&mut self.list)
    }

    fn hear(&mut self, said: Said<'v>) {
        match said {
            Said::List(list) => self.list.extend(list.into_iter().flatten()),
            Said::Cited { source, .. } | Said::Consulted(source) => self.list.push(source),
            Said::Fetched { .. } => self.lack_names = true,
            Said::Call { .. }
            | Said::CallEnds
            | Said::Text { .. }
            | Said::Support { .. }
            | Said::Searched { .. }
            | Said::Model(_) => {}
        }
    }
}

/// Reads and cleans what a block of sources shows of one value. Anthropic's citations count only with `documents`. `None`
/// when it takes a turn to put them together: events of theirs, or citations of what the model fetched.
pub fn extract_shown<'v, V: Value<'v>>(value: V, documents: bool) -> Option<Vec<Source<'v>>> {
    let mut sources = Sources::default();
    let is_message = || !value.is_array() && value.get(Key::Content).is_some_and(V::is_array);
    let is_skipped = |shape| shape == Shape::Anthropic && !(documents && is_message());
    let shape = read_any(value, &mut sources, is_skipped);
    if documents && (is_skipped(shape) || sources.lack_names) {
        return None;
    }
    sources.list.iter_mut().for_each(clean::source);
    Some(sources.list)
}

/// Reads and cleans a list of sources in our own form, one for each of its places that holds one.
pub fn read_listed<'v, V: Value<'v>>(value: V) -> Vec<Source<'v>> {
    let mut sources = Sources::default();
    payload::read(value, &mut sources);
    sources.list.iter_mut().for_each(clean::source);
    sources.list
}

/// The list a reader is shown: every source once, without those that `shown` names.
pub fn listed<'a>(sources: Vec<Source<'a>>, shown: &[Source<'_>]) -> Vec<Source<'a>> {
    without(dedupe(sources), shown)
}

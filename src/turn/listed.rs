//! The short way from a response to the list of its sources, without text, spans or copies.

use crate::clean;
use crate::dedupe::{dedupe, without};
use crate::documents::{Finds, lacks};
use crate::input::anthropic::{self, FETCHED};
use crate::input::{Detail, Key, Listener, Said, Shape, Value, payload, read_any, shape_of};
use crate::model::Source;

/// Hears sources only.
struct Sources<'v>(Vec<Source<'v>>);

impl<'v> Listener<'v> for Sources<'v> {
    fn detail(&self) -> Detail {
        Detail::Shown
    }

    fn list(&mut self) -> Option<&mut Vec<Source<'v>>> {
        Some(&mut self.0)
    }

    fn hear(&mut self, said: Said<'v>) {
        match said {
            Said::List(list) => self.0.extend(list.into_iter().flatten()),
            Said::Cited { source, .. } | Said::Consulted(source) => self.0.push(source),
            Said::Call { .. }
            | Said::CallEnds
            | Said::Text { .. }
            | Said::Support { .. }
            | Said::Searched { .. }
            | Said::Fetched { .. }
            | Said::Found(_)
            | Said::Model(_) => {}
        }
    }
}

/// Hears what searches have found only.
struct Searches(Finds);

impl<'v> Listener<'v> for Searches {
    fn detail(&self) -> Detail {
        Detail::Sources
    }

    fn hear(&mut self, said: Said<'v>) {
        if let Said::Found(source) = said {
            self.0.add(source.into_owned());
        }
    }
}

/// The shape of a whole response of which the short way gives what a turn comes to. Of Anthropic only with `documents`.
/// `None` for anything else.
pub fn response_shape<'v, V: Value<'v>>(value: V, documents: bool) -> Option<Shape> {
    // What only whole responses have.
    const TELLING: [(Key, Shape); 3] = [
        (Key::Candidates, Shape::Gemini),
        (Key::Output, Shape::OpenAi),
        (Key::Choices, Shape::Chat),
    ];
    if value.is_array() {
        return None;
    }
    match value.text_at(Key::Type).as_deref() {
        None => TELLING.iter().find(|(key, _)| value.get(*key).is_some()).map(|(_, shape)| *shape),
        Some("message") => (documents && is_message(value)).then_some(Shape::Anthropic),
        Some(_) => None,
    }
}

/// Whether this is a message of Anthropic's that holds nothing the model fetched: citations of that lack its name and
/// address, which a turn knows.
fn is_message<'v, V: Value<'v>>(value: V) -> bool {
    let mut is_fetched = false;
    let mut look =
        |block: V| is_fetched |= block.text_at(Key::Type).is_some_and(|it| it == FETCHED);
    let blocks = value.get(Key::Content).filter(|_| shape_of(value) == Shape::Anthropic);
    blocks.is_some_and(|blocks| blocks.each(|_, block| look(block))) && !is_fetched
}

/// Reads and cleans what a block of sources shows of one value. `shape` is asked what it is, if that must be known.
pub fn extract_shown<'v, V: Value<'v>>(value: V, shape: impl Fn() -> Shape) -> Vec<Source<'v>> {
    let mut sources = Sources(Vec::new());
    read_any(value, &mut sources, &shape);
    let Sources(mut sources) = sources;
    sources.iter_mut().for_each(clean::source);
    // What was found is long, and few citations need it.
    if sources.iter().any(may_be_found) {
        let mut found = Searches(Finds::default());
        read_any(value, &mut found, &shape);
        for source in &mut sources {
            found.0.complete(source);
        }
    }
    sources
}

/// Whether a search may have said more of what is cited: of a file, or of a page by Anthropic.
fn may_be_found(source: &Source<'_>) -> bool {
    let is_page =
        || source.url.is_some() && source.provider.as_deref() == Some(anthropic::PROVIDER);
    lacks(source) && (source.file_id.is_some() || is_page())
}

/// Reads and cleans what a block shows of sources in our own form, one for each place of a list that holds one.
pub fn read_listed<'v, V: Value<'v>>(value: V) -> Vec<Source<'v>> {
    let mut sources = payload::read_shown(value);
    sources.iter_mut().for_each(clean::source);
    sources
}

/// The list a reader is shown: every source once, without those that `shown` names.
pub fn listed<'a>(sources: Vec<Source<'a>>, shown: &[Source<'_>]) -> Vec<Source<'a>> {
    without(dedupe(sources), shown)
}

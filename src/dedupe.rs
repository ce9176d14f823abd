//! The same page, or the same passage, listed once.
//!
//! In: cleaned sources in the order they were named. Out: the same order without repeats; what a
//! repeat adds (another place, another quotation, a title the first lacked) stays with the one that
//! was first. Promise: linear, stable, and it never reads the answer.

use crate::clean::url::page_key;
use crate::model::{Finding, Location, Mention, Origin, Source};
use std::borrow::{Borrow, Cow};
use std::collections::HashMap;
use std::collections::HashSet;

/// What makes two sources the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity<'s> {
    /// The page, whatever was quoted from it.
    Page(Cow<'s, str>),
    /// A passage: what is called what, and where in it.
    Passage {
        /// File id, document name or title.
        name: &'s str,
        /// Kind of place, document, start, end. Quotations without a place are told apart by text.
        place: (u8, u64, u64, u64),
        /// The words quoted.
        quote: &'s str,
    },
}

/// The identity of a cleaned source.
pub fn identity<'s>(source: &'s Source<'_>) -> Identity<'s> {
    if let Some(url) = &source.url {
        return Identity::Page(page_key(url));
    }
    let name = [&source.file_id, &source.uri, &source.title].into_iter().flatten().next();
    let place = source.location.as_ref().map_or((0, 0, 0, 0), place);
    let place = source.finding.as_ref().map_or(place, |finding| passage(finding).unwrap_or(place));
    let quote = if place.0 == 0 { source.cited_text.as_deref() } else { None };
    Identity::Passage {
        name: name.map_or("", AsRef::as_ref),
        place,
        quote: quote.unwrap_or_default(),
    }
}

/// Places inside a source tell passages apart; places in the answer do not.
fn place(location: &Location) -> (u8, u64, u64, u64) {
    match *location {
        Location::Char { start, end, document } => (1, document, start, end),
        Location::Page { start, end, document } => (2, document, start, end),
        Location::ContentBlock { start, end, document } => (3, document, start, end),
        Location::SearchResult { start, end, result } => (4, result, start, end),
        _ => (0, 0, 0, 0),
    }
}

/// A page or lines of a file are a passage as well.
fn passage(finding: &Finding) -> Option<(u8, u64, u64, u64)> {
    let lines = finding.lines.map_or((0, 0), |lines| (lines.start, lines.end));
    let page = finding.page.unwrap_or_default();
    (finding.page.is_some() || finding.lines.is_some()).then_some((5, page, lines.0, lines.1))
}

/// For each source, the index of the first one that is the same, or behind the first `numbered`, which have
/// their numbers already, a passage of the same document.
pub fn first_of_document<'a>(sources: &[impl Borrow<Source<'a>>], numbered: usize) -> Vec<usize> {
    let mut same = HashMap::with_capacity(sources.len());
    let mut documents = HashMap::new();
    let mut firsts = Vec::with_capacity(sources.len());
    for (at, source) in sources.iter().map(Borrow::borrow).enumerate() {
        let first = *same.entry(identity(source)).or_insert(at);
        // What others have merged here counts documents of another request.
        firsts.push(match document(source).filter(|_| source.finding.is_none()) {
            Some(key) if first == at && at >= numbered => *documents.entry(key).or_insert(at),
            Some(key) => {
                documents.entry(key).or_insert(first);
                first
            }
            None => first,
        });
    }
    firsts
}

/// What tells documents of a request apart: their place in it. Search results are counted apart.
pub fn document(source: &Source<'_>) -> Option<(bool, u64)> {
    match source.location.as_ref()? {
        Location::SearchResult { result, .. } => Some((true, *result)),
        location => location.document().map(|document| (false, document)),
    }
}

/// Below this many sources, looking at each beats hashing.
const FEW: usize = 32;

/// For each source, the index of the first one that is the same.
pub fn first_seen<'a>(sources: &[impl Borrow<Source<'a>>]) -> Vec<usize> {
    let names = sources.iter().map(|source| identity(source.borrow())).enumerate();
    if sources.len() <= FEW {
        let mut seen: Vec<(u64, Identity<'_>)> = Vec::with_capacity(sources.len());
        let first = |(at, name): (usize, _)| {
            let glance = glance(&name);
            let same = |held: &(u64, Identity<'_>)| held.0 == glance && held.1 == name;
            let first = seen.iter().position(same).unwrap_or(at);
            seen.push((glance, name));
            first
        };
        return names.map(first).collect();
    }
    let mut seen = HashMap::with_capacity(sources.len());
    names.map(|(at, name)| *seen.entry(name).or_insert(at)).collect()
}

/// Enough of an identity to tell most apart at once: its length and its last letters.
fn glance(identity: &Identity<'_>) -> u64 {
    let text = match identity {
        Identity::Page(page) => page.as_ref(),
        Identity::Passage { name, .. } => name,
    };
    let end = text.as_bytes().last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    end.wrapping_add(text.len() as u64)
}

/// Folds repeats into the first of their kind.
pub fn dedupe(sources: Vec<Source<'_>>) -> Vec<Source<'_>> {
    let first = first_seen(&sources);
    if first.iter().enumerate().all(|(at, first)| at == *first) {
        return sources;
    }
    let (kept, _) = merge(sources.into_iter().map(Cow::Owned), &first);
    kept.into_iter().map(Cow::into_owned).collect()
}

/// Folds each source into the first of its kind, of which `first` gives the index. Answers also the number
/// of each, from 1. A source that was lent is copied only where a repeat adds something.
pub fn merge<'s, 'a>(
    sources: impl IntoIterator<Item = Cow<'s, Source<'a>>>,
    first: &[usize],
) -> (Vec<Cow<'s, Source<'a>>>, Vec<usize>) {
    let mut kept: Vec<Cow<'s, Source<'a>>> = Vec::with_capacity(first.len());
    let mut numbers = Vec::with_capacity(first.len());
    for (at, (source, first)) in sources.into_iter().zip(first).enumerate() {
        if at == *first {
            kept.push(source);
            numbers.push(kept.len());
            continue;
        }
        let number: usize = numbers.get(*first).copied().unwrap_or_default();
        numbers.push(number);
        if let Some(held) = number.checked_sub(1).and_then(|index| kept.get_mut(index)) {
            fold(held.to_mut(), source.into_owned());
        }
    }
    (kept, numbers)
}

/// Adds what a repeat knows to the source that was first.
pub fn fold<'a>(held: &mut Source<'a>, mut repeat: Source<'a>) {
    held.title = held.title.take().or(repeat.title);
    held.uri = held.uri.take().or(repeat.uri);
    held.domain = held.domain.take().or(repeat.domain);
    held.file_id = held.file_id.take().or(repeat.file_id);
    let cited_text = match (&held.cited_text, repeat.cited_text) {
        (None, text) => {
            held.cited_text = text;
            None
        }
        (Some(held), Some(text)) if *held == text => None,
        (_, text) => text,
    };
    let location = repeat.location.filter(|location| held.location.as_ref() != Some(location));
    let raw_url = repeat.finding.as_mut().and_then(|finding| finding.raw_url.take());
    let origin = fold_finding(&mut held.finding, repeat.finding);
    if cited_text.is_some() || location.is_some() || origin.is_some() || raw_url.is_some() {
        held.also.push(Mention { cited_text, location, lines: None, origin, raw_url });
    }
    held.also.extend(repeat.also);
}

/// Adds what another call knows. Answers who made it, unless that is now the source's own origin.
fn fold_finding(
    held: &mut Option<Box<Finding>>,
    repeat: Option<Box<Finding>>,
) -> Option<Box<Origin>> {
    let mut repeat = repeat?;
    let held = held.get_or_insert_default();
    held.kind = held.kind.or(repeat.kind);
    held.snippet = held.snippet.take().or(repeat.snippet.take());
    held.author = held.author.take().or(repeat.author.take());
    held.published = held.published.take().or(repeat.published.take());
    held.accessed = held.accessed.take().or(repeat.accessed.take());
    held.metadata = held.metadata.take().or(repeat.metadata.take());
    held.page = held.page.or(repeat.page);
    held.lines = held.lines.or(repeat.lines);
    held.inline |= repeat.inline;
    let origin = repeat.origin;
    // What was known here before a sub-agent found it too is not the agent's.
    if held.origin.is_unknown() && origin.agent.is_none() {
        held.origin = origin;
        return None;
    }
    (!origin.is_unknown() && origin != held.origin).then(|| Box::new(origin))
}

/// Leaves out what was shown already, by identity.
pub fn without<'a, S: Borrow<Source<'a>>>(mut sources: Vec<S>, shown: &[Source<'_>]) -> Vec<S> {
    if !shown.is_empty() {
        let shown: HashSet<_> = shown.iter().map(identity).collect();
        sources.retain(|source| !shown.contains(&identity(source.borrow())));
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page(url: &str) -> Source<'_> {
        Source { url: Some(url.into()), ..Source::default() }
    }

    fn passage(start: u64) -> Source<'static> {
        let location = Some(Location::Char { start, end: start + 1, document: 0 });
        Source { title: Some("Report".into()), location, ..Source::default() }
    }

    #[test]
    fn a_repeat_leaves_what_it_knows() {
        let first = page("https://a.example/x");
        let repeat = Source {
            title: Some("X".into()),
            location: Some(Location::Grounding { chunk: 7 }),
            cited_text: Some("quoted".into()),
            ..page("https://a.example/x/")
        };
        let third = Source { cited_text: Some("more".into()), ..page("https://a.example/x") };
        let kept = dedupe(vec![first, repeat, third]);
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].title.as_deref(), Some("X"));
        assert_eq!(kept[0].url.as_deref(), Some("https://a.example/x"));
        assert_eq!(kept[0].cited_text.as_deref(), Some("quoted"));
        assert_eq!(kept[0].also.len(), 2);
    }

    #[test]
    fn passages_of_one_document_are_told_apart_by_place() {
        assert_eq!(dedupe(vec![passage(1), passage(2), passage(1)]).len(), 2);
    }

    #[test]
    fn pages_with_the_same_title_are_two_pages() {
        let titled = |url| Source { title: Some("Home".into()), ..page(url) };
        assert_eq!(
            dedupe(vec![titled("https://a.example/"), titled("https://b.example/")]).len(),
            2
        );
    }

    #[test]
    fn what_was_shown_is_left_out() {
        let sources =
            vec![page("https://a.example/?utm_source=openai"), page("https://b.example/")];
        let kept = without(sources, &[page("https://a.example")]);
        assert_eq!(kept, vec![page("https://b.example/")]);
    }

    proptest! {
        /// Oracle: compare all pairs.
        #[test]
        fn agrees_with_all_pairs(urls in prop::collection::vec("[ab]\\.example/[xy]?/?(#z)?", 0..30)) {
            let urls: Vec<_> = urls.iter().map(|url| format!("https://{url}")).collect();
            let sources: Vec<_> = urls.iter().map(|url| page(url)).collect();
            let naive: Vec<_> = sources
                .iter()
                .map(|one| sources.iter().position(|other| identity(one) == identity(other)).unwrap())
                .collect();
            prop_assert_eq!(first_seen(&sources), naive);
        }
    }
}

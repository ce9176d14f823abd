//! The same page, or the same passage, listed once.
//!
//! In: cleaned sources in the order they were named. Out: the same order without repeats; what a
//! repeat adds (another place, another quotation, a title the first lacked) stays with the one that
//! was first. Promise: linear, stable, and it never reads the answer.

mod identity;

pub use identity::{Identity, cites_file, document, first_of_document, first_seen, identity};

use crate::model::{Finding, Location, Mention, Origin, Source};
use identity::{all_differ, is_told_by_words, place_of};
use std::borrow::{Borrow, Cow};
use std::collections::HashSet;

/// Folds repeats into the first of their kind.
pub fn dedupe(sources: Vec<Source<'_>>) -> Vec<Source<'_>> {
    if all_differ(&sources) {
        return sources;
    }
    let first = first_seen(&sources);
    if first.iter().enumerate().all(|(at, first)| at == *first) {
        return sources;
    }
    let (kept, _) = merge(sources.into_iter().map(Cow::Owned), &first);
    kept.into_iter().map(Cow::into_owned).collect()
}

/// Folds each source into the first of its kind, of which `first` gives the index. Answers also the number
/// of each, from 1. A source that was lent is copied only where there is a repeat of it.
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

/// Takes over from a repeat what the source that was first lacks. It stays the same source: what would make another of it
/// stays with the repeat.
pub fn complete<'a>(held: &mut Source<'a>, repeat: &mut Source<'a>) {
    held.title = held.title.take().or_else(|| repeat.title.take());
    held.domain = held.domain.take().or_else(|| repeat.domain.take());
    // With the id of its file the words it has would no longer count.
    let is_named_by_title = held.cited_text.is_some()
        && held.file_id.is_none()
        && matches!(held.location, Some(Location::FileCitation { .. }));
    if !is_named_by_title {
        held.uri = held.uri.take().or_else(|| repeat.uri.take());
        held.file_id = held.file_id.take().or_else(|| repeat.file_id.take());
    }
    if held.url.is_some() || !is_told_by_words(held, place_of(held).0) {
        held.cited_text = held.cited_text.take().or_else(|| repeat.cited_text.take());
    }
}

/// Adds what a repeat knows to the source that was first.
pub fn fold<'a>(held: &mut Source<'a>, mut repeat: Source<'a>) {
    complete(held, &mut repeat);
    let cited_text = repeat.cited_text.filter(|text| held.cited_text.as_ref() != Some(text));
    let location = repeat.location.filter(|location| held.location.as_ref() != Some(location));
    let raw_url = repeat.finding.as_mut().and_then(|finding| finding.raw_url.take());
    let origin = fold_finding(&mut held.finding, repeat.finding);
    if cited_text.is_some() || location.is_some() || origin.is_some() || raw_url.is_some() {
        held.also.push(Mention { cited_text, location, lines: None, origin, raw_url });
    }
    held.also.extend(repeat.also);
}

/// Adds what another call knows. Answers who made it, unless that is now the source's own origin.
fn fold_finding<'a>(
    held: &mut Option<Box<Finding<'a>>>,
    repeat: Option<Box<Finding<'a>>>,
) -> Option<Box<Origin<'a>>> {
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
    use super::identity::FEW;
    use super::*;
    use crate::model::{Kind, Lines};
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
            location: Some(Location::Grounding { chunk: 7, pages: None }),
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
    fn a_repeat_is_found_among_few_and_among_many() {
        for count in [FEW, 2 * FEW] {
            let urls: Vec<_> = (0..count).map(|n| format!("https://a.example/{n}")).collect();
            let mut sources: Vec<_> = urls.iter().map(|url| page(url)).collect();
            assert!(all_differ(&sources));
            assert_eq!(dedupe(sources.clone()), sources);
            sources.push(page("https://a.example/7/"));
            assert!(!all_differ(&sources));
            assert_eq!(dedupe(sources).len(), count);
        }
    }

    /// Only their words differ, at which a glance does not look.
    #[test]
    fn what_is_alike_at_a_glance_is_told_apart_among_few_and_among_many() {
        for count in [FEW / 2, 2 * FEW] {
            let quoting =
                |n: usize| Source { cited_text: Some(n.to_string().into()), ..Source::default() };
            let once: Vec<_> = (0..count).map(quoting).collect();
            let all: Vec<_> = (0..count).collect();
            assert!(!all_differ(&once));
            assert_eq!(first_seen(&once), all);
            assert_eq!(first_seen(&[once.clone(), once].concat()), [all.clone(), all].concat());
        }
    }

    #[test]
    fn passages_of_one_document_are_told_apart_by_place() {
        assert_eq!(dedupe(vec![passage(1), passage(2), passage(1)]).len(), 2);
    }

    fn at(location: Location) -> Source<'static> {
        Source { location: Some(location), ..Source::default() }
    }

    /// Passages of all kinds, no two of them the same.
    fn passages() -> Vec<Source<'static>> {
        let spans = [(0, 1, 0), (0, 2, 0), (1, 2, 0), (0, 1, 1)];
        let located = spans.into_iter().flat_map(|(start, end, place)| {
            [
                Location::Char { start, end, document: place },
                Location::Page { start, end, document: place },
                Location::ContentBlock { start, end, document: place },
                Location::SearchResult { start, end, result: place },
            ]
        });
        let lines = |start, end| Some(Lines { start, end });
        let found = [(Some(1), None), (Some(2), None), (None, lines(1, 2)), (None, lines(1, 3))]
            .into_iter()
            .chain([(None, lines(2, 3)), (Some(1), lines(2, 3))])
            .map(|(page, lines)| tool(Finding { page, lines, ..Finding::default() }));
        located.map(at).chain(found).collect()
    }

    /// Pages of documents that Gemini lists, no two of them the same.
    fn listed_pages() -> [Source<'static>; 3] {
        let pages = [1..2, 1..3, 2..3];
        pages.map(|pages| at(Location::Grounding { chunk: 1, pages: Some(pages) }))
    }

    fn tool(finding: Finding<'static>) -> Source<'static> {
        Source { finding: Some(Box::new(finding)), ..Source::default() }
    }

    #[test]
    fn passages_of_all_kinds_are_told_apart() {
        let passages = [passages(), listed_pages().to_vec()].concat();
        let all: Vec<_> = (0..passages.len()).collect();
        assert_eq!(first_seen(&passages), all);
        let twice = [passages.clone(), passages].concat();
        assert_eq!(first_seen(&twice), [all.clone(), all].concat());
    }

    #[test]
    fn a_quotation_tells_apart_what_no_place_does() {
        let quoting = |text: &'static str, source: Source<'static>| Source {
            cited_text: Some(text.into()),
            ..source
        };
        let answer = || at(Location::Grounding { chunk: 1, pages: None });
        let placeless = [Source::default(), answer(), tool(Finding::default())];
        for source in placeless.into_iter().chain(listed_pages()) {
            let sources = [quoting("a", source.clone()), quoting("b", source)];
            assert_eq!(first_seen(&sources), [0, 1]);
        }
        let named = |source| Source { uri: Some("gs://b/r.pdf".into()), ..source };
        for source in passages().into_iter().chain(listed_pages().map(named)) {
            let sources = [quoting("a", source.clone()), quoting("b", source)];
            assert_eq!(first_seen(&sources), [0, 0]);
        }
        assert_eq!(first_seen(&[answer(), at(Location::FileCitation { index: 2 })]), [0, 0]);
    }

    #[test]
    fn words_that_were_found_in_a_cited_file_do_not_tell_it_apart() {
        let file = |id: &'static str, text: Option<&'static str>, index| Source {
            file_id: Some(id.into()),
            cited_text: text.map(Into::into),
            ..at(Location::FileCitation { index })
        };
        let sources = [("a", None), ("a", Some("x")), ("b", Some("x")), ("a", Some("y"))];
        let sources = sources.map(|(id, text)| file(id, text, 2));
        assert_eq!(first_seen(&sources), [0, 0, 2, 0]);
        // Words of a file that nobody cites are somebody's own.
        let own = sources.map(|source| Source { location: None, ..source });
        assert_eq!(first_seen(&own), [0, 1, 2, 3]);
    }

    #[test]
    fn passages_of_a_document_are_one_behind_those_with_numbers() {
        let part = |start, document| at(Location::Char { start, end: 9, document });
        let result = |start, result| at(Location::SearchResult { start, end: 9, result });
        let sources = [part(0, 0), part(1, 0), part(0, 1), result(0, 0), result(1, 0), part(1, 1)];
        assert_eq!(first_of_document(&sources, 0), [0, 0, 2, 3, 3, 2]);
        // Those that have numbers keep them, and lead their documents.
        assert_eq!(first_of_document(&sources, 2), [0, 1, 2, 3, 3, 2]);
        assert_eq!(first_of_document(&sources, 6), [0, 1, 2, 3, 4, 5]);
        let repeated = [part(0, 0), part(1, 0), part(1, 0), part(2, 0)];
        assert_eq!(first_of_document(&repeated, 2), [0, 1, 1, 0]);
        // What others found counts documents of another request; pages have none.
        let merged = Source { finding: Some(Box::default()), ..part(1, 0) };
        assert_eq!(first_of_document(&[part(0, 0), merged], 0), [0, 1]);
        assert_eq!(first_of_document(&[page("https://a.example/"), part(0, 0)], 0), [0, 1]);
    }

    #[test]
    fn every_source_has_the_number_of_the_first_of_its_kind() {
        let [a, b] = ["https://a.example/", "https://b.example/"].map(page);
        let (kept, numbers) = merge([&a, &b, &a, &b].map(Cow::Borrowed), &[0, 1, 0, 1]);
        assert_eq!((kept, numbers), (vec![Cow::Borrowed(&a), Cow::Borrowed(&b)], vec![1, 2, 1, 2]));
    }

    #[test]
    fn the_same_again_adds_nothing() {
        let cited = Source {
            cited_text: Some("quoted".into()),
            location: Some(Location::Grounding { chunk: 1, pages: None }),
            finding: Some(Box::new(Finding { origin: called("1"), ..Finding::default() })),
            ..page("https://a.example/")
        };
        assert_eq!(dedupe(vec![cited.clone(), cited.clone()]), vec![cited]);
    }

    fn called(id: &'static str) -> Origin<'static> {
        Origin { id: Some(id.into()), ..Origin::default() }
    }

    #[test]
    fn everything_a_repeat_adds_is_kept_apart() {
        let first = Source {
            cited_text: Some("quoted".into()),
            finding: Some(Box::new(Finding { origin: called("1"), ..Finding::default() })),
            ..page("https://a.example/")
        };
        let mention = Mention::default();
        let quote = Some("more".into());
        let location = Some(Location::Grounding { chunk: 2, pages: None });
        let found = |finding| Source { finding: Some(Box::new(finding)), ..Source::default() };
        let raw_url = Some("https://r.example/".into());
        let cases = [
            (
                Source { cited_text: quote.clone(), ..Source::default() },
                Mention { cited_text: quote, ..mention.clone() },
            ),
            (
                Source { location: location.clone(), ..Source::default() },
                Mention { location, ..mention.clone() },
            ),
            (
                found(Finding { origin: called("2"), ..Finding::default() }),
                Mention { origin: Some(Box::new(called("2"))), ..mention.clone() },
            ),
            (
                found(Finding { raw_url: raw_url.clone(), ..Finding::default() }),
                Mention { raw_url, ..mention.clone() },
            ),
            (Source { also: vec![mention.clone()], ..Source::default() }, mention),
        ];
        for (repeat, wanted) in cases {
            let mut held = first.clone();
            fold(&mut held, repeat);
            assert_eq!(held, Source { also: vec![wanted], ..first.clone() });
        }
    }

    #[test]
    fn a_repeat_fills_what_is_missing_and_nothing_else() {
        let full = |name: &'static str| {
            let text = || Some(Cow::Borrowed(name));
            let finding = Finding {
                kind: Some(if name == "a" { Kind::Web } else { Kind::File }),
                origin: called(name),
                snippet: text(),
                author: text(),
                published: text(),
                accessed: text(),
                metadata: Some(name.to_owned()),
                page: Some(name.len() as u64),
                lines: Some(Lines { start: 1, end: 2 }),
                inline: name == "b",
                raw_url: None,
            };
            Source {
                title: text(),
                url: Some("https://a.example/".into()),
                uri: text(),
                domain: text(),
                file_id: text(),
                cited_text: text(),
                finding: Some(Box::new(finding)),
                ..Source::default()
            }
        };
        let mut empty = page("https://a.example/");
        fold(&mut empty, full("b"));
        assert_eq!(empty, full("b"));
        let mut held = full("a");
        fold(&mut held, full("b"));
        let also = held.also.pop().unwrap();
        assert_eq!(also.cited_text.as_deref(), Some("b"));
        assert_eq!(also.origin.as_deref(), Some(&called("b")));
        held.finding.as_mut().unwrap().inline = false;
        assert_eq!(held, full("a"));
    }

    /// Shown by either call, it is shown.
    #[test]
    fn what_one_call_shows_is_shown() {
        let found = |inline| tool(Finding { inline, ..Finding::default() });
        for [first, second] in [[true, false], [false, true], [true, true], [false, false]] {
            let mut held = found(first);
            fold(&mut held, found(second));
            assert_eq!(held.is_shown_inline(), first || second);
        }
    }

    #[test]
    fn what_was_known_before_an_agent_found_it_is_not_the_agents() {
        let by = |agent: &str| Origin { agent: Some(agent.to_owned().into()), ..called("1") };
        let found = |origin| tool(Finding { origin, ..Finding::default() });
        let folded = |mut held: Source<'static>, origin| {
            fold(&mut held, found(origin));
            let also = held.also.pop().and_then(|mention| mention.origin);
            (held.finding.unwrap().origin, also.map(|origin| *origin))
        };
        let unknown = Origin::default;
        assert_eq!(folded(Source::default(), by("x")), (unknown(), Some(by("x"))));
        assert_eq!(folded(Source::default(), called("1")), (called("1"), None));
        assert_eq!(folded(found(called("1")), called("1")), (called("1"), None));
        assert_eq!(folded(found(called("1")), unknown()), (called("1"), None));
        assert_eq!(folded(found(called("1")), called("2")), (called("1"), Some(called("2"))));
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

    /// Sources of few names, words and places, so that many are the same.
    fn sources() -> impl Strategy<Value = Vec<Source<'static>>> {
        let name = |names: &[&'static str]| {
            let names = names.iter().map(|name| (!name.is_empty()).then_some(Cow::Borrowed(*name)));
            prop::sample::select(names.collect::<Vec<_>>())
        };
        let pages = [None, Some(3..4)].map(|pages| Location::Grounding { chunk: 1, pages });
        let files = [
            Location::FileCitation { index: 1 },
            Location::FilePath { index: 1 },
            Location::Char { start: 0, end: 9, document: 0 },
            Location::UrlCitation { start: 0, end: 9 },
        ];
        let places: Vec<_> = pages.into_iter().chain(files).map(Some).chain([None]).collect();
        let found = [None, Some(Finding { page: Some(2), ..Finding::default() })];
        let source = (
            [name(&["", "a", "b"]), name(&["", "", "a", "c"]), name(&["", "", "a", "b"])],
            name(&["", "", "", "https://a.example/"]),
            name(&["", "One.", "Two."]),
            (prop::sample::select(places), prop::sample::select(found.to_vec())),
        );
        let source = source.prop_map(|([title, uri, file_id], url, cited_text, place)| {
            let (location, finding) = (place.0, place.1.map(Box::new));
            Source { title, url, uri, cited_text, file_id, location, finding, ..Source::default() }
        });
        prop::collection::vec(source, 0..6)
    }

    proptest! {
        #[test]
        fn a_source_stays_the_same_whatever_is_added_to_it(sources in sources()) {
            let once = dedupe(sources.clone());
            let again = dedupe(once.clone());
            prop_assert_eq!(again.len(), once.len());
            let names: Vec<_> = once.iter().map(identity).collect();
            for source in &sources {
                prop_assert!(names.contains(&identity(source)), "{source:?}");
            }
            let behind: Vec<_> = once.iter().chain(&sources).cloned().collect();
            prop_assert_eq!(dedupe(behind).len(), once.len());
        }

        /// Oracle: compare all pairs.
        #[test]
        fn agrees_with_all_pairs(urls in prop::collection::vec("[ab]\\.example/[xy]?/?(#z)?", 0..2 * FEW)) {
            let urls: Vec<_> = urls.iter().map(|url| format!("https://{url}")).collect();
            let sources: Vec<_> = urls.iter().map(|url| page(url)).collect();
            let naive: Vec<_> = sources
                .iter()
                .map(|one| sources.iter().position(|other| identity(one) == identity(other)).unwrap())
                .collect();
            let differ = naive.iter().enumerate().all(|(at, first)| at == *first);
            prop_assert_eq!(all_differ(&sources), differ);
            prop_assert_eq!(first_seen(&sources), naive);
        }
    }
}

//! Addresses that only lead to the page.

use crate::clean;
use crate::dedupe::{first_seen, merge};
use crate::model::{Payload, Source, Text};
use std::borrow::Cow;

/// Whether an address is one that Google put in front of the page.
pub fn is_redirect(url: &str) -> bool {
    const STARTS: [&str; 4] = [
        "vertexaisearch.cloud.google.com/grounding-api-redirect/",
        "vertexaisearch.cloud.google.com/redirect",
        "www.google.com/url?",
        "google.com/url?",
    ];
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| STARTS.iter().any(|start| rest.starts_with(start)))
}

/// Sources whose address is not the page's own yet, with their numbers.
pub fn pending<'s, 'a>(sources: &'s [Source<'a>]) -> impl Iterator<Item = (usize, &'s Source<'a>)> {
    let numbered = sources.iter().enumerate().map(|(index, source)| (index + 1, source));
    numbered.filter(|(_, source)| source.url.as_deref().is_some_and(is_redirect))
}

/// Puts the pages' own addresses in, where `resolved` knows them. Sources that turn out to be the same page become one, under the
/// number that was first; spans follow, and the address each was given under stays with it. Answers the
/// new number of each.
pub fn resolve(payload: &mut Payload, resolved: impl Fn(&str) -> Option<String>) -> Vec<usize> {
    for source in &mut payload.sources {
        let Some(url) = source.url.as_deref().and_then(&resolved) else { continue };
        let Ok(link) = clean::url::link(Text::Owned(url)) else { continue };
        let raw = source.url.replace(link);
        let finding = source.finding.get_or_insert_default();
        finding.raw_url = finding.raw_url.take().or(raw);
        // The name was the page's host, in want of better.
        source.domain = None;
        clean::source(source);
    }
    let first = first_seen(&payload.sources);
    let sources = std::mem::take(&mut payload.sources).into_iter().map(Cow::Owned);
    let (kept, numbers) = merge(sources, &first);
    let kept = kept.into_iter().map(Cow::into_owned).collect();
    payload.sources = kept;
    let renumber = |number: &mut usize| {
        let new = number.checked_sub(1).and_then(|index| numbers.get(index));
        *number = new.copied().unwrap_or(*number);
    };
    let sort = |list: &mut Vec<usize>| {
        list.iter_mut().for_each(renumber);
        list.sort_unstable();
        list.dedup();
    };
    sort(&mut payload.cited);
    for anchor in &mut payload.anchors {
        sort(&mut anchor.sources);
        anchor.listed.iter_mut().for_each(|(_, number)| renumber(number));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::is_redirect;

    #[test]
    fn redirects() {
        for (url, expected) in [
            ("https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZI", true),
            ("https://vertexaisearch.cloud.google.com/docs", false),
            ("https://www.google.com/url?q=https://a.example/", true),
            ("http://google.com/url?q=https://a.example/", true),
            ("https://www.google.com/search?q=x", false),
            ("https://www.google.com:8443/url?q=https://a.example/", false),
            ("https://a.example/grounding-api-redirect/x", false),
            ("https://vertexaisearch.cloud.google.com.a.example/grounding-api-redirect/x", false),
        ] {
            assert_eq!(is_redirect(url), expected, "{url}");
        }
    }
}

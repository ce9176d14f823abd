//! Addresses, the ordinary and the hostile: nothing but http and https is ever linked, in the one form
//! that the `url` crate prints.
#![expect(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use llxprt_code_citations::clean;
use llxprt_code_citations::clean::url::{host, is_linkable, link, page_key};
use llxprt_code_citations::model::Source;
use proptest::prelude::*;
use std::borrow::Cow;
use std::fs;
use std::path::Path;
use url::Url;

fn addresses() -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("__test__/hostile/addresses.json");
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// What may be linked, in words of the `url` crate: no control character, http or https, a host, and
/// nobody's name.
fn expected(raw: &str) -> Option<String> {
    let trimmed = raw.trim_matches([' ', '\t', '\n', '\r', '\u{c}']);
    let url = Url::parse(trimmed).ok().filter(|_| !trimmed.contains(char::is_control))?;
    let web = url.scheme() == "http" || url.scheme() == "https";
    let nameless = url.username().is_empty() && url.password().is_none();
    (web && nameless && url.has_host()).then(|| url.to_string())
}

fn check(raw: &str) {
    let linked = link(raw.into());
    assert_eq!(linked.as_deref().ok(), expected(raw).as_deref(), "{raw:?}");
    if let Ok(url) = &linked {
        check_linked(raw, url);
    }
    let mut source = Source { url: Some(raw.into()), ..Source::default() };
    clean::source(&mut source);
    assert_eq!(source.url.as_deref(), linked.as_deref().ok(), "{raw:?}");
    // An address that was refused comes back under no other name.
    let uri = source.uri.clone().unwrap_or_default();
    assert!(expected(&uri).is_none(), "{raw:?} became {uri:?}");
    let once = source.clone();
    clean::source(&mut source);
    assert_eq!(source, once, "{raw:?}");
}

fn check_linked(raw: &str, url: &str) {
    assert!(url.starts_with("https://") || url.starts_with("http://"), "{raw:?} {url}");
    assert!(url.bytes().all(|byte| byte.is_ascii_graphic()), "{raw:?} {url}");
    let parsed = Url::parse(url).unwrap();
    assert_eq!(parsed.as_str(), url, "{raw:?}");
    assert_eq!(host(url), parsed.host_str(), "{raw:?}");
    assert!(matches!(link(url.into()), Ok(again) if again == url), "{raw:?}");
    let key = page_key(url).into_owned();
    assert_eq!(page_key(&key), key, "{raw:?}");
    assert!(is_linkable(url) == (url.len() <= 1000));
}

#[test]
fn the_list() {
    let all = addresses();
    assert!(all.len() > 500, "{}", all.len());
    for raw in &all {
        check(raw);
    }
    let linked = all.iter().filter(|raw| link(raw.as_str().into()).is_ok()).count();
    assert!(linked > 200 && linked < all.len() - 200, "{linked} of {}", all.len());
}

/// What the short way passes on unread is what the `url` crate prints.
#[test]
fn the_short_way_is_right_about_the_list() {
    let mut short = 0;
    for raw in addresses() {
        let printed = expected(&raw).unwrap_or_default();
        for url in [raw, printed] {
            if let Ok(Cow::Borrowed(same)) = link(Cow::Borrowed(&url)) {
                assert_eq!(Url::parse(same).unwrap().as_str(), same);
                short += 1;
            }
        }
    }
    assert!(short > 100, "only {short} took the short way");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// One change anywhere in one of the list.
    #[test]
    fn changed_addresses(
        index in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        piece in "[ -~\u{0}-\u{1f}\u{7f}-\u{a0}éß漢\u{200b}-\u{206f}．。／＠：]|%[0-9a-f]{2}|\\.\\./|@|:80|//|xn--",
    ) {
        let all = addresses();
        let raw: Vec<char> = index.get(&all).chars().take(200).collect();
        let (before, behind) = raw.split_at(place.index(raw.len() + 1));
        let changed: String = before.iter().copied().chain(piece.chars()).chain(behind.iter().copied()).collect();
        check(&changed);
    }

    /// The short way and the long one, on addresses that could take either.
    #[test]
    fn plain_addresses(url in "https?://[a-z0-9.-]{0,12}(:[0-9]{0,4})?(/[a-z0-9._~%(),;=&+-]{0,6}){0,4}(\\?[ -~]{0,8})?(#[ -~]{0,8})?") {
        check(&url);
    }
}

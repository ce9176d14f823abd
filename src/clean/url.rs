//! Addresses that are safe to link, in the one form they are printed, and the key that tells
//! whether two of them are the same page.

use super::block::any_pair;
use crate::model::Text;
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;
use url::Url;

/// No terminal link is longer: tmux stops at 1024 bytes and others at 2083.
pub const LINK_LIMIT: usize = 1000;

/// The address a browser would open, serialised: ASCII, lower-case host. Refused, and handed back,
/// unless it is http or https, has no user name in it, and holds no control character. Such
/// characters are never stripped: what remained would be another address.
pub fn link(raw: Text<'_>) -> Result<Text<'_>, Text<'_>> {
    if is_serialised(&raw) { Ok(raw) } else { parse(&raw).map(Cow::Owned).ok_or(raw) }
}

fn parse(raw: &str) -> Option<String> {
    let trimmed = raw.trim_matches(|character: char| character.is_ascii_whitespace());
    if trimmed.chars().any(char::is_control) {
        return None;
    }
    let url = Url::parse(trimmed).ok()?;
    let web = matches!(url.scheme(), "http" | "https") && url.host().is_some();
    let plain = url.username().is_empty() && url.password().is_none();
    (web && plain).then(|| url.into())
}

/// Whether a cleaned address may be made clickable.
pub fn is_linkable(url: &str) -> bool {
    url.len() <= LINK_LIMIT
}

/// The host of a serialised http or https URL, without port.
pub fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let end = memchr3(b'/', b'?', b'#', rest.as_bytes()).unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    let host = match authority.rfind(':') {
        // The colons of an IPv6 address stand inside its brackets.
        Some(colon) if !authority.ends_with(']') => authority.get(..colon)?,
        _ => authority,
    };
    (!host.is_empty()).then_some(host)
}

/// What makes two serialised URLs the same page: no trailing slash, no mark of who linked to it, no
/// text highlight. Another fragment is another place and counts.
pub fn page_key(url: &str) -> Cow<'_, str> {
    let Some(mark) = memchr2(b'?', b'#', url.as_bytes()) else {
        return Cow::Borrowed(without_slashes(url));
    };
    let url = without_referrer(without_highlight(url));
    if url.len() <= mark {
        return Cow::Borrowed(without_slashes(url));
    }
    let (path, rest) = url.split_at_checked(mark).unwrap_or((url, ""));
    let (query, fragment) = rest
        .split_at_checked(memchr(b'#', rest.as_bytes()).unwrap_or(rest.len()))
        .unwrap_or((rest, ""));
    let pairs = || query.strip_prefix('?').unwrap_or(query).split('&');
    let is_kept = |pair: &&str| !pair.is_empty() && !REFERRERS.contains(pair);
    if !path.ends_with('/') && (query.is_empty() || pairs().all(|pair| is_kept(&pair))) {
        return Cow::Borrowed(url);
    }
    let mut key = without_slashes(path).to_owned();
    let mut mark = '?';
    for pair in pairs() {
        if is_kept(&pair) {
            key.push(mark);
            key.push_str(pair);
            mark = '&';
        }
    }
    key.push_str(fragment);
    Cow::Owned(key)
}

/// Without the slashes at its end, however many somebody put there.
fn without_slashes(mut path: &str) -> &str {
    while let Some(shorter) = path.strip_suffix('/') {
        path = shorter;
    }
    path
}

/// OpenAI appends these to the pages it cites, but not to the same pages in its list of results.
const REFERRERS: [&str; 2] = ["utm_source=openai", "utm_source=chatgpt.com"];

/// The common case, an appended referrer, needs no copy.
fn without_referrer(url: &str) -> &str {
    let cut = |referrer: &&str| url.strip_suffix(*referrer)?.strip_suffix(['?', '&']);
    REFERRERS.iter().find_map(cut).unwrap_or(url)
}

/// Without an empty fragment or one that only tells the browser which words to mark.
fn without_highlight(url: &str) -> &str {
    let Some((page, fragment)) =
        memchr(b'#', url.as_bytes()).and_then(|at| url.split_at_checked(at))
    else {
        return url;
    };
    let kept = fragment.split_once(":~:").map_or(fragment, |(kept, _)| kept);
    if kept == "#" { page } else { url.get(..page.len() + kept.len()).unwrap_or(url) }
}

/// Whether `url` is certainly what [`Url`] would print for it. Knows only the common case, an
/// ordinary host name and characters no part of a URL rewrites; says no to all it does not know.
pub(super) fn is_serialised(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest.map(str::as_bytes) else { return false };
    let Some((host, path)) = memchr(b'/', rest).and_then(|slash| rest.split_at_checked(slash))
    else {
        return false;
    };
    is_plain_host(host) && is_untouched_path(path)
}

/// Lower-case letters and digits in labels with single dots or hyphens between them, the last label
/// of letters only: no port, no IP address, nothing for IDNA to look at, such as `xn--`.
fn is_plain_host(host: &[u8]) -> bool {
    let starts = host.first().is_some_and(|first| is_word(*first));
    let misplaced = any_pair(host, |before, byte| !in_host(before, byte));
    let letters = host.iter().rev().take_while(|byte| byte.is_ascii_lowercase()).count();
    let top_starts = host.iter().rev().nth(letters).is_none_or(|before| *before == b'.');
    // Longer ones may break the limit of a label, which the `url` crate knows.
    starts && !misplaced && host.len() <= 63 && letters > 0 && top_starts
}

/// Only characters that stay as they are in path, query and fragment alike, and no segment that
/// starts with a dot, plain or encoded: `.` and `..` are folded away. `path` starts with a slash.
fn is_untouched_path(path: &[u8]) -> bool {
    !any_pair(path, is_touched)
}

/// A mark does not follow a mark.
#[expect(clippy::needless_bitwise_bool, reason = "a branch for each byte would cost more")]
fn in_host(before: u8, byte: u8) -> bool {
    let is_mark = |byte: u8| (byte == b'.') | (byte == b'-');
    is_word(byte) | (is_mark(byte) & !is_mark(before))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_lowercase() | byte.is_ascii_digit()
}

#[expect(clippy::needless_bitwise_bool, reason = "as above")]
fn is_touched(before: u8, byte: u8) -> bool {
    is_rewritten(byte) | ((before == b'/') & ((byte == b'.') | (byte == b'%')))
}

/// Whether some part of a URL percent-encodes this byte or reads it as another.
#[expect(clippy::needless_bitwise_bool, reason = "as above")]
fn is_rewritten(byte: u8) -> bool {
    let is_quote = (byte == b'"') | (byte == b'\'') | (byte == b'`');
    let is_bracket = (byte == b'<') | (byte == b'>') | (byte == b'{') | (byte == b'}');
    !byte.is_ascii_graphic() | is_quote | is_bracket | (byte == b'\\') | (byte == b'^')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_web_is_linked() {
        for refused in [
            "",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "ftp://a.example/",
            "https://user@a.example/",
            "https://:pw@a.example/",
            "https://good.example@evil.example",
            "https://a.example/\u{1b}]8;;",
            "https://a.\nexample/",
            "https://a.example/\u{9b}31m",
            "vbscript:x",
            "https://",
            "http:",
            "//a.example/",
            "a.example",
            "mailto:a@b.example",
            "java\tscript:alert(1)",
            "https://a b.example/",
        ] {
            assert_eq!(link(refused.into()), Err(refused.into()), "{refused:?}");
        }
    }

    #[test]
    fn links_are_ascii_and_serialised() {
        for (raw, expected) in [
            ("HTTPS://EN.Example:443/a b", "https://en.example/a%20b"),
            (" https://a.example ", "https://a.example/"),
            ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
            ("http://a.example/x/../y", "http://a.example/y"),
            ("https://a.example/wiki/Rust_(language)", "https://a.example/wiki/Rust_(language)"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
        ] {
            assert_eq!(link(raw.into()).as_deref(), Ok(expected), "{raw}");
        }
    }

    /// Otherwise it would be of no use.
    #[test]
    fn ordinary_addresses_take_the_short_way() {
        for url in [
            "https://example/",
            "https://en.wikipedia.org/wiki/Rust_(programming_language)",
            "http://a-b.c1.example/x/y.html?lang=en&v=2#part;1",
            "https://docs.example/x%C3%BC?q=a+b,c:d@e~f!g$h*i|j[k]",
        ] {
            assert!(is_serialised(url), "{url}");
        }
    }

    /// Every character at every kind of place, in texts shorter and longer than what is looked at at once.
    #[test]
    fn what_is_rewritten_does_not_take_the_short_way() {
        for character in (0..=0x7f_u8).map(char::from) {
            for tail in ["", "/and/a/path/that/goes/on"] {
                for url in [
                    format!("https://a.example/{character}{tail}"),
                    format!("https://a.example/x{character}y{tail}"),
                    format!("https://a.example/x?y{character}z{tail}"),
                    format!("https://a.example/x#y{character}z{tail}"),
                    format!("https://a{character}b.example/{tail}"),
                    format!("https://a.b{character}{character}c.example/{tail}"),
                    format!("https://{character}a.example/{tail}"),
                    format!("https://a.example{character}/{tail}"),
                    format!("https://a.a-rather-long-host-name{character}.example/{tail}"),
                ] {
                    if is_serialised(&url) {
                        assert_eq!(Url::parse(&url).map(String::from).ok().as_ref(), Some(&url));
                    }
                }
            }
        }
    }

    #[test]
    fn long_addresses_are_no_links() {
        assert!(is_linkable(&"x".repeat(LINK_LIMIT)));
        assert!(!is_linkable(&"x".repeat(LINK_LIMIT + 1)));
    }

    #[test]
    fn hosts() {
        for (url, expected) in [
            ("https://a.example/x", "a.example"),
            ("https://a.example:8080?x", "a.example"),
            ("http://[::1]:8080/", "[::1]"),
            ("http://[::1]/", "[::1]"),
        ] {
            assert_eq!(host(url), Some(expected), "{url}");
        }
    }

    #[test]
    fn same_page() {
        for (one, other) in [
            ("https://a.example/", "https://a.example"),
            ("https://a.example/x/", "https://a.example/x"),
            ("https://a.example/x?utm_source=openai", "https://a.example/x"),
            ("https://a.example/x?a=1&utm_source=openai", "https://a.example/x?a=1"),
            ("https://a.example/x?utm_source=chatgpt.com&a=1", "https://a.example/x?a=1"),
            ("https://a.example/x#:~:text=hi", "https://a.example/x"),
            ("https://a.example/x#part:~:text=hi", "https://a.example/x#part"),
            ("https://a.example/x#", "https://a.example/x"),
            ("https://a.example/x?", "https://a.example/x"),
            ("https://a.example/x/?a=1", "https://a.example/x?a=1"),
            ("https://a.example/x/#part", "https://a.example/x#part"),
            ("https://a.example/x?a=1&&b=2&", "https://a.example/x?a=1&b=2"),
        ] {
            assert_eq!(page_key(one), page_key(other), "{one} {other}");
        }
    }

    #[test]
    fn another_page() {
        for (one, other) in [
            ("https://a.example/x", "https://a.example/X"),
            ("https://a.example/x?page=1", "https://a.example/x?page=2"),
            ("https://a.example/x?utm_source=openai2", "https://a.example/x"),
            ("https://a.example/x#one", "https://a.example/x#two"),
            ("http://a.example/", "https://a.example/"),
            ("https://a.example/x??", "https://a.example/x"),
        ] {
            assert_ne!(page_key(one), page_key(other), "{one} {other}");
        }
    }

    proptest! {
        /// `url` is the judge: whatever the short way accepts, it prints unchanged.
        #[test]
        fn the_short_way_agrees_with_the_url_crate(
            url in "https?://([a-z0-9-]{1,6}\\.){0,2}[a-z0-9-]{0,6}(:[0-9]{1,3})?/?[ -~]{0,24}"
        ) {
            if is_serialised(&url) {
                prop_assert_eq!(Url::parse(&url).map(String::from).ok(), Some(url));
            }
        }

        #[test]
        fn serialising_twice_is_serialising_once(url in "https?://[ -~é漢\u{200b}]{0,40}") {
            if let Ok(once) = link(url.into()) {
                prop_assert!(once.is_ascii());
                prop_assert_eq!(link(once.clone()), Ok(once.clone()));
                let key = page_key(&once).into_owned();
                prop_assert_eq!(page_key(&key).into_owned(), key);
            }
        }
    }
}

//! JSON that a tool hands over as text.

use serde::de::IgnoredAny;

use super::Reader;
use crate::input::json::Json;

/// More than this around the JSON, and the text is not about it.
const MOST_AROUND: usize = 300;

/// The JSON a text consists of: all of it, behind a sentence, or in a fence. Never a piece of a
/// longer text, which may be the words of a page.
pub(super) fn json(text: &str, reader: Reader) -> Option<Json<'_>> {
    // The words of a page or a file are never data, whatever they look like.
    if matches!(reader, Reader::Fetched | Reader::File | Reader::Files) {
        return None;
    }
    let whole = text.trim();
    if whole.starts_with(['{', '[']) {
        return document(whole, false);
    }
    let talks =
        !matches!(reader, Reader::Records | Reader::Search | Reader::Matches | Reader::Nodes);
    if !talks {
        return None;
    }
    fenced(whole).or_else(|| behind_a_sentence(whole))
}

/// Records that were cut off are still read up to the cut, but only where all of the text is JSON.
fn document(text: &str, closed: bool) -> Option<Json<'_>> {
    let json = Json::whole(text);
    let rest = text.get(json.end()..).unwrap_or_default();
    let is_value = json.root().is_some() && rest.trim().len() <= MOST_AROUND;
    (is_value && !is_prose(text) && !(closed && json.is_damaged())).then_some(json)
}

/// `[1] …` and `[text](…)` are prose; `[1, {}]` is a list, if that is all there is.
fn is_prose(text: &str) -> bool {
    let inside = text.get(1..).unwrap_or_default().trim_start();
    !inside.starts_with(['{', '[', '"', ']', '}'])
        && serde_json::from_str::<IgnoredAny>(text).is_err()
}

fn fenced(text: &str) -> Option<Json<'_>> {
    let (before, rest) = text.split_once("```")?;
    let (inside, after) = rest.split_once("```")?;
    let inside = inside.strip_prefix("json").unwrap_or(inside).trim();
    let around = before.len() + after.len();
    (around <= MOST_AROUND && inside.starts_with(['{', '['])).then(|| document(inside, true))?
}

fn behind_a_sentence(text: &str) -> Option<Json<'_>> {
    let start = text.find("\n{").or_else(|| text.find("\n["))?;
    let (before, inside) = text.split_at_checked(start + 1)?;
    (before.len() <= MOST_AROUND && !before.contains("://")).then(|| document(inside, true))?
}

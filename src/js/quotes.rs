//! Whether sources say what they are quoted with.

use super::give;
use super::listed_sources;
use super::markers::{Quoted, document};
use super::names::{Name, camel};
use super::node_api::{Handle, Passed, Scope};
use super::options::shown;
use super::write::Object;
use crate::anchor::{Document, Found};
use crate::clean::url::{link, page_key};
use crate::input::Key;
use crate::model::span::Positions;
use crate::model::{Location, Origin, Source};
use napi::Env;
use napi_derive::napi;

/// Looks up every quotation (`citedText`, also of repeated citations) in the document it is said to be from:
/// word for word (`exact`), but for blanks and typography (`normalized`), or not at all (`not_found`).
///
/// A document is found by the index the citation gives, else by id, address or title; a citation that fits
/// none of them is looked up in all. A quotation that was cut at 200 characters is looked up as far as it
/// goes.
///
/// @throws `TypeError` when `documents` is not a list of strings or of objects with `text`.
///
/// @example
/// ```ts
/// markers.verifyQuotes(payload, [{ title: 'My Document', text: 'The grass is green. The sky is blue.' }])
/// // [{ source: 1, citedText: 'The grass is green.', verdict: 'exact', document: 0, start: 0, end: 19 }]
/// ```
#[napi(
    namespace = "markers",
    catch_unwind,
    ts_args_type = "payload: StoredSources, documents: ReadonlyArray<string | QuotedDocument>",
    ts_return_type = "QuoteVerdict[]"
)]
pub fn verify_quotes(env: &Env, payload: Passed, documents: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let given = read(&scope, scope.take(documents))?;
    scope.rest();
    let sources = listed_sources(scope.take(payload));
    let mut shelf: Vec<_> = given.iter().map(Book::of).collect();
    let mut verdicts = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let others = source.also.iter().map(|also| Cited {
            quote: also.cited_text.as_deref(),
            location: also.location.as_ref(),
            origin: also.origin.as_deref(),
        });
        let own = Cited {
            quote: source.cited_text.as_deref(),
            location: source.location.as_ref(),
            origin: source.finding.as_ref().map(|finding| &finding.origin),
        };
        for cited in std::iter::once(own).chain(others) {
            if let Some(quote) = cited.quote {
                let found = look_up(quote, source, &cited, &mut shelf);
                verdicts.push(Verdict { number: index + 1, quote, found });
            }
        }
    }
    Ok(give(&scope, scope.array(&verdicts, |one| write_verdict(&scope, one, &shelf))))
}

fn read(scope: &Scope<'_>, documents: Handle<'_>) -> napi::Result<Vec<Quoted>> {
    let mut given = Vec::new();
    let mut odd = None;
    let is_list = documents.each(|_, item| match document(item) {
        _ if odd.is_some() => {}
        Some(one) => given.push(one),
        // Shown at once: what `each` lends must not be kept.
        None => odd = Some(shown(item)),
    });
    if is_list.is_none() {
        let value = shown(documents);
        return Err(scope.type_error(&format!("documents must be a list, got {value}")));
    }
    let hole = || (documents.length() != Some(given.len())).then(|| "null or undefined".to_owned());
    match odd.or_else(hole) {
        None => Ok(given),
        Some(value) => Err(scope
            .type_error(&format!("documents must be strings or objects with text, got {value}"))),
    }
}

/// One citation of a source.
struct Cited<'s> {
    quote: Option<&'s str>,
    location: Option<&'s Location>,
    origin: Option<&'s Origin<'s>>,
}

/// A document with its names, ready to be searched.
struct Book<'g> {
    given: &'g Quoted,
    page: Option<String>,
    document: Document<'g>,
    positions: Positions,
}

impl<'g> Book<'g> {
    fn of(given: &'g Quoted) -> Self {
        let [_, url, _] = &given.names;
        let url = url.as_deref().and_then(|url| link(url.into()).ok());
        Self {
            given,
            page: url.map(|url| page_key(&url).into_owned()),
            document: Document::new(&given.text),
            positions: Positions::of(&given.text),
        }
    }

    /// Whether it is what the call of a citation found.
    fn is_from(&self, origin: Option<&Origin<'_>>) -> bool {
        let [id, ..] = &self.given.names;
        let ids = origin.map(|origin| [origin.id.as_deref(), origin.request.as_deref()]);
        id.is_some() && ids.is_some_and(|ids| ids.contains(&id.as_deref()))
    }

    fn is_of(&self, source: &Source<'_>) -> bool {
        let [id, _, title] = &self.given.names;
        let ids = [source.file_id.as_deref(), source.uri.as_deref()];
        let page = source.url.as_deref().map(page_key);
        id.as_deref().is_some_and(|id| ids.contains(&Some(id)))
            || self.page.is_some() && self.page.as_deref() == page.as_deref()
            || title.is_some() && title.as_deref() == source.title.as_deref()
    }
}

struct Verdict<'q> {
    number: usize,
    quote: &'q str,
    /// Which document, and where in it.
    found: Option<(usize, Found)>,
}

/// Where a quotation stands: in the document the citation names, or else in any.
fn look_up(
    quote: &str,
    source: &Source<'_>,
    cited: &Cited<'_>,
    shelf: &mut [Book<'_>],
) -> Option<(usize, Found)> {
    let named = cited.location.and_then(Location::document).and_then(|at| usize::try_from(at).ok());
    let mut places: Vec<usize> = named.filter(|at| *at < shelf.len()).into_iter().collect();
    let found = |test: &dyn Fn(&Book<'_>) -> bool| -> Vec<usize> {
        (0..shelf.len()).filter(|at| shelf.get(*at).is_some_and(test)).collect()
    };
    let origin = cited.origin;
    let tests: [&dyn Fn(&Book<'_>) -> bool; 3] =
        [&|book| book.is_from(origin), &|book| book.is_of(source), &|_| true];
    for test in tests {
        if places.is_empty() {
            places = found(test);
        }
    }
    let mut best = None;
    for at in places {
        match shelf.get_mut(at).map(|book| book.document.locate(quote)) {
            Some(found @ Found::Exact(_)) => return Some((at, found)),
            Some(found @ Found::Normalised(_)) => best = best.or(Some((at, found))),
            Some(Found::NotFound) | None => {}
        }
    }
    best
}

fn write_verdict(scope: &Scope<'_>, verdict: &Verdict<'_>, shelf: &[Book<'_>]) -> Option<Passed> {
    let mut object = Object::new(scope);
    object.count(camel(Key::Source), verdict.number);
    object.text(Key::CitedText, Some(verdict.quote));
    let (name, place) = match &verdict.found {
        Some((at, Found::Exact(range))) => ("exact", Some((at, range))),
        Some((at, Found::Normalised(range))) => ("normalized", Some((at, range))),
        Some((_, Found::NotFound)) | None => ("not_found", None),
    };
    object.set(Name::Verdict.place(), scope.string(name));
    if let Some((at, range)) = place {
        let positions = &shelf.get(*at)?.positions;
        object.count(camel(Key::Document), *at);
        object.count(camel(Key::Start), positions.utf16(range.start));
        object.count(camel(Key::End), positions.utf16(range.end));
    }
    object.finish().map(Passed::from)
}

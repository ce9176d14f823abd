//! From messages to payloads and back.

use super::live::{adopted, copy, listed, live, stored};
use crate::anchor::references;
use crate::clean;
use crate::input::Key;
use crate::input::said::MOST_PLACES;
use crate::input::write::to_json;
use crate::js::given::Given;
use crate::js::names::{Name, camel};
use crate::js::node_api::{Handle, Passed, Scope};
use crate::js::write::{self, Object};
use crate::js::{give, listed_sources};
use crate::model::{Payload, Source, ascending};
use crate::openwebui::{Listing, Made, MadeDocument, Maker, list, plain_json, source_of};
use crate::render::page;
use napi::Env;
use napi_derive::napi;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// A source that was made here. The source of ours it is made of stays with it, where Open WebUI
/// keeps what it does not show.
pub(super) fn written<'s>(
    scope: &'s Scope<'s>,
    made: &Made,
    citation: Option<Handle<'s>>,
) -> Option<Handle<'s>> {
    let mut head = Object::new(scope);
    head.text(Key::Id, Some(&made.key));
    head.text(Key::Name, made.name.as_deref());
    head.text(Key::Url, made.url.as_deref());
    let mut object = Object::new(scope);
    object.set(camel(Key::Source), head.finish());
    let text = |one: &MadeDocument| scope.string(&one.text).map(Into::into);
    object.set(camel(Key::Document), scope.array(&made.documents, text));
    let places: Vec<_> = made.documents.iter().enumerate().collect();
    let metadata = scope.array(&places, |(index, document)| {
        let mut metadata = Object::new(scope);
        metadata.text(Key::Source, Some(&made.key));
        metadata.text(Key::Name, made.name.as_deref());
        metadata.text(Key::Url, made.url.as_deref());
        if let Some(page) = document.page.and_then(|page| usize::try_from(page).ok()) {
            metadata.count(camel(Key::Page), page);
        }
        metadata.set(camel(Key::Citation), citation.filter(|_| *index == 0));
        metadata.finish().map(Into::into)
    });
    object.set(camel(Key::Metadata), metadata);
    if made.documents.iter().any(|document| document.score.is_some()) {
        let distance = |one: &MadeDocument| {
            one.score.map_or_else(|| scope.null(), |score| scope.number(score)).map(Into::into)
        };
        object.set(camel(Key::Distances), scope.array(&made.documents, distance));
    }
    object.finish()
}

/// The longest source that is sent as it is, in bytes of its JSON.
const MOST_SENT: usize = 1 << 24;

/// A source as JSON. One that JavaScript cannot write in bounds, since it holds itself, unfolds without an
/// end or throws, is written by what is known of it: left out, it would move up those behind it.
pub(super) fn json(source: Handle<'_>) -> String {
    let bounded = to_json(Given::Live(source), MOST_SENT).is_some();
    let written = bounded.then(|| stringified(source)).flatten();
    let written = written.filter(|json| json.starts_with('{'));
    written.unwrap_or_else(|| plain_json(Given::Live(source)))
}

/// What `JSON.stringify` makes of a value.
fn stringified(value: Handle<'_>) -> Option<String> {
    let json = value.scope.global()?.property_named("JSON")?;
    json.call_with(json.property_named("stringify")?, &[value.raw])?.whole_text()
}

/// A message as a payload: `answer` is its content, `sources` are those of `listSources` under the same
/// numbers, and `cited` those that a marker of the content names.
///
/// A source has the name as `title`, the address as `url`, the first document as `citedText` and the others in
/// `also`, each on one line and up to 10,000 characters long, so that `renderAnswerHtml` can show them whole; the
/// first page as `pageNumber`, all pages and scores in `metadata`. What was made by `fromPayload` is the source it
/// was made of. `openWebui` is the very message, so that `fromPayload` loses nothing.
///
/// @example
/// ```ts
/// renderCitationBlock(openWebui.toPayload(message))
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_generic_types = "Message extends object | string",
    ts_args_type = "message: Message",
    ts_return_type = "TurnPayload & { openWebui?: Message extends string | Uint8Array ? OpenWebuiMessage : Message }"
)]
pub fn to_payload(env: &Env, message: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let message = live(&scope, scope.take(message));
    let found = message.and_then(|message| adopted(&scope, listed(&scope, message)?));
    let listing = found.map(|found| list(Given::Live(found))).unwrap_or_default();
    let payload = payload_of(message, &listing);
    let made = write::payload(&scope, &payload);
    if let Some((made, message)) = made.zip(message.filter(|message| !message.is_array())) {
        made.define(Name::OpenWebui.place(), message);
    }
    Ok(give(&scope, made))
}

fn payload_of(message: Option<Handle<'_>>, listing: &Listing) -> Payload {
    let content = message.and_then(|message| message.property(camel(Key::Content)));
    let answer = content.and_then(Handle::text).unwrap_or_default();
    let sources = payload_sources(listing, page::EXCERPT_LIMIT);
    let cited = references(&answer, &sources).into_iter().flat_map(|one| one.numbers);
    Payload { sources, cited: ascending(cited), answer, ..Payload::default() }
}

/// A payload as a message: a copy of `message`, or of the one the payload came from, with the `answer` as
/// `content` and the sources in the form of Open WebUI.
///
/// Sources that the message had already are put back as they were, with all they carry; new ones are made,
/// with the whole source of ours in `metadata[0].citation`, which Open WebUI keeps and does not show. The order
/// is that of the payload, so its numbers hold; sources that it does not have any more go.
///
/// @example
/// ```ts
/// openWebui.fromPayload(turn.finish(), { id, role: 'assistant' })
/// // { id, role: 'assistant', content: '…', sources: [{ source: …, document: […], metadata: […] }] }
/// openWebui.fromPayload(openWebui.toPayload(message))   // the same again
/// ```
#[napi(
    namespace = "openWebui",
    catch_unwind,
    ts_generic_types = "Message extends object = OpenWebuiMessage",
    ts_args_type = "payload: OpenWebuiPayloadInput, message?: Message | null",
    ts_return_type = "Message & OpenWebuiMessage"
)]
pub fn from_payload(env: &Env, payload: Passed, message: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let payload = live(&scope, scope.take(payload));
    let given = live(&scope, scope.take(message)).filter(|message| !message.is_array());
    let carried = payload.and_then(|payload| payload.property(Name::OpenWebui.place()));
    let carried = carried.filter(|carried| carried.is_object() && !carried.is_array());
    let base = given.or(carried);
    let original = given.and_then(stored).or_else(|| carried.and_then(stored));
    let made = copy(&scope, base).and_then(|made| {
        let Some(payload) = payload else { return Some(made) };
        fill_content(made, base, payload)?;
        let sources = restored(&scope, payload, original)?;
        let some = original.is_some() || base.is_none() || sources.length()? > 0;
        some.then(|| made.define(camel(Key::Sources), sources));
        Some(made)
    });
    Ok(give(&scope, made))
}

/// Sets the content to the answer, unless that is what it says.
fn fill_content(message: Handle<'_>, base: Option<Handle<'_>>, payload: Handle<'_>) -> Option<()> {
    let Some(answer) = payload.property(camel(Key::Answer)).filter(|answer| answer.is_string())
    else {
        return Some(());
    };
    let content = base.and_then(|base| base.property(camel(Key::Content))).and_then(Handle::text);
    let same = base.is_some() && content.unwrap_or_default() == answer.text().unwrap_or_default();
    if same { Some(()) } else { message.define(camel(Key::Content), answer) }
}

/// The sources of a listing, as a payload has them.
fn payload_sources(listing: &Listing, excerpt: usize) -> Vec<Source<'static>> {
    listing.entries.iter().map(|entry| source_of(entry, excerpt)).collect()
}

/// What tells a source of a payload from the others, as far as it survives being stored.
fn identity(source: &Source<'_>) -> String {
    let id = source.finding.as_deref().and_then(|finding| finding.origin.id.as_deref());
    let address = source.url.as_deref().or(source.uri.as_deref());
    match id.or(address).or(source.file_id.as_deref()) {
        Some(name) => name.to_owned(),
        None => format!("{:?} {:?} {:?}", source.title, source.cited_text, source.location),
    }
}

/// The sources of a payload in the form of Open WebUI. Those the message had already come back as they
/// were there; the order is that of the payload, so that its numbers hold.
fn restored<'s>(
    scope: &'s Scope<'s>,
    payload: Handle<'s>,
    original: Option<Handle<'s>>,
) -> Option<Handle<'s>> {
    let mut wanted = listed_sources(payload);
    while wanted.pop_if(|last| last.is_blank()).is_some() {}
    let known = original.and_then(|list| adopted(scope, list));
    let listing = known.map(|known| list(Given::Live(known))).unwrap_or_default();
    // Cut as those of the payload are.
    let names = payload_sources(&listing, clean::EXCERPT_LIMIT);
    let names: Vec<_> = names.iter().map(identity).collect();
    let wanted: Vec<_> = wanted.iter().map(|source| (identity(source), source)).collect();
    let mut maker = Maker::default();
    listing.entries.iter().for_each(|entry| maker.take(&entry.key));
    let given = listed(scope, payload);
    let mut make = |index: usize, source: &Source<'_>| {
        written(scope, &maker.make(source), given.and_then(|list| list.item(index)))
    };
    let mut out = Vec::new();
    // A payload is read for so many places and no more; a message may have more.
    let unchanged = names.len().min(MOST_PLACES) <= wanted.len()
        && names.iter().zip(&wanted).all(|(name, (wanted, _))| name == wanted);
    if unchanged {
        for (index, (_, source)) in wanted.iter().enumerate().skip(names.len()) {
            out.extend(make(index, source));
        }
        let new = scope.list(&out)?;
        return scope.joined(&original.into_iter().chain([new]).collect::<Vec<_>>());
    }
    let known = known?;
    let mut entries: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (index, name) in names.iter().enumerate() {
        entries.entry(name).or_default().push_back(index);
    }
    let pieces = Pieces::of(&listing);
    for (index, (name, source)) in wanted.iter().enumerate() {
        match entries.get_mut(name.as_str()).and_then(VecDeque::pop_front) {
            None => out.extend(make(index, source)),
            Some(entry) => out.extend(pieces.of_entry(scope, known, entry)),
        }
    }
    out.extend(pieces.of_nobody(known));
    scope.list(&out)
}

/// Which documents of which source belong to which entry.
struct Pieces {
    /// By entry, then by source.
    documents: Vec<BTreeMap<usize, Vec<usize>>>,
    /// How many documents each source has.
    counts: HashMap<usize, usize>,
    /// Sources with documents that have a number.
    numbered: HashSet<usize>,
}

impl Pieces {
    fn of(listing: &Listing) -> Self {
        let mut pieces =
            Self { documents: Vec::new(), counts: HashMap::new(), numbered: HashSet::new() };
        // Documents without a number stay with the first of their source that has one.
        let mut first: HashMap<usize, usize> = HashMap::new();
        for (entry, listed) in listing.entries.iter().enumerate() {
            let mut own: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for document in &listed.documents {
                let (source, place) = document.at;
                own.entry(source).or_default().push(place);
                *pieces.counts.entry(source).or_default() += 1;
                pieces.numbered.insert(source);
                first.entry(source).or_insert(entry);
            }
            pieces.documents.push(own);
        }
        for (source, place) in &listing.unlisted {
            *pieces.counts.entry(*source).or_default() += 1;
            let entry = first.get(source).and_then(|entry| pieces.documents.get_mut(*entry));
            if let Some(places) = entry.and_then(|entry| entry.get_mut(source)) {
                places.push(*place);
                places.sort_unstable();
            }
        }
        pieces
    }

    /// The sources of an entry: whole ones as they are, of others a copy with its documents alone.
    fn of_entry<'s>(
        &self,
        scope: &'s Scope<'s>,
        known: Handle<'s>,
        entry: usize,
    ) -> Vec<Handle<'s>> {
        let piece = |(source, documents): (&usize, &Vec<usize>)| {
            let item = known.item(*source)?;
            if self.counts.get(source) == Some(&documents.len()) {
                return Some(item);
            }
            let copy = item.copied(None)?;
            for key in [Key::Document, Key::Metadata, Key::Distances].map(camel) {
                if let Some(whole) = item.property(key).filter(|list| list.is_array()) {
                    let part =
                        scope.array(documents, |index| whole.any_item(*index).map(Into::into));
                    copy.define(key, part?)?;
                }
            }
            Some(copy)
        };
        let own = self.documents.get(entry);
        own.into_iter().flatten().filter_map(piece).collect()
    }

    /// The sources nobody counts.
    fn of_nobody<'s>(&self, known: Handle<'s>) -> Vec<Handle<'s>> {
        let length = known.length().unwrap_or_default().min(crate::input::value::MOST_ITEMS);
        let rest = (0..length).filter(|index| !self.numbered.contains(index));
        rest.filter_map(|index| known.item(index)).collect()
    }
}

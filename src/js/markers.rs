//! Markers of an answer: found, rewritten, checked. The namespace `markers`.

use super::front::{PushingText, know};
use super::given::{Given, open_for};
use super::names::{Name, camel};
use super::node_api::{Handle, Insides, Passed, Receiver, Scope};
use super::numbered::Number;
use super::options::{Chosen, shown};
use super::turn::word;
use super::write::{self, Object};
use super::{give, read_payload};
use crate::anchor::marker::{
    self, Dangling, Dialect, Format, Marker, MarkerStream as Stream, Options, Sources,
};
use crate::anchor::{insert_markers, references};
use crate::clean;
use crate::input::payload::read_source;
use crate::input::{Detail, Key, Value};
use crate::model::span::Positions;
use crate::model::{Payload, Text, ascending};
use crate::render;
use napi::Env;
use napi::bindgen_prelude::This;
use napi_derive::napi;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Every marker of an answer, in every dialect models write: `[1]`, `[2, 3]`, `[1-3]`, `[[1]]`, `[^1]`,
/// `【1†source】`, `［1］`, `¹`, and OpenAI's private-use form.
///
/// Never in code (fenced, indented, inline), links, images, definitions or HTML; CommonMark says what those
/// are, also while a fence is still open. A bracket right behind a word is a citation in `Paris[1].` and none
/// in `arr[0][1] = 2` or `a[1].x`: a blank, the end, another marker or the punctuation of a sentence must
/// follow, and where `sources` are given every number must name one of them. 0 is never a citation. The list
/// has at most 1,048,576 markers, the first ones.
///
/// @throws `TypeError` when `text` is no string.
///
/// @example
/// ```ts
/// markers.parseMarkers('Paris [1] and `a[1]`.')
/// // [{ start: 6, end: 9, text: '[1]', numbers: [1], dialect: 'brackets' }]
/// ```
#[napi(
    namespace = "markers",
    catch_unwind,
    ts_args_type = "text: string, sources?: StoredSources",
    ts_return_type = "CitationMarker[]"
)]
pub fn parse_markers(env: &Env, text: Passed, sources: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let text = word(&scope, "text", scope.take(text))?;
    let sources = scope.take(sources);
    let known = Known::of(sources, false).count;
    let positions = Positions::of(&text);
    let mut found = marker::parse(&text, known);
    found.truncate(MOST_MARKERS);
    let list = scope.array(&found, |one| write_marker(&scope, one, &text, &positions));
    Ok(give(&scope, list))
}

/// Each becomes objects that take a hundred times the room of `[1]`.
const MOST_MARKERS: usize = 1 << 20;

fn write_marker(
    scope: &Scope<'_>,
    marker: &Marker,
    text: &str,
    positions: &Positions,
) -> Option<Passed> {
    let mut object = Object::new(scope);
    object.count(camel(Key::Start), positions.utf16(marker.range.start));
    object.count(camel(Key::End), positions.utf16(marker.range.end));
    object.text(Key::Text, text.get(marker.range.clone()));
    object.set(Name::Numbers.place(), write::numbers(scope, &marker.numbers));
    if !marker.ids.is_empty() {
        let ids = scope.array(&marker.ids, |source| {
            let mut object = Object::new(scope);
            object.text(Key::Id, Some(&source.id));
            object.text(Key::Lines, source.lines.as_deref());
            object.finish().map(Passed::from)
        });
        object.set(Name::Ids.place(), ids);
    }
    object.text(Key::Lines, marker.lines.as_deref());
    let dialect = match marker.dialect {
        Dialect::Brackets => "brackets",
        Dialect::Footnote => "footnote",
        Dialect::Lenticular => "lenticular",
        Dialect::FullWidth => "full-width",
        Dialect::PrivateUse => "private-use",
        Dialect::Superscript => "superscript",
    };
    object.set(Name::Dialect.place(), scope.string(dialect));
    object.finish().map(Passed::from)
}

/// What markers of an answer may name.
struct Known {
    /// `None`: nobody said.
    count: Option<usize>,
    ids: HashMap<String, usize>,
    targets: Vec<Option<String>>,
}

impl Known {
    /// Reads of a payload what markers may ask for: `targets` only if links are written.
    fn of(payload: Handle<'_>, links: bool) -> Self {
        let mut known = Self { count: None, ids: HashMap::new(), targets: Vec::new() };
        open_for(payload, Detail::Whole, |given| {
            let list = given.get(Key::Sources).unwrap_or(given);
            let mut count = 0;
            list.each(|index, source| {
                count = index + 1;
                known.name(source, count);
                if links {
                    known.targets.resize(index, None);
                    known.targets.push(target(source));
                }
            });
            known.count = Some(count);
        });
        known
    }

    /// Takes the ids of a source: its own, its file's, and those under which it was found again.
    fn name(&mut self, source: Given<'_>, number: usize) {
        let ids = [Key::Id, Key::FileId].into_iter().filter_map(|key| source.text_at(key));
        let mut ids: Vec<_> = ids.map(Text::into_owned).collect();
        if let Some(also) = source.get(Key::Also) {
            also.each(|_, mention| ids.extend(mention.text_at(Key::Id).map(Text::into_owned)));
        }
        for id in ids {
            self.ids.entry(id).or_insert(number);
        }
    }
}

/// The address of a source, cleaned and ready for a link.
fn target(source: Given<'_>) -> Option<String> {
    let mut source = read_source(source).into_owned();
    clean::source(&mut source);
    source.url.as_deref().map(render::link_target)
}

impl Sources for Known {
    fn count(&self) -> Option<usize> {
        self.count
    }

    fn number(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    fn target(&self, number: usize) -> Option<Cow<'_, str>> {
        let target = number.checked_sub(1).and_then(|index| self.targets.get(index))?;
        target.as_deref().map(Cow::Borrowed)
    }
}

fn options(chosen: Chosen<'_>) -> napi::Result<Options> {
    const FORMATS: [(&str, Format); 5] = [
        ("brackets", Format::Brackets),
        ("superscript", Format::Superscript),
        ("inline-links", Format::InlineLinks),
        ("footnotes", Format::Footnotes),
        ("remove", Format::Remove),
    ];
    const DANGLING: [(&str, Dangling); 3] =
        [("keep", Dangling::Keep), ("strip", Dangling::Strip), ("flag", Dangling::Flag)];
    Ok(Options {
        format: chosen.word(Name::Format, &FORMATS, Format::default())?,
        dangling: chosen.word(Name::Dangling, &DANGLING, Dangling::default())?,
        renumber: chosen.flag(Name::Renumber, false)?,
    })
}

fn known(payload: Handle<'_>, options: Options) -> Known {
    Known::of(payload, options.format == Format::InlineLinks)
}

/// Old numbers to new ones.
fn write_order<'s>(scope: &'s Scope<'s>, order: &[usize]) -> Option<Handle<'s>> {
    let pairs: Vec<_> =
        (1..).zip(order).map(|(new, old): (usize, _)| format!("\"{old}\":{new}")).collect();
    write::parsed(scope, &format!("{{{}}}", pairs.join(",")))
}

/// An answer with all its markers in one dialect. Text inside code, links and definitions comes back byte
/// for byte.
///
/// `payload` says which sources there are: numbers beyond them are dangling. With `renumber`, sources
/// are numbered in the order they are cited, and `numbers` maps old numbers to new ones.
///
/// @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
///
/// @example
/// ```ts
/// markers.formatMarkers('Yes 【2†source】 and [7].', payload, { dangling: 'flag' }).text   // 'Yes [2] and [7?].'
/// markers.formatMarkers('Yes [3], no [1].', payload, { renumber: true })
/// // { text: 'Yes [1], no [2].', numbers: { 3: 1, 1: 2 } }
/// markers.formatMarkers('Yes [3], no [1].', payload, { format: 'remove' }).text            // 'Yes, no.'
/// ```
#[napi(
    namespace = "markers",
    catch_unwind,
    ts_args_type = "text: string, payload?: StoredSources | null, options?: FormatMarkersOptions",
    ts_return_type = "FormattedMarkers"
)]
pub fn format_markers(
    env: &Env,
    text: Passed,
    payload: Passed,
    options: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let options = self::options(Chosen::from(&scope, scope.take(options))?)?;
    let given = scope.take(text);
    let text = word(&scope, "text", given)?;
    let known = known(scope.take(payload), options);
    let formatted = marker::format_in(scope.room(), &text, known, options);
    let mut object = Object::new(&scope);
    object.set(camel(Key::Text), scope.string_or(given, &text, &formatted.text));
    object.set(Name::Numbers.place(), write_order(&scope, &formatted.order));
    scope.keep_room(formatted.text);
    Ok(give(&scope, object.finish()))
}

/// The same for an answer that comes in pieces. What `push` and `finish` give, put together, is what
/// `formatMarkers` makes of the whole, however it is cut. As little as possible is held back: text from the
/// first thing that may still become a marker on, at most 64 characters of it (4 kB in OpenAI's
/// private-use form); behind a backtick or bracket that may still turn out to open code or a link, what
/// follows the first marker, at most 4 kB. Numbers that were shown never change.
///
/// @example
/// ```ts
/// const stream = new markers.MarkerStream(payload, { format: 'superscript' })
/// for await (const delta of deltas) write(stream.push(delta))
/// write(stream.finish())
/// ```
#[napi(namespace = "markers")]
#[repr(transparent)]
pub struct MarkerStream {
    insides: Insides<Rc<Streaming>>,
}

/// The insides of a stream.
pub(super) struct Streaming {
    stream: RefCell<Stream<Known>>,
    /// The first half of a character whose second has not come.
    half: Cell<Option<u16>>,
    /// What its front knows it by.
    number: Number,
}

impl Streaming {
    /// Takes the next piece of an answer and gives what can be shown now.
    pub(super) fn push(&self, scope: &Scope<'_>, delta: Handle<'_>) -> napi::Result<Passed> {
        let mut piece = scope.room();
        let whole = delta.append_after(&self.half, &mut piece).ok_or_else(|| {
            let value = shown(delta);
            scope.type_error(&format!("delta must be a string, got {value}"))
        })?;
        let mut stream = self.stream.borrow_mut();
        let ready = stream.push(&piece);
        let made = if whole { scope.string_or(delta, &piece, ready) } else { scope.string(ready) };
        scope.keep_room(piece);
        Ok(give(scope, made))
    }
}

type Own = Receiver<MarkerStream>;

#[napi(namespace = "markers")]
impl MarkerStream {
    /// @throws `TypeError` when an option has a value it cannot have.
    #[napi(
        constructor,
        catch_unwind,
        ts_args_type = "payload?: StoredSources | null, options?: FormatMarkersOptions"
    )]
    pub fn new(env: &Env, payload: Passed, options: Passed) -> napi::Result<Self> {
        let scope = Scope::enter(env)?;
        let options = self::options(Chosen::from(&scope, scope.take(options))?)?;
        let known = known(scope.take(payload), options);
        let stream = RefCell::new(Stream::new(known, options));
        let (half, number) = (Cell::default(), Number::default());
        Ok(Self { insides: Insides::new(Rc::new(Streaming { stream, half, number })) })
    }

    /// Takes the next piece of the answer and gives what can be shown now.
    ///
    /// @throws `TypeError` when `delta` is no string.
    #[napi(catch_unwind, ts_args_type = "delta: string", ts_return_type = "string")]
    pub fn push(&self, env: &Env, this: This<Own>, delta: Passed) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        scope.open_front::<PushingText>();
        let object = scope.this(&this);
        let held = self.insides.of(&scope, this)?;
        know(object, held, &held.number);
        held.push(&scope, scope.take(delta))
    }

    /// What was held back, when nothing follows.
    #[napi(catch_unwind, ts_args_type = "", ts_return_type = "string")]
    pub fn finish(&self, env: &Env, this: This<Own>) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        let mut stream = held.stream.borrow_mut();
        let half = held.half.take().map(|_| stream.push("\u{fffd}").to_owned());
        let text = half.unwrap_or_default() + stream.finish();
        Ok(give(&scope, scope.string(&text)))
    }

    /// With `renumber`: old numbers to new ones, as far as sources were cited.
    #[napi(getter, catch_unwind, ts_return_type = "Record<number, number>")]
    pub fn numbers(&self, env: &Env, this: This<Own>) -> napi::Result<Passed> {
        let scope = Scope::enter(env)?;
        let held = self.insides.of(&scope, this)?;
        // A copy: what runs while it is made may push.
        let order = held.stream.borrow().order().to_owned();
        let made = write_order(&scope, &order);
        Ok(give(&scope, made))
    }
}

/// What lands on a clipboard: the answer with its markers as `[n]`, and below it a plain list of the sources
/// it cites, or of all where it cites none. An answer without markers gets them from the spans of the
/// payload. Its other text stays as it was given, control characters included; that of sources is cleaned.
///
/// @throws `TypeError` when `text` is no string.
///
/// @example
/// ```ts
/// markers.copyText('Yes 【1†source】.', payload)
/// // Yes [1].
/// //
/// // Sources:
/// // [1] History of Rust — https://en.example/rust
/// ```
#[napi(
    namespace = "markers",
    catch_unwind,
    ts_args_type = "text: string, payload: CitationPayload | TurnPayload | StoredCitationData | string | Uint8Array",
    ts_return_type = "string"
)]
pub fn copy_text(env: &Env, text: Passed, payload: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let text = word(&scope, "text", scope.take(text))?;
    let payload = scope.take(payload);
    let Payload { sources, mut anchors, cited, .. } = read_payload(payload, clean::EXCERPT_LIMIT);
    let pointed = references(&text, &sources);
    let marked = if pointed.is_empty() {
        insert_markers(&text, &anchors, "")
    } else {
        anchors.clear();
        marker::format(&text, known(payload, Options::default()), Options::default()).text
    };
    let numbers = pointed.into_iter().flat_map(|one| one.numbers);
    let spanned = anchors.into_iter().flat_map(|span| span.sources);
    let numbers = ascending(numbers.chain(spanned).chain(cited));
    let mut list = render::number(&sources, &[]);
    list.retain(|entry| {
        !entry.source.is_blank()
            && (numbers.is_empty() || numbers.binary_search(&entry.number).is_ok())
    });
    Ok(give(&scope, scope.string(&render::copy(&marked, &list))))
}

/// A document: its text, and what it is called.
pub(super) fn document(value: Handle<'_>) -> Option<Quoted> {
    let text = value.text().or_else(|| value.property(camel(Key::Text))?.text())?;
    let named = |key: Key| value.property(camel(key)).and_then(Handle::text);
    Some(Quoted { text, names: [Key::Id, Key::Url, Key::Title].map(named) })
}

/// A document to look quotations up in.
pub(super) struct Quoted {
    pub(super) text: String,
    /// Id, address, title.
    pub(super) names: [Option<String>; 3],
}

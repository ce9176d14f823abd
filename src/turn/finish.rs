//! From what was said to what is shown: numbers, spans, reports.

use super::ledger::Ledger;
use super::record::{Call, Record};
use crate::anchor::{Placed, Placer, marker};
use crate::clean::text;
use crate::dedupe::{first_of_document, first_seen, merge};
use crate::documents::{Documents, Shelf};
use crate::input::Shape;
use crate::input::said::{PartId, Place, Proof, Span};
use crate::model::span::{Positions, floor};
use crate::model::{Anchor, Code, Diagnostics, Grounding, Payload, Source, ascending};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// What a turn knows besides what was said in it.
pub(super) struct Context<'t> {
    pub(super) ledger: &'t Ledger,
    pub(super) request: &'t Documents,
    /// Whether passages of one document are one source.
    pub(super) grouped: bool,
}

/// The documents of the request, and behind them those that the model fetched.
pub(super) fn shelf<'t>(record: &'t Record, request: &'t Documents) -> Shelf<'t> {
    let fetched = record.calls.iter().flat_map(|call| call.fetched.values());
    Shelf::new(request, fetched, &record.finds)
}

/// Reports citations whose place holds other words than they quote.
fn check_quotes(record: &Record, shelf: &mut Shelf<'_>, reports: &mut Diagnostics) {
    for cited in record.calls.iter().flat_map(|call| call.cited.values()) {
        if shelf.is_quoted(&cited.source) == Some(false) {
            let quote = cited.source.cited_text.as_deref().unwrap_or_default();
            reports.report(Code::QuoteDiffers, || text::line(quote.into(), 40).into_owned());
        }
    }
}

/// The payload of a record. `given` is the answer as the host has it; without it, the text that was
/// heard is the answer.
pub(super) fn finish(record: &Record, context: &Context<'_>, given: Option<&str>) -> Payload {
    let mut diagnostics = record.diagnostics.clone();
    let (mut sources, numbers) = number(record, context);
    let mut shelf = shelf(record, context.request);
    check_quotes(record, &mut shelf, &mut diagnostics);
    shelf.complete(&mut sources);
    let heard: String = record.calls.iter().map(Call::text).collect();
    let given = given.filter(|given| *given != heard);
    let mut placing = Placing {
        given: given.map(Placer::new),
        ahead: given.and_then(|given| given.strip_suffix(heard.as_str())),
        is_tail: false,
        heard: &heard,
        together: given.map_or((0, 0), |given| meet(&heard, given)),
        found: Vec::new(),
    };
    let (mut base, mut lists, mut before) = (0, 0, None);
    for (call, numbers) in record.calls.iter().zip(&numbers) {
        let text = Heard::of(call, base, joined(call, base, before, &heard));
        placing.call(call, text, lists, numbers, &mut diagnostics);
        before = Before::of(call, base, before);
        lists += call.list.len();
        base += call.parts.values().map(|part| part.text.len()).sum::<usize>();
    }
    let found = placing.found;
    let answer = given.unwrap_or(&heard);
    let sources: Vec<_> = sources.into_iter().map(Cow::into_owned).collect();
    let anchors = anchors(found, answer, &mut diagnostics);
    let cited = cited(answer, &anchors, sources.len());
    let diagnostics = diagnostics.into_list();
    let grounding = grounding(record);
    Payload { answer: answer.to_owned(), sources, anchors, cited, diagnostics, grounding }
}

/// The sources of a record, repeats included.
pub(super) fn sources(record: &Record) -> Vec<Listed<'_>> {
    record.calls.iter().flat_map(Call::sources).map(Cow::Borrowed).collect()
}

/// The same, each once, in the order of their numbers.
pub(super) fn numbered<'t>(record: &'t Record, context: &Context<'t>) -> Vec<Listed<'t>> {
    let mut sources = number(record, context).0;
    shelf(record, context.request).complete(&mut sources);
    sources
}

/// A source with all that is known of it. Most are as they were heard.
pub(super) type Listed<'t> = Cow<'t, Source<'static>>;

/// Of one call, the number of each place of its list and of each citation.
struct Numbers {
    list: Vec<Option<usize>>,
    cited: Vec<usize>,
}

/// Lists every source once and says which number each mention of it has.
fn number<'t>(record: &'t Record, context: &Context<'t>) -> (Vec<Listed<'t>>, Vec<Numbers>) {
    let sealed = context.ledger.sources();
    let heard = record.calls.iter().flat_map(Call::sources);
    let all: Vec<_> = sealed.iter().chain(heard).collect();
    let first =
        if context.grouped { first_of_document(&all, sealed.len()) } else { first_seen(&all) };
    let (mut listed, numbers) = merge(all.into_iter().map(Cow::Borrowed), &first);
    if context.grouped {
        listed.iter_mut().map(Cow::to_mut).for_each(keep_passages_once);
    }
    let mut rest = numbers.into_iter().skip(sealed.len());
    let mut next = || rest.next().unwrap_or_default();
    let calls = record.calls.iter().map(|call| {
        let list = call.list.iter().map(|source| source.as_ref().map(|_| next())).collect();
        let cited = call.cited.values().map(|_| next()).collect();
        let _ = call.unnamed().map(|_| next()).count();
        Numbers { list, cited }
    });
    let calls = calls.collect();
    (listed, calls)
}

/// What the providers' own searches came to.
fn grounding(record: &Record) -> Grounding {
    let sum = |count: fn(&Call) -> usize| record.calls.iter().map(count).sum();
    let provider = match record.shape {
        Some(Shape::Gemini | Shape::Interactions) => Some("gemini"),
        Some(Shape::OpenAi | Shape::Chat) => Some("openai"),
        Some(Shape::Anthropic) => Some("anthropic"),
        _ => None,
    };
    Grounding {
        provider: provider.map(str::to_owned),
        model: record.model.clone(),
        queries: record.calls.iter().flat_map(|call| call.queries.iter().cloned()).collect(),
        tool_calls: sum(|call| match call.searches.len() {
            0 => call.queries.len(),
            searches => searches,
        }),
        chunks: sum(|call| call.list.iter().flatten().count() + call.cited.len()),
        supports: sum(|call| call.supports.len() + call.cited.len()),
    }
}

/// The numbers that a span or a marker of the answer points at, ascending.
fn cited(answer: &str, anchors: &[Anchor], count: usize) -> Vec<usize> {
    if count == 0 {
        return Vec::new();
    }
    let markers = marker::parse(answer, Some(count));
    let marked = markers.iter().flat_map(|marker| &marker.numbers);
    let spanned = anchors.iter().flat_map(|anchor| &anchor.sources);
    ascending(marked.chain(spanned).copied().filter(|number| *number <= count))
}

/// Of the passages that were folded into one source, each once.
fn keep_passages_once(source: &mut Source<'static>) {
    let mut seen = HashSet::new();
    source.also.retain(|also| seen.insert(format!("{also:?}")));
}

/// A span of the answer, in bytes, with the numbers it leans on.
struct Found {
    range: Range<usize>,
    leans: Leans,
}

/// What a span leans on.
struct Leans {
    numbers: Vec<usize>,
    /// Places in the providers' lists, one behind the other, with their numbers.
    listed: Vec<(usize, usize)>,
    confidence: Option<f64>,
}

/// Calls without an id, one behind the other. They may be one that a proxy ends in every event.
#[derive(Clone, Copy)]
struct Before {
    /// Where the first of them starts in the answer.
    start: usize,
    /// Whether any of them has spans.
    cites: bool,
}

impl Before {
    /// The same with `call`, which starts at `base`, behind them.
    fn of(call: &Call, base: usize, before: Option<Self>) -> Option<Self> {
        let Self { start, cites } = before.unwrap_or(Self { start: base, cites: false });
        let cites = cites || call.spans().next().is_some();
        (call.ended && !call.named).then_some(Self { start, cites })
    }
}

/// Where the spans of a call count from, if that is not its own start: where one of them cannot lie in its own text,
/// but all fit that of the calls before joined with it. Without quotations that proves nothing if those cite as well.
fn joined(call: &Call, base: usize, before: Option<Before>, heard: &str) -> Option<usize> {
    let Before { start, cites } = before.filter(|_| !call.named)?;
    let end = base + call.parts.values().map(|part| part.text.len()).sum::<usize>();
    let (own, all) = (heard.get(base..end)?, heard.get(start..end)?);
    let is_quoted = |span: &Span<'_>| matches!(span.proof, Proof::Quote(_));
    let fits_all = call.spans().all(|span| (is_quoted(span) || !cites) && fits(span, all));
    // One that only ends too far, or cuts a character, is as likely a little off.
    let is_elsewhere = |span: &Span<'_>| match span.bytes() {
        Some(range) if !is_quoted(span) => range.start >= own.len(),
        _ => !fits(span, own),
    };
    (fits_all && call.spans().any(is_elsewhere)).then_some(start)
}

/// Whether a span that counts over all text of a call lies in `text`, and holds what it quotes.
fn fits(span: &Span<'_>, text: &str) -> bool {
    let words = span.bytes().and_then(|range| text.get(range)).filter(|words| !words.is_empty());
    words.is_some_and(|words| match &span.proof {
        Proof::Quote(quote) => words == quote,
        Proof::Link(_) | Proof::None => true,
    })
}

/// Places the spans of all calls in one answer.
struct Placing<'t> {
    /// The host's answer, where it is not what was heard.
    given: Option<Placer<'t>>,
    /// What it has before what was heard, if that is its end. Asked once: both may be long.
    ahead: Option<&'t str>,
    /// Whether the spans of this call count from the start of it.
    is_tail: bool,
    heard: &'t str,
    /// Places in what was heard and in the host's answer where both last said the same.
    together: (usize, usize),
    found: Vec<Found>,
}

impl Placing<'_> {
    /// `lists` is how many places the lists of earlier calls have.
    fn call(
        &mut self,
        call: &Call,
        mut heard: Heard<'_>,
        lists: usize,
        numbers: &Numbers,
        reports: &mut Diagnostics,
    ) {
        self.is_tail = self.ahead.is_some_and(|ahead| is_tail(call, &mut heard, ahead));
        for support in &call.supports {
            let number = |index: &usize| numbers.list.get(*index).copied().flatten();
            let listed: Vec<_> = support.listed.iter().filter_map(number).collect();
            for index in support.listed.iter().filter(|index| number(index).is_none()) {
                reports.report(Code::SourceNotListed, || format!("list index {index}"));
            }
            if !listed.is_empty() {
                let place = |at: &usize| number(at).map(|number| (lists + at, number));
                let places = support.listed.iter().filter_map(place);
                let leans = Leans {
                    numbers: listed,
                    listed: places.collect(),
                    confidence: support.confidence,
                };
                self.span(&support.span, &mut heard, leans, reports);
            }
        }
        for (cited, number) in call.cited.values().zip(&numbers.cited) {
            if let Some(span) = &cited.span {
                let leans = Leans { numbers: vec![*number], listed: Vec::new(), confidence: None };
                self.span(span, &mut heard, leans, reports);
            }
        }
    }

    fn span(
        &mut self,
        span: &Span<'_>,
        heard: &mut Heard<'_>,
        leans: Leans,
        reports: &mut Diagnostics,
    ) {
        match self.locate(span, heard) {
            Some(Placed { range, moved, .. }) => {
                if moved {
                    reports.report(Code::SpanMoved, || describe(span.place));
                }
                self.found.push(Found { range, leans });
            }
            None => reports.report(Code::SpanLost, || describe(span.place)),
        }
    }

    /// Where it was heard for sure, carried over to the host's answer by its words; else in the host's
    /// answer, if that is what the provider counted in.
    fn locate(&mut self, span: &Span<'_>, heard: &mut Heard<'_>) -> Option<Placed> {
        let held = heard.place(span);
        if self.given.is_none() {
            return held;
        }
        let is_tail = self.is_tail;
        let sure = held.as_ref().filter(|held| held.proven && !held.moved);
        let carried = |placing: &mut Self| held.as_ref().and_then(|held| placing.carried(held));
        // Where the words are gone, others at that place are none.
        let is_defended = |direct: &Placed| direct.proven || held.is_none();
        if sure.is_some() && !is_tail {
            let carried = carried(self);
            return carried.or_else(|| self.direct(span, heard.base).filter(is_defended));
        }
        let direct = self.direct(span, heard.base);
        let fits = direct.as_ref().is_some_and(|direct| {
            // An address may stand in both places, but then with other words around it.
            let agrees = sure.is_none_or(|held| self.is_same(direct, held));
            !direct.moved && (direct.proven || is_tail) && agrees
        });
        if fits { direct } else { carried(self).or(direct.filter(is_defended)) }
    }

    /// In the host's answer, as if the provider had counted in it.
    fn direct(&mut self, span: &Span<'_>, base: usize) -> Option<Placed> {
        match span.place {
            // Only the part itself knows these.
            Place::Part | Place::Here | Place::Point { .. } => None,
            Place::Characters { .. } if base > 0 => None,
            place => self.given.as_mut()?.place(place, &span.proof, base),
        }
    }

    /// What was heard there, in the host's answer.
    fn carried(&mut self, held: &Placed) -> Option<Placed> {
        let given = self.given.as_mut()?;
        let range = carry(held.range.clone(), self.heard, given, &mut self.together)?;
        Some(Placed { moved: held.moved || range != held.range, range, ..*held })
    }

    /// Whether a place of the host's answer has the words of one that was heard.
    fn is_same(&self, direct: &Placed, held: &Placed) -> bool {
        let given = self.given.as_ref().and_then(|given| given.text().get(direct.range.clone()));
        given == self.heard.get(held.range.clone())
    }
}

/// Whether a call is the tail of the host's answer, of which `ahead` stands before it. A host that pushed only that
/// has it all: spans count from its start. One that puts lines of its own before an answer leaves the spans of that as
/// right as they were.
fn is_tail(call: &Call, heard: &mut Heard<'_>, ahead: &str) -> bool {
    let is_whole = ahead.ends_with('\n');
    heard.base == 0
        && (!is_whole || call.spans().any(|span| heard.place(span).is_none_or(|at| at.moved)))
}

/// Where what was heard and the host's answer begin to be the same: hosts trim an answer, cut it, put
/// words around it, or write other line breaks.
fn meet(heard: &str, given: &str) -> (usize, usize) {
    let blanks = |text: &str| text.len() - text.trim_start().len();
    let in_given = given.find(heard.trim()).map(|at| (blanks(heard), at));
    let in_heard = || heard.find(given.trim()).map(|at| (at, blanks(given)));
    // Short lines stand in many places.
    let first_line = || {
        let line = heard.lines().find(|line| line.len() >= AROUND)?;
        heard.find(line).zip(given.find(line))
    };
    in_given.or_else(in_heard).or_else(first_line).unwrap_or((blanks(heard), blanks(given)))
}

/// How much of the text around words tells them from others that are the same.
const AROUND: usize = 24;

/// Where a range of the heard answer lies in the host's, by its words; a point, by the words before.
/// They are expected as far behind those that both last had together: words that repeat must not all
/// come to the same place, and those that are gone take none of the others along to a repeat.
fn carry(
    range: Range<usize>,
    heard: &str,
    given: &mut Placer<'_>,
    together: &mut (usize, usize),
) -> Option<Range<usize>> {
    let before = |at: usize| heard.get(floor(heard, at.saturating_sub(AROUND))..at);
    let words = if range.is_empty() {
        before(range.start)?.trim_start()
    } else {
        heard.get(range.clone())?
    };
    let start = range.end - words.len();
    let behind = heard.get(range.end..floor(heard, range.end.saturating_add(AROUND)))?;
    let near = (together.1 + start).saturating_sub(together.0);
    let (found, is_sure) = given.find(words, near, (before(start)?, behind))?;
    if is_sure || given.spend(heard.len()) && stands_once(heard, words) {
        *together = (range.end, found.end);
    }
    Some(if range.is_empty() { found.end..found.end } else { found })
}

fn stands_once(text: &str, words: &str) -> bool {
    memmem::find_iter(text.as_bytes(), words.as_bytes()).take(2).count() == 1
}

/// The text of one call as it was heard.
struct Heard<'c> {
    call: &'c Call,
    /// Where it starts in the answer, or where its spans count from.
    base: usize,
    /// Whether they were found to be right from there on.
    is_joined: bool,
    placers: BTreeMap<Option<PartId>, (usize, Placer<'c>)>,
    /// Where each part starts in the call, in their order.
    starts: Vec<(PartId, usize)>,
    /// Text of a call whose spans count over all of its parts.
    whole: &'c str,
}

impl<'c> Heard<'c> {
    fn of(call: &'c Call, base: usize, joined: Option<usize>) -> Self {
        // Calls that are counted as a whole have a single part.
        let whole = call.parts.values().next().map_or("", |part| part.text.as_str());
        let mut next = 0;
        let starts = call.parts.iter().map(|(id, part)| {
            let start = next;
            next += part.text.len();
            (*id, start)
        });
        let starts = starts.collect();
        let (base, is_joined) = (joined.unwrap_or(base), joined.is_some());
        Self { call, base, is_joined, placers: BTreeMap::new(), starts, whole }
    }

    fn place(&mut self, span: &Span<'_>) -> Option<Placed> {
        if self.is_joined {
            let range = span.bytes()?;
            return Some(Placed {
                range: self.base + range.start..self.base + range.end,
                moved: false,
                proven: matches!(span.proof, Proof::Quote(_)),
            });
        }
        let (call, whole, starts) = (self.call, self.whole, &self.starts);
        let (start, placer) = self.placers.entry(span.part).or_insert_with(|| match span.part {
            None => (0, Placer::new(whole)),
            Some(id) => {
                let start = starts.binary_search_by_key(&id, |(id, _)| *id);
                let start = start.ok().and_then(|at| starts.get(at)).map_or(0, |(_, start)| *start);
                (start, Placer::new(call.parts.get(&id).map_or("", |part| part.text.as_str())))
            }
        });
        let part_start = match span.place {
            Place::Bytes { part_index: Some(start), .. } => usize::try_from(start).unwrap_or(0),
            _ => 0,
        };
        let in_part = placer.place(span.place, &span.proof, part_start)?;
        let start = self.base + *start;
        let range = start + in_part.range.start..start + in_part.range.end;
        Some(Placed { range, ..in_part })
    }
}

/// How often all spans together may quote the answer. Real ones overlap a few times; each quotes its
/// text, so without a limit a small payload could fill the memory.
const MOST_QUOTED: usize = 32;

/// Sorted, in UTF-16, each span once with all its sources.
fn anchors(found: Vec<Found>, answer: &str, reports: &mut Diagnostics) -> Vec<Anchor> {
    let mut room = answer.len().saturating_mul(MOST_QUOTED);
    let positions = Positions::of(answer);
    let mut spans: BTreeMap<(usize, usize), Found> = BTreeMap::new();
    for one in found {
        let key = (one.range.start, one.range.end);
        match spans.get_mut(&key) {
            Some(held) => {
                let (held, one) = (&mut held.leans, one.leans);
                held.numbers.extend(one.numbers);
                held.listed.extend(one.listed);
                held.confidence =
                    held.confidence.into_iter().chain(one.confidence).reduce(f64::max);
            }
            None => drop(spans.insert(key, one)),
        }
    }
    let anchor = |mut found: Found| {
        let Some(left) = room.checked_sub(found.range.len()) else {
            reports.report(Code::SpanLost, || "spans overlap too often".to_owned());
            return None;
        };
        room = left;
        let Leans { numbers, listed, .. } = &mut found.leans;
        numbers.sort_unstable();
        numbers.dedup();
        listed.sort_unstable();
        listed.dedup();
        Some(Anchor {
            start: positions.utf16(found.range.start),
            end: positions.utf16(found.range.end),
            text: answer.get(found.range)?.to_owned(),
            sources: found.leans.numbers,
            listed: found.leans.listed,
            confidence: found.leans.confidence,
        })
    };
    spans.into_values().filter_map(anchor).collect()
}

fn describe(place: Place) -> String {
    match place {
        Place::Bytes { start, end, .. } => format!("bytes {start} to {end}"),
        Place::Characters { start, end } => format!("characters {start} to {end}"),
        Place::Part | Place::Here | Place::Point { .. } => "a whole part".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::turn::Turn;

    /// Found by a fuzzer: places count on behind the lists of earlier calls.
    #[test]
    fn an_index_behind_all_lists_is_no_place_in_any() {
        let call = |id: &str, index: &str| {
            format!(
                r#"{{"responseId":"{id}","candidates":[{{"content":{{"parts":[{{"text":"Yes."}}]}},"groundingMetadata":{{"groundingChunks":[{{"web":{{"uri":"https://a.example/{id}"}}}}],"groundingSupports":[{{"segment":{{"endIndex":4}},"groundingChunkIndices":[0,{index}]}}]}}}}]}}"#
            )
        };
        let mut turn = Turn::new(false);
        turn.push_bytes(format!("{}\n{}\n", call("1", "0"), call("2", "1e300")).as_bytes());
        let anchors = turn.payload().anchors;
        assert_eq!(anchors.last().map(|anchor| anchor.listed.as_slice()), Some(&[(1, 2)][..]));
    }
}

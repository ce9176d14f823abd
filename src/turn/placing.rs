//! Where the spans of a turn lie in its answer.
//!
//! In: what was heard, call by call, with the numbers of its sources, and the answer as the host has it. Out: ranges of
//! the answer with the numbers they lean on. Promise: linear time; what cannot be placed is reported, not guessed.

use super::record::{Call, Record};
use crate::anchor::{Placed, Placer};
use crate::input::said::{PartId, Place, Proof, Span};
use crate::model::span::floor;
use crate::model::{Code, Diagnostics};
use memchr::memmem;
use std::collections::BTreeMap;
use std::ops::Range;

/// The spans of all calls, in the answer of the host, or without one in what was heard.
pub(super) fn placed(
    record: &Record,
    numbers: &[Numbers],
    (heard, given): (&str, Option<&str>),
    reports: &mut Diagnostics,
) -> Vec<Found> {
    let mut placing = Placing {
        given: given.map(Placer::new),
        ahead: given.and_then(|given| given.strip_suffix(heard)),
        is_tail: false,
        heard,
        together: given.map_or((0, 0), |given| meet(heard, given)),
        found: Vec::new(),
    };
    let (mut base, mut lists, mut before) = (0, 0, None);
    for (call, numbers) in record.calls.iter().zip(numbers) {
        let text = Heard::of(call, base, joined(call, base, before, heard));
        placing.call(call, text, lists, numbers, reports);
        before = Before::of(call, base, before);
        lists += call.list.len();
        base += call.parts.values().map(|part| part.text.len()).sum::<usize>();
    }
    placing.found
}

/// Of one call, the number of each place of its list and of each citation.
pub(super) struct Numbers {
    pub(super) list: Vec<Option<usize>>,
    pub(super) cited: Vec<usize>,
}

/// A span of the answer, in bytes, with the numbers it leans on.
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) leans: Leans,
}

/// What a span leans on.
pub(super) struct Leans {
    pub(super) numbers: Vec<usize>,
    /// Places in the providers' lists, one behind the other, with their numbers.
    pub(super) listed: Vec<(usize, usize)>,
    pub(super) confidence: Option<f64>,
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

/// Where the spans of a call count from, if that is not its own start: where all fit the text of the calls before
/// joined with its own, and a quotation, or more spans than fit its own text, cannot lie in that. Without quotations it
/// proves nothing if those calls cite as well.
fn joined(call: &Call, base: usize, before: Option<Before>, heard: &str) -> Option<usize> {
    let Before { start, cites } = before.filter(|_| !call.named)?;
    let end = base + call.parts.values().map(|part| part.text.len()).sum::<usize>();
    let (own, all) = (heard.get(base..end)?, heard.get(start..end)?);
    let is_quoted = |span: &Span<'_>| matches!(span.proof, Proof::Quote(_));
    let fits_all = call.spans().all(|span| (is_quoted(span) || !cites) && fits(span, all));
    let is_proven = || call.spans().any(|span| is_quoted(span) && !fits(span, own));
    // One that only ends too far, or cuts a character, is as likely a little off.
    let is_behind = |span: &&Span<'_>| span.bytes().is_some_and(|range| range.start >= own.len());
    let count_behind = || call.spans().filter(is_behind).count();
    let count_own = || call.spans().filter(|span| fits(span, own)).count();
    (fits_all && (is_proven() || count_behind() > count_own())).then_some(start)
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
        let given = self.ahead.zip(self.given.as_mut());
        self.is_tail = given.is_some_and(|(ahead, given)| is_tail(call, &mut heard, ahead, given));
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
/// right as they were, unless one of them can only lie in the whole.
fn is_tail(call: &Call, heard: &mut Heard<'_>, ahead: &str, given: &mut Placer<'_>) -> bool {
    let is_whole = ahead.ends_with('\n');
    heard.base == 0 && (!is_whole || call.spans().any(|span| is_only_in(given, span, heard)))
}

/// Whether a span starts behind what was heard, but in the host's answer, or its quotation stands there only in that.
/// One that ends too far is as likely a little off.
fn is_only_in(given: &mut Placer<'_>, span: &Span<'_>, heard: &mut Heard<'_>) -> bool {
    if matches!(span.proof, Proof::Quote(_)) {
        return fits(span, given.text()) && !fits(span, heard.whole);
    }
    let place = match span.place {
        Place::Bytes { start, part_index, .. } => Place::Bytes { start, end: u64::MAX, part_index },
        Place::Characters { start, .. } => Place::Characters { start, end: start },
        Place::Part | Place::Here | Place::Point { .. } => return false,
    };
    let start = Span { part: span.part, place, proof: Proof::None };
    heard.place(&start).is_none() && given.place(place, &Proof::None, 0).is_some()
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

fn describe(place: Place) -> String {
    match place {
        Place::Bytes { start, end, .. } => format!("bytes {start} to {end}"),
        Place::Characters { start, end } => format!("characters {start} to {end}"),
        Place::Part | Place::Here | Place::Point { .. } => "a whole part".to_owned(),
    }
}

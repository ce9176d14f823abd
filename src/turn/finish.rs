//! From what was said to what is shown: numbers, spans, reports.

use super::ledger::Ledger;
use super::placing::{Found, Leans, Numbers, placed};
use super::record::{Call, Record};
use crate::anchor::marker;
use crate::clean::text;
use crate::dedupe::{first_of_document, first_seen, merge};
use crate::documents::{Documents, Shelf};
use crate::input::Shape;
use crate::model::span::Positions;
use crate::model::{Anchor, Code, Diagnostics, Grounding, Payload, Source, ascending};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

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
    let found = placed(record, &numbers, (&heard, given), &mut diagnostics);
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

//! Where a provider's span really lies.
//!
//! Offsets come first: the provider's own quotation, or the link that must stand inside, says
//! whether they are right and which unit they count in. Where they are wrong, the nearest place that
//! holds the quotation is taken. A span that cuts its link is a little off: it becomes the link.

use crate::input::said::{Place, Proof};
use crate::model::span::{Positions, ceil, floor};
use memchr::memmem;
use std::ops::Range;

/// How many times the text may be searched from end to end. Providers misplace spans rarely; a
/// hostile payload must not make every span a search.
const SEARCHES: usize = 64;

/// Bytes that may be searched of a text however short it is: a host may leave little of an answer with many spans.
const SEARCHED: usize = 1 << 20;

/// How far from its address a link may begin and end. Every span may ask, so a search without an end
/// would be as dear as one through the text.
const REACH: usize = 1 << 10;

/// Places spans in one text.
#[derive(Debug)]
pub struct Placer<'t> {
    text: &'t str,
    positions: Positions,
    /// Bytes that may still be searched.
    budget: usize,
    /// Bytes of words that may still be looked for close by, which those that are gone must not use up.
    close_by: usize,
    /// The words that were last found nowhere.
    nowhere: String,
    /// How far the last span that was searched for was off.
    shift: isize,
}

/// A span found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Whether it is not where the provider put it.
    pub moved: bool,
    /// Whether what the provider says must stand there does.
    pub proven: bool,
}

impl<'t> Placer<'t> {
    /// Prepares `text`.
    pub fn new(text: &'t str) -> Self {
        let budget = text.len().saturating_mul(SEARCHES).saturating_add(SEARCHED);
        let (positions, nowhere) = (Positions::of(text), String::new());
        Self { text, positions, budget, close_by: budget, nowhere, shift: 0 }
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Finds the span. `part_start` is where the part begins that byte offsets may count from.
    /// `None` when no place can be defended.
    pub fn place(&mut self, place: Place, proof: &Proof<'_>, part_start: usize) -> Option<Placed> {
        match place {
            Place::Part => Some(Placed { range: 0..self.text.len(), moved: false, proven: false }),
            Place::Here => None,
            Place::Point { byte } => {
                let at = floor(self.text, byte);
                Some(Placed { range: at..at, moved: false, proven: false })
            }
            Place::Bytes { start, end, .. } => {
                let (start, end) = (position(start), position(end));
                self.place_bytes(start, end, part_start, proof)
            }
            Place::Characters { start, end } => {
                self.place_characters(position(start), position(end), proof)
            }
        }
        .filter(|placed| {
            !placed.range.is_empty() || !matches!(place, Place::Bytes { .. } | Place::Part)
        })
    }

    fn place_bytes(
        &mut self,
        start: usize,
        end: usize,
        part_start: usize,
        proof: &Proof<'_>,
    ) -> Option<Placed> {
        let in_part = start.saturating_add(part_start)..end.saturating_add(part_start);
        let Proof::Quote(quote) = proof else {
            return (in_part.start < self.text.len() && in_part.start < in_part.end).then(|| {
                let range = floor(self.text, in_part.start)..ceil(self.text, in_part.end);
                Placed { moved: range != in_part, range, proven: false }
            });
        };
        for range in [in_part, start..end] {
            if self.text.get(range.clone()) == Some(quote.as_ref()) {
                return Some(Placed { range, moved: false, proven: true });
            }
        }
        let range = self.search(quote, start.saturating_add(part_start))?;
        Some(Placed { range, moved: true, proven: true })
    }

    fn place_characters(&mut self, start: usize, end: usize, proof: &Proof<'_>) -> Option<Placed> {
        let by_character = self.range(start, end, Positions::byte_of_character);
        let by_utf16 = self.range(start, end, Positions::byte_of_utf16);
        // A search through every span is as dear as a search through the text.
        if matches!(proof, Proof::Link(_)) {
            let length = by_character.as_ref().map_or(0, ExactSizeIterator::len);
            self.budget = self.budget.checked_sub(length)?;
        }
        let holds = |range: &Range<usize>, wanted: &dyn Fn(&str) -> bool| {
            self.text.get(range.clone()).is_some_and(wanted)
        };
        let fits: &dyn Fn(&str) -> bool = match proof {
            Proof::None => &|_| true,
            Proof::Quote(quote) => &|text| text == quote.as_ref(),
            // Mostly it ends a link, which takes no search to see.
            Proof::Link(url) => &|text| {
                text.trim_end_matches(')').ends_with(url.as_ref()) || text.contains(url.as_ref())
            },
        };
        // Both readings may hold an address; the right one holds a link, or a path, from end to end.
        let whole: &dyn Fn(&str) -> bool = &|text| {
            let is_link = text.starts_with(['(', '[']) && text.ends_with(')');
            is_link || matches!(proof, Proof::Link(name) if text.ends_with(name.as_ref()))
        };
        let uncut = |range: &Range<usize>| match proof {
            Proof::Link(url) => uncut(self.text, range.clone(), url),
            Proof::Quote(_) | Proof::None => range.clone(),
        };
        let other = by_utf16.as_ref().filter(|range| by_character.as_ref() != Some(range));
        let readings = [by_character.as_ref(), other].into_iter().flatten();
        let fitting =
            readings.filter(|range| holds(range, fits)).map(|range| (range, uncut(range)));
        let best = fitting.min_by_key(|(range, uncut)| (*range != uncut, !holds(range, whole)));
        if let Some((given, range)) = best {
            let proven = *proof != Proof::None;
            return Some(Placed { moved: *given != range, range, proven });
        }
        let near = by_character.as_ref().map_or(start, |range| range.start);
        match proof {
            Proof::Quote(quote) => {
                let range = self.search(quote, near)?;
                Some(Placed { range, moved: true, proven: true })
            }
            Proof::Link(url) => match self.search(url, near) {
                Some(url) => {
                    let link = link_around(self.text, url.clone());
                    let range = link.map_or(url, |link| with_parentheses(self.text, link));
                    Some(Placed { range, moved: true, proven: true })
                }
                // Services that cite the claim instead of the link have no link to show for it.
                None => {
                    by_character.clone().map(|range| Placed { range, moved: false, proven: false })
                }
            },
            Proof::None => None,
        }
    }

    fn range(
        &self,
        start: usize,
        end: usize,
        byte: impl Fn(&Positions, usize) -> Option<usize>,
    ) -> Option<Range<usize>> {
        let range = byte(&self.positions, start)?..byte(&self.positions, end)?;
        (range.start <= range.end).then_some(range)
    }

    /// Whether so many bytes may still be searched, which they then are.
    pub fn spend(&mut self, bytes: usize) -> bool {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// Where `words` stand: at `near` if they do, else at the nearest place close by or between the same
    /// words as they had `around` them, else at the nearest of all. That may be the place of a repeat:
    /// whether it is not, so that what follows may be expected behind it, is said as well.
    pub fn find(
        &mut self,
        words: &str,
        near: usize,
        around: (&str, &str),
    ) -> Option<(Range<usize>, bool)> {
        // Words may be as long as the text.
        self.close_by = self.close_by.checked_sub(words.len())?;
        let there = near..near.checked_add(words.len())?;
        if self.text.get(there.clone()) == Some(words) {
            return Some((there, true));
        }
        let mut found = None;
        let mut reach = REACH;
        while can_be_told_apart(words) {
            let end = there.end.saturating_add(reach).min(self.text.len());
            let within = near.saturating_sub(reach).min(end)..end;
            if reach > REACH && !self.spend(within.len()) {
                break;
            }
            found = self.likeliest(words, near, around, within.clone());
            let is_all = within == (0..self.text.len());
            if is_all && found.is_none() {
                self.nowhere.clear();
                self.nowhere.push_str(words);
            }
            if is_all || matches!(found, Some((_, true))) {
                break;
            }
            // Widened so much at once that what is read again is little.
            reach = reach.saturating_mul(8);
        }
        found
    }

    /// The occurrence of `words` in these bytes that is most likely theirs, and whether it surely is.
    fn likeliest(
        &self,
        words: &str,
        near: usize,
        (before, behind): (&str, &str),
        within: Range<usize>,
    ) -> Option<(Range<usize>, bool)> {
        let bytes = self.text.as_bytes();
        let searched = bytes.get(within.clone())?;
        // Most links have the same blanks and full stops around them.
        let (before, behind) = (told_apart(before), told_apart(behind));
        let is_theirs = |at: usize| {
            let (ahead, rest) = (bytes.get(..at), bytes.get(at + words.len()..));
            at.abs_diff(near) <= words.len()
                || ahead.zip(before).is_some_and(|(all, words)| all.ends_with(words))
                || rest.zip(behind).is_some_and(|(all, words)| all.starts_with(words))
        };
        let places = memmem::find_iter(searched, words.as_bytes()).map(|at| within.start + at);
        let (is_other, _, at) = places.map(|at| (!is_theirs(at), at.abs_diff(near), at)).min()?;
        Some((at..at + words.len(), !is_other))
    }

    /// Where `words` stand that the provider puts at `near`, where they are not.
    fn search(&mut self, words: &str, near: usize) -> Option<Range<usize>> {
        // Offsets that are off are mostly all off by the same.
        let there = near.saturating_add_signed(self.shift);
        let there = there..there.saturating_add(words.len());
        if can_be_told_apart(words) && self.text.get(there.clone()) == Some(words) {
            return Some(there);
        }
        let found = self.nearest(words, near, 0..self.text.len())?;
        self.shift = found.start.cast_signed().wrapping_sub(near.cast_signed());
        Some(found)
    }

    /// The occurrence of `words` in these bytes that is nearest to `near`.
    fn nearest(&mut self, words: &str, near: usize, within: Range<usize>) -> Option<Range<usize>> {
        let searched = self.text.as_bytes().get(within.clone())?;
        if !can_be_told_apart(words) || words == self.nowhere {
            return None;
        }
        self.budget = self.budget.checked_sub(searched.len())?;
        let mut found: Option<usize> = None;
        for at in memmem::find_iter(searched, words.as_bytes()).map(|at| within.start + at) {
            if found.is_none_or(|found| at.abs_diff(near) < found.abs_diff(near)) {
                found = Some(at);
            }
            if at >= near {
                // All others are farther. What was not read was not spent.
                self.budget += within.end - at;
                break;
            }
        }
        found.map(|found| found..found + words.len())
    }
}

/// Words too short for it, such as the `**` some supports consist of, are not looked for.
fn can_be_told_apart(words: &str) -> bool {
    words.chars().filter(|character| character.is_alphanumeric()).nth(2).is_some()
}

fn told_apart(words: &str) -> Option<&[u8]> {
    can_be_told_apart(words).then_some(words.as_bytes())
}

fn position(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// A span that holds an address; where it cuts the link of that address, the link, with the claim that
/// it begins with. The address alone and the link without its parentheses are not cut: nobody comes
/// upon them by chance.
fn uncut(text: &str, span: Range<usize>, address: &str) -> Range<usize> {
    let held = text.get(span.clone()).unwrap_or_default();
    if held.starts_with("([") && held.ends_with("))") {
        return span;
    }
    let at = held.find(address).unwrap_or_default();
    let url = span.start + at..span.start + at + address.len();
    let Some(link) = link_around(text, url.clone()) else { return span };
    if span == url || span == link {
        return span;
    }
    let bare = link.start;
    let link = with_parentheses(text, link);
    if span.start <= link.start && link.end <= span.end {
        return span;
    }
    // As long as its link, it is only shifted.
    let length = |range: &Range<usize>| text.get(range.clone()).map(|text| text.chars().count());
    let is_shifted = length(&span) == length(&link);
    // It leaves out the first parenthesis, but goes on behind the last.
    if span.start <= bare && link.end < span.end && !is_shifted {
        return span;
    }
    let is_claim = text.get(span.start..link.start).is_some_and(can_be_told_apart)
        && text.get(..span.start).is_some_and(|all| !all.ends_with(char::is_alphanumeric));
    if is_claim && !is_shifted { span.start..link.end } else { link }
}

/// The Markdown link to an address, on one line.
fn link_around(text: &str, url: Range<usize>) -> Option<Range<usize>> {
    let before = text.get(floor(text, url.start.saturating_sub(REACH))..url.start)?;
    let before = before.rsplit('\n').next()?;
    let after = text.get(url.end..floor(text, url.end.saturating_add(REACH)))?;
    let after = after.split('\n').next()?;
    let Some(label) = before.strip_suffix("](") else {
        // Some links have their address for a label.
        let is_label = after.strip_prefix("](")?.starts_with(text.get(url.clone())?);
        let target = url.end + 2..url.end + 2 + url.len();
        return is_label.then(|| link_around(text, target)).flatten();
    };
    // Another link does not belong to it.
    let other = memmem::rfind(label.as_bytes(), b"](").map_or(0, |at| at + "](".len());
    let label = label.get(other..)?;
    // A label may hold pairs of brackets: `[[1]](url)`.
    let mut depth = 0_usize;
    let is_open = |(at, bracket): &(usize, &str)| {
        let is_escaped = label.get(..*at).is_some_and(|before| before.ends_with('\\'));
        match *bracket {
            _ if is_escaped => {}
            "[" if depth == 0 => return true,
            "[" => depth -= 1,
            _ => depth += 1,
        }
        false
    };
    let (open, _) = label.rmatch_indices(['[', ']']).find(is_open)?;
    // A title or further parameters may stand between the address and its parenthesis.
    Some(url.start - "](".len() - label.len() + open..url.end + after.find(')')? + 1)
}

/// A link with the parentheses OpenAI puts around links.
fn with_parentheses(text: &str, link: Range<usize>) -> Range<usize> {
    let wrapped = text.get(..link.start).is_some_and(|before| before.ends_with('('))
        && text.get(link.end..).is_some_and(|after| after.starts_with(')'));
    if wrapped { link.start - 1..link.end + 1 } else { link }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(start: u64, end: u64) -> Place {
        Place::Bytes { start, end, part_index: None }
    }

    fn quoted<'t>(text: &'t str, place: Place, quote: &str) -> Option<(&'t str, bool)> {
        let placed = Placer::new(text).place(place, &Proof::Quote(quote.into()), 0)?;
        Some((text.get(placed.range).unwrap(), placed.moved))
    }

    #[test]
    fn bytes_are_bytes() {
        assert_eq!(quoted("é ist ein é", bytes(3, 6), "ist"), Some(("ist", false)));
    }

    #[test]
    fn a_shifted_span_is_moved_to_its_quotation() {
        assert_eq!(quoted("one two one", bytes(9, 12), "one"), Some(("one", true)));
        let placed = Placer::new("one two one").place(bytes(9, 12), &Proof::Quote("one".into()), 0);
        assert_eq!(placed.map(|placed| placed.range), Some(8..11));
    }

    #[test]
    fn marks_are_not_searched_for() {
        assert_eq!(quoted("**bold** text", bytes(40, 42), "**"), None);
    }

    #[test]
    fn without_proof_a_span_must_lie_in_the_text() {
        let place = |place| Placer::new("añb").place(place, &Proof::None, 0);
        assert_eq!(place(bytes(0, 1)), Some(Placed { range: 0..1, moved: false, proven: false }));
        // Inside a character: widened.
        assert_eq!(place(bytes(2, 4)), Some(Placed { range: 1..4, moved: true, proven: false }));
        assert_eq!(place(bytes(3, 9)), Some(Placed { range: 3..4, moved: true, proven: false }));
        assert_eq!(place(bytes(9, 12)), None);
        assert_eq!(place(bytes(3, 2)), None);
        assert_eq!(place(bytes(u64::MAX, u64::MAX)), None);
    }

    #[test]
    fn the_link_tells_characters_from_utf16() {
        let text = "😀😀 see ([a](https://a.example/)) now";
        let link = Proof::Link("https://a.example/".into());
        for start in [7, 9] {
            let place = Place::Characters { start, end: start + 25 };
            let placed = Placer::new(text).place(place, &link, 0).unwrap();
            assert_eq!(text.get(placed.range), Some("([a](https://a.example/))"), "{start}");
            assert!(!placed.moved);
        }
        let lost = Place::Characters { start: 0, end: 2 };
        let placed = Placer::new(text).place(lost, &link, 0).unwrap();
        assert_eq!(text.get(placed.range), Some("([a](https://a.example/))"));
        assert!(placed.moved);
    }

    #[test]
    fn a_span_that_cuts_its_link_becomes_the_link() {
        let text = "x (see [a](u://a)) é [[1]](u://a) ([b \\] [c]](u://a)), [u://a](u://a \"t\").";
        let cases = [
            ("[a](u://a)", "[a](u://a)", false),
            ("(see [a](u://a)", "(see [a](u://a)", false),
            ("](u://a)", "[a](u://a)", true),
            ("[[1]](u://a)", "[[1]](u://a)", false),
            ("[1]](u://a) ", "[[1]](u://a)", true),
            ("é [[1]](u://a", "[[1]](u://a)", true),
            (" ([b \\] [c]](u://a)", "([b \\] [c]](u://a))", true),
            ("[b \\] [c]](u://a)", "[b \\] [c]](u://a)", false),
            ("[b \\] [c]](u://a))", "([b \\] [c]](u://a))", true),
            (" [u://a](u://a", "[u://a](u://a \"t\")", true),
            ("://a](u://a \"t\").", "[u://a](u://a \"t\")", true),
            ("[u://a](", "[u://a](u://a \"t\")", true),
        ];
        for (span, link, moved) in cases {
            let (before, _) = text.split_once(span).unwrap();
            let start = before.chars().count() as u64;
            let place = Place::Characters { start, end: start + span.chars().count() as u64 };
            let placed = Placer::new(text).place(place, &Proof::Link("u://a".into()), 0).unwrap();
            assert_eq!((text.get(placed.range), placed.moved), (Some(link), moved), "{span}");
        }
    }

    #[test]
    fn words_that_repeat_are_told_apart_by_those_around_them() {
        let text = format!("the first word is, {}the last word was", "and ".repeat(9));
        let last = text.rfind("word").unwrap();
        let find = |near, around| {
            let (range, is_sure) = Placer::new(&text).find("word", near, around)?;
            Some((range.start, is_sure))
        };
        assert_eq!(find(10, ("", "")), Some((10, true)));
        assert_eq!(find(7, ("", "")), Some((10, true)));
        assert_eq!(find(last - 4, ("the first ", " is,")), Some((last, true)));
        assert_eq!(find(20, ("the last ", " ")), Some((last, true)));
        assert_eq!(find(20, ("a", " was")), Some((last, true)));
        assert_eq!(find(last - 5, ("the first ", "")), Some((10, true)));
        // The nearest, but nobody knows.
        assert_eq!(find(20, ("a new ", " ")), Some((10, false)));
        assert_eq!(find(usize::MAX - 9, (" ", "")), Some((last, false)));
        assert_eq!(find(usize::MAX, (" ", "")), None);
    }

    #[test]
    fn words_are_found_however_far_they_are() {
        for far in [0, 100, 10_000, 1_000_000] {
            let text = format!("{}Here. {}", "and ".repeat(far), "or ".repeat(far));
            let find = |near| Placer::new(&text).find("Here.", near, ("", ""));
            for near in [0, text.len()] {
                let range = find(near).map(|(range, _)| range);
                assert_eq!(range, Some(far * 4..far * 4 + 5), "{far} {near}");
            }
        }
    }

    /// One that was far off does not lose the next.
    #[test]
    fn a_shift_that_leads_out_of_the_text_is_not_followed() {
        let text = "one word, two";
        let mut placer = Placer::new(text);
        let mut place = |start, quote: &str| {
            placer.place(bytes(start, start + 3), &Proof::Quote(quote.to_owned().into()), 0)
        };
        assert_eq!(place(999, "two").map(|placed| placed.range), Some(10..13));
        assert_eq!(place(1, "one").map(|placed| placed.range), Some(0..3));
    }

    proptest! {
        #[test]
        fn a_placed_span_is_a_slice(text in "[ab é漢😀\\[\\]()]{0,30}", start in 0u64..60, end in 0u64..60, quote in "[ab é漢]{0,4}") {
            for proof in [Proof::None, Proof::Quote(quote.clone().into()), Proof::Link(quote.into())] {
                for place in [bytes(start, end), Place::Characters { start, end }] {
                    if let Some(placed) = Placer::new(&text).place(place, &proof, 0) {
                        prop_assert!(text.get(placed.range).is_some());
                    }
                }
            }
        }
    }
}

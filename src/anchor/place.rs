//! Where a provider's span really lies.
//!
//! Offsets come first: the provider's own quotation, or the link that must stand inside, says
//! whether they are right and which unit they count in. Where they are wrong, the nearest place that
//! holds the quotation is taken.

use crate::input::said::{Place, Proof};
use crate::model::span::{Positions, ceil, floor};
use memchr::memmem;
use std::ops::Range;

/// How many times the text may be searched from end to end. Providers misplace spans rarely; a
/// hostile payload must not make every span a search.
const SEARCHES: usize = 64;

/// Places spans in one text.
#[derive(Debug)]
pub struct Placer<'t> {
    text: &'t str,
    positions: Positions,
    /// Bytes that may still be searched.
    budget: usize,
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
}

impl<'t> Placer<'t> {
    /// Prepares `text`.
    pub fn new(text: &'t str) -> Self {
        let budget = text.len().saturating_mul(SEARCHES).saturating_add(1 << 16);
        Self { text, positions: Positions::of(text), budget, shift: 0 }
    }

    /// Finds the span. `part_start` is where the part begins that byte offsets may count from.
    /// `None` when no place can be defended.
    pub fn place(&mut self, place: Place, proof: &Proof<'_>, part_start: usize) -> Option<Placed> {
        match place {
            Place::Part => Some(Placed { range: 0..self.text.len(), moved: false }),
            Place::Here => None,
            Place::Point { byte } => {
                let at = floor(self.text, byte);
                Some(Placed { range: at..at, moved: false })
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
                Placed { moved: range != in_part, range }
            });
        };
        for range in [in_part, start..end] {
            if self.text.get(range.clone()) == Some(quote.as_ref()) {
                return Some(Placed { range, moved: false });
            }
        }
        let range = self.nearest(quote, start.saturating_add(part_start))?;
        Some(Placed { range, moved: true })
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
            Proof::Link(url) => &|text| text.contains(url.as_ref()),
        };
        // Both readings may hold an address; the right one holds a link, or a path, from end to end.
        let whole: &dyn Fn(&str) -> bool = &|text| {
            let is_link = text.starts_with(['(', '[']) && text.ends_with(')');
            let is_path = matches!(proof, Proof::Link(name) if text.ends_with(name.as_ref()));
            fits(text) && (is_link || is_path)
        };
        let readings = [by_character.as_ref(), by_utf16.as_ref()].into_iter().flatten();
        let exact = readings.clone().find(|range| holds(range, whole));
        let exact = exact.or_else(|| readings.clone().find(|range| holds(range, fits)));
        if let Some(range) = exact.cloned() {
            return Some(Placed { range, moved: false });
        }
        let near = by_character.as_ref().map_or(start, |range| range.start);
        match proof {
            Proof::Quote(quote) => {
                let range = self.nearest(quote, near)?;
                Some(Placed { range, moved: true })
            }
            Proof::Link(url) => match self.nearest(url, near) {
                Some(range) => Some(Placed { range: around_link(self.text, range), moved: true }),
                // Services that cite the claim instead of the link have no link to show for it.
                None => by_character.clone().map(|range| Placed { range, moved: false }),
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

    /// Where `words` stand: at `near` if they do, else at the nearest place that holds them.
    pub fn find(&mut self, words: &str, near: usize) -> Option<Range<usize>> {
        let there = near..near.checked_add(words.len())?;
        if self.text.get(there.clone()) == Some(words) {
            return Some(there);
        }
        self.nearest(words, near)
    }

    /// The occurrence of `words` that is nearest to `near`. Words too short to be told apart, such as
    /// the `**` some supports consist of, are not looked for.
    fn nearest(&mut self, words: &str, near: usize) -> Option<Range<usize>> {
        if words.chars().filter(|character| character.is_alphanumeric()).count() < 3 {
            return None;
        }
        // Offsets that are off are mostly all off by the same.
        let there = near.checked_add_signed(self.shift)?;
        let there = there..there.saturating_add(words.len());
        if self.text.get(there.clone()) == Some(words) {
            return Some(there);
        }
        self.budget = self.budget.checked_sub(self.text.len())?;
        let found = memmem::find_iter(self.text.as_bytes(), words.as_bytes())
            .min_by_key(|at| at.abs_diff(near))?;
        self.shift = found.cast_signed().wrapping_sub(near.cast_signed());
        Some(found..found + words.len())
    }
}

fn position(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// The Markdown link around an address, with the parentheses OpenAI puts around links.
fn around_link(text: &str, url: Range<usize>) -> Range<usize> {
    let before = text.get(..url.start).unwrap_or_default();
    let after = text.get(url.end..).unwrap_or_default();
    let Some(open) = before.strip_suffix("](").and_then(|label| label.rfind('[')) else {
        return url;
    };
    // A title or further parameters may stand between the address and its parenthesis.
    let Some(close) = after.find(')') else { return url };
    let link = open..url.end + close + 1;
    let wrapped = before.get(..open).is_some_and(|before| before.ends_with('('))
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
        assert_eq!(place(bytes(0, 1)), Some(Placed { range: 0..1, moved: false }));
        // Inside a character: widened.
        assert_eq!(place(bytes(2, 4)), Some(Placed { range: 1..4, moved: true }));
        assert_eq!(place(bytes(3, 9)), Some(Placed { range: 3..4, moved: true }));
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

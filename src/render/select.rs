//! Which sources a block lists, and under which numbers.

use crate::model::Source;
use std::borrow::Borrow;

/// A source with the number it has in its turn. Numbers need not follow each other: what is not
/// listed keeps its own.
#[derive(Clone, Copy, Debug)]
pub struct Numbered<'s, 'a> {
    /// Counted from 1.
    pub number: usize,
    /// The source.
    pub source: &'s Source<'a>,
    /// Whether the answer points at it.
    pub cited: bool,
}

/// All of `sources` under their own numbers. `cited` are the numbers the answer points at, ascending.
pub fn number<'s, 'a: 's>(
    sources: &'s [impl Borrow<Source<'a>>],
    cited: &[usize],
) -> Vec<Numbered<'s, 'a>> {
    let numbered = sources.iter().enumerate().map(|(index, source)| {
        let number = index + 1;
        Numbered { number, source: source.borrow(), cited: cited.binary_search(&number).is_ok() }
    });
    numbered.collect()
}

/// At most `most` of them, though never without one that is cited. Answers also how many are left out.
pub(super) fn select<'l, 's, 'a>(
    list: &'l [Numbered<'s, 'a>],
    most: Option<usize>,
) -> (impl Iterator<Item = &'l Numbered<'s, 'a>>, usize) {
    let cited = || list.iter().filter(|entry| entry.cited).count();
    let room = most.map_or(list.len(), |most| most.saturating_sub(cited()));
    let uncited = most.map_or(0, |_| list.len() - cited());
    let mut left = room;
    let chosen = list.iter().filter(move |entry| {
        entry.cited || {
            let fits = left > 0;
            left = left.saturating_sub(1);
            fits
        }
    });
    (chosen, uncited.saturating_sub(room))
}

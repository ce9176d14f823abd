//! What an answer leans on, whatever it is written as.

use super::{Numbered, number};
use crate::anchor::{Marked, marked};
use crate::model::{Anchor, Payload, Source, ascending};

/// What an answer leans on.
#[derive(Clone, Copy, Debug)]
pub struct Leaning<'s> {
    /// In the order of their numbers.
    pub sources: &'s [Source<'s>],
    /// Spans of the answer, for one that has no markers of its own.
    pub anchors: &'s [Anchor],
    /// Numbers of sources the payload says are cited, ascending.
    pub cited: &'s [usize],
    /// Whether sources a tool has shown are listed though no marker points at them.
    pub inline: bool,
}

impl<'s> Leaning<'s> {
    /// What a payload says.
    pub fn of(payload: &'s Payload, inline: bool) -> Self {
        let Payload { sources, anchors, cited, .. } = payload;
        Self { sources, anchors, cited, inline }
    }

    /// The answer with its markers, and the sources to list below it: all that are pointed at, and those
    /// nobody has shown yet.
    pub(super) fn on<'t>(&self, text: &'t str) -> (Marked<'t>, Vec<Numbered<'s, 's>>) {
        let marked = marked(text, self.sources, self.anchors);
        let pointed = marked.markers.iter().flat_map(|marker| &marker.numbers);
        let cited = ascending(pointed.chain(self.cited).copied());
        let mut listed = number(self.sources, &cited);
        let shown = |one: &Numbered<'_, '_>| self.inline || !one.source.is_shown_inline();
        listed.retain(|one| one.cited || shown(one) && !one.source.is_blank());
        (marked, listed)
    }

    /// How sure the provider is of each source, at the most.
    pub(super) fn confidences(&self) -> Vec<Option<f64>> {
        let mut sure = vec![None; self.sources.len()];
        for anchor in self.anchors {
            for number in &anchor.sources {
                if let Some(held) = number.checked_sub(1).and_then(|index| sure.get_mut(index)) {
                    let both = held.iter().chain(&anchor.confidence).copied();
                    *held = both.max_by(f64::total_cmp);
                }
            }
        }
        sure
    }
}

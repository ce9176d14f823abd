//! What one turn has cited so far.
//!
//! In: whatever the turn produced, in any order. Out: its sources, cleaned, deduplicated, numbered
//! by first appearance.

use crate::clean;
use crate::dedupe::{dedupe, without};
use crate::input::{Detail, Found, Shape, Value, read};
use crate::model::Source;

/// Reads and cleans the sources of one value, repeats included.
pub fn extract<V: Value>(value: V, shape: Shape, detail: Detail) -> Vec<Source> {
    let mut found = Found { detail, ..Found::default() };
    read(value, shape, &mut found);
    found.sources.iter_mut().for_each(clean::source);
    found.sources
}

/// The list a reader is shown: every source once, without those that `shown` names.
pub fn listed(sources: Vec<Source>, shown: &[Source]) -> Vec<Source> {
    without(dedupe(sources), shown)
}

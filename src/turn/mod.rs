//! What one turn has cited so far.
//!
//! In: whatever the turn produced, in any order. Out: its sources, cleaned, deduplicated, numbered
//! by first appearance.

use crate::clean;
use crate::dedupe::{dedupe, without};
use crate::input::{Detail, Found, Shape, Value, read, read_any};
use crate::model::Source;

/// Room for the sources of a usual answer: to make more later costs as much as to read them.
const USUAL: usize = 24;

/// Reads and cleans the sources of one value of any shape that `skip` does not name.
pub fn extract_any<'v, V: Value<'v>>(
    value: V,
    detail: Detail,
    skip: impl Fn(Shape) -> bool,
) -> Vec<Source<'v>> {
    let mut found = Found { sources: Vec::with_capacity(USUAL), detail };
    read_any(value, &mut found, skip);
    found.sources.iter_mut().for_each(clean::source);
    found.sources
}

/// Reads and cleans the sources of one value, repeats included.
pub fn extract<'v, V: Value<'v>>(value: V, shape: Shape, detail: Detail) -> Vec<Source<'v>> {
    let mut found = Found { sources: Vec::with_capacity(USUAL), detail };
    read(value, shape, &mut found);
    found.sources.iter_mut().for_each(clean::source);
    found.sources
}

/// The list a reader is shown: every source once, without those that `shown` names.
pub fn listed<'a>(sources: Vec<Source<'a>>, shown: &[Source<'_>]) -> Vec<Source<'a>> {
    without(dedupe(sources), shown)
}

//! Spans of the answer, in the units people use.
//!
//! In: the text of a model call and the places a provider names in it. Out: byte ranges that hold
//! what the provider says they hold; and text with markers behind such ranges. `marker` goes the
//! other way, from markers in a text to what they name; quotations are found where they stand.
//! Promise: a range never cuts a character, markers never touch code or links, and no input takes
//! more than linear time.

mod insert;
pub mod marker;
mod place;
mod quote;
mod reference;
mod renumber;
mod solid;

pub use insert::insert_markers;
pub use place::{Placed, Placer};
pub use quote::{Document, Found};
pub use reference::{Marked, Reference, Resolved, marked, references, source_ids};
pub use renumber::renumber;
pub use solid::closing;

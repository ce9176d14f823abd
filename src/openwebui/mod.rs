//! What Open WebUI makes of sources: a context for the model, events, a list below the message.
//!
//! In: sources as Open WebUI keeps them with a message, each with documents and their metadata. Out: one
//! number for each source that can be shown, and what is written with it. Promise: every function here
//! counts with the same [`each_document`], so the context, the markers and the list agree; text of a
//! document never leaves its tag.
//!
//! A document belongs to what its metadata calls `source`, else to the `id` of its source, else to
//! `N/A`; the first document of each gets the next number. Here Open WebUI's own back end and front end
//! part ways: the one numbers sources nobody can name, the other never hears of them. A document that has
//! neither a `source` nor an `id` nor a `name` gets no number here: its tag has no `id`, which tells the
//! model not to cite it, and no list shows it.

mod context;
mod list;
mod made;
mod markers;
mod read;
mod template;

pub use context::source_context;
pub use list::{Listed, Listing, Passage, list, source_of};
pub use made::{Made, MadeDocument, Maker};
pub use markers::replace_markers;
pub use read::{Depth, Document, Facts, NOBODY, each_document, is_named, is_source, plain_json};
pub use template::{DEFAULT_TEMPLATE, fill_template, has_context};

#[cfg(test)]
mod tests;

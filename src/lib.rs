//! Citations for what a model turn produced.
//!
//! `input` reads provider payloads and tool results, as JSON or as live objects, into sources.
//! `clean` makes their text and addresses safe to print. `dedupe` lists each page once and keeps
//! what every repeat knew. `turn` holds this together over one turn. `render` shows the result.
//!
//! `model` is the vocabulary they share, `settings` decides who may see citations, and `js` is the
//! face JavaScript sees. A room imports only rooms named before it; nothing imports `js`.

pub mod input;
pub mod model;

pub mod clean;
pub mod dedupe;
pub mod turn;

pub mod js;
pub mod render;
pub mod settings;

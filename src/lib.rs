//! Citations for what a model turn produced.
//!
//! `input` reads what providers send, as JSON, live objects or bytes, into statements about text,
//! sources and spans. `clean` makes their text and addresses safe to print. `dedupe` lists each page
//! once and keeps what every repeat knew. `anchor` finds where in the answer a span really lies,
//! and `documents` where in the request's documents a citation points.
//! `turn` holds this together over one turn, `ground` says how far the
//! answer rests on its sources, and `render` shows the result. `openwebui` speaks the language of
//! another host.
//!
//! `model` is the vocabulary they share, `settings` decides who may see citations, and `js` is the
//! face JavaScript sees. A room imports only rooms that stand above it here; nothing imports `js`.

pub mod model;

pub mod input;

pub mod clean;

pub mod dedupe;

pub mod anchor;

pub mod documents;

pub mod turn;

pub mod ground;

pub mod render;

pub mod openwebui;

pub mod settings;

pub mod js;

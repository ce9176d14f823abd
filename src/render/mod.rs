//! Sources, shown.
//!
//! In: cleaned, deduplicated sources and what the caller chose. Out: the block of sources as terminal
//! text, as Markdown, or as rows of segments for a UI that draws its own; an answer with its sources as
//! Markdown or as a piece of a page. Promise: nothing untrusted leaves a target's own quoting; no
//! sources, no block.

mod answer;
mod block;
mod copy;
mod coverage;
mod escape;
pub mod hyperlinks;
mod label;
mod leaning;
mod markdown;
pub mod page;
mod prompt;
mod select;
mod terminal;
mod wrap;

pub use answer::{Style, answer};
pub use block::{Row, Segment, layout};
pub use copy::copy;
pub use coverage::{CoverageOptions, coverage_svg, write_coverage};
pub use escape::escaped;
pub use hyperlinks::{Support, Terminal, detect};
pub use leaning::Leaning;
pub use markdown::link_target;
pub use prompt::{GUIDELINES, sources_for_prompt};
pub use select::{Numbered, number};

/// How links are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Terminal hyperlinks (OSC 8).
    Osc8,
    /// Markdown links, one source per line.
    Markdown,
    /// Addresses as text.
    Plain,
}

/// What ends an OSC 8 sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// BEL, the only one Ink's tokenizer reads.
    Bel,
    /// ESC `\`, what ECMA-48 asks for.
    St,
}

/// What a caller may choose. Defaults live here and nowhere else.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How links are written.
    pub links: Links,
    /// What ends a terminal hyperlink.
    pub terminator: Terminator,
    /// Columns to wrap at; `None` leaves wrapping to whoever prints.
    pub width: Option<usize>,
    /// The most sources to list.
    pub max_sources: Option<usize>,
    /// Whether quotations stand under their source.
    pub show_excerpts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            links: Links::Plain,
            terminator: Terminator::Bel,
            width: None,
            max_sources: None,
            show_excerpts: true,
        }
    }
}

/// Appends the block of sources as text, without a final line break.
pub fn write_block(sources: &[Numbered<'_, '_>], options: Options, text: &mut String) {
    match options.links {
        _ if sources.is_empty() => {}
        Links::Markdown => markdown::write_block(sources, options, text),
        Links::Osc8 | Links::Plain => terminal::write_block(sources, options, text),
    }
}

/// The block of sources as text.
pub fn block(sources: &[Numbered<'_, '_>], options: Options) -> String {
    let mut text = String::new();
    write_block(sources, options, &mut text);
    text
}

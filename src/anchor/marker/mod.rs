//! Citation markers in a text, in every dialect models write.
//!
//! In: an answer, whole or piece by piece. Out: its markers, or the answer with all of them in one
//! dialect. Promise: code, links and definitions stay as they are, also while a fence is still open;
//! pieces give what the whole gives, however it is cut; time is linear and what is held back is
//! bounded.
//!
//! What is code and what is a link, CommonMark says, with one exception: `[1]` in prose is a citation
//! also where a definition `[1]: https://…` follows somewhere. The one reader of the markup is
//! `scan`, which never looks at text twice and decides as soon as the text can no longer change the
//! answer; a whole text is a stream of one piece.
//!
//! What is written for a marker reads as the same marker again, so a text that was formatted once is not
//! changed by formatting it again; `[7?]` and `[?]`, which stand for numbers and ids without a source,
//! are no markers, but the bracket right behind one is. Three things escape this: a link is no marker
//! any more, `[x]: [1, 2]` loses the blank that keeps it from being a definition, and a paragraph of
//! nothing but markers that goes no longer parts a list from indented code.
//!
//! Where a decision would need more than 4 kB of text, the text is left as it is: a backtick, a
//! bracket or a tag without an end in sight protects what follows it, to the end of its paragraph. A
//! block of HTML is left as it is. Three things are simpler than in CommonMark: a definition is one
//! line, the address of a link is not looked for behind the `>` of the next line of a quotation, and
//! lists and quotations nest no deeper than 64.

mod block;
mod brackets;
mod context;
mod edges;
mod format;
mod grammar;
mod html;
mod inline;
mod line;
mod link;
mod page;
mod raised;
mod reader;
mod repair;
mod rewrite;
mod scan;
mod solid;
mod tail;
mod write;

pub use format::{Dangling, Format, Formatted, MarkerStream, Options, Sources, format, format_in};
pub use rewrite::rewrite;
pub use write::Replacement;

use scan::{Scanner, Window};
use std::ops::Range;

/// A citation in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The numbers in the order they are written, ranges spelt out. Empty where the dialect names
    /// sources by id.
    pub numbers: Vec<usize>,
    /// The ids of sources, where the dialect has ids: `turn0search1`, or `10:13` in `【10:13†source】`,
    /// where the numbers count messages and results of a search, not sources.
    pub ids: Vec<SourceId>,
    /// The lines of the source: `L3-L5` in `【1†L3-L5】`.
    pub lines: Option<String>,
    /// How it is written.
    pub dialect: Dialect,
    /// Whether a link, or another citation, ends right before it.
    pub(crate) joined: bool,
}

/// A source named by a provider's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceId {
    /// The id.
    pub id: String,
    /// Lines of the source, such as `L8-L13`.
    pub lines: Option<String>,
}

/// How a marker is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `[1]`, `[2, 3]`, `[1-3]`, `[[1]]`.
    Brackets,
    /// `[^1]`.
    Footnote,
    /// `【1】`, `【1†source】`, `【10:13†source】`.
    Lenticular,
    /// `［1］`.
    FullWidth,
    /// OpenAI's form between U+E200 and U+E201.
    PrivateUse,
    /// `¹`.
    Superscript,
}

/// The markers of `text` in their order. `known` is how many sources there are, where that is known.
pub fn parse(text: &str, known: Option<usize>) -> Vec<Marker> {
    let mut found = Vec::new();
    let mut scanner = Scanner::new(known);
    while scanner.scan(Window::of(text), true, &mut found) {}
    found
}

#[cfg(test)]
mod tests;

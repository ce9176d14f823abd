//! All markers of a text in one dialect.

use super::rewrite::Rewriter;
use super::write::Replacement;
use super::{Dialect, Marker, SourceId};
use std::borrow::Cow;
use std::fmt::Write as _;

/// How markers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `[1][2]`.
    #[default]
    Brackets,
    /// `¹,²`.
    Superscript,
    /// `[1](https://example.com)`; `[1]` where a source has no address.
    InlineLinks,
    /// `[^1]`.
    Footnotes,
    /// Not at all.
    Remove,
}

/// What becomes of numbers and ids that name no source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dangling {
    /// They are written like the others; ids stay as they are.
    #[default]
    Keep,
    /// They go.
    Strip,
    /// `[7?]`; `[?]` for an id.
    Flag,
}

/// What to do with markers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How they are written.
    pub format: Format,
    /// What becomes of those that name no source. `Format::Remove` takes them along unless they are
    /// flagged.
    pub dangling: Dangling,
    /// Whether sources are numbered anew, in the order they are cited.
    pub renumber: bool,
}

impl Options {
    pub(super) fn may_remove(self) -> bool {
        self.format == Format::Remove || self.dangling == Dangling::Strip
    }
}

/// The sources markers name.
pub trait Sources {
    /// How many there are: their numbers are 1 to this. `None` when that is not known; then every
    /// number names a source.
    fn count(&self) -> Option<usize>;
    /// The number of the source with this id.
    fn number(&self, id: &str) -> Option<usize>;
    /// The address of a source, escaped for the parentheses of a link.
    fn target(&self, number: usize) -> Option<Cow<'_, str>>;
}

/// A text in one dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The text.
    pub text: String,
    /// The old number of each source that is numbered anew: the first becomes 1.
    pub order: Vec<usize>,
}

/// `text` with all its markers in one dialect.
pub fn format(text: &str, sources: impl Sources, options: Options) -> Formatted {
    format_in(String::new(), text, sources, options)
}

/// The same, written in `room`: fresh memory for a long answer costs as much as to read it.
pub fn format_in(room: String, text: &str, sources: impl Sources, options: Options) -> Formatted {
    let MarkerStream { rewriter, mut formatter } = MarkerStream::new(sources, options);
    let text = rewriter.whole(text, room, &mut |marker, out| formatter.replace(marker, out));
    Formatted { text, order: formatter.order }
}

/// The same for a text that comes in pieces: what `push` and `finish` give, put together, is what
/// `format` makes of the whole.
pub struct MarkerStream<S> {
    rewriter: Rewriter,
    formatter: Formatter<S>,
}

impl<S: Sources> MarkerStream<S> {
    /// A stream at its start. How many sources there are is asked now; ids and addresses are asked
    /// when a marker is written.
    pub fn new(sources: S, options: Options) -> Self {
        let rewriter = Rewriter::new(sources.count(), options.may_remove());
        Self { rewriter, formatter: Formatter::new(sources, options) }
    }

    /// Takes the next piece of text and gives what can be shown now.
    pub fn push(&mut self, delta: &str) -> &str {
        let Self { rewriter, formatter } = self;
        rewriter.push(delta, &mut |marker, out| formatter.replace(marker, out))
    }

    /// What was held back, when nothing follows.
    pub fn finish(&mut self) -> &str {
        let Self { rewriter, formatter } = self;
        rewriter.finish(&mut |marker, out| formatter.replace(marker, out))
    }

    /// The old number of each source that is numbered anew so far.
    pub fn order(&self) -> &[usize] {
        &self.formatter.order
    }
}

struct Formatter<S> {
    sources: S,
    options: Options,
    /// Old numbers, by the new ones; and the other way round, 0 where there is no new one.
    order: Vec<usize>,
    new: Vec<usize>,
}

/// What a piece of a marker names.
#[derive(PartialEq, Eq)]
enum Named<'m> {
    Source(usize),
    /// A number without a source.
    Nobody(usize),
    /// An id without a source.
    Unknown(&'m SourceId),
}

impl<S: Sources> Formatter<S> {
    fn new(sources: S, options: Options) -> Self {
        Self { sources, options, order: Vec::new(), new: Vec::new() }
    }

    fn replace<'m>(&mut self, marker: &'m Marker, out: &mut String) -> Replacement {
        if self.options.format == Format::Remove && self.options.dangling != Dangling::Flag {
            return Replacement::Remove;
        }
        let number = |id: &'m SourceId| {
            self.sources.number(&id.id).map_or(Named::Unknown(id), Named::Source)
        };
        let ids: Vec<_> = marker.ids.iter().map(number).collect();
        let is_unknown = |one: &Named| matches!(one, Named::Unknown(_));
        let keeps = self.options.dangling == Dangling::Keep;
        if keeps && marker.numbers.is_empty() && ids.iter().all(is_unknown) {
            return Replacement::Keep;
        }
        // Each source once, in the order they are named; raised numbers may have been markers of their own.
        let may_repeat = marker.dialect == Dialect::Superscript;
        let count = self.sources.count().unwrap_or(usize::MAX);
        for (before, number) in each_behind(&marker.numbers) {
            if may_repeat || !before.contains(number) {
                let named =
                    if *number <= count { Named::Source(*number) } else { Named::Nobody(*number) };
                self.write(out, &named, marker.dialect);
            }
        }
        for (before, named) in each_behind(&ids) {
            if !before.contains(named) {
                self.write(out, named, marker.dialect);
            }
        }
        if out.is_empty() { Replacement::Remove } else { Replacement::Text }
    }

    fn write(&mut self, out: &mut String, named: &Named<'_>, dialect: Dialect) {
        let Options { format, dangling, .. } = self.options;
        match (named, dangling) {
            (Named::Source(_), _) if format == Format::Remove => {}
            (Named::Source(number), _) if format == Format::Footnotes => {
                let new = self.new_number(*number);
                bracket(out, "[^", new, "]");
            }
            (Named::Source(number), _) => {
                let new = self.new_number(*number);
                write_number(out, new, format, self.sources.target(*number).as_deref());
            }
            (_, Dangling::Strip) => {}
            (Named::Nobody(number), Dangling::Keep) => write_number(out, *number, format, None),
            (Named::Nobody(number), Dangling::Flag) => {
                bracket(out, "[", *number, "?]");
            }
            (Named::Unknown(_), Dangling::Flag) => out.push_str("[?]"),
            (Named::Unknown(id), Dangling::Keep) => write_id(out, id, dialect),
        }
    }

    fn new_number(&mut self, number: usize) -> usize {
        if !self.options.renumber {
            return number;
        }
        // Numbers have four digits at most, and ids are those of sources that are listed.
        if self.new.len() <= number {
            self.new.resize(number + 1, 0);
        }
        let Some(new) = self.new.get_mut(number) else { return number };
        if *new == 0 {
            self.order.push(number);
            *new = self.order.len();
        }
        *new
    }
}

/// Each of a list, with those before it.
fn each_behind<T>(list: &[T]) -> impl Iterator<Item = (&[T], &T)> {
    list.iter().enumerate().filter_map(|(at, one)| Some((list.get(..at)?, one)))
}

fn write_number(out: &mut String, number: usize, format: Format, target: Option<&str>) {
    if format == Format::Superscript {
        if !out.is_empty() {
            out.push(',');
        }
        let digits = number.to_string();
        let raised = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)? as usize);
        out.extend(digits.chars().filter_map(raised));
        return;
    }
    bracket(out, "[", number, "]");
    if let Some(target) = target.filter(|_| format == Format::InlineLinks) {
        out.extend(["(", target, ")"]);
    }
}

/// Writes a number between its brackets.
fn bracket(out: &mut String, open: &str, number: usize, close: &str) {
    out.push_str(open);
    match u8::try_from(number) {
        // What nearly all are; the general way costs ten times as much.
        Ok(number @ 0..10) => out.push(char::from(b'0' + number)),
        Ok(number @ 10..100) => {
            out.extend([char::from(b'0' + number / 10), char::from(b'0' + number % 10)]);
        }
        // A String takes all that is written.
        _ => drop(write!(out, "{number}")),
    }
    out.push_str(close);
}

/// Writes an id as a marker of its own, as it came.
fn write_id(out: &mut String, id: &SourceId, dialect: Dialect) {
    let lines = id.lines.as_deref();
    let _ = match (dialect, lines) {
        (Dialect::Lenticular, lines) => write!(out, "【{}†{}】", id.id, lines.unwrap_or("source")),
        (_, Some(lines)) => write!(out, "\u{e200}cite\u{e202}{}\u{e202}{lines}\u{e201}", id.id),
        (_, None) => write!(out, "\u{e200}cite\u{e202}{}\u{e201}", id.id),
    };
}

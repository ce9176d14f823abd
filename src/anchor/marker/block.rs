//! Which lines are code, and where a paragraph ends.
//!
//! In: one line after the other, each as far as it has come. Out: whether a line is left as it is or
//! holds text, and whether that text goes on from the line before. This is the block half of
//! CommonMark: quotations, lists, fences, indented code, headings, HTML, definitions.

use super::html::{self, Until};
use super::line::{Ahead, Cursor, Fence, Rest};
use super::link;

/// How deep quotations and lists may lie in each other. What lies deeper is text: without a limit an
/// empty line would cost as much as the depth.
const DEEPEST: usize = 64;

/// What holds other blocks.
#[derive(Clone, Copy, Debug)]
enum Container {
    Quote,
    /// How many columns a line must be indented to belong to the item.
    Item {
        need: usize,
        /// Whether nothing but its mark has come.
        empty: bool,
    },
}

/// What takes lines.
#[derive(Clone, Copy, Debug, Default)]
enum Leaf {
    #[default]
    None,
    Paragraph,
    /// A paragraph of which nothing is left but definitions.
    Definition,
    Fence(Fence),
    Html(Until),
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Code, HTML, a definition, a blank line: nothing to be found.
    Solid,
    /// Text from this byte on; `continues` the text of the line before.
    Text { at: usize, continues: bool },
}

/// The blocks that are open.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    containers: Vec<Container>,
    leaf: Leaf,
    /// What is opened by the line that is being read: its room is kept for the next one.
    opened: Vec<Container>,
}

/// What a line makes of the blocks.
struct Change {
    line: Line,
    leaf: Leaf,
    /// Whether a paragraph goes on, also where the marks of its containers are left out.
    goes_on: bool,
}

impl Blocks {
    /// Reads the next line, without its end. `None` when more of it must come first; then nothing
    /// has changed.
    pub(super) fn read(&mut self, line: &str, ended: bool) -> Option<Line> {
        if let Some(read) = self.read_plain(line, ended) {
            return Some(read);
        }
        let mut cursor = Cursor::new(line, ended);
        let matched = self.matched(&mut cursor)?;
        let all = matched == self.containers.len();
        self.opened.clear();
        let change = match self.leaf {
            Leaf::Fence(fence) if all => {
                let ahead = cursor.ahead()?;
                let closed = ahead.indent < 4 && ahead.rest.closes(fence)?;
                Change::solid(if closed { Leaf::None } else { self.leaf })
            }
            Leaf::Html(until) if all => {
                Change::solid(if until.ends(cursor.rest())? { Leaf::None } else { self.leaf })
            }
            leaf => open(cursor, Before { leaf, all, depth: matched }, &mut self.opened)?,
        };
        self.apply(&change, matched);
        Some(change.line)
    }

    /// What most lines are: words of a paragraph that lies in nothing, or nothing at all, or code.
    fn read_plain(&mut self, line: &str, ended: bool) -> Option<Line> {
        if let Leaf::Fence(fence) = self.leaf {
            let goes_on = self.containers.is_empty() && !fence.may_close_at(line);
            return goes_on.then_some(Line::Solid);
        }
        let continues = matches!(self.leaf, Leaf::Paragraph);
        if !self.containers.is_empty() || !(continues || matches!(self.leaf, Leaf::None)) {
            return None;
        }
        match line.bytes().next() {
            None if ended => self.leaf = Leaf::None,
            Some(first) if opens_nothing(first) => {
                self.leaf = Leaf::Paragraph;
                return Some(Line::Text { at: 0, continues });
            }
            _ => return None,
        }
        Some(Line::Solid)
    }

    fn apply(&mut self, change: &Change, matched: usize) {
        self.leaf = change.leaf;
        if !change.goes_on {
            self.containers.truncate(matched);
            self.containers.append(&mut self.opened);
        }
    }

    /// How many containers the line belongs to.
    fn matched(&mut self, cursor: &mut Cursor<'_>) -> Option<usize> {
        let mut matched = 0;
        for container in &mut self.containers {
            let Ahead { indent, rest, .. } = cursor.ahead()?;
            let blank = rest.text.is_empty();
            match container {
                Container::Quote if indent < 4 && rest.first() == Some(b'>') => skip_quote(cursor),
                Container::Item { need, empty } if !blank && indent >= *need => {
                    cursor.skip_columns(*need);
                    *empty = false;
                }
                Container::Item { need, empty: false } if blank => cursor.skip_columns(*need),
                _ => break,
            }
            matched += 1;
        }
        Some(matched)
    }
}

impl Change {
    fn solid(leaf: Leaf) -> Self {
        Self { line: Line::Solid, leaf, goes_on: false }
    }
}

/// Whether a line of which the text starts so holds nothing but text.
fn opens_nothing(first: u8) -> bool {
    first.is_ascii_alphabetic() || !first.is_ascii()
}

/// What was open before a line.
#[derive(Clone, Copy)]
struct Before {
    leaf: Leaf,
    /// Whether the line belongs to all open containers, and to how many.
    all: bool,
    depth: usize,
}

/// Reads what a line opens behind the containers it belongs to.
fn open(mut cursor: Cursor<'_>, before: Before, opened: &mut Vec<Container>) -> Option<Change> {
    let paragraph = matches!(before.leaf, Leaf::Paragraph | Leaf::Definition);
    loop {
        let Ahead { indent, rest, at } = cursor.ahead()?;
        let goes_on = paragraph && opened.is_empty();
        let text = Text { at, goes_on, leaf: before.leaf };
        if rest.text.is_empty() {
            if let Some(Container::Item { empty, .. }) = opened.last_mut() {
                *empty = true;
            }
            return Some(Change::solid(Leaf::None));
        }
        if indent >= 4 {
            return if goes_on { text.read(rest) } else { Some(Change::solid(Leaf::None)) };
        }
        if rest.first().is_some_and(opens_nothing) {
            return text.read(rest);
        }
        let deep = before.depth + opened.len() >= DEEPEST;
        if rest.first() == Some(b'>') && !deep {
            skip_quote(&mut cursor);
            opened.push(Container::Quote);
            continue;
        }
        if rest.is_heading()? {
            let line = Line::Text { at, continues: false };
            return Some(Change { line, leaf: Leaf::None, goes_on: false });
        }
        let under = goes_on && before.all && matches!(before.leaf, Leaf::Paragraph);
        if let Some(leaf) = solid_leaf(rest, goes_on, under)? {
            return Some(Change::solid(leaf));
        }
        let bullet =
            rest.bullet()?.filter(|bullet| !deep && (bullet.interrupts || !goes_on || !before.all));
        let Some(bullet) = bullet else {
            return text.read(rest);
        };
        cursor.skip_mark(bullet.width);
        let ahead = cursor.ahead()?;
        // A blank behind the mark, not more: what follows is indented code, or nothing.
        let blanks = if ahead.indent > 4 || ahead.rest.text.is_empty() { 1 } else { ahead.indent };
        cursor.skip_columns(blanks);
        opened.push(Container::Item { need: indent + bullet.width + blanks, empty: false });
    }
}

/// Fences, HTML, rules: what a line can be but text. `under` is whether a paragraph stands right
/// above.
#[expect(clippy::option_option, reason = "outside: not known yet; inside: none of these")]
fn solid_leaf(rest: Rest<'_>, goes_on: bool, under: bool) -> Option<Option<Leaf>> {
    if let Some(fence) = rest.fence()? {
        return Some(Some(Leaf::Fence(fence)));
    }
    if let Some(until) = html::start(rest, goes_on)? {
        let ended = until.ends(rest)?;
        return Some(Some(if ended { Leaf::None } else { Leaf::Html(until) }));
    }
    if (under && rest.is_underline()?) || rest.is_rule()? {
        return Some(Some(Leaf::None));
    }
    Some(None)
}

/// A line of a paragraph.
struct Text {
    at: usize,
    /// Whether it belongs to the paragraph that is open.
    goes_on: bool,
    leaf: Leaf,
}

impl Text {
    /// Text or, as long as there is none in the paragraph, a definition.
    fn read(&self, rest: Rest<'_>) -> Option<Change> {
        let goes_on = self.goes_on;
        let continues = goes_on && matches!(self.leaf, Leaf::Paragraph);
        if !continues && link::is_definition(rest)? {
            return Some(Change { line: Line::Solid, leaf: Leaf::Definition, goes_on });
        }
        let line = Line::Text { at: self.at, continues };
        Some(Change { line, leaf: Leaf::Paragraph, goes_on })
    }
}

/// Goes past `>` and the blank behind it.
fn skip_quote(cursor: &mut Cursor<'_>) {
    cursor.skip_mark(1);
    cursor.skip_columns(1);
}

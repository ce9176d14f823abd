//! What a single line can open or close.
//!
//! Every reader is given the line as far as it has come; `None` means that more of it must come
//! before anybody can tell.

/// A line, read from its start, blanks counted in columns: a tab reaches to the next multiple of four.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    rest: &'t str,
    column: usize,
    /// Columns of a tab that are left when a part of it is used up.
    spare: usize,
    at: usize,
    ended: bool,
}

/// What comes next in a line.
pub(super) struct Ahead<'t> {
    /// How many columns of blanks.
    pub(super) indent: usize,
    /// What comes behind them.
    pub(super) rest: Rest<'t>,
    /// Where in the line that is.
    pub(super) at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(line: &'t str, ended: bool) -> Self {
        Self { rest: line, column: 0, spare: 0, at: 0, ended }
    }

    /// What comes next. `None` where more blanks may come.
    pub(super) fn ahead(&self) -> Option<Ahead<'t>> {
        let mut column = self.column + self.spare;
        let mut blanks = 0;
        for byte in self.rest.bytes() {
            match byte {
                b' ' => column += 1,
                b'\t' => column = tab_stop(column),
                _ => break,
            }
            blanks += 1;
        }
        let text = self.rest.get(blanks..).unwrap_or_default();
        let rest = Rest { text, ended: self.ended };
        let ahead = Ahead { indent: column - self.column, rest, at: self.at + blanks };
        (self.ended || !text.is_empty()).then_some(ahead)
    }

    /// What comes behind the blanks.
    pub(super) fn rest(&self) -> Rest<'t> {
        Rest { text: self.rest.trim_start_matches([' ', '\t']), ended: self.ended }
    }

    /// Goes past blanks, at most so many columns of them.
    pub(super) fn skip_columns(&mut self, columns: usize) {
        let mut left = columns;
        let spare = self.spare.min(left);
        (self.spare, self.column, left) = (self.spare - spare, self.column + spare, left - spare);
        while left > 0 {
            let width = match self.rest.bytes().next() {
                Some(b' ') => 1,
                Some(b'\t') => tab_stop(self.column) - self.column,
                _ => return,
            };
            self.skip_bytes(1);
            let used = width.min(left);
            (self.spare, self.column, left) = (width - used, self.column + used, left - used);
        }
    }

    /// Goes past the blanks and the mark of `width` bytes behind them.
    pub(super) fn skip_mark(&mut self, width: usize) {
        self.skip_columns(usize::MAX);
        self.skip_bytes(width);
        self.column += width;
    }

    fn skip_bytes(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.at += count;
    }
}

fn tab_stop(column: usize) -> usize {
    column / 4 * 4 + 4
}

/// A line without what stands before its content.
#[derive(Clone, Copy)]
pub(super) struct Rest<'t> {
    pub(super) text: &'t str,
    pub(super) ended: bool,
}

/// A fence of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// Whether this line may still close it.
    pub(super) fn may_close_at(self, line: &str) -> bool {
        let first = line.bytes().find(|byte| !is_blank(*byte));
        first.is_none_or(|first| first == self.mark)
    }
}

/// The mark of a list item.
pub(super) struct Bullet {
    pub(super) width: usize,
    /// Whether a paragraph may end for it.
    pub(super) interrupts: bool,
}

impl Rest<'_> {
    pub(super) fn first(&self) -> Option<u8> {
        self.text.bytes().next()
    }

    /// How many of `mark` come first. `None` while there may be more.
    fn run(&self, mark: u8) -> Option<usize> {
        let length = self.text.bytes().take_while(|byte| *byte == mark).count();
        (self.ended || length < self.text.len()).then_some(length)
    }

    /// Whether the line has a blank, or ends, at this byte.
    fn is_blank_at(&self, at: usize) -> Option<bool> {
        match self.text.as_bytes().get(at) {
            Some(byte) => Some(matches!(byte, b' ' | b'\t')),
            None => self.ended.then_some(true),
        }
    }

    /// Whether nothing but bytes of this kind follow from `at` on.
    fn only(&self, at: usize, accept: impl Fn(u8) -> bool) -> Option<bool> {
        if self.text.bytes().skip(at).all(accept) {
            self.ended.then_some(true)
        } else {
            Some(false)
        }
    }

    /// `# Heading`.
    pub(super) fn is_heading(&self) -> Option<bool> {
        if self.first() != Some(b'#') {
            return Some(false);
        }
        let length = self.run(b'#')?;
        if length > 6 { Some(false) } else { self.is_blank_at(length) }
    }

    /// The fence the line opens.
    #[expect(clippy::option_option, reason = "outside: not known yet; inside: none")]
    pub(super) fn fence(&self) -> Option<Option<Fence>> {
        let Some(mark @ (b'`' | b'~')) = self.first() else { return Some(None) };
        let length = self.run(mark)?;
        if length < 3 {
            return Some(None);
        }
        // A backtick behind it makes it code within a line.
        let opens = mark == b'~' || self.only(length, |byte| byte != b'`')?;
        Some(opens.then_some(Fence { mark, length }))
    }

    /// Whether the line closes this fence.
    pub(super) fn closes(&self, fence: Fence) -> Option<bool> {
        if self.first() != Some(fence.mark) {
            return Some(false);
        }
        let length = self.run(fence.mark)?;
        if length < fence.length { Some(false) } else { self.only(length, is_blank) }
    }

    /// `***`, `- - -`.
    pub(super) fn is_rule(&self) -> Option<bool> {
        let Some(mark @ (b'*' | b'-' | b'_')) = self.first() else { return Some(false) };
        let only = self.only(0, |byte| byte == mark || is_blank(byte))?;
        Some(only && self.text.bytes().filter(|byte| *byte == mark).count() >= 3)
    }

    /// The line under a heading.
    pub(super) fn is_underline(&self) -> Option<bool> {
        let Some(mark @ (b'=' | b'-')) = self.first() else { return Some(false) };
        let length = self.run(mark)?;
        self.only(length, is_blank)
    }

    /// `- `, `1. `.
    #[expect(clippy::option_option, reason = "outside: not known yet; inside: none")]
    pub(super) fn bullet(&self) -> Option<Option<Bullet>> {
        let (width, first) = match self.first() {
            Some(b'-' | b'+' | b'*') => (1, true),
            Some(b'0'..=b'9') => {
                let digits = self.text.bytes().take_while(u8::is_ascii_digit).count();
                match self.text.as_bytes().get(digits) {
                    _ if digits > 9 => return Some(None),
                    Some(b'.' | b')') => {}
                    None if !self.ended => return None,
                    _ => return Some(None),
                }
                let number = self.text.get(..digits).unwrap_or_default();
                (digits + 1, number.parse() == Ok(1))
            }
            _ => return Some(None),
        };
        if !self.is_blank_at(width)? {
            return Some(None);
        }
        let behind = Rest { text: self.text.get(width..).unwrap_or_default(), ended: self.ended };
        let empty = behind.only(0, is_blank)?;
        Some(Some(Bullet { width, interrupts: first && !empty }))
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a line holds nothing but the marks of lists, quotations and headings so far.
pub(super) fn is_marks(line: &str) -> bool {
    line.split([' ', '\t']).all(|word| {
        let digits = word.trim_start_matches(|one: char| one.is_ascii_digit());
        let numbered = digits.len() < word.len() && matches!(digits, "." | ")");
        numbered || word.chars().all(|one| matches!(one, '>' | '-' | '+' | '*' | '#'))
    })
}

/// Whether a line that starts so is more than text.
pub(super) fn opens_block(line: &str, ended: bool) -> Option<bool> {
    let digits = line.trim_start_matches(|one: char| one.is_ascii_digit());
    let numbered = digits.len() < line.len();
    let mut next = digits.chars();
    let (first, second, third) = (next.next(), next.next(), next.next());
    match first {
        None if numbered && !ended => None,
        Some('.' | ')') if numbered => Some(true),
        _ if numbered => Some(false),
        Some('*' | '`') if (second.is_none() || second == first && third.is_none()) && !ended => {
            None
        }
        // `**Title**` is text.
        Some('*') => Some(second != first || third == first),
        Some('`') => Some(second == first && third == first),
        Some('#' | '>' | '~' | '-' | '+' | '=' | '_' | '<' | '|') => Some(true),
        _ => Some(false),
    }
}

/// Whether a line starts like a definition: `[label]:`.
pub(super) fn is_definition_start(line: &str, ended: bool) -> Option<bool> {
    let Some(label) = line.strip_prefix('[') else { return Some(false) };
    match label.split_once(']') {
        None | Some((_, "")) => ended.then_some(false),
        Some((_, behind)) => Some(behind.starts_with(':')),
    }
}

/// Whether a line means something else when the line above it is empty; `item` when nothing but the
/// mark of a list or a quotation is left there.
pub(super) fn depends_on_text(line: &str, item: bool, ended: bool) -> Option<bool> {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    match rest.chars().next() {
        _ if indent >= 4 => Some(true),
        None => ended.then_some(false),
        Some('\t' | '=' | '<') => Some(true),
        Some('-') => {
            let run = rest.trim_start_matches('-');
            match run.trim_start_matches([' ', '\t']).chars().next() {
                None => ended.then_some(run.is_empty()),
                Some(next) => Some(matches!(next, '\n' | '\r')),
            }
        }
        Some('0'..='9') => opens_block(rest, ended),
        Some('[') => is_definition_start(rest, ended),
        Some('\n' | '\r' | '>' | '+' | '*' | '#' | '`' | '~') => Some(false),
        Some(_) => Some(item && indent == 0),
    }
}

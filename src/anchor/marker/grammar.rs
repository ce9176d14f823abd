//! What a citation marker looks like, whatever stands around it.
//!
//! In: text from the first character of what may be a marker. Out: the marker, or that it is none, or
//! that more text must come before anybody can tell. The answer for a piece of text never changes
//! when more follows.

use super::raised::superscript;
use super::reader::Stop;
use super::{Dialect, SourceId};
use std::str::Chars;

/// The longest marker, in characters.
const LONGEST: usize = 64;
/// The longest marker of the private-use dialect, which names many sources by long ids.
const LONGEST_PRIVATE: usize = 4096;
/// The most sources one range may stand for.
const WIDEST_RANGE: usize = 50;

const PRIVATE_START: char = '\u{e200}';
const PRIVATE_STOP: char = '\u{e201}';
const PRIVATE_NEXT: char = '\u{e202}';

/// A marker as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bytes.
    pub(super) length: usize,
    /// The largest number; 0 where there is none.
    pub(super) largest: usize,
    /// Whether it says that there is no source.
    pub(super) is_flag: bool,
    pub(super) dialect: Dialect,
}

/// What a marker names, as [`super::Marker`] has it.
#[derive(Default)]
pub(super) struct Names {
    pub(super) numbers: Vec<usize>,
    pub(super) ids: Vec<SourceId>,
    pub(super) lines: Option<String>,
}

/// What a piece of text turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read {
    Marker(Shape),
    /// No marker: from this byte on it could not go on as one.
    Not(usize),
    /// It may still become one.
    More,
}

/// Whether a marker may start with this character.
pub(super) fn opens(character: char) -> bool {
    matches!(character, '[' | '【' | '［' | PRIVATE_START) || superscript(character).is_some()
}

/// Whether a marker may start with the first character of this. Hardly anybody asks, so the loops that do stay small.
#[inline(never)]
pub(super) fn may_start(text: &str) -> bool {
    text.chars().next().is_some_and(opens)
}

/// Reads the marker at the start of `text`. `ended` says that nothing follows.
pub(super) fn read(text: &str, ended: bool) -> Read {
    read_for(text, ended, None)
}

/// The same; `names` gets what the marker names.
pub(super) fn read_names(text: &str, ended: bool, names: &mut Names) -> Read {
    names.numbers.clear();
    names.ids.clear();
    names.lines = None;
    read_for(text, ended, Some(names))
}

fn read_for(text: &str, ended: bool, names: Option<&mut Names>) -> Read {
    let first = text.chars().next();
    let longest = if first == Some(PRIVATE_START) { LONGEST_PRIVATE } else { LONGEST };
    let mut reader =
        Reader { rest: text.chars(), left: longest, ended, named: 0, largest: 0, names };
    let dialect = match first {
        Some('[') => reader.square(),
        Some('【') => reader.lenticular(),
        Some('［') => reader.full_width(),
        Some(PRIVATE_START) => reader.private(),
        _ => reader.raised(),
    };
    let length = text.len() - reader.rest.as_str().len();
    match dialect {
        Ok(dialect) => {
            let (largest, is_flag) = (reader.largest, reader.named == 0);
            Read::Marker(Shape { length, largest, is_flag, dialect })
        }
        Err(Stop::More) => Read::More,
        Err(Stop::Not) => Read::Not(length),
    }
}

/// A marker that is being read.
pub(super) struct Reader<'t, 'n> {
    pub(super) rest: Chars<'t>,
    /// Characters a marker may still have.
    pub(super) left: usize,
    pub(super) ended: bool,
    /// How many numbers and ids were read, and the largest number.
    named: usize,
    largest: usize,
    /// What they are, if anybody asks.
    names: Option<&'n mut Names>,
}

impl<'t> Reader<'t, '_> {
    /// A number was read.
    pub(super) fn name(&mut self, number: usize) {
        self.named += 1;
        self.largest = self.largest.max(number);
        if let Some(names) = &mut self.names {
            names.numbers.push(number);
        }
    }

    /// The same for the rest of a range behind its first number, if it is a range.
    pub(super) fn name_range(&mut self, low: usize, high: usize) -> Result<(), Stop> {
        if low >= high || high - low >= WIDEST_RANGE {
            return Err(Stop::Not);
        }
        (low + 1..=high).for_each(|number| self.name(number));
        Ok(())
    }

    /// An id was read.
    fn name_id(&mut self, id: &str) {
        self.named += 1;
        if let Some(names) = &mut self.names {
            names.ids.push(SourceId { id: id.to_owned(), lines: None });
        }
    }

    #[inline]
    pub(super) fn peek(&self) -> Result<char, Stop> {
        match self.rest.clone().next() {
            _ if self.left == 0 => Err(Stop::Not),
            Some(character) => Ok(character),
            None if self.ended => Err(Stop::Not),
            None => Err(Stop::More),
        }
    }

    #[inline]
    pub(super) fn skip(&mut self) {
        if self.rest.next().is_some() {
            self.left = self.left.saturating_sub(1);
        }
    }

    #[inline]
    fn take(&mut self, accept: impl Fn(char) -> bool) -> Result<bool, Stop> {
        let taken = accept(self.peek()?);
        if taken {
            self.skip();
        }
        Ok(taken)
    }

    fn expect(&mut self, wanted: char) -> Result<(), Stop> {
        if self.take(|character| character == wanted)? { Ok(()) } else { Err(Stop::Not) }
    }

    /// `[1]`, `[2, 3]`, `[1-3]`, `[[1]]`, `[^1]`; and `[7?]`, `[?]`, which are written for numbers and
    /// ids without a source.
    fn square(&mut self) -> Result<Dialect, Stop> {
        self.expect('[')?;
        if self.peek()? == '?' {
            return self.flag();
        }
        let double = self.take(|character| character == '[')?;
        let footnote = !double && self.take(|character| character == '^')?;
        self.numbers()?;
        if !double && !footnote && self.named == 1 && self.peek()? == '?' {
            return self.flag();
        }
        self.expect(']')?;
        if double {
            self.expect(']')?;
        }
        Ok(if footnote { Dialect::Footnote } else { Dialect::Brackets })
    }

    /// The end of a flag.
    fn flag(&mut self) -> Result<Dialect, Stop> {
        (self.named, self.largest) = (0, 0);
        self.expect('?')?;
        self.expect(']')?;
        Ok(Dialect::Brackets)
    }

    /// `［1］`.
    fn full_width(&mut self) -> Result<Dialect, Stop> {
        self.expect('［')?;
        self.numbers()?;
        self.expect('］')?;
        Ok(Dialect::FullWidth)
    }

    /// `【1】`, `【1†source】`, `【1†L3-L5】`, `【10:13†source】`.
    fn lenticular(&mut self) -> Result<Dialect, Stop> {
        self.expect('【')?;
        let start = self.rest.as_str();
        // In the pair a number counts from 0.
        let first = self.digits()?;
        if self.take(|character| character == ':')? {
            self.digits()?;
            let id = self.read_since(start);
            self.name_id(id);
        } else {
            self.numbers_from(first)?;
        }
        if self.take(|character| character == '†')? {
            self.label()?;
        }
        self.expect('】')?;
        Ok(Dialect::Lenticular)
    }

    /// What stands behind `†`: a word or a file name, which says nothing, or lines.
    fn label(&mut self) -> Result<(), Stop> {
        let start = self.rest.as_str();
        while self.take(|character| {
            !character.is_control() && !matches!(character, '【' | '】' | '[' | ']' | '`')
        })? {}
        let label = self.read_since(start);
        if let Some(names) = &mut self.names
            && is_lines(label)
        {
            let lines = names.ids.last_mut().map_or(&mut names.lines, |id| &mut id.lines);
            *lines = Some(label.to_owned());
        }
        Ok(())
    }

    /// `cite` and the ids of sources, each with lines of its own or without.
    fn private(&mut self) -> Result<Dialect, Stop> {
        self.expect(PRIVATE_START)?;
        let kind = self.word()?;
        if !matches!(kind, "cite" | "filecite") {
            return Err(Stop::Not);
        }
        // Whether the last id may have lines.
        let mut may_have_lines = false;
        while self.take(|character| character == PRIVATE_NEXT)? {
            let word = self.word()?;
            if word.is_empty() {
                return Err(Stop::Not);
            }
            if !may_have_lines || !is_lines(word) {
                self.name_id(word);
                may_have_lines = true;
                continue;
            }
            may_have_lines = false;
            if let Some(id) = self.names.as_mut().and_then(|names| names.ids.last_mut()) {
                id.lines = Some(word.to_owned());
            }
        }
        self.expect(PRIVATE_STOP)?;
        if self.named == 0 { Err(Stop::Not) } else { Ok(Dialect::PrivateUse) }
    }

    /// What was read from `start` on, which was the rest then.
    fn read_since(&self, start: &'t str) -> &'t str {
        start.get(..start.len() - self.rest.as_str().len()).unwrap_or_default()
    }

    fn word(&mut self) -> Result<&'t str, Stop> {
        let accept = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte);
        let rest = self.rest.as_str();
        let length = rest.bytes().take(self.left).take_while(accept).count();
        let (word, rest) = rest.split_at_checked(length).unwrap_or_default();
        (self.rest, self.left) = (rest.chars(), self.left - length);
        // Too long for a marker, or not at its end yet.
        self.peek()?;
        Ok(word)
    }

    fn numbers(&mut self) -> Result<(), Stop> {
        let first = self.digits()?;
        self.numbers_from(first)
    }

    /// Numbers and ranges, of which the first number is read.
    fn numbers_from(&mut self, first: usize) -> Result<(), Stop> {
        let mut low = first;
        loop {
            // 0 is never a citation.
            if low == 0 {
                return Err(Stop::Not);
            }
            self.name(low);
            if self.take(|character| matches!(character, '-' | '–' | '‑'))? {
                let high = self.digits()?;
                self.name_range(low, high)?;
            }
            let spaced = self.blanks()?;
            if !self.take(|character| matches!(character, ',' | ';' | '，' | '、' | '；'))? {
                return if spaced { Err(Stop::Not) } else { Ok(()) };
            }
            self.blanks()?;
            low = self.digits()?;
        }
    }

    fn blanks(&mut self) -> Result<bool, Stop> {
        let mut any = false;
        while self.take(|character| character == ' ')? {
            any = true;
        }
        Ok(any)
    }

    /// Up to four digits without a leading zero, or 0 itself.
    fn digits(&mut self) -> Result<usize, Stop> {
        let mut value = 0;
        let mut length = 0;
        while let Some(digit) = self.peek()?.to_digit(10) {
            if length == 4 || (length > 0 && value == 0) {
                return Err(Stop::Not);
            }
            value = value * 10 + digit as usize;
            length += 1;
            self.skip();
        }
        if length == 0 { Err(Stop::Not) } else { Ok(value) }
    }
}

/// `L8`, `L8-L13`, `L8-13`.
fn is_lines(word: &str) -> bool {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let Some(rest) = word.strip_prefix('L') else { return false };
    match rest.split_once('-') {
        None => is_number(rest),
        Some((from, to)) => is_number(from) && is_number(to.strip_prefix('L').unwrap_or(to)),
    }
}

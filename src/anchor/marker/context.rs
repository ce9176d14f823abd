//! Whether what looks like a marker is a citation where it stands.
//!
//! The branches, each with a test:
//! - A number of four digits is a year or a code unless it names a known source.
//! - A label at the start of a line, `[1]: …`, is a definition, whatever it defines.
//! - Right behind a backslash or an opening bracket nothing is a citation; nor is what stands in
//!   something that would be a marker without it: `[1, [2]]`.
//!   Of a list in brackets, `[[1], [2]]`, no piece is one.
//! - A bracket right behind `]` belongs to it: `[text][1]`, `x[0][1]`; right behind a citation, or what
//!   is written for one without a source, `[7?]`, it is the next one; right behind a link it is one.
//! - A bracket right behind an ASCII word, `)` or `$` may be a subscript. It is a citation when every
//!   number of it, and of the brackets right behind it, names a known source (where sources are
//!   given), and what follows is a blank, sentence punctuation, another marker, `<br>`, a tag that
//!   closes or the end: no operator, no `=`, no `(`, no member. A footnote `[^1]` need not be known: no language subscripts so.
//! - A raised number is an exponent behind a digit, a bracket, a sign, or a short word or name of a
//!   unit or function (`x²`, `km²`, `sin²`); behind a word of four letters and more, or letters without
//!   case, it is a citation if it is known; behind punctuation and blanks it is one.

use super::Dialect;
use super::grammar::{self, Read, Shape};
use super::html;
use super::line::is_marks;

/// How far around a marker anybody looks, in bytes.
pub(super) const REACH: usize = 64;

/// Words that a raised number multiplies.
const MULTIPLIED: [&str; 13] = [
    "cosh", "feet", "foot", "inch", "meter", "meters", "metre", "metres", "mile", "miles", "sinh",
    "tanh", "yard",
];

/// What may follow a word instead of a blank or a mark of a sentence.
const ENTITIES: [&str; 9] =
    ["&#", "&nbsp;", "&ensp;", "&emsp;", "&thinsp;", "&mdash;", "&ndash;", "&hellip;", "&quot;"];

/// What ends right before a marker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    Text,
    Citation,
    Link,
    /// A bracket that is neither.
    Bracket,
}

/// What stands around a marker.
pub(super) struct Context<'t> {
    /// Up to 64 bytes before it and behind it.
    pub(super) before: &'t str,
    pub(super) after: &'t str,
    /// Whether what stands behind it is known to its end, or as far as anybody looks.
    pub(super) ended: bool,
    pub(super) behind: Behind,
    pub(super) known: Option<usize>,
}

impl Context<'_> {
    /// Whether this is a citation; `None` when more text must come.
    pub(super) fn accepts(&self, shape: &Shape) -> Option<bool> {
        let before = self.before.chars().next_back();
        if !self.is_number_of_a_source(shape) || matches!(before, Some('\\' | '[')) {
            return Some(false);
        }
        let next = self.next(0)?;
        if next == Some(':') && self.starts_line() {
            return Some(false);
        }
        match shape.dialect {
            Dialect::Lenticular | Dialect::FullWidth | Dialect::PrivateUse => Some(true),
            _ if self.behind == Behind::Citation && shape.dialect != Dialect::Superscript => {
                Some(true)
            }
            Dialect::Superscript => Some(!raises(next) && self.may_be_raised(shape)),
            Dialect::Brackets | Dialect::Footnote => match before {
                _ if self.behind == Behind::Link => Some(true),
                _ if self.behind == Behind::Bracket => Some(false),
                Some(one) if is_word(one) || one == ')' => self.ends_a_word(shape),
                _ => Some(true),
            },
        }
    }

    /// The character so many bytes behind the marker; inside, none when the text ends there.
    #[expect(clippy::option_option, reason = "outside: not known yet; inside: the end")]
    fn next(&self, at: usize) -> Option<Option<char>> {
        match self.after.get(at..).and_then(|after| after.chars().next()) {
            None if !self.ended => None,
            next => Some(next),
        }
    }

    fn is_number_of_a_source(&self, shape: &Shape) -> bool {
        shape.largest < 1000 || Some(shape.largest) <= self.known
    }

    fn all_known(&self, shape: &Shape) -> bool {
        self.known.is_none_or(|known| shape.largest <= known)
    }

    /// Whether nothing but marks of lists and quotations stands before it in its line.
    pub(super) fn starts_line(&self) -> bool {
        let line = self.before.rsplit(['\n', '\r']).next().unwrap_or_default();
        let whole = line.len() < self.before.len() || self.before.len() < REACH - 4;
        let starts = line.is_empty() || line.ends_with([' ', '\t', '>']);
        whole && starts && is_marks(line) && !line.contains('#')
    }

    /// The rule for a bracket right behind a word.
    pub(super) fn ends_a_word(&self, shape: &Shape) -> Option<bool> {
        let known = shape.dialect == Dialect::Footnote || self.all_known(shape);
        if !known || shape.is_flag {
            return Some(false);
        }
        let mut at = 0;
        while self.next(at)? == Some('[') {
            match grammar::read(self.after.get(at..).unwrap_or_default(), self.ended) {
                Read::More => return None,
                Read::Marker(next) if self.all_known(&next) => at += next.length,
                Read::Marker(_) | Read::Not(_) => return Some(false),
            }
        }
        if self.next(at)? == Some(')') && self.is_argument() {
            return Some(false);
        }
        self.sentence_goes_on(at)
    }

    /// Whether the word is an argument of a call: `print(a[1])`.
    fn is_argument(&self) -> bool {
        let call = self.before.trim_end_matches(is_word).strip_suffix('(');
        call.is_some_and(|name| name.ends_with(is_word))
    }

    fn sentence_goes_on(&self, start: usize) -> Option<bool> {
        let mut at = start;
        loop {
            match self.next(at)? {
                Some(closing) if closes(closing) => at += closing.len_utf8(),
                Some('~') if self.next(at + 1)? == Some('~') => at += 2,
                _ => break,
            }
        }
        let Some(next) = self.next(at)? else { return Some(true) };
        match next {
            ' ' | '\t' => self.no_operator(at),
            '.' | ',' | ';' | ':' | '!' | '?' => {
                let behind = self.next(at + 1)?;
                let member = next == '?' && behind == Some('.');
                let operator = behind.is_some_and(|one| is_word(one) || "=:(".contains(one));
                Some(!member && !operator)
            }
            '|' => Some(true),
            '<' => self.markup_goes_on(at),
            '&' => self.entity_goes_on(at),
            '[' => match grammar::read(self.after.get(at..).unwrap_or_default(), self.ended) {
                Read::More => None,
                read => Some(matches!(read, Read::Marker(_))),
            },
            _ if at == start && raises(Some(next)) => Some(false),
            _ => Some(next.is_whitespace() || !next.is_ascii()),
        }
    }

    /// Whether a tag follows that no comparison looks like: `</td>`, `<br>`.
    fn markup_goes_on(&self, at: usize) -> Option<bool> {
        let tag = self.after.get(at..).unwrap_or_default();
        let closes = self.next(at + 1)? == Some('/');
        if !closes && !self.starts_with(tag, "<br")? {
            return Some(false);
        }
        html::tag(tag, self.ended).map(|length| length.is_some())
    }

    /// Whether a blank or a mark of a sentence follows, as HTML spells it.
    fn entity_goes_on(&self, at: usize) -> Option<bool> {
        let entity = self.after.get(at..).unwrap_or_default();
        for name in ENTITIES {
            if self.starts_with(entity, name)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether `text`, as far as it has come, starts so.
    fn starts_with(&self, text: &str, wanted: &str) -> Option<bool> {
        let cut = text.len() < wanted.len() && wanted.starts_with(text) && !self.ended;
        if cut { None } else { Some(text.starts_with(wanted)) }
    }

    /// Whether what follows blanks is no operator. A dash or a slash is more often of the sentence.
    fn no_operator(&self, mut at: usize) -> Option<bool> {
        while matches!(self.next(at)?, Some(' ' | '\t')) {
            at += 1;
        }
        let Some(first) = self.next(at)? else { return Some(true) };
        match first {
            '=' | '+' | '<' | '>' | '%' => Some(false),
            '*' | '-' | '/' | '&' | '|' | '^' | '!' | ':' | '?' => {
                let second = self.next(at + 1)?;
                let doubled = matches!(first, '&' | '|') && second == Some(first);
                Some(second != Some('=') && !doubled && (first != '*' || second != Some(' ')))
            }
            _ => Some(true),
        }
    }

    /// The rule for raised numbers.
    pub(super) fn may_be_raised(&self, shape: &Shape) -> bool {
        let Some(last) = self.before.chars().next_back() else { return true };
        if matches!(self.behind, Behind::Citation | Behind::Link) || last.is_whitespace() {
            return true;
        }
        if !last.is_alphabetic() {
            let exponent = raises(Some(last)) || matches!(last, ')' | ']' | '}' | '^' | '$');
            return !exponent;
        }
        if !self.all_known(shape) {
            return false;
        }
        if !is_cased(last) {
            return true;
        }
        let start = self.before.trim_end_matches(is_cased);
        let word = self.before.get(start.len()..).unwrap_or_default();
        let bound = start.ends_with(|one: char| one.is_ascii_digit() || matches!(one, '_' | '\\'));
        !bound && word.chars().count() > 3 && !MULTIPLIED.contains(&word)
    }
}

/// Part of a word of ASCII, as names in programs are.
pub(super) fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$')
}

/// What may close around a word before the sentence goes on.
fn closes(character: char) -> bool {
    matches!(character, '*' | '_' | ')' | '"' | '\'' | '”' | '’' | '»')
}

/// Whether a raised number next to this character is part of a formula: `²⁺`, `¹⁴C`, `10⁻³`.
pub(super) fn raises(next: Option<char>) -> bool {
    next.is_some_and(|one| one.is_numeric() || is_cased(one) || "⁺⁻⁼⁽⁾ⁿⁱ⁄₊₋₌₍₎".contains(one))
}

fn is_cased(character: char) -> bool {
    character.is_lowercase() || character.is_uppercase()
}

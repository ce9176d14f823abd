//! Markers of raised digits.

use super::Dialect;
use super::grammar::Reader;
use super::reader::Stop;

impl Reader<'_, '_> {
    /// `¹`, `¹²` (twelve), `¹˒²`, `¹,²`, `¹⁻³`.
    pub(super) fn raised(&mut self) -> Result<Dialect, Stop> {
        let mut low = self.raised_number()?;
        loop {
            self.name(low);
            let between = self.rest.clone().next();
            let joins = matches!(between, Some(',' | '˒' | '⁻'));
            // A number too many starts a marker of its own.
            if self.left < 6 || !joins {
                break;
            }
            // A comma of the sentence is none of ours.
            let behind = self.rest.clone().nth(1);
            match behind {
                None if !self.ended => return Err(Stop::More),
                Some(digit) if superscript(digit).is_some() => self.skip(),
                _ => break,
            }
            let high = self.raised_number()?;
            if between == Some('⁻') {
                self.name_range(low, high)?;
                break;
            }
            low = high;
        }
        Ok(Dialect::Superscript)
    }

    fn raised_number(&mut self) -> Result<usize, Stop> {
        let mut value = 0;
        for length in 0.. {
            match (self.peek().map(superscript), length) {
                (Ok(Some(0)), 0) => return Err(Stop::Not),
                (Ok(Some(digit)), 0..=3) => value = value * 10 + digit,
                // Five digits are no citation; the end of the text ends a number.
                (Ok(Some(_)), _) | (Ok(None) | Err(Stop::Not), 0) => return Err(Stop::Not),
                (Ok(None) | Err(Stop::Not), _) => break,
                (Err(Stop::More), _) => return Err(Stop::More),
            }
            self.skip();
        }
        Ok(value)
    }
}

/// The value of a raised digit.
pub(super) fn superscript(character: char) -> Option<usize> {
    match character {
        '¹' => Some(1),
        '²' => Some(2),
        '³' => Some(3),
        '⁰' => Some(0),
        '⁴'..='⁹' => Some(character as usize - '⁴' as usize + 4),
        _ => None,
    }
}

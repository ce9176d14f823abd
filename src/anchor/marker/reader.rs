//! Bytes read one by one, where the end of the text may not be the end of what is read.

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// More text must come.
    More,
    /// It is not what was looked for.
    Not,
}

/// The result of reading a piece.
pub(super) type Step<T> = Result<T, Stop>;

/// `None` while more text must come, `Some(None)` when it is not what was looked for.
#[expect(clippy::option_option, reason = "three answers")]
pub(super) fn answer<T>(step: Step<T>) -> Option<Option<T>> {
    match step {
        Ok(value) => Some(Some(value)),
        Err(Stop::Not) => Some(None),
        Err(Stop::More) => None,
    }
}

/// A text from its start.
#[derive(Clone)]
pub(super) struct Bytes<'t> {
    rest: &'t [u8],
    pub(super) at: usize,
    ended: bool,
}

impl<'t> Bytes<'t> {
    pub(super) fn new(text: &'t str, ended: bool) -> Self {
        Self { rest: text.as_bytes(), at: 0, ended }
    }

    /// The next byte; `Not` at the end.
    pub(super) fn peek(&self) -> Step<u8> {
        match self.rest.first() {
            Some(byte) => Ok(*byte),
            None if self.ended => Err(Stop::Not),
            None => Err(Stop::More),
        }
    }

    /// Whether all is read, and nothing follows.
    pub(super) fn is_end(&self) -> Step<bool> {
        match self.peek() {
            Ok(_) => Ok(false),
            Err(Stop::Not) => Ok(true),
            Err(Stop::More) => Err(Stop::More),
        }
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.at += count;
    }

    pub(super) fn next(&mut self) -> Step<u8> {
        let byte = self.peek()?;
        self.skip(1);
        Ok(byte)
    }

    pub(super) fn take(&mut self, wanted: u8) -> Step<bool> {
        let taken = self.peek()? == wanted;
        if taken {
            self.skip(1);
        }
        Ok(taken)
    }

    pub(super) fn expect(&mut self, wanted: u8) -> Step<()> {
        if self.take(wanted)? { Ok(()) } else { Err(Stop::Not) }
    }

    pub(super) fn expect_all(&mut self, wanted: &str) -> Step<()> {
        wanted.bytes().try_for_each(|byte| self.expect(byte))
    }

    /// Goes past all bytes of a kind, up to the end at most, and says how many there were.
    pub(super) fn skip_while(&mut self, accept: impl Fn(u8) -> bool) -> Step<usize> {
        let count = self.rest.iter().take_while(|byte| accept(**byte)).count();
        self.skip(count);
        if self.rest.is_empty() && !self.ended {
            return Err(Stop::More);
        }
        Ok(count)
    }

    /// Whether `wanted` comes next, blanks apart.
    pub(super) fn followed_by(&self, wanted: u8) -> Step<bool> {
        match self.rest.iter().find(|byte| !is_space(**byte)) {
            Some(byte) => Ok(*byte == wanted),
            None if self.ended => Ok(false),
            None => Err(Stop::More),
        }
    }

    /// Goes behind the next `wanted`.
    pub(super) fn skip_behind(&mut self, wanted: &str) -> Step<()> {
        match memchr::memmem::find(self.rest, wanted.as_bytes()) {
            Some(at) => {
                self.skip(at + wanted.len());
                Ok(())
            }
            None if self.ended => Err(Stop::Not),
            None => Err(Stop::More),
        }
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

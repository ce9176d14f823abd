//! Events that differ from one before them in nothing but their text.
//!
//! Providers wrap each piece of text in the same fields again, so an event that was read the long way
//! says how the next ones can be read. In: such an event, and what it said. Out: what
//! a later event says whose bytes are the same but for that text and for the fields that no reader asks
//! for. Promise: it says what the long way says, since skimming both keeps the same fields with the same
//! values; any other event is left to the long way.

mod frame;

use super::json::{plain_length, string_length, text_of};
use super::said::{Detail, Listener, PartId, Said};
use super::shape::Shape;
use crate::model::Text;
use frame::{Between, Frame, ends_line, frames};
use memchr::memchr2;

/// How many events in a row may be learned from to no avail.
const MOST_TRIES: u8 = 16;

/// What the events of a stream have in common, as far as that is known.
#[derive(Clone, Debug, Default)]
pub struct Alike {
    learned: Option<Learned>,
    /// Events learned from since one last was like another.
    tries: u8,
}

/// An event without its text.
#[derive(Clone, Debug)]
struct Learned {
    shape: Shape,
    call: Option<String>,
    part: PartId,
    /// Up to the text, with the quote that opens it.
    head: Frame,
    /// From the quote that closes it on.
    tail: Frame,
    /// What stands between the text of one such event and of the next, once there were two in a row.
    between: Option<Between>,
}

/// A piece of text, and what its event says beside it.
pub struct Told<'a, 'e> {
    /// Whose event it is.
    pub shape: Shape,
    /// The id of the model call.
    pub call: Option<&'a str>,
    /// Which part of the answer.
    pub part: PartId,
    /// What is new of it.
    pub text: Text<'e>,
}

impl Told<'_, '_> {
    /// Says it as a reader would.
    pub fn tell<'v>(&'v self, to: &mut dyn Listener<'v>) {
        if let Some(id) = self.call {
            to.hear(Said::Call { id: id.into() });
        }
        to.hear(Said::Text { part: self.part, text: Text::Borrowed(&self.text), whole: false });
    }
}

impl Alike {
    /// What an event says that is like the one learned from.
    pub fn read<'e>(&mut self, event: &'e [u8]) -> Option<Told<'_, 'e>> {
        let learned = self.learned.as_mut()?;
        let (raw, kind, behind) = learned.read(event)?;
        if !behind.is_empty() {
            return None;
        }
        self.tries = 0;
        Some(learned.told(text_of(raw, kind == Kind::Escaped)))
    }

    /// What the events at the start of a stream say that are like the one learned from, all their text in one, and
    /// how long they are. Each is `lead`, the event, and a blank line.
    pub fn read_row(&mut self, lead: &[u8], events: &[u8]) -> Option<(Told<'_, 'static>, usize)> {
        let learned = self.learned.as_mut()?;
        let mut rest = learned.open(events.strip_prefix(lead)?)?;
        let (mut all, mut length) = (Vec::with_capacity(events.len() / 16), 0);
        while let Some((blank, behind)) = learned.append(rest, &mut all) {
            length = events.len() - behind.len();
            let next = behind.strip_prefix(lead).and_then(|event| learned.open(event));
            let Some(next) = next else { break };
            rest = match learned.append_alike(next, blank, lead, &mut all) {
                Some((rest, ahead)) => {
                    length = events.len() - rest.len() - ahead;
                    rest
                }
                None => next,
            };
        }
        // Whole characters were appended.
        let text = String::from_utf8(all).ok().filter(|_| length > 0)?;
        self.tries = 0;
        Some((learned.told(text.into()), length))
    }

    /// Learns from an event that was read the long way and said this.
    pub fn learn(&mut self, event: &[u8], shape: Shape, outline: Outline<'_>) {
        let Outline { call, text: Some((part, text)), more: false } = outline else { return };
        let told = Told { shape, call: call.as_deref(), part, text: Text::Borrowed(text) };
        self.learn_from(event, &told);
    }

    /// Learns from an event that says this. Text that is no slice of the event cannot be found in it.
    pub fn learn_from(&mut self, event: &[u8], told: &Told<'_, '_>) {
        let Told { shape, call, part, text: Text::Borrowed(text) } = told else { return };
        if self.tries < MOST_TRIES && !text.is_empty() {
            self.tries += 1;
            let (shape, call, part) = (*shape, call.map(str::to_owned), *part);
            self.learned = frames(event, text).map(|(head, tail)| Learned {
                shape,
                call,
                part,
                head,
                tail,
                between: None,
            });
        }
    }
}

/// Whether pieces of text are told by a reader that looks at other fields as well, and not by [`super::delta`].
fn reads_further(shape: Shape) -> bool {
    matches!(shape, Shape::Chat | Shape::Gemini)
}

impl Learned {
    fn told<'e>(&self, text: Text<'e>) -> Told<'_, 'e> {
        Told { shape: self.shape, call: self.call.as_deref(), part: self.part, text }
    }

    /// What is behind the quote that opens the text of the event that comes first. Most rows end with an event that is cut:
    /// to look there for values that have changed would be work for nothing.
    fn open<'e>(&mut self, events: &'e [u8]) -> Option<&'e [u8]> {
        let moving = self.head.strip_moving(events);
        moving.or_else(|| memchr2(b'\n', b'\r', events).and_then(|_| self.head.strip_other(events)))
    }

    /// What stands between the quotes of the text of `event`, and what is behind an event like this one.
    fn read<'e>(&mut self, event: &'e [u8]) -> Option<(&'e [u8], Kind, &'e [u8])> {
        let text = self.head.strip(event)?;
        self.read_text(text)
    }

    /// The same from behind the quote on.
    #[inline]
    fn read_text<'e>(&mut self, text: &'e [u8]) -> Option<(&'e [u8], Kind, &'e [u8])> {
        let plain = plain_length(text);
        let (length, kind) = if text.get(plain) == Some(&b'"') {
            (plain, Kind::Plain)
        } else {
            let (length, escaped) = string_length(text).ok()?;
            (length, if escaped { Kind::Escaped } else { Kind::Other })
        };
        let (text, behind) = text.split_at_checked(length)?;
        // For a reader that looks at other fields as well, an empty text may be none at all.
        let says = length > 0 || !reads_further(self.shape);
        Some((text, kind, self.tail.strip(behind)?)).filter(|_| says)
    }

    /// Appends the texts from here on behind which, but for values that move, the same stands. Answers the first that is
    /// another, or has escapes, and how much of its event is before it. `None` where the first one is. A stream is mostly
    /// this loop, which has more registers when it is no part of its caller.
    #[inline(never)]
    fn append_alike<'e>(
        &mut self,
        mut text: &'e [u8],
        blank: &[u8],
        lead: &[u8],
        all: &mut Vec<u8>,
    ) -> Option<(&'e [u8], usize)> {
        let Self { head, tail, between, .. } = self;
        let fits = between.as_ref().is_some_and(|made| made.is_of(tail, blank, lead, head));
        let between = match between {
            Some(between) if fits => between,
            between => between.insert(Between::new(tail, blank, lead, head)),
        };
        let least = usize::from(reads_further(self.shape));
        let mut before = None;
        while let Some(length) = unescaped_length(text)
            && length >= least
            && let Some((next, ahead)) = text.get(length..).and_then(|end| between.strip(end))
        {
            append_short(all, text, length);
            (text, before) = (next, Some(ahead));
        }
        before.map(|ahead| (text, ahead))
    }

    /// Appends the text that starts here, and answers the blank line behind its event and what follows. An event ends
    /// where its line does, so no line may end inside of it.
    fn append<'e>(&mut self, text: &'e [u8], all: &mut Vec<u8>) -> Option<(&'e [u8], &'e [u8])> {
        let (raw, kind, end) = self.read_text(text)?;
        let blank: &[u8] = if end.starts_with(b"\n\n") { b"\n\n" } else { b"\r\n\r\n" };
        let behind = end.strip_prefix(blank)?;
        match kind {
            Kind::Plain => append_short(all, text, raw.len()),
            _ if ends_line(raw) => return None,
            _ => all.extend_from_slice(text_of(raw, kind == Kind::Escaped).as_bytes()),
        }
        Some((blank, behind))
    }
}

/// How long the text is that starts here, if it has no escapes and is on one line.
#[inline]
fn unescaped_length(text: &[u8]) -> Option<usize> {
    let plain = plain_length(text);
    match text.get(plain) {
        Some(b'"') => Some(plain),
        Some(0x80..) => unescaped_wide_length(text),
        _ => None,
    }
}

/// The same where not all of it is ASCII; apart, so that the loop over those that are stays short.
#[inline(never)]
fn unescaped_wide_length(text: &[u8]) -> Option<usize> {
    let (length, escaped) = string_length(text).ok()?;
    let text = text.get(..length).filter(|text| !escaped && !ends_line(text))?;
    str::from_utf8(text).is_ok().then_some(length)
}

/// Appends the first bytes of a text. Most are a word: a few more are copied at once, and cut off again.
#[inline]
fn append_short(all: &mut Vec<u8>, text: &[u8], length: usize) {
    match text.first_chunk::<16>() {
        Some(chunk) if length <= chunk.len() => {
            let end = all.len() + length;
            all.extend_from_slice(chunk);
            all.truncate(end);
        }
        _ => all.extend_from_slice(text.get(..length).unwrap_or_default()),
    }
}

/// What stands between the quotes of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// ASCII without escapes.
    Plain,
    Escaped,
    Other,
}

/// What an event said, as far as another can say it again.
#[derive(Debug, Default)]
pub struct Outline<'v> {
    call: Option<Text<'v>>,
    text: Option<(PartId, &'v str)>,
    /// Whether there was anything else.
    more: bool,
}

impl Outline<'_> {
    /// What there is to hear of an event, if it may be one to learn from.
    pub fn of(shape: Shape) -> Option<Self> {
        reads_further(shape).then(Self::default)
    }
}

/// Hears what a reader says, and passes it on.
pub struct Overheard<'o, 'v> {
    /// Whom it is for.
    pub to: &'o mut dyn Listener<'v>,
    /// What was said.
    pub outline: &'o mut Outline<'v>,
}

impl<'v> Listener<'v> for Overheard<'_, 'v> {
    fn detail(&self) -> Detail {
        self.to.detail()
    }

    fn hear(&mut self, said: Said<'v>) {
        let Outline { call, text, more } = &mut *self.outline;
        match &said {
            Said::Call { id } if call.is_none() && text.is_none() => *call = Some(id.clone()),
            Said::Text { part, text: Text::Borrowed(piece), whole: false }
                if text.is_none() && !piece.is_empty() =>
            {
                *text = Some((*part, piece));
            }
            _ => *more = true,
        }
        self.to.hear(said);
    }
}

#[cfg(test)]
mod tests;

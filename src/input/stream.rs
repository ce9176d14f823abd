//! The bytes of a response, cut into the JSON documents it is made of.
//!
//! In: pieces of a body, cut anywhere, even inside a character. Out: each document as soon as it is
//! whole. Server-sent events, JSON lines, one JSON body and Gemini's streamed array are told apart by
//! their first character. Promise: linear; keeps only what is not whole yet.

use super::json::skip_value;
use memchr::{memchr2, memchr2_iter};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Whoever takes the documents of a body.
pub trait Sink {
    /// Takes the next one.
    fn take(&mut self, document: &[u8]);

    /// Takes a body that begins as a document, if that is all there is to it: whoever reads it finds its end on the
    /// way. Answers whether it was.
    fn take_whole(&mut self, _body: &[u8]) -> bool {
        false
    }

    /// Takes events off the start of `events` that are known at a glance, each of them `lead`, a document and a
    /// blank line. Answers how many bytes of them are taken.
    fn take_alike(&mut self, _lead: &[u8], _events: &[u8]) -> usize {
        0
    }
}

impl<F: FnMut(&[u8])> Sink for F {
    fn take(&mut self, document: &[u8]) {
        self(document);
    }
}

/// Cuts a stream of bytes into JSON documents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Splitter {
    form: Form,
    /// What came after the last whole line or document.
    #[serde(with = "mostly_text")]
    rest: Vec<u8>,
    /// Data of an event whose blank line has not come yet.
    #[serde(with = "mostly_text")]
    data: Vec<u8>,
    /// How far that was looked at, to tell whether it is whole.
    scan: Scan,
    /// Whether the last line ended in CR, so that an LF now belongs to it.
    after_cr: bool,
    /// What stood before the document of an event: the next ones mostly begin alike.
    #[serde(skip)]
    lead: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
enum Form {
    /// Nothing but blanks so far.
    #[default]
    Unknown,
    Events,
    Documents(Scan),
}

/// What a line of an event stream was.
enum Line {
    /// Nothing but a name, a comment or blanks.
    Aside,
    /// All data of an event, of this length.
    Event { document: usize },
    /// Something else.
    Said,
}

/// Where we are in a document that is not whole yet.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Scan {
    /// How far `rest` was looked at.
    seen: usize,
    /// Where the document starts.
    start: Option<usize>,
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// Whether the documents are items of an array around all of them.
    listed: bool,
}

/// Bytes of a body are text, but for a character that is cut at their end.
mod mostly_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        let valid = match str::from_utf8(bytes) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let (text, rest) = bytes.split_at_checked(valid).unwrap_or_default();
        (str::from_utf8(text).unwrap_or_default(), rest).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let (text, rest) = <(String, Vec<u8>)>::deserialize(from)?;
        Ok([text.into_bytes(), rest].concat())
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A body from the first thing on that it says.
fn beginning(body: &[u8]) -> &[u8] {
    let mut body = body.trim_ascii_start();
    while let Some(behind) = body.strip_prefix(BYTE_ORDER_MARK) {
        body = behind.trim_ascii_start();
    }
    body
}

/// Whether a document begins so.
fn is_bracket(first: u8) -> bool {
    matches!(first, b'{' | b'[')
}

/// Whether a whole body is made of events, and not of documents alone.
pub fn is_event_stream(body: &[u8]) -> bool {
    beginning(body).first().is_some_and(|first| !is_bracket(*first))
}

/// Whether a whole body is made of events, or of several documents of which each begins a line.
pub fn is_stream(body: &[u8]) -> bool {
    is_event_stream(body) || holds_several(body)
}

fn holds_several(body: &[u8]) -> bool {
    let mut lines = memchr2_iter(b'\n', b'\r', body).filter(|end| may_begin(body, *end));
    let Some(line) = lines.next() else { return false };
    // What is inside of the first document may begin lines as well.
    let first = body.len() - beginning(body).len();
    let end = skip_value(body, first);
    line >= end || lines.any(|line| line >= end)
}

/// Whether the line behind the one that ends at `end` begins with a document, or with what is inside of one.
fn may_begin(body: &[u8], end: usize) -> bool {
    let line = body.get(end + 1..).unwrap_or_default();
    let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if !line.get(indent).copied().is_some_and(is_bracket) {
        return false;
    }
    // What is inside of a document that is written over many lines stands behind a comma, a colon or what it is in.
    let before = || body.get(..end).unwrap_or_default().trim_ascii_end();
    indent == 0 || !matches!(before().last(), Some(b',' | b':' | b'[' | b'{'))
}

impl Splitter {
    /// Takes the next piece and hands on every document that is whole now.
    pub fn push(&mut self, piece: &[u8], to: &mut impl Sink) {
        if !matches!(self.form, Form::Unknown) {
            return self.push_known(piece, to);
        }
        let start = self.with_rest(piece);
        let body = beginning(&start);
        match body.first() {
            // Blanks say nothing; the start of a byte order mark is not one yet.
            None => {}
            Some(_) if body.len() < 3 && BYTE_ORDER_MARK.starts_with(body) => {
                self.rest = body.to_vec();
            }
            Some(first) => {
                self.form = if is_bracket(*first) {
                    Form::Documents(Scan::default())
                } else {
                    Form::Events
                };
                if *first != b'{' || !to.take_whole(body) {
                    self.push_known(body, to);
                }
            }
        }
    }

    /// The piece behind what is left of those before it. A whole body in one piece is not copied.
    fn with_rest<'p>(&mut self, piece: &'p [u8]) -> Cow<'p, [u8]> {
        let mut rest = std::mem::take(&mut self.rest);
        if rest.is_empty() {
            return Cow::Borrowed(piece);
        }
        rest.extend_from_slice(piece);
        Cow::Owned(rest)
    }

    /// Whether its parts fit each other, as they must when it was read from somewhere.
    pub fn is_sound(&self) -> bool {
        let fits = |scan: &Scan, length: usize| {
            scan.seen <= length
                && scan.start.unwrap_or_default() <= scan.seen
                && scan.depth <= length
        };
        let rest = match &self.form {
            Form::Documents(scan) => fits(scan, self.rest.len()),
            Form::Unknown | Form::Events => true,
        };
        rest && fits(&self.scan, self.data.len())
    }

    /// What has come of a document that is not whole yet: an event may lack its last blank line, a
    /// body its last bracket.
    pub fn unfinished(&self) -> Option<Vec<u8>> {
        let mut rest = match self.form {
            Form::Unknown => return None,
            Form::Documents(scan) => self.rest.get(scan.start?..)?.to_vec(),
            Form::Events => {
                let mut last = self.clone();
                let mut found = Vec::new();
                let line = std::mem::take(&mut last.rest);
                last.line(&line, &[], &mut |data: &[u8]| found = data.to_vec());
                if last.data.is_empty() { found } else { last.data }
            }
        };
        rest.truncate(rest.trim_ascii_end().len());
        (!rest.is_empty()).then_some(rest)
    }

    fn push_known(&mut self, piece: &[u8], to: &mut impl Sink) {
        match self.form {
            Form::Documents(scan) => self.push_documents(piece, scan, to),
            _ => self.push_lines(piece, to),
        }
    }

    /// Lines end in LF, CR or both.
    fn push_lines(&mut self, piece: &[u8], to: &mut impl Sink) {
        if piece.is_empty() {
            return;
        }
        let mut piece = match piece {
            [b'\n', rest @ ..] if self.after_cr => rest,
            _ => piece,
        };
        self.after_cr = false;
        // From the event on that is being read.
        let mut event = piece;
        loop {
            // The blank line behind an event need not be looked for.
            while let [b'\n', behind @ ..] = piece
                && self.rest.is_empty()
            {
                self.dispatch(to);
                piece = behind;
                event = piece;
            }
            if self.rest.is_empty() && self.data.is_empty() && event.len() == piece.len() {
                // What stands there says the same as it did before, so it need not be cut into lines.
                let taken = to.take_alike(&self.lead, piece);
                piece = piece.get(taken..).unwrap_or_default();
                event = piece;
            }
            let found = memchr2(b'\n', b'\r', piece).and_then(|at| piece.split_at_checked(at));
            let Some((line, rest)) = found else { break };
            piece = match rest {
                [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
                [] => rest,
            };
            self.after_cr = piece.is_empty() && rest == b"\r";
            let heard = if self.rest.is_empty() {
                self.line(line, piece, to)
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole, piece, to);
                whole.clear();
                self.rest = whole;
                Line::Said
            };
            if let Line::Event { document } = heard {
                let lead = event.len() - rest.len() - document;
                self.remember(event.get(..lead).unwrap_or_default());
            }
            if !matches!(heard, Line::Aside) {
                event = piece;
            }
        }
        self.rest.extend_from_slice(piece);
    }

    fn remember(&mut self, lead: &[u8]) {
        if self.lead != lead {
            self.lead.clear();
            self.lead.extend_from_slice(lead);
        }
    }

    /// Hears one line of an event stream; `next` is what is known of the line behind it. An event of
    /// one line is given out without a copy when its blank line is in sight.
    fn line(&mut self, line: &[u8], next: &[u8], to: &mut impl Sink) -> Line {
        if line.is_empty() {
            self.dispatch(to);
            return Line::Said;
        }
        let Some(data) = line.strip_prefix(b"data:") else {
            // JSON lines have no frame at all; other fields and comments say nothing.
            if matches!(line.trim_ascii_start().first(), Some(b'{' | b'[')) {
                self.dispatch(to);
                to.take(line);
                return Line::Said;
            }
            return Line::Aside;
        };
        let data = data.strip_prefix(b" ").unwrap_or(data);
        if data.trim_ascii().is_empty() {
            return Line::Aside;
        }
        if self.data.is_empty() && matches!(next.first(), Some(b'\n' | b'\r')) {
            to.take(data);
            return Line::Event { document: data.len() };
        }
        if !self.data.is_empty() {
            // Servers that leave out blank lines send one document a line.
            if self.scan.is_whole(&self.data) {
                self.dispatch(to);
            } else {
                self.data.push(b'\n');
            }
        }
        self.data.extend_from_slice(data);
        Line::Said
    }

    fn dispatch(&mut self, to: &mut impl Sink) {
        if !self.data.is_empty() {
            to.take(&self.data);
            self.data.clear();
            self.scan = Scan::default();
        }
    }

    fn push_documents(&mut self, piece: &[u8], scan: Scan, to: &mut impl Sink) {
        let mut scan = scan;
        let text = self.with_rest(piece);
        while let Some(&byte) = text.get(scan.seen) {
            if let Some(end) = scan.step(byte) {
                let start = scan.start.take().unwrap_or(end);
                to.take(text.get(start..end).unwrap_or_default());
            }
            scan.skip_plain(&text);
        }
        // What was given out is dropped; what is left moves to the front.
        let kept = scan.start.unwrap_or(text.len());
        self.rest = match text {
            Cow::Borrowed(text) => text.get(kept..).unwrap_or_default().to_vec(),
            Cow::Owned(mut text) => {
                text.drain(..kept);
                text
            }
        };
        scan.seen -= kept;
        scan.start = scan.start.map(|_| 0);
        self.form = Form::Documents(scan);
    }
}

impl Scan {
    /// Looks at one byte. Answers where a document ends, if it ends there.
    fn step(&mut self, byte: u8) -> Option<usize> {
        let at = self.seen;
        self.seen += 1;
        if self.in_text {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return None;
        }
        match byte {
            b'"' => self.in_text = self.depth > 0,
            b'[' if self.depth == 0 && self.start.is_none() && !self.listed => self.listed = true,
            b'{' | b'[' => {
                if self.depth == 0 {
                    self.start = Some(at);
                }
                self.depth += 1;
            }
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Some(self.seen);
                }
            }
            b']' => self.listed = false,
            _ => {}
        }
        None
    }

    /// Looks on to the end of `document`. Answers whether every bracket that opens there closes.
    fn is_whole(&mut self, document: &[u8]) -> bool {
        // An array is a document here, not a frame around some.
        self.listed = true;
        while let Some(&byte) = document.get(self.seen) {
            self.step(byte);
            self.skip_plain(document);
        }
        self.depth == 0 && self.start.is_some()
    }

    /// Inside text nothing but quotes and backslashes matters.
    fn skip_plain(&mut self, text: &[u8]) {
        if self.in_text && !self.escaped {
            let rest = text.get(self.seen..).unwrap_or_default();
            self.seen += memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        }
    }
}

//! The bytes of a response, cut into the JSON documents it is made of.
//!
//! In: pieces of a body, cut anywhere, even inside a character. Out: each document as soon as it is
//! whole. Server-sent events, JSON lines, one JSON body and Gemini's streamed array are told apart by
//! their first character. Promise: linear; keeps only what is not whole yet.

use memchr::memchr2;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

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
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
enum Form {
    /// Nothing but blanks so far.
    #[default]
    Unknown,
    Events,
    Documents(Scan),
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

impl Splitter {
    /// Takes the next piece and calls `each` with every document that is whole now.
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(&[u8])) {
        if !matches!(self.form, Form::Unknown) {
            return self.push_known(piece, &mut each);
        }
        let start = self.with_rest(piece);
        let mut body = start.trim_ascii_start();
        while let Some(behind) = body.strip_prefix(BYTE_ORDER_MARK) {
            body = behind.trim_ascii_start();
        }
        match body.first() {
            // Blanks say nothing; the start of a byte order mark is not one yet.
            None => {}
            Some(_) if body.len() < 3 && BYTE_ORDER_MARK.starts_with(body) => {
                self.rest = body.to_vec();
            }
            Some(first) => {
                let is_json = matches!(first, b'{' | b'[');
                self.form = if is_json { Form::Documents(Scan::default()) } else { Form::Events };
                self.push_known(body, &mut each);
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
                last.line(&line, &[], &mut |data| found = data.to_vec());
                if last.data.is_empty() { found } else { last.data }
            }
        };
        rest.truncate(rest.trim_ascii_end().len());
        (!rest.is_empty()).then_some(rest)
    }

    fn push_known(&mut self, piece: &[u8], each: &mut impl FnMut(&[u8])) {
        match self.form {
            Form::Documents(scan) => self.push_documents(piece, scan, each),
            _ => self.push_lines(piece, each),
        }
    }

    /// Lines end in LF, CR or both.
    fn push_lines(&mut self, piece: &[u8], each: &mut impl FnMut(&[u8])) {
        if piece.is_empty() {
            return;
        }
        let mut piece = match piece {
            [b'\n', rest @ ..] if self.after_cr => rest,
            _ => piece,
        };
        self.after_cr = false;
        loop {
            // The blank line behind an event need not be looked for.
            while let [b'\n', behind @ ..] = piece
                && self.rest.is_empty()
            {
                self.dispatch(each);
                piece = behind;
            }
            let found = memchr2(b'\n', b'\r', piece).and_then(|at| piece.split_at_checked(at));
            let Some((line, rest)) = found else { break };
            piece = match rest {
                [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
                [] => rest,
            };
            self.after_cr = piece.is_empty() && rest == b"\r";
            if self.rest.is_empty() {
                self.line(line, piece, each);
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole, piece, each);
                whole.clear();
                self.rest = whole;
            }
        }
        self.rest.extend_from_slice(piece);
    }

    /// Hears one line of an event stream; `next` is what is known of the line behind it. An event of
    /// one line is given out without a copy when its blank line is in sight.
    fn line(&mut self, line: &[u8], next: &[u8], each: &mut impl FnMut(&[u8])) {
        if line.is_empty() {
            return self.dispatch(each);
        }
        let Some(data) = line.strip_prefix(b"data:") else {
            // JSON lines have no frame at all; other fields and comments say nothing.
            if matches!(line.trim_ascii_start().first(), Some(b'{' | b'[')) {
                self.dispatch(each);
                each(line);
            }
            return;
        };
        let data = data.strip_prefix(b" ").unwrap_or(data);
        if data.trim_ascii().is_empty() {
            return;
        }
        if self.data.is_empty() && matches!(next.first(), Some(b'\n' | b'\r')) {
            return each(data);
        }
        if !self.data.is_empty() {
            // Servers that leave out blank lines send one document a line.
            if self.scan.is_whole(&self.data) {
                self.dispatch(each);
            } else {
                self.data.push(b'\n');
            }
        }
        self.data.extend_from_slice(data);
    }

    fn dispatch(&mut self, each: &mut impl FnMut(&[u8])) {
        if !self.data.is_empty() {
            each(&self.data);
            self.data.clear();
            self.scan = Scan::default();
        }
    }

    fn push_documents(&mut self, piece: &[u8], scan: Scan, each: &mut impl FnMut(&[u8])) {
        let mut scan = scan;
        let text = self.with_rest(piece);
        while let Some(&byte) = text.get(scan.seen) {
            if let Some(end) = scan.step(byte) {
                let start = scan.start.take().unwrap_or(end);
                each(text.get(start..end).unwrap_or_default());
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

//! The bytes of a response, cut into the JSON documents it is made of.
//!
//! In: pieces of a body, cut anywhere, even inside a character. Out: each document as soon as it is
//! whole. Server-sent events, JSON lines, one JSON body and Gemini's streamed array are told apart by
//! their first character. Promise: linear; keeps only what is not whole yet.

use memchr::memchr;

/// Cuts a stream of bytes into JSON documents.
#[derive(Debug, Default)]
pub struct Splitter {
    form: Form,
    /// What came after the last whole document.
    rest: Vec<u8>,
    /// Data lines of an event that has more than one.
    data: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Form {
    /// Nothing but blanks so far.
    #[default]
    Unknown,
    Events,
    Documents(Scan),
}

/// Where we are in a document that is not whole yet.
#[derive(Clone, Copy, Debug, Default)]
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

impl Splitter {
    /// Takes the next piece and calls `each` with every document that is whole now.
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(&[u8])) {
        if matches!(self.form, Form::Unknown) {
            self.rest.extend_from_slice(piece);
            let Some(first) = first_visible(&self.rest) else { return };
            self.form = if matches!(first, b'{' | b'[') {
                Form::Documents(Scan::default())
            } else {
                Form::Events
            };
            let rest = std::mem::take(&mut self.rest);
            return self.push_known(&rest, &mut each);
        }
        self.push_known(piece, &mut each);
    }

    /// Ends the stream: an event may lack its last blank line, a document its last bracket.
    pub fn end(&mut self, mut each: impl FnMut(&[u8])) {
        match self.form {
            Form::Unknown => {}
            Form::Events => {
                let rest = std::mem::take(&mut self.rest);
                self.line(&rest, &mut each);
                self.dispatch(&mut each);
            }
            Form::Documents(scan) => {
                if let Some(document) = scan.start.and_then(|start| self.rest.get(start..)) {
                    each(document);
                }
            }
        }
        *self = Self::default();
    }

    fn push_known(&mut self, piece: &[u8], each: &mut impl FnMut(&[u8])) {
        match self.form {
            Form::Documents(scan) => self.push_documents(piece, scan, each),
            _ => self.push_lines(piece, each),
        }
    }

    fn push_lines(&mut self, piece: &[u8], each: &mut impl FnMut(&[u8])) {
        let mut piece = piece;
        while let Some((line, rest)) =
            memchr(b'\n', piece).and_then(|at| piece.split_at_checked(at))
        {
            piece = rest.get(1..).unwrap_or_default();
            if self.rest.is_empty() {
                self.line(line, each);
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole, each);
                whole.clear();
                self.rest = whole;
            }
        }
        self.rest.extend_from_slice(piece);
    }

    /// Hears one line of an event stream. A line of data that is JSON by itself is given out at once;
    /// only data that goes on over several lines waits for the blank line behind it.
    fn line(&mut self, line: &[u8], each: &mut impl FnMut(&[u8])) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return self.dispatch(each);
        }
        if line.starts_with(b"event:") {
            return;
        }
        let Some(data) = line.strip_prefix(b"data:") else {
            // JSON lines have no frame at all; other fields and comments say nothing.
            if matches!(first_visible(line), Some(b'{' | b'[')) {
                each(line);
            }
            return;
        };
        let data = data.strip_prefix(b" ").unwrap_or(data);
        if self.data.is_empty() && is_closed(data) {
            return each(data);
        }
        if !self.data.is_empty() {
            self.data.push(b'\n');
        }
        self.data.extend_from_slice(data);
    }

    fn dispatch(&mut self, each: &mut impl FnMut(&[u8])) {
        if !self.data.is_empty() {
            each(&self.data);
            self.data.clear();
        }
    }

    fn push_documents(&mut self, piece: &[u8], scan: Scan, each: &mut impl FnMut(&[u8])) {
        let mut scan = scan;
        self.rest.extend_from_slice(piece);
        while let Some(&byte) = self.rest.get(scan.seen) {
            if let Some(end) = scan.step(byte) {
                let start = scan.start.take().unwrap_or(end);
                each(self.rest.get(start..end).unwrap_or_default());
            }
            scan.skip_plain(&self.rest);
        }
        // What was given out is dropped; what is left moves to the front.
        let kept = scan.start.unwrap_or(self.rest.len());
        self.rest.drain(..kept);
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

    /// Inside text nothing but quotes and backslashes matters.
    fn skip_plain(&mut self, text: &[u8]) {
        if self.in_text && !self.escaped {
            let rest = text.get(self.seen..).unwrap_or_default();
            self.seen += memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        }
    }
}

fn first_visible(text: &[u8]) -> Option<u8> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Whether a line of data ends like a document that does not go on. One that does not may still be
/// whole, as `[DONE]` is; it waits for its blank line, which does no harm.
fn is_closed(data: &[u8]) -> bool {
    data.first() == Some(&b'{') && data.trim_ascii_end().last() == Some(&b'}')
}

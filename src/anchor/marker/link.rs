//! Links: what stands behind `]`, and definitions.

use super::line::Rest;
use super::reader::{Bytes, Step, Stop, answer, is_space};

/// How deep parentheses may nest in an address, as in pulldown-cmark.
const DEEPEST: usize = 32;
/// The longest label, which CommonMark sets.
const LONGEST_LABEL: usize = 999;

/// The length of `(address "title")` at the start of `text`.
#[expect(clippy::option_option, reason = "outside: not known yet; inside: none")]
pub(super) fn tail(text: &str, ended: bool) -> Option<Option<usize>> {
    let mut bytes = Bytes::new(text, ended);
    answer(tail_step(&mut bytes).map(|()| bytes.at))
}

fn tail_step(bytes: &mut Bytes<'_>) -> Step<()> {
    bytes.expect(b'(')?;
    bytes.skip_while(is_space)?;
    address(bytes)?;
    let spaces = bytes.skip_while(is_space)?;
    if spaces > 0 && matches!(bytes.peek()?, b'"' | b'\'' | b'(') {
        title(bytes)?;
        bytes.skip_while(is_space)?;
    }
    bytes.expect(b')')
}

/// The address of a link; it may be empty.
fn address(bytes: &mut Bytes<'_>) -> Step<()> {
    if bytes.take(b'<')? {
        loop {
            match bytes.next()? {
                b'>' => return Ok(()),
                b'<' | b'\n' | b'\r' => return Err(Stop::Not),
                b'\\' => escaped(bytes)?,
                _ => {}
            }
        }
    }
    let mut depth = 0;
    loop {
        if bytes.is_end()? {
            return if depth == 0 { Ok(()) } else { Err(Stop::Not) };
        }
        match bytes.peek()? {
            b'(' => depth += 1,
            b')' if depth == 0 => return Ok(()),
            b')' => depth -= 1,
            0..=b' ' | 0x7f => return if depth == 0 { Ok(()) } else { Err(Stop::Not) },
            _ => {}
        }
        if depth > DEEPEST {
            return Err(Stop::Not);
        }
        if bytes.next()? == b'\\' {
            escaped(bytes)?;
        }
    }
}

fn title(bytes: &mut Bytes<'_>) -> Step<()> {
    let open = bytes.next()?;
    let close = if open == b'(' { b')' } else { open };
    loop {
        match bytes.next()? {
            byte if byte == close => return Ok(()),
            b'(' if open == b'(' => return Err(Stop::Not),
            b'\\' => escaped(bytes)?,
            _ => {}
        }
    }
}

/// Goes past what a backslash makes a plain character.
fn escaped(bytes: &mut Bytes<'_>) -> Step<()> {
    if !bytes.is_end()? && bytes.peek()?.is_ascii_punctuation() {
        bytes.skip(1);
    }
    Ok(())
}

/// Whether a line is a definition: `[label]: address "title"`.
pub(super) fn is_definition(line: Rest<'_>) -> Option<bool> {
    if line.first() != Some(b'[') {
        return Some(false);
    }
    let mut bytes = Bytes::new(line.text, line.ended);
    answer(definition(&mut bytes)).map(|found| found.is_some())
}

fn definition(bytes: &mut Bytes<'_>) -> Step<()> {
    label(bytes)?;
    bytes.expect(b':')?;
    bytes.skip_while(is_space)?;
    let start = bytes.at;
    address(bytes)?;
    if bytes.at == start {
        return Err(Stop::Not);
    }
    if bytes.is_end()? {
        return Ok(());
    }
    let spaces = bytes.skip_while(is_space)?;
    if bytes.is_end()? {
        return Ok(());
    }
    if spaces == 0 || !matches!(bytes.peek()?, b'"' | b'\'' | b'(') {
        return Err(Stop::Not);
    }
    title(bytes)?;
    bytes.skip_while(is_space)?;
    if bytes.is_end()? { Ok(()) } else { Err(Stop::Not) }
}

fn label(bytes: &mut Bytes<'_>) -> Step<()> {
    bytes.expect(b'[')?;
    let mut blank = true;
    while bytes.at <= LONGEST_LABEL {
        match bytes.next()? {
            b']' => return if blank { Err(Stop::Not) } else { Ok(()) },
            b'[' => return Err(Stop::Not),
            b'\\' => {
                blank = false;
                escaped(bytes)?;
            }
            byte => blank &= is_space(byte),
        }
    }
    Err(Stop::Not)
}

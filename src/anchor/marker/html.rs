//! HTML in a text: blocks of it, and tags within a line.

use super::line::Rest;
use super::reader::{Bytes, Step, Stop, answer, is_space};

/// The elements that open a block wherever a line starts with them (CommonMark 4.6, kind 6).
const BLOCKS: &str = " address article aside base basefont blockquote body caption center col \
    colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset \
    h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol \
    optgroup option p param search section summary table tbody td tfoot th thead title tr track ul ";
/// The elements whose text is no markup (kind 1).
const RAW: &str = " pre script style textarea ";

/// Where a block of HTML ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    Blank,
    /// With the line that holds this.
    Holds(&'static str),
    /// With the line that closes an element whose text is no markup.
    Raw,
}

impl Until {
    /// Whether the block ends with this line.
    pub(super) fn ends(self, line: Rest<'_>) -> Option<bool> {
        let whole = |found: bool| if found { Some(true) } else { line.ended.then_some(false) };
        match self {
            Self::Blank if line.text.is_empty() => line.ended.then_some(true),
            Self::Blank => Some(false),
            Self::Holds(end) => whole(line.text.contains(end)),
            Self::Raw => {
                let text = line.text.to_ascii_lowercase();
                let closes = ["</script>", "</pre>", "</style>", "</textarea>"];
                whole(closes.iter().any(|end| text.contains(end)))
            }
        }
    }
}

/// The block of HTML a line opens. Not every kind may end a paragraph.
#[expect(clippy::option_option, reason = "outside: not known yet; inside: none")]
pub(super) fn start(line: Rest<'_>, in_paragraph: bool) -> Option<Option<Until>> {
    if line.first() != Some(b'<') {
        return Some(None);
    }
    answer(start_step(line, in_paragraph))
}

fn start_step(line: Rest<'_>, in_paragraph: bool) -> Step<Until> {
    let mut bytes = Bytes::new(line.text, line.ended);
    bytes.expect(b'<')?;
    match bytes.peek()? {
        b'?' => return Ok(Until::Holds("?>")),
        b'!' => return declaration(&mut bytes),
        _ => {}
    }
    let closing = bytes.take(b'/')?;
    let start = bytes.at;
    let length = bytes.skip_while(|byte| byte.is_ascii_alphanumeric())?;
    let name = line.text.get(start..start + length).unwrap_or_default().to_ascii_lowercase();
    let named = |names: &str| !name.is_empty() && names.contains(&format!(" {name} "));
    let next = if bytes.is_end()? { b' ' } else { bytes.peek()? };
    if named(RAW) && !closing {
        return if matches!(next, b' ' | b'\t' | b'>') { Ok(Until::Raw) } else { Err(Stop::Not) };
    }
    if named(BLOCKS) && matches!(next, b' ' | b'\t' | b'>' | b'/') {
        if next == b'/' {
            bytes.skip(1);
            bytes.expect(b'>')?;
        }
        return Ok(Until::Blank);
    }
    if in_paragraph {
        return Err(Stop::Not);
    }
    // Kind 7: one whole tag, and nothing else on the line.
    let mut bytes = Bytes::new(line.text, line.ended);
    element(&mut bytes)?;
    bytes.skip_while(is_space)?;
    if bytes.is_end()? { Ok(Until::Blank) } else { Err(Stop::Not) }
}

fn declaration(bytes: &mut Bytes<'_>) -> Step<Until> {
    bytes.expect(b'!')?;
    match bytes.peek()? {
        b'-' => bytes.expect_all("--").map(|()| Until::Holds("-->")),
        b'[' => bytes.expect_all("[CDATA[").map(|()| Until::Holds("]]>")),
        letter if letter.is_ascii_alphabetic() => Ok(Until::Holds(">")),
        _ => Err(Stop::Not),
    }
}

/// The kinds of markup that go on to an end of their own, whatever stands between.
pub(super) fn endless_kind(text: &str) -> Option<usize> {
    let kinds = ["<!--", "<?", "<![CDATA["];
    let known = kinds.iter().position(|start| text.starts_with(start));
    let declares = |rest: &str| rest.starts_with(|next: char| next.is_ascii_alphabetic());
    let declaration = text.strip_prefix("<!").filter(|rest| declares(rest));
    known.or(declaration.map(|_| kinds.len()))
}

/// The length of the tag, comment or automatic link at the start of `text`.
#[expect(clippy::option_option, reason = "outside: not known yet; inside: none")]
pub(super) fn tag(text: &str, ended: bool) -> Option<Option<usize>> {
    let mut bytes = Bytes::new(text, ended);
    let mut link = Bytes::new(text, ended);
    answer(match address(&mut link) {
        Ok(()) => Ok(link.at),
        Err(Stop::More) => Err(Stop::More),
        Err(Stop::Not) => markup(&mut bytes).map(|()| bytes.at),
    })
}

/// `<https://example.com>`, `<name@example.com>`.
fn address(bytes: &mut Bytes<'_>) -> Step<()> {
    bytes.expect(b'<')?;
    let mut length = 0;
    let mut kind = 0;
    loop {
        match bytes.next()? {
            b'>' if kind != 0 => return Ok(()),
            b':' if kind == 0 && (2..=32).contains(&length) => kind = b':',
            b'@' if kind == 0 && length > 0 => kind = b'@',
            b'<' | b'>' | b' ' | 0..0x20 | 0x7f => return Err(Stop::Not),
            byte if kind == 0 && !is_scheme_or_name(byte) => return Err(Stop::Not),
            byte if kind == b'@' && !is_host(byte) => return Err(Stop::Not),
            _ => length += 1,
        }
    }
}

fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

fn is_scheme_or_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte)
}

fn markup(bytes: &mut Bytes<'_>) -> Step<()> {
    match kind(bytes)? {
        Some(end) => bytes.skip_behind(end),
        None => element_rest(bytes),
    }
}

/// Reads `<` and what says the kind; the end of markup that goes on to an end of its own.
fn kind(bytes: &mut Bytes<'_>) -> Step<Option<&'static str>> {
    bytes.expect(b'<')?;
    match bytes.peek()? {
        b'?' => {
            bytes.skip(1);
            Ok(Some("?>"))
        }
        b'!' => match declaration(bytes)? {
            Until::Holds("-->") => comment_start(bytes),
            Until::Holds(end) => Ok(Some(end)),
            _ => Err(Stop::Not),
        },
        _ => Ok(None),
    }
}

/// `<!-->` and `<!--->` are whole comments.
fn comment_start(bytes: &mut Bytes<'_>) -> Step<Option<&'static str>> {
    let mut ahead = bytes.clone();
    ahead.skip(usize::from(bytes.peek()? == b'-'));
    Ok(Some(if ahead.peek()? == b'>' { ">" } else { "-->" }))
}

fn element(bytes: &mut Bytes<'_>) -> Step<()> {
    bytes.expect(b'<')?;
    element_rest(bytes)
}

/// A tag behind its `<`.
fn element_rest(bytes: &mut Bytes<'_>) -> Step<()> {
    let closing = bytes.take(b'/')?;
    if !bytes.peek()?.is_ascii_alphabetic() {
        return Err(Stop::Not);
    }
    bytes.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'-')?;
    loop {
        let spaces = bytes.skip_while(is_space)?;
        match bytes.peek()? {
            b'>' => {
                bytes.skip(1);
                return Ok(());
            }
            b'/' if !closing => {
                bytes.skip(1);
                return bytes.expect(b'>');
            }
            _ if closing || spaces == 0 => return Err(Stop::Not),
            byte if byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') => attribute(bytes)?,
            _ => return Err(Stop::Not),
        }
    }
}

/// A name and, perhaps, a value. Blanks behind it are left only where no value follows.
fn attribute(bytes: &mut Bytes<'_>) -> Step<()> {
    bytes.skip_while(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-')
    })?;
    if !bytes.followed_by(b'=')? {
        return Ok(());
    }
    bytes.skip_while(is_space)?;
    bytes.expect(b'=')?;
    bytes.skip_while(is_space)?;
    if let quote @ (b'"' | b'\'') = bytes.peek()? {
        bytes.skip(1);
        bytes.skip_while(|byte| byte != quote)?;
        return bytes.expect(quote);
    }
    let ends = |byte| is_space(byte) || matches!(byte, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`');
    if bytes.skip_while(|byte| !ends(byte))? == 0 { Err(Stop::Not) } else { Ok(()) }
}

//! A paragraph as far as it has come.

use super::scan::{WINDOW, Window};

/// A paragraph as far as it is known.
#[derive(Clone, Copy)]
pub(super) struct Page<'t> {
    pub(super) window: Window<'t>,
    /// Where the known part ends, and whether the paragraph ends there.
    pub(super) limit: usize,
    pub(super) complete: bool,
    pub(super) known: Option<usize>,
}

impl<'t> Page<'t> {
    /// Text from `at`, as far as a construct that starts there may reach, and whether that is all.
    pub(super) fn ahead(&self, at: usize, reach: usize) -> (&'t str, bool) {
        let text = self.window.slice(at, self.limit.min(at + reach));
        (text, self.complete && self.limit < at + reach)
    }

    /// Whether a construct that starts at `at` has had its 4 kB.
    pub(super) fn is_past(&self, at: usize) -> bool {
        self.limit >= at + WINDOW
    }

    /// The byte at `at`; inside, none at the end of the paragraph.
    #[expect(clippy::option_option, reason = "outside: not known yet; inside: the end")]
    pub(super) fn byte(&self, at: usize) -> Option<Option<u8>> {
        match self.window.slice(at, self.limit).bytes().next() {
            None if !self.complete => None,
            byte => Some(byte),
        }
    }
}

/// The end of the next run of exactly `length` backticks; or from where to look on.
pub(super) fn closing_run(
    page: &Page<'_>,
    from: usize,
    to: usize,
    length: usize,
) -> Result<usize, usize> {
    let text = page.window.slice(from, to);
    let ended = page.complete && to == page.limit;
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'`', text.as_bytes().get(at..).unwrap_or_default()) {
        let start = at + offset;
        let rest = text.bytes().skip(start);
        at = start + rest.take_while(|byte| *byte == b'`').count();
        if at == text.len() && !ended {
            return Err(from + start);
        }
        if at - start == length {
            return Ok(from + at);
        }
    }
    Err((from + text.len()).max(from))
}

/// The next byte that may mean anything: it does in ASCII, and outside it may start a character that
/// does.
pub(super) fn next_token(text: &str) -> Option<usize> {
    let (lanes, rest) = text.as_bytes().as_chunks::<LANE>();
    for (index, lane) in lanes.iter().enumerate() {
        // Most of a text means nothing.
        if means(lane)
            && let Some(offset) = lane.iter().position(|byte| means(&[*byte]))
        {
            return Some(index * LANE + offset);
        }
    }
    let offset = rest.iter().position(|byte| means(&[*byte]))?;
    Some(lanes.len() * LANE + offset)
}

/// How many bytes are looked at together.
const LANE: usize = 32;

/// Whether any of these bytes may mean anything. Comparisons without a branch make vector code.
fn means<const N: usize>(lane: &[u8; N]) -> bool {
    lane.iter().fold(0, |any, byte| {
        let ascii = u8::from(*byte == b'`')
            | u8::from(*byte == b'<')
            | u8::from(byte.wrapping_sub(b'[') < 3);
        let pairs = u8::from(*byte & 0xfe == 0xe2) | u8::from(*byte & 0xfe == 0xee);
        any | ascii | pairs | u8::from(*byte == 0xc2)
    }) != 0
}

//! The block as terminal text, with or without hyperlinks.

use super::block::{Paper, write};
use super::{Links, Options, Terminator};
use crate::model::Source;

/// Opens a hyperlink: OSC 8 without an id, because Ink and wrap-ansi read no other spelling.
/// <https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda>
const OPEN: &str = "\x1b]8;;";
const BEL: &str = "\x07";
const ST: &str = "\x1b\\";

/// The block of sources, without a final line break.
pub(super) fn block(sources: &[Source], options: Options) -> String {
    if sources.is_empty() {
        return String::new();
    }
    let linked = options.links == Links::Osc8;
    let end = match options.terminator {
        Terminator::Bel => BEL,
        Terminator::St => ST,
    };
    // Room for a title and its address twice over; a guess that is rarely short.
    let text = String::with_capacity(32 + sources.len() * if linked { 384 } else { 160 });
    let mut screen = Screen { text, end };
    write(sources, options, linked, &mut screen);
    screen.text
}

struct Screen {
    text: String,
    end: &'static str,
}

impl Paper for Screen {
    fn segment(&mut self, text: &str, url: Option<&str>) {
        let Some(url) = url else { return self.text.push_str(text) };
        for piece in [OPEN, url, self.end, text, OPEN, self.end] {
            self.text.push_str(piece);
        }
    }

    fn end_row(&mut self) {
        // The space that waited for a word which took the next row.
        while self.text.ends_with(' ') {
            self.text.pop();
        }
        self.text.push('\n');
    }
}

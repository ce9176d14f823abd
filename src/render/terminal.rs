//! The block as terminal text, with or without hyperlinks.

use super::block::{Paper, write};
use super::{Links, Numbered, Options, Terminator};
use crate::model::{Source, Text};

/// Opens a hyperlink: OSC 8 without an id, because Ink and wrap-ansi read no other spelling.
/// <https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda>
const OPEN: &str = "\x1b]8;;";
const BEL: &str = "\x07";
const ST: &str = "\x1b\\";
/// What closes one again: the same without an address.
const CLOSE_BEL: &str = "\x1b]8;;\x07";
const CLOSE_ST: &str = "\x1b]8;;\x1b\\";

/// Appends the block of sources.
pub(super) fn write_block(sources: &[Numbered<'_, '_>], options: Options, text: &mut String) {
    let linked = options.links == Links::Osc8;
    let most = options.max_sources.unwrap_or(sources.len());
    text.reserve(sources.iter().take(most).map(|entry| usual_length(entry.source)).sum());
    write(sources, options, linked, &mut Screen { text, terminator: options.terminator });
}

/// About as long as an entry gets. A long block would be copied each time it outgrows its room.
fn usual_length(source: &Source<'_>) -> usize {
    let length = |text: &Option<Text<'_>>| text.as_ref().map_or(0, |text| text.len());
    64 + length(&source.title) + 3 * length(&source.url)
}

struct Screen<'t> {
    text: &'t mut String,
    terminator: Terminator,
}

impl Paper for Screen<'_> {
    fn segment(&mut self, text: &str, url: Option<&str>) {
        let out = &mut *self.text;
        let Some(url) = url else { return out.push_str(text) };
        // What the compiler knows the length of is not copied by a call.
        out.push_str(OPEN);
        out.push_str(url);
        match self.terminator {
            Terminator::Bel => {
                out.push_str(BEL);
                out.push_str(text);
                out.push_str(CLOSE_BEL);
            }
            Terminator::St => {
                out.push_str(ST);
                out.push_str(text);
                out.push_str(CLOSE_ST);
            }
        }
    }

    fn end_row(&mut self) {
        self.text.push('\n');
    }
}

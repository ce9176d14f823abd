//! A terminal that obeys nothing but what a block of sources may say.

use vte::{Params, Parser, Perform};

/// What a rendering may hold besides text, line breaks and links.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Allowed {
    /// Links, each ended this way.
    Links { bell: bool },
    /// Underlined and faint text.
    Styles,
    /// Nothing.
    Nothing,
}

/// What was shown.
#[derive(Default)]
pub(crate) struct Shown {
    /// The text, with its line breaks.
    pub(crate) text: String,
    /// Where it leads, in order.
    pub(crate) targets: Vec<String>,
    /// What should not have happened.
    pub(crate) wrong: Vec<String>,
}

struct Screen {
    allowed: Allowed,
    shown: Shown,
    open: bool,
    styled: Option<u16>,
    /// Whether ESC `\` is due, which ends a link.
    ending: bool,
}

/// Plays `output` to the screen.
pub(crate) fn show(output: &str, allowed: Allowed) -> Shown {
    let mut screen =
        Screen { allowed, shown: Shown::default(), open: false, styled: None, ending: false };
    let mut parser = Parser::new();
    parser.advance(&mut screen, output.as_bytes());
    screen.settled();
    // Whatever was left without an end would swallow what is printed next.
    let before = screen.shown.text.len();
    parser.advance(&mut screen, b"X");
    if screen.shown.text.get(before..) != Some("X") {
        screen.wrong("the next character is not printed".to_owned());
    }
    screen.shown.text.truncate(before);
    screen.shown
}

/// Characters that are obeyed, turn text around, or are not seen.
fn is_text(character: char) -> bool {
    let code = u32::from(character);
    let obeyed = code < 0x20 || (0x7f..=0x9f).contains(&code) || matches!(code, 0x2028 | 0x2029);
    let turning = matches!(code, 0x61c | 0x200e | 0x200f | 0x202a..=0x202e | 0x2066..=0x2069);
    let unseen = matches!(code, 0x180e | 0x200b | 0x2060..=0x2064 | 0x206a..=0x206f | 0xfeff)
        || matches!(code, 0xfff9..=0xfffb | 0xe200..=0xe206 | 0xe_0000..=0xe_007f);
    !(obeyed || turning || unseen)
}

impl Screen {
    fn wrong(&mut self, what: String) {
        self.shown.wrong.push(what);
    }

    /// At the end of a row no link and no style is left on.
    fn settled(&mut self) {
        if self.open || self.styled.is_some() || self.ending {
            self.wrong("a row ends with something left open".to_owned());
        }
    }

    fn style(&mut self, number: u16) {
        let ended = match number {
            24 => Some(4),
            22 => Some(2),
            _ => None,
        };
        match (number, self.styled) {
            (4 | 2, None) => self.styled = Some(number),
            (_, Some(open)) if ended == Some(open) => self.styled = None,
            _ => self.wrong(format!("style {number} behind {:?}", self.styled)),
        }
    }
}

impl Perform for Screen {
    fn print(&mut self, character: char) {
        if self.ending {
            self.wrong("a link ended by half".to_owned());
        }
        if !is_text(character) {
            self.wrong(format!("printed {character:?}"));
        }
        self.shown.text.push(character);
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => self.settled(),
            _ => self.wrong(format!("obeyed {byte:#x}")),
        }
        self.shown.text.push('\n');
    }

    fn osc_dispatch(&mut self, parameters: &[&[u8]], bell_terminated: bool) {
        let Allowed::Links { bell } = self.allowed else {
            return self.wrong(format!("command {parameters:?}"));
        };
        // A `;` of an address parts parameters as well.
        let ([b"8", b"", rest @ ..], true) = (parameters, bell == bell_terminated) else {
            return self.wrong(format!("command {parameters:?} ended by bell: {bell_terminated}"));
        };
        let target = rest.join(&b';');
        self.ending = !bell_terminated;
        let opens = !target.is_empty();
        if self.open == opens {
            self.wrong("links inside links, or an end without a start".to_owned());
        }
        self.open = opens;
        if opens {
            self.shown.targets.push(String::from_utf8_lossy(&target).into_owned());
        }
    }

    fn esc_dispatch(&mut self, between: &[u8], _: bool, byte: u8) {
        if !(std::mem::take(&mut self.ending) && between.is_empty() && byte == b'\\') {
            self.wrong(format!("escape {between:?} {byte:#x}"));
        }
    }

    fn csi_dispatch(&mut self, parameters: &Params, between: &[u8], ignored: bool, action: char) {
        let numbers: Vec<_> = parameters.iter().collect();
        match (self.allowed, numbers.as_slice(), action) {
            (Allowed::Styles, [[number]], 'm') if between.is_empty() && !ignored => {
                self.style(*number);
            }
            _ => self.wrong(format!("control {numbers:?} {action:?}")),
        }
    }

    fn hook(&mut self, _: &Params, _: &[u8], _: bool, action: char) {
        self.wrong(format!("device string {action:?}"));
    }
}

//! Whether a terminal shows OSC 8 hyperlinks, told from its environment alone.
//!
//! No query exists, so this is a ladder of names and versions, each with its reason. Pure: the
//! caller hands the environment in.

use crate::clean::TITLE_LIMIT;
use crate::clean::text::line;

/// What is known of the terminal.
pub trait Terminal {
    /// An environment variable, unless it is unset or empty.
    fn var(&self, name: &str) -> Option<String>;
    /// Whether the output is a terminal at all.
    fn is_tty(&self) -> bool;
    /// Whether this is Windows.
    fn is_windows(&self) -> bool;
}

/// The answer, with the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// Whether links may be written.
    pub supported: bool,
    /// Why, in words.
    pub reason: String,
}

fn yes(reason: impl Into<String>) -> Support {
    Support { supported: true, reason: reason.into() }
}

fn no(reason: impl Into<String>) -> Support {
    Support { supported: false, reason: reason.into() }
}

/// Decides by the first rule that applies.
pub fn detect(terminal: &impl Terminal) -> Support {
    let support = forced(terminal)
        .or_else(|| ruled_out(terminal))
        .or_else(|| known(terminal))
        .unwrap_or_else(|| no("the terminal is not known to show hyperlinks"));
    // The environment's own words are in the reason, and it may be printed.
    Support { reason: line(support.reason.into(), TITLE_LIMIT).into_owned(), ..support }
}

/// The user's word comes first, also without a terminal and inside tmux.
fn forced(terminal: &impl Terminal) -> Option<Support> {
    let value = terminal.var("FORCE_HYPERLINK")?;
    let off = matches!(value.trim().to_ascii_lowercase().as_str(), "0" | "false");
    Some(if off { no } else { yes }(format!("FORCE_HYPERLINK={}", value.trim())))
}

fn ruled_out(terminal: &impl Terminal) -> Option<Support> {
    if !terminal.is_tty() {
        return Some(no("the output is not a terminal"));
    }
    let term = terminal.var("TERM").unwrap_or_default();
    if term == "dumb" {
        return Some(no("TERM=dumb"));
    }
    if let Some(name) =
        ["CI", "TEAMCITY_VERSION"].into_iter().find(|name| terminal.var(name).is_some())
    {
        return Some(no(format!("{name} is set: output goes to a log")));
    }
    // tmux passes links on only from 3.4 and only to terminals it knows; screen prints long ones.
    if terminal.var("TMUX").is_some() || term.starts_with("tmux") {
        return Some(no("inside tmux"));
    }
    if terminal.var("STY").is_some() || term.starts_with("screen") {
        return Some(no("inside GNU screen"));
    }
    None
}

fn known(terminal: &impl Terminal) -> Option<Support> {
    let set = |name: &str| terminal.var(name).is_some();
    if set("WT_SESSION") {
        return Some(yes("Windows Terminal"));
    }
    if let Some(program) = terminal.var("TERM_PROGRAM") {
        let version = terminal.var("TERM_PROGRAM_VERSION").unwrap_or_default();
        if let Some(answer) = by_program(terminal, &program, &version) {
            return Some(answer);
        }
    }
    if let Some(version) = terminal.var("VTE_VERSION") {
        return Some(by_vte(&version));
    }
    if let Some(answer) = by_term(&terminal.var("TERM").unwrap_or_default()) {
        return Some(answer);
    }
    for (name, who) in [
        ("KITTY_WINDOW_ID", "kitty"),
        ("GHOSTTY_RESOURCES_DIR", "Ghostty"),
        ("ALACRITTY_WINDOW_ID", "Alacritty"),
        ("DOMTERM", "DomTerm"),
    ] {
        if set(name) {
            return Some(yes(who));
        }
    }
    if let Some(version) = terminal.var("KONSOLE_VERSION") {
        let new = version.parse::<u32>().is_ok_and(|version| version >= 210_400);
        return Some(if new { yes } else { no }(format!("Konsole {version}")));
    }
    if terminal.var("TERMINAL_EMULATOR").as_deref() == Some("JetBrains-JediTerm") {
        return Some(yes("JetBrains terminal"));
    }
    terminal.is_windows().then(|| no("a Windows console other than Windows Terminal"))
}

fn by_term(term: &str) -> Option<Support> {
    match term {
        "xterm-kitty" | "alacritty" | "alacritty-direct" | "xterm-ghostty" | "foot" | "wezterm" => {
            Some(yes(format!("TERM={term}")))
        }
        _ => None,
    }
}

/// Terminals that give their name, with the version from which links work.
fn by_program(terminal: &impl Terminal, program: &str, version: &str) -> Option<Support> {
    let from = |least: (u32, u32)| {
        let new = numbers(version) >= least;
        Some(if new { yes } else { no }(format!("{program} {version}")))
    };
    match program {
        "iTerm.app" => from((3, 1)),
        "WezTerm" => {
            from((20_200_620, 0)).map(|answer| match version.strip_prefix("0-unstable-") {
                Some(_) => yes(format!("{program} {version}")),
                None => answer,
            })
        }
        "vscode" if terminal.var("CURSOR_TRACE_ID").is_some() => Some(yes("Cursor")),
        "vscode" => from((1, 72)),
        "mintty" => from((3, 3)),
        "ghostty" | "zed" | "Hyper" | "terminology" | "rio" => Some(yes(program)),
        // Prints the escape as text in some releases, and says nothing to tell them apart.
        "WarpTerminal" => Some(no("Warp")),
        "Apple_Terminal" => Some(no("Terminal.app")),
        _ => None,
    }
}

/// The first two numbers of a version.
fn numbers(version: &str) -> (u32, u32) {
    let mut parts = version.split(|character: char| !character.is_ascii_digit());
    let mut next = || parts.next().and_then(|part| part.parse().ok()).unwrap_or_default();
    (next(), next())
}

/// VTE links from 0.50; its 0.50.0 crashed on them. Versions come as `0.50.1` or packed as `5001`.
fn by_vte(version: &str) -> Support {
    let packed = match version.split_once('.') {
        None => version.parse().unwrap_or(0),
        Some((_, rest)) => {
            let (minor, patch) = numbers(rest);
            minor * 100 + patch
        }
    };
    if packed > 5000 {
        yes(format!("VTE {version}"))
    } else {
        no(format!("VTE {version} is too old"))
    }
}

//! Who may see citations: a pure rule over what the host's settings say.
//!
//! In: what each level holds, asked in order and only as far as needed. Out: yes or no. Promise:
//! anything unclear counts as not set, and not set anywhere means no.

/// What a setting holds, as far as this rule cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A real boolean.
    Flag(bool),
    /// A string.
    Word(String),
    /// Unset, unreadable, or of another type.
    Other,
}

/// The message for `/set citations enabled`.
pub const ENABLED_MESSAGE: &str = "Citations enabled. Structured source references will appear after responses (when available from your provider).";
/// The message for `/set citations disabled`.
pub const DISABLED_MESSAGE: &str = "Citations disabled.";

/// What the session's own `citations` setting decides, if anything.
pub fn ephemeral(setting: &Setting) -> Option<bool> {
    match setting {
        Setting::Flag(flag) => Some(*flag),
        Setting::Word(word) => match word.trim() {
            word if word.eq_ignore_ascii_case("enabled") => Some(true),
            word if word.eq_ignore_ascii_case("disabled") => Some(false),
            _ => None,
        },
        Setting::Other => None,
    }
}

/// What the stored `ui.showCitations` decides, if anything: only real booleans count.
pub fn persistent(setting: &Setting) -> Option<bool> {
    match setting {
        Setting::Flag(flag) => Some(*flag),
        _ => None,
    }
}

/// LLxprt's provider names and aliases whose API cites by itself.
const CITING: [&str; 5] = ["gemini", "anthropic", "claudecode", "openai-responses", "codex"];

/// Whether a provider's own API returns citations. Advisory: nothing is gated by it.
pub fn supports_citations(provider: &str) -> bool {
    CITING.iter().any(|name| provider.trim().eq_ignore_ascii_case(name))
}

/// Whether a name matches a pattern in which `*` stands for anything and `?` for one character.
pub fn matches_glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<_>, Vec<_>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut from) = (0, 0);
    // Where the last `*` was, and how much of the name it has taken: only that one is ever taken back.
    let mut star: Option<(usize, usize)> = None;
    while from < name.len() {
        match (pattern.get(at), star) {
            (Some('*'), _) => {
                star = Some((at, from));
                at += 1;
            }
            (Some(wanted), _) if *wanted == '?' || Some(wanted) == name.get(from) => {
                at += 1;
                from += 1;
            }
            (_, Some((place, taken))) => {
                star = Some((place, taken + 1));
                (at, from) = (place + 1, taken + 1);
            }
            (_, None) => return false,
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::matches_glob;

    #[test]
    fn globs() {
        for (pattern, name, expected) in [
            ("web_search", "web_search", true),
            ("web_search", "web_search2", false),
            ("mcp__*", "mcp__docs__find", true),
            ("*search", "exa_web_search", true),
            ("*a*b", "xaxbxb", true),
            ("*a*b", "xaxbx", false),
            ("r?ad", "read", true),
            ("r?ad", "rad", false),
            ("*", "", true),
            ("", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches_glob(pattern, name), expected, "{pattern} {name}");
        }
    }
}

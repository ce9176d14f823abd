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

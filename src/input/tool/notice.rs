//! Texts that are no results: errors, empty results, notices of limits. Some hold addresses.

use std::borrow::Cow;

/// How such texts begin.
const BEGINNINGS: &[&str] = &[
    "Error:",
    "Error performing ",
    "Error fetching ",
    "Error executing ",
    "Error reading ",
    "Error during ",
    "Error searching ",
    "Web search failed",
    "Code search failed",
    "Search failed",
    "Failed to ",
    "Request failed",
    "Tool execution failed",
    "Tool execution succeeded.",
    "Operation cancelled",
    "No search results found",
    "No search results or information found",
    "No code snippets or documentation found",
    "No results found",
    "No matches found",
    "No files matching ",
    "File not found",
    "Invalid parameters",
];

/// What such texts say somewhere, when they are short.
const SAYINGS: &[&str] = &["rate limit", "too many requests", "api key at https://"];

/// What stands in place of a result that was too long.
const TOO_LONG: &str = " output exceeded token limit (";

/// A page or a file is longer than a notice.
const LINE: usize = 240;

/// Whose words a text is, unless it is a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// The tool's: it speaks of limits only when it has met one.
    Tool,
    /// A page's, which is longer than a line.
    Page,
    /// A file's, which may say anything.
    File,
}

impl Voice {
    /// The longest notice there is.
    fn longest_notice(self) -> usize {
        match self {
            Self::Tool => 700,
            Self::Page => LINE,
            Self::File => 0,
        }
    }
}

/// Whether this is a notice and not a result.
pub(super) fn is_no_result(text: &str, voice: Voice) -> bool {
    let text = text.trim_start();
    let is_line = voice == Voice::Tool || !text.trim_end().contains('\n') && text.len() <= LINE;
    let begins = BEGINNINGS.iter().any(|beginning| text.starts_with(beginning));
    if text.is_empty() || begins && is_line {
        return true;
    }
    if text.lines().next().is_some_and(|line| line.contains(TOO_LONG)) {
        return true;
    }
    if text.len() > voice.longest_notice() || !is_line || text.starts_with(['{', '[']) {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    SAYINGS.iter().any(|saying| lower.contains(saying))
}

const TRUNCATED: &str = "[Output truncated due to token limit]";
const SAMPLED: &str = " lines due to token limit]";
const CLIPPED: &str = "...[middle clipped due to token limits]...";

/// What a limit on tokens left that can still be trusted: whole lines. Half an address is another
/// address. Of every n-th line nothing: names and addresses no longer belong together.
pub(super) fn unlimited(text: &str) -> Option<Cow<'_, str>> {
    let trimmed = text.trim_end();
    if let Some(line) = trimmed.lines().next_back()
        && line.starts_with("[Sampled ")
        && line.ends_with(SAMPLED)
    {
        return None;
    }
    if let Some(head) = trimmed.strip_suffix(TRUNCATED) {
        return Some(Cow::Borrowed(whole_lines(head.trim_end_matches('\n'))));
    }
    let clipped = memchr::memmem::find(text.as_bytes(), CLIPPED.as_bytes());
    let around = clipped.and_then(|at| Some((text.get(..at)?, text.get(at + CLIPPED.len()..)?)));
    if let Some((head, tail)) = around {
        let tail = tail.split_once('\n').map_or("", |(_, rest)| rest);
        return Some(Cow::Owned(format!("{}\n{tail}", whole_lines(head))));
    }
    Some(Cow::Borrowed(text))
}

fn whole_lines(text: &str) -> &str {
    text.rsplit_once('\n').map_or("", |(whole, _)| whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_about_errors_are_pages() {
        for text in
            ["# Error handling", "Error handling in Rust is …", "Rate limits\n".repeat(80).as_str()]
        {
            assert!(!is_no_result(text, Voice::Tool), "{text:.40}");
        }
        for text in [
            "",
            " \n",
            "Error fetching URL: 404",
            "You have hit the Rate Limit, see https://a.example",
        ] {
            assert!(is_no_result(text, Voice::Tool), "{text}");
        }
        assert!(!is_no_result("# Rate limits\n\nSee below.", Voice::Page));
        assert!(!is_no_result("rate limit = 5", Voice::File));
    }

    #[test]
    fn half_a_line_is_not_trusted() {
        let cut = "Title: A\nURL: https://a.exam\n\n[Output truncated due to token limit]";
        assert_eq!(unlimited(cut).as_deref(), Some("Title: A"));
        assert_eq!(unlimited("a\n\n[Sampled 2 of 9 lines due to token limit]"), None);
        let clipped = "a\nhalf...[middle clipped due to token limits]...other half\nb";
        assert_eq!(unlimited(clipped).as_deref(), Some("a\nb"));
        assert_eq!(unlimited("as it is").as_deref(), Some("as it is"));
    }
}

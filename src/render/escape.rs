//! Text inside HTML and SVG, as content or between double quotes.

/// Text that reads as nothing but text.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text);
    out
}

/// Appends the same.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no such characters.
            '\u{fffe}' | '\u{ffff}' => {}
            other => out.push(other),
        }
    }
}

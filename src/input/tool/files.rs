//! Files that were read or searched: paths with lines.

use super::Args;
use super::findings::{Findings, own_snippet};
use super::results::lines_of;
use crate::input::key::Key;
use crate::input::value::Value;
use crate::model::{Finding, Lines, Mention};

/// What stands behind the last file.
pub(super) const END: &str = "--- End of content ---";

/// The content of one file; its path is in the call.
pub(super) fn read_file(text: &str, args: &Args, found: &mut Findings<'_>) {
    let Some(path) = &args.path else { return };
    let asked = args.limit.filter(|limit| *limit > 0).map(|limit| {
        // LLxprt counts lines to skip.
        let start = args.offset.unwrap_or_default() + 1;
        Lines { start, end: start.saturating_add(limit - 1) }
    });
    // A file may be shorter than what was asked for.
    let returned = text.lines().count() as u64;
    let asked = asked.map(|lines| Lines {
        end: lines.end.min((lines.start + returned).saturating_sub(1)).max(lines.start),
        ..lines
    });
    let lines = shown_lines(text).or(asked);
    let words =
        text.split_once("--- FILE CONTENT (truncated) ---").map_or(text, |(_, words)| words);
    found.file(path, Finding { lines, snippet: own_snippet(words), ..Finding::default() });
}

/// `Status: Showing lines a-b of N total lines.` at the head of a file that was cut.
fn shown_lines(text: &str) -> Option<Lines> {
    let head = text.trim_start().strip_prefix("IMPORTANT: The file content has been truncated.")?;
    let (_, range) = head.split_once("Status: Showing lines ")?;
    let (start, rest) = range.split_once('-')?;
    let (end, _) = rest.split_once(' ')?;
    Some(Lines { start: start.parse().ok()?, end: end.parse().ok()? })
}

/// Several files, each behind a line with its path. Where each has a part of its own, only the first line
/// of a part is such a line: the others are the file's.
pub(super) fn read_files(text: &str, in_parts: bool, found: &mut Findings<'_>) {
    let mut blank = true;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let path = line.strip_prefix("--- ").and_then(|rest| rest.strip_suffix(" ---"));
        // As it is written: blank lines on both sides, so that a line of a diff is none.
        let apart = blank && lines.peek().is_none_or(|next| next.is_empty());
        match path.filter(|path| apart && *path != "End of content") {
            Some(path) => found.file(path, Finding::default()),
            None => blank = line.is_empty(),
        }
        if in_parts {
            break;
        }
    }
}

/// Lines that match a pattern: `File: path`, then `L12: text` for each.
pub(super) fn read_matches(text: &str, found: &mut Findings<'_>) {
    let mut file: Option<(&str, Vec<u64>)> = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("File: ") {
            add_file(file.take(), found);
            file = Some((path, Vec::new()));
        } else if let Some((_, numbers)) = &mut file {
            numbers.extend(
                line.strip_prefix('L').and_then(|rest| rest.split_once(':')?.0.parse::<u64>().ok()),
            );
        }
    }
    add_file(file, found);
}

/// Nodes of a syntax tree: `path:line [kind] text`.
pub(super) fn read_nodes(text: &str, found: &mut Findings<'_>) {
    let mut file: Option<(&str, Vec<u64>)> = None;
    for line in text.lines() {
        let Some((path, number)) = node(line) else { continue };
        match &mut file {
            Some((held, numbers)) if *held == path => numbers.push(number),
            _ => add_file(file.replace((path, vec![number])), found),
        }
    }
    add_file(file, found);
}

fn node(line: &str) -> Option<(&str, u64)> {
    let (place, rest) = line.split_once(" [")?;
    let (kind, _) = rest.split_once("] ")?;
    let (path, number) = place.rsplit_once(':')?;
    let is_kind =
        !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_kind && !path.is_empty()).then_some((path, number.parse().ok()?))
}

/// One source per file. Its lines are the first that stand together; others stay beside them.
fn add_file(file: Option<(&str, Vec<u64>)>, found: &mut Findings<'_>) {
    let Some((path, mut numbers)) = file else { return };
    numbers.sort_unstable();
    let mut runs: Vec<Lines> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if number <= run.end.saturating_add(1) => run.end = number,
            _ => runs.push(Lines { start: number, end: number }),
        }
    }
    let mut runs = runs.into_iter();
    let first = runs.next();
    found.file(path, Finding { lines: first, ..Finding::default() });
    found.also(runs.map(|lines| Mention { lines: Some(lines), ..Mention::default() }).collect());
}

/// Hosts that keep the path beside the content.
pub(super) fn read_data<'v, V: Value<'v>>(value: V, args: &Args, found: &mut Findings<'_>) {
    let one = |record: V, found: &mut Findings<'_>| {
        let words = record.text_at(Key::Content);
        if let Some(path) = record.text_at(Key::File) {
            let lines = lines_of(record);
            let snippet = words.as_deref().and_then(own_snippet);
            found.file(&path, Finding { snippet, lines, ..Finding::default() });
        } else if let Some(words) = words {
            read_file(&words, args, found);
        }
    };
    let list = value.get(Key::Results).unwrap_or(value);
    list.each_or_this(|_, record| one(record, found));
}

//! A picture of how far an answer rests on its sources: for the terminal, and as SVG for a report.

use super::escape::escaped;
use super::wrap::{columns, rows};
use crate::clean::text::clean;
use crate::ground::{coverage, covered};
use crate::model::span::Positions;
use crate::model::{Payload, ascending};
use std::collections::BTreeMap;

/// How the picture is drawn.
#[derive(Clone, Copy, Debug)]
pub struct CoverageOptions {
    /// Columns.
    pub width: usize,
    /// Whether passages are underlined; without, they stand between `«` and `»`.
    pub color: bool,
}

/// Narrower than this nobody reads.
const NARROWEST: usize = 20;
/// The bar is no wider than this, and no shorter than that.
const WIDEST_BAR: usize = 60;
const SHORTEST_BAR: usize = 8;

/// A piece of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece<'t> {
    text: &'t str,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    /// A passage that leans on a source.
    Covered,
    /// The numbers of its sources.
    Mark,
}

/// A line of the answer, safe to print, with where its styles change.
#[derive(Default)]
struct Line {
    text: String,
    /// Where a style starts, ascending.
    styles: Vec<(usize, Style)>,
}

impl Line {
    fn push(&mut self, text: &str, style: Style) {
        if self.styles.last().is_none_or(|(_, last)| *last != style) {
            self.styles.push((self.text.len(), style));
        }
        self.text.push_str(&clean(text));
    }

    /// The rows this line takes, each as its pieces.
    fn rows(&self, width: usize) -> Vec<Vec<Piece<'_>>> {
        // Rows and styles both ascend: a style that ends before a row is behind it for good.
        let end_of = |at: usize| self.styles.get(at + 1).map_or(self.text.len(), |(next, _)| *next);
        let mut first = 0;
        let row = |range: std::ops::Range<usize>| {
            while first < self.styles.len() && end_of(first) <= range.start {
                first += 1;
            }
            let inside = self.styles.iter().enumerate().skip(first);
            let inside = inside.take_while(|(_, (start, _))| *start < range.end);
            let pieces = inside.filter_map(|(at, (start, style))| {
                let (from, to) = ((*start).max(range.start), end_of(at).min(range.end));
                let text = self.text.get(from..to).filter(|text| !text.is_empty())?;
                Some(Piece { text, style: *style })
            });
            pieces.collect()
        };
        if self.text.is_empty() {
            return vec![Vec::new()];
        }
        rows(&self.text, width, width).into_iter().map(row).collect()
    }
}

/// The lines of an answer, its passages marked; `quoted` also with `«` and `»`.
fn lines(payload: &Payload, quoted: bool) -> Vec<Line> {
    let positions = Positions::of(&payload.answer);
    let byte = |utf16: usize| positions.byte_of_utf16(utf16);
    // Where something changes: into a passage, out of it, numbers.
    let mut changes: Vec<(usize, u8, String)> = Vec::new();
    for (start, end) in covered(&payload.anchors) {
        if let (Some(start), Some(end)) = (byte(start), byte(end)) {
            changes.push((start, 2, String::new()));
            changes.push((end, 0, String::new()));
        }
    }
    let mut ends: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for anchor in payload.anchors.iter().filter(|anchor| anchor.end > anchor.start) {
        ends.entry(anchor.end).or_default().extend(&anchor.sources);
    }
    for (end, numbers) in ends {
        let marks = ascending(numbers).into_iter().map(|number| format!("[{number}]"));
        changes.extend(byte(end).map(|end| (end, 1, marks.collect())));
    }
    changes.sort_unstable();
    let mut all = vec![Line::default()];
    let (mut done, mut depth) = (0, 0_usize);
    let style = |depth: usize| if depth > 0 { Style::Covered } else { Style::Plain };
    for (at, change, marks) in changes {
        write_text(
            &mut all,
            payload.answer.get(done..at).unwrap_or_default(),
            style(depth),
            quoted,
        );
        done = at;
        match change {
            0 => depth = depth.saturating_sub(1),
            2 => depth += 1,
            _ => write_text(&mut all, &marks, Style::Mark, quoted),
        }
    }
    write_text(&mut all, payload.answer.get(done..).unwrap_or_default(), style(depth), quoted);
    all
}

fn write_text(lines: &mut Vec<Line>, text: &str, style: Style, quoted: bool) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            lines.push(Line::default());
        }
        if let Some(last) = lines.last_mut().filter(|_| !line.is_empty()) {
            if quoted && style == Style::Covered {
                last.push(&format!("«{line}»"), style);
            } else {
                last.push(line, style);
            }
        }
    }
}

/// How much of each of `cells` equal parts of the answer is covered, in quarters.
fn cells(payload: &Payload, cells: usize) -> Vec<usize> {
    let length = payload.answer.encode_utf16().count();
    let spans: Vec<_> = covered(&payload.anchors).collect();
    let mut from = 0;
    let cell = |index: usize| {
        let start = index * length / cells;
        // Of a short answer several cells show the same character.
        let end = ((index + 1) * length / cells).max(start + 1);
        while spans.get(from).is_some_and(|span| span.1 <= start) {
            from += 1;
        }
        let inside = spans.iter().skip(from).take_while(|span| span.0 < end);
        let units: usize =
            inside.map(|span| span.1.min(end).saturating_sub(span.0.max(start))).sum();
        (units * 4).div_ceil(end - start).min(4)
    };
    (0..cells).map(cell).collect()
}

fn caption(payload: &Payload) -> String {
    let linked = ascending(payload.anchors.iter().flat_map(|anchor| &anchor.sources).copied());
    let many =
        |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
    let spans = many(payload.anchors.len(), "span");
    let sources = many(linked.len(), "source");
    format!("{:.1} % anchored · {spans} · {sources}", coverage(payload))
}

/// The answer as terminal text with its passages marked, and a bar below it.
pub fn write_coverage(payload: &Payload, options: CoverageOptions) -> String {
    let width = options.width.max(NARROWEST);
    let mut out = String::new();
    for line in lines(payload, !options.color) {
        for row in line.rows(width) {
            for piece in row {
                write_piece(&mut out, &piece, options.color);
            }
            out.push('\n');
        }
    }
    let caption = caption_within(payload, width.saturating_sub(SHORTEST_BAR + 1));
    let bar = width.saturating_sub(columns(&caption) + 1).clamp(1, WIDEST_BAR);
    out.push('\n');
    let cells = cells(payload, bar).into_iter();
    out.extend(cells.filter_map(|quarters| "·░▒▓█".chars().nth(quarters)));
    out.push(' ');
    out.push_str(&caption);
    out
}

/// As much of the caption as there is room for.
fn caption_within(payload: &Payload, room: usize) -> String {
    let mut caption = caption(payload);
    while columns(&caption) > room {
        let Some((start, _)) = caption.rsplit_once(" · ") else { break };
        caption.truncate(start.len());
    }
    caption
}

fn write_piece(out: &mut String, piece: &Piece<'_>, color: bool) {
    let (open, close) = match (piece.style, color) {
        (Style::Covered, true) => ("\x1b[4m", "\x1b[24m"),
        (Style::Mark, true) => ("\x1b[2m", "\x1b[22m"),
        _ => ("", ""),
    };
    out.extend([open, piece.text, close]);
}

/// Width of a column and height of a row in the picture.
const COLUMN: usize = 8;
const ROW: usize = 20;

/// The same as SVG.
pub fn coverage_svg(payload: &Payload, options: CoverageOptions) -> String {
    let width = options.width.max(NARROWEST);
    let lines = lines(payload, false);
    let rows: Vec<_> = lines.iter().flat_map(|line| line.rows(width)).collect();
    let wide = width.max(columns(&caption(payload)));
    let (across, down) = ((wide + 4) * COLUMN, rows.len() * ROW + 74);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {down}\" role=\"img\" \
         aria-label=\"{caption}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" \
         font-size=\"13\">\n<style>\n\
         .page{{fill:#fff}}.text{{fill:#1f2328}}.mark{{fill:#0550ae}}.span{{fill:#b6e3b6}}\
         .q0{{fill:#e6e8eb}}.q1{{fill:#c9e7c9}}.q2{{fill:#8fd18f}}.q3{{fill:#4fb34f}}.q4{{fill:#1a7f37}}\n\
         @media (prefers-color-scheme: dark){{.page{{fill:#0d1117}}.text{{fill:#e6edf3}}\
         .mark{{fill:#79c0ff}}.span{{fill:#1b4721}}.q0{{fill:#21262d}}}}\n</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        caption = escaped(&caption(payload)),
    );
    write_bar(&mut svg, payload, width);
    for (index, row) in rows.iter().enumerate() {
        write_row(&mut svg, row, 62 + index * ROW);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_bar(svg: &mut String, payload: &Payload, width: usize) {
    for (index, quarters) in cells(payload, width).into_iter().enumerate() {
        let x = (index + 2) * COLUMN;
        svg.extend([format!(
            "<rect class=\"q{quarters}\" x=\"{x}\" y=\"12\" width=\"{COLUMN}\" height=\"10\"/>\n"
        )]);
    }
    let caption = escaped(&caption(payload));
    svg.extend([format!("<text class=\"text\" x=\"{}\" y=\"40\">{caption}</text>\n", 2 * COLUMN)]);
}

/// Each piece stands at its own column, so that wide characters do not push what follows.
fn write_row(svg: &mut String, row: &[Piece<'_>], y: usize) {
    let mut column = 2;
    for piece in row {
        let (x, wide) = (column * COLUMN, columns(piece.text));
        column += wide;
        if piece.style == Style::Covered {
            svg.extend([format!(
                "<rect class=\"span\" x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{ROW}\"/>\n",
                y - 14,
                wide * COLUMN,
            )]);
        }
        let class = if piece.style == Style::Mark { "mark" } else { "text" };
        svg.extend([format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" textLength=\"{}\" xml:space=\"preserve\">{}</text>\n",
            wide * COLUMN,
            escaped(piece.text),
        )]);
    }
}

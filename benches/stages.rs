//! One stage of the way of the data, many times over, for `valgrind --tool=callgrind`.
//!
//! `stages FILE STAGE COUNT` prints nothing; the instruction count is the result.

use llxprt_code_citations::anchor::marker;
use llxprt_code_citations::input::json::{Json, JsonValue};
use llxprt_code_citations::input::tool::Tool;
use llxprt_code_citations::input::{Detail, shape_of};
use llxprt_code_citations::render::{Links, Options, block, number};
use llxprt_code_citations::turn::{self, Signature};
use std::borrow::Cow;
use std::hint::black_box;

/// Twenty sources without addresses.
struct Twenty;

impl marker::Sources for Twenty {
    fn count(&self) -> Option<usize> {
        Some(20)
    }
    fn number(&self, _: &str) -> Option<usize> {
        None
    }
    fn target(&self, _: usize) -> Option<Cow<'_, str>> {
        None
    }
}

fn format_of(stage: &str) -> Option<marker::Format> {
    match stage {
        "brackets" => Some(marker::Format::Brackets),
        "superscript" => Some(marker::Format::Superscript),
        "remove" => Some(marker::Format::Remove),
        _ => None,
    }
}

/// Stages that start from text. Answers whether this is one.
fn of_text(stage: &str, text: &str, count: u32) -> bool {
    if let Some(format) = format_of(stage) {
        let options = marker::Options { format, ..marker::Options::default() };
        (0..count).for_each(|_| drop(black_box(marker::format(black_box(text), Twenty, options))));
        return true;
    }
    match stage {
        "markers" => {
            (0..count).for_each(|_| drop(black_box(marker::parse(black_box(text), Some(20)))));
        }
        "deltas" => {
            let deltas: Vec<_> = text.split_inclusive(' ').collect();
            for _ in 0..count {
                let mut stream = marker::MarkerStream::new(Twenty, marker::Options::default());
                for delta in &deltas {
                    black_box(stream.push(black_box(delta)));
                }
                black_box(stream.finish());
            }
        }
        "tool" => {
            let by = Signature { tool: "exa_web_search", request: "call-1", accessed: None };
            let read = |text| {
                let tool = Tool::named("exa_web_search")?;
                Some(turn::sign(tool.read_text(None::<JsonValue<'_>>, text), by))
            };
            (0..count).for_each(|_| drop(black_box(read(black_box(text)))));
        }
        _ => return false,
    }
    true
}

/// Stages of a turn that takes the whole file as bytes. Answers whether this is one.
fn of_turn(stage: &str, bytes: &[u8], count: u32) -> bool {
    let mut turn = turn::Turn::new(true);
    turn.push_bytes(bytes);
    match stage {
        "push" => {
            for _ in 0..count {
                turn.reset();
                turn.push_bytes(black_box(bytes));
                black_box(&mut turn);
            }
        }
        "number" => {
            let look = || black_box(&turn).with_listing(false, |sources, _| sources.len());
            (0..count).for_each(|_| {
                black_box(look());
            });
        }
        "anchor" => (0..count).for_each(|_| drop(black_box(black_box(&turn).payload()))),
        _ => return false,
    }
    true
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().unwrap_or_default();
    let (file, stage, count) = (next(), next(), next().parse::<u32>().unwrap_or(0));
    let Ok(bytes) = std::fs::read(&file) else { return };
    let options = Options { links: Links::Osc8, ..Options::default() };
    if stage == "stream" {
        let mut turn = turn::Turn::new(false);
        for _ in 0..count {
            turn.reset();
            bytes.chunks(16_384).for_each(|chunk| turn.push_bytes(black_box(chunk)));
            black_box(&mut turn);
        }
        return;
    }
    if of_turn(&stage, &bytes, count) {
        return;
    }
    if of_text(&stage, &String::from_utf8_lossy(&bytes), count) {
        return;
    }
    let json = Json::from_bytes(&bytes);
    let Some(root) = json.root() else { return };
    let cleaned = turn::extract_shown(root, || shape_of(root));
    let listed = turn::listed(cleaned.clone(), &[]);
    let listed = number(&listed, &[]);
    for _ in 0..count {
        match stage.as_str() {
            "parse" => drop(black_box(Json::skimmed(black_box(&bytes), Detail::Shown))),
            "extract" => drop(black_box(turn::extract_shown(black_box(root), || shape_of(root)))),
            "clone" => drop(black_box(cleaned.clone())),
            "dedupe" => drop(black_box(turn::listed(cleaned.clone(), &[]))),
            "render" => drop(black_box(block(black_box(&listed), options))),
            _ => {}
        }
    }
}

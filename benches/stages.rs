//! One stage of the way of the data, many times over, for `valgrind --tool=callgrind`.
//!
//! `stages FILE STAGE COUNT` prints nothing; the instruction count is the result.

use llxprt_code_citations::input::json::Json;
use llxprt_code_citations::input::{Detail, Found, read, shape_of};
use llxprt_code_citations::render::{Links, Options, block};
use llxprt_code_citations::{clean, turn};
use std::hint::black_box;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().unwrap_or_default();
    let (file, stage, count) = (next(), next(), next().parse::<u32>().unwrap_or(0));
    let Ok(bytes) = std::fs::read(&file) else { return };
    let options = Options { links: Links::Osc8, ..Options::default() };
    let json = Json::from_bytes(&bytes);
    let Some(root) = json.root() else { return };
    let shape = shape_of(root);
    let find = || {
        let mut found = Found { detail: Detail::Shown, ..Found::default() };
        read(black_box(root), shape, &mut found);
        found.sources
    };
    let found = find();
    let clean = |mut sources: Vec<_>| {
        sources.iter_mut().for_each(clean::source);
        sources
    };
    let cleaned = clean(found.clone());
    let listed = turn::listed(cleaned.clone(), &[]);
    for _ in 0..count {
        match stage.as_str() {
            "parse" => drop(black_box(Json::from_bytes(black_box(&bytes)))),
            "read" => drop(black_box(find())),
            "clone" => drop(black_box(found.clone())),
            "clean" => drop(black_box(clean(found.clone()))),
            "dedupe" => drop(black_box(turn::listed(cleaned.clone(), &[]))),
            "render" => drop(black_box(block(black_box(&listed), options))),
            _ => {}
        }
    }
}

//! Hostile cases, made of the pieces in `__test__/hostile/pieces.json`.
//!
//! `__test__/hostile/cases.ts` makes the same ones in JavaScript; both tests know their fingerprint.

pub(crate) mod screen;

use serde_json::Value;
use std::fs;
use std::path::Path;

/// How many cases there are.
pub(crate) const CASES: u32 = 10_000;
/// What [`fingerprint`] says of them, here and in JavaScript.
pub(crate) const FINGERPRINT: u32 = 4_205_090_341;

/// What somebody sends to break a terminal.
pub(crate) struct Case {
    pub(crate) titles: [String; 2],
    pub(crate) urls: [String; 2],
    pub(crate) excerpt: String,
    pub(crate) answer: String,
    /// The content of a JSON string as it stands between its quotes.
    pub(crate) json_text: String,
}

pub(crate) struct Generator {
    words: Vec<String>,
    addresses: Vec<String>,
    json_texts: Vec<String>,
    pieces: Vec<String>,
}

impl Generator {
    pub(crate) fn new() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("__test__/hostile/pieces.json");
        let all: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        // Kinds in the order of their names.
        let kinds = all["pieces"].as_object().unwrap();
        Self {
            words: strings(&all["words"]),
            addresses: strings(&all["addresses"]),
            json_texts: strings(&all["jsonTexts"]),
            pieces: kinds.values().flat_map(strings).collect(),
        }
    }

    pub(crate) fn case(&self, number: u32) -> Case {
        let mut dice = Dice::new(number);
        // Every piece has its turn.
        let piece = &self.pieces[number as usize % self.pieces.len()];
        let title = self.text(&mut dice, piece);
        let other = dice.pick(&self.pieces).clone();
        let second = self.text(&mut dice, &other);
        let overlong = number.is_multiple_of(97);
        Case {
            titles: [if overlong { title.repeat(50) } else { title }, second],
            urls: [self.url(&mut dice, piece), self.url(&mut dice, &other)],
            excerpt: self.text(&mut dice, piece),
            answer: (0..3).map(|_| self.text(&mut dice, piece)).collect::<Vec<_>>().join("\n"),
            json_text: dice.pick(&self.json_texts).clone(),
        }
    }

    /// Words with pieces before, between, behind and inside of each other.
    fn text(&self, dice: &mut Dice, piece: &str) -> String {
        let other = dice.pick(&self.pieces).clone();
        let nested = match dice.below(4) {
            0 => piece.to_owned(),
            1 => format!("{other}{piece}"),
            2 => split(piece, dice).join(&other),
            _ => split(&other, dice).join(piece),
        };
        let (first, last) = (dice.pick(&self.words).clone(), dice.pick(&self.words).clone());
        match dice.below(4) {
            0 => format!("{nested} {first} {last}"),
            1 => format!("{first}{nested}{last}"),
            2 => format!("{first} {last}{nested}"),
            _ => format!("{first} {nested} {last}{piece}"),
        }
    }

    fn url(&self, dice: &mut Dice, piece: &str) -> String {
        dice.pick(&self.addresses).replace("{}", piece)
    }
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

/// `text` in two parts.
fn split(text: &str, dice: &mut Dice) -> [String; 2] {
    let count = u32::try_from(text.chars().count()).unwrap();
    let at = dice.below(count + 1) as usize;
    [text.chars().take(at).collect(), text.chars().skip(at).collect()]
}

/// Numbers that are the same everywhere.
struct Dice(u32);

impl Dice {
    fn new(seed: u32) -> Self {
        let mut dice = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b1) | 1);
        for _ in 0..4 {
            dice.next();
        }
        dice
    }

    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.next() % limit
    }

    fn pick<'l>(&mut self, list: &'l [String]) -> &'l String {
        &list[self.below(u32::try_from(list.len()).unwrap()) as usize]
    }
}

/// A sum over every UTF-16 unit of every case.
pub(crate) fn fingerprint(generator: &Generator) -> u32 {
    let mut sum = 0_u32;
    for case in (0..CASES).map(|number| generator.case(number)) {
        let [title, second] = case.titles;
        let [url, other] = case.urls;
        for text in [title, second, url, other, case.excerpt, case.answer, case.json_text] {
            for unit in text.encode_utf16() {
                sum = (sum ^ u32::from(unit)).wrapping_mul(0x0100_0193);
            }
        }
    }
    sum
}

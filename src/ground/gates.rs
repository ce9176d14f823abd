//! Whether an answer is grounded enough: each condition by itself, and what follows from all.

use super::is_strict;
use super::report::Facts;
use crate::input::{Key, Value as Given};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How much grounding is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// An answer without it fails.
    Required,
    /// It is welcome.
    Auto,
}

/// What is asked of an answer.
#[derive(Clone, Debug)]
pub struct Policy {
    /// How much grounding is asked for.
    pub mode: Mode,
    /// The least share of the answer that must lie in spans, in percent,
    pub min_coverage_pct: f64,
    /// or the least number of spans.
    pub min_annotations: usize,
    /// Models that may answer.
    pub allowed_models: Vec<String>,
    /// Vendors that may.
    pub allowed_vendors: Vec<String>,
    /// System and user messages of the request, where it is known: there must be one of each and no
    /// others.
    pub messages: Option<Messages>,
}

/// What a request consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Messages {
    /// Messages of the system.
    pub system: usize,
    /// Messages of the user.
    pub user: usize,
    /// Others.
    pub other: usize,
}

impl Messages {
    /// Counts the messages of a request, in the form of any vendor.
    pub fn of<'v, V: Given<'v>>(request: V) -> Self {
        const SYSTEM: [Key; 3] = [Key::SystemInstruction, Key::System, Key::Instructions];
        let mut found = Self { system: 0, user: 0, other: 0 };
        for holder in [Some(request), request.get(Key::Config)].into_iter().flatten() {
            found.system += SYSTEM.into_iter().filter(|key| holder.get(*key).is_some()).count();
        }
        for key in [Key::Messages, Key::Contents, Key::Input] {
            if let Some(list) = request.get(key) {
                list.each_or_this(|_, message| found.count(message));
            }
        }
        found
    }

    fn count<'v, V: Given<'v>>(&mut self, message: V) {
        match message.text_at(Key::Role).as_deref() {
            Some("system" | "developer") => self.system += 1,
            Some("user") | None => self.user += 1,
            Some(_) => self.other += 1,
        }
    }
}

/// One condition.
#[derive(Clone, Debug, Serialize)]
pub struct Gate {
    /// What is looked at.
    pub name: &'static str,
    /// What it is.
    pub value: Value,
    /// What it must be.
    pub limit: Value,
    /// Whether it is.
    pub pass: bool,
}

/// What a policy says of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// Whether it passes.
    pub pass: bool,
    /// Why: the reason of a pass, or the first gate that is shut.
    pub reason: Option<String>,
    /// Every condition.
    pub gates: Vec<Gate>,
}

/// Holds the facts against a policy.
pub fn evaluate(facts: &Facts, policy: &Policy) -> Evaluation {
    let google = !is_strict(&facts.vendor);
    let at_least = |name, value: usize, limit: usize| Gate {
        name,
        value: json!(value),
        limit: json!(limit),
        pass: value >= limit,
    };
    let covered =
        facts.coverage >= policy.min_coverage_pct || facts.annotations >= policy.min_annotations;
    let mut gates = vec![
        at_least("tool_call_count", facts.tool_calls, 1),
        at_least("grounding_chunks", facts.chunks, 1),
        at_least("grounding_supports", facts.supports, 1),
        Gate {
            name: "anchored_coverage_pct",
            value: json!({ "coveragePct": facts.coverage, "annotations": facts.annotations }),
            limit: json!({ "coveragePct": policy.min_coverage_pct, "annotations": policy.min_annotations }),
            pass: covered,
        },
    ];
    let [searched, found, supported] =
        [0, 1, 2].map(|at| gates.get(at).is_some_and(|gate: &Gate| gate.pass));
    // Sources without spans do, of Google, where it gives no spans at all.
    let unlinked = google && found && !supported;
    let grounded = searched && found && (supported && covered || unlinked);
    let contract = contract(facts, policy);
    let kept = contract.iter().all(|gate| gate.pass);
    gates.extend(contract);
    let pass = kept && (grounded || policy.mode == Mode::Auto);
    let shut = || {
        let shut = gates.iter().find(|gate| !gate.pass)?;
        Some(shut.name.to_owned())
    };
    let reason = if pass { reason(facts, google, grounded, unlinked) } else { shut() };
    Evaluation { pass, reason, gates }
}

fn reason(facts: &Facts, google: bool, grounded: bool, unlinked: bool) -> Option<String> {
    match (grounded, unlinked) {
        (false, _) => None,
        (true, true) => Some("unlinked_google".to_owned()),
        (true, false) if google => Some("anchored_google".to_owned()),
        (true, false) => Some(format!("anchored_{}", facts.vendor)),
    }
}

/// What was agreed on about the request, where it is known.
fn contract(facts: &Facts, policy: &Policy) -> Vec<Gate> {
    let Some(messages) = policy.messages else { return Vec::new() };
    let Messages { system, user, other } = messages;
    vec![
        Gate {
            name: "two_messages",
            value: json!({ "system": system, "user": user, "other": other }),
            limit: json!({ "system": 1, "user": 1, "other": 0 }),
            pass: (system, user, other) == (1, 1, 0),
        },
        allowed("model", &facts.model, &policy.allowed_models),
        allowed("vendor", &facts.vendor, &policy.allowed_vendors),
    ]
}

fn allowed(name: &'static str, value: &str, list: &[String]) -> Gate {
    let pass = list.iter().any(|one| one == value);
    Gate { name, value: json!(value), limit: json!(list), pass }
}

/// What is worth watching over many answers.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// How many answers.
    pub count: usize,
    /// The middle of their coverage, in percent.
    pub median_coverage_pct: f64,
    /// How many searched for something and got nothing.
    pub grounding_evidence_missing_total: usize,
    /// How many passed for which reason; `none` for those without.
    pub reasons: BTreeMap<String, usize>,
}

/// Counts over many answers.
pub fn summarize(all: &[Facts]) -> Summary {
    let mut shares: Vec<f64> = all.iter().map(|facts| facts.coverage).collect();
    shares.sort_unstable_by(f64::total_cmp);
    let middle = |at: usize| shares.get(at).copied().unwrap_or_default();
    let half = shares.len() / 2;
    let median = match shares.len() % 2 {
        1 => middle(half),
        _ if shares.is_empty() => 0.0,
        _ => f64::midpoint(middle(half - 1), middle(half)),
    };
    let mut reasons = BTreeMap::new();
    for facts in all {
        let reason = facts.reason.clone().unwrap_or_else(|| "none".to_owned());
        *reasons.entry(reason).or_insert(0) += 1;
    }
    Summary {
        count: all.len(),
        median_coverage_pct: (median * 10.0).round() / 10.0,
        grounding_evidence_missing_total: all.iter().filter(|facts| facts.evidence_missing).count(),
        reasons,
    }
}

//! What a tool call found, signed and cleaned.

use crate::clean::{self, text};
use crate::model::{Kind, Source, Text};
use std::fmt::Write;

/// Who made a call, and when.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'c> {
    /// The tool's name.
    pub tool: &'c str,
    /// The call's id.
    pub request: &'c str,
    /// When its result came, if the host says so.
    pub accessed: Option<&'c str>,
}

/// Signs every source that has no signature of its own and cleans it. What is blank then is gone.
pub fn sign<'s>(mut sources: Vec<Source<'s>>, by: Signature<'s>) -> Vec<Source<'s>> {
    let clean = |text: &'s str| text::line(text.into(), clean::TITLE_LIMIT);
    let (tool, request) = (clean(by.tool), clean(by.request));
    let accessed = by.accessed.map(clean);
    let mut signed = 0_usize;
    sources.retain_mut(|source| {
        source.finding.get_or_insert_default();
        clean::source(source);
        if source.is_blank() {
            return false;
        }
        let kind = kind_of(source);
        let finding = source.finding.get_or_insert_default();
        finding.kind.get_or_insert(kind);
        finding.accessed = finding.accessed.take().or_else(|| accessed.clone());
        let origin = &mut finding.origin;
        origin.id.get_or_insert_with(|| {
            let mut id = String::with_capacity(request.len() + 4);
            let _ = write!(id, "{request}-{signed}");
            Text::Owned(id)
        });
        origin.tool.get_or_insert_with(|| tool.clone());
        origin.request.get_or_insert_with(|| request.clone());
        signed += 1;
        true
    });
    sources
}

/// What a source most likely is when nobody says.
fn kind_of(source: &Source<'_>) -> Kind {
    match (&source.url, &source.uri) {
        (Some(_), _) => Kind::Web,
        (None, Some(_)) => Kind::File,
        (None, None) => Kind::Api,
    }
}

/// Cleans a source of a sub-agent and puts the agent's name on it, unless it came from one further
/// down.
pub(super) fn credit(source: &mut Source<'static>, agent: Option<&str>) {
    if let Some(agent) = agent {
        let own = &mut source.finding.get_or_insert_default().origin;
        let others = source.also.iter_mut().filter_map(|mention| mention.origin.as_deref_mut());
        for origin in others.chain([own]) {
            origin.agent.get_or_insert_with(|| Text::Owned(agent.to_owned()));
        }
    }
    clean::source(source);
}

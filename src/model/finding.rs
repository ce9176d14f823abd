//! What a tool call adds to a source it found.

use super::Text;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How a source was come by, and what is known of it beyond its name and address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding<'a> {
    /// What sort of thing it is.
    pub kind: Option<Kind>,
    /// Who found it.
    pub origin: Origin<'a>,
    /// The first words of it, as a preview. Nobody claims that the answer leans on just these.
    pub snippet: Option<Text<'a>>,
    /// Who wrote it.
    pub author: Option<Text<'a>>,
    /// When it was published, as the tool says it.
    pub published: Option<Text<'a>>,
    /// The address it was given under, before a redirect was resolved.
    pub raw_url: Option<Text<'a>>,
    /// When the tool saw it, as the host says it.
    pub accessed: Option<Text<'a>>,
    /// Page of a document, counted from 1.
    pub page: Option<u64>,
    /// Lines of a text file.
    pub lines: Option<Lines>,
    /// Whether the tool's own output shows it to the reader.
    pub inline: bool,
    /// What else the tool said of it: the text of a JSON object, at most [`METADATA_BYTES`] long.
    pub metadata: Option<String>,
}

/// The most that is kept of what no field of a source is for.
pub const METADATA_BYTES: usize = 2048;

/// Which call found a source. Names of the same source under other calls stay its aliases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin<'a> {
    /// Names the source: the call's id and the place in its result.
    pub id: Option<Text<'a>>,
    /// The tool that was called.
    pub tool: Option<Text<'a>>,
    /// The id of the call.
    pub request: Option<Text<'a>>,
    /// The sub-agent that made it.
    pub agent: Option<Text<'a>>,
}

impl Origin<'_> {
    /// Whether it says nothing.
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// The same, on its own feet.
    pub(super) fn into_owned(self) -> Origin<'static> {
        let Self { id, tool, request, agent } = self;
        Origin { id: own(id), tool: own(tool), request: own(request), agent: own(agent) }
    }
}

impl Finding<'_> {
    /// The same, on its own feet.
    pub(super) fn into_owned(self) -> Finding<'static> {
        Finding {
            kind: self.kind,
            origin: self.origin.into_owned(),
            snippet: own(self.snippet),
            author: own(self.author),
            published: own(self.published),
            raw_url: own(self.raw_url),
            accessed: own(self.accessed),
            page: self.page,
            lines: self.lines,
            inline: self.inline,
            metadata: self.metadata,
        }
    }
}

/// A text, on its own feet.
pub(super) fn own(text: Option<Text<'_>>) -> Option<Text<'static>> {
    text.map(|text| Cow::Owned(text.into_owned()))
}

/// Lines of a file, counted from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lines {
    /// First line.
    pub start: u64,
    /// Last line.
    pub end: u64,
}

/// What sort of thing a tool found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A page of the web.
    Web,
    /// A file or a passage of one.
    File,
    /// The answer of a web service.
    Api,
    /// A record of a database.
    Database,
    /// Something remembered.
    Memory,
    /// A skill.
    Skill,
    /// What an MCP server gave.
    Mcp,
}

impl Kind {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Web, "web"),
        (Self::File, "file"),
        (Self::Api, "api"),
        (Self::Database, "database"),
        (Self::Memory, "memory"),
        (Self::Skill, "skill"),
        (Self::Mcp, "mcp"),
    ];

    /// As JavaScript spells it.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

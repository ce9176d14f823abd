//! What tools bring home, read into sources.
//!
//! In: the name of a tool, its arguments and its result in whatever wrapping a host keeps it. Out:
//! the sources it names, in their order. Promise: what the tool's own format says is a source; words
//! on a page it found are not, and neither are errors, empty results and notices of limits.
//!
//! A new tool is a row of [`TOOLS`], and a file only if no reader fits.

mod carrier;
mod embedded;
mod fetched;
mod files;
mod findings;
mod listed;
mod notice;
mod records;
mod results;
mod scan;

use super::Key;
use super::json::Json;
use super::value::Value;
use crate::model::{Kind, Source, Text};
use carrier::Piece;
use findings::Findings;
pub(super) use findings::rest;
use notice::Voice;

/// A tool whose results are understood.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// What its reader is called in the list of defaults.
    pub name: &'static str,
    /// Its names; a host may know it under several.
    names: Names,
    /// What it finds.
    pub kind: Kind,
    reader: Reader,
}

#[derive(Clone, Copy, Debug)]
enum Names {
    These(&'static [&'static str]),
    /// `mcp.<server>__<tool>` and `mcp__<server>__<tool>`.
    Mcp,
    /// Tools nobody has introduced.
    Any,
}

/// How a result is read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reader {
    Results,
    Page,
    Passages,
    Request,
    Mcp,
    Records,
    Fetched,
    Search,
    File,
    Files,
    Matches,
    Nodes,
    GitHub,
    Scan,
}

impl Reader {
    /// Whose words the text is.
    fn voice(self) -> Voice {
        match self {
            Self::File | Self::Files => Voice::File,
            Self::Fetched | Self::Page | Self::Request => Voice::Page,
            _ => Voice::Tool,
        }
    }
}

const fn row(
    name: &'static str,
    names: &'static [&'static str],
    kind: Kind,
    reader: Reader,
) -> Tool {
    Tool { name, names: Names::These(names), kind, reader }
}

/// The tools that are known, in the order they are tried.
pub const TOOLS: &[Tool] = &[
    row("webSearchExtractor", &["web_search"], Kind::Web, Reader::Results),
    row("webScrapeExtractor", &["web_scrape"], Kind::Web, Reader::Page),
    row("ragQueryExtractor", &["query_rag_project"], Kind::File, Reader::Passages),
    row("wikipediaSearchExtractor", &["wikipedia_search"], Kind::Web, Reader::Results),
    row("httpClientExtractor", &["http_client"], Kind::Api, Reader::Request),
    Tool { name: "mcpToolExtractor", names: Names::Mcp, kind: Kind::Mcp, reader: Reader::Mcp },
    row(
        "exaExtractor",
        &["exa_web_search", "codesearch", "code_search"],
        Kind::Web,
        Reader::Records,
    ),
    row(
        "webFetchExtractor",
        &["direct_web_fetch", "google_web_fetch", "web_fetch"],
        Kind::Web,
        Reader::Fetched,
    ),
    row("googleWebSearchExtractor", &["google_web_search"], Kind::Web, Reader::Search),
    row("readFileExtractor", &["read_file"], Kind::File, Reader::File),
    row("readManyFilesExtractor", &["read_many_files"], Kind::File, Reader::Files),
    row(
        "searchFileContentExtractor",
        &["search_file_content", "ripgrep"],
        Kind::File,
        Reader::Matches,
    ),
    row("astGrepExtractor", &["ast_grep"], Kind::File, Reader::Nodes),
    row("githubExtractor", &["github"], Kind::Web, Reader::GitHub),
];

/// Reads any tool by the addresses in its result. Only for hosts that ask for it.
pub const SCAN: Tool =
    Tool { name: "genericExtractor", names: Names::Any, kind: Kind::Web, reader: Reader::Scan };

impl Tool {
    /// The tool of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.is_named(name))
    }

    fn is_named(&self, name: &str) -> bool {
        match self.names {
            Names::These(names) => names.contains(&name),
            Names::Mcp => {
                let rest = name.strip_prefix("mcp.").or_else(|| name.strip_prefix("mcp__"));
                let parts = rest.and_then(|rest| rest.split_once("__"));
                parts.is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty())
            }
            Names::Any => true,
        }
    }

    /// The same rule as a regular expression.
    pub fn pattern(&self) -> String {
        match self.names {
            Names::These([name]) => format!("^{name}$"),
            Names::These(names) => format!("^(?:{})$", names.join("|")),
            Names::Mcp => r"^mcp(?:\.|__).+?__.+$".to_owned(),
            Names::Any => "^".to_owned(),
        }
    }

    /// The sources that a result names.
    pub fn read<'v, V: Value<'v>>(&self, args: Option<V>, output: V) -> Vec<Source<'static>> {
        let mut reading: Reading<'static> = self.reading(args);
        reading.output(output, 0);
        reading.found.finish(self.reader == Reader::Search)
    }

    /// The same for a result that is text and nothing else.
    pub fn read_text<'t, 'v, V: Value<'v>>(
        &self,
        args: Option<V>,
        text: &'t str,
    ) -> Vec<Source<'t>> {
        let mut reading = self.reading(args);
        reading.in_parts = self.reader == Reader::Files && text.trim() == files::END;
        reading.text(text, 0);
        reading.found.finish(self.reader == Reader::Search)
    }

    fn reading<'t, 'v, V: Value<'v>>(&self, args: Option<V>) -> Reading<'t> {
        Reading {
            reader: self.reader,
            args: args.map(Args::of).unwrap_or_default(),
            in_parts: false,
            found: Findings::new(self.kind),
        }
    }
}

/// What the wrapping of a result says about the call, for hosts that hand over nothing else: the name
/// of the tool and the id of the call.
pub fn introduce<'v, V: Value<'v>>(output: V) -> (Option<String>, Option<String>) {
    carrier::introduce(output)
}

/// Whether a value is the wrapping of a result, and not just any object.
pub fn is_wrapped<'v, V: Value<'v>>(value: V) -> bool {
    carrier::is_wrapped(value)
}

/// What readers want to know of a call's arguments.
#[derive(Debug, Default)]
struct Args {
    url: Option<String>,
    prompt: Option<String>,
    path: Option<String>,
    offset: Option<u64>,
    limit: Option<u64>,
    count: Option<u64>,
}

impl Args {
    fn of<'v, V: Value<'v>>(args: V) -> Self {
        // Some hosts keep them as the JSON the model wrote.
        if let Some(text) = args.text() {
            let json = Json::whole(&text);
            return json.root().map(Args::of_object).unwrap_or_default();
        }
        Self::of_object(args)
    }

    fn of_object<'v, V: Value<'v>>(args: V) -> Self {
        let text = |key: Key| args.text_at(key).map(Text::into_owned);
        Self {
            url: text(Key::Url).or_else(|| text(Key::Uri)),
            prompt: text(Key::Prompt),
            path: text(Key::File),
            offset: args.whole_at(Key::Offset),
            limit: args.whole_at(Key::Limit),
            count: args.whole_at(Key::NumResults),
        }
    }
}

/// One result being read.
struct Reading<'t> {
    reader: Reader,
    args: Args,
    /// Whether each file has a part of its own.
    in_parts: bool,
    found: Findings<'t>,
}

/// How often JSON may be wrapped in JSON.
const DEEPEST: usize = 4;

impl<'t> Reading<'t> {
    /// Looks a result over and, unless it failed, reads it.
    fn output<'v, V: Value<'v>>(&mut self, output: V, depth: usize) {
        let mut listed = false;
        let mut files = 0;
        let failed = carrier::open(output, &mut |piece| match piece {
            Piece::Listed(_) => listed = true,
            Piece::Text(text, _) if self.reader == Reader::Files => {
                let text = text.text().unwrap_or_default();
                // The line that ends the list of files is a part of its own where each file is.
                let ends = text.trim() == files::END;
                files = if ends { 2 } else { files + usize::from(text.starts_with("--- ")) };
            }
            Piece::Text(..) | Piece::Data(_) => {}
        });
        if failed {
            return;
        }
        self.in_parts = files > 1;
        carrier::open(output, &mut |piece| match piece {
            Piece::Listed(sources) => listed::read_field(sources, &mut self.found),
            Piece::Text(text, part) => {
                let text = text.text().unwrap_or_default();
                match part.filter(|_| text.is_empty()) {
                    Some(part) if carrier::is_media(part) => {}
                    Some(part) => self.data(part),
                    // The tool has said it in a better way.
                    None if listed && self.reader == Reader::Search => {}
                    None => self.passing(|reading| reading.text(&text, depth)),
                }
            }
            Piece::Data(value) => self.data(value),
        });
    }

    /// Lets `read` look at a text that is gone afterwards.
    fn passing<'x>(&mut self, read: impl FnOnce(&mut Reading<'x>)) {
        let mut inner = Reading {
            reader: self.reader,
            args: std::mem::take(&mut self.args),
            in_parts: self.in_parts,
            found: self.found.behind(),
        };
        read(&mut inner);
        self.args = inner.args;
        self.found.rejoin(inner.found);
    }

    fn text(&mut self, text: &'t str, depth: usize) {
        if notice::is_no_result(text, self.reader.voice()) {
            return;
        }
        match notice::unlimited(text) {
            None => {}
            Some(Text::Borrowed(text)) => self.result(text, depth),
            Some(Text::Owned(text)) => self.passing(|reading| reading.result(&text, depth)),
        }
    }

    fn result(&mut self, text: &'t str, depth: usize) {
        if depth < DEEPEST
            && let Some(json) = embedded::json(text, self.reader)
            && let Some(root) = json.root()
        {
            return self.output(root, depth + 1);
        }
        let Self { reader, args, in_parts, found } = self;
        match reader {
            Reader::Records => match records::lines(text) {
                Text::Borrowed(text) => records::read(text, args.count, found),
                Text::Owned(text) => self.passing(|reading| {
                    records::read(&text, reading.args.count, &mut reading.found);
                }),
            },
            Reader::Search => drop(listed::read_text(text, found)),
            Reader::Fetched => fetched::read(text, args, found),
            Reader::Page | Reader::Request => fetched::read_page(text, args, found),
            Reader::File => files::read_file(text, args, found),
            Reader::Files => files::read_files(text, *in_parts, found),
            Reader::Matches => files::read_matches(text, found),
            Reader::Nodes => files::read_nodes(text, found),
            Reader::Mcp => scan::read_links(text, found),
            Reader::Scan => scan::read_text(text, found),
            Reader::Results | Reader::Passages | Reader::GitHub => {}
        }
    }

    fn data<'v, V: Value<'v>>(&mut self, value: V) {
        let Self { reader, args, found, .. } = self;
        let mut is_empty = !value.is_array();
        value.fields(|_, _| is_empty = false);
        if is_empty {
            return;
        }
        match reader {
            Reader::Results | Reader::Records | Reader::Search => results::read(value, found),
            Reader::Page | Reader::Fetched => results::read_page(value, args, found),
            Reader::Passages => results::read_passages(value, found),
            Reader::Request => results::read_response(value, args, found),
            Reader::Mcp | Reader::Scan => scan::read(value, found),
            Reader::GitHub => scan::read_github(value, found),
            Reader::File | Reader::Files | Reader::Matches | Reader::Nodes => {
                files::read_data(value, args, found);
            }
        }
    }
}

//! Our own options, read strictly: misuse is a `TypeError` that names the option and the value.

use super::carry::{CHOICES, FALSE, Known, MISSING, THERE, TRUE, Takes, carry_ahead, known_word};
use super::given::open;
use super::names::Name;
use super::node_api::{Handle, Passed, Scope};
use super::terminal;
use crate::clean;
use crate::input::Shape;
use crate::input::plan::Plan;
use crate::model::Source;
use crate::render::{Links, Options, Terminator};
use crate::settings::matches_glob;
use crate::turn::Turn;

/// What a service was made with.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each switch a host may set")]
pub(super) struct Config {
    pub(super) documents: bool,
    pub(super) enabled: bool,
    pub(super) format: &'static str,
    pub(super) expand_sources: bool,
    pub(super) max_displayed: Option<usize>,
    /// `None`: all of them.
    pub(super) enabled_tools: Option<Vec<String>>,
    pub(super) tooltips: bool,
    pub(super) scan_unknown: bool,
    pub(super) show_inline: bool,
    pub(super) group_by_document: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            documents: false,
            enabled: true,
            format: "brackets",
            expand_sources: false,
            max_displayed: None,
            enabled_tools: None,
            tooltips: true,
            scan_unknown: false,
            show_inline: false,
            group_by_document: false,
        }
    }
}

impl Config {
    /// Whether results of this tool are read.
    pub(super) fn reads(&self, tool: &str) -> bool {
        let globs = self.enabled_tools.as_ref();
        globs.is_none_or(|globs| globs.iter().any(|glob| matches_glob(glob, tool)))
    }
}

/// An options argument, or nothing.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'s> {
    scope: &'s Scope<'s>,
    object: Option<Handle<'s>>,
    /// What is known of [`CHOICES`].
    known: Known,
}

impl<'s> Chosen<'s> {
    /// Options must be an object or absent.
    pub(super) fn from(scope: &'s Scope<'s>, options: Handle<'s>) -> napi::Result<Self> {
        if options.is_nothing() {
            return Ok(Self { scope, object: None, known: Known::NONE });
        }
        if !options.is_object() {
            let message = format!("options must be an object, got {}", shown(options));
            return Err(scope.type_error(&message));
        }
        Ok(Self { scope, object: Some(options), known: Known::ANY })
    }

    /// The same for the options of a block: what they say is found out in one go.
    pub(super) fn of_block(scope: &'s Scope<'s>, options: Handle<'s>) -> napi::Result<Self> {
        let chosen = Self::from(scope, options)?;
        let known = chosen.object.and_then(|object| scope.choices(object));
        Ok(Self { known: known.unwrap_or(chosen.known), ..chosen })
    }

    /// The same beside what they are for, which is likely to be as this plan says: both cross together.
    pub(super) fn beside(
        scope: &'s Scope<'s>,
        options: Handle<'s>,
        input: Handle<'s>,
        plan: Plan,
    ) -> napi::Result<Self> {
        let chosen = Self::from(scope, options)?;
        let Some(object) = chosen.object else { return Ok(chosen) };
        let ahead = carry_ahead(input, plan, object);
        let known = ahead.or_else(|| scope.choices(object));
        Ok(Self { known: known.unwrap_or(chosen.known), ..chosen })
    }

    /// The same where a front has found out before the call what they say.
    pub(super) fn before(scope: &'s Scope<'s>, options: Passed) -> napi::Result<Self> {
        match scope.known_before() {
            Some(Known::NONE) => Ok(Self { scope, object: None, known: Known::NONE }),
            Some(known) => Ok(Self { scope, object: Some(scope.take_object(options)), known }),
            None => Self::from(scope, scope.take(options)),
        }
    }

    /// What is known of an option without asking for it, and what it takes.
    #[inline]
    fn known(self, name: Name) -> (u64, Takes) {
        const PLACES: [usize; Name::COUNT] = {
            let (mut places, mut place) = ([usize::MAX; Name::COUNT], 0);
            while place < CHOICES.len() {
                #[expect(
                    clippy::indexing_slicing,
                    reason = "constant evaluation checks the bounds"
                )]
                {
                    places[CHOICES[place].0 as usize] = place;
                }
                place += 1;
            }
            places
        };
        let place = PLACES.get(name as usize).copied().unwrap_or(usize::MAX);
        CHOICES
            .get(place)
            .map_or((THERE, Takes::Other), |(_, takes)| (self.known.of(place), *takes))
    }

    pub(super) fn get(self, name: Name) -> Option<Handle<'s>> {
        match self.known(name).0 {
            MISSING => None,
            _ => self.object?.property(name.place()),
        }
    }

    pub(super) fn misuse(self, name: Name, wanted: &str, value: Handle<'_>) -> napi::Error {
        let (name, value) = (name.text(), shown(value));
        self.scope.type_error(&format!("options.{name} must be {wanted}, got {value}"))
    }

    /// Whether an option is known to be left out, as most are in most calls.
    #[inline]
    fn lacks(self, name: Name) -> bool {
        self.known(name).0 == MISSING
    }

    /// A boolean option.
    #[inline]
    pub(super) fn flag(self, name: Name, default: bool) -> napi::Result<bool> {
        match self.known(name) {
            (MISSING, _) => Ok(default),
            (FALSE, Takes::Flag) => Ok(false),
            (TRUE, Takes::Flag) => Ok(true),
            _ => self.given_flag(name, default),
        }
    }

    fn given_flag(self, name: Name, default: bool) -> napi::Result<bool> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => value.as_flag().ok_or_else(|| self.misuse(name, "true or false", value)),
        }
    }

    /// One of several words.
    pub(super) fn word<T: Copy>(
        self,
        name: Name,
        words: &[(&str, T)],
        default: T,
    ) -> napi::Result<T> {
        let find =
            |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, meant)| *meant);
        let (known, taken) = self.known(name);
        if let Some(meant) = known_word(known, taken).and_then(find) {
            return Ok(meant);
        }
        let Some(value) = self.get(name) else { return Ok(default) };
        value.with_text(find).flatten().ok_or_else(|| {
            let wanted: Vec<_> = words.iter().map(|(word, _)| format!("'{word}'")).collect();
            self.misuse(name, &format!("one of {}", wanted.join(", ")), value)
        })
    }

    /// A count. `least` and up; `Infinity` means no limit.
    #[inline]
    pub(super) fn count(self, name: Name, least: f64) -> napi::Result<Option<usize>> {
        if self.lacks(name) { Ok(None) } else { self.given_count(name, least) }
    }

    fn given_count(self, name: Name, least: f64) -> napi::Result<Option<usize>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_number().filter(|number| {
            *number >= least && number.fract().abs() < 1e-9 || number.is_infinite() && *number > 0.0
        });
        let Some(number) = number else {
            return Err(self.misuse(name, &format!("a whole number from {least}"), value));
        };
        let whole = crate::input::value::whole(number);
        Ok(Some(whole.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)))
    }

    /// Any string.
    pub(super) fn string(self, name: Name) -> napi::Result<Option<String>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.text().map(Some).ok_or_else(|| self.misuse(name, "a string", value))
    }

    /// A number between two others.
    pub(super) fn number(self, name: Name, least: f64, most: f64) -> napi::Result<Option<f64>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_number().filter(|number| (least..=most).contains(number));
        let wanted = || format!("a number from {least} to {most}");
        number.map(Some).ok_or_else(|| self.misuse(name, &wanted(), value))
    }

    /// A list of strings.
    pub(super) fn words(self, name: Name) -> napi::Result<Option<Vec<String>>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let mut words = Vec::new();
        let mut odd = None;
        value.each(|_, item| match item.text() {
            Some(word) => words.push(word),
            // Shown at once: what `each` lends must not be kept.
            None => odd = odd.take().or_else(|| Some(shown(item))),
        });
        let length = value.length();
        if odd.is_none() && length == Some(words.len()) {
            return Ok(Some(words));
        }
        let hole = || length.map(|_| "null in it".to_owned());
        let got = odd.or_else(hole).unwrap_or_else(|| shown(value));
        let name = name.text();
        Err(self.scope.type_error(&format!("options.{name} must be a list of strings, got {got}")))
    }

    /// What a service is made with.
    pub(super) fn config(self) -> napi::Result<Config> {
        const FORMATS: [(&str, &str); 3] = [
            ("brackets", "brackets"),
            ("superscript", "superscript"),
            ("inline-links", "inline-links"),
        ];
        let usual = Config::default();
        Ok(Config {
            documents: self.flag(Name::Documents, usual.documents)?,
            enabled: self.flag(Name::Enabled, usual.enabled)?,
            format: self.word(Name::Format, &FORMATS, usual.format)?,
            expand_sources: self.flag(Name::ExpandSourcesByDefault, usual.expand_sources)?,
            max_displayed: self.count(Name::MaxSourcesDisplayed, 0.0)?,
            enabled_tools: self.words(Name::EnabledTools)?,
            tooltips: self.flag(Name::EnableTooltips, usual.tooltips)?,
            scan_unknown: self.flag(Name::ScanUnknownTools, usual.scan_unknown)?,
            show_inline: self.flag(Name::ShowInlineSources, usual.show_inline)?,
            group_by_document: self.flag(Name::GroupByDocument, usual.group_by_document)?,
        })
    }

    /// How the block is written.
    pub(super) fn rendering(self) -> napi::Result<Options> {
        const LINKS: [(&str, Option<Links>); 4] = [
            ("auto", None),
            ("osc8", Some(Links::Osc8)),
            ("markdown", Some(Links::Markdown)),
            ("plain", Some(Links::Plain)),
        ];
        const TERMINATORS: [(&str, Terminator); 2] =
            [("bel", Terminator::Bel), ("st", Terminator::St)];
        let usual = Options::default();
        if self.object.is_none() {
            return Ok(Options { links: self.fitting_links(None), ..usual });
        }
        let terminal = self.terminal()?;
        let links = match self.word(Name::Links, &LINKS, None)? {
            Some(links) => links,
            None => self.fitting_links(terminal),
        };
        Ok(Options {
            links,
            terminator: self.word(Name::Terminator, &TERMINATORS, usual.terminator)?,
            // Some pseudo terminals say they have no columns.
            width: self.count(Name::Width, 0.0)?.filter(|width| *width > 0),
            max_sources: self.count(Name::MaxSources, 0.0)?,
            show_excerpts: self.flag(Name::ShowExcerpts, usual.show_excerpts)?,
        })
    }

    /// Terminal links where the terminal has them: the one handed in, or the process's own.
    fn fitting_links(self, described: Option<Handle<'_>>) -> Links {
        let works = match described {
            Some(described) => terminal::detect_in(described).supported,
            None => self.scope.links_work(|| {
                terminal::of_process(self.scope).is_some_and(|support| support.supported)
            }),
        };
        if works { Links::Osc8 } else { Links::Plain }
    }

    /// A terminal described by the caller.
    fn terminal(self) -> napi::Result<Option<Handle<'s>>> {
        match self.get(Name::Terminal) {
            Some(other) if !other.is_object() => {
                Err(self.misuse(Name::Terminal, "an object with env, isTTY and platform", other))
            }
            described => Ok(described),
        }
    }

    /// What the caller has shown already.
    pub(super) fn already_shown(self) -> Vec<Source<'static>> {
        self.get(Name::AlreadyShown).map(shown_sources).unwrap_or_default()
    }
}

/// Sources named by addresses, sources, tool results with `sources`, or a list of any of these.
pub(super) fn shown_sources(value: Handle<'_>) -> Vec<Source<'static>> {
    let mut turn = Turn::for_sources();
    let mut urls = Vec::new();
    let mut add = |item: Handle<'_>| match item.text() {
        Some(url) => urls.push(Source { url: Some(url.into()), ..Source::default() }),
        None => drop(open(item, |given| turn.push_shape(given, Shape::Payload))),
    };
    if value.each(|_, item| add(item)).is_none() {
        add(value);
    }
    urls.iter_mut().for_each(clean::source);
    urls.extend(turn.into_sources());
    urls
}

/// A value as a message shows it.
pub(super) fn shown(value: Handle<'_>) -> String {
    if let Some(text) = value.text().map(|text| clean::text::line(text.into(), 60).into_owned()) {
        return format!("'{text}'");
    }
    if let Some(number) = value.as_number() {
        // As JavaScript writes them.
        return number.to_string().replace("inf", "Infinity");
    }
    if let Some(flag) = value.as_flag() {
        return flag.to_string();
    }
    value.type_name().to_owned()
}

//! Property names the face itself reads from options and writes to results.
//!
//! Together with the spellings of [`Key`] they are the names an environment keeps ready.

use crate::input::Key;
use crate::input::key::SPELLINGS;

macro_rules! names {
    ($($name:ident $text:literal;)*) => {
        /// A property of our own options, results and hosts' settings objects.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Name { $(#[doc = concat!("`", $text, "`")] $name),* }

        const NAMES: &[&str] = &[$($text),*];
    };
}

names! {
    AllowedModels "allowedModels";
    AllowedVendors "allowedVendors";
    AlreadyShown "alreadyShown";
    CacheControl "cacheControl";
    CacheControlWire "cache_control";
    Citations "citations";
    Code "code";
    Color "color";
    Context "context";
    Count "count";
    Css "css";
    Dangling "dangling";
    Detail "detail";
    Diagnostics "diagnostics";
    Dialect "dialect";
    Documents "documents";
    EnableTooltips "enableTooltips";
    Enabled "enabled";
    EnabledTools "enabledTools";
    Env "env";
    Ephemeral "ephemeral";
    Error "error";
    ExpandSourcesByDefault "expandSourcesByDefault";
    Extract "extract";
    Extractors "extractors";
    FileIdWire "file_id";
    Format "format";
    Get "get";
    GetEphemeralSetting "getEphemeralSetting";
    GetSettingsService "getSettingsService";
    GroupByDocument "groupByDocument";
    IdPrefix "idPrefix";
    Ids "ids";
    IsTty "isTTY";
    Keys "keys";
    Length "length";
    Links "links";
    MaxSources "maxSources";
    MaxSourcesDisplayed "maxSourcesDisplayed";
    MediaType "media_type";
    Merged "merged";
    Message "message";
    MinAnnotations "minAnnotations";
    MinCoveragePct "minCoveragePct";
    Mode "mode";
    Model "model";
    Names "names";
    Number "number";
    NotShown "notShown";
    Numbers "numbers";
    OpenWebui "openWebui";
    Path "path";
    Pattern "pattern";
    Platform "platform";
    Process "process";
    Reason "reason";
    References "references";
    Remedy "remedy";
    Renumber "renumber";
    Request "request";
    ScanUnknownTools "scanUnknownTools";
    Score "score";
    Script "script";
    Service "service";
    Settings "settings";
    ShowCitations "showCitations";
    ShowExcerpts "showExcerpts";
    ShowInlineSources "showInlineSources";
    SourceIds "sourceIds";
    Spaced "spaced";
    Stdout "stdout";
    Style "style";
    Supported "supported";
    Terminal "terminal";
    Terminator "terminator";
    Title "title";
    Ttl "ttl";
    Ui "ui";
    UiShowCitations "ui.showCitations";
    Unresolved "unresolved";
    Value "value";
    Vendor "vendor";
    Verdict "verdict";
    Width "width";
}

/// Where the spellings of each key start in the table, and where our own names do.
const STARTS: [usize; SPELLINGS.len() + 1] = {
    let mut starts = [0; SPELLINGS.len() + 1];
    let mut key = 0;
    while key < SPELLINGS.len() {
        #[expect(clippy::indexing_slicing, reason = "constant evaluation checks the bounds")]
        {
            starts[key + 1] = starts[key] + SPELLINGS[key].len();
        }
        key += 1;
    }
    starts
};

#[expect(clippy::indexing_slicing, reason = "constant evaluation checks the bounds")]
const OWN: usize = STARTS[SPELLINGS.len()];

/// Every name, in the order of the table.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    SPELLINGS.iter().flat_map(|spellings| spellings.iter()).chain(NAMES).copied()
}

/// The places of a key's spellings, the commonest first.
pub(super) fn spellings(key: Key) -> std::ops::Range<usize> {
    let at = |index: usize| STARTS.get(index).copied().unwrap_or(OWN);
    at(key as usize)..at(key as usize + 1)
}

/// The place of a key's camelCase spelling, which is how results are written.
pub(super) fn camel(key: Key) -> usize {
    const CAMEL: [usize; SPELLINGS.len()] = {
        let mut camel = [0; SPELLINGS.len()];
        let mut key = 0;
        while key < SPELLINGS.len() {
            #[expect(clippy::indexing_slicing, reason = "constant evaluation checks the bounds")]
            {
                let second = SPELLINGS[key].len() > 1 && has_underscore(SPELLINGS[key][0]);
                camel[key] = STARTS[key] + second as usize;
            }
            key += 1;
        }
        camel
    };
    CAMEL.get(key as usize).copied().unwrap_or_default()
}

const fn has_underscore(name: &str) -> bool {
    let mut rest = name.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'_' {
            return true;
        }
        rest = tail;
    }
    false
}

impl Name {
    /// How many there are.
    pub(super) const COUNT: usize = NAMES.len();

    /// Its place in the table.
    pub(super) fn place(self) -> usize {
        OWN + self as usize
    }

    /// As JavaScript spells it.
    pub(super) fn text(self) -> &'static str {
        NAMES.get(self as usize).copied().unwrap_or_default()
    }
}

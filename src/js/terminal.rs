//! The terminal as JavaScript describes it, or as the process has it.

use super::names::Name;
use super::node_api::{Handle, Scope};
use crate::render::{Support, Terminal, detect};

struct Described<'s> {
    env: Option<Handle<'s>>,
    is_tty: bool,
    platform: Option<Handle<'s>>,
}

impl Terminal for Described<'_> {
    fn var(&self, name: &str) -> Option<String> {
        let value = self.env?.property_named(name)?;
        value.with_text(str::to_owned).filter(|value| !value.is_empty())
    }

    fn is_tty(&self) -> bool {
        self.is_tty
    }

    fn is_windows(&self) -> bool {
        self.platform.and_then(|name| name.with_text(|name| name == "win32")).unwrap_or(false)
    }
}

/// Detects from `{ env, isTTY, platform }`.
pub(super) fn detect_in(described: Handle<'_>) -> Support {
    detect(&Described {
        env: described.property(Name::Env.place()),
        is_tty: described.property(Name::IsTty.place()).and_then(Handle::as_flag).unwrap_or(false),
        platform: described.property(Name::Platform.place()),
    })
}

/// Detects from the running process and its standard output.
pub(super) fn of_process(scope: &Scope<'_>) -> Option<Support> {
    let process = scope.global()?.property(Name::Process.place())?;
    let stdout = process.property(Name::Stdout.place());
    let is_tty = stdout.and_then(|stdout| stdout.property(Name::IsTty.place()));
    Some(detect(&Described {
        env: process.property(Name::Env.place()),
        is_tty: is_tty.and_then(Handle::as_flag).unwrap_or(false),
        platform: process.property(Name::Platform.place()),
    }))
}

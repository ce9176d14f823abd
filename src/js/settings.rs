//! The host's settings objects, asked as the host asks them: methods with their own `this`, getters
//! on live objects, each step allowed to be missing or to throw.

use super::names::Name;
use super::node_api::Handle;
use crate::settings::{Setting, ephemeral, persistent};

/// LLxprt's resolution order: session, stored, merged settings, no.
pub(super) fn enabled(config: Handle<'_>, settings: Handle<'_>) -> bool {
    by_session(config)
        .or_else(|| by_service(config))
        .or_else(|| by_merged(settings))
        .unwrap_or(false)
}

/// `config.getEphemeralSetting('citations')`; LLxprt 0.11's runtime has it under `ephemeral`.
fn by_session(config: Handle<'_>) -> Option<bool> {
    let ask = |holder: Handle<'_>| {
        let value = if holder.is_object() { holder.scope.ask(holder) } else { None };
        let value = value
            .or_else(|| holder.call(Name::GetEphemeralSetting.place(), Some(Name::Citations)))?;
        ephemeral(&setting(value))
    };
    ask(config).or_else(|| ask(config.property(Name::Ephemeral.place())?))
}

/// `config.getSettingsService().get('ui.showCitations')`; in 0.11's runtime under `settings`.
fn by_service(config: Handle<'_>) -> Option<bool> {
    let ask = |holder: Handle<'_>| {
        let service = holder.call(Name::GetSettingsService.place(), None)?;
        persistent(&setting(service.call(Name::Get.place(), Some(Name::UiShowCitations))?))
    };
    ask(config).or_else(|| ask(config.property(Name::Settings.place())?))
}

/// `settings.merged.ui.showCitations`, where `merged` is a getter of the class.
fn by_merged(settings: Handle<'_>) -> Option<bool> {
    let ui = settings.property(Name::Merged.place())?.property(Name::Ui.place())?;
    persistent(&setting(ui.property(Name::ShowCitations.place())?))
}

/// What a JavaScript value says as a setting.
pub(super) fn setting(value: Handle<'_>) -> Setting {
    match (value.as_flag(), value.text()) {
        (Some(flag), _) => Setting::Flag(flag),
        (None, Some(word)) => Setting::Word(word),
        (None, None) => Setting::Other,
    }
}

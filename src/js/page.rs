//! An answer with its sources, as a piece of a page and as Markdown.

use super::names::Name;
use super::node_api::{Passed, Scope};
use super::options::{Chosen, Config};
use super::turn::word;
use super::write::Object;
use super::{give, read_payload};
use crate::clean;
use crate::render::page::{self, Marks, PageOptions, SCRIPT, STYLE};
use crate::render::{self, Leaning, Style};
use napi::Env;
use napi_derive::napi;

/// How a page is written, where the caller does not choose as the service was told.
pub(super) fn page_options(chosen: Chosen<'_>, config: &Config) -> napi::Result<PageOptions> {
    const MARKS: [(&str, Marks); 3] = [
        ("brackets", Marks::Brackets),
        ("superscript", Marks::Superscript),
        ("inline-links", Marks::InlineLinks),
    ];
    let usual = MARKS.iter().find(|(name, _)| *name == config.format);
    let usual = usual.map_or(Marks::Brackets, |(_, marks)| *marks);
    Ok(PageOptions {
        prefix: prefix(chosen)?,
        marks: chosen.word(Name::Format, &MARKS, usual)?,
        tooltips: chosen.flag(Name::EnableTooltips, config.tooltips)?,
        open: chosen.flag(Name::ExpandSourcesByDefault, config.expand_sources)?,
        most: chosen.count(Name::MaxSourcesDisplayed, 0.0)?.or(config.max_displayed),
    })
}

/// What ids start with: a name that needs no escaping, neither in HTML nor in a selector.
fn prefix(chosen: Chosen<'_>) -> napi::Result<String> {
    let Some(value) = chosen.get(Name::IdPrefix) else { return Ok(PageOptions::default().prefix) };
    let plain = |text: &String| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.len() <= 64
            && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '-' || one == '_')
    };
    let wanted = "a letter and up to 63 letters, digits, '-' or '_'";
    value.text().filter(plain).ok_or_else(|| chosen.misuse(Name::IdPrefix, wanted, value))
}

/// An answer in Markdown as a piece of a page: markers become links to a panel of sources below it.
///
/// CommonMark with tables; HTML in the answer is shown as text, pictures become links, and links lead to http
/// or https or nowhere. An answer without markers gets them from the spans of the payload. It works without
/// any script; `citationAssets` gives the style, and the script for tooltips and dialogs. Answers on the
/// same page need an `idPrefix` each.
///
/// @throws `TypeError` when `markdown` is no string, or an option has a value it cannot have.
///
/// @example
/// ```ts
/// const payload = turn.finish()
/// message.innerHTML = renderAnswerHtml(payload.answer, payload, { idPrefix: `m${message.id}` })
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "markdown: string, payload: CitationPayload | TurnPayload | StoredCitationData | string | Uint8Array, options?: AnswerHtmlOptions",
    ts_return_type = "string"
)]
pub fn render_answer_html(
    env: &Env,
    markdown: Passed,
    payload: Passed,
    options: Passed,
) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let chosen = Chosen::from(&scope, scope.take(options))?;
    let options = page_options(chosen, &Config::default())?;
    let inline = chosen.flag(Name::ShowInlineSources, false)?;
    let text = word(&scope, "markdown", scope.take(markdown))?;
    let payload = read_payload(scope.take(payload), page::EXCERPT_LIMIT);
    let html = page::page(&text, Leaning::of(&payload, inline), &options);
    Ok(give(&scope, scope.string(&html)))
}

/// The style and the script that go with `renderAnswerHtml`. Include each once; the script also serves
/// answers that are added later. Neither needs `unsafe-inline` when served as a file, and no handler is
/// written into the HTML.
///
/// @example
/// ```ts
/// const { css, script } = citationAssets()
/// app.get('/cite.css', (_, reply) => reply.type('text/css').send(css))
/// app.get('/cite.js', (_, reply) => reply.type('text/javascript').send(script))
/// ```
#[napi(catch_unwind, ts_return_type = "CitationAssets")]
pub fn citation_assets(env: &Env) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let mut object = Object::new(&scope);
    object.set(Name::Css.place(), scope.string(STYLE));
    object.set(Name::Script.place(), scope.string(SCRIPT));
    Ok(give(&scope, object.finish()))
}

/// An answer with its sources as Markdown for other programs: footnotes, links in the text, or a numbered
/// list below it. Titles are escaped and addresses encoded, so that neither can end its link.
///
/// Control characters, bidirectional and invisible ones are gone from the answer too, as they are from a page;
/// tabs stay, and line breaks, each as a line feed.
///
/// What a style has no place for is listed below the text: with `footnotes` sources nobody points at, with
/// `links` also those that have no address. An answer with footnotes of its own gets a list.
///
/// @throws `TypeError` when `markdown` is no string, or an option has a value it cannot have.
///
/// @example
/// ```ts
/// renderAnswerMarkdown('Rust is old [1].', payload, { style: 'footnotes' })
/// // Rust is old [^1].
/// //
/// // [^1]: [History of Rust](https://en.example/rust)
/// //
/// ```
#[napi(
    catch_unwind,
    ts_args_type = "markdown: string, payload: CitationPayload | TurnPayload | StoredCitationData | string | Uint8Array, options?: AnswerMarkdownOptions",
    ts_return_type = "string"
)]
pub fn render_answer_markdown(
    env: &Env,
    markdown: Passed,
    payload: Passed,
    options: Passed,
) -> napi::Result<Passed> {
    const STYLES: [(&str, Style); 3] =
        [("footnotes", Style::Footnotes), ("links", Style::Links), ("list", Style::List)];
    let scope = Scope::enter(env)?;
    let chosen = Chosen::from(&scope, scope.take(options))?;
    let style = chosen.word(Name::Style, &STYLES, Style::List)?;
    let excerpts = chosen.flag(Name::ShowExcerpts, true)?;
    let inline = chosen.flag(Name::ShowInlineSources, false)?;
    let text = word(&scope, "markdown", scope.take(markdown))?;
    let payload = read_payload(scope.take(payload), clean::EXCERPT_LIMIT);
    let written = render::answer(&text, Leaning::of(&payload, inline), style, excerpts);
    Ok(give(&scope, scope.string(&written)))
}

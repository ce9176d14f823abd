//! Documents for Anthropic requests, and what comes of them. The namespace `anthropic`.

use super::give;
use super::given::{Given, open_for};
use super::names::{Name, camel};
use super::node_api::{Handle, Passed, Scope};
use super::options::{Chosen, shown};
use super::turn::word;
use super::write::Object;
use crate::documents::{self, Document};
use crate::input::location::read_location;
use crate::input::{Detail, Key};
use napi::Env;
use napi_derive::napi;

/// A document block around a source.
fn document<'s>(
    scope: &'s Scope<'s>,
    source: Object<'s>,
    options: Passed,
) -> napi::Result<Option<Handle<'s>>> {
    const TTLS: [&str; 2] = ["5m", "1h"];
    let chosen = Chosen::from(scope, scope.take(options))?;
    let mut block = Object::new(scope);
    block.text(Key::Type, Some("document"));
    block.set(camel(Key::Source), source.finish());
    block.text(Key::Title, chosen.string(Name::Title)?.as_deref());
    block.set(
        Name::Context.place(),
        chosen.string(Name::Context)?.and_then(|text| scope.string(&text)),
    );
    let mut citations = Object::new(scope);
    citations.set(Name::Enabled.place(), scope.flag(chosen.flag(Name::Citations, true)?));
    block.set(Name::Citations.place(), citations.finish());
    let cache = chosen.get(Name::CacheControl).filter(|cache| cache.as_flag() != Some(false));
    if let Some(cache) = cache {
        let mut control = Object::new(scope);
        control.text(Key::Type, Some("ephemeral"));
        if cache.as_flag().is_none() {
            let ttl = cache.text().filter(|ttl| TTLS.contains(&ttl.as_str()));
            let wanted = "true, false, '5m' or '1h'";
            let ttl = ttl.ok_or_else(|| chosen.misuse(Name::CacheControl, wanted, cache))?;
            control.set(Name::Ttl.place(), scope.string(&ttl));
        }
        block.set(Name::CacheControlWire.place(), control.finish());
    }
    Ok(block.finish())
}

fn source<'s>(scope: &'s Scope<'s>, kind: &str, media: Option<&str>) -> Object<'s> {
    let mut source = Object::new(scope);
    source.text(Key::Type, Some(kind));
    source.set(Name::MediaType.place(), media.and_then(|media| scope.string(media)));
    source
}

/// A plain text document: cited by sentence, in characters. Citations are on unless `citations` is false.
///
/// The text that citations quote is not billed, neither in the answer nor when the answer is sent again.
///
/// @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
///
/// @example
/// ```ts
/// const content = [
///   anthropic.plainTextDocument('The grass is green. The sky is blue.', { title: 'My Document' }),
///   { type: 'text' as const, text: 'What color is the grass?' },
/// ]
/// await client.messages.create({ model, max_tokens: 1024, messages: [{ role: 'user', content }] })
/// ```
#[napi(
    namespace = "anthropic",
    catch_unwind,
    ts_args_type = "text: string, options?: DocumentOptions",
    ts_return_type = "PlainTextDocument"
)]
pub fn plain_text_document(env: &Env, text: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let text = scope.take(text);
    word(&scope, "text", text)?;
    let mut source = source(&scope, "text", Some("text/plain"));
    source.set(camel(Key::Data), Some(text));
    Ok(give(&scope, document(&scope, source, options)?))
}

/// A PDF document: cited by page. Bytes are encoded here; a string is an http or https address, or base64.
///
/// @throws `TypeError` when `file` is neither, or an option has a value it cannot have.
///
/// @example
/// ```ts
/// anthropic.pdfDocument(await readFile('report.pdf'), { title: 'Report', cacheControl: '1h' })
/// anthropic.pdfDocument('https://example.com/report.pdf')
/// ```
#[napi(
    namespace = "anthropic",
    catch_unwind,
    ts_args_type = "file: Uint8Array | string, options?: DocumentOptions",
    ts_return_type = "PdfDocument"
)]
pub fn pdf_document(env: &Env, file: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let file = scope.take(file);
    let made = if let Some(text) = file.text() {
        let scheme = text.get(..8).unwrap_or(&text).to_ascii_lowercase();
        if scheme.starts_with("https://") || scheme.starts_with("http://") {
            let mut source = source(&scope, "url", None);
            source.text(Key::Url, Some(&text));
            source
        } else {
            let mut source = source(&scope, "base64", Some("application/pdf"));
            source.set(camel(Key::Data), Some(file));
            source
        }
    } else {
        let encoded = file.with_bytes(documents::encode).ok_or_else(|| {
            let value = shown(file);
            scope.type_error(&format!("file must be a Uint8Array or a string, got {value}"))
        })?;
        let mut source = source(&scope, "base64", Some("application/pdf"));
        source.set(camel(Key::Data), scope.string(&encoded));
        source
    };
    Ok(give(&scope, document(&scope, made, options)?))
}

/// A document of blocks of your own: cited by block, never split further. For transcripts, lists, chunks of
/// a retrieval.
///
/// @throws `TypeError` when `blocks` is no list of strings or content blocks, or an option has a value it
/// cannot have.
///
/// @example
/// ```ts
/// anthropic.customContentDocument(['First chunk.', 'Second chunk.'], { title: 'Notes' })
/// ```
#[napi(
    namespace = "anthropic",
    catch_unwind,
    ts_args_type = "blocks: ReadonlyArray<string | ContentDocumentBlock>, options?: DocumentOptions",
    ts_return_type = "CustomContentDocument"
)]
pub fn custom_content_document(env: &Env, blocks: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let given = scope.take(blocks);
    let mut blocks = Vec::new();
    // By index: what `each` lends must not be kept. The first that is none ends it: a length is no promise.
    let count = given.length().unwrap_or_default();
    for block in (0..count).map_while(|index| given.item(index)) {
        if block.is_string() {
            let mut object = Object::new(&scope);
            object.text(Key::Type, Some("text"));
            object.set(camel(Key::Text), Some(block));
            blocks.extend(object.finish());
        } else if !block.is_array()
            && block.property(camel(Key::Type)).is_some_and(Handle::is_string)
        {
            blocks.push(block);
        } else {
            break;
        }
    }
    if given.length() != Some(blocks.len()) {
        let wanted = "blocks must be a list of strings or content blocks";
        return Err(scope.type_error(&format!("{wanted}, got {}", shown(given))));
    }
    let list = scope.list(&blocks);
    let mut source = source(&scope, "content", None);
    source.set(camel(Key::Content), list);
    Ok(give(&scope, document(&scope, source, options)?))
}

/// A document that was uploaded before, by its `file_id`.
///
/// @throws `TypeError` when `fileId` is no string, or an option has a value it cannot have.
#[napi(
    namespace = "anthropic",
    catch_unwind,
    ts_args_type = "fileId: string, options?: DocumentOptions",
    ts_return_type = "FileDocument"
)]
pub fn file_document(env: &Env, file_id: Passed, options: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let id = word(&scope, "fileId", scope.take(file_id))?;
    let mut source = source(&scope, "file", None);
    source.set(Name::FileIdWire.place(), scope.string(&id));
    Ok(give(&scope, document(&scope, source, options)?))
}

/// What the API would refuse about citations in a request, and what it would take and never cite: each with
/// where, why and what to do. A valid request gives `[]`.
///
/// @example
/// ```ts
/// anthropic.checkCitationRequest({ model: 'claude-3-haiku-20240307', max_tokens: 1024, messages })
/// // [{ code: 'model_cannot_cite', path: 'model', reason: 'Claude Haiku 3 does not cite', remedy: 'take another …' }]
/// ```
#[napi(
    namespace = "anthropic",
    catch_unwind,
    ts_args_type = "params: object | string | Uint8Array",
    ts_return_type = "RequestComplaint[]"
)]
pub fn check_citation_request(env: &Env, params: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let complaints = open_for(scope.take(params), Detail::Whole, |given| documents::check(given));
    let complaints = complaints.unwrap_or_default();
    let list = scope.array(&complaints, |complaint| {
        let mut object = Object::new(&scope);
        object.set(Name::Code.place(), scope.string(complaint.code));
        object.set(Name::Path.place(), scope.string(&complaint.path));
        object.set(Name::Reason.place(), scope.string(complaint.reason));
        object.set(Name::Remedy.place(), scope.string(complaint.remedy));
        object.finish().map(Passed::from)
    });
    Ok(give(&scope, list))
}

/// The words a citation points at in its document, and where they stand there. `null` where that cannot be
/// told: pages of a PDF, files, places beyond the end.
///
/// @example
/// ```ts
/// anthropic.locate(document, { type: 'char_location', startCharIndex: 0, endCharIndex: 20, documentIndex: 0 })
/// // { text: 'The grass is green. ', start: 0, end: 20 }
/// ```
#[napi(
    namespace = "anthropic",
    catch_unwind,
    ts_args_type = "document: string | object, location: CitationLocation | object | null | undefined",
    ts_return_type = "{ text: string; start: number; end: number } | null"
)]
pub fn locate(env: &Env, document: Passed, location: Passed) -> napi::Result<Passed> {
    let scope = Scope::enter(env)?;
    let document = scope.take(document);
    let place =
        open_for(scope.take(location), Detail::Whole, |given| read_location(given)).flatten();
    let document =
        if document.is_nothing() { None } else { Some(Document::of(Given::Live(document))) };
    let passage = place.and_then(|place| document?.passage(&place));
    let Some(passage) = passage else { return Ok(give(&scope, scope.null())) };
    let mut object = Object::new(&scope);
    object.text(Key::Text, Some(&passage.text));
    object.count(camel(Key::Start), passage.start);
    object.count(camel(Key::End), passage.end);
    Ok(give(&scope, object.finish()))
}

/// The documents of a request, as citations of the answer count them.
pub(super) fn request(params: Handle<'_>) -> documents::Documents {
    open_for(params, Detail::Whole, |given| documents::Documents::of(given)).unwrap_or_default()
}

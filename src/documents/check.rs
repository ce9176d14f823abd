//! What the API would not take, and what it would take and never cite.

use super::{pdf, visit_blocks};
use crate::input::{Key, Value};

/// Something that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Names the kind. Never reworded.
    pub code: &'static str,
    /// Where: `messages[0].content[1]`.
    pub path: String,
    /// What is wrong.
    pub reason: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

/// Looks a request over. A valid one gives an empty list.
pub fn check<'v, V: Value<'v>>(request: V) -> Vec<Complaint> {
    let mut complaints = Complaints(Vec::new());
    let mut blocks = Vec::new();
    visit_blocks(request, &mut |block, path| {
        let kind = block.text_at(Key::Type);
        if matches!(kind.as_deref(), Some("document" | "search_result")) {
            let is_document = kind.as_deref() == Some("document");
            blocks.push(Block { is_document, cites: cites(block), path: path.to_owned() });
            if is_document && cites(block) {
                check_document(block, blocks.len() - 1, path, &mut complaints);
            }
        }
    });
    check_consistency(&blocks, &mut complaints);
    if blocks.iter().any(|block| block.cites) {
        check_surroundings(request, &mut complaints);
    }
    // Keeps the order of equals, with the sort of pairs of numbers that others have need of too.
    complaints.0.sort_by_cached_key(|(order, _)| *order);
    complaints.0.into_iter().map(|(_, complaint)| complaint).collect()
}

/// Complaints with the place of their block among all; those about the request come last.
struct Complaints(Vec<(usize, Complaint)>);

impl Complaints {
    fn add(&mut self, order: usize, complaint: Complaint) {
        self.0.push((order, complaint));
    }
}

struct Block {
    is_document: bool,
    cites: bool,
    path: String,
}

fn cites<'v, V: Value<'v>>(block: V) -> bool {
    block
        .get(Key::Citations)
        .and_then(|citations| citations.get(Key::Enabled))
        .is_some_and(Value::is_true)
}

/// All of them or none.
fn check_consistency(blocks: &[Block], complaints: &mut Complaints) {
    for is_document in [true, false] {
        let alike =
            || blocks.iter().enumerate().filter(|(_, block)| block.is_document == is_document);
        if !alike().any(|(_, block)| block.cites) {
            continue;
        }
        for (order, block) in alike().filter(|(_, block)| !block.cites) {
            complaints.add(order, Complaint {
            code: "partly_enabled",
            path: format!("{}.citations", block.path),
            reason: "citations are enabled on other documents of this request and not on this one; the API refuses that",
            remedy: "set citations: { enabled: true } on all of them, or on none",
            });
        }
    }
}

fn check_surroundings<'v, V: Value<'v>>(request: V, complaints: &mut Complaints) {
    if request.text_at(Key::Model).is_some_and(|model| is_haiku_3(&model)) {
        complaints.add(
            usize::MAX,
            Complaint {
                code: "model_cannot_cite",
                path: "model".to_owned(),
                reason: "Claude Haiku 3 does not cite",
                remedy: "take another Claude model, or leave citations out",
            },
        );
    }
    let config = request.get(Key::OutputConfig).and_then(|config| config.get(Key::Format));
    let path = if config.is_some() { "output_config.format" } else { "output_format" };
    if config.or_else(|| request.get(Key::OutputFormat)).is_some() {
        complaints.add(usize::MAX, Complaint {
            code: "structured_output",
            path: path.to_owned(),
            reason: "citations split the answer into blocks, which no schema allows for; the API refuses both together",
            remedy: "leave the output format out, or the citations",
        });
    }
}

/// `claude-3-haiku-20240307` and what clouds call it; 3.5 and later are others.
fn is_haiku_3(model: &str) -> bool {
    let model = model.to_ascii_lowercase();
    model.contains("claude-3-haiku")
}

fn check_document<'v, V: Value<'v>>(
    block: V,
    order: usize,
    path: &str,
    complaints: &mut Complaints,
) {
    let Some(source) = block.get(Key::Source) else { return };
    let data = source.get(Key::Data).and_then(Value::text);
    let kind = source.text_at(Key::Type);
    let words = match kind.as_deref() {
        Some("text") => data.as_deref().map(|text| text.trim().len()),
        Some("content") => source.get(Key::Content).map(content_length),
        Some("base64") => {
            let no_text = data.as_deref().and_then(pdf::has_text) == Some(false);
            if no_text {
                complaints.add(order, Complaint {
                    code: "pdf_without_text",
                    path: format!("{path}.source.data"),
                    reason: "no page of this PDF draws text: it is most likely a scan, and pictures of words cannot be cited",
                    remedy: "run text recognition over it first, or send its text as a plain text document",
                });
            }
            data.as_deref().map(|data| if data.trim().is_empty() { 0 } else { usize::MAX })
        }
        _ => None,
    };
    if words == Some(0) {
        complaints.add(
            order,
            Complaint {
                code: "empty_document",
                path: format!("{path}.source"),
                reason: "the document is empty: there is nothing to cite",
                remedy: "leave it out, or fill it",
            },
        );
    }
    let beside = |key: Key| block.text_at(key).map_or(0, |text| text.trim().len());
    let longer = if beside(Key::Context) >= beside(Key::Title) { Key::Context } else { Key::Title };
    if words == Some(0) && beside(longer) > 0 {
        complaints.add(order, Complaint {
            code: "not_citable",
            path: format!("{path}.{}", longer.spelling(0)),
            reason: "title and context are shown to the model and never cited; here they are all there is",
            remedy: "put what is to be cited into the document itself",
        });
    }
}

fn content_length<'v, V: Value<'v>>(content: V) -> usize {
    let mut length = content.text().map_or(0, |text| text.trim().len());
    content.each(|_, block| {
        length += block.text_at(Key::Text).map_or(0, |text| text.trim().len());
        // A picture in it is something, though it cannot be cited.
        length += usize::from(block.get(Key::Source).is_some());
    });
    length
}

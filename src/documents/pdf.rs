//! Whether a PDF holds text, as against pictures of it.

use super::base64::decode;
use memchr::memmem;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// The most that is unpacked of one file. Text comes early in a page.
const MOST_UNPACKED: usize = 1 << 26;
/// The most streams that are looked into.
const MOST_STREAMS: usize = 20_000;

/// Whether any page draws text, given the file in base64. `None` when that cannot be told: no PDF, an
/// encrypted one, streams packed in ways we do not know.
pub(super) fn has_text(base64: &str) -> Option<bool> {
    let file = decode(base64)?;
    let is_pdf = file.get(..1024.min(file.len())).is_some_and(|head| find(head, "%PDF-").is_some());
    if !is_pdf || find(&file, "/Encrypt").is_some() {
        return None;
    }
    let mut seen = Seen { unknown: false, any: false, left: MOST_UNPACKED };
    let mut rest = file.as_slice();
    for _ in 0..MOST_STREAMS {
        let Some(start) = find(rest, "stream") else { break };
        let (head, body) = rest.split_at_checked(start)?;
        let body = body.get("stream".len()..)?;
        // The word may stand in a title; a stream stands behind its dictionary.
        if !head.trim_ascii_end().ends_with(b">>") {
            rest = body;
            continue;
        }
        let body = body.strip_prefix(b"\r").unwrap_or(body);
        let body = body.strip_prefix(b"\n").unwrap_or(body);
        // Cut off: what would have followed is not known.
        let end = find(body, "endstream")?;
        let (packed, behind) = body.split_at_checked(end)?;
        if seen.draws_text(dictionary(head), packed) {
            return Some(true);
        }
        rest = behind.get("endstream".len()..)?;
    }
    if seen.unknown || !seen.any { None } else { Some(false) }
}

/// What was seen of a file so far.
struct Seen {
    /// Whether there was anything that could not be looked into.
    unknown: bool,
    /// Whether there was anything at all.
    any: bool,
    /// How much may still be unpacked.
    left: usize,
}

/// The dictionary right before a stream.
fn dictionary(head: &[u8]) -> &[u8] {
    let start = memmem::rfind(head, b"obj").unwrap_or_default();
    head.get(start..).unwrap_or_default()
}

impl Seen {
    /// Whether a stream draws text.
    fn draws_text(&mut self, dictionary: &[u8], packed: &[u8]) -> bool {
        let is = |name: &str| find(dictionary, name).is_some();
        self.any = true;
        // Pictures and fonts draw nothing by themselves.
        let is_picture = is("/Subtype/Image") || is("/Subtype /Image");
        if is_picture || is("/FontFile") || is("/Length1") || is("/XRef") || is("/Metadata") {
            return false;
        }
        if !is("/Filter") {
            return shows_strings(packed);
        }
        let packed_twice = is("/LZWDecode") || is("/ASCII85Decode") || is("/ASCIIHexDecode");
        if !is("/FlateDecode") || packed_twice || self.left == 0 {
            self.unknown = true;
            return false;
        }
        let unpacked = match decompress_to_vec_zlib_with_limit(packed, self.left) {
            Ok(unpacked) => unpacked,
            // What was unpacked before the limit or the damage counts.
            Err(broken) => {
                self.unknown = true;
                broken.output
            }
        };
        self.left = self.left.saturating_sub(unpacked.len());
        shows_strings(&unpacked)
    }
}

/// Whether a page's program has an operator that shows a string: `(Hello) Tj`, `[<01> -5 (x)] TJ`, and
/// the two that go to the next line first.
fn shows_strings(program: &[u8]) -> bool {
    ["Tj", "TJ", "'", "\""].iter().any(|operator| {
        memmem::find_iter(program, operator).any(|at| {
            let before = program.get(..at).unwrap_or_default().trim_ascii_end().last();
            let behind = program.get(at + operator.len());
            matches!(before, Some(b')' | b'>' | b']'))
                && behind.is_none_or(|byte| !byte.is_ascii_alphanumeric())
        })
    })
}

fn find(text: &[u8], wanted: &str) -> Option<usize> {
    memmem::find(text, wanted.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::base64::encode;
    use super::*;
    use proptest::prelude::*;

    fn pdf(streams: &[(&str, Vec<u8>)]) -> String {
        let mut file = b"%PDF-1.7\n".to_vec();
        for (dictionary, body) in streams {
            file.extend(format!("1 0 obj\n<<{dictionary}>>\nstream\n").as_bytes());
            file.extend(body);
            file.extend(b"\nendstream\nendobj\n");
        }
        encode(&file)
    }

    #[test]
    fn text_is_found_where_it_is() {
        let page = b"BT /F1 12 Tf (Hello) Tj ET".to_vec();
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&page, 6);
        let picture = b"q 600 0 0 800 0 0 cm /Im1 Do Q".to_vec();
        for (streams, expected) in [
            (vec![("", page.clone())], Some(true)),
            (vec![("/Filter /FlateDecode", packed)], Some(true)),
            (vec![("", b"[<0102> -3 <03>]TJ".to_vec())], Some(true)),
            (
                vec![("", picture.clone()), ("/Subtype /Image /Filter /DCTDecode", vec![1, 2])],
                Some(false),
            ),
            (vec![("", picture), ("/Filter /LZWDecode", vec![1])], None),
            (vec![("/Type /Metadata", b"(x) Tj".to_vec())], Some(false)),
        ] {
            assert_eq!(has_text(&pdf(&streams)), expected);
        }
        assert_eq!(has_text("bm8gcGRm"), None);
        assert_eq!(has_text("%"), None);
    }

    proptest! {
        #[test]
        fn survives_anything(bytes: Vec<u8>) {
            let mut file = b"%PDF-1.4 stream ".to_vec();
            file.extend(bytes);
            let _ = has_text(&encode(&file));
        }
    }
}

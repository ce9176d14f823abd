//! Whether a PDF holds text, as against pictures of it.

use super::base64::decode;
use memchr::memmem;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// The most that one stream is unpacked to. Text comes early in a page.
const MOST_UNPACKED: usize = 1 << 24;
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
    let mut unknown = false;
    let mut rest = file.as_slice();
    for _ in 0..MOST_STREAMS {
        let Some(start) = find(rest, "stream") else { break };
        let (head, body) = rest.split_at_checked(start)?;
        let body = body.get("stream".len()..)?;
        let body = body.strip_prefix(b"\r").unwrap_or(body);
        let body = body.strip_prefix(b"\n").unwrap_or(body);
        let Some(end) = find(body, "endstream") else { break };
        let (packed, behind) = body.split_at_checked(end)?;
        match draws_text(dictionary(head), packed) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => unknown = true,
        }
        rest = behind.get("endstream".len()..)?;
    }
    if unknown { None } else { Some(false) }
}

/// The dictionary right before a stream.
fn dictionary(head: &[u8]) -> &[u8] {
    let start = memmem::rfind(head, b"obj").unwrap_or_default();
    head.get(start..).unwrap_or_default()
}

/// Whether a stream draws text; `None` when it is packed in a way we do not know.
fn draws_text(dictionary: &[u8], packed: &[u8]) -> Option<bool> {
    let is = |name: &str| find(dictionary, name).is_some();
    // Pictures and fonts draw nothing by themselves.
    if is("/Image") || is("/FontFile") || is("/Length1") || is("/XRef") || is("/Metadata") {
        return Some(false);
    }
    if !is("/Filter") {
        return Some(shows_strings(packed));
    }
    if !is("/FlateDecode") || is("/LZWDecode") || is("/ASCII85Decode") || is("/ASCIIHexDecode") {
        return None;
    }
    let unpacked = match decompress_to_vec_zlib_with_limit(packed, MOST_UNPACKED) {
        Ok(unpacked) => unpacked,
        // What was unpacked before the limit or the damage counts.
        Err(broken) => broken.output,
    };
    Some(shows_strings(&unpacked))
}

/// Whether a page's program has an operator that shows a string: `(Hello) Tj`, `[<01> -5 (x)] TJ`.
fn shows_strings(program: &[u8]) -> bool {
    ["Tj", "TJ"].iter().any(|operator| {
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

//! However a body is cut into pieces, it is the same body.

use llxprt_code_citations::input::stream::Splitter;
use proptest::prelude::*;

/// The documents of a body, and what is left without an end.
fn documents<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> (Vec<Vec<u8>>, Option<Vec<u8>>) {
    let mut splitter = Splitter::default();
    let mut found = Vec::new();
    for piece in pieces {
        splitter.push(piece, |document| found.push(document.to_vec()));
    }
    (found, splitter.unfinished())
}

/// A line may end in CR LF and the next, which is empty, in LF alone.
#[test]
fn mixed_line_ends() {
    let body = b"data: {\"a\":1}\r\n\ndata: {\"b\":2}\r\n\n";
    let whole = documents([body.as_slice()]);
    assert_eq!(whole.0, [b"{\"a\":1}", b"{\"b\":2}"]);
    for length in 1..body.len() {
        assert_eq!(documents(body.chunks(length)), whole, "in pieces of {length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_body_in_any_pieces(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "\r", "\n", "\r\n", "\n\n", " ", "\u{feff}", "data: ", "data:", "event: x", ": note",
                "{\"a\":1}", "{\"a\":[", "]}", "{", "}", "[", "]", ",", "\"", "\\", "\"é漢\"", "[DONE]", "x",
            ]),
            0..14,
        ),
        cuts in prop::collection::vec(1..9_usize, 1..20),
    ) {
        let body = parts.concat().into_bytes();
        let mut rest = body.as_slice();
        let mut pieces = Vec::new();
        for length in cuts.iter().cycle() {
            let (piece, behind) = rest.split_at(rest.len().min(*length));
            pieces.push(piece);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(documents(pieces), documents([body.as_slice()]));
    }
}

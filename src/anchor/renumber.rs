//! Somebody else's numbers, made ours.

use super::marker::parse;

/// `text` with every number n replaced by the n-th of `numbers`, in brackets whatever the dialect was.
/// Where that is 0 or missing the number becomes `[n?]`: left as it is it would point at another
/// source.
pub fn renumber(text: &str, numbers: &[usize]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for marker in parse(text, Some(numbers.len())) {
        // Named by an id: there is no number in it.
        if marker.numbers.is_empty() {
            continue;
        }
        out.push_str(text.get(done..marker.range.start).unwrap_or_default());
        done = marker.range.end;
        let (kept, lost) = replaced(&marker.numbers, numbers);
        if !kept.is_empty() {
            out.extend(["[", &kept.join(", "), "]"]);
        }
        for old in &lost {
            out.extend(["[", old, "?]"]);
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// The new numbers of a marker, each once, and the old ones that have none.
fn replaced(written: &[usize], numbers: &[usize]) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for old in written {
        match old.checked_sub(1).and_then(|index| numbers.get(index)) {
            None | Some(0) => lost.push(old.to_string()),
            Some(new) => kept.push(new.to_string()),
        }
    }
    let mut seen = std::collections::HashSet::new();
    kept.retain(|new| seen.insert(new.clone()));
    (kept, lost)
}

#[cfg(test)]
mod tests {
    use super::renumber;

    #[test]
    fn numbers_become_ours() {
        for (text, numbers, expected) in [
            ("A [1] and [2, 3].", &[4, 5, 9][..], "A [4] and [5, 9]."),
            ("A [1][2]", &[2, 1], "A [2][1]"),
            ("A [1-3]", &[7, 8, 7], "A [7, 8]"),
            ("A [1, 4] and [9].", &[5, 6], "A [5][4?] and [9?]."),
            ("A [2].", &[5, 0], "A [2?]."),
            ("`[1]` and 【1†source】", &[3], "`[1]` and [3]"),
            ("arr[1] = 2", &[3], "arr[1] = 2"),
            ("", &[], ""),
        ] {
            assert_eq!(renumber(text, numbers), expected, "{text}");
        }
    }
}

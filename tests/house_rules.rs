//! Rules of the house that no compiler checks.
#![expect(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).unwrap())
    };
    rust_files(&root.join("src")).into_iter().map(read).collect()
}

/// A panic that leaves an exported function ends the host's process.
#[test]
fn every_export_catches_panics() {
    let mut exports = 0;
    for (name, text) in sources() {
        let functions = text.match_indices("pub fn ").map(|(at, _)| text.split_at(at));
        for (before, function) in functions {
            let attributes = before.rsplit("\n\n").next().unwrap();
            if attributes.contains("#[napi") {
                let signature = function.lines().next().unwrap();
                assert!(attributes.contains("catch_unwind"), "{name}: {signature}");
                exports += 1;
            }
        }
    }
    assert!(exports > 10, "the search finds {exports} exports");
}

#[test]
fn only_the_javascript_face_names_napi() {
    for (name, text) in sources().into_iter().filter(|(name, _)| !name.starts_with("src/js")) {
        assert!(!text.contains("napi::") && !text.contains("#[napi"), "{name}");
    }
}

#[test]
fn unsafe_code_stands_in_one_file() {
    for (name, text) in sources().into_iter().filter(|(name, _)| name != "src/js/node_api.rs") {
        assert!(!text.contains("unsafe "), "{name}");
    }
}

/// A room imports only rooms named before it in the crate's documentation.
#[test]
fn rooms_import_only_earlier_rooms() {
    const ROOMS: [&str; 12] = [
        "model",
        "input",
        "clean",
        "dedupe",
        "anchor",
        "documents",
        "turn",
        "ground",
        "render",
        "openwebui",
        "settings",
        "js",
    ];
    let room = |name: &str| {
        let inner = name.strip_prefix("src/")?;
        ROOMS.iter().position(|room| {
            inner.strip_prefix(room).is_some_and(|rest| rest.starts_with(['/', '.']))
        })
    };
    for (name, text) in sources() {
        let Some(own) = room(&name) else { continue };
        for import in text.split("crate::").skip(1) {
            let other = ROOMS.iter().position(|room| {
                import
                    .strip_prefix(room)
                    .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            });
            assert!(other.is_none_or(|other| other <= own), "{name} imports crate::{import:.20}");
        }
    }
}

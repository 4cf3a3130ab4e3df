//! The order of the house: imports run one way, and each dependency has one door.

use std::fs;
use std::path::{Path, PathBuf};

/// From the outermost module to the innermost: each may use those behind it.
const ORDER: [&str; 12] = [
    "archive",
    "convert",
    "mailparse",
    "message",
    "decode",
    "detect",
    "header",
    "transfer",
    "charset",
    "label",
    "report",
    "error",
];

/// Where each dependency may be named.
const DOORS: [(&str, &[&str]); 9] = [
    ("base64", &["transfer"]),
    ("nom", &["header"]),
    ("encoding_rs", &["charset"]),
    ("mailparse", &["mailparse"]),
    ("std::fs", &["archive"]),
    ("flate2", &["archive"]),
    ("ruzstd", &["archive"]),
    ("tempfile", &["archive"]),
    ("zip", &["archive"]),
];

#[test]
fn imports_run_one_way() {
    for (module, file, text) in sources() {
        let Some(place) = ORDER.iter().position(|name| *name == module) else {
            continue;
        };
        for used in text.lines().flat_map(crate_modules) {
            let Some(target) = ORDER.iter().position(|name| *name == used) else {
                continue;
            };
            assert!(target >= place, "{}: {module} uses {used}", file.display());
        }
    }
}

#[test]
fn each_dependency_has_one_door() {
    for (module, file, text) in sources() {
        if module == "main" {
            continue;
        }
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for (name, doors) in DOORS {
                let named =
                    line.contains(&format!("{name}::")) || line.contains(&format!("use {name};"));
                // `crate::mailparse::` is our own module of that name.
                let ours = line.contains(&format!("crate::{name}::"));
                assert!(
                    !named || ours || doors.contains(&module.as_str()),
                    "{}: {name} in {module}: {line}",
                    file.display()
                );
            }
        }
    }
}

/// The modules that a `use` line takes from this crate.
fn crate_modules(line: &str) -> Vec<String> {
    let line = line.trim();
    if line.starts_with("//") {
        return Vec::new();
    }
    line.split("crate::")
        .skip(1)
        .filter_map(|rest| {
            let rest = rest.trim_start_matches('{');
            let name: String = rest
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect();
            Some(name).filter(|name| !name.is_empty())
        })
        .collect()
}

/// Every source file without its tests, with the name of its top module.
fn sources() -> Vec<(String, PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 10);
    files
        .into_iter()
        .map(|file| (module(&file), file.clone(), without_tests(&file)))
        .collect()
}

fn module(file: &Path) -> String {
    let inside = file.strip_prefix("src").unwrap();
    inside
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_str()
        .unwrap()
        .replace(".rs", "")
}

fn without_tests(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    text.split("#[cfg(test)]").next().unwrap().to_owned()
}

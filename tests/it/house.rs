//! Rules of the code base: imports have one direction, each dependency has one user, and every
//! public item has an example.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use mime_charset::Kind;

/// The crates, by source folder, with their modules from the outermost to the innermost: a module
/// may use those after it. The command's files may use each other.
const CRATES: [(&str, &[&str]); 3] = [
    ("command/src", &[]),
    (
        "archive/src",
        &["batch", "store", "format", "foreign", "mbox", "error"],
    ),
    (
        "src",
        &[
            "convert",
            "prove",
            "for_mailparse",
            "serialize",
            "message",
            "decode",
            "detect",
            "header",
            "transfer",
            "charset",
            "label",
            "report",
            "error",
            "vector",
        ],
    ),
];

/// For each dependency, the modules that may name it.
const DEPENDENCY_USERS: [(&str, &[&str]); 23] = [
    ("base64", &["src/transfer"]),
    ("crc64fast", &["archive/src/batch", "src/prove"]),
    ("html5gum", &["src/decode"]),
    ("unicode_segmentation", &["src/decode"]),
    ("nom", &["src/header"]),
    ("encoding_rs", &["src/charset"]),
    // The second turns octets it has validated into text without a second validation.
    ("simdutf8", &["src/charset", "src/vector"]),
    ("mailparse", &["src/for_mailparse"]),
    ("std::arch", &["src/vector"]),
    ("std::fs", &["archive/src/batch", "archive/src/store"]),
    ("flate2", &["archive/src/store"]),
    ("bzip2", &["archive/src/store"]),
    ("glob", &["archive/src/store"]),
    ("lzma_rust2", &["archive/src/store"]),
    ("humantime", &["archive/src/batch"]),
    ("rustix", &["archive/src/store"]),
    ("ruzstd", &["archive/src/store"]),
    ("serde", &["archive/src/batch", "src/serialize"]),
    ("serde_json", &["archive/src/batch"]),
    ("sha2", &["archive/src/batch"]),
    ("tar", &["archive/src/store"]),
    ("tempfile", &["archive/src/store"]),
    ("zip", &["archive/src/store"]),
];

#[test]
fn imports_have_one_direction() {
    for (folder, order) in CRATES {
        for (module, file, text) in sources_in(folder) {
            let Some(place) = order.iter().position(|name| *name == module) else {
                continue;
            };
            for used in text.lines().flat_map(crate_modules) {
                let Some(target) = order.iter().position(|name| *name == used) else {
                    continue;
                };
                assert!(target >= place, "{}: {module} uses {used}", file.display());
            }
        }
    }
}

/// Modules whose files use each other, directly or indirectly.
const CYCLES: [&str; 0] = [];

/// No cycles within a module either: code shared by two files goes below both.
#[test]
fn files_of_a_module_form_no_cycle() {
    let mut uses: BTreeMap<PathBuf, BTreeSet<PathBuf>> = library_sources()
        .into_iter()
        .map(|(_, file, text)| {
            let used = used_files(&file, &text);
            (file, used)
        })
        .collect();
    let count: usize = uses.values().map(BTreeSet::len).sum();
    assert!(count > 300, "{count} uses found");
    // A file that uses no remaining file is in no cycle; remove it, which may free the files that
    // use it.
    while let Some(file) = uses.iter().find(|(_, used)| used.is_empty()) {
        let file = file.0.clone();
        uses.remove(&file);
        for used in uses.values_mut() {
            used.remove(&file);
        }
    }
    let modules: BTreeSet<_> = uses.keys().map(|file| module(file)).collect();
    let expected = CYCLES.map(str::to_owned).into();
    assert_eq!(modules, expected, "{uses:#?}");
}

#[test]
fn each_dependency_is_used_only_by_its_modules() {
    for (module, file, text) in library_sources() {
        let folder = file
            .components()
            .take_while(|part| part.as_os_str() != "src");
        let folder: PathBuf = folder.collect();
        let module = folder.join("src").join(module);
        let module = module.to_str().unwrap();
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for (name, users) in DEPENDENCY_USERS {
                let named =
                    line.contains(&format!("{name}::")) || line.contains(&format!("use {name};"));
                // `crate::for_mailparse::` is our own module for mailparse.
                let ours = line.contains(&format!("crate::for_{name}::"));
                assert!(
                    !named || ours || users.contains(&module),
                    "{}: {name} in {module}: {line}",
                    file.display()
                );
            }
        }
    }
}

/// Every public function, type, constant and module has an example in its documentation. For a
/// method or a constant of a type, an example of the type suffices, in any file of its module.
///
/// The compiler's lint `unreachable_pub` ensures that every `pub` item is reachable from outside.
#[test]
fn every_public_item_has_an_example() {
    let mut hidden = Vec::new();
    let mut count = 0;
    let files: Vec<_> = library_sources()
        .into_iter()
        .map(|(module, file, text)| {
            let mut items = public_items(&text);
            // Constants of charsets: a unit test compares each with its name.
            if file.ends_with("charset/value.rs") {
                items.retain(|item| !item.name.bytes().all(|octet| !octet.is_ascii_lowercase()));
            }
            (module, file, items, text)
        })
        .collect();
    for (module, file, items, text) in &files {
        count += items.len();
        let of_module = files.iter().filter(|(other, ..)| other == module);
        let of_module: Vec<_> = of_module.flat_map(|(_, _, items, _)| items).collect();
        for item in items {
            let of_type = of_module.iter().filter(|other| {
                let page = item.owner.as_ref().unwrap_or(&item.name);
                item.owner.is_some() && (other.owner.as_ref().unwrap_or(&other.name) == page)
            });
            let is_shown = item.documentation.contains("```")
                || of_type
                    .flat_map(|other| examples(&other.documentation))
                    .any(|line| item.is_called_in(line));
            if !is_shown {
                let owner = item.owner.as_deref().map(|owner| format!("{owner}::"));
                let owner = owner.unwrap_or_default();
                hidden.push(format!("{}: {owner}{}", file.display(), item.name));
            }
        }
        if is_public_module(file) && !text.lines().any(|line| line == "//! ```") {
            hidden.push(format!("{}: the module", file.display()));
        }
    }
    assert!(count > 200, "{count} public items found");
    assert!(hidden.is_empty(), "{}", hidden.join("\n"));
}

/// docs/findings.md lists exactly the findings, with the text of their documentation.
#[test]
fn docs_list_the_findings() {
    let text = fs::read_to_string("src/report/kind.rs").unwrap();
    let kinds = text.split("pub enum Kind {").nth(1).unwrap();
    let kinds = kinds.split("\n}").next().unwrap();
    let mut sentence = Vec::new();
    let mut rows = Vec::new();
    for line in kinds.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(line) = line.strip_prefix("///") {
            sentence.push(line.trim());
        } else {
            let variant = line.trim_end_matches(',');
            let is_meant = |kind: &&Kind| format!("{kind:?}") == variant;
            let kind = Kind::ALL.iter().find(is_meant).unwrap();
            let (name, effect) = (kind.name(), kind.effect().name());
            rows.push(format!("| `{name}` | {effect} | {} |", sentence.join(" ")));
            sentence.clear();
        }
    }
    assert_eq!(rows.len(), Kind::ALL.len());
    let page = fs::read_to_string("docs/findings.md").unwrap();
    let is_row = |line: &&str| {
        let effect = line.split(" | ").nth(1);
        line.starts_with("| `") && matches!(effect, Some("noted" | "assumed" | "repaired" | "lost"))
    };
    let mut listed: Vec<_> = page.lines().filter(is_row).collect();
    listed.sort_unstable();
    rows.sort_unstable();
    assert_eq!(listed, rows);
}

/// The page of the WebAssembly package has a sentence for each finding.
#[test]
fn the_page_explains_every_finding() {
    let page = fs::read_to_string("bindings/web/page/explain.js").unwrap();
    let table = page.split("const KINDS = {").nth(1).unwrap();
    let table = table.split("\n};").next().unwrap();
    let names: Vec<_> = table
        .lines()
        .filter_map(|line| line.trim().split_once(": '"))
        .map(|(name, _)| name.trim_matches('\''))
        .collect();
    let all: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names, all);
}

/// A public item in a file.
struct Item {
    /// The type of the enclosing `impl` block.
    owner: Option<String>,
    name: String,
    is_function: bool,
    documentation: String,
}

impl Item {
    /// Whether a line of code uses it: `.name(`, `Type::name` or, for a field, `.name` without a call.
    fn is_called_in(&self, line: &str) -> bool {
        let owner = self.owner.as_deref().unwrap_or_default();
        let by_path = format!("{owner}::{}", self.name);
        let by_value = format!(".{}", self.name);
        let mut uses = line
            .match_indices(&by_value)
            .map(|(at, _)| &line[at + by_value.len()..]);
        let is_used = |rest: &str| match rest.chars().next() {
            Some('(') => self.is_function,
            Some(next) => !self.is_function && !next.is_alphanumeric() && next != '_',
            None => !self.is_function,
        };
        line.contains(&by_path) || uses.any(is_used)
    }
}

fn public_items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut owner = None;
    let mut documentation = String::new();
    let mut in_attribute = false;
    for line in text.lines() {
        let code = line.trim_start();
        if let Some(line) = code.strip_prefix("///") {
            documentation.push_str(line);
            documentation.push('\n');
            continue;
        }
        // An attribute may span several lines.
        if in_attribute || code.starts_with("#[") {
            in_attribute = !code.ends_with(']');
            continue;
        }
        // `impl<'a> Type<'a> {`, and not `impl Trait for Type {`.
        if line.starts_with("impl") && !line.contains(" for ") {
            let after = line.strip_prefix("impl").unwrap();
            let name = match after.strip_prefix('<') {
                Some(generics) => generics.split_once("> ").unwrap().1,
                None => after.trim_start(),
            };
            owner = Some(word(name));
        } else if line == "}" {
            owner = None;
        }
        if let Some(public) = code.strip_prefix("pub ") {
            let (is_function, name) = match public {
                _ if public.starts_with("use ") || public.starts_with("mod ") => continue,
                _ if public.contains("fn ") => (true, public.split_once("fn ").unwrap().1),
                // `pub field: Type`, or `pub struct Name` and the like.
                _ => match public.split_once(' ').unwrap() {
                    (field, _) if field.ends_with(':') => (false, field),
                    (_, name) => (false, name),
                },
            };
            items.push(Item {
                owner: owner.clone(),
                name: word(name),
                is_function,
                documentation: documentation.clone(),
            });
            // The following fields belong to the type.
            if line.starts_with("pub struct") && line.ends_with('{') {
                owner = Some(word(name));
            }
        }
        documentation.clear();
    }
    items
}

/// The identifier at the start of a text.
fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect()
}

/// The lines of code examples in documentation.
fn examples(documentation: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    documentation.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        inside ^= is_fence;
        inside && !is_fence
    })
}

/// Whether a file is a module that its parent declares `pub`.
fn is_public_module(file: &Path) -> bool {
    let stem = file.file_stem().unwrap().to_str().unwrap();
    let mut folder = file.parent().unwrap();
    let name = match stem {
        "lib" => return true,
        "mod" => {
            let name = folder.file_name().unwrap().to_str().unwrap();
            folder = folder.parent().unwrap();
            name
        }
        _ => stem,
    };
    let parent = folder.join(if folder.ends_with("src") {
        "lib.rs"
    } else {
        "mod.rs"
    });
    let parent = fs::read_to_string(parent).unwrap();
    parent
        .lines()
        .any(|line| line == format!("pub mod {name};"))
}

/// The modules of this crate in a `use` line.
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

/// The other files of its module that a file names, in `use` lines and in paths.
fn used_files(file: &Path, text: &str) -> BTreeSet<PathBuf> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let folder = file.parent().unwrap();
    let top = top_of(file).join(module(file));
    let is_parent = file.file_name().is_some_and(|name| name == "mod.rs");
    let mut used = BTreeSet::new();
    let mut add = |folder: &Path, path: &str| {
        // Files above the module belong to another one.
        if !folder.starts_with(&top) {
            return;
        }
        for name in first_names(path) {
            let files = [format!("{name}.rs"), format!("{name}/mod.rs")];
            let child = files
                .iter()
                .map(|file| folder.join(file))
                .find(|it| it.exists());
            used.insert(child.unwrap_or_else(|| folder.join("mod.rs")));
        }
    };
    for path in code.split("super::").skip(1) {
        let above = if is_parent {
            folder.parent().unwrap()
        } else {
            folder
        };
        add(above, path);
    }
    for path in code.split(&format!("crate::{}::", module(file))).skip(1) {
        add(&top, path);
    }
    if is_parent {
        let children = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        for child in children {
            let name = child.file_stem().unwrap().to_str().unwrap();
            let is_named = code.match_indices(&format!("{name}::")).any(|(at, _)| {
                let before = code[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
            });
            if name != "mod" && is_named {
                add(folder, name);
            }
        }
    }
    used.remove(file);
    used
}

/// The next names of a path: one, or a list in braces.
fn first_names(path: &str) -> Vec<String> {
    let Some(list) = path.strip_prefix('{') else {
        return vec![word(path)];
    };
    let mut names = Vec::new();
    let (mut depth, mut is_first) = (0, true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            _ if is_first && !c.is_whitespace() => {
                names.push(word(&list[at..]));
                is_first = false;
            }
            _ => {}
        }
    }
    names
}

/// The source files of both libraries without tests, with their top modules.
fn library_sources() -> Vec<(String, PathBuf, String)> {
    [sources_in("src"), sources_in("archive/src")].concat()
}

/// The source files below a folder without tests, with their top modules.
fn sources_in(folder: &str) -> Vec<(String, PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
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

/// The source folder of the file's crate.
fn top_of(file: &Path) -> PathBuf {
    let folder = file.ancestors().find(|folder| folder.ends_with("src"));
    folder.unwrap().to_owned()
}

fn module(file: &Path) -> String {
    let inside = file.strip_prefix(top_of(file)).unwrap();
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

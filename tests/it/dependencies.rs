//! Dependencies: their licences, sources and minimum compiler, as `deny.toml` and `Cargo.toml`
//! allow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;

/// Crates that do not declare a minimum compiler. They build with the version of `Cargo.toml`
/// today, but any release may change that: check each new name here.
const SILENT: [&str; 11] = [
    "adler2",
    "cfg_aliases",
    "core_detect",
    // Part of csv, which requires 1.73.
    "csv-core",
    "encode_unicode",
    "miniz_oxide",
    "quoted_printable",
    "scopeguard",
    "simd-adler32",
    "simdutf8",
    "utf8parse",
];

/// Every dependency of the workspace, for all systems; missing ones are fetched from the registry.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--all-features",
        ])
        // Cargo runs the compiler for its version; the compiler obeys this variable like tests, and
        // needs more stack.
        .env_remove("RUST_MIN_STACK")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The packages of the command, which depends on all others, on any system.
fn compiled(metadata: &Value) -> Vec<&Value> {
    let all = |key: &str| metadata[key].as_array().unwrap().iter();
    let packages: BTreeMap<_, _> = all("packages").map(|p| (text(p, "id"), p)).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let nodes: BTreeMap<_, _> = nodes.iter().map(|node| (text(node, "id"), node)).collect();
    let is_ours = |package: &&&Value| text(package, "name") == "mime-charset-command";
    let mut found = BTreeSet::new();
    let mut open = vec![text(packages.values().find(is_ours).unwrap(), "id")];
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| text(kind, "kind") != "dev") {
                open.push(text(dependency, "pkg"));
            }
        }
    }
    found.into_iter().map(|id| packages[id]).collect()
}

/// `1.88` and `1.88.0` are the same.
fn version(text: &str) -> Vec<u64> {
    let mut numbers: Vec<_> = text
        .split('.')
        .map(|number| number.parse().unwrap())
        .collect();
    numbers.resize(3, 0);
    numbers
}

#[test]
fn no_dependency_requires_a_newer_compiler() {
    let metadata = metadata();
    let packages = compiled(&metadata);
    let ours = version(env!("CARGO_PKG_RUST_VERSION"));
    let mut silent = BTreeSet::new();
    for package in &packages {
        match package["rust_version"].as_str() {
            Some(asked) => assert!(version(asked) <= ours, "{} asks {asked}", package["name"]),
            None => _ = silent.insert(text(package, "name")),
        }
    }
    assert!(packages.len() > 40, "{} packages", packages.len());
    let unknown: Vec<_> = silent
        .difference(&BTreeSet::from(SILENT))
        .copied()
        .collect();
    assert!(
        unknown.is_empty(),
        "{unknown:?} do not declare a minimum compiler"
    );
}

/// The lines of a list in `deny.toml`.
fn allowed() -> BTreeSet<String> {
    let file = fs::read_to_string("deny.toml").unwrap();
    let list = file.split("\nallow = [").nth(1).unwrap();
    let list = list.split(']').next().unwrap();
    list.split(',')
        .map(|line| line.trim().trim_matches('"').to_owned())
        .filter(|licence| !licence.is_empty())
        .collect()
}

/// The crates with an exception in `deny.toml`, each with its licence.
fn exceptions() -> BTreeMap<String, String> {
    let file = fs::read_to_string("deny.toml").unwrap();
    let list = file.split("\nexceptions = [").nth(1).unwrap();
    let list = list.split('\n').next().unwrap();
    list.split("{ crate = ")
        .skip(1)
        .map(|exception| {
            let mut quoted = exception.split('"').skip(1).step_by(2);
            let mut next = || quoted.next().unwrap().to_owned();
            (next(), next())
        })
        .collect()
}

/// Whether an SPDX expression is allowed: `AND` of groups, each in parentheses or a single name, or
/// `OR` of names.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    expression.split(" AND ").all(|group| {
        let group = group.trim_matches(['(', ')']);
        group
            .split(" OR ")
            .flat_map(|names| names.split('/'))
            .any(|name| allowed.contains(name))
    })
}

#[test]
fn only_allowed_licences_and_sources_are_used() {
    let allowed = allowed();
    assert!(is_allowed("(MIT OR X) AND Zlib", &allowed));
    assert!(!is_allowed("MIT AND GPL-3.0-only", &allowed));
    let exceptions = exceptions();
    let metadata = metadata();
    let users: BTreeSet<_> = compiled(&metadata)
        .iter()
        .map(|p| text(p, "name"))
        .collect();
    for name in exceptions.keys() {
        assert!(!users.contains(name.as_str()), "users compile {name}");
    }
    for package in metadata["packages"].as_array().unwrap() {
        let name = text(package, "name");
        if package["source"].is_null() {
            assert!(
                name.starts_with("mime-charset"),
                "{name} is not from the registry"
            );
            continue;
        }
        // From a registry, not from a repository or an address.
        assert!(text(package, "source").starts_with("registry+"), "{name}");
        let licence = text(package, "license");
        let is_excepted = exceptions.get(name).is_some_and(|only| only == licence);
        assert!(
            is_allowed(licence, &allowed) || is_excepted,
            "{name}: {licence}"
        );
    }
}

/// A program that reads mail should not compile archives and terminals. Two of the crates serve
/// reading text: the HTML tokenizer, and the boundaries of user-perceived characters.
#[test]
fn a_mail_reader_compiles_at_most_twelve_dependencies() {
    let arguments = [
        "tree",
        "--locked",
        "--package",
        "mime-charset",
        "--edges",
        "normal,build",
    ];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--prefix", "none", "--format", "{p}"])
        .env_remove("RUST_MIN_STACK")
        .output()
        .unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    let crates: BTreeSet<_> = tree
        .lines()
        .skip(1)
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    assert!((6..=12).contains(&crates.len()), "{crates:?}");
}

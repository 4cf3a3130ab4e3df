//! The machine and software of a run.

use std::fmt::Write;
use std::fs;
use std::process::Command;

/// Peers and dependencies, with the processor and the compiler, in one line.
pub fn description() -> String {
    const CRATES: [&str; 9] = [
        "charset",
        "chardetng",
        "encodify",
        "encoding_rs",
        "mail-parser",
        "mailparse",
        "memchr",
        "mime-charset",
        "simdutf8",
    ];
    let mut line = processor();
    if let Some(compiler) = compiler() {
        let _ = write!(line, "; {compiler}");
    }
    for (name, version) in packages(include_str!("../../Cargo.lock")) {
        if CRATES.contains(&name) {
            let _ = write!(line, ", {name} {version}");
        }
    }
    line
}

/// The processor's name on Linux; elsewhere only the architecture.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.find_map(|(found, value)| (found.trim() == key).then(|| value.trim().to_owned()))
    };
    let mut name = value("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    if let (Some(family), Some(model)) = (value("cpu family"), value("model")) {
        let _ = write!(name, " (family {family}, model {model})");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {cores} CPUs")
}

/// `rustc 1.95.0`, without the date.
fn compiler() -> Option<String> {
    let output = Command::new("rustc").arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let words: Vec<_> = version.split_whitespace().take(2).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Names and versions in a lock file, where the version follows the name.
fn packages(lock: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = lock.lines().zip(lock.lines().skip(1));
    lines.filter_map(|(name, version)| {
        let name = name.strip_prefix("name = \"")?.strip_suffix('"')?;
        let version = version.strip_prefix("version = \"")?.strip_suffix('"')?;
        Some((name, version))
    })
}

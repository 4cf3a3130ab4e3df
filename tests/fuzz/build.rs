//! Builds the player of random calls in `bindings/c` for the target `c`.

use std::env;

const PLAYER: &str = "../../bindings/c/tests/play.c";

fn main() {
    if env::var_os("CARGO_FEATURE_C").is_none() {
        return;
    }
    cc::Build::new()
        .file(PLAYER)
        .include("../../bindings/c")
        .define("PLAY_FUZZED", None)
        .std("c99")
        .cargo_metadata(false)
        .compile("play");
    // Linked only for this target.
    if let Ok(made) = env::var("OUT_DIR") {
        println!("cargo::rustc-link-search=native={made}");
    }
    println!("cargo::rerun-if-changed={PLAYER}");
    println!("cargo::rerun-if-changed=../../bindings/c/mime_charset.h");
}

//! The header equals the one that cbindgen generates from the sources.

use std::fs;
use std::path::Path;

/// `MIME_CHARSET_WRITE=1 cargo test --package mime-charset-c --test header` regenerates it.
#[test]
fn the_header_is_made_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut made = Vec::new();
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config);
    builder
        .with_src(folder.join("src/lib.rs"))
        .generate()
        .unwrap()
        .write(&mut made);
    // Rust's Safety sections become a sentence for C.
    let made = String::from_utf8(made)
        .unwrap()
        .replace(" * # Safety\n *\n * ", " * Requires: ");
    assert!(!made.contains("Safety"));
    let header = folder.join("mime_charset.h");
    if std::env::var_os("MIME_CHARSET_WRITE").is_some() {
        fs::write(&header, &made).unwrap();
    }
    assert_eq!(fs::read_to_string(&header).unwrap_or_default(), made);
}

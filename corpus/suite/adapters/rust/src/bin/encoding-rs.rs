//! encoding_rs, by label, as browsers decode: a byte order mark takes precedence.

use encoding_rs::Encoding;
use mail_suite_adapters::{run, version};
use serde_json::json;

fn main() -> std::io::Result<()> {
    run(
        "encoding_rs",
        version("encoding_rs", ""),
        &["decode"],
        |case| {
            let encoding = Encoding::for_label(case.charset().as_bytes()).ok_or("unknown label")?;
            Ok(json!(encoding.decode(&case.octets).0))
        },
    )
}

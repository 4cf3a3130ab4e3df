//! Checksums of octets.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// SHA-256 in hexadecimal digits (FIPS 180-4).
pub(super) fn sha256(octets: &[u8]) -> String {
    let mut digits = String::with_capacity(64);
    for octet in Sha256::digest(octets) {
        // Writing to a String does not fail.
        let _ = write!(digits, "{octet:02x}");
    }
    digits
}

#![no_main]

// The library that the player calls.
use mime_charset_c as _;

#[link(name = "play", kind = "static")]
unsafe extern "C" {
    /// Makes the calls chosen by the octets (bindings/c/tests/play.c).
    fn mime_charset_play(data: *const u8, length: usize);
}

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    // SAFETY: the player reads `length` octets, and keeps no reference to them.
    unsafe { mime_charset_play(octets.as_ptr(), octets.len()) }
});

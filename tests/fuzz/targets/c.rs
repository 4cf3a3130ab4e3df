#![no_main]

// What the player calls.
use mime_charset_c as _;

#[link(name = "play", kind = "static")]
unsafe extern "C" {
    /// Plays the calls that the octets draw (bindings/c/tests/play.c).
    fn mime_charset_play(data: *const u8, length: usize);
}

libfuzzer_sys::fuzz_target!(|octets: &[u8]| {
    // SAFETY: the player reads so many octets, and keeps nothing of them.
    unsafe { mime_charset_play(octets.as_ptr(), octets.len()) }
});

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| mime_charset_fuzz::date(octets));

//! Small hostile mail: every shape of `tests/hostile/`, in every way, on a thread with a stack of
//! 256 KiB, with a limit on its peak heap. Also files that declare huge lengths.

#[path = "../../../tests/hostile/src/shapes.rs"]
#[expect(dead_code, reason = "plain text is for measuring time")]
mod shapes;
#[path = "../../../tests/hostile/src/ways.rs"]
#[expect(dead_code, reason = "names and peers are for measuring time")]
mod ways;

use std::thread;

use peak_alloc::PeakAlloc;

use mime_charset::header;
use mime_charset::{Kind, header::Parameter};
use mime_charset_archive::mbox;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

const STACK: usize = 256 << 10;
/// For unoptimized code; `tests/hostile/run` uses large sizes.
const SIZE: usize = 4 << 10;
/// Limit on the heap for reading such mail: buffers of a fixed size, and a multiple that suffices
/// even for mail that changes everywhere.
const MOST: usize = 768 << 10;

/// A single test, because the heap is shared.
#[test]
fn hostile_mail_needs_little_stack_and_heap() {
    let thread = thread::Builder::new().stack_size(STACK).spawn(|| {
        for shape in shapes::SHAPES {
            for way in ways::WAYS.iter().filter(|way| way.fits(shape.place)) {
                let mail = (way.dress)(shape.place, &(shape.make)(SIZE));
                // Build the tables that all reads share.
                (way.read)(&mail, shape.place.label());
                let before = HEAP.current_usage();
                HEAP.reset_peak_usage();
                (way.read)(&mail, shape.place.label());
                let peak = HEAP.peak_usage() - before;
                assert!(peak <= MOST, "{}, {}: {peak}", shape.name, way.name);
            }
        }
        declared_lengths_reserve_no_memory();
        declared_windows_reserve_no_memory();
    });
    thread.unwrap().join().unwrap();
}

/// A length declared in a file reserves no memory.
fn declared_lengths_reserve_no_memory() {
    let measured = |task: &dyn Fn()| {
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        task();
        HEAP.peak_usage() - before
    };
    for length in [
        "999999999999",
        "18446744073709551615",
        "99999999999999999999999",
    ] {
        let file = format!("From a Sat Jan  3 01:05:34 1996\nContent-Length: {length}\n\nx\n");
        let peak = measured(&|| {
            let stored = mbox::read(file.as_bytes()).next().unwrap().unwrap();
            assert!(stored.message().ends_with(b"\n\nx\n"));
        });
        // A stream is read in chunks of 256 KiB.
        assert!(peak <= 2 << 20, "{length}: {peak}");
    }
    for number in ["9999", "99999", "4294967296", "99999999999999999999999"] {
        let body = format!("text/plain; a*{number}*=x; a*0*=utf-8''y");
        let peak = measured(&|| {
            let field = header::content_type(body.as_bytes());
            assert_eq!(field.parameter("a").unwrap().octets(), b"y");
            let is_section = number
                .parse()
                .is_ok_and(|n: usize| n <= Parameter::MAX_SECTION);
            assert_eq!(field.report().has(Kind::SectionGap), is_section);
        });
        assert!(peak <= 64 << 10, "{number}: {peak}");
    }
}

/// A zstd frame declares how much preceding output must be kept (RFC 8878, section 3.1.1.1.2): here
/// 3.75 TB.
fn declared_windows_reserve_no_memory() {
    // A block of xz declares the same (The .xz File Format, sections 3.1 and 5.3.1): 40 stands for
    // 4 GiB less one octet.
    let mut xz = std::fs::read("../corpus/archive/mboxrd.mbox.xz").unwrap();
    assert_eq!(xz[12..16], [0x02, 0x00, 0x21, 0x01]);
    xz[16] = 40;
    let mut sum = flate2::Crc::new();
    sum.update(&xz[12..20]);
    xz[20..24].copy_from_slice(&sum.sum().to_le_bytes());
    let zst = b"\x28\xB5\x2F\xFD\x00\xFF\x01\0\0";
    for (name, octets) in [("a.eml.zst", &zst[..]), ("a.mbox.xz", &xz)] {
        check_reserves_no_memory(name, octets);
    }
}

fn check_reserves_no_memory(name: &str, octets: &[u8]) {
    use mime_charset_archive::{Limits, sources};

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, octets).unwrap();
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let mut found = sources(&file, Limits::new());
    let error = found.next().unwrap().unwrap_err().to_string();
    assert!(
        error.contains("dictionary exceeds") == name.ends_with("xz"),
        "{error}"
    );
    assert!(found.next().is_none());
    assert!(HEAP.peak_usage() - before <= 4 << 20, "{name}");
}

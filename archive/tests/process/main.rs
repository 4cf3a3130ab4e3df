//! Hostile mail in small: every shape of `tests/hostile/`, in every way, on a thread with
//! 256 KiB of stack, with its peak of heap; and numbers in files that promise too much.

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
/// In unoptimized code; `tests/hostile/run` has them large.
const SIZE: usize = 4 << 10;
/// What reading that may take: buffers of a fixed size, and a multiple that holds for mail of
/// nothing but changes too.
const MOST: usize = 768 << 10;

/// One test, because the heap is one for all.
#[test]
fn any_mail_is_read_with_little_stack_and_heap() {
    let thread = thread::Builder::new().stack_size(STACK).spawn(|| {
        for shape in shapes::SHAPES {
            for way in ways::WAYS.iter().filter(|way| way.fits(shape.place)) {
                let mail = (way.dress)(shape.place, &(shape.make)(SIZE));
                // Tables are made once, for all that is read.
                (way.read)(&mail, shape.place.label());
                let before = HEAP.current_usage();
                HEAP.reset_peak_usage();
                (way.read)(&mail, shape.place.label());
                let peak = HEAP.peak_usage() - before;
                assert!(peak <= MOST, "{}, {}: {peak}", shape.name, way.name);
            }
        }
        numbers_reserve_nothing();
        windows_reserve_nothing();
    });
    thread.unwrap().join().unwrap();
}

/// What a number in a file promises is not believed before it is there.
fn numbers_reserve_nothing() {
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
        // A stream is read in pieces of 256 KiB.
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

/// A frame of zstd says how much of what came before has to be kept (RFC 8878, section
/// 3.1.1.1.2): here 3.75 TB.
fn windows_reserve_nothing() {
    // A block of xz says the same (The .xz File Format, sections 3.1 and 5.3.1): 40 stands for
    // 4 GiB less one octet.
    let mut xz = std::fs::read("../corpus/archive/mboxrd.mbox.xz").unwrap();
    assert_eq!(xz[12..16], [0x02, 0x00, 0x21, 0x01]);
    xz[16] = 40;
    let mut sum = flate2::Crc::new();
    sum.update(&xz[12..20]);
    xz[20..24].copy_from_slice(&sum.sum().to_le_bytes());
    let zst = b"\x28\xB5\x2F\xFD\x00\xFF\x01\0\0";
    for (name, octets) in [("a.eml.zst", &zst[..]), ("a.mbox.xz", &xz)] {
        reserves_nothing(name, octets);
    }
}

fn reserves_nothing(name: &str, octets: &[u8]) {
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

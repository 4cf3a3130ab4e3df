//! The cost of hostile mail: each shape, read in every way, in three sizes that double.
//!
//! ```text
//! mime-charset-hostile instructions [WORD]  fails if doubling the mail takes more than 2.3
//!                                           times the instructions, as the geometric mean of
//!                                           two doublings; needs valgrind
//! mime-charset-hostile memory [WORD]        fails if the heap exceeds 4 times the mail plus
//!                                           16 MiB, or 5 times for written fields
//! mime-charset-hostile time [WORD]          fails if 1 MiB takes more than 20 times as long
//!                                           as plain text
//! ```
//!
//! WORD selects measurements whose `shape, way` contains it. `MIME_CHARSET_HOSTILE_SIZE` is the
//! smallest size in octets.

mod shapes;
mod ways;

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use cpu_time::ThreadTime;
use peak_alloc::PeakAlloc;

use shapes::{PLAIN, SHAPES, Shape};
use ways::{WAYS, Way};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Maximum growth of the cost when the mail doubles.
const MOST_GROWTH: f64 = 2.3;
/// Fixed cost, which would hide growth in small mail and is negligible in large mail.
const FIXED: u64 = 100_000;
/// Maximum time for 1 MiB, as a multiple of plain text.
const MOST_TIME: f64 = 20.0;
/// Fixed memory for any mail, in addition to its multiple.
const FIXED_MEMORY: usize = 16 << 20;

impl Way {
    /// Maximum memory, as a multiple of the mail's size.
    fn most_memory(&self) -> usize {
        match self.name {
            // Written fields may be nearly four times as long as their text: every second
            // one-letter word takes sixteen.
            "written as fields" => 5,
            _ => 4,
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let word = arguments.get(1).map_or("", String::as_str);
    let failures = match arguments.first().map(String::as_str) {
        Some("instructions") => instructions(word),
        Some("memory") => memory(word),
        Some("time") => time(word),
        // `instructions` runs this under valgrind.
        Some("run") => {
            each(word, &sizes(16 << 10), |_, _, _, mail| {
                black_box(mail.measured());
            });
            0
        }
        _ => {
            eprintln!("mime-charset-hostile: expected instructions, memory or time");
            return ExitCode::from(2);
        }
    };
    ExitCode::from(u8::from(failures > 0))
}

/// A shape of one size, prepared for one way of reading.
struct Mail {
    octets: Vec<u8>,
    label: &'static str,
    way: &'static Way,
}

impl Mail {
    /// The only function whose instructions are counted.
    #[inline(never)]
    fn measured(&self) -> usize {
        (self.way.read)(&self.octets, self.label)
    }
}

/// Calls `act` for each shape, way and size.
fn each(word: &str, sizes: &[usize], mut act: impl FnMut(&Shape, &'static Way, usize, Mail)) {
    for shape in SHAPES {
        let is_named = |way: &&Way| format!("{}, {}", shape.name, way.name).contains(word);
        for way in WAYS
            .iter()
            .filter(|way| way.fits(shape.place))
            .filter(is_named)
        {
            for &size in sizes {
                act(shape, way, size, way.mail(shape, size));
            }
        }
    }
}

impl Way {
    fn mail(&'static self, shape: &Shape, size: usize) -> Mail {
        Mail {
            octets: (self.dress)(shape.place, &(shape.make)(size)),
            label: shape.place.label(),
            way: self,
        }
    }
}

/// Three sizes that double.
fn sizes(smallest: usize) -> [usize; 3] {
    let given = env::var("MIME_CHARSET_HOSTILE_SIZE").ok();
    let smallest = given.map_or(smallest, |size| size.parse().expect("a size in octets"));
    [smallest, 2 * smallest, 4 * smallest]
}

/// Counts instructions under callgrind, and checks their growth.
fn instructions(word: &str) -> usize {
    let folder = env::temp_dir().join(format!("mime-charset-hostile-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the counts");
    let program = env::current_exe().expect("the path of this program");
    let status = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--compress-strings=yes",
            "--compress-pos=yes",
        ])
        .arg("--zero-before=mime_charset_hostile::Mail::measured")
        .arg("--dump-after=mime_charset_hostile::Mail::measured")
        .arg(format!(
            "--callgrind-out-file={}",
            folder.join("count").display()
        ))
        .arg(program)
        .args(["run", word])
        .stderr(Stdio::null())
        .status()
        .expect("valgrind, which this needs");
    assert!(status.success(), "valgrind ended with {status}");
    let mut counts = (1..).map(|number| {
        let dump = fs::read_to_string(folder.join(format!("count.{number}")))
            .expect("a count for each size");
        let line = dump.lines().find_map(|line| line.strip_prefix("totals: "));
        line.expect("the total").parse::<u64>().expect("a number")
    });

    println!("| shape | way | instructions for each octet | twice | four times |");
    println!("|---|---|---:|---:|---:|");
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    each(word, &sizes(16 << 10), |shape, way, size, mail| {
        row.push((mail.octets.len(), counts.next().unwrap_or_default()));
        if row.len() < 3 {
            return;
        }
        let growth = |first: (usize, u64), second: (usize, u64)| {
            // The mail is not exactly twice as long.
            let longer = second.0 as f64 / first.0 as f64;
            let costs = second.1.saturating_sub(FIXED) as f64 / first.1.max(1) as f64;
            2.0 * costs / longer
        };
        let twice = growth(row[0], row[1]);
        let again = growth(row[1], row[2]);
        let each = row[2].1 as f64 / row[2].0 as f64;
        println!(
            "| {} | {} | {each:.1} | {twice:.2} | {again:.2} |",
            shape.name, way.name
        );
        // A guess or a limit may cause one step; excessive growth shows in both doublings.
        rows.push((
            (twice * again).sqrt(),
            format!("{}, {}", shape.name, way.name),
        ));
        let _ = size;
        row.clear();
    });
    let _ = fs::remove_dir_all(&folder);
    summary("growth", &mut rows, MOST_GROWTH)
}

/// Measures the heap, including the mail itself.
fn memory(word: &str) -> usize {
    println!("| shape | way | MiB of mail | MiB of heap | allowed |");
    println!("|---|---|---:|---:|---:|");
    let mut rows = Vec::new();
    each(word, &sizes(1 << 20), |shape, way, _, mail| {
        HEAP.reset_peak_usage();
        black_box(mail.measured());
        let peak = HEAP.peak_usage();
        let most = way.most_memory() * mail.octets.len() + FIXED_MEMORY;
        let mib = |octets: usize| octets as f64 / f64::from(1 << 20);
        println!(
            "| {} | {} | {:.1} | {:.1} | {:.1} |",
            shape.name,
            way.name,
            mib(mail.octets.len()),
            mib(peak),
            mib(most)
        );
        let mut name = format!("{}, {}", shape.name, way.name);
        let _ = write!(name, ", {:.0} MiB", mib(mail.octets.len()));
        rows.push((peak as f64 / most as f64, name));
    });
    summary("part of the allowed heap", &mut rows, 1.0)
}

/// Times 1 MiB of each shape and of plain text, by the clock of the thread.
fn time(word: &str) -> usize {
    let of = |mail: &Mail| {
        let once = || {
            let start = ThreadTime::now();
            black_box(mail.measured());
            start.elapsed().as_secs_f64() * 1000.0
        };
        (0..3).map(|_| once()).fold(f64::MAX, f64::min)
    };
    let size = sizes(1 << 20)[0];
    println!("| plain | way | ms |");
    println!("|---|---|---:|");
    let mut plain = Vec::new();
    for shape in &PLAIN {
        for way in WAYS.iter().filter(|way| way.peer() == way.name) {
            let mail = way.mail(shape, size);
            let time = of(&mail);
            println!("| {} | {} | {time:.2} |", shape.name, way.name);
            plain.push((way.name, mail, time));
        }
    }
    println!("\n| shape | way | ms |");
    println!("|---|---|---:|");
    let mut rows = Vec::new();
    each(word, &[size], |shape, way, _, mail| {
        let peers = || plain.iter().filter(|(name, ..)| *name == way.peer());
        let slowest = peers().map(|(.., time)| *time).fold(0.0, f64::max);
        let mut time = of(&mail);
        let mut figure = time / slowest;
        if figure > MOST_TIME {
            // The processor may have slowed down: each of these ratios is from two consecutive
            // timings.
            let mut again = [0; 5].map(|_| {
                let slowest = peers().map(|(_, plain, _)| of(plain)).fold(0.0, f64::max);
                let now = of(&mail);
                time = time.min(now);
                now / slowest
            });
            again.sort_by(f64::total_cmp);
            figure = again[2];
        }
        println!("| {} | {} | {time:.2} |", shape.name, way.name);
        rows.push((
            figure,
            format!("{}, {}, {time:.1} ms", shape.name, way.name),
        ));
    });
    summary("times plain text", &mut rows, MOST_TIME)
}

/// Prints the worst results, and returns the number beyond the limit.
fn summary(what: &str, rows: &mut [(f64, String)], most: f64) -> usize {
    rows.sort_by(|one, next| next.0.total_cmp(&one.0));
    let beyond = rows.iter().filter(|(figure, _)| *figure > most).count();
    println!(
        "\n{} measured, {beyond} beyond {what} {most}; the worst:",
        rows.len()
    );
    for (figure, name) in rows.iter().take(beyond.max(10)) {
        println!("{figure:8.2}  {name}");
    }
    beyond
}

//! Cases of one row alternate, so that a ratio compares runs close in time on a noisy machine. Each
//! is timed by the CPU clock of its thread, or by the wall clock if it uses two threads. The output
//! is the median, and the distance of the middle half of the turns from it.

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// The amount of measuring, from the command line and the environment.
pub struct Plan {
    filter: Option<String>,
    rows: Option<String>,
    rounds: usize,
    slice: Duration,
    smoke: bool,
    /// A peer's name and its number of runs, if nothing is measured.
    counted: Option<(String, u32)>,
}

impl Plan {
    /// `cargo bench` measures; `cargo bench -- --test` and `cargo test --benches` run each case
    /// once. The first other argument selects tables by title, the second selects rows by name.
    pub fn from_arguments() -> Self {
        let arguments: Vec<_> = std::env::args().skip(1).collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let mut words = arguments.iter().filter(|a| !a.starts_with('-')).cloned();
        Plan {
            filter: words.next(),
            rows: words.next(),
            rounds: number("MIME_CHARSET_BENCH_ROUNDS").unwrap_or(11),
            slice: Duration::from_millis(5),
            smoke: has("--test") || !has("--bench"),
            counted: argument("--times", 1).and_then(|times| {
                let peer = argument("--peer", 1).unwrap_or_else(|| "mime-charset".into());
                Some((peer, times.parse().ok()?))
            }),
        }
    }

    /// Whether each case runs only once, as a smoke test.
    pub fn is_smoke(&self) -> bool {
        self.smoke
    }

    /// Whether the table is selected.
    pub fn wants(&self, title: &str) -> bool {
        is_picked(title, self.filter.as_deref())
    }

    fn wants_row(&self, name: &str) -> bool {
        is_picked(name, self.rows.as_deref())
    }
}

fn is_picked(name: &str, word: Option<&str>) -> bool {
    let word = word.unwrap_or_default().to_lowercase();
    name.to_lowercase().contains(&word)
}

/// The argument `place` positions after an option.
pub fn argument(option: &str, place: usize) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != option);
    arguments.nth(place)
}

/// A number from the environment.
pub fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

/// One library doing one task. Its answer is checked before it is timed.
pub struct Peer<'a> {
    name: &'static str,
    /// `None` for a yardstick.
    answer: Option<Box<dyn FnMut() -> Cow<'a, [u8]> + 'a>>,
    /// The same task without collecting the answer, if collecting costs time.
    work: Option<Box<dyn FnMut() + 'a>>,
    clock: Clock,
}

/// The clock for a peer.
#[derive(Clone, Copy)]
enum Clock {
    /// CPU time of the working thread, independent of other load.
    Thread,
    /// Elapsed time.
    Wall,
}

impl<'a> Peer<'a> {
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The same peer, timed for this task.
    pub fn with_work(mut self, work: impl FnMut() + 'a) -> Self {
        self.work = Some(Box::new(work));
        self
    }

    /// The same peer, timed by the wall clock because it uses threads.
    pub fn by_the_wall(mut self) -> Self {
        self.clock = Clock::Wall;
        self
    }
}

/// A peer that answers with octets or UTF-8.
pub fn peer<'a>(name: &'static str, answer: impl FnMut() -> Cow<'a, [u8]> + 'a) -> Peer<'a> {
    Peer {
        name,
        answer: Some(Box::new(answer)),
        work: None,
        clock: Clock::Thread,
    }
}

/// A task without an answer, as a reference for the others.
pub fn yardstick<'a>(name: &'static str, work: impl FnMut() + 'a) -> Peer<'a> {
    Peer {
        name,
        answer: None,
        work: Some(Box::new(work)),
        clock: Clock::Thread,
    }
}

/// A peer whose answer is too expensive to collect while timed.
pub fn peer_in_two<'a>(
    name: &'static str,
    answer: impl FnMut() -> Cow<'a, [u8]> + 'a,
    work: impl FnMut() + 'a,
) -> Peer<'a> {
    peer(name, answer).with_work(work)
}

/// Text as octets.
pub fn utf8(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// A task and the peers that do it, ours first.
pub struct Row<'a> {
    pub name: String,
    /// Octets read by one run; 0 for tasks measured by time per run.
    pub octets: usize,
    pub right: Cow<'a, [u8]>,
    pub peers: Vec<Peer<'a>>,
}

/// Measures rows and prints them as one Markdown table.
///
/// Our column has the rate, or the time of one run. The others have their speed as a multiple of
/// ours: 0.50 is half as fast. A wrong answer is marked, however fast it is. The last column is the
/// spread: half the distance between the quartiles, in percent of the median. For a row of
/// multiples it is the widest one; without a peer it is the spread of the rate.
///
/// # Panics
///
/// If our own answer is wrong.
pub fn table(plan: &Plan, title: &str, mut rows: Vec<Row<'_>>) {
    rows.retain(|row| plan.wants_row(&row.name));
    if let Some((name, times)) = &plan.counted {
        for row in &mut rows {
            for peer in row.peers.iter_mut().filter(|peer| peer.name == name) {
                println!("{}: {name}, {times} times", row.name);
                run(peer, *times);
            }
        }
        return;
    }
    let mut names: Vec<&str> = Vec::new();
    for peer in rows.iter().flat_map(|row| &row.peers) {
        if !names.contains(&peer.name) {
            names.push(peer.name);
        }
    }
    println!("\n## {title}\n");
    println!("| | {} | ± |", names.join(" | "));
    println!("|---|{}", "---:|".repeat(names.len() + 1));
    for mut row in rows {
        let results = measure(plan, &mut row);
        let cells: Vec<_> = names
            .iter()
            .map(|name| cell(name, names[0], row.octets, &results))
            .collect();
        let spread = spread(&results);
        println!("| {} | {} | {spread} |", row.name, cells.join(" | "));
    }
}

/// The result of one peer's run.
struct Outcome {
    is_right: bool,
    seconds: Vec<f64>,
}

fn measure(plan: &Plan, row: &mut Row<'_>) -> Vec<(&'static str, Outcome)> {
    let mut results = Vec::new();
    for (index, peer) in row.peers.iter_mut().enumerate() {
        let is_right = match &mut peer.answer {
            Some(answer) => answer() == row.right,
            None => true,
        };
        assert!(is_right || index > 0, "{}: our answer is wrong", row.name);
        let seconds = Vec::new();
        results.push((peer.name, Outcome { is_right, seconds }));
    }
    if plan.smoke {
        return results;
    }
    let times: Vec<_> = row
        .peers
        .iter_mut()
        .map(|peer| calibrate(plan, peer))
        .collect();
    for round in 0..plan.rounds {
        for turn in 0..row.peers.len() {
            let index = (turn + round) % row.peers.len();
            let seconds = run(&mut row.peers[index], times[index]);
            results[index].1.seconds.push(seconds);
        }
    }
    results
}

/// The number of runs that fill a slice of time, or at least half of it.
///
/// Two timings must agree: a single first run may be interrupted or slowed by cold caches. It would
/// then seem to fill a slice, and the clock's resolution would dominate.
fn calibrate(plan: &Plan, peer: &mut Peer<'_>) -> u32 {
    const MOST: u32 = 1 << 26;
    let mut times = 1;
    let fills = |peer: &mut Peer<'_>, times| {
        let seconds = run(peer, times) * f64::from(times);
        seconds * 2.0 >= plan.slice.as_secs_f64()
    };
    while times < MOST && !(fills(peer, times) && fills(peer, times)) {
        times *= 2;
    }
    times
}

/// Seconds per run, over `times` runs.
fn run(peer: &mut Peer<'_>, times: u32) -> f64 {
    let (wall, thread) = (Instant::now(), ThreadTime::now());
    for _ in 0..times {
        match (&mut peer.work, &mut peer.answer) {
            (Some(work), _) => work(),
            (None, Some(answer)) => drop(black_box(answer())),
            (None, None) => {}
        }
    }
    let elapsed = match peer.clock {
        Clock::Thread => thread.elapsed(),
        Clock::Wall => wall.elapsed(),
    };
    elapsed.as_secs_f64() / f64::from(times)
}

fn cell(name: &str, ours: &str, octets: usize, results: &[(&'static str, Outcome)]) -> String {
    let find = |wanted: &str| {
        let found = results.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, outcome)| outcome)
    };
    let (Some(outcome), Some(ours_outcome)) = (find(name), find(ours)) else {
        return String::new();
    };
    let seconds = &outcome.seconds;
    let speed = if seconds.is_empty() {
        String::new()
    } else if name == ours {
        rate(octets, median(seconds.clone()))
    } else {
        multiple(median(ratios(ours_outcome, outcome)))
    };
    match (outcome.is_right, speed.as_str()) {
        (true, "") => "right".into(),
        (true, _) => speed,
        (false, "") => "wrong".into(),
        (false, _) => format!("wrong ({speed})"),
    }
}

fn rate(octets: usize, seconds: f64) -> String {
    match u32::try_from(octets) {
        Ok(octets @ 1..) => format!("{:.2} GB/s", f64::from(octets) / seconds / 1e9),
        _ => format!("{:.0} ns", seconds * 1e9),
    }
}

/// Rounded to two significant digits.
fn multiple(ratio: f64) -> String {
    if ratio < 0.1 {
        format!("{ratio:.3}")
    } else {
        format!("{ratio:.2}")
    }
}

/// A peer's speed as a multiple of ours, for each turn.
fn ratios(ours: &Outcome, theirs: &Outcome) -> Vec<f64> {
    let pairs = ours.seconds.iter().zip(&theirs.seconds);
    pairs.map(|(ours, theirs)| ours / theirs).collect()
}

/// The widest spread of the compared peers.
fn spread(results: &[(&'static str, Outcome)]) -> String {
    let compared: Vec<_> = match results {
        [(_, ours), peers @ ..] if !peers.is_empty() => {
            peers.iter().map(|(_, peer)| ratios(ours, peer)).collect()
        }
        _ => results
            .iter()
            .map(|(_, only)| only.seconds.clone())
            .collect(),
    };
    let spreads = compared.into_iter().filter_map(|mut values| {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| values.get(values.len() * quarter / 4);
        Some((at(3)? - at(1)?) / at(2)? * 50.0)
    });
    let widest = spreads.max_by(f64::total_cmp);
    widest.map_or_else(String::new, |percent| format!("{percent:.0} %"))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

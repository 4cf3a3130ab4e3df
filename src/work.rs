//! Counts processed octets, in tests only: shows linear time without a clock.

#[cfg(test)]
thread_local! {
    static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts `octets` as processed. Every function that walks over a range calls it: to parse fields and
/// messages, decode words and transfer encodings, and search for evidence of a charset. Decoding charsets
/// and scoring at most a few hundred octets are measured instead in instructions by `tests/hostile`.
#[inline]
pub(crate) fn work(octets: usize) {
    #[cfg(test)]
    WORK.with(|work| work.set(work.get() + octets));
    #[cfg(not(test))]
    let _ = octets;
}

/// The number of octets that `task` processes.
#[cfg(test)]
pub(crate) fn work_of(task: impl FnOnce()) -> usize {
    let before = WORK.with(std::cell::Cell::get);
    task();
    WORK.with(std::cell::Cell::get) - before
}

//! Counts the octets that are looked at, in tests only: what shows that time is linear
//! without a clock.

#[cfg(test)]
thread_local! {
    static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts `octets` as looked at. What takes fields and messages apart calls it for every range
/// that it walks over, and so does what takes the encoding from words and bodies, or looks for a
/// charset by its signs; decoding a charset and weighing what is no more than a few hundred octets
/// are not counted here, but by the instructions that `tests/hostile` counts.
#[inline]
pub(crate) fn work(octets: usize) {
    #[cfg(test)]
    WORK.with(|work| work.set(work.get() + octets));
    #[cfg(not(test))]
    let _ = octets;
}

/// How many octets `task` looks at.
#[cfg(test)]
pub(crate) fn work_of(task: impl FnOnce()) -> usize {
    let before = WORK.with(std::cell::Cell::get);
    task();
    WORK.with(std::cell::Cell::get) - before
}

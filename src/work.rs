//! Counts the octets that are looked at, in tests only: what shows that time is linear
//! without a clock.

#[cfg(test)]
thread_local! {
    static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts `octets` as looked at. Every loop over octets of a field or a message ends in a
/// call of it, and every decoding begins with one.
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

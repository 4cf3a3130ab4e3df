//! Work on messages by several threads, its results in the order of the messages.
//!
//! One thread reads, some work, and the one that asked writes. What is under way is bounded
//! in octets, so that memory is the same whatever the length of the archive.
//!
//! The threads and the channels are those of the standard library. Crates that go through an
//! iterator in parallel and keep its order (pariter, parseq, plmap) bound what is under way by
//! the number of pieces, and a message may have a gigabyte; rayon has neither an order nor a
//! bound for what comes from a stream. What is left to write here is those two.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// How many octets of mail are read ahead of what is written. One message may have more.
const UNDER_WAY: usize = 4 << 20;

/// What comes out, in the order it was given in.
pub(super) enum Step<N, O> {
    /// Passed on as it is.
    Note(N),
    /// What became of one piece of work.
    Done(O),
}

/// Has `read` feed, `workers` threads `work` and `write` write. Stops at the first failure
/// to write, and has the others stop.
pub(super) fn run<N: Send, J: Send, O: Send, E>(
    workers: NonZeroUsize,
    read: impl FnOnce(&Feed<'_, N, J, O>) + Send,
    work: impl Fn(J) -> O + Sync,
    mut write: impl FnMut(Step<N, O>) -> Result<(), E>,
) -> Result<(), E> {
    let gauge = Gauge::default();
    let (ordered, in_order) = sync_channel(1024);
    let (jobs, waiting) = sync_channel::<(J, SyncSender<O>)>(workers.get());
    // The workers' alone, so that whoever feeds them sees when all have gone.
    let waiting = Arc::new(Mutex::new(waiting));
    thread::scope(|scope| {
        for _ in 0..workers.get() {
            let (waiting, work) = (Arc::clone(&waiting), &work);
            scope.spawn(move || {
                while let Some((job, answer)) = next(&waiting) {
                    // Nobody waits for it any more if writing has failed.
                    let _ = answer.send(work(job));
                }
            });
        }
        drop(waiting);
        let feed = Feed {
            gauge: &gauge,
            ordered,
            jobs,
        };
        scope.spawn(move || read(&feed));
        let mut end = Ok(());
        for entry in in_order {
            end = match entry {
                Entry::Note(note) => write(Step::Note(note)),
                Entry::Job { answer, octets } => {
                    // A worker that panicked gives none; the scope panics too.
                    let Ok(done) = answer.recv() else { break };
                    let end = write(Step::Done(done));
                    gauge.lower(octets);
                    end
                }
            };
            if end.is_err() {
                break;
            }
        }
        gauge.stop();
        end
    })
}

fn next<J>(waiting: &Mutex<Receiver<J>>) -> Option<J> {
    let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    waiting.recv().ok()
}

enum Entry<N, O> {
    Note(N),
    Job { answer: Receiver<O>, octets: usize },
}

/// Where what is read goes in.
pub(super) struct Feed<'g, N, J, O> {
    gauge: &'g Gauge,
    ordered: SyncSender<Entry<N, O>>,
    jobs: SyncSender<(J, SyncSender<O>)>,
}

/// Nobody wants more.
pub(super) struct Stopped;

impl<N, J, O> Feed<'_, N, J, O> {
    /// Something to be passed on in its turn.
    pub(super) fn note(&self, note: N) -> Result<(), Stopped> {
        self.ordered.send(Entry::Note(note)).map_err(|_| Stopped)
    }

    /// Work on so many octets; waits while too many are under way.
    pub(super) fn work(&self, job: J, octets: usize) -> Result<(), Stopped> {
        self.gauge.raise(octets)?;
        let (give, answer) = sync_channel(1);
        let entry = Entry::Job { answer, octets };
        self.ordered.send(entry).map_err(|_| Stopped)?;
        self.jobs.send((job, give)).map_err(|_| Stopped)
    }
}

/// How many octets are under way; `None` once nothing more is to be.
struct Gauge {
    octets: Mutex<Option<usize>>,
    lowered: Condvar,
}

impl Default for Gauge {
    fn default() -> Self {
        Gauge {
            octets: Mutex::new(Some(0)),
            lowered: Condvar::new(),
        }
    }
}

impl Gauge {
    fn raise(&self, more: usize) -> Result<(), Stopped> {
        let mut octets = self.octets.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *octets {
                None => return Err(Stopped),
                Some(there) if there == 0 || there + more <= UNDER_WAY => {
                    *octets = Some(there + more);
                    return Ok(());
                }
                Some(_) => {
                    let waited = self.lowered.wait(octets);
                    octets = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn lower(&self, less: usize) {
        let mut octets = self.octets.lock().unwrap_or_else(PoisonError::into_inner);
        *octets = octets.map(|there| there.saturating_sub(less));
        self.lowered.notify_one();
    }

    fn stop(&self) {
        *self.octets.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.lowered.notify_one();
    }
}

/// Pieces of work that are small by themselves, gathered until they are worth a thread's
/// while.
pub(super) struct Batch<T> {
    items: VecDeque<T>,
    octets: usize,
}

impl<T> Batch<T> {
    const ENOUGH: usize = 512 << 10;

    pub(super) fn new() -> Self {
        Batch {
            items: VecDeque::new(),
            octets: 0,
        }
    }

    /// Adds a piece; gives all of them, with their octets, once they are enough.
    pub(super) fn add(&mut self, item: T, octets: usize) -> Option<(VecDeque<T>, usize)> {
        self.items.push_back(item);
        self.octets += octets;
        (self.octets >= Self::ENOUGH).then(|| self.take())
    }

    /// What is left.
    pub(super) fn take(&mut self) -> (VecDeque<T>, usize) {
        (
            std::mem::take(&mut self.items),
            std::mem::take(&mut self.octets),
        )
    }
}

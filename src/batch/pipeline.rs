//! Work on messages by several threads, its results in the order of the messages.
//!
//! One thread reads, some work, and the one that asked writes. What is under way is bounded
//! in octets, so that memory is the same whatever the length of the archive.
//!
//! The threads and the channels are those of the standard library. Crates that go through an
//! iterator in parallel and keep its order (pariter, parseq, plmap) bound what is under way by
//! the number of pieces, and a message may have a gigabyte; rayon has neither an order nor a
//! bound for what comes from a stream. What is left to write here is those two.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// How many octets of mail are read ahead of what is written, at least and for each thread that
/// works. One message may have more.
const UNDER_WAY: usize = 4 << 20;
const FOR_EACH: usize = 1 << 20;

/// What a message takes besides its octets, or a step without one: of empty files too no more are
/// under way than memory is meant for.
const BESIDES: usize = 512;

/// More threads than that work no faster, and a system may refuse to make them.
const MOST_WORKERS: usize = 256;

/// What goes in and what comes out, in the same order.
pub(super) enum Step<N, T> {
    /// Passed on as it is.
    Note(N),
    /// Work to be done, or what became of it.
    Work(T),
}

/// Has `read` feed, `workers` threads but no more than [`MOST_WORKERS`] `work`, and `write` write.
/// Stops at the first failure to write, and has the others stop.
pub(super) fn run<N: Send, J: Send, O: Send, E>(
    workers: NonZeroUsize,
    read: impl FnOnce(&Feed<'_, N, J, O>) + Send,
    work: impl Fn(J) -> O + Sync,
    mut write: impl FnMut(Step<N, O>) -> Result<(), E>,
) -> Result<(), E> {
    let workers = workers.get().min(MOST_WORKERS);
    let gauge = Gauge::new(UNDER_WAY.max(workers.saturating_mul(FOR_EACH)));
    let (ordered, in_order) = sync_channel(1024);
    let (given, waiting) = sync_channel::<Given<N, J, O>>(workers);
    // The workers' alone, so that whoever feeds them sees when all have gone.
    let waiting = Arc::new(Mutex::new(waiting));
    thread::scope(|scope| {
        for _ in 0..workers {
            let (waiting, work) = (Arc::clone(&waiting), &work);
            let done = move |step| match step {
                Step::Note(note) => Step::Note(note),
                Step::Work(job) => Step::Work(work(job)),
            };
            scope.spawn(move || {
                while let Some(Given { steps, answer }) = next(&waiting) {
                    // Nobody waits for it any more if writing has failed.
                    let _ = answer.send(steps.into_iter().map(done).collect());
                }
            });
        }
        drop(waiting);
        let feed = Feed {
            gauge: &gauge,
            ordered,
            given,
            steps: RefCell::new(Batch::new()),
        };
        scope.spawn(move || {
            read(&feed);
            // Whoever writes has said why nobody wants more.
            let _ = feed.finish();
        });
        let mut end = Ok(());
        for Taken { answer, octets } in in_order {
            // A worker that panicked gives none; the scope panics too.
            let Ok(done) = answer.recv() else { break };
            end = done.into_iter().try_for_each(&mut write);
            gauge.lower(octets);
            if end.is_err() {
                break;
            }
        }
        gauge.stop();
        end
    })
}

fn next<T>(waiting: &Mutex<Receiver<T>>) -> Option<T> {
    let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    waiting.recv().ok()
}

/// What a worker is given.
struct Given<N, J, O> {
    steps: VecDeque<Step<N, J>>,
    answer: SyncSender<Vec<Step<N, O>>>,
}

/// What whoever writes waits for, in its turn.
struct Taken<N, O> {
    answer: Receiver<Vec<Step<N, O>>>,
    octets: usize,
}

/// Where what is read goes in: passed on when it is worth a thread's while, since a thread that
/// is woken for each short message costs more than the message.
pub(super) struct Feed<'g, N, J, O> {
    gauge: &'g Gauge,
    ordered: SyncSender<Taken<N, O>>,
    given: SyncSender<Given<N, J, O>>,
    steps: RefCell<Batch<Step<N, J>>>,
}

/// Nobody wants more.
pub(super) struct Stopped;

impl<N, J, O> Feed<'_, N, J, O> {
    /// Something to be passed on in its turn.
    pub(super) fn note(&self, note: N) -> Result<(), Stopped> {
        self.add(Step::Note(note), 0)
    }

    /// Work on so many octets; waits while too many are under way.
    pub(super) fn work(&self, job: J, octets: usize) -> Result<(), Stopped> {
        self.add(Step::Work(job), octets)
    }

    fn add(&self, step: Step<N, J>, octets: usize) -> Result<(), Stopped> {
        let full = self.steps.borrow_mut().add(step, octets);
        full.map_or(Ok(()), |(steps, octets)| self.send(steps, octets))
    }

    /// Passes on what is left.
    fn finish(&self) -> Result<(), Stopped> {
        let (steps, octets) = self.steps.borrow_mut().take();
        self.send(steps, octets)
    }

    fn send(&self, steps: VecDeque<Step<N, J>>, octets: usize) -> Result<(), Stopped> {
        self.gauge.raise(octets)?;
        let (give, answer) = sync_channel(1);
        let taken = Taken { answer, octets };
        self.ordered.send(taken).map_err(|_| Stopped)?;
        let given = Given {
            steps,
            answer: give,
        };
        self.given.send(given).map_err(|_| Stopped)
    }
}

/// How many octets are under way; `None` once nothing more is to be.
struct Gauge {
    most: usize,
    octets: Mutex<Option<usize>>,
    lowered: Condvar,
}

impl Gauge {
    fn new(most: usize) -> Self {
        Gauge {
            most,
            octets: Mutex::new(Some(0)),
            lowered: Condvar::new(),
        }
    }

    fn raise(&self, more: usize) -> Result<(), Stopped> {
        let mut octets = self.octets.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *octets {
                None => return Err(Stopped),
                Some(there) if there == 0 || there + more <= self.most => {
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

    /// Adds a piece; gives all of them, with the octets that they take, once they are enough.
    pub(super) fn add(&mut self, item: T, octets: usize) -> Option<(VecDeque<T>, usize)> {
        self.items.push_back(item);
        self.octets += octets + BESIDES;
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

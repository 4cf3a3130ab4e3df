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
/// A thread that works is made when there is enough for it, and what is left in the end is worked on
/// by the one that reads: one message has no use for many.
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
    let waiting = Arc::new(Mutex::new(waiting));
    thread::scope(|scope| {
        let (gauge, work) = (&gauge, &work);
        let done = move |step| match step {
            Step::Note(note) => Step::Note(note),
            Step::Work(job) => Step::Work(work(job)),
        };
        let answer = move |given: Given<N, J, O>| {
            let done = given.steps.into_iter().map(done).collect();
            // Nobody waits for it any more if writing has failed.
            let _ = given.answer.send(done);
        };
        let start = move |waiting: Waiting<N, J, O>| {
            scope.spawn(move || {
                while let Some(given) = next(&waiting) {
                    answer(given);
                }
            });
        };
        scope.spawn(move || {
            let feed = Feed {
                gauge,
                ordered,
                given,
                steps: RefCell::new(Batch::new()),
                idle: RefCell::new(vec![waiting; workers]),
                start: &start,
            };
            read(&feed);
            // Whoever writes has said why nobody wants more.
            if let Ok(rest) = feed.finish() {
                answer(rest);
            }
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

/// Where workers take from what they are given. It is theirs alone once all are at work, so that
/// whoever feeds them sees when all have gone.
type Waiting<N, J, O> = Arc<Mutex<Receiver<Given<N, J, O>>>>;

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
    /// For each worker that is still to be made; and what makes one.
    idle: RefCell<Vec<Waiting<N, J, O>>>,
    start: &'g dyn Fn(Waiting<N, J, O>),
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

    /// What is left, which is in its turn already.
    fn finish(&self) -> Result<Given<N, J, O>, Stopped> {
        let (steps, octets) = self.steps.borrow_mut().take();
        self.ordered(steps, octets)
    }

    fn send(&self, steps: VecDeque<Step<N, J>>, octets: usize) -> Result<(), Stopped> {
        let given = self.ordered(steps, octets)?;
        // There is room for as many as there may be workers: this waits only once all are at work.
        let sent = self.given.send(given).map_err(|_| Stopped);
        if let Some(waiting) = self.idle.borrow_mut().pop() {
            (self.start)(waiting);
        }
        sent
    }

    /// Has whoever writes wait for what becomes of this, in its turn.
    fn ordered(
        &self,
        steps: VecDeque<Step<N, J>>,
        octets: usize,
    ) -> Result<Given<N, J, O>, Stopped> {
        self.gauge.raise(octets)?;
        let (give, answer) = sync_channel(1);
        let taken = Taken { answer, octets };
        self.ordered.send(taken).map_err(|_| Stopped)?;
        Ok(Given {
            steps,
            answer: give,
        })
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

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::num::NonZeroUsize;

    use super::{Batch, Step, run};

    /// A thread is made for each piece of work until there are as many as there may be, but for the
    /// last, and the results come in order.
    #[test]
    fn threads_are_made_as_there_is_work() {
        const ENOUGH: usize = Batch::<()>::ENOUGH;
        let mut results = Vec::new();
        let end = run::<(), _, _, Infallible>(
            NonZeroUsize::new(3).unwrap(),
            |feed| {
                assert_eq!(feed.idle.borrow().len(), 3);
                for (job, idle) in [(0, 2), (1, 1), (2, 0), (3, 0)] {
                    assert!(feed.work(job, ENOUGH).is_ok());
                    assert_eq!(feed.idle.borrow().len(), idle);
                }
                assert!(feed.work(4, 1).is_ok());
            },
            |job| job * 10,
            |step| {
                if let Step::Work(result) = step {
                    results.push(result);
                }
                Ok(())
            },
        );
        assert_eq!((end, results), (Ok(()), vec![0, 10, 20, 30, 40]));
    }

    /// Where all that work have panicked, so does the run; nobody waits for ever.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_run_ends_where_all_have_panicked() {
        let _ = run::<(), _, (), Infallible>(
            NonZeroUsize::new(2).unwrap(),
            |feed| while feed.work((), Batch::<()>::ENOUGH).is_ok() {},
            |()| panic!("as a test has it"),
            |_| Ok(()),
        );
    }
}

//! Work on messages by several threads, its results in the order of the messages.
//!
//! One thread reads, some work, and the one that asked writes; of little mail the one that reads does
//! the work too. What is under way is bounded in octets, so that memory is the same whatever the length
//! of the archive.
//!
//! The threads and the channels are those of the standard library. Crates that go through an
//! iterator in parallel and keep its order (pariter, parseq, plmap) bound what is under way by
//! the number of pieces, and a message may have a gigabyte; rayon has neither an order nor a
//! bound for what comes from a stream. What is left to write here is those two.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SendError, SyncSender, sync_channel};
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
/// A thread that works is made when there is enough for it: one message has no use for many. Where
/// fewer were made than may be, the thread that reads works on what is left, once all is read.
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
        let work_on = move |given: Given<N, J, O>| {
            let done = given.steps.into_iter().map(done).collect();
            // Nobody waits for it any more if writing has failed.
            let _ = given.answer.send(done);
        };
        let make = move |waiting: Waiting<N, J, O>| {
            let works = move || {
                while let Some(given) = next(&waiting) {
                    work_on(given);
                }
            };
            thread::Builder::new().spawn_scoped(scope, works).is_ok()
        };
        scope.spawn(move || {
            let feed = Feed {
                gauge,
                ordered,
                given,
                steps: RefCell::new(Batch::new()),
                unmade: RefCell::new(vec![waiting; workers]),
                make: &make,
                work_on: &work_on,
            };
            read(&feed);
            // Whoever writes has said why nobody wants more.
            let _ = feed.finish();
        });
        // Whoever reads is not to wait for what is never written, if writing panics.
        let _stops = Stops(gauge);
        for Taken { answer, octets } in in_order {
            // A worker that panicked gives none; the scope panics too.
            let Ok(done) = answer.recv() else { break };
            done.into_iter().try_for_each(&mut write)?;
            gauge.lower(octets);
        }
        Ok(())
    })
}

/// Where workers take from what they are given. It is theirs alone once all are made, so that
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
    /// Where each worker takes from that is still to be made.
    unmade: RefCell<Vec<Waiting<N, J, O>>>,
    /// Makes a worker, if the system has a thread for it.
    make: &'g dyn Fn(Waiting<N, J, O>) -> bool,
    /// Does what a worker does.
    work_on: &'g dyn Fn(Given<N, J, O>),
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

    /// Has what is left worked on.
    fn finish(&self) -> Result<(), Stopped> {
        let (steps, octets) = self.steps.borrow_mut().take();
        if self.unmade.borrow().is_empty() {
            return self.send(steps, octets);
        }
        (self.work_on)(self.take_turn(steps, octets)?);
        Ok(())
    }

    fn send(&self, steps: VecDeque<Step<N, J>>, octets: usize) -> Result<(), Stopped> {
        let given = self.take_turn(steps, octets)?;
        let unmade = self.unmade.borrow_mut().pop();
        if unmade.is_some_and(|waiting| !(self.make)(waiting)) {
            // Those that are there have to do.
            self.unmade.borrow_mut().clear();
        }
        if let Err(SendError(given)) = self.given.send(given) {
            // There are none.
            (self.work_on)(given);
        }
        Ok(())
    }

    /// Has whoever writes wait for what becomes of this, in its turn.
    fn take_turn(
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

/// Has nothing more go under way once it goes out of scope.
struct Stops<'g>(&'g Gauge);

impl Drop for Stops<'_> {
    fn drop(&mut self) {
        self.0.stop();
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
    use std::cell::{Cell, RefCell};
    use std::convert::Infallible;
    use std::num::NonZeroUsize;
    use std::sync::mpsc::sync_channel;
    use std::sync::{Arc, Mutex};
    use std::thread::{self, ThreadId};

    use super::{Batch, Feed, Gauge, Given, MOST_WORKERS, Step, UNDER_WAY, run};

    const ENOUGH: usize = Batch::<()>::ENOUGH;

    type Jobs<'f> = Feed<'f, (), usize, (usize, ThreadId)>;

    /// Each job, by the thread that worked on it, in the order in which they are written; and the
    /// thread that read.
    fn worked(
        workers: usize,
        read: impl Fn(&Jobs<'_>) + Sync,
    ) -> (Vec<(usize, ThreadId)>, ThreadId) {
        let (mut written, reader) = (Vec::new(), Mutex::new(None));
        let end = run::<_, _, _, Infallible>(
            NonZeroUsize::new(workers).unwrap(),
            |feed| {
                *reader.lock().unwrap() = Some(thread::current().id());
                read(feed);
            },
            |job| (job, thread::current().id()),
            |step| {
                if let Step::Work(result) = step {
                    written.push(result);
                }
                Ok(())
            },
        );
        assert_eq!(end, Ok(()));
        (written, reader.into_inner().unwrap().unwrap())
    }

    fn unmade(feed: &Jobs<'_>) -> usize {
        feed.unmade.borrow().len()
    }

    /// A thread is made for each piece of work until there are as many as there may be, and the
    /// results come in order.
    #[test]
    fn threads_are_made_as_there_is_work() {
        let (written, reader) = worked(3, |feed| {
            assert_eq!(unmade(feed), 3);
            for (job, left) in [(0, 2), (1, 1), (2, 0), (3, 0)] {
                assert!(feed.work(job, ENOUGH).is_ok());
                assert_eq!(unmade(feed), left);
            }
            assert!(feed.work(4, 1).is_ok());
        });
        assert!(written.iter().map(|(job, _)| *job).eq(0..5));
        assert!(written.iter().all(|(_, thread)| *thread != reader));
    }

    /// What is left is worked on by the thread that reads, unless there are as many as may work.
    #[test]
    fn one_message_takes_no_other_thread() {
        let (written, reader) = worked(8, |feed| assert!(feed.work(7, 1).is_ok()));
        assert_eq!(written, [(7, reader)]);
        let (written, reader) = worked(1, |feed| {
            assert!(feed.work(0, ENOUGH).is_ok() && feed.work(1, 1).is_ok());
        });
        assert!(written.iter().all(|(_, thread)| *thread != reader));
    }

    #[test]
    fn there_are_no_more_threads_than_may_be() {
        worked(60_000, |feed| assert_eq!(unmade(feed), MOST_WORKERS));
    }

    /// Where the system has no thread for any worker, the one that reads works; it asks for one once.
    #[test]
    fn a_thread_that_is_refused_is_done_without() {
        let gauge = Gauge::new(UNDER_WAY);
        let (ordered, in_order) = sync_channel(8);
        let (given, waiting) = sync_channel(2);
        let waiting = Arc::new(Mutex::new(waiting));
        let asked = Cell::new(0);
        let feed = Feed {
            gauge: &gauge,
            ordered,
            given,
            steps: RefCell::new(Batch::new()),
            unmade: RefCell::new(vec![waiting; 2]),
            make: &|_| {
                asked.set(asked.get() + 1);
                false
            },
            work_on: &|given: Given<(), usize, usize>| {
                let jobs = given.steps.into_iter().filter_map(|step| match step {
                    Step::Work(job) => Some(Step::Work(job * 10)),
                    Step::Note(()) => None,
                });
                given.answer.send(jobs.collect()).unwrap();
            },
        };
        for job in 0..3 {
            assert!(feed.work(job, ENOUGH).is_ok());
            let done = in_order.recv().unwrap().answer.recv().unwrap();
            assert!(matches!(done[..], [Step::Work(result)] if result == job * 10));
        }
        assert_eq!(asked.get(), 1);
    }

    /// Where all that work have panicked, so does the run; nobody waits for ever.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_run_ends_where_all_have_panicked() {
        let _ = run::<(), _, (), Infallible>(
            NonZeroUsize::new(2).unwrap(),
            |feed| while feed.work((), ENOUGH).is_ok() {},
            |()| panic!("as a test has it"),
            |_| Ok(()),
        );
    }

    /// The same where it is the last piece.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_run_ends_where_the_one_that_reads_has_panicked() {
        let _ = run::<(), _, (), Infallible>(
            NonZeroUsize::MIN,
            |feed| assert!(feed.work((), 1).is_ok()),
            |()| panic!("as a test has it"),
            |_| Ok(()),
        );
    }

    /// Where writing panics while more is read than may be under way, the run ends.
    #[test]
    #[should_panic(expected = "as a test has it")]
    fn a_run_ends_where_writing_panics() {
        let _ = run::<(), _, _, Infallible>(
            NonZeroUsize::MIN,
            |feed| while feed.work((), UNDER_WAY).is_ok() {},
            |()| (),
            |_| panic!("as a test has it"),
        );
    }

    /// Where writing fails, that is the end of it.
    #[test]
    fn a_failure_to_write_ends_the_run() {
        let end = run::<(), _, _, &str>(
            NonZeroUsize::MIN,
            |feed| while feed.work((), UNDER_WAY).is_ok() {},
            |()| (),
            |_| Err("full"),
        );
        assert_eq!(end, Err("full"));
    }
}

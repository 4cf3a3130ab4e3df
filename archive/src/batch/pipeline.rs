//! Processes messages in parallel, and keeps their order.
//!
//! One thread reads, several work, and the caller's thread writes; the reader also works if there is
//! little mail. The number of octets in flight is bounded, so memory does not grow with the archive.
//!
//! Threads and channels are those of the standard library. Crates for ordered parallel iterators
//! (pariter, parseq, plmap) bound the number of items in flight, not of octets, and a message may
//! be a gigabyte long. rayon neither preserves order nor bounds items from a stream.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SendError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, LazyLock, Mutex, PoisonError};
use std::thread;

/// Maximum number of octets in flight, or [`PER_WORKER`] for each worker if that is more in total.
/// A single message may exceed it.
const MAX_IN_FLIGHT: usize = 4 << 20;
const PER_WORKER: usize = 1 << 20;

/// Memory overhead of a message or note: bounds the number of empty files in flight.
const OVERHEAD: usize = 512;

/// More threads are not faster, and the system may refuse to create them.
const MAX_WORKERS: usize = 256;

/// The number of processors that the process may use. Queried once, since on Linux each query reads
/// the cgroup files.
static PROCESSORS: LazyLock<NonZeroUsize> =
    LazyLock::new(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));

/// One item of the ordered pipeline.
pub(super) enum Step<N, T> {
    /// Passed on unchanged.
    Note(N),
    /// A job, or its result.
    Work(T),
}

/// Runs `read` on one thread, `work` on up to `workers` threads (by default one per processor, at most
/// [`MAX_WORKERS`]), and `write` on the caller's thread, preserving order.
///
/// Workers are created as the amount of work requires: one message needs none. If fewer workers
/// than allowed were created when all messages have been read, the reader processes the last batch
/// itself. The first write failure stops all threads.
pub(super) fn run<N: Send, J: Send, O: Send, E>(
    workers: Option<NonZeroUsize>,
    read: impl FnOnce(&Feed<'_, N, J, O>) + Send,
    work: impl Fn(J) -> O + Sync,
    mut write: impl FnMut(Step<N, O>) -> Result<(), E>,
) -> Result<(), E> {
    let workers = workers
        .unwrap_or_else(|| *PROCESSORS)
        .get()
        .min(MAX_WORKERS);
    let gauge = Gauge::new(MAX_IN_FLIGHT.max(workers.saturating_mul(PER_WORKER)));
    let (ordered, in_order) = sync_channel(1024);
    let (batch, queue) = sync_channel::<JobBatch<N, J, O>>(workers);
    let queue = Arc::new(Mutex::new(queue));
    thread::scope(|scope| {
        let (gauge, work) = (&gauge, &work);
        let done = move |step| match step {
            Step::Note(note) => Step::Note(note),
            Step::Work(job) => Step::Work(work(job)),
        };
        let process = move |batch: JobBatch<N, J, O>| {
            let done = batch.steps.into_iter().map(done).collect();
            // Fails if the writer stopped; nothing waits for the result then.
            let _ = batch.answer.send(done);
        };
        let create_worker = move |queue: SharedQueue<N, J, O>| {
            let works = move || {
                while let Some(batch) = next(&queue) {
                    process(batch);
                }
            };
            thread::Builder::new().spawn_scoped(scope, works).is_ok()
        };
        scope.spawn(move || {
            let feed = Feed {
                gauge,
                ordered,
                batch,
                steps: RefCell::new(Batch::new()),
                uncreated: RefCell::new(vec![queue; workers]),
                create_worker: &create_worker,
                process: &process,
            };
            read(&feed);
            // The writer has already reported the error.
            let _ = feed.finish();
        });
        // If the writer panics, unblock the reader.
        let _stops = StopOnDrop(gauge);
        for PendingResult { answer, octets } in in_order {
            // A worker that panicked sends no result; the scope panics too.
            let Ok(done) = answer.recv() else { break };
            done.into_iter().try_for_each(&mut write)?;
            gauge.lower(octets);
        }
        Ok(())
    })
}

/// Shared job queue. Once all workers exist, only they hold it, so the feeder notices when the last
/// one exits.
type SharedQueue<N, J, O> = Arc<Mutex<Receiver<JobBatch<N, J, O>>>>;

fn next<T>(queue: &Mutex<Receiver<T>>) -> Option<T> {
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.recv().ok()
}

/// A batch of work for one worker.
struct JobBatch<N, J, O> {
    steps: VecDeque<Step<N, J>>,
    answer: SyncSender<Vec<Step<N, O>>>,
}

/// The result of a batch, in the order of the batches.
struct PendingResult<N, O> {
    answer: Receiver<Vec<Step<N, O>>>,
    octets: usize,
}

/// The reader's end of the pipeline. It batches steps, because waking a thread costs more than
/// processing a short message.
pub(super) struct Feed<'g, N, J, O> {
    gauge: &'g Gauge,
    ordered: SyncSender<PendingResult<N, O>>,
    batch: SyncSender<JobBatch<N, J, O>>,
    steps: RefCell<Batch<Step<N, J>>>,
    /// One queue handle per worker not yet created.
    uncreated: RefCell<Vec<SharedQueue<N, J, O>>>,
    /// Creates a worker; `false` if the system refuses the thread.
    create_worker: &'g dyn Fn(SharedQueue<N, J, O>) -> bool,
    /// Processes one batch.
    process: &'g dyn Fn(JobBatch<N, J, O>),
}

/// The writer has stopped.
pub(super) struct Stopped;

impl<N, J, O> Feed<'_, N, J, O> {
    /// Passes a note to the writer, in order.
    pub(super) fn note(&self, note: N) -> Result<(), Stopped> {
        self.add(Step::Note(note), 0)
    }

    /// Queues a job of this many octets; blocks while too many are in flight.
    pub(super) fn work(&self, job: J, octets: usize) -> Result<(), Stopped> {
        self.add(Step::Work(job), octets)
    }

    fn add(&self, step: Step<N, J>, octets: usize) -> Result<(), Stopped> {
        let full = self.steps.borrow_mut().add(step, octets);
        full.map_or(Ok(()), |(steps, octets)| self.send(steps, octets))
    }

    /// Queues the last batch, or processes it on this thread.
    fn finish(&self) -> Result<(), Stopped> {
        let (steps, octets) = self.steps.borrow_mut().take();
        if self.uncreated.borrow().is_empty() {
            return self.send(steps, octets);
        }
        (self.process)(self.enqueue_result(steps, octets)?);
        Ok(())
    }

    fn send(&self, steps: VecDeque<Step<N, J>>, octets: usize) -> Result<(), Stopped> {
        let batch = self.enqueue_result(steps, octets)?;
        let uncreated = self.uncreated.borrow_mut().pop();
        if uncreated.is_some_and(|queue| !(self.create_worker)(queue)) {
            // Carry on with the workers we have.
            self.uncreated.borrow_mut().clear();
        }
        if let Err(SendError(batch)) = self.batch.send(batch) {
            // There are no workers, so process it here.
            (self.process)(batch);
        }
        Ok(())
    }

    /// Queues a batch for the writer, which waits for its result in order.
    fn enqueue_result(
        &self,
        steps: VecDeque<Step<N, J>>,
        octets: usize,
    ) -> Result<JobBatch<N, J, O>, Stopped> {
        self.gauge.raise(octets)?;
        let (give, answer) = sync_channel(1);
        let pending = PendingResult { answer, octets };
        self.ordered.send(pending).map_err(|_| Stopped)?;
        Ok(JobBatch {
            steps,
            answer: give,
        })
    }
}

/// The number of octets in flight; `None` after the pipeline has stopped.
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

/// Stops the pipeline when dropped.
struct StopOnDrop<'g>(&'g Gauge);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Small items, collected until a batch is large enough to wake a thread.
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

    /// Adds an item. Returns all items and their number of octets once the batch is full.
    pub(super) fn add(&mut self, item: T, octets: usize) -> Option<(VecDeque<T>, usize)> {
        self.items.push_back(item);
        self.octets += octets + OVERHEAD;
        (self.octets >= Self::ENOUGH).then(|| self.take())
    }

    /// Takes the remaining items.
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

    use super::{Batch, Feed, Gauge, JobBatch, MAX_IN_FLIGHT, MAX_WORKERS, Step, run};

    const ENOUGH: usize = Batch::<()>::ENOUGH;

    type Jobs<'f> = Feed<'f, (), usize, (usize, ThreadId)>;

    /// Each job with the thread that processed it, in output order, and the reader thread.
    fn worked(
        workers: usize,
        read: impl Fn(&Jobs<'_>) + Sync,
    ) -> (Vec<(usize, ThreadId)>, ThreadId) {
        let (mut written, reader) = (Vec::new(), Mutex::new(None));
        let end = run::<_, _, _, Infallible>(
            NonZeroUsize::new(workers),
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

    fn uncreated(feed: &Jobs<'_>) -> usize {
        feed.uncreated.borrow().len()
    }

    /// One thread is created per batch, up to the maximum; results keep their order.
    #[test]
    fn threads_are_created_on_demand() {
        let (written, reader) = worked(3, |feed| {
            assert_eq!(uncreated(feed), 3);
            for (job, left) in [(0, 2), (1, 1), (2, 0), (3, 0)] {
                assert!(feed.work(job, ENOUGH).is_ok());
                assert_eq!(uncreated(feed), left);
            }
            assert!(feed.work(4, 1).is_ok());
        });
        assert!(written.iter().map(|(job, _)| *job).eq(0..5));
        assert!(written.iter().all(|(_, thread)| *thread != reader));
    }

    /// The reader processes the rest unless all workers exist.
    #[test]
    fn one_message_needs_no_other_thread() {
        let (written, reader) = worked(8, |feed| assert!(feed.work(7, 1).is_ok()));
        assert_eq!(written, [(7, reader)]);
        let (written, reader) = worked(1, |feed| {
            assert!(feed.work(0, ENOUGH).is_ok() && feed.work(1, 1).is_ok());
        });
        assert!(written.iter().all(|(_, thread)| *thread != reader));
    }

    #[test]
    fn the_number_of_threads_is_limited() {
        worked(60_000, |feed| assert_eq!(uncreated(feed), MAX_WORKERS));
    }

    /// If the system refuses a thread, the reader does the work, after one attempt.
    #[test]
    fn the_reader_works_if_no_thread_can_be_created() {
        let gauge = Gauge::new(MAX_IN_FLIGHT);
        let (ordered, in_order) = sync_channel(8);
        let (batch, queue) = sync_channel(2);
        let queue = Arc::new(Mutex::new(queue));
        let asked = Cell::new(0);
        let feed = Feed {
            gauge: &gauge,
            ordered,
            batch,
            steps: RefCell::new(Batch::new()),
            uncreated: RefCell::new(vec![queue; 2]),
            create_worker: &|_| {
                asked.set(asked.get() + 1);
                false
            },
            process: &|batch: JobBatch<(), usize, usize>| {
                let jobs = batch.steps.into_iter().filter_map(|step| match step {
                    Step::Work(job) => Some(Step::Work(job * 10)),
                    Step::Note(()) => None,
                });
                batch.answer.send(jobs.collect()).unwrap();
            },
        };
        for job in 0..3 {
            assert!(feed.work(job, ENOUGH).is_ok());
            let done = in_order.recv().unwrap().answer.recv().unwrap();
            assert!(matches!(done[..], [Step::Work(result)] if result == job * 10));
        }
        assert_eq!(asked.get(), 1);
    }

    /// If all workers have panicked, the run panics and does not hang.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_run_ends_if_all_workers_panic() {
        let _ = run::<(), _, (), Infallible>(
            NonZeroUsize::new(2),
            |feed| while feed.work((), ENOUGH).is_ok() {},
            |()| panic!("panic in a test"),
            |_| Ok(()),
        );
    }

    /// The same, if the reader panics on the last batch.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_run_ends_if_the_reader_panics() {
        let _ = run::<(), _, (), Infallible>(
            Some(NonZeroUsize::MIN),
            |feed| assert!(feed.work((), 1).is_ok()),
            |()| panic!("panic in a test"),
            |_| Ok(()),
        );
    }

    /// If the writer panics while the reader is blocked on the limit, the run ends.
    #[test]
    #[should_panic(expected = "panic in a test")]
    fn a_run_ends_if_the_writer_panics() {
        let _ = run::<(), _, _, Infallible>(
            Some(NonZeroUsize::MIN),
            |feed| while feed.work((), MAX_IN_FLIGHT).is_ok() {},
            |()| (),
            |_| panic!("panic in a test"),
        );
    }

    /// A write error ends the run.
    #[test]
    fn a_failure_to_write_ends_the_run() {
        let end = run::<(), _, _, &str>(
            Some(NonZeroUsize::MIN),
            |feed| while feed.work((), MAX_IN_FLIGHT).is_ok() {},
            |()| (),
            |_| Err("full"),
        );
        assert_eq!(end, Err("full"));
    }
}

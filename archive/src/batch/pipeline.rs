//! Processes messages in parallel, and keeps their order.
//!
//! One thread reads, several work, and the caller's thread writes; the reader also works if there is
//! little mail. The number of octets in flight is bounded, so memory does not grow with the archive.
//!
//! Threads and channels are those of the standard library. Crates for ordered parallel iterators
//! (pariter, parseq, plmap) bound the number of items in flight, not of octets, and a message may
//! be a gigabyte long. rayon neither preserves order nor bounds items from a stream.

use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// Number of octets in a batch. Small jobs are buffered until they are worth waking a thread.
const ENOUGH: usize = 512 << 10;

/// One item of the ordered pipeline.
pub(super) enum Step<N, T> {
    /// Passed on unchanged.
    Note(N),
    /// A job, or the output of adjacent jobs.
    Work(T),
}

/// Runs `read` on one thread, `work` on up to `workers` threads (by default one per processor, at most
/// [`MAX_WORKERS`]), and `write` on the caller's thread, preserving order. Adjacent jobs of a
/// batch share one output, to which `work` appends. A note begins a new output.
///
/// Workers are created as the amount of work requires: one message needs none. If fewer workers
/// than allowed were created when all messages have been read, the reader processes the last batch
/// itself. The first write failure stops all threads. `cancelled` stops them too, and the function
/// returns `false`.
pub(super) fn run<N: Send, J: Send, O: Default + Send, E>(
    workers: Option<NonZeroUsize>,
    cancelled: &AtomicBool,
    read: impl FnOnce(&Feed<'_, N, J, O>) -> Result<(), Stopped> + Send,
    work: impl Fn(&mut O, J) + Sync,
    mut write: impl FnMut(Step<N, O>) -> Result<(), E>,
) -> Result<bool, E> {
    let workers = workers.unwrap_or_else(|| *PROCESSORS);
    let workers = workers.get().min(MAX_WORKERS);
    let gauge = Gauge::new(MAX_IN_FLIGHT.max(workers.saturating_mul(PER_WORKER)));
    let (ordered, in_order) = sync_channel(1024);
    let (batch, queue) = sync_channel::<JobBatch<N, J, O>>(workers);
    let queue = Arc::new(Mutex::new(queue));
    let is_whole = AtomicBool::new(false);
    thread::scope(|scope| {
        let (gauge, work, is_whole) = (&gauge, &work, &is_whole);
        let process = move |batch: JobBatch<N, J, O>| {
            let mut done: Vec<Step<N, O>> = Vec::new();
            for step in batch.steps {
                match (step, done.last_mut()) {
                    (Step::Note(note), _) => done.push(Step::Note(note)),
                    (Step::Work(job), Some(Step::Work(made))) => work(made, job),
                    (Step::Work(job), _) => {
                        let mut made = O::default();
                        work(&mut made, job);
                        done.push(Step::Work(made));
                    }
                }
            }
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
                cancelled,
                ordered,
                batch,
                steps: RefCell::default(),
                octets: Cell::default(),
                uncreated: RefCell::new(vec![queue; workers]),
                create_worker: &create_worker,
                process: &process,
            };
            let end = read(&feed).and_then(|()| feed.finish());
            is_whole.store(end.is_ok(), Ordering::Relaxed);
        });
        // If the writer panics, unblock the reader.
        let _stops = StopOnDrop(gauge);
        for PendingResult { answer, octets } in in_order {
            // A worker that panicked sends no result; the scope panics too.
            let Ok(done) = answer.recv() else { break };
            for step in done {
                if cancelled.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                write(step)?;
            }
            gauge.lower(octets);
        }
        Ok(is_whole.load(Ordering::Relaxed))
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
    steps: Vec<Step<N, J>>,
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
    cancelled: &'g AtomicBool,
    ordered: SyncSender<PendingResult<N, O>>,
    batch: SyncSender<JobBatch<N, J, O>>,
    /// The next batch, and its number of octets.
    steps: RefCell<Vec<Step<N, J>>>,
    octets: Cell<usize>,
    /// One queue handle per worker not yet created.
    uncreated: RefCell<Vec<SharedQueue<N, J, O>>>,
    /// Creates a worker; `false` if the system refuses the thread.
    create_worker: &'g dyn Fn(SharedQueue<N, J, O>) -> bool,
    /// Processes one batch.
    process: &'g dyn Fn(JobBatch<N, J, O>),
}

/// The writer has stopped, or the run was cancelled.
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
        self.check()?;
        self.steps.borrow_mut().push(step);
        self.octets.set(self.octets.get() + octets + OVERHEAD);
        if self.octets.get() < ENOUGH {
            return Ok(());
        }
        self.send()
    }

    /// Fails if the run was cancelled.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Queues the last batch, or processes it on this thread.
    fn finish(&self) -> Result<(), Stopped> {
        if self.uncreated.borrow().is_empty() {
            return self.send();
        }
        (self.process)(self.enqueue_result()?);
        Ok(())
    }

    fn send(&self) -> Result<(), Stopped> {
        let batch = self.enqueue_result()?;
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

    /// Queues the batch for the writer, which waits for its result in order.
    fn enqueue_result(&self) -> Result<JobBatch<N, J, O>, Stopped> {
        let octets = self.octets.take();
        self.gauge.raise(octets)?;
        let (give, answer) = sync_channel(1);
        let pending = PendingResult { answer, octets };
        self.ordered.send(pending).map_err(|_| Stopped)?;
        Ok(JobBatch {
            steps: self.steps.take(),
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

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::convert::Infallible;
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::sync_channel;
    use std::sync::{Arc, Mutex};
    use std::thread::{self, ThreadId};

    use super::{ENOUGH, Feed, Gauge, JobBatch, MAX_IN_FLIGHT, MAX_WORKERS, Step, Stopped, run};

    static NEVER: AtomicBool = AtomicBool::new(false);

    type Jobs<'f> = Feed<'f, (), usize, Vec<(usize, ThreadId)>>;

    /// Feeds jobs of this length until the run stops.
    fn feed_all<O>(feed: &Feed<'_, (), (), O>, octets: usize) -> Result<(), Stopped> {
        loop {
            feed.work((), octets)?;
        }
    }

    /// Each job with the thread that processed it, in output order, and the reader thread.
    fn worked(
        workers: usize,
        read: impl Fn(&Jobs<'_>) + Sync,
    ) -> (Vec<(usize, ThreadId)>, ThreadId) {
        let (mut written, reader) = (Vec::new(), Mutex::new(None));
        let end = run::<_, _, _, Infallible>(
            NonZeroUsize::new(workers),
            &NEVER,
            |feed| {
                *reader.lock().unwrap() = Some(thread::current().id());
                read(feed);
                Ok(())
            },
            |made: &mut Vec<_>, job| made.push((job, thread::current().id())),
            |step| {
                if let Step::Work(results) = step {
                    written.extend(results);
                }
                Ok(())
            },
        );
        assert_eq!(end, Ok(true));
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
            cancelled: &NEVER,
            ordered,
            batch,
            steps: RefCell::default(),
            octets: Cell::default(),
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
        let _ = run::<_, _, (), Infallible>(
            NonZeroUsize::new(2),
            &NEVER,
            |feed| feed_all(feed, ENOUGH),
            |(), ()| panic!("panic in a test"),
            |_| Ok(()),
        );
    }

    /// The same, if the reader panics on the last batch.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_run_ends_if_the_reader_panics() {
        let _ = run::<(), _, (), Infallible>(
            Some(NonZeroUsize::MIN),
            &NEVER,
            |feed| feed.work((), 1),
            |(), ()| panic!("panic in a test"),
            |_| Ok(()),
        );
    }

    /// If the writer panics while the reader is blocked on the limit, the run ends.
    #[test]
    #[should_panic(expected = "panic in a test")]
    fn a_run_ends_if_the_writer_panics() {
        let _ = run::<_, _, (), Infallible>(
            Some(NonZeroUsize::MIN),
            &NEVER,
            |feed| feed_all(feed, MAX_IN_FLIGHT),
            |(), ()| (),
            |_| panic!("panic in a test"),
        );
    }

    /// A write error ends the run.
    #[test]
    fn a_failure_to_write_ends_the_run() {
        let end = run::<_, _, (), &str>(
            Some(NonZeroUsize::MIN),
            &NEVER,
            |feed| feed_all(feed, MAX_IN_FLIGHT),
            |(), ()| (),
            |_| Err("full"),
        );
        assert_eq!(end, Err("full"));
    }

    /// Adjacent jobs of a batch have one output; a note separates outputs.
    #[test]
    fn adjacent_jobs_have_one_output() {
        let mut outputs = Vec::new();
        let end = run::<_, _, Vec<usize>, Infallible>(
            Some(NonZeroUsize::MIN),
            &NEVER,
            |feed| {
                feed.work(0, 1)?;
                feed.work(1, 1)?;
                feed.note(())?;
                feed.work(2, ENOUGH)?;
                feed.work(3, 1)
            },
            Vec::push,
            |step| {
                if let Step::Work(made) = step {
                    outputs.push(made);
                }
                Ok(())
            },
        );
        assert_eq!(end, Ok(true));
        assert_eq!(outputs, [vec![0, 1], vec![2], vec![3]]);
    }

    /// A cancelled run ends, and is not whole, whether the writer or the reader is busy.
    #[test]
    fn a_cancelled_run_is_not_whole() {
        for octets in [1, MAX_IN_FLIGHT] {
            let cancelled = AtomicBool::new(false);
            let end = run::<_, _, (), Infallible>(
                Some(NonZeroUsize::MIN),
                &cancelled,
                |feed| feed_all(feed, octets),
                |(), ()| cancelled.store(true, Ordering::Relaxed),
                |_| Ok(()),
            );
            assert_eq!(end, Ok(false));
        }
    }
}

//! Proves that a conversion lost nothing.
//!
//! Source and destination are read again, message by message. They may differ only by the changes
//! in the report or, without one, by the changes that converting the source again makes.
//! [`convert::verify`](mime_charset::convert::verify) checks that both have the same text,
//! independently of the conversion.

use std::collections::HashSet;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::compare::{CheckedPair, Difference, Pair, locate};
use super::event::{Event, Mismatch, Progress};
use super::job::{Job, without_decoding};
use super::pairs::{PairNote, PairReader};
use super::pipeline::{self, Step};
use super::place::number;
use super::proof::Proof;
use super::recorded::Records;
use crate::error::Error;
use crate::store::{Layout, Limits, MailSource, Piece, Selection};
use mime_charset::convert::Conversion;

/// A proof that a conversion lost nothing: every message is there, with the same text. Its methods take
/// and return it by value:
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, num::NonZeroUsize, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Convert, Limits, Selection, Verify};
/// use mime_charset::convert::{Conversion, Headers};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// fs::create_dir(folder.join("old"))?;
/// fs::write(folder.join("old/1.eml"), "Subject: =?koi8-r?Q?=F0?=\n\n")?;
/// let options = Conversion { headers: Headers::Utf8, ..Conversion::new() };
/// let (old, new) = (folder.join("old"), folder.join("new"));
/// let report = folder.join("report.jsonl");
/// let never = AtomicBool::new(false);
/// Convert::new(&old, &new).options(options).report(&report).run(&never, |_| ())?;
///
/// // A report has the options; without one the caller passes them again.
/// let by_report = Verify::new(&old, &new).report(&report).run(&never, |_| ())?;
/// let anew = Verify::new(&old, &new)
///     .options(options)
///     .limits(Limits::new())
///     .selection(Selection::new())
///     .accept_unread(false)
///     .threads(NonZeroUsize::MIN)
///     .run(&never, |_| ())?;
/// assert!(by_report.holds() && by_report == anew);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Verify {
    job: Job,
    /// Whether shares compare the messages, so that this run checks only the rest.
    is_rest: bool,
}

impl Verify {
    /// Verifies that `destination` is the result of [`Convert`](super::Convert) for `source`.
    pub fn new(source: impl AsRef<Path>, destination: impl AsRef<Path>) -> Self {
        Verify {
            job: Job::new(source.as_ref(), destination.as_ref()),
            is_rest: false,
        }
    }

    /// The report of the conversion, with its changes and options. Without it the source is
    /// converted again with [`options`](Verify::options).
    pub fn report(mut self, path: impl Into<PathBuf>) -> Self {
        self.job.report = Some(path.into());
        self
    }

    /// The options of the conversion, as for [`Convert::options`](super::Convert::options). The
    /// options in a report take precedence.
    pub fn options(mut self, options: Conversion) -> Self {
        self.job.options = without_decoding(options);
        self
    }

    /// Selects the files that the conversion read, and their format. A report has both: files it
    /// lists as left out are left out too, and its format takes precedence.
    pub fn selection(mut self, selection: Selection) -> Self {
        self.job.selection = selection;
        self
    }

    /// Whether the conversion accepted files that cannot be read; a report records this too.
    pub fn accept_unread(mut self, accepts: bool) -> Self {
        self.job.accepts_unread = accepts;
        self
    }

    /// Limits for compressed files and long messages of the source.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.job.limits = limits;
        self
    }

    /// The number of messages compared at once, at most 256. `None`, the default, is the number of cores.
    pub fn threads(mut self, threads: impl Into<Option<NonZeroUsize>>) -> Self {
        self.job.threads = threads.into();
        self
    }

    /// Compares only a share of the files, as one of many processes that prove an archive together.
    ///
    /// Each share compares some of the [`pieces`](crate::store::pieces), on any machine that has source,
    /// destination and report under the same paths. A run of [`rest`](Verify::rest) checks everything
    /// that does not belong to one file of the source. The sum of their proofs ([`Proof::add`]) equals
    /// the proof of a single run. Files with the same place at the destination, such as `a.mbox` and
    /// `a.mbox.gz`, must be in one share. A share skips pieces that are only a range of a file, and
    /// leaves files that cannot be opened to `rest`. It searches the whole report for its files.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::{fs, sync::atomic::AtomicBool};
    /// use mime_charset_archive::{Limits, pieces};
    /// use mime_charset_archive::{Convert, Proof, Verify};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let (old, new) = (folder.join("old"), folder.join("new"));
    /// fs::create_dir(&old)?;
    /// fs::write(old.join("1.eml"), "Subject: =?koi8-r?Q?=F0?=\n\n")?;
    /// fs::write(old.join("2.eml"), "Subject: two\n\n")?;
    /// let never = AtomicBool::new(false);
    /// Convert::new(&old, &new).run(&never, |_| ())?;
    /// fs::write(new.join("3.eml"), "Subject: of nobody\n\n")?;
    ///
    /// let verify = Verify::new(&old, &new);
    /// let mut proof = Proof::default();
    /// for piece in pieces(&old, u64::MAX, Limits::new()) {
    ///     proof.add(&verify.clone().share(vec![piece?]).run(&never, |_| ())?);
    /// }
    /// assert!(proof.holds() && proof.files == 2);
    /// proof.add(&verify.clone().rest().run(&never, |_| ())?);
    /// assert_eq!(proof.mismatches, 1);
    /// assert_eq!(proof, verify.run(&never, |_| ())?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn share(mut self, pieces: Vec<Piece>) -> Self {
        self.job.pieces = Some(pieces);
        self.is_rest = false;
        self
    }

    /// Compares no messages, but checks what [shares](Verify::share) do not: source files that
    /// cannot be opened, files that only the report has, and unexpected files at the destination.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::{fs, sync::atomic::AtomicBool};
    /// use mime_charset_archive::Verify;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let (old, new) = (folder.join("old"), folder.join("new"));
    /// fs::create_dir(&old)?;
    /// fs::write(old.join("1.eml"), "Subject: one\n\n")?;
    /// fs::create_dir(&new)?;
    /// fs::write(new.join("2.eml"), "Subject: of nobody\n\n")?;
    ///
    /// // A share reports that the result of `1.eml` is missing.
    /// let never = AtomicBool::new(false);
    /// let rest = Verify::new(&old, &new).rest().run(&never, |_| ())?;
    /// assert_eq!((rest.messages, rest.mismatches), (0, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn rest(mut self) -> Self {
        self.job.pieces = None;
        self.is_rest = true;
        self
    }

    /// Compares. Reports progress, mismatches, and files that cannot be read, to `observe` on the
    /// caller's thread.
    ///
    /// Each file that differs is one [`Event::Mismatch`] with the first difference; the other files
    /// are still compared. Once `cancelled` is `true`, the run ends after the current message.
    /// `observe` may set `cancelled`.
    ///
    /// # Errors
    ///
    /// Fails if the source does not exist, the destination is invalid, or the report is not a
    /// report or describes another kind of source. A single file that cannot be read is an
    /// [`Event::Failed`].
    pub fn run(
        &self,
        cancelled: &AtomicBool,
        mut observe: impl FnMut(Event<'_>),
    ) -> Result<Proof, Error> {
        run(self, cancelled, &mut observe)
    }
}

fn run(
    verify: &Verify,
    cancelled: &AtomicBool,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Proof, Error> {
    let mut job = verify.job.clone();
    let layout = Layout::new(&job.source, &job.destination)?;
    let is_one = !(job.source.is_dir() || layout.is_packed);
    let records = job.report.as_deref();
    let records = records
        .map(|path| Records::open(path, &job.source, is_one))
        .transpose()?;
    let options = match &records {
        Some(records) => records.options,
        None => job.options,
    };
    if let Some(format) = records.as_ref().and_then(|records| records.read_as) {
        job.selection = job.selection.read_as(format);
    }
    let job = &job;
    let mut verifier = Verifier {
        layout: &layout,
        observe,
        options,
        progress: Progress::of(std::slice::from_ref(&job.source)),
        proof: Proof::default(),
        first: None,
    };
    let is_whole = pipeline::run(
        job.threads,
        cancelled,
        |feed| {
            let mut reader = PairReader {
                feed,
                job,
                layout: &layout,
                is_one,
                is_rest: verify.is_rest,
                records,
                places: HashSet::new(),
                around: None,
                is_unread: false,
            };
            reader.read()
        },
        |checked: &mut Vec<_>, pair: Pair| checked.push(pair.check(&options)),
        |step| {
            verifier.take(step);
            Ok::<_, Infallible>(())
        },
    );
    let mut proof = verifier.proof;
    proof.is_cancelled = is_whole != Ok(true);
    Ok(proof)
}

/// Collects the results.
struct Verifier<'o> {
    layout: &'o Layout,
    observe: &'o mut dyn FnMut(Event<'_>),
    options: Conversion,
    progress: Progress,
    proof: Proof,
    /// The first mismatch in the current file.
    first: Option<Difference>,
}

impl Verifier<'_> {
    fn take(&mut self, step: Step<PairNote, Vec<CheckedPair>>) {
        match step {
            Step::Work(checked) => {
                for (octets, result) in checked {
                    let is_wrong = result.is_err();
                    match result {
                        Ok(proved) => self.proof.add(&proved),
                        Err(wrong) if self.first.is_none() => self.first = Some(wrong),
                        Err(_) => {}
                    }
                    self.progress.add(1, octets, u64::from(is_wrong));
                    (self.observe)(Event::Progress(&self.progress));
                }
            }
            Step::Note(PairNote::Begin) => self.first = None,
            Step::Note(PairNote::End(source, place, wrong)) => {
                let is_whole = self.first.is_none() && wrong.is_none();
                self.proof.files += u64::from(is_whole);
                self.end(&source, &place, wrong);
            }
            Step::Note(PairNote::Unread(source, place)) => self.end(&source, &place, None),
            Step::Note(PairNote::Difference(file, sentence)) => self.mismatch(&Mismatch {
                file,
                index: None,
                offset: None,
                sentence,
            }),
            Step::Note(PairNote::Failed(sentence)) => {
                self.proof.unread += 1;
                (self.observe)(Event::Failed(&sentence));
            }
            Step::Note(PairNote::LeftOut) => self.proof.left_out += 1,
            Step::Note(PairNote::AcceptedUnread) => self.proof.accepted_unread += 1,
        }
    }

    /// Reports the mismatch in a file, if there is one.
    fn end(&mut self, source: &MailSource, place: &Path, wrong: Option<Difference>) {
        let Some(wrong) = self.first.take().or(wrong) else {
            return;
        };
        if wrong.offset.is_none() {
            let number = number(source.format(), wrong.ordinal);
            return self.mismatch(&Mismatch {
                file: source.path().to_path_buf(),
                index: Some(wrong.ordinal),
                offset: None,
                sentence: format!("{source}{number}: {}", wrong.sentence),
            });
        }
        // A report has no checksum of separators.
        let note = if wrong.is_of_separator {
            format!("; its message is as recorded, so the separator changed here or in {source}")
        } else {
            String::new()
        };
        // Comparing octet by octet finds the exact offset.
        let wrong = locate(source, place, &self.options).unwrap_or(wrong);
        let (number, offset) = (
            number(source.format(), wrong.ordinal),
            wrong.offset.unwrap_or_default(),
        );
        let file = self.layout.shown(place);
        let shown = file.display();
        let sentence = format!("{shown}{number}, octet {offset}: {}{note}", wrong.sentence);
        self.mismatch(&Mismatch {
            file,
            index: Some(wrong.ordinal),
            offset: Some(offset),
            sentence,
        });
    }

    fn mismatch(&mut self, mismatch: &Mismatch) {
        self.proof.mismatches += 1;
        (self.observe)(Event::Mismatch(mismatch));
    }
}

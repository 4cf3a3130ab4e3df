//! `messages`: the messages of mailboxes, Maildirs, folders and compressed files.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mime_charset_archive::{ArchiveItem, Limits, MailSource, Piece};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString, PyType};

use crate::message::Message;
use crate::octets::{Octets, unexpected};
use crate::values;

/// Iterates over the messages of a path: a mailbox, a Maildir, a folder of messages, or a single message,
/// also compressed by gzip, zstd, bzip2 or xz, and in zip and tar files. Accepts a piece from `pieces` too.
///
/// A file that cannot be read raises OSError with its name. If `on_error` is given, it is called
/// with the exception instead, and iteration continues. Files that are not mail are skipped and
/// counted in `left_out`, but `path` itself is always read as a message.
#[pyfunction]
#[pyo3(signature = (path, *, on_error=None))]
pub(crate) fn messages(path: &Bound<'_, PyAny>, on_error: Option<Py<PyAny>>) -> PyResult<Messages> {
    let input = Input::of(path)?.filter(|input| !matches!(input, Input::Octets(_)));
    let input = input.ok_or_else(|| unexpected("a path or a piece", path))?;
    Ok(Messages {
        walk: Mutex::new(Walk::new([input].into())),
        on_error,
    })
}

/// Divides an archive into pieces, for many processes or machines. `messages`, `read` and
/// `mime_charset.arrow.batches` accept each piece. All pieces in order return every message of the
/// path exactly once.
///
/// A piece is a file, or a range of `octets` octets if a plain mailbox is larger. A mailbox with a
/// Content-Length in its first 64 KiB is not divided, since only the whole file shows how to
/// interpret these fields. Only the start of larger files is read. A folder that cannot be listed
/// raises OSError, or is passed to `on_error`.
///
/// >>> import mime_charset, tempfile, os
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "inbox")
/// ...     with open(path, "wb") as file:
/// ...         _ = file.write(b"From a Sat Jan  3 01:05:34 1996\nSubject: x\n\ntext\n\n" * 30)
/// ...     pieces = mime_charset.pieces(path, 1000)
/// ...     [len(list(mime_charset.messages(piece))) for piece in pieces]
/// [20, 10]
#[pyfunction]
#[pyo3(signature = (path, octets=134_217_728, *, on_error=None))]
pub(crate) fn pieces(
    py: Python<'_>,
    path: PathBuf,
    octets: u64,
    on_error: Option<Py<PyAny>>,
) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let mut found = mime_charset_archive::pieces(&path, octets, Limits::new());
    let mut told = Vec::new();
    while let Some(piece) = py.detach(|| found.next()) {
        match piece {
            Ok(piece) => told.push(values::piece(py, &piece)?),
            Err(error) => Failure::new(&path, &error).tell(py, on_error.as_ref())?,
        }
    }
    Ok(told)
}

/// The iterator of `messages`.
#[pyclass(frozen, module = "mime_charset")]
pub(crate) struct Messages {
    walk: Mutex<Walk>,
    on_error: Option<Py<PyAny>>,
}

#[pymethods]
impl Messages {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Message>> {
        let next = || {
            let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
            let next = walk.next()?;
            Some(next.map(|found| Message::parse(found.octets, found.place)))
        };
        loop {
            match py.detach(next) {
                None => return Ok(None),
                Some(Ok(message)) => return Ok(Some(message)),
                Some(Err(failure)) => failure.tell(py, self.on_error.as_ref())?,
            }
        }
    }

    /// The number of files so far that are not mail.
    #[getter]
    fn left_out(&self, py: Python<'_>) -> u64 {
        let count = || {
            self.walk
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .left_out
        };
        py.detach(count)
    }
}

/// The kind of input.
pub(crate) enum Input {
    Path(PathBuf),
    Piece(Piece),
    Octets(Octets),
}

impl Input {
    /// `None` for any other object, such as an Arrow string, whose buffer may be a path.
    /// Raises Python's own exceptions for an invalid path or buffer.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        // A bytes object is message octets, although Python also accepts one as a path.
        if given.is_instance_of::<PyString>() || given.get_type().hasattr("__fspath__")? {
            return Ok(Some(Input::Path(given.extract()?)));
        }
        if let Ok((path, is_named, begin, end)) =
            given.extract::<(PathBuf, bool, u64, Option<u64>)>()
        {
            let range = begin..end.unwrap_or(u64::MAX);
            return Ok(Some(Input::Piece(Piece::new(path, is_named, range))));
        }
        if is_octets(given)? {
            return Ok(Some(Input::Octets(given.extract()?)));
        }
        Ok(None)
    }

    /// The inputs of a single object or of an iterable. Rejects an open file, whose lines are not
    /// messages, and a `Message`, which has `__getitem__` but is not iterable.
    pub(crate) fn all(given: &Bound<'_, PyAny>) -> PyResult<VecDeque<Self>> {
        if let Some(input) = Input::of(given)? {
            return Ok([input].into());
        }
        if given.hasattr("read")? || !given.hasattr("__iter__")? {
            return Err(unexpected(
                "a path, a piece, octets or a list of these",
                given,
            ));
        }
        given.try_iter()?.map(|input| input?.extract()).collect()
    }

    pub(crate) fn into_piece(self) -> Option<Piece> {
        match self {
            Input::Piece(piece) => Some(piece),
            Input::Path(_) | Input::Octets(_) => None,
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let input = Input::of(&given)?;
        if input.is_none() && given.hasattr("as_py")? {
            let expected = "a path, a piece or octets (a column of Arrow needs to_pylist())";
            return Err(unexpected(expected, &given));
        }
        input.ok_or_else(|| unexpected("a path, a piece or octets", &given))
    }
}

fn is_octets(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    static MMAP: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Ok(given.is_instance_of::<PyBytes>()
        || given.is_instance_of::<PyByteArray>()
        || given.is_instance_of::<PyMemoryView>()
        || given.is_instance(MMAP.import(given.py(), "mmap", "mmap")?)?)
}

/// Octets of a message, owned by Python or read from a file.
pub(crate) enum Stored {
    Given(Octets),
    Read(Vec<u8>),
}

impl AsRef<[u8]> for Stored {
    fn as_ref(&self) -> &[u8] {
        match self {
            Stored::Given(octets) => octets.as_ref(),
            Stored::Read(octets) => octets,
        }
    }
}

/// A message with its location.
pub(crate) struct Found {
    pub(crate) octets: Stored,
    pub(crate) place: Option<Place>,
}

/// The names of a source.
pub(crate) struct Names {
    pub(crate) path: String,
    /// Container and member name, for a member of a zip or tar file.
    pub(crate) container: Option<String>,
    pub(crate) member: Option<String>,
    /// Octets of the names on disk and in the container, if they differ from the displayed names.
    pub(crate) path_octets: Option<Vec<u8>>,
    pub(crate) member_octets: Option<Vec<u8>>,
}

impl Names {
    /// The name on disk or in the container.
    pub(crate) fn name(&self) -> &str {
        self.member.as_deref().unwrap_or(&self.path)
    }

    fn of(source: &MailSource) -> Self {
        let names = source.names();
        Names {
            container: names.container.map(Cow::into_owned),
            member: names.member.map(str::to_owned),
            path_octets: names.path_octets.map(<[u8]>::to_vec),
            member_octets: names.member_octets.map(<[u8]>::to_vec),
            path: names.path,
        }
    }
}

/// The location of a message.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) names: Arc<Names>,
    /// The index of the message in its file; unknown for a range in the middle of the file.
    pub(crate) index: Option<u64>,
    /// The offset of its entry in the file, after decompression.
    pub(crate) offset: u64,
}

/// A place as a pickle contains it: path, container, member, octets of the path and of the member,
/// index and offset.
pub(crate) type PickledPlace = (
    String,
    Option<String>,
    Option<String>,
    Option<Vec<u8>>,
    Option<Vec<u8>>,
    Option<u64>,
    u64,
);

impl Place {
    pub(crate) fn to_pickled(&self) -> PickledPlace {
        let names = &*self.names;
        (
            names.path.clone(),
            names.container.clone(),
            names.member.clone(),
            names.path_octets.clone(),
            names.member_octets.clone(),
            self.index,
            self.offset,
        )
    }

    pub(crate) fn from_pickled(pickled: PickledPlace) -> Self {
        let (path, container, member, path_octets, member_octets, index, offset) = pickled;
        let names = Arc::new(Names {
            path,
            container,
            member,
            path_octets,
            member_octets,
        });
        Place {
            names,
            index,
            offset,
        }
    }
}

/// A file that could not be read, with the reason.
pub(crate) struct Failure {
    path: PathBuf,
    sentence: String,
    number: Option<i32>,
}

impl Failure {
    fn new(path: &Path, error: &mime_charset_archive::Error) -> Self {
        let (number, sentence) = number_and_sentence(error);
        Failure {
            path: path.to_owned(),
            sentence,
            // The error about a link to a missing file has no cause.
            number: number.or_else(|| std::fs::metadata(path).err()?.raw_os_error()),
        }
    }

    /// Raises it, or passes it to `on_error`.
    pub(crate) fn tell(self, py: Python<'_>, on_error: Option<&Py<PyAny>>) -> PyResult<()> {
        let error = match self.number {
            Some(number) => {
                // Python appends the path. A member of a zip or tar file has another name here.
                let named = format!(" {}: ", self.path.display());
                let reason = match self.sentence.split_once(&named) {
                    Some(("cannot open" | "cannot read" | "cannot list", reason)) => reason,
                    _ => &self.sentence,
                };
                PyOSError::new_err((number, reason.to_owned(), self.path.into_os_string()))
            }
            None => PyErr::from_value(values::unreadable(py, &self.sentence, &self.path)?),
        };
        match on_error {
            Some(on_error) => on_error.call1(py, (error,)).map(drop),
            None => Err(error),
        }
    }
}

/// The system's error number, and the sentence without it, since Python shows it separately.
pub(crate) fn number_and_sentence(error: &mime_charset_archive::Error) -> (Option<i32>, String) {
    let mut sentence = error.to_string();
    let cause = error.source().and_then(|it| it.downcast_ref::<io::Error>());
    let number = cause.and_then(io::Error::raw_os_error);
    if let Some(number) = number
        && let Some(shorter) = sentence.strip_suffix(&format!(" (os error {number})"))
    {
        sentence.truncate(shorter.len());
    }
    (number, sentence)
}

/// The messages of the inputs, found as by the command.
pub(crate) struct Walk {
    inputs: VecDeque<Input>,
    /// The messages of the current input.
    items: Option<Box<dyn Iterator<Item = ArchiveItem> + Send>>,
    /// Whether the current range begins in the middle of a file.
    in_the_middle: bool,
    /// The source of the last message, with its names.
    names: Option<(Arc<MailSource>, Arc<Names>)>,
    pub(crate) left_out: u64,
}

impl Walk {
    pub(crate) fn new(inputs: VecDeque<Input>) -> Self {
        Walk {
            inputs,
            items: None,
            in_the_middle: false,
            names: None,
            left_out: 0,
        }
    }

    pub(crate) fn next(&mut self) -> Option<Result<Found, Failure>> {
        loop {
            while let Some(item) = self.items.as_mut().and_then(Iterator::next) {
                match item {
                    ArchiveItem::Message(source, stored) => {
                        let octets = Stored::Read(stored.message().into_owned());
                        let place = Some(Place {
                            names: self.names_of(source),
                            index: (!self.in_the_middle).then(|| stored.ordinal()),
                            offset: stored.offset(),
                        });
                        return Some(Ok(Found { octets, place }));
                    }
                    ArchiveItem::NoMail(_) => self.left_out += 1,
                    ArchiveItem::Failed(source, error) => {
                        return Some(Err(Failure::new(source.path(), &error)));
                    }
                    // Only a conversion needs to know that octets may differ from the delivered ones.
                    _ => {}
                }
            }
            let (sources, in_the_middle) = match self.inputs.pop_front()? {
                Input::Path(path) => (mime_charset_archive::sources(&path, Limits::new()), false),
                Input::Piece(piece) => (piece.sources(Limits::new()), piece.range.start > 0),
                Input::Octets(octets) => {
                    let (octets, place) = (Stored::Given(octets), None);
                    return Some(Ok(Found { octets, place }));
                }
            };
            self.items = Some(Box::new(sources.messages()));
            self.in_the_middle = in_the_middle;
        }
    }

    /// The names of a source; made once for all its messages.
    fn names_of(&mut self, source: Arc<MailSource>) -> Arc<Names> {
        if let Some((last, names)) = &self.names
            && Arc::ptr_eq(last, &source)
        {
            return Arc::clone(names);
        }
        let names = Arc::new(Names::of(&source));
        self.names = Some((source, Arc::clone(&names)));
        names
    }
}

//! Converts the library's plain values to those of `mime_charset.values`.

use std::borrow::Cow;
use std::path::Path;

use mime_charset::charset::Resolved;
use mime_charset::decode::{Address, CharsetUse, Decision, Evidence, FieldText, Mailbox};
use mime_charset::detect::Guess;
use mime_charset::header::{ContentType, Date};
use mime_charset::message::Field;
use mime_charset::transfer::Uuencoded;
use mime_charset::{Charset, Decoded, Finding, Kind, Label, Report};
use mime_charset_archive::Piece;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDateTime, PyDelta, PyInt, PyString, PyTuple, PyType, PyTzInfo};

use crate::shared::{shared, shared_lossy};
use crate::tuple::Subclass;

/// A class of `mime_charset.values`, looked up once.
struct Class {
    name: &'static str,
    found: PyOnceLock<Py<PyType>>,
}

impl Class {
    const fn new(name: &'static str) -> Self {
        Class {
            name,
            found: PyOnceLock::new(),
        }
    }

    fn make<'py>(
        &self,
        py: Python<'py>,
        values: impl IntoPyObject<
            'py,
            Target = PyTuple,
            Output = Bound<'py, PyTuple>,
            Error: Into<PyErr>,
        >,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The Python function that the class itself would call, with each value by name.
        static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = self.found.import(py, "mime_charset.values", self.name)?;
        let new = NEW.get_or_try_init(py, || {
            let tuple = py.get_type::<PyTuple>();
            tuple.getattr("__new__").map(Bound::unbind)
        })?;
        let values = values.into_pyobject(py).map_err(Into::into)?;
        new.bind(py).call1((class, values))
    }
}

fn charset_name(py: Python<'_>, charset: Option<Charset>) -> Option<Bound<'_, PyString>> {
    charset.map(|charset| shared(py, charset.name()))
}

/// A class with many instances per message.
struct Frequent<const N: usize> {
    name: &'static str,
    found: PyOnceLock<Subclass<N>>,
}

impl<const N: usize> Frequent<N> {
    const fn new(name: &'static str) -> Self {
        Frequent {
            name,
            found: PyOnceLock::new(),
        }
    }

    fn make<'py>(
        &self,
        py: Python<'py>,
        values: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.found.get_or_try_init(py, || {
            let class = py.import("mime_charset.values")?.getattr(self.name)?;
            Subclass::new(&class.cast_into::<PyType>()?)
        })?;
        class.make(py, values)
    }
}

/// The findings of all reports in order. If a report omitted findings, its last one counts them.
pub(crate) fn findings<'r, 'py>(
    py: Python<'py>,
    reports: impl IntoIterator<Item = &'r Report>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut all = Vec::new();
    for report in reports {
        for it in report.findings() {
            all.push(finding(py, it)?);
        }
        if report.omitted() > 0 {
            let detail = format!("{} further findings", report.omitted());
            all.push(finding_of(
                py,
                Kind::LimitReached,
                "octets",
                (0, 0),
                &detail,
            )?);
        }
    }
    if all.is_empty() {
        return Ok(PyTuple::empty(py));
    }
    PyTuple::new(py, all)
}

fn finding<'py>(py: Python<'py>, it: &Finding) -> PyResult<Bound<'py, PyAny>> {
    let place = (it.offset(), it.length());
    finding_of(py, it.kind(), it.within().name(), place, it.detail())
}

fn finding_of<'py>(
    py: Python<'py>,
    kind: Kind,
    within: &str,
    (offset, length): (usize, usize),
    detail: &str,
) -> PyResult<Bound<'py, PyAny>> {
    static FINDING: Frequent<6> = Frequent::new("Finding");
    let values = [
        shared(py, kind.name()).into_any(),
        shared(py, kind.effect().name()).into_any(),
        shared(py, within).into_any(),
        offset.into_pyobject(py)?.into_any(),
        length.into_pyobject(py)?.into_any(),
        PyString::new(py, detail).into_any(),
    ];
    FINDING.make(py, values)
}

pub(crate) fn decoded<'py>(py: Python<'py>, it: &Decoded<'_>) -> PyResult<Bound<'py, PyAny>> {
    static DECODED: Class = Class::new("Decoded");
    let (charset, source) = (
        shared(py, it.charset().name()),
        shared(py, it.source().name()),
    );
    DECODED.make(
        py,
        (it.as_str(), charset, source, findings(py, [it.report()])?),
    )
}

fn charset_uses<'py>(py: Python<'py>, uses: &[CharsetUse]) -> PyResult<Bound<'py, PyTuple>> {
    static CHARSET_USE: Class = Class::new("CharsetUse");
    if uses.is_empty() {
        return Ok(PyTuple::empty(py));
    }
    let uses = uses.iter().map(|it| {
        let (charset, source) = (shared(py, it.charset.name()), shared(py, it.source.name()));
        CHARSET_USE.make(py, (it.offset, it.length, charset, source))
    });
    PyTuple::new(py, uses.collect::<PyResult<Vec<_>>>()?)
}

/// The uuencoded files in a text, with their offsets in characters and in octets.
pub(crate) fn uuencoded<'py>(
    py: Python<'py>,
    text: &str,
    files: &[Uuencoded],
) -> PyResult<Bound<'py, PyTuple>> {
    static UUENCODED: Class = Class::new("Uuencoded");
    let (mut octets, mut characters) = (0, 0);
    let mut characters_before = |offset: usize| {
        let between = text.get(octets..offset).unwrap_or_default();
        characters += between.chars().count();
        octets = offset;
        characters
    };
    let files = files.iter().map(|it| {
        let (start, end) = (it.range.start, it.range.end);
        let range = (characters_before(start), characters_before(end));
        let octets = PyBytes::new(py, &it.octets);
        let findings = findings(py, [&it.report])?;
        UUENCODED.make(py, (&it.name, octets, range, start, end - start, findings))
    });
    PyTuple::new(py, files.collect::<PyResult<Vec<_>>>()?)
}

pub(crate) fn field_text<'py>(py: Python<'py>, it: &FieldText<'_>) -> PyResult<Bound<'py, PyAny>> {
    static FIELD_TEXT: Class = Class::new("FieldText");
    let charsets = charset_uses(py, it.charsets())?;
    FIELD_TEXT.make(py, (it.as_str(), charsets, findings(py, [it.report()])?))
}

pub(crate) fn date<'py>(py: Python<'py>, it: &Date) -> PyResult<Bound<'py, PyAny>> {
    static DATE: Class = Class::new("Date");
    let (text, found) = (it.to_string(), findings(py, [&it.report])?);
    DATE.make(
        py,
        (
            datetime(py, it)?,
            it.weekday,
            text,
            it.unix_seconds(),
            found,
        ),
    )
}

/// Naive if the offset is unknown, as `email.utils.parsedate_to_datetime` returns for `-0000`.
/// Python has no leap seconds.
pub(crate) fn datetime<'py>(py: Python<'py>, it: &Date) -> PyResult<Bound<'py, PyDateTime>> {
    let zone = it.offset.map(|minutes| {
        let offset = PyDelta::new(py, 0, i32::from(minutes) * 60, 0, true)?;
        PyTzInfo::fixed_offset(py, offset)
    });
    let zone = zone.transpose()?;
    let second = it.second.min(59);
    let (year, zone) = (it.year.into(), zone.as_ref());
    PyDateTime::new(
        py, year, it.month, it.day, it.hour, it.minute, second, 0, zone,
    )
}

/// The fields of a header, in order.
pub(crate) fn fields<'py, 'm>(
    py: Python<'py>,
    all: impl Iterator<Item = Field<'m>>,
) -> PyResult<Bound<'py, PyTuple>> {
    static FIELD: Frequent<6> = Frequent::new("Field");
    // Sufficient for most messages.
    let mut made = Vec::with_capacity(32);
    // A field usually begins where the previous one ends: share the number.
    let mut last: Option<(usize, Bound<'py, PyInt>)> = None;
    for it in all {
        let text = it.text();
        let range = match it.range() {
            None => py.None().into_bound(py),
            Some(it) => {
                let start = match last {
                    Some((place, number)) if place == it.start => number,
                    _ => it.start.into_pyobject(py)?,
                };
                let end = it.end.into_pyobject(py)?;
                last = Some((it.end, end.clone()));
                PyTuple::new(py, [start, end])?.into_any()
            }
        };
        let values = [
            shared_lossy(py, it.name()).into_any(),
            PyString::new(py, text.as_str()).into_any(),
            charset_uses(py, text.charsets())?.into_any(),
            findings(py, [text.report()])?.into_any(),
            PyBytes::new(py, it.body()).into_any(),
            range,
        ];
        made.push(FIELD.make(py, values)?);
    }
    PyTuple::new(py, made)
}

pub(crate) fn decision<'py>(py: Python<'py>, it: &Decision) -> PyResult<Bound<'py, PyAny>> {
    static DECISION: Class = Class::new("Decision");
    let (charset, source) = (shared(py, it.charset.name()), shared(py, it.source.name()));
    let spoken = it.evidence().iter().map(|spoken| evidence(py, spoken));
    let spoken = PyTuple::new(py, spoken.collect::<PyResult<Vec<_>>>()?)?;
    let found = findings(py, [&it.report])?;
    DECISION.make(py, (charset, source, it.confidence, spoken, found))
}

fn evidence<'py>(py: Python<'py>, it: &Evidence) -> PyResult<Bound<'py, PyAny>> {
    static EVIDENCE: Class = Class::new("Evidence");
    let (kind, side) = (shared(py, it.kind.name()), shared(py, it.side.name()));
    let charset = charset_name(py, it.charset);
    EVIDENCE.make(
        py,
        (kind, side, charset, it.offset, it.length, it.detail.clone()),
    )
}

pub(crate) fn address<'py>(
    py: Python<'py>,
    it: &Address<'_>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match it {
        Address::Mailbox(it) => mailbox(py, it).map(Some),
        Address::Group {
            name, mailboxes, ..
        } => group(py, name, mailboxes).map(Some),
        // A kind added by a later version of the library.
        _ => Ok(None),
    }
}

fn mailbox<'py>(py: Python<'py>, it: &Mailbox<'_>) -> PyResult<Bound<'py, PyAny>> {
    static MAILBOX: Class = Class::new("Mailbox");
    MAILBOX.make(
        py,
        (
            it.name.as_str(),
            &*it.address,
            PyBytes::new(py, it.octets()),
        ),
    )
}

fn group<'py>(
    py: Python<'py>,
    name: &FieldText<'_>,
    mailboxes: &[Mailbox<'_>],
) -> PyResult<Bound<'py, PyAny>> {
    static GROUP: Class = Class::new("Group");
    let mailboxes = mailboxes.iter().map(|it| mailbox(py, it));
    let mailboxes = PyTuple::new(py, mailboxes.collect::<PyResult<Vec<_>>>()?)?;
    GROUP.make(py, (name.as_str(), mailboxes))
}

pub(crate) fn piece<'py>(py: Python<'py>, it: &Piece) -> PyResult<Bound<'py, PyAny>> {
    static PIECE: Class = Class::new("Piece");
    let (path, range) = (it.path.as_os_str(), &it.range);
    let end = (range.end < u64::MAX).then_some(range.end);
    PIECE.make(py, (path, it.is_named, range.start, end))
}

pub(crate) fn unreadable<'py>(
    py: Python<'py>,
    sentence: &str,
    path: &Path,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "mime_charset.values", "UnreadableError")?;
    class.call1((py.None(), sentence, path.as_os_str()))
}

pub(crate) fn guess<'py>(py: Python<'py>, it: &Guess) -> PyResult<Bound<'py, PyAny>> {
    static GUESS: Class = Class::new("Guess");
    let (charset, source) = (shared(py, it.charset.name()), shared(py, it.source.name()));
    GUESS.make(
        py,
        (
            charset,
            source,
            it.confidence,
            charset_name(py, it.runner_up),
        ),
    )
}

pub(crate) fn label<'py>(
    py: Python<'py>,
    given: &Label<'_>,
    it: &Resolved,
) -> PyResult<Bound<'py, PyAny>> {
    static LABEL: Class = Class::new("Label");
    let charset = it.charset;
    let name = charset_name(py, charset);
    let number = charset.and_then(Charset::mibenum);
    let is_decoded = charset.is_some_and(Charset::is_decoded);
    let reason = charset.and_then(Charset::undecoded_reason);
    let matched = shared(py, it.matched.name());
    LABEL.make(
        py,
        (given.to_string(), name, number, matched, is_decoded, reason),
    )
}

pub(crate) fn content_type<'py>(
    py: Python<'py>,
    it: &ContentType<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    static CONTENT_TYPE: Class = Class::new("ContentType");
    let mut parameters = Vec::new();
    for parameter in it.parameters() {
        let value: Cow<'_, str> = parameter.text().into_text();
        parameters.push((parameter.name(), value));
    }
    let label = it.charset().map(ToString::to_string);
    let parameters = PyTuple::new(py, parameters)?;
    let found = findings(py, [it.report()])?;
    CONTENT_TYPE.make(py, (it.media_type(), label, parameters, found))
}

pub(crate) fn conversion<'py>(
    py: Python<'py>,
    end: &str,
    it: &mime_charset_archive::Summary,
    failed: Vec<String>,
    no_mail: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    static CONVERSION: Class = Class::new("Conversion");
    static PROBLEM: Class = Class::new("Problem");
    let problems = it.problems.iter().map(|(kind, it)| {
        let examples = PyTuple::new(py, &it.examples)?;
        PROBLEM.make(py, (shared(py, kind), it.count, examples))
    });
    let problems = PyTuple::new(py, problems.collect::<PyResult<Vec<_>>>()?)?;
    let numbers = [
        it.files,
        it.messages,
        it.octets,
        it.changed,
        it.changed_fields,
        it.changed_parts,
        it.relabelled_parts,
        it.replacements,
        it.parts,
    ];
    let mut values = vec![shared(py, end).into_any()];
    for number in numbers {
        values.push(number.into_pyobject(py)?.into_any());
    }
    let charsets = it.charsets.iter();
    let charsets = charsets.map(|(name, count)| (shared(py, name), *count));
    values.push(PyTuple::new(py, charsets.collect::<Vec<_>>())?.into_any());
    values.push(problems.into_any());
    values.push(PyTuple::new(py, failed)?.into_any());
    values.push(PyTuple::new(py, no_mail)?.into_any());
    CONVERSION.make(py, PyTuple::new(py, values)?)
}

pub(crate) fn proof<'py>(
    py: Python<'py>,
    it: &mime_charset_archive::Proof,
    mismatches: &[mime_charset_archive::Mismatch],
    failed: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    static PROOF: Class = Class::new("Proof");
    static MISMATCH: Class = Class::new("Mismatch");
    let mismatches = mismatches.iter().map(|it| {
        let file = it.file.to_string_lossy();
        MISMATCH.make(py, (file, it.index, it.offset, it.to_string()))
    });
    let mismatches = PyTuple::new(py, mismatches.collect::<PyResult<Vec<_>>>()?)?;
    let failed = PyTuple::new(py, failed)?;
    PROOF.make(
        py,
        (
            it.holds(),
            it.files,
            it.messages,
            it.unchanged,
            it.fields,
            it.parts,
            it.relabelled,
            it.second_readings,
            it.left_out,
            it.accepted_unread,
            mismatches,
            failed,
        ),
    )
}

//! The library's plain values as those of `mime_charset.values`.

use std::borrow::Cow;

use mime_charset::archive::Piece;
use mime_charset::batch;
use mime_charset::charset::Resolved;
use mime_charset::decode::{
    AddressText, CharsetUse, Decision, Evidence, FieldText, GroupText, MailboxText,
};
use mime_charset::detect::Guess;
use mime_charset::header::ContentType;
use mime_charset::message::Field;
use mime_charset::{Charset, Decoded, Finding, Kind, Label, Options, Report, decode, utf8};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};

/// A class of `mime_charset.values`, looked for once.
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
        // What the class itself would call, in Python, with each value by its name.
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

/// A word that stands in many values.
pub(crate) fn word<'py>(py: Python<'py>, word: &str) -> Bound<'py, PyString> {
    PyString::intern(py, word)
}

fn charset_name(py: Python<'_>, charset: Option<Charset>) -> Option<Bound<'_, PyString>> {
    charset.map(|charset| word(py, charset.name()))
}

/// Every finding of the reports, one after another; where a report left some out, the last one
/// counts them.
pub(crate) fn findings<'py>(py: Python<'py>, reports: &[&Report]) -> PyResult<Bound<'py, PyTuple>> {
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
    static FINDING: Class = Class::new("Finding");
    let (kind, effect) = (word(py, kind.name()), word(py, kind.effect().name()));
    FINDING.make(py, (kind, effect, word(py, within), offset, length, detail))
}

pub(crate) fn decoded<'py>(py: Python<'py>, it: &Decoded<'_>) -> PyResult<Bound<'py, PyAny>> {
    static DECODED: Class = Class::new("Decoded");
    let (charset, source) = (word(py, it.charset().name()), word(py, it.source().name()));
    DECODED.make(
        py,
        (it.as_str(), charset, source, findings(py, &[it.report()])?),
    )
}

fn charset_uses<'py>(py: Python<'py>, uses: &[CharsetUse]) -> PyResult<Bound<'py, PyTuple>> {
    static CHARSET_USE: Class = Class::new("CharsetUse");
    let uses = uses.iter().map(|it| {
        let (charset, source) = (word(py, it.charset().name()), word(py, it.source().name()));
        CHARSET_USE.make(py, (it.offset(), it.length(), charset, source))
    });
    PyTuple::new(py, uses.collect::<PyResult<Vec<_>>>()?)
}

pub(crate) fn field_text<'py>(py: Python<'py>, it: &FieldText<'_>) -> PyResult<Bound<'py, PyAny>> {
    static FIELD_TEXT: Class = Class::new("FieldText");
    let charsets = charset_uses(py, it.charsets())?;
    FIELD_TEXT.make(py, (it.as_str(), charsets, findings(py, &[it.report()])?))
}

pub(crate) fn field<'py>(py: Python<'py>, it: &Field<'_>) -> PyResult<Bound<'py, PyAny>> {
    static FIELD: Class = Class::new("Field");
    let name = utf8::decode_lossy(it.name());
    let text = it.text();
    let charsets = charset_uses(py, text.charsets())?;
    let found = findings(py, &[text.report()])?;
    let body = PyBytes::new(py, it.body());
    let range = it.range().map(|range| (range.start, range.end));
    FIELD.make(py, (name, text.as_str(), charsets, found, body, range))
}

pub(crate) fn decision<'py>(py: Python<'py>, it: &Decision) -> PyResult<Bound<'py, PyAny>> {
    static DECISION: Class = Class::new("Decision");
    let (charset, source) = (word(py, it.charset().name()), word(py, it.source().name()));
    let spoken = it.evidence().iter().map(|spoken| evidence(py, spoken));
    let spoken = PyTuple::new(py, spoken.collect::<PyResult<Vec<_>>>()?)?;
    let found = findings(py, &[it.report()])?;
    DECISION.make(py, (charset, source, it.confidence(), spoken, found))
}

fn evidence<'py>(py: Python<'py>, it: &Evidence) -> PyResult<Bound<'py, PyAny>> {
    static EVIDENCE: Class = Class::new("Evidence");
    let (kind, side) = (word(py, it.kind().name()), word(py, it.side().name()));
    let charset = charset_name(py, it.charset());
    EVIDENCE.make(
        py,
        (kind, side, charset, it.offset(), it.length(), it.detail()),
    )
}

pub(crate) fn address<'py>(
    py: Python<'py>,
    it: &AddressText,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match it {
        AddressText::Mailbox(it) => mailbox(py, it).map(Some),
        AddressText::Group(it) => group(py, it).map(Some),
        // The library may learn of a third.
        _ => Ok(None),
    }
}

fn mailbox<'py>(py: Python<'py>, it: &MailboxText) -> PyResult<Bound<'py, PyAny>> {
    static MAILBOX: Class = Class::new("Mailbox");
    MAILBOX.make(py, (it.name(), it.address(), PyBytes::new(py, it.octets())))
}

fn group<'py>(py: Python<'py>, it: &GroupText) -> PyResult<Bound<'py, PyAny>> {
    static GROUP: Class = Class::new("Group");
    let mailboxes = it.mailboxes().iter().map(|it| mailbox(py, it));
    let mailboxes = PyTuple::new(py, mailboxes.collect::<PyResult<Vec<_>>>()?)?;
    GROUP.make(py, (it.name(), mailboxes))
}

pub(crate) fn piece<'py>(py: Python<'py>, it: &Piece) -> PyResult<Bound<'py, PyAny>> {
    static PIECE: Class = Class::new("Piece");
    let (path, range) = (it.path().as_os_str(), it.range());
    let end = (range.end < u64::MAX).then_some(range.end);
    PIECE.make(py, (path, it.is_named(), range.start, end))
}

pub(crate) fn guess<'py>(py: Python<'py>, it: &Guess) -> PyResult<Bound<'py, PyAny>> {
    static GUESS: Class = Class::new("Guess");
    let (charset, source) = (word(py, it.charset().name()), word(py, it.source().name()));
    GUESS.make(
        py,
        (
            charset,
            source,
            it.confidence(),
            charset_name(py, it.runner_up()),
        ),
    )
}

pub(crate) fn label<'py>(
    py: Python<'py>,
    given: &Label<'_>,
    it: &Resolved,
) -> PyResult<Bound<'py, PyAny>> {
    static LABEL: Class = Class::new("Label");
    let charset = it.charset();
    let name = charset_name(py, charset);
    let number = charset.and_then(Charset::mibenum);
    let is_decoded = charset.is_some_and(Charset::is_decoded);
    let reason = charset.and_then(Charset::undecoded_reason);
    let matched = word(py, it.matched().name());
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
        let value: Cow<'_, str> = decode::parameter(parameter, &Options::new()).into_text();
        parameters.push((parameter.name(), value));
    }
    let label = it.charset().map(ToString::to_string);
    let parameters = PyTuple::new(py, parameters)?;
    let found = findings(py, &[it.report()])?;
    CONTENT_TYPE.make(py, (it.media_type(), label, parameters, found))
}

pub(crate) fn conversion<'py>(
    py: Python<'py>,
    end: &str,
    it: &batch::Summary,
    failed: Vec<String>,
    no_mail: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    static CONVERSION: Class = Class::new("Conversion");
    static PROBLEM: Class = Class::new("Problem");
    let problems = it.problems();
    let problems = problems.iter().map(|it| {
        let examples = PyTuple::new(py, it.examples())?;
        PROBLEM.make(py, (word(py, it.kind()), it.count(), examples))
    });
    let problems = PyTuple::new(py, problems.collect::<PyResult<Vec<_>>>()?)?;
    let numbers = [
        it.files(),
        it.messages(),
        it.octets(),
        it.changed(),
        it.changed_fields(),
        it.changed_parts(),
        it.relabelled_parts(),
        it.replacements(),
        it.parts(),
    ];
    let mut values = vec![word(py, end).into_any()];
    for number in numbers {
        values.push(number.into_pyobject(py)?.into_any());
    }
    let charsets = it.charsets();
    let charsets = charsets
        .iter()
        .map(|(name, count)| (word(py, name), *count));
    values.push(PyTuple::new(py, charsets.collect::<Vec<_>>())?.into_any());
    values.push(problems.into_any());
    values.push(PyTuple::new(py, failed)?.into_any());
    values.push(PyTuple::new(py, no_mail)?.into_any());
    CONVERSION.make(py, PyTuple::new(py, values)?)
}

pub(crate) fn proof<'py>(
    py: Python<'py>,
    it: &batch::Proof,
    mismatches: &[batch::Mismatch],
    failed: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    static PROOF: Class = Class::new("Proof");
    static MISMATCH: Class = Class::new("Mismatch");
    let mismatches = mismatches.iter().map(|it| {
        let file = it.file().to_string_lossy();
        MISMATCH.make(py, (file, it.index(), it.offset(), it.to_string()))
    });
    let mismatches = PyTuple::new(py, mismatches.collect::<PyResult<Vec<_>>>()?)?;
    let numbers = (
        it.files(),
        it.messages(),
        it.unchanged(),
        it.fields(),
        it.parts(),
        it.relabelled(),
        it.second_readings(),
    );
    let (files, messages, unchanged, fields, parts, relabelled, second) = numbers;
    let failed = PyTuple::new(py, failed)?;
    PROOF.make(
        py,
        (
            it.holds(),
            files,
            messages,
            unchanged,
            fields,
            parts,
            relabelled,
            second,
            mismatches,
            failed,
        ),
    )
}

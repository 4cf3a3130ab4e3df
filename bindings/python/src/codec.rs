//! Decoders for Python's codecs; only `mime_charset.codecs` calls it.
//!
//! The library's decoder replaces malformed octets with U+FFFD and reports them; Python asks an
//! error handler for the replacement. If the handler continues elsewhere than after these octets, a
//! clone of the decoder is moved there.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mime_charset::charset::mailbox_name as library;
use mime_charset::hangul::HangulPolicy;
use mime_charset::{Charset, Decoder, Effect, Finding, Options, Report};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyUnicodeDecodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::Error;
use crate::octets::{Octets, without_lock};

/// Every label of a decoded charset, in lower case, with the name of the charset.
#[pyfunction(name = "_labels")]
pub(crate) fn labels() -> Vec<(&'static str, &'static str)> {
    let decoded = Charset::all().filter(|charset| charset.is_decoded());
    let named = decoded.flat_map(|charset| charset.labels().map(move |it| (it, charset.name())));
    named.collect()
}

/// The name of a mailbox for an IMAP server (RFC 3501, section 5.1.3).
#[pyfunction(name = "_mailbox_name")]
pub(crate) fn mailbox_name(text: &str) -> Cow<'_, str> {
    library::encode(text)
}

/// Old Hangul is always remapped, by RFC 2279, section 5. To override the label, as the library
/// does, would require the whole text before the first character is returned.
const OPTIONS: Options = Options::new().hangul(HangulPolicy::Always);

/// A decoder for slices of a text, with Python's error handlers.
#[pyclass(frozen, name = "_Decoder", module = "mime_charset")]
pub(crate) struct TextDecoder {
    charset: Charset,
    /// The name of the codec, for exceptions.
    name: String,
    state: Mutex<State>,
}

/// The state for the next octets.
#[derive(Clone)]
struct State {
    /// The decoder, which has returned the text of all octets it got.
    decoder: Decoder,
    /// Octets not passed to the decoder yet, because their text depends on later octets.
    held: Vec<u8>,
}

impl State {
    fn fresh(charset: Charset) -> Self {
        State {
            decoder: Decoder::with_options(charset, &OPTIONS),
            held: Vec::new(),
        }
    }
}

impl TextDecoder {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl TextDecoder {
    #[new]
    fn new(charset: &str, name: String) -> PyResult<Self> {
        let charset = Charset::for_label(charset)
            .filter(|charset| charset.is_decoded())
            .ok_or_else(|| Error::new_err(format!("expected a charset, found {charset:?}")))?;
        Ok(TextDecoder {
            charset,
            name,
            state: Mutex::new(State::fresh(charset)),
        })
    }

    /// Decodes the next octets. If the handler raises, the state is unchanged.
    fn decode<'py>(
        &self,
        py: Python<'py>,
        octets: Bound<'py, PyAny>,
        errors: &str,
        is_last: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let given: Octets = octets.extract()?;
        let State { decoder, held, .. } = self.state().clone();
        // The octets that exceptions refer to; copied if they are not the argument.
        let whole = match octets.cast_into::<PyBytes>() {
            Ok(octets) if held.is_empty() => octets,
            _ => PyBytes::new(py, &[&held, given.as_ref()].concat()),
        };
        let mut run = Run {
            name: &self.name,
            errors,
            octets: &whole,
            at: 0,
            decoder,
            texts: PyList::empty(py),
            raised: None,
        };
        run.run(is_last)?;
        let text = match run.texts.len() {
            1 => run.texts.get_item(0)?.cast_into()?,
            _ => PyString::new(py, "")
                .call_method1("join", (&run.texts,))?
                .cast_into()?,
        };
        let mut state = State::fresh(self.charset);
        if !is_last {
            state.held = whole.as_bytes().get(run.at..).unwrap_or_default().to_vec();
            state.decoder = run.decoder;
        }
        *self.state() = state;
        Ok(text)
    }

    /// Resets to the start of a text.
    fn reset(&self) {
        *self.state() = State::fresh(self.charset);
    }

    /// The pending octets, and a number for the decoder's state before them: 0 at the start of a
    /// text.
    fn getstate<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, u32) {
        let state = self.state();
        let number = state.decoder.state().map_or(NO_STATE, number_of);
        (PyBytes::new(py, &state.held), number)
    }

    /// Restores the state returned by `getstate` of a decoder of this charset.
    fn setstate(&self, state: (Octets, u32)) -> PyResult<()> {
        let (held, number) = state;
        let decoder = state_of(number)
            .and_then(|state| Decoder::resume(self.charset, &OPTIONS, state))
            .ok_or_else(|| {
                let (name, number) = (&self.name, number);
                let sentence = format!("expected a state of getstate() of {name}, found {number}");
                Error::new_err(sentence)
            })?;
        let held = held.as_ref().to_vec();
        *self.state() = State { decoder, held };
        Ok(())
    }

    /// Drops the pending octets and returns their number; the caller keeps them.
    fn take_back(&self) -> usize {
        std::mem::take(&mut self.state().held).len()
    }
}

/// The number for a state that has none. States have 30 bits, since `tell` of a text file has no
/// more.
const NO_STATE: u32 = (1 << 30) - 1;

/// Numbers from here on represent [`LONG`] states.
const SHORT: u32 = 1 << 29;

/// Maximum number of long states; a SCSU text has a few.
const MOST_LONG: u32 = 1 << 16;

/// Longer states, in order of first use: SCSU with several moved windows. No other charset has such
/// long states.
static LONG: Mutex<BTreeMap<u128, u32>> = Mutex::new(BTreeMap::new());

fn long() -> MutexGuard<'static, BTreeMap<u128, u32>> {
    LONG.lock().unwrap_or_else(PoisonError::into_inner)
}

fn number_of(state: u128) -> u32 {
    if let Some(short) = u32::try_from(state).ok().filter(|&short| short < SHORT) {
        return short;
    }
    let mut long = long();
    let next = u32::try_from(long.len()).ok();
    let known = long.get(&state).copied();
    known
        .or_else(|| {
            let number = SHORT + next.filter(|&next| next < MOST_LONG)?;
            long.insert(state, number);
            Some(number)
        })
        .unwrap_or(NO_STATE)
}

fn state_of(number: u32) -> Option<u128> {
    if number < SHORT {
        return Some(number.into());
    }
    let long = long();
    long.iter()
        .find(|(_, other)| **other == number)
        .map(|(state, _)| *state)
}

/// Number of octets to try at once if a handler changes the position: few, since the decoder starts
/// again each time.
const FIRST: usize = 64;

/// One call of `decode`.
struct Run<'r, 'py> {
    name: &'r str,
    errors: &'r str,
    octets: &'r Bound<'py, PyBytes>,
    /// The current position.
    at: usize,
    decoder: Decoder,
    texts: Bound<'py, PyList>,
    /// The exception of the last error: Python's own codecs reuse one.
    raised: Option<Bound<'py, PyAny>>,
}

impl Run<'_, '_> {
    fn run(&mut self, is_last: bool) -> PyResult<()> {
        let py = self.octets.py();
        let mut size = usize::MAX;
        // Number of octets that do not suffice to decide a character.
        let mut too_few = 0;
        loop {
            let rest = self.octets.as_bytes().get(self.at..).unwrap_or_default();
            let piece = rest.get(..size).unwrap_or(rest);
            let is_rest = piece.len() == rest.len();
            let decoder = &self.decoder;
            let taken = without_lock(py, piece.len(), || {
                Taken::new(decoder, piece, is_last && is_rest)
            });
            let has_jumped = match taken {
                Some(taken) if taken.lost.is_empty() => {
                    self.texts.append(taken.text)?;
                    self.at += taken.length;
                    self.decoder = taken.decoder;
                    false
                }
                Some(taken) if taken.is_aligned() => self.take_lost(piece, taken)?,
                Some(_) if piece.len() > too_few + 1 => {
                    size = (piece.len() / 4).max(too_few + 1);
                    continue;
                }
                Some(taken) => self.take_first_lost(piece, taken)?,
                None if is_rest => return Ok(()),
                None => {
                    too_few = piece.len();
                    size = 2 * too_few;
                    continue;
                }
            };
            too_few = 0;
            if has_jumped {
                size = FIRST;
            } else if is_rest {
                return Ok(());
            } else {
                size = size.saturating_mul(2);
            }
        }
    }

    /// Appends text, with the handler's replacement for each U+FFFD. Returns whether a handler
    /// changed the position.
    fn take_lost(&mut self, piece: &[u8], taken: Taken) -> PyResult<bool> {
        let begun = self.at;
        let mut texts = taken.text.split(char::REPLACEMENT_CHARACTER);
        self.texts.append(texts.next())?;
        for place in &taken.lost {
            let (start, end) = (begun + place.offset, begun + place.offset + place.length);
            let position = self.handle(start, end, &place.reason)?;
            if position != end {
                self.decoder = self.before(piece, &taken.text, place).0;
                self.at = position;
                return Ok(true);
            }
            self.texts.append(texts.next())?;
        }
        self.at += taken.length;
        self.decoder = taken.decoder;
        Ok(false)
    }

    /// Appends the text before the first malformed octets, if some U+FFFD are characters of the
    /// text.
    fn take_first_lost(&mut self, piece: &[u8], taken: Taken) -> PyResult<bool> {
        let Some(place) = taken.lost.first() else {
            return Ok(false);
        };
        let (near, text) = self.before(piece, &taken.text, place);
        self.texts.append(text)?;
        let (start, end) = (
            self.at + place.offset,
            self.at + place.offset + place.length,
        );
        let position = self.handle(start, end, &place.reason)?;
        let octets = piece.get(place.offset..).unwrap_or_default();
        self.decoder = match octets.get(..place.length) {
            Some(octets) if position == end => after_malformed(&near, octets),
            _ => near,
        };
        self.at = position;
        Ok(true)
    }

    /// The decoder before malformed octets of a piece, and the text up to there; `text` is the text
    /// of the whole piece.
    fn before(&self, piece: &[u8], text: &str, place: &Place) -> (Decoder, String) {
        let octets = piece.get(..place.offset).unwrap_or_default();
        let mut near = self.decoder.clone();
        let mut taken = near.push(octets).to_owned();
        if !text.starts_with(&taken) || (taken.is_empty() && !octets.is_empty()) {
            // The octet order was unknown until the whole text was read.
            if let Some(mut marked) = marked(&self.decoder, octets, text) {
                marked.push(octets).clone_into(&mut taken);
                near = marked;
            }
        }
        near.take_back();
        let _ = near.take_report();
        // A handler may have moved into a character that the decoder has begun.
        let near = if is_settled(&near) {
            near
        } else {
            self.decoder.clone()
        };
        (near, taken)
    }

    /// Calls the error handler, appends its replacement, and returns the position to continue at.
    fn handle(&mut self, start: usize, end: usize, reason: &str) -> PyResult<usize> {
        let py = self.octets.py();
        let error = if let Some(error) = &self.raised {
            error.setattr("start", start)?;
            error.setattr("end", end)?;
            error.setattr("reason", reason)?;
            error
        } else {
            let words = (self.name, self.octets, start, end, reason);
            let new = py.get_type::<PyUnicodeDecodeError>().call1(words)?;
            self.raised.insert(new)
        };
        let codecs = py.import("codecs")?;
        let handler = codecs.call_method1("lookup_error", (self.errors,))?;
        let answer = handler.call1((error,))?;
        let answer = answer.cast::<PyTuple>().ok();
        let pair = answer.filter(|pair| pair.len() == 2).and_then(|pair| {
            let text = pair.get_item(0).ok()?.cast_into::<PyString>().ok()?;
            Some((text, pair.get_item(1).ok()?.extract::<isize>().ok()?))
        });
        let Some((text, position)) = pair else {
            let sentence = "decoding error handler must return (str, int) tuple";
            return Err(PyTypeError::new_err(sentence));
        };
        let length = self.octets.as_bytes().len();
        let from_start = match usize::try_from(position) {
            Ok(position) => Some(position),
            Err(_) => length.checked_sub(position.unsigned_abs()),
        };
        let Some(from_start) = from_start.filter(|&position| position <= length) else {
            let sentence = format!("position {position} from error handler out of bounds");
            return Err(PyIndexError::new_err(sentence));
        };
        self.texts.append(text)?;
        Ok(from_start)
    }
}

/// Malformed octets of a piece.
struct Place {
    offset: usize,
    length: usize,
    reason: String,
}

/// The result of decoding the start of a piece.
struct Taken {
    text: String,
    /// The number of octets decoded.
    length: usize,
    /// The decoder after them, without pending octets.
    decoder: Decoder,
    /// The malformed octets, each with a U+FFFD in the text.
    lost: Vec<Place>,
    replacements: usize,
}

impl Taken {
    /// `None` if the result depends on octets after the piece.
    fn new(decoder: &Decoder, mut piece: &[u8], is_last: bool) -> Option<Taken> {
        let begun = decoder.decided();
        loop {
            let mut ahead = decoder.clone();
            let mut text = ahead.push(piece).to_owned();
            let report = ahead.take_report();
            let mut lost = places(&report, begun);
            let mut replacements = report.replacements();
            if is_last {
                let end = ahead.clone().finish();
                text += end.as_str();
                replacements += end.report().replacements();
                lost.extend(places(end.report(), begun));
            } else {
                ahead.take_back();
                let decided = ahead.decided() - begun;
                let length = match Rest::of(&ahead) {
                    Rest::Nothing => decided,
                    Rest::Octets(from) => from.saturating_sub(begun),
                    Rest::Text if text.is_empty() => return None,
                    Rest::Text => decided.saturating_sub(1),
                };
                if length < decided {
                    let shorter = length.min(piece.len().saturating_sub(1));
                    piece = piece.get(..shorter).filter(|it| !it.is_empty())?;
                    continue;
                }
                if decided == 0 {
                    return None;
                }
            }
            return Some(Taken {
                length: if is_last {
                    piece.len()
                } else {
                    ahead.decided() - begun
                },
                text,
                decoder: ahead,
                lost,
                replacements,
            });
        }
    }

    /// Whether each U+FFFD in the text has its malformed octets.
    fn is_aligned(&self) -> bool {
        let found = self.text.matches(char::REPLACEMENT_CHARACTER).count();
        found == self.replacements && found == self.lost.len()
    }
}

/// The malformed octets of a report in order, with offsets from the start of a piece.
fn places(report: &Report, begun: usize) -> Vec<Place> {
    let lost = report
        .iter()
        .filter(|it| it.kind().effect() == Effect::Lost);
    let place = |finding: &Finding| Place {
        offset: finding.offset().saturating_sub(begun),
        length: finding.length(),
        reason: reason(finding),
    };
    let mut places: Vec<Place> = lost.map(place).collect();
    places.sort_by_key(|place| place.offset);
    places
}

fn reason(finding: &Finding) -> String {
    match finding.detail() {
        "" => finding.kind().name().to_owned(),
        detail => detail.to_owned(),
    }
}

/// `near` after these malformed octets, or as it was if octets are pending after them.
fn after_malformed(near: &Decoder, octets: &[u8]) -> Decoder {
    let mut after = near.clone();
    after.push(octets);
    after.take_back();
    let _ = after.take_report();
    if is_settled(&after) {
        after
    } else {
        near.clone()
    }
}

/// The state that a decoder without pending octets still depends on.
enum Rest {
    /// None: it has returned all text.
    Nothing,
    /// Octets from this offset on may still be malformed: the beginning of a character, or a UTF-7
    /// digit with bits of the next character.
    Octets(usize),
    /// A character that later octets may change.
    Text,
}

impl Rest {
    fn of(decoder: &Decoder) -> Rest {
        let end = decoder.clone().finish();
        let mut ahead = decoder.clone();
        ahead.push(b"A");
        let pushed = places(&ahead.take_report(), 0);
        let after = ahead.finish();
        let reports = [end.report(), after.report()];
        let lost = reports.into_iter().flat_map(|report| places(report, 0));
        let offsets = lost.chain(pushed).map(|place| place.offset);
        match offsets.filter(|&it| it < decoder.decided()).min() {
            Some(from) => Rest::Octets(from),
            None if end.as_str().is_empty() => Rest::Nothing,
            None => Rest::Text,
        }
    }
}

fn is_settled(decoder: &Decoder) -> bool {
    matches!(Rest::of(decoder), Rest::Nothing)
}

/// For the start of a text without a byte order mark: a decoder in the state after the mark that
/// would give the same text. (Text before a malformed character is returned only once the order is
/// known.)
fn marked(fresh: &Decoder, octets: &[u8], text: &str) -> Option<Decoder> {
    const MARKS: [&[u8]; 4] = [b"\0\0\xFE\xFF", b"\xFF\xFE\0\0", b"\xFE\xFF", b"\xFF\xFE"];
    let marks = MARKS.iter().filter(|_| fresh.decided() == 0);
    let mut decoders = marks.filter_map(|mark| {
        let mut decoder = fresh.clone();
        let is_mark = decoder.push(mark).is_empty() && decoder.take_back() == 0;
        let _ = decoder.take_report();
        is_mark.then_some(decoder)
    });
    decoders.find(|decoder| {
        let mut decoder = decoder.clone();
        let after = text.strip_prefix(decoder.push(octets));
        after.is_some_and(|after| after.starts_with(char::REPLACEMENT_CHARACTER))
    })
}

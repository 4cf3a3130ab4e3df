//! Converts a text from a charset to UTF-8 as iconv requires: if the output is full, no octet is
//! consumed without its output; an error is reported at the start of its sequence; and conversion
//! continues after a full output.

use mime_charset::hangul::HangulPolicy;
use mime_charset::{Charset, Decoder, Effect, Finding, Options};

/// One text and its current offset.
#[derive(Clone)]
pub(crate) struct Conversion {
    charset: Charset,
    decoder: Decoder,
    /// The number of consumed octets that are complete by themselves but could be extended by more
    /// input, such as a VIQR letter before a possible accent.
    held: usize,
    /// Text of consumed octets that did not fit in the output.
    waiting: String,
    /// Whether the end of the text was malformed, for text that had to be buffered until then.
    is_broken: bool,
}

/// The reason that a conversion stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// All octets were consumed.
    Empty,
    /// The next character does not fit in the output.
    Full,
    /// The next octets are malformed, or some were skipped.
    Illegal,
    /// The remaining octets are the beginning of a character.
    Incomplete,
}

/// The result of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) read: usize,
    pub(crate) written: usize,
    /// The number of skipped malformed sequences.
    pub(crate) ignored: usize,
    pub(crate) stop: Stop,
}

/// Flags from the caller of iconv.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mode {
    /// Skip malformed sequences (`//IGNORE`).
    pub(crate) ignore: bool,
    /// Also consume an incomplete character at the end, and keep it for the next call.
    pub(crate) keep_incomplete: bool,
    /// Consume a sequence even if only some of its characters fit, and keep the others.
    pub(crate) split: bool,
}

/// Old Hangul is always remapped, by RFC 2279, section 5. To override the label, as the library
/// does, would require the whole text before the first character is returned.
pub(crate) const OPTIONS: Options = Options::new().hangul(HangulPolicy::Always);

/// Number of octets to try at once: few at first, since each error means starting again.
const FIRST: usize = 64;
const MOST: usize = 4096;

impl Conversion {
    pub(crate) fn new(charset: Charset) -> Self {
        Conversion {
            charset,
            decoder: Decoder::with_options(charset, &OPTIONS),
            held: 0,
            waiting: String::new(),
            is_broken: false,
        }
    }

    /// Converts as much as possible.
    pub(crate) fn convert(&mut self, input: &[u8], room: &mut [u8], mode: Mode) -> Done {
        let written = self.hand_over(room);
        let mut done = Done {
            read: 0,
            written,
            ignored: 0,
            stop: Stop::Full,
        };
        let mut size = FIRST;
        while self.waiting.is_empty() {
            let rest = input.get(done.read..).unwrap_or_default();
            if rest.is_empty() {
                let is_whole = done.ignored == 0;
                done.stop = if is_whole { Stop::Empty } else { Stop::Illegal };
                break;
            }
            let piece = rest.get(..size).unwrap_or(rest);
            if let Some(clean) = self.take_clean(piece, free(room, done.written)) {
                done.read += clean.read;
                done.written += clean.written;
                size = MOST.min(2 * size);
            } else if size > 1 && piece.len() > 1 {
                size = piece.len() / 4;
            } else {
                size = FIRST / 4;
                if let Some(stop) = self.take_one(rest, room, mode, &mut done) {
                    done.stop = stop;
                    break;
                }
            }
        }
        done
    }

    /// Ends the text: octets that need more input become pending text.
    pub(crate) fn finish(&mut self, ignore: bool) {
        let fresh = Decoder::with_options(self.charset, &OPTIONS);
        let decoder = std::mem::replace(&mut self.decoder, fresh);
        self.held = 0;
        let end = decoder.finish();
        let is_whole = end.report().replacements() == 0;
        if is_whole {
            self.waiting += end.as_str();
        } else if ignore {
            self.waiting += &without_replacements(end.as_str());
        } else {
            self.waiting += before_replacement(end.as_str());
        }
        self.is_broken |= !is_whole && !ignore;
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Moves pending text to `room`: as many characters as fit.
    pub(crate) fn hand_over(&mut self, room: &mut [u8]) -> usize {
        let length = write(&self.waiting, room);
        self.waiting.drain(..length);
        length
    }

    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Stores text that the next step did not consume.
    pub(crate) fn put_back(&mut self, octets: &[u8]) {
        self.waiting.insert_str(0, &String::from_utf8_lossy(octets));
    }

    /// Consumes the complete characters of a piece, if none is malformed and all fit; otherwise
    /// consumes nothing.
    fn take_clean(&mut self, piece: &[u8], room: &mut [u8]) -> Option<Done> {
        let mut ahead = self.decoder.clone();
        let taken = self.taken();
        let text = ahead.push(piece);
        let length = text.len();
        room.get_mut(..length)?.copy_from_slice(text.as_bytes());
        let is_clean = ahead.take_report().replacements() == 0;
        let read = ahead.decided().checked_sub(taken)?;
        if !is_clean || (read == 0 && length == 0) {
            return None;
        }
        ahead.take_back();
        if let Some(start) = unfinished(&ahead) {
            // Leave its first octet and those after it.
            let whole = piece.get(..start.checked_sub(taken)?)?;
            return self.take_clean(whole, room);
        }
        self.decoder = ahead;
        self.held = 0;
        Some(Done {
            read,
            written: length,
            ignored: 0,
            stop: Stop::Empty,
        })
    }

    /// Consumes the next sequence, octet by octet, or returns why it cannot.
    fn take_one(
        &mut self,
        rest: &[u8],
        room: &mut [u8],
        mode: Mode,
        done: &mut Done,
    ) -> Option<Stop> {
        let mut ahead = self.decoder.clone();
        let decided = ahead.decided();
        let taken = self.taken();
        let mut text = String::new();
        let is_decided = rest.iter().any(|octet| {
            text += ahead.push(std::slice::from_ref(octet));
            let is_decided = ahead.decided() > decided && ahead.decided() >= taken;
            // Some decoders consider half of a surrogate pair decided, but it is not a character.
            is_decided && (!text.is_empty() || is_safe(&ahead, taken))
        });
        if !is_decided {
            let room = free(room, done.written);
            return Some(self.take_end(ahead, &text, rest, (room, mode), done));
        }
        ahead.take_back();
        let mut read = ahead.decided() - taken;
        let report = ahead.take_report();
        let malformed = report.replacements();
        let mut stop = None;
        if malformed > 0 && mode.ignore {
            text = without_replacements(&text);
        } else if malformed > 0 {
            stop = Some(Stop::Illegal);
            text.truncate(before_replacement(&text).len());
            let place = report.iter().filter(is_lost).map(Finding::offset).min();
            read = place.map_or(0, |place| place.saturating_sub(taken));
            if read == 0 && text.is_empty() {
                return stop;
            }
        }
        let length = write(&text, free(room, done.written));
        if length < text.len() {
            let is_stuck = done.written == 0 && length > 0;
            if !mode.split && !is_stuck {
                return Some(Stop::Full);
            }
            self.waiting = text.split_off(length);
            stop = Some(Stop::Full);
        }
        self.decoder = ahead;
        self.held = 0;
        done.read += read;
        done.written += length;
        done.ignored += malformed;
        stop
    }

    /// Handles octets at the end that more input could extend. If they are complete by themselves,
    /// they are consumed and kept, as glibc's own modules do for letters before a possible accent.
    fn take_end(
        &mut self,
        ahead: Decoder,
        text: &str,
        rest: &[u8],
        (room, mode): (&mut [u8], Mode),
        done: &mut Done,
    ) -> Stop {
        let taken = self.taken();
        let start = unfinished(&ahead);
        if let Some(start) = start
            && !mode.keep_incomplete
        {
            self.hold(rest, start);
            done.read += self.taken() - taken;
            return Stop::Incomplete;
        }
        let Some(room) = room.get_mut(..text.len()) else {
            return Stop::Full;
        };
        room.copy_from_slice(text.as_bytes());
        self.held = (taken + rest.len()).saturating_sub(ahead.decided());
        self.decoder = ahead;
        done.read += rest.len();
        done.written += text.len();
        match (start, done.ignored) {
            (Some(_), _) => Stop::Incomplete,
            (None, 0) => Stop::Empty,
            (None, _) => Stop::Illegal,
        }
    }

    /// Consumes the octets before `place`, if they are complete but have no text yet.
    fn hold(&mut self, rest: &[u8], place: usize) {
        let taken = self.taken();
        let mut ahead = self.decoder.clone();
        let before = place
            .checked_sub(taken)
            .and_then(|length| rest.get(..length));
        if let Some(before) = before
            && !before.is_empty()
            && ahead.push(before).is_empty()
            && unfinished(&ahead).is_none()
        {
            self.held = place.saturating_sub(ahead.decided());
            self.decoder = ahead;
        }
    }

    /// The number of consumed octets.
    fn taken(&self) -> usize {
        self.decoder.decided() + self.held
    }
}

/// Whether a decoder can stop here: the octets consumed since an offset do not begin a character.
fn is_safe(decoder: &Decoder, taken: usize) -> bool {
    let mut decoder = decoder.clone();
    decoder.take_back();
    unfinished(&decoder).is_none_or(|start| start < taken)
}

/// The offset of consumed octets that form an incomplete character.
fn unfinished(decoder: &Decoder) -> Option<usize> {
    let end = decoder.clone().finish();
    let mut lost = end.report().iter().filter(is_lost);
    lost.next().map(Finding::offset)
}

fn is_lost(finding: &&Finding) -> bool {
    finding.kind().effect() == Effect::Lost
}

/// The room after the written octets.
fn free(room: &mut [u8], written: usize) -> &mut [u8] {
    room.get_mut(written..).unwrap_or_default()
}

/// Writes the characters of a text that fit, and returns their number of octets.
fn write(text: &str, room: &mut [u8]) -> usize {
    let mut length = text.len().min(room.len());
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    if let (Some(to), Some(from)) = (room.get_mut(..length), text.as_bytes().get(..length)) {
        to.copy_from_slice(from);
    }
    length
}

fn without_replacements(text: &str) -> String {
    text.replace(char::REPLACEMENT_CHARACTER, "")
}

fn before_replacement(text: &str) -> &str {
    text.split(char::REPLACEMENT_CHARACTER)
        .next()
        .unwrap_or_default()
}

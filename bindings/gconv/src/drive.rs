//! Runs a conversion for a step of glibc: writes to the output of iconv's caller, or to a buffer
//! for the next step, and converts again if that step did not consume everything.

use crate::conversion::{Conversion, Done, Mode, Stop};

/// Return values of a step, by their numbers in `gconv.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) i32);

impl Code {
    pub(crate) const OK: Code = Code(0);
    pub(crate) const NO_CONVERSION: Code = Code(1);
    pub(crate) const EMPTY_INPUT: Code = Code(4);
    pub(crate) const FULL_OUTPUT: Code = Code(5);
    pub(crate) const ILLEGAL_INPUT: Code = Code(6);
    pub(crate) const INCOMPLETE_INPUT: Code = Code(7);
    /// iconv reports it as EBADF.
    pub(crate) const ILLEGAL_DESCRIPTOR: Code = Code(8);
}

impl From<Stop> for Code {
    fn from(stop: Stop) -> Code {
        match stop {
            Stop::Empty => Code::EMPTY_INPUT,
            Stop::Full => Code::FULL_OUTPUT,
            Stop::Illegal => Code::ILLEGAL_INPUT,
            Stop::Incomplete => Code::INCOMPLETE_INPUT,
        }
    }
}

/// The output of a step.
pub(crate) trait Output {
    /// Whether this is the last step.
    fn is_last(&self) -> bool;

    /// The free room.
    fn room(&mut self) -> &mut [u8];

    /// Commits written octets.
    fn written(&mut self, length: usize);

    /// Passes the first octets of the room to the next step; returns the number it consumed, and
    /// its return value.
    fn pass(&mut self, length: usize) -> (usize, Code);

    /// Lets the following steps end their text.
    fn flush(&mut self) -> Code;
}

/// The numbers of octets read and sequences skipped, and the return value.
pub(crate) type Answer = (usize, usize, Code);

/// Converts octets.
pub(crate) fn convert(
    conversion: &mut Conversion,
    input: &[u8],
    mode: Mode,
    output: &mut impl Output,
) -> Answer {
    if output.is_last() {
        let done = conversion.convert(input, output.room(), mode);
        output.written(done.written);
        return (done.read, done.ignored, done.stop.into());
    }
    let (mut read, mut ignored) = (0, 0);
    loop {
        let rest = input.get(read..).unwrap_or_default();
        let before = conversion.clone();
        let mut done = conversion.convert(rest, output.room(), mode);
        let mut code = Code::from(done.stop);
        if done.written > 0 {
            let (taken, next) = output.pass(done.written);
            if taken < done.written {
                *conversion = before;
                done = again(conversion, rest, taken, mode, output);
            }
            if next != Code::EMPTY_INPUT {
                code = next;
            } else if done.stop == Stop::Full {
                code = Code::OK;
            }
        }
        read += done.read;
        ignored += done.ignored;
        if code != Code::OK {
            return (read, ignored, code);
        }
    }
}

/// Converts again, up to the octets that the next step consumed.
fn again(
    conversion: &mut Conversion,
    input: &[u8],
    taken: usize,
    mode: Mode,
    output: &mut impl Output,
) -> Done {
    let mode = Mode {
        split: true,
        ..mode
    };
    let room = output.room().get_mut(..taken).unwrap_or_default();
    conversion.convert(input, room, mode)
}

/// Ends a text: writes pending text, and ends the following steps.
pub(crate) fn flush(conversion: &mut Conversion, mode: Mode, output: &mut impl Output) -> Code {
    conversion.finish(mode.ignore);
    while conversion.is_waiting() {
        let length = conversion.hand_over(output.room());
        if output.is_last() {
            output.written(length);
            if conversion.is_waiting() {
                return Code::FULL_OUTPUT;
            }
        } else if length == 0 {
            return Code::FULL_OUTPUT;
        } else {
            let (taken, code) = output.pass(length);
            let left = output.room().get(taken..length).unwrap_or_default();
            conversion.put_back(left);
            if code != Code::EMPTY_INPUT {
                return code;
            }
        }
    }
    if conversion.is_broken() {
        return Code::ILLEGAL_INPUT;
    }
    if output.is_last() {
        Code::OK
    } else {
        output.flush()
    }
}

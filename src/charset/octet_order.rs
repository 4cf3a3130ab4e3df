//! Which octet of a unit comes first, in UTF-16 and UTF-32 that do not say so by their label.
//!
//! A byte order mark decides (RFC 2781, section 4.3; Unicode Standard, section 3.10). Without
//! one, those documents have text read as big-endian; much of what mail carries is
//! little-endian, so the first [`PREFIX`] octets are looked at first.
//!
//! Until then the octets wait inside the codec, since the answer must not depend on how the
//! input is cut.

use super::codec::{Codec, Sink};
use super::reading::Bom;
use crate::report::{Kind, Report};

/// Big-endian, the network's order, or little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Big,
    Little,
}

impl Order {
    /// Pairs of octets as code units.
    pub(super) fn units<const N: usize>(self, pairs: &[[u8; 2]; N]) -> [u16; N] {
        match self {
            Order::Big => pairs.map(u16::from_be_bytes),
            Order::Little => pairs.map(u16::from_le_bytes),
        }
    }
}

/// What is known of the order before the text begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// The label names it, and an initial U+FEFF is a character (RFC 2781, section 4.3).
    Fixed(Order),
    /// A byte order mark names it, else it has to be assumed.
    Open,
    /// The same, and those who write it mean little-endian.
    Little,
    /// The charset's document prescribes big-endian (RFC 1641, RFC 1815); a mark is obeyed all
    /// the same, and so are octets that make sense in the other order alone.
    Network,
}

/// How many octets are asked for their order where no byte order mark is.
const PREFIX: usize = 4096;

/// A form of Unicode whose units have several octets.
pub(super) trait Units: Send + Sync + Clone + Default + 'static {
    /// How many octets a unit has.
    const WIDTH: usize;
    /// U+FEFF in the big-endian order.
    const MARK: &'static [u8];

    /// What `prefix` says of its order, and why; `None` where both orders do.
    fn order_of(prefix: &[u8]) -> Option<(Order, &'static str)>;

    /// As [`Codec::decode`], with the order known.
    fn decode(&mut self, order: Order, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize;

    /// Whether a unit waits for another.
    fn is_waiting(&self) -> bool {
        false
    }
}

/// A form in the order that is declared, marked or assumed.
#[derive(Clone)]
pub(super) struct OrderCodec<U> {
    units: U,
    declared: Declared,
    bom: Bom,
    state: State,
}

#[derive(Clone)]
enum State {
    Start,
    /// No byte order mark was there; these octets wait for the order.
    Waiting(Vec<u8>),
    Known(Order),
}

impl<U: Units> OrderCodec<U> {
    pub(super) fn new(declared: Declared, bom: Bom) -> Self {
        let state = match declared {
            Declared::Fixed(order) => State::Known(order),
            Declared::Open | Declared::Little | Declared::Network => State::Start,
        };
        OrderCodec {
            units: U::default(),
            declared,
            bom,
            state,
        }
    }

    /// The order that the input's first octets mark, and how many octets to pass over.
    fn marked(&self, input: &[u8], sink: &mut Sink<'_>) -> Option<(Order, usize)> {
        let order = if input.starts_with(U::MARK) {
            Order::Big
        } else if input.len() >= U::WIDTH && input.iter().take(U::WIDTH).eq(U::MARK.iter().rev()) {
            Order::Little
        } else {
            return None;
        };
        if self.bom == Bom::Keep {
            return Some((order, 0));
        }
        let detail = match order {
            Order::Big => "big-endian",
            Order::Little => "little-endian",
        };
        sink.report
            .add_in_octets(Kind::BomRemoved, sink.base, U::WIDTH, detail);
        Some((order, U::WIDTH))
    }

    fn assume(&self, prefix: &[u8], report: &mut Report) -> Order {
        const DEFAULT: (Order, &str) = (
            Order::Big,
            "no byte order mark and nothing to tell by: big-endian, the default",
        );
        const LITTLE: (Order, &str) = (
            Order::Little,
            "no byte order mark and nothing to tell by: little-endian, as the label is meant",
        );
        let default = if self.declared == Declared::Little {
            LITTLE
        } else {
            DEFAULT
        };
        let (order, why) = U::order_of(prefix).unwrap_or(default);
        let expected = self.declared == Declared::Network && order == Order::Big;
        if !expected && !prefix.is_empty() {
            report.add_in_octets(Kind::ByteOrderAssumed, 0, 0, why);
        }
        order
    }
}

impl<U: Units> Codec for OrderCodec<U> {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut at = 0;
        if matches!(self.state, State::Start) {
            if input.len() < U::WIDTH && !last {
                return 0;
            }
            self.state = match self.marked(input, sink) {
                Some((order, mark)) => {
                    at = mark;
                    State::Known(order)
                }
                None => State::Waiting(Vec::new()),
            };
        }
        if let State::Waiting(waiting) = &mut self.state {
            let wanted = PREFIX - waiting.len();
            let more = input.get(..wanted).unwrap_or(input);
            waiting.extend_from_slice(more);
            at = more.len();
            if waiting.len() < PREFIX && !last {
                return at;
            }
            let waiting = std::mem::take(waiting);
            let order = self.assume(&waiting, sink.report);
            self.state = State::Known(order);
            // A whole number of units, so that none of it is left unless all of it is there.
            let ends = last && at == input.len();
            self.units.decode(order, &waiting, ends, &mut sink.at(0));
        }
        let State::Known(order) = self.state else {
            return at;
        };
        let rest = input.get(at..).unwrap_or_default();
        if rest.is_empty() && at > 0 && !last {
            return at;
        }
        at + self
            .units
            .decode(order, rest, last, &mut sink.at(sink.base + at))
    }

    fn give_out(&mut self, sink: &mut Sink<'_>) -> usize {
        let State::Waiting(waiting) = &mut self.state else {
            return 0;
        };
        let waiting = std::mem::take(waiting);
        let order = self.assume(&waiting, sink.report);
        self.state = State::Known(order);
        let used = self.units.decode(order, &waiting, false, &mut sink.at(0));
        waiting.len() - used
    }

    fn state(&self) -> Option<u128> {
        match (&self.state, self.declared) {
            _ if self.units.is_waiting() => None,
            (State::Start, _) | (State::Known(_), Declared::Fixed(_)) => Some(0),
            (State::Waiting(_), _) => None,
            (State::Known(Order::Big), _) => Some(1),
            (State::Known(Order::Little), _) => Some(2),
        }
    }

    fn resume(&mut self, state: u128) {
        match (state, self.declared) {
            (_, Declared::Fixed(_)) => {}
            (1, _) => self.state = State::Known(Order::Big),
            (2, _) => self.state = State::Known(Order::Little),
            _ => {}
        }
    }
}

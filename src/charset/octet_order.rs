//! The octet order of UTF-16 and UTF-32 if the label does not specify it.
//!
//! A byte order mark decides (RFC 2781, section 4.3; Unicode Standard, section 3.10). Without a
//! mark, these documents prescribe big-endian, but much mail is little-endian. So the first
//! [`PREFIX`] octets decide.
//!
//! The codec buffers these octets, so that the result does not depend on how the input is sliced.

use super::codec::{Codec, Sink};
use crate::report::{Kind, Report};

/// Big-endian (network order) or little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Big,
    Little,
}

impl Order {
    /// Converts pairs of octets to code units.
    pub(super) fn units<const N: usize>(self, pairs: &[[u8; 2]; N]) -> [u16; N] {
        match self {
            Order::Big => pairs.map(u16::from_be_bytes),
            Order::Little => pairs.map(u16::from_le_bytes),
        }
    }
}

/// The order as declared by the charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclaredOrder {
    /// Specified by the label; an initial U+FEFF is a character (RFC 2781, section 4.3).
    Fixed(Order),
    /// Given by a byte order mark, or else assumed.
    Open,
    /// Like [`Open`](DeclaredOrder::Open), but little-endian by default.
    Little,
    /// Big-endian by the charset's document (RFC 1641, RFC 1815), unless there is a mark or the octets
    /// make sense only in the other order.
    Network,
}

/// The number of octets examined without a byte order mark.
const PREFIX: usize = 4096;

/// A form of Unicode with units of several octets.
pub(super) trait Units: Send + Sync + Clone + Default + 'static {
    /// The number of octets per unit.
    const WIDTH: usize;
    /// U+FEFF in the big-endian order.
    const MARK: &'static [u8];

    /// The order that `prefix` indicates, with the reason; `None` if it fits both orders.
    fn order_of(prefix: &[u8]) -> Option<(Order, &'static str)>;

    /// [`Codec::decode`] in a known order.
    fn decode(&mut self, order: Order, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize;

    /// Whether half of a surrogate pair is pending.
    fn has_pending(&self) -> bool {
        false
    }
}

/// Decodes a form in the declared, marked or assumed order.
#[derive(Clone)]
pub(super) struct OrderCodec<U> {
    units: U,
    declared: DeclaredOrder,
    keeps_bom: bool,
    state: State,
}

#[derive(Clone)]
enum State {
    Start,
    /// No byte order mark: octets buffered until the order is known.
    Pending(Vec<u8>),
    Known(Order),
}

impl<U: Units> OrderCodec<U> {
    pub(super) fn new(declared: DeclaredOrder, keeps_bom: bool) -> Self {
        let state = match declared {
            DeclaredOrder::Fixed(order) => State::Known(order),
            DeclaredOrder::Open | DeclaredOrder::Little | DeclaredOrder::Network => State::Start,
        };
        OrderCodec {
            units: U::default(),
            declared,
            keeps_bom,
            state,
        }
    }

    /// The order given by a byte order mark, and the number of octets to skip.
    fn marked(&self, input: &[u8], sink: &mut Sink<'_>) -> Option<(Order, usize)> {
        let order = if input.starts_with(U::MARK) {
            Order::Big
        } else if input.len() >= U::WIDTH && input.iter().take(U::WIDTH).eq(U::MARK.iter().rev()) {
            Order::Little
        } else {
            return None;
        };
        if self.keeps_bom {
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
            "no byte order mark and no evidence: big-endian, the default",
        );
        const LITTLE: (Order, &str) = (
            Order::Little,
            "no byte order mark and no evidence: little-endian, as the label implies",
        );
        let default = if self.declared == DeclaredOrder::Little {
            LITTLE
        } else {
            DEFAULT
        };
        let (order, why) = U::order_of(prefix).unwrap_or(default);
        let expected = self.declared == DeclaredOrder::Network && order == Order::Big;
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
                None => State::Pending(Vec::new()),
            };
        }
        if let State::Pending(pending) = &mut self.state {
            let wanted = PREFIX - pending.len();
            let more = input.get(..wanted).unwrap_or(input);
            pending.extend_from_slice(more);
            at = more.len();
            if pending.len() < PREFIX && !last {
                return at;
            }
            let pending = std::mem::take(pending);
            let order = self.assume(&pending, sink.report);
            self.state = State::Known(order);
            // Pass whole units until the end, so that no unit is left over.
            let ends = last && at == input.len();
            self.units.decode(order, &pending, ends, &mut sink.at(0));
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

    fn flush_partial(&mut self, sink: &mut Sink<'_>) -> usize {
        let State::Pending(pending) = &mut self.state else {
            return 0;
        };
        let pending = std::mem::take(pending);
        let order = self.assume(&pending, sink.report);
        self.state = State::Known(order);
        let used = self.units.decode(order, &pending, false, &mut sink.at(0));
        pending.len() - used
    }

    fn state(&self) -> Option<u128> {
        match (&self.state, self.declared) {
            _ if self.units.has_pending() => None,
            (State::Start, _) | (State::Known(_), DeclaredOrder::Fixed(_)) => Some(0),
            (State::Pending(_), _) => None,
            (State::Known(Order::Big), _) => Some(1),
            (State::Known(Order::Little), _) => Some(2),
        }
    }

    fn resume(&mut self, state: u128) {
        match (state, self.declared) {
            (_, DeclaredOrder::Fixed(_)) => {}
            (1, _) => self.state = State::Known(Order::Big),
            (2, _) => self.state = State::Known(Order::Little),
            _ => {}
        }
    }
}

//! The second reading: with the feature `mailparse`, that library decodes the changed fields and bodies
//! too.

use crate::decode::TextToCompare;
use crate::error::Error;
#[cfg(feature = "mailparse")]
use crate::for_mailparse::agrees;
use crate::message::Message;
#[cfg(feature = "mailparse")]
use crate::message::Part;

/// Maximum number of texts for mailparse, which are kept until the end of the proof.
const MAX_READINGS: usize = 16_384;

/// Maximum total length of the texts for mailparse, in octets.
const MAX_READING_OCTETS: usize = 2 << 20;

/// The texts queued for mailparse.
#[derive(Default)]
pub(super) struct SecondReadings<'m> {
    pub(super) list: Vec<TextToCompare<'m>>,
    octets: usize,
}

impl<'m> SecondReadings<'m> {
    pub(super) fn can_grow(&self) -> bool {
        self.list.len() < MAX_READINGS && self.octets < MAX_READING_OCTETS
    }

    pub(super) fn add(&mut self, reading: TextToCompare<'m>) {
        if self.can_grow() && reading.text.len() <= MAX_READING_OCTETS - self.octets {
            self.octets += reading.text.len();
            self.list.push(reading);
        }
    }
}

#[cfg(not(feature = "mailparse"))]
#[expect(clippy::unnecessary_wraps, reason = "with mailparse it can fail")]
pub(super) fn read_with_mailparse(
    _: &Message<'_>,
    _: &mut [TextToCompare<'_>],
) -> Result<usize, Error> {
    Ok(0)
}

/// Maximum number of octets that mailparse parses, as a multiple of the message length. One reading
/// per embedded message could parse a hundred times the message.
#[cfg(feature = "mailparse")]
const MAX_MULTIPLE: usize = 8;

/// Makes mailparse decode each text within its innermost message, since mailparse does not parse
/// embedded messages. Returns the number of texts that it decodes in the same way.
#[cfg(feature = "mailparse")]
pub(super) fn read_with_mailparse(
    message: &Message<'_>,
    readings: &mut [TextToCompare<'_>],
) -> Result<usize, Error> {
    readings.sort_by_key(|reading| reading.range.start);
    let mut is_read = vec![false; readings.len()];
    let mut left = MAX_MULTIPLE.saturating_mul(message.source().len());
    let (mut count, mut first_other) = (0, None);
    let is_root = |part: &Part<'_>| part.parent().is_none_or(Part::is_message);
    let roots: Vec<_> = message.entities().filter(is_root).collect();
    // Inner messages come after those that contain them.
    for root in roots.into_iter().rev() {
        let (Some(header), Some(body)) = (root.header_range(), root.body_range()) else {
            continue;
        };
        let first = readings.partition_point(|reading| reading.range.start < header.start);
        let (Some(rest), Some(is_read)) = (readings.get(first..), is_read.get_mut(first..)) else {
            continue;
        };
        let own: Vec<_> = rest
            .iter()
            .zip(is_read)
            .take_while(|(reading, _)| reading.range.start <= body.end)
            .filter_map(|(reading, is_read)| (!std::mem::replace(is_read, true)).then_some(reading))
            .collect();
        let Some(last) = own.last() else {
            continue;
        };
        // A message's own fields need only its header.
        let end = if last.range.end <= header.end {
            header.end
        } else {
            body.end
        };
        let octets = message.source().get(header.start..end).unwrap_or_default();
        if octets.len() > left {
            continue;
        }
        left -= octets.len();
        for (own, agrees) in own.iter().zip(agrees(octets, header.start, &own)) {
            count += usize::from(agrees == Some(true));
            if agrees == Some(false) {
                let at = own.range.start;
                first_other = Some(first_other.map_or(at, |first: usize| first.min(at)));
            }
        }
    }
    let Some(at) = first_other else {
        return Ok(count);
    };
    let sentence =
        format!("expected mailparse to decode the same text, found different text (at {at})");
    Err(Error::at(at, sentence))
}

//! One-line previews for a message list.

use std::collections::VecDeque;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::header::{is_invisible, is_joiner};

/// A preview is settled once this many octets follow its last character: text appended to the reading
/// text cannot change it. The number exceeds the length of any introduction.
const SETTLED: usize = 512;

/// Maximum length of a quote introduction, in lines and in octets.
const MAX_INTRODUCTION_LINES: usize = 3;
const MAX_INTRODUCTION: usize = 400;

/// Maximum number of scalar values kept per character. A family emoji has eleven.
const MAX_SCALARS: usize = 32;

/// Minimum length in octets of a line that may have been wrapped because it was full.
const FULL_LINE: usize = 40;

/// The first characters of a reading text on one line.
pub(super) struct Preview {
    pub(super) line: String,
    /// Whether the text continues after the preview.
    pub(super) is_cut: bool,
    /// Whether text appended to the reading text cannot change the line.
    pub(super) is_settled: bool,
}

/// A preview of at most this many `characters`, which are grapheme clusters (Unicode Standard Annex #29).
///
/// Skips quotes of the original message and the lines that introduce the quotes, unless there is no other
/// text.
pub(super) fn preview(text: &str, characters: usize) -> Preview {
    let (mut own, mut quoted) = (PreviewLine::new(characters), PreviewLine::new(characters));
    let mut pending = PendingLines {
        text,
        lines: VecDeque::new(),
    };
    let mut offset = 0;
    let mut is_after_blank = false;
    for line in text.split_inclusive('\n') {
        let range = offset..offset + line.len();
        offset = range.end;
        let line = line.trim();
        if own.full_at.is_some() {
            break;
        } else if line.is_empty() {
            is_after_blank = true;
            continue;
        } else if line.starts_with('>') {
            let introduction = pending.introduction();
            pending.release(pending.lines.len() - introduction, &mut own);
            pending.release(introduction, &mut quoted);
            quoted.push(line.trim_start_matches(['>', ' ']), range.start);
        } else if begins_original_message(line, text.get(offset..).unwrap_or_default()) {
            pending.release(pending.lines.len(), &mut own);
            quoted.push(text.get(range.start..).unwrap_or_default(), range.start);
            break;
        } else {
            let released = if is_after_blank {
                pending.lines.len()
            } else {
                0
            };
            pending.release(
                released.max((pending.lines.len() + 1).saturating_sub(MAX_INTRODUCTION_LINES)),
                &mut own,
            );
            pending.lines.push_back(range);
        }
        is_after_blank = false;
    }
    pending.release(pending.lines.len(), &mut own);
    let is_settled = own.full_at.is_some_and(|end| end + SETTLED <= text.len());
    // If the text ends with a colon, it introduces the quote, so the quote is shown too.
    if own.text.ends_with([':', '：']) {
        own.push(&quoted.text, text.len());
    }
    let line = if own.text.is_empty() { quoted } else { own };
    let rest = line.full_at.and_then(|end| text.get(end..));
    Preview {
        line: line.text,
        is_cut: rest.is_some_and(|rest| rest.contains(|c: char| !c.is_whitespace())),
        is_settled,
    }
}

/// Whether the original message, without quote marks, begins with this line. The line must be a rule such
/// as `-----Original Message-----`, in any language, or a From line; two further header lines must
/// follow.
fn begins_original_message(line: &str, after: &str) -> bool {
    let is_rule = line.len() >= 20 && line.bytes().all(|octet| octet == b'_');
    let is_rule = is_rule || line.starts_with("-----") && line.ends_with("-----");
    let mut next = after.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut is_field = || next.next().and_then(field_name).is_some();
    let is_sender = || field_name(line).is_some_and(|name| SENDER.contains(&name));
    (is_rule || is_sender()) && is_field() && is_field()
}

/// The name of the From field in the header that Outlook writes above the original message, in several
/// languages.
const SENDER: [&str; 16] = [
    "From",
    "Von",
    "De",
    "Da",
    "Van",
    "Fra",
    "Från",
    "Lähettäjä",
    "Od",
    "От",
    "Kimden",
    "发件人",
    "寄件者",
    "差出人",
    "送信者",
    "보낸 사람",
];

/// The name in a line such as `Sent: Monday`.
fn field_name(line: &str) -> Option<&str> {
    let (name, _) = line.split_once([':', '：'])?;
    let name = name.trim_matches(['*', ' ', '\u{A0}']);
    let is_name = (1..=30).contains(&name.len()) && name.split(' ').count() <= 2;
    let is_letters = name
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
    (is_name && is_letters).then_some(name)
}

/// The last lines of a paragraph, which may introduce a quote.
struct PendingLines<'t> {
    text: &'t str,
    lines: VecDeque<Range<usize>>,
}

impl PendingLines<'_> {
    fn line(&self, index: usize) -> &str {
        let range = self.lines.get(index).cloned();
        range
            .and_then(|range| self.text.get(range))
            .unwrap_or_default()
            .trim()
    }

    /// Moves the first `count` lines to `target`.
    fn release(&mut self, count: usize, target: &mut PreviewLine) {
        for range in self.lines.drain(..count) {
            target.push(
                self.text.get(range.clone()).unwrap_or_default(),
                range.start,
            );
        }
    }

    /// The number of final lines that introduce a quote, such as `On Monday Ann wrote:` in any language.
    /// They must end with a colon and contain an address, a time or a year. The line before them belongs
    /// to the introduction if it was wrapped because it was full, or if it ends with a comma.
    fn introduction(&self) -> usize {
        let count = self.lines.len();
        if count == 0 || !self.line(count - 1).ends_with([':', '：']) {
            return 0;
        }
        let (mut lines, mut octets, mut is_named) = (0, 0, false);
        for index in (0..count).rev() {
            let line = self.line(index);
            let is_full = line.len() >= FULL_LINE && !line.ends_with(SENTENCE_ENDS);
            if is_named && !is_full && !line.ends_with(',') && lines > 0 {
                break;
            }
            octets += line.len();
            is_named |= has_sender_or_time(line);
            lines += 1;
        }
        if is_named && octets <= MAX_INTRODUCTION {
            lines
        } else {
            0
        }
    }
}

const SENTENCE_ENDS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// Whether a line has an address, a clock time such as `10:00` or a four-digit year.
fn has_sender_or_time(line: &str) -> bool {
    let is_digit = |octet: &u8| octet.is_ascii_digit();
    let has_year = line
        .as_bytes()
        .windows(4)
        .any(|four| four.iter().all(is_digit));
    let mut clocks = line.as_bytes().windows(3);
    let is_clock = |three: &[u8]| matches!(three, [before, b':', after] if is_digit(before) && is_digit(after));
    line.contains('@') || has_year || clocks.any(is_clock)
}

/// One line of limited length, without invisible characters.
struct PreviewLine {
    text: String,
    /// The number of characters that still fit.
    room: usize,
    needs_blank: bool,
    /// Once the line is full, the offset in the text after its last character.
    full_at: Option<usize>,
}

impl PreviewLine {
    fn new(characters: usize) -> Self {
        PreviewLine {
            text: String::new(),
            room: characters,
            needs_blank: false,
            full_at: (characters == 0).then_some(0),
        }
    }

    /// Appends a blank and text that begins at this offset.
    fn push(&mut self, text: &str, offset: usize) {
        self.needs_blank = !self.text.is_empty();
        for (index, character) in text.grapheme_indices(true) {
            if self.full_at.is_some() {
                return;
            }
            let seen = |&c: &char| !is_dropped(c) && !is_joiner(c);
            let Some(first) = character.chars().find(seen) else {
                continue;
            };
            if first.is_whitespace() {
                let seen = self.text.trim_end_matches(is_joiner).len();
                self.text.truncate(seen);
                self.needs_blank = !self.text.is_empty();
                continue;
            }
            // A line must not end with a blank, so a blank needs room for the next character too.
            let needed = if self.needs_blank { 2 } else { 1 };
            let mut end = offset + index;
            if self.room >= needed {
                let blank = std::mem::take(&mut self.needs_blank).then_some(' ');
                let seen = character.chars().filter(|&c| !is_dropped(c));
                self.text
                    .extend(blank.into_iter().chain(seen.take(MAX_SCALARS)));
                end += character.len();
            }
            self.room = self.room.saturating_sub(needed);
            if self.room == 0 {
                self.full_at = Some(end);
            }
        }
    }
}

/// Whether to drop an invisible character from a line: newsletters pad previews with zero-width
/// characters, and a cut line would leave bidirectional controls open. Joiners are kept, since Persian
/// and emoji need them.
fn is_dropped(character: char) -> bool {
    is_invisible(character) && !character.is_whitespace()
}

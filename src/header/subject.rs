//! The base subject of a message, used for threading (RFC 5256, section 2.1).
//!
//! This module removes more than the algorithm of the RFC: also prefixes in other languages,
//! prefixes with a fullwidth colon, and counters as in `Re^2:` and `Re(2):`.

use crate::work::work;

/// A subject without the additions of replies and forwards, from [`base_subject`].
///
/// ```
/// use mime_charset::header::base_subject;
///
/// let base = base_subject("[list] AW: Re[2]: Größe (fwd)");
/// assert_eq!((base.text.as_str(), base.is_reply, base.is_forward), ("Größe", true, true));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaseSubject {
    /// The base subject on one line, with one space between words. May be empty. RFC 5256 compares base
    /// subjects ignoring case.
    pub text: String,
    /// Whether a reply prefix was removed, such as `Re:` or `AW:`.
    pub is_reply: bool,
    /// Whether a forward marker was removed, such as `Fwd:`, `WG:`, `[Fwd: ...]` or `(fwd)`.
    pub is_forward: bool,
}

/// Reply prefixes in lower case: English; Italian; Portuguese; German; Dutch; Danish, Norwegian and
/// Swedish; Finnish; Polish; Turkish; Hungarian; Greek; Russian; Hebrew; Arabic; Korean; Chinese;
/// Japanese.
const REPLIES: &str = "re r rif res aw antw antwort réf ang sv vs odp ynt vá απ σχετ отв ответ השב رد 답장 회신 回复 \
     回覆 答复 答覆 返信";

/// Forward prefixes in lower case: English; German; Swedish; Finnish; Dutch; French; Spanish;
/// Portuguese; Polish; Turkish; Hungarian; Greek; Russian; Korean; Chinese; Japanese.
const FORWARDS: &str = "fw fwd wg vb vl doorst tr rv enc pd i\u{307}lt ilt továbbítás πρθ пересл \
     전달 转发 轉寄 轉發 転送";

/// The base subject of a decoded subject (RFC 5256, section 2.1), and whether it marks a reply or a
/// forward (section 3).
///
/// Runs of white space become one space. The following are removed repeatedly: `(fwd)` at the end;
/// prefixes such as `Re:`, `Fwd:`, `Re[2]:`, `Re^2:`, `AW:` and `回复：`; a `[list]` at the start, if text
/// follows; and an enclosing `[Fwd: ...]`. `VS:` counts as a reply, as in Finnish, though in Danish it
/// marks a forward.
///
/// ```
/// use mime_charset::{Message, header::base_subject};
///
/// let message = Message::parse(b"Subject: =?utf-8?B?5Zue5aSN77ya?= [dev] Plan\n\n");
/// let base = base_subject(message.subject().unwrap().as_str());
/// assert_eq!((base.text.as_str(), base.is_reply, base.is_forward), ("Plan", true, false));
/// ```
#[must_use]
pub fn base_subject(subject: &str) -> BaseSubject {
    work(subject.len());
    let words: Vec<_> = subject.split_whitespace().collect();
    let text = words.join(" ");
    let mut rest = text.as_str();
    let (mut is_reply, mut is_forward) = (false, false);
    loop {
        while let Some(before) = strip_end(rest, "(fwd)") {
            rest = before.trim_end();
            is_forward = true;
        }
        loop {
            rest = rest.trim_start();
            if let Some((is_of_reply, after)) = reply_or_forward(rest) {
                is_reply |= is_of_reply;
                is_forward |= !is_of_reply;
                rest = after;
            } else if let Some(after) = blob(rest).filter(|after| !after.is_empty()) {
                rest = after;
            } else {
                break;
            }
        }
        let Some(inside) = forwarded(rest) else {
            break;
        };
        rest = inside.trim();
        is_forward = true;
    }
    BaseSubject {
        text: rest.to_owned(),
        is_reply,
        is_forward,
    }
}

/// > subj-refwd = ("re" / ("fw" \["d"\])) *WSP \[subj-blob\] ":"
///
/// Returns whether the prefix marks a reply, and the text after it.
fn reply_or_forward(text: &str) -> Option<(bool, &str)> {
    /// The longest prefix has ten characters; upper case may add a combining character.
    const MAX_PREFIX: usize = 12;
    let is_letter = |character: char| character.is_alphabetic() || character == '\u{307}';
    let mut letters = text.char_indices().take(MAX_PREFIX);
    let (end, _) = letters.find(|(_, character)| !is_letter(*character))?;
    work(end + 1);
    let (word, rest) = text.split_at_checked(end).filter(|_| end > 0)?;
    let word = word.to_lowercase();
    let is_of = |prefixes: &str| prefixes.split(' ').any(|prefix| prefix == word);
    let is_reply = is_of(REPLIES);
    if !is_reply && !is_of(FORWARDS) {
        return None;
    }
    let rest = rest.trim_start();
    let rest = blob(rest).or_else(|| counter(rest)).unwrap_or(rest);
    let after = rest.trim_start().strip_prefix([':', '：'])?;
    Some((is_reply, after))
}

/// > subj-blob = "\[" *BLOBCHAR "\]" *WSP
fn blob(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?;
    let end = inside.find(['[', ']']);
    work(end.unwrap_or(inside.len()));
    let (_, rest) = inside.split_at_checked(end?)?;
    Some(rest.strip_prefix(']')?.trim_start())
}

/// Skips the number of a reply, as in `Re^2:` and `Re(2):`.
fn counter(text: &str) -> Option<&str> {
    let number = text.strip_prefix(['^', '('])?;
    let rest = number.trim_start_matches(|it: char| it.is_ascii_digit());
    if text.starts_with('(') {
        return rest.strip_prefix(')');
    }
    Some(rest)
}

/// > subj-fwd = subj-fwd-hdr subject subj-fwd-trl
///
/// > subj-fwd-hdr = "\[fwd:"
fn forwarded(text: &str) -> Option<&str> {
    const HEADER: &str = "[fwd:";
    let (header, rest) = text.split_at_checked(HEADER.len())?;
    header
        .eq_ignore_ascii_case(HEADER)
        .then(|| rest.strip_suffix(']'))?
}

/// The text before an ASCII suffix, ignoring case.
fn strip_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let (before, found) = text.split_at_checked(text.len().checked_sub(end.len())?)?;
    found.eq_ignore_ascii_case(end).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::base_subject;
    use crate::work::work_of;

    #[test]
    fn the_work_of_hostile_subjects_is_linear() {
        for shape in [
            "re:",
            "[",
            "[a]",
            "[fwd:",
            "re[",
            "]",
            "(fwd)",
            "[fwd: re:",
            "re [a",
            "[fwd:[a]",
            "re: [a] ",
            "[fwd:[a",
            "é",
            " ",
        ] {
            let of = |length: usize| {
                let subject = shape.repeat(length / shape.len());
                work_of(|| {
                    drop(base_subject(&format!("{subject}]")));
                    drop(base_subject(&format!(
                        "{subject}{}",
                        "]".repeat(length / 4)
                    )));
                })
            };
            let (small, large) = (of(32 << 10), of(64 << 10));
            assert!(
                large <= small * 9 / 4 + 1024,
                "{shape:?}: {small}, then {large}"
            );
            assert!(small <= 8 * (32 << 10), "{shape:?}: {small}");
        }
    }
}

//! Text with flowed lines (RFC 3676, section 4).

use super::lines::with_line_feeds;

/// The line before a signature (RFC 3676, section 4.3), which never flows.
const SIGNATURE: &str = "-- ";

/// Joins the flowed lines of each paragraph. Quoted lines begin with their quote marks and a blank.
///
/// A line flows if it ends with a blank. It is joined with the next line if both have the same quote
/// depth; otherwise the paragraph ends (section 4.5). An empty line also ends the paragraph and is kept,
/// as in mutt and Thunderbird, since some programs let the last line of a paragraph flow. If `delsp` is
/// set, the blank that makes the line flow is deleted (section 4.1).
pub(super) fn join(text: &str, delsp: bool) -> String {
    let text = with_line_feeds(text);
    let mut result = String::with_capacity(text.len());
    // The quote depth of the paragraph that the next line may continue, if any.
    let mut flowing = None;
    for line in text.split_inclusive('\n') {
        let ended = line.strip_suffix('\n');
        let line = ended.unwrap_or(line);
        let quoted = line.trim_start_matches('>');
        let depth = line.len() - quoted.len();
        // Section 4.4: a generator adds a blank before a line that begins with a blank, `>` or `From `.
        let content = quoted.strip_prefix(' ').unwrap_or(quoted);
        let is_signature = content == SIGNATURE;
        if flowing.is_some_and(|before| before != depth || is_signature || content.is_empty()) {
            result.push('\n');
            flowing = None;
        }
        if flowing.is_none() {
            result.extend(std::iter::repeat_n('>', depth));
            if depth > 0 && !content.is_empty() {
                result.push(' ');
            }
        }
        let flows = content.ends_with(' ') && !is_signature;
        let content = match content.strip_suffix(' ') {
            Some(content) if flows && delsp => content,
            _ => content,
        };
        result.push_str(content);
        flowing = flows.then_some(depth);
        if !flows && ended.is_some() {
            result.push('\n');
        }
    }
    if flowing.is_some() && text.ends_with('\n') {
        result.push('\n');
    }
    result
}

//! A survey as tables with bars, for a terminal.

use super::super::{Output, Stop};
use mime_charset_archive::{Counts, Subject};

use super::{before_and_after, heading, totals};

/// Maximum number of rows shown per table; JSON and the page have all.
const SHOWN: usize = 12;

/// The width of the name of a row, and of the longest bar.
const NAME: usize = 40;
const BAR: usize = 24;

/// The same in a comparison, without the word `before` or `after`.
const COMPARED_NAME: usize = NAME - 7;

pub(super) fn show(out: &mut Output, counts: &Counts) -> Result<(), Stop> {
    out.line(&totals(counts))?;
    compare(out, counts)?;
    for subject in Subject::ALL {
        // The comparison shows them.
        if subject == Subject::CharsetsAfter {
            continue;
        }
        let rows = counts.rows(subject);
        if rows.is_empty() {
            continue;
        }
        let (heading, unit) = heading(subject);
        out.line("")?;
        out.line(&format!("{heading} ({unit})"))?;
        let most = rows.iter().map(|(_, row)| row.count).max().unwrap_or(1);
        for (name, row) in rows.iter().take(SHOWN) {
            let bar = bar(row.count, most);
            let detail = row.detail.unwrap_or_default();
            let name = truncated(name);
            let line = format!("  {name:<NAME$} {:>9}  {bar:<BAR$}  {detail}", row.count);
            out.line(line.trim_end())?;
        }
        let more = rows.len().saturating_sub(SHOWN);
        let others = counts.others(subject);
        if more > 0 {
            out.line(&format!("  and {more} more rows"))?;
        }
        if others > 0 {
            out.line(&format!("  and {others} {unit} of rows beyond the limit"))?;
        }
    }
    Ok(())
}

/// The charsets before and after a conversion, a bar for each.
fn compare(out: &mut Output, counts: &Counts) -> Result<(), Stop> {
    let both = before_and_after(counts);
    let most = both
        .iter()
        .map(|&(_, before, after)| before.max(after))
        .max();
    let Some(most) = most else {
        return Ok(());
    };
    out.line("")?;
    out.line("Charsets of text parts before and after (parts)")?;
    for (name, before, after) in both.iter().take(SHOWN) {
        for (name, word, count) in [
            (truncated(name), "before", *before),
            (String::new(), "after", *after),
        ] {
            let bar = if count > 0 {
                bar(count, most)
            } else {
                String::new()
            };
            let line = format!("  {name:<COMPARED_NAME$} {word:<6} {count:>9}  {bar}");
            out.line(line.trim_end())?;
        }
    }
    let more = both.len().saturating_sub(SHOWN);
    if more > 0 {
        out.line(&format!("  and {more} more charsets"))?;
    }
    Ok(())
}

/// A bar proportional to `count` of `most`; never empty unless `count` is 0.
fn bar(count: u64, most: u64) -> String {
    let eighths = count.saturating_mul(8 * BAR as u64) / most.max(1);
    let eighths = usize::try_from(eighths).unwrap_or(8 * BAR).max(1);
    let last = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    "█".repeat(eighths / 8) + last.get(eighths % 8).unwrap_or(&"")
}

/// Truncates a name to the width of its column.
fn truncated(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    let kept: String = name.chars().take(NAME - 1).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::{BAR, bar};

    #[test]
    fn bars_are_as_long_as_the_numbers_say() {
        assert_eq!(bar(10, 10), "█".repeat(BAR));
        assert_eq!(bar(5, 10), "█".repeat(BAR / 2));
        assert_eq!(bar(1, 1_000_000), "▏");
        // 24 columns of 8 eighths: 3/16 of them are 36, 4 columns and 4 eighths.
        assert_eq!(bar(3, 16), "████▌");
    }
}

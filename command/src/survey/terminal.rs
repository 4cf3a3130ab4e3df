//! Prints a survey as tables with bars, for a terminal.

use super::super::{Output, Stop};
use mime_charset_archive::{Counts, Subject};

use super::{before_and_after, duplicates, heading, totals};

/// Maximum number of rows shown per table; JSON and the page have all.
const SHOWN: usize = 12;

/// The width of the name of a row, and of the longest bar.
const NAME: usize = 40;
const BAR: usize = 24;

/// Like `NAME`, in a comparison, where the word `before` or `after` follows.
const COMPARED_NAME: usize = NAME - 7;

pub(super) fn show(out: &mut Output, counts: &Counts) -> Result<(), Stop> {
    out.line(&totals(counts))?;
    if let Some(duplicates) = duplicates(counts) {
        out.line(&duplicates)?;
    }
    compare(out, counts)?;
    for subject in Subject::ALL {
        // The comparison shows this table.
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
        let mut shown: Vec<_> = rows
            .iter()
            .map(|(name, row)| (truncated(name), row.count, row.detail.unwrap_or_default()))
            .collect();
        if subject == Subject::Years {
            shown = ranges(&shown);
        }
        let most = shown.iter().map(|(_, count, _)| *count).max().unwrap_or(1);
        for (name, count, detail) in shown.iter().take(SHOWN) {
            let bar = bar(*count, most);
            let line = format!("  {name:<NAME$} {count:>9}  {bar:<BAR$}  {detail}");
            out.line(line.trim_end())?;
        }
        let more = shown.len().saturating_sub(SHOWN);
        let others = counts.others(subject);
        if more > 0 {
            out.line(&format!("  and {more} more rows"))?;
        }
        if others > 0 {
            out.line(&format!(
                "  and {others} more {unit} in rows beyond the limit"
            ))?;
        }
    }
    Ok(())
}

/// Groups years into at most [`SHOWN`] rows; each row has the same number of years with mail.
fn ranges<'d>(years: &[(String, u64, &'d str)]) -> Vec<(String, u64, &'d str)> {
    // The last row may be for messages without a date.
    let is_year = |(name, ..): &(String, u64, &str)| name.parse::<u16>().is_ok();
    let (years, others): (Vec<_>, Vec<_>) = years.iter().cloned().partition(is_year);
    let length = years.len().div_ceil(SHOWN - others.len().min(SHOWN - 1));
    let range = |years: &[(String, u64, &'d str)]| {
        let count = years.iter().map(|(_, count, _)| count).sum();
        let name = match years {
            [(first, ..), .., (last, ..)] => format!("{first} to {last}"),
            _ => years.iter().map(|(name, ..)| name.as_str()).collect(),
        };
        (name, count, "")
    };
    let mut rows: Vec<_> = years.chunks(length.max(1)).map(range).collect();
    rows.extend(others);
    rows
}

/// Prints the charsets before and after a conversion, with one bar each.
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
    use super::{BAR, SHOWN, bar, ranges};

    /// Every year is shown, in exactly one range.
    #[test]
    fn years_are_shown_as_ranges() {
        for count in 0..60_u64 {
            let mut years: Vec<_> = (0..count)
                .map(|at| ((1980 + at).to_string(), 1, ""))
                .collect();
            if count % 2 == 0 {
                years.push(("none".to_owned(), 3, ""));
            }
            let rows = ranges(&years);
            assert!(rows.len() <= SHOWN, "{rows:?}");
            let sum: u64 = rows.iter().map(|(_, count, _)| count).sum();
            assert_eq!(sum, count + 3 * u64::from(count % 2 == 0));
        }
        let years: Vec<_> = (1990..2014).map(|year| (year.to_string(), 2, "")).collect();
        let rows = ranges(&years);
        // 24 years in 12 rows.
        assert_eq!(rows[0], ("1990 to 1991".to_owned(), 4, ""));
        assert_eq!(rows[11], ("2012 to 2013".to_owned(), 4, ""));
        assert_eq!(ranges(&years[..3]), years[..3]);
    }

    #[test]
    fn bars_are_proportional_to_the_numbers() {
        assert_eq!(bar(10, 10), "█".repeat(BAR));
        assert_eq!(bar(5, 10), "█".repeat(BAR / 2));
        assert_eq!(bar(1, 1_000_000), "▏");
        // 24 columns of 8 eighths: 3/16 of them are 36, 4 columns and 4 eighths.
        assert_eq!(bar(3, 16), "████▌");
    }
}

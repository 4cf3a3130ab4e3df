//! A survey as one HTML page, without external resources or scripts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use mime_charset_archive::{Counts, Row, Subject};

use super::{Run, before_and_after, duplicates, heading, totals};

/// The page's style sheet: light and dark, screen and paper.
const STYLE: &str = include_str!("page.css");

/// Number of charsets with their own colour in the plot of the years.
const COLOURS: usize = 8;

/// Number of table rows shown before the rest is folded.
const OPEN: usize = 12;

/// Writing to a String does not fail.
macro_rules! add {
    ($page:expr, $($what:tt)*) => {
        let _ = write!($page, $($what)*);
    };
}

/// Builds the page.
pub(super) fn page(counts: &Counts, paths: &[PathBuf], run: &Run) -> String {
    let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    let paths = escaped(&paths.join(", "));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Survey of {paths}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>Survey of <bdi>{paths}</bdi></h1>\n<p>{}</p>\n<p>{}, {}: <code>{}</code></p>\n\
         </header>\n<main>\n",
        escaped(&totals(counts)),
        run.agent,
        run.date,
        escaped(&run.command),
    );
    if let Some(duplicates) = duplicates(counts) {
        add!(page, "<p>{}</p>\n", escaped(&duplicates));
    }
    contents(&mut page, counts);
    comparison(&mut page, counts);
    for subject in Subject::ALL {
        section(&mut page, counts, subject);
    }
    files(&mut page, counts);
    examples(&mut page, counts);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn contents(page: &mut String, counts: &Counts) {
    page.push_str("<nav aria-label=\"Tables\">\n<ul>\n");
    if counts.summary.is_some() {
        page.push_str("<li><a href=\"#comparison\">Before and after</a></li>\n");
    }
    for subject in Subject::ALL {
        if !counts.rows(subject).is_empty() {
            let (heading, _) = heading(subject);
            add!(
                page,
                "<li><a href=\"#{}\">{heading}</a></li>\n",
                subject.key()
            );
        }
    }
    if !counts.files.is_empty() {
        page.push_str("<li><a href=\"#files\">Files without mail</a></li>\n");
    }
    page.push_str("</ul>\n</nav>\n");
}

/// Plots the charsets before and after a conversion, with two bars each.
fn comparison(page: &mut String, counts: &Counts) {
    let both = before_and_after(counts);
    let most = both
        .iter()
        .map(|&(_, before, after)| before.max(after))
        .max();
    let Some(most) = most else {
        return;
    };
    page.push_str(
        "<section id=\"comparison\">\n<h2>Before and after</h2>\n\
         <p>Charsets of the text parts that the conversion looked at. A part that was changed is in \
         UTF-8, every other in what it was in.</p>\n\
         <table>\n<thead><tr><th scope=\"col\">Charset</th><th scope=\"col\">before</th>\
         <th scope=\"col\">after</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n",
    );
    let linked = |subject: Subject, name: &str, count: u64| {
        let rows = counts.rows(subject);
        let found = rows.iter().enumerate().find(|(_, (row, _))| *row == name);
        found.map_or_else(
            || count.to_string(),
            |(place, (_, row))| number(count, (subject, place), row),
        )
    };
    let is_folded = both.len() > OPEN;
    for (place, (name, before, after)) in both.into_iter().enumerate() {
        if place == OPEN {
            page.push_str(
                "</tbody>\n</table>\n<details>\n<summary>more</summary>\n<table>\n<tbody>\n",
            );
        }
        add!(
            page,
            "<tr><th scope=\"row\"><bdi>{}</bdi></th><td>{}</td><td>{}</td>\
             <td><svg class=\"both\" viewBox=\"0 0 100 16\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <rect class=\"before\" width=\"{}\" height=\"7\"/>\
             <rect class=\"after\" y=\"9\" width=\"{}\" height=\"7\"/></svg></td></tr>\n",
            escaped(name),
            linked(Subject::Charsets, name, before),
            linked(Subject::CharsetsAfter, name, after),
            length(before, most, 100),
            length(after, most, 100),
        );
    }
    let end = if is_folded { "</details>\n" } else { "" };
    add!(page, "</tbody>\n</table>\n{end}</section>\n");
}

/// A number, with a link to its examples if there are any.
fn number(count: u64, (subject, place): (Subject, usize), row: &Row) -> String {
    if row.examples.is_empty() {
        count.to_string()
    } else {
        format!("<a href=\"#{}-{place}\">{count}</a>", subject.key())
    }
}

fn section(page: &mut String, counts: &Counts, subject: Subject) {
    let rows = counts.rows(subject);
    if rows.is_empty() {
        return;
    }
    let (heading, unit) = heading(subject);
    let key = subject.key();
    add!(page, "<section id=\"{key}\">\n<h2>{heading}</h2>\n");
    if subject == Subject::Charsets {
        years(page, &rows);
    }
    let sum: u64 = rows.iter().map(|(_, row)| row.count).sum::<u64>() + counts.others(subject);
    let most = rows.iter().map(|(_, row)| row.count).max().unwrap_or(1);
    let (open, folded) = rows.split_at(rows.len().min(OPEN));
    let table = |page: &mut String, rows: &[(&str, &Row)], first: usize| {
        add!(
            page,
            "<table>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">{unit}</th>\
             <th scope=\"col\">Share</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n"
        );
        for (place, (name, row)) in (first..).zip(rows) {
            add!(page, "<tr><th scope=\"row\"><bdi>{}</bdi>", escaped(name));
            if let Some(detail) = row.detail {
                add!(page, " <small class=\"{detail}\">{detail}</small>");
            }
            add!(
                page,
                "</th><td>{}</td><td>{}</td>\
                 <td><svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
                 <rect width=\"{}\" height=\"8\"/></svg></td></tr>\n",
                number(row.count, (subject, place), row),
                share(row.count, sum),
                length(row.count, most, 100),
            );
        }
        page.push_str("</tbody>\n</table>\n");
    };
    table(page, open, 0);
    if !folded.is_empty() {
        add!(
            page,
            "<details>\n<summary>{} more</summary>\n",
            folded.len()
        );
        table(page, folded, OPEN);
        page.push_str("</details>\n");
    }
    let others = counts.others(subject);
    if others > 0 {
        add!(
            page,
            "<p>{others} more {unit} in rows beyond the limit.</p>\n"
        );
    }
    page.push_str("</section>\n");
}

/// Plots the charsets over the years: one bar per year, divided by charset.
fn years(page: &mut String, rows: &[(&str, &Row)]) {
    const HEIGHT: u64 = 200;
    const WIDTH: u64 = 20;
    let mut sums: BTreeMap<u16, u64> = BTreeMap::new();
    for (_, row) in rows {
        for (year, count) in plausible(row) {
            *sums.entry(year).or_default() += count;
        }
    }
    let (Some((&first, _)), Some((&last, _)), Some(&most)) = (
        sums.first_key_value(),
        sums.last_key_value(),
        sums.values().max(),
    ) else {
        return;
    };
    if first == last {
        return;
    }
    let width = u64::from(last - first + 1) * WIDTH;
    add!(
        page,
        "<figure>\n<svg class=\"years\" viewBox=\"0 0 {width} {}\" role=\"img\" \
         aria-label=\"Charsets of text parts in each year from {first} to {last}\">\n",
        HEIGHT + 24,
    );
    let mut heights: BTreeMap<u16, u64> = BTreeMap::new();
    for (place, (name, row)) in rows.iter().enumerate() {
        for (year, count) in plausible(row) {
            let left = u64::from(year - first) * WIDTH + 1;
            let below = heights.entry(year).or_default();
            let (from, to) = (
                length(*below, most, HEIGHT),
                length(*below + count, most, HEIGHT),
            );
            *below += count;
            add!(
                page,
                "<rect class=\"c{}\" x=\"{left}\" y=\"{:.1}\" width=\"{}\" height=\"{:.1}\">\
                 <title>{year}, {}: {count}</title></rect>\n",
                place.min(COLOURS),
                length(1, 1, HEIGHT) - to,
                WIDTH - 2,
                to - from,
                escaped(name),
            );
        }
    }
    let step = usize::from((last - first) / 20 + 1);
    for year in (first..=last).step_by(step) {
        let middle = u64::from(year - first) * WIDTH + WIDTH / 2;
        let baseline = HEIGHT + 16;
        add!(
            page,
            "<text x=\"{middle}\" y=\"{baseline}\">{:02}</text>\n",
            year % 100
        );
    }
    add!(page, "</svg>\n<figcaption>{first} to {last}: ");
    for (place, (name, _)) in rows.iter().take(COLOURS).enumerate() {
        add!(page, "<span class=\"c{place}\">{}</span> ", escaped(name));
    }
    if rows.len() > COLOURS {
        add!(page, "<span class=\"c{COLOURS}\">others</span>");
    }
    page.push_str("</figcaption>\n</figure>\n");
}

/// The plausible years of a row. A plot of all years would be mostly empty.
fn plausible(row: &Row) -> impl Iterator<Item = (u16, u64)> {
    row.years
        .range(1971..2100)
        .map(|(&year, &count)| (year, count))
}

/// Lists every file without mail, with the reason.
fn files(page: &mut String, counts: &Counts) {
    if counts.files.is_empty() {
        return;
    }
    page.push_str("<section id=\"files\">\n<h2>Files without mail</h2>\n");
    for (outcome, heading) in [
        ("failed", "failed"),
        ("unread", "could not be read"),
        ("excluded", "left out"),
        ("no-mail", "not mail"),
        ("undelivered", "not delivered"),
    ] {
        let files = counts.files.iter().filter(|file| file.outcome == outcome);
        let files: Vec<_> = files.collect();
        if files.is_empty() {
            continue;
        }
        add!(
            page,
            "<details>\n<summary>{heading}: {}</summary>\n<ul>\n",
            files.len()
        );
        for file in files {
            page.push_str("<li>");
            // Most errors name the file.
            let path = file.path.as_ref();
            if let Some(path) = path.filter(|path| !file.detail.contains(path.as_str())) {
                add!(page, "<bdi>{}</bdi>: ", escaped(path));
            }
            add!(page, "<bdi>{}</bdi></li>\n", escaped(&file.detail));
        }
        page.push_str("</ul>\n</details>\n");
    }
    if counts.other_files > 0 {
        add!(
            page,
            "<p>{} more files are not named.</p>\n",
            counts.other_files
        );
    }
    page.push_str("</section>\n");
}

/// Lists the examples of every row after the tables; row numbers link to them.
fn examples(page: &mut String, counts: &Counts) {
    page.push_str("<section id=\"examples\">\n<h2>Examples</h2>\n");
    for subject in Subject::ALL {
        let (heading, _) = heading(subject);
        let key = subject.key();
        let rows = counts.rows(subject);
        if rows.iter().all(|(_, row)| row.examples.is_empty()) {
            continue;
        }
        add!(page, "<details>\n<summary>{heading}</summary>\n");
        for (place, (name, row)) in rows.iter().enumerate() {
            if row.examples.is_empty() {
                continue;
            }
            add!(
                page,
                "<h3 id=\"{key}-{place}\">{heading}: <bdi>{}</bdi> \
                 <a href=\"#{key}\" aria-label=\"back to the table\">↑</a></h3>\n<ul>\n",
                escaped(name),
            );
            for example in &row.examples {
                add!(page, "<li><code>{}", escaped(&example.path));
                if example.index > 0 {
                    add!(page, "#{}", example.index);
                }
                add!(page, "</code>, <bdi>{}</bdi>", escaped(&example.place));
                if let Some(offset) = example.offset {
                    add!(page, ", octet {offset}");
                }
                if !example.text.is_empty() {
                    add!(page, ": <bdi>{}</bdi>", escaped(&example.text));
                }
                page.push_str("</li>\n");
            }
            page.push_str("</ul>\n");
        }
        page.push_str("</details>\n");
    }
    page.push_str("</section>\n");
}

#[expect(clippy::cast_precision_loss, reason = "a length on a screen")]
fn length(count: u64, most: u64, longest: u64) -> f64 {
    count as f64 / most.max(1) as f64 * longest as f64
}

fn share(count: u64, sum: u64) -> String {
    format!("{:.1} %", length(count, sum, 100))
}

/// Escapes text for HTML, including control characters and bidirectional controls, so that text
/// from mail is shown without any effect.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ if super::super::output::controls_display(character) => {
                html.extend(character.escape_unicode());
            }
            _ => html.push(character),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::AtomicBool;

    use mime_charset_archive::Survey;

    use super::{Run, escaped, page};

    fn page_of(messages: &[&[u8]]) -> String {
        let folder = tempfile::tempdir().unwrap();
        for (index, source) in messages.iter().enumerate() {
            fs::write(folder.path().join(format!("{index} & more.eml")), source).unwrap();
        }
        let counts = Survey::new(&[folder.path()]).run(&AtomicBool::new(false), |_| ());
        let run = Run {
            agent: "mime-charset",
            date: "1998-01-03T01:05:34Z".to_owned(),
            command: "mime-charset survey 'a & b.mbox'".to_owned(),
        };
        page(&counts, &[PathBuf::from("a & b.mbox")], &run)
    }

    /// Every link resolves, and nothing is fetched or executed.
    #[test]
    fn links_resolve_and_nothing_is_fetched() {
        let page = page_of(&[
            b"Date: 1 Jan 1997 00:00 +0000\nContent-Type: text/plain; charset=euc-kr\n\n\xC7\xD1",
            b"Date: 1 Jan 2003 00:00 +0000\nX-Mailer: <script>alert</script>\n\n\xC3\xA9 \xFF",
        ]);
        let links: Vec<_> = page
            .split("href=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(links.len() > 20, "{links:?}");
        for link in links {
            let target = link.strip_prefix('#').unwrap_or_else(|| panic!("{link}"));
            assert_eq!(
                page.matches(&format!(" id=\"{target}\"")).count(),
                1,
                "{link}"
            );
        }
        for what in ["<script", "src=", "http://", "https://", "url(", "@import"] {
            assert!(!page.contains(what), "{what}");
        }
        assert!(page.contains("&lt;script&gt;"));
        assert!(page.contains("<title>1997, EUC-KR: 1</title>"));
        assert!(page.contains("class=\"years\""));
    }

    #[test]
    fn text_from_mail_is_shown_without_effect() {
        assert_eq!(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
        assert_eq!(escaped("x\u{202E}y\u{7}"), "x\\u{202e}y\\u{7}");
    }
}

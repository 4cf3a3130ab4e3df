//! Text for a person to read: pages, flowed lines, enriched text, and previews.

use mime_charset::decode::{Reading, reading_text};
use mime_charset::{Kind, Message, Options, header};
use proptest::prelude::*;

/// Checks the reading text of a body of this media type.
#[track_caller]
fn assert_reading(content_type: &str, text: &str, expected: &str) {
    let content_type = header::content_type(content_type.as_bytes());
    let read = reading_text(text, &content_type, Reading::new());
    assert_eq!(read, expected, "{text:?}");
}

#[track_caller]
fn page(page: &str, expected: &str) {
    assert_reading("text/html", page, expected);
}

/// HTML Standard, section 3.2.7, the `innerText` getter: two line feeds around a `p`, one around
/// other blocks and for `br`, a tab between cells. CSS Text, section 4.1.1: white space in a line
/// collapses to one blank, and is removed at its start and end.
#[test]
fn blocks_are_lines() {
    page("<div>a</div><div>b</div>c<br>d", "a\nb\nc\nd");
    page("<p>a<p>b<h1>c</h1>d", "a\n\nb\n\nc\n\nd");
    page("a\n <b> b\t\r\n</b> c <p> d </p> ", "a b c\n\nd");
    page("<ul><li>a<li>b</ul>c<hr>d", "a\nb\n\nc\n\nd");
    page("<table><tr><td>a<td>b<tr><td>c</table>d", "a\tb\nc\nd");
    page("<div>a</div><div><br></div><div>b", "a\n\nb");
    page("a<br><br><br>b", "a\n\n\nb");
    page("one<wbr>word and <i>o</i>ther", "oneword and other");
    page("<select><option>a<option>b</select>", "a\nb");
    page("<dl><dt>a<dd>b</dl>", "a\nb");
    page("\u{A0}a\u{A0} \u{A0}b", "\u{A0}a\u{A0} \u{A0}b");
}

/// CSS Text, section 3: `white-space` works like `pre`. HTML Standard, section 13.2.6.4.7: a line
/// feed right after the start tag of `pre` is dropped.
#[test]
fn preformatted_text_is_kept() {
    page("<pre>\n  a\n\n b </pre>c", "  a\n\n b \n\nc");
    page(
        "<div style='white-space: PRE-WRAP'>a  b\n c</div>",
        "a  b\n c",
    );
    page("<div style=white-space:pre-line>a  b\n c</div>", "a b\nc");
    page(
        "<pre><span style='white-space:normal'>a  b</span></pre>",
        "a b",
    );
    page("<textarea>\na  <b></textarea>", "a  <b>");
    page("<plaintext>a</plaintext>", "a</plaintext>");
}

/// CSS Text, section 4.1.3: a line feed between two wide characters other than Hangul is removed.
#[test]
fn a_line_feed_between_wide_characters_is_removed() {
    page("日本\n  <b>語</b>\nと 한국\n어", "日本語と 한국 어");
    page("日本 語", "日本 語");
    // Cells of a row are still separated.
    page(
        "<table><tr>\n<td>氏名</td>\n<td>山田</td></tr></table>",
        "氏名\t山田",
    );
    page("<p>日本\n</p>語\n", "日本\n\n語");
}

/// HTML Standard, section 13.2.5.80 and the table of section 13.2.5.5: numbers of windows-1252,
/// names without a semicolon, invalid names.
#[test]
fn character_references_are_decoded() {
    page("&lt;p&gt; &amp;amp; &eacute;&#233;&#xE9;", "<p> &amp; ééé");
    page(
        "&#150;&#x80; &#0; &#xD800; &#x110000;",
        "–€ \u{FFFD} \u{FFFD} \u{FFFD}",
    );
    page(
        "&eacute &notit; &unknown; & &#; &#x;",
        "é ¬it; &unknown; & &#; &#x;",
    );
    page("<img alt='&quot;a&quot; &amp b'>", "\"a\" & b");
}

#[test]
fn hidden_elements_are_omitted() {
    page(
        "<head><title>t</title><style>p{}</style></head><body>a",
        "a",
    );
    page(
        "a<script>if (a<b) '<p>'</script>b<!-- c --><!x><?y>d",
        "abd",
    );
    page(
        "a<p hidden>b</p><p style='color:red;display: none !important'>c</p>d",
        "ad",
    );
    page("<span hidden style=display:inline>a</span>", "a");
    page("<div style=display:none>a<div>b</div>c</div>d", "d");
    page("<!--[if mso]>a<![endif]--><![if !mso]>b<![endif]>", "b");
    page(
        "<noscript>a</noscript><iframe>b</iframe><noframes>c</noframes>",
        "a",
    );
    page("<template>a</template><datalist><option>b</datalist>c", "c");
    page(
        "<img src=a.png><img alt=b><img alt='c' hidden><input value=d>",
        "b",
    );
    page(
        "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>",
        "漢(かん)",
    );
    page("<script>a", "");
    page("", "");
}

/// Elements with omitted end tags, by the rules of tree construction (HTML Standard, section
/// 13.2.6): left open, each would hide the remaining text.
#[test]
fn a_hidden_element_ends_where_a_browser_ends_it() {
    page("<p hidden>a<div>b</div>", "b");
    page("<p hidden>a<p>b", "b");
    page("<ul><li hidden>a<li>b</ul>", "b");
    page(
        "<table><tr><td hidden>a<td>b<tr hidden><td>c<tr><td>d</table>",
        "b\nd",
    );
    page(
        "<table><tr hidden><td>a<table><tr><td>b</table>c</table>d",
        "d",
    );
    page("<dl><dt hidden>a<dd>b</dl>", "b");
    page("<select><option hidden>a<option>b</select>", "b");
    page("<div><span hidden>a</div>b", "b");
    page("<span hidden>a<div>b</span>c</div>d", "");
    page("<b hidden>a<p>b</b>c", "c");
    page("<font style=display:none><div>a</font>b</div>c", "b\nc");
    page("<br hidden><img hidden>a", "a");
    page("<p hidden><table><tr><td>a</p>b</table>c</p>d", "d");
    page("<svg hidden><path d=x /><text>a</text></svg>b", "b");
    // SVG elements may be self-closing (section 13.2.6.5). A second link ends the first, and a cell
    // outside a table is ignored (section 13.2.6.4.7).
    page("<p>a<svg><style/><title/><path d=x /></svg>b", "ab");
    // Section 13.2.6.5: names of HTML have no meaning in SVG and MathML until an HTML element ends
    // them.
    page("a<svg><title></svg>b", "ab");
    page("a<math><textarea>b</math>c<b>d", "abcd");
    page("a<svg><![CDATA[<b>]]></svg>c", "a<b>c");
    page("a<svg><foreignObject><title></svg>b</title>c", "ac");
    page("a<svg><image>b<p>c<title>d</p>e</title>f", "ab\n\ncf");
    // Section 13.2.6.4.4: a template ends with all its content.
    page("a<template><table><td></template>b", "ab");
    page("<a style='display:none'>a<a href=y>b</a>c", "bc");
    page("<p>a<td hidden>b", "ab");
    page("<p style='display:none/*c*/'>a</p>b", "b");
    page(
        "<p style='/*;*/ display/**/:/*c*/none;display:;/*'>a</p>b",
        "b",
    );
    // CSS Syntax, section 4.3: comments separate names; strings and addresses have none.
    page("<p style='display:n/**/one'>a</p>b", "a\n\nb");
    page("<p style='/*/ x */display:none'>a</p>b", "b");
    page(
        "<p style='background:url(x/*.gif);display:none'>a</p>b",
        "b",
    );
    page("<p style='content:\"/*\";display:none'>a</p>b", "b");
    page(
        "<p style='display:none!important;display:block'>a</p>b",
        "b",
    );
}

/// The same for implied end tags, and for end tags that close more than their element (HTML Standard,
/// sections 13.2.6.4.7 to 13.2.6.4.15).
#[test]
fn a_hidden_element_ends_with_the_element_around_it() {
    page("<a href=x>a<span hidden>b</a> c <b>d</b>", "a c d");
    page("<font><span hidden>a</font>b<br>c", "b\nc");
    page("<select><option>a<option hidden>b</select>c", "a\nc");
    page(
        "<select><optgroup hidden><option>a<optgroup><option>b</select>c",
        "b\nc",
    );
    page("<object hidden><p>a</object>b", "b");
    page("<button hidden><p>a</button>b", "b");
    page("<h1 hidden>a<h2>b</h2>c", "b\n\nc");
    page("<ruby><rt hidden>a<rt>b</ruby>c", "bc");
    page("<span>a<legend hidden>b</span>c", "ac");
    page("<x-a hidden>a<x-b>b</x-a>c", "c");
    page("<table><caption hidden>a<tr><td>b</table>c", "b\nc");
    page("<table><p hidden>a<tr><td>b</table>c", "b\nc");
    page("<table><tr><span hidden>a<td>b</table>c", "b\nc");
    page("<table><td hidden>a</tr><td>b</table>c", "b\nc");
    // A page inside a page, and a form inside a form, do not begin.
    page("<div hidden>a<html><body></div>b", "b");
    page("<form>a<form hidden>b", "ab");
    // Section 13.2.6.4.1: a table ends a paragraph, but not in quirks mode.
    let table = "<p hidden>a<table><tr><td>b</table>c";
    page(table, "");
    for (doctype, expected) in [
        ("html", "b\nc"),
        (
            "HTML PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' ''",
            "b\nc",
        ),
        (
            "html public '-//W3C//DTD HTML 4.01 Transitional//EN' ''",
            "b\nc",
        ),
        ("html public '-//W3C//DTD HTML 4.01 Transitional//EN'", ""),
        ("html public '-//W3C//DTD HTML 4.0 Transitional//EN'", ""),
        ("svg", ""),
        ("", ""),
    ] {
        page(&format!("<!DOCTYPE {doctype}>{table}"), expected);
        page(&format!("\n<!DOCTYPE {doctype}>{table}"), expected);
        page(&format!("a<!DOCTYPE {doctype}>{table}"), "a");
    }
}

/// The displayed words of random pages are those of another parser: `corpus/reading/make-pages.py`.
#[test]
fn random_pages_have_the_words_of_another_parser() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/reading/pages.tsv");
    let rows = std::fs::read_to_string(path).unwrap();
    let html = header::content_type(b"text/html");
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let (page, expected) = row.split_once('\t').unwrap();
        let text = reading_text(page, &html, Reading::new()).replace('w', " w");
        let mut words: Vec<_> = text.split_whitespace().collect();
        words.sort_unstable();
        assert_eq!(words.join(" "), expected, "{page}");
    }
}

/// Blocks that the end of another element ends begin and end lines like others (HTML Standard, section
/// 3.2.7).
#[test]
fn blocks_without_end_tags_are_lines() {
    page("<div><p>a</div>b", "a\n\nb");
    page("<select><option>a</select>b", "a\nb");
    page(
        "<blockquote><object><p>a</object>b</blockquote>c",
        "a\n\nb\n\nc",
    );
    page("<table><td>a<td>b</tr>c", "a\tb\nc");
    page("<html><body>a</body></html>b", "a\nb");
}

#[test]
fn damaged_pages_read_like_whole_ones() {
    page("a</p>b</br>c</x>", "a\n\nb\nc");
    page("a < b <3 </ c> d", "a < b <3 d");
    page("a<b", "a");
    let links = "<a name=x>a<br>".repeat(300) + &"<font>".repeat(300);
    let expected = "a\n".repeat(300) + "b";
    page(
        &format!("{links}<style>p{{}}</style><script>c</script><div hidden><div>d</div>e</div>b"),
        &expected,
    );
    page("<p class='x>a</p><p>b'>c", "c");
    page("<P STYLE=\"DISPLAY:NONE\">a</P>b", "b");
    let deep = 100_000;
    page(
        &format!("{}a{}b", "<div>".repeat(deep), "</div>".repeat(deep)),
        "a\nb",
    );
    page(&format!("{}<i hidden>a{}", "<b>".repeat(600), "</i>b"), "b");
}

/// Links and quotes are shown on request; an address is not repeated.
#[test]
fn links_titles_and_quotes_are_shown_on_request() {
    let html = header::content_type(b"text/html");
    let all = Reading::new().links(true).title(true).quotes(true);
    let shown = |page| reading_text(page, &html, all).into_owned();
    assert_eq!(shown("<title>a &amp; b</title>c"), "a & b\n\nc");
    assert_eq!(shown("<a href=' http://a/ '>b</a>c"), "b <http://a/>c");
    assert_eq!(
        shown("<a href=mailto:a@b>a@b</a> <a href=http://c>http://c</a>"),
        "a@b http://c"
    );
    assert_eq!(
        shown("<a href=#x>a</a><a href=http://b></a><a name=c>d</a>"),
        "a<http://b>d"
    );
    assert_eq!(shown("<a href=http://a>b"), "b <http://a>");
    assert_eq!(shown("<a href=http://a><img src=x></a>b"), "<http://a>b");
    assert_eq!(shown("<a href=http://a><p>b</p></a>c"), "b <http://a>\n\nc");
    assert_eq!(
        shown("a<blockquote>b<br><br>c<blockquote>d</blockquote></blockquote>e"),
        "a\n\n> b\n>\n> c\n>\n>> d\n\ne",
    );
}

/// Words of a page in order, and its lines, in any nesting of elements.
#[derive(Debug, Clone)]
enum Node {
    Words(Vec<String>),
    Inline(&'static str, Vec<Node>),
    Block(&'static str, Vec<Node>),
    Hidden(&'static str, Vec<Node>),
}

impl Node {
    fn write(&self, page: &mut String) {
        let (tag, attribute, nodes) = match self {
            Node::Words(words) => return *page += &words.join(" \n\t"),
            Node::Inline(tag, nodes) | Node::Block(tag, nodes) => (tag, "", nodes),
            Node::Hidden(tag, nodes) => (tag, " style=\"a:b;display:none\"", nodes),
        };
        page.extend(["<", tag, attribute, ">"]);
        write_all(nodes, page);
        page.extend(["</", tag, ">"]);
    }

    /// The lines shown; the last one is open.
    fn lines(&self, lines: &mut Vec<String>) {
        match self {
            Node::Words(words) => {
                let line = lines.last_mut().unwrap();
                *line += &words.join(" ");
            }
            Node::Inline(_, nodes) => all_lines(nodes, lines),
            Node::Block(_, nodes) => {
                lines.push(String::new());
                all_lines(nodes, lines);
                lines.push(String::new());
            }
            Node::Hidden(..) => {}
        }
    }
}

fn write_all(nodes: &[Node], page: &mut String) {
    for node in nodes {
        node.write(page);
    }
}

fn all_lines(nodes: &[Node], lines: &mut Vec<String>) {
    for node in nodes {
        node.lines(lines);
    }
}

fn nodes() -> impl Strategy<Value = Vec<Node>> {
    let words = prop::collection::vec("[a-zé한]{1,4}", 1..4).prop_map(Node::Words);
    let node = words.prop_recursive(5, 40, 5, |inner| {
        let inside = prop::collection::vec(inner, 0..5);
        let inline = prop::sample::select(vec!["b", "span", "font", "o:p", "em"]);
        let block = prop::sample::select(vec!["div", "section", "center", "blockquote"]);
        let hidden = prop::sample::select(vec!["div", "span", "b", "blockquote", "section"]);
        prop_oneof![
            (inline, inside.clone()).prop_map(|(tag, nodes)| Node::Inline(tag, nodes)),
            (block, inside.clone()).prop_map(|(tag, nodes)| Node::Block(tag, nodes)),
            (hidden, inside).prop_map(|(tag, nodes)| Node::Hidden(tag, nodes)),
        ]
    });
    prop::collection::vec(node, 0..6)
}

proptest! {
    /// Each block has its own lines; each visible word is in the text once, in order.
    #[test]
    fn any_page_keeps_its_words_and_lines(nodes in nodes()) {
        let (mut page, mut lines) = (String::new(), vec![String::new()]);
        write_all(&nodes, &mut page);
        all_lines(&nodes, &mut lines);
        lines.retain(|line| !line.is_empty());
        let html = header::content_type(b"text/html");
        let read = reading_text(&page, &html, Reading::new());
        let read: Vec<_> = read.lines().filter(|line| !line.is_empty()).collect();
        prop_assert_eq!(read, lines, "{}", page);
    }
}

/// A paragraph and its quote depth, as typed.
fn paragraph() -> impl Strategy<Value = (usize, String)> {
    let words = prop::collection::vec("[a-z>é]{1,9}|From|日本語|--", 0..30);
    (0_usize..4, words.prop_map(|words| words.join(" ")))
}

/// Writes a paragraph by RFC 3676, section 4.2: broken after a blank, or between any two characters
/// with `delsp`; stuffed before a blank, `>` or `From `.
fn write_flowed(depth: usize, paragraph: &str, width: usize, delsp: bool) -> String {
    let characters: Vec<char> = paragraph.chars().collect();
    let (mut lines, mut line) = (Vec::new(), String::new());
    for (index, &character) in characters.iter().enumerate() {
        line.push(character);
        let is_last = index + 1 == characters.len();
        // No line may be a signature separator.
        let may_break = (delsp || character == ' ') && line != "-- " && line != "--";
        if !is_last && may_break && line.chars().count() >= width {
            line.extend(delsp.then_some(' '));
            lines.push(std::mem::take(&mut line));
        }
    }
    lines.push(line);
    let written = lines.iter().map(|line| {
        let stuffed = depth > 0 || line.starts_with([' ', '>']) || line.starts_with("From ");
        format!(
            "{}{}{line}\r\n",
            ">".repeat(depth),
            if stuffed { " " } else { "" }
        )
    });
    written.collect()
}

proptest! {
    /// Paragraphs round-trip, however they were broken.
    #[test]
    fn flowed_paragraphs_round_trip(
        paragraphs in prop::collection::vec(paragraph(), 0..6),
        width in 1_usize..40,
        delsp: bool,
    ) {
        let (mut written, mut expected) = (String::new(), String::new());
        for (depth, text) in &paragraphs {
            written += &write_flowed(*depth, text, width, delsp);
            let marks = ">".repeat(*depth) + if *depth > 0 && !text.is_empty() { " " } else { "" };
            expected.extend([&marks, text.as_str(), "\n"]);
        }
        let delsp = if delsp { "; delsp=YES" } else { "" };
        assert_reading(&format!("text/plain; format=Flowed{delsp}"), &written, &expected);
    }
}

/// RFC 3676: section 4.3, the line before a signature is fixed; section 4.5, a flowed line before a
/// change of depth ends its paragraph; section 4.4, one stuffed blank is removed.
#[test]
fn flowed_lines_end_by_the_standard() {
    let flowed = "text/plain; format=flowed";
    assert_reading(flowed, "a \r\n-- \r\nAnn\r\n", "a \n-- \nAnn\n");
    assert_reading(flowed, "a \n> b \n> c\nd \n", "a \n> b c\nd \n");
    assert_reading(flowed, "  a\n > b\n From c", " a\n> b\nFrom c");
    assert_reading(flowed, "> -- \n> Ann", "> -- \n> Ann");
    assert_reading(flowed, "a \n\nb", "a \n\nb");
    assert_reading(
        "text/plain; format=flowed; delsp=yes",
        "日 \n本  \n語",
        "日本 語",
    );
    // Without the parameter, only the line endings change.
    assert_reading("text/plain", "a \r\nb\rc\r\n", "a \nb\nc\n");
    assert_reading("text/plain; format=fixed", "a \nb", "a \nb");
    assert_reading("text/html; format=flowed", "> a \nb", "> a b");
}

/// A preview shows no data of a truncated uuencoded file.
#[test]
fn a_preview_omits_uuencoded_data() {
    let line = format!("M{}\n", "A".repeat(60));
    let body = format!("See.\nbegin 644 a\n{}`\nend\nBye.\n", line.repeat(200));
    assert_eq!(preview("text/plain", &body, 30), "See. Bye.");
}

/// Uuencoded files in a text are attachments. POSIX, uuencode: `#0V%T` is `Cat`.
#[test]
fn uuencoded_files_are_omitted() {
    let file = "begin 644 cat.txt\r\n#0V%T\r\n`\r\nend\r\n";
    assert_reading("text/plain", &format!("See\r\n{file}Ann\r\n"), "See\nAnn\n");
    assert_reading(
        "text/plain; format=flowed",
        &format!("See \r\nit\r\n{file}"),
        "See it\n",
    );
    assert_reading(
        "text/plain",
        "begin 644 people who\n",
        "begin 644 people who\n",
    );
    let page = format!("<pre>{file}</pre>");
    assert_reading(
        "text/html",
        &page,
        file.trim_end().replace('\r', "").as_str(),
    );
}

/// The examples of RFC 1896, section 3, and of RFC 1341, section 7.1.3.
#[test]
fn enriched_text_loses_its_commands() {
    assert_reading(
        "text/enriched",
        "<bold>Now</bold> is the time for <italic>all</italic>\r\n\
         good men\r\n\
         <smaller>(and <<women>)</smaller> to\r\n\
         <ignoreme>come</ignoreme>\r\n\
         \r\n\
         to the aid of their\r\n\
         \r\n\
         \r\n\
         <color><param>red</param>beloved</color>\r\n\
         country.",
        "Now is the time for all good men (and <women>) to come\n\
         to the aid of their\n\
         \n\
         beloved country.",
    );
    assert_reading(
        "text/enriched",
        "<nofill>a\nb</nofill>\nc <x y> <",
        "a\nb c <x y> <",
    );
    assert_reading("text/enriched", "a<center>b</center>c", "a\nb\nc");
    // RFC 1896, section 3: commands are balanced. A parameter that does not end is text.
    for (text, expected) in [
        ("<color><param>red</param>a</color>", "a"),
        ("<color><param>red<bold>a</bold>", "reda"),
        ("a <color><param>red\n\nb", "a red\nb"),
        ("a<param>b</param>c<param>d<nofill>e", "acde"),
    ] {
        assert_reading("text/enriched", text, expected);
    }
    // RFC 1341, section 7.1.3: so are comments.
    for (text, expected) in [
        ("a<comment>b<comment>c</comment>d</comment>e", "ae"),
        ("a<comment>b<comment>c</comment>d", "abcd"),
        ("a</comment>b", "ab"),
    ] {
        assert_reading("text/richtext", text, expected);
    }
    assert_reading(
        "text/richtext",
        "<bold>Now</bold> is the time for\r\n\
         <italic>all</italic> good men\r\n\
         \u{20}<smaller>(and <lt>women>)</smaller> to\r\n\
         <ignoreme></ignoreme> come\r\n\
         to the aid of their\r\n\
         <nl>\r\n\
         beloved <nl><nl>country. <comment> Stupid quote! </comment> -- the end",
        "Now is the time for all good men (and <women>) to come to the aid of their\n\
         beloved\n\
         \n\
         country. -- the end",
    );
}

/// The preview of a part with the given header and body.
fn preview(content_type: &str, body: &str, characters: usize) -> String {
    let source = format!("Content-Type: {content_type}; charset=utf-8\n\n{body}");
    let message = Message::parse(source.as_bytes());
    message.preview(characters)
}

#[test]
fn a_preview_is_the_writer_s_own_text() {
    let plain = |body, expected: &str| assert_eq!(preview("text/plain", body, 20), expected);
    plain("One\r\n\r\n two\tthree", "One two three");
    plain("> a\n> b\n\nYes.", "Yes.");
    plain(
        "On 3 May 1999, Ann wrote:\n\n> a\n\nYes.\n> b\nNo.",
        "Yes. No.",
    );
    plain(
        "Yes.\nOn Monday, the third of May 1999, at 10:00,\nAnn wrote:\n> a",
        "Yes.",
    );
    plain("2023年10月16日 Ann <a@b>：\n> a\n了解", "了解");
    plain("Yes. She said:\n> a", "Yes. She said: a");
    plain(
        "Yes.\n-----Ursprüngliche Nachricht-----\nVon: a\nGesendet: b",
        "Yes.",
    );
    plain(
        "Yes.\n________________________________\nFrom: a\nSent: b",
        "Yes.",
    );
    // Outlook's header above the quoted message, and Gmail's line before a long address.
    plain("Yes.\n\nFrom: Ann\nSent: Monday\nTo: Bob\n\nNo.", "Yes.");
    plain("Ja.\n\nVon: Ann\nGesendet: Montag\nAn: Bob\n\nNein.", "Ja.");
    plain(
        "Yes.\n\nOn Mon, 3 Jan 2000, 10:00 Bob Smith,\n<bob@example.org> wrote:\n\n> No",
        "Yes.",
    );
    // Horizontal rules and a number do not start a quote.
    plain(
        "News 5\n____________________\nToday",
        "News 5 _____________",
    );
    plain("A\n----- Chapter one -----\nB", "A ----- Chapter one");
    plain("These 3:\n> a\nb", "These 3: b");
    plain("Key:\n-----BEGIN PGP-----", "Key: -----BEGIN PGP-");
    // Apple's line is the only text of the writer.
    plain("Forwarded:\n\n> From: a\n> b", "Forwarded: From: a b");
    // The quote is the only text.
    plain(
        "On 3 May 1999, Ann wrote:\n> a\n>> b",
        "On 3 May 1999, Ann w",
    );
    plain("> a\n> b", "a b");
    plain("", "");
    let html = |body, expected: &str| assert_eq!(preview("text/html", body, 20), expected);
    html(
        "<style>p{color:red}</style><p>Dear &nbsp;Ann,<p>yes.",
        "Dear Ann, yes.",
    );
    html(
        "yes<div>On 3 May 1999, Bob wrote:<blockquote>no</blockquote></div>",
        "yes",
    );
    // Gmail's indented text; Outlook's quote has a border only on the left.
    html(
        "<blockquote style='margin:0 0 0 40px;border:none;padding:0px'>yes</blockquote>",
        "yes",
    );
    html(
        "a<blockquote style='margin:0 0 0 40px;border:none;padding:0px'>b</blockquote>c",
        "a b c",
    );
    html(
        "a<blockquote style='border:none;border-left:solid #CCC 1.0pt'>b</blockquote>c",
        "a c",
    );
    html("a<blockquote type=cite>b</blockquote>c", "a c");
    let padding = "&#847;&zwnj;&nbsp;&shy;&#8199;&#65279;".repeat(100);
    html(
        &format!("Hello{padding}<p>cof&shy;fee {padding}tea"),
        "Hello coffee tea",
    );
}

/// Unicode Standard Annex #29, section 3: a user-perceived character is not split, and joiners of
/// emoji and Persian are kept.
#[test]
fn a_preview_counts_visible_characters() {
    let cut = |body, characters| preview("text/plain", body, characters);
    assert_eq!(cut("e\u{301}a\u{308}b", 2), "e\u{301}a\u{308}");
    assert_eq!(
        cut("👩\u{200D}👩\u{200D}👧🇰🇷x", 2),
        "👩\u{200D}👩\u{200D}👧🇰🇷"
    );
    assert_eq!(cut("می\u{200C}خواهم", 20), "می\u{200C}خواهم");
    assert_eq!(cut("ab cd", 3), "ab");
    assert_eq!(cut("ab cd", 4), "ab c");
    assert_eq!(cut("\u{202E}a\u{7}b", 5), "ab");
    assert_eq!(cut("abc", 0), "");
    // A character of half a million marks is not shown.
    assert!(cut(&("a".to_owned() + &"\u{301}".repeat(500_000)), 100).len() < 100);
}

/// Text in several parts; the first may be empty, as Apple's Mail writes it.
#[test]
fn the_text_of_a_message_joins_its_text_parts() {
    let message = Message::parse(
        b"Content-Type: multipart/mixed; boundary=b\n\n\
          --b\n\n\n\n--b\nContent-Type: image/png\n\nx\n\
          --b\nContent-Type: text/html\n\n<b>one</b>\n--b\n\ntwo\n--b--\n",
    );
    assert_eq!(message.reading_text(), "one\n\ntwo");
    assert_eq!(message.preview(10), "one");
    // Some programs send an empty plain text with the page.
    let message = Message::parse(
        b"Content-Type: multipart/alternative; boundary=b\n\n\
          --b\n\n \n--b\nContent-Type: text/html\n\n<p>page\n--b--\n",
    );
    assert_eq!(
        (message.reading_text(), message.preview(10)),
        ("page".to_owned(), "page".to_owned())
    );
    let none = Message::parse(b"Content-Type: image/png\n\nx");
    assert_eq!(
        (none.reading_text(), none.preview(10)),
        (String::new(), String::new())
    );
}

/// Exact text, charset and findings are those of the part; only the layout differs.
#[test]
fn a_reading_text_has_the_report_of_the_exact_text() {
    let message = Message::parse(b"Content-Type: text/html; charset=us-ascii\n\n<p>caf\xE9<p>b");
    let part = message.root();
    let (exact, reading) = (part.text(), part.reading_text());
    assert_eq!(
        (exact.as_str(), reading.as_str()),
        ("<p>café<p>b", "café\n\nb")
    );
    assert_eq!(exact.report(), reading.report());
    assert_eq!(
        (exact.charset(), exact.source()),
        (reading.charset(), reading.source())
    );
}

/// Fragments of messages: quotes, introductions, separators, markup, long and short lines.
fn drawn_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,5}( [a-zé한]{1,5}){0,40}",
        Just("On 3 May 1999, Ann wrote:".to_owned()),
        Just("> quoted".to_owned()),
        Just("said:".to_owned()),
        Just("_".repeat(30)),
        Just("<blockquote>".to_owned()),
        Just("</blockquote>".to_owned()),
        Just("<style>a</style>&eacute;&shy;<p>".to_owned()),
        Just("<div hidden>".to_owned()),
        Just("</div>".to_owned()),
        Just(String::new()),
    ];
    prop::collection::vec((piece, 1_usize..60), 1..12).prop_map(|pieces| {
        let lines = pieces
            .into_iter()
            .map(|(piece, count)| (piece + "\n").repeat(count));
        lines.collect()
    })
}

proptest! {
    /// A preview decodes only the beginning of a body; decoding all of it gives the same preview.
    #[test]
    fn a_preview_is_independent_of_the_decoded_length(
        text in drawn_text(),
        characters in 1_usize..80,
        html: bool,
    ) {
        let media_type = if html { "text/html" } else { "text/plain" };
        let source = format!("Content-Type: {media_type}; charset=utf-8\n\n{text}");
        let message = Message::parse(source.as_bytes());
        let lazy = message.root().preview(characters, &Options::new());
        // Requesting more characters than the body has decodes all of it.
        let whole = message.root().preview(source.len(), &Options::new());
        prop_assert!(!whole.report().has(Kind::Partial));
        prop_assert!(whole.as_str().starts_with(lazy.as_str()));
        let missing = whole.as_str().chars().count() - lazy.as_str().chars().count();
        let full = lazy.as_str().chars().count() + 1 >= characters;
        prop_assert!(full || missing == 0, "{:?} {:?}", lazy, whole);
    }
}

//! A document as the HTML part of a mail. It uses tables and inline styles, so that it stays readable in clients that
//! remove style elements, classes and pictures. The style element only adds the dark mode.

use std::fmt::Write;

use super::{AnswerLink, Block, Document, HtmlPicture, NameList, Side, Table};
use dipjudge_view::markup::escaped;

/// The greatest width of page and picture in pixels.
const WIDTH: u32 = 640;
/// Fonts for words.
const SANS: &str = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/// Fonts for lines that are printed unchanged.
const FIXED: &str = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";
/// Colours of words and backgrounds in the light mode.
const INK: &str = "#1d232b";
const PAPER: &str = "#ffffff";
const MUTED: &str = "#59636e";
const PANEL: &str = "#f3f5f7";
const RULE: &str = "#d3d9df";
/// The dark mode. It changes colours only, through classes that nothing else uses.
const DARK: &str = "@media (prefers-color-scheme:dark){\
.page,.words{background-color:#14181d!important;color:#e7eaee!important}\
.words{border-color:#4a5560!important}\
.panel{background-color:#20262d!important;color:#e7eaee!important}\
.muted{color:#a9b4bf!important}\
.rule{border-color:#3a434c!important}}";

impl Document {
    /// A whole page with its title and picture.
    pub fn html(&self, title: &str, picture: Option<&HtmlPicture>) -> String {
        let Document(blocks) = self;
        // The picture follows the facts of the game, the sentence that may stand below them, and the heading.
        let place = match blocks.as_slice() {
            [_, Block::Heading(_), ..] => 2,
            [_, Block::Paragraph(_), Block::Heading(_), ..] => 3,
            _ => blocks.len().min(1),
        };
        let (before, behind) = blocks.split_at(place);
        let mut page = head(title);
        write_all(&mut page, before);
        if let Some(picture) = picture {
            write_picture(&mut page, picture);
        }
        write_all(&mut page, behind);
        page.push_str("</div>\n</td></tr></table>\n</body>\n</html>\n");
        page
    }
}

/// The page up to the first part.
fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"supported-color-schemes\" content=\"light dark\">\n\
         <title>{}</title>\n<style>{DARK}</style>\n</head>\n\
         <body class=\"page\" style=\"margin:0;padding:0;background-color:{PAPER};color:{INK}\">\n\
         <table role=\"presentation\" class=\"page\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" \
         style=\"border-collapse:collapse;table-layout:fixed;background-color:{PAPER};color:{INK}\"><tr>\
         <td align=\"center\" style=\"padding:12px\">\n\
         <div style=\"max-width:{WIDTH}px;margin:0 auto;text-align:left;font-family:{SANS};\
         font-size:15px;line-height:1.45;overflow-wrap:break-word\">\n",
        escaped(title)
    )
}

/// Pixels below a part.
const GAP: u32 = 12;
/// Pixels between the parts of a group.
const SMALL_GAP: u32 = 2;
/// A table with this many columns or more has smaller letters and may be wider than a phone.
const MANY_COLUMNS: usize = 5;
/// Longer words may be broken within a cell.
const LONG_WORD: usize = 15;

fn write_all(page: &mut String, blocks: &[Block]) {
    write_below(page, blocks, GAP);
}

/// Parts with `gap` pixels between them, and [`GAP`] below the last.
fn write_below(page: &mut String, blocks: &[Block], gap: u32) {
    for (index, block) in blocks.iter().enumerate() {
        let last = index + 1 == blocks.len();
        write_block(page, block, if last { GAP } else { gap });
    }
}

// Writing to a string cannot fail, so the results of `write!` and `writeln!` are ignored.
fn write_block(page: &mut String, block: &Block, gap: u32) {
    let _ = match block {
        Block::Heading(heading) => writeln!(
            page,
            "<h2 style=\"margin:22px 0 8px;font-size:17px;line-height:1.3\">{}</h2>",
            // Some headings begin with dashes in plain text.
            escaped(heading.trim_start_matches('-').trim_start())
        ),
        Block::Paragraph(lines) => paragraph(page, &in_lines(lines), gap),
        Block::KeptLines(lines) => paragraph(page, &escaped(&lines.join(" ")), gap),
        Block::List(items) => list(page, items),
        Block::NameList(named) => paragraph(page, &names(named), gap),
        Block::HangingText(hanging) => {
            let (head, text) = (escaped(hanging.head.trim()), escaped(&hanging.text));
            paragraph(page, &format!("<strong>{head}</strong> {text}"), gap)
        }
        Block::Table(table) => write_table(page, table),
        Block::Verbatim(text) => writeln!(
            page,
            "<div class=\"panel\" style=\"margin:0 0 {gap}px;padding:8px 10px;background-color:{PANEL};\
             color:{INK};font-family:{FIXED};font-size:13px;white-space:pre-wrap\">{}</div>",
            kept(text)
        ),
        Block::PlayerWords(text) => writeln!(
            page,
            "<div class=\"words\" style=\"margin:0 0 {gap}px;padding:2px 0 2px 12px;\
             border-left:3px solid {RULE};background-color:{PAPER};color:{INK};\
             white-space:pre-wrap\">{}</div>",
            kept(text)
        ),
        Block::FixedLines(fixed) => {
            write_below(page, &fixed.html, gap);
            Ok(())
        }
        Block::AnswerLinks(links) => paragraph(page, &anchors(links), gap),
        Block::Group(parts) => {
            write_below(page, parts, SMALL_GAP);
            Ok(())
        }
        Block::Checked(parts) => {
            write_below(page, parts, gap);
            Ok(())
        }
    };
}

fn paragraph(page: &mut String, html: &str, gap: u32) -> std::fmt::Result {
    writeln!(page, "<p style=\"margin:0 0 {gap}px\">{html}</p>")
}

/// Links side by side, as far as the page is wide.
fn anchors(links: &[AnswerLink]) -> String {
    let links = links.iter().map(|link| {
        format!(
            "<a class=\"rule\" href=\"{}\" style=\"display:inline-block;margin:0 6px 6px 0;padding:6px 10px;\
             border:1px solid {RULE};border-radius:4px\">{}</a>",
            escaped(&link.url),
            escaped(&link.name)
        )
    });
    links.collect::<Vec<_>>().join(" ")
}

fn list(page: &mut String, items: &[String]) -> std::fmt::Result {
    writeln!(page, "<ul style=\"margin:0 0 {GAP}px;padding-left:20px\">")?;
    for item in items {
        writeln!(page, "<li style=\"margin:0 0 4px\">{}</li>", escaped(item))?;
    }
    writeln!(page, "</ul>")
}

fn names(named: &NameList) -> String {
    let head = escaped(named.head.trim());
    if named.names.is_empty() {
        return format!("<strong>{head}</strong> none.");
    }
    let names = escaped(&named.names.join(", "));
    format!("<strong>{head}</strong> {names}.")
}

fn write_table(page: &mut String, table: &Table) -> std::fmt::Result {
    let named = table.has_names();
    let many = table.sides.len() >= MANY_COLUMNS;
    let width = if named { " width=\"100%\"" } else { "" };
    let size = if many { 12 } else { 14 };
    if many {
        // A table that is too wide for a phone scrolls sideways without the page.
        write!(page, "<div style=\"overflow-x:auto\">")?;
    }
    writeln!(
        page,
        "<table cellpadding=\"0\" cellspacing=\"0\"{width} \
         style=\"border-collapse:collapse;margin:0 0 14px;font-size:{size}px;line-height:1.35\">"
    )?;
    if named {
        write_names(page, table)?;
    }
    for row in &table.rows {
        write!(page, "<tr>")?;
        match row.as_slice() {
            [heading] if table.sides.len() > 1 => write!(
                page,
                "<td colspan=\"{}\" style=\"padding:12px 8px 3px 0;font-weight:600\">{}</td>",
                table.sides.len(),
                in_lines(&[heading])
            )?,
            cells => {
                for (index, cell) in cells.iter().enumerate() {
                    let span = if index + 1 == cells.len() {
                        table.sides.len().saturating_sub(index)
                    } else {
                        1
                    };
                    write_cell(page, table, index, span, cell)?;
                }
            }
        }
        writeln!(page, "</tr>")?;
    }
    writeln!(page, "</table>{}", if many { "</div>" } else { "" })
}

/// The names of the columns.
fn write_names(page: &mut String, table: &Table) -> std::fmt::Result {
    write!(page, "<tr>")?;
    for (index, name) in table.head.iter().enumerate() {
        write!(
            page,
            "<th class=\"muted rule\" scope=\"col\" align=\"{}\" valign=\"bottom\" \
             style=\"padding:4px 8px 4px 0;border-bottom:2px solid {RULE};color:{MUTED};\
             font-size:12px;font-weight:600\">{}</th>",
            side(table, index),
            escaped(name)
        )?;
    }
    writeln!(page, "</tr>")
}

/// A cell that begins in the column `index` and spans `span` columns.
fn write_cell(
    page: &mut String,
    table: &Table,
    index: usize,
    span: usize,
    cell: &str,
) -> std::fmt::Result {
    let span = if span > 1 {
        format!(" colspan=\"{span}\"")
    } else {
        String::new()
    };
    let long = cell
        .split_whitespace()
        .any(|word| word.chars().count() > LONG_WORD);
    let broken = if long {
        ";overflow-wrap:anywhere;word-break:break-word"
    } else {
        ""
    };
    let (class, look) = match (table.has_names(), index) {
        (true, _) => (
            " class=\"rule\"",
            format!("padding:4px 8px 4px 0;border-bottom:1px solid {RULE}"),
        ),
        (false, 0) => (
            " class=\"muted\"",
            format!("padding:1px 14px 1px 0;color:{MUTED}"),
        ),
        (false, _) => ("", "padding:1px 14px 1px 0".to_owned()),
    };
    write!(
        page,
        "<td{class}{span} align=\"{}\" valign=\"top\" style=\"{look}{broken}\">{}</td>",
        side(table, index),
        in_lines(&[cell])
    )
}

fn side(table: &Table, column: usize) -> &'static str {
    match table.sides.get(column) {
        Some(Side::Right) => "right",
        _ => "left",
    }
}

fn write_picture(page: &mut String, image: &HtmlPicture) {
    let shown = image.width.min(WIDTH);
    let _ = writeln!(
        page,
        "<p style=\"margin:0 0 14px\"><img src=\"{}\" alt=\"{}\" width=\"{shown}\" \
         style=\"display:block;width:100%;max-width:{shown}px;height:auto;border:0\"></p>",
        escaped(&image.source),
        escaped(&image.alt),
    );
}

/// Lines separated by `<br>`.
fn in_lines(lines: &[impl AsRef<str>]) -> String {
    let lines = lines.iter().flat_map(|line| line.as_ref().split('\n'));
    let lines: Vec<String> = lines.map(escaped).collect();
    lines.join("<br>")
}

/// Lines with their leading blanks, also for clients that ignore `white-space`.
fn kept(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let words = line.trim_start_matches(' ');
            format!(
                "{}{}",
                "&nbsp;".repeat(line.len() - words.len()),
                escaped(words)
            )
        })
        .collect();
    lines.join("<br>")
}

//! The words of an HTML part, line by line, as the sender saw them.
//!
//! No document is built: tags are read one after another and most are thrown away. Building trees as browsers do takes
//! quadratic time on hostile pages (unclosed `<b>` before many `<p>`, deep nesting), and nothing here needs a tree.

use mail_parser::decoders::html::add_html_token;

use super::decode::text_of;
use super::raw_line::RawLine;

/// Tags after and before which a new line begins.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "tr",
    "ul",
];

/// Blocks set apart by an empty line.
const PARAGRAPHS: &[&str] = &[
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "table",
    "ul",
    "ol",
    "pre",
    "blockquote",
];

/// Elements whose text nobody sees.
const UNSEEN: &[&str] = &["script", "style", "title", "template"];

/// The longest named character of HTML has 33 signs.
const LONGEST_ENTITY: usize = 40;

/// Turns HTML into lines; a blockquote is a quotation.
pub(super) fn lines(html: &str) -> Vec<RawLine> {
    let mut page = Page::default();
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        let (text, tail) = rest.split_at(at);
        page.text(text);
        rest = if tail.starts_with('&') {
            page.entity(tail)
        } else {
            page.markup(tail)
        };
    }
    page.text(rest);
    page.end_line(false);
    page.lines
}

#[derive(Default)]
struct Page {
    lines: Vec<RawLine>,
    line: String,
    blank_due: bool,
    /// The line ends before the next words.
    break_due: bool,
    /// An empty line is due before the next words.
    gap_due: bool,
    /// For each open blockquote: whether it quotes (or only indents).
    quotes: Vec<bool>,
    /// A cell of the row of a table has begun already.
    in_row: bool,
    /// A cell has begun and holds no words yet.
    cell_begins: bool,
    depth: usize,
    preformatted: usize,
}

impl Page {
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\n' if self.preformatted > 0 => {
                    self.settle();
                    self.end_line(true);
                }
                '\r' if self.preformatted > 0 => {}
                ' ' | '\t' | '\n' | '\r' | '\u{c}' if self.preformatted == 0 => {
                    self.blank_due = true
                }
                _ => self.sign(c),
            }
        }
    }

    fn sign(&mut self, c: char) {
        self.settle();
        self.cell_begins = false;
        let below_words = self
            .lines
            .last()
            .is_some_and(|line| !line.text.trim().is_empty());
        if self.line.is_empty() && std::mem::take(&mut self.gap_due) && below_words {
            self.lines.push(RawLine::new(self.depth, ""));
        }
        if std::mem::take(&mut self.blank_due) && !self.line.is_empty() {
            self.line.push(' ');
        }
        self.line.push(c);
    }

    /// Ends the line if a block has ended it.
    fn settle(&mut self) {
        if std::mem::take(&mut self.break_due) {
            self.end_line(false);
        }
    }

    /// Ends the line; an empty one stands only where the sender made one.
    fn end_line(&mut self, even_if_empty: bool) {
        self.blank_due = false;
        if even_if_empty || !self.line.is_empty() {
            self.lines
                .push(RawLine::new(self.depth, std::mem::take(&mut self.line)));
        }
    }

    /// Reads `&name;`; what is none stays an ampersand.
    fn entity<'a>(&mut self, tail: &'a str) -> &'a str {
        let end = tail
            .bytes()
            .take(LONGEST_ENTITY)
            .position(|byte| byte == b';');
        let Some((entity, after)) = end.and_then(|end| tail.split_at_checked(end + 1)) else {
            self.sign('&');
            return tail.get(1..).unwrap_or("");
        };
        let inner = entity.trim_matches(['&', ';']);
        if inner.is_empty() || !inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '#') {
            self.sign('&');
            return tail.get(1..).unwrap_or("");
        }
        let mut decoded = String::new();
        add_html_token(&mut decoded, entity.as_bytes(), false);
        for c in decoded.chars() {
            match u32::from(c) {
                // `&#150;` is an en dash to every browser, since it was one in windows-1252.
                code @ 0x80..=0x9f => {
                    let byte = u8::try_from(code).unwrap_or(b'?');
                    text_of(&[byte], Some("windows-1252"))
                        .chars()
                        .for_each(|c| self.sign(c));
                }
                _ if c.is_ascii_whitespace() => self.text(c.encode_utf8(&mut [0; 4])),
                _ => self.sign(c),
            }
        }
        after
    }

    /// Reads what begins with `<`: a comment, a tag, or a mere sign.
    fn markup<'a>(&mut self, tail: &'a str) -> &'a str {
        if let Some(comment) = tail.strip_prefix("<!--") {
            return comment.split_once("-->").map_or("", |(_, after)| after);
        }
        let closing = tail.starts_with("</");
        let name_at = if closing { 2 } else { 1 };
        let name_on = tail.get(name_at..).unwrap_or("");
        if !name_on.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
            self.sign('<');
            return tail.get(1..).unwrap_or("");
        }
        let Some(end) = tag_end(name_on) else {
            // A tag that never ends shows nothing, in browsers too.
            return "";
        };
        let (inside, after) = name_on.split_at_checked(end).unwrap_or((name_on, ""));
        let after = after.strip_prefix('>').unwrap_or(after);
        let name_end = inside
            .find(|c: char| c.is_ascii_whitespace() || c == '/')
            .unwrap_or(inside.len());
        let (name, attributes) = inside.split_at_checked(name_end).unwrap_or((inside, ""));
        let name = name.to_ascii_lowercase();
        if UNSEEN.contains(&name.as_str()) {
            return if closing {
                after
            } else {
                after_element(after, &name)
            };
        }
        self.tag(&name, attributes, closing);
        after
    }

    fn tag(&mut self, name: &str, attributes: &str, closing: bool) {
        match name {
            "br" => {
                self.settle();
                self.cell_begins = false;
                return self.end_line(true);
            }
            "td" | "th" if !closing && self.in_row => {
                // Cells of a row stand side by side, even if each holds a paragraph, as Outlook makes them.
                (self.break_due, self.gap_due, self.blank_due) = (false, false, true);
                self.cell_begins = true;
                return;
            }
            "td" | "th" => {
                (self.in_row, self.cell_begins) = (true, !closing);
                return;
            }
            _ if !BLOCKS.contains(&name) => return,
            _ => {}
        }
        if name == "tr" {
            (self.in_row, self.cell_begins) = (false, false);
        }
        if self.cell_begins && !closing && name != "blockquote" {
            return;
        }
        self.break_due = true;
        self.gap_due |= PARAGRAPHS.contains(&name);
        match (name, closing) {
            ("pre", false) => self.preformatted += 1,
            ("pre", true) => self.preformatted = self.preformatted.saturating_sub(1),
            ("blockquote", false) => {
                self.settle();
                let quotes = !only_indents(attributes);
                self.quotes.push(quotes);
                self.depth += usize::from(quotes);
            }
            ("blockquote", true) => {
                self.settle();
                let quoted = self.quotes.pop() == Some(true);
                self.depth = self.depth.saturating_sub(usize::from(quoted));
            }
            _ => {}
        }
    }
}

/// Gmail's "indent more" writes a blockquote round the sender's own words, told apart by its style only.
fn only_indents(attributes: &str) -> bool {
    let style: String = attributes
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase();
    style.contains("border:none")
        && !style.contains("gmail_quote")
        && !style.contains("type=\"cite\"")
}

/// Where the `>` of a tag stands; one in a quoted attribute is none.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    let mut after_equals = false;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return Some(at),
            // A stray quotation mark opens nothing: it must follow the equals sign.
            (None, b'"' | b'\'') if after_equals => quote = Some(byte),
            _ => {}
        }
        after_equals = byte == b'=' || (after_equals && byte.is_ascii_whitespace());
    }
    None
}

/// What follows the end tag of an element whose text is not shown; nothing if it never ends.
fn after_element<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some((_, tail)) = rest.split_once("</") {
        let ends = tail
            .get(..name.len())
            .is_some_and(|have| have.eq_ignore_ascii_case(name));
        if ends {
            return tail.split_once('>').map_or("", |(_, after)| after);
        }
        rest = tail;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> Vec<String> {
        lines(html).iter().map(RawLine::shown).collect()
    }

    #[test]
    fn blocks_and_breaks_are_lines() {
        assert_eq!(
            shown("<div dir=\"ltr\">F Lon - Nth<div>A Lvp - Yor</div>F Edi H<br></div>"),
            ["F Lon - Nth", "A Lvp - Yor", "F Edi H"]
        );
        assert_eq!(shown("one<br><br/>two"), ["one", "", "two"]);
        assert_eq!(shown("<p>one</p>\n<p>two</p>"), ["one", "", "two"]);
        assert_eq!(shown("<ul><li>one<li>two</ul>"), ["one", "two"]);
        assert_eq!(
            shown("<table><tr><td>A</td><td>Par</td></tr><tr><td>H</table>end"),
            ["A Par", "H", "", "end"]
        );
        assert_eq!(
            shown(
                "<tr><td><p>A</p></td><td><p>Par</p></td></tr><tr><td><p>H</p><p>I</p></td></tr>"
            ),
            ["A Par", "", "H", "", "I"]
        );
        assert_eq!(shown("<pre>A  Par\n  H</pre>"), ["A  Par", "  H"]);
    }

    #[test]
    fn blanks_fold_and_entities_are_read() {
        assert_eq!(
            shown(" F\n  Lon&nbsp;&ndash;\t<b>Nth</b> "),
            ["F Lon\u{a0}– Nth"]
        );
        assert_eq!(shown("&#8594;&#x2192;&#150;&lt;&amp;&eacute;"), ["→→–<&é"]);
        assert_eq!(
            shown("A & B &nosuch; &; &#xffffffff; 1 < 2 <3"),
            ["A & B &nosuch; &; \u{fffd} 1 < 2 <3"]
        );
    }

    #[test]
    fn blockquotes_quote_unless_they_indent() {
        assert_eq!(
            shown("new<blockquote class=x>old<blockquote>older</blockquote></blockquote>new"),
            ["new", "> ", "> old", ">> ", ">> older", "", "new"]
        );
        assert_eq!(
            shown(
                "<blockquote style=\"margin: 0 0 0 40px; border: none; padding: 0px\">A Par H</blockquote>"
            ),
            ["A Par H"]
        );
    }

    #[test]
    fn what_nobody_sees_is_not_read() {
        assert_eq!(
            shown(
                "<head><title>t</title><STYLE>p > a { x: \"</b>\" }</style></head><!-- A Par H --><![if x]><?xml a?>seen<script>var a;"
            ),
            ["seen"]
        );
        assert_eq!(
            shown("<p title=\"a>b\" x='c>d'>seen<p title=\"never ends"),
            ["seen"]
        );
        assert_eq!(shown("<a b\">seen</a>"), ["seen"]);
    }

    #[test]
    fn hostile_pages_end() {
        for piece in [
            "<div>",
            "<blockquote>",
            "<b a=1>",
            "<p>",
            "<a ",
            "&amp",
            "<!--",
            "<style>",
            "</",
            "<br>",
            "<td>",
            "<pre>\n",
        ] {
            let page = piece.repeat(200_000 / piece.len());
            assert!(lines(&page).len() <= page.len(), "{piece}");
        }
        let formatting: String = (0..9_000).map(|n| format!("<b a={n}>")).collect();
        assert_eq!(shown(&(formatting + &"<p>".repeat(9_000) + "end")), ["end"]);
    }
}

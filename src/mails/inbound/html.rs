//! Turns an HTML part into lines as its sender saw them.
//!
//! No tree is built: tokens are read one after another (by html5gum, which follows the standard) and most tags are
//! ignored. Building a tree as browsers do takes quadratic time on hostile pages (unclosed `<b>` before many `<p>`, deep
//! nesting), and nothing here needs one.

use html5gum::{EndTag, StartTag, State, Token, Tokenizer};

use super::css::Sheet;
use super::html_elements::{is_block, is_spaced_block};
use super::html_visibility::{Attributes, Visibility};
use super::raw_line::RawLine;

/// Turns HTML into lines, without hidden and struck-out text; a blockquote is a quotation.
pub(super) fn lines(html: &str) -> Vec<RawLine> {
    let mut page = Page::default();
    let mut visibility = Visibility::new(styles(html));
    for_each_token(html, |token| match token {
        Token::StartTag(tag) => {
            let tag = Tag::of(tag);
            let displayed = visibility.start_tag(&tag.name, &tag.attributes());
            page.tag(&tag, Edge::Start, displayed);
        }
        Token::EndTag(EndTag { name, .. }) => {
            let tag = Tag::named(text(&name));
            let displayed = visibility.end_tag(&tag.name);
            page.tag(&tag, Edge::End, displayed);
        }
        Token::String(words) if visibility.is_visible() => page.text(&text(&words)),
        _ => {}
    });
    page.end_line(EmptyLine::Drop);
    page.lines
}

/// The style sheets of a page, from all its `style` elements.
fn styles(html: &str) -> Sheet {
    let mut sheet = Sheet::default();
    let mut style = String::new();
    let mut within = false;
    for_each_token(html, |token| match token {
        Token::StartTag(tag) => within = tag.name.as_slice() == b"style",
        Token::String(words) if within => style.push_str(&text(&words)),
        Token::EndTag(_) if within => {
            sheet.add(&std::mem::take(&mut style));
            within = false;
        }
        _ => {}
    });
    sheet
}

fn for_each_token(html: &str, mut take: impl FnMut(Token)) {
    let mut tokens = Tokenizer::new(html);
    while let Some(Ok(token)) = tokens.next() {
        if let Token::StartTag(tag) = &token {
            // Tags within these are text. Mail programs run no scripts, so the content of NOSCRIPT is shown.
            match tag.name.as_slice() {
                b"title" | b"textarea" => tokens.set_state(State::RcData),
                b"script" => tokens.set_state(State::ScriptData),
                b"style" | b"iframe" | b"xmp" | b"noembed" | b"noframes" => {
                    tokens.set_state(State::RawText);
                }
                b"plaintext" => tokens.set_state(State::PlainText),
                _ => {}
            }
        }
        take(token);
    }
}

/// The bytes of a token as text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A tag, with the attributes that matter here.
#[derive(Default)]
struct Tag {
    name: String,
    style: String,
    classes: String,
    id: String,
    /// The attribute `type`, which is `cite` in quotations by Apple's programs.
    kind: String,
    hidden: bool,
}

impl Tag {
    fn named(name: String) -> Tag {
        Tag {
            name,
            ..Tag::default()
        }
    }

    fn of(tag: StartTag<()>) -> Tag {
        let value = |name: &[u8]| tag.attributes.get(name).map(|value| text(value));
        Tag {
            name: text(&tag.name),
            style: value(b"style").unwrap_or_default(),
            classes: value(b"class").unwrap_or_default(),
            id: value(b"id").unwrap_or_default(),
            kind: value(b"type").unwrap_or_default(),
            hidden: value(b"hidden").is_some(),
        }
    }

    fn attributes(&self) -> Attributes<'_> {
        Attributes {
            classes: &self.classes,
            id: &self.id,
            style: &self.style,
            hidden: self.hidden,
        }
    }

    /// Whether a blockquote only indents: Gmail's "indent more" writes one around the sender's own words, with this style.
    fn only_indents(&self) -> bool {
        let style = self.style.to_ascii_lowercase();
        let style: String = style.split_whitespace().collect();
        style.contains("border:none")
            && !self.classes.to_ascii_lowercase().contains("gmail_quote")
            && !self.kind.eq_ignore_ascii_case("cite")
    }
}

/// Which end of an element a tag is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

/// What becomes of a line without words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EmptyLine {
    Keep,
    Drop,
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
    /// The current table row already has a cell.
    in_row: bool,
    /// The current cell has no words yet.
    cell_begins: bool,
    depth: usize,
    preformatted: usize,
}

impl Page {
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\n' if self.preformatted > 0 => {
                    self.end_due_line();
                    self.end_line(EmptyLine::Keep);
                }
                '\r' if self.preformatted > 0 => {}
                ' ' | '\t' | '\n' | '\r' | '\u{c}' if self.preformatted == 0 => {
                    self.blank_due = true
                }
                _ => self.push(c),
            }
        }
    }

    fn push(&mut self, c: char) {
        self.end_due_line();
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

    /// Ends the line if a block has begun or ended since its last words.
    fn end_due_line(&mut self) {
        if std::mem::take(&mut self.break_due) {
            self.end_line(EmptyLine::Drop);
        }
    }

    fn end_line(&mut self, empty: EmptyLine) {
        self.blank_due = false;
        if empty == EmptyLine::Keep || !self.line.is_empty() {
            self.lines
                .push(RawLine::new(self.depth, std::mem::take(&mut self.line)));
        }
    }

    /// Handles a tag; one that is not displayed only opens or closes quotations.
    fn tag(&mut self, tag: &Tag, edge: Edge, displayed: bool) {
        let name = tag.name.as_str();
        match name {
            _ if !displayed && name != "blockquote" => return,
            "br" => {
                self.end_due_line();
                self.cell_begins = false;
                return self.end_line(EmptyLine::Keep);
            }
            "td" | "th" if edge == Edge::Start && self.in_row => {
                // Cells of a row stay on one line even if each contains a paragraph, as Outlook makes them.
                (self.break_due, self.gap_due, self.blank_due) = (false, false, true);
                self.cell_begins = true;
                return;
            }
            "td" | "th" => {
                (self.in_row, self.cell_begins) = (true, edge == Edge::Start);
                return;
            }
            _ if !is_block(name) => return,
            _ => {}
        }
        if name == "tr" {
            (self.in_row, self.cell_begins) = (false, false);
        }
        if self.cell_begins && edge == Edge::Start && name != "blockquote" {
            return;
        }
        self.break_due = true;
        self.gap_due |= is_spaced_block(name);
        match (name, edge) {
            ("pre", Edge::Start) => self.preformatted += 1,
            ("pre", Edge::End) => self.preformatted = self.preformatted.saturating_sub(1),
            ("blockquote", Edge::Start) => {
                self.end_due_line();
                let quotes = !tag.only_indents();
                self.quotes.push(quotes);
                self.depth += usize::from(quotes);
            }
            ("blockquote", Edge::End) => {
                self.end_due_line();
                let quoted = self.quotes.pop() == Some(true);
                self.depth = self.depth.saturating_sub(usize::from(quoted));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> Vec<String> {
        lines(html).iter().map(RawLine::quoted_text).collect()
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
    fn what_is_hidden_or_struck_out_is_not_read() {
        for hidden in [
            "<s>x</s>",
            "<del>x</del>",
            "<strike>x</strike>",
            "<s><b>x</b></s>",
            "<span style=\"text-decoration: line-through\">x</span>",
            "<div hidden>x</div>",
            "<div style=\"display:none\">x<div>y</div>z</div>",
            "<span style='visibility:hidden'>x</span>",
            "<span style='font-size:0'>x<b>y</b></span>",
            "<textarea><b>x</b></textarea>",
            "<select><option>x</select>",
            "<style>.a{display:none}</style><p class='b a'>x</p>",
            "<p class=a>x</p><style>.a{display:none}</style>",
            "<p hidden>x",
            "<ul><li hidden>x</ul>",
            "<table><tr hidden><td>x</table>",
        ] {
            let page = format!("<div>seen{hidden}<div>too</div></div>");
            let lines: Vec<String> = shown(&page).into_iter().filter(|l| !l.is_empty()).collect();
            assert_eq!(lines, ["seen", "too"], "{hidden}");
        }
    }

    #[test]
    fn what_is_shown_again_is_read() {
        for (page, lines) in [
            ("<p hidden>x<p>seen", vec!["seen"]),
            ("<li hidden>x<li>seen", vec!["seen"]),
            ("<div><span hidden>x</div>seen", vec!["seen"]),
            ("<tr><td hidden>x<td>seen", vec!["seen"]),
            (
                "<div style='font-size:0'>x<p style='font-size:13px'>seen</p></div>",
                vec!["seen"],
            ),
            (
                "<div style='visibility:hidden'>x<b style='visibility:visible'>seen</b></div>",
                vec!["seen"],
            ),
            ("<s>x<p>y</s>seen", vec!["seen"]),
            ("<s>x<div>y</div>z", vec![]),
            ("</s><s/>x</s>seen", vec!["seen"]),
            ("<img hidden>se<br hidden>en<br>too", vec!["seen", "too"]),
            ("<div hidden/>x</div>seen", vec!["seen"]),
            ("F Lon - <s>Nth</s> <ins>Eng</ins>", vec!["F Lon - Eng"]),
            (
                "<div hidden><blockquote></div>x</blockquote>seen",
                vec!["> x", "", "seen"],
            ),
            ("<noscript>seen</noscript>", vec!["seen"]),
            (
                "<style>@media (max-width:600px){.a{display:none}}</style><b class=a>seen</b>",
                vec!["seen"],
            ),
        ] {
            assert_eq!(shown(page), lines, "{page}");
        }
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
            "<s>",
            "<del><p>",
            "<p hidden>",
            "</p>",
            "<b></i>",
            "<td></b>",
            "<a b=c d=e ",
            "<style>a{",
            "<textarea>",
            "<div style='a:b;'>",
            "<table><b></table>",
        ] {
            let page = piece.repeat(200_000 / piece.len());
            assert!(lines(&page).len() <= page.len(), "{piece}");
        }
        let formatting: String = (0..9_000).map(|n| format!("<b a={n}>")).collect();
        assert_eq!(shown(&(formatting + &"<p>".repeat(9_000) + "end")), ["end"]);
    }
}

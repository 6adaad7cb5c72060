//! The part of CSS that decides whether words are visible.

use std::collections::BTreeMap;

use cssparser::{ParseError, Parser, Token};

/// How a style changes visibility; `None` changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// `display`: whether the element is displayed at all.
    pub(super) displayed: Option<bool>,
    /// `visibility`.
    pub(super) visible: Option<bool>,
    /// `font-size`: whether letters have a size above zero.
    pub(super) sized: Option<bool>,
    /// `opacity`: whether it is above zero.
    pub(super) opaque: Option<bool>,
    /// `text-decoration`: whether the words are struck out.
    pub(super) struck: Option<bool>,
}

impl Style {
    /// This style, completed by another.
    pub(super) fn or(self, other: Style) -> Style {
        Style {
            displayed: self.displayed.or(other.displayed),
            visible: self.visible.or(other.visible),
            sized: self.sized.or(other.sized),
            opaque: self.opaque.or(other.opaque),
            struck: self.struck.or(other.struck),
        }
    }

    /// The style that one declaration sets.
    fn of(name: &str, values: &[Value]) -> Style {
        let word = |wanted: &[&str]| {
            let words = values.iter().filter_map(|value| match value {
                Value::Word(word) => Some(word.as_str()),
                Value::Number(_) | Value::Length(_) | Value::Share(_) => None,
            });
            words.into_iter().any(|word| wanted.contains(&word))
        };
        let mut style = Style::default();
        if word(&["inherit", "unset", "revert", "revert-layer"]) {
            return style;
        }
        match name {
            "display" => style.displayed = Some(!word(&["none"])),
            "visibility" => style.visible = Some(!word(&["hidden", "collapse"])),
            "opacity" => {
                style.opaque = values.first().map(|value| !value.is_nothing());
            }
            "font-size" => style.sized = values.first().and_then(Value::size),
            // The first length after weights such as 700 is the size; in `font: 0/0 a` it is zero.
            "font" => {
                style.sized = values
                    .iter()
                    .filter(|value| value.is_nothing() || !matches!(value, Value::Number(_)))
                    .filter(|value| !matches!(value, Value::Word(_)))
                    .find_map(Value::size);
            }
            "text-decoration" | "text-decoration-line" => {
                style.struck = Some(word(&["line-through"]));
            }
            _ => {}
        }
        style
    }
}

/// A part of a declaration's value.
enum Value {
    Word(String),
    Number(f32),
    /// In an absolute unit.
    Length(f32),
    /// Relative to the inherited size.
    Share(f32),
}

impl Value {
    fn is_nothing(&self) -> bool {
        match self {
            Value::Word(_) => false,
            Value::Number(value) | Value::Length(value) | Value::Share(value) => *value <= 0.0,
        }
    }

    /// As a size of letters: whether it is above zero. `None` for a relative size, which changes nothing.
    fn size(&self) -> Option<bool> {
        match self {
            Value::Share(value) if *value > 0.0 => None,
            Value::Word(word) if word == "smaller" || word == "larger" => None,
            value => Some(!value.is_nothing()),
        }
    }
}

/// The styles of one origin, by their weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Declared {
    /// Ordinary ones.
    pub(super) normal: Style,
    /// Those marked `!important`.
    pub(super) important: Style,
}

impl Declared {
    /// Reads the declarations of a `style` attribute.
    pub(super) fn parse(text: &str) -> Declared {
        declarations(&mut Parser::new(text))
    }

    /// Later declarations weigh more than earlier ones.
    fn add(&mut self, later: Declared) {
        self.normal = later.normal.or(self.normal);
        self.important = later.important.or(self.important);
    }
}

/// A selector of one element: `p`, `.note`, `p.note`, `#note`. Others are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Selector {
    tag: String,
    class: String,
    id: String,
}

/// The rules of a page's style sheets.
#[derive(Debug, Default)]
pub(super) struct Sheet(BTreeMap<Selector, Declared>);

impl Sheet {
    /// Reads the text of a `style` element. At-rules such as `@media` are ignored.
    pub(super) fn add(&mut self, text: &str) {
        let mut parser = Parser::new(text);
        let mut selectors = Selectors::default();
        let mut at_rule = false;
        while let Ok(token) = parser.next_including_whitespace() {
            match token {
                Token::CurlyBracketBlock => {
                    let found = std::mem::take(&mut selectors).finish();
                    if std::mem::take(&mut at_rule) || found.is_empty() {
                        continue;
                    }
                    let block: Result<Declared, ParseError<()>> =
                        parser.parse_nested_block(|block| Ok(declarations(block)));
                    let Ok(declared) = block else { continue };
                    for selector in found {
                        self.0.entry(selector).or_default().add(declared);
                    }
                }
                Token::AtKeyword(_) => at_rule = true,
                Token::Semicolon if at_rule => {
                    (at_rule, selectors) = (false, Selectors::default());
                }
                // `<!--` and `-->` around a sheet, for very old browsers.
                Token::CDO | Token::CDC => {}
                token => selectors.take(token),
            }
        }
    }

    /// The styles that the rules set for an element.
    pub(super) fn of(&self, tag: &str, classes: &str, id: &str) -> Declared {
        let mut declared = Declared::default();
        if self.0.is_empty() {
            return declared;
        }
        let mut look_up = |tag: &str, class: &str, id: &str| {
            let selector = Selector {
                tag: tag.to_owned(),
                class: class.to_owned(),
                id: id.to_owned(),
            };
            if let Some(found) = self.0.get(&selector) {
                declared.add(*found);
            }
        };
        look_up(tag, "", "");
        for class in classes.split_ascii_whitespace() {
            look_up("", class, "");
            look_up(tag, class, "");
        }
        if !id.is_empty() {
            look_up("", "", id);
            look_up(tag, "", id);
        }
        declared
    }
}

/// The selectors before a block that were read so far.
#[derive(Default)]
struct Selectors {
    done: Vec<Selector>,
    /// `None` if it is a selector of another kind.
    current: Option<Selector>,
    begun: bool,
    /// A blank has ended it: what follows would select a descendant.
    ended: bool,
    dot: bool,
}

impl Selectors {
    fn take(&mut self, token: &Token<'_>) {
        if matches!(token, Token::Comma) {
            self.close();
            return;
        }
        if let Token::WhiteSpace(_) = token {
            self.ended |= self.begun;
            return;
        }
        let fresh = !std::mem::replace(&mut self.begun, true);
        if fresh {
            self.current = Some(Selector::default());
        }
        if self.ended {
            self.current = None;
        }
        let Some(selector) = &mut self.current else {
            return;
        };
        let dot = std::mem::take(&mut self.dot);
        let free = selector.class.is_empty() && selector.id.is_empty();
        match token {
            Token::Ident(name) if fresh => selector.tag = name.to_ascii_lowercase(),
            Token::Ident(name) if dot && free => selector.class = name.to_string(),
            Token::IDHash(name) if free => selector.id = name.to_string(),
            Token::Delim('.') if free => self.dot = true,
            _ => self.current = None,
        }
    }

    fn close(&mut self) {
        let selector = self.current.take();
        if !self.dot {
            self.done.extend(selector);
        }
        (self.begun, self.ended, self.dot) = (false, false, false);
    }

    fn finish(mut self) -> Vec<Selector> {
        self.close();
        self.done
    }
}

/// A declaration as far as it is read: `name: values !important`.
#[derive(Default)]
struct Declaration {
    name: Option<String>,
    after_colon: bool,
    values: Vec<Value>,
    important: bool,
}

impl Declaration {
    fn take(&mut self, token: &Token<'_>) {
        match token {
            Token::Colon => self.after_colon = true,
            Token::Ident(word) if !self.after_colon => {
                self.name = Some(word.to_ascii_lowercase());
            }
            Token::Ident(word) if word.eq_ignore_ascii_case("important") => self.important = true,
            Token::Ident(word) => self.values.push(Value::Word(word.to_ascii_lowercase())),
            Token::Number { value, .. } => self.values.push(Value::Number(*value)),
            Token::Percentage { unit_value, .. } => self.values.push(Value::Share(*unit_value)),
            Token::Dimension { value, unit, .. } => {
                let relative = ["em", "ex", "ch", "lh", "cap", "ic"];
                let unit = unit.to_ascii_lowercase();
                self.values.push(if relative.contains(&unit.as_str()) {
                    Value::Share(*value)
                } else {
                    Value::Length(*value)
                });
            }
            _ => {}
        }
    }

    fn finish(self) -> Declared {
        let mut declared = Declared::default();
        if let Some(name) = self.name {
            let style = Style::of(&name, &self.values);
            if self.important {
                declared.important = style;
            } else {
                declared.normal = style;
            }
        }
        declared
    }
}

/// Reads declarations up to the end of their block.
fn declarations(parser: &mut Parser<'_>) -> Declared {
    let mut declared = Declared::default();
    let mut declaration = Declaration::default();
    while let Ok(token) = parser.next() {
        if matches!(token, Token::Semicolon) {
            declared.add(std::mem::take(&mut declaration).finish());
        } else {
            declaration.take(token);
        }
    }
    declared.add(declaration.finish());
    declared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read_as_browsers_read_them() {
        let hides = |text: &str| {
            let style = Declared::parse(text);
            let style = style.important.or(style.normal);
            let says = [style.displayed, style.visible, style.sized, style.opaque];
            says.contains(&Some(false)) || style.struck == Some(true)
        };
        for text in [
            "display:none",
            "color: red; DISPLAY : NONE !important;",
            "display:block;display:none",
            "display:/* x */none",
            "visibility:hidden",
            "visibility: collapse",
            "font-size:0",
            "font-size:0px;line-height:0",
            "font-size:0%",
            "font-size:0.0em",
            "font:0/0 a",
            "opacity:0",
            "text-decoration:line-through",
            "text-decoration: line-through red",
        ] {
            assert!(hides(text), "{text}");
        }
        for text in [
            "",
            "display:block",
            "display:none;display:block",
            "display:none!important;display:block!important",
            "visibility:visible",
            "font-size:small",
            "font-size:0.5em",
            "font-size:.9rem",
            "font:700 14px/0 Arial",
            "line-height:0",
            "opacity:0.5",
            "text-decoration:underline",
            "background:url(display:none)",
            "content:\"; display:none\"",
            "max-height:0",
        ] {
            assert!(!hides(text), "{text}");
        }
    }

    #[test]
    fn rules_of_one_element_are_followed() {
        let mut sheet = Sheet::default();
        sheet.add(
            "<!-- @import 'x'; @media (max-width: 600px) { .narrow { display: none } }\n\
             .a, p.b { display: none } /* .c { display: none } */ #d{display:none}\n\
             div .e { display: none } .f:hover { display: none } .g { color: red } i { display: none }\n\
             .h > .i { display: none } .a2{display:none} .a2{display:inline} -->",
        );
        let hidden = |tag, class, id| sheet.of(tag, class, id).normal.displayed == Some(false);
        assert!(hidden("div", "x a", ""));
        assert!(hidden("p", "b", "") && !hidden("div", "b", ""));
        assert!(hidden("div", "", "d") && hidden("i", "", ""));
        for class in ["narrow", "c", "e", "f", "g", "h", "i", "a2"] {
            assert!(!hidden("div", class, ""), "{class}");
        }
    }

    #[test]
    fn hostile_styles_end() {
        for piece in [
            "{", "}", "a{", "@", "@x{", "(", "/*", "\"", ".a,", "a{b:(", "\\", "a:b;",
        ] {
            let text = piece.repeat(200_000 / piece.len());
            Sheet::default().add(&text);
            Declared::parse(&text);
        }
    }
}

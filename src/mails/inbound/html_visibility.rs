//! Which words of an HTML page are visible: not those that are hidden or struck out.
//!
//! Open elements are kept in a list, which is searched only near its end: that is enough for what mail programs write, and
//! keeps hostile pages from taking long.

use std::collections::BTreeMap;

use super::css::{Declared, Sheet, Style};
use super::html_elements::{ends_paragraph, is_never_displayed, is_void};

/// An element whose end tag may be left out.
struct ImpliedEnd {
    /// Whether a start tag of this name ends it.
    ended_by: fn(&str) -> bool,
    /// The names of the element.
    names: &'static [&'static str],
    /// The search for an open one stops at these.
    within: &'static [&'static str],
}

const IMPLIED_ENDS: [ImpliedEnd; 6] = [
    ImpliedEnd {
        ended_by: ends_paragraph,
        names: &["p"],
        within: CELLS,
    },
    ImpliedEnd {
        ended_by: |name| name == "li",
        names: &["li"],
        within: &["ul", "ol", "td", "th", "table"],
    },
    ImpliedEnd {
        ended_by: |name| matches!(name, "dd" | "dt"),
        names: &["dd", "dt"],
        within: &["dl", "td", "th", "table"],
    },
    ImpliedEnd {
        ended_by: |name| matches!(name, "td" | "th"),
        names: &["td", "th"],
        within: &["table"],
    },
    ImpliedEnd {
        ended_by: |name| name == "tr",
        names: &["tr"],
        within: &["table"],
    },
    ImpliedEnd {
        ended_by: |name| matches!(name, "tbody" | "thead" | "tfoot"),
        names: &["tbody", "thead", "tfoot"],
        within: &["table"],
    },
];

/// End tags within these do not close elements outside.
const CELLS: &[&str] = &["td", "th", "table", "caption"];

/// How many open elements are searched for one.
const MAX_DISTANCE: usize = 64;

/// What decides whether the words of an element are visible.
#[derive(Clone, Copy, Debug)]
struct ElementLook {
    displayed: bool,
    visible: bool,
    sized: bool,
    struck: bool,
}

impl ElementLook {
    const PLAIN: ElementLook = ElementLook {
        displayed: true,
        visible: true,
        sized: true,
        struck: false,
    };

    /// The look of an element with this style within one of this look. Content of an element that is not displayed or is
    /// struck out stays so; `visibility` and size may be set again.
    fn with(self, style: Style) -> ElementLook {
        ElementLook {
            displayed: self.displayed
                && style.displayed != Some(false)
                && style.opaque != Some(false),
            visible: style.visible.unwrap_or(self.visible),
            sized: style.sized.unwrap_or(self.sized),
            struck: self.struck || style.struck == Some(true),
        }
    }
}

/// The attributes of a start tag that decide about visibility.
pub(super) struct Attributes<'a> {
    pub(super) classes: &'a str,
    pub(super) id: &'a str,
    pub(super) style: &'a str,
    /// The attribute `hidden`.
    pub(super) hidden: bool,
}

/// An element whose end has not come yet.
struct OpenElement {
    name: String,
    look: ElementLook,
}

/// The elements that are open at a place in a page.
pub(super) struct Visibility {
    sheet: Sheet,
    open: Vec<OpenElement>,
    /// How many of each name are open.
    counts: BTreeMap<String, usize>,
    /// Open `<s>` and `<strike>`: these continue past the ends of other elements.
    struck: usize,
}

impl Visibility {
    /// At the beginning of a page with these styles.
    pub(super) fn new(sheet: Sheet) -> Visibility {
        Visibility {
            sheet,
            open: Vec::new(),
            counts: BTreeMap::new(),
            struck: 0,
        }
    }

    /// Whether words at this place are visible.
    pub(super) fn is_visible(&self) -> bool {
        let look = self.look();
        look.displayed && look.visible && look.sized && !look.struck && self.struck == 0
    }

    fn look(&self) -> ElementLook {
        self.open
            .last()
            .map_or(ElementLook::PLAIN, |element| element.look)
    }

    /// Handles a start tag; returns whether its element is displayed.
    pub(super) fn start_tag(&mut self, name: &str, attributes: &Attributes<'_>) -> bool {
        for end in IMPLIED_ENDS {
            if (end.ended_by)(name)
                && let Some(at) = self.nearest(end.names, end.within)
            {
                self.close(at);
            }
        }
        self.struck += usize::from(is_strike(name));
        let inline = Declared::parse(attributes.style);
        let rules = self.sheet.of(name, attributes.classes, attributes.id);
        let by_itself = Style {
            displayed: attributes.hidden.then_some(false),
            ..Style::default()
        };
        let style = inline
            .important
            .or(rules.important)
            .or(inline.normal)
            .or(rules.normal)
            .or(by_itself);
        let mut look = self.look().with(style);
        look.displayed &= !is_never_displayed(name);
        look.struck |= name == "del";
        if is_void(name) {
            return look.displayed;
        }
        self.open.push(OpenElement {
            name: name.to_owned(),
            look,
        });
        *self.counts.entry(name.to_owned()).or_default() += 1;
        look.displayed
    }

    /// Handles an end tag; returns whether its element was displayed.
    pub(super) fn end_tag(&mut self, name: &str) -> bool {
        if is_strike(name) {
            self.struck = self.struck.saturating_sub(1);
        }
        if self.counts.get(name).is_none_or(|count| *count == 0) {
            return self.look().displayed;
        }
        let within = match name {
            "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "body" | "html" => &[],
            _ => CELLS,
        };
        if let Some(at) = self.nearest(&[name], within) {
            return self.close(at);
        }
        if within.is_empty() {
            // It is open, but beyond the limit of the search.
            while self.open.last().is_some_and(|open| open.name != name) {
                self.close(self.open.len() - 1);
            }
            return self.close(self.open.len().saturating_sub(1));
        }
        self.look().displayed
    }

    /// The last open element with one of `names`, unless one of `within` is open inside it.
    fn nearest(&self, names: &[&str], within: &[&str]) -> Option<usize> {
        let first = self.open.len().saturating_sub(MAX_DISTANCE);
        for (at, open) in self.open.iter().enumerate().skip(first).rev() {
            if names.contains(&open.name.as_str()) {
                return Some(at);
            }
            if within.contains(&open.name.as_str()) {
                return None;
            }
        }
        None
    }

    /// Closes an element and those open in it; returns whether it was displayed.
    fn close(&mut self, at: usize) -> bool {
        let displayed = self.open.get(at).is_some_and(|open| open.look.displayed);
        for open in self.open.drain(at..) {
            if let Some(count) = self.counts.get_mut(&open.name) {
                *count = count.saturating_sub(1);
            }
        }
        displayed
    }
}

fn is_strike(name: &str) -> bool {
    matches!(name, "s" | "strike")
}

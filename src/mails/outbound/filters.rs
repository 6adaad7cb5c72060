//! The template engine: how tags are read, how values are written, and the filters.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, State, UndefinedBehavior};

use super::document;
use super::wrap::{self, NO_BREAK};
use dipjudge_view::and_list;

/// The escaping mode of templates in Markdown.
const MARKDOWN: &str = "markdown";

/// An environment without templates.
pub(super) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|name| {
        if name.ends_with(".md") {
            AutoEscape::Custom(MARKDOWN.into())
        } else {
            AutoEscape::None
        }
    });
    environment.set_formatter(|out, state, value| {
        if is_markdown(state) && !value.is_safe() {
            out.write_str(&document::escaped(&value.to_string()))?;
        } else {
            write!(out, "{value}")?;
        }
        Ok(())
    });
    // A tag on a line of its own leaves no empty line in the mail.
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build();
    if let Ok(syntax) = syntax {
        environment.set_syntax(syntax);
    }
    environment.add_filter("pad", |text: String, width: usize| {
        wrap::pad(&text, width.min(wrap::WIDTH))
    });
    environment.add_filter("right", |text: String, width: usize| {
        format!("{text:>0$}", width.min(wrap::WIDTH))
    });
    environment.add_filter("listed", |names: Vec<String>| {
        let whole = |name: &String| name.replace(' ', &NO_BREAK.to_string());
        names.iter().map(whole).collect::<Vec<_>>().join(", ")
    });
    environment.add_filter("and_list", |names: Vec<String>| and_list(&names));
    environment.add_filter("count", |number: usize, noun: String| {
        wrap::count(number, &noun)
    });
    environment.add_filter("signed", |number: i64| match number {
        0 => "0".to_owned(),
        number => format!("{number:+}"),
    });
    environment.add_filter("before", |head: String, names: Vec<String>| {
        minijinja::Value::from_safe_string(document::named(&head, &names))
    });
    environment.add_filter("hanging", |text: String, head: String| {
        minijinja::Value::from_safe_string(document::hanging(&head, &text))
    });
    environment.add_filter("wrap", |text: String| {
        minijinja::Value::from_safe_string(document::wrapped(&text))
    });
    environment
}

/// Whether the template being filled is written in Markdown.
fn is_markdown(state: &State) -> bool {
    matches!(state.auto_escape(), AutoEscape::Custom(_))
}

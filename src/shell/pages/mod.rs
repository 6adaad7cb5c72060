//! Pages of HTML that a browser shows from files: the mails of the demo, the record of a game, the manual, and the site of public games. They
//! load nothing from elsewhere, and set no colors, so that a dark mode stays dark. Only a record has a script, which it can do
//! without.

pub mod mail;
pub mod manual;
pub mod record;
pub mod site;

use dipjudge_view::markup::escaped;

/// The style sheet of all pages.
const STYLE: &str = ":root{color-scheme:light dark}\
body{font-family:sans-serif;line-height:1.4;max-width:60rem;margin:0 auto;padding:0 1rem 2rem}\
pre{font-size:.9rem;line-height:1.3;white-space:pre-wrap;overflow-wrap:anywhere}\
img,svg{max-width:100%;height:auto}\
table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.1rem .8rem .1rem 0}";

/// A whole page with a title and the HTML of its body.
pub fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

/// A link.
pub fn link(to: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(to), escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_players_wrote_is_text_on_a_page() {
        let page = page("<script>", &link("a\"b", "x & y"));
        assert!(page.contains("<title>&lt;script&gt;</title>"), "{page}");
        assert!(
            page.contains("<a href=\"a&quot;b\">x &amp; y</a>"),
            "{page}"
        );
        assert!(!page.contains("<script"));
    }
}

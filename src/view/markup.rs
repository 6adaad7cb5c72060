//! Escaping of text for HTML and XML.

/// Escapes a text for use as content or as an attribute. Control characters, which neither may contain, become blanks.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(letter),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_as_markup() {
        assert_eq!(
            escaped("<b a=\"x\" c='y'>&\u{7}\r\n"),
            "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;  \n"
        );
    }
}

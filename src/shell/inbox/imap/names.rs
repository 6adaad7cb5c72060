//! Mailbox names on the wire (RFC 3501 5.1.3): a "modified UTF-7", in which only printable ASCII stands for itself.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";

/// A mailbox's name as the server wants it, without quotes.
pub(super) fn encode(name: &str) -> String {
    let mut wire = String::new();
    let mut foreign = Vec::new();
    for c in name.chars() {
        if matches!(c, ' '..='~') {
            flush(&mut foreign, &mut wire);
            wire.push(c);
            if c == '&' {
                wire.push('-');
            }
        } else {
            foreign.extend(
                c.encode_utf16(&mut [0; 2])
                    .iter()
                    .flat_map(|unit| unit.to_be_bytes()),
            );
        }
    }
    flush(&mut foreign, &mut wire);
    wire
}

/// Writes the run of other characters so far: UTF-16 in base64, between `&` and `-`.
fn flush(foreign: &mut Vec<u8>, wire: &mut String) {
    if foreign.is_empty() {
        return;
    }
    wire.push('&');
    for group in foreign.chunks(3) {
        let bits = group
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            let digit = (bits >> (18 - 6 * place) & 63) as usize;
            wire.push(BASE64.get(digit).copied().map_or('A', char::from));
        }
    }
    wire.push('-');
    foreign.clear();
}

/// A string in quotes.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_the_rfc_shows() {
        assert_eq!(encode("INBOX"), "INBOX");
        assert_eq!(encode("Rock & Roll"), "Rock &- Roll");
        assert_eq!(
            encode("~peter/mail/台北/日本語"),
            "~peter/mail/&U,BTFw-/&ZeVnLIqe-"
        );
        assert_eq!(encode("Gelöscht"), "Gel&APY-scht");
        assert_eq!(encode("a\r\nb"), "a&AA0ACg-b");
    }

    #[test]
    fn quotes_inside_quotes_are_escaped() {
        assert_eq!(quote(r#"a "b" \c"#), r#""a \"b\" \\c""#);
    }
}

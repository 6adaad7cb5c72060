//! The text of a message as it is sent.

/// The text with every line end as CR LF: some servers refuse a lone CR or LF, and others can be made to see two mails in
/// one.
pub(super) fn crlf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 32);
    let mut rest = bytes;
    while let Some((byte, later)) = rest.split_first() {
        rest = later;
        match byte {
            b'\r' => {
                out.extend_from_slice(b"\r\n");
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
            b'\n' => out.extend_from_slice(b"\r\n"),
            other => out.push(*other),
        }
    }
    out
}

/// The text with dots at the start of a line doubled, and with the final dot (RFC 5321 4.5.2).
pub(super) fn dot_stuffed(bytes: &[u8]) -> Vec<u8> {
    let text = crlf(bytes);
    let mut out = Vec::with_capacity(text.len() + 8);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b".") {
            out.push(b'.');
        }
        out.extend_from_slice(line);
    }
    if !out.is_empty() && !out.ends_with(b"\r\n") {
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b".\r\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_goes_out_in_whole_lines_with_its_dots_doubled() {
        assert_eq!(
            dot_stuffed(b"A: b\n\n.\n..x\r\nend"),
            b"A: b\r\n\r\n..\r\n...x\r\nend\r\n.\r\n"
        );
        assert_eq!(dot_stuffed(b"a\rb\r\r\n"), b"a\r\nb\r\n\r\n.\r\n");
        assert_eq!(dot_stuffed(b""), b".\r\n");
    }
}

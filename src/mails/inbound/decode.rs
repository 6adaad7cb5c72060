//! Decodes the bytes of a part: transfer encodings and charsets, as tolerant as mail programs are.

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::quoted_printable::quoted_printable_decode_char;

/// The transfer encoding of a part (RFC 2045 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// 7bit, 8bit, binary, or unknown.
    Plain,
    Base64,
    QuotedPrintable,
}

impl Encoding {
    pub(super) fn named(name: &str) -> Self {
        match name.trim().to_ascii_lowercase().as_str() {
            "base64" => Encoding::Base64,
            "quoted-printable" => Encoding::QuotedPrintable,
            _ => Encoding::Plain,
        }
    }

    pub(super) fn decode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Encoding::Plain => bytes.to_vec(),
            Encoding::Base64 => {
                // Bytes outside the alphabet are ignored (RFC 2045 6.8); broken gateways add some.
                let sound =
                    |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
                let kept: Vec<u8> = bytes.iter().copied().filter(sound).collect();
                base64_decode(&kept).unwrap_or_default()
            }
            Encoding::QuotedPrintable => quoted_printable(bytes),
        }
    }
}

/// Decodes quoted-printable; an `=` that begins no code is kept.
fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        let (text, soft) = match text {
            [text @ .., b'='] => (text, true),
            text => (text, false),
        };
        let mut rest = text;
        loop {
            rest = match rest {
                [] => break,
                [b'=', high, low, tail @ ..] => match quoted_printable_decode_char(*high, *low) {
                    Some(byte) => {
                        decoded.push(byte);
                        tail
                    }
                    None => {
                        decoded.push(b'=');
                        rest.get(1..).unwrap_or_default()
                    }
                },
                [byte, tail @ ..] => {
                    decoded.push(*byte);
                    tail
                }
            };
        }
        if !soft && line.ends_with(b"\n") {
            decoded.push(b'\n');
        }
    }
    decoded
}

/// Decodes text in a charset. An unknown charset is read as UTF-8, in which invalid bytes become U+FFFD: lines with one are
/// quoted back as unreadable.
pub(super) fn text_of(bytes: &[u8], charset: Option<&str>) -> String {
    let name = charset.unwrap_or("").trim().to_ascii_lowercase();
    let unicode = matches!(
        name.as_str(),
        "" | "utf-8" | "utf8" | "us-ascii" | "ascii" | "unknown-8bit" | "default"
    );
    // Mail that claims ASCII but has other bytes is most often UTF-8.
    if unicode {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    match charset_decoder(name.as_bytes()) {
        Some(decode) => decode(bytes),
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_printable_is_undone_even_where_it_is_broken() {
        for (packed, text) in [
            ("A Par=20=E2=80=93 Bur", "A Par – Bur"),
            ("A Par-=\r\nBur\r\nF Bre H", "A Par-Bur\nF Bre H"),
            ("blank at the end  \r\nnext", "blank at the end\nnext"),
            ("F Lon=2", "F Lon=2"),
            ("F Lon=zz Nth", "F Lon=zz Nth"),
            ("kept=20\r\n", "kept \n"),
            ("=", ""),
            ("", ""),
        ] {
            let decoded = Encoding::QuotedPrintable.decode(packed.as_bytes());
            assert_eq!(String::from_utf8_lossy(&decoded), text, "{packed:?}");
        }
    }

    #[test]
    fn base64_is_undone_even_where_it_is_broken() {
        for (packed, text) in [
            ("QSBQYXIgSA==", "A Par H"),
            ("QSBQ\r\nYXIg\r\nSA==\r\n", "A Par H"),
            ("QSBQ*YXIg!SA", "A Par H"),
            ("", ""),
        ] {
            assert_eq!(
                Encoding::Base64.decode(packed.as_bytes()),
                text.as_bytes(),
                "{packed:?}"
            );
        }
    }

    #[test]
    fn charsets_are_read_as_their_names_say() {
        for (bytes, charset, text) in [
            (&b"A Par \x96 Bur"[..], "windows-1252", "A Par – Bur"),
            (b"A Par \x96 Bur", "iso-8859-1", "A Par – Bur"),
            (b"\xf0\xd2\xc9\xd7\xc5\xd4", "koi8-r", "Привет"),
            (b"\x1b$B#A\x1b(B Par", "iso-2022-jp", "Ａ Par"),
            (b"A Par +IBM- Bur", "utf-7", "A Par – Bur"),
            (b"A Par \xe2\x80\x93 Bur", "us-ascii", "A Par – Bur"),
            (b"A Par \xe2\x80\x93 Bur", "x-nobody-knows", "A Par – Bur"),
            (b"A Par \x96 Bur", "utf-8", "A Par \u{fffd} Bur"),
        ] {
            assert_eq!(text_of(bytes, Some(charset)), text, "{charset}");
        }
    }
}

//! A position in the bytes of a line. Each function returns `None` where something else stands than it reads.

use dipjudge_rules::map::{Coast, Travel};

use super::tokens::Tokens;

pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// What stands behind an entry of a list or an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    Another,
    End,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// The next byte that is no blank.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let mut byte = *self.bytes.get(self.at)?;
        while byte == b' ' {
            self.at += 1;
            byte = *self.bytes.get(self.at)?;
        }
        Some(byte)
    }

    /// Blanks, then this byte.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// Exactly this text.
    #[inline]
    pub(super) fn exactly(&mut self, text: &[u8]) -> Option<()> {
        if !self.bytes.get(self.at..)?.starts_with(text) {
            return None;
        }
        self.at += text.len();
        Some(())
    }

    /// Where it stands.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The text from a place up to here.
    pub(super) fn text_from(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    /// Whether the line ends here.
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// A string of ASCII without escapes.
    #[inline]
    pub(super) fn string(&mut self) -> Option<&'a [u8]> {
        self.take(b'"')?;
        let rest = self.bytes.get(self.at..)?;
        let special = |&byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f | 0x80..);
        let (string, tail) = rest.split_at_checked(rest.iter().position(special)?)?;
        if tail.first() != Some(&b'"') {
            return None;
        }
        self.at += string.len() + 1;
        Some(string)
    }

    /// An object with nothing but plain values in it, as its text.
    pub(super) fn flat_object(&mut self) -> Option<&'a [u8]> {
        if self.peek()? != b'{' {
            return None;
        }
        let rest = self.bytes.get(self.at..)?;
        let end = rest.iter().position(|&byte| byte == b'}')?;
        let object = rest.get(..=end)?;
        let is_nested = |byte: &u8| matches!(byte, b'{' | b'[' | b'\\');
        if object.iter().skip(1).any(is_nested) {
            return None;
        }
        self.at += object.len();
        Some(object)
    }

    /// The key of an entry, with its colon.
    #[inline]
    pub(super) fn key(&mut self) -> Option<&'a [u8]> {
        let key = self.string()?;
        self.take(b':')?;
        Some(key)
    }

    /// Opens a list or an object.
    #[inline]
    pub(super) fn open(&mut self, bracket: u8, end: u8) -> Option<Behind> {
        self.take(bracket)?;
        if self.peek()? == end {
            self.at += 1;
            return Some(Behind::End);
        }
        Some(Behind::Another)
    }

    /// A comma, or the end of a list or an object.
    #[inline]
    pub(super) fn more(&mut self, end: u8) -> Option<Behind> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b',' => Some(Behind::Another),
            byte if byte == end => Some(Behind::End),
            _ => None,
        }
    }

    /// An object that has a list of strings for each power; `item` reads what stands between the quotes.
    #[inline]
    pub(super) fn lists(
        &mut self,
        tokens: &Tokens,
        mut item: impl FnMut(&mut Self, u8) -> Option<()>,
    ) -> Option<()> {
        let mut power_behind = self.open(b'{', b'}')?;
        while power_behind == Behind::Another {
            let power = tokens.power(self.key()?)?;
            let mut behind = self.open(b'[', b']')?;
            while behind == Behind::Another {
                self.take(b'"')?;
                item(self, power)?;
                self.exactly(b"\"")?;
                behind = self.more(b']')?;
            }
            power_behind = self.more(b'}')?;
        }
        Some(())
    }

    /// `A ` or `F `
    #[inline]
    pub(super) fn travel(&mut self) -> Option<Travel> {
        let travel = match self.bytes.get(self.at..)?.first_chunk::<2>()? {
            b"A " => Travel::Land,
            b"F " => Travel::Sea,
            _ => return None,
        };
        self.at += 2;
        Some(travel)
    }

    /// `STP` or `STP/SC`
    #[inline]
    pub(super) fn place(&mut self, tokens: &Tokens) -> Option<PlaceRead> {
        let letters = self.bytes.get(self.at..)?.first_chunk::<3>()?;
        let province = tokens.province(*letters)?;
        self.at += 3;
        if self.exactly(b"/").is_none() {
            return Some(PlaceRead {
                province,
                coast: None,
            });
        }
        let coast = match self.bytes.get(self.at..)?.first_chunk::<2>()? {
            b"EC" => Coast::East,
            b"NC" => Coast::North,
            b"SC" => Coast::South,
            b"WC" => Coast::West,
            _ => return None,
        };
        self.at += 2;
        Some(PlaceRead {
            province,
            coast: Some(coast),
        })
    }
}

/// A place as a line names it.
#[derive(Clone, Copy)]
pub(super) struct PlaceRead {
    /// The number of the province.
    pub(super) province: u8,
    pub(super) coast: Option<Coast>,
}

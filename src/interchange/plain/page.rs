//! An answer as it is written, in memory of a fixed size.

/// The bytes of an answer: twice what 34 units need.
const SIZE: usize = 8192;

/// A short text that is copied as a whole: 16 bytes, of which the first few count.
#[derive(Clone, Copy, Default)]
pub(super) struct Token {
    bytes: [u8; 16],
    len: u8,
}

impl Token {
    /// `None` if the text is longer than 16 bytes.
    pub(super) fn new(text: &[u8]) -> Option<Token> {
        let mut token = Token {
            bytes: [0; 16],
            len: u8::try_from(text.len()).ok()?,
        };
        token.bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(token)
    }
}

pub(super) struct Page {
    bytes: [u8; SIZE],
    end: usize,
}

impl Page {
    pub(super) fn new() -> Page {
        Page {
            bytes: [0; SIZE],
            end: 0,
        }
    }

    /// What was written; `None` if it was too much.
    pub(super) fn written(&self) -> Option<&[u8]> {
        self.bytes.get(..self.end)
    }

    #[inline]
    pub(super) fn token(&mut self, token: &Token) {
        if let Some(place) = self.bytes.get_mut(self.end..self.end + 16) {
            place.copy_from_slice(&token.bytes);
            self.end += usize::from(token.len);
        } else {
            self.overflow();
        }
    }

    #[inline]
    pub(super) fn text(&mut self, text: &[u8]) {
        if let Some(place) = self.bytes.get_mut(self.end..self.end + text.len()) {
            place.copy_from_slice(text);
            self.end += text.len();
        } else {
            self.overflow();
        }
    }

    /// A number of at most two digits.
    pub(super) fn number(&mut self, number: i32) {
        if number < 0 {
            self.text(b"-");
        }
        let [tens, ones] = [number.unsigned_abs() / 10, number.unsigned_abs() % 10]
            .map(|digit| b"0123456789".get(digit as usize).copied());
        match (tens, ones) {
            (Some(b'0'), Some(ones)) => self.text(&[ones]),
            (Some(tens), Some(ones)) => self.text(&[tens, ones]),
            _ => self.overflow(),
        }
    }

    /// Nothing more is written, and `written` says so.
    #[cold]
    fn overflow(&mut self) {
        self.end = SIZE + 1;
    }

    /// Closes a list or an object: the bracket takes the place of the comma behind the last entry, if there is any.
    #[inline]
    pub(super) fn close(&mut self, bracket: u8) {
        match self
            .end
            .checked_sub(1)
            .and_then(|last| self.bytes.get_mut(last))
        {
            Some(last) if *last == b',' => *last = bracket,
            _ => self.text(&[bracket]),
        }
    }
}

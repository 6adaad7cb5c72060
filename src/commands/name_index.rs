//! Names held against a text.

use dipjudge_grammar::Text;

/// Names by their first letter.
#[derive(Debug, Clone)]
pub(super) struct Index<T> {
    buckets: Vec<Vec<(Key, T)>>,
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self {
            buckets: (0..=u8::MAX).map(|_| Vec::new()).collect(),
        }
    }
}

impl<T: Copy + PartialEq> Index<T> {
    pub(super) fn add(&mut self, name: &str, value: T) {
        let Some((key, first)) = Key::new(name) else {
            return;
        };
        if let Some(bucket) = self.buckets.get_mut(usize::from(first))
            && !bucket.iter().any(|(known, _)| *known == key)
        {
            bucket.push((key, value));
        }
    }

    /// Adds a name also as it is often written otherwise: with `Saint` or `St`, and with the word for a sea that writers of other
    /// languages use, `North See`.
    pub(super) fn add_with_spellings(&mut self, name: &str, value: T) {
        self.add(name, value);
        let lower = name.to_ascii_lowercase();
        if let Some(whose) = lower.strip_suffix(" sea") {
            self.add(&format!("{whose} see"), value);
        }
        if let Some(saint) = lower
            .strip_prefix("st ")
            .or_else(|| lower.strip_prefix("st."))
        {
            self.add(&format!("saint {}", saint.trim()), value);
        } else if let Some(saint) = lower.strip_prefix("saint ") {
            self.add(&format!("st {saint}"), value);
        }
    }

    pub(super) fn bucket(&self, first: u8) -> &[(Key, T)] {
        self.buckets
            .get(usize::from(first))
            .map_or(&[], Vec::as_slice)
    }

    /// The longest name that equals the text.
    pub(super) fn longest(&self, text: &Text<'_>, at: usize) -> Option<(usize, T)> {
        let whole = |(key, value): &(Key, T)| Some((key.whole(text, at)?, *value));
        self.bucket(text.byte(at))
            .iter()
            .filter_map(whole)
            .max_by_key(|(end, _)| *end)
    }
}

/// A name folded to lower case: letters and digits, a blank between words, a hyphen where the name
/// has one. Apostrophes are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key(Box<[u8]>);

impl Key {
    /// The key with its first letter.
    fn new(name: &str) -> Option<(Self, u8)> {
        let text = Text::new(name);
        let mut key: Vec<u8> = Vec::with_capacity(text.len());
        for at in 0..text.len() {
            let between = key.last().is_some_and(|last| last.is_ascii_alphanumeric());
            match text.byte(at) {
                b' ' | b'.' if between => key.push(b' '),
                b'-' if between => key.push(b'-'),
                byte if byte.is_ascii_alphanumeric() => key.push(byte),
                _ => {}
            }
        }
        while key.last().is_some_and(|last| !last.is_ascii_alphanumeric()) {
            key.pop();
        }
        let first = *key.first()?;
        Some((Self(key.into()), first))
    }

    /// The position after the whole name, if it stands there.
    fn whole(&self, text: &Text<'_>, mut at: usize) -> Option<usize> {
        for (index, &byte) in self.0.iter().enumerate() {
            at = step(byte, text, at, index > 0)?;
        }
        (!text.in_word(at)).then_some(at)
    }

    /// The position after the longest beginning of the name that stands there and ends where a word
    /// of the text ends; and how many letters it has. A single letter of a later word does not
    /// count: in `North S Lon` it is more likely a support.
    pub(super) fn beginning(&self, text: &Text<'_>, mut at: usize) -> Option<(usize, usize)> {
        let mut best = None;
        let (mut letters, mut of_word, mut words) = (0, 0, 1);
        for (index, &byte) in self.0.iter().enumerate() {
            let next = step(byte, text, at, index > 0);
            if !text.in_word(at) && letters > 0 && (words == 1 || of_word > 1) {
                best = Some((at, letters));
            }
            at = match next {
                Some(next) => next,
                None => return best,
            };
            if byte.is_ascii_alphanumeric() {
                letters += 1;
                of_word += 1;
            } else {
                of_word = 0;
                words += 1;
            }
        }
        if text.in_word(at) {
            best
        } else {
            Some((at, letters))
        }
    }
}

/// The position after one byte of a name.
fn step(byte: u8, text: &Text<'_>, at: usize, inside: bool) -> Option<usize> {
    match byte {
        // Behind a name such as Hercules' too, and behind an abbreviation, "Norw. Sea".
        b' ' => Some(text.skip_blanks(at + usize::from(b"'.".contains(&text.byte(at))))),
        b'-' => {
            let at = text.skip_blanks(at);
            Some(text.skip_blanks(at + usize::from(text.byte(at) == b'-')))
        }
        _ => {
            let apostrophe = inside && text.byte(at) == b'\'' && text.byte(at + 1) == byte;
            let at = at + usize::from(apostrophe);
            (text.byte(at) == byte).then_some(at + 1)
        }
    }
}

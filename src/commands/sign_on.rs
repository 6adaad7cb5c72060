//! Sign-on lines: `SIGNON Akaiser pw`.

use dipjudge_grammar::Line;

/// Words of a sign-on. The password is kept as it was sent and shown by nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct SignOn {
    /// Seat and game as they were written: `Akaiser`, `England@kaiser`, `?kaiser`, `?`, `kaiser`.
    pub seat: String,
    /// The password.
    pub password: Option<String>,
    /// What stands behind it: the variant and options that a forming game wants named, or orders.
    pub behind: String,
}

impl std::fmt::Debug for SignOn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let password = self.password.as_ref().map(|_| "…");
        let mut shown = f.debug_struct("SignOn");
        shown
            .field("seat", &self.seat)
            .field("password", &password)
            .field("wishes", &self.wishes())
            .finish()
    }
}

/// What somebody signs on as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seat {
    /// `?`: a place in a forming game, or a vacant power.
    Place,
    /// The power with that letter, in capitals.
    Letter(char),
    /// The power of that name, as it was written.
    Named(String),
    /// The master.
    Master,
    /// An observer.
    Observer,
    /// Not said: password and address decide.
    Undecided,
    /// `@`: the keeper, who does not sign on by mail.
    Keeper,
}

/// Longest name of a game.
const LONGEST_GAME: usize = 15;

/// A name that a game may bear, in small letters: a letter, then letters and digits.
pub fn game_name(word: &str) -> Option<String> {
    let name = word.to_ascii_lowercase();
    let sound = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        && name.len() <= LONGEST_GAME;
    sound.then_some(name)
}

/// The rules of `grammar/commands.grammar` whose lines sign on.
const RULES: [&str; 7] = [
    "sign-on",
    "greeting",
    "join",
    "play",
    "observe",
    "observe-again",
    "create",
];

/// Whether a line signs on, or asks to.
pub fn signs_on(line: &Line) -> bool {
    RULES.contains(&line.rule.as_str())
}

/// What people write in place of SIGNON, in small letters; near spellings of SIGNON count too.
const NEAR_SIGN_ON: [&str; 3] = ["login", "logon", "logging"];
/// In how many letters a word may differ from SIGNON.
const MAX_WRONG: usize = 2;

/// A line that is no sign-on as one that was probably meant: its first word is nearly SIGNON, or it is a seat and a password
/// alone. Whether it is one depends on the games that there are.
pub fn meant_sign_on(line: &str) -> Option<SignOn> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let bare = |word: &str| word.trim_end_matches([':', ',', '-']).to_lowercase();
    let first = bare(words.first()?);
    let second = words.get(1).map(|word| bare(word)).unwrap_or_default();
    let is_near = |word: &str| {
        let near = strsim::osa_distance(word, "signon") <= MAX_WRONG && word != "signoff";
        near || NEAR_SIGN_ON.contains(&word)
    };
    let behind = if is_near(&first) {
        words.get(1..)?
    } else if is_near(&format!("{first}{second}")) {
        words.get(2..)?
    // "Kaiser, Italy:" heads orders.
    } else if words.len() == 2
        && second.starts_with(char::is_alphanumeric)
        && !line.trim_end().ends_with(':')
    {
        words.as_slice()
    } else {
        return None;
    };
    let [seat, password, rest @ ..] = behind else {
        return None;
    };
    let words = SignOn {
        seat: (*seat).trim_end_matches([',', ':']).to_owned(),
        password: Some((*password).to_owned()),
        behind: rest.join(" "),
    };
    Some(words.with_whole_name())
}

impl SignOn {
    /// The line that signs on by these words.
    pub fn line(&self) -> String {
        let password = self.password.as_deref().unwrap_or_default();
        let line = format!("SIGNON {} {password} {}", self.seat, self.behind);
        line.trim_end().to_owned()
    }

    /// The same words where the power and the game stand apart: `SIGNON E kaiser pw`, `SIGNON kaiser England pw`.
    pub fn with_power_apart(&self) -> Vec<SignOn> {
        let (Some(second), Some((password, behind))) = (&self.password, parted(&self.behind))
        else {
            return Vec::new();
        };
        let of = |power: &str, game: &str| SignOn {
            seat: format!("{power}@{game}"),
            password: Some(password.to_owned()),
            behind: behind.to_owned(),
        };
        vec![of(&self.seat, second), of(second, &self.seat)]
    }

    /// The words of a line that signs on.
    pub fn of(line: &Line) -> Self {
        let part = |rule: &str| line.text_of(rule).map(str::to_owned);
        let words = Self {
            seat: part("seat").unwrap_or_default(),
            password: part("password"),
            behind: part("behind").unwrap_or_default(),
        };
        words.with_whole_name()
    }

    /// The same words where a power's name has blanks: `SIGNON Jedi Knights@space pw`.
    fn with_whole_name(self) -> Self {
        if self.seat.starts_with('?') || self.seat.contains('@') {
            return self;
        }
        let mut words: Vec<&str> = std::iter::once(self.seat.as_str())
            .chain(self.password.as_deref())
            .chain(self.behind.split_whitespace())
            .collect();
        let ends_name = |word: &&str| {
            word.split_once('@')
                .is_some_and(|(_, game)| game_name(game).is_some())
        };
        // Without a word behind it, what has the sign is the password.
        match words.iter().position(ends_name) {
            Some(last) if last + 1 < words.len() => {
                let rest = words.split_off(last + 1);
                let (password, behind) = match rest.as_slice() {
                    [password, behind @ ..] => (Some((*password).to_owned()), behind.join(" ")),
                    [] => (None, String::new()),
                };
                Self {
                    seat: words.join(" "),
                    password,
                    behind,
                }
            }
            _ => self,
        }
    }

    /// Variant and options, as they are named behind the password.
    pub fn wishes(&self) -> Vec<String> {
        self.behind
            .split(|c: char| c.is_whitespace() || c == ',' || c == ';')
            .map(|word| word.trim_end_matches(['!', '?', '.']))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// What stands behind the password, as an order line; empty if nothing does.
    pub fn order_line(&self) -> &str {
        self.behind.trim().trim_matches([',', ';', '!', '?']).trim()
    }

    /// What the first word may mean, the likeliest first: seat and game, or no game for `?` alone.
    /// A letter before the name is tried first, so `Akaiser` is Austria in `kaiser`, and if there is
    /// no such game, whoever in `akaiser`. Empty if no game can bear such a name.
    pub fn readings(&self) -> Vec<(Seat, Option<String>)> {
        let word = self.seat.trim();
        if word == "?" {
            return vec![(Seat::Place, None)];
        }
        if let Some((power, game)) = word.split_once('@') {
            let seat = match power.to_ascii_lowercase().as_str() {
                "" => Seat::Keeper,
                "?" => Seat::Place,
                "m" | "master" => Seat::Master,
                "o" | "observer" => Seat::Observer,
                _ => match single(power) {
                    Some(letter) => Seat::Letter(letter),
                    None => Seat::Named(power.to_owned()),
                },
            };
            return game_name(game)
                .map(|game| (seat, Some(game)))
                .into_iter()
                .collect();
        }
        if let Some(game) = word.strip_prefix('?') {
            return game_name(game)
                .map(|game| (Seat::Place, Some(game)))
                .into_iter()
                .collect();
        }
        let mut readings = Vec::new();
        let mut letters = word.chars();
        if let (Some(first), Some(game)) = (letters.next(), game_name(letters.as_str())) {
            let seat = match first.to_ascii_uppercase() {
                'M' => Some(Seat::Master),
                'O' => Some(Seat::Observer),
                letter if letter.is_ascii_uppercase() => Some(Seat::Letter(letter)),
                _ => None,
            };
            readings.extend(seat.map(|seat| (seat, Some(game))));
        }
        readings.extend(game_name(word).map(|game| (Seat::Undecided, Some(game))));
        readings
    }

    /// The games that an `OBSERVE` or `CREATE` line may name, the likeliest first: the whole word,
    /// what follows `@` or `?`, what follows an `O`.
    pub fn games(&self) -> Vec<String> {
        let word = self.seat.trim();
        let named = match word.split_once('@') {
            Some((_, game)) => game,
            None => word.strip_prefix('?').unwrap_or(word),
        };
        let of_observer = named.strip_prefix(['o', 'O']).and_then(game_name);
        game_name(named).into_iter().chain(of_observer).collect()
    }
}

/// The first word of a text and what stands behind it.
fn parted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (first, rest) = text.split_at_checked(end)?;
    (!first.is_empty()).then_some((first, rest.trim()))
}

fn single(word: &str) -> Option<char> {
    let mut letters = word.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    letters
        .next()
        .is_none()
        .then(|| letter.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(seat: &str) -> Vec<(Seat, Option<String>)> {
        SignOn {
            seat: seat.to_owned(),
            password: None,
            behind: String::new(),
        }
        .readings()
    }

    #[test]
    fn a_letter_before_the_name_is_tried_first() {
        let game = |name: &str| Some(name.to_owned());
        assert_eq!(
            readings("Akaiser"),
            [
                (Seat::Letter('A'), game("kaiser")),
                (Seat::Undecided, game("akaiser"))
            ]
        );
        assert_eq!(
            readings("Mkaiser").first(),
            Some(&(Seat::Master, game("kaiser")))
        );
        assert_eq!(
            readings("okaiser").first(),
            Some(&(Seat::Observer, game("kaiser")))
        );
        assert_eq!(readings("?kaiser"), [(Seat::Place, game("kaiser"))]);
        assert_eq!(readings("?"), [(Seat::Place, None)]);
        assert_eq!(
            readings("England@Kaiser"),
            [(Seat::Named("England".into()), game("kaiser"))]
        );
        assert_eq!(readings("e@kaiser"), [(Seat::Letter('E'), game("kaiser"))]);
        assert_eq!(readings("@kaiser"), [(Seat::Keeper, game("kaiser"))]);
        assert_eq!(readings("x"), [(Seat::Undecided, game("x"))]);
        assert_eq!(readings("A7up"), [(Seat::Undecided, game("a7up"))]);
        for nonsense in ["", "ka!ser", "?1", "Ä", "averyveryverylongname"] {
            assert!(readings(nonsense).is_empty(), "{nonsense}");
        }
    }

    #[test]
    fn names_of_several_words_end_with_the_game() {
        let read = |words: &[&str]| {
            let mut words = words.iter().map(|word| (*word).to_owned());
            let read = SignOn {
                seat: words.next().unwrap_or_default(),
                password: words.next(),
                behind: words.collect::<Vec<_>>().join(" "),
            }
            .with_whole_name();
            let wishes = read.wishes();
            (read.seat, read.password.unwrap_or_default(), wishes)
        };
        let whole = |seat: &str, word: &str| (seat.to_owned(), word.to_owned(), Vec::new());
        assert_eq!(
            read(&["Jedi", "Knights@space", "pw"]),
            whole("Jedi Knights@space", "pw")
        );
        assert_eq!(read(&["Akaiser", "p@w"]), whole("Akaiser", "p@w"));
        assert_eq!(read(&["JED@space", "p@w"]), whole("JED@space", "p@w"));
        let joins = read(&["?space", "p@w", "space"]);
        assert_eq!(
            (joins.1.as_str(), joins.2),
            ("p@w", vec!["space".to_owned()])
        );
    }

    #[test]
    fn passwords_are_not_shown() {
        let sign_on = SignOn {
            seat: "Akaiser".into(),
            password: Some("apw".into()),
            behind: String::new(),
        };
        assert!(!format!("{sign_on:?}").contains("apw"));
    }
}

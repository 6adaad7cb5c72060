//! Powers by the words of players: one, `Austrian`, or a list, `EFM`, `F, Germany`. Every command finds them here, so that
//! all take the same spellings: name, adjective, code or key, letter, and the beginning of one power's name where its letters
//! are not powers' too.

use super::names::Names;
use super::no_contact::{end_of_word, no_contact};
use super::power_list_error::PowerListError;
use super::prose::is_written_as_name;
use dipjudge_game::project::Roster;
use dipjudge_grammar::{Terms, Text};
use dipjudge_rules::map::Power;
use std::collections::BTreeSet;

/// A word of more letters that is written as a name is no list of letters of powers.
const SHORTEST_NAME: usize = 3;

/// The master, and where a power has the letter `G` also that power and the master (README, Decided 29).
const MASTER_OR_LETTERS: &str = "gm";

/// Those whom a list names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Addressees {
    /// Powers.
    pub powers: BTreeSet<Power>,
    /// All observers.
    pub observers: bool,
    /// All masters.
    pub masters: bool,
}

/// One of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Addressee {
    /// A power.
    Power(Power),
    /// `O`: the observers.
    Observers,
    /// `M`: the masters.
    Masters,
}

impl Addressees {
    /// Whether nobody is named.
    pub fn is_empty(&self) -> bool {
        self.powers.is_empty() && !self.observers && !self.masters
    }

    pub(super) fn add(
        &mut self,
        addressee: Addressee,
        names: &Names,
    ) -> Result<(), PowerListError> {
        let fresh = match addressee {
            Addressee::Power(power) => self.powers.insert(power),
            Addressee::Observers => !std::mem::replace(&mut self.observers, true),
            Addressee::Masters => !std::mem::replace(&mut self.masters, true),
        };
        if fresh {
            Ok(())
        } else {
            Err(PowerListError::Repeated(said(addressee, names)))
        }
    }
}

fn said(addressee: Addressee, names: &Names) -> String {
    match addressee {
        Addressee::Power(power) => names
            .power_info(power)
            .map_or(String::new(), |info| info.name.clone()),
        Addressee::Observers => "observers".to_owned(),
        Addressee::Masters => "masters".to_owned(),
    }
}

/// A list of powers as for `SET DRAW` and `SET APPROVE`: letters, with or without blanks and commas, or names; `M` and `O`
/// are masters and observers.
///
/// # Errors
/// If the list is empty, names somebody twice, or a word of it is no power.
pub fn read_powers(list: &str, roster: impl Into<Roster>) -> Result<Addressees, PowerListError> {
    powers_among(list, &Names::of_powers(roster))
}

fn powers_among(list: &str, names: &Names) -> Result<Addressees, PowerListError> {
    let text = Text::new(list);
    let mut found = Addressees::default();
    let mut at = skip(&text, 0);
    while at < text.len() {
        let (end, some) = one(&text, at, names, text.len())?;
        for addressee in some {
            found.add(addressee, names)?;
        }
        at = skip(&text, end);
    }
    if found.is_empty() {
        Err(PowerListError::Empty)
    } else {
        Ok(found)
    }
}

/// One power, as for `BECOME`, `EJECT`, `SET CONCEDE` or `power@game`.
///
/// # Errors
/// If the text is not exactly one power. What may be the beginning of a name, or letters of several powers, is neither.
pub fn read_power(word: &str, roster: impl Into<Roster>) -> Result<Power, PowerListError> {
    let names = Names::of_powers(roster);
    let found = powers_among(word, &names)?;
    let mut powers = found.powers.iter();
    match (
        powers.next(),
        powers.next(),
        found.observers || found.masters,
    ) {
        (Some(power), None, false) => Ok(*power),
        _ => {
            let word = word.trim();
            let begun = names.powers_beginning(word);
            Err(letters_or_beginning(word, begun).unwrap_or_else(|| names.nobody(word)))
        }
    }
}

/// `GER` may be Germany or three powers.
pub(super) fn letters_or_beginning(word: &str, begun: Vec<String>) -> Option<PowerListError> {
    let name = begun.into_iter().next()?;
    let letters: Vec<String> = word
        .chars()
        .map(|letter| letter.to_uppercase().to_string())
        .collect();
    Some(PowerListError::Ambiguous {
        word: word.to_owned(),
        candidates: vec![name, format!("the powers {}", letters.join(", "))],
    })
}

/// Skips what parts the words of a list.
fn skip(text: &Text<'_>, mut at: usize) -> usize {
    loop {
        at = text.skip_blanks(at);
        if matches!(text.byte(at), b',' | b';' | b'&' | b'+') {
            at += 1;
        } else if matches!(text.folded(at..at + 3), "and" | "the") && !text.in_word(at + 3) {
            at += 3;
        } else {
            return at;
        }
    }
}

/// What the word of a list that begins here stands for; the list ends `within` this position.
pub(super) fn one(
    text: &Text<'_>,
    at: usize,
    names: &Names,
    within: usize,
) -> Result<(usize, Vec<Addressee>), PowerListError> {
    let end = text.word_end(at);
    if text.folded(at..end) == MASTER_OR_LETTERS
        && let Some(power) = names.letter('g')
    {
        let power = said(Addressee::Power(power), names);
        return Err(PowerListError::MasterOrPower(power));
    }
    if let Some(found) = found(text, at, names) {
        return Ok(found);
    }
    let nobody = text.source(at..nobodys_end(text, at, names, within));
    if let Some(error) = no_contact(names, nobody) {
        return Err(error);
    }
    let candidates = names.powers_beginning(text.folded(at..end));
    let stop = end.max(at + 1);
    let word = text.source(at..stop).to_owned();
    if candidates.len() > 1 {
        return Err(PowerListError::Ambiguous { word, candidates });
    }
    Err(names.nobody(&word))
}

/// The end of a name that is nobody's: of all its words, up to a sign or word that parts a list, or to another name.
fn nobodys_end(text: &Text<'_>, at: usize, names: &Names, within: usize) -> usize {
    let mut end = at;
    loop {
        end = end_of_word(text, end);
        let next = text.skip_blanks(end);
        if next >= within || skip(text, next) > next || found(text, next, names).is_some() {
            return end.max(at + 1);
        }
        end = next;
    }
}

/// Whom the word of a list that begins here names. A whole name goes before letters, and so does a long beginning, of four
/// letters as a rule; shorter, letters go first: `FR` is France and Russia, but `Au` can only be Austria.
fn found(text: &Text<'_>, at: usize, names: &Names) -> Option<(usize, Vec<Addressee>)> {
    if let Some((end, power)) = names.whole_power(text, at) {
        return Some((end, vec![Addressee::Power(power)]));
    }
    let end = text.word_end(at);
    let word = text.folded(at..end);
    match word {
        "observer" | "observers" => return Some((end, vec![Addressee::Observers])),
        "master" | "masters" | MASTER_OR_LETTERS => return Some((end, vec![Addressee::Masters])),
        _ => {}
    }
    let by_letter = |letter: char| match names.letter(letter) {
        Some(power) => Some(Addressee::Power(power)),
        None if letter == 'o' => Some(Addressee::Observers),
        None if letter == 'm' => Some(Addressee::Masters),
        None => None,
    };
    let beginning = names.power(text, at);
    let before_letters = names.beginnings().before_letters;
    if let Some((end, power)) = beginning.filter(|(stop, _)| *stop >= at + before_letters) {
        return Some((end, vec![Addressee::Power(power)]));
    }
    let letters: Option<Vec<Addressee>> = word.chars().map(by_letter).collect();
    let letters = letters.filter(|letters| !letters.is_empty());
    // `Greta` is no list of letters.
    let written = text.source(at..end);
    let is_name = written.chars().count() > SHORTEST_NAME && is_written_as_name(written);
    if let Some(letters) = letters.filter(|_| !is_name) {
        return Some((end, letters));
    }
    beginning.map(|(end, power)| (end, vec![Addressee::Power(power)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_rules::map::{Map, PowerInfo};

    fn roster() -> &'static [PowerInfo] {
        Map::standard().powers()
    }

    fn list(words: &str) -> Result<String, String> {
        let found = read_powers(words, roster()).map_err(|error| error.to_string())?;
        let letters = found
            .powers
            .iter()
            .filter_map(|power| roster()[power.index().unwrap()].letter);
        let rest = [(found.observers, 'O'), (found.masters, 'M')];
        Ok(letters
            .chain(
                rest.into_iter()
                    .filter_map(|(is, letter)| is.then_some(letter)),
            )
            .collect())
    }

    fn invalid(word: &str) -> String {
        format!(
            "`{word}`: invalid power. You can name Austria, England, France, Germany, Italy, Russia and Turkey."
        )
    }

    #[test]
    fn lists_hold_letters_and_names() {
        for (words, letters) in [
            ("EFM", "EFM"),
            ("e f g", "EFG"),
            ("F, Germany", "FG"),
            ("France and Russia", "FR"),
            ("FR", "FR"),
            ("Fran, Russian", "FR"),
            ("observers, M", "OM"),
            ("Ger", "EGR"),
            ("Germ", "G"),
            ("Au, En", "AE"),
            ("Austrian, the Turk", "AT"),
            ("MG", "GM"),
        ] {
            assert_eq!(list(words).as_deref(), Ok(letters), "{words}");
        }
        for (words, error) in [
            ("", "No power is named."),
            ("EE", "`England` stands more than once in the list."),
            ("E, England", "`England` stands more than once in the list."),
            ("EQ", &*invalid("EQ")),
            ("Norway", &*invalid("Norway")),
            ("Greta", &*invalid("Greta")),
            (
                "GM",
                "`GM` may be the master, or Germany and the master. Write M for the master, MG for both.",
            ),
        ] {
            assert_eq!(list(words), Err(error.to_owned()), "{words}");
        }
    }

    #[test]
    fn one_power_is_one_power() {
        assert_eq!(read_power("E", roster()), Ok(Power(1)));
        for word in [
            "England", "english", "ENGLAND", "Engl", "Eng", "en", "e", " E, ",
        ] {
            assert_eq!(read_power(word, roster()), Ok(Power(1)), "{word}");
        }
        for (word, error) in [
            ("EF", &*invalid("EF")),
            ("E and M", &*invalid("E and M")),
            ("M", &*invalid("M")),
            ("FR", "`FR` can be France or the powers F, R."),
            ("ger", "`ger` can be Germany or the powers G, E, R."),
            ("ben@ex.org", &*invalid("ben")),
            ("", "No power is named."),
        ] {
            let found = read_power(word, roster()).map_err(|error| error.to_string());
            assert_eq!(found, Err(error.to_owned()), "{word}");
        }
    }

    #[test]
    fn only_those_whom_a_sender_may_address_are_read() {
        use dipjudge_game::labels::testing::{FRANCE, OwnNames, RUSSIA, TURKEY, begun, contacts};
        use dipjudge_game::{Event, VariantGame, apply};
        use dipjudge_view::Viewer;

        let at = jiff::Timestamp::UNIX_EPOCH;
        let (turk, armies) = (Viewer::Power(TURKEY), [(TURKEY, "bur"), (FRANCE, "par")]);
        let mut game = begun(&armies);
        apply::apply(&mut game, at, &contacts(&[(TURKEY, RUSSIA)]));
        for given in VariantGame::new(&game, &OwnNames)
            .seen_by(turk)
            .labels_to_give()
        {
            apply::apply(&mut game, at, &Event::Labelled(given));
        }
        let roster = VariantGame::new(&game, &OwnNames).seen_by(turk).roster();
        let read = |word: &str| read_power(word, &roster);
        for word in ["Aram", "ARAM", "Ara", "ara"] {
            assert_eq!(read(word), Ok(RUSSIA), "{word}");
        }
        assert_eq!(read("Kush"), Ok(TURKEY));
        // In sight, but no contact; a contact of others; the words of the map; too few letters.
        for word in [
            "Babel",
            "Elam",
            "Russia",
            "R",
            "Turkey",
            "RUSSIA",
            "Ar",
            "Unknown",
            "Kushite Empire",
        ] {
            let read = read(word).unwrap_err();
            assert!(read.is_of_contacts(), "{word}");
            let said = format!("You have no contact with a power called \"{word}\".");
            assert_eq!(read.to_string(), said);
        }
    }

    #[test]
    fn a_beginning_is_that_of_a_contact_and_may_fit_two() {
        use dipjudge_game::labels::testing::{
            AUSTRIA, ENGLAND, FRANCE, GERMANY, ITALY, OwnNames, begun, contacts,
        };
        use dipjudge_game::{Event, VariantGame, apply};
        use dipjudge_view::Viewer;

        let at = jiff::Timestamp::UNIX_EPOCH;
        let (elam, armies) = (Viewer::Power(AUSTRIA), [(AUSTRIA, "vie")]);
        let mut game = begun(&armies);
        let met = [(AUSTRIA, ITALY), (AUSTRIA, ENGLAND), (AUSTRIA, FRANCE)];
        apply::apply(&mut game, at, &contacts(&met));
        for given in VariantGame::new(&game, &OwnNames)
            .seen_by(elam)
            .labels_to_give()
        {
            apply::apply(&mut game, at, &Event::Labelled(given));
        }
        let roster = VariantGame::new(&game, &OwnNames).seen_by(elam).roster();
        let read = |word: &str| read_power(word, &roster).map_err(|error| error.to_string());
        for (word, power) in [
            ("Elam", AUSTRIA),
            ("Elam II", ITALY),
            // His own name begins so, too.
            ("Ela", ITALY),
            ("Babel", ENGLAND),
            ("Babel II", FRANCE),
        ] {
            assert_eq!(read(word), Ok(power), "{word}");
        }
        let several = "\"Bab\" fits more than one of your contacts.";
        assert_eq!(read("Bab"), Err(several.to_owned()));
        // The third who wants to be called so is none of them.
        let unknown = "You have no contact with a power called \"III\".";
        assert_eq!(read("Babel III"), Err(unknown.to_owned()));
        assert_ne!(GERMANY, FRANCE);
        let list = read_powers("Babel, Hittite Empire, Elam", &roster);
        let unknown = "You have no contact with a power called \"Hittite Empire\".";
        assert_eq!(list.unwrap_err().to_string(), unknown);
        let list = read_powers("Hittite Babel", &roster);
        let unknown = "You have no contact with a power called \"Hittite\".";
        assert_eq!(list.unwrap_err().to_string(), unknown);
    }
}

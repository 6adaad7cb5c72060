//! Words that the judge itself writes and reads. A name that a player chooses and that is hidden from others is searched for
//! in their mails (`project::hidden_names`), so it must be none of these: else a mail that has nothing to do with it would be
//! held back.

use std::sync::OnceLock;

use super::Card;
use crate::grammar::files;
use crate::map::Map;
use crate::view::{MAIL_TEXTS, columns};

/// Whether a name stands in the shipped texts of mails, among the words that players type, in the variant's own words, or on
/// the map; letters alone count, large or small.
pub fn is_judges_word(map: &Map, card: &Card, name: &str) -> bool {
    // Word for word, and as the one word that its letters make.
    let readings = [spaced(name), format!(" {} ", letters(name))];
    let own = card.words.iter().map(|words| words.text);
    let own = own.chain([card.grammar, card.title]).map(spaced);
    let own: String = own.collect();
    let stands_in = |text: &str| readings.iter().any(|name| text.contains(name));
    !letters(name).is_empty()
        && (stands_in(common()) || stands_in(&own) || on_the_map(map, &letters(name)))
}

/// The texts and words of every game.
fn common() -> &'static str {
    static COMMON: OnceLock<String> = OnceLock::new();
    COMMON.get_or_init(|| {
        let texts = MAIL_TEXTS.iter().map(|(_, text)| *text);
        let texts = texts.chain(columns::ALL);
        let files = [
            files::ORDERS,
            files::COMMANDS,
            files::PRESS,
            files::SETTINGS,
        ];
        let all = texts.chain(files.iter().map(|file| file.text));
        all.map(spaced).collect()
    })
}

/// Whether letters are those of a province's name, by whatever spelling, or of a kind of unit.
fn on_the_map(map: &Map, wanted: &str) -> bool {
    let provinces = map.provinces().iter();
    let provinces = provinces.flat_map(|place| [place.name.as_str(), place.code.as_str()]);
    let spellings = map.spellings().map(|(spelling, _)| spelling);
    let kinds = map.kinds().iter().map(|kind| kind.name.as_str());
    let mut all = provinces.chain(spellings).chain(kinds);
    all.any(|word| letters(word) == wanted)
}

/// The words of a text in small letters, with one blank before and behind each.
fn spaced(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    format!(" {} ", words.join(" "))
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_word_of_the_judges_nor_of_the_map() {
        let refused = |name: &str| is_judges_word(Map::standard(), &Card::PLAIN, name);
        for name in [
            "Deadline",
            "ORDERS",
            "Supply Centers",
            "press",
            "Signon",
            "Rome",
            "gal",
            "North Sea",
            "St Petersburg",
            "army",
            "Dead-Line",
        ] {
            assert!(refused(name), "{name}");
        }
        for name in ["Hittite Empire", "Babel", "Kush", "Elam", ""] {
            assert!(!refused(name), "{name}");
        }
    }

    #[test]
    fn a_variants_own_words_count_in_its_games() {
        let card = Card {
            grammar: "line = \"swear\" <rest>\n",
            ..Card::PLAIN
        };
        assert!(is_judges_word(Map::standard(), &card, "Swear"));
        assert!(!is_judges_word(Map::standard(), &Card::PLAIN, "Swear"));
    }
}

//! Words that the judge writes and reads, and those of its map. A reader would mistake a name that equals such a word for the
//! word, so no player may choose it.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::Card;
use dipjudge_grammar::files;
use dipjudge_rules::folding::{fold, letters};
use dipjudge_rules::map::Map;
use dipjudge_view::{MAIL_TEXTS, columns};

/// Every word of the judge's code, templates, pages, rules and grammars, one a line, in small letters.
const PRINTED: &str = include_str!("judges_words.txt");

/// Days and months as they stand in the dates of mails, which no text of the code spells out.
const DATES: &str = "Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";

/// Whether a name is a word that the judge can print, occurs in the texts of its mails, among the words that players type or in
/// the variant's own words, or is a name on the map or part of one. Only letters are compared, in folded case.
pub fn is_judges_word(map: &Map, card: &Card, name: &str) -> bool {
    // The name with its word boundaries, and as a single word made of its letters.
    let readings = [spaced(name), format!(" {} ", letters(name))];
    let own = card.words.iter().map(|words| words.text);
    let own = own.chain([card.grammar, card.title]).map(spaced);
    let own: String = own.collect();
    let stands_in = |text: &str| readings.iter().any(|name| text.contains(name));
    !letters(name).is_empty()
        && (is_printed(&letters(name))
            || stands_in(common())
            || stands_in(&own)
            || on_the_map(map, &letters(name)))
}

/// Whether `wanted` is one word that the judge can print.
fn is_printed(wanted: &str) -> bool {
    static WORDS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    WORDS
        .get_or_init(|| PRINTED.lines().collect())
        .contains(wanted)
}

/// The texts and words of every game.
fn common() -> &'static str {
    static COMMON: OnceLock<String> = OnceLock::new();
    COMMON.get_or_init(|| {
        let texts = MAIL_TEXTS.iter().map(|(_, text)| *text);
        let texts = texts.chain(columns::ALL).chain([DATES]);
        let files = [
            files::ORDERS,
            files::COMMANDS,
            files::LETTERS,
            files::PRESS,
            files::SETTINGS,
        ];
        let all = texts.chain(files.iter().map(|file| file.text));
        all.map(spaced).collect()
    })
}

/// Whether `wanted` is the name of a province or a word of it, in any accepted spelling, or the name of a kind of unit.
fn on_the_map(map: &Map, wanted: &str) -> bool {
    let provinces = map.provinces().iter();
    let provinces = provinces.flat_map(|place| [place.name.as_str(), place.code.as_str()]);
    let spellings = map.spellings().map(|(spelling, _)| spelling);
    let kinds = map.kinds().iter().map(|kind| kind.name.as_str());
    let mut all = provinces.chain(spellings).chain(kinds);
    all.any(|name| {
        letters(name) == wanted
            || name
                .split([' ', '-', '.'])
                .any(|word| letters(word) == wanted)
    })
}

/// The words of a text in small letters, with one blank before and after each.
fn spaced(text: &str) -> String {
    let text = fold(text);
    let words = text.split(|c: char| !c.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
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
            "Spring",
            "Fall",
            "Mon",
            "Ocean",
            "Petersburg",
            "arrives",
            "bounce",
            "void",
            "Sp\u{ad}ring",
            "\u{ff36}oid",
            "Recorded",
            "Judge",
            "Monday",
            "December",
        ] {
            assert!(refused(name), "{name}");
        }
        for name in ["Hittite Empire", "Babel", "Kush", "Elam", ""] {
            assert!(!refused(name), "{name}");
        }
    }

    #[test]
    fn every_word_that_the_judge_can_print_is_refused_in_every_disguise() {
        // Names consist of the letters A to Z.
        let words: Vec<&str> = PRINTED.lines().filter(|word| word.is_ascii()).collect();
        assert!(words.len() > 2000, "only {}", words.len());
        let wide = |word: &str| -> String {
            let of = |c: char| char::from_u32(u32::from(c) + 0xfee0);
            let ascii = |c: char| c.is_ascii_lowercase().then(|| of(c)).flatten();
            word.chars().map(|c| ascii(c).unwrap_or(c)).collect()
        };
        for word in words {
            let (first, rest) = word.split_at(1);
            for disguise in [
                word.to_owned(),
                word.to_uppercase(),
                wide(word),
                format!("{first}-{rest}"),
                format!("{first}\u{200b}{rest}"),
                format!("{first}\u{ad}{rest}\u{feff}"),
                format!("{first}\u{34f}{rest}"),
            ] {
                let refused = is_judges_word(Map::standard(), &Card::PLAIN, &disguise);
                assert!(refused, "{disguise:?}");
            }
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

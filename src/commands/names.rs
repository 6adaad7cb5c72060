//! The names of a game: provinces by any spelling, powers, kinds of unit.

use super::date_words::DateWords;
use super::name_index::Index;
use super::power_list_error::PowerListError;
use dipjudge_game::project::Roster;
use dipjudge_game::{Beginnings, OwnContacts};
use dipjudge_grammar::{Terms, Text};
use dipjudge_rules::calendar::PhaseName;
use dipjudge_rules::map::{Map, Power, PowerInfo, Province, UnitKind};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Beginnings of a full name with fewer letters are not taken for it.
const SHORTEST_PREFIX: usize = 4;
/// Later words of a full name with fewer letters are not taken for it.
const SHORTEST_LATER_WORD: usize = 6;

/// Names as a game's map has them, and the roster of those whom the writer may address, made ready for reading.
///
/// A province is read by the longest name that equals the text; else by the beginning of one full
/// name, of four letters or more, or a later word of it that no other name has (`Petersburg`); never by a guess. Hyphens and apostrophes of a name may be left
/// out, `Saint` and `St` are the same, and `the` before a name means nothing.
#[derive(Debug, Clone, Default)]
pub struct Names {
    map: Arc<MapNames>,
    powers: Index<Power>,
    letters: Vec<(u8, Power)>,
    roster: Roster,
}

/// The names of provinces and of kinds of unit: the same in all games on a map.
#[derive(Debug, Default)]
struct MapNames {
    provinces: Index<Province>,
    /// Full names only, for beginnings of them.
    full: Index<Province>,
    shown: BTreeMap<Province, String>,
    /// All spellings of four letters and more, for "did you mean".
    spellings: Vec<(String, Province)>,
    kinds: Index<UnitKind>,
    kinds_shown: Vec<(UnitKind, String)>,
}

/// A beginning that is no name yet: what it may stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stem {
    /// The position after it.
    pub end: usize,
    /// All provinces whose full name begins so, in the order of their codes.
    pub candidates: Vec<Province>,
    letters: usize,
}

impl Names {
    /// The names of a map, and of the powers that play on it. To make those of the map ready takes some hundred
    /// microseconds.
    pub fn of(map: &Map, roster: impl Into<Roster>) -> Self {
        Self::with(Arc::new(MapNames::of(map)), roster.into())
    }

    /// As [`Names::of`], with names of the map that are made ready once and shared by all who ask for them here.
    pub fn shared(map: &'static Map, roster: impl Into<Roster>) -> Self {
        Self::with(MapNames::shared(map), roster.into())
    }

    /// The names of powers alone.
    pub fn of_powers(roster: impl Into<Roster>) -> Self {
        Self::with(Arc::default(), roster.into())
    }

    /// Whether a province is named anywhere in a line.
    pub fn any_province(&self, line: &str) -> bool {
        let text = Text::new(line);
        let begins = |at: &usize| text.in_word(*at) && (*at == 0 || !text.in_word(at - 1));
        let mut words = (0..text.len()).filter(begins);
        words.any(|at| {
            let province = self.province(&text, at);
            province.is_some_and(|(end, _)| !self.is_adjective(&text, at, end))
        })
    }

    /// Whether these words, which may be the beginning of a province's name, are a power's adjective: "the English in Holland".
    pub(super) fn is_adjective(&self, text: &Text<'_>, start: usize, end: usize) -> bool {
        let nation = self.whole_power(text, start);
        let info = nation.and_then(|(_, power)| self.power_info(power));
        let is_adjective = info.is_some_and(|info| {
            let words = text.source(start..end);
            info.adjective != info.name && words.eq_ignore_ascii_case(&info.adjective)
        });
        is_adjective && nation.is_some_and(|(after, _)| after >= end)
    }

    fn with(map: Arc<MapNames>, roster: Roster) -> Self {
        let mut powers = Index::default();
        let mut letters = Vec::new();
        for (id, power) in roster.iter() {
            for name in [&power.name, &power.adjective, &power.key] {
                powers.add(name, id);
            }
            if let Some(letter) = power.letter.filter(char::is_ascii_alphabetic) {
                letters.push((letter.to_ascii_lowercase() as u8, id));
            }
        }
        Self {
            map,
            powers,
            letters,
            roster,
        }
    }

    /// The full name, `St Petersburg`; the code if there is none.
    pub fn full_name(&self, province: Province) -> &str {
        self.map
            .shown
            .get(&province)
            .map_or("an unknown province", String::as_str)
    }

    /// What a player reads for a kind of unit: `army`.
    pub fn kind_name(&self, kind: UnitKind) -> &str {
        let known = self
            .map
            .kinds_shown
            .iter()
            .find(|(known, _)| *known == kind);
        known.map_or("unit", |(_, name)| name.as_str())
    }

    /// The powers.
    pub fn known_powers(&self) -> impl Iterator<Item = Power> + '_ {
        self.roster.iter().map(|(power, _)| power)
    }

    /// A power's words.
    pub fn power_info(&self, power: Power) -> Option<&PowerInfo> {
        self.roster.info(power)
    }

    /// The power whose whole name or adjective stands here, with the position after it.
    pub fn whole_power(&self, text: &Text<'_>, at: usize) -> Option<(usize, Power)> {
        self.powers.longest(text, at)
    }

    /// The power with that letter.
    pub fn letter(&self, letter: char) -> Option<Power> {
        let known = self
            .letters
            .iter()
            .find(|(known, _)| char::from(*known) == letter.to_ascii_lowercase());
        known.map(|(_, power)| *power)
    }

    /// Which beginnings of a power's name are taken for it.
    pub(super) fn beginnings(&self) -> Beginnings {
        self.roster.beginnings()
    }

    /// Whose words are read, where he has contacts of his own.
    pub(super) fn own_contacts(&self) -> Option<OwnContacts> {
        self.roster.own_contacts()
    }

    /// Names of the powers whose name begins with a word; of a sender's contacts where he has his own.
    pub fn powers_beginning(&self, word: &str) -> Vec<String> {
        let word = word.to_ascii_lowercase();
        let begins = |info: &PowerInfo| {
            !word.is_empty() && info.name.to_ascii_lowercase().starts_with(&word)
        };
        self.roster
            .iter()
            .filter(|(power, info)| begins(info) && !self.is_sender(*power))
            .map(|(_, info)| info.name.clone())
            .collect()
    }

    /// That a word is no power, with those that it could have been.
    pub(super) fn nobody(&self, word: &str) -> PowerListError {
        let powers = self.roster.iter().map(|(_, info)| info.name.clone());
        PowerListError::Unknown {
            word: word.to_owned(),
            powers: powers.collect(),
        }
    }

    fn is_sender(&self, power: Power) -> bool {
        self.own_contacts().is_some_and(|own| own.himself == power)
    }

    /// The one power whose name begins with the word that stands here. A contact goes before the sender himself.
    fn begun_power(&self, text: &Text<'_>, at: usize) -> Option<(usize, Power)> {
        let mut found: Vec<(usize, Power)> = Vec::new();
        for (key, power) in self.powers.bucket(text.byte(at)) {
            let Some((end, letters)) = key.beginning(text, at) else {
                continue;
            };
            let taken = letters >= self.beginnings().shortest && text.word_end(at) == end;
            if taken && !found.contains(&(end, *power)) {
                found.push((end, *power));
            }
        }
        if found.len() > 1 {
            found.retain(|(_, power)| !self.is_sender(*power));
        }
        match found.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The provinces whose full names begin as the text does, as far as any of them does.
    pub fn stem(&self, text: &Text<'_>, at: usize) -> Option<Stem> {
        let at = skip_article(text, at);
        let mut best: Option<Stem> = None;
        for (key, province) in self.map.full.bucket(text.byte(at)) {
            let Some((end, letters)) = key.beginning(text, at) else {
                continue;
            };
            match &mut best {
                Some(stem) if stem.end > end => {}
                Some(stem) if stem.end == end => {
                    if !stem.candidates.contains(province) {
                        stem.candidates.push(*province);
                    }
                }
                _ => {
                    best = Some(Stem {
                        end,
                        candidates: vec![*province],
                        letters,
                    })
                }
            }
        }
        if let Some(stem) = &mut best {
            stem.candidates.sort_unstable();
        }
        best
    }

    /// The provinces with the most similar names, at most three, the nearest first.
    pub fn nearest(&self, word: &str) -> Vec<Province> {
        let word = word.to_ascii_lowercase();
        let length = word.chars().count();
        if !(3..=30).contains(&length) {
            return Vec::new();
        }
        let most = if length < 6 { 1 } else { 2 };
        let mut found: Vec<(usize, Province)> = self
            .map
            .spellings
            .iter()
            .filter(|(name, _)| name.len().abs_diff(word.len()) <= most)
            .map(|(name, province)| (strsim::osa_distance(name, &word), *province))
            .filter(|(distance, _)| *distance <= most)
            .collect();
        // The beginning of a name too short to be taken for it.
        let text = Text::new(&word);
        if let Some(stem) = self.stem(&text, 0).filter(|stem| stem.end == text.len()) {
            found.extend(stem.candidates.iter().map(|province| (1, *province)));
        }
        found.sort_unstable();
        let mut nearest = Vec::new();
        for (_, province) in found {
            if !nearest.contains(&province) {
                nearest.push(province);
            }
        }
        nearest.truncate(3);
        nearest
    }
}

impl MapNames {
    /// Those of a map, made at the first call for it.
    fn shared(map: &'static Map) -> Arc<Self> {
        /// By the place of the map in memory, which is its own as long as the program runs.
        static MADE: Mutex<BTreeMap<usize, Arc<MapNames>>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let names = made.entry(std::ptr::from_ref(map).addr());
        names.or_insert_with(|| Arc::new(Self::of(map))).clone()
    }

    fn of(map: &Map) -> Self {
        let mut names = Self::default();
        for info in map.provinces() {
            names.shown.insert(info.code, info.name.clone());
            names.full.add_with_spellings(&info.name, info.code);
            names.spell(&info.name, info.code);
            names.spell(info.code.as_str(), info.code);
        }
        for (spelling, province) in map.spellings() {
            names.spell(spelling, province);
        }
        names.spell_later_words(map);
        names.spell_abbreviated_first_words(map);
        for kind in map.kinds() {
            names.kinds.add(kind.kind.as_str(), kind.kind);
            names.kinds.add(&kind.name, kind.kind);
            for word in &kind.also {
                names.kinds.add(word, kind.kind);
            }
            let shown = kind.name.to_ascii_lowercase();
            names.kinds_shown.push((kind.kind, shown));
        }
        names
    }

    /// Adds the words behind the first of a full name, each where just one province has it.
    fn spell_later_words(&mut self, map: &Map) {
        let mut owners: BTreeMap<String, Vec<(usize, Province)>> = BTreeMap::new();
        for info in map.provinces() {
            let words = info.name.split(|sign: char| !sign.is_alphanumeric());
            for (place, word) in words.enumerate() {
                let owners = owners.entry(word.to_lowercase()).or_default();
                owners.push((place, info.code));
            }
        }
        for (word, owners) in owners {
            let known = self.spellings.iter().any(|(spelling, _)| *spelling == word);
            if let [(place, province)] = owners.as_slice()
                && *place > 0
                && word.len() >= SHORTEST_LATER_WORD
                && !known
            {
                self.spell(&word, *province);
            }
        }
    }

    /// Adds full names of two words with the first one abbreviated, `Norw. Sea`, each where just one province has it.
    fn spell_abbreviated_first_words(&mut self, map: &Map) {
        let mut owners: BTreeMap<String, Vec<Province>> = BTreeMap::new();
        for info in map.provinces() {
            let Some((first, rest)) = info.name.split_once(' ') else {
                continue;
            };
            for end in SHORTEST_PREFIX..first.len() {
                if let Some(beginning) = first.get(..end) {
                    let owners = owners.entry(format!("{beginning} {rest}")).or_default();
                    owners.push(info.code);
                }
            }
        }
        for (name, owners) in owners {
            if let [only] = owners.as_slice() {
                self.provinces.add_with_spellings(&name, *only);
            }
        }
    }

    fn spell(&mut self, name: &str, province: Province) {
        self.provinces.add_with_spellings(name, province);
        if name.len() >= SHORTEST_PREFIX {
            self.spellings.push((name.to_ascii_lowercase(), province));
        }
    }
}

impl Terms for Names {
    fn province(&self, text: &Text<'_>, at: usize) -> Option<(usize, Province)> {
        let start = skip_article(text, at);
        if counts_two(text, start) {
            return None;
        }
        let whole = self.map.provinces.longest(text, start);
        let Some(stem) = self.stem(text, start) else {
            return whole;
        };
        let [only] = stem.candidates.as_slice() else {
            return whole;
        };
        match whole {
            None => (stem.letters >= SHORTEST_PREFIX).then_some((stem.end, *only)),
            // "Mid-Atlantic" is more than "Mid", but "English C" is the Channel and a verb.
            Some((end, _)) => {
                let goes_on = stem.end > end && stem.end - text.word_start(stem.end) >= 3;
                if goes_on {
                    Some((stem.end, *only))
                } else {
                    whole
                }
            }
        }
    }

    fn power(&self, text: &Text<'_>, at: usize) -> Option<(usize, Power)> {
        let whole = self.powers.longest(text, at);
        let (end, power) = whole.or_else(|| self.begun_power(text, at))?;
        // "the Mastermind's"
        let owner = text.folded(end..end + 2) == "'s" && !text.in_word(end + 2);
        Some((if owner { end + 2 } else { end }, power))
    }

    fn power_letter(&self, text: &Text<'_>, at: usize) -> Option<(usize, Power)> {
        if text.in_word(at + 1) {
            return None;
        }
        let letter = text.byte(at);
        let known = self.letters.iter().find(|(known, _)| *known == letter);
        known.map(|(_, power)| (at + 1, *power))
    }

    fn unit_kind(&self, text: &Text<'_>, at: usize) -> Option<(usize, UnitKind)> {
        self.map.kinds.longest(text, at)
    }

    fn date(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        DateWords::read(text, at).map(|(end, _)| end)
    }

    fn phase(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        PhaseName::end(text, at)
    }
}

fn skip_article(text: &Text<'_>, at: usize) -> usize {
    if text.folded(at..at + 3) == "the" && !text.in_word(at + 3) {
        text.skip_blanks(at + 3)
    } else {
        at
    }
}

/// Whether "both" stands here with what there are two of behind it, and is not the beginning of Bothnia: `both my fleets`.
fn counts_two(text: &Text<'_>, at: usize) -> bool {
    let end = text.word_end(at);
    let next = text.skip_blanks(end);
    let counted = [
        "my", "of", "the", "our", "fleets", "armies", "units", "men", "ships", "hold", "stay",
    ];
    text.folded(at..end) == "both" && counted.contains(&text.folded(next..text.word_end(next)))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn read(words: &str) -> Option<(String, usize)> {
        let text = Text::new(words);
        testing::names()
            .province(&text, 0)
            .map(|(end, province)| (province.to_string(), end))
    }

    #[test]
    fn the_longest_spelling_that_equals_the_text_is_taken() {
        for (words, code) in [
            ("nth", "NTH"),
            ("North Sea", "NTH"),
            ("norsea", "NTH"),
            ("Norwegian Sea", "NWG"),
            ("the North Sea", "NTH"),
            ("nor", "NWY"),
            ("Norw", "NWY"),
            ("tyr", "TYR"),
            ("wes", "WES"),
            ("St. Petersburg", "STP"),
            ("St.Petersburg", "STP"),
            ("Saint Petersburg", "STP"),
            ("stp", "STP"),
            ("Mid-Atlantic Ocean", "MAO"),
            ("Mid Atlantic Ocean", "MAO"),
            ("midatlantic", "MAO"),
            ("Mid-Atlantic", "MAO"),
            ("Mid Atlantic", "MAO"),
            ("English Channel", "ENG"),
            ("Norw. Sea", "NWG"),
            ("Norw Sea", "NWG"),
            ("english", "ENG"),
            ("Liverp", "LVP"),
            ("Constan", "CON"),
            ("gulf of lyon", "LYO"),
            ("Gulf of Bothnia", "BOT"),
            ("Gulf of Both", "BOT"),
            ("Livo", "LVN"),
            ("North Af", "NAF"),
        ] {
            let (province, end) = read(words).unwrap_or_else(|| panic!("{words} is not read"));
            assert_eq!((province.as_str(), end), (code, words.len()), "{words}");
        }
    }

    #[test]
    fn what_may_mean_several_or_nothing_is_not_guessed() {
        for words in [
            "liv", "gul", "gulf of", "north", "north s", "Foo", "Lo", "Edib", "N. Sea", "nort", "",
        ] {
            assert_eq!(read(words), None, "{words}");
        }
    }

    #[test]
    fn a_single_letter_behind_a_name_is_an_order() {
        assert_eq!(read("Eng S F Lon"), Some(("ENG".into(), 3)));
        assert_eq!(read("English C A Lon - Bel"), Some(("ENG".into(), 7)));
        assert_eq!(read("Constanti S F Bla"), Some(("CON".into(), 9)));
    }

    #[test]
    fn ambiguous_stems_name_their_candidates() {
        let candidates = |words: &str| {
            let text = Text::new(words);
            let stem = testing::names().stem(&text, 0).expect("a stem");
            stem.candidates
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(candidates("liv"), ["LVN", "LVP"]);
        assert_eq!(candidates("gulf of"), ["BOT", "LYO"]);
        assert_eq!(candidates("north"), ["NAF", "NAO", "NTH"]);
    }

    #[test]
    fn the_nearest_names_are_offered() {
        let nearest = |word: &str| -> Vec<String> {
            testing::names()
                .nearest(word)
                .iter()
                .map(ToString::to_string)
                .collect()
        };
        assert_eq!(nearest("Lodnon"), ["LON"]);
        assert_eq!(nearest("burgandi"), ["BUR"]);
        assert_eq!(nearest("Foo"), Vec::<String>::new());
    }

    #[test]
    fn powers_go_by_name_adjective_and_beginning() {
        let power = |words: &str| {
            let text = Text::new(words);
            testing::names()
                .power(&text, 0)
                .map(|(end, power)| (end, power.0))
        };
        assert_eq!(power("Austria: A Vie H"), Some((7, 0)));
        assert_eq!(power("austrian army"), Some((8, 0)));
        assert_eq!(power("Fr"), Some((2, 2)));
        assert_eq!(power("Germany's fleet"), Some((9, 3)));
        assert_eq!(power("F Lon"), None);
        assert_eq!(power("Frank"), None);
    }
}

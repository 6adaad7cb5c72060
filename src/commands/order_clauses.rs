//! Orders in the words of people: `munich should go to burgundy`, `one army in Vienna and one in Budapest`. A clause is read by the
//! provinces that it names and by what kind of verb it has; all other words are skipped. So what is read is proposed, unless
//! `certain_orders` finds that nothing was skipped.

use super::mentions::{
    COMMON_WORDS, Marker, Mention, kind_at, marker, marker_near_start, mentions, words,
};
use super::names::Names;
use super::order_words::PlaceWords;
use super::prose::{asks_judge, bare_words, clauses_of_orders, denies, sentences};
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Coast, Province, UnitKind};

/// The most words of a clause that names a place and nothing else.
pub(super) const MOST_OF_PLACE: usize = 4;

/// The fewest letters of a word that is taken for a misspelt province where the writer has a unit.
const SHORTEST_MISSPELT: usize = 6;
/// A clause of so few words holds hardly more than its order, so that each of its words may be a misspelt province.
const WORDS_OF_ORDER: usize = 5;
/// The fewest letters of a word that is taken for any misspelt province: `skagerak`.
const SHORTEST_ANYWHERE: usize = 8;
/// The fewest letters of such a word.
const SHORTEST_IN_ORDER: usize = 5;

/// How adjectives of provinces end, and how many letters they begin with as the province does: `Swedish`, `Silesian`.
const ADJECTIVE_ENDS: [&str; 4] = ["ish", "ian", "ese", "ean"];
const LETTERS_OF_ADJECTIVE: usize = 4;

/// Adjectives that begin otherwise than their provinces, with how these begin.
const IRREGULAR_ADJECTIVES: [(&str, &str); 6] = [
    ("danish", "denmark"),
    ("dutch", "holland"),
    ("finnish", "finland"),
    ("greek", "greece"),
    ("spanish", "spain"),
    ("welsh", "wales"),
];

/// What the writer of a clause has on the board.
pub trait BoardInSight {
    /// Whether a unit of the writer's stands there.
    fn is_own(&self, province: Province) -> bool;
    /// Whether a unit is seen there, whosever it is.
    fn is_occupied(&self, province: Province) -> bool;
    /// Whether it is a sea.
    fn is_sea(&self, province: Province) -> bool;
    /// Whether it is a province with this one of several coasts.
    fn has_coast(&self, province: Province, coast: Coast) -> bool;
    /// Where all units of this kind of the writer's stand.
    fn all_of_kind(&self, kind: UnitKind) -> Vec<Province>;
    /// Where each unit of the writer's stands.
    fn all(&self) -> Vec<Province>;
    /// Where all units of the writer's stand, if there are several in one place.
    fn place_of_all(&self) -> Option<Province>;
    /// A place that many units share, in which the writer has one: the orbit.
    fn shared_place(&self) -> Option<Province>;
    /// Where the only unit of this kind of the writer's stands that can move to a province, if it is only one.
    fn only_that_reaches(&self, kind: UnitKind, to: Province) -> Option<Province>;
    /// Where the writer may build.
    fn sites(&self) -> &[Province];
    /// Whether the unit of the writer's in a province has an order already.
    fn has_order(&self, province: Province) -> bool;
    /// Where the only unit stands that must retreat, if it is only one.
    fn only_dislodged(&self) -> Option<Province>;
}

/// A line that the clauses of a text may mean, for each order that they hold: `Munich - Burgundy`. Whoever proposes them must find
/// that they can be given. `before` is the order that stands before the text.
pub fn orders_of_clauses(
    grammar: &Grammar,
    text: &str,
    due: PhaseKind,
    names: &Names,
    board: &impl BoardInSight,
    before: Option<Pointed>,
) -> Vec<String> {
    let mut reader = ClauseReader::new(grammar, names, board, before);
    let certain = sentences(text).into_iter().filter(|sentence| {
        // "But if Claire really goes there, ..."
        let joints = ["but", "and", "only", "so"];
        let behind = sentence.split_once(' ').filter(|(first, _)| {
            let first = first.to_lowercase();
            joints.contains(&first.as_str())
        });
        let text = Text::new(behind.map_or(sentence, |(_, behind)| behind));
        let begins = grammar.read("clause-if", &text, 0, names);
        // "Otherwise Tyrolia just holds."
        let first = bare_words(sentence).next().unwrap_or_default();
        let is_other_case = first.eq_ignore_ascii_case("otherwise");
        begins.is_none() && !is_other_case && (!sentence.ends_with('?') || asks_judge(sentence))
    });
    // "if the Turk goes there, Vienna should go to Tyrolia, otherwise to Trieste": what depends on something is no order.
    let is_condition = |clause: &&str| {
        marker_near_start(grammar, names, "clause-if", &Text::new(clause), 0).is_some()
    };
    let clauses = certain.flat_map(|sentence| {
        let clauses = clauses_of_orders(sentence).into_iter();
        clauses.take_while(|clause| !is_condition(clause))
    });
    for clause in clauses {
        let waives = due == PhaseKind::Adjustments && reader.waives(clause);
        let stays = due == PhaseKind::Movement && reader.stays(clause);
        let whole = clause;
        let clause = without_refused(clause);
        match due {
            _ if waives => reader.orders.push("WAIVE".to_owned()),
            _ if stays => reader.movement(whole),
            _ if denies(clause) || reader.leaves_open(clause) => reader.note_unit(clause),
            PhaseKind::Movement => reader.movement(clause),
            PhaseKind::Retreats => reader.retreat(clause),
            PhaseKind::Adjustments => reader.adjustment(clause),
            PhaseKind::Own(_) => {}
        }
    }
    reader.orders
}

/// What a question supposes: `Paris goes to Burgundy`, of `What would happen if Paris goes to Burgundy?`
pub fn supposed<'q>(grammar: &Grammar, question: &'q str, names: &Names) -> Option<&'q str> {
    sentences(question).into_iter().find_map(|sentence| {
        let text = Text::new(sentence);
        let outcome = || {
            let begins = grammar.read("clause-if", &text, 0, names)?;
            let asked = marker(grammar, names, "clause-outcome", &text)?;
            sentence.ends_with('?').then_some((begins.end, asked.start))
        };
        // "Suppose Austria moves Vienna to Tyrolia." Who supposes that of his own unit asks more than what comes of it.
        let of_himself = || {
            bare_words(sentence)
                .any(|word| ["i", "my", "we"].contains(&word.to_lowercase().as_str()))
        };
        let supposes = || {
            let begins = grammar.read("clause-suppose", &text, 0, names)?;
            (!of_himself()).then_some(begins.end)
        };
        let what_if = marker(grammar, names, "clause-what-if", &text).map(|asked| asked.end);
        let (from, to) = what_if
            .or_else(supposes)
            .map(|end| (end, text.len()))
            .or_else(outcome)?;
        let words = text
            .source(from..to)
            .trim()
            .trim_end_matches([',', '-', ' ']);
        let start = sentence.rfind(words)?;
        sentence
            .get(start..)
            .map(|words| words.trim_end_matches(['?', '.', '!']))
    })
}

/// A clause before the words that say what is not meant, or why: `munich goes to burgundy, not ruhr`.
pub(super) fn without_refused(clause: &str) -> &str {
    let marks = [
        " not ",
        " (not ",
        " without ",
        " instead of ",
        " than ",
        " because ",
        " in case ",
        " to see ",
        " to find out ",
        " so that ",
        " in order to ",
    ];
    let ends = marks.iter().filter_map(|mark| clause.find(mark));
    ends.min()
        .and_then(|end| clause.get(..end))
        .unwrap_or(clause)
}

/// From where to where a unit goes, to which later words point: `Black Sea helping it`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// Where the unit stands.
    pub from: Province,
    /// Where it goes.
    pub to: Province,
}

/// To what "it", "that" and "there" point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// A unit that goes somewhere.
    Moved(Movement),
    /// A unit that stays.
    Held(Province),
}

/// The unit of the writer's that was named last.
#[derive(Clone, Copy)]
pub(super) struct SpokenOf {
    pub(super) at: Province,
    /// Whether its clause says nothing else of it: `Denmark: have a go at Sweden`.
    pub(super) alone: bool,
    /// Whether its clause counts two units, of which the other follows: `both the Aegean fleet and ...`
    pub(super) is_one_of_two: bool,
}

impl SpokenOf {
    /// A unit of which its clause has told more.
    pub(super) fn told(at: Province) -> SpokenOf {
        SpokenOf {
            at,
            alone: false,
            is_one_of_two: false,
        }
    }
}

/// A text while its clauses are read.
pub(super) struct ClauseReader<'a, B> {
    pub(super) grammar: &'a Grammar,
    pub(super) names: &'a Names,
    pub(super) board: &'a B,
    /// The order that was read last.
    pub(super) pointed: Option<Pointed>,
    pub(super) spoken: Option<SpokenOf>,
    /// The units of the writer's that clauses before have named and said nothing else of: `Clyde, Skagerrak and the North Sea hold`.
    pub(super) listed: Vec<Province>,
    /// Where a clause before wanted to go, without saying with what: `I try to take back Vienna: Tyrolia goes there`.
    pub(super) aim: Option<PlaceWords>,
    /// The fleet and the army that it takes on board, of which the clause before has told: `the North Sea picks up the army from
    /// Yorkshire`.
    pub(super) lifted: Option<(PlaceWords, PlaceWords)>,
    /// The kind of unit that was built last.
    pub(super) built: Option<UnitKind>,
    /// The kind of unit that a clause has named without a place.
    pub(super) wanted: Option<UnitKind>,
    /// Whether the clause before named seas over which the unit goes that was ordered last.
    pub(super) over: bool,
    /// Whether the clause before named a unit that supports the one that was ordered last: `with support of the Ruhr and Munich`.
    pub(super) helping: bool,
    /// Whether the clause before named a unit that does not hold with the others: `all hold except Paris and Brest`.
    pub(super) excepting: bool,
    /// Whether the clause before told where a unit lands: `one lands in Naples and one in Rome`.
    pub(super) landing: bool,
    pub(super) orders: Vec<String>,
}

impl<'a, B> ClauseReader<'a, B> {
    /// A reader that has read nothing yet. `before` is the order before the text.
    pub(super) fn new(
        grammar: &'a Grammar,
        names: &'a Names,
        board: &'a B,
        before: Option<Pointed>,
    ) -> ClauseReader<'a, B> {
        ClauseReader {
            grammar,
            names,
            board,
            pointed: before,
            spoken: None,
            listed: Vec::new(),
            aim: None,
            lifted: None,
            built: None,
            wanted: None,
            over: false,
            helping: false,
            excepting: false,
            landing: false,
            orders: Vec::new(),
        }
    }
}

impl<B: BoardInSight> ClauseReader<'_, B> {
    pub(super) fn marker(&self, rule: &str, text: &Text<'_>) -> Option<Marker> {
        marker(self.grammar, self.names, rule, text)
    }

    /// Whether a clause says that a unit does not move.
    pub(super) fn stays(&self, clause: &str) -> bool {
        self.marker("clause-stays", &Text::new(clause)).is_some()
    }

    /// Whether a clause says that something else may be ordered.
    pub(super) fn leaves_open(&self, clause: &str) -> bool {
        // "Ionian keeps supporting Tunis exactly like last time"
        let mut clause = clause.to_owned();
        for again in [
            " like last time",
            " as last time",
            " like last turn",
            " as last turn",
        ] {
            clause = clause.replace(again, "");
        }
        self.marker("clause-open", &Text::new(&clause)).is_some()
    }

    /// The provinces that a text names, in misspelt words too: those of the writer's units, and any where the text is short.
    pub(super) fn mentions(&self, text: &Text<'_>) -> Vec<Mention> {
        let mut found = mentions(self.grammar, text, self.names);
        let starts = words(text);
        let is_short = starts.len() <= WORDS_OF_ORDER;
        let shortest = if is_short {
            SHORTEST_IN_ORDER
        } else {
            SHORTEST_MISSPELT
        };
        for start in starts {
            let end = text.word_end(start);
            if end - start < shortest || found.iter().any(|one| one.covers(start)) {
                continue;
            }
            if let Some(at) = self.own_of_adjective(text.folded(start..end)) {
                found.push(Mention {
                    place: place(at),
                    start,
                    end,
                });
                continue;
            }
            if COMMON_WORDS.contains(&text.folded(start..end)) {
                continue;
            }
            let near = self.names.nearest(text.source(start..end));
            if let [near] = near.as_slice()
                && (is_short || end - start >= SHORTEST_ANYWHERE || self.board.is_own(*near))
            {
                found.push(Mention {
                    place: place(*near),
                    start,
                    end,
                });
            }
        }
        found.sort_by_key(|one| one.start);
        found
    }

    /// Where the unit of the writer's stands that an adjective tells: `the Swedish fleet`.
    fn own_of_adjective(&self, word: &str) -> Option<Province> {
        let mut irregular = IRREGULAR_ADJECTIVES.iter();
        let begin = match irregular.find(|(adjective, _)| *adjective == word) {
            Some((_, begin)) => begin,
            None if ADJECTIVE_ENDS.iter().any(|end| word.ends_with(end)) => {
                word.get(..LETTERS_OF_ADJECTIVE)?
            }
            None => return None,
        };
        let own = self.board.all().into_iter().filter(|at| {
            let name = self.names.full_name(*at).to_lowercase();
            name.starts_with(begin) && !name.contains(' ')
        });
        let own: Vec<Province> = own.collect();
        match own.as_slice() {
            [at] => Some(*at),
            _ => None,
        }
    }

    pub(super) fn name(&self, place: &PlaceWords) -> String {
        let name = self.names.full_name(place.province);
        match place.coast {
            Some(coast) => format!("{name}/{}", coast.to_string().to_lowercase()),
            None => name.to_owned(),
        }
    }

    /// Notes the unit of which a clause speaks, whatever it says of it.
    pub(super) fn note_unit(&mut self, clause: &str) {
        let named = self.mentions(&Text::new(clause));
        let own = named
            .iter()
            .find(|unit| self.board.is_own(unit.place.province));
        if let Some(unit) = own {
            let at = unit.place.province;
            self.spoken = Some(SpokenOf::told(at));
        }
    }

    /// Whether a province is named as that from which a unit comes: `attack Venice with the army in Tyrolia`.
    pub(super) fn comes_from(&self, text: &Text<'_>, before: &Mention, mention: &Mention) -> bool {
        let between = words(text)
            .into_iter()
            .filter(|at| (before.end..mention.start).contains(at));
        let mut marks =
            between.filter_map(|at| self.grammar.read("clause-from", text, at, self.names));
        marks.next().is_some() && self.board.is_own(mention.place.province)
    }

    pub(super) fn kind(&self, text: &Text<'_>, at: usize) -> Option<UnitKind> {
        kind_at(self.grammar, self.names, text, at)
    }
}

/// A province to which words point back.
pub(super) fn place(province: Province) -> PlaceWords {
    PlaceWords {
        province,
        coast: None,
        word: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::{Board, names, provinces};

    fn read(text: &str, due: PhaseKind, own: &[&str]) -> String {
        let board = Board {
            own: provinces(own),
            others: provinces(&["ruh"]),
            sites: provinces(&["bud", "vie"]),
        };
        orders_of_clauses(standard(), text, due, names(), &board, None).join("; ")
    }

    #[test]
    fn movements_are_read_by_their_provinces_and_the_kind_of_their_verb() {
        let own = [
            "mun", "kie", "tyr", "tri", "bul", "con", "stp", "yor", "nth", "ukr", "bla", "mos",
            "ven", "apu", "ion",
        ];
        for (text, orders) in [
            (
                "oops, munich should go to burgundy not ruhr. rest is fine",
                "Munich - Burgundy",
            ),
            (
                "St Pete (that fleet on the south coast) to Bothnia.",
                "St Petersburg - Gulf of Bothnia",
            ),
            (
                "Tyrolia attacks Venice with help from the fleet in Trieste",
                "Tyrolia - Venice; Trieste S Tyrolia - Venice",
            ),
            (
                "bulgaria takes greece, con moves in behind it",
                "Bulgaria - Greece; Constantinople - Bulgaria",
            ),
            (
                "Ukraine into Rumania, Black Sea helping it",
                "Ukraine - Rumania; Black Sea S Ukraine - Rumania",
            ),
            ("Kiel should just sit tight and stay", "Kiel H"),
            ("I'd like Kiel to back up Ruhr", "Kiel S Ruhr"),
            ("attack Venice with the army in Tyrolia", "Tyrolia - Venice"),
            (
                "convoy my guy in york over to norway with the north sea fleet",
                "North Sea C Yorkshire - Norway; Yorkshire - Norway",
            ),
            (
                "Yorkshire sails over the North Sea to Norway",
                "North Sea C Yorkshire - Norway; Yorkshire - Norway",
            ),
            (
                "my army in York goes to Norway via the North See",
                "North Sea C Yorkshire - Norway; Yorkshire - Norway",
            ),
            (
                "the fleet brings the army from Apulia to Tunis",
                "Ionian Sea C Apulia - Tunis; Apulia - Tunis",
            ),
            (
                "Kiel and Munich support each other",
                "Kiel S Munich; Munich S Kiel",
            ),
            (
                "Tyrolia goes to Trieste with the support of Venice and Ionian, and Apulia holds with support from Naples",
                "Tyrolia - Trieste; Venice S Tyrolia - Trieste; Ionian Sea S Tyrolia - Trieste; Apulia H; Naples S Apulia",
            ),
            ("Tyrolia to Trieste without support", "Tyrolia - Trieste"),
            (
                "everyone sits tight except Mun, Kie, Tyr, Tri, Bul, Con, Stp, Yor, Nth and the Ukrainian army",
                "Black Sea H; Moscow H; Venice H; Apulia H; Ionian Sea H",
            ),
            ("the Ukrainian army goes to Rumania", "Ukraine - Rumania"),
            (
                "please move both the Tyrolian army and the one in Trieste to Venice",
                "Tyrolia - Venice; Trieste - Venice",
            ),
            ("I would never send Munich to Burgundy", ""),
            ("If France goes to Burgundy, Munich to Ruhr", ""),
            ("should I send Munich to Burgundy?", ""),
            ("Paris goes to Burgundy", ""),
            ("holland for the kiel boat", "Kiel - Holland"),
            (
                "My army from Tyrolia goes to Trieste when the fleet is away",
                "Tyrolia - Trieste",
            ),
            (
                "Moscow shouldn't go south to the Ukraine, I need it up in St Petersburg",
                "Moscow - St Petersburg",
            ),
            (
                "Kiel: have a go at Holland instead of standing still",
                "Kiel - Holland",
            ),
            (
                "venice digs in, apulia supports it there, and the fleet grabs tunis",
                "Venice H; Apulia S Venice; Ionian Sea - Tunis",
            ),
            ("the boat stays where it is", "Ionian Sea H"),
            (
                "I'd rather have the army from Ukraine in Rumania than the fleet",
                "Ukraine - Rumania",
            ),
            ("moskow goes to warsaw", "Moscow - Warsaw"),
            (
                "Apulia make support to Venezia because I no trust the Austria",
                "Apulia S Venice",
            ),
            (
                "the ship of Kiel she goes to the Baltic Sea",
                "Kiel - Baltic Sea",
            ),
            (
                "my army in Bulgaria lends its support to her army in Serbia, which is to enter Greece",
                "Bulgaria S Serbia - Greece",
            ),
            (
                "Ukraine to Rumania with the Black Sea supporting",
                "Ukraine - Rumania; Black Sea S Ukraine - Rumania",
            ),
            ("Ionian: support Ruhr where it stands", "Ionian Sea S Ruhr"),
            ("Kiel should better stay and support Ruhr", "Kiel S Ruhr"),
            ("Apulia and Venice hold", "Apulia H; Venice H"),
            ("munchen to burgndy", "Munich - Burgundy"),
            (
                "Tyrolia to Trieste with Venice supporting it, and Apulia too",
                "Tyrolia - Trieste; Venice S Tyrolia - Trieste; Apulia S Tyrolia - Trieste",
            ),
            ("Kiel sits tight and Munich too", "Kiel H; Munich H"),
            (
                "Kiel, Munich and Moscow just hold then",
                "Kiel H; Munich H; Moscow H",
            ),
            (
                "I try to take back Vienna: Tyrolia goes there and Trieste supports it.",
                "Tyrolia - Vienna; Trieste S Tyrolia - Vienna",
            ),
            (
                "everyone holds except Mun, Kie, Tri, Bul, Con, Stp, Yor, Nth, Ukr, Bla, Mos, Ven, Apu, Ion and Tyrolia, which goes to Vienna",
                "Tyrolia - Vienna",
            ),
            (
                "The Black Sea fleet goes back to Constantinople - oh no, that's silly, keep it in the Black Sea",
                "Black Sea H",
            ),
            ("if thats not possible then make Kiel hold", "Kiel H"),
            (
                "Yorkshire is ferried across the north sea into denmark",
                "North Sea C Yorkshire - Denmark; Yorkshire - Denmark",
            ),
            (
                "The North Sea fleet picks up the army from Yorkshire and drops it in Belgium",
                "North Sea C Yorkshire - Belgium; Yorkshire - Belgium",
            ),
            (
                "army Munich goes to Silesia to see what the Tsar is up to",
                "Munich - Silesia",
            ),
            (
                "please have Tyrolia take Trieste back and Venice support that",
                "Tyrolia - Trieste; Venice S Tyrolia - Trieste",
            ),
        ] {
            assert_eq!(read(text, PhaseKind::Movement, &own), orders, "{text}");
        }
        assert_eq!(
            read(
                "all fleets hold",
                PhaseKind::Movement,
                &["ion", "aeg", "ven"]
            ),
            "Ionian Sea H; Aegean Sea H"
        );
    }

    #[test]
    fn builds_and_removals_are_read_by_their_kinds() {
        assert_eq!(
            read(
                "I suppose it has to be the army in Kiel then, please take that one off the board",
                PhaseKind::Adjustments,
                &["kie", "mun"]
            ),
            "REMOVE Kiel"
        );
        for (text, orders) in [
            (
                "only one this year: army in Budapest. I'll skip the other one",
                "BUILD army Budapest; WAIVE",
            ),
            (
                "I'll build one army in Vienna and one in Budapest, and leave the third for now.",
                "BUILD army Vienna; BUILD army Budapest",
            ),
            ("make brest an army instead", "BUILD army Brest"),
            (
                "Just give me the normal units please: armies Moscow and Warsaw, fleets Sevastopol and St Pete south coast",
                "BUILD army Moscow; BUILD army Warsaw; BUILD fleet Sevastopol; BUILD fleet St Petersburg/sc",
            ),
            (
                "One fleet for St Petersburg, northern side. One army for Moscow. If Moscow is not free then Warsaw.",
                "BUILD fleet St Petersburg/nc; BUILD army Moscow",
            ),
            ("please get rid of the fleet in Kiel", "REMOVE Kiel"),
            (
                "One more fleet for His Majesty! Put her in the water at Edinburgh.",
                "BUILD fleet Edinburgh",
            ),
            (
                "Two armies please, wherever there is room",
                "BUILD army Budapest; BUILD army Vienna",
            ),
            (
                "I do not want to build this winter, I'm keeping it for later.",
                "WAIVE",
            ),
            (
                "I keep the army in Kiel and lose the one in Munich",
                "REMOVE Munich",
            ),
        ] {
            assert_eq!(read(text, PhaseKind::Adjustments, &[]), orders, "{text}");
        }
    }

    #[test]
    fn a_retreat_may_name_its_goal_or_the_end_of_its_unit() {
        for (text, orders) in [
            ("Hi, just take it off the board", "Venice DISBAND"),
            (
                "I don't want to retreat the army, just take it off.",
                "Venice DISBAND",
            ),
            (
                "I won't go backwards - the army from Venice retreats to Apulia and we'll see",
                "Venice - Apulia",
            ),
            ("my army in Venice goes back to Tuscany", "Venice - Tuscany"),
        ] {
            assert_eq!(read(text, PhaseKind::Retreats, &["ven"]), orders, "{text}");
        }
    }
}

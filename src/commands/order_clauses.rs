//! Orders in the words of people: `munich should go to burgundy`, `one army in Vienna and one in Budapest`. A clause is read by the
//! provinces that it names and by what kind of verb it has; all other words are skipped. So what is read is only ever proposed.

use super::names::Names;
use super::order_words::PlaceWords;
use super::prose::{asks_judge, clauses_of_orders, denies, sentences};
use super::verb_reader::place_words;
use dipjudge_grammar::{Grammar, Terms, Text};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Coast, Province, UnitKind};

/// The most words of a clause that names a place and nothing else.
const MOST_OF_PLACE: usize = 4;

/// The numbers of units that a sentence counts.
const NUMBERS: [&str; 5] = ["one", "two", "three", "four", "five"];

/// The fewest letters of words that are taken for a province.
const SHORTEST_NAME: usize = 3;

/// The fewest letters of a word that is taken for a misspelt province where the writer has a unit.
const SHORTEST_MISSPELT: usize = 6;
/// A clause of so few words holds hardly more than its order, so that each of its words may be a misspelt province.
const WORDS_OF_ORDER: usize = 5;
/// The fewest letters of such a word.
const SHORTEST_IN_ORDER: usize = 5;

/// How adjectives of provinces end, and how many letters they begin with as the province does: `Swedish`, `Silesian`.
const ADJECTIVE_ENDS: [&str; 4] = ["ish", "ian", "ese", "ean"];
const LETTERS_OF_ADJECTIVE: usize = 4;

/// What the writer of a clause has on the board.
pub trait BoardInSight {
    /// Whether a unit of the writer's stands there.
    fn is_own(&self, province: Province) -> bool;
    /// Whether a unit is seen there, whosever it is.
    fn is_occupied(&self, province: Province) -> bool;
    /// Whether it is a sea.
    fn is_sea(&self, province: Province) -> bool;
    /// Where all units of this kind of the writer's stand.
    fn all_of_kind(&self, kind: UnitKind) -> Vec<Province>;
    /// Where each unit of the writer's stands.
    fn all(&self) -> Vec<Province>;
    /// Where all units of the writer's stand, if there are several in one place.
    fn place_of_all(&self) -> Option<Province>;
    /// Where the only unit of this kind of the writer's stands that can move to a province, if it is only one.
    fn only_that_reaches(&self, kind: UnitKind, to: Province) -> Option<Province>;
    /// Where the writer may build.
    fn sites(&self) -> &[Province];
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
    let mut reader = ClauseReader {
        grammar,
        names,
        board,
        pointed: before,
        spoken: None,
        built: None,
        wanted: None,
        over: false,
        helping: false,
        excepting: false,
        orders: Vec::new(),
    };
    let certain = sentences(text).into_iter().filter(|sentence| {
        let begins = grammar.read("clause-if", &Text::new(sentence), 0, names);
        begins.is_none() && (!sentence.ends_with('?') || asks_judge(sentence))
    });
    for clause in certain.flat_map(clauses_of_orders) {
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
    let asks = |sentence: &&str| sentence.ends_with('?');
    sentences(question)
        .into_iter()
        .filter(asks)
        .find_map(|sentence| {
            let text = Text::new(sentence);
            let asked = marker(grammar, names, "clause-what-if", &text)?;
            let words = text.source(asked.end..text.len()).trim();
            let start = sentence.rfind(words)?;
            sentence
                .get(start..)
                .map(|words| words.trim_end_matches('?'))
        })
}

/// The provinces that a text names.
pub fn provinces_in(grammar: &Grammar, text: &str, names: &Names) -> Vec<Province> {
    let text = Text::new(text);
    let mentions = mentions(grammar, &text, names);
    mentions.iter().map(Mention::province).collect()
}

/// The number of provinces that a line names: of two readings, the one that tells more is the better one.
pub fn provinces_named(grammar: &Grammar, line: &str, names: &Names) -> usize {
    let text = Text::new(line);
    mentions(grammar, &text, names).len()
}

/// A clause before the words that say what is not meant, or why: `munich goes to burgundy, not ruhr`.
fn without_refused(clause: &str) -> &str {
    let marks = [" not ", " without ", " instead of ", " than ", " because "];
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
struct SpokenOf {
    at: Province,
    /// Whether its clause says nothing else of it: `Denmark: have a go at Sweden`.
    alone: bool,
}

/// A province that a clause names.
pub(super) struct Mention {
    place: PlaceWords,
    start: usize,
    end: usize,
}

impl Mention {
    pub(super) fn province(&self) -> Province {
        self.place.province
    }

    pub(super) fn coast(&self) -> Option<Coast> {
        self.place.coast
    }

    /// Whether it stands at this position.
    pub(super) fn covers(&self, at: usize) -> bool {
        (self.start..self.end).contains(&at)
    }
}

/// The kind of verb that a clause has, with its place.
#[derive(Clone, Copy)]
pub(super) struct Marker {
    start: usize,
    end: usize,
}

/// The starts of the words of a text.
pub(super) fn words(text: &Text<'_>) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = text.word_end(at);
        if end > at {
            starts.push(at);
            at = end;
        } else {
            at += 1;
        }
    }
    starts
}

/// The provinces that a text names.
pub(super) fn mentions(grammar: &Grammar, text: &Text<'_>, names: &Names) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for start in words(text) {
        // "Both the Aegean and the Black Sea" is not about Bothnia.
        let is_both = text.folded(start..text.word_end(start)) == "both";
        if is_both || found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let place = grammar
            .read("place", text, start, names)
            .and_then(|tree| Some((place_words(tree.root(text))?, tree.end)));
        if let Some((place, end)) = place
            && end - start >= SHORTEST_NAME
            && !names.is_adjective(text, start, end)
        {
            found.push(Mention { place, start, end });
        }
    }
    found
}

/// A rule where it stands in a text first.
pub(super) fn marker(
    grammar: &Grammar,
    names: &Names,
    rule: &str,
    text: &Text<'_>,
) -> Option<Marker> {
    words(text).into_iter().find_map(|start| {
        let tree = grammar.read(rule, text, start, names)?;
        Some(Marker {
            start,
            end: tree.end,
        })
    })
}

/// The kind of unit that a word names, one or several of it: `army`, `armies`.
pub(super) fn kind_at(
    grammar: &Grammar,
    names: &Names,
    text: &Text<'_>,
    at: usize,
) -> Option<UnitKind> {
    let one = |word: &str| {
        let word = Text::new(word);
        let (end, kind) = names.unit_kind(&word, 0)?;
        (end == word.len()).then_some(kind)
    };
    let word = text.source(at..text.word_end(at));
    // The article, not the letter of an army.
    if word == "a" {
        return None;
    }
    let word = word.to_lowercase();
    let single = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let single = single.or_else(|| word.strip_suffix('s').map(str::to_owned));
    // "As" is no plural of the letter.
    let single = single.filter(|single| single.len() > 1);
    let stands = |rule: &str| grammar.read(rule, text, at, names).is_some();
    one(&word)
        .or_else(|| one(&single?))
        .or_else(|| stands("clause-army").then(|| one("army"))?)
        .or_else(|| stands("clause-fleet").then(|| one("fleet"))?)
}

struct ClauseReader<'a, B> {
    grammar: &'a Grammar,
    names: &'a Names,
    board: &'a B,
    /// The order that was read last.
    pointed: Option<Pointed>,
    spoken: Option<SpokenOf>,
    /// The kind of unit that was built last.
    built: Option<UnitKind>,
    /// The kind of unit that a clause has named without a place.
    wanted: Option<UnitKind>,
    /// Whether the clause before named seas over which the unit goes that was ordered last.
    over: bool,
    /// Whether the clause before named a unit that supports the one that was ordered last: `with support of the Ruhr and Munich`.
    helping: bool,
    /// Whether the clause before named a unit that does not hold with the others: `all hold except Paris and Brest`.
    excepting: bool,
    orders: Vec<String>,
}

impl<B: BoardInSight> ClauseReader<'_, B> {
    fn marker(&self, rule: &str, text: &Text<'_>) -> Option<Marker> {
        marker(self.grammar, self.names, rule, text)
    }

    /// Whether a clause says that nothing is built, and names no place.
    fn waives(&self, clause: &str) -> bool {
        let text = Text::new(clause);
        self.mentions(&text).is_empty() && self.marker("clause-waive", &text).is_some()
    }

    /// Whether a clause says that a unit does not move.
    fn stays(&self, clause: &str) -> bool {
        self.marker("clause-stays", &Text::new(clause)).is_some()
    }

    /// Whether a clause says that something else may be ordered.
    fn leaves_open(&self, clause: &str) -> bool {
        self.marker("clause-open", &Text::new(clause)).is_some()
    }

    /// The provinces that a text names, in misspelt words too: those of the writer's units, and any where the text is short.
    fn mentions(&self, text: &Text<'_>) -> Vec<Mention> {
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
            let near = self.names.nearest(text.source(start..end));
            if let [near] = near.as_slice()
                && (is_short || self.board.is_own(*near))
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
        let begin = word.get(..LETTERS_OF_ADJECTIVE)?;
        if !ADJECTIVE_ENDS.iter().any(|end| word.ends_with(end)) {
            return None;
        }
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

    fn name(&self, place: &PlaceWords) -> String {
        let name = self.names.full_name(place.province);
        match place.coast {
            Some(coast) => format!("{name}/{}", coast.to_string().to_lowercase()),
            None => name.to_owned(),
        }
    }

    fn movement(&mut self, clause: &str) {
        let text = Text::new(clause);
        let named = self.mentions(&text);
        if self.holds_all_but(&text, &named) {
            return;
        }
        if std::mem::take(&mut self.excepting)
            && let [other] = named.as_slice()
            && words(&text).len() <= MOST_OF_PLACE
        {
            self.excepting = true;
            let holds = format!("{} H", self.names.full_name(other.province()));
            return self.orders.retain(|order| *order != holds);
        }
        if let [helper] = named.as_slice()
            && std::mem::take(&mut self.helping)
            && words(&text).len() <= MOST_OF_PLACE
            && self.marker("clause-hold", &text).is_none()
        {
            self.helping = true;
            return self.supports_last(&helper.place, None);
        }
        if let Some(support) = self.marker("clause-support", &text) {
            return self.support(&text, &named, support);
        }
        // "Scrap the fleet in the Aegean and give me an army in Constantinople": not now.
        let first = named.first().map_or(usize::MAX, |mention| mention.start);
        let asks_adjustment = ["clause-remove", "clause-raise"].iter().any(|rule| {
            self.marker(rule, &text)
                .is_some_and(|verb| verb.start < first)
        });
        if asks_adjustment {
            return;
        }
        // "The ship of London goes to the North Sea" names a unit, "North Sea ships Yorkshire to Norway" is a convoy.
        let convoy = self.marker("clause-convoy", &text);
        let names_unit = |verb: Marker| {
            text.source(verb.start..verb.end)
                .to_lowercase()
                .starts_with("ship")
        };
        if convoy.is_some_and(|verb| named.len() > 2 || !names_unit(verb)) {
            return self.convoy(&named);
        }
        if self.goes_over(&text, &named) {
            return;
        }
        match named.as_slice() {
            [] if self.marker("clause-hold", &text).is_some() => self.holds_by_kind(&text),
            [unit] if self.marker("clause-hold", &text).is_some() || self.stays(clause) => {
                let at = unit.place.province;
                if self.board.is_own(at) {
                    // "Naples and Tunis hold"
                    if let Some(other) =
                        self.spoken.filter(|spoken| spoken.alone && spoken.at != at)
                    {
                        let name = self.names.full_name(other.at);
                        self.orders.push(format!("{name} H"));
                    }
                    let name = self.name(&unit.place);
                    self.orders.push(format!("{name} H"));
                    self.pointed = Some(Pointed::Held(at));
                    self.spoken = Some(SpokenOf { at, alone: false });
                }
            }
            [unit] if self.marker("clause-behind", &text).is_some() => {
                if let Some(Pointed::Moved(moved)) = self.pointed.clone() {
                    self.goes(&unit.place, &place(moved.from));
                }
            }
            [goal] => self.goes_alone(&text, goal),
            [to, from] if self.comes_from(&text, to, from) => self.goes(&from.place, &to.place),
            [from, to] => self.goes(&from.place, &to.place),
            _ => {}
        }
    }

    /// Seas behind a move over which it goes, with fleets of the writer's there: `London goes to Sweden, over the North Sea and the
    /// Skagerrak`.
    fn goes_over(&mut self, text: &Text<'_>, named: &[Mention]) -> bool {
        let Some(Pointed::Moved(moved)) = self.pointed.clone() else {
            return false;
        };
        let begins = self
            .marker("clause-over", text)
            .is_some_and(|over| words(text).first() == Some(&over.start));
        let carries =
            |one: &Mention| self.board.is_sea(one.province()) && self.board.is_own(one.province());
        let goes_on = self.over && named.len() == 1 && words(text).len() <= MOST_OF_PLACE;
        if named.is_empty() || !(begins || goes_on) || !named.iter().all(carries) {
            return false;
        }
        let way = format!(
            "{} - {}",
            self.names.full_name(moved.from),
            self.names.full_name(moved.to)
        );
        let convoys = named
            .iter()
            .map(|sea| format!("{} C {way}", self.name(&sea.place)));
        let convoys: Vec<String> = convoys.collect();
        self.orders.extend(convoys);
        self.over = true;
        true
    }

    /// `The boat stays where it is`: the only unit of its kind. `All fleets hold`: each of them.
    fn holds_by_kind(&mut self, text: &Text<'_>) {
        let mut kinds = words(text).into_iter().filter_map(|at| self.kind(text, at));
        let Some(kind) = kinds.next() else {
            // "Both hold"
            let units = self.board.all();
            if units.len() == 2 && self.marker("clause-both", text).is_some() {
                self.all_hold(&units);
            }
            return;
        };
        let units = self.board.all_of_kind(kind);
        let all = self.marker("clause-all", text).is_some();
        if all || units.len() == 1 {
            self.all_hold(&units);
        }
    }

    /// `Everyone sits tight except the fleet in Sweden`: each of the others.
    fn holds_all_but(&mut self, text: &Text<'_>, named: &[Mention]) -> bool {
        let (Some(every), Some(hold), Some(except)) = (
            self.marker("clause-every", text),
            self.marker("clause-hold", text),
            self.marker("clause-except", text),
        ) else {
            return false;
        };
        let left_out = named.iter().filter(|one| one.start >= except.end);
        let left_out: Vec<Province> = left_out.map(Mention::province).collect();
        if every.start > except.start || hold.start > except.start || left_out.is_empty() {
            return false;
        }
        let units = self.board.all();
        let others = units.into_iter().filter(|at| !left_out.contains(at));
        let others: Vec<Province> = others.collect();
        self.all_hold(&others);
        self.excepting = true;
        true
    }

    fn all_hold(&mut self, units: &[Province]) {
        let names = units.iter().map(|at| self.names.full_name(*at));
        self.orders.extend(names.map(|name| format!("{name} H")));
    }

    /// Notes the unit of which a clause speaks, whatever it says of it.
    fn note_unit(&mut self, clause: &str) {
        let named = self.mentions(&Text::new(clause));
        let own = named
            .iter()
            .find(|unit| self.board.is_own(unit.place.province));
        if let Some(unit) = own {
            let at = unit.place.province;
            self.spoken = Some(SpokenOf { at, alone: false });
        }
    }

    /// A clause with one province: the goal of a unit that is named by its kind or was named before, or a unit.
    fn goes_alone(&mut self, text: &Text<'_>, goal: &Mention) {
        let to = goal.place.province;
        let by_kind = words(text)
            .into_iter()
            .filter(|at| !(goal.start..goal.end).contains(at))
            .find_map(|at| self.board.only_that_reaches(self.kind(text, at)?, to));
        let points = self.marker("clause-it", text).is_some();
        let spoken = self.spoken.filter(|spoken| points || spoken.alone);
        let spoken = spoken.map(|spoken| spoken.at);
        let is_own = self.board.is_own(to);
        let from = spoken
            .filter(|_| points || !is_own)
            .or(by_kind.filter(|_| !is_own))
            .or_else(|| self.board.place_of_all().filter(|_| !is_own));
        match from {
            Some(from) => self.goes(&place(from), &goal.place),
            None if is_own => {
                self.spoken = Some(SpokenOf {
                    at: to,
                    alone: true,
                });
            }
            None => {}
        }
    }

    /// Whether a province is named as that from which a unit comes: `attack Venice with the army in Tyrolia`.
    fn comes_from(&self, text: &Text<'_>, before: &Mention, mention: &Mention) -> bool {
        let between = words(text)
            .into_iter()
            .filter(|at| (before.end..mention.start).contains(at));
        let mut marks =
            between.filter_map(|at| self.grammar.read("clause-from", text, at, self.names));
        marks.next().is_some() && self.board.is_own(mention.place.province)
    }

    fn goes(&mut self, from: &PlaceWords, to: &PlaceWords) {
        if from.province == to.province || !self.board.is_own(from.province) {
            return;
        }
        let line = format!("{} - {}", self.name(from), self.name(to));
        self.orders.push(line);
        self.over = false;
        self.spoken = Some(SpokenOf {
            at: from.province,
            alone: false,
        });
        self.pointed = Some(Pointed::Moved(Movement {
            from: from.province,
            to: to.province,
        }));
    }

    /// Adds a support of a move between these.
    fn supports_move(&mut self, helper: &PlaceWords, from: &PlaceWords, to: &PlaceWords) {
        let helper = self.name(helper);
        let line = format!("{helper} S {} - {}", self.name(from), self.name(to));
        self.orders.push(line);
    }

    /// Whether the order that was read last moves a unit from there.
    fn moves_from(&self, at: Province) -> bool {
        matches!(&self.pointed, Some(Pointed::Moved(moved)) if moved.from == at)
    }

    /// Adds a support of what was ordered last, if that is about this province.
    fn supports_last(&mut self, helper: &PlaceWords, at: Option<Province>) {
        match self.pointed.clone() {
            Some(Pointed::Moved(moved)) if at.is_none_or(|at| at == moved.to) => {
                self.supports_move(helper, &place(moved.from), &place(moved.to));
            }
            Some(Pointed::Held(held)) if at.is_none_or(|at| at == held) => {
                let helper = self.name(helper);
                let line = format!("{helper} S {}", self.names.full_name(held));
                self.orders.push(line);
            }
            _ => {}
        }
    }

    /// A clause with a verb of support. The unit that the clause before it named alone helps too: `the Aegean and the Black Sea
    /// support it`.
    fn support(&mut self, text: &Text<'_>, named: &[Mention], support: Marker) {
        let first = self.orders.len();
        let joined = self.spoken.filter(|spoken| {
            spoken.alone && named.iter().all(|one| one.place.province != spoken.at)
        });
        self.support_of_one(text, named, support);
        let helper = named
            .iter()
            .find(|one| one.end <= support.start)
            .map(|one| self.name(&one.place));
        let (Some(joined), Some(helper)) = (joined, helper) else {
            return;
        };
        let more: Vec<String> = self
            .orders
            .iter()
            .skip(first)
            .filter_map(|order| {
                let helped = order.strip_prefix(&helper)?.strip_prefix(" S ")?;
                Some(format!("{} S {helped}", self.names.full_name(joined.at)))
            })
            .collect();
        self.orders.extend(more);
    }

    fn support_of_one(&mut self, text: &Text<'_>, named: &[Mention], support: Marker) {
        let (before, after): (Vec<&Mention>, Vec<&Mention>) = named
            .iter()
            .partition(|mention| mention.end <= support.start);
        match (before.as_slice(), after.as_slice()) {
            // "Tyrolia attacks Venice with help from the fleet in Trieste"
            ([from, to], [helper]) => {
                self.goes(&from.place, &to.place);
                self.supports_move(&helper.place, &from.place, &to.place);
                self.helping = true;
            }
            // "Tunis holds with the support of the Ionian"
            ([held], [helper]) if self.is_of_helper(text, support) => {
                let at = held.place.province;
                if self.moves_from(at) {
                    return self.supports_last(&helper.place, None);
                }
                if self.board.is_own(at) {
                    self.orders.push(format!("{} H", self.name(&held.place)));
                    self.pointed = Some(Pointed::Held(at));
                    self.helping = true;
                }
                let line = format!("{} S {}", self.name(&helper.place), self.name(&held.place));
                self.orders.push(line);
            }
            // "support Tyrolia to Venice with Trieste"
            ([], [from, to, helper]) if self.comes_from(text, to, helper) => {
                self.supports_move(&helper.place, &from.place, &to.place);
            }
            ([helper], [from, to]) => self.supports_move(&helper.place, &from.place, &to.place),
            // "Bulgaria to Greece with the Aegean supporting"
            ([from, to, helper], []) => {
                self.goes(&from.place, &to.place);
                self.supports_move(&helper.place, &from.place, &to.place);
            }
            ([], [helped]) if self.goes_on_with(text, support) => self.supports_by_spoken(helped),
            // "Burgundy goes to the Ruhr. Munich helps Burgundy with that."
            ([helper], [helped]) if self.moves_from(helped.place.province) => {
                self.supports_last(&helper.place, None);
            }
            ([helper], [helped]) if self.board.is_occupied(helped.place.province) => {
                let line = format!(
                    "{} S {}",
                    self.name(&helper.place),
                    self.name(&helped.place)
                );
                self.orders.push(line);
            }
            ([helper], [to]) => self.supports_last(&helper.place, Some(to.place.province)),
            // "Black Sea helping it", "with support from Trieste" behind the move
            ([helper], []) | ([], [helper]) => self.supports_last(&helper.place, None),
            // "Our other squadron, in the Norwegian Sea, will assist it"
            ([], []) => {
                if let Some(helper) = self.spoken.filter(|spoken| spoken.alone) {
                    self.supports_last(&place(helper.at), None);
                }
            }
            _ => {}
        }
    }

    /// Whether the words behind a verb of support name who supports: `with the support of Munich`.
    fn is_of_helper(&self, text: &Text<'_>, support: Marker) -> bool {
        let mut behind = words(text).into_iter().filter(|at| *at >= support.end);
        behind.next().is_some_and(|at| {
            self.grammar
                .read("clause-of", text, at, self.names)
                .is_some()
        })
    }

    /// Whether a clause begins with this verb and says what the unit does that was spoken of: `Ionian: support Tunis`, `Kiel should
    /// better stay and support Denmark`.
    fn goes_on_with(&self, text: &Text<'_>, verb: Marker) -> bool {
        let begins = words(text).first() == Some(&verb.start);
        let says = text.source(verb.start..verb.end).to_lowercase();
        let stays = match (&self.pointed, self.spoken) {
            (Some(Pointed::Held(held)), Some(spoken)) => *held == spoken.at,
            (_, Some(spoken)) => spoken.alone,
            (_, None) => false,
        };
        begins && !says.ends_with("ed") && stays
    }

    /// The unit that was spoken of supports another where that stands, in place of holding.
    fn supports_by_spoken(&mut self, helped: &Mention) {
        let Some(spoken) = self.spoken else {
            return;
        };
        let helper = self.names.full_name(spoken.at).to_owned();
        let holds = format!("{helper} H");
        self.orders.retain(|order| *order != holds);
        let line = format!("{helper} S {}", self.name(&helped.place));
        self.orders.push(line);
    }

    /// `convoy the army in Yorkshire over to Norway with the North Sea fleet`, `North Sea convoys Yorkshire to Norway`.
    fn convoy(&mut self, named: &[Mention]) {
        let [first, second, third] = named else {
            return self.convoys_it(named);
        };
        let is_sea = |mention: &Mention| self.board.is_sea(mention.place.province);
        let (carrier, from, to) = match [first, second, third].map(is_sea) {
            [true, false, false] => (first, second, third),
            [false, false, true] => (third, first, second),
            // "London is ferried across the North Sea into Denmark"
            [false, true, false] => (second, first, third),
            _ => return,
        };
        let way = format!("{} - {}", self.name(&from.place), self.name(&to.place));
        let carrier = self.name(&carrier.place);
        self.orders.push(format!("{carrier} C {way}"));
        if self.board.is_own(from.place.province) {
            self.orders.push(way);
            self.pointed = Some(Pointed::Moved(Movement {
                from: from.place.province,
                to: to.place.province,
            }));
        }
    }

    /// A convoy of the move before: `North Africa lands in Rome. The Western Med and the Tyrrhenian convoy it.`
    fn convoys_it(&mut self, named: &[Mention]) {
        let (Some(Pointed::Moved(moved)), [carrier]) = (self.pointed.clone(), named) else {
            return;
        };
        let last = carrier.place.province;
        let other = self
            .spoken
            .filter(|spoken| spoken.alone && spoken.at != last);
        let carriers = other.map(|spoken| spoken.at).into_iter().chain([last]);
        for carrier in carriers.filter(|at| self.board.is_sea(*at) && self.board.is_own(*at)) {
            let [carrier, from, to] =
                [carrier, moved.from, moved.to].map(|at| self.names.full_name(at));
            let order = format!("{carrier} C {from} - {to}");
            self.orders.push(order);
        }
    }

    fn retreat(&mut self, clause: &str) {
        let text = Text::new(clause);
        let named = self.mentions(&text);
        let removes = self.marker("clause-remove", &text).is_some();
        match named.as_slice() {
            [unit] if removes => {
                let name = self.name(&unit.place);
                self.orders.push(format!("{name} DISBAND"));
            }
            [] if removes => {
                if let Some(at) = self.board.only_dislodged() {
                    let name = self.names.full_name(at);
                    self.orders.push(format!("{name} DISBAND"));
                }
            }
            [to] => {
                if let Some(from) = self.board.only_dislodged()
                    && from != to.place.province
                {
                    let line = format!("{} - {}", self.names.full_name(from), self.name(&to.place));
                    self.orders.push(line);
                }
            }
            [from, to] => {
                let line = format!("{} - {}", self.name(&from.place), self.name(&to.place));
                self.orders.push(line);
            }
            _ => {}
        }
    }

    fn adjustment(&mut self, clause: &str) {
        let text = Text::new(clause);
        let named = self.mentions(&text);
        if named.is_empty()
            && let Some(marker) = self.marker("clause-coast", &text)
        {
            return self.add_coast(text.source(marker.start..marker.end));
        }
        if self.marker("clause-remove", &text).is_some() {
            for unit in &named {
                let name = self.name(&unit.place);
                self.orders.push(format!("REMOVE {name}"));
            }
            return;
        }
        let kinds: Vec<(usize, UnitKind)> = words(&text)
            .into_iter()
            .filter_map(|at| Some((at, self.kind(&text, at)?)))
            .filter(|(at, _)| !named.iter().any(|one| (one.start..one.end).contains(at)))
            .collect();
        if self.marker("clause-empty", &text).is_some() {
            return;
        }
        // "One more fleet for His Majesty! Put her in the water at Edinburgh."
        if let (true, Some((_, kind))) = (named.is_empty(), kinds.first()) {
            self.wanted = Some(*kind);
            return self.build_at_all_sites(*kind, &text);
        }
        let carries =
            self.marker("clause-same", &text).is_some() || words(&text).len() <= MOST_OF_PLACE;
        let wanted = self.wanted.take();
        for unit in &named {
            let stands_before = kinds.iter().rev().find(|(at, _)| *at < unit.start);
            let kind = stands_before.or(kinds.first()).map(|(_, kind)| *kind);
            let kind = kind.or(wanted).or(self.built.filter(|_| carries));
            let Some(kind) = kind else {
                continue;
            };
            self.built = Some(kind);
            let kind = self.names.kind_name(kind);
            let name = self.name(&unit.place);
            self.orders.push(format!("BUILD {kind} {name}"));
        }
    }

    /// `Two armies, wherever there is room`: where there is room for just so many.
    fn build_at_all_sites(&mut self, kind: UnitKind, text: &Text<'_>) {
        let number = words(text).into_iter().find_map(|at| {
            let word = text.source(at..text.word_end(at)).to_lowercase();
            let number = NUMBERS.iter().position(|number| *number == word)?;
            Some(number + 1)
        });
        let sites = self.board.sites();
        if number != Some(sites.len()) {
            return;
        }
        for at in sites {
            let (kind, name) = (self.names.kind_name(kind), self.names.full_name(*at));
            self.orders.push(format!("BUILD {kind} {name}"));
        }
    }

    fn kind(&self, text: &Text<'_>, at: usize) -> Option<UnitKind> {
        kind_at(self.grammar, self.names, text, at)
    }

    /// Adds the coast to the build before: `a fleet in St Petersburg, northern side`.
    fn add_coast(&mut self, words: &str) {
        let letter = words.trim().chars().next();
        let last = self.orders.last_mut().filter(|last| !last.contains('/'));
        if let (Some(letter), Some(_), Some(last)) = (letter, self.built, last) {
            *last = format!("{last}/{}c", letter.to_ascii_lowercase());
        }
    }
}

/// A province to which words point back.
fn place(province: Province) -> PlaceWords {
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
    use crate::testing::names;
    use dipjudge_rules::map::{Map, Terrain};

    /// A board with units of the writer's in some provinces and of others in some.
    struct Board {
        own: Vec<Province>,
        others: Vec<Province>,
        sites: Vec<Province>,
    }

    impl BoardInSight for Board {
        fn is_own(&self, province: Province) -> bool {
            self.own.contains(&province)
        }

        fn is_occupied(&self, province: Province) -> bool {
            self.is_own(province) || self.others.contains(&province)
        }

        fn is_sea(&self, province: Province) -> bool {
            let info = Map::standard().info(province);
            info.is_some_and(|info| info.terrain == Terrain::Sea)
        }

        fn all_of_kind(&self, kind: UnitKind) -> Vec<Province> {
            let fleets = provinces(&["ion", "aeg"]).into_iter();
            let is_own = |at: &Province| kind == UnitKind::FLEET && self.own.contains(at);
            fleets.filter(is_own).collect()
        }

        fn all(&self) -> Vec<Province> {
            self.own.clone()
        }

        fn place_of_all(&self) -> Option<Province> {
            None
        }

        fn only_that_reaches(&self, kind: UnitKind, _: Province) -> Option<Province> {
            match self.all_of_kind(kind).as_slice() {
                [only] => Some(*only),
                _ => None,
            }
        }

        fn sites(&self) -> &[Province] {
            &self.sites
        }

        fn only_dislodged(&self) -> Option<Province> {
            self.own.first().copied().filter(|_| self.own.len() == 1)
        }
    }

    fn provinces(codes: &[&str]) -> Vec<Province> {
        let map = Map::standard();
        codes
            .iter()
            .filter_map(|code| map.find_province(code))
            .collect()
    }

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
                "Tyrolia goes to Trieste with the support of Venice and Ionian, and Apulia holds with support from Naples",
                "Tyrolia - Trieste; Venice S Tyrolia - Trieste; Ionian Sea S Tyrolia - Trieste; Apulia H; Naples S Apulia",
            ),
            ("Tyrolia to Trieste without support", "Tyrolia - Trieste"),
            (
                "everyone sits tight except Mun, Kie, Tyr, Tri, Bul, Con, Stp, Yor, Nth and the Ukrainian army",
                "Black Sea H; Moscow H; Venice H; Apulia H; Ionian Sea H",
            ),
            ("the Ukrainian army goes to Rumania", "Ukraine - Rumania"),
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
                "Yorkshire is ferried across the north sea into denmark",
                "North Sea C Yorkshire - Denmark; Yorkshire - Denmark",
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
        for (text, orders) in [
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
        ] {
            assert_eq!(read(text, PhaseKind::Adjustments, &[]), orders, "{text}");
        }
    }

    #[test]
    fn a_retreat_may_name_its_goal_or_the_end_of_its_unit() {
        for (text, orders) in [
            ("Hi, just take it off the board", "Venice DISBAND"),
            ("my army in Venice goes back to Tuscany", "Venice - Tuscany"),
        ] {
            assert_eq!(read(text, PhaseKind::Retreats, &["ven"]), orders, "{text}");
        }
    }
}

//! Submissions of players are sealed: their content can be read only through an `Access`. The engine makes one for the rules
//! when it adjudicates (`phases`, `requirements`). `project` makes one for a reader; it opens what the variant's declarations
//! open to him (`submission`). No other code can make one.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::people::AheadLine;
use super::submission::{ORDERS, OpenedBy, SubmissionKind};
use super::{Game, Variant, VariantGame, flows};
use crate::planted::{Leak, planted};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::VariantData;
use dipjudge_view::Viewer;

/// Whether the phase of a submission is adjudicated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubmissionAge {
    /// Its phase is in hand.
    Standing,
    /// Its phase was adjudicated.
    Played,
}

/// Opens submissions, and decides which ones.
#[derive(Clone, Copy)]
pub struct Access<'v> {
    variant: &'v dyn Variant,
    /// The reader; `None` for the rules, from which nothing is sealed.
    reader: Option<Viewer>,
    over: bool,
    blind_master: bool,
    foretells: bool,
    /// Whether masters must be able to read it too: for a master who acts as the reader.
    lent: bool,
}

impl<'v> Access<'v> {
    /// The access of the rules: for the engine, and for a caller who holds the whole position.
    pub(super) fn whole(variant: &'v dyn Variant) -> Access<'v> {
        Access {
            variant,
            reader: None,
            over: false,
            blind_master: false,
            foretells: false,
            lent: false,
        }
    }

    /// The access of a reader, for the projection.
    pub(super) fn of_reader(game: &Game, variant: &'v dyn Variant, reader: Viewer) -> Access<'v> {
        flows::read_as(reader);
        Access {
            reader: Some(reader),
            over: game.over(),
            blind_master: game.settings.blind_master,
            ..Access::whole(variant)
        }
    }

    /// The access of a master who acts as this reader: what the reader may read, without what is sealed from masters.
    pub(super) fn lent(self) -> Access<'v> {
        Access { lent: true, ..self }
    }

    /// The access of the rules in a prediction for a reader: what is sealed from him is sealed from them.
    pub(super) fn foretelling(game: &Game, variant: &'v dyn Variant, to: Viewer) -> Access<'v> {
        Access {
            foretells: true,
            ..Access::of_reader(game, variant, to)
        }
    }

    /// The same access once the game is over, for earlier submissions.
    pub(super) fn after_the_end(self, over: bool) -> Access<'v> {
        Access { over, ..self }
    }

    pub(super) fn variant(&self) -> &'v dyn Variant {
        self.variant
    }

    /// The reader, if it belongs to one.
    pub fn reader(&self) -> Option<Viewer> {
        self.reader
    }

    /// Whether the rules only make a prediction. Future draws are secret, so the rules must not draw then.
    pub fn foretells(&self) -> bool {
        self.foretells
    }

    /// Whether a power's present submissions of a kind are open.
    pub fn opens(&self, kind: &SubmissionKind, owner: Power) -> bool {
        self.opens_when(kind, owner, SubmissionAge::Standing)
    }

    fn opens_when(&self, kind: &SubmissionKind, owner: Power, age: SubmissionAge) -> bool {
        let Some(reader) = self.reader else {
            return true;
        };
        let played = age == SubmissionAge::Played;
        let moments = [(played, OpenedBy::Played), (self.over, OpenedBy::Over)];
        let come: Vec<OpenedBy> = moments
            .into_iter()
            .filter_map(|(come, moment)| come.then_some(moment))
            .collect();
        let reads = |reader| kind.is_read_by(reader, owner, &come, self.blind_master);
        (reads(reader) && (!self.lent || reads(Viewer::Master)))
            || (planted(Leak::Sealed) && reader == Viewer::Master && !kind.masters)
    }

    /// Whether a line that a power has stored for a later phase is open. A line that could not be read may be of any kind.
    pub(super) fn opens_line(&self, line: &AheadLine, owner: Power) -> bool {
        if line.kinds.is_empty() {
            return SubmissionKind::all(self.variant).all(|kind| self.opens(kind, owner));
        }
        let mut kinds = line.kinds.iter();
        kinds.all(|name| self.opens(SubmissionKind::named(self.variant, name), owner))
    }

    /// The open submissions of a power, by name.
    fn open<'s>(
        &self,
        submissions: &'s Submitted,
        owner: Power,
        age: SubmissionAge,
    ) -> BTreeMap<&'s str, &'s VariantData> {
        let all = submissions.0.iter();
        all.filter(|(slot, _)| {
            let kind = SubmissionKind::of_slot(self.variant, slot);
            self.opens_when(kind, owner, age)
        })
        .map(|(slot, data)| (slot.as_str(), data))
        .collect()
    }
}

impl VariantGame<'_> {
    /// Whether any submission of a player is sealed from masters, whether an order or one of the variant's own.
    pub fn keeps_from_masters(self) -> bool {
        !masters_read_orders(self.game) || self.keeps_own_from_masters()
    }

    /// Whether submissions of the variant's own are sealed from masters.
    pub fn keeps_own_from_masters(self) -> bool {
        let mut own = self.variant.submissions().iter();
        own.any(|kind| !masters_read(self.game, kind))
    }

    /// Whether masters may read what one of the variant's own lines submits, by the rule of its grammar that reads it.
    pub fn masters_read_line(self, rule: &str) -> bool {
        masters_read(self.game, SubmissionKind::of_line(self.variant, rule))
    }

    /// Whether masters may read submissions of this name. A submission that belongs to a unit's order follows the rule for
    /// orders.
    pub fn masters_read_slot(self, slot: &str) -> bool {
        let kind = SubmissionKind::of_slot(self.variant, slot);
        kind.name == ORDERS.name || masters_read(self.game, kind)
    }

    /// Whether masters may read lines for a later phase that are marked with these kinds.
    pub fn masters_read_kinds(self, kinds: &BTreeSet<String>) -> bool {
        let mut kinds = kinds.iter();
        kinds.all(|kind| masters_read(self.game, SubmissionKind::named(self.variant, kind)))
    }
}

/// Whether the orders of the phase in hand are open to masters.
pub fn masters_read_orders(game: &Game) -> bool {
    masters_read(game, &ORDERS)
}

fn masters_read(game: &Game, kind: &SubmissionKind) -> bool {
    let blind = game.settings.blind_master;
    kind.is_read_by(Viewer::Master, Power::NEUTRAL, &[], blind)
}

/// Submissions of one power, by the variant's names for them.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Submitted(BTreeMap<String, VariantData>);

impl Submitted {
    /// Stores or withdraws a submission.
    pub(super) fn put(&mut self, slot: &str, data: Option<VariantData>) {
        match data {
            Some(data) => self.0.insert(slot.to_owned(), data),
            None => self.0.remove(slot),
        };
    }

    /// The submission of this name, for the owner's `Sight`.
    pub(super) fn get(&self, slot: &str) -> Option<&VariantData> {
        self.0.get(slot)
    }

    /// The names of all submissions, for the owner's `Sight`.
    pub(super) fn slots(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes submissions that are not open.
    pub(super) fn keep_open(&mut self, access: &Access<'_>, owner: Power) {
        self.0
            .retain(|slot, _| access.opens(SubmissionKind::of_slot(access.variant, slot), owner));
    }
}

/// Prints no content, since it is sealed.
impl std::fmt::Debug for Submitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Submitted(sealed)")
    }
}

/// A submission that the rules keep in the variant's own state until they open it, read like a power's submissions. It is stored
/// as its content, which only the state of a game is written with (`KeptState::of`).
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Sealed<T>(T);

impl<T> Sealed<T> {
    /// Seals a value.
    pub fn new(content: T) -> Sealed<T> {
        Sealed(content)
    }

    pub(super) fn content(&self) -> &T {
        &self.0
    }

    /// The content, if it is open.
    pub fn open(&self, kind: &SubmissionKind, owner: Power, access: &Access<'_>) -> Option<&T> {
        access.opens(kind, owner).then_some(&self.0)
    }
}

impl<T> std::fmt::Debug for Sealed<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealed")
    }
}

impl Game {
    /// A power's submissions for the phase in hand, as far as they are open.
    pub fn submissions<'g>(
        &'g self,
        power: Power,
        access: &Access<'_>,
    ) -> BTreeMap<&'g str, &'g VariantData> {
        access.open(
            &self.standing(power).orders.submissions,
            power,
            SubmissionAge::Standing,
        )
    }

    /// A power's lasting submissions, as far as they are open.
    pub fn lasting_submissions<'g>(
        &'g self,
        power: Power,
        access: &Access<'_>,
    ) -> BTreeMap<&'g str, &'g VariantData> {
        access.open(
            &self.standing(power).submissions,
            power,
            SubmissionAge::Standing,
        )
    }

    /// A power's submissions for the phase adjudicated last, as far as they are open; for steps of a variant after that phase.
    pub fn played_submissions(
        &self,
        power: Power,
        access: &Access<'_>,
    ) -> BTreeMap<&str, &VariantData> {
        let past = self.past.last().filter(|past| past.number == self.number);
        past.and_then(|past| past.orders.get(&power))
            .map_or_else(BTreeMap::new, |orders| {
                access.open(&orders.submissions, power, SubmissionAge::Played)
            })
    }

    /// Removes all submissions that are not open, to obtain the game on which a prediction is made.
    pub(super) fn keep_open_submissions(&mut self, access: &Access<'_>) {
        for (power, standing) in &mut self.standings {
            standing.submissions.keep_open(access, *power);
            standing.orders.submissions.keep_open(access, *power);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::submission::Slots;
    use super::super::{
        Adjudication, Card, Course, Described, Event, GameEdit, Hidden, KeptState, SettingChange,
        State, Submissions, Views, apply,
    };
    use super::*;

    /// A variant with two kinds: a will that only its owner reads before the end, and an answer that masters read. It declares
    /// no other kind.
    struct Wills;

    const WILL: SubmissionKind = SubmissionKind {
        name: "will",
        slots: Slots::Named("will"),
        lines: &["will"],
        opens: &[OpenedBy::Over],
        ..SubmissionKind::SEALED
    };

    const ANSWER: SubmissionKind = SubmissionKind {
        name: "answer",
        slots: Slots::Begin("answer "),
        lines: &["answer"],
        opens: &[OpenedBy::Played],
        masters: true,
        ..SubmissionKind::SEALED
    };

    impl Described for Wills {
        fn card(&self) -> &'static Card {
            &Card::PLAIN
        }
    }

    impl Course for Wills {}

    impl Submissions for Wills {
        fn submissions(&self) -> &'static [SubmissionKind] {
            &[WILL, ANSWER]
        }
    }

    impl Adjudication for Wills {}

    impl Views for Wills {
        fn hides(&self, _: &Game) -> &'static [Hidden] {
            &[]
        }
    }

    const OWNER: Power = Power(0);

    fn game() -> Game {
        let mut game = crate::testing::created("wills");
        game.state = State::Running;
        for (name, lasting) in [
            ("will", true),
            ("answer 1", false),
            ("meant by 3", false),
            ("other", false),
        ] {
            let submitted = Event::Submitted {
                power: OWNER,
                name: name.to_owned(),
                data: Some(json!(1).into()),
                lasting,
            };
            apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &submitted);
        }
        game
    }

    fn open(game: &Game, access: &Access<'_>) -> Vec<String> {
        let lasting = game.lasting_submissions(OWNER, access).into_keys();
        let own = lasting.chain(game.submissions(OWNER, access).into_keys());
        own.map(str::to_owned).collect()
    }

    fn to_reader(game: &Game, reader: Viewer) -> Vec<String> {
        open(game, &Access::of_reader(game, &Wills, reader))
    }

    #[test]
    fn a_reader_opens_what_its_kind_opens_to_him_and_the_rules_open_all() {
        let mut game = game();
        let all = ["will", "answer 1", "meant by 3", "other"];
        assert_eq!(open(&game, &Access::whole(&Wills)), all);
        assert_eq!(to_reader(&game, Viewer::Power(OWNER)), all);
        assert_eq!(to_reader(&game, Viewer::Master), ["answer 1", "meant by 3"]);
        let nobody: [&str; 0] = [];
        assert_eq!(to_reader(&game, Viewer::Power(Power(1))), nobody);
        assert_eq!(to_reader(&game, Viewer::Observer), nobody);
        let blind = Event::Set(SettingChange::BlindMaster(true));
        apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &blind);
        assert_eq!(to_reader(&game, Viewer::Master), nobody);
        game.state = State::Over(super::super::Ending::Drawn(Vec::new()));
        assert_eq!(to_reader(&game, Viewer::Stranger), ["will"]);
    }

    #[test]
    fn a_prediction_holds_what_its_reader_may_read_and_no_seed() {
        let game = game();
        let now = jiff::Timestamp::UNIX_EPOCH;
        let future = GameEdit::foretelling(&game, &Wills, now, Viewer::Master);
        assert_eq!(
            open(&future.game, &Access::whole(&Wills)),
            ["answer 1", "meant by 3"]
        );
        assert_ne!(future.game.seed, game.seed);
        let sealed = Sealed::new(7);
        let rules = future.access();
        assert!(rules.foretells());
        assert_eq!(sealed.open(&WILL, OWNER, &rules), None);
        assert_eq!(sealed.open(&ANSWER, OWNER, &rules), Some(&7));
        let at_play = GameEdit::of(&game, &Wills, now).access();
        assert!(!at_play.foretells());
        assert_eq!(sealed.open(&WILL, OWNER, &at_play), Some(&7));
    }

    #[test]
    fn a_stored_line_is_read_by_whoever_reads_all_its_kinds() {
        let game = game();
        let reads = |kinds: &[&str], reader: Viewer| {
            let line = AheadLine {
                phase: "W1901A".to_owned(),
                line: String::new(),
                kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
            };
            Access::of_reader(&game, &Wills, reader).opens_line(&line, OWNER)
        };
        for (kinds, master) in [
            (&["orders"][..], true),
            (&["orders", "answer"], true),
            (&["orders", "will"], false),
            (&["undeclared"], false),
            (&["of another version"], false),
            // A line that could not be read may be a will.
            (&[], false),
        ] {
            assert!(reads(kinds, Viewer::Power(OWNER)), "{kinds:?}");
            assert_eq!(reads(kinds, Viewer::Master), master, "{kinds:?}");
            assert!(!reads(kinds, Viewer::Power(Power(1))), "{kinds:?}");
        }
    }

    #[test]
    fn sealed_things_are_stored_as_what_they_are_and_printed_as_nothing() {
        let game = game();
        let standing = game.standing(OWNER);
        assert_eq!(json!(standing.submissions), json!({"will": 1}));
        let written = KeptState::of(Sealed::new(Some(7)), |sealed, key| {
            VariantData::of(key.written(sealed)).unwrap()
        });
        assert_eq!(json!(written), json!(7));
        let bare: Sealed<Option<u8>> = serde_json::from_value(Value::Null).unwrap();
        assert_eq!(bare, Sealed::new(None));
        let printed = format!("{:?} {:?}", standing.submissions, Sealed::new(7));
        assert_eq!(printed, "Submitted(sealed) Sealed");
    }
}

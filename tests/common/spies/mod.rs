//! A variant that exists for tests alone, and that the search for leaks does not know: neither its oracle, nor its tables, nor its
//! twins name it. What hides there must be found by what is true of every variant.
//!
//! *Spies*: the standard game, in which each power has a spy in a province that is not its own. `SPY Mun` sends him there, unless
//! another's is there already, of whom nobody is told. Behind each movement he tells his owner, and nobody else, what was ordered there.
//! Where spies were is open once the game is over.

#![allow(dead_code)] // shared by several test programs; none needs all of it

use std::collections::BTreeMap;
use std::sync::LazyLock;

use dipjudge::calendar::Turn;
use dipjudge::game::project::{Sight, ToldGame};
use dipjudge::game::{
    Access, Adjudication, Audience, BoardSign, Card, Considered, Course, DataError, Described,
    Dice, Effect, Event, Fact, Game, Hidden, Interchange, KeepsState, KeptState, OpenedBy, Phase,
    Refusal, RememberedData, Section, Settings, Slots, Stored, Submission, SubmissionKind,
    Submissions, Variant, Views, refuse, unreadable,
};
use dipjudge::grammar::{Line, Value};
use dipjudge::map::{Power, PowerInfo, Province};
use dipjudge::orders::VariantData;
use dipjudge::planted::{Leak, planted};
use dipjudge::position::Position;
use dipjudge::variants::{NOT_OFFERED, add_for_tests};
use dipjudge::view::{SignLook, Viewer, Words};
use serde::{Deserialize, Serialize};

use super::strangers;

/// The variants that this program plays beside the judge's own.
static ADDED: LazyLock<Vec<&'static dyn Variant>> = LazyLock::new(|| {
    let built: &[&dyn Variant] = NOT_OFFERED;
    let own: [&dyn Variant; 2] = [strangers::VARIANT, &Spies];
    built.iter().copied().chain(own).collect()
});

/// Lets this process play the variants of tests; all of them.
pub(crate) fn add() -> &'static [&'static dyn Variant] {
    add_for_tests(&ADDED);
    &ADDED
}

struct Spies;

/// The step in which spies listen.
const LISTENING: &str = "listening";

/// What the variant keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    /// Where whose spy is.
    at: BTreeMap<Power, Province>,
    /// What each heard last.
    heard: BTreeMap<Power, String>,
}

impl State {
    fn of(game: &Game) -> State {
        game.state::<Spies>()
    }

    fn kept(&self) -> KeptState {
        let data = VariantData::of(self);
        data.expect("places and words can be told").into()
    }
}

impl KeepsState for Spies {
    type State = State;

    /// Where a spy is and what he heard is his owner's, and masters'.
    fn opened(&self, mut state: State, access: &Access<'_>) -> State {
        let open = |power: &Power| match access.reader() {
            Some(Viewer::Power(reader)) => reader == *power || access.opens(&SPY, *power),
            Some(Viewer::Observer | Viewer::Stranger) => access.opens(&SPY, *power),
            None | Some(Viewer::Master) => true,
        };
        let places = planted(Leak::SpyMark) || planted(Leak::SpySaved);
        state.at.retain(|power, _| open(power) || places);
        let heard = planted(Leak::SpyReport);
        state.heard.retain(|power, _| open(power) || heard);
        state
    }
}

const SPY: SubmissionKind = SubmissionKind {
    name: "spy",
    slots: Slots::Named("spy"),
    lines: &["spy"],
    opens: &[OpenedBy::Over],
    masters: true,
    ..SubmissionKind::SEALED
};

/// What a spy heard.
static HEARD: Words = Words {
    file: "spies/heard.md",
    text: "# Your spy\n\n{{ heard }}\n",
};

const CARD: Card = Card {
    name: "spies",
    title: "Spies",
    grammar: "line = spy\nspy = \"spy\" <province>\n",
    words: &[&HEARD],
    ..Card::PLAIN
};

impl Described for Spies {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl Course for Spies {
    fn first_state(&self, _: &[PowerInfo], _: &Position, _: &Settings, _: Dice) -> KeptState {
        State::default().kept()
    }

    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        let mut order = Vec::new();
        for phase in Phase::standard(turn).iter().cloned() {
            let moves = phase == Phase::Movement;
            order.push(phase);
            if moves {
                order.push(Phase::Own(LISTENING.to_owned()));
            }
        }
        order
    }
}

impl Submissions for Spies {
    fn can_read(&self, stored: Stored) -> Result<(), DataError> {
        match stored {
            Stored::State(data) => Stored::is::<State>(data),
            Stored::Submission("spy", data) => Stored::is::<Province>(data),
            _ => unreadable("Spies keeps nothing of the kind"),
        }
    }

    /// Where others' spies are is known to the leak alone.
    fn visible_state(&self, game: &Game, power: Power, _: &Access<'_>) -> RememberedData {
        let mut others = State::of(game).at;
        others.retain(|owner, _| *owner != power && planted(Leak::SpyAnswer));
        let at: Vec<Province> = others.into_values().collect();
        let told = VariantData::of(&at);
        told.expect("provinces can be told").into()
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
        let province = line.values().iter().find_map(|value| match value {
            Value::Province(province) => Some(*province),
            _ => None,
        });
        let Some(province) = province else {
            return refuse("A spy goes to a province.");
        };
        let others: Vec<Province> = sight.own.stored();
        let note = match others.contains(&province) {
            true => "He meets another's there.",
            false => "He is on his way.",
        };
        Ok(Considered {
            effects: vec![Effect::Submission(Submission {
                name: "spy".to_owned(),
                data: Some(VariantData::of(&province).expect("a province can be told")),
                lasting: true,
            })],
            notes: vec![note.into()],
        })
    }

    fn submissions(&self) -> &'static [SubmissionKind] {
        &[SPY]
    }

    fn submitted(
        &self,
        game: &ToldGame<'_>,
        power: Power,
    ) -> Vec<(&'static SubmissionKind, String)> {
        let own = game.lasting_submissions(power);
        let place = own
            .get("spy")
            .and_then(|data| data.stored::<Option<Province>>());
        let line = place.map(|place| (&SPY, format!("SPY {place}")));
        line.into_iter().collect()
    }
}

impl Adjudication for Spies {
    fn play(&self, _: &str, game: &Game, _: Dice, access: &Access<'_>) -> Vec<Event> {
        let mut state = State::of(game);
        let before = state.clone();
        let Some(past) = game.past.last() else {
            return Vec::new();
        };
        for power in game.all_powers() {
            let own = game.lasting_submissions(power, access);
            let Some(place) = own
                .get("spy")
                .and_then(|data| data.stored::<Option<Province>>())
            else {
                continue;
            };
            let mut units = past.position.units.iter();
            let unit = units.find(|unit| unit.at.province == place);
            let order = unit.and_then(|unit| {
                let orders = past.orders.get(&unit.power)?;
                orders.units.get(&unit.id)
            });
            let heard = match (unit, order) {
                (None, _) => "Nobody is there.".to_owned(),
                (Some(_), None) => "Nothing was ordered there.".to_owned(),
                (Some(unit), Some(order)) => format!("{} {}: {order:?}", unit.kind, unit.at),
            };
            state.at.insert(power, place);
            state.heard.insert(power, heard);
        }
        if state == before {
            return Vec::new();
        }
        let data = state.kept();
        vec![Event::Data { data }]
    }
}

impl Views for Spies {
    fn hides(&self, _: &Game) -> &'static [Hidden] {
        &[]
    }

    fn interchange(&self) -> Option<&dyn Interchange> {
        Some(self)
    }

    fn report(&self, game: &ToldGame<'_>) -> Vec<Section> {
        let heard = game.state(self).heard.into_iter();
        let sections = heard.map(|(power, heard)| {
            let to = match planted(Leak::SpyReport) {
                true => Audience::Everyone,
                false => Audience::Power(power),
            };
            Section::new(to.clone(), &HEARD).with("heard", Fact::text(to, heard))
        });
        sections.collect()
    }

    fn signs(&self, game: &ToldGame<'_>) -> Vec<BoardSign> {
        let at = game.state(self).at.into_iter();
        let signs = at.map(|(power, at)| {
            let to = match planted(Leak::SpyMark) {
                true => Audience::Everyone,
                false => Audience::Power(power),
            };
            BoardSign::new(to, at, SignLook::Token, "spy").of(power)
        });
        signs.collect()
    }
}

impl Interchange for Spies {
    fn write_state(&self, game: &ToldGame<'_>) -> serde_json::Map<String, serde_json::Value> {
        let mut at = game.state(self).at;
        let own = |power: &Power| game.access().opens(&SPY, *power);
        at.retain(|power, _| own(power) || planted(Leak::SpySaved));
        let told: BTreeMap<String, String> = at
            .into_iter()
            .map(|(power, at)| (format!("{power:?}"), at.to_string()))
            .collect();
        serde_json::Map::from_iter([("spies".to_owned(), serde_json::json!(told))])
    }
}

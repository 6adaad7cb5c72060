//! A small variant for tests: every power keeps a barn. After Spring each barn is filled by the draw of its harvest; then powers
//! with grain may give some away in a phase of its own. Villages are named by their players; the meadow has room for any number
//! of units, and is out of sight when the game is `misty`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::{Map as Object, Value, json};

use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Access, Adjudication, Ask, AskedOf, Card, Considered, Course, DataError, Described, Dice,
    Effect, Event, Game, Hidden, Horizon, Interchange, KeepsState, OwnPhase, Phase, Refusal,
    RememberedData, Requirements, Setting, StepJson, Submission, Submissions, Views,
};
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::{Map, Power};
use dipjudge_rules::orders::VariantData;
use dipjudge_view::Viewer;

pub(super) struct Barns;

/// Grain by the villages' keys.
type Grain = BTreeMap<String, u64>;

fn grain(game: &Game) -> Grain {
    game.state::<Barns>()
}

fn kept(grain: &Grain) -> Event {
    Event::Data {
        data: VariantData::of(grain).unwrap().into(),
    }
}

fn key(game: &Game, power: Power) -> String {
    game.key(power).to_owned()
}

const CARD: Card = Card {
    name: "barns",
    title: "Barns",
    grammar: "line = gift\ngift = \"give\" <number>\n",
    settings: &[Setting::one_of("weather", &["clear", "misty"])],
    phases: &[OwnPhase {
        name: "Gifts",
        season: None,
        letter: 'L',
    }],
    places: "MEA  Meadow  inland  shared\n army PAR BUR\n",
    ..Card::PLAIN
};

impl Described for Barns {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl KeepsState for Barns {
    type State = Grain;

    fn opened(&self, state: Grain, _: &Access<'_>) -> Grain {
        state
    }
}

impl Course for Barns {
    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        let mut phases = Phase::standard(turn).to_vec();
        if turn.season == Season::Spring {
            let own = ["Harvest", "Gifts"];
            phases.extend(own.map(|name| Phase::Own(name.to_owned())));
        }
        phases
    }

    fn players(&self, _map: &Map) -> RangeInclusive<usize> {
        1..=9
    }
}

impl Submissions for Barns {
    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
        let has: u64 = sight.own.stored();
        let number = line.number().and_then(|number| u64::try_from(number).ok());
        match number {
            Some(number) if number <= has => Ok(Considered {
                effects: vec![Effect::Submission(Submission {
                    name: "gift".to_owned(),
                    data: VariantData::of(&number).ok(),
                    lasting: false,
                })],
                notes: Vec::new(),
            }),
            _ => Err(format!("Your barn holds {has}.").into()),
        }
    }

    fn visible_state(&self, game: &Game, power: Power, _access: &Access<'_>) -> RememberedData {
        let has = grain(game).get(&key(game, power)).copied();
        VariantData::of(&has.unwrap_or_default()).unwrap().into()
    }
}

impl Adjudication for Barns {
    fn amend_requirements(
        &self,
        game: &Game,
        requirements: &mut Requirements,
        _access: &Access<'_>,
    ) {
        if game.phase != Phase::Own("Gifts".to_owned()) {
            return;
        }
        for power in game.all_powers() {
            if grain(game)
                .get(&key(game, power))
                .is_some_and(|has| *has > 0)
            {
                requirements
                    .due
                    .insert(power, Ask::Own(AskedOf::new(power, "GIVE lines")));
            }
        }
    }

    fn play(&self, phase: &str, game: &Game, dice: Dice, access: &Access<'_>) -> Vec<Event> {
        let mut grain = grain(game);
        for power in game.all_powers() {
            let key = key(game, power);
            if phase == "Harvest" {
                let drawn = dice.draw(&format!("S{}L/harvest/{key}", game.turn.year), 0, 4);
                *grain.entry(key).or_default() += drawn;
            } else if let Some(gift) = game.submissions(power, access).get("gift") {
                *grain.entry(key).or_default() -= gift.read::<u64>().unwrap();
            }
        }
        vec![kept(&grain)]
    }
}

impl Views for Barns {
    fn hides(&self, game: &Game) -> &'static [Hidden] {
        let weather = game.settings.own.get("weather");
        match weather.map(String::as_str) {
            Some("misty") => &[Hidden::Board],
            _ => &[],
        }
    }

    fn in_sight(&self, game: &Game, power: Power) -> Horizon {
        let own = game
            .position
            .units
            .iter()
            .filter(|unit| unit.power == power);
        Horizon {
            provinces: own.map(|unit| unit.at.province).collect(),
            ..Horizon::default()
        }
    }

    fn interchange(&self) -> Option<&dyn Interchange> {
        Some(self)
    }
}

impl Interchange for Barns {
    fn read_state(
        &self,
        keys: &Object<String, Value>,
        _game: &Game,
    ) -> Result<Vec<Event>, DataError> {
        let barns = keys.get("barns").cloned().unwrap_or_else(|| json!({}));
        let barns = serde_json::from_value(barns)
            .map_err(|_| "`barns` has to be numbers by village.".to_owned())?;
        Ok(vec![kept(&barns)])
    }

    fn write_state(&self, game: &ToldGame<'_>) -> Object<String, Value> {
        let mut seen = game.state(self);
        if let Some(Viewer::Power(power)) = game.reader() {
            seen.retain(|owner, _| *owner == game.key(power));
        }
        [("barns".to_owned(), json!(seen))].into_iter().collect()
    }

    fn steps(&self, before: &ToldGame<'_>, _after: &ToldGame<'_>) -> Vec<StepJson> {
        let given = |power: Power| {
            let gifts = before.submissions(power);
            let gift: u64 = gifts.get("gift")?.read().ok()?;
            let step = json!({"step": "gift", "from": before.key(power), "grain": gift});
            Some(StepJson::from(step))
        };
        before
            .known_powers()
            .into_iter()
            .filter_map(given)
            .collect()
    }
}

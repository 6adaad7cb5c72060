//! Positions of the rules page set up as games, and orders written to them as a mail's lines are.

use dipjudge::calendar::PhaseKind;
use dipjudge::calendar::{Season, Turn};
use dipjudge::commands::consider::{consider, ordered};
use dipjudge::commands::names::Names;
use dipjudge::commands::orders::{grammar_of, read_orders_by};
use dipjudge::game::project::Reader;
use dipjudge::game::{
    Effect, Event, Game, GameEdit, Phase, Seed, SettingChange, Variant, VariantGame, apply, phases,
};
use dipjudge::mails::outbound::{Templates, sections};
use dipjudge::map::{Location, Power, PowerInfo, Province, UnitKind};
use dipjudge::position::{Position, Unit, UnitId};
use dipjudge::variants;
use dipjudge::view::Viewer;

pub(crate) struct Table {
    pub(crate) edit: GameEdit<'static>,
    /// Units that the mail in hand has ordered.
    just_now: std::collections::BTreeSet<UnitId>,
}

impl Table {
    /// A game of these empires in Spring 1901, each with three armies aboard.
    pub(crate) fn of(empires: &[&str], settings: &[(&str, &str)]) -> Table {
        let variant = variants::of("space");
        let created = variant.card().created("space", Seed::new([7; 32]));
        let now = "2026-11-30T10:00:00Z".parse().unwrap();
        let game = apply::create(&created, now).unwrap();
        let mut edit = GameEdit::of(&game, variant, now);
        let own = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        edit.emit(Event::Set(SettingChange::Own(own)));
        edit.emit(Event::Dealt {
            powers: empires
                .iter()
                .map(|code| PowerInfo::by_code(code, &format!("Empire of {code}")))
                .collect(),
            holders: Vec::new(),
        });
        phases::begin(&mut edit);
        Table {
            edit,
            just_now: Default::default(),
        }
    }

    /// The position `JED: A MUN, 2 A ORB; ZOR: F STP/NC`, centers as `JED: MUN BER`, colonies alike.
    pub(crate) fn place(&mut self, units: &str, owners: &str, colonies: &str) {
        let mut position = Position::default();
        for (power, list) in self.by_power(units, ',') {
            for text in list {
                let (count, text) = match text.split_once(' ') {
                    Some((count, rest)) if count.parse::<usize>().is_ok() => {
                        (count.parse().unwrap(), rest.to_owned())
                    }
                    _ => (1, text),
                };
                let (kind, at) = text.split_once(' ').unwrap();
                for _ in 0..count {
                    position.units.push(Unit {
                        id: position.free_id(),
                        power,
                        kind: kind.parse::<UnitKind>().unwrap(),
                        at: at.parse::<Location>().unwrap(),
                    });
                }
            }
        }
        for (power, list) in self.by_power(owners, ' ') {
            for center in list {
                position.owners.insert(center.parse().unwrap(), power);
            }
        }
        self.edit.emit(Event::Board { position });
        let colonies: serde_json::Map<String, serde_json::Value> = self
            .by_power(colonies, ' ')
            .into_iter()
            .map(|(power, list)| (self.game().key(power).to_owned(), list.into()))
            .collect();
        let mut keys = serde_json::Map::new();
        keys.insert("colonies".to_owned(), colonies.into());
        let events = self.variant().read_state(&keys, self.game()).unwrap();
        events.into_iter().for_each(|event| self.edit.emit(event));
    }

    fn by_power(&self, text: &str, between: char) -> Vec<(Power, Vec<String>)> {
        text.split(';')
            .filter_map(|side| side.split_once(':'))
            .map(|(name, list)| {
                let list = list
                    .split(between)
                    .map(|one| one.trim().trim_end_matches(',').to_owned())
                    .filter(|one| !one.is_empty());
                (self.power(name.trim()), list.collect())
            })
            .collect()
    }

    pub(crate) fn open(&mut self, season: Season, year: i32, phase: Phase) {
        self.edit.emit(Event::Opened {
            turn: Turn { year, season },
            phase,
        });
    }

    pub(crate) fn game(&self) -> &Game {
        &self.edit.game
    }

    pub(crate) fn variant(&self) -> &'static dyn Variant {
        self.edit.variant
    }

    pub(crate) fn power(&self, name: &str) -> Power {
        let found = self
            .game()
            .all_powers()
            .find(|power| self.game().key(*power) == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    }

    /// A new mail begins.
    pub(crate) fn mail(&mut self) {
        self.just_now.clear();
    }

    /// One line of the mail; what was said against it.
    pub(crate) fn write(&mut self, power: Power, line: &str) -> Result<Vec<String>, String> {
        let roster = VariantGame::new(self.game(), self.variant())
            .seen_by(Viewer::Power(power))
            .roster();
        let names = Names::of(self.game().map(), roster);
        let kind = match self.game().phase {
            Phase::Movement => PhaseKind::Movement,
            Phase::Retreats => PhaseKind::Retreats,
            _ => PhaseKind::Adjustments,
        };
        let mut notes = Vec::new();
        for words in read_orders_by(grammar_of(self.variant()), line, kind, &names) {
            let words = words.map_err(|error| error.to_string())?;
            let mut sight = VariantGame::new(self.game(), self.variant()).sight_of(power);
            sight.said.units.clone_from(&self.just_now);
            let considered =
                consider(&sight, self.variant(), &words).map_err(|said| said.join("  "))?;
            self.just_now
                .extend(ordered(&sight, &words, &considered.effects));
            considered
                .effects
                .into_iter()
                .for_each(|effect| self.act(power, effect));
            notes.extend(considered.notes);
        }
        Ok(notes)
    }

    fn act(&mut self, power: Power, effect: Effect) {
        self.edit.emit(effect.event(power));
    }

    pub(crate) fn run(&mut self) {
        phases::run(&mut self.edit).expect("the results hold");
        self.mail();
    }

    /// Whose colony a province is.
    pub(crate) fn colony(&self, province: &str) -> Option<String> {
        let colonies: serde_json::Value = self.game().data().read::<serde_json::Value>().unwrap();
        let owner = colonies["colonies"].get(province)?.as_u64()?;
        let power = Power(u8::try_from(owner).unwrap());
        Some(self.game().key(power).to_owned())
    }

    /// All lines of the report of the phase just played.
    pub(crate) fn report(&self) -> Vec<String> {
        let game = self.game();
        let played = game.last.as_ref().unwrap();
        let reader = Reader::observer(game);
        let report = VariantGame::new(game, self.variant())
            .read_by(&reader)
            .phase_report(game, played);
        crate::told::lines(&sections(&Templates::built_in(), &report.sections).unwrap())
    }
}

pub(crate) fn province(code: &str) -> Province {
    code.parse().unwrap()
}

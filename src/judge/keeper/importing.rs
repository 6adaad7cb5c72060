//! `import`: a game that was played elsewhere. It is played again from its orders, and each report is compared with what its mails say; so
//! nothing is taken over that the rules do not give.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::KeeperRefusal;
use crate::clock::processing;
use crate::orders::lines::{self, OrderOutcomes};
use crate::people::creating::check_name;
use crate::people::offering;
use crate::work::acting::Refusal;
use crate::work::game_work::OpenGame;
use crate::work::{GameWork, Work};
use dipjudge_commands::names::Names;
use dipjudge_commands::power_list::read_power;
use dipjudge_game::{Ending, Event, Offered, SettingChange, State, Variant, VariantGame, phases};
use dipjudge_mails::inbound::Address;
use dipjudge_mails::kept::{self, KeptGame, KeptPhase};
use dipjudge_rules::map::Power;
use dipjudge_rules::notation;
use dipjudge_rules::position::NamedUnit;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// A game to take over, with what its mails do not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// What its mails say.
    pub game: KeptGame,
    /// Another name for it, where its own is taken.
    pub name: Option<String>,
    /// Addresses by power, or by `Master`; before those that the mails name.
    pub people: BTreeMap<String, String>,
    /// The last phase that is taken over; `None` for all.
    pub until: Option<String>,
}

/// Makes the game. It is paused until its master resumes it, unless it is over.
pub(super) fn import(work: &mut Work, import: &Import) -> Result<Vec<String>, KeeperRefusal> {
    let name = import.name.as_ref().unwrap_or(&import.game.name);
    let keeper = work.judge.settings.keeper.clone();
    check_name(work, &keeper, name)?;
    let (variant, gunboat) = variant_of(&import.game.variant)?;
    let seed = dipjudge_game::Seed::new(work.ids.seed());
    let created = variant.card().created(name, seed);
    let game = dipjudge_game::apply::create(&created, work.now)
        .map_err(|_| KeeperRefusal("the game could not be made".to_owned()))?;
    let mut open = OpenGame::of(&game, work.now);
    open.edit.events.push(created);
    let said = Importing {
        work: GameWork::new(work, &mut open),
        import,
        gunboat,
    }
    .whole()?;
    work.close(open);
    Ok(said)
}

/// The variant that a header names, and whether the game is gunboat.
fn variant_of(words: &str) -> Result<(&'static dyn Variant, bool), KeeperRefusal> {
    let told = words.to_lowercase();
    let gunboat = told.contains("gunboat");
    if told.contains("blind") {
        return refused("the board is hidden in it, so no mail holds the whole");
    }
    let bare = told.replace("gunboat", "").replace(',', " ");
    let bare = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = |variant: &&&'static dyn Variant| {
        let card = variant.card();
        let standard = card.name == "standard" && (bare.is_empty() || bare == "standard");
        standard || card.title.to_lowercase() == bare || card.name == bare
    };
    let Some(variant) = variants::ALL.iter().find(fits) else {
        return refused(format!("'{words}' is no variant of this judge"));
    };
    let card = variant.card();
    let has_standard_powers = card.standard_movement && card.places.is_empty();
    if card.name != "standard" && !has_standard_powers {
        return refused(format!(
            "results of {} do not hold all that its players sent, so such a game cannot be played again from them",
            card.title
        ));
    }
    Ok((*variant, gunboat))
}

fn refused<T>(why: impl Into<String>) -> Result<T, KeeperRefusal> {
    Err(KeeperRefusal(why.into()))
}

struct Importing<'g, 'j> {
    work: GameWork<'g, 'j>,
    import: &'g Import,
    gunboat: bool,
}

impl Importing<'_, '_> {
    fn whole(mut self) -> Result<Vec<String>, KeeperRefusal> {
        self.begin();
        let until = self.import.until.as_deref();
        let mut reached = until.is_none();
        let phases = self.import.game.phases.len();
        for (played, phase) in self.import.game.phases.iter().enumerate() {
            if self.work.game().over() {
                return refused(format!(
                    "the game is over by its rules after {played} phases, and results of {} follow",
                    phase.token
                ));
            }
            self.play(phase)?;
            if until.is_some_and(|until| self.is_named(phase, until)) {
                reached = true;
                break;
            }
        }
        if !reached {
            return refused("no phase of it has the name behind --until");
        }
        if until.is_none() {
            self.end()?;
        }
        if self.gunboat && !self.work.game().over() {
            return refused(
                "it hides who leads what and is not over, so it can be finished only where it was begun",
            );
        }
        let game = self.work.game();
        let mut said = vec![format!(
            "Game '{}' has been made from its mails: {} of {phases} phases, played again and found the same.",
            game.name, game.number
        )];
        if game.over() {
            said.push("It is over; LIST, SUMMARY and HISTORY show it.".to_owned());
        } else {
            said.extend(self.offer_seats()?);
        }
        Ok(said)
    }

    fn begin(&mut self) {
        let zone = self.work.judge.settings.timezone.clone();
        self.work.emit(Event::Set(SettingChange::Timezone(zone)));
        for change in self.work.variant().card().settings_at_first() {
            self.work.emit(Event::Set(change));
        }
        self.work.emit(Event::Set(SettingChange::Moderated(true)));
        if self.gunboat {
            self.work.emit(Event::Set(SettingChange::Gunboat(true)));
        }
        let game = self.work.game();
        let (map, count) = (game.map(), game.map().powers().len());
        let powers = self.work.variant().powers(map, count, &game.settings);
        self.work.emit(Event::Dealt {
            powers,
            holders: Vec::new(),
        });
        phases::begin(&mut self.work.open.edit);
    }

    fn is_named(&self, phase: &KeptPhase, words: &str) -> bool {
        let card = self.work.variant().card();
        let one = card.phase_named(&phase.token);
        one.is_ok() && one == card.phase_named(words)
    }

    fn play(&mut self, phase: &KeptPhase) -> Result<(), KeeperRefusal> {
        let token = self.work.game().token(self.work.variant());
        if !self.is_named(phase, &token) {
            return refused(format!(
                "the game is in {token} by its rules, but results of {} come next: those of {token} are missing, or something else changed the board",
                phase.token
            ));
        }
        self.compare_units(phase)?;
        for (power, orders) in &phase.orders {
            let power = self.power(power)?;
            self.give(phase, power, orders)?;
        }
        let before = self.work.game().clone();
        processing::process(&mut self.work, &[]);
        if matches!(self.work.game().state, State::Halted { .. }) {
            return refused(format!(
                "the results of {token} do not pass the judge's check"
            ));
        }
        if phase.said.is_empty() {
            return Ok(());
        }
        let report = processing::last_report(&self.work, &before).unwrap_or_default();
        let ours = kept::phase(&phase.token, &report);
        let only_in = |one: &[String], other: &[String]| {
            let other: BTreeSet<&String> = other.iter().collect();
            let lines = one.iter().filter(|line| !other.contains(line)).take(3);
            lines.cloned().collect::<Vec<_>>().join("; ")
        };
        if ours.said == phase.said {
            return Ok(());
        }
        refused(format!(
            "in {token} the mails say [{}], where the rules give [{}]: take the game over until the phase before (--until), and let its master see to the rest",
            only_in(&phase.said, &ours.said),
            only_in(&ours.said, &phase.said)
        ))
    }

    /// The power that a report or a saved game names.
    fn power(&self, name: &str) -> Result<Power, KeeperRefusal> {
        let roster = self.work.variant_game().seen_by(Viewer::Master).roster();
        read_power(name, &roster)
            .map_err(|_| KeeperRefusal(format!("'{name}' is no power of this game")))
    }

    fn give(
        &mut self,
        phase: &KeptPhase,
        power: Power,
        orders: &[String],
    ) -> Result<(), KeeperRefusal> {
        let roster = self.work.variant_game().seen_by(Viewer::Master).roster();
        let names = Names::shared(self.work.game().map(), &roster);
        for line in orders {
            let mut taken = OrderOutcomes::default();
            lines::take(&mut self.work, power, line, &names, &mut taken);
            if taken.errors > 0 || taken.accepted == 0 {
                let why = taken.answers.into_iter().flat_map(|answer| answer.lines);
                let why: Vec<String> = why.collect();
                return refused(format!(
                    "the order '{line}' of {} cannot be given: {}",
                    phase.token,
                    why.join("  ")
                ));
            }
        }
        Ok(())
    }

    /// Compares where units stand with what a saved game says of it.
    fn compare_units(&self, phase: &KeptPhase) -> Result<(), KeeperRefusal> {
        let game = self.work.game();
        for (name, units) in &phase.units {
            let power = self.power(name)?;
            let standing = units.iter().filter(|unit| !unit.starts_with('*'));
            let told: Result<Vec<NamedUnit>, _> = standing
                .map(|unit| notation::unit(game.map(), unit))
                .collect();
            let told = told.map_err(|error| {
                KeeperRefusal(format!("a unit of {name} in {}: {error}", phase.token))
            })?;
            let own = game.position.units.iter();
            let own: Vec<NamedUnit> = own
                .filter(|unit| unit.power == power)
                .map(NamedUnit::from)
                .collect();
            let same = own.len() == told.len() && told.iter().all(|unit| own.contains(unit));
            if !same {
                return refused(format!(
                    "in {} the units of {name} stand elsewhere than the rules have them",
                    phase.token
                ));
            }
        }
        Ok(())
    }

    /// Ends the game as its mails say, if it is not over by its rules.
    fn end(&mut self) -> Result<(), KeeperRefusal> {
        let Some(told) = self.import.game.ending.as_deref() else {
            return Ok(());
        };
        if self.work.game().over() {
            return Ok(());
        }
        let (how, who) = told.split_once(':').unwrap_or((told, ""));
        let letters = who.trim().chars().map(|letter| letter.to_string());
        let drawn: Result<Vec<Power>, KeeperRefusal> =
            letters.map(|letter| self.power(&letter)).collect();
        let ending = match how.trim() {
            "Draw Declared" => Ending::Drawn(drawn?),
            "Game Terminated" => Ending::Terminated,
            how if how.starts_with("Game Conceded to ") => {
                let to = how.trim_start_matches("Game Conceded to ").trim();
                Ending::Conceded(self.power(to)?)
            }
            _ => {
                return refused(format!(
                    "the mails say `{told}`, but by the rules the game goes on"
                ));
            }
        };
        self.work.emit(Event::Ended {
            ending: ending.clone(),
        });
        processing::tell_ending(&mut self.work, &ending);
        Ok(())
    }

    /// Offers the powers, and the master's place, to who held them. The game waits for its master.
    fn offer_seats(&mut self) -> Result<Vec<String>, KeeperRefusal> {
        self.work.emit(Event::Paused);
        let mut people = self.import.game.people.clone();
        people.extend(self.import.people.clone());
        let master = people.remove("Master").or_else(|| people.remove("master"));
        let Some(master) = master else {
            return refused(
                "its mails do not say who its master is: name him with --player Master=ADDRESS",
            );
        };
        let mut said = vec![format!(
            "It is paused. {master} is asked to be its master, and goes on with RESUME."
        )];
        offering::offer(&mut self.work, &address(&master)?, Offered::Master);
        let game = self.work.game();
        let variant = self.work.variant();
        let vacant: Vec<Power> = VariantGame::new(game, variant).powers_taking_part();
        let mut offered = BTreeSet::new();
        for (name, who) in &people {
            let power = self.power(name)?;
            if vacant.contains(&power) {
                offering::offer(&mut self.work, &address(who)?, Offered::Power(power));
                offered.insert(power);
                said.push(format!("{who} is asked to lead {name}."));
            }
        }
        let roster = self.work.variant_game().seen_by(Viewer::Master).labels();
        let open = vacant.into_iter().filter(|power| !offered.contains(power));
        said.extend(open.map(|power| {
            format!(
                "The mails do not say where the player of {} reads mail. Name him with --player, or whoever signs on leads it.",
                roster.name(power)
            )
        }));
        Ok(said)
    }
}

fn address(words: &str) -> Result<String, KeeperRefusal> {
    let address = Address::parse(words.trim());
    address
        .map(|address| address.key())
        .map_err(|_| KeeperRefusal::from(Refusal::from(format!("'{words}' is not an address"))))
}

//! Scenes on a board on which nobody else moves: something happens out of a reader's sight, and he is shown that phase later, when
//! he sees more than he saw then, or what was there is gone.

use std::collections::BTreeSet;
use std::ops::Range;

use dipjudge::game::{Game, Phase};
use dipjudge::map::{Location, Power, Province};
use dipjudge::position::{Position, Unit, UnitId};
use dipjudge::variants;
use jiff::{SignedDuration, Timestamp};

use super::author::Run;
use super::conditions::then;
use super::dice::Dice;
use super::fixture::{Fixture, GAME};
use super::fog;
use super::letters::Line;
use super::scenes::{Said, Scenes, place};
use super::stage::log;
use super::twins::{Kind, Pair};

/// Attacks that are tried for a scene.
const TRIES: usize = 3;

/// A unit, two places of which it leaves one for the other, and somebody whose own unit comes to see one of them when it is empty.
#[derive(Clone)]
struct Passage {
    /// Whose unit it is, what it is, and where it stands.
    unit: Unit,
    to: Location,
    /// Whether it comes back: then it stands where it stood in the end, else where it went.
    comes_back: bool,
    /// The unit of whoever comes to see it, and where that goes.
    reader: Unit,
    looks_from: Location,
}

/// Two units of one power that dislodge one of another.
#[derive(Clone)]
struct Attack {
    dislodged: Unit,
    attacker: Unit,
    to: Location,
    supporter: Unit,
}

/// A movement phase of a still run: its place, its hours, and the game when it opened.
struct Movement {
    place: usize,
    hours: Range<Timestamp>,
    game: Game,
}

impl Scenes<'_> {
    /// A unit is where another player's unit sees only later that nobody is there any more; or it is not. Then he asks for the
    /// map of the phase in which it was there.
    pub(super) fn hindsight(&self, dice: &mut Dice) -> Option<Pair> {
        let movements = self.movements_of_all();
        let [first, second, ..] = movements.as_slice() else {
            return None;
        };
        let passages = passages(&first.game, self.fixture);
        let Passage {
            unit,
            to,
            comes_back,
            reader,
            looks_from,
        } = dice.pick(&passages)?.clone();
        let (author, asks) = (self.leader(unit.power)?, self.leader(reader.power)?);
        let end = self.end(second.place);
        let mut pair = self.pair(
            Kind::Detour,
            vec![self.asks_for_map(end, asks, &first.game, &first.game.phase)],
            end + SignedDuration::from_mins(5),
            vec![author],
        );
        let (here, there) = (unit.at, to);
        let kind = unit.kind;
        let goes = |from: Location, to: Location| format!("{kind} {from}-{to}");
        let holds = |at: Location| format!("{kind} {at} H");
        let (one, other) = match comes_back {
            true => (
                [goes(here, there), goes(there, here)],
                [holds(here), holds(here)],
            ),
            false => (
                [goes(here, there), holds(there)],
                [holds(here), goes(here, there)],
            ),
        };
        let looks = format!("{} {}-{looks_from}", reader.kind, reader.at);
        for (run, [early, late]) in [(&mut pair.one, one), (&mut pair.other, other)] {
            // In the second phase it may stand at either place.
            orders(run, author, &first.hours, &[here.province], &early);
            let places = [here.province, there.province];
            orders(run, author, &second.hours, &places, &late);
            orders(run, asks, &second.hours, &[reader.at.province], &looks);
        }
        Some(pair)
    }

    /// A unit that was dislodged out of somebody's sight disbands, or retreats to where he does not see it either.
    pub(super) fn wreck(&self, dice: &mut Dice) -> Option<Pair> {
        let first = self.movements_of_all().into_iter().next()?;
        let mut attacks = attacks(&first.game, self.fixture);
        for _ in 0..TRIES {
            if attacks.is_empty() {
                return None;
            }
            let attack = attacks.swap_remove(dice.below(attacks.len()));
            let pair = self.wreck_by(&first, &attack);
            if pair.is_some() {
                return pair;
            }
        }
        None
    }

    fn wreck_by(&self, first: &Movement, attack: &Attack) -> Option<Pair> {
        let (fixture, lost) = (self.fixture, &attack.dislodged);
        let Attack {
            attacker,
            to,
            supporter,
            ..
        } = attack;
        let attacks = self.leader(attacker.power)?;
        let goes = format!("{} {}-{to}", attacker.kind, attacker.at);
        let supports = format!("{} {} S {goes}", supporter.kind, supporter.at);
        let letters = self.quiet.run.letters.iter();
        let letters = letters.filter(|letter| letter.at < first.hours.end);
        let mut run = Run {
            letters: letters.cloned().collect(),
            until: first.hours.end + SignedDuration::from_mins(1),
        };
        for (unit, order) in [(attacker, &goes), (supporter, &supports)] {
            orders(&mut run, attacks, &first.hours, &[unit.at.province], order);
        }
        let ran = run.perform(fixture, self.templates);
        let scenes = Scenes {
            quiet: &ran,
            ..*self
        };
        let game = then(&log(&ran.kept.records, GAME), run.until)?;
        let deadline = game.timing.times?.deadline;
        let dislodged = game.position.dislodged_from(lost.at.province)?;
        let mut options = dislodged.options.iter().filter(|to| {
            let unseen = |reader: &Power| {
                let sees = fog::horizon(&game, &game.position, *reader, fixture);
                !sees.contains(&lost.at.province) && !sees.contains(&to.province)
            };
            let parties = [lost.power, attacker.power];
            let mut others = game.all_powers().filter(|one| !parties.contains(one));
            others.any(|other| unseen(&other))
        });
        let to = options.next()?;
        let leader = self.leader(lost.power)?;
        let unit = format!("{} {}", lost.kind, lost.at);
        let said = vec![Said::otherwise(
            self.minute(first.hours.end, 5),
            leader,
            self.sign(leader),
            vec![Line::Order(format!("{unit} D"))],
            vec![Line::Order(format!("{unit}-{to}"))],
        )];
        let until = deadline + SignedDuration::from_mins(30);
        Some(scenes.pair(Kind::FarSide, said, until, vec![leader]))
    }

    /// The question for the map of a phase.
    fn asks_for_map(&self, at: Timestamp, asks: usize, game: &Game, phase: &Phase) -> Said {
        let card = variants::of(self.fixture.variant).card();
        let name = card.phase_name(phase, game.turn);
        let line = Line::Ask(format!("MAP {GAME} {name}"));
        Said::alike(at, asks, self.sign(asks), vec![line])
    }

    /// The movement phases of the quiet run.
    fn movements_of_all(&self) -> Vec<Movement> {
        let records = log(&self.quiet.kept.records, GAME);
        let openings: Vec<Timestamp> = self.openings().into_iter().map(|one| one.0).collect();
        let ends = openings.iter().skip(1).copied();
        let phases = openings.iter().copied().zip(ends).enumerate();
        let movements = phases.filter_map(|(place, (opened, closed))| {
            let game = then(&records, opened + SignedDuration::from_secs(1))?;
            (game.phase == Phase::Movement).then_some(Movement {
                place,
                hours: opened..closed,
                game,
            })
        });
        movements.collect()
    }

    fn leader(&self, power: Power) -> Option<usize> {
        let mut players = self.players().into_iter();
        players.find_map(|(person, leads)| (leads == power).then_some(person))
    }
}

/// Somebody's orders of a stretch of time say something else of the unit that stands in one of these places.
fn orders(
    run: &mut Run,
    leader: usize,
    hours: &Range<Timestamp>,
    places: &[Province],
    order: &str,
) {
    let of_unit = |line: &Line| match line {
        Line::Order(text) => place(text).is_some_and(|place| places.contains(&place)),
        _ => false,
    };
    let letters = run.letters.iter_mut();
    for letter in letters.filter(|one| one.from == leader && hours.contains(&one.at)) {
        if letter.lines.iter().any(of_unit) {
            letter.lines.retain(|line| !of_unit(line));
            letter.lines.push(Line::Order(order.to_owned()));
        }
    }
}

/// Places to which a unit can go that are free, no centers, and have one coast.
fn free_places<'g>(game: &'g Game, unit: &Unit) -> impl Iterator<Item = Location> + use<'g> {
    let map = game.map();
    let reach = map.reach(map.travel(unit.kind), unit.at).iter().copied();
    reach.filter(move |to| {
        let center = map.info(to.province).is_none_or(|info| info.center);
        !center && to.coast.is_none() && game.position.standing(to.province).is_none()
    })
}

/// The board after one move.
fn moved(position: &Position, id: UnitId, to: Location) -> Position {
    let mut position = position.clone();
    for unit in position.units.iter_mut().filter(|unit| unit.id == id) {
        unit.at = to;
    }
    position
}

/// All passages of a board, of units of one power past the eyes of another.
fn passages(game: &Game, fixture: &Fixture) -> Vec<Passage> {
    let (map, position) = (game.map(), &game.position);
    let mut found = Vec::new();
    for reader in &position.units {
        let before = fog::horizon(game, position, reader.power, fixture);
        for looks_from in free_places(game, reader) {
            let after = moved(position, reader.id, looks_from);
            let after = fog::horizon(game, &after, reader.power, fixture);
            let new: BTreeSet<Province> = after.difference(&before).copied().collect();
            let unseen = |at: Province| !before.contains(&at) && !after.contains(&at);
            for unit in position.units.iter().filter(|unit| {
                let center = map.info(unit.at.province).is_none_or(|info| info.center);
                unit.power != reader.power && unit.at.coast.is_none() && !center
            }) {
                for to in free_places(game, unit) {
                    let comes_back = new.contains(&to.province) && unseen(unit.at.province);
                    let goes = new.contains(&unit.at.province) && unseen(to.province);
                    if comes_back || goes {
                        found.push(Passage {
                            unit: *unit,
                            to,
                            comes_back,
                            reader: *reader,
                            looks_from,
                        });
                    }
                }
            }
        }
    }
    found
}

/// All attacks by which a unit is dislodged if nobody else moves, and which some power does not see.
fn attacks(game: &Game, fixture: &Fixture) -> Vec<Attack> {
    let (map, units) = (game.map(), &game.position.units);
    let mut found = Vec::new();
    for dislodged in units {
        let at = dislodged.at.province;
        let reaches = |unit: &Unit| {
            let reach = map.reach(map.travel(unit.kind), unit.at).iter();
            reach.copied().find(|to| to.province == at)
        };
        let hidden = game.all_powers().any(|power| {
            let sees = fog::horizon(game, &game.position, power, fixture);
            !sees.contains(&at)
        });
        let foes = units.iter().filter(|unit| unit.power != dislodged.power);
        let able: Vec<(&Unit, Location)> = foes
            .filter_map(|unit| Some((unit, reaches(unit)?)))
            .collect();
        for (attacker, to) in able.iter().filter(|_| hidden) {
            let helps = |(other, _): &&(&Unit, Location)| {
                other.power == attacker.power && other.id != attacker.id
            };
            found.extend(able.iter().filter(helps).map(|(supporter, _)| Attack {
                dislodged: *dislodged,
                attacker: **attacker,
                to: *to,
                supporter: **supporter,
            }));
        }
    }
    found
}

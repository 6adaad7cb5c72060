//! What a birth becomes: by nature, by its owner's line, by lot (`rules.md`, A.7, rulings 8 to 11, 23, 24, 26).

use super::generation::{self, Birth, Generation};
use super::wishes::{ANY, Wish, coasts, leaves_open, wish};
use super::{BIRTHS, ends};
use dipjudge_game::{Access, Ask, AskedOf, Dice, Event, Game, Phase, Requirements};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Coast, Map, Power, Province, UnitKind};

/// Draws for births of a turn: each a stream of its own, so that their order does not matter.
struct BirthDraws<'g> {
    dice: Dice<'g>,
    turn: Turn,
}

impl BirthDraws<'_> {
    fn draw(&self, purpose: &str, province: Province, of: usize) -> usize {
        let stream = format!("{}/{purpose}/{province}", super::code(self.turn));
        usize::try_from(self.dice.draw(&stream, 0, of as u64)).unwrap_or(0)
    }

    fn kind(&self, province: Province) -> UnitKind {
        match self.draw("birth-type", province, 2) {
            0 => UnitKind::ARMY,
            _ => UnitKind::FLEET,
        }
    }

    /// One of the coasts, which count in alphabetical order.
    fn coast(&self, province: Province, coasts: &[Coast]) -> Option<Coast> {
        let mut sorted = coasts.to_vec();
        sorted.sort_by_key(|coast| coast.as_str());
        let drawn = self.draw("birth-coast", province, sorted.len());
        sorted.get(drawn).copied()
    }
}

/// Decides an open birth by its owner's wish. What the wish leaves out is drawn; without draws the birth stays open.
fn decide(map: &Map, birth: &mut Birth, wish: Wish, draws: Option<&BirthDraws>) {
    let province = birth.unit.at.province;
    let coasts = coasts(map, province);
    let mut drawn = Wish::default();
    let kind = wish.kind.or_else(|| {
        drawn.kind = draws.map(|draws| draws.kind(province));
        drawn.kind
    });
    let Some(kind) = kind else { return };
    let mut coast = None;
    if kind == UnitKind::FLEET && !coasts.is_empty() {
        coast = wish.coast.filter(|coast| coasts.contains(coast));
        if coast.is_none() {
            drawn.coast = draws.and_then(|draws| draws.coast(province, coasts));
            coast = drawn.coast;
        }
        if coast.is_none() {
            return;
        }
    }
    birth.unit.kind = kind;
    birth.unit.at.coast = coast;
    birth.drawn = drawn;
}

/// The Life step: deaths and births, and the kinds of those births for which nobody has to be asked.
pub(super) fn step(game: &Game, dice: Dice, access: &Access<'_>) -> Vec<Event> {
    let map = game.map();
    let mut generation = Generation::of(map, &game.position, game.turn, game.number);
    // Types change no counts, so the end of the game is known before them (ruling 17).
    let ends = ends::of_step(game, &generation).is_some();
    let draws = BirthDraws {
        dice,
        turn: game.turn,
    };
    let at_once = ends || ends::BIRTHS_PHASE.is(game, "never");
    for birth in generation.births.iter_mut().filter(|birth| birth.open()) {
        let standing = game.standing(birth.unit.power);
        let submissions = game.lasting_submissions(birth.unit.power, access);
        let wish = wish(&submissions, birth.unit.at.province);
        // Nobody waits for a neutral unit's owner, or for one in civil disorder (ruling 23).
        let drawn = at_once || birth.unit.power == Power::NEUTRAL || standing.disorder;
        decide(
            map,
            birth,
            wish,
            (drawn && !access.foretells()).then_some(&draws),
        );
    }
    let mut events = vec![
        Event::Board {
            position: generation.apply(&game.position),
        },
        Event::Data {
            data: generation.kept(),
        },
    ];
    events.extend(used_lines(game, &generation, access));
    events
}

/// Ends a births phase: what no owner decided is drawn.
pub(super) fn close(game: &Game, dice: Dice, access: &Access<'_>) -> Vec<Event> {
    let Some(mut generation) = generation::last(game) else {
        return Vec::new();
    };
    if access.foretells() || !generation.births.iter().any(Birth::open) {
        return Vec::new();
    }
    let map = game.map();
    let draws = BirthDraws {
        dice,
        turn: game.turn,
    };
    let mut position = game.position.clone();
    for birth in generation.births.iter_mut().filter(|birth| birth.open()) {
        let submissions = game.lasting_submissions(birth.unit.power, access);
        let wish = wish(&submissions, birth.unit.at.province);
        decide(map, birth, wish, Some(&draws));
        // A births phase that is adjudicated counts as one more.
        birth.decided = Some(game.number.saturating_add(1));
        position
            .units
            .iter_mut()
            .filter(|unit| unit.id == birth.unit.id)
            .for_each(|unit| *unit = birth.unit);
    }
    let mut events = vec![
        Event::Board { position },
        Event::Data {
            data: generation.kept(),
        },
    ];
    events.extend(used_lines(game, &generation, access));
    events
}

/// Takes back the one-shot lines, which hold for one step only, except those for births that are still open.
fn used_lines(game: &Game, generation: &Generation, access: &Access<'_>) -> Vec<Event> {
    let still_open = |power: Power, name: &str| {
        generation.births.iter().any(|birth| {
            birth.open() && birth.unit.power == power && birth.unit.at.province.as_str() == name
        })
    };
    let mut events = Vec::new();
    for power in game.standings.keys() {
        let submissions = game.lasting_submissions(*power, access).into_keys();
        let used = submissions.filter(|name| *name != ANY && !still_open(*power, name));
        events.extend(used.map(|name| Event::Submitted {
            power: *power,
            name: name.to_owned(),
            data: None,
            lasting: true,
        }));
    }
    events
}

/// Who is asked in a births phase: the owners of open births, until each is decided.
pub(super) fn ask(game: &Game, requirements: &mut Requirements, access: &Access<'_>) {
    if game.phase != Phase::Own(BIRTHS.to_owned()) {
        return;
    }
    requirements.without_grace = true;
    if ends::BIRTHS_PHASE.is(game, "never") {
        return;
    }
    let open = generation::open(generation::last(game));
    for power in game.all_powers() {
        let standing = game.standing(power);
        let own: Vec<Province> = open
            .iter()
            .filter(|birth| birth.unit.power == power)
            .map(|birth| birth.unit.at.province)
            .collect();
        if own.is_empty() || standing.disorder {
            continue;
        }
        let names: Vec<String> = own
            .iter()
            .map(|province| game.map().full_name((*province).into()))
            .collect();
        let words = dipjudge_view::and_list(&names);
        requirements.due.insert(
            power,
            Ask::Own(AskedOf::new(power, format!("BIRTH lines for {words}"))),
        );
        let submissions = game.lasting_submissions(power, access);
        let undecided =
            |province: &Province| leaves_open(game.map(), wish(&submissions, *province), *province);
        if own.iter().any(undecided) {
            requirements.wanting.push(power);
        }
    }
}

//! The only bridge from a `Game` to what a reader may know. Everything that leaves here is owned data in the reader's
//! own words; what a reader may not see is left out here and nowhere else.

mod actions;
mod board;
mod board_orders;
mod board_words;
mod closing;
mod existence;
mod export;
mod labels;
mod leaders;
mod listing;
mod orders;
mod own;
mod reports;
mod sections;
mod seen;
mod sentence;
mod sight;
mod sight_report;
mod summary;

pub use board::{
    board, board_as_seen, board_of_phase, board_of_results, whole_board, whole_results,
};
pub use closing::last_board;
pub use existence::{hides_existence, known_powers, told_in_lists};
pub use export::{Chronicle, export};
pub use labels::{Labels, Roster, arranged, labels, labels_to_give, labels_to_introduce, roster};
pub use leaders::{
    HIDDEN, called, hides_leader, hides_leaders, is_contact, leader_shown, leading_seat,
    shows_addresses,
};
pub use listing::{
    RegisteredPerson, begins_by_word, begins_itself, brief, ending_words, listing, missing_players,
    parameters,
};
pub use orders::{lent_section, orders_section, prefix, warning};
pub use own::{left_out, own_state, own_steps, submitted};
pub use reports::{
    WORDS, game_start, late, may_know_late, next_phase, phase_report, phase_title, reminder,
    results, time_left, waiting,
};
pub use sections::{hears, tables};
pub use sentence::sentence;
pub use sight::{SaidSoFar, Sight, Visibility, lent_sight, sight};
pub use sight_report::{position_in_sight, position_in_sight_of, powers_in_sight_of};
pub use summary::summary;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Game, Role, Seat, Variant};
use dipjudge_rules::map::{Location, Power, UnitKind};
use dipjudge_rules::position::Unit;
use dipjudge_view::{Heading, Moment, SeenUnit, Viewer};

/// For whom a projection is made: the class, and the zone in which dates are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Reader {
    /// A power's leader, a master, an observer or a stranger.
    pub viewer: Viewer,
    /// The zone for dates.
    pub zone: TimeZone,
    /// Whoever reads as a power is the one who leads it now, rather than somebody who may lead it later.
    pub leads_now: bool,
    /// Is told people's names and none of their addresses.
    pub by_name: bool,
}

impl Reader {
    /// The reader at a seat. A player of several powers reads as each of them in turn.
    pub fn of(game: &Game, seat: &Seat, power: Option<Power>) -> Reader {
        let viewer = match (seat.role, power) {
            (Role::Master, _) => Viewer::Master,
            (Role::Player, Some(power)) => Viewer::Power(power),
            _ => Viewer::Observer,
        };
        Reader {
            viewer,
            zone: game.zone_of(Some(seat)),
            leads_now: true,
            by_name: false,
        }
    }

    /// Whoever will lead a power one day: what is kept for him is the power's, and tells nothing of a person.
    pub fn later_leader(game: &Game, power: Power) -> Reader {
        Reader {
            viewer: Viewer::Power(power),
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// A master, in the game's own zone.
    pub fn any_master(game: &Game) -> Reader {
        Reader {
            viewer: Viewer::Master,
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// Somebody who is not in the game.
    pub fn stranger(game: &Game) -> Reader {
        Reader {
            viewer: Viewer::Stranger,
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// Anybody who watches the game.
    pub fn observer(game: &Game) -> Reader {
        Reader {
            viewer: Viewer::Observer,
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// The same reader, who is told names and no addresses.
    pub fn by_name(self) -> Reader {
        Reader {
            by_name: true,
            ..self
        }
    }

    /// Whether this reader is told addresses, as LIST does. Who is not in the game is told names alone: anybody may ask.
    pub fn reads_addresses(&self) -> bool {
        !self.by_name && self.viewer != Viewer::Stranger
    }

    /// A moment in this reader's zone.
    pub fn moment(&self, at: Timestamp) -> Moment {
        Moment::new(at, &self.zone)
    }
}

/// The `::` lines.
pub fn heading(game: &Game, variant: &dyn Variant, reader: &Reader, judge: &str) -> Heading {
    Heading {
        reader: reader.viewer,
        judge: judge.to_owned(),
        game: game.name.clone(),
        title: title_case(&game.name),
        variant: variant_line(game, variant),
        phase: if game.begun() {
            game.token(variant)
        } else {
            String::new()
        },
        deadline: game.timing.times.map(|times| reader.moment(times.deadline)),
    }
}

/// Variant and options: `Standard Gunboat`.
pub fn variant_line(game: &Game, variant: &dyn Variant) -> String {
    let mut words = vec![variant.card().title.to_owned()];
    if game.settings.gunboat {
        words.push("Gunboat".to_owned());
    }
    if game.settings.blind {
        words.push("Blind".to_owned());
    }
    words.join(" ")
}

fn title_case(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// `Army`.
fn kind_name(game: &Game, kind: UnitKind) -> String {
    game.map()
        .kind(kind)
        .map_or_else(|| kind.to_string(), |info| info.name.clone())
}

/// A unit in names.
fn seen_unit(game: &Game, labels: &Labels, unit: &Unit) -> SeenUnit {
    let map = game.map();
    let shared = map.info(unit.at.province).is_some_and(|info| info.shared);
    // Where many may stand without a combat, nothing tells them apart.
    let number = game.position.number_among_like(unit).filter(|_| !shared);
    let number = number.map_or_else(String::new, |number| format!(" #{number}"));
    SeenUnit {
        power: labels.label(unit.power),
        adjective: labels.adjective(unit.power).to_owned(),
        kind: kind_name(game, unit.kind),
        place: format!("{}{number}", map.full_name(unit.at)),
        province: map.full_name(Location {
            coast: None,
            ..unit.at
        }),
        at_sea: map
            .info(unit.at.province)
            .is_some_and(|info| info.terrain == dipjudge_rules::map::Terrain::Sea),
    }
}

/// The units in sight, by power; powers without any are left out.
fn units_in_sight(game: &Game, labels: &Labels, visibility: &Visibility) -> Vec<Vec<SeenUnit>> {
    let of = |power: Power| -> Vec<SeenUnit> {
        let own = game
            .position
            .units
            .iter()
            .filter(|unit| unit.power == power && visibility.sees(unit));
        let mut seen: Vec<SeenUnit> = Vec::new();
        for unit in own.map(|unit| seen_unit(game, labels, unit)) {
            // A second unit that is told alike stands in the same shared province.
            if !seen.contains(&unit) {
                seen.push(unit);
            }
        }
        for (unit, count) in shared_provinces(game, labels, visibility, power) {
            let place = format!("{} ({count})", unit.place);
            seen.iter_mut()
                .filter(|other| **other == unit)
                .for_each(|other| other.place.clone_from(&place));
        }
        seen
    };
    game.all_powers()
        .chain([Power::NEUTRAL])
        .map(of)
        .filter(|units| !units.is_empty())
        .collect()
}

/// Units of a power that are told alike, since they share a shared province, and how many.
fn shared_provinces(
    game: &Game,
    labels: &Labels,
    visibility: &Visibility,
    power: Power,
) -> Vec<(SeenUnit, usize)> {
    let mut shared_provinces: Vec<(SeenUnit, usize)> = Vec::new();
    let shared = |unit: &&Unit| {
        let info = game.map().info(unit.at.province);
        unit.power == power && visibility.sees(unit) && info.is_some_and(|info| info.shared)
    };
    for unit in game.position.units.iter().filter(shared) {
        let unit = seen_unit(game, labels, unit);
        match shared_provinces
            .iter_mut()
            .find(|(other, _)| *other == unit)
        {
            Some((_, count)) => *count += 1,
            None => shared_provinces.push((unit, 1)),
        }
    }
    shared_provinces.retain(|(_, count)| *count > 1);
    shared_provinces
}

/// The index of SUMMARY and LIST: the sum of squares of center counts, divided by the number of powers.
fn index(counts: &[usize]) -> u32 {
    let powers = counts.len().max(1);
    let squares: usize = counts.iter().map(|count| count.pow(2)).sum();
    u32::try_from(squares / powers).unwrap_or(u32::MAX)
}

//! Results, game start, reminders and late notices as one reader may know them.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::horizon::hides;
use super::super::requirements;
use super::super::{
    Adjustment, Ending, Game, Need, Outcome, Phase, Played, Role, Seat, SeatId, Secrecy, State,
    Variant, in_play, need,
};
use super::actions::{mark_of, seen_action};
use super::existence::{hides_existence, known_powers};
use super::orders::orders_section;
use super::sections::{self, told};
use super::sight::Visibility;
use super::sight_report::{position_in_sight, sight_report};
use super::{Labels, Reader, called, kind_name, labels, seen_unit, title_case, units_in_sight};
use dipjudge_rules::adjudicator;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Location, Power, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_view::{
    CalendarReport, CenterCount, CenterTable, Destroyed, GameStart, Late, NextPhase, OpeningBuilds,
    OrderLine, Ordered, PhaseReport, PhaseTitle, Reminder, Results, Retreating, SeenUnit, Span,
    StartPlayer, TimeLeft, ToldSection, Viewer, Waiting, WinterAction, WinterLine, Words,
    whole_minute, words,
};

/// The words of the sections that every variant's reports may have.
pub static WORDS: &[&Words] = &[&WINNING_CENTERS, &UNITS_NOW];
/// That the winning number rose.
static WINNING_CENTERS: Words = words!("winning-centers.md");
/// Where all units stand (`SET POSITION`).
static UNITS_NOW: Words = words!("units-now.md");

/// `Movement ... for Spring of 1901.  (kaiser.001)`.
pub fn phase_title(
    game: &Game,
    variant: &dyn Variant,
    number: u32,
    turn: Turn,
    phase: &Phase,
) -> PhaseTitle {
    PhaseTitle {
        kind: phase.kind().to_owned(),
        turn: variant.date(variant.card().turn_told(phase, turn)),
        number: format!("{}.{number:03}", game.name),
    }
}

/// The results of the last adjudicated phase as one reader may have them: all of it where nothing is hidden from him or
/// the game is over, else what he sees. `None` for who gets nothing: the fallen of a game whose board is hidden.
pub fn results(
    before: &Game,
    game: &Game,
    variant: &dyn Variant,
    played: &Played,
    reader: &Reader,
) -> Option<Results> {
    let bounded = Visibility::of(game, variant, reader.viewer).is_bounded();
    if !bounded {
        let report = phase_report(before, game, variant, played, reader);
        return Some(Results::Whole(Box::new(report)));
    }
    match reader.viewer {
        Viewer::Power(power) => sight_report(before, game, variant, played, reader, power)
            .map(|report| Results::Sight(Box::new(report))),
        _ => Some(Results::Calendar(CalendarReport {
            title: phase_title(game, variant, played.number, played.turn, &played.phase),
            next: next_phase(game, variant, reader),
        })),
    }
}

/// The report of the last adjudicated phase. `before` is the game as it stood when the phase was adjudicated, `game`
/// as it stands now.
pub fn phase_report(
    before: &Game,
    game: &Game,
    variant: &dyn Variant,
    played: &Played,
    reader: &Reader,
) -> PhaseReport {
    // What is open to a reader now was open when it happened, for what follows the end of a game is not hidden.
    let visibility = Visibility::whole();
    let labels = &labels(game, variant, reader.viewer);
    let lines = |phase: Phase| {
        if played.phase == phase {
            by_power(before, labels, played, &visibility)
        } else {
            Vec::new()
        }
    };
    let ended = last_of_fall(game, played);
    PhaseReport {
        title: phase_title(game, variant, played.number, played.turn, &played.phase),
        movement: lines(Phase::Movement),
        retreats: lines(Phase::Retreats),
        winter: winter(game, labels, played),
        dislodged: played
            .position
            .dislodged
            .iter()
            .filter(|d| visibility.sees(&d.unit))
            .map(|d| retreating(game, labels, d))
            .collect(),
        destroyed: played
            .destroyed
            .iter()
            .filter(|unit| visibility.sees(unit))
            .map(|unit| Destroyed {
                unit: seen_unit(game, labels, unit),
            })
            .collect(),
        centers: ended.then(|| center_table(game, variant, labels)),
        sections: sections(before, game, variant, reader),
        reasons: reasons(before, labels, played, &visibility),
        next: next_phase(game, variant, reader),
    }
}

/// Sections of the variant, and what else there is to say once.
pub(super) fn sections(
    before: &Game,
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
) -> Vec<ToldSection> {
    let mut sections = told(game, variant, reader, variant.report(game));
    let number = |game: &Game| game.winning_number(variant.card().winning);
    let (old, new) = (number(before), number(game));
    let bounded = Visibility::of(game, variant, reader.viewer).is_bounded();
    if new > old && !bounded {
        sections.push(ToldSection {
            words: &WINNING_CENTERS,
            fields: json!({ "before": old, "now": new }),
        });
    }
    if game.settings.position && !bounded {
        let labels = labels(game, variant, reader.viewer);
        sections.push(ToldSection {
            words: &UNITS_NOW,
            fields: json!({ "powers": units_now(game, &labels) }),
        });
    }
    sections
}

/// Where all units stand: the units of each power that has any.
fn units_now(game: &Game, labels: &Labels) -> Vec<Value> {
    let powers = units_in_sight(game, labels, &Visibility::whole());
    let line = |units: &Vec<SeenUnit>| {
        let names: Vec<String> = units
            .iter()
            .map(|unit| format!("{} {}", unit.kind, unit.place))
            .collect();
        Some(json!({ "power": units.first()?.power, "units": names }))
    };
    powers.iter().filter_map(line).collect()
}

/// Whether centers changed owners after this phase and before the next that somebody decides in.
pub(super) fn last_of_fall(game: &Game, played: &Played) -> bool {
    game.years.last().is_some_and(|year| {
        let season = played.turn.season == dipjudge_rules::calendar::Season::Fall;
        season
            && year.year == played.turn.year
            && played.phase != Phase::Adjustments
            && game.phase_is_after(played)
    })
}

impl Game {
    /// Whether the phase in hand is no longer of the same turn: then the turn's last steps were played.
    fn phase_is_after(&self, played: &Played) -> bool {
        self.turn != played.turn || self.phase == Phase::Ownership || self.over()
    }
}

fn by_power(
    before: &Game,
    labels: &Labels,
    played: &Played,
    visibility: &Visibility,
) -> Vec<Vec<OrderLine>> {
    let of = |power: Power| -> Vec<OrderLine> {
        let own = played
            .outcomes
            .iter()
            .filter(|outcome| outcome.unit.power == power && visibility.sees(&outcome.unit));
        own.map(|outcome| order_line(before, labels, played, outcome))
            .collect()
    };
    before
        .all_powers()
        .chain([Power::NEUTRAL])
        .map(of)
        .filter(|lines| !lines.is_empty())
        .collect()
}

fn order_line(before: &Game, labels: &Labels, played: &Played, outcome: &Outcome) -> OrderLine {
    let ordered = match (&played.phase, &outcome.action) {
        (Phase::Retreats, None) => Ordered::NoRetreat,
        (_, action) => seen_action(
            before,
            labels,
            &before.position,
            &outcome.unit,
            action.as_ref(),
        ),
    };
    OrderLine {
        unit: seen_unit(before, labels, &outcome.unit),
        ordered,
        marks: outcome.marks.iter().map(|mark| mark_of(*mark)).collect(),
        reason: outcome.reason.as_ref().map(ToString::to_string),
        warning: None,
    }
}

fn reasons(
    before: &Game,
    labels: &Labels,
    played: &Played,
    visibility: &Visibility,
) -> Vec<String> {
    let sentence = |outcome: &Outcome| {
        let unit = seen_unit(before, labels, &outcome.unit);
        outcome.reason.as_ref().map(|why| {
            let why = why_in_shared_provinces(before, labels, why);
            let to = destination_from_shared_province(before, outcome);
            format!(
                "{} {} in {}{to}: {why}.",
                unit.adjective, unit.kind, unit.place
            )
        })
    };
    played
        .outcomes
        .iter()
        .filter(|outcome| visibility.sees(&outcome.unit))
        .filter_map(sentence)
        .collect()
}

/// ` to Berlin`, for a unit whose own place would not tell it from others of its power there.
fn destination_from_shared_province(game: &Game, outcome: &Outcome) -> String {
    let info = game.map().info(outcome.unit.at.province);
    match &outcome.action {
        Some(Action::Move { to, .. }) if info.is_some_and(|info| info.shared) => {
            format!(" to {}", game.map().full_name(*to))
        }
        _ => String::new(),
    }
}

/// The reason, in which a unit of a shared province bears its power's name too: its place alone would not tell whose it is.
fn why_in_shared_provinces(game: &Game, labels: &Labels, why: &adjudicator::Reason) -> String {
    use adjudicator::Reason::{Bounced, Cut, Disrupted};
    let (Bounced { with: Some(by), .. } | Cut { by } | Disrupted { by: Some(by), .. }) = why else {
        return why.to_string();
    };
    let info = game.map().info(by.at.province);
    match info.is_some_and(|info| info.shared) {
        true => {
            let name = labels.name(by.power);
            why.to_string()
                .replace(&by.to_string(), &format!("{by} of {name}"))
        }
        false => why.to_string(),
    }
}

pub(super) fn retreating(
    game: &Game,
    labels: &Labels,
    dislodged: &dipjudge_rules::position::Dislodged,
) -> Retreating {
    Retreating {
        unit: seen_unit(game, labels, &dislodged.unit),
        options: dislodged
            .options
            .iter()
            .map(|location| game.map().full_name(*location))
            .collect(),
    }
}

pub(super) fn winter(game: &Game, labels: &Labels, played: &Played) -> Vec<Vec<WinterLine>> {
    let action = |what: &Adjustment| match what {
        Adjustment::Built(unit) => {
            let SeenUnit { kind, place, .. } = seen_unit(game, labels, unit);
            WinterAction::Build { kind, place }
        }
        Adjustment::Removed(unit) => {
            let SeenUnit {
                kind,
                place,
                at_sea,
                ..
            } = seen_unit(game, labels, unit);
            WinterAction::Remove {
                kind,
                place,
                at_sea,
            }
        }
        Adjustment::Defaulted(unit) => {
            let SeenUnit {
                kind,
                place,
                at_sea,
                ..
            } = seen_unit(game, labels, unit);
            WinterAction::DefaultRemove {
                kind,
                place,
                at_sea,
            }
        }
        Adjustment::Waived => WinterAction::Waive,
        Adjustment::Unusable(n) => WinterAction::UnusableWaived(*n as usize),
        Adjustment::Saved(n) => WinterAction::Saved(*n as usize),
    };
    let of = |power: Power| -> Vec<WinterLine> {
        let own = played
            .adjusted
            .iter()
            .filter(|adjusted| adjusted.power == power);
        own.map(|adjusted| WinterLine {
            power: labels.label(power),
            action: action(&adjusted.what),
        })
        .collect()
    };
    game.all_powers()
        .map(of)
        .filter(|lines| !lines.is_empty())
        .collect()
}

/// Who owns what, and who builds or removes how much.
pub(super) fn center_table(game: &Game, variant: &dyn Variant, labels: &Labels) -> CenterTable {
    let map = game.map();
    let name = |province: dipjudge_rules::map::Province| {
        map.full_name(Location {
            province,
            coast: None,
        })
    };
    let owned_by = |owner: Option<Power>| {
        let mut names: Vec<String> = map
            .centers()
            .iter()
            .filter(|c| game.position.owners.get(c).copied() == owner)
            .map(|c| name(*c))
            .collect();
        names.sort();
        names
    };
    let winners = match &game.state {
        State::Over(Ending::Won(winners)) => winners.as_slice(),
        _ => &[],
    };
    let allowances = requirements::allowances(game, variant);
    let count = |power: Power| CenterCount {
        power: labels.label(power),
        centers: game.center_count(power),
        units: game.unit_count(power),
        due: allowances.due(power),
        disorder: game.standing(power).disorder,
        victory: winners.contains(&power),
    };
    CenterTable {
        owners: game
            .all_powers()
            .map(|power| (labels.label(power), owned_by(Some(power))))
            .filter(|(_, names)| !names.is_empty())
            .collect(),
        unowned: owned_by(None),
        counts: in_play(game, variant)
            .into_iter()
            .filter(|power| is_counted(game, variant, *power))
            .map(count)
            .collect(),
    }
}

/// Whether a power stands among those whose centers are counted: one that stands open only while something is left of it.
fn is_counted(game: &Game, variant: &dyn Variant, power: Power) -> bool {
    let left = game.unit_count(power) > 0 || game.center_count(power) > 0;
    left || !need::stands_open(game, variant, power)
}

/// The phase in hand as the one to come.
pub fn next_phase(game: &Game, variant: &dyn Variant, reader: &Reader) -> Option<NextPhase> {
    (!game.over()).then(|| NextPhase {
        kind: game.phase.title().to_owned(),
        turn: variant.date(variant.card().turn_told(&game.phase, game.turn)),
        deadline: game.timing.times.map(|times| reader.moment(times.deadline)),
        // That somebody is absent is his own affair where not all is told to all.
        adjusted: !hides(game, variant) && game.timing.times.is_some_and(|times| times.adjusted),
    })
}

/// *Game Starting*. `name_of` tells the name of the person at a seat.
pub fn game_start(
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
    name_of: &dyn Fn(SeatId) -> String,
) -> GameStart {
    let labels = labels(game, variant, reader.viewer);
    let selected = match reader.viewer {
        Viewer::Power(power) => Some(labels.introduced(power)),
        _ => None,
    };
    let visibility = Visibility::of(game, variant, reader.viewer);
    let sight = match reader.viewer {
        Viewer::Power(power) => position_in_sight(game, variant, power),
        _ => None,
    };
    GameStart {
        disclosed: !visibility.is_bounded(),
        sight,
        selected,
        variant: variant.card().called().to_owned(),
        rules: variant
            .card()
            .to_be_read
            .then(|| format!("RULES.{}", variant.card().name.to_uppercase())),
        map: (game.map != variant.card().map).then(|| format!("MAP.{}", game.map.to_uppercase())),
        players: players(game, variant, &labels, reader, name_of),
        turn: variant.date(game.turn),
        units: units_in_sight(game, &labels, &visibility),
        builds: opening_builds(game, variant, reader.viewer),
        tables: sections::tables(game, variant, reader),
        deadline: game.timing.times.map(|times| reader.moment(times.deadline)),
    }
}

/// What the reader's power builds where the game begins with builds.
fn opening_builds(game: &Game, variant: &dyn Variant, viewer: Viewer) -> Option<OpeningBuilds> {
    let Viewer::Power(power) = viewer else {
        return None;
    };
    if game.phase != Phase::Adjustments {
        return None;
    }
    let allowances = requirements::allowances(game, variant);
    let allowance = allowances.of(power)?;
    let (count, _, _) = allowance.usable();
    let map = game.map();
    let site = |kind: &UnitKind| {
        let at = allowance.sites_for(*kind).first()?;
        map.stations(map.travel(*kind), *at).first().copied()
    };
    let (kind, at) = allowance
        .kinds
        .keys()
        .find_map(|kind| site(kind).map(|at| (*kind, at)))?;
    let name = |(kind, at): &(UnitKind, Location)| {
        format!("{} {}", kind_name(game, *kind), map.full_name(*at))
    };
    (count > 0).then(|| OpeningBuilds {
        count,
        example: format!(
            "BUILD {kind} {}",
            title_case(&at.to_string().to_lowercase())
        ),
        otherwise: allowance.default_builds.iter().map(name).collect(),
    })
}

/// Masters, powers, observers, each as this reader may call them; of powers only those that he may know of.
fn players(
    game: &Game,
    variant: &dyn Variant,
    labels: &Labels,
    reader: &Reader,
    name_of: &dyn Fn(SeatId) -> String,
) -> Vec<StartPlayer> {
    let who = |seat: &Seat| called(game, variant, reader, seat, &name_of(seat.id));
    let line = |role: &str, called: String| StartPlayer {
        role: role.to_owned(),
        called,
    };
    let masters = game
        .seated(Role::Master)
        .map(|seat| line("Master", who(seat)));
    let mut powers = known_powers(game, variant, reader.viewer);
    powers.retain(|power| need::of(game, variant, *power) != Need::Closed);
    let powers = powers.into_iter().map(|power| {
        let nobody = match need::stands_open(game, variant, power) {
            true => "open",
            false => "vacant",
        };
        let leader = game.holder(power).map_or_else(|| nobody.to_owned(), who);
        line(labels.introduced(power).as_str(), leader)
    });
    // How many watch is nobody's to know where it is hidden who exists.
    let alone = hides_existence(game, variant, reader.viewer);
    let observers = game
        .seated(Role::Observer)
        .filter(|_| !alone)
        .map(|seat| line("Observer", who(seat)));
    masters.chain(powers).chain(observers).collect()
}

/// *Reminder*.
pub fn reminder(
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
    hours: u32,
) -> Option<Reminder> {
    let flag = match reader.viewer {
        Viewer::Power(power) => {
            game.standing(power).flag && requirements::of(game, variant).owes(power)
        }
        _ => false,
    };
    Some(Reminder {
        orders: orders_section(game, variant, reader)?,
        hours,
        flag,
    })
}

/// *Late Notice*: named only where the game shows who is late.
pub fn late(
    game: &Game,
    variant: &dyn Variant,
    powers: &[Power],
    reader: &Reader,
    abandoned: bool,
) -> Late {
    let named = |power: &&Power| may_know_late(game, variant, reader, **power);
    let count = |power: Power| {
        game.settings
            .late_count
            .then(|| game.standing(power).times_late)
    };
    let labels = labels(game, variant, reader.viewer);
    let shown: Vec<_> = powers
        .iter()
        .filter(named)
        .map(|power| (labels.label(*power), count(*power)))
        .collect();
    // Where the board is hidden the late learn nothing of each other, not even that they are several.
    let alone = Secrecy::of(game, variant).board && reader.viewer != Viewer::Master;
    Late {
        unnamed: if alone { 0 } else { powers.len() - shown.len() },
        powers: shown,
        grace: game.timing.times.map(|times| reader.moment(times.grace)),
        nmr: game.settings.nmr,
        abandoned,
    }
}

/// Whether a reader may know that this power is late.
pub fn may_know_late(game: &Game, variant: &dyn Variant, reader: &Reader, power: Power) -> bool {
    shows_late(game, variant)
        || reader.viewer == Viewer::Master
        || reader.viewer == Viewer::Power(power)
}

/// Whether all may know who is late (`visibility.md` 6.1).
pub(super) fn shows_late(game: &Game, variant: &dyn Variant) -> bool {
    let settings = &game.settings;
    let hidden = Secrecy::of(game, variant).leaders_or_board();
    settings.latelist && !hidden && !settings.quiet
}

/// *Waiting for Replacements*.
pub fn waiting(game: &Game, variant: &dyn Variant, reader: &Reader, powers: &[Power]) -> Waiting {
    let labels = labels(game, variant, reader.viewer);
    Waiting {
        powers: powers.iter().map(|power| labels.label(*power)).collect(),
    }
}

/// Time to the deadline and to the end of grace, counted from the minute in which a mail is done.
pub fn time_left(game: &Game, now: Timestamp) -> TimeLeft {
    let times = game.timing.times.filter(|_| game.state == State::Running);
    let left = |at: Timestamp| Span::between(whole_minute(now), at);
    TimeLeft {
        deadline: times
            .filter(|times| now <= times.deadline)
            .map(|times| left(times.deadline)),
        // A phase without grace has both at once.
        grace: times
            .filter(|times| now <= times.grace && times.grace != times.deadline)
            .map(|times| left(times.grace)),
    }
}

/// What one power has to do in the phase in hand, in a few words for LIST: `move`, `none`.
pub(super) fn due_word(game: &Game, variant: &dyn Variant, power: Power) -> &'static str {
    match requirements::of(game, variant).due.get(&power) {
        None => "none",
        Some(_) => "move",
    }
}

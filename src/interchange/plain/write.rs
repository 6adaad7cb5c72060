//! Writes the answer from fixed tokens.

use dipjudge_game::BuildSites;
use dipjudge_rules::adjudicator::Mark;
use dipjudge_rules::adjudicator::plain::{
    MOST_POWERS, PlainMovement, PlainOutcome, PlainUnit, UnitSet, members,
};
use dipjudge_rules::map::{PlaceSet, Travel, places};

use super::page::Page;
use super::read::PlainLine;
use super::refusals::Refusal;
use super::tokens::{PowerToken, Tokens};
use crate::Options;
use crate::by_engine::SettingsAfterMoves;

/// The board after the moves.
struct PlainBoard {
    occupied: PlaceSet,
    /// The stations to which each dislodged unit may retreat, one after the other.
    options: Vec<u8>,
    /// The dislodged units that may retreat, and where their options end.
    retreats: Vec<Retreating>,
    /// Who has no retreat.
    gone: UnitSet,
    by_power: [Standing; MOST_POWERS],
    /// By province: the station of the unit there.
    station: [u8; 128],
}

struct Retreating {
    unit: u8,
    end: usize,
}

/// Where a power's units stand.
#[derive(Clone, Copy, Default)]
struct Standing {
    armies: PlaceSet,
    fleets: PlaceSet,
}

impl Standing {
    fn all(self) -> PlaceSet {
        self.armies | self.fleets
    }
}

impl PlainBoard {
    fn after(
        movement: &PlainMovement<'_>,
        outcome: &PlainOutcome,
        tokens: &Tokens,
        settings: SettingsAfterMoves,
    ) -> Self {
        let mut board = Self {
            occupied: movement.occupied(outcome),
            options: Vec::new(),
            retreats: Vec::new(),
            gone: 0,
            by_power: [Standing::default(); MOST_POWERS],
            station: [0; 128],
        };
        for (number, unit) in (0u8..).zip(movement.units()) {
            let is_in = |set: UnitSet| set >> number & 1 != 0;
            if is_in(outcome.dislodged) {
                continue;
            }
            let station = if is_in(outcome.moved) {
                unit.arrival
            } else {
                unit.station
            };
            let province = tokens.stations.province_of(station);
            board.station[usize::from(province)] = station;
            let standing = &mut board.by_power[usize::from(unit.power)];
            if unit.travel == Travel::Sea {
                standing.fleets |= 1 << province;
            } else {
                standing.armies |= 1 << province;
            }
        }
        if settings.auto_disband {
            board.gone = outcome.dislodged;
        } else if outcome.dislodged != 0 {
            board.find_retreats(movement, outcome);
        }
        board
    }

    fn find_retreats(&mut self, movement: &PlainMovement<'_>, outcome: &PlainOutcome) {
        let closed = self.occupied | movement.contested(outcome, self.occupied);
        for unit in members(outcome.dislodged) {
            let before = self.options.len();
            self.options
                .extend(movement.retreats(outcome, unit, closed));
            let end = self.options.len();
            if end == before {
                self.gone |= 1 << unit;
            } else {
                self.retreats.push(Retreating { unit, end });
            }
        }
    }

    fn of(&self, power: usize) -> Standing {
        self.by_power.get(power).copied().unwrap_or_default()
    }
}

/// What follows the phase.
struct PlainNext {
    owned: [PlaceSet; MOST_POWERS],
    /// Builds, or removals as negative counts.
    builds: [i32; MOST_POWERS],
    /// The number of the power that has won.
    winner: Option<usize>,
    /// The name of the next phase, if the game goes on.
    name: [u8; 6],
}

impl PlainNext {
    fn of(tokens: &Tokens, line: &PlainLine<'_>, board: &PlainBoard) -> PlainNext {
        let [y1, y2, y3, y4] = line.phase.year;
        let season = if line.phase.is_fall { b'F' } else { b'S' };
        let mut next = PlainNext {
            owned: line.owned,
            builds: [0; MOST_POWERS],
            winner: None,
            name: [season, y1, y2, y3, y4, b'R'],
        };
        if !board.retreats.is_empty() {
            return next;
        }
        if !line.phase.is_fall {
            next.name = [b'F', y1, y2, y3, y4, b'M'];
            return next;
        }
        next.take_centers(tokens, board);
        let settings = line.settings;
        next.winner = next.won(tokens, settings.enough.unwrap_or(tokens.enough));
        if next.winner.is_none() {
            next.count_builds(tokens, board, settings.sites);
        }
        let is_due = next.builds.iter().any(|&builds| builds != 0);
        next.name = if is_due || (settings.any_disband && board.occupied != 0) {
            [b'W', y1, y2, y3, y4, b'A']
        } else {
            let [y1, y2, y3, y4] = year_after(line.phase.year);
            [b'S', y1, y2, y3, y4, b'M']
        };
        next
    }

    fn take_centers(&mut self, tokens: &Tokens, board: &PlainBoard) {
        let held = board.occupied & tokens.centers;
        let powers = self.owned.iter_mut().zip(&board.by_power);
        for (owned, standing) in powers.take(tokens.powers.len()) {
            *owned = (*owned & !held) | (standing.all() & tokens.centers);
        }
    }

    fn won(&self, tokens: &Tokens, enough: u32) -> Option<usize> {
        let owned = self.owned.get(..tokens.powers.len())?;
        let most = owned.iter().map(|owned| owned.count_ones()).max()?;
        let mut leaders = (0..)
            .zip(owned)
            .filter(|(_, owned)| owned.count_ones() == most);
        let (first, _) = leaders.next()?;
        (most >= enough && leaders.next().is_none()).then_some(first)
    }

    fn count_builds(&mut self, tokens: &Tokens, board: &PlainBoard, sites: BuildSites) {
        let powers = tokens.powers.iter().zip(&board.by_power);
        for ((power, standing), (owned, builds)) in
            powers.zip(self.owned.iter().zip(&mut self.builds))
        {
            let count = |set: PlaceSet| i32::try_from(set.count_ones()).unwrap_or(0);
            let homes = owned & power.homes;
            let sites = match sites {
                BuildSites::Home => homes,
                BuildSites::One if homes == 0 => 0,
                BuildSites::One | BuildSites::Any => *owned,
            };
            let open = count(sites & !board.occupied);
            *builds = (count(*owned) - count(standing.all())).min(open);
        }
    }
}

fn year_after(mut year: [u8; 4]) -> [u8; 4] {
    for digit in year.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            break;
        }
        *digit = b'0';
    }
    year
}

/// Writes the answer; `None` if nothing can follow, so that a later phase has to be found.
pub(super) fn answer(
    page: &mut Page,
    tokens: &Tokens,
    line: &PlainLine<'_>,
    movement: &PlainMovement<'_>,
    outcome: &PlainOutcome,
    refusals: &[Refusal<'_>],
    options: &Options<'_>,
) -> Option<()> {
    if movement.units().is_empty() {
        return None;
    }
    let board = PlainBoard::after(movement, outcome, tokens, line.settings);
    let next = PlainNext::of(tokens, line, &board);
    page.text(b"{");
    if let Some(id) = line.id {
        page.text(b"\"id\":\"");
        page.text(id);
        page.text(b"\",");
    }
    page.text(b"\"name\":\"");
    page.text(&line.phase.name);
    page.text(b"\",\"results\":{");
    results(page, tokens, movement, outcome, board.gone);
    page.text(b",\"errors\":[");
    errors(page, tokens, refusals)?;
    // What the engine tells beside.
    let by_engine = line.is_for_engine;
    if by_engine {
        page.text(b",\"events\":[]");
    }
    if !options.results_only {
        page.text(b",\"next\":{\"name\":");
        if next.winner.is_some() {
            page.text(b"null");
        } else {
            page.text(b"\"");
            page.text(&next.name);
            page.text(b"\"");
        }
        page.text(b",\"state\":{\"units\":{");
        units(page, tokens, movement, &board);
        page.text(b",\"centers\":{");
        centers(page, tokens, &next);
        page.text(b",\"retreats\":{");
        retreats(page, tokens, movement, &board);
        if next.winner.is_none() && next.name.starts_with(b"W") {
            page.text(b",\"builds\":{");
            builds(page, tokens, &next);
        }
        page.text(b"}");
        if by_engine {
            page.text(b",\"draws\":{}");
        }
        page.text(b"}");
    }
    page.text(b",\"winner\":");
    match next.winner.and_then(|winner| tokens.powers.get(winner)) {
        None => page.text(b"null"),
        Some(PowerToken { key, .. }) => {
            page.text(b"\"");
            page.text(key);
            page.text(b"\"");
        }
    }
    page.text(b"}\n");
    Some(())
}

fn results(
    page: &mut Page,
    tokens: &Tokens,
    movement: &PlainMovement<'_>,
    outcome: &PlainOutcome,
    gone: UnitSet,
) {
    let marks = [
        (outcome.bounced, Mark::Bounce),
        (outcome.cut, Mark::Cut),
        (outcome.void, Mark::Void),
        (outcome.no_convoy, Mark::NoConvoy),
        (outcome.disrupted, Mark::Disrupted),
        (outcome.dislodged, Mark::Dislodged),
        (gone, Mark::Disband),
    ];
    let marked = marks.iter().fold(0, |all, (units, _)| all | units);
    for (number, unit) in (0u8..).zip(movement.units()) {
        let unit = tokens.unit(unit.travel, unit.station);
        if marked >> number & 1 == 0 {
            page.token(&unit.unmarked);
            continue;
        }
        page.token(&unit.opening);
        for (_, mark) in marks.iter().filter(|(units, _)| units >> number & 1 != 0) {
            page.text(b"\"");
            page.text(mark.code().as_bytes());
            page.text(b"\",");
        }
        page.close(b']');
        page.text(b",");
    }
    page.close(b'}');
}

/// `None` if a sentence has to be escaped.
fn errors(page: &mut Page, tokens: &Tokens, refusals: &[Refusal<'_>]) -> Option<()> {
    for Refusal {
        power,
        text,
        sentence,
    } in refusals
    {
        let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
        if sentence.bytes().any(is_special) {
            return None;
        }
        let power = tokens.powers.get(usize::from(*power))?;
        let parts: [&[u8]; 7] = [
            b"{\"power\":\"",
            power.key,
            b"\",\"order\":\"",
            text,
            b"\",\"error\":\"",
            sentence.as_bytes(),
            b"\"},",
        ];
        parts.into_iter().for_each(|part| page.text(part));
    }
    page.close(b']');
    Some(())
}

fn units(page: &mut Page, tokens: &Tokens, movement: &PlainMovement<'_>, board: &PlainBoard) {
    for (index, power) in tokens.powers.iter().enumerate() {
        let dislodged = || {
            let units = board
                .retreats
                .iter()
                .map(|retreat| movement.unit(retreat.unit));
            units.filter(|unit| usize::from(unit.power) == index)
        };
        let standing = board.of(index);
        if standing.all() == 0 && dislodged().next().is_none() {
            continue;
        }
        page.token(&power.opening);
        page.text(b"[");
        // A star sorts before letters.
        let mut starred: Vec<&PlainUnit> = dislodged().collect();
        starred.sort_unstable_by_key(|unit| (unit.travel == Travel::Sea, unit.province));
        for unit in starred {
            page.token(&tokens.unit(unit.travel, unit.station).starred);
        }
        for (travel, set) in [
            (Travel::Land, standing.armies),
            (Travel::Sea, standing.fleets),
        ] {
            for province in places(set) {
                let station = board.station[usize::from(province)];
                page.token(&tokens.unit(travel, station).listed);
            }
        }
        page.close(b']');
        page.text(b",");
    }
    page.close(b'}');
}

fn centers(page: &mut Page, tokens: &Tokens, next: &PlainNext) {
    for (power, &owned) in tokens.powers.iter().zip(&next.owned) {
        if owned == 0 {
            continue;
        }
        page.token(&power.opening);
        page.text(b"[");
        for province in places(owned) {
            page.token(tokens.place(province));
        }
        page.close(b']');
        page.text(b",");
    }
    page.close(b'}');
}

fn retreats(page: &mut Page, tokens: &Tokens, movement: &PlainMovement<'_>, board: &PlainBoard) {
    for (index, power) in tokens.powers.iter().enumerate() {
        let mut start = 0;
        let mut is_open = false;
        for retreat in &board.retreats {
            let options = board.options.get(start..retreat.end).unwrap_or(&[]);
            start = retreat.end;
            let unit = movement.unit(retreat.unit);
            if usize::from(unit.power) != index {
                continue;
            }
            if !is_open {
                page.token(&power.opening);
                page.text(b"{");
                is_open = true;
            }
            page.token(&tokens.unit(unit.travel, unit.station).opening);
            for &to in options {
                page.token(tokens.place(to));
            }
            page.close(b']');
            page.text(b",");
        }
        if is_open {
            page.close(b'}');
            page.text(b",");
        }
    }
    page.close(b'}');
}

fn builds(page: &mut Page, tokens: &Tokens, next: &PlainNext) {
    let powers = tokens.powers.iter().zip(next.builds);
    for (power, builds) in powers.filter(|(_, builds)| *builds != 0) {
        page.token(&power.opening);
        page.number(builds);
        page.text(b",");
    }
    page.close(b'}');
}

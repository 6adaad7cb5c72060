//! Homes (rules page, section 9): the first three centers that a civilization owns, and for some a fourth.

use std::collections::BTreeMap;

use super::state::CivDipState;
use crate::data_of;
use dipjudge_game::opening::WINTER as OPENING;
use dipjudge_game::project::Sight;
use dipjudge_game::{Access, Considered, Effect, Game, Phase, Refusal, Submission, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::{Location, Power, Province};

/// The name of what a civilization says of its homes.
pub(super) const SUBMISSION: &str = "home";

/// How many homes a civilization gains by the count of Fall.
const BY_COUNT: usize = 3;

/// How many centers give a fourth home when the second Winter is over.
const FOR_A_FOURTH: usize = 4;

/// The second Winter, at the end of which a fourth home is given.
const SECOND_WINTER: Turn = Turn {
    year: OPENING.year + 2,
    season: Season::Winter,
};

/// Makes newly owned centers homes after the count of Fall, or leaves them to be chosen from where there are too many.
pub(super) fn after_count(game: &Game, state: &mut CivDipState) {
    let mut years = game.years.iter().rev();
    let (Some(now), Some(before)) = (years.next(), years.next()) else {
        return;
    };
    for power in game.all_powers() {
        let new = now.owners.iter().filter(|(center, owner)| {
            **owner == power
                && before.owners.get(center) != Some(&power)
                && !state.homes(power).contains(center)
        });
        let new: Vec<Province> = new.map(|(center, _)| *center).collect();
        let places = BY_COUNT.saturating_sub(state.homes(power).len());
        if new.len() <= places {
            new.into_iter()
                .for_each(|center| state.add_home(power, center));
        } else if places > 0 {
            state.open_homes.insert(power, new);
        }
    }
}

/// What the end of a Winter makes homes: what was left to be chosen, and the fourth. `chosen` says which centers a civilization
/// has named, in order of preference.
pub(super) fn after_winter(
    game: &Game,
    turn: Turn,
    state: &mut CivDipState,
    chosen: impl Fn(Power) -> Vec<Province>,
) {
    for (power, open) in std::mem::take(&mut state.open_homes) {
        let places = BY_COUNT.saturating_sub(state.homes(power).len());
        let chosen = in_order(open, &chosen(power));
        for center in chosen.into_iter().take(places) {
            state.add_home(power, center);
        }
    }
    if turn != SECOND_WINTER {
        return;
    }
    for power in game.all_powers() {
        let open = for_a_fourth(&game.holdings(power), state.homes(power));
        let fourth = in_order(open, &chosen(power));
        if let Some(center) = fourth.first() {
            state.add_home(power, *center);
        }
    }
}

/// What a civilization has named in the Winter that was adjudicated, in order of preference.
pub(super) fn chosen(game: &Game, power: Power, access: &Access<'_>) -> Vec<Province> {
    let submissions = game.played_submissions(power, access);
    let chosen = submissions.get(SUBMISSION);
    chosen.map(|data| data.stored()).unwrap_or_default()
}

/// The chosen centers in their order, then the others by abbreviation.
fn in_order(mut open: Vec<Province>, chosen: &[Province]) -> Vec<Province> {
    let place = |center: &Province| chosen.iter().position(|other| other == center);
    open.sort_by_key(|center| (place(center).unwrap_or(usize::MAX), *center));
    open
}

/// The centers of which one becomes the fourth home when the second Winter ends: of those that are no homes the longest owned.
fn for_a_fourth(holdings: &BTreeMap<Province, usize>, homes: &[Province]) -> Vec<Province> {
    if holdings.len() < FOR_A_FOURTH {
        return Vec::new();
    }
    let mut by_age: BTreeMap<usize, Vec<Province>> = BTreeMap::new();
    for (center, years) in holdings {
        if !homes.contains(center) {
            by_age.entry(*years).or_default().push(*center);
        }
    }
    by_age.pop_last().map(|(_, open)| open).unwrap_or_default()
}

/// The Winter in which a civilization chooses homes.
#[derive(Clone, Copy)]
pub(super) struct Choosing<'c> {
    pub turn: Turn,
    pub phase: &'c Phase,
    /// The centers of a civilization, each with the number of years in a row for which it has held it.
    pub holdings: &'c dyn Fn() -> BTreeMap<Province, usize>,
}

/// The centers between which a civilization can choose in the Winter in hand; none where nothing is left to it.
pub(super) fn to_choose(
    state: &CivDipState,
    power: Power,
    choosing: Choosing<'_>,
) -> Vec<Province> {
    if *choosing.phase != Phase::Adjustments || choosing.turn == OPENING {
        return Vec::new();
    }
    let mut open = state.open_homes.get(&power).cloned().unwrap_or_default();
    if choosing.turn == SECOND_WINTER {
        let mut further = for_a_fourth(&(choosing.holdings)(), state.homes(power));
        // Where one of them is a home for certain, it is no choice.
        if further.len() > 1 || !open.is_empty() {
            further.retain(|center| !open.contains(center));
            open.append(&mut further);
        }
    }
    open
}

/// `HOME Rumania, Serbia`.
pub(super) fn read(line: &Line, sight: &Sight, open: &[Province]) -> Result<Considered, Refusal> {
    if open.is_empty() {
        return refuse(if sight.phase == Phase::Adjustments {
            "You have no home to choose this Winter."
        } else {
            "Not in this phase."
        });
    }
    let mut named: Vec<Province> = Vec::new();
    for center in line.provinces() {
        if !open.contains(&center) {
            let full = |center: &Province| sight.map.full_name(Location::from(*center));
            let all: Vec<String> = open.iter().map(full).collect();
            return refuse(format!(
                "{} cannot become a home of yours this Winter; choose from {}.",
                full(&center),
                all.join(", ")
            ));
        }
        if !named.contains(&center) {
            named.push(center);
        }
    }
    Ok(Considered {
        effects: vec![Effect::Submission(Submission {
            name: SUBMISSION.to_owned(),
            data: Some(data_of(&named)),
            lasting: false,
        })],
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::CivDip;
    use super::*;
    use dipjudge_game::VariantGame;
    use dipjudge_game::{Event, Seed, Year, apply};
    use dipjudge_rules::map::{Map, PowerInfo, UnitKind};
    use dipjudge_rules::position::{Unit, UnitId};

    const AKSUM: Power = Power(0);
    const BABEL: Power = Power(1);

    /// The homes of Aksum and Babel through the years.
    struct Years {
        game: Game,
        state: CivDipState,
    }

    fn centers(codes: &str) -> Vec<Province> {
        let codes = codes.split_whitespace();
        codes
            .map(|code| Map::standard().find_province(code).unwrap())
            .collect()
    }

    impl Years {
        /// Aksum starts in Vienna, Babel in Rome.
        fn begin() -> Years {
            let made = Event::Created {
                name: "homes".into(),
                variant: "civdip".into(),
                map: "standard".into(),
                places: "no powers\n".into(),
                seed: Seed::new([0; 32]),
            };
            let mut game = apply::create(&made, jiff::Timestamp::UNIX_EPOCH).unwrap();
            let called = |name: &str| PowerInfo {
                name: name.into(),
                adjective: name.into(),
                key: name.to_uppercase(),
                letter: None,
            };
            let dealt = Event::Dealt {
                powers: vec![called("Aksum"), called("Babel")],
                holders: Vec::new(),
            };
            apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &dealt);
            let state = CivDipState {
                homes: vec![centers("vie"), centers("rom")],
                ..CivDipState::default()
            };
            let mut years = Years { game, state };
            years.owned(1900, "vie", "rom");
            years
        }

        fn owned(&mut self, year: i32, aksum: &str, babel: &str) {
            let own = |power: Power, codes: &str| {
                let centers = centers(codes).into_iter();
                centers.map(move |center| (center, power))
            };
            let owners = own(AKSUM, aksum).chain(own(BABEL, babel));
            self.game.position.owners = owners.collect();
            self.game.years.push(Arc::new(Year {
                year,
                owners: self.game.position.owners.clone(),
                unused: Default::default(),
                limit: None,
            }));
        }

        /// The count of Fall, and the Winter behind it, in which Aksum names these.
        fn year(&mut self, year: i32, aksum: &str, babel: &str, named: &str) {
            self.owned(year, aksum, babel);
            after_count(&self.game, &mut self.state);
            let turn = Turn {
                year,
                season: Season::Winter,
            };
            (self.game.turn, self.game.phase) = (turn, Phase::Adjustments);
            let named = |power: Power| match power {
                AKSUM => centers(named),
                _ => Vec::new(),
            };
            after_winter(&self.game, turn, &mut self.state, named);
        }

        fn homes(&self, power: Power) -> String {
            let codes: Vec<String> = self
                .state
                .homes(power)
                .iter()
                .map(|home| home.to_string().to_lowercase())
                .collect();
            codes.join(" ")
        }

        /// Where a civilization may build.
        fn sites(&self, power: Power) -> String {
            let mut game = self.game.clone();
            apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &self.state.kept());
            let mut allowances = VariantGame::new(&game, &CivDip).allowances();
            let own = allowances.powers.remove(&power);
            let sites = own.map_or_else(Vec::new, |own| own.sites);
            let codes: Vec<String> = sites
                .iter()
                .map(|at| at.to_string().to_lowercase())
                .collect();
            codes.join(" ")
        }
    }

    /// Case #47.
    #[test]
    fn four_centers_in_the_second_winter_are_four_homes() {
        let mut years = Years::begin();
        years.year(1901, "vie bud", "rom", "");
        assert_eq!(years.homes(AKSUM), "vie bud");
        years.year(1902, "vie bud ser rum", "rom", "");
        assert_eq!(years.homes(AKSUM), "vie bud rum ser");
        years.year(1903, "vie bud ser rum bul", "rom", "");
        assert_eq!(years.homes(AKSUM), "vie bud rum ser");
    }

    /// Case #48.
    #[test]
    fn three_centers_in_the_second_winter_are_three_homes_for_good() {
        let mut years = Years::begin();
        years.year(1901, "vie bud", "rom", "");
        years.year(1902, "vie bud ser", "rom", "");
        years.year(1903, "vie bud ser rum bul", "rom", "");
        assert_eq!(years.homes(AKSUM), "vie bud ser");
    }

    /// Case #49.
    #[test]
    fn of_two_for_one_place_the_one_named_becomes_a_home() {
        for (named, homes) in [("ser", "vie bud ser"), ("", "vie bud rum")] {
            let mut years = Years::begin();
            years.year(1901, "vie bud", "rom", "");
            years.year(1902, "vie bud", "rom", "");
            years.year(1903, "vie bud rum ser", "rom", named);
            assert_eq!(years.homes(AKSUM), homes, "{named}");
        }
    }

    /// Cases #50 and #51.
    #[test]
    fn a_lost_home_keeps_its_place() {
        for (named, homes) in [("", "vie bud rum ser"), ("tri ser", "vie bud tri ser")] {
            let mut years = Years::begin();
            years.year(1901, "bud", "rom vie", "");
            assert_eq!(years.homes(AKSUM), "vie bud");
            assert_eq!(years.homes(BABEL), "rom vie");
            years.year(1902, "bud rum ser tri", "rom vie", named);
            assert_eq!(years.homes(AKSUM), homes, "{named}");
        }
    }

    /// Case #52.
    #[test]
    fn in_a_home_of_two_its_owner_builds() {
        let mut years = Years::begin();
        years.year(1901, "vie bud", "rom", "");
        years.year(1902, "vie", "rom bud", "");
        assert_eq!(years.homes(AKSUM), "vie bud");
        assert_eq!(years.homes(BABEL), "rom bud");
        assert_eq!(years.sites(AKSUM), "vie");
        assert_eq!(years.sites(BABEL), "bud rom");
        years.year(1903, "vie bud", "rom", "");
        assert_eq!(years.sites(AKSUM), "bud vie");
        assert_eq!(years.sites(BABEL), "rom");
    }

    #[test]
    fn a_home_where_a_unit_stands_is_no_site() {
        let mut years = Years::begin();
        years.year(1901, "vie bud", "rom", "");
        assert_eq!(years.sites(AKSUM), "bud vie");
        years.game.position.units.push(Unit {
            id: UnitId(0),
            power: AKSUM,
            kind: UnitKind::ARMY,
            at: centers("bud")[0].into(),
        });
        assert_eq!(years.sites(AKSUM), "vie");
    }

    #[test]
    fn the_fourth_is_the_one_that_was_owned_longest() {
        let mut years = Years::begin();
        years.year(1901, "vie bud tri ser", "rom", "tri ser");
        assert_eq!(years.homes(AKSUM), "vie tri ser");
        years.year(1902, "vie bud tri ser gre bul", "rom", "bul");
        assert_eq!(years.homes(AKSUM), "vie tri ser bud");
    }
}

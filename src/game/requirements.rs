//! What the phase in hand requires from each power, and whether it has come.

use std::collections::{BTreeMap, BTreeSet};

use super::project::Sight;
use super::{Access, Game, Phase, State, VariantGame};
use dipjudge_rules::adjudicator::{self, Allowances};
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::UnitId;

/// What a phase wants from one power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// An order for each unit.
    Move,
    /// A retreat or a disbandment for each dislodged unit.
    Retreat,
    /// Builds or removals.
    Adjust {
        /// Builds that can be used.
        builds: usize,
        /// Removals.
        removals: usize,
        /// Builds for which there is no free place.
        unusable: usize,
    },
    /// Something of the variant's own.
    Own(AskedOf),
    /// Something optional of the variant's own: the phase asks for it, but is adjudicated without it.
    May(AskedOf),
}

/// What a variant asks of one power, in its words: `BIRTH lines for Prussia`. Only that power's sight opens them:
///
/// ```
/// # use dipjudge_game::{project::Sight, requirements::AskedOf};
/// fn told<'a>(asked: &'a AskedOf, sight: &Sight) -> Option<&'a str> {
///     asked.words(sight)
/// }
/// ```
///
/// ```compile_fail
/// # use dipjudge_game::requirements::AskedOf;
/// fn told(asked: &AskedOf) -> &str {
///     &asked.words
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedOf {
    power: Power,
    words: String,
}

impl AskedOf {
    /// What is asked of a power.
    pub fn new(power: Power, words: impl Into<String>) -> AskedOf {
        AskedOf {
            power,
            words: words.into(),
        }
    }

    /// The words, for the power of which it is asked.
    pub fn words(&self, sight: &Sight) -> Option<&str> {
        (sight.power == self.power).then_some(&self.words)
    }
}

impl Ask {
    /// What a Winter asks of a power, even if that is nothing.
    pub fn adjust(allowances: &Allowances, power: Power) -> Ask {
        let counts = allowances.counts(power);
        Ask::Adjust {
            builds: counts.builds,
            removals: counts.removals,
            unusable: counts.unusable_builds,
        }
    }
}

/// Builds and removals that a power still owes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Builds that can be used.
    pub builds: usize,
    /// Removals.
    pub removals: usize,
    /// Builds for which there is no free place.
    pub unusable: usize,
    /// What else may be ordered, in the variant's words, without their full stops.
    pub also: Vec<String>,
}

/// What a phase requires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// By power; a power that is missing here is not waited for. It depends on the board and the settings, and not on what powers
    /// have sent: what is asked of one must not show what another has done.
    pub due: BTreeMap<Power, Ask>,
    /// Whether the phase is opened although nobody has a choice.
    pub held_anyway: bool,
    /// Powers that still owe a side submission (a bid), even if their orders are in.
    pub wanting: Vec<Power>,
    /// Whether the fact that these have come is as secret as their content, even from masters, until the deadline has passed.
    pub wanting_untold: bool,
    /// Units that need no order and are not waited for.
    pub idle: BTreeSet<UnitId>,
    /// Whether the phase is adjudicated at the deadline without what is missing: no power is late, and there is no grace.
    pub without_grace: bool,
    /// Powers that may still send something optional: the phase is not adjudicated before its deadline because of them, but they
    /// are never late for it.
    pub until_deadline: BTreeSet<Power>,
    /// Powers that have declared that they send nothing more; they count as complete.
    pub passed: BTreeSet<Power>,
}

impl Requirements {
    /// Asks those of these powers that take part.
    fn ask(&mut self, game: &Game, powers: impl Iterator<Item = Power>, ask: &Ask) {
        let mut asked = [false; 256];
        powers.for_each(|power| asked[usize::from(power.0)] = true);
        let asked = game
            .all_powers()
            .filter(|power| asked[usize::from(power.0)]);
        self.due.extend(asked.map(|power| (power, ask.clone())));
    }
}

impl VariantGame<'_> {
    /// What the phase in hand requires.
    pub fn requirements(self) -> Requirements {
        let mut requirements = Requirements::default();
        let position = &self.game.position;
        let retreating = position.dislodged.iter().map(|one| one.unit.power);
        match self.game.phase {
            Phase::Movement => {
                let standing = position.units.iter().map(|unit| unit.power);
                requirements.ask(self.game, standing.chain(retreating), &Ask::Move);
            }
            Phase::Retreats => requirements.ask(self.game, retreating, &Ask::Retreat),
            Phase::Adjustments | Phase::Ownership | Phase::Own(_) => {}
        }
        if self.game.phase == Phase::Adjustments {
            let allowances = self.allowances();
            for power in self.game.all_powers() {
                let counts = allowances.counts(power);
                let owes = counts.builds + counts.removals > 0;
                let at_will = self.game.settings.any_disband && self.game.unit_count(power) > 0;
                if at_will && !owes && self.game.standing(power).orders.winter.is_empty() {
                    requirements.until_deadline.insert(power);
                }
                if owes || at_will {
                    requirements
                        .due
                        .insert(power, Ask::adjust(&allowances, power));
                }
            }
            self.amend_opening_requirements(&allowances, &mut requirements);
        }
        self.variant
            .amend_requirements(self.game, &mut requirements, &Access::whole(self.variant));
        self.leave_out_open(&mut requirements);
        requirements
    }

    /// The builds and removals that a power still has to order, given those of its orders that `access` opens.
    pub fn pending(self, power: Power, access: &Access<'_>) -> Pending {
        if let Some(own) = self.variant.pending(&self.told_by(*access), power) {
            return own;
        }
        let Some(Ask::Adjust {
            builds,
            removals,
            unusable,
        }) = self.requirements().due.get(&power).cloned()
        else {
            return Pending::default();
        };
        let given = &self.game.standing(power).orders.winter;
        let removes = |action: &&Action| matches!(action, Action::Remove { .. });
        let removed = given.iter().filter(removes).count();
        Pending {
            builds: builds.saturating_sub(given.len() - removed),
            removals: removals.saturating_sub(removed),
            unusable,
            also: Vec::new(),
        }
    }

    /// Removes what cannot be sent: for open powers, and for powers that have passed, whose units hold. A phase that asks only
    /// an open power is still played.
    fn leave_out_open(self, requirements: &mut Requirements) {
        let asked = !requirements.due.is_empty();
        let stands_open = |power: &Power| self.stands_open(*power);
        requirements.due.retain(|power, _| !stands_open(power));
        requirements.held_anyway |= asked && requirements.due.is_empty();
        let passed = &requirements.passed;
        if self.game.phase == Phase::Movement {
            let units = self.game.position.units.iter();
            let held = units.filter(|unit| passed.contains(&unit.power));
            requirements.idle.extend(held.map(|unit| unit.id));
        }
        let sends = |power: &Power| !stands_open(power) && !passed.contains(power);
        requirements.wanting.retain(&sends);
        requirements.until_deadline.retain(&sends);
    }

    /// Builds and removals due, and where, as the variant has it.
    pub fn allowances(self) -> Allowances {
        let sites = match self.game.settings.build_sites {
            super::BuildSites::Home => adjudicator::Sites::Homes,
            super::BuildSites::Any => adjudicator::Sites::Owned,
            super::BuildSites::One => adjudicator::Sites::OwnedIfHome,
        };
        let mut allowances = Allowances::standard(
            self.game.map(),
            &self.game.position,
            self.game.powers.len(),
            sites,
        );
        if self.game.settings.any_disband {
            let allowances = allowances.powers.values_mut();
            allowances.for_each(|allowance| allowance.removes_at_will = true);
        }
        if self.game.settings.build_sites == super::BuildSites::Home {
            self.build_in_own_homes(&mut allowances);
        }
        self.amend_opening_allowances(&mut allowances);
        self.variant.amend_allowances(self.game, &mut allowances);
        allowances
    }

    /// Builds at sites that only the variant can determine.
    fn build_in_own_homes(self, allowances: &mut Allowances) {
        let position = &self.game.position;
        for (power, allowance) in &mut allowances.powers {
            let Some(homes) = self.variant.homes(self.game, *power) else {
                continue;
            };
            let mut owned: Vec<Province> = position.centers_of(*power).collect();
            owned.retain(|center| homes.contains(center) && position.standing(*center).is_none());
            allowance.sites = owned;
        }
    }

    /// Whether every unit of a power that needs an order has one, flagged or not.
    pub fn all_ordered(self, power: Power) -> bool {
        all_have_orders(self.game, &self.requirements(), power)
    }

    /// Whether units of a power lack orders, or builds or removals are still due from it, so that the phase stays open by itself.
    pub fn lacks_orders(self, power: Power) -> bool {
        let requirements = self.requirements();
        match requirements.due.get(&power) {
            Some(Ask::Adjust {
                builds, removals, ..
            }) => !adjusts_all(self.game, power, *builds, *removals),
            _ => !all_have_orders(self.game, &requirements, power),
        }
    }

    /// Whether a power has all the orders that it needs, from before a rollback, and has not confirmed them.
    pub fn awaits_confirmation(self, power: Power) -> bool {
        self.game.standing(power).required && !self.lacks_orders(power)
    }

    /// Whether a power has sent what the phase requires, without an error flag or an unconfirmed rollback.
    pub fn is_complete(self, power: Power) -> bool {
        let requirements = self.requirements();
        let Some(ask) = requirements.due.get(&power) else {
            return true;
        };
        complete_for(self.game, &requirements, power, ask) && !requirements.wanting.contains(&power)
    }

    /// Whether a power has sent what the phase requires, as far as others may know it.
    pub fn is_complete_openly(self, power: Power) -> bool {
        let mut requirements = self.requirements();
        if wanting_is_untold(self.game, &requirements) {
            requirements.wanting.clear();
        }
        let Some(ask) = requirements.due.get(&power) else {
            return true;
        };
        complete_for(self.game, &requirements, power, ask) && !requirements.wanting.contains(&power)
    }

    /// Powers that are waited for: something is due and has not come. A power in civil disorder is not waited for.
    pub fn powers_missing(self) -> Vec<Power> {
        if self.game.state != State::Running {
            return Vec::new();
        }
        let requirements = self.requirements();
        let open = |power: &Power, ask: &Ask| {
            !complete_for(self.game, &requirements, *power, ask)
                || requirements.wanting.contains(power)
        };
        let waited_for =
            |power: &Power| !(self.game.settings.nmr && self.game.standing(*power).disorder);
        requirements
            .due
            .iter()
            .filter(|(power, ask)| waited_for(power) && open(power, ask))
            .map(|(power, _)| *power)
            .collect()
    }

    /// Whether nothing more is waited for: nothing that is due and, before the deadline, nothing optional.
    pub fn all_in(self) -> bool {
        let past_deadline = self.game.timing.late_notice.is_some();
        let waits_for_more = || !past_deadline && !self.requirements().until_deadline.is_empty();
        self.powers_missing().is_empty() && !waits_for_more()
    }
}

impl Requirements {
    /// Whether something is due from a power, so that its error flag delays the phase.
    pub fn owes(&self, power: Power) -> bool {
        self.asks(power) && !self.passed.contains(&power)
    }

    /// Whether the phase asks something of a power that it owes, whether or not it has passed.
    pub fn asks(&self, power: Power) -> bool {
        let asked = self.due.get(&power);
        asked.is_some_and(|ask| !matches!(ask, Ask::May(_)))
    }
}

fn all_have_orders(game: &Game, requirements: &Requirements, power: Power) -> bool {
    if requirements.passed.contains(&power) {
        return true;
    }
    let standing = game.standing(power);
    let ordered = |unit: &dipjudge_rules::position::Unit| {
        standing.orders.units.contains_key(&unit.id)
            || standing.orders.lent.contains_key(&unit.id)
            || requirements.idle.contains(&unit.id)
    };
    match game.phase {
        Phase::Movement => game
            .position
            .units
            .iter()
            .filter(|unit| unit.power == power)
            .all(ordered),
        Phase::Retreats => game
            .position
            .dislodged
            .iter()
            .filter(|d| d.unit.power == power)
            .all(|dislodged| ordered(&dislodged.unit)),
        _ => true,
    }
}

/// Whether the arrival of side submissions is as secret as their content. It is no longer secret once a late notice has named
/// who lacks something.
pub fn wanting_is_untold(game: &Game, requirements: &Requirements) -> bool {
    requirements.wanting_untold && game.timing.late_notice.is_none()
}

fn complete_for(game: &Game, requirements: &Requirements, power: Power, ask: &Ask) -> bool {
    if matches!(ask, Ask::May(_)) {
        return true;
    }
    let standing = game.standing(power);
    if standing.required || (game.settings.approval && !standing.approved) {
        return false;
    }
    if requirements.passed.contains(&power) {
        return true;
    }
    if standing.flag {
        return false;
    }
    match ask {
        Ask::Move | Ask::Retreat => all_have_orders(game, requirements, power),
        Ask::Adjust {
            builds, removals, ..
        } => adjusts_all(game, power, *builds, *removals),
        Ask::Own(_) | Ask::May(_) => true,
    }
}

/// Whether so many builds and removals of a power are ordered.
fn adjusts_all(game: &Game, power: Power, builds: usize, removals: usize) -> bool {
    let given = &game.standing(power).orders.winter;
    let removed = given
        .iter()
        .filter(|action| matches!(action, Action::Remove { .. }))
        .count();
    given.len() - removed >= builds && removed >= removals
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::super::labels::testing::{ENGLAND, FRANCE, begun};
    use super::super::testing::{Plain, created};
    use super::super::{Event, GameEdit, SettingChange};
    use super::*;

    const POWER: Power = Power(0);

    fn requirements(ask: Ask) -> Requirements {
        Requirements {
            due: BTreeMap::from([(POWER, ask)]),
            ..Requirements::default()
        }
    }

    fn adjust(builds: usize, removals: usize) -> Ask {
        Ask::Adjust {
            builds,
            removals,
            unusable: 0,
        }
    }

    #[test]
    fn a_power_owes_what_is_due_until_it_has_passed() {
        let mut due = requirements(Ask::Move);
        assert!(due.owes(POWER));
        assert!(!due.owes(Power(1)), "nothing is due from it");
        due.passed.insert(POWER);
        assert!(!due.owes(POWER));
        assert!(!requirements(Ask::May(AskedOf::new(POWER, "bids"))).owes(POWER));
    }

    #[test]
    fn what_is_asked_of_a_power_is_read_by_it_alone() {
        let begun = begun(&[(FRANCE, "par"), (ENGLAND, "lon")]);
        let asked = AskedOf::new(FRANCE, "bids");
        let sight = |power| VariantGame::new(&begun, &Plain).sight_of(power);
        assert_eq!(asked.words(&sight(FRANCE)), Some("bids"));
        assert_eq!(asked.words(&sight(ENGLAND)), None);
    }

    #[test]
    fn a_winter_is_complete_when_all_builds_or_removals_are_given() {
        let mut game = created("winter");
        let complete =
            |game: &Game, ask: Ask| complete_for(game, &requirements(ask.clone()), POWER, &ask);
        assert!(!complete(&game, adjust(1, 0)));
        assert!(!complete(&game, adjust(0, 1)));
        let at = game.map().find_province("bud").unwrap();
        let standing = game.standings.entry(POWER).or_default();
        standing.orders.winter = vec![Action::Remove { at }];
        assert!(complete(&game, adjust(0, 1)));
        assert!(!complete(&game, adjust(0, 2)));
        assert!(!complete(&game, adjust(1, 0)), "a removal is no build");
    }

    #[test]
    fn a_flag_or_a_missing_approval_keeps_orders_from_being_complete() {
        let mut edit = GameEdit::of(&created("approved"), &Plain, Timestamp::UNIX_EPOCH);
        let ask = adjust(0, 0);
        let complete = |game: &Game| complete_for(game, &requirements(ask.clone()), POWER, &ask);
        assert!(complete(&edit.game));
        edit.emit(Event::Set(SettingChange::Approval(true)));
        assert!(!complete(&edit.game), "the master has not approved them");
        edit.game.standings.entry(POWER).or_default().approved = true;
        assert!(complete(&edit.game));
        edit.game.standings.entry(POWER).or_default().flag = true;
        assert!(!complete(&edit.game));
    }
}

//! What the phase in hand wants from whom, and whether it has come.

use std::collections::{BTreeMap, BTreeSet};

use super::{Access, Game, Phase, State, Variant, need, opening};
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
    /// Something of the variant's own, in its words: `BIRTH lines for Prussia`.
    Own(String),
    /// Something of the variant's own that nobody owes, in its words: the phase asks for it and runs without it.
    May(String),
}

impl Ask {
    /// What a Winter asks of a power, even where that is nothing.
    pub fn adjust(allowances: &Allowances, power: Power) -> Ask {
        let counts = allowances.counts(power);
        Ask::Adjust {
            builds: counts.builds,
            removals: counts.removals,
            unusable: counts.unusable_builds,
        }
    }
}

/// Builds and removals that are due to a power and that it has not ordered yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Builds that can be used.
    pub builds: usize,
    /// Removals.
    pub removals: usize,
    /// Builds for which there is no free place.
    pub unusable: usize,
    /// What else may still be ordered, in the variant's words, without their full stops.
    pub also: Vec<String>,
}

/// What a phase wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// By power; who is not here is not waited for.
    pub due: BTreeMap<Power, Ask>,
    /// The phase opens although nobody has a choice.
    pub held_anyway: bool,
    /// Powers whose side submissions are still wanted (a bid), though their orders may be in.
    pub wanting: Vec<Power>,
    /// Whether these have come is told as little as what they say, to masters neither, until the deadline has passed.
    pub wanting_untold: bool,
    /// Units that nobody waits for: they do well without an order.
    pub idle: BTreeSet<UnitId>,
    /// What has not come at the deadline is decided without: nobody is late, and there is no grace.
    pub without_grace: bool,
    /// Powers that may still send something that nobody owes: the phase does not run before its deadline for their sake, and
    /// they are never late for it.
    pub until_deadline: BTreeSet<Power>,
    /// Powers that have said that nothing more comes from them: they have done all that the phase wants.
    pub passed: BTreeSet<Power>,
}

/// What the phase in hand wants.
pub fn of(game: &Game, variant: &dyn Variant) -> Requirements {
    let mut requirements = Requirements::default();
    for power in game.all_powers() {
        let ask = match game.phase {
            Phase::Movement => (game.unit_count(power) > 0).then_some(Ask::Move),
            Phase::Retreats => {
                let own =
                    |dislodged: &dipjudge_rules::position::Dislodged| dislodged.unit.power == power;
                game.position
                    .dislodged
                    .iter()
                    .any(own)
                    .then_some(Ask::Retreat)
            }
            Phase::Adjustments => None,
            Phase::Ownership | Phase::Own(_) => None,
        };
        requirements.due.extend(ask.map(|ask| (power, ask)));
    }
    if game.phase == Phase::Adjustments {
        let allowances = allowances(game, variant);
        for power in game.all_powers() {
            let counts = allowances.counts(power);
            if counts.builds + counts.removals > 0 {
                requirements
                    .due
                    .insert(power, Ask::adjust(&allowances, power));
            }
        }
        opening::amend_requirements(game, variant, &allowances, &mut requirements);
    }
    variant.amend_requirements(game, &mut requirements, &Access::whole(variant));
    leave_out_open(game, variant, &mut requirements);
    requirements
}

/// The builds and removals that a power still has to order, counted by those of its orders that this opens.
pub fn pending(game: &Game, variant: &dyn Variant, power: Power, access: &Access<'_>) -> Pending {
    if let Some(own) = variant.pending(game, power, access) {
        return own;
    }
    let Some(Ask::Adjust {
        builds,
        removals,
        unusable,
    }) = of(game, variant).due.get(&power).cloned()
    else {
        return Pending::default();
    };
    let given = game.standing(power).orders.winter.len();
    Pending {
        builds: builds.saturating_sub(given),
        removals: removals.saturating_sub(given),
        unusable,
        also: Vec::new(),
    }
}

/// Takes out what nobody sends: of powers that stand open, and of those that have passed, whose units hold. A phase that
/// asked none but an open power is still played.
fn leave_out_open(game: &Game, variant: &dyn Variant, requirements: &mut Requirements) {
    let asked = !requirements.due.is_empty();
    let stands_open = |power: &Power| need::stands_open(game, variant, *power);
    requirements.due.retain(|power, _| !stands_open(power));
    requirements.held_anyway |= asked && requirements.due.is_empty();
    let passed = &requirements.passed;
    if game.phase == Phase::Movement {
        let units = game.position.units.iter();
        let held = units.filter(|unit| passed.contains(&unit.power));
        requirements.idle.extend(held.map(|unit| unit.id));
    }
    let sends = |power: &Power| !stands_open(power) && !passed.contains(power);
    requirements.wanting.retain(&sends);
    requirements.until_deadline.retain(&sends);
}

/// Builds and removals due, and where, as the variant has it.
pub fn allowances(game: &Game, variant: &dyn Variant) -> Allowances {
    let sites = match game.settings.build_sites {
        super::BuildSites::Home => adjudicator::Sites::Homes,
        super::BuildSites::Any => adjudicator::Sites::Owned,
        super::BuildSites::One => adjudicator::Sites::OwnedIfHome,
    };
    let mut allowances = Allowances::standard(game.map(), &game.position, game.powers.len(), sites);
    if game.settings.build_sites == super::BuildSites::Home {
        own_homes(game, variant, &mut allowances);
    }
    opening::amend_allowances(game, variant, &mut allowances);
    variant.amend_allowances(game, &mut allowances);
    allowances
}

/// Builds in homes that are the variant's to say.
fn own_homes(game: &Game, variant: &dyn Variant, allowances: &mut Allowances) {
    let position = &game.position;
    for (power, allowance) in &mut allowances.powers {
        let Some(homes) = variant.homes(game, *power) else {
            continue;
        };
        let mut owned: Vec<Province> = position.centers_of(*power).collect();
        owned.retain(|center| homes.contains(center) && position.standing(*center).is_none());
        allowance.sites = owned;
    }
}

impl Requirements {
    /// Whether something is due from a power, so that its error flag holds the phase up.
    pub fn owes(&self, power: Power) -> bool {
        self.asks(power) && !self.passed.contains(&power)
    }

    /// Whether the phase asks something of a power that it owes, whether it has passed or not.
    pub fn asks(&self, power: Power) -> bool {
        let asked = self.due.get(&power);
        asked.is_some_and(|ask| !matches!(ask, Ask::May(_)))
    }
}

/// Whether every unit of a power that needs one has an order, be it flagged or not.
pub fn all_ordered(game: &Game, variant: &dyn Variant, power: Power) -> bool {
    all_have_orders(game, &of(game, variant), power)
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

/// Whether a power has done what the phase wants and nothing holds it back: no error flag, no unconfirmed rollback.
pub fn complete(game: &Game, variant: &dyn Variant, power: Power) -> bool {
    let requirements = of(game, variant);
    let Some(ask) = requirements.due.get(&power) else {
        return true;
    };
    complete_for(game, &requirements, power, ask) && !requirements.wanting.contains(&power)
}

/// Whether side submissions that may have come are no more to be told of than what they say. Once a late notice has named
/// who lacks something, that is no secret any more.
pub fn wanting_is_untold(game: &Game, requirements: &Requirements) -> bool {
    requirements.wanting_untold && game.timing.late_notice.is_none()
}

/// Whether a power has done what the phase wants, as far as that may be told to others than itself.
pub fn complete_openly(game: &Game, variant: &dyn Variant, power: Power) -> bool {
    let mut requirements = of(game, variant);
    if wanting_is_untold(game, &requirements) {
        requirements.wanting.clear();
    }
    let Some(ask) = requirements.due.get(&power) else {
        return true;
    };
    complete_for(game, &requirements, power, ask) && !requirements.wanting.contains(&power)
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
        } => {
            let given = &standing.orders.winter;
            let removed = given
                .iter()
                .filter(|action| matches!(action, Action::Remove { .. }))
                .count();
            given.len() - removed >= *builds && removed >= *removals
        }
        Ask::Own(_) | Ask::May(_) => true,
    }
}

/// Powers that are waited for: something is due and has not come. A power in civil disorder is not waited for.
pub fn missing(game: &Game, variant: &dyn Variant) -> Vec<Power> {
    if game.state != State::Running {
        return Vec::new();
    }
    let requirements = of(game, variant);
    let open = |power: &Power, ask: &Ask| {
        !complete_for(game, &requirements, *power, ask) || requirements.wanting.contains(power)
    };
    let waited_for = |power: &Power| !(game.settings.nmr && game.standing(*power).disorder);
    requirements
        .due
        .iter()
        .filter(|(power, ask)| waited_for(power) && open(power, ask))
        .map(|(power, _)| *power)
        .collect()
}

/// Whether nothing more is waited for: nothing that is due, nor, before the deadline, what nobody owes.
pub fn all_in(game: &Game, variant: &dyn Variant) -> bool {
    let past_deadline = game.timing.late_notice.is_some();
    let waits_for_more = || !past_deadline && !of(game, variant).until_deadline.is_empty();
    missing(game, variant).is_empty() && !waits_for_more()
}

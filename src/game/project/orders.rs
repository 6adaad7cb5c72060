//! Standing orders as their owner, or a master, reads them in a reply or reminder (`judge-workflow.md` 6.2).

use super::actions::own_action;
use super::sight::Visibility;
use super::{GameView, Labels, Naming, ReaderView};
use crate::{Access, Game, ORDERS, Phase, Standing, State, VariantGame, Vote, requirements};
use dipjudge_rules::calendar::PhaseName;
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::Unit;
use dipjudge_view::{
    OrderLine, OrdersSection, PowerOrders, SpecialInNames, UnitOrder, Viewer, Warning,
    WinterAction, WinterLine,
};

impl ReaderView<'_> {
    /// The warning at the end of a power's reply; `lent` for a master who acts as that power.
    pub fn warning(self, lent: bool) -> Warning {
        let Viewer::Power(power) = self.reader.viewer else {
            return Warning::None;
        };
        let complete = if lent {
            self.variant_game().is_complete_openly(power)
        } else {
            self.variant_game().is_complete(power)
        };
        match self.game.state {
            State::Paused => {
                return Warning::Stopped {
                    state: "paused".to_owned(),
                };
            }
            State::Halted { .. } => {
                return Warning::Stopped {
                    state: "standing still".to_owned(),
                };
            }
            State::Over(_) => {
                return Warning::Stopped {
                    state: "over".to_owned(),
                };
            }
            State::Running => {}
            State::Forming | State::Ready => return Warning::None,
        }
        let standing = self.game.standing(power);
        if standing.resigned {
            return Warning::None;
        }
        let deadline = self
            .game
            .timing
            .times
            .map(|times| self.reader.moment(times.deadline));
        let grace = self
            .game
            .timing
            .times
            .map(|times| self.reader.moment(times.grace));
        let nmr = self.game.settings.nmr;
        let requirements = self.variant_game().requirements();
        if !requirements.due.contains_key(&power) {
            Warning::None
        } else if (requirements.without_grace || !self.variant_game().pace().grace) && !complete {
            Warning::Open { deadline }
        } else if standing.late && !complete {
            Warning::Late { grace, nmr }
        } else if standing.flag && requirements.owes(power) {
            Warning::ErrorFlag {
                deadline,
                grace,
                nmr,
            }
        } else if self.variant_game().awaits_confirmation(power) {
            Warning::Unconfirmed {
                deadline,
                grace,
                nmr,
            }
        } else if !complete {
            Warning::Incomplete {
                deadline,
                grace,
                nmr,
            }
        } else if standing.wait {
            Warning::Wait { deadline }
        } else {
            Warning::None
        }
    }
}

impl GameView<'_> {
    /// The orders section of a reply: the reader's own power, or all for a master if orders are not sealed from him.
    pub fn orders_section(self) -> Option<OrdersSection> {
        if !self.game.begun() || self.game.over() {
            return None;
        }
        let access = self.access();
        let powers: Vec<Power> = match self.viewer {
            Viewer::Power(power) => vec![power],
            _ => self
                .game
                .all_powers()
                .filter(|power| {
                    self.variant.in_play(self.game, *power) && access.opens(&ORDERS, *power)
                })
                .collect(),
        };
        if powers.is_empty() {
            return None;
        }
        let powers = powers
            .into_iter()
            .map(|power| self.variant_game().own_power(power, &access))
            .collect();
        Some(OrdersSection {
            title: self.variant_game().phase_title(
                self.game.number + 1,
                self.game.turn,
                &self.game.phase,
            ),
            powers,
        })
    }
}

impl VariantGame<'_> {
    /// The orders section of one power for a master who acts as it, without what is sealed from masters.
    pub fn lent_section(self, power: Power) -> Option<OrdersSection> {
        let view = self.seen_by(Viewer::Power(power));
        let mut section = view.orders_section()?;
        let access = self.seen_by(Viewer::Master).access();
        let labels = &view.labels();
        for own in &mut section.powers {
            if self.game.phase == Phase::Adjustments {
                own.winter = self.winter_lines(labels, power, &access);
            }
            own.own = self.own_lines(power, &access);
            own.pending = self.pending_section(power, &access);
        }
        Some(section)
    }

    /// The prefix of a power's quoted lines, as its leader reads them: `E`.
    pub fn prefix_of(self, power: Power) -> String {
        self.seen_by(Viewer::Power(power)).labels().letter(power)
    }

    fn own_power(self, power: Power, access: &Access<'_>) -> PowerOrders {
        let standing = self.game.standing(power);
        let viewer = access.reader().unwrap_or(Viewer::Stranger);
        let visibility = self.seen_by(viewer).visibility();
        let labels = &self.seen_by(viewer).labels();
        PowerOrders {
            power: labels.label(power),
            letter: labels.letter(power),
            status: if viewer == Viewer::Master {
                self.status_of(power, standing)
            } else {
                String::new()
            },
            orders: match self.game.phase {
                Phase::Movement => self.movement_lines(labels, &visibility, power, standing),
                Phase::Retreats => Naming::new(self.game, labels).retreat_lines(power, standing),
                _ => Vec::new(),
            },
            winter: if self.game.phase == Phase::Adjustments {
                self.winter_lines(labels, power, access)
            } else {
                Vec::new()
            },
            own: self.silence_and_own_lines(power, viewer, access),
            votes: votes(labels, standing),
            pending: self.pending_section(power, access),
        }
    }

    /// The consequences of sending nothing, and the power's submissions of the variant's own, as far as they are open.
    fn silence_and_own_lines(
        self,
        power: Power,
        viewer: Viewer,
        access: &Access<'_>,
    ) -> Vec<String> {
        let left_open =
            (viewer == Viewer::Power(power)).then(|| self.opening_builds_left_open(power));
        let submitted = self.own_lines(power, access);
        left_open.flatten().into_iter().chain(submitted).collect()
    }

    /// The lines that a power has stored for later phases, as far as they are open, each under its phase.
    ///
    /// Lines for a phase that was left out stay stored, since the phase may come after a ROLLBACK, but are not shown.
    fn pending_section(self, power: Power, access: &Access<'_>) -> Vec<String> {
        let now = self.game.phase_name(self.variant);
        let mut lines = Vec::new();
        let mut phase = "";
        let stored = self.game.standing(power).ahead.iter();
        let to_come = stored.filter(|ahead| {
            let phase: Result<PhaseName, _> = ahead.phase.parse();
            phase.map_or(true, |phase| phase >= now)
        });
        for ahead in to_come.filter(|ahead| access.opens_line(ahead, power)) {
            if ahead.phase != phase {
                phase = &ahead.phase;
                lines.push(format!("PHASE {}", mail_form(phase)));
            }
            lines.push(ahead.line.clone());
        }
        lines
    }

    /// `Move Submitted, Error Flag, WAIT`: the state of a power in the master's reply.
    fn status_of(self, power: Power, standing: &Standing) -> String {
        let requirements = self.requirements();
        let mut words = vec![if !requirements.due.contains_key(&power) {
            "No Move Required"
        } else if requirements.until_deadline.contains(&power) {
            "Move Possible"
        } else if self.is_complete_openly(power) || (standing.flag && self.all_ordered(power)) {
            if requirements::wanting_is_untold(self.game, &requirements) {
                // What is not secret has come; whether the rest has come is secret.
                "Sealed"
            } else {
                "Move Submitted"
            }
        } else {
            "Move Required"
        }];
        let marks = [
            (standing.flag, "Error Flag"),
            (standing.wait, "WAIT"),
            (standing.late, "Late"),
            (standing.abandoned, "Abandoned"),
            (standing.resigned, "Resigned"),
            (standing.disorder, "CD"),
        ];
        words.extend(marks.iter().filter(|(on, _)| *on).map(|(_, word)| *word));
        words.join(", ")
    }

    fn movement_lines(
        self,
        labels: &Labels,
        visibility: &Visibility,
        power: Power,
        standing: &Standing,
    ) -> Vec<OrderLine> {
        let requirements::Requirements { idle, wanting, .. } = self.requirements();
        // A power that is waited for has not declared that its units hold.
        let waited_for = wanting.contains(&power);
        let told = |unit: &Unit| {
            let action = match standing.orders.units.get(&unit.id) {
                None if idle.contains(&unit.id) && !waited_for => Some(&Action::Hold),
                told => told,
            };
            if visibility.is_bounded() {
                own_action(self.game, visibility, standing, unit, action)
            } else {
                Naming::new(self.game, labels).seen_action(unit, action)
            }
        };
        let mut lines: Vec<OrderLine> = self
            .game
            .position
            .units
            .iter()
            .filter(|unit| unit.power == power)
            .map(|unit| {
                let ordered = match standing.orders.lent.get(&unit.id) {
                    Some(to) => {
                        let to = labels.label(*to);
                        UnitOrder::Action(Action::Special(SpecialInNames::Proxy { to }))
                    }
                    None => told(unit),
                };
                let warning = unmatched_convoy(self.game, unit, standing);
                OrderLine {
                    unit: Naming::new(self.game, labels).seen_unit(unit),
                    ordered,
                    marks: Vec::new(),
                    reason: None,
                    warning,
                }
            })
            .collect();
        // Units lent to this power are listed here too.
        for unit in borrowed(self.game, power).filter(|unit| visibility.sees(unit)) {
            lines.push(OrderLine {
                unit: Naming::new(self.game, labels).seen_unit(unit),
                ordered: told(unit),
                marks: Vec::new(),
                reason: None,
                warning: None,
            });
        }
        lines
    }

    fn winter_lines(self, labels: &Labels, power: Power, access: &Access<'_>) -> Vec<WinterLine> {
        let standing = self.game.standing(power);
        let keeps = self
            .allowances()
            .of(power)
            .is_some_and(|allowance| allowance.saves_builds);
        let saved = |action: &&Action| keeps && **action == Action::Waive;
        let given = || standing.orders.winter.iter();
        let mut lines: Vec<WinterAction> = given()
            .filter(|action| !saved(action))
            .filter_map(|action| Naming::new(self.game, labels).winter_action(action))
            .collect();
        match given().filter(saved).count() {
            0 => {}
            saved => lines.push(WinterAction::Saved(saved)),
        }
        let pending = self.pending(power, access);
        match (pending.builds, pending.removals) {
            (0, 0) => {}
            (open, 0) => lines.push(WinterAction::BuildsPending(open)),
            (_, open) => lines.push(WinterAction::RemovalsPending(open)),
        }
        if pending.unusable > 0 {
            lines.push(WinterAction::UnusablePending(pending.unusable));
        }
        let also = pending.also.into_iter();
        lines.extend(also.map(|words| WinterAction::Own { words }));
        lines
            .into_iter()
            .map(|action| WinterLine {
                power: labels.label(power),
                action,
            })
            .collect()
    }
}

impl Naming<'_> {
    fn retreat_lines(self, power: Power, standing: &Standing) -> Vec<OrderLine> {
        let own = self
            .game
            .position
            .dislodged
            .iter()
            .filter(|dislodged| dislodged.unit.power == power);
        own.map(|dislodged| {
            let unit = &dislodged.unit;
            let ordered = match standing.orders.units.get(&unit.id) {
                None => UnitOrder::NoRetreat,
                given => self.seen_action(unit, given),
            };
            OrderLine {
                unit: self.seen_unit(unit),
                ordered,
                marks: Vec::new(),
                reason: None,
                warning: None,
            }
        })
        .collect()
    }
}

/// `W1901A` as mails write it: `F1901B`.
fn mail_form(token: &str) -> String {
    let phase: Result<PhaseName, _> = token.parse();
    phase.map_or_else(|_| token.to_owned(), PhaseName::in_mail)
}

/// The votes of a power, one a line.
fn votes(labels: &Labels, standing: &Standing) -> Vec<String> {
    let to_end = standing.terminates.then(|| "TERMINATE".to_owned());
    let vote = standing.vote.as_ref().map(|vote| vote_words(labels, vote));
    vote.into_iter().chain(to_end).collect()
}

fn vote_words(labels: &Labels, vote: &Vote) -> String {
    match vote {
        Vote::All => "DRAW YES".to_owned(),
        Vote::Among(powers) => {
            format!(
                "DRAW {}",
                powers
                    .iter()
                    .map(|power| labels.letter(*power))
                    .collect::<Vec<_>>()
                    .join(labels.between_letters())
            )
        }
        Vote::Concede(power) => format!("CONCEDE {}", labels.name(*power)),
    }
}

/// Foreign units that were lent to a power.
fn borrowed(game: &Game, power: Power) -> impl Iterator<Item = &Unit> {
    game.position.units.iter().filter(move |unit| {
        game.standings
            .get(&unit.power)
            .is_some_and(|owner| owner.orders.lent.get(&unit.id) == Some(&power))
    })
}

/// `(*WARN:check convoy*)`: an own fleet convoys an own army that has no matching order (`judge-workflow.md` 3.5).
fn unmatched_convoy(game: &Game, unit: &Unit, standing: &Standing) -> Option<String> {
    let Some(Action::Convoy { from, to }) = standing.orders.units.get(&unit.id) else {
        return None;
    };
    let army = game
        .position
        .units
        .iter()
        .find(|other| other.at.province == *from)?;
    if army.power != unit.power {
        return None;
    }
    let fits = matches!(standing.orders.units.get(&army.id), Some(Action::Move { to: dest, .. }) if dest.province == *to);
    (!fits).then(|| "check convoy".to_owned())
}

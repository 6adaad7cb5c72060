//! Movement by trial: every assignment of success and failure is tried against the rules, written down here once more for a
//! board on which everything is known. Slow and simple; it shares nothing with the adjudicator but map, position and sheet.

use std::collections::BTreeSet;

use dipjudge::adjudicator::{Mark, Reason, Resolution};
use dipjudge::map::{Map, Province, Travel};
use dipjudge::orders::{Action, OrderSheet, Passage, Strength};
use dipjudge::position::{Position, Unit};

/// What one unit does, by numbers of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Stays,
    Moves { to: Province, convoyed: bool },
    Supports { whom: usize, toward: Province },
    Convoys { whom: usize },
}

/// Help without an order.
#[derive(Clone, Copy, Debug)]
struct Help {
    by: usize,
    of: usize,
    cut_at: u32,
}

/// The board of one phase.
pub(crate) struct Trial<'a> {
    map: &'a Map,
    units: &'a [Unit],
    strengths: Vec<Strength>,
    does: Vec<Does>,
    helps: Vec<Help>,
}

/// What is decided of each unit and each help.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Decided {
    /// By unit: its move succeeds.
    pub(crate) moved: Vec<bool>,
    /// By help: it is given.
    pub(crate) helped: Vec<bool>,
}

/// What is not tried, but set: convoys that do not stand and help that is cut, whatever the rules say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refused {
    pub(crate) convoys: BTreeSet<usize>,
    pub(crate) helps: BTreeSet<usize>,
}

impl<'a> Trial<'a> {
    /// Orders are legal, one for each unit at most; those that do not match another order have no effect.
    pub(crate) fn new(map: &'a Map, position: &'a Position, sheet: &OrderSheet) -> Self {
        let units = position.units.as_slice();
        let number = |at: Province| units.iter().position(|unit| unit.at.province == at);
        let ordered = |unit: &Unit| {
            let order = sheet.orders.iter().find(|order| order.unit == unit.id);
            order.map(|order| &order.action)
        };
        let moves_from = |from: Province, end: Province| {
            let whom = number(from)?;
            let fits = matches!(ordered(&units[whom]), Some(Action::Move { to, .. }) if to.province == end);
            fits.then_some(whom)
        };
        let does = units.iter().map(|unit| match ordered(unit) {
            Some(Action::Move { to, by }) => Does::Moves {
                to: to.province,
                convoyed: *by == Passage::Convoy,
            },
            Some(Action::SupportMove { from, to }) => {
                moves_from(*from, to.province).map_or(Does::Stays, |whom| Does::Supports {
                    whom,
                    toward: to.province,
                })
            }
            Some(Action::SupportHold { at }) => number(*at)
                .filter(|&whom| !matches!(ordered(&units[whom]), Some(Action::Move { .. })))
                .map_or(Does::Stays, |whom| Does::Supports { whom, toward: *at }),
            Some(Action::Convoy { from, to }) => {
                moves_from(*from, *to).map_or(Does::Stays, |whom| Does::Convoys { whom })
            }
            _ => Does::Stays,
        });
        let helps = sheet.assists.iter().map(|assist| Help {
            by: units.iter().position(|unit| unit.id == assist.by).unwrap(),
            of: units.iter().position(|unit| unit.id == assist.of).unwrap(),
            cut_at: assist.cut_at,
        });
        let strength = |unit: &Unit| sheet.strengths.get(&unit.id).copied().unwrap_or_default();
        Self {
            map,
            units,
            strengths: units.iter().map(strength).collect(),
            does: does.collect(),
            helps: helps.collect(),
        }
    }

    /// How many decisions are tried.
    pub(crate) fn decisions(&self) -> usize {
        self.movers().count() + self.helps.len()
    }

    /// Every assignment in which each decision follows from the others.
    pub(crate) fn consistent(&self, refused: &Refused) -> Vec<Decided> {
        let movers: Vec<usize> = self.movers().collect();
        let count = movers.len() + self.helps.len();
        let mut found = Vec::new();
        for bits in 0..1_u32 << count {
            let mut decided = Decided {
                moved: vec![false; self.units.len()],
                helped: (0..self.helps.len())
                    .map(|help| bits >> (movers.len() + help) & 1 == 1)
                    .collect(),
            };
            for (bit, &mover) in movers.iter().enumerate() {
                decided.moved[mover] = bits >> bit & 1 == 1;
            }
            if self.holds(&decided, refused) {
                found.push(decided);
            }
        }
        found
    }

    /// Whether each decision follows from the others.
    pub(crate) fn holds(&self, decided: &Decided, refused: &Refused) -> bool {
        let at = Assumed {
            trial: self,
            decided,
            refused,
        };
        self.movers()
            .all(|mover| at.succeeds(mover) == decided.moved[mover])
            && (0..self.helps.len()).all(|help| at.helps(help) == decided.helped[help])
    }

    /// Whether the army's convoy stands.
    pub(crate) fn stands(&self, decided: &Decided, refused: &Refused, mover: usize) -> bool {
        let at = Assumed {
            trial: self,
            decided,
            refused,
        };
        at.has_way(mover)
    }

    /// Compares everything that a resolution tells with what was decided; the first difference.
    pub(crate) fn difference(
        &self,
        decided: &Decided,
        refused: &Refused,
        resolution: &Resolution,
    ) -> Option<String> {
        let at = Assumed {
            trial: self,
            decided,
            refused,
        };
        for (index, outcome) in resolution.outcomes.iter().enumerate() {
            let unit = &self.units[index];
            let dislodged = outcome.marks.has(Mark::Dislodged);
            if outcome.moved.is_some() != decided.moved[index] {
                return Some(format!("move of {}", unit.at));
            }
            if dislodged != at.dislodged(index) {
                return Some(format!("dislodging of {}", unit.at));
            }
            match self.does[index] {
                Does::Supports { .. } if outcome.marks.has(Mark::Cut) == at.gives(index) => {
                    return Some(format!("support by {}", unit.at));
                }
                Does::Moves { .. } if self.is_disrupted(resolution, index) == at.has_way(index) => {
                    return Some(format!("way of {}", unit.at));
                }
                _ => {}
            }
        }
        None
    }

    fn is_disrupted(&self, resolution: &Resolution, index: usize) -> bool {
        let marks = resolution.outcomes[index].marks;
        marks.has(Mark::Disrupted) || marks.has(Mark::NoConvoy)
    }

    /// The armies that a resolution lets go nowhere because of a paradox.
    pub(crate) fn paradoxes(&self, resolution: &Resolution) -> BTreeSet<usize> {
        let outcomes = resolution.outcomes.iter().enumerate();
        outcomes
            .filter(|(_, outcome)| outcome.reason == Some(Reason::Paradox))
            .map(|(index, _)| index)
            .collect()
    }

    /// Moves that lead from one to the next and back to the first, not two over the same border.
    pub(crate) fn circles(&self) -> Vec<usize> {
        let next = |mover: usize| {
            let to = self.destination(mover)?;
            let next = self.at(to)?;
            (self.destination(next).is_some() && self.head_on(mover).is_none()).then_some(next)
        };
        let returns = |&start: &usize| {
            let way = std::iter::successors(next(start), |&mover| next(mover));
            way.take(self.units.len()).any(|mover| mover == start)
        };
        self.movers().filter(returns).collect()
    }

    pub(crate) fn helps(&self) -> usize {
        self.helps.len()
    }

    fn movers(&self) -> impl Iterator<Item = usize> {
        (0..self.units.len()).filter(|&index| self.destination(index).is_some())
    }

    fn destination(&self, index: usize) -> Option<Province> {
        match self.does[index] {
            Does::Moves { to, .. } => Some(to),
            _ => None,
        }
    }

    fn is_convoyed(&self, index: usize) -> bool {
        matches!(self.does[index], Does::Moves { convoyed: true, .. })
    }

    fn at(&self, place: Province) -> Option<usize> {
        self.units.iter().position(|unit| unit.at.province == place)
    }

    fn into(&self, place: Province) -> impl Iterator<Item = usize> {
        self.movers()
            .filter(move |&mover| self.destination(mover) == Some(place))
    }

    /// Who comes the other way over the same border.
    fn head_on(&self, mover: usize) -> Option<usize> {
        let other = self.at(self.destination(mover)?)?;
        let meets = self.destination(other) == Some(self.units[mover].at.province)
            && !self.is_convoyed(mover)
            && !self.is_convoyed(other);
        meets.then_some(other)
    }

    fn foreign(&self, one: usize, other: usize) -> bool {
        self.units[one].power != self.units[other].power
    }
}

/// The rules, where everything is assumed.
struct Assumed<'a> {
    trial: &'a Trial<'a>,
    decided: &'a Decided,
    refused: &'a Refused,
}

impl Assumed<'_> {
    fn has_way(&self, mover: usize) -> bool {
        let trial = self.trial;
        if !trial.is_convoyed(mover) {
            return true;
        }
        if self.refused.convoys.contains(&mover) {
            return false;
        }
        let carries = |index: &usize| {
            trial.does[*index] == Does::Convoys { whom: mover } && !self.dislodged(*index)
        };
        let carriers = (0..trial.units.len()).filter(carries);
        let places = carriers.map(|index| trial.units[index].at.province);
        // A unit on land carries alone, from one side of it to another.
        let is_land = |place: &Province| !trial.map.stations(Travel::Land, *place).is_empty();
        let (land, mut left): (Vec<Province>, Vec<Province>) = places.partition(is_land);
        let end = trial.destination(mover).unwrap();
        let from = trial.units[mover].at.province;
        let beside = |place: &Province| {
            let near = trial.map.neighbors(*place);
            near.contains(&from) && near.contains(&end)
        };
        if land.iter().any(beside) {
            return true;
        }
        let mut reached = vec![trial.units[mover].at.province];
        while let Some(place) = reached.pop() {
            let near = trial.map.neighbors(place);
            if place != trial.units[mover].at.province
                && near.contains(&trial.destination(mover).unwrap())
            {
                return true;
            }
            let (next, rest) = left.into_iter().partition(|sea| near.contains(sea));
            left = rest;
            reached.extend::<Vec<Province>>(next);
        }
        false
    }

    fn dislodged(&self, index: usize) -> bool {
        let mut entering = self.trial.into(self.trial.units[index].at.province);
        !self.decided.moved[index]
            && entering.any(|by| self.decided.moved[by] && self.trial.foreign(by, index))
    }

    fn gives(&self, supporter: usize) -> bool {
        let trial = self.trial;
        let Does::Supports { toward, .. } = trial.does[supporter] else {
            return false;
        };
        let cuts = |attacker: usize| {
            trial.foreign(attacker, supporter)
                && trial.strengths[attacker].attack > 0
                && self.has_way(attacker)
                && (trial.units[attacker].at.province != toward || self.decided.moved[attacker])
        };
        !trial.into(trial.units[supporter].at.province).any(cuts)
    }

    fn helps(&self, help: usize) -> bool {
        let trial = self.trial;
        let Help { by, of, cut_at } = trial.helps[help];
        if self.refused.helps.contains(&help) || self.dislodged(by) {
            return false;
        }
        let toward = trial.destination(of).unwrap_or(trial.units[of].at.province);
        let attacks = trial
            .into(trial.units[by].at.province)
            .filter(|&attacker| trial.foreign(attacker, by))
            .filter(|&attacker| trial.units[attacker].at.province != toward)
            .filter(|&attacker| self.has_way(attacker));
        attacks
            .map(|attacker| self.with_help(attacker, None))
            .sum::<u32>()
            < cut_at
    }

    /// The strength of a move with all help, or without that of the side of `against`.
    fn with_help(&self, mover: usize, against: Option<usize>) -> u32 {
        self.trial.strengths[mover].attack + self.help_for(mover, against)
    }

    fn help_for(&self, helped: usize, against: Option<usize>) -> u32 {
        let trial = self.trial;
        let counts = |by: &usize| against.is_none_or(|against| trial.foreign(*by, against));
        let supporters = (0..trial.units.len()).filter(|&by| {
            matches!(trial.does[by], Does::Supports { whom, .. } if whom == helped)
                && self.gives(by)
        });
        let helpers = (0..trial.helps.len())
            .filter(|&help| trial.helps[help].of == helped && self.decided.helped[help])
            .map(|help| trial.helps[help].by);
        supporters
            .chain(helpers)
            .filter(counts)
            .map(|by| trial.strengths[by].support)
            .sum()
    }

    fn attack(&self, mover: usize) -> u32 {
        let occupant = self.trial.at(self.trial.destination(mover).unwrap());
        match occupant {
            _ if !self.has_way(mover) => 0,
            None => self.with_help(mover, None),
            Some(occupant)
                if self.decided.moved[occupant] && self.trial.head_on(mover).is_none() =>
            {
                self.with_help(mover, None)
            }
            Some(occupant) if !self.trial.foreign(mover, occupant) => 0,
            Some(occupant) => self.with_help(mover, Some(occupant)),
        }
    }

    /// What the mover finds in its destination.
    fn resistance(&self, mover: usize) -> u32 {
        if let Some(other) = self.trial.head_on(mover) {
            return self.with_help(other, None);
        }
        let occupant = self.trial.at(self.trial.destination(mover).unwrap());
        match occupant {
            None => 0,
            Some(occupant) if self.decided.moved[occupant] => 0,
            Some(occupant) => {
                let stays = self.trial.destination(occupant).is_none();
                let help = if stays {
                    self.help_for(occupant, None)
                } else {
                    0
                };
                self.trial.strengths[occupant].hold + help
            }
        }
    }

    /// What the move keeps others out with.
    fn prevents(&self, mover: usize) -> u32 {
        let beaten = self
            .trial
            .head_on(mover)
            .is_some_and(|other| self.decided.moved[other]);
        if beaten || !self.has_way(mover) {
            0
        } else {
            self.with_help(mover, None)
        }
    }

    fn succeeds(&self, mover: usize) -> bool {
        let attack = self.attack(mover);
        let mut others = self
            .trial
            .into(self.trial.destination(mover).unwrap())
            .filter(|&other| other != mover);
        attack > self.resistance(mover) && others.all(|other| attack > self.prevents(other))
    }
}

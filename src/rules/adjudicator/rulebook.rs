//! The rulebook: what a move, a support, a path or a place in a shared province needs in order to succeed (DATC 5.B). Each
//! function answers with what is certain, whatever becomes of the decisions that are not made yet.

use crate::map::{Power, ProvinceSet};
use crate::orders::is_joined;

use super::field::{Field, NONE, Task, Verdict};
use super::resolver::{Node, Resolver};

/// The least and the greatest value that a strength can have once everything is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) min: u32,
    pub(super) max: u32,
}

impl Range {
    const ZERO: Self = Self { min: 0, max: 0 };

    const fn exactly(strength: u32) -> Self {
        Self {
            min: strength,
            max: strength,
        }
    }
}

/// Which supports count: all, or all but those of the power whose unit the move would dislodge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Helpers {
    All,
    NotOf(Power),
}

impl Resolver<'_> {
    /// Whether the move has a path (DATC 5.B.2).
    pub(super) fn path(&self, mover: u16) -> Verdict {
        let fighter = self.fighter(mover);
        if !fighter.convoyed {
            return Verdict::Yes;
        }
        let mut sure = ProvinceSet::EMPTY;
        let mut possible = ProvinceSet::EMPTY;
        for carrier in self.helpers(fighter.carriers) {
            match self.dislodged(carrier) {
                Verdict::No => {
                    sure.add(self.fighter(carrier).at);
                    possible.add(self.fighter(carrier).at);
                }
                Verdict::Undecided => possible.add(self.fighter(carrier).at),
                Verdict::Yes => {}
            }
        }
        if carries(self.field(), mover, sure) {
            Verdict::Yes
        } else if carries(self.field(), mover, possible) {
            Verdict::Undecided
        } else {
            Verdict::No
        }
    }

    /// Whether the move succeeds.
    pub(super) fn moves(&self, mover: u16) -> Verdict {
        let fighter = self.fighter(mover);
        let path = self.path_of(mover);
        if path == Verdict::No {
            return Verdict::No;
        }
        if fighter.to_shared {
            return match (path, self.room_of(fighter.to, fighter.unit.power, mover)) {
                (Verdict::Yes, room) => room,
                (_, Verdict::No) => Verdict::No,
                _ => Verdict::Undecided,
            };
        }
        let attack = self.attack(mover);
        if attack.max == 0 {
            return Verdict::No;
        }
        let against = if fighter.head_on == NONE {
            self.hold(mover)
        } else {
            self.defend(mover)
        };
        if attack.max <= against.min {
            return Verdict::No;
        }
        let mut sure = path == Verdict::Yes && attack.min > against.max;
        for other in self.movers(fighter.to) {
            if other == mover {
                continue;
            }
            let prevent = self.prevent(other);
            if attack.max <= prevent.min {
                return Verdict::No;
            }
            sure &= attack.min > prevent.max;
        }
        Verdict::yes_if(sure)
    }

    /// Attack strength (DATC 5.B.8): 0 against a unit of the same power that stays, and without the supports of the power whose
    /// unit stays.
    pub(super) fn attack(&self, mover: u16) -> Range {
        let fighter = self.fighter(mover);
        let path = self.path_of(mover);
        if path == Verdict::No {
            return Range::ZERO;
        }
        let occupant = self.field().occupant[usize::from(fighter.to)];
        let leaves = if occupant == NONE {
            Verdict::Yes
        } else if fighter.head_on == occupant {
            Verdict::No
        } else {
            self.moved(occupant)
        };
        let full = || self.with_help(mover, Helpers::All);
        let against_unit = || {
            let power = self.fighter(occupant).unit.power;
            if power == fighter.unit.power {
                Range::ZERO
            } else {
                self.with_help(mover, Helpers::NotOf(power))
            }
        };
        let range = match leaves {
            Verdict::Yes => full(),
            Verdict::No => against_unit(),
            Verdict::Undecided => Range {
                min: against_unit().min,
                max: full().max,
            },
        };
        if path == Verdict::Undecided {
            Range { min: 0, ..range }
        } else {
            range
        }
    }

    /// Strength of the move with all its supports, whatever is in the destination.
    pub(super) fn full_attack(&self, mover: u16) -> Range {
        self.with_help(mover, Helpers::All)
    }

    fn with_help(&self, mover: u16, helpers: Helpers) -> Range {
        let fighter = self.fighter(mover);
        let mut range = Range::exactly(fighter.strength.attack);
        self.add_help(mover, helpers, &mut range);
        range
    }

    fn add_help(&self, helped: u16, helpers: Helpers, range: &mut Range) {
        let counts = |power| helpers == Helpers::All || helpers != Helpers::NotOf(power);
        let fighter = self.fighter(helped);
        for helper in self.helpers(fighter.helpers) {
            let support = self.fighter(helper);
            if counts(support.unit.power) {
                add(range, support.strength.support, self.support_given(helper));
            }
        }
        let mut assist = fighter.assists;
        while let Some(assistance) = self.field().assists.get(usize::from(assist)) {
            let support = self.fighter(assistance.by);
            if counts(support.unit.power) {
                add(range, support.strength.support, self.assisted(assist));
            }
            assist = assistance.next;
        }
    }

    /// Hold strength of the mover's destination against this mover (DATC 5.B.5).
    pub(super) fn hold(&self, mover: u16) -> Range {
        let fighter = self.fighter(mover);
        let occupant = self.field().occupant[usize::from(fighter.to)];
        let range = if occupant == NONE {
            Range::ZERO
        } else {
            let holder = self.fighter(occupant);
            if holder.task == Task::Move {
                let stays = holder.strength.hold;
                match self.moved(occupant) {
                    Verdict::Yes => Range::ZERO,
                    Verdict::No => Range::exactly(stays),
                    Verdict::Undecided => Range { min: 0, max: stays },
                }
            } else {
                let mut range = Range::exactly(holder.strength.hold);
                self.add_help(occupant, Helpers::All, &mut range);
                range
            }
        };
        self.fortified(mover, range)
    }

    /// Defend strength of the unit that moves head-on (DATC 5.B.6).
    pub(super) fn defend(&self, mover: u16) -> Range {
        self.fortified(mover, self.full_attack(self.fighter(mover).head_on))
    }

    /// The strength that the mover has to exceed if the destination is a stronghold.
    fn fortified(&self, mover: u16, range: Range) -> Range {
        let fighter = self.fighter(mover);
        let mut strongholds = self.field().strongholds.iter();
        match strongholds.find(|(at, _)| *at == fighter.to) {
            None => range,
            Some((_, stronghold)) => Range {
                min: stronghold.against(fighter.unit.power, range.min),
                max: stronghold.against(fighter.unit.power, range.max),
            },
        }
    }

    /// Prevent strength (DATC 5.B.7): the strength with which the move keeps others out of its destination.
    pub(super) fn prevent(&self, mover: u16) -> Range {
        let fighter = self.fighter(mover);
        let path = self.path_of(mover);
        if path == Verdict::No {
            return Range::ZERO;
        }
        let beaten = if fighter.head_on == NONE {
            Verdict::No
        } else {
            self.moved(fighter.head_on)
        };
        if beaten == Verdict::Yes {
            return Range::ZERO;
        }
        let range = self.full_attack(mover);
        if beaten == Verdict::Undecided || path == Verdict::Undecided {
            Range { min: 0, ..range }
        } else {
            range
        }
    }

    /// Whether the support is given. It is cut by a foreign attack from another province than the one at which it is directed,
    /// or if its unit is dislodged.
    pub(super) fn gives(&self, supporter: u16) -> Verdict {
        let fighter = self.fighter(supporter);
        let toward = self.support_target(supporter);
        let mut verdict = Verdict::Yes;
        for attacker in self.movers(fighter.at) {
            let attack = self.fighter(attacker);
            let cuts = if attack.unit.power == fighter.unit.power || attack.strength.attack == 0 {
                Verdict::No
            } else if attack.at == toward && !attack.from_shared {
                // Only by dislodging (DATC 6.D.2, 6.D.15; also when it is convoyed, DATC 4.A.4).
                self.moved(attacker)
            } else {
                self.path_of(attacker)
            };
            match cuts {
                Verdict::Yes => return Verdict::No,
                Verdict::Undecided => verdict = Verdict::Undecided,
                Verdict::No => {}
            }
        }
        verdict
    }

    /// The province from which an attack does not cut the support.
    pub(super) fn support_target(&self, supporter: u16) -> u8 {
        self.fighter(supporter).to
    }

    /// Whether the assist is given: the attacks add up to less than its threshold, and its unit is not dislodged.
    pub(super) fn assists(&self, assist: u16) -> Verdict {
        let Some(assistance) = self.field().assists.get(usize::from(assist)) else {
            return Verdict::No;
        };
        let dislodged = self.dislodged(assistance.by);
        if dislodged == Verdict::Yes {
            return Verdict::No;
        }
        let giver = self.fighter(assistance.by);
        let mut sum = Range::ZERO;
        for attacker in self.movers(giver.at) {
            let attack = self.fighter(attacker);
            if attack.unit.power == giver.unit.power
                || (attack.at == assistance.toward && !attack.from_shared)
            {
                continue;
            }
            let strength = self.full_attack(attacker);
            match self.path_of(attacker) {
                Verdict::Yes => {
                    sum.min = sum.min.saturating_add(strength.min);
                    sum.max = sum.max.saturating_add(strength.max);
                }
                Verdict::Undecided => sum.max = sum.max.saturating_add(strength.max),
                Verdict::No => {}
            }
        }
        if sum.min >= assistance.cut_at {
            Verdict::No
        } else if sum.max < assistance.cut_at && dislodged == Verdict::No {
            Verdict::Yes
        } else {
            Verdict::Undecided
        }
    }

    /// Whether there is room in a shared province for the power's units that stay and those that arrive.
    pub(super) fn fits(&self, room: u16) -> Verdict {
        let Some(room) = self.field().rooms.get(usize::from(room)) else {
            return Verdict::No;
        };
        let mut sum = Range::ZERO;
        for (index, fighter) in (0u16..).zip(&self.field().fighters) {
            if fighter.unit.power != room.power || fighter.task == Task::Absent {
                continue;
            }
            let comes = fighter.task == Task::Move && fighter.to_shared && fighter.to == room.at;
            let before = room
                .queue
                .as_ref()
                .is_none_or(|queue| queue.contains(&index));
            if comes && !before {
                // A unit takes no room from those before it on the sheet.
            } else if comes {
                // A move without a path needs no room.
                add(&mut sum, 1, self.path_of(index));
            } else if fighter.at == room.at {
                match self.moved(index) {
                    Verdict::Yes => {}
                    Verdict::No => add(&mut sum, 1, Verdict::Yes),
                    Verdict::Undecided => add(&mut sum, 1, Verdict::Undecided),
                }
            }
        }
        if sum.max <= room.limit {
            Verdict::Yes
        } else if sum.min > room.limit {
            Verdict::No
        } else {
            Verdict::Undecided
        }
    }

    /// Whether the unit is dislodged. A unit of the same power can only enter if this one leaves.
    pub(super) fn dislodged(&self, index: u16) -> Verdict {
        let fighter = self.fighter(index);
        if fighter.from_shared {
            return Verdict::No;
        }
        let mut entered = Verdict::No;
        for attacker in self.movers(fighter.at) {
            if self.fighter(attacker).unit.power == fighter.unit.power {
                continue;
            }
            match self.moved(attacker) {
                Verdict::Yes => {
                    entered = Verdict::Yes;
                    break;
                }
                Verdict::Undecided => entered = Verdict::Undecided,
                Verdict::No => {}
            }
        }
        if entered == Verdict::No || fighter.task != Task::Move {
            return entered;
        }
        match (self.moved(index), entered) {
            (Verdict::Yes, _) => Verdict::No,
            (Verdict::No, entered) => entered,
            (Verdict::Undecided, _) => Verdict::Undecided,
        }
    }

    /// The decision on the node, as far as it is certain.
    pub(super) fn judge(&self, node: Node) -> Verdict {
        match node {
            Node::Path(index) => self.path(index),
            Node::Move(index) => self.moves(index),
            Node::Support(index) => self.gives(index),
            Node::Assist(index) => self.assists(index),
            Node::Room(index) => self.fits(index),
        }
    }
}

fn add(range: &mut Range, strength: u32, counts: Verdict) {
    match counts {
        Verdict::Yes => {
            range.min = range.min.saturating_add(strength);
            range.max = range.max.saturating_add(strength);
        }
        Verdict::Undecided => range.max = range.max.saturating_add(strength),
        Verdict::No => {}
    }
}

/// Whether units in these provinces can convoy the mover to its destination: on its route, if its order names one.
pub(super) fn carries(field: &Field<'_>, mover: u16, seas: ProvinceSet) -> bool {
    if seas.is_empty() {
        return false;
    }
    let Some(fighter) = field.fighters.get(usize::from(mover)) else {
        return false;
    };
    let (from, to) = (fighter.unit.at.province, fighter.arrival.province);
    let overlay = &field.sheet.overlay;
    let is_ferried = || {
        overlay.ferries_to(fighter.unit.id, to).any(|by| {
            let carrier = field.fighters.iter().find(|other| other.unit.id == by);
            carrier.is_some_and(|carrier| seas.has(carrier.at))
        })
    };
    match fighter.route {
        Some(route) => route
            .iter()
            .all(|&sea| field.map.number(sea).is_some_and(|sea| seas.has(sea))),
        None => {
            let fleets = seas.intersection(field.map.seas());
            is_joined(field.map, overlay, from, to, fleets) || is_ferried()
        }
    }
}

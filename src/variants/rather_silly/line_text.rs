//! Units, orders and conditions as a seat could send them: for receipts, and for what stands.

use super::MONSTERS;
use super::board::Board;
use super::conditions::{Comparison, Condition, ConditionFact, UnitOwner};
use super::names::Names;
use super::orders::{TardisOrder, UnitOrder};
use dipjudge_rules::conditions;
use dipjudge_rules::map::{Location, Power, Province, Terrain, UnitKind};
use dipjudge_rules::orders::{Action, Passage};
use dipjudge_rules::position::{Position, Unit, UnitId};

/// By what lines are written: who sends them, and the units that they name.
pub(super) struct Writing<'b> {
    pub board: &'b Board<'b>,
    pub names: &'static Names,
    pub me: Power,
}

impl Writing<'_> {
    /// `Bur`, `NTH`
    pub(super) fn space(&self, place: Province) -> String {
        let info = self.board.map.info(place);
        if info.is_some_and(|info| info.terrain == Terrain::Sea) {
            place.to_string()
        } else {
            place.titled()
        }
    }

    /// `Bur`, `Stp/nc`
    pub(super) fn place(&self, at: Location) -> String {
        let space = self.space(at.province);
        match at.coast {
            Some(coast) => format!("{space}/{}", coast.as_str().to_lowercase()),
            None => space,
        }
    }

    fn way(&self, spaces: &[Province]) -> String {
        let all = spaces.iter().map(|at| format!("-{}", self.space(*at)));
        all.collect()
    }

    fn power(&self, power: Power) -> String {
        let powers = self.board.map.powers();
        let info = power.index().and_then(|index| powers.get(index));
        info.map_or_else(|| "NEUTRAL".to_owned(), |info| info.name.to_uppercase())
    }

    fn adjective(&self, power: Power) -> String {
        let powers = self.board.map.powers();
        let info = power.index().and_then(|index| powers.get(index));
        info.map_or_else(
            || "NEUTRAL".to_owned(),
            |info| info.adjective.to_uppercase(),
        )
    }

    /// `A(Par)`, `FRENCH FA(Bur)#2`: a unit of this position.
    pub(super) fn unit_in(&self, position: &Position, unit: &Unit) -> String {
        let whose = if unit.power == self.me {
            String::new()
        } else {
            format!("{} ", self.adjective(unit.power))
        };
        let number = position.number_among_like(unit);
        let number = number.map_or_else(String::new, |number| format!("#{number}"));
        let kind = self.names.code(unit.kind);
        format!("{whose}{kind}({}){number}", self.space(unit.at.province))
    }

    /// A unit where it stands now.
    pub(super) fn unit(&self, id: UnitId) -> String {
        match self.board.unit(id) {
            Some(unit) => self.unit_in(&self.board.position, unit),
            None => self.started(id),
        }
    }

    /// A unit where it stood when the season began.
    pub(super) fn started(&self, id: UnitId) -> String {
        let units = self.board.state.season.start.clone();
        let before = Position {
            units,
            ..Position::default()
        };
        match (before.unit(id), self.board.unit(id)) {
            (Some(unit), _) => self.unit_in(&before, unit),
            (None, Some(unit)) => self.unit_in(&self.board.position, unit),
            (None, None) => "a unit".to_owned(),
        }
    }

    /// The unit that a support or convoy is for.
    fn helped(&self, at: Province) -> String {
        match self.board.solid(at) {
            Some(unit) => self.unit(unit.id),
            None => self.space(at),
        }
    }

    fn kind(&self, kind: UnitKind) -> String {
        self.names.code(kind)
    }

    /// An order with its unit.
    pub(super) fn order(&self, id: UnitId, order: &UnitOrder) -> String {
        let unit = self.unit(id);
        let names = self.names;
        match order {
            UnitOrder::Common(action) => self.common(&unit, action),
            UnitOrder::Shoo => format!("{unit} H SHOO"),
            UnitOrder::HoldTardis => format!("{unit} HOLD TARDIS"),
            UnitOrder::Distract(whom) => format!("{unit} {} {}", names.distract, self.unit(*whom)),
            UnitOrder::Expose => format!("{unit} {}", names.expose),
            UnitOrder::Carry { to, by } => {
                let to = Action::Move {
                    to: *to,
                    by: by.clone(),
                };
                format!("{} CARRYING TARDIS", self.common(&unit, &to))
            }
            UnitOrder::Fly {
                route,
                army: Some(army),
                ..
            } => {
                let picked = format!("{unit} PICK UP {}", self.unit(*army));
                match (route.is_empty(), self.board.unit(*army)) {
                    (false, Some(army)) => format!("{picked}, {}", self.lift(army, &unit, route)),
                    _ => picked,
                }
            }
            UnitOrder::Fly { route, tardis, .. } => {
                let with = if *tardis { " CARRYING TARDIS" } else { "" };
                format!("{unit}{}{with}", self.way(route))
            }
            UnitOrder::Ride { route, flock } => {
                let Some(army) = self.board.unit(id) else {
                    return unit;
                };
                let birds = match flock {
                    Some(flock) => self.unit(*flock),
                    None => format!("B({})", self.space(army.at.province)),
                };
                self.lift(army, &birds, route)
            }
        }
    }

    fn lift(&self, army: &Unit, birds: &str, route: &[Province]) -> String {
        format!("{}/{birds}{}", self.kind(army.kind), self.way(route))
    }

    fn common(&self, unit: &str, action: &Action) -> String {
        match action {
            Action::Move { to, by } => {
                let seas = match by {
                    Passage::Route(seas) => self.way(seas),
                    _ => String::new(),
                };
                let via = if *by == Passage::Convoy { " VIA" } else { "" };
                format!("{unit}{seas}-{}{via}", self.place(*to))
            }
            Action::SupportHold { at } => format!("{unit} S {}", self.helped(*at)),
            Action::SupportMove { from, to } => {
                format!("{unit} S {}-{}", self.helped(*from), self.place(*to))
            }
            Action::Convoy { from, to } => {
                format!("{unit} C {}-{}", self.helped(*from), self.space(*to))
            }
            Action::Retreat { to } => format!("{unit} R {}", self.place(*to)),
            Action::Disband => format!("{unit} DISBAND"),
            _ => format!("{unit} H"),
        }
    }

    pub(super) fn tardis(&self, order: TardisOrder) -> String {
        match order {
            TardisOrder::None | TardisOrder::Stay => "TARDIS STAY".to_owned(),
            TardisOrder::ToHyperspace => "TARDIS-HYPERSPACE".to_owned(),
            TardisOrder::To(to) => format!("TARDIS-{}", self.space(to)),
            TardisOrder::With(unit) => format!("TARDIS WITH {}", self.unit(unit)),
        }
    }

    /// A condition; AND binds tighter than OR.
    pub(super) fn condition(&self, condition: &Condition) -> String {
        use conditions::Condition::{And, Fact, Not, Or};
        let inner = |part: &Condition, joined: bool| {
            if joined {
                format!("({})", self.condition(part))
            } else {
                self.condition(part)
            }
        };
        match condition {
            Fact(fact) => self.fact(fact),
            Not(part) => format!("NOT {}", inner(part, matches!(**part, And(..) | Or(..)))),
            And(one, other) => {
                let part = |part: &Condition| inner(part, matches!(part, Or(..)));
                format!("{} AND {}", part(one), part(other))
            }
            Or(one, other) => format!("{} OR {}", self.condition(one), self.condition(other)),
        }
    }

    fn fact(&self, fact: &ConditionFact) -> String {
        let of_unit = |id: UnitId, what: &str| format!("{} {what}", self.started(id));
        match *fact {
            ConditionFact::BorgIn(at) => format!("BORG IN {}", self.space(at)),
            ConditionFact::TardisIn(None) => "TARDIS IN HYPERSPACE".to_owned(),
            ConditionFact::TardisIn(Some(at)) => format!("TARDIS IN {}", self.space(at)),
            ConditionFact::MonstersIn(kind, at) => {
                let kind = kind.map_or_else(String::new, |kind| format!("{kind} "));
                format!("{kind}MONSTERS IN {}", self.space(at))
            }
            ConditionFact::UnitIn(whose, kind, at) => {
                let whose = match whose {
                    UnitOwner::Any => String::new(),
                    UnitOwner::My => "MY ".to_owned(),
                    UnitOwner::Enemy => "ENEMY ".to_owned(),
                    UnitOwner::Of(MONSTERS) => "NEUTRAL ".to_owned(),
                    UnitOwner::Of(power) => format!("{} ", self.adjective(power)),
                };
                let kind = kind.map_or_else(|| "UNIT".to_owned(), |kind| self.kind(kind));
                format!("{whose}{kind} IN {}", self.space(at))
            }
            ConditionFact::Empty(at) => format!("EMPTY {}", self.space(at)),
            ConditionFact::Link(one, other) => {
                format!("LINK {}-{}", self.space(one), self.space(other))
            }
            ConditionFact::Owns(power, at) => {
                format!("OWNS {} {}", self.power(power), self.space(at))
            }
            ConditionFact::Centers(power, than, number) => {
                let than = match than {
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Exactly => "=",
                    Comparison::AtLeast => ">=",
                    Comparison::More => ">",
                };
                format!("CENTRES {} {than} {number}", self.power(power))
            }
            ConditionFact::Sold(id) => of_unit(id, "SOLD"),
            ConditionFact::Dislodged(id) => of_unit(id, "DISLODGED"),
            ConditionFact::Destroyed(id) => of_unit(id, "DESTROYED"),
            ConditionFact::Eaten(id) => of_unit(id, "EATEN"),
            ConditionFact::Moved(id, to, succeeded) => {
                let to = to.map_or_else(String::new, |to| format!("-{}", self.space(to)));
                let end = if succeeded { "SUCCEEDED" } else { "FAILED" };
                format!("{}{to} {end}", self.started(id))
            }
            ConditionFact::StandOff(at) => format!("STANDOFF {}", self.space(at)),
            ConditionFact::Merged(at) => format!("MERGED {}", self.space(at)),
            ConditionFact::Exploded(at) => format!("EXPLODED {}", self.space(at)),
            ConditionFact::Right(power) => format!("RIGHT {}", self.power(power)),
        }
    }
}

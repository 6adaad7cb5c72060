//! The variant's own lines, as its grammar reads them, held against the board as their sender sees it.

use super::board::Board;
use super::conditions::{Condition, Fact, Than, Whose, is_known};
use super::news::Step;
use super::orders::{TardisOrder, Told};
use super::play::Known;
use super::rules::Rules;
use super::state::{Accepted, Question};
use super::submissions::{Adjusting, Build, Flight, If, Jest, Prediction};
use super::{
    BIRDS, DOCTOR, JESTER, MASTERMIND, MONSTERS, SEA, SOOTHSAYER, SPACE, legality, llamas, printed,
    retreats, slots, souls,
};
use crate::conditions;
use crate::game::project::Sight;
use crate::game::{Considered, Effect, Phase};
use crate::grammar::Line;
use crate::map::{Coast, Location, Power, Province, UnitKind};
use crate::orders::Passage;
use crate::position::Unit;

type Read<T> = Result<T, String>;

/// The parts of a line that are read by a rule, not what lies beneath them.
fn parts<'l>(line: &'l Line, rule: &'l str) -> impl Iterator<Item = &'l Line> {
    line.parts.iter().filter(move |part| part.rule == rule)
}

fn part<'l>(line: &'l Line, rule: &'l str) -> Option<&'l Line> {
    parts(line, rule).next()
}

fn no_order<T>() -> Read<T> {
    Err("This line is not an order of this variant.".to_owned())
}

fn refuse<T>(sentence: &str) -> Read<T> {
    Err(sentence.to_owned())
}

/// What lines are held against.
struct Reader<'s> {
    sight: &'s Sight,
    board: Board<'static>,
    rules: Rules,
}

/// Holds a line against its sender's sight.
pub(super) fn read(line: &Line, sight: &Sight) -> Result<Considered, Vec<String>> {
    Reader::of(sight).read(line)
}

/// The variant's word on an order of every game: retreats and builds are put down among its own, which may have conditions,
/// and a move is checked for what this unit can do.
pub(super) fn reconsider(effect: Effect, sight: &Sight) -> Result<Considered, Vec<String>> {
    let reader = Reader::of(sight);
    let effect = match effect {
        Effect::Order(id, action) if sight.phase == Phase::Movement => {
            let unit = reader.board.unit(id).copied();
            let unit = unit.ok_or_else(|| vec!["There is no such unit.".to_owned()])?;
            let told = slots::told(&action);
            reader.checked(&unit, told).map_err(|why| vec![why])?;
            Effect::Order(id, action)
        }
        effect => effect,
    };
    Ok(Considered {
        effects: vec![effect],
        notes: Vec::new(),
    })
}

impl<'s> Reader<'s> {
    fn of(sight: &'s Sight) -> Reader<'s> {
        let known: Known = sight.own.read().unwrap_or_default();
        Reader {
            sight,
            board: Board {
                map: sight.map,
                position: sight.position.clone(),
                state: known.state,
                herds: [(sight.power, known.herds)].into(),
                told: Step::default(),
            },
            rules: known.rules,
        }
    }

    fn read(&self, line: &Line) -> Result<Considered, Vec<String>> {
        let one = |why: String| vec![why];
        let (condition, line) = match part(line, "facts").filter(|_| line.rule == "if-then") {
            None => (None, line),
            Some(facts) => {
                let condition = self.condition(facts).map_err(one)?;
                let then = line.parts.iter().find(|part| part.rule != "facts");
                (Some(condition), then.unwrap_or(line))
            }
        };
        let line = match line.rule.as_str() {
            "submission" => line.parts.first().unwrap_or(line),
            _ => line,
        };
        let effects = match (line.rule.as_str(), condition) {
            ("herds", None) => return self.herds(line),
            ("predict", None) => return self.predict(line),
            ("reorder", None) => self.reorder(line),
            ("tardis", None) => self.tardis_line(line),
            ("told-own", None) => self.own_orders(line),
            ("question" | "accept", None) => self.question(line),
            ("answer", None) => self.answer(line),
            ("vote", condition) => self.vote(line, condition),
            ("detonation", condition) => self.detonation(line, condition),
            ("sale", condition) => self.sale(line, condition),
            ("free-build" | "pair-build", condition) => self.special_build(line, condition),
            ("own-retreat", condition) => self.retreat(line, condition),
            ("own-build" | "own-remove" | "own-waive", condition) => {
                self.adjustment(line, condition)
            }
            (_, Some(_)) => {
                refuse("Nothing in its season goes before this line, so it takes no condition.")
            }
            _ => no_order(),
        };
        effects.map_err(one).map(|effects| Considered {
            effects,
            notes: Vec::new(),
        })
    }

    // Words ------------------------------------------------------------------------------

    fn place(&self, line: &Line) -> Read<Location> {
        let place = part(line, "place").unwrap_or(line);
        let province = place.province().ok_or("A space is missing.")?;
        let is = |rule: &str| place.has(rule);
        let coast = [
            ("north", "short-north", Coast::North),
            ("south", "short-south", Coast::South),
            ("east", "short-east", Coast::East),
            ("west", "short-west", Coast::West),
        ];
        let coast = coast
            .into_iter()
            .find(|(long, short, _)| is(long) || is(short));
        Ok(Location {
            province,
            coast: coast.map(|(_, _, coast)| coast),
        })
    }

    fn province(&self, line: &Line) -> Read<Province> {
        Ok(self.place(line)?.province)
    }

    fn places(&self, line: &Line) -> Read<Vec<Location>> {
        parts(line, "place")
            .map(|place| self.place(place))
            .collect()
    }

    /// The unit that words mean: of the kind and the nation that are named, and rather the sender's own.
    fn unit(&self, line: &Line) -> Read<Unit> {
        let unit = part(line, "unit").unwrap_or(line);
        let nation = part(unit, "nation").and_then(Line::power);
        let kind = part(unit, "kind").and_then(Line::kind);
        self.meant(nation, kind, self.province(unit)?)
    }

    fn meant(&self, nation: Option<Power>, kind: Option<UnitKind>, at: Province) -> Read<Unit> {
        let there = self.board.in_space(at).filter(|unit| {
            nation.is_none_or(|nation| nation == unit.power)
                && kind.is_none_or(|kind| kind == unit.kind)
        });
        let found = there.min_by_key(|unit| unit.power != self.sight.power);
        found.copied().ok_or_else(|| {
            let kind = kind.map_or_else(|| "unit".to_owned(), |kind| kind.to_string());
            format!("There is no such {kind} in {}.", self.name(at))
        })
    }

    fn name(&self, place: Province) -> String {
        self.sight.map.full_name(place.into())
    }

    /// The sender's own unit.
    fn own(&self, line: &Line) -> Read<Unit> {
        let unit = self.unit(line)?;
        match unit.power == self.sight.power {
            true => Ok(unit),
            false => refuse("That unit is not yours."),
        }
    }

    // Conditions -------------------------------------------------------------------------

    fn condition(&self, facts: &Line) -> Read<Condition> {
        let mut all = parts(facts, "fact-and").map(|part| {
            let mut both = parts(part, "fact-not").map(|part| self.negated(part));
            let first = both.next().unwrap_or_else(no_order)?;
            both.try_fold(first, |whole, next| {
                Ok(conditions::Condition::And(Box::new(whole), Box::new(next?)))
            })
        });
        let first = all.next().unwrap_or_else(no_order)?;
        all.try_fold(first, |whole, next| {
            Ok(conditions::Condition::Or(Box::new(whole), Box::new(next?)))
        })
    }

    fn negated(&self, line: &Line) -> Read<Condition> {
        if part(line, "never").is_some() {
            let inner = part(line, "fact-not").ok_or("NOT what?")?;
            let inner = self.negated(inner)?;
            return Ok(conditions::Condition::Not(Box::new(inner)));
        }
        if let Some(facts) = part(line, "facts") {
            return self.condition(facts);
        }
        let fact = part(line, "fact").and_then(|fact| fact.parts.first());
        let fact = fact.ok_or("A condition is missing.")?;
        Ok(conditions::Condition::Fact(self.fact(fact)?))
    }

    fn fact(&self, line: &Line) -> Read<Fact> {
        let power = || line.power().ok_or("A power is missing.");
        let at = || self.province(line);
        Ok(match line.rule.as_str() {
            "borg-in" => Fact::BorgIn(at()?),
            "tardis-in" if line.has("hyperspace") => Fact::TardisIn(None),
            "tardis-in" => Fact::TardisIn(Some(at()?)),
            "monsters-in" => {
                let kind = match (line.has("sea"), line.has("space")) {
                    (true, _) => Some(SEA),
                    (_, true) => Some(SPACE),
                    _ => None,
                };
                Fact::MonstersIn(kind, at()?)
            }
            "empty" => Fact::Empty(at()?),
            "linked" => match self.places(line)?.as_slice() {
                [a, b] => Fact::Link(a.province, b.province),
                _ => return no_order(),
            },
            "owns" => Fact::Owns(power()?, at()?),
            "centers" => {
                let than = line.find("than").and_then(|than| than.parts.first());
                let than = match than.map(|than| than.rule.as_str()) {
                    Some("at-most") => Than::AtMost,
                    Some("at-least") => Than::AtLeast,
                    Some("less") => Than::Less,
                    Some("more") => Than::More,
                    _ => Than::Exactly,
                };
                let number = line.number().and_then(|number| u32::try_from(number).ok());
                Fact::Centers(power()?, than, number.ok_or("A number is missing.")?)
            }
            "stand-off" => Fact::StandOff(at()?),
            "merged" => Fact::Merged(at()?),
            "exploded" => Fact::Exploded(at()?),
            "right" => Fact::Right(power()?),
            "unit-in" => Fact::UnitIn(self.whose(line), line.kind(), at()?),
            _ => self.fact_of_unit(line)?,
        })
    }

    fn whose(&self, line: &Line) -> Whose {
        let whose = part(line, "whose").and_then(|whose| whose.parts.first());
        match whose.map(|whose| (whose.rule.as_str(), whose.power())) {
            Some(("my", _)) => Whose::My,
            Some(("enemy", _)) => Whose::Enemy,
            Some(("nation", Some(power))) => Whose::Of(power),
            _ => Whose::Any,
        }
    }

    /// Units are named by where they stood when the season began.
    fn fact_of_unit(&self, line: &Line) -> Read<Fact> {
        let at = self.province(line)?;
        let whose = self.whose(line);
        let fits = |unit: &&Unit| {
            let owned = match whose {
                Whose::Any => true,
                Whose::My => unit.power == self.sight.power,
                Whose::Enemy => unit.power != self.sight.power,
                Whose::Of(power) => unit.power == power,
            };
            owned && unit.at.province == at && line.kind().is_none_or(|kind| kind == unit.kind)
        };
        let started = &self.board.state.season.start;
        let found = match started.is_empty() || self.sight.phase == Phase::Movement {
            true => self.board.units().find(fits),
            false => started.iter().find(fits),
        };
        let unit = found.map(|unit| unit.id);
        let unit = unit.ok_or_else(|| format!("No such unit stood in {}.", self.name(at)))?;
        let to = part(line, "ends")
            .map(|ends| self.province(ends))
            .transpose()?;
        let end = line.parts.last().map_or("", |part| part.rule.as_str());
        Ok(match end {
            "sold" => Fact::Sold(unit),
            "dislodged" => Fact::Dislodged(unit),
            "destroyed" => Fact::Destroyed(unit),
            "eaten" => Fact::Eaten(unit),
            "succeeded" => Fact::Moved(unit, to, true),
            "failed" => Fact::Moved(unit, to, false),
            _ => return no_order(),
        })
    }

    /// A condition must be known before its step.
    fn known(&self, condition: Option<&Condition>, step: u8) -> Read<()> {
        match condition.is_none_or(|condition| is_known(condition, step)) {
            true => Ok(()),
            false => refuse(
                "That is not known by then; only what comes before this step can be asked for.",
            ),
        }
    }

    // Movement ---------------------------------------------------------------------------

    fn in_movement(&self) -> Read<()> {
        match self.sight.phase {
            Phase::Movement => Ok(()),
            _ => refuse("This is sent with the moves; that phase is over."),
        }
    }

    /// The sender must hold this seat.
    fn is(&self, seat: Power, name: &str) -> Read<()> {
        match self.sight.power == seat {
            true => Ok(()),
            false => Err(format!("Only the {name} sends this.")),
        }
    }

    fn checked(&self, unit: &Unit, told: Told) -> Read<Told> {
        legality::check(&self.board, &self.sight.powers, unit, &told)?;
        Ok(told)
    }

    fn order(&self, unit: &Unit, told: Told) -> Read<Effect> {
        let told = self.checked(unit, told)?;
        Ok(Effect::Order(unit.id, printed::action(&self.board, &told)))
    }

    fn own_orders(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        let line = line.parts.first().ok_or("An order is missing.")?;
        let told = self.told(line)?;
        let mut effects = Vec::new();
        for (unit, told) in told {
            if unit.power == self.sight.power {
                effects.push(self.order(&unit, told)?);
            }
        }
        match effects.is_empty() {
            true => refuse("That unit is not yours."),
            false => Ok(effects),
        }
    }

    /// What an own order tells whom; a line about a lift tells both sides, each of which needs its owner's word.
    fn told(&self, line: &Line) -> Read<Vec<(Unit, Told)>> {
        let only = |unit: Unit, told: Told| Ok(vec![(unit, told)]);
        match line.rule.as_str() {
            "distract" => {
                let mut units = parts(line, "unit");
                let (Some(who), Some(whom)) = (units.next(), units.next()) else {
                    return no_order();
                };
                only(self.unit(who)?, Told::Distract(self.unit(whom)?.id))
            }
            "expose" => only(self.unit(line)?, Told::Expose),
            "shoo" => only(self.unit(line)?, Told::Shoo),
            "hold-tardis" => only(self.unit(line)?, Told::HoldTardis),
            "flight" => {
                let flock = part(line, "flock").ok_or("Which BIRDS?")?;
                let flight = Told::Fly {
                    route: self.route(line)?,
                    army: None,
                    tardis: part(line, "with-tardis").is_some(),
                };
                only(self.flock(flock)?, flight)
            }
            "carrying" => {
                let (to, by) = passage(self.way(line)?, part(line, "via").is_some())?;
                let tardis = true;
                only(self.unit(line)?, Told::Move { to, by, tardis })
            }
            "lift" => self.lift(line, None),
            "pick-up" => self.pick_up(line),
            _ => no_order(),
        }
    }

    fn way(&self, line: &Line) -> Read<Vec<Location>> {
        self.places(part(line, "path").ok_or("Where to?")?)
    }

    fn route(&self, line: &Line) -> Read<Vec<Province>> {
        let way = self.way(line)?;
        Ok(way.into_iter().map(|at| at.province).collect())
    }

    fn flock(&self, flock: &Line) -> Read<Unit> {
        let nation = part(flock, "nation").and_then(Line::power);
        self.meant(nation, Some(BIRDS), self.province(flock)?)
    }

    /// `A/B(Lon)-NTH-Den`: of the BIRDS' owner, of the army's, or of both.
    fn lift(&self, line: &Line, picked: Option<Unit>) -> Read<Vec<(Unit, Told)>> {
        let rider = part(line, "rider").and_then(Line::kind);
        let words = part(line, "flock").ok_or("Which BIRDS?")?;
        let flock = self.flock(words)?;
        let army = match picked {
            Some(army) => army,
            None => self.meant(None, rider, flock.at.province)?,
        };
        let named = part(words, "nation").is_some() || flock.power == self.sight.power;
        let route = self.route(line)?;
        let fly = Told::Fly {
            route: route.clone(),
            army: Some(army.id),
            tardis: false,
        };
        let ride = Told::Ride {
            route,
            flock: named.then_some(flock.id),
        };
        Ok(vec![(flock, fly), (army, ride)])
    }

    /// `B(Lon) PICK UP A(Lon)`, with or without the flight behind it.
    fn pick_up(&self, line: &Line) -> Read<Vec<(Unit, Told)>> {
        let mut units = parts(line, "unit");
        let (Some(flock), Some(army)) = (units.next(), units.next()) else {
            return no_order();
        };
        let (flock, army) = (self.unit(flock)?, self.unit(army)?);
        if let Some(lift) = part(line, "lift") {
            return self.lift(lift, Some(army));
        }
        let before = self.sight.orders.units.get(&flock.id).map(slots::told);
        let Some(Told::Fly { route, .. }) = before else {
            return refuse("Say where the BIRDS fly: B(Lon) PICK UP A(Lon), A/B(Lon)-NTH-Den.");
        };
        Ok(vec![(
            flock,
            Told::Fly {
                route,
                army: Some(army.id),
                tardis: false,
            },
        )])
    }

    fn tardis(&self, line: &Line) -> Read<TardisOrder> {
        let line = part(line, "tardis").unwrap_or(line);
        let order = line.parts.first().ok_or("The TARDIS what?")?;
        Ok(match order.rule.as_str() {
            "stay" => TardisOrder::Stay,
            "with-unit" => TardisOrder::With(self.unit(order)?.id),
            "off" => TardisOrder::ToHyperspace,
            _ => {
                let to = self.province(order)?;
                if super::is_island(to) {
                    return refuse("The TARDIS does not land in Iceland or Corfu.");
                }
                TardisOrder::To(to)
            }
        })
    }

    fn tardis_line(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.is(DOCTOR, "DOCTOR")?;
        let order = self.tardis(line)?;
        Ok(vec![slots::put(slots::TARDIS.to_owned(), Some(&order))])
    }

    /// What the JESTER has a unit of another do: any order of a movement.
    fn reorder(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.is(JESTER, "JESTER")?;
        let (subject, jest) = if part(line, "tardis").is_some() {
            (DOCTOR, Jest::Tardis(self.tardis(line)?))
        } else {
            let (unit, told) = match part(line, "told-own").and_then(|own| own.parts.first()) {
                Some(own) => self.told(own)?.into_iter().next().ok_or("Whom?")?,
                None => self.common(line)?,
            };
            let told = self.checked(&unit, told)?;
            (unit.power, Jest::Unit(unit.id, told))
        };
        let mut jests: Vec<Jest> = self.kept(slots::JESTS);
        let owner = |jest: &Jest| match jest {
            Jest::Tardis(_) => DOCTOR,
            Jest::Unit(id, _) => self.board.unit(*id).map_or(MONSTERS, |unit| unit.power),
        };
        jests.retain(|other| owner(other) != subject || !same_subject(other, &jest));
        let most = 1 + usize::from(self.board.state.bonus.contains(&JESTER));
        if jests.len() >= most {
            return refuse("You have no re-order left in this season.");
        }
        if jests.iter().any(|other| owner(other) == subject) {
            return refuse("A second re-order is for another player's unit.");
        }
        jests.push(jest);
        Ok(vec![slots::put(slots::JESTS.to_owned(), Some(&jests))])
    }

    /// An order of every game, as a line of the variant's has it.
    fn common(&self, line: &Line) -> Read<(Unit, Told)> {
        let unit = self.unit(line)?;
        let action = part(line, "action").and_then(|action| action.parts.first());
        let action = action.ok_or("An order is missing.")?;
        let told = match action.rule.as_str() {
            "hold" => Told::Hold,
            "support" => {
                let from = self.unit(action)?.at.province;
                match part(action, "support-move") {
                    None => Told::SupportHold { at: from },
                    Some(to) => Told::SupportMove {
                        from,
                        to: self.last(to)?,
                    },
                }
            }
            "convoy" => {
                let to = part(action, "convoy-move").ok_or("Where to?")?;
                Told::Convoy {
                    from: self.unit(action)?.at.province,
                    to: self.last(to)?.province,
                }
            }
            "move" => {
                let (to, by) = passage(self.places(action)?, part(action, "via").is_some())?;
                let tardis = false;
                Told::Move { to, by, tardis }
            }
            _ => return refuse("A re-order is an order of the movement."),
        };
        Ok((unit, told))
    }

    fn last(&self, line: &Line) -> Read<Location> {
        let places = self.places(line)?;
        places.last().copied().ok_or_else(|| "Where to?".to_owned())
    }

    /// What is put down already under a name.
    fn kept<T: serde::de::DeserializeOwned>(&self, name: &str) -> Vec<T> {
        let kept = self.sight.kept(name);
        kept.and_then(|data| data.read().ok()).unwrap_or_default()
    }

    fn predict(&self, line: &Line) -> Result<Considered, Vec<String>> {
        let one = |why: String| vec![why];
        self.in_movement().map_err(one)?;
        self.is(SOOTHSAYER, "SOOTHSAYER").map_err(one)?;
        let most = 2 + usize::from(self.board.state.bonus.contains(&SOOTHSAYER));
        let mut predictions = Vec::new();
        let mut notes = Vec::new();
        for foreseen in parts(line, "foreseen") {
            let at = self.province(foreseen).map_err(one)?;
            let kind = match (foreseen.has("as-fleet"), foreseen.has("as-army")) {
                (true, _) => Some(UnitKind::FLEET),
                (_, true) => Some(UnitKind::ARMY),
                _ => None,
            };
            match predictions.len() < most {
                true => predictions.push(Prediction { at, kind }),
                false => notes.push(format!(
                    "You have no prediction left for {}.",
                    self.name(at)
                )),
            }
        }
        let effect = slots::put(slots::PREDICTIONS.to_owned(), Some(&predictions));
        Ok(Considered {
            effects: vec![effect],
            notes,
        })
    }

    // Later steps --------------------------------------------------------------------------

    /// A line is added to those of its subject in the same mail; a later mail's come in place of an earlier's.
    fn add<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        name: String,
        line: If<T>,
    ) -> Vec<Effect> {
        let mut lines: Vec<If<T>> = match self.sight.said_just_now.contains(&name) {
            true => self.kept(&name),
            false => Vec::new(),
        };
        lines.push(line);
        vec![slots::put(name, Some(&lines))]
    }

    fn sale(&self, line: &Line, condition: Option<Condition>) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.known(condition.as_ref(), 4)?;
        let unit = self.own(line)?;
        if let Some(why) = souls::objection(&self.board, &self.rules, unit.power, unit.id, true) {
            return refuse(why);
        }
        Ok(self.add(
            slots::sale(unit.id),
            If {
                condition,
                then: (),
            },
        ))
    }

    fn detonation(&self, line: &Line, condition: Option<Condition>) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.known(condition.as_ref(), 6)?;
        let place = self.province(line)?;
        let herds = self.board.herds.get(&self.sight.power);
        if !herds.is_some_and(|herds| herds.contains(&place)) {
            return Err(format!("You have no herd in {}.", self.name(place)));
        }
        Ok(self.add(
            slots::detonation(place),
            If {
                condition,
                then: (),
            },
        ))
    }

    fn retreat(&self, line: &Line, condition: Option<Condition>) -> Read<Vec<Effect>> {
        self.known(condition.as_ref(), 7)?;
        let unit = self.own(line)?;
        let then = match part(line, "place") {
            Some(_) => Flight::To(self.place(line)?),
            None => Flight::Disband,
        };
        if self.sight.phase == Phase::Retreats {
            self.can_retreat(&unit, then)?;
        }
        Ok(self.add(slots::retreat(unit.id), If { condition, then }))
    }

    fn can_retreat(&self, unit: &Unit, then: Flight) -> Read<()> {
        let mut away = self.board.position.dislodged.iter();
        let Some(one) = away.find(|one| one.unit.id == unit.id) else {
            return refuse("That unit need not retreat.");
        };
        let Flight::To(to) = then else {
            return Ok(());
        };
        if retreats::fitting(&one.options, to).is_some() {
            return Ok(());
        }
        let open = one.options.iter().map(|to| self.sight.map.full_name(*to));
        let open: Vec<String> = open.collect();
        match open.is_empty() {
            true => refuse("It has nowhere to retreat to."),
            false => Err(format!("It can retreat to {}.", open.join(", "))),
        }
    }

    fn build(&self, line: &Line) -> Read<(UnitKind, Location)> {
        let kind = part(line, "kind").and_then(Line::kind);
        let kind = kind.ok_or("Say what to build: BUILD A Par.")?;
        let at = self.place(line)?;
        if self.sight.power == JESTER {
            return refuse("The JESTER builds nothing.");
        }
        Ok((kind, at))
    }

    fn special_build(&self, line: &Line, condition: Option<Condition>) -> Read<Vec<Effect>> {
        if line.rule == "free-build" {
            self.known(condition.as_ref(), 10)?;
            let then = self.build(line)?;
            return Ok(self.add(slots::FREE_BUILDS.to_owned(), If { condition, then }));
        }
        self.known(condition.as_ref(), 9)?;
        let mut twins = parts(line, "one-twin").map(|twin| self.build(twin));
        let (Some(one), Some(other)) = (twins.next(), twins.next()) else {
            return no_order();
        };
        let then = Adjusting::Build(Build::Pair(one?, other?));
        Ok(self.add(slots::BUILDS.to_owned(), If { condition, then }))
    }

    fn adjustment(&self, line: &Line, condition: Option<Condition>) -> Read<Vec<Effect>> {
        self.known(condition.as_ref(), 9)?;
        let then = match line.rule.as_str() {
            "own-build" => {
                let (kind, at) = self.build(line)?;
                Adjusting::Build(Build::Unit(kind, at))
            }
            "own-remove" => Adjusting::Remove(self.own(line)?.id),
            _ => Adjusting::Waive,
        };
        Ok(self.add(slots::BUILDS.to_owned(), If { condition, then }))
    }

    fn vote(&self, line: &Line, condition: Option<Condition>) -> Read<Vec<Effect>> {
        self.known(condition.as_ref(), 11)?;
        let then = match part(line, "no-link") {
            Some(_) => None,
            None => match self.places(line)?.as_slice() {
                [a, b] if legality::can_be_linked(a.province, b.province) => {
                    Some((a.province, b.province))
                }
                _ => return refuse("The LINK joins two different spaces."),
            },
        };
        Ok(self.add(slots::VOTE.to_owned(), If { condition, then }))
    }

    // The question, and herds ----------------------------------------------------------------

    fn question(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.is(MASTERMIND, "MASTERMIND")?;
        let kept = self.sight.kept(slots::QUESTION);
        let mut question: Question = kept.and_then(|data| data.read().ok()).unwrap_or_default();
        let words = line.words().unwrap_or_default().trim().to_owned();
        if line.rule == "question" {
            question = Question {
                text: words,
                accepted: Vec::new(),
            };
        } else {
            question.accepted.push(accepted(line, &words)?);
        }
        Ok(vec![slots::put(
            slots::QUESTION.to_owned(),
            Some(&question),
        )])
    }

    fn answer(&self, line: &Line) -> Read<Vec<Effect>> {
        if self.sight.power == MASTERMIND {
            return refuse("The MASTERMIND does not answer his own question.");
        }
        let words = line.words().unwrap_or_default().trim().to_owned();
        Ok(vec![slots::put(slots::ANSWER.to_owned(), Some(&words))])
    }

    fn herds(&self, line: &Line) -> Result<Considered, Vec<String>> {
        let one = |why: String| vec![why];
        if self.sight.power >= JESTER {
            return Err(one("Only the seven powers have LLAMAS.".to_owned()));
        }
        let mut placed = std::collections::BTreeSet::new();
        let mut notes = Vec::new();
        for place in self.places(line).map_err(one)? {
            match llamas::objection(&self.board, &placed, place.province) {
                Some(why) => notes.push(format!("{}: {why}", self.name(place.province))),
                None => {
                    placed.insert(place.province);
                }
            }
        }
        Ok(Considered {
            effects: vec![slots::put(slots::HERDS.to_owned(), Some(&placed))],
            notes,
        })
    }
}

/// Where a way leads, and how: by all its places but the last, where it has others.
fn passage(mut way: Vec<Location>, via: bool) -> Read<(Location, Passage)> {
    let to = way.pop().ok_or("Where to?")?;
    let seas: Vec<Province> = way.into_iter().map(|at| at.province).collect();
    let by = match (seas.is_empty(), via) {
        (false, _) => Passage::Route(seas),
        (true, true) => Passage::Convoy,
        (true, false) => Passage::Auto,
    };
    Ok((to, by))
}

/// Whether two re-orders are for one unit, or both for the TARDIS.
fn same_subject(one: &Jest, other: &Jest) -> bool {
    match (one, other) {
        (Jest::Tardis(_), Jest::Tardis(_)) => true,
        (Jest::Unit(one, _), Jest::Unit(other, _)) => one == other,
        _ => false,
    }
}

/// What a line of the MASTERMIND's accepts.
fn accepted(line: &Line, words: &str) -> Read<Accepted> {
    if line.has("accepted-words") {
        Ok(Accepted::words(words))
    } else if line.has("accepted-number") {
        Accepted::number(words).ok_or_else(|| {
            "This takes a number and how far off it may be: ACCEPT NUMBER: 8848 +- 1%.".to_owned()
        })
    } else {
        Ok(Accepted::Text(words.to_owned()))
    }
}

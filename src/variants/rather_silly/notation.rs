//! The notation of the worked cases: units with what they are beyond their kinds, and the lines that players send.

use super::board::Board;
use super::conditions::{Condition, Fact, Than, Whose, is_known};
use super::orders::{
    Adjusting, Build, Flight, If, Jest, Prediction, Submissions, TardisOrder, Told,
};
use super::rules::Rules;
use super::state::{Accepted, Tardis, Traits};
use super::{
    BIRDS, DOCTOR, JESTER, MASTERMIND, MONSTERS, SEA, SOOTHSAYER, SPACE, legality, llamas, souls,
};
use crate::conditions::Condition as Joined;
use crate::map::{Location, Power, Province, UnitKind};
use crate::orders::Passage;
use crate::position::{Unit, UnitId};

type Read<T> = Result<T, String>;

/// A unit as a position has it.
pub(super) struct WrittenUnit {
    pub kind: UnitKind,
    pub at: Location,
    pub traits: Traits,
    must_retreat: bool,
}

/// `A Bur[soul2]!`
pub(super) fn unit(text: &str) -> Option<WrittenUnit> {
    let (text, must_retreat) = match text.strip_suffix('!') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (place, flags) = text.split_once('[').unwrap_or((text, "]"));
    let (kind, at) = place.trim().split_once(' ')?;
    let mut traits = Traits::default();
    for flag in flags
        .trim_end_matches(']')
        .split(' ')
        .filter(|flag| !flag.is_empty())
    {
        match flag {
            "gay" => traits.gay = true,
            "sia" => traits.siamese = true,
            "free" => traits.free = true,
            _ => match (flag.strip_prefix("soul"), flag.strip_prefix('x')) {
                (Some(n), _) => traits.soul = n.parse().ok()?,
                (_, Some(n)) => traits.n = n.parse().ok()?,
                _ => return None,
            },
        }
    }
    Some(WrittenUnit {
        kind: kind.parse().ok()?,
        at: at.to_uppercase().parse().ok()?,
        traits,
        must_retreat,
    })
}

fn flags(traits: Traits, must_retreat: bool) -> String {
    let mut flags = Vec::new();
    if traits.soul > 0 {
        flags.push(format!("soul{}", traits.soul));
    }
    if traits.n > 1 {
        flags.push(format!("x{}", traits.n));
    }
    for (is, flag) in [
        (traits.gay, "gay"),
        (traits.siamese, "sia"),
        (traits.free, "free"),
    ] {
        flags.extend(is.then(|| flag.to_owned()));
    }
    let mark = if must_retreat { "!" } else { "" };
    match flags.is_empty() {
        true => mark.to_owned(),
        false => format!("[{}]{mark}", flags.join(" ")),
    }
}

impl WrittenUnit {
    pub(super) fn written(&self, power: Power) -> String {
        let flags = flags(self.traits, self.must_retreat);
        format!("{} {} {}{flags}", power.0, self.kind, self.at)
    }
}

/// A unit of the board in the same way.
pub(super) fn written(board: &Board<'_>, unit: &Unit) -> String {
    let flags = flags(board.traits(unit.id), board.must_retreat(unit.id));
    format!("{} {} {}{flags}", unit.power.0, unit.kind, unit.at)
}

/// `ACCEPT: Calhamer`, `NUMBER: 8848 +- 1%`, `ACCEPT CONTAINS: hillary tenzing`
pub(super) fn accepted(line: &str) -> Option<Accepted> {
    let (head, rest) = line.split_once(':')?;
    let rest = rest.trim();
    if head.ends_with("CONTAINS") {
        return Some(Accepted::Words(
            rest.split_whitespace().map(str::to_owned).collect(),
        ));
    }
    if !head.ends_with("NUMBER") {
        return Some(Accepted::Text(rest.to_owned()));
    }
    let (number, tolerance) = rest.split_once("+-").unwrap_or((rest, "0"));
    let number: f64 = number.trim().parse().ok()?;
    let tolerance = tolerance.trim();
    let by = match tolerance.strip_suffix('%') {
        Some(percent) => number * percent.parse::<f64>().ok()? / 100.0,
        None => tolerance.parse().ok()?,
    };
    Some(Accepted::Number(number - by, number + by))
}

/// Words of a line: `A(Par)-Bur` is A, (, PAR, ), -, BUR.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in line.chars() {
        match c {
            ' ' | ',' => words.push(String::new()),
            '(' | ')' | '-' | '+' | '=' | '<' | '>' => words.extend([c.to_string(), String::new()]),
            c => words.last_mut().unwrap().extend(c.to_uppercase()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

struct Reader<'r> {
    board: &'r Board<'static>,
    seat: Power,
    words: Vec<String>,
    at: usize,
}

const NATIONS: [&str; 11] = [
    "AUSTRIAN",
    "ENGLISH",
    "FRENCH",
    "GERMAN",
    "ITALIAN",
    "RUSSIAN",
    "TURKISH",
    "JESTER",
    "MASTERMIND",
    "DOCTOR",
    "SOOTHSAYER",
];
const POWERS: [&str; 7] = [
    "AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY",
];

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn take(&mut self, word: &str) -> bool {
        let is = self.peek() == word;
        self.at += usize::from(is);
        is
    }

    fn next(&mut self) -> String {
        let word = self.peek().to_owned();
        self.at += 1;
        word
    }

    fn is_over(&self) -> bool {
        self.at >= self.words.len()
    }

    fn place(&mut self) -> Read<Province> {
        Ok(self.location()?.province)
    }

    fn location(&mut self) -> Read<Location> {
        let bracket = self.take("(");
        let word = self.next();
        let at: Location = word.parse().map_err(|_| format!("no space: {word}"))?;
        if self.board.map.info(at.province).is_none() {
            return Err(format!("no space: {word}"));
        }
        if bracket {
            self.take(")");
        }
        Ok(at)
    }

    fn kind(&mut self) -> Read<UnitKind> {
        let word = self.next();
        match word.as_str() {
            "A" | "F" | "FA" | "DOM" | "B" => Ok(word.parse().unwrap()),
            _ => Err(format!("no kind: {word}")),
        }
    }

    fn nation(&mut self) -> Option<Power> {
        let index = NATIONS.iter().position(|name| *name == self.peek())?;
        self.at += 1;
        Some(Power(index as u8))
    }

    fn power(&mut self) -> Read<Power> {
        let word = self.next();
        let index = POWERS.iter().position(|name| *name == word);
        index
            .map(|index| Power(index as u8))
            .ok_or(format!("no power: {word}"))
    }

    /// `FRENCH A(Par)`; the sender's own goes before others'.
    fn unit(&mut self) -> Read<Unit> {
        let nation = self.nation();
        let kind = self.kind()?;
        let at = self.place()?;
        self.found(nation, kind, at)
    }

    fn found(&self, nation: Option<Power>, kind: UnitKind, at: Province) -> Read<Unit> {
        let fits = |unit: &&Unit| {
            unit.kind == kind
                && unit.at.province == at
                && nation.is_none_or(|nation| nation == unit.power)
        };
        let units = || self.board.units().filter(fits);
        let own = units().find(|unit| unit.power == self.seat);
        own.or(units().next())
            .copied()
            .ok_or(format!("no {kind} in {at}"))
    }

    fn route(&mut self) -> Read<Vec<Province>> {
        let mut route = Vec::new();
        while self.take("-") {
            route.push(self.place()?);
        }
        Ok(route)
    }

    fn carrying(&mut self) -> bool {
        let carrying = self.take("CARRYING");
        self.take("TARDIS");
        carrying
    }

    /// What stands behind a unit.
    fn told(&mut self, unit: &Unit) -> Read<Told> {
        let told = match self.peek() {
            "" => Told::Hold,
            "-" => self.move_or_flight(unit)?,
            "H" | "HOLD" => {
                self.at += 1;
                match self.next().as_str() {
                    "SHOO" => Told::Shoo,
                    "TARDIS" => Told::HoldTardis,
                    _ => Told::Hold,
                }
            }
            "SHOO" => {
                self.at += 1;
                Told::Shoo
            }
            "EXPOSE" => {
                self.at += 1;
                Told::Expose
            }
            "DISTRACT" => {
                self.at += 1;
                Told::Distract(self.unit()?.id)
            }
            "S" => {
                self.at += 1;
                let of = self.unit()?;
                match self.take("-") {
                    true => Told::SupportMove {
                        from: of.at.province,
                        to: self.location()?,
                    },
                    false => Told::SupportHold { at: of.at.province },
                }
            }
            "C" => {
                self.at += 1;
                let of = self.unit()?;
                self.take("-");
                Told::Convoy {
                    from: of.at.province,
                    to: self.place()?,
                }
            }
            word => return Err(format!("not readable from {word}")),
        };
        Ok(told)
    }

    fn move_or_flight(&mut self, unit: &Unit) -> Read<Told> {
        if unit.kind == BIRDS {
            return Ok(Told::Fly {
                route: self.route()?,
                army: None,
                tardis: self.carrying(),
            });
        }
        let mut way = Vec::new();
        while self.take("-") {
            way.push(self.location()?);
        }
        let to = way.pop().ok_or("where to?")?;
        let seas: Vec<Province> = way.iter().map(|at| at.province).collect();
        Ok(Told::Move {
            to,
            by: match seas.is_empty() {
                true => Passage::Auto,
                false => Passage::Route(seas),
            },
            tardis: self.carrying(),
        })
    }

    fn condition(&mut self) -> Read<Condition> {
        let mut whole = self.conjunction()?;
        while self.take("OR") {
            whole = Joined::Or(Box::new(whole), Box::new(self.conjunction()?));
        }
        Ok(whole)
    }

    fn conjunction(&mut self) -> Read<Condition> {
        let mut whole = self.primary()?;
        while self.take("AND") {
            whole = Joined::And(Box::new(whole), Box::new(self.primary()?));
        }
        Ok(whole)
    }

    fn primary(&mut self) -> Read<Condition> {
        if self.take("NOT") {
            return Ok(Joined::Not(Box::new(self.primary()?)));
        }
        if self.take("(") {
            let inner = self.condition()?;
            self.take(")");
            return Ok(inner);
        }
        Ok(Joined::Fact(self.fact()?))
    }

    fn fact(&mut self) -> Read<Fact> {
        let word = self.peek().to_owned();
        self.at += 1;
        let fact = match word.as_str() {
            "BORG" if self.take("IN") => Fact::BorgIn(self.place()?),
            "TARDIS" if self.take("IN") => match self.take("HYPERSPACE") {
                true => Fact::TardisIn(None),
                false => Fact::TardisIn(Some(self.place()?)),
            },
            "MONSTERS" if self.take("IN") => Fact::MonstersIn(None, self.place()?),
            "SEA" | "SPACE" => {
                self.take("MONSTERS");
                self.take("IN");
                let kind = if word == "SEA" { SEA } else { SPACE };
                Fact::MonstersIn(Some(kind), self.place()?)
            }
            "EMPTY" => Fact::Empty(self.place()?),
            "STANDOFF" => Fact::StandOff(self.place()?),
            "MERGED" => Fact::Merged(self.place()?),
            "EXPLODED" => Fact::Exploded(self.place()?),
            "RIGHT" => Fact::Right(self.power()?),
            "OWNS" => Fact::Owns(self.power()?, self.place()?),
            "CENTRES" => {
                let power = self.power()?;
                let than = match (self.next().as_str(), self.take("=")) {
                    ("<", true) => Than::AtMost,
                    ("<", false) => Than::Less,
                    (">", true) => Than::AtLeast,
                    (">", false) => Than::More,
                    _ => Than::Exactly,
                };
                Fact::Centers(power, than, self.next().parse().map_err(|_| "a number")?)
            }
            "LINK" => {
                let a = self.place()?;
                self.take("-");
                Fact::Link(a, self.place()?)
            }
            _ => {
                self.at -= 1;
                self.fact_of_unit()?
            }
        };
        Ok(fact)
    }

    fn fact_of_unit(&mut self) -> Read<Fact> {
        let whose = match self.peek() {
            "MY" => Whose::My,
            "ENEMY" => Whose::Enemy,
            "ANY" => Whose::Any,
            _ => self.nation().map_or(Whose::Any, Whose::Of),
        };
        if matches!(self.peek(), "MY" | "ENEMY" | "ANY") {
            self.at += 1;
        }
        let any = self.take("UNIT");
        let kind = if any { None } else { Some(self.kind()?) };
        if self.take("IN") {
            return Ok(Fact::UnitIn(whose, kind, self.place()?));
        }
        let at = self.place()?;
        let nation = match whose {
            Whose::Of(power) => Some(power),
            _ => None,
        };
        let unit: UnitId = self.found(nation, kind.ok_or("a kind")?, at)?.id;
        let to = match self.take("-") {
            true => Some(self.place()?),
            false => None,
        };
        Ok(match self.next().as_str() {
            "SOLD" => Fact::Sold(unit),
            "DISLODGED" => Fact::Dislodged(unit),
            "DESTROYED" => Fact::Destroyed(unit),
            "EATEN" => Fact::Eaten(unit),
            "SUCCEEDED" => Fact::Moved(unit, to, true),
            "FAILED" => Fact::Moved(unit, to, false),
            word => return Err(format!("no fact: {word}")),
        })
    }
}

/// Reads a line of a seat and puts it down; the errors are one for each thing that is refused.
pub(super) fn line(
    board: &mut Board<'static>,
    rules: &Rules,
    own: &mut Submissions,
    seat: Power,
    line: &str,
    winter_1900: bool,
) -> Result<(), Vec<String>> {
    if let Some(places) = line.strip_prefix("PLACE LLAMAS") {
        assert!(winter_1900);
        let mut refused = Vec::new();
        for word in places.split(',') {
            let place: Province = word
                .trim()
                .to_uppercase()
                .parse()
                .map_err(|_| vec![word.to_owned()])?;
            let placed = board.state.herds.get(&seat).cloned().unwrap_or_default();
            match llamas::objection(board, &placed, place) {
                Some(why) => refused.push(why.to_owned()),
                None => {
                    board.state.herds.entry(seat).or_default().insert(place);
                }
            }
        }
        return if refused.is_empty() {
            Ok(())
        } else {
            Err(refused)
        };
    }
    if let Some(answer) = line.strip_prefix("ANSWER:") {
        own.answer = Some(answer.trim().to_owned());
        return Ok(());
    }
    let mut reader = Reader {
        board,
        seat,
        words: words(line),
        at: 0,
    };
    read(&mut reader, rules, own)
}

fn read(reader: &mut Reader<'_>, rules: &Rules, own: &mut Submissions) -> Result<(), Vec<String>> {
    let one = |why: String| vec![why];
    let condition = match reader.take("IF") {
        true => {
            let condition = reader.condition().map_err(one)?;
            if !reader.take("THEN") {
                return Err(one("THEN is missing".to_owned()));
            }
            Some(condition)
        }
        false => None,
    };
    let known = |step: u8| match &condition {
        Some(condition) if !is_known(condition, step) => Err(one("not known by then".to_owned())),
        _ => Ok(()),
    };
    if reader.take("PREDICT") {
        let mut refused = Vec::new();
        let most = if reader.board.state.bonus.contains(&SOOTHSAYER) {
            3
        } else {
            2
        };
        while !reader.is_over() {
            let at = reader.place().map_err(one)?;
            let kind = reader.take("AS").then(|| match reader.next().as_str() {
                "FLEET" => UnitKind::FLEET,
                _ => UnitKind::ARMY,
            });
            match own.predictions.len() < most {
                true => own.predictions.push(Prediction { at, kind }),
                false => refused.push("no prediction left".to_owned()),
            }
        }
        return if refused.is_empty() {
            Ok(())
        } else {
            Err(refused)
        };
    }
    if reader.take("LLAMAS") {
        known(6)?;
        let place = reader.place().map_err(one)?;
        own.detonations.push(If {
            condition,
            then: place,
        });
        return Ok(());
    }
    if reader.take("VOTE") {
        known(11)?;
        reader.take("LINK");
        let a = reader.place().map_err(one)?;
        reader.take("-");
        let b = reader.place().map_err(one)?;
        if !legality::can_be_linked(a, b) {
            return Err(one("two different spaces".to_owned()));
        }
        own.votes.push(If {
            condition,
            then: Some((a, b)),
        });
        return Ok(());
    }
    if reader.take("BUILD") {
        return build(reader, own, condition).map_err(one);
    }
    if reader.take("REORDER") {
        return reorder(reader, own).map_err(one);
    }
    if reader.peek() == "TARDIS" {
        own.tardis = tardis(reader).map_err(one)?;
        return Ok(());
    }
    unit_line(reader, rules, own, condition).map_err(one)
}

fn tardis(reader: &mut Reader<'_>) -> Read<TardisOrder> {
    assert!(reader.seat == DOCTOR || reader.seat == JESTER);
    reader.take("TARDIS");
    if reader.take("WITH") {
        return Ok(TardisOrder::With(reader.unit()?.id));
    }
    if reader.take("STAY") {
        return Ok(TardisOrder::Stay);
    }
    reader.take("-");
    if reader.take("HYPERSPACE") {
        return Ok(TardisOrder::ToHyperspace);
    }
    assert_ne!(reader.board.state.tardis, Tardis::None);
    Ok(TardisOrder::To(reader.place()?))
}

fn build(reader: &mut Reader<'_>, own: &mut Submissions, condition: Option<Condition>) -> Read<()> {
    let free = reader.take("FREE");
    let pair = reader.take("SIA");
    let mut one = || -> Read<(UnitKind, Location)> { Ok((reader.kind()?, reader.location()?)) };
    let first = one()?;
    if free {
        own.free_builds.push(If {
            condition,
            then: first,
        });
        return Ok(());
    }
    let build = match pair {
        true => {
            reader.take("+");
            Build::Pair(first, (reader.kind()?, reader.location()?))
        }
        false => Build::Unit(first.0, first.1),
    };
    own.adjusting.push(If {
        condition,
        then: Adjusting::Build(build),
    });
    Ok(())
}

fn reorder(reader: &mut Reader<'_>, own: &mut Submissions) -> Read<()> {
    if reader.peek() == "TARDIS" {
        own.jests.push(Jest::Tardis(tardis(reader)?));
        return Ok(());
    }
    let unit = reader.unit()?;
    let told = reader.told(&unit)?;
    legality::check(reader.board, reader.board.map.powers(), &unit, &told)?;
    let bonus = reader.board.state.bonus.contains(&JESTER);
    let owner = |id: UnitId| reader.board.unit(id).map(|unit| unit.power);
    let others = own.jests.iter().filter_map(|jest| match jest {
        Jest::Unit(id, _) => owner(*id),
        Jest::Tardis(_) => Some(DOCTOR),
    });
    if own.jests.len() > usize::from(bonus) || (own.jests.len() == 1 && !bonus) {
        return Err("no re-order left".to_owned());
    }
    if others.into_iter().any(|other| other == unit.power) {
        return Err("not another player's unit".to_owned());
    }
    own.jests.push(Jest::Unit(unit.id, told));
    Ok(())
}

fn unit_line(
    reader: &mut Reader<'_>,
    rules: &Rules,
    own: &mut Submissions,
    condition: Option<Condition>,
) -> Read<()> {
    let (board, seat) = (reader.board, reader.seat);
    if reader
        .words
        .first()
        .is_some_and(|word| word.contains("/B") || word.ends_with('/'))
        || reader
            .words
            .get(reader.at)
            .is_some_and(|word| word.contains('/'))
    {
        return carried(reader, own);
    }
    let unit = reader.unit()?;
    if unit.power != seat {
        return Err("not yours".to_owned());
    }
    if reader.take("SELL") {
        reader.take("SOUL");
        if condition
            .as_ref()
            .is_some_and(|condition| !is_known(condition, 4))
        {
            return Err("not known by then".to_owned());
        }
        if let Some(why) = souls::objection(board, rules, seat, unit.id, true) {
            return Err(why.to_owned());
        }
        own.sales.push(If {
            condition,
            then: unit.id,
        });
        return Ok(());
    }
    if reader.peek() == "R" || reader.peek() == "DISBAND" {
        let flight = match reader.next().as_str() {
            "R" => Flight::To(reader.location()?),
            _ => Flight::Disband,
        };
        own.retreats.push(If {
            condition,
            then: (unit.id, flight),
        });
        return Ok(());
    }
    if condition.is_some() {
        return Err("orders take no condition".to_owned());
    }
    if reader.take("PICK") {
        reader.take("UP");
        let army = reader.unit()?.id;
        if let Some(Told::Fly { army: named, .. }) = own.orders.get_mut(&unit.id) {
            *named = Some(army);
        }
        if reader.is_over() {
            return Ok(());
        }
        carried(reader, own)?;
        if let Some(Told::Fly { army: named, .. }) = own.orders.get_mut(&unit.id) {
            *named = Some(army);
        }
        return Ok(());
    }
    let told = reader.told(&unit)?;
    legality::check(board, board.map.powers(), &unit, &told)?;
    own.orders.insert(unit.id, told);
    Ok(())
}

/// `A/B(Lon)-NTH-Den`: of the BIRDS' owner, of the army's, or of both.
fn carried(reader: &mut Reader<'_>, own: &mut Submissions) -> Read<()> {
    let (board, seat) = (reader.board, reader.seat);
    let word = reader.next();
    let (kind, _) = word.split_once('/').ok_or("A/B")?;
    let kind: UnitKind = kind.parse().map_err(|_| "a kind")?;
    let nation = reader.nation();
    reader.take("B");
    let at = reader.place()?;
    let route = reader.route()?;
    let here = |unit: &&Unit| unit.at.province == at && unit.power != MONSTERS;
    let armies = || board.units().filter(here).filter(|unit| unit.kind == kind);
    let own_army = armies().find(|unit| unit.power == seat);
    let army = own_army.or(armies().next()).ok_or("no army there")?;
    let flocks = || board.units().filter(here).filter(|unit| unit.kind == BIRDS);
    let flock = flocks().find(|unit| unit.power == nation.unwrap_or(seat));
    let own_flock = flock.filter(|unit| unit.power == seat);
    if let Some(flock) = own_flock {
        let told = Told::Fly {
            route: route.clone(),
            army: Some(army.id),
            tardis: false,
        };
        legality::check(board, board.map.powers(), flock, &told)?;
        own.orders.insert(flock.id, told);
    }
    if let Some(army) = own_army {
        let told = Told::Ride {
            route,
            flock: nation.and(flock).map(|flock| flock.id),
        };
        legality::check(board, board.map.powers(), army, &told)?;
        own.orders.insert(army.id, told);
    }
    assert!(seat != MASTERMIND);
    Ok(())
}

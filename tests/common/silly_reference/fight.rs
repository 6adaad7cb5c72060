//! The fight of step 1 (1.9): what each decision of it depends on, and how it follows from the others. Nothing is decided here;
//! `outcomes` looks for decisions that follow from each other.

use std::collections::BTreeSet;

use dipjudge::map::Terrain;

use super::board::{Board, Unit};
use super::told::{By, Does, Told, reached, twin};
use super::{MONSTERS, Turn, solid, ways};

/// What an army or fleet, or a group of monsters, counts.
pub(super) fn strength(unit: &Unit) -> u32 {
    match unit.owner {
        MONSTERS => 2,
        _ if unit.soul > 0 => 2 * unit.n,
        _ => unit.n,
    }
}

/// Something that is so or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// The convoy of the passenger stands.
    Convoy(usize),
    /// The move of the unit succeeds.
    Moves(usize),
    /// The unit loses its place.
    Dislodged(usize),
    /// The help is given.
    Helps(usize),
}

/// Support, ordered or that of twins.
pub(super) struct Help {
    pub by: usize,
    strength: u32,
    /// It is a twin's, and cut by attacks of this strength together.
    pub cut_at: Option<u32>,
    /// The moves of other owners into the supporter's space that may cut it.
    attackers: Vec<usize>,
    /// A unit comes from the space that the support is directed to: that dislodges or does nothing.
    is_met: bool,
}

impl Help {
    /// It matters whether the supporter is dislodged; an ordered support is cut by any other attack already.
    fn falls_with_giver(&self) -> bool {
        self.is_met || self.cut_at.is_some()
    }
}

/// A unit with what has to do with it; all by number of unit.
pub(super) struct Fighter {
    pub id: u32,
    pub owner: u8,
    pub space: String,
    pub goal: Option<String>,
    strength: u32,
    /// Others that move to where it moves.
    rivals: Vec<usize>,
    /// Who stands where it moves to.
    pub occupant: Option<usize>,
    /// Who comes the other way over the same border.
    pub head_on: Option<usize>,
    /// Moves of other owners into its space.
    pub intruders: Vec<usize>,
    /// Help for what it does.
    helps: Vec<usize>,
    /// The number of its convoy.
    pub convoy: Option<usize>,
}

/// A unit that goes by convoy.
pub(super) struct Passage {
    pub id: u32,
    /// Who convoys, and where.
    pub carriers: Vec<usize>,
    /// Chains of spaces that lead from start to end, each of carriers.
    chains: Vec<Vec<usize>>,
}

/// All that is to be decided in a fight.
pub(super) struct Fight {
    pub fighters: Vec<Fighter>,
    pub helps: Vec<Help>,
    pub passages: Vec<Passage>,
    /// What is decided, and what each of it depends on.
    pub facts: Vec<Fact>,
    pub depends: Vec<Vec<usize>>,
}

/// How the unit moves, if it goes by convoy (DATC 4.A.3; for FEMALE and DIRTY OLD MAN armies R56 and ruling 9.11 of the page).
fn goes_by_convoy(board: &Board, told: &Told, unit: &Unit) -> bool {
    let Does::Moves { to, by } = told.of(unit) else {
        return false;
    };
    let to = ways::space_of(to);
    let army = matches!(unit.kind.as_str(), "A" | "FA" | "DOM");
    let convoy = Does::Convoys {
        from: unit.space().to_owned(),
        to: to.to_owned(),
    };
    let own_convoys = || {
        let mut own = board.units.iter().filter(|other| other.owner == unit.owner);
        own.any(|other| *told.of(other) == convoy && can_convoy(board, other, unit, to))
    };
    army && match by {
        By::Land => false,
        By::Any => !reached(board, unit, to) || own_convoys(),
        By::Convoy | By::Route(_) => true,
    }
}

/// Whether it could have a part in the convoy, if all fleets that stand there gave theirs.
fn can_convoy(board: &Board, carrier: &Unit, passenger: &Unit, to: &str) -> bool {
    if is_ferry(board, carrier, passenger, to) {
        return true;
    }
    let at_sea =
        |unit: &&Unit| unit.kind == "F" && ways::terrain(board.map, unit.space()) == Terrain::Sea;
    let seas: Vec<&str> = board.units.iter().filter(at_sea).map(Unit::space).collect();
    let mut open: Vec<Vec<&str>> = vec![Vec::new()];
    while let Some(chain) = open.pop() {
        let near = ways::afloat(board, chain.last().unwrap_or(&passenger.space()));
        if near.contains(to) && chain.contains(&carrier.space()) {
            return true;
        }
        for sea in &seas {
            if !chain.contains(sea) && near.contains(*sea) {
                open.push([chain.as_slice(), &[*sea]].concat());
            }
        }
    }
    false
}

/// Whether it is the twin of the passenger, and carries it through its own space to a space near it [12].
fn is_ferry(board: &Board, carrier: &Unit, passenger: &Unit, to: &str) -> bool {
    let near = ways::near(board, carrier.space());
    passenger.kind == "A"
        && twin(board, passenger).is_some_and(|twin| twin.id == carrier.id)
        && near.contains(passenger.space())
        && near.contains(to)
}

impl Fight {
    pub(super) fn new(board: &Board, told: &Told, turn: &Turn) -> Fight {
        let fights = |unit: &&Unit| solid(unit) && !told.carried.contains(&unit.id);
        let units: Vec<&Unit> = board.units.iter().filter(fights).collect();
        let mut fight = Fight {
            fighters: fighters(&units, told),
            helps: Vec::new(),
            passages: Vec::new(),
            facts: Vec::new(),
            depends: Vec::new(),
        };
        let walks = |unit: &&Unit| !told.carried.contains(&unit.id);
        for unit in board.units.iter().filter(walks) {
            if goes_by_convoy(board, told, unit) {
                if let Some(at) = units.iter().position(|other| other.id == unit.id) {
                    fight.fighters[at].convoy = Some(fight.passages.len());
                }
                let passage = passage(board, told, &units, unit);
                fight.passages.push(passage);
            }
        }
        fight.relate();
        fight.help(board, told, turn, &units);
        fight.list();
        fight
    }

    /// Who meets whom.
    fn relate(&mut self) {
        let numbers = 0..self.fighters.len();
        for one in numbers.clone() {
            let of = &self.fighters;
            let goal = of[one].goal.as_ref();
            let into = |space: &String| {
                let all = numbers.clone();
                all.filter(|by| *by != one && of[*by].goal.as_ref() == Some(space))
                    .collect::<Vec<usize>>()
            };
            let rivals = goal.map(into).unwrap_or_default();
            let occupant =
                goal.and_then(|goal| numbers.clone().find(|other| of[*other].space == *goal));
            let meets = |other: &usize| {
                let back = of[*other].goal.as_ref() == Some(&of[one].space);
                back && of[one].convoy.is_none() && of[*other].convoy.is_none()
            };
            let head_on = occupant.filter(meets);
            let mut intruders = into(&of[one].space);
            intruders.retain(|by| of[*by].owner != of[one].owner);
            let fighter = &mut self.fighters[one];
            (fighter.rivals, fighter.occupant) = (rivals, occupant);
            (fighter.head_on, fighter.intruders) = (head_on, intruders);
        }
    }

    /// Ordered support and that of twins.
    fn help(&mut self, board: &Board, told: &Told, turn: &Turn, units: &[&Unit]) {
        for (by, supporter) in units.iter().enumerate() {
            // An order of support makes a twin's own withstand one attack more, whether or not anybody does what it is for.
            let orders_support = matches!(told.of(supporter), Does::Supports { .. });
            if let Does::Supports { of, to } = told.of(supporter) {
                let whom = units.iter().position(|unit| unit.space() == of);
                let whom = whom.filter(|whom| {
                    let goal = told.of(units[*whom]).goal();
                    units[*whom].owner != MONSTERS && goal == to.as_deref()
                });
                if let Some(whom) = whom {
                    self.add_help(board, told, turn, units, (by, whom), None);
                }
            }
            let other = twin(board, supporter);
            let other = other.and_then(|twin| units.iter().position(|unit| unit.id == twin.id));
            if let Some(whom) = other {
                let goal = told.of(units[whom]).goal();
                let near = ways::near(board, supporter.space());
                if goal.is_none_or(|goal| near.contains(goal)) {
                    let cut_at = if orders_support { 2 } else { 1 };
                    self.add_help(board, told, turn, units, (by, whom), Some(cut_at));
                }
            }
        }
    }

    fn add_help(
        &mut self,
        board: &Board,
        told: &Told,
        turn: &Turn,
        units: &[&Unit],
        (by, to): (usize, usize),
        cut_at: Option<u32>,
    ) {
        let target = told.of(units[to]).goal().unwrap_or(units[to].space());
        let (supporter, supported) = (units[by], units[to]);
        if ways::is_underpass(board, supporter.space(), target)
            && underpass_is_used(board, told, turn, supporter, supported)
        {
            return;
        }
        let intruders = &self.fighters[by].intruders;
        let from_target = |by: &&usize| self.fighters[**by].space == target;
        let help = Help {
            by,
            strength: self.fighters[by].strength,
            cut_at,
            attackers: intruders
                .iter()
                .filter(|by| !from_target(by))
                .copied()
                .collect(),
            is_met: intruders.iter().any(|by| from_target(&by)),
        };
        self.fighters[to].helps.push(self.helps.len());
        self.helps.push(help);
    }

    /// Lists what is to be decided.
    fn list(&mut self) {
        let numbers = 0..self.fighters.len();
        let moving = |one: &usize| self.fighters[*one].goal.is_some();
        let convoys = (0..self.passages.len()).map(Fact::Convoy);
        let moves = numbers.clone().filter(moving).map(Fact::Moves);
        let intruded = |one: &usize| !self.fighters[*one].intruders.is_empty();
        let dislodged = numbers.filter(intruded).map(Fact::Dislodged);
        let helps = (0..self.helps.len()).map(Fact::Helps);
        let mut facts: Vec<Fact> = convoys.chain(moves).chain(dislodged).chain(helps).collect();
        facts.sort_unstable();
        self.facts = facts;
        self.depends = (0..self.facts.len())
            .map(|fact| self.depends_on(self.facts[fact]))
            .collect();
    }

    pub(super) fn number(&self, fact: Fact) -> Option<usize> {
        self.facts.binary_search(&fact).ok()
    }

    fn depends_on(&self, fact: Fact) -> Vec<usize> {
        let mut on: BTreeSet<Fact> = BTreeSet::new();
        let way = |on: &mut BTreeSet<Fact>, mover: usize| {
            on.extend(self.fighters[mover].convoy.map(Fact::Convoy));
        };
        let helps = |on: &mut BTreeSet<Fact>, whom: usize| {
            on.extend(self.fighters[whom].helps.iter().copied().map(Fact::Helps));
        };
        match fact {
            Fact::Convoy(passage) => {
                let carriers = &self.passages[passage].carriers;
                on.extend(carriers.iter().copied().map(Fact::Dislodged));
            }
            Fact::Dislodged(unit) => {
                let intruders = self.fighters[unit].intruders.iter().copied();
                on.extend(intruders.map(Fact::Moves));
                on.insert(Fact::Moves(unit));
            }
            Fact::Helps(help) => {
                let help = &self.helps[help];
                if help.falls_with_giver() {
                    on.insert(Fact::Dislodged(help.by));
                }
                for attacker in &help.attackers {
                    way(&mut on, *attacker);
                    if help.cut_at.is_some() {
                        helps(&mut on, *attacker);
                    }
                }
            }
            Fact::Moves(mover) => {
                let fighter = &self.fighters[mover];
                way(&mut on, mover);
                helps(&mut on, mover);
                if let Some(occupant) = fighter.occupant {
                    helps(&mut on, occupant);
                    if fighter.head_on.is_none() {
                        on.insert(Fact::Moves(occupant));
                    }
                }
                for rival in &fighter.rivals {
                    way(&mut on, *rival);
                    helps(&mut on, *rival);
                    on.extend(self.fighters[*rival].head_on.map(Fact::Moves));
                }
            }
        }
        on.into_iter()
            .filter_map(|fact| self.number(fact))
            .collect()
    }

    /// Whether the fact follows, where all that it depends on is so.
    pub(super) fn follows(&self, fact: usize, so: &[bool]) -> bool {
        let at = Assumed { fight: self, so };
        match self.facts[fact] {
            Fact::Convoy(passage) => at.stands(passage),
            Fact::Moves(mover) => at.succeeds(mover),
            Fact::Dislodged(unit) => at.loses_place(unit),
            Fact::Helps(help) => at.is_given(help),
        }
    }

    /// The moves that lead from one to the next and back to the first, not two over one border.
    pub(super) fn circle(&self, start: usize) -> Option<Vec<usize>> {
        let mut circle = vec![start];
        loop {
            let last = &self.fighters[*circle.last().unwrap()];
            let next = last.occupant.filter(|_| last.head_on.is_none())?;
            self.fighters[next].goal.as_ref()?;
            match next {
                _ if next == start => return Some(circle),
                _ if circle.contains(&next) => return None,
                _ => circle.push(next),
            }
        }
    }
}

fn fighters(units: &[&Unit], told: &Told) -> Vec<Fighter> {
    let fighter = |unit: &&Unit| Fighter {
        id: unit.id,
        owner: unit.owner,
        space: unit.space().to_owned(),
        goal: told.of(unit).goal().map(str::to_owned),
        strength: strength(unit),
        rivals: Vec::new(),
        occupant: None,
        head_on: None,
        intruders: Vec::new(),
        helps: Vec::new(),
        convoy: None,
    };
    units.iter().map(fighter).collect()
}

/// A support through the UNDERPASS is void if a unit of another owner is ordered to walk through it [6].
fn underpass_is_used(
    board: &Board,
    told: &Told,
    turn: &Turn,
    supporter: &Unit,
    supported: &Unit,
) -> bool {
    let spared = turn.is("underpass-cut", "unsupported");
    let mut others = board.units.iter().filter(|unit| {
        unit.owner != supporter.owner
            && matches!(unit.kind.as_str(), "A" | "FA" | "DOM")
            && !told.carried.contains(&unit.id)
            && !(spared && unit.id == supported.id)
    });
    others.any(|unit| {
        let goal = told.of(unit).goal();
        goal.is_some_and(|to| ways::is_underpass(board, unit.space(), to))
            && !goes_by_convoy(board, told, unit)
    })
}

/// Who convoys a unit, and all chains of them that would do.
fn passage(board: &Board, told: &Told, units: &[&Unit], unit: &Unit) -> Passage {
    let to = told.of(unit).goal().unwrap();
    let convoy = Does::Convoys {
        from: unit.space().to_owned(),
        to: to.to_owned(),
    };
    let orders = |by: &usize| *told.of(units[*by]) == convoy;
    let ordered: Vec<usize> = (0..units.len()).filter(orders).collect();
    let at_sea = |by: usize| ways::terrain(board.map, units[by].space()) == Terrain::Sea;
    let mut chains: Vec<Vec<usize>> = Vec::new();
    if let Does::Moves {
        by: By::Route(route),
        ..
    } = told.of(unit)
    {
        let at = |space: &String| ordered.iter().find(|by| units[**by].space() == space);
        let chain: Option<Vec<usize>> = route.iter().map(|space| at(space).copied()).collect();
        chains.extend(chain);
    } else {
        // All ways over the sea on which no space comes twice.
        let seas: Vec<usize> = ordered.iter().copied().filter(|by| at_sea(*by)).collect();
        let touches = |one: &str, other: &str| ways::afloat(board, one).contains(other);
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(chain) = open.pop() {
            let end = chain.last().map_or(unit.space(), |by| units[*by].space());
            if !chain.is_empty() && touches(end, to) {
                chains.push(chain.clone());
            }
            for by in &seas {
                if !chain.contains(by) && touches(end, units[*by].space()) {
                    open.push([chain.as_slice(), &[*by]].concat());
                }
            }
        }
        let twins = ordered.iter().copied();
        let twins = twins.filter(|by| is_ferry(board, units[*by], unit, to));
        chains.extend(twins.map(|by| vec![by]));
    }
    let carriers: BTreeSet<usize> = chains.iter().flatten().copied().collect();
    Passage {
        id: unit.id,
        carriers: carriers.into_iter().collect(),
        chains,
    }
}

/// The rules of combat, where everything is so or not.
struct Assumed<'f> {
    fight: &'f Fight,
    so: &'f [bool],
}

impl Assumed<'_> {
    fn is(&self, fact: Fact) -> bool {
        self.fight.number(fact).is_some_and(|fact| self.so[fact])
    }

    fn of(&self, unit: usize) -> &Fighter {
        &self.fight.fighters[unit]
    }

    fn stands(&self, passage: usize) -> bool {
        let holds = |by: &usize| !self.is(Fact::Dislodged(*by));
        let mut chains = self.fight.passages[passage].chains.iter();
        chains.any(|chain| chain.iter().all(holds))
    }

    fn has_way(&self, mover: usize) -> bool {
        self.of(mover)
            .convoy
            .is_none_or(|passage| self.is(Fact::Convoy(passage)))
    }

    fn loses_place(&self, unit: usize) -> bool {
        let mut intruders = self.of(unit).intruders.iter();
        !self.is(Fact::Moves(unit)) && intruders.any(|by| self.is(Fact::Moves(*by)))
    }

    fn is_given(&self, help: usize) -> bool {
        let help = &self.fight.helps[help];
        if help.falls_with_giver() && self.is(Fact::Dislodged(help.by)) {
            return false;
        }
        let mut attackers = help.attackers.iter().filter(|by| self.has_way(**by));
        match help.cut_at {
            None => attackers.next().is_none(),
            Some(cut_at) => attackers.map(|by| self.with_help(*by)).sum::<u32>() < cut_at,
        }
    }

    /// Own strength and all support that is given.
    fn with_help(&self, unit: usize) -> u32 {
        self.of(unit).strength + self.help(unit, None)
    }

    /// The support that is given, without that of an owner.
    fn help(&self, unit: usize, but: Option<u8>) -> u32 {
        let helps = self.of(unit).helps.iter().filter(|help| {
            let by = self.of(self.fight.helps[**help].by);
            but != Some(by.owner) && self.is(Fact::Helps(**help))
        });
        helps.map(|help| self.fight.helps[*help].strength).sum()
    }

    fn attack(&self, mover: usize) -> u32 {
        let fighter = self.of(mover);
        let stays = fighter.occupant.filter(|occupant| {
            fighter.head_on == Some(*occupant) || !self.is(Fact::Moves(*occupant))
        });
        match stays.map(|occupant| self.of(occupant).owner) {
            None => self.with_help(mover),
            Some(owner) if owner == fighter.owner => 0,
            Some(owner) => fighter.strength + self.help(mover, Some(owner)),
        }
    }

    fn succeeds(&self, mover: usize) -> bool {
        let fighter = self.of(mover);
        if !self.has_way(mover) {
            return false;
        }
        let resists = match (fighter.head_on, fighter.occupant) {
            (Some(other), _) => self.with_help(other),
            (None, None) => 0,
            (None, Some(occupant)) if self.is(Fact::Moves(occupant)) => 0,
            (None, Some(occupant)) if self.of(occupant).goal.is_some() => {
                self.of(occupant).strength
            }
            (None, Some(occupant)) => self.with_help(occupant),
        };
        let attack = self.attack(mover);
        let mut rivals = fighter.rivals.iter();
        attack > resists && rivals.all(|rival| attack > self.prevents(*rival))
    }

    fn prevents(&self, rival: usize) -> u32 {
        let beaten = self.of(rival).head_on;
        let beaten = beaten.is_some_and(|other| self.is(Fact::Moves(other)));
        match beaten || !self.has_way(rival) {
            true => 0,
            false => self.with_help(rival),
        }
    }
}

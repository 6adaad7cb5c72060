//! What a seat has submitted, as lines that could be sent again, and warnings about its orders (5.1).

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;

use super::board::Board;
use super::conditions::Condition;
use super::conditions::Conditional;
use super::line_text::Writing;
use super::names::Flavor;
use super::orders::{Sheet, Source};
use super::pass;
use super::phases::SillyView;
use super::siamese;
use super::slots::{self, SlotSubject};
use super::state::{Accepted, Question};
use super::submissions::{AdjustmentLine, AdjustmentOrder, Build, Jest, Prediction, RetreatChoice};
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{Phase, SubmissionKind};
use dipjudge_rules::map::{Location, Power, Province, UnitKind};
use dipjudge_rules::orders::VariantData;

/// What a seat has submitted, beside its orders.
pub(super) fn submitted(
    game: &ToldGame<'_>,
    power: Power,
) -> Vec<(&'static SubmissionKind, String)> {
    let board = Board::as_told(game);
    let writing = Writing {
        board: &board,
        names: Flavor::of(game.settings()).names(),
        me: power,
    };
    let put_down = game.lasting_submissions(power);
    let of_winter = slots::adjustments(put_down.clone());
    let of_winter = writing.in_order(of_winter).into_iter();
    let of_winter = of_winter.map(|line| (&slots::OTHERS, line));
    let others = put_down
        .into_iter()
        .filter(|(name, _)| !slots::is_adjustment(name));
    let others = others.flat_map(|(name, data)| {
        let lines = writing.lines(name, data).into_iter();
        lines.map(move |line| (slots::kind(name), line))
    });
    let lines = of_winter.chain(others);
    let passed = pass::is_passed(&game.submissions(power)).then(|| "PASS".to_owned());
    let passed = passed.map(|line| (slots::kind(pass::PASS), line));
    lines.chain(passed).collect()
}

/// Pairs whose orders could part them (1.5).
pub(super) fn order_warnings(sight: &Sight) -> Vec<String> {
    if sight.phase != Phase::Movement {
        return Vec::new();
    }
    let known = sight.own.known::<SillyView>();
    let board = known.board(sight);
    let mut sheet = Sheet::default();
    for (unit, action) in &sight.orders.units {
        sheet.write(*unit, slots::unit_order(action), Source::Owner, None);
    }
    let writing = Writing {
        board: &board,
        names: known.rules.flavor.names(),
        me: sight.power,
    };
    let pairs = siamese::pairs(&board).into_iter();
    let parted = pairs.filter(|(one, twin)| {
        one.power == sight.power && !siamese::stays_together(&board, &sheet, one, twin)
    });
    let warning = |(one, twin): (
        &dipjudge_rules::position::Unit,
        &dipjudge_rules::position::Unit,
    )| {
        format!(
            "The orders of your {} units {} and {} could part them; as they stand, both will hold.",
            writing.names.siamese,
            writing.unit(one.id),
            writing.unit(twin.id)
        )
    };
    parted.map(warning).collect()
}

impl Writing<'_> {
    /// What is put down under a name, as lines.
    pub(super) fn lines(&self, name: &str, data: &VariantData) -> Vec<String> {
        match name {
            slots::TARDIS => vec![self.tardis(data.stored())],
            slots::JESTS => {
                let jests: Vec<Jest> = data.stored();
                let line = |jest: &Jest| match jest {
                    Jest::Tardis(order) => format!("REORDER {}", self.tardis(*order)),
                    Jest::Unit(id, told) => format!("REORDER {}", self.order(*id, told)),
                };
                jests.iter().map(line).collect()
            }
            slots::PREDICTIONS => {
                let all: Vec<Prediction> = data.stored();
                let one = |prediction: &Prediction| {
                    let kind = match prediction.kind {
                        Some(UnitKind::FLEET) => " AS FLEET",
                        Some(_) => " AS ARMY",
                        None => "",
                    };
                    format!("{}{kind}", self.space(prediction.at))
                };
                let all: Vec<String> = all.iter().map(one).collect();
                vec![format!("PREDICT {}", all.join(", "))]
            }
            slots::QUESTION => question(&data.stored()),
            // A question that no answer has followed.
            slots::DRAFT => Vec::new(),
            slots::ANSWER => vec![format!("ANSWER: {}", data.stored::<String>())],
            slots::HERDS => {
                let herds: BTreeSet<Province> = data.stored();
                let herds: Vec<String> = herds.into_iter().map(|at| self.space(at)).collect();
                vec![format!("PLACE LLAMAS {}", herds.join(", "))]
            }
            slots::VOTE => self.each(data, |link: &Option<(Province, Province)>| match link {
                Some((one, other)) => {
                    format!("VOTE LINK {}-{}", self.space(*one), self.space(*other))
                }
                None => "VOTE NONE".to_owned(),
            }),
            slots::FREE_BUILDS => self.each(data, |(kind, at): &(UnitKind, Location)| {
                format!("BUILD FREE {} {}", self.names.code(*kind), self.place(*at))
            }),
            name if slots::is_adjustment(name) => {
                self.each(data, |line: &AdjustmentOrder| self.adjusting(line))
            }
            name => self.for_subject(name, data),
        }
    }

    /// Lines for adjustments in the order in which they were sent, but for those about units that are gone.
    fn in_order(&self, lines: BTreeMap<String, Vec<AdjustmentLine>>) -> Vec<String> {
        let stands = |line: &AdjustmentLine| match line.then {
            AdjustmentOrder::Remove(id) => self.board.unit(id).is_some(),
            _ => true,
        };
        let mut lines: Vec<AdjustmentLine> = lines.into_values().flatten().filter(stands).collect();
        lines.sort_by_key(|line| line.number);
        let written = lines
            .into_iter()
            .map(|line| self.conditional(line.condition.as_ref(), &self.adjusting(&line.then)));
        written.collect()
    }

    fn conditional(&self, condition: Option<&Condition>, line: &str) -> String {
        match condition {
            Some(condition) => format!("IF {} THEN {line}", self.condition(condition)),
            None => line.to_owned(),
        }
    }

    fn for_subject(&self, name: &str, data: &VariantData) -> Vec<String> {
        match slots::subject(name) {
            Some(SlotSubject::Sale(unit)) => self.each(data, |(): &()| {
                format!("{} {}", self.started(unit), self.names.sell)
            }),
            Some(SlotSubject::Retreat(unit)) => self.each(data, |to: &RetreatChoice| match to {
                RetreatChoice::To(to) => format!("{} R {}", self.unit(unit), self.place(*to)),
                RetreatChoice::Disband => format!("{} DISBAND", self.unit(unit)),
            }),
            Some(SlotSubject::Detonation(at)) => self.each(data, |(): &()| {
                format!("LLAMAS({}) EXPLODE", self.space(at))
            }),
            None => Vec::new(),
        }
    }

    /// Lines for one subject, each with its condition.
    fn each<T: DeserializeOwned>(
        &self,
        data: &VariantData,
        line: impl Fn(&T) -> String,
    ) -> Vec<String> {
        let lines: Vec<Conditional<T>> = data.stored();
        let written =
            |one: &Conditional<T>| self.conditional(one.condition.as_ref(), &line(&one.then));
        lines.iter().map(written).collect()
    }

    fn adjusting(&self, line: &AdjustmentOrder) -> String {
        let built =
            |kind: UnitKind, at: Location| format!("{} {}", self.names.code(kind), self.place(at));
        match line {
            AdjustmentOrder::Build(Build::Unit(kind, at)) => format!("BUILD {}", built(*kind, *at)),
            AdjustmentOrder::Build(Build::Pair((kind, at), (other, there))) => format!(
                "BUILD {} {} + {}",
                self.names.siamese_code,
                built(*kind, *at),
                built(*other, *there)
            ),
            AdjustmentOrder::Remove(unit) => format!("REMOVE {}", self.unit(*unit)),
            AdjustmentOrder::Waive => "WAIVE".to_owned(),
        }
    }
}

fn question(question: &Question) -> Vec<String> {
    let accepted = question.accepted.iter().map(|accepted| match accepted {
        Accepted::Text(text) => format!("ACCEPT: {text}"),
        Accepted::Words(_) | Accepted::Number(..) => format!("ACCEPT {accepted}"),
    });
    let asked = format!("QUESTION: {}", question.text);
    std::iter::once(asked).chain(accepted).collect()
}

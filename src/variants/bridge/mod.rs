//! Bridge Diplomacy by Konrad Baumeister (rb16): every Winter each power bids how many centers it will hold a year later,
//! in secret. An exact bid is a unit more for good, a bid too high a unit less, and whoever holds more than was bid
//! fortifies centers. Nineteen units win. The rules as players read them are `rules.md`.

mod bids;
mod forts;
mod interchange;
mod offered;
mod state;
mod words;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value};

use crate::remembered;
use dipjudge_game::endings::{self, Tie};
use dipjudge_game::opening::WINTER as OPENING;
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Access, Adjudication, Ask, Audience, BoardSign, Card, Considered, Course, DataError, Described,
    Dice, Ending, Event, Game, Hidden, Interchange, KeepsState, KeptState, OpenedBy, Opening,
    OrderChecks, OwnMovement, Phase, Refusal, RememberedData, Requirements, Section, Setting,
    Settings, Slots, StepJson, Stored, SubmissionKind, Submissions, Tally, VariantGame, Views,
    Winning, WinningNumber, in_play, unreadable,
};
use dipjudge_grammar::Line;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::{Power, PowerInfo, Province};
use dipjudge_rules::orders::{Illegal, Overlay};
use dipjudge_rules::position::{Dislodged, Position};
use dipjudge_view::{OfferedLine, SignLook};
use state::BridgeState;

/// Steps that ask nobody: after movement, before the adjustments and after them.
const SACK: &str = "Forts";
const REVEAL: &str = "Reckoning";
const CLOSE: &str = "Close of Winter";

/// The variant.
pub(super) struct Bridge;

/// What a power knows when its own lines are considered: all of it is public.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct BridgeView {
    /// Forts due to it.
    due: usize,
    /// All fortified centers.
    forts: BTreeSet<Province>,
    /// Whether a bid may be at most twice the centers held.
    capped: bool,
}

/// What a fort adds to the defence.
const FORT_STRENGTH: Setting = Setting::one_of("fort-strength", &["plus1", "times2"]);
/// How a missing bid counts: as a bid of the centers held, or as a wrong bid.
const MISSING_BID: Setting = Setting::one_of("missing-bid", &["held", "penalty"]);
/// How high a bid may be.
const BID_CAP: Setting = Setting::one_of("bid-cap", &["none", "double"]);
/// Whether a bid too high can cost the last unit.
const LAST_UNIT: Setting = Setting::one_of("last-unit", &["removable", "kept"]);
/// What becomes of several powers with the most units, enough to win.
const VICTORY_TIE: Setting = Setting::one_of("victory-tie", &["continue", "shared"]);

/// Whether the running bids are those of the first year, which are fixed and public.
fn bids_are_fixed(turn: Turn) -> bool {
    let year = OPENING.year + 1;
    turn == OPENING || (turn.year == year && turn.season != Season::Winter)
}

/// The board is empty until the opening Winter.
const CARD: Card = Card {
    name: "bridge",
    title: "Bridge",
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    to_be_read: true,
    grammar: include_str!("../../../grammar/bridge.grammar"),
    words: words::WORDS,
    settings: &[FORT_STRENGTH, MISSING_BID, BID_CAP, LAST_UNIT, VICTORY_TIE],
    opening: Opening::Blank,
    winning: Winning {
        number: WinningNumber::OverHalf { more: 1 },
        tally: Tally::Units,
    },
    ..Card::PLAIN
};

/// The kind of the running bids.
fn running(turn: Turn) -> &'static SubmissionKind {
    if bids_are_fixed(turn) {
        &FIXED_BID
    } else {
        &BID
    }
}

/// The kind of the bids for a year's centers.
fn bids_for(year: i32) -> &'static SubmissionKind {
    if year == OPENING.year + 1 {
        &FIXED_BID
    } else {
        &BID
    }
}

/// A bid: its power's alone until the Winter a year later opens, when a step reveals it.
const BID: SubmissionKind = SubmissionKind {
    name: "bid",
    slots: Slots::Named(bids::SUBMISSION),
    lines: &["bid"],
    opens: &[OpenedBy::Said],
    left_out: |turn| {
        (turn.season == Season::Fall && !bids_are_fixed(turn)).then_some(
            "Bids are sealed from you too, so what they will come to in Winter is left out.",
        )
    },
    ..SubmissionKind::SEALED
};

/// A bid for the first year, which nobody makes.
const FIXED_BID: SubmissionKind = SubmissionKind {
    name: "fixed bid",
    opens: &[OpenedBy::Made],
    masters: true,
    ..SubmissionKind::SEALED
};

/// The centers to be fortified.
const FORTS: SubmissionKind = SubmissionKind {
    name: "forts",
    slots: Slots::Named(forts::SUBMISSION),
    lines: &["fortify"],
    opens: &[OpenedBy::Played],
    left_out: |turn| {
        (turn.season == Season::Winter && turn != OPENING)
            .then_some("Forts are sealed from you too, so this is told as if nobody had named any.")
    },
    ..SubmissionKind::SEALED
};

impl Described for Bridge {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl KeepsState for Bridge {
    type State = BridgeState;

    /// All of it: the running bids are sealed.
    fn opened(&self, state: BridgeState, _: &Access<'_>) -> BridgeState {
        state
    }
}

impl Course for Bridge {
    fn first_state(
        &self,
        _powers: &[PowerInfo],
        _start: &Position,
        _settings: &Settings,
        _: Dice,
    ) -> KeptState {
        BridgeState::default().kept()
    }

    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        let own = |name: &str| Phase::Own(name.to_owned());
        match turn.season {
            Season::Spring => vec![Phase::Movement, own(SACK), Phase::Retreats],
            Season::Summer => Vec::new(),
            Season::Fall => vec![
                Phase::Movement,
                own(SACK),
                Phase::Retreats,
                Phase::Ownership,
            ],
            Season::Winter if turn == OPENING => vec![Phase::Adjustments, own(CLOSE)],
            Season::Winter => vec![own(REVEAL), Phase::Adjustments, own(CLOSE)],
        }
    }
}

impl Submissions for Bridge {
    fn can_read(&self, stored: Stored) -> Result<(), DataError> {
        match stored {
            Stored::State(data) => Stored::is::<BridgeState>(data),
            Stored::Submission(bids::SUBMISSION, data) => Stored::is::<usize>(data),
            Stored::Submission(forts::SUBMISSION, data) => Stored::is::<Vec<Province>>(data),
            _ => unreadable("Bridge keeps nothing of the kind"),
        }
    }

    fn visible_state(&self, game: &Game, power: Power, _access: &Access<'_>) -> RememberedData {
        let state = BridgeState::known(game);
        remembered(BridgeView {
            due: state.due(power),
            forts: state.forts.keys().copied().collect(),
            capped: BID_CAP.is(game, "double"),
        })
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
        let visible_state: BridgeView = sight.own.stored();
        match line.rule.as_str() {
            "bid" => bids::read(line, sight, &visible_state),
            "fortify" => forts::read(line, sight, &visible_state),
            _ => Err("This is neither a bid nor a list of forts.".into()),
        }
    }

    fn offered_lines(&self, game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
        offered::lines(game, power)
    }

    fn submissions(&self) -> &'static [SubmissionKind] {
        &[BID, FIXED_BID, FORTS]
    }

    fn submitted(
        &self,
        game: &ToldGame<'_>,
        power: Power,
    ) -> Vec<(&'static SubmissionKind, String)> {
        words::submitted(game, power)
    }

    fn order_checks(&self) -> Option<&dyn OrderChecks> {
        Some(self)
    }
}

impl OrderChecks for Bridge {
    fn objection(&self, illegal: &Illegal, sight: &Sight) -> Option<String> {
        words::objection(illegal, sight)
    }
}

impl Adjudication for Bridge {
    /// Every Winter but the first is held, and every power in play has to bid in it.
    fn amend_requirements(
        &self,
        game: &Game,
        requirements: &mut Requirements,
        access: &Access<'_>,
    ) {
        if game.phase != Phase::Adjustments || game.turn == OPENING {
            return;
        }
        requirements.held_anyway = true;
        requirements.wanting_untold = true;
        let allowances = VariantGame::new(game, self).allowances();
        let state = BridgeState::known(game);
        for power in in_play(game, self) {
            requirements
                .due
                .insert(power, Ask::adjust(&allowances, power));
            let submissions = game.submissions(power, access);
            let lacks = |name: &str| !submissions.contains_key(name);
            let wanted =
                lacks(bids::SUBMISSION) || (state.due(power) > 0 && lacks(forts::SUBMISSION));
            requirements.wanting.extend(wanted.then_some(power));
        }
    }

    fn amend_allowances(&self, game: &Game, allowances: &mut Allowances) {
        let state = BridgeState::known(game);
        for (power, allowance) in &mut allowances.powers {
            allowance.change += state.balance(*power);
            allowance.saves_builds = true;
        }
    }

    fn play(&self, phase: &str, game: &Game, _dice: Dice, access: &Access<'_>) -> Vec<Event> {
        let mut state = BridgeState::of(game);
        match phase {
            SACK => forts::sack(game, &mut state),
            REVEAL => {
                let bids = state.opened_bids(bids_for(game.turn.year), access);
                bids::reckon(game, &mut state, bids);
            }
            CLOSE => {
                state.revealed = None;
                forts::build(game, &mut state, access);
                bids::take(game, &mut state, access);
            }
            _ => {}
        }
        state.change(game).into_iter().collect()
    }

    /// After Fall only one power may be left; units on the board are counted when a Winter closes (rules page, section 6).
    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        let Phase::Own(step) = after else { return None };
        if step == SACK {
            return None;
        }
        let last = endings::last(&in_play(game, self));
        if last.is_some() || step != CLOSE {
            return last;
        }
        let enough = game.winning_number(CARD.winning);
        let units = endings::counts(game, CARD.winning.tally);
        let tie = if VICTORY_TIE.is(game, "shared") {
            Tie::Shared
        } else {
            Tie::PlayOn
        };
        endings::most(&units, enough, tie)
    }

    fn movement(&self) -> Option<&dyn OwnMovement> {
        Some(self)
    }
}

impl OwnMovement for Bridge {
    fn overlay(&self, game: &Game) -> Overlay {
        forts::overlay(game)
    }

    fn amend_retreats(&self, game: &Game, options: &mut [Dislodged], _dice: Dice) {
        forts::bar_retreats(game, options);
    }
}

impl Views for Bridge {
    fn hides(&self, _game: &Game) -> &'static [Hidden] {
        &[]
    }

    fn report(&self, game: &ToldGame<'_>) -> Vec<Section> {
        words::report(game)
    }

    fn tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        words::tables(game)
    }

    fn signs(&self, game: &ToldGame<'_>) -> Vec<BoardSign> {
        let forts = game.state(self).forts.into_iter();
        forts
            .map(|(province, owner)| {
                BoardSign::new(Audience::Everyone, province, SignLook::Fort, "fort").of(owner)
            })
            .collect()
    }

    fn interchange(&self) -> Option<&dyn Interchange> {
        Some(self)
    }
}

impl Interchange for Bridge {
    fn read_state(
        &self,
        keys: &Object<String, Value>,
        game: &Game,
    ) -> Result<Vec<Event>, DataError> {
        interchange::read(keys, game)
    }

    fn write_state(&self, game: &ToldGame<'_>) -> Object<String, Value> {
        interchange::write(game)
    }

    fn steps(&self, before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<StepJson> {
        let steps = interchange::steps(before, after).into_iter();
        steps.map(StepJson::from).collect()
    }
}

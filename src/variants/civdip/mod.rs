//! CivDip (Civilization Diplomacy) by Babak Talebi: seven to thirteen civilizations that know nothing of one another start on
//! random centers, meet, write, trade maps, units and introductions, and see only what their own units and centers reach. The
//! rules as players read them are `rules.md`.

mod ages;
mod dealings;
mod homes;
mod interchange;
mod meetings;
mod names;
mod offered;
mod offers;
mod start;
mod state;
mod transfers;
mod words;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value};

use crate::remembered;
use dealings::OwnDealing;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Access, Adjudication, Begins, Card, CommandDecision, CommandEffects, CommandInput, Considered,
    Course, DataError, Described, Dice, Ending, Enrolment, Event, Game, Hidden, Horizon,
    Interchange, KeepsState, KeptState, OpenedBy, Opening, OrderChecks, OwnCalendar, OwnLabels,
    OwnOverruling, PRESS_AMONG_CONTACTS, Pace, Phase, Refusal, RememberedData, Seating, Section,
    Setting, SettingAsked, Settings, Slots, Stored, SubmissionKind, Submissions, Takes, Tally,
    VariantAct, VariantCommand, VariantGame, Views, Winning, WinningNumber, endings, in_play,
    refuse, unreadable,
};
use dipjudge_grammar::Line;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, PowerInfo, Province, UnitKind};
use dipjudge_rules::orders::Illegal;
use dipjudge_rules::position::Position;
use dipjudge_view::{OfferedLine, Viewer};
use homes::Choosing;
use state::CivDipState;

/// The steps behind movement, retreats, the count of Fall and the adjustments, in which contacts are reckoned up.
const CONTACTS: &str = "Contacts";
const COUNT: &str = "Homes";
const CLOSE: &str = "Close of Winter";

/// The variant.
pub(super) struct CivDip;

/// How many civilizations: a number, or limits between which it is drawn.
const CIVS: Setting = Setting {
    name: "civs",
    default: "drawn",
    takes: Takes::Checked {
        check: start::check_civs,
        told: start::civs_told,
    },
    later: false,
};
/// Where they start: drawn, or centers.
const START: Setting = Setting {
    name: "start",
    default: "drawn",
    takes: Takes::Checked {
        check: start::check_starts,
        told: |_, _| None,
    },
    later: false,
};
/// Whether the first unit may be a fleet.
const FIRST_UNIT: Setting = Setting::one_of("firstunit", &["choice", "army"]);
/// Whether names are chosen, whether two may choose the same, or all come from the pool.
const NAMES: Setting = Setting::one_of("names", &["free", "unique", "dealt"]);
/// Whether contacts that were not made by introduction end with what made them.
const CONTACT: Setting = Setting::one_of("contact", &["lasting", "lapsing"]);
/// Whether a bounce shows the other's unit.
const GLIMPSE: Setting = Setting::one_of("glimpse", &["on", "off"]);
/// Whether supports and convoys of others are told where all they name is in sight, or moves alone.
const ORDERS: Setting = Setting::one_of("orders", &["shown", "moves"]);
/// Whether a civilization may open another transaction while one is open.
const TRADES: Setting = Setting::one_of("trades", &["one", "many"]);
/// Whether phases in which nobody has anything to do are held and reported, or skipped.
const CALENDAR: Setting = Setting::one_of("calendar", &["uniform", "skip"]);

/// A setting of the original that is not there: it has one value.
const fn only(name: &'static str, value: &'static str, check: SettingCheck) -> Setting {
    Setting {
        name,
        default: value,
        takes: Takes::Checked {
            check,
            told: |_, _| None,
        },
        later: false,
    }
}

type SettingCheck = fn(&SettingAsked<'_>) -> Result<String, Refusal>;

fn is_only(asked: &SettingAsked<'_>, value: &str, why: &str) -> Result<String, Refusal> {
    if asked.value == value {
        return Ok(value.to_owned());
    }
    refuse(format!("This judge does not offer that: {why}"))
}

/// Whether maps that are given name those whom their receiver has not met.
const MAP_NAMES: Setting = only("mapnames", "on", |asked| {
    is_only(asked, "on", "a map that is given names everybody on it.")
});
/// Whether the fallen go on reading and writing press.
const GHOSTS: Setting = only("ghosts", "off", |asked| {
    is_only(
        asked,
        "off",
        "who has fallen reads and writes nothing until the end.",
    )
});
/// Whether a new leader reads the letters of the one before.
const PRESS_LOG: Setting = only("presslog", "off", |asked| {
    is_only(
        asked,
        "off",
        "a new leader reads the reports and maps, but no letters.",
    )
});
/// Whether a letter bears an address that stands for its writer.
const RELAY: Setting = only("relay", "off", |asked| {
    is_only(asked, "off", "letters are answered with PRESS TO.")
});

/// Its card. The opening Winter puts the first units on the board.
const CARD: Card = Card {
    name: "civdip",
    aliases: &["civ", "civilization"],
    title: "CivDip",
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    to_be_read: true,
    grammar: include_str!("../../../grammar/civdip.grammar"),
    words: words::WORDS,
    commands: COMMANDS,
    settings: &[
        CIVS, START, FIRST_UNIT, NAMES, CONTACT, GLIMPSE, ORDERS, TRADES, CALENDAR, MAP_NAMES,
        GHOSTS, PRESS_LOG, RELAY,
    ],
    fixed: PRESS_AMONG_CONTACTS,
    places: "no powers\n",
    opening: Opening::Blank,
    turn_called: ages::turn,
    phase_examples: ["3250BC", "retreats of 3250BC"],
    winning: Winning {
        number: WinningNumber::OverHalf { more: 0 },
        tally: Tally::Centers,
    },
    ..Card::PLAIN
};

/// A line by which one civilization deals with others.
const fn dealing(
    rule: &'static str,
    examples: &'static [&'static str],
    help: &'static str,
    decide: fn(&CommandInput, &Sight) -> Result<CommandDecision, Refusal>,
) -> VariantCommand {
    VariantCommand {
        rule,
        examples,
        help,
        text_until: None,
        act: VariantAct::Power {
            decide,
            carry_out: transfers::carry_out,
        },
    }
}

/// What players write beside orders.
const COMMANDS: &[VariantCommand] = &[
    VariantCommand {
        rule: "name",
        examples: &["NAME Hittite Empire"],
        help: "NAME name
    In CivDip, until the opening Winter is adjudicated: what your civilization
    is called. What stands on the map, or in a mail or page of the judge (so
    Avalon), is no name.",
        text_until: None,
        act: VariantAct::SeatThenPower {
            seat: names::seat,
            decide: names::decide,
            carry_out: names::rename,
        },
    },
    dealing(
        "give-map",
        &["GIVE MAP TO Thule"],
        "GIVE MAP TO name
    In CivDip: offers a contact your map, as it is when it is accepted.",
        offers::give_map,
    ),
    dealing(
        "give-contact",
        &["GIVE CONTACT Avalon TO Thule"],
        "GIVE CONTACT name TO name
    In CivDip: offers the second of two contacts an introduction to the first.",
        offers::give_contact,
    ),
    dealing(
        "give-unit",
        &["GIVE ARMY Bohemia TO Thule"],
        "GIVE ARMY province TO name
    In CivDip: offers a contact a unit of yours, not in Winter and not one in
    a supply center.",
        offers::give_unit,
    ),
    dealing(
        "exchange",
        &["EXCHANGE MAPS WITH Thule, Avalon"],
        "EXCHANGE MAPS WITH names
    In CivDip: proposes that all of you give each other your maps, or agrees
    to it.",
        offers::exchange,
    ),
    dealing(
        "accept",
        &["ACCEPT 3"],
        "ACCEPT number
    In CivDip: agrees to what was offered to you.",
        offers::accept,
    ),
    dealing(
        "reject",
        &["REJECT 3"],
        "REJECT number
    In CivDip: refuses it.",
        offers::reject,
    ),
    dealing(
        "cancel",
        &["CANCEL 4"],
        "CANCEL number
    In CivDip: takes back what you have offered or agreed to.",
        offers::cancel,
    ),
    dealing(
        "offers",
        &["OFFERS"],
        "OFFERS
    In CivDip: what is open between you and others.",
        offers::offers,
    ),
    dealing(
        "contacts",
        &["CONTACTS"],
        "CONTACTS
    In CivDip: whom you have met, and when.",
        offers::contacts,
    ),
];

/// The order in which a civilization would have its homes.
const HOME: SubmissionKind = SubmissionKind {
    name: "home",
    slots: Slots::Named(homes::SUBMISSION),
    lines: &["home"],
    opens: &[OpenedBy::Over],
    masters: true,
    ..SubmissionKind::SEALED
};

/// What a civilization's own lines are considered by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CivDipView {
    /// Whom it has met, with the phase in which.
    contacts: Vec<(Power, String)>,
    dealings: Vec<OwnDealing>,
    /// The number that its next transaction bears.
    next_number: u32,
    /// Those who hear no more offers of its in this window.
    deaf: BTreeSet<Power>,
    /// Several transactions may be open.
    may_trade_at_once: bool,
    /// Its homes, lost ones too.
    homes: Vec<Province>,
    /// Centers between which it has to choose another.
    homes_to_choose: Vec<Province>,
    /// Its name can no longer be changed.
    name_is_fixed: bool,
    /// Names are not chosen in this game.
    names_are_dealt: bool,
    /// Names that others have, where none may be chosen twice.
    names_taken: BTreeSet<String>,
}

impl Described for CivDip {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl KeepsState for CivDip {
    type State = CivDipState;

    /// A civilization knows what concerns itself, a master all, nobody else anything. Who exists is no secret once the game is
    /// over, but the state is.
    fn opened(&self, state: CivDipState, access: &Access<'_>) -> CivDipState {
        match access.reader() {
            None | Some(Viewer::Master) => state,
            Some(Viewer::Power(power)) => state.known_to(power),
            Some(Viewer::Observer | Viewer::Stranger) => CivDipState::default(),
        }
    }
}

impl Course for CivDip {
    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        start::limits(map)
    }

    fn powers(&self, map: &Map, players: usize, _: &Settings) -> Vec<PowerInfo> {
        // A table without a seed knows no draws; the pool as it stands.
        names::roster(&names::first(map, players))
    }

    fn set_up(&self, map: &Map, powers: &[PowerInfo], settings: &Settings, dice: Dice) -> Position {
        let starts = start::starts(map, powers.len(), settings, dice);
        let owners = starts.into_iter().zip((0..).map(Power));
        Position {
            owners: owners.collect(),
            ..Position::default()
        }
    }

    fn first_state(
        &self,
        powers: &[PowerInfo],
        start: &Position,
        _: &Settings,
        _: Dice,
    ) -> KeptState {
        let homes = |power: u8| start.centers_of(Power(power)).collect();
        let state = CivDipState {
            names: powers.iter().map(|info| info.name.clone()).collect(),
            homes: (0u8..).take(powers.len()).map(homes).collect(),
            ..CivDipState::default()
        };
        state.data()
    }

    fn homes(&self, game: &Game, power: Power) -> Option<Vec<Province>> {
        let state = CivDipState::known(game);
        Some(if planted(Leak::Homes) {
            state.homes.concat()
        } else {
            state.homes(power).to_vec()
        })
    }

    /// Contacts are reckoned up when all that a phase brings about is done, the count of Fall included.
    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        let mut order = Vec::new();
        let mut standard = Phase::standard(turn).iter().cloned().peekable();
        while let Some(phase) = standard.next() {
            let counted = standard.peek() == Some(&Phase::Ownership);
            let behind = match phase {
                Phase::Ownership => Some(COUNT.to_owned()),
                Phase::Adjustments => Some(CLOSE.to_owned()),
                _ => (!counted).then(|| format!("{CONTACTS} after {}", phase.kind())),
            };
            order.push(phase);
            order.extend(behind.map(Phase::Own));
        }
        order
    }

    fn enrolment(&self) -> Option<&dyn Enrolment> {
        Some(self)
    }

    fn calendar(&self) -> Option<&dyn OwnCalendar> {
        Some(self)
    }
}

impl Enrolment for CivDip {
    fn begins(&self, _: &Settings) -> Begins {
        Begins::AtADate
    }

    fn candidates_needed(&self, map: &Map, settings: &Settings) -> usize {
        *start::civs(map, settings).start()
    }

    fn has_stand_by(&self, _: &Settings) -> bool {
        true
    }

    fn roster(&self, game: &Game) -> Option<Seating> {
        let (seats, stand_by) = start::seats(game);
        let usual = names::usual(game.map(), seats.len(), game.dice());
        let mut names = usual;
        if !NAMES.is(game, "dealt") {
            for (name, seat) in names.iter_mut().zip(&seats) {
                let chosen: Option<String> = game.seat(*seat).and_then(|seat| seat.brings.stored());
                if let Some(chosen) = chosen {
                    *name = chosen;
                }
            }
        }
        Some(Seating {
            powers: names::roster(&names).into_iter().zip(seats).collect(),
            stand_by,
        })
    }
}

impl OwnCalendar for CivDip {
    fn pace(&self, settings: &Settings) -> Option<Pace> {
        Some(Pace {
            holds_empty_phases: CALENDAR.among(settings) == "uniform",
            ..Pace::CALENDAR
        })
    }

    fn date(&self, turn: Turn) -> String {
        ages::date(turn)
    }
}

impl Submissions for CivDip {
    fn can_read(&self, stored: Stored) -> Result<(), DataError> {
        match stored {
            Stored::State(data) => Stored::is::<CivDipState>(data),
            Stored::Submission(homes::SUBMISSION, data) => Stored::is::<Vec<Province>>(data),
            Stored::Brought(data) => Stored::is::<String>(data),
            _ => unreadable("CivDip keeps nothing of the kind"),
        }
    }

    fn offered_lines(&self, game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
        offered::lines(game, power)
    }

    fn visible_state(&self, game: &Game, power: Power, _access: &Access<'_>) -> RememberedData {
        let state = CivDipState::known(game);
        let since = |(turn, phase): (Turn, Phase)| match phase {
            Phase::Retreats => format!("the retreats of {}", ages::date(turn)),
            _ => ages::date(turn),
        };
        let contacts = state.contacts(power).into_iter();
        let choosing = Choosing {
            turn: game.turn,
            phase: &game.phase,
            holdings: &|| game.holdings(power),
        };
        remembered(CivDipView {
            contacts: contacts.map(|(other, at)| (other, since(at))).collect(),
            dealings: state.dealings.known_to(power),
            next_number: state.dealings.next_number(power),
            deaf: state.dealings.deaf_to(power),
            may_trade_at_once: TRADES.is(game, "many"),
            homes: state.homes(power).to_vec(),
            homes_to_choose: homes::to_choose(&state, power, choosing),
            name_is_fixed: !VariantGame::new(game, self).is_opening_winter(),
            names_are_dealt: NAMES.is(game, "dealt"),
            names_taken: names::taken(game, &NAMES, power),
        })
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
        let own: CivDipView = sight.own.stored();
        match line.rule.as_str() {
            "home" => homes::read(line, sight, &own.homes_to_choose),
            _ => Err("This acts at once; send it without PHASE.".into()),
        }
    }

    fn submissions(&self) -> &'static [SubmissionKind] {
        &[HOME]
    }

    fn submitted(
        &self,
        game: &ToldGame<'_>,
        power: Power,
    ) -> Vec<(&'static SubmissionKind, String)> {
        let submissions = game.submissions(power);
        let chosen = submissions.get(homes::SUBMISSION);
        let chosen = chosen.map(|data| data.stored::<Vec<Province>>());
        let codes = |centers: Vec<Province>| {
            let codes: Vec<String> = centers.iter().map(ToString::to_string).collect();
            (&HOME, format!("HOME {}", codes.join(", ")))
        };
        chosen.map(codes).into_iter().collect()
    }

    fn order_checks(&self) -> Option<&dyn OrderChecks> {
        Some(self)
    }
}

impl OrderChecks for CivDip {
    fn objection(&self, illegal: &Illegal, sight: &Sight) -> Option<String> {
        words::objection(illegal, sight)
    }
}

impl Adjudication for CivDip {
    /// In the opening Winter an army may be asked of all.
    fn amend_allowances(&self, game: &Game, allowances: &mut Allowances) {
        if VariantGame::new(game, self).is_opening_winter() && FIRST_UNIT.is(game, "army") {
            for allowance in allowances.powers.values_mut() {
                allowance.kinds.retain(|kind, _| *kind == UnitKind::ARMY);
            }
        }
    }

    fn play(&self, step: &str, game: &Game, _: Dice, access: &Access<'_>) -> Vec<Event> {
        let Some(played) = &game.last else {
            return Vec::new();
        };
        let mut state = CivDipState::of(game);
        match step {
            COUNT => {
                homes::after_count(game, &mut state);
                meetings::conquests(game, &mut state, played);
            }
            CLOSE => {
                let chosen = |power| homes::chosen(game, power, access);
                homes::after_winter(game, played.turn, &mut state, chosen);
            }
            _ => {}
        }
        meetings::after(game, played, &mut state);
        state.dealings.lapse();
        vec![state.kept()]
    }

    /// The count of Fall may be won, and whoever is left alone has won at any time.
    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        let enough = game.winning_number(CARD.winning);
        match after {
            Phase::Ownership => endings::most(
                &endings::counts(game, Tally::Centers),
                enough,
                endings::Tie::PlayOn,
            ),
            Phase::Own(_) => endings::last(&in_play(game, self)),
            _ => None,
        }
    }

    fn overruling(&self) -> Option<&dyn OwnOverruling> {
        Some(self)
    }
}

impl OwnOverruling for CivDip {
    fn after_overruling(&self, before: &Game, now: &Game) -> CommandEffects {
        transfers::after_overruling(before, now)
    }
}

impl Views for CivDip {
    fn hides(&self, _: &Game) -> &'static [Hidden] {
        &[Hidden::Board, Hidden::Existence]
    }

    fn in_sight(&self, game: &Game, power: Power) -> Horizon {
        meetings::in_sight(game, self, power)
    }

    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        Some(self)
    }

    fn report(&self, game: &ToldGame<'_>) -> Vec<Section> {
        words::report(game)
    }

    fn tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        words::tables(game)
    }

    fn interchange(&self) -> Option<&dyn Interchange> {
        Some(self)
    }
}

impl OwnLabels for CivDip {
    fn wanted(&self, game: &Game, power: Power) -> String {
        CivDipState::known(game).name(power)
    }

    fn noun(&self) -> &'static str {
        "civilization"
    }

    fn contacts(&self, game: &Game, power: Power) -> Vec<Power> {
        let contacts = CivDipState::known(game).contacts(power).into_iter();
        contacts.map(|(other, _)| other).collect()
    }
}

impl Interchange for CivDip {
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
}

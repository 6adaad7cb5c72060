//! A variant that exists for tests alone, small, and with every kind of secret that a variant can have: who exists, names that
//! each reader gives for himself, submissions that no master reads, lines by which one power acts at once on another, and a
//! calendar that nobody's doing moves.
//!
//! *Strangers*: two to six wanderers, an army and a center each, who know of nobody else. One sees what stands where its armies
//! and centers are or next to them; two have met for good once either sees an army or a center of the other when a phase is
//! over. `NAME Elam` names a wanderer before the start, and nobody is told whether another is called so. `OATH 7` puts a number
//! down that is its owner's alone until the game is over. `INTRODUCE Elam TO Kush` makes two of one's acquaintances meet at
//! once; `SHOW MAP TO Kush` mails one of them what one sees at this hour.
//!
//! After `SET TABLE DATED` a game begins when sign-up closes: three of those who have signed on are drawn to play, and the
//! others stand by.

#![allow(dead_code)] // shared by several test programs; none needs all of it

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use dipjudge::calendar::Turn;
use dipjudge::game::project::{Sight, ToldGame};
use dipjudge::game::{
    Access, Adjudication, Audience, Begins, BuildSites, Card, CommandDecision, CommandEffects,
    CommandInput, Considered, Course, DataError, Described, Dice, Effect, Enrolment, Event, Fact,
    Game, Hidden, Joining, KeepsState, KeptState, Notification, OpenedBy, Opening, OwnCalendar,
    OwnLabels, PRESS_AMONG_CONTACTS, Pace, Phase, Refusal, RememberedData, Role, Seat, SeatId,
    Seating, Section, Sentence, Setting, SettingChange, Settings, Slots, Stored, Submission,
    SubmissionKind, Submissions, Variant, VariantAct, VariantCommand, Views, horizon,
    is_judges_word, refuse, unreadable,
};
use dipjudge::grammar::Line;
use dipjudge::map::{Map, Power, PowerInfo, UnitKind};
use dipjudge::orders::VariantData;
use dipjudge::position::{Position, Unit};
use dipjudge::variants::{NOT_OFFERED, add_for_tests};
use dipjudge::view::{Viewer, Words};
use serde::{Deserialize, Serialize};

/// The variants that tests alone play.
static ADDED: LazyLock<Vec<&'static dyn Variant>> = LazyLock::new(|| {
    let built: &[&dyn Variant] = NOT_OFFERED;
    built.iter().copied().chain([VARIANT]).collect()
});

/// The variant.
pub(crate) const VARIANT: &dyn Variant = &Strangers;

/// Lets this process play the variant, and those that are being built.
pub(crate) fn add() {
    add_for_tests(&ADDED);
}

/// Its name.
pub(crate) const NAME: &str = "strangers";

/// Where who begins, in the order of sign-on: out of each other's sight.
const STARTS: [&str; 6] = ["PAR", "MUN", "SER", "VIE", "DEN", "NAP"];

/// What those are called who say nothing.
const POOL: [&str; 6] = ["Akkad", "Dilmun", "Lagash", "Mitanni", "Ugarit", "Zamua"];

/// The steps in which it is seen who has met.
const MEETINGS: &str = "meetings";

struct Strangers;

/// What the variant keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// What powers want to be called, by their numbers.
    pub(crate) names: Vec<String>,
    /// Pairs that have met, the lower number first.
    pub(crate) met: BTreeSet<(Power, Power)>,
}

impl State {
    fn of(game: &Game) -> State {
        game.state::<Strangers>()
    }

    /// Those whom a power has met.
    pub(crate) fn acquaintances(&self, power: Power) -> Vec<Power> {
        let other = |(one, other): &(Power, Power)| match power {
            power if power == *one => Some(*other),
            power if power == *other => Some(*one),
            _ => None,
        };
        self.met.iter().filter_map(other).collect()
    }

    fn meet(&mut self, one: Power, other: Power) -> bool {
        self.met.insert((one.min(other), one.max(other)))
    }

    fn kept_state(&self) -> KeptState {
        let data = VariantData::of(self);
        data.expect("names and pairs can be told").into()
    }

    fn kept(&self) -> Event {
        Event::Data {
            data: self.kept_state(),
        }
    }
}

/// How the table comes about.
const TABLE: Setting = Setting::one_of("table", &["open", "dated"]);

/// How many play where it closes at a date, whoever has signed on.
const DRAWN: usize = 3;

fn is_dated(settings: &Settings) -> bool {
    settings
        .own
        .get(TABLE.name)
        .is_some_and(|value| value == "dated")
}

const OATH: SubmissionKind = SubmissionKind {
    name: "oath",
    slots: Slots::Named("oath"),
    lines: &["oath"],
    opens: &[OpenedBy::Over],
    ..SubmissionKind::SEALED
};

/// Whom a phase has brought together.
static MET: Words = Words {
    file: "strangers/met.md",
    text: r#"# Met since the last report:

{% for one in met | sort(attribute="name") %}
- {{ one.name }}{% if one.leader %} ({{ one.leader }}){% endif %}.
{% else %}
Nobody.
{% endfor %}
"#,
};
/// Oaths that are no secret any more, and a reader's own.
static OATHS: Words = Words {
    file: "strangers/oaths.md",
    text: r#"# Oaths:

{% for one in oaths | sort(attribute="power.name") %}
- {{ one.power.name }}: {{ one.oath }}.
{% endfor %}
"#,
};

const CARD: Card = Card {
    name: NAME,
    title: "Strangers",
    grammar: "line = name | oath | introduce | show\n\
              name = \"name\" <rest>\n\
              oath = \"oath\" <number>\n\
              introduce = \"introduce\" <power> \"to\" <power>\n\
              show = \"show map to\" <power>\n",
    words: &[&MET, &OATHS],
    commands: &[
        VariantCommand {
            rule: "name",
            examples: &["NAME Elam"],
            help: "NAME name\n    Before the start: what you are called.",
            text_until: None,
            act: VariantAct::Seat(take_name),
        },
        VariantCommand {
            rule: "introduce",
            examples: &["INTRODUCE Elam TO Kush"],
            help: "INTRODUCE one TO other\n    Two whom you have met meet each other.",
            text_until: None,
            act: VariantAct::Power {
                decide: decide_introduction,
                carry_out: introduce,
            },
        },
        VariantCommand {
            rule: "show",
            examples: &["SHOW MAP TO Kush"],
            help: "SHOW MAP TO other\n    One whom you have met reads what you see now.",
            text_until: None,
            act: VariantAct::Power {
                decide: decide_showing,
                carry_out: show_map,
            },
        },
    ],
    settings: &[TABLE],
    usual: &[
        SettingChange::Gunboat(true),
        SettingChange::BuildSites(BuildSites::Any),
    ],
    fixed: PRESS_AMONG_CONTACTS,
    places: "no powers\n",
    opening: Opening::Own,
    ..Card::PLAIN
};

impl Described for Strangers {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

// Names ---------------------------------------------------------------------------

/// A name is letters, and none that the judge's own mails or the map have.
fn take_name(line: &Line, game: &Game, _: SeatId) -> Result<Joining, Refusal> {
    let name = line.words().unwrap_or_default().trim();
    let letters = name.chars().all(|c| c.is_ascii_alphabetic());
    if !(3..=12).contains(&name.len()) || !letters {
        return refuse("A name has 3 to 12 letters.");
    }
    if is_judges_word(game.map(), &CARD, name) {
        return refuse(format!("\"{name}\" is a word of this map or of the judge."));
    }
    Ok(Joining {
        brings: VariantData::from(serde_json::Value::from(name)),
        said: vec![format!("Your name will be {name}.")],
    })
}

fn called(name: &str) -> PowerInfo {
    PowerInfo {
        name: name.to_owned(),
        adjective: name.to_owned(),
        key: name.to_owned(),
        letter: None,
    }
}

impl KeepsState for Strangers {
    type State = State;

    /// Who has met whom is told to these two alone; names are a matter of labels.
    fn opened(&self, mut state: State, access: &Access<'_>) -> State {
        match access.reader() {
            None | Some(Viewer::Master) => {}
            Some(Viewer::Power(power)) => {
                state.names.clear();
                state
                    .met
                    .retain(|(one, other)| *one == power || *other == power);
            }
            Some(Viewer::Observer | Viewer::Stranger) => state = State::default(),
        }
        state
    }
}

impl Course for Strangers {
    fn players(&self, _: &Map) -> RangeInclusive<usize> {
        2..=STARTS.len()
    }

    fn powers(&self, _: &Map, players: usize, _: &Settings) -> Vec<PowerInfo> {
        POOL.iter().take(players).map(|name| called(name)).collect()
    }

    fn set_up(&self, map: &Map, powers: &[PowerInfo], _: &Settings, _: Dice) -> Position {
        let mut position = Position::default();
        for (start, power) in STARTS.iter().zip(0..powers.len()) {
            let power = Power(power as u8);
            let at = map.find_province(start).expect("a place of the map");
            position.units.push(Unit {
                id: position.free_id(),
                power,
                kind: UnitKind::ARMY,
                at: at.into(),
            });
            position.owners.insert(at, power);
        }
        position
    }

    fn first_state(&self, powers: &[PowerInfo], _: &Position, _: &Settings, _: Dice) -> KeptState {
        let state = State {
            names: powers.iter().map(|info| info.name.clone()).collect(),
            met: BTreeSet::new(),
        };
        state.kept_state()
    }

    /// When all that a phase brings about is done, it is seen who has met.
    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        let mut order = Vec::new();
        let mut standard = Phase::standard(turn).iter().cloned().peekable();
        while let Some(phase) = standard.next() {
            let step = format!("{MEETINGS} after {}", phase.kind());
            order.push(phase);
            if standard.peek() != Some(&Phase::Ownership) {
                order.push(Phase::Own(step));
            }
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

impl Enrolment for Strangers {
    fn begins(&self, settings: &Settings) -> Begins {
        match is_dated(settings) {
            true => Begins::AtADate,
            false => Begins::WhenFull,
        }
    }

    fn has_stand_by(&self, settings: &Settings) -> bool {
        is_dated(settings)
    }

    fn roster(&self, game: &Game) -> Option<Seating> {
        let mut seats: Vec<&Seat> = game.seated(Role::Player).collect();
        let mut stand_by = Vec::new();
        if is_dated(&game.settings) {
            game.dice().shuffle("strangers/who", &mut seats);
            stand_by = seats.split_off(seats.len().min(DRAWN));
        }
        let named = seats.iter().zip(POOL).map(|(seat, usual)| {
            let own: Option<String> = seat.brings.stored();
            (called(own.as_deref().unwrap_or(usual)), seat.id)
        });
        Some(Seating {
            powers: named.collect(),
            stand_by: stand_by.iter().map(|seat| seat.id).collect(),
        })
    }
}

impl OwnCalendar for Strangers {
    fn pace(&self, _: &Settings) -> Option<Pace> {
        Some(Pace::CALENDAR)
    }
}

// Oaths -----------------------------------------------------------------------------

impl Submissions for Strangers {
    fn can_read(&self, stored: Stored) -> Result<(), DataError> {
        match stored {
            Stored::State(data) => Stored::is::<State>(data),
            Stored::Submission("oath", data) => Stored::is::<i64>(data),
            Stored::Brought(data) => Stored::is::<String>(data),
            _ => unreadable("Strangers keeps nothing of the kind"),
        }
    }

    fn visible_state(&self, game: &Game, power: Power, _access: &Access<'_>) -> RememberedData {
        let told = VariantData::of(&State::of(game).acquaintances(power));
        told.expect("numbers can be told").into()
    }

    fn read(&self, line: &Line, _: &Sight) -> Result<Considered, Refusal> {
        if line.rule != "oath" {
            return refuse("Names are chosen before the start.");
        }
        let number = line.number().unwrap_or_default();
        Ok(Considered {
            effects: vec![Effect::Submission(Submission {
                name: "oath".to_owned(),
                data: Some(VariantData::from(serde_json::Value::from(number))),
                lasting: true,
            })],
            notes: Vec::new(),
        })
    }

    fn submissions(&self) -> &'static [SubmissionKind] {
        &[OATH]
    }

    fn submitted(
        &self,
        game: &ToldGame<'_>,
        power: Power,
    ) -> Vec<(&'static SubmissionKind, String)> {
        let own = game.lasting_submissions(power);
        let oath = own.get("oath").map(|data| format!("OATH {data}"));
        oath.into_iter().map(|line| (&OATH, line)).collect()
    }
}

impl Adjudication for Strangers {
    fn play(&self, _: &str, game: &Game, _: Dice, _: &Access<'_>) -> Vec<Event> {
        let mut state = State::of(game);
        let before = state.clone();
        for power in game.all_powers() {
            let seen = horizon::fog(game, self, power);
            let position = &game.position;
            let dislodged = position.dislodged.iter().map(|one| &one.unit);
            let units = position.units.iter().chain(dislodged);
            let units = units.map(|unit| (unit.at.province, unit.power));
            let owners = position.owners.iter().map(|(at, owner)| (*at, *owner));
            for (at, other) in units.chain(owners) {
                if other != power && seen.provinces.contains(&at) {
                    state.meet(power, other);
                }
            }
        }
        if state == before {
            return Vec::new();
        }
        vec![state.kept()]
    }
}

// Who sees what ---------------------------------------------------------------------

impl Views for Strangers {
    fn hides(&self, _: &Game) -> &'static [Hidden] {
        &[Hidden::Board, Hidden::Existence]
    }

    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        Some(self)
    }

    /// Whom the phase has brought together: to each the same lines, with nothing in them where it met nobody.
    fn report(&self, game: &ToldGame<'_>) -> Vec<Section> {
        let Some(Viewer::Power(power)) = game.reader() else {
            return Vec::new();
        };
        let known = game.state_before(self).acquaintances(power);
        let mut met = game.state(self).acquaintances(power);
        met.retain(|other| !known.contains(other));
        let section = Section::new(Audience::Power(power), &MET);
        vec![section.with("met", Fact::list(met))]
    }

    /// Oaths that are open.
    fn tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        let oath = |power: Power| {
            let own = game.lasting_submissions(power);
            let oath = own.get("oath")?.to_string();
            Some(Fact::record([
                ("power", power.into()),
                ("oath", Fact::text(Audience::Everyone, oath)),
            ]))
        };
        let oaths: Vec<Fact> = game.known_powers().into_iter().filter_map(oath).collect();
        match oaths.is_empty() {
            true => Vec::new(),
            false => vec![Section::new(Audience::Everyone, &OATHS).with("oaths", oaths)],
        }
    }
}

impl OwnLabels for Strangers {
    fn wanted(&self, game: &Game, power: Power) -> String {
        let names = State::of(game).names;
        let name = power.index().and_then(|index| names.get(index));
        name.cloned().unwrap_or_default()
    }

    fn contacts(&self, game: &Game, power: Power) -> Vec<Power> {
        State::of(game).acquaintances(power)
    }
}

// Lines that act on others ------------------------------------------------------------

/// The powers that a line names; those whom its sender has not met it cannot name.
fn named(line: &Line) -> Vec<Power> {
    let power = |value: &&dipjudge::grammar::Value| match value {
        dipjudge::grammar::Value::Power(power) => Some(*power),
        _ => None,
    };
    line.values().iter().filter_map(power).collect()
}

fn decided(powers: Vec<Power>, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let twice = powers.first() == powers.get(1);
    if powers.contains(&sight.power) || twice {
        return refuse("That is for others than these.");
    }
    Ok(CommandDecision {
        act: VariantData::of(&powers).expect("numbers can be told"),
        said: vec!["Done.".to_owned()],
    })
}

fn decide_introduction(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    decided(named(given.line), sight)
}

fn decide_showing(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    decided(named(given.line), sight)
}

/// Both are told of each other, unless they have met before; the sender is never told which.
fn introduce(game: &Game, _: Power, act: &VariantData, _: Dice) -> CommandEffects {
    let powers: Vec<Power> = act.stored();
    let [one, other] = powers.as_slice() else {
        return CommandEffects::default();
    };
    let mut state = State::of(game);
    if !state.meet(*one, *other) {
        return CommandEffects::default();
    }
    let told = |to: Power, of: Power| Notification {
        lines: vec![
            Sentence::of("You have met ")
                .power(of)
                .words(".")
                .leader(of),
        ],
        introduces: vec![of],
        ..Notification::new(
            Audience::Power(to),
            Sentence::of("New Acquaintance: ").power(of),
        )
    };
    CommandEffects {
        events: vec![state.kept()],
        said: Vec::new(),
        told: vec![told(*one, *other), told(*other, *one)],
    }
}

fn show_map(_: &Game, from: Power, act: &VariantData, _: Dice) -> CommandEffects {
    let powers: Vec<Power> = act.stored();
    let told = powers.first().map(|to| Notification {
        lines: vec![Sentence::default().power(from).words(" shows you its map.")],
        sight_of: Some(from),
        ..Notification::new(Audience::Power(*to), Sentence::of("Map of ").power(from))
    });
    CommandEffects {
        events: Vec::new(),
        said: Vec::new(),
        told: told.into_iter().collect(),
    }
}

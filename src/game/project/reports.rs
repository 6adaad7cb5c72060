//! Results, game start, reminders and late notices, to the extent of one reader's knowledge.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::actions::mark_of;
use super::sight::Visibility;
use super::{GameView, Labels, Naming, ReaderView, kind_name, title_case};

use crate::planted::{Leak, planted};
use crate::{
    Adjustment, Ending, Game, LeaderNeed, Outcome, Phase, Played, Role, Seat, SeatId, State,
    VariantGame, in_play,
};
use dipjudge_rules::adjudicator;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Location, Power, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_view::{
    CalendarReport, CenterCount, CenterTable, Destroyed, FilledSection, GameStart, LateNotice,
    NextPhase, OpeningBuilds, OrderLine, PhaseReport, PhaseTitle, Reminder, Results, Retreating,
    SeenUnit, Span, StartPlayer, TimeLeft, UnitOrder, Viewer, WaitingNotice, WinterAction,
    WinterLine, all_words, whole_minute,
};

all_words! {
    pub static WORDS;
    /// The notice that the winning number rose.
    WINNING_CENTERS = "winning-centers.md";
    /// The list of all units (`SET POSITION`).
    UNITS_NOW = "units-now.md";
}

impl ReaderView<'_> {
    /// The results of the last adjudicated phase: complete if nothing is hidden from the reader or the game is over, otherwise
    /// what he sees. `None` for a fallen power in a game with a hidden board.
    pub fn results(self, before: &Game, played: &Played) -> Option<Results> {
        let bounded = self.view().visibility().is_bounded();
        if !bounded {
            let report = self.phase_report(before, played);
            return Some(Results::Whole(Box::new(report)));
        }
        match self.reader.viewer {
            Viewer::Power(power) => self
                .sight_report(before, played, power)
                .map(|report| Results::Sight(Box::new(report))),
            _ => Some(Results::Calendar(CalendarReport {
                title: self
                    .variant_game()
                    .phase_title(played.number, played.turn, &played.phase),
                next: self.next_phase(),
            })),
        }
    }

    /// The report of the last adjudicated phase. `before` is the game as it stood when the phase was adjudicated, `game`
    /// as it stands now.
    pub fn phase_report(self, before: &Game, played: &Played) -> PhaseReport {
        // What is open to a reader now was open when it happened, since nothing is hidden after the end of a game.
        let visibility = Visibility::whole();
        let labels = &self.view().labels();
        let lines = |phase: Phase| {
            if played.phase == phase {
                Naming::new(before, labels).lines_by_power(played, &visibility)
            } else {
                Vec::new()
            }
        };
        let ended = last_of_fall(self.game, played);
        PhaseReport {
            title: self
                .variant_game()
                .phase_title(played.number, played.turn, &played.phase),
            movement: lines(Phase::Movement),
            retreats: lines(Phase::Retreats),
            winter: Naming::new(self.game, labels).winter_by_power(played),
            dislodged: played
                .position
                .dislodged
                .iter()
                .filter(|d| visibility.sees(&d.unit))
                .map(|d| Naming::new(self.game, labels).retreating(d))
                .collect(),
            destroyed: played
                .destroyed
                .iter()
                .filter(|unit| visibility.sees(unit))
                .map(|unit| Destroyed {
                    unit: Naming::new(self.game, labels).seen_unit(unit),
                })
                .collect(),
            centers: ended.then(|| self.variant_game().center_table(labels)),
            sections: self.report_sections(before),
            reasons: Naming::new(before, labels).reasons(played, &visibility),
            next: self.next_phase(),
        }
    }

    /// Sections of the variant, and one-time notices.
    pub(super) fn report_sections(self, before: &Game) -> Vec<FilledSection> {
        let mut sections = self.sections_told(self.variant.report(&self.view().told()));
        let number = |game: &Game| game.winning_number(self.variant.card().winning);
        let (old, new) = (number(before), number(self.game));
        let bounded = self.view().visibility().is_bounded();
        if new > old && !bounded {
            sections.push(FilledSection {
                words: &WINNING_CENTERS,
                fields: json!({ "before": old, "now": new }),
            });
        }
        if self.game.settings.position && !bounded {
            let labels = self.view().labels();
            sections.push(FilledSection {
                words: &UNITS_NOW,
                fields: json!({ "powers": Naming::new(self.game, &labels).units_now() }),
            });
        }
        sections
    }

    /// The phase in hand, as the next phase.
    pub fn next_phase(self) -> Option<NextPhase> {
        (!self.game.over()).then(|| NextPhase {
            kind: self.game.phase.title().to_owned(),
            turn: format!(
                "{}{}",
                self.variant.date(
                    self.variant
                        .card()
                        .turn_told(&self.game.phase, self.game.turn),
                ),
                self.moved_for()
            ),
            deadline: self
                .game
                .timing
                .times
                .map(|times| self.reader.moment(times.deadline)),
            // In games with hidden information, an absence is not public.
            adjusted: !self.variant_game().hides_board()
                && self.game.timing.times.is_some_and(|times| times.adjusted),
        })
    }

    /// The powers whose leaders were away at the deadline that there would have been, for the planted leak.
    fn moved_for(self) -> String {
        let times = self.game.timing.times.filter(|times| times.adjusted);
        let Some(times) = times.filter(|_| planted(Leak::MovedFor)) else {
            return String::new();
        };
        let is_away = |power: &Power| {
            let seat = self.game.holder(*power);
            let mut absences = seat.iter().flat_map(|seat| &seat.absences);
            absences.any(|absence| {
                let since = times.deadline.duration_since(absence.to);
                since.is_positive() && since.as_hours() < 4 * 24
            })
        };
        let labels = self.view().labels();
        let away = labels.known().filter(is_away);
        away.map(|power| format!(" {}", labels.name(power)))
            .collect()
    }

    /// *Game Starting*. `name_of` returns the name of the person at a seat.
    pub fn game_start(self, name_of: &dyn Fn(SeatId) -> String) -> GameStart {
        let labels = self.view().labels();
        let selected = match self.reader.viewer {
            Viewer::Power(power) => Some(labels.introduced(power)),
            _ => None,
        };
        let visibility = self.view().visibility();
        let sight = match self.reader.viewer {
            Viewer::Power(power) => self.variant_game().position_in_sight(power),
            _ => None,
        };
        GameStart {
            disclosed: !visibility.is_bounded(),
            sight,
            selected,
            variant: self.variant.card().called().to_owned(),
            rules: self
                .variant
                .card()
                .to_be_read
                .then(|| format!("RULES.{}", self.variant.card().name.to_uppercase())),
            map: (self.game.map != self.variant.card().map)
                .then(|| format!("MAP.{}", self.game.map.to_uppercase())),
            players: self.start_players(&labels, name_of),
            turn: self.variant.date(self.game.turn),
            units: Naming::new(self.game, &labels).units_in_sight(&visibility),
            builds: self.view().opening_builds(),
            tables: self.tables(),
            deadline: self
                .game
                .timing
                .times
                .map(|times| self.reader.moment(times.deadline)),
            seed_sha256: self.game.seed.sha256(),
        }
    }

    /// Masters, powers and observers, named as far as this reader may know them; powers only if he may know of them.
    fn start_players(
        self,
        labels: &Labels,
        name_of: &dyn Fn(SeatId) -> String,
    ) -> Vec<StartPlayer> {
        let who = |seat: &Seat| self.called(seat, &name_of(seat.id));
        let line = |role: &str, called: String| StartPlayer {
            role: role.to_owned(),
            called,
        };
        let masters = self
            .game
            .seated(Role::Master)
            .map(|seat| line("Master", who(seat)));
        let mut powers = self.view().known_powers();
        powers.retain(|power| self.variant_game().need_of(*power) != LeaderNeed::Closed);
        let powers = powers.into_iter().map(|power| {
            let nobody = if self.variant_game().stands_open(power) {
                "open"
            } else {
                "vacant"
            };
            let leader = self
                .game
                .holder(power)
                .map_or_else(|| nobody.to_owned(), who);
            line(labels.introduced(power).as_str(), leader)
        });
        let mut players: Vec<StartPlayer> = masters.chain(powers).collect();
        // The number of observers is secret where it is hidden who exists.
        if !self.view().hides_existence() {
            let observers = self.game.seated(Role::Observer);
            players.extend(observers.map(|seat| line("Observer", who(seat))));
        }
        players
    }

    /// *Reminder*.
    pub fn reminder(self, hours: u32) -> Option<Reminder> {
        let (flag, unconfirmed) = match self.reader.viewer {
            Viewer::Power(power) => {
                let game = self.variant_game();
                let flag = self.game.standing(power).flag && game.requirements().owes(power);
                (flag, game.awaits_confirmation(power))
            }
            _ => (false, false),
        };
        Some(Reminder {
            orders: self.view().orders_section()?,
            hours,
            flag,
            unconfirmed,
        })
    }

    /// *Late Notice*, with names only if the game shows who is late.
    pub fn late_notice(self, powers: &[Power], abandoned: bool) -> LateNotice {
        let named = |power: &&Power| self.view().may_know_late(**power);
        let count = |power: Power| {
            self.game
                .settings
                .late_count
                .then(|| self.game.standing(power).times_late)
        };
        let labels = self.view().labels();
        let shown: Vec<_> = powers
            .iter()
            .filter(named)
            .map(|power| (labels.label(*power), count(*power)))
            .collect();
        // Where the board is hidden, late powers do not learn of each other, nor that there are several.
        let alone = self.variant_game().secrecy().board && self.reader.viewer != Viewer::Master;
        LateNotice {
            unnamed: if alone { 0 } else { powers.len() - shown.len() },
            powers: shown,
            grace: self
                .game
                .timing
                .times
                .map(|times| self.reader.moment(times.grace)),
            nmr: self.game.settings.nmr,
            abandoned,
        }
    }
}

impl GameView<'_> {
    /// Whether a reader may know that this power is late.
    pub fn may_know_late(self, power: Power) -> bool {
        self.variant_game().shows_late()
            || self.viewer == Viewer::Master
            || self.viewer == Viewer::Power(power)
    }

    /// *Waiting for Replacements*.
    pub fn waiting(self, powers: &[Power]) -> WaitingNotice {
        let labels = self.labels();
        WaitingNotice {
            powers: powers.iter().map(|power| labels.label(*power)).collect(),
        }
    }

    /// What the reader's power builds if the game begins with builds.
    fn opening_builds(self) -> Option<OpeningBuilds> {
        let Viewer::Power(power) = self.viewer else {
            return None;
        };
        if self.game.phase != Phase::Adjustments {
            return None;
        }
        let allowances = self.variant_game().allowances();
        let allowance = allowances.of(power)?;
        let count = allowance.counts().builds;
        let map = self.game.map();
        let site = |kind: &UnitKind| {
            let at = allowance.sites_for(*kind).first()?;
            map.stations(map.travel(*kind), *at).first().copied()
        };
        let (kind, at) = allowance
            .kinds
            .keys()
            .find_map(|kind| site(kind).map(|at| (*kind, at)))?;
        let name = |(kind, at): &(UnitKind, Location)| {
            format!("{} {}", kind_name(self.game, *kind), map.full_name(*at))
        };
        (count > 0).then(|| OpeningBuilds {
            count,
            example: format!(
                "BUILD {kind} {}",
                title_case(&at.to_string().to_lowercase())
            ),
            otherwise: allowance.default_builds.iter().map(name).collect(),
        })
    }
}

impl VariantGame<'_> {
    /// `Movement ... for Spring of 1901.  (kaiser.001)`.
    pub fn phase_title(self, number: u32, turn: Turn, phase: &Phase) -> PhaseTitle {
        PhaseTitle {
            kind: phase.kind().to_owned(),
            turn: self
                .variant
                .date(self.variant.card().turn_told(phase, turn)),
            number: format!("{}.{number:03}", self.game.name),
        }
    }

    /// Who owns what, and how many units each power builds or removes.
    pub(super) fn center_table(self, labels: &Labels) -> CenterTable {
        let winners = match &self.game.state {
            State::Over(Ending::Won(winners)) => winners.as_slice(),
            _ => &[],
        };
        let allowances = self.allowances();
        let count = |power: Power| CenterCount {
            power: labels.label(power),
            centers: self.game.center_count(power),
            units: self.game.unit_count(power),
            due: allowances.due(power),
            disorder: self.game.standing(power).disorder,
            victory: winners.contains(&power),
        };
        CenterTable {
            owners: self
                .game
                .all_powers()
                .map(|power| (labels.label(power), self.centers_owned_by(Some(power))))
                .filter(|(_, names)| !names.is_empty())
                .collect(),
            unowned: self.centers_owned_by(None),
            counts: in_play(self.game, self.variant)
                .into_iter()
                .filter(|power| self.is_counted(*power))
                .map(count)
                .collect(),
        }
    }

    /// The full names of the centers that a power owns, or that nobody does, sorted.
    fn centers_owned_by(self, owner: Option<Power>) -> Vec<String> {
        let map = self.game.map();
        let mut names: Vec<String> = map
            .centers()
            .iter()
            .filter(|center| self.game.position.owners.get(center).copied() == owner)
            .map(|center| map.full_name(Location::from(*center)))
            .collect();
        names.sort();
        names
    }

    /// Whether a power is listed in the count of centers: an open one only while it has anything left.
    fn is_counted(self, power: Power) -> bool {
        let left = self.game.unit_count(power) > 0 || self.game.center_count(power) > 0;
        left || !self.stands_open(power)
    }

    /// Whether everybody may know who is late (`visibility.md` 6.1).
    pub(super) fn shows_late(self) -> bool {
        let settings = &self.game.settings;
        let hidden = self.secrecy().leaders_or_board();
        settings.latelist && !hidden && !settings.is_quiet()
    }

    /// The task of one power in the phase in hand, in a few words for LIST: `move`, `none`.
    pub(super) fn due_word(self, power: Power) -> &'static str {
        match self.requirements().due.get(&power) {
            None => "none",
            Some(_) => "move",
        }
    }
}

impl Naming<'_> {
    /// The places of all units, by power; powers without units are left out.
    fn units_now(self) -> Vec<Value> {
        let powers = self.units_in_sight(&Visibility::whole());
        let line = |units: &Vec<SeenUnit>| {
            let names: Vec<String> = units
                .iter()
                .map(|unit| format!("{} {}", unit.kind, unit.place))
                .collect();
            Some(json!({ "power": units.first()?.power, "units": names }))
        };
        powers.iter().filter_map(line).collect()
    }

    pub(super) fn lines_by_power(
        self,
        played: &Played,
        visibility: &Visibility,
    ) -> Vec<Vec<OrderLine>> {
        let of = |power: Power| -> Vec<OrderLine> {
            let own = played
                .outcomes
                .iter()
                .filter(|outcome| outcome.unit.power == power && visibility.sees(&outcome.unit));
            own.map(|outcome| self.order_line(played, outcome))
                .collect()
        };
        self.game
            .all_powers()
            .chain([Power::NEUTRAL])
            .map(of)
            .filter(|lines| !lines.is_empty())
            .collect()
    }

    pub(super) fn order_line(self, played: &Played, outcome: &Outcome) -> OrderLine {
        let ordered = match (&played.phase, &outcome.action) {
            (Phase::Retreats, None) => UnitOrder::NoRetreat,
            (_, action) => self.seen_action(&outcome.unit, action.as_ref()),
        };
        OrderLine {
            unit: self.seen_unit(&outcome.unit),
            ordered,
            marks: outcome.marks.iter().map(|mark| mark_of(*mark)).collect(),
            reason: outcome.reason.as_ref().map(ToString::to_string),
            warning: None,
        }
    }

    pub(super) fn reasons(self, played: &Played, visibility: &Visibility) -> Vec<String> {
        played
            .outcomes
            .iter()
            .filter(|outcome| visibility.sees(&outcome.unit))
            .filter_map(|outcome| self.reason(outcome))
            .collect()
    }

    /// Why an order failed, in a sentence; `None` if it did not.
    pub(super) fn reason(self, outcome: &Outcome) -> Option<String> {
        let unit = self.seen_unit(&outcome.unit);
        outcome.reason.as_ref().map(|why| {
            let why = self.why_in_shared_provinces(why);
            let to = destination_from_shared_province(self.game, outcome);
            format!(
                "{} {} in {}{to}: {why}.",
                unit.adjective, unit.kind, unit.place
            )
        })
    }

    /// The reason, in which a unit of a shared province is named with its power, since its place alone is ambiguous.
    fn why_in_shared_provinces(self, why: &adjudicator::Reason) -> String {
        use adjudicator::Reason::{Bounced, Cut, Disrupted};
        let (Bounced { with: Some(by), .. } | Cut { by } | Disrupted { by: Some(by), .. }) = why
        else {
            return why.to_string();
        };
        let info = self.game.map().info(by.at.province);
        if info.is_some_and(|info| info.shared) {
            let name = self.labels.name(by.power);
            why.to_string()
                .replace(&by.to_string(), &format!("{by} of {name}"))
        } else {
            why.to_string()
        }
    }

    pub(super) fn retreating(self, dislodged: &dipjudge_rules::position::Dislodged) -> Retreating {
        Retreating {
            unit: self.seen_unit(&dislodged.unit),
            options: dislodged
                .options
                .iter()
                .map(|location| self.game.map().full_name(*location))
                .collect(),
        }
    }

    pub(super) fn winter_by_power(self, played: &Played) -> Vec<Vec<WinterLine>> {
        let action = |what: &Adjustment| match what {
            Adjustment::Built(unit) => {
                let SeenUnit { kind, place, .. } = self.seen_unit(unit);
                WinterAction::Build { kind, place }
            }
            Adjustment::Removed(unit) => {
                let SeenUnit {
                    kind,
                    place,
                    at_sea,
                    ..
                } = self.seen_unit(unit);
                WinterAction::Remove {
                    kind,
                    place,
                    at_sea,
                }
            }
            Adjustment::Defaulted(unit) => {
                let SeenUnit {
                    kind,
                    place,
                    at_sea,
                    ..
                } = self.seen_unit(unit);
                WinterAction::DefaultRemove {
                    kind,
                    place,
                    at_sea,
                }
            }
            Adjustment::Waived => WinterAction::Waive,
            Adjustment::Unusable(n) => WinterAction::UnusableWaived(*n as usize),
            Adjustment::Saved(n) => WinterAction::Saved(*n as usize),
        };
        let of = |power: Power| -> Vec<WinterLine> {
            let own = played
                .adjusted
                .iter()
                .filter(|adjusted| adjusted.power == power);
            own.map(|adjusted| WinterLine {
                power: self.labels.label(power),
                action: action(&adjusted.what),
            })
            .collect()
        };
        self.game
            .all_powers()
            .map(of)
            .filter(|lines| !lines.is_empty())
            .collect()
    }
}

/// Whether centers changed owners after this phase and before the next phase that asks somebody.
pub(super) fn last_of_fall(game: &Game, played: &Played) -> bool {
    game.years.last().is_some_and(|year| {
        let season = played.turn.season == dipjudge_rules::calendar::Season::Fall;
        season
            && year.year == played.turn.year
            && played.phase != Phase::Adjustments
            && game.phase_is_after(played)
    })
}

impl Game {
    /// Whether the phase in hand belongs to a later turn, so that the turn's last steps were played.
    fn phase_is_after(&self, played: &Played) -> bool {
        self.turn != played.turn || self.phase == Phase::Ownership || self.over()
    }
}

/// ` to Berlin`, for a unit whose place does not distinguish it from other units of its power there.
fn destination_from_shared_province(game: &Game, outcome: &Outcome) -> String {
    let info = game.map().info(outcome.unit.at.province);
    match &outcome.action {
        Some(Action::Move { to, .. }) if info.is_some_and(|info| info.shared) => {
            format!(" to {}", game.map().full_name(*to))
        }
        _ => String::new(),
    }
}

/// Time to the deadline and to the end of grace, counted from the minute in which a mail is written.
pub fn time_left(game: &Game, now: Timestamp) -> TimeLeft {
    let times = if game.state == State::Running {
        game.timing.times
    } else {
        None
    };
    let left = |at: Timestamp| Span::between(whole_minute(now), at);
    TimeLeft {
        deadline: times
            .filter(|times| now <= times.deadline)
            .map(|times| left(times.deadline)),
        // In a phase without grace both are equal.
        grace: times
            .filter(|times| now <= times.grace && times.grace != times.deadline)
            .map(|times| left(times.grace)),
    }
}

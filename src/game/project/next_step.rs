//! What a reader may do next. It is made from what his own orders and requirements tell, and names only powers that he may address.

use jiff::Timestamp;

use super::ReaderView;
use super::reports::time_left;
use crate::requirements::Ask;
use crate::{Phase, State};
use dipjudge_rules::adjudicator::civil_disorder;
use dipjudge_rules::map::{Location, Power, Province, UnitKindInfo};
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::Unit;
use dipjudge_view::{Moment, NextStep, OtherAnswer, ReadyAnswer, Viewer, or_list};

/// The most powers to which letters are offered.
const MAX_LETTERS: usize = 10;

impl ReaderView<'_> {
    /// What this reader may do next, at the date of the mail that tells it.
    pub fn next_step(self, date: Timestamp) -> NextStep {
        let nothing = |why: &str| said(format!("Nothing is needed from you{why}"));
        match (&self.game.state, self.reader.viewer) {
            (State::Over(_), _) => said(
                "The game is over: nothing more is needed from you. SUMMARY shows how it went.",
            ),
            (State::Forming | State::Ready, _) => nothing(" before the game starts."),
            (State::Paused, Viewer::Master) => said("The game is paused. Send RESUME to go on."),
            (State::Paused, _) => nothing(" while the game is paused."),
            (State::Halted { .. }, _) => nothing(" while the game stands still."),
            (State::Running, Viewer::Power(power)) => self.next_of_power(power, date),
            (State::Running, Viewer::Master) if self.game.settings.manual_process => {
                said("The phase waits for you: send PROCESS when it is to be processed.")
            }
            (State::Running, _) => nothing(" now."),
        }
    }

    fn next_of_power(self, power: Power, date: Timestamp) -> NextStep {
        let game = self.variant_game();
        let standing = self.game.standing(power);
        let requirements = game.requirements();
        if standing.resigned {
            return said("Your power is free for another player: nothing more is needed from you.");
        }
        if !self.variant.in_play(self.game, power) {
            return said("You are out of the game: nothing more is needed from you.");
        }
        let Some(ask) = requirements.due.get(&power) else {
            return NextStep {
                offers: self.view().offered_lines(power),
                others: self.others(power),
                ..said("Nothing is needed from you in this phase.")
            };
        };
        let offers = self.view().offered_lines(power);
        let due = self.due(date);
        let is_over = self
            .game
            .timing
            .times
            .is_some_and(|times| times.deadline <= date);
        let complete = game.is_complete(power);
        if standing.flag && requirements.owes(power) {
            let flagged = said(match &due {
                Some(due) if is_over => format!(
                    "Your error flag is set: answer with the corrected lines now. The deadline was {due}."
                ),
                Some(due) => {
                    format!("Your error flag is set: answer with the corrected lines by {due}.")
                }
                None => "Your error flag is set: answer with the corrected lines.".to_owned(),
            });
            let open = if complete {
                None
            } else {
                self.open_answer(power, ask)
            };
            let Some((_, open)) = open.filter(|(_, open)| !open.answer.lines.is_empty()) else {
                return NextStep { offers, ..flagged };
            };
            return NextStep {
                sentences: flagged
                    .sentences
                    .into_iter()
                    .chain(open.sentences)
                    .collect(),
                answer: Some(open.answer),
                offers,
                ..NextStep::default()
            };
        }
        if game.awaits_confirmation(power) {
            let (when, was) = match &due {
                Some(due) if is_over => (" now".to_owned(), format!(" The deadline was {due}.")),
                Some(due) => (format!(" by {due}"), String::new()),
                None => (String::new(), String::new()),
            };
            return NextStep {
                answer: Some(ReadyAnswer {
                    name: "Confirm your orders".to_owned(),
                    lines: vec!["YES".to_owned()],
                }),
                offers,
                others: self.others(power),
                ..said(format!(
                    "The master has rolled the game back, and your orders of that phase count only if you confirm them: answer YES{when}, or send others.{was}"
                ))
            };
        }
        let by = |end: &str| match &due {
            Some(due) if is_over => format!("{end} now: the deadline was {due}."),
            Some(due) => format!("{end} by {due}."),
            None => format!("{end}. No deadline is set."),
        };
        let open = if complete {
            None
        } else {
            self.open_answer(power, ask)
        };
        let mut sentences = Vec::new();
        match (&open, complete) {
            (_, true) => sentences.push(match &due {
                Some(_) if is_over => {
                    "Nothing more is needed from you. You can change what you sent until the phase is processed.".to_owned()
                }
                Some(due) if self.may_run_early(power) => format!(
                    "Nothing more is needed from you. You can change what you sent until the orders of all are in, at the latest until {due}."
                ),
                Some(due) => format!(
                    "Nothing more is needed from you. You can change what you sent until {due}."
                ),
                None => "Nothing more is needed from you in this phase.".to_owned(),
            }),
            (Some((needed, _)), false) => sentences.push(by(needed)),
            (None, false) if offers.is_empty() => sentences.push(by("The game waits for you")),
            (None, false) => sentences.push(by("You may answer with the lines below")),
        }
        let (more, answer) = match open {
            Some((_, open)) => (open.sentences, Some(open.answer)),
            None => (Vec::new(), None),
        };
        sentences.extend(more);
        NextStep {
            sentences,
            answer: answer.filter(|answer| !answer.lines.is_empty()),
            offers,
            others: self.others(power),
        }
    }

    /// Whether the phase is adjudicated before its deadline if the orders of all are in, as far as it is for this power to say.
    fn may_run_early(self, power: Power) -> bool {
        let early = self.variant_game().pace().early && !self.game.settings.manual_process;
        early && !self.game.standing(power).wait
    }

    /// The deadline in the reader's zone, with the time that is left at the date of the mail.
    fn due(self, date: Timestamp) -> Option<String> {
        let times = self.game.timing.times?;
        let moment: Moment = self.reader.moment(times.deadline);
        let left = time_left(self.game, date)
            .deadline
            .map(|left| left.roughly());
        Some(match left {
            Some(left) if times.deadline > date => format!("{moment} ({left} left)"),
            _ => moment.to_string(),
        })
    }

    /// What is still to be ordered, and the lines for it.
    fn open_answer(self, power: Power, ask: &Ask) -> Option<(String, OpenAnswer)> {
        match ask {
            Ask::Move => Some(self.open_moves(power)),
            Ask::Retreat => Some(self.open_retreats(power)),
            Ask::Adjust { .. } => self.open_adjustments(power),
            Ask::Own(_) | Ask::May(_) => None,
        }
    }

    fn open_moves(self, power: Power) -> (String, OpenAnswer) {
        let idle = self.variant_game().requirements().idle;
        let ordered = &self.game.standing(power).orders;
        let without = self.game.position.units.iter().filter(|unit| {
            unit.power == power
                && !ordered.units.contains_key(&unit.id)
                && !ordered.lent.contains_key(&unit.id)
        });
        // Who has nothing but units that need no order is waited for until he orders one of them.
        let (idle, due): (Vec<&Unit>, Vec<&Unit>) =
            without.partition(|unit| idle.contains(&unit.id));
        let shown = if due.is_empty() { idle } else { due };
        let lines = shown
            .into_iter()
            .map(|unit| format!("{} -", self.short(unit)))
            .collect();
        let open = OpenAnswer {
            sentences: vec![
                "Complete these lines and send them as an answer; H in place of - holds."
                    .to_owned(),
            ],
            answer: ReadyAnswer {
                name: "Send your orders".to_owned(),
                lines,
            },
        };
        ("Your orders are due".to_owned(), open)
    }

    fn open_retreats(self, power: Power) -> (String, OpenAnswer) {
        let ordered = &self.game.standing(power).orders;
        let open = self.game.position.dislodged.iter().filter(|one| {
            one.unit.power == power
                && !one.options.is_empty()
                && !ordered.units.contains_key(&one.unit.id)
        });
        let mut lines = Vec::new();
        let mut sentences = vec![
            "Complete these lines and send them as an answer, or write DISBAND in place of -."
                .to_owned(),
        ];
        for one in open {
            let unit = self.short(&one.unit);
            let to: Vec<String> = one.options.iter().map(|to| place(*to)).collect();
            sentences.push(format!(
                "{unit} can retreat to {}; without an order it is disbanded.",
                or_list(&to)
            ));
            lines.push(format!("{unit} -"));
        }
        let answer = ReadyAnswer {
            name: "Send your retreats".to_owned(),
            lines,
        };
        (
            "Your retreats are due".to_owned(),
            OpenAnswer { sentences, answer },
        )
    }

    fn open_adjustments(self, power: Power) -> Option<(String, OpenAnswer)> {
        let game = self.variant_game();
        let pending = game.pending(power, &self.view().access());
        let allowances = game.allowances();
        let allowance = allowances.of(power)?;
        if pending.builds > 0 {
            let ordered = &self.game.standing(power).orders.winter;
            let taken = |site: &Province| {
                ordered.iter().any(
                    |action| matches!(action, Action::Build(unit) if unit.at.province == *site),
                )
            };
            let free: Vec<Province> = allowance
                .sites
                .iter()
                .copied()
                .filter(|site| !taken(site))
                .collect();
            let kind = allowance.kinds.keys().next()?;
            let kind = self
                .game
                .map()
                .kind(*kind)
                .map_or(*kind, UnitKindInfo::code);
            let lines = free
                .iter()
                .take(pending.builds)
                .map(|site| format!("BUILD {kind} {}", site.titled()));
            let sites: Vec<String> = free.iter().map(|site| site.titled()).collect();
            let sentences = vec![format!(
                "You can build in {}. Change these lines as you like and send them as an answer{}.",
                or_list(&sites),
                if allowance.may_waive {
                    "; WAIVE gives a build up"
                } else {
                    ""
                }
            )];
            let answer = ReadyAnswer {
                name: "Send your builds".to_owned(),
                lines: lines.collect(),
            };
            let units = if pending.builds == 1 { "unit" } else { "units" };
            return Some((
                format!("You build {} {units}", pending.builds),
                OpenAnswer { sentences, answer },
            ));
        }
        if pending.removals > 0 {
            let first = match &allowance.removal_order {
                Some(order) => order
                    .first()
                    .and_then(|id| self.game.position.unit(*id))
                    .copied(),
                None => civil_disorder(self.game.map(), &self.game.position, power),
            };
            let lines: Vec<String> = first
                .iter()
                .map(|unit| format!("REMOVE {}", self.short(unit)))
                .collect();
            let sentences = vec!["Name the units, one a line, and send them as an answer; without your line the judge removes this one first.".to_owned()];
            let answer = ReadyAnswer {
                name: "Send your removals".to_owned(),
                lines,
            };
            let units = if pending.removals == 1 {
                "unit"
            } else {
                "units"
            };
            return Some((
                format!("You remove {} {units}", pending.removals),
                OpenAnswer { sentences, answer },
            ));
        }
        None
    }

    /// More time, trials of orders, a vote, and letters.
    fn others(self, power: Power) -> Vec<OtherAnswer> {
        let (game, settings) = (self.variant_game(), &self.game.settings);
        let mut others = Vec::new();
        let mut offer = |name: String, lines: Vec<String>, clause: String| {
            others.push(OtherAnswer {
                ready: ReadyAnswer { name, lines },
                clause,
            });
        };
        let standing = self.game.standing(power);
        let due = game.requirements().due.contains_key(&power);
        let may_wait = self.may_run_early(power) && !standing.late;
        if due && self.game.timing.times.is_some() && may_wait {
            offer(
                "More time: wait for the deadline".to_owned(),
                vec!["SET WAIT".to_owned()],
                "SET WAIT keeps this phase open until its deadline".to_owned(),
            );
        }
        if due && self.game.phase == Phase::Movement {
            offer(
                "Try orders before you send them".to_owned(),
                vec!["TRY".to_owned(), String::new(), "END TRY".to_owned()],
                "TRY, orders of any powers and END TRY show you alone what those would do"
                    .to_owned(),
            );
        }
        if let Some(unit) = self.failed_unit(power) {
            let line = format!("WHY {unit}");
            offer(
                format!("Why the order of {unit} failed"),
                vec![line.clone()],
                format!("{line} tells why that order failed"),
            );
        }
        if settings.dias {
            offer(
                "Vote for a draw".to_owned(),
                vec!["SET DRAW".to_owned()],
                "SET DRAW votes for a draw of all".to_owned(),
            );
        }
        let letters = self.letters_to(power);
        if let Some((first, _)) = letters.first() {
            let all: Vec<String> = letters.iter().map(|(word, _)| word.clone()).collect();
            let mut clause = Some(format!(
                "PRESS TO {first}, your words and ENDPRESS write to a player ({})",
                or_list(&all)
            ));
            for (word, name) in &letters {
                offer(
                    format!("Write to {name}"),
                    vec![
                        format!("PRESS TO {word}"),
                        String::new(),
                        "ENDPRESS".to_owned(),
                    ],
                    clause.take().unwrap_or_default(),
                );
            }
        }
        others
    }

    /// The first unit of the power whose order failed in the phase before, as it stood then. `None` where parts of the board are
    /// hidden: what is told there of an order follows from more than its result.
    fn failed_unit(self, power: Power) -> Option<String> {
        if self.variant_game().hides_board() {
            return None;
        }
        let played = self.game.last.as_ref()?;
        let ordered = matches!(played.phase, Phase::Movement | Phase::Retreats);
        let mut own = played
            .outcomes
            .iter()
            .filter(|outcome| ordered && outcome.unit.power == power);
        let failed = own.find(|outcome| !outcome.marks.is_empty())?;
        Some(self.short(&failed.unit))
    }

    /// The powers to whom this one may write now: the word that names each, and its name.
    fn letters_to(self, power: Power) -> Vec<(String, String)> {
        let settings = &self.game.settings;
        let game = self.variant_game();
        let minor = self.game.phase != Phase::Movement;
        if !settings.partial
            || !(settings.white || settings.grey)
            || (minor && !settings.minor_press)
        {
            return Vec::new();
        }
        let hides = game.hides_board();
        let roster = self.view().roster();
        let labels = self.view().labels();
        let others = roster.iter().filter(|(other, _)| {
            *other != power && (hides || self.variant.in_play(self.game, *other))
        });
        let words = others.map(|(other, info)| {
            let word = info.letter.map_or_else(|| info.key.clone(), String::from);
            (word, labels.name(other).to_owned())
        });
        words.take(MAX_LETTERS).collect()
    }

    /// A unit as orders write it: `A Par`.
    fn short(self, unit: &Unit) -> String {
        let code = self
            .game
            .map()
            .kind(unit.kind)
            .map_or(unit.kind, UnitKindInfo::code);
        format!("{code} {}", place(unit.at))
    }
}

/// Sentences and lines for what a phase still needs.
struct OpenAnswer {
    sentences: Vec<String>,
    answer: ReadyAnswer,
}

fn said(sentence: impl Into<String>) -> NextStep {
    NextStep {
        sentences: vec![sentence.into()],
        ..NextStep::default()
    }
}

/// `Par`, `Stp/sc`.
fn place(at: Location) -> String {
    let province = at.province.titled();
    match at.coast {
        Some(coast) => format!("{province}/{}", coast.as_str().to_lowercase()),
        None => province,
    }
}

//! The proof of a finished game: its seed, what was submitted for each phase, and what came of it, so that anybody can compute the
//! results once more. No person is in it, and nothing that stays secret after the end (README, Decided 22): drafts that were replaced,
//! votes, submissions of kinds that nothing opens, and the state of a variant that keeps such things in it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::apply::{self, NoCreation};
use super::submission::{OpenTo, OpenedBy, SubmissionKind};
use super::verifying::{LogFault, Steps};
use super::{
    Event, Game, KeptState, Leave, Orders, PersonId, Phase, Record, Role, SeatId, Seed,
    SettingChange, Variant,
};
use dipjudge_rules::map::Power;

/// The version of the form below.
const VERSION: u32 = 1;

/// A finished game that can be computed again without its judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// The version of this form: 1.
    pub proof: u32,
    /// The judge that had the game.
    pub judge: String,
    /// The game's name.
    pub game: String,
    /// The seeds of its draws: that of the opening, then one for each time it was resumed after its end.
    pub seeds: Vec<ProvenSeed>,
    /// What the file does not prove, a sentence each.
    pub not_proven: Vec<String>,
    /// What happened, in order.
    pub records: Vec<ProvenRecord>,
}

/// A seed, and what its players were told of it beforehand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenSeed {
    /// The seed.
    pub seed: Seed,
    /// The SHA-256 of its 32 bytes, which the opening mail told.
    pub sha256: String,
}

impl ProvenSeed {
    fn of(seed: &Seed) -> ProvenSeed {
        ProvenSeed {
            seed: seed.clone(),
            sha256: seed.sha256(),
        }
    }
}

/// What happened at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvenRecord {
    /// When.
    pub at: Timestamp,
    /// In order.
    pub events: Vec<Event>,
}

/// Why a game has no proof.
#[derive(Debug, thiserror::Error)]
pub enum NoProof {
    /// Its log does not begin with its creation.
    #[error(transparent)]
    NoCreation(#[from] NoCreation),
    /// It goes on, or never began.
    #[error("is not over, and only a game that is over has a proof")]
    NotOver,
}

/// What a proof shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofFindings {
    /// The number of phases that come out again.
    pub phases: usize,
    /// The phases that depend on what stays secret, by name and time.
    pub unproven: Vec<String>,
    /// What changed the board between phases: acts of masters and of the keeper.
    pub changes: usize,
}

/// Why a proof shows nothing.
#[derive(Debug, thiserror::Error)]
pub enum FalseProof {
    /// Another version wrote it.
    #[error("it has form {0}, and this program reads form 1")]
    OtherForm(u32),
    /// A seed, or its hash, is not that of the game.
    #[error("the seeds that it names are not those from which the game is drawn")]
    OtherSeed,
    /// A phase comes out otherwise.
    #[error(transparent)]
    Log(#[from] LogFault),
    /// The game does not end.
    #[error("the game in it is not over")]
    NotOver,
}

/// What is true of a proof whatever stands in it.
const NOT_PROVEN: [&str; 4] = [
    "That the seed is the one of the opening: compare its SHA-256 with the mail \"Game Starting\".",
    "That the orders are those which the players sent: compare your own with the answers that you got.",
    "How powers were dealt, and who led them: persons are left out.",
    "Votes, and submissions that stay secret after the end: they are left out.",
];

const KEEPS_STATE: &str = "What this variant keeps beside the board, since a part of it stays secret: phases that depend on it are not \
    computed again.";

impl Proof {
    /// The proof of a game that is over, from its log.
    ///
    /// # Errors
    /// If it is not over.
    pub fn of(
        judge: &str,
        records: &[Record],
        variant_of: fn(&str) -> &'static dyn Variant,
    ) -> Result<Proof, NoProof> {
        let mut writer = Writer {
            variant_of,
            games: None,
            records: Vec::new(),
        };
        for record in records {
            writer.take(record)?;
        }
        let Games { all, .. } = writer.games.ok_or(NoCreation)?;
        if !all.over() || !all.begun() {
            return Err(NoProof::NotOver);
        }
        let variant = variant_of(&all.variant);
        let mut not_proven: Vec<String> = NOT_PROVEN.map(str::to_owned).into();
        if !variant.all_is_open_after_the_end() {
            not_proven.push(KEEPS_STATE.to_owned());
        }
        let mut proof = Proof {
            proof: VERSION,
            judge: judge.to_owned(),
            game: all.name.clone(),
            seeds: Vec::new(),
            not_proven,
            records: writer.records,
        };
        proof.seeds = proof.seeds_drawn_from().map(ProvenSeed::of).collect();
        Ok(proof)
    }

    fn events(&self) -> impl Iterator<Item = &Event> {
        self.records.iter().flat_map(|record| &record.events)
    }

    fn seeds_drawn_from(&self) -> impl Iterator<Item = &Seed> {
        self.events().filter_map(|event| match event {
            Event::Created { seed, .. } | Event::Reseeded { seed } => Some(seed),
            _ => None,
        })
    }

    /// Computes the game again.
    ///
    /// # Errors
    /// If something in it does not follow.
    pub fn check(
        &self,
        variant_of: fn(&str) -> &'static dyn Variant,
    ) -> Result<ProofFindings, FalseProof> {
        if self.proof != VERSION {
            return Err(FalseProof::OtherForm(self.proof));
        }
        if !self
            .seeds_drawn_from()
            .map(ProvenSeed::of)
            .eq(self.seeds.iter().cloned())
        {
            return Err(FalseProof::OtherSeed);
        }
        let mut found = ProofFindings::default();
        let mut game: Option<Game> = None;
        for ProvenRecord { at, events } in &self.records {
            let mut events = events.iter();
            let mut now = match game.take() {
                Some(game) => game,
                None => {
                    let first = events.next().ok_or(NoCreation);
                    let first = first.and_then(|first| apply::create(first, *at));
                    first.map_err(LogFault::from)?
                }
            };
            let mut steps = Steps::none();
            for event in events {
                let variant = variant_of(&now.variant);
                if steps.is_over() {
                    if let Event::Played(_) = event {
                        steps = Steps::of(&now, variant, *at).that_are(is_told(variant));
                        found.phases += 1;
                    } else {
                        found.changes += usize::from(now.begun() && changes_the_board(event));
                    }
                }
                if let Err(fault) = steps.take(event) {
                    // Where a part of the state stays secret, a phase that depends on it cannot be computed.
                    if variant.all_is_open_after_the_end() {
                        return Err(fault.into());
                    }
                    steps = Steps::none();
                    found.phases -= 1;
                    let phase = now.phase_name(variant).to_string();
                    found.unproven.push(phase);
                }
                apply::apply(&mut now, *at, event);
            }
            steps.end()?;
            game = Some(now);
        }
        if !game.is_some_and(|game| game.over()) {
            return Err(FalseProof::NotOver);
        }
        Ok(found)
    }
}

fn changes_the_board(event: &Event) -> bool {
    matches!(
        event,
        Event::Board { .. } | Event::Owned { .. } | Event::Data { .. } | Event::RolledBack { .. }
    )
}

/// Which steps of a phase stand in the proof of a game.
fn is_told(variant: &dyn Variant) -> impl Fn(&Event) -> bool {
    let all_is_open = variant.all_is_open_after_the_end();
    move |event| match event {
        Event::Data { .. } => all_is_open,
        event => stands(event),
    }
}

/// Whether events of this kind stand in a proof as they are in the log.
fn stands(event: &Event) -> bool {
    match event {
        Event::Created { .. }
        | Event::Variant { .. }
        | Event::Renamed { .. }
        | Event::Retitled { .. }
        | Event::Unstarted
        | Event::Disorder { .. }
        | Event::Played(_)
        | Event::Owned { .. }
        | Event::Raised { .. }
        | Event::Board { .. }
        | Event::Opened { .. }
        | Event::Resumed
        | Event::Reseeded { .. }
        | Event::RolledBack { .. }
        | Event::Ended { .. } => true,
        Event::Set(change) => !matches!(
            change,
            SettingChange::Allow(_)
                | SettingChange::Deny(_)
                | SettingChange::Comment(_)
                | SettingChange::Information(_)
                | SettingChange::Numbers(_)
        ),
        // These are written otherwise.
        Event::Begun { .. }
        | Event::Data { .. }
        | Event::Dealt { .. }
        | Event::Vacated { .. }
        | Event::Taken { .. } => false,
        // What was submitted stands before the phase for which it counted, without drafts.
        Event::Ordered { .. }
        | Event::Adjusting { .. }
        | Event::Submitted { .. }
        | Event::Lent { .. }
        | Event::Cleared { .. }
        | Event::Ahead { .. }
        | Event::AheadDropped { .. } => false,
        // Persons, their votes, and when they write.
        Event::Seated { .. }
        | Event::SeatChanged { .. }
        | Event::Labelled(_)
        | Event::MapGiven { .. }
        | Event::StandsBy { .. }
        | Event::Offered(_)
        | Event::OfferClosed { .. }
        | Event::Posted(_)
        | Event::Ready
        | Event::Timed { .. }
        | Event::Waits { .. }
        | Event::Flagged { .. }
        | Event::Voted { .. }
        | Event::VotedToEnd { .. }
        | Event::VotesCleared
        | Event::Approved { .. }
        | Event::AllIn { .. }
        | Event::Reminded { .. }
        | Event::Late { .. }
        | Event::Abandoned { .. }
        | Event::Missed { .. }
        | Event::Standstill
        | Event::Nudged
        | Event::Paused
        | Event::Halted => false,
    }
}

/// The game with all that its log holds, and as its proof tells it.
struct Games {
    all: Game,
    told: Game,
}

/// Writes a proof, record by record.
struct Writer {
    variant_of: fn(&str) -> &'static dyn Variant,
    games: Option<Games>,
    records: Vec<ProvenRecord>,
}

impl Writer {
    fn take(&mut self, record: &Record) -> Result<(), NoCreation> {
        let at = record.at;
        let mut events = record.events.iter();
        let mut told = Vec::new();
        if self.games.is_none() {
            let first = events.next().ok_or(NoCreation)?;
            let all = apply::create(first, at)?;
            told.push(first.clone());
            self.games = Some(Games {
                told: all.clone(),
                all,
            });
        }
        let Some(games) = &mut self.games else {
            return Ok(());
        };
        for event in events {
            let variant = (self.variant_of)(&games.all.variant);
            if let Event::Played(_) = event {
                games.tell_submissions(at, variant, &mut told);
            }
            apply::apply(&mut games.all, at, event);
            for event in games.as_told(event, variant) {
                games.tell(at, event, &mut told);
            }
        }
        if !told.is_empty() {
            self.records.push(ProvenRecord { at, events: told });
        }
        Ok(())
    }
}

/// The seat at which the leaders of a power sit in a proof, whoever they are.
fn seat_of(power: Power) -> SeatId {
    SeatId(u32::from(power.0))
}

impl Games {
    fn tell(&mut self, at: Timestamp, event: Event, told: &mut Vec<Event>) {
        apply::apply(&mut self.told, at, &event);
        told.push(event);
    }

    /// An event as the proof tells it. It has happened in the whole game already.
    fn as_told(&self, event: &Event, variant: &dyn Variant) -> Vec<Event> {
        let all_is_open = variant.all_is_open_after_the_end();
        match event {
            Event::Begun {
                turn,
                phase,
                position,
                data,
            } => vec![Event::Begun {
                turn: *turn,
                phase: phase.clone(),
                position: position.clone(),
                data: if all_is_open {
                    data.clone()
                } else {
                    KeptState::default()
                },
            }],
            Event::Data { .. } if all_is_open => vec![event.clone()],
            Event::Dealt { powers, holders } => {
                let led: BTreeSet<Power> = holders.iter().map(|(power, _)| *power).collect();
                let mut events: Vec<Event> = led
                    .iter()
                    .filter_map(|power| self.seat_at(*power))
                    .collect();
                let holders = led.into_iter().map(|power| (power, seat_of(power)));
                events.push(Event::Dealt {
                    powers: powers.clone(),
                    holders: holders.collect(),
                });
                events
            }
            Event::Vacated { power, how: _ } => vec![Event::Vacated {
                power: *power,
                how: Leave::Resigned,
            }],
            Event::Taken { power, seat: _ } => {
                let seat = self.seat_at(*power).into_iter();
                let taken = Event::Taken {
                    power: *power,
                    seat: seat_of(*power),
                };
                seat.chain([taken]).collect()
            }
            event if stands(event) => vec![event.clone()],
            _ => Vec::new(),
        }
    }

    /// The seat of a power, if the proof does not have it yet.
    fn seat_at(&self, power: Power) -> Option<Event> {
        let seat = seat_of(power);
        self.told.seat(seat).is_none().then(|| Event::Seated {
            seat,
            person: PersonId(u32::from(power.0)),
            address: String::new(),
            role: Role::Player,
            password: String::new(),
        })
    }

    /// Tells what counts for the phase that is played now.
    fn tell_submissions(&mut self, at: Timestamp, variant: &dyn Variant, told: &mut Vec<Event>) {
        // What outlasts its phase is open once a step of the variant's own has played it.
        let own = |event: &Event| matches!(event, Event::Opened { phase, .. } if is_own(phase));
        let steps = Steps::of(&self.all, variant, at);
        let lasting = is_own(&self.all.phase) || steps.any(own);
        let powers: Vec<Power> = self.all.standings.keys().copied().collect();
        for power in powers {
            for event in self.submissions_of(power, variant, lasting) {
                self.tell(at, event, told);
            }
        }
    }

    fn submissions_of(&self, power: Power, variant: &dyn Variant, lasting: bool) -> Vec<Event> {
        let (all, has) = (self.all.standing(power), self.told.standing(power));
        let open = |slot: &&str| is_opened(SubmissionKind::of_slot(variant, slot));
        let mut events = Vec::new();
        let Orders {
            units,
            named: _,
            winter,
            lent,
            submissions,
        } = &all.orders;
        if !has.orders.is_empty() {
            events.push(Event::Cleared { power });
        }
        for (unit, to) in lent {
            events.push(Event::Lent {
                power,
                unit: *unit,
                to: Some(*to),
            });
        }
        for (unit, action) in units {
            events.push(Event::Ordered {
                power,
                unit: *unit,
                action: action.clone(),
                named: None,
            });
        }
        if !winter.is_empty() {
            events.push(Event::Adjusting {
                power,
                orders: winter.clone(),
            });
        }
        let submitted = |name: &str, data, lasting| Event::Submitted {
            power,
            name: name.to_owned(),
            data,
            lasting,
        };
        for slot in submissions.slots().filter(open) {
            events.push(submitted(slot, submissions.get(slot).cloned(), false));
        }
        if lasting {
            for slot in has.submissions.slots() {
                if all.submissions.get(slot).is_none() {
                    events.push(submitted(slot, None, true));
                }
            }
            for slot in all.submissions.slots().filter(open) {
                let data = all.submissions.get(slot);
                if has.submissions.get(slot) != data {
                    events.push(submitted(slot, data.cloned(), true));
                }
            }
        }
        events
    }
}

fn is_own(phase: &Phase) -> bool {
    matches!(phase, Phase::Own(_))
}

/// Whether everybody may read a submission of this kind once its phase is played and the game is over.
fn is_opened(kind: &SubmissionKind) -> bool {
    let opens = |moment: &OpenedBy| !matches!(moment, OpenedBy::Said);
    kind.to == OpenTo::All && kind.opens.iter().any(opens)
}

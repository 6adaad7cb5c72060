//! What becomes of the lines by which civilizations deal with one another: who is told, what changes hands, who meets (rules
//! page, section 10).

use std::collections::BTreeSet;

use super::CivDip;
use super::dealings::{Dealing, DealingSubject, PartyState};
use super::meetings::{in_sight, side_by_side};
use super::offers::OfferAct;
use super::state::{CivDipState, Meeting};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Audience, CommandEffects, Dice, Event, Game, Notification, Phase, Sentence};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::VariantData;
use dipjudge_rules::position::{Position, Unit};

/// Carries out what was decided.
pub(super) fn carry_out(game: &Game, power: Power, act: &VariantData, _: Dice) -> CommandEffects {
    let mut transfer = Transfer {
        game,
        power,
        state: CivDipState::of(game),
        board: None,
        happened: CommandEffects::default(),
    };
    match act.stored() {
        OfferAct::Nothing => return CommandEffects::default(),
        OfferAct::GiveMap(to) => transfer.offer(DealingSubject::Map, to),
        OfferAct::GiveUnit(unit, to) => transfer.offer(DealingSubject::Unit(unit), to),
        OfferAct::GiveContact(subject, to) => transfer.offer(DealingSubject::Contact(subject), to),
        OfferAct::Exchange(members) => transfer.exchange(members),
        OfferAct::Accept(number) => transfer.accept(number),
        OfferAct::Reject(number) => transfer.refuse(number),
        OfferAct::Cancel(number) => transfer.cancel(number),
    }
    transfer.done()
}

/// One line's doing.
struct Transfer<'g> {
    game: &'g Game,
    /// Whose line it is.
    power: Power,
    state: CivDipState,
    board: Option<Position>,
    happened: CommandEffects,
}

impl Transfer<'_> {
    fn done(mut self) -> CommandEffects {
        let board = self.board.map(|position| Event::Board { position });
        self.happened.events.extend(board);
        self.happened.events.push(self.state.kept());
        self.happened
    }

    fn tell(&mut self, to: Power, subject: Sentence, lines: Vec<Sentence>) {
        let told = Notification {
            lines,
            ..Notification::new(Audience::Power(to), subject)
        };
        self.happened.told.push(told);
    }

    /// The same, with powers introduced or a map shown.
    fn tell_more(
        &mut self,
        to: Power,
        subject: Sentence,
        lines: Vec<Sentence>,
        extra: NoticeExtra,
    ) {
        let told = Notification {
            lines,
            ..Notification::new(Audience::Power(to), subject)
        };
        self.happened.told.push(match extra {
            NoticeExtra::Shows(of) => shows(told, of),
            NoticeExtra::Introduces(power) => introduces(told, power),
        });
    }

    /// Tells each party of a dealing but the sender, by its own number.
    fn tell_parties(&mut self, dealing: &Dealing, words: impl Fn(Sentence) -> Sentence) {
        for party in &dealing.parties {
            if party.power != self.power {
                let line = words(Sentence::of(format!("{}: ", party.number)));
                let subject = Sentence::of(format!("Transaction {}", party.number));
                self.tell(party.power, subject, vec![line]);
            }
        }
    }

    fn offer(&mut self, subject: DealingSubject, to: Power) {
        let power = self.power;
        let dealing = self.state.dealings.open(subject, power, &[to]);
        let Some(own) = dealing.party(to) else {
            return;
        };
        let offers = Sentence::of(format!("{}: ", own.number)).power(power);
        let line = match &dealing.subject {
            DealingSubject::Unit(id) => {
                let units = &self.game.position.units;
                let unit = units.iter().find(|unit| unit.id == *id);
                let words = unit.map(|unit| self.in_words(unit)).unwrap_or_default();
                offers.words(format!(" offers you its {words}."))
            }
            DealingSubject::Contact(_) => {
                offers.words(" offers you an introduction to another civilization.")
            }
            DealingSubject::Map | DealingSubject::Exchange(_) => {
                offers.words(" offers you its map.")
            }
        };
        let subject = Sentence::of("Offer of ").power(power);
        let lines = vec![line, how_to_answer(own.number)];
        self.tell(to, subject, lines);
    }

    /// `Army in Bohemia`
    fn in_words(&self, unit: &Unit) -> String {
        let map = self.game.map();
        let kind = map.kind(unit.kind);
        let kind = kind.map_or_else(|| unit.kind.to_string(), |info| info.name.clone());
        format!("{kind} {}", map.full_name(unit.at))
    }

    fn exchange(&mut self, members: BTreeSet<Power>) {
        let power = self.power;
        if let Some(mut dealing) = self.state.dealings.take_exchange(&members) {
            self.state.dealings.agree(&mut dealing, power);
            return self.complete(dealing);
        }
        let has_met_all = |one: &Power| {
            let mut others = members.iter().filter(|other| *other != one);
            others.all(|other| self.state.have_met(*one, *other) || planted(Leak::Exchange))
        };
        let others = members.iter().filter(|one| **one != power);
        let told: Vec<Power> = others.copied().filter(has_met_all).collect();
        let subject = DealingSubject::Exchange(members.clone());
        let dealing = self.state.dealings.open(subject, power, &told);
        for party in dealing.parties.iter().filter(|party| party.power != power) {
            let line = Sentence::of(format!("{}: ", party.number))
                .power(power)
                .words(" proposes an exchange of maps among ");
            let named = members.iter().copied().filter(|one| *one != party.power);
            let line = line
                .powers(named)
                .words(" and you: each gives each its map.");
            let subject = Sentence::of("Offer of ").power(power);
            self.tell(
                party.power,
                subject,
                vec![line, how_to_answer(party.number)],
            );
        }
    }

    fn accept(&mut self, number: u32) {
        let power = self.power;
        let Some(mut dealing) = self.state.dealings.take(power, number) else {
            return self.not_possible(number);
        };
        if matches!(dealing.subject, DealingSubject::Exchange(_)) {
            self.state.dealings.agree(&mut dealing, power);
            return self.complete(dealing);
        }
        let Some(giver) = dealing.opener().map(|opener| opener.power) else {
            return;
        };
        if !self.is_possible(&dealing, giver) {
            self.tell_parties(&dealing, |own| own.words("no longer possible."));
            return self.not_possible(number);
        }
        let accepted = |own: Sentence| own.power(power).words(" has accepted.");
        match dealing.subject {
            DealingSubject::Map => {
                self.tell_parties(&dealing, accepted);
                self.happened.said = vec![Sentence::of(format!(
                    "{number}: accepted; the map comes in a mail of its own."
                ))];
                self.show_map(giver, power, Sentence::of("Map of ").power(giver));
            }
            DealingSubject::Unit(id) => {
                let units = self.game.position.units.iter();
                let unit = units.copied().find(|unit| unit.id == id);
                if let Some(unit) = unit {
                    self.give_unit(&dealing, giver, unit, number);
                }
            }
            DealingSubject::Contact(subject) => {
                self.tell_parties(&dealing, accepted);
                let accepted = Sentence::of(format!("{number}: accepted."));
                self.happened.said = vec![accepted];
                if !self.meet(power, subject, Meeting::Introduction) {
                    let known = Sentence::of("You already had that contact: ");
                    self.happened.said.push(known.power(subject).words("."));
                }
            }
            DealingSubject::Exchange(_) => {}
        }
    }

    fn not_possible(&mut self, number: u32) {
        self.happened.said = vec![Sentence::of(format!(
            "Transaction {number} is no longer possible."
        ))];
    }

    /// Whether what was offered can still be given: the two are in contact, and a unit is where it may be given.
    fn is_possible(&self, dealing: &Dealing, giver: Power) -> bool {
        let met = self.state.have_met(giver, self.power);
        let game = self.game;
        met && match &dealing.subject {
            DealingSubject::Map | DealingSubject::Exchange(_) => true,
            DealingSubject::Contact(subject) => self.state.have_met(giver, *subject),
            DealingSubject::Unit(id) => {
                let mut units = game.position.units.iter();
                let unit = units.find(|unit| unit.id == *id && unit.power == giver);
                game.phase != Phase::Adjustments
                    && unit.is_some_and(|unit| {
                        let info = game.map().info(unit.at.province);
                        info.is_some_and(|info| !info.center)
                    })
            }
        }
    }

    /// Sends a map: what its giver sees, at this instant.
    fn show_map(&mut self, of: Power, to: Power, subject: Sentence) {
        let line = Sentence::of("This is the map of ")
            .power(of)
            .words(", as it is now.");
        let mut seen = of;
        if planted(Leak::MapGift) {
            let mut met = self.state.contacts(of).into_iter().map(|(other, _)| other);
            seen = met.find(|other| *other != to).unwrap_or(of);
        }
        self.happened.events.push(Event::MapGiven { of: seen, to });
        self.tell_more(to, subject, vec![line], NoticeExtra::Shows(seen));
    }

    /// Makes two meet, and tells both. Whether they had not met before.
    fn meet(&mut self, one: Power, other: Power, meeting: Meeting) -> bool {
        let now: (Turn, Phase) = (self.game.turn, self.game.phase.clone());
        let new = self.state.meet(one, other, now, meeting);
        if new {
            self.happened.told.extend(new_contact(one, other));
        }
        new
    }

    /// A unit changes hands: owner, sight and contacts at once; whoever sees it is told.
    fn give_unit(&mut self, dealing: &Dealing, giver: Power, unit: Unit, number: u32) {
        let power = self.power;
        let mut position = self.game.position.clone();
        for one in position.units.iter_mut().filter(|one| one.id == unit.id) {
            one.power = power;
        }
        self.state
            .glimpses
            .seen
            .retain(|(_, seen)| *seen != unit.id);
        let mut after = self.game.clone().with_state(self.state.data());
        after.position = position.clone();
        let words = self.in_words(&unit);
        let theirs = Sentence::of(words.clone())
            .words(", until now ")
            .power(giver)
            .words("'s, is now ")
            .power(power)
            .words("'s.");
        for reader in self.game.all_powers() {
            let sees = in_sight(&after, &CivDip, reader).shows(&unit);
            if (sees || planted(Leak::UnitGift)) && reader != giver && reader != power {
                let subject = Sentence::of("A Unit Changes Hands");
                self.tell_more(
                    reader,
                    subject,
                    vec![theirs.clone()],
                    NoticeExtra::Introduces(power),
                );
            }
        }
        for party in dealing.parties.iter().filter(|party| party.power == giver) {
            let accepted = Sentence::of(format!("{}: ", party.number));
            let accepted = accepted.power(power).words(" has accepted.");
            let gone = Sentence::of(format!(
                "{words} is no longer yours, and your order for it is deleted."
            ));
            let subject = Sentence::of(format!("Transaction {}", party.number));
            self.tell_more(
                giver,
                subject,
                vec![accepted, gone],
                NoticeExtra::Shows(giver),
            );
        }
        let own = Sentence::of(format!("{words} is yours, without order."));
        self.happened.said = vec![Sentence::of(format!("{number}: accepted."))];
        let subject = Sentence::of(format!("Transaction {number}"));
        self.tell_more(power, subject, vec![own], NoticeExtra::Shows(power));
        self.board = Some(position);
        for (one, other) in side_by_side(&after) {
            self.meet(one, other, Meeting::OnBoard);
        }
    }

    /// An exchange to which somebody has agreed: carried out if that was the last.
    fn complete(&mut self, dealing: Dealing) {
        let DealingSubject::Exchange(members) = dealing.subject.clone() else {
            return;
        };
        let own = dealing.party(self.power).map(|party| party.number);
        let own = own.unwrap_or_default();
        let agrees = |one: &Power| {
            let party = dealing.party(*one);
            party.is_some_and(|party| party.state != PartyState::Asked)
        };
        if !members.iter().all(agrees) {
            self.happened.said = vec![Sentence::of(format!(
                "{own}: agreed; the maps are exchanged when all have agreed."
            ))];
            self.state.dealings.open.push(dealing);
            return;
        }
        let pairs = members
            .iter()
            .flat_map(|one| members.iter().map(move |other| (one, other)));
        let mut pairs = pairs.filter(|(one, other)| one < other);
        if !pairs.all(|(one, other)| self.state.have_met(*one, *other)) {
            self.tell_parties(&dealing, |own| own.words("no longer possible."));
            return self.not_possible(own);
        }
        self.happened.said = vec![Sentence::of(format!(
            "{own}: complete; the maps come in a mail of their own."
        ))];
        self.tell_parties(&dealing, |own| own.words("complete; all have agreed."));
        for reader in &members {
            let others = || members.iter().copied().filter(|of| of != reader);
            let subject = match members.len() {
                2 => Sentence::of("Map of ").powers(others()),
                _ => Sentence::of("Maps of ").powers(others()),
            };
            for of in others() {
                self.show_map(of, *reader, subject.clone());
            }
        }
    }

    /// Refuses a gift or an exchange: of an exchange nobody is told who did.
    fn refuse(&mut self, number: u32) {
        let power = self.power;
        let Some(dealing) = self.state.dealings.take(power, number) else {
            return self.not_possible(number);
        };
        if matches!(dealing.subject, DealingSubject::Exchange(_)) {
            return self.tell_parties(&dealing, |own| own.words("rejected."));
        }
        if let Some(opener) = dealing.opener() {
            self.state.dealings.refused(opener.power, power);
        }
        self.tell_parties(&dealing, |own| own.power(power).words(" has rejected."));
    }

    /// Takes an offer back; an exchange that another has opened is refused by it.
    fn cancel(&mut self, number: u32) {
        let power = self.power;
        let mut open = self.state.dealings.open.iter();
        let own = open.find(|dealing| dealing.party(power).is_some_and(|own| own.number == number));
        let opened = own.and_then(Dealing::opener).map(|opener| opener.power) == Some(power);
        if !opened {
            return self.refuse(number);
        }
        if let Some(dealing) = self.state.dealings.take(power, number) {
            self.tell_parties(&dealing, |own| {
                own.power(power).words(" has withdrawn its offer.")
            });
        }
    }
}

/// What a board that a master has overruled brings about at once: units that were set elsewhere are not glimpsed any more, and
/// those meet who now stand side by side.
pub(super) fn after_overruling(before: &Game, now: &Game) -> CommandEffects {
    let mut state = CivDipState::of(now);
    let at = |game: &Game, id| game.position.unit(id).map(|unit| unit.at);
    state
        .glimpses
        .seen
        .retain(|(_, unit)| at(now, *unit).is_some() && at(before, *unit) == at(now, *unit));
    let since = (now.turn, now.phase.clone());
    let mut told = Vec::new();
    for (one, other) in side_by_side(now) {
        if state.meet(one, other, since.clone(), Meeting::OnBoard) {
            told.extend(new_contact(one, other));
        }
    }
    CommandEffects {
        events: vec![state.kept()],
        told,
        ..CommandEffects::default()
    }
}

/// What two read who have met.
fn new_contact(one: Power, other: Power) -> [Notification; 2] {
    [(one, other), (other, one)].map(|(reader, met)| {
        let subject = Sentence::of("New Contact: ").power(met);
        let told = Notification {
            lines: vec![
                Sentence::of("New contact: ")
                    .power(met)
                    .words(".  You may now write PRESS TO ")
                    .power(met)
                    .words(".")
                    .leader(met),
            ],
            ..Notification::new(Audience::Power(reader), subject)
        };
        introduces(told, met)
    })
}

/// What a notice does beside its lines.
enum NoticeExtra {
    /// Below them stands what this one sees.
    Shows(Power),
    /// They introduce this one.
    Introduces(Power),
}

fn shows(told: Notification, of: Power) -> Notification {
    Notification {
        sight_of: Some(of),
        ..told
    }
}

fn introduces(told: Notification, power: Power) -> Notification {
    Notification {
        introduces: vec![power],
        ..told
    }
}

/// `ACCEPT 7 or REJECT 7; …`
fn how_to_answer(number: u32) -> Sentence {
    Sentence::of(format!(
        "Send ACCEPT {number} or REJECT {number} before the next deadline; after that it lapses."
    ))
}

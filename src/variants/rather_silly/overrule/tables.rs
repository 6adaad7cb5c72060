//! What is kept of seats and spaces.

use super::{Table, is_on, number, power};
use crate::rather_silly::line_parts::location;
use crate::rather_silly::{DOCTOR, JESTER, SOOTHSAYER, interchange, llamas, phases, state};
use dipjudge_game::{Phase, Refusal, Sentence, refuse};
use dipjudge_grammar::Line;

impl Table<'_> {
    pub(super) fn account(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let owner = power(line)?;
        if owner == JESTER || owner == SOOTHSAYER {
            return refuse("JESTER and SOOTHSAYER have no account: OVERRULE BONUS JESTER ON.");
        }
        let share = line.text_of("share").unwrap_or_default();
        let parts = interchange::parts(share).ok_or(
            "An account is a number or an exact fraction that shares of up to ten can make: 3/2, 2/7.",
        )?;
        self.board.state.accounts.insert(owner, parts);
        self.board.state.accounts.retain(|_, parts| *parts > 0);
        let said = Sentence::of("The account of ")
            .power(owner)
            .words(format!(" is {} of a free unit.", state::fraction(parts)));
        self.told(&before, said)
    }

    pub(super) fn lost(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let (owner, souls) = (power(line)?, number(line)?);
        let state = &mut self.board.state;
        state.lost_souls.insert(owner, souls);
        state.lost_souls.retain(|_, souls| *souls > 0);
        // No more of them are charged for a time than are lost.
        let mut left = souls;
        state.lost_until.retain(|(power, _)| {
            let kept = *power != owner || left > 0;
            left -= u32::from(*power == owner && kept);
            kept
        });
        let said = Sentence::default()
            .power(owner)
            .words(format!(" has lost souls: {souls}."));
        self.told(&before, said)
    }

    pub(super) fn points(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let points = number(line)?;
        self.board.state.points = points;
        let said = Sentence::of("The victory points of ")
            .power(DOCTOR)
            .words(format!(" are {points}."));
        self.told(&before, said)
    }

    pub(super) fn link(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let mut ends = line.provinces();
        ends.sort();
        let (link, said) = match ends.as_slice() {
            _ if line.has("no-link") => (None, "There is no LINK.".to_owned()),
            [one, other] if one != other => {
                let said = format!("{} and {} are linked.", self.name(*one), self.name(*other));
                (Some((*one, *other)), said)
            }
            _ => return refuse("The LINK joins two different spaces: OVERRULE LINK Lon-Tun."),
        };
        self.board.state.link = link;
        self.told(&before, Sentence::of(said))
    }

    pub(super) fn bonus(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let seat = power(line)?;
        let what = match seat {
            JESTER => "a second re-order",
            SOOTHSAYER => "a third prediction",
            _ => return refuse("Only JESTER and SOOTHSAYER can have a bonus."),
        };
        let said = Sentence::default().power(seat);
        let said = if is_on(line) {
            self.board.state.bonus.insert(seat);
            said.words(format!(" has the bonus of the season: {what}."))
        } else {
            self.board.state.bonus.remove(&seat);
            said.words(format!(" does not have the bonus of the season: {what}."))
        };
        self.told(&before, said)
    }

    /// Herds are their owner's alone to know: all others, the master too, read the same whatever was there before.
    pub(super) fn herds(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let owner = power(line)?;
        if owner >= JESTER {
            return refuse("Only the seven powers have LLAMAS.");
        }
        if self.game.phase == Phase::Own(phases::HERDS.name.to_owned()) {
            return refuse(
                "Herds are put down when this phase is over, and can be overruled then.",
            );
        }
        let at = location(line)?.province;
        if let Some(why) = llamas::objection(&self.board, &Default::default(), at) {
            return refuse(why);
        }
        let herds = self.board.herds.entry(owner).or_default();
        let there = if line.has("herd-added") {
            herds.insert(at);
            "a"
        } else {
            herds.remove(&at);
            "no"
        };
        let told = format!("You have {there} herd of LLAMAS in {} now.", self.name(at));
        self.apart.push((owner, Sentence::of(told)));
        Ok(Sentence::of("Something about the LLAMAS of ")
            .power(owner)
            .words(", who alone is told which space it is."))
    }

    pub(super) fn fleets(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let (owner, built) = (power(line)?, number(line)?);
        let all = &mut self.board.state.fleets_built;
        all.insert(owner, built);
        all.retain(|_, built| *built > 0);
        let said = Sentence::of("The fleets that ")
            .power(owner)
            .words(format!(" has built since Winter 1901 are {built}."));
        self.told(&before, said)
    }

    pub(super) fn pair(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let owner = power(line)?;
        let said = Sentence::default().power(owner);
        let said = if is_on(line) {
            self.board.state.paired.insert(owner);
            said.words(" has built a SIAMESE pair.")
        } else {
            self.board.state.paired.remove(&owner);
            said.words(" has not built a SIAMESE pair yet.")
        };
        self.told(&before, said)
    }

    pub(super) fn doctors_centers(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        if power(line)? != DOCTOR {
            return refuse(
                "Only the centers of the DOCTOR are kept from one Winter to the next; OVERRULE OWNER is for all others.",
            );
        }
        let centers = number(line)?;
        self.board.state.doctors_centers = centers;
        let said = Sentence::of("The centers of ")
            .power(DOCTOR)
            .words(format!(" at the last Winter were {centers}."));
        self.told(&before, said)
    }

    pub(super) fn out(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let owner = power(line)?;
        if owner >= JESTER {
            return refuse("Only the seven powers can be out.");
        }
        let said = Sentence::default().power(owner);
        let said = if is_on(line) {
            self.board.state.out.insert(owner);
            said.words(" is out.")
        } else {
            self.board.state.out.remove(&owner);
            said.words(" is not out.")
        };
        self.told(&before, said)
    }

    pub(super) fn stand_off(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let at = location(line)?.province;
        let register = &mut self.board.state.season.register;
        let said = if is_on(line) {
            register.entry(at).or_default();
            "There was a stand-off"
        } else {
            register.remove(&at);
            "There was no stand-off"
        };
        let said = format!("{said} in {}.", self.name(at));
        self.told(&before, Sentence::of(said))
    }

    pub(super) fn shoo(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        let at = location(line)?.province;
        let shooed = &mut self.board.state.season.shooed;
        let said = if is_on(line) {
            shooed.insert(at);
            "may not end"
        } else {
            shooed.remove(&at);
            "may end"
        };
        let said = format!("BIRDS {said} in {} this season.", self.name(at));
        self.told(&before, Sentence::of(said))
    }
}

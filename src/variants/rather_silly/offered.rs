//! The lines that a seat may send in a phase, ready to be sent: what the end of its mails offers. Which are open follows from the
//! same facts as what the phase asks for (`requirements`).

use std::collections::BTreeSet;

use super::board::Board;
use super::line_text::Writing;
use super::llamas;
use super::names::Flavor;
use super::pass;
use super::phases::{HERDS, SUMMER};
use super::requirements::SentBySubject;
use super::slots;
use super::state::WHOLE;
use super::{DOCTOR, JESTER, MASTERMIND, MONSTERS, SOOTHSAYER, is_solid};
use dipjudge_game::Phase;
use dipjudge_game::project::ToldGame;
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::OfferedLine;

/// The lines that a seat may send now.
pub(super) fn lines(game: &ToldGame<'_>, seat: Power) -> Vec<OfferedLine> {
    let offers = Offers {
        flavor: Flavor::of(game.settings()),
        board: Board::as_told(game),
        seat,
        sent: game.lasting_submissions(seat),
        has_passed: pass::is_passed(&game.submissions(seat)),
    };
    match game.phase() {
        Phase::Own(name) if *name == HERDS.name => offers.herds(),
        Phase::Own(name) if *name == SUMMER.name => offers.close_of_season(),
        Phase::Adjustments => offers.close_of_season(),
        Phase::Movement => offers.moves(),
        _ => Vec::new(),
    }
}

struct Offers<'g> {
    flavor: Flavor,
    board: Board<'static>,
    seat: Power,
    sent: SentBySubject<'g>,
    has_passed: bool,
}

impl Offers<'_> {
    fn line(&self, line: String, does: &str, subject: &str) -> OfferedLine {
        OfferedLine {
            line,
            does: does.to_owned(),
            is_spent: self.sent.contains_key(subject),
        }
    }

    fn writing(&self) -> Writing<'_> {
        Writing {
            board: &self.board,
            names: self.flavor.names(),
            me: self.seat,
        }
    }

    fn pass(&self) -> OfferedLine {
        OfferedLine {
            line: "PASS".to_owned(),
            does: "The game does not wait for more from you in this phase; any other line takes it back.".to_owned(),
            is_spent: self.has_passed,
        }
    }

    fn herds(&self) -> Vec<OfferedLine> {
        if self.seat >= JESTER {
            return Vec::new();
        }
        let spaces: Vec<String> = self
            .empty_spaces()
            .take(3)
            .map(|space| self.writing().space(space))
            .collect();
        let herds = self.line(
            format!("PLACE LLAMAS {}", spaces.join(", ")),
            "Puts your three herds down, in this Winter alone: name three spaces that are no centers. Without it you have none.",
            slots::HERDS,
        );
        vec![herds, self.pass()]
    }

    fn moves(&self) -> Vec<OfferedLine> {
        let own = match self.seat {
            JESTER => self.reorder(),
            MASTERMIND => vec![self.question(), self.accept()],
            DOCTOR => vec![self.line(
                "TARDIS STAY".to_owned(),
                "Says where the TARDIS goes, once a season: TARDIS- and a space or HYPERSPACE, or WITH and an army. Without it it stays.",
                slots::TARDIS,
            )],
            SOOTHSAYER => self.predict(),
            _ => Vec::new(),
        };
        if own.is_empty() {
            own
        } else {
            own.into_iter().chain([self.pass()]).collect()
        }
    }

    fn reorder(&self) -> Vec<OfferedLine> {
        let units = self.board.position.units.iter();
        let other = units.filter(|unit| {
            unit.power != self.seat && unit.power != MONSTERS && is_solid(unit.kind)
        });
        let line = other.map(|unit| {
            let unit = self.writing().unit_in(&self.board.position, unit);
            format!("REORDER {unit} H")
        });
        let does = "Gives a unit of somebody your order in place of its owner's, once a season, twice after a right answer. \
                    Without it nothing is re-ordered.";
        line.take(1)
            .map(|line| self.line(line, does, slots::JESTS))
            .collect()
    }

    fn question(&self) -> OfferedLine {
        self.line(
            "QUESTION: What is the capital of Peru?".to_owned(),
            "Asks all others, once a season; the next line must say what is right. If you ask nothing, all others were right.",
            slots::QUESTION,
        )
    }

    fn accept(&self) -> OfferedLine {
        self.line(
            "ACCEPT: Lima".to_owned(),
            "Says what is right, below the question: also ACCEPT CONTAINS: words, or ACCEPT NUMBER: 8848 +- 1%. One line for each \
             right answer.",
            slots::QUESTION,
        )
    }

    fn predict(&self) -> Vec<OfferedLine> {
        let spaces: Vec<String> = self
            .empty_spaces()
            .take(2)
            .map(|space| self.writing().space(space))
            .collect();
        if spaces.is_empty() {
            return Vec::new();
        }
        vec![self.line(
            format!("PREDICT {}", spaces.join(", ")),
            "Foretells two spaces a season, a third after a right answer: units that meet in one of them become yours. AS ARMY or \
             AS FLEET may stand behind a space. Without it you get none.",
            slots::PREDICTIONS,
        )]
    }

    fn close_of_season(&self) -> Vec<OfferedLine> {
        let mut lines = Vec::new();
        if self.board.state.question.is_some() && self.seat != MASTERMIND {
            lines.push(self.line(
                "ANSWER: your words".to_owned(),
                "Answers the question, once; a later answer comes in place of it. Without one you are not right.",
                slots::ANSWER,
            ));
        }
        lines.push(self.line(
            "VOTE LINK Lon-Tun".to_owned(),
            "Votes for two spaces to be joined next season, once; VOTE NONE is for no link. Without a vote yours does not count.",
            slots::VOTE,
        ));
        let account = self
            .board
            .state
            .accounts
            .get(&self.seat)
            .copied()
            .unwrap_or(0);
        if account >= WHOLE {
            lines.push(self.line(
                "BUILD FREE A Par".to_owned(),
                "Builds a unit that needs no center, one for each whole one of your account. Without it the account is kept.",
                slots::FREE_BUILDS,
            ));
        }
        lines.push(self.pass());
        lines
    }

    /// Spaces without a unit in which a herd could be put, in the map's order.
    fn empty_spaces(&self) -> impl Iterator<Item = Province> + '_ {
        let spaces = self.board.map.provinces().iter().map(|info| info.code);
        let units = &self.board.position.units;
        spaces.filter(move |space| {
            llamas::objection(&self.board, &BTreeSet::new(), *space).is_none()
                && !units.iter().any(|unit| unit.at.province == *space)
        })
    }
}

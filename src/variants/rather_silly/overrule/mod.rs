//! The master's last word on what a game keeps: units with all that they are, BORG and the TARDIS, and every table of 2.2 [19].

mod tables;
mod units;

use super::board::Board;
use super::state::SillyState;
use super::{MONSTERS, retreats};
use dipjudge_game::overrule::Overruled;
use dipjudge_game::{Access, Event, Game, Refusal, Sentence, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Power, Province};

/// What HELP says of it.
pub(super) const HELP: &str = "OVERRULE PLACE FRENCH A Bur [n=2 free gay soul=2]
OVERRULE ALTER FRENCH A Bur soul=0
    In Rather Silly, for masters: a unit with all that it is.  n, soul, gay,
    siamese, free and sold say what it is, gay=off what it is not;
    owner=ENGLAND and kind=F change whose it is and what; retreats and
    barred=Par have it retreat, but not to Paris, retreats=off lets it stay.
    The square brackets may be left out.  PLACE, MOVE and REMOVE do for SEA
    MONSTERS Tun, BORG and TARDIS too, and MOVE TARDIS TO HYPERSPACE.
OVERRULE ACCOUNT FRANCE 3/2, OVERRULE LOST FRANCE 0, OVERRULE POINTS 7
OVERRULE LINK Lon-Tun, OVERRULE LINK NONE, OVERRULE BONUS JESTER ON
OVERRULE FLEETS FRANCE 4, OVERRULE PAIR FRANCE OFF, OVERRULE OUT TURKEY OFF
OVERRULE CENTRES DOCTOR 5, OVERRULE STANDOFF Bur ON, OVERRULE SHOO Bur OFF
    In Rather Silly, for masters: all else that is kept.  FLEETS are those
    built since Winter 1901; the DOCTOR's CENTRES are those of last Winter.
OVERRULE LLAMAS FRANCE ADD Gas, OVERRULE LLAMAS FRANCE DROP Gas
    In Rather Silly, for masters: where a herd is or is not.  Its owner reads
    which space it is, all others whose herd.";

/// What comes of a line that the grammar adds to OVERRULE.
pub(super) fn overrule(
    line: &Line,
    game: &Game,
    access: &Access<'_>,
) -> Result<Overruled, Refusal> {
    let mut table = Table {
        game,
        board: Board::opened(game, access),
        apart: Vec::new(),
    };
    let done = table.carry_out(line)?;
    // Who must retreat may have other places to go to now.
    retreats::note_options(&mut table.board);
    let mut events = Vec::new();
    if table.board.position != game.position {
        events.push(Event::Board {
            position: table.board.position.clone(),
        });
    }
    events.push(table.board.kept());
    Ok(Overruled {
        events,
        done,
        apart: table.apart,
    })
}

fn power(line: &Line) -> Result<Power, Refusal> {
    Ok(line.power().ok_or("A power is missing.")?)
}

/// Whose a nation says that something is.
fn nation(line: &Line) -> Option<Power> {
    let nobodys = line.has("nobody").then_some(MONSTERS);
    line.power().or(nobodys)
}

/// A whole number that is not below zero.
fn number(line: &Line) -> Result<u32, Refusal> {
    let number = line.number().and_then(|number| u32::try_from(number).ok());
    Ok(number.ok_or("This takes a whole number that is not below zero.")?)
}

fn is_on(line: &Line) -> bool {
    !line.has("no-word")
}

/// What is overruled.
struct Table<'g> {
    game: &'g Game,
    board: Board<'static>,
    /// What one power alone is told.
    apart: Vec<(Power, Sentence)>,
}

impl Table<'_> {
    fn carry_out(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        match line.rule.as_str() {
            "place-own" => self.place(line),
            "move-own" => self.set_elsewhere(line),
            "remove-own" => self.remove(line),
            "alter-own" => self.alter(line),
            "account-own" => self.account(line),
            "lost-own" => self.lost(line),
            "points-own" => self.points(line),
            "link-own" => self.link(line),
            "bonus-own" => self.bonus(line),
            "herds-own" => self.herds(line),
            "fleets-own" => self.fleets(line),
            "pair-own" => self.pair(line),
            "centers-own" => self.doctors_centers(line),
            "out-own" => self.out(line),
            "register-own" => self.stand_off(line),
            "shoo-own" => self.shoo(line),
            _ => refuse("This cannot be overruled."),
        }
    }

    fn name(&self, place: Province) -> String {
        self.board.map.full_name(place.into())
    }

    /// Says how a table stands, unless that is no change.
    fn told(&self, before: &SillyState, done: Sentence) -> Result<Sentence, Refusal> {
        if *before == self.board.state {
            refuse("It is set that way already.")
        } else {
            Ok(done)
        }
    }
}

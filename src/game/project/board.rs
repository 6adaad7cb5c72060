//! The board as one reader may see it, for a picture. What is left out of a picture is left out here and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Adjusted, Adjustment, Audience, Game, Played, Variant};
use super::board_orders::{KnownPlaces, drawn, standoffs, whole_orders};
use super::board_words::Words;
use super::export::Chronicle;
use super::own;
use super::sections::hears;
use super::sight::Visibility;
use super::sight_report::own_orders;
use super::title_case;
use dipjudge_rules::calendar::PhaseName;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::position::Unit;
use dipjudge_view::{Board, Sign, UnitOnBoard, UnitState, Viewer, Whose};

/// The board as it stands, as one reader may see it. `None` for who sees nothing of it: observers and strangers of a game
/// whose board is hidden.
pub fn board(game: &Game, variant: &dyn Variant, viewer: Viewer) -> Option<Board> {
    let title = format!(
        "{}: the board in {}",
        title_case(&game.name),
        variant.date(variant.card().turn_told(&game.phase, game.turn))
    );
    let visibility = Visibility::of(game, variant, viewer);
    let pencil = Pencil::of(game, variant, viewer, visibility)?;
    Some(pencil.standing(title))
}

/// The board as it stands with nothing left out, for whoever holds the whole position, as in a file. It has no title.
pub fn whole_board(game: &Game, variant: &dyn Variant) -> Board {
    Pencil::of_whole(game, variant).standing(String::new())
}

/// The board behind a phase with nothing left out, as [`board_of_results`] has it otherwise.
pub fn whole_results(before: &Game, game: &Game, variant: &dyn Variant, played: &Played) -> Board {
    Pencil::of_whole(game, variant).results(before, played)
}

/// The board behind the phase adjudicated last, with its orders and what came of them, as `results` tells them: all of them,
/// or where the board is hidden from the reader his own with the marks of his report. `before` is the game when the phase
/// was adjudicated, `game` as it stands now. `None` for who sees nothing of the board.
pub fn board_of_results(
    before: &Game,
    game: &Game,
    variant: &dyn Variant,
    played: &Played,
    viewer: Viewer,
) -> Option<Board> {
    let visibility = Visibility::of(game, variant, viewer);
    if let (true, Viewer::Power(power)) = (visibility.is_bounded(), viewer)
        && !variant.in_play(before, power)
    {
        return None;
    }
    let pencil = Pencil::of(game, variant, viewer, visibility)?;
    Some(pencil.results(before, played))
}

/// The board behind a phase of a game's story, or as it stands where that phase is in hand. Once the game is over nothing of
/// its past is hidden. `None` where there was no such phase, or the reader sees nothing of it.
pub fn board_of_phase(
    chronicle: &Chronicle,
    variant: &dyn Variant,
    viewer: Viewer,
    phase: PhaseName,
) -> Option<Board> {
    let now = chronicle.now();
    match chronicle.phase(variant, phase) {
        Some((before, played, after)) if now.over() => {
            let pencil = Pencil {
                words: Words::of(now, variant, viewer),
                ended: true,
                ..Pencil::of(after, variant, viewer, Visibility::whole())?
            };
            Some(pencil.results(before, played))
        }
        Some((before, played, after)) => board_of_results(before, after, variant, played, viewer),
        None if now.begun() && now.phase_name(variant) == phase => board(now, variant, viewer),
        None => None,
    }
}

/// The board behind a phase of a game's story as the reader saw it then, although the game may be over by now. `None` where
/// there was no such phase, or he saw nothing of it.
pub fn board_as_seen(
    chronicle: &Chronicle,
    variant: &dyn Variant,
    viewer: Viewer,
    phase: PhaseName,
) -> Option<Board> {
    let (before, played, after) = chronicle.phase(variant, phase)?;
    board_of_results(before, after, variant, played, viewer)
}

/// Draws for one reader.
struct Pencil<'g> {
    game: &'g Game,
    variant: &'g dyn Variant,
    /// None: whoever holds the whole position.
    viewer: Option<Viewer>,
    visibility: Visibility,
    words: Words,
    /// The game is over by now, so nothing is hidden any more.
    ended: bool,
}

impl<'g> Pencil<'g> {
    fn of(
        game: &'g Game,
        variant: &'g dyn Variant,
        viewer: Viewer,
        visibility: Visibility,
    ) -> Option<Pencil<'g>> {
        let sees_some = !visibility.is_bounded() || matches!(viewer, Viewer::Power(_));
        sees_some.then(|| Pencil {
            game,
            variant,
            viewer: Some(viewer),
            visibility,
            words: Words::of(game, variant, viewer),
            ended: false,
        })
    }

    fn of_whole(game: &'g Game, variant: &'g dyn Variant) -> Pencil<'g> {
        Pencil {
            game,
            variant,
            viewer: None,
            visibility: Visibility::whole(),
            words: Words::of_whole(game),
            ended: false,
        }
    }

    fn is_own(&self, power: Power) -> bool {
        self.viewer == Some(Viewer::Power(power))
    }

    /// Whether the reader may know what becomes of a power's units beyond what stands in sight.
    fn sees_affairs_of(&self, power: Power) -> bool {
        !self.visibility.is_bounded() || self.is_own(power)
    }

    fn unit(&self, unit: &Unit, state: UnitState) -> UnitOnBoard {
        let kind = self.game.map().kind(unit.kind);
        UnitOnBoard {
            kind: kind.map_or(unit.kind, |info| info.code()),
            whose: self.words.whose(unit.power),
            at: unit.at,
            state,
        }
    }

    fn standing(&self, title: String) -> Board {
        Board {
            map: self.game.map(),
            drawing: self.variant.card().drawing,
            title,
            powers: self.words.powers.clone(),
            in_sight: self.visibility.provinces().cloned(),
            owners: self.owners(),
            units: self.units(&[]),
            orders: Vec::new(),
            standoffs: BTreeSet::new(),
            signs: self.signs(),
        }
    }

    fn results(&self, before: &Game, played: &Played) -> Board {
        let title = format!(
            "{}: {} for {}",
            title_case(&self.game.name),
            played.phase.title(),
            self.variant
                .date(self.variant.card().turn_told(&played.phase, played.turn))
        );
        let known = KnownPlaces {
            before,
            now: self.game,
            then: match (self.visibility.is_bounded(), self.viewer) {
                (true, Some(viewer)) => Visibility::of(before, self.variant, viewer),
                _ => Visibility::whole(),
            },
            words: &self.words,
        };
        let bounded = self.visibility.is_bounded();
        let told = match self.viewer {
            Some(Viewer::Power(power)) if bounded => {
                own_orders(before, self.game, self.variant, played, power)
            }
            _ => whole_orders(played),
        };
        let mut board = self.standing(title);
        board.orders = drawn(&known, &told);
        if !bounded {
            board.standoffs = standoffs(&told, &played.position);
        }
        board.units = self.units(&played.adjusted);
        board.units.extend(self.gone(before, played));
        board
    }

    fn owners(&self) -> BTreeMap<Province, Whose> {
        let owners = self.game.position.owners.iter();
        owners
            .filter(|(center, owner)| self.is_own(**owner) || self.visibility.watches(**center))
            .map(|(center, owner)| (*center, self.words.whose(*owner)))
            .collect()
    }

    /// Units that stand or must retreat; of those that were built it is told of whom the reader may know it.
    fn units(&self, adjusted: &[Adjusted]) -> Vec<UnitOnBoard> {
        let position = &self.game.position;
        let built = |unit: &Unit| {
            let built =
                |one: &Adjusted| matches!(&one.what, Adjustment::Built(new) if new.id == unit.id);
            self.sees_affairs_of(unit.power) && adjusted.iter().any(built)
        };
        let standing = position.units.iter().map(|unit| match built(unit) {
            true => (unit, UnitState::Built),
            false => (unit, UnitState::Stands),
        });
        let dislodged = position.dislodged.iter();
        let dislodged = dislodged.map(|one| (&one.unit, UnitState::Dislodged));
        standing
            .chain(dislodged)
            .filter(|(unit, _)| self.visibility.sees(unit))
            .map(|(unit, state)| self.unit(unit, state))
            .collect()
    }

    /// Units that the phase has taken off the board: removed, destroyed, disbanded.
    fn gone(&self, before: &Game, played: &Played) -> Vec<UnitOnBoard> {
        let removed = played.adjusted.iter().filter_map(|one| match &one.what {
            Adjustment::Removed(unit) | Adjustment::Defaulted(unit) => {
                Some((unit, UnitState::Gone))
            }
            _ => None,
        });
        let destroyed = played.destroyed.iter();
        let destroyed = destroyed.map(|unit| (unit, UnitState::GoneWhenDislodged));
        // A unit that was built meanwhile may bear the number of one that is gone; of whose it tells nothing.
        let is_left = |unit: &Unit| {
            let now = self.game.position.unit(unit.id);
            now.is_some_and(|now| now.power == unit.power && now.kind == unit.kind)
        };
        let disbanded = before.position.dislodged.iter().map(|one| &one.unit);
        let disbanded = disbanded.filter(|unit| !is_left(unit));
        let disbanded = disbanded.map(|unit| (unit, UnitState::GoneWhenDislodged));
        let destroyed = destroyed.chain(disbanded);
        removed
            .chain(destroyed)
            .filter(|(unit, _)| self.sees_affairs_of(unit.power))
            .map(|(unit, state)| self.unit(unit, state))
            .collect()
    }

    fn signs(&self) -> Vec<Sign> {
        let access = match self.ended {
            true => own::access_after_the_end(self.game, self.variant),
            false => own::access(self.game, self.variant, self.viewer),
        };
        let all = self.variant.signs(self.game, &access).into_iter();
        let hears = |audience: &Audience| match self.viewer {
            Some(viewer) if !self.ended => hears(self.game, self.variant, viewer, audience),
            _ => true,
        };
        all.filter(|sign| self.visibility.watches(sign.at) && hears(&sign.audience))
            .map(|sign| Sign {
                at: sign.at,
                look: sign.look,
                text: sign.text,
                meaning: sign.meaning,
                whose: sign
                    .power
                    .map_or(Whose::NOBODY, |power| self.words.whose(power)),
            })
            .collect()
    }
}

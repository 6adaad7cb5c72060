//! The board as one reader may see it, for a picture. Only this module decides what is left out of a picture.

use std::collections::{BTreeMap, BTreeSet};

use super::board_orders::{KnownPlaces, drawn, standoffs, whole_orders};
use super::board_words::Words;
use super::export::PlayedPhase;
use super::{ChronicleView, GameView, Visibility, title_case};
use crate::planted::{Leak, planted};
use crate::{Adjusted, Adjustment, Audience, Game, Played, VariantGame};
use dipjudge_rules::calendar::{PhaseKind, PhaseName};
use dipjudge_rules::map::{Location, Power, Province};
use dipjudge_rules::position::Unit;
use dipjudge_view::{Board, OpenFor, OpenPlace, Owner, Sign, UnitOnBoard, UnitState, Viewer};

impl GameView<'_> {
    /// The board as it stands, as one reader may see it. `None` for a reader who sees nothing of it: observers and strangers of
    /// a game with a hidden board.
    pub fn board(self) -> Option<Board> {
        let title = format!(
            "{}: the board in {}",
            title_case(&self.game.name),
            self.variant.date(
                self.variant
                    .card()
                    .turn_told(&self.game.phase, self.game.turn)
            )
        );
        let visibility = self.visibility();
        let pencil = Pencil::of(self, visibility)?;
        Some(pencil.standing(title))
    }

    /// The board after the phase adjudicated last, with its orders and their results, to the same extent as `results`: all of
    /// them, or, where the board is hidden from the reader, his own with the marks of his report. `before` is the game when the
    /// phase was adjudicated, `game` the present one. `None` for a reader who sees nothing of the board.
    pub fn board_of_results(self, before: &Game, played: &Played) -> Option<Board> {
        let visibility = self.visibility();
        if let (true, Viewer::Power(power)) = (visibility.is_bounded(), self.viewer)
            && !self.variant.in_play(before, power)
        {
            return None;
        }
        let pencil = Pencil::of(self, visibility)?;
        Some(pencil.results(before, played))
    }
}

impl GameView<'_> {
    /// The map of another power that was given to this reader: what that one saw at that moment, and nothing else, in the words of
    /// the reader. Owners whom he may not address are marked.
    pub fn board_given(self, of: Power, then: &Game) -> Option<Board> {
        let giver = self.at(then).variant_game().seen_by(Viewer::Power(of));
        let date = self
            .variant
            .date(self.variant.card().turn_told(&then.phase, then.turn));
        let title = format!(
            "{}: the map of {} in {date}",
            title_case(&self.game.name),
            self.labels().name(of),
        );
        let pencil = Pencil {
            words: Words::of_given(self),
            ..Pencil::of(giver, giver.visibility())?
        };
        Some(Board {
            open: BTreeSet::new(),
            signs: Vec::new(),
            ..pencil.standing(title)
        })
    }
}

impl GameView<'_> {
    /// A board that this reader may see, cut to the surroundings of what is his own there. A reader without a power keeps the whole.
    pub fn near(self, board: Board) -> Board {
        let Viewer::Power(power) = self.viewer else {
            return board;
        };
        let own = Words::of(self).whose(power);
        Board {
            near: own.0.map(|_| own),
            ..board
        }
    }
}

impl VariantGame<'_> {
    /// The whole board as it stands, for a caller who holds the whole position, as in a file. It has no title.
    pub fn whole_board(self) -> Board {
        Pencil::of_whole(self).standing(String::new())
    }

    /// The whole board after a phase, where [`GameView::board_of_results`] shows only a part.
    pub fn whole_results(self, before: &Game, played: &Played) -> Board {
        Pencil::of_whole(self).results(before, played)
    }
}

impl ChronicleView<'_> {
    /// The board after a phase, or the present board if that phase is in hand. Once the game is over, nothing of its past is
    /// hidden. `None` if there was no such phase, or the viewer sees nothing of it.
    pub fn board_of_phase(self, phase: PhaseName) -> Option<Board> {
        let now = self.of(self.chronicle.now());
        match self.phase(phase) {
            Some(PlayedPhase {
                before,
                played,
                after,
            }) if now.game.over() => {
                let pencil = Pencil {
                    words: Words::of(now),
                    ended: true,
                    ..Pencil::of(self.of(after), Visibility::whole())?
                };
                Some(pencil.results(before, played))
            }
            Some(PlayedPhase {
                before,
                played,
                after,
            }) if planted(Leak::Hindsight) => {
                let pencil = Pencil::of(self.of(after), now.visibility())?;
                Some(pencil.results(before, played))
            }
            Some(PlayedPhase {
                before,
                played,
                after,
            }) => self.of(after).board_of_results(before, played),
            None if now.game.begun() && now.game.phase_name(now.variant) == phase => now.board(),
            None => None,
        }
    }

    /// The last map that another power has given to the viewer. `None` if there is none.
    pub fn board_given_by(self, of: Power) -> Option<Board> {
        let Viewer::Power(to) = self.of(self.chronicle.now()).viewer else {
            return None;
        };
        let given = self.chronicle.last_given(to, of)?;
        self.of(self.chronicle.now()).board_given(of, &given.then)
    }

    /// The board after a phase as the viewer saw it then, even if the game is over now. `None` if there was no such phase, or he
    /// saw nothing of it.
    pub fn board_as_seen(self, phase: PhaseName) -> Option<Board> {
        let PlayedPhase {
            before,
            played,
            after,
        } = self.phase(phase)?;
        self.of(after).board_of_results(before, played)
    }
}

/// Draws for one reader.
pub(super) struct Pencil<'g> {
    /// The game that is drawn.
    pub(super) shown: VariantGame<'g>,
    /// The reader; `None` if the caller holds the whole position.
    viewer: Option<Viewer>,
    visibility: Visibility,
    pub(super) words: Words,
    /// Whether the game is over now, so that nothing is hidden any more.
    ended: bool,
}

impl<'g> Pencil<'g> {
    pub(super) fn of(view: GameView<'g>, visibility: Visibility) -> Option<Pencil<'g>> {
        let sees_some = !visibility.is_bounded() || matches!(view.viewer, Viewer::Power(_));
        sees_some.then(|| Pencil {
            shown: view.variant_game(),
            viewer: Some(view.viewer),
            visibility,
            words: Words::of(view),
            ended: false,
        })
    }

    fn of_whole(shown: VariantGame<'g>) -> Pencil<'g> {
        Pencil {
            shown,
            viewer: None,
            visibility: Visibility::whole(),
            words: Words::of_whole(shown.game),
            ended: false,
        }
    }

    fn is_own(&self, power: Power) -> bool {
        self.viewer == Some(Viewer::Power(power))
    }

    /// Whether the reader may know what happens to a power's units beyond what stands in sight.
    fn sees_affairs_of(&self, power: Power) -> bool {
        !self.visibility.is_bounded() || self.is_own(power)
    }

    pub(super) fn unit(&self, unit: &Unit, state: UnitState) -> UnitOnBoard {
        let kind = self.shown.game.map().kind(unit.kind);
        UnitOnBoard {
            kind: kind.map_or(unit.kind, |info| info.code()),
            whose: self.words.whose(unit.power),
            at: unit.at,
            state,
        }
    }

    pub(super) fn standing(&self, title: String) -> Board {
        Board {
            map: self.shown.game.map(),
            drawing: self.shown.variant.card().drawing,
            title,
            powers: self.words.powers.clone(),
            in_sight: self.visibility.provinces().cloned(),
            owners: self.owners(),
            units: self.units(&[]),
            orders: Vec::new(),
            standoffs: BTreeSet::new(),
            open: self.open(),
            signs: self.signs(),
            near: None,
        }
    }

    pub(super) fn results(&self, before: &Game, played: &Played) -> Board {
        let title = format!(
            "{}: {} for {}",
            title_case(&self.shown.game.name),
            played.phase.title(),
            self.shown.variant.date(
                self.shown
                    .variant
                    .card()
                    .turn_told(&played.phase, played.turn)
            )
        );
        let known = KnownPlaces {
            before,
            now: self.shown.game,
            then: match (self.visibility.is_bounded(), self.viewer) {
                (true, Some(viewer)) => VariantGame::new(before, self.shown.variant)
                    .seen_by(viewer)
                    .visibility(),
                _ => Visibility::whole(),
            },
            words: &self.words,
        };
        let bounded = self.visibility.is_bounded();
        let told = match self.viewer {
            Some(Viewer::Power(power)) if bounded => {
                self.shown.own_orders_of(before, played, power)
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

    fn owners(&self) -> BTreeMap<Province, Owner> {
        let owners = self.shown.game.position.owners.iter();
        owners
            .filter(|(center, owner)| self.is_own(**owner) || self.visibility.watches(**center))
            .map(|(center, owner)| (*center, self.words.whose(*owner)))
            .collect()
    }

    /// Units that stand or must retreat. A unit that was built is marked as new only if the reader may know it of its power.
    fn units(&self, adjusted: &[Adjusted]) -> Vec<UnitOnBoard> {
        let position = &self.shown.game.position;
        let built = |unit: &Unit| {
            let built =
                |one: &Adjusted| matches!(&one.what, Adjustment::Built(new) if new.id == unit.id);
            self.sees_affairs_of(unit.power) && adjusted.iter().any(built)
        };
        let standing = position.units.iter().map(|unit| {
            if built(unit) {
                (unit, UnitState::Built)
            } else {
                (unit, UnitState::Stands)
            }
        });
        let dislodged = position.dislodged.iter();
        let dislodged = dislodged.map(|one| (&one.unit, UnitState::Dislodged));
        standing
            .chain(dislodged)
            .filter(|(unit, _)| self.visibility.sees(unit))
            .map(|(unit, state)| self.unit(unit, state))
            .collect()
    }

    /// Units that the phase has removed from the board: removed, destroyed or disbanded.
    fn gone(&self, before: &Game, played: &Played) -> Vec<UnitOnBoard> {
        let removed = played.adjusted.iter().filter_map(|one| match &one.what {
            Adjustment::Removed(unit) | Adjustment::Defaulted(unit) => {
                Some((unit, UnitState::Gone))
            }
            _ => None,
        });
        let destroyed = played.destroyed.iter();
        let destroyed = destroyed.map(|unit| (unit, UnitState::GoneWhenDislodged));
        // A unit that was built meanwhile may have reused the number of a unit that is gone.
        let is_left = |unit: &Unit| {
            let now = self.shown.game.position.unit(unit.id);
            now.is_some_and(|now| now.power == unit.power && now.kind == unit.kind)
        };
        let disbanded = before.position.dislodged.iter().map(|one| &one.unit);
        let disbanded = disbanded.filter(|unit| !is_left(unit));
        let disbanded = disbanded.map(|unit| (unit, UnitState::GoneWhenDislodged));
        let destroyed = destroyed.chain(disbanded);
        removed
            .chain(destroyed)
            .filter(|(unit, state)| {
                let dislodged = *state == UnitState::GoneWhenDislodged;
                self.sees_affairs_of(unit.power) || dislodged && planted(Leak::Wreck)
            })
            .map(|(unit, state)| self.unit(unit, state))
            .collect()
    }

    /// Where dislodged units can retreat and powers can build. Where the board is hidden, a reader knows it of his own power alone,
    /// and nothing of places out of sight.
    fn open(&self) -> BTreeSet<OpenPlace> {
        let game = self.shown.game;
        match game.phase.phase_kind() {
            _ if game.over() => BTreeSet::new(),
            Some(PhaseKind::Retreats) => {
                let dislodged = game.position.dislodged.iter();
                let known = dislodged.filter(|one| self.sees_affairs_of(one.unit.power));
                let options = known.flat_map(|one| &one.options);
                options
                    .map(|at| OpenPlace {
                        at: *at,
                        purpose: OpenFor::Retreat,
                    })
                    .collect()
            }
            Some(PhaseKind::Adjustments) => {
                let allowances = self.shown.allowances();
                let powers = allowances.powers.iter().filter(|(power, allowance)| {
                    self.sees_affairs_of(**power) && allowance.counts().builds > 0
                });
                let sites = powers.flat_map(|(_, allowance)| allowance.sites.iter().copied());
                let seen = sites.filter(|site| self.visibility.watches(*site));
                seen.map(|site| OpenPlace {
                    at: Location::from(site),
                    purpose: OpenFor::Build,
                })
                .collect()
            }
            _ => BTreeSet::new(),
        }
    }

    fn signs(&self) -> Vec<Sign> {
        let access = if self.ended {
            self.shown.access_after_the_end()
        } else {
            self.shown.access_of(self.viewer)
        };
        let all = self
            .shown
            .variant
            .signs(&self.shown.told_by(access))
            .into_iter();
        let hears = |audience: &Audience| match self.viewer {
            Some(viewer) if !self.ended => self.shown.seen_by(viewer).hears(audience),
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
                    .map_or(Owner::NOBODY, |power| self.words.whose(power)),
            })
            .collect()
    }
}

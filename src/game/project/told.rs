//! What the hooks of a variant that tell something are handed in place of the game.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::GameView;
use crate::{Access, Game, KeepsState, Past, Phase, Role, Settings, SubmissionKind, VariantGame};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, Province};
use dipjudge_rules::orders::VariantData;
use dipjudge_rules::position::{Position, Unit};
use dipjudge_view::{OfferedLine, Viewer};

/// A game as far as it may be told to one reader: what is public in it, the part of the board that the reader sees, and the part
/// of the variant's state and of submissions that is open to him. Where nobody reads (a saved game that is given back to whoever
/// holds the whole position), all of it.
///
/// Orders, votes, addresses, the seed and sealed submissions are not in it:
///
/// ```
/// use dipjudge_game::project::ToldGame;
///
/// fn year(game: &ToldGame<'_>) -> i32 {
///     game.turn().year
/// }
/// ```
///
/// ```compile_fail
/// use dipjudge_game::project::ToldGame;
///
/// fn orders(game: &ToldGame<'_>) -> usize {
///     game.standings.len()
/// }
/// ```
///
/// ```compile_fail
/// use dipjudge_game::project::ToldGame;
///
/// fn whole(game: &ToldGame<'_>) -> &dipjudge_game::Game {
///     game.game
/// }
/// ```
///
/// A report is made of it alone:
///
/// ```
/// # use dipjudge_game::{Card, Course, Described, Game, Hidden, Section, Views, project::ToldGame};
/// struct Spies;
/// # impl Described for Spies { fn card(&self) -> &'static Card { &Card::PLAIN } }
/// # impl Course for Spies {}
///
/// impl Views for Spies {
///     fn hides(&self, _: &Game) -> &'static [Hidden] {
///         &[]
///     }
///
///     fn report(&self, _: &ToldGame<'_>) -> Vec<Section> {
///         Vec::new()
///     }
/// }
/// ```
///
/// ```compile_fail
/// # use dipjudge_game::{Card, Course, Described, Game, Hidden, Section, Views, project::ToldGame};
/// struct Spies;
/// # impl Described for Spies { fn card(&self) -> &'static Card { &Card::PLAIN } }
/// # impl Course for Spies {}
///
/// impl Views for Spies {
///     fn hides(&self, _: &Game) -> &'static [Hidden] {
///         &[]
///     }
///
///     fn report(&self, _: &Game) -> Vec<Section> {
///         Vec::new()
///     }
/// }
/// ```
///
/// and a variant that does not say what it hides is none:
///
/// ```compile_fail
/// # use dipjudge_game::{Card, Course, Described, Views};
/// # struct Spies;
/// # impl Described for Spies { fn card(&self) -> &'static Card { &Card::PLAIN } }
/// # impl Course for Spies {}
/// impl Views for Spies {}
/// ```
#[derive(Clone, Copy)]
pub struct ToldGame<'g> {
    game: &'g Game,
    access: Access<'g>,
}

/// The phase that was adjudicated last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastPhase<'g> {
    /// Its turn.
    pub turn: Turn,
    /// The phase.
    pub phase: &'g Phase,
    /// How many phases had been adjudicated with it.
    pub number: u32,
}

impl<'g> VariantGame<'g> {
    /// The game as far as this opens it.
    pub(crate) fn told_by(self, access: Access<'g>) -> ToldGame<'g> {
        ToldGame {
            game: self.game,
            access,
        }
    }
}

impl<'g> GameView<'g> {
    /// The game as far as it may be told to this reader.
    pub(super) fn told(self) -> ToldGame<'g> {
        self.variant_game().told_by(self.access())
    }

    /// The lines of the variant's own that a power may send now.
    pub fn offered_lines(self, power: Power) -> Vec<OfferedLine> {
        self.variant.offered_lines(&self.told(), power)
    }
}

impl<'g> ToldGame<'g> {
    /// The reader; `None` for a caller who holds the whole position.
    pub fn reader(&self) -> Option<Viewer> {
        self.access.reader()
    }

    /// What opens sealed values to the reader.
    pub fn access(&self) -> &Access<'g> {
        &self.access
    }

    /// The map it is played on.
    pub fn map(&self) -> &'static Map {
        self.game.map()
    }

    /// What the master set.
    pub fn settings(&self) -> &'g Settings {
        &self.game.settings
    }

    /// The turn in hand.
    pub fn turn(&self) -> Turn {
        self.game.turn
    }

    /// The phase in hand.
    pub fn phase(&self) -> &'g Phase {
        &self.game.phase
    }

    /// How many phases were adjudicated.
    pub fn number(&self) -> u32 {
        self.game.number
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        self.game.over()
    }

    /// The phase that was adjudicated last.
    pub fn played(&self) -> Option<LastPhase<'g>> {
        self.game.last.as_ref().map(|played| LastPhase {
            turn: played.turn,
            phase: &played.phase,
            number: played.number,
        })
    }

    /// The powers that the reader may know of, in the order of the roster.
    pub fn known_powers(&self) -> Vec<Power> {
        match self.view() {
            Some(view) => view.known_powers(),
            None => self.game.all_powers().collect(),
        }
    }

    /// The powers that still take part; where the reader does not see the whole board, only his own.
    pub fn in_play(&self) -> Vec<Power> {
        let bounded = self.is_bounded();
        let told = |power: &Power| !bounded || self.reader() == Some(Viewer::Power(*power));
        let powers = self.game.all_powers().filter(told);
        powers
            .filter(|power| self.access.variant().in_play(self.game, *power))
            .collect()
    }

    /// Units, dislodged units and owners, as far as the reader sees them.
    pub fn position(&self) -> Cow<'g, Position> {
        match self.view() {
            Some(view) => view.seen_position(),
            None => Cow::Borrowed(&self.game.position),
        }
    }

    /// The variant's own state, as far as it is open to the reader.
    pub fn state<V: KeepsState>(&self, variant: &V) -> V::State {
        variant.opened(self.game.state::<V>(), &self.access)
    }

    /// The variant's own state when the last phase was adjudicated, as far as it is open to the reader.
    pub fn state_before<V: KeepsState>(&self, variant: &V) -> V::State {
        let past = self.game.past.last();
        let past = past.filter(|past| past.number == self.game.number);
        let state = past.map_or_else(V::State::default, |past| Past::state::<V>(past));
        variant.opened(state, &self.access)
    }

    /// Whether a unit of the reader's own has an order.
    pub fn is_ordered(&self, unit: &Unit) -> bool {
        let own = self.access.reader() == Some(Viewer::Power(unit.power));
        let orders = &self.game.standing(unit.power).orders;
        own && orders.units.contains_key(&unit.id)
    }

    /// Whether a power's submissions of a kind are open to the reader.
    pub fn opens(&self, kind: &SubmissionKind, owner: Power) -> bool {
        self.access.opens(kind, owner)
    }

    /// A power's submissions for the phase in hand, as far as they are open to the reader.
    pub fn submissions(&self, power: Power) -> BTreeMap<&'g str, &'g VariantData> {
        self.game.submissions(power, &self.access)
    }

    /// A power's lasting submissions, as far as they are open to the reader.
    pub fn lasting_submissions(&self, power: Power) -> BTreeMap<&'g str, &'g VariantData> {
        self.game.lasting_submissions(power, &self.access)
    }

    /// The centers of a power, each with the number of years in a row at whose ends it has held it; where the reader does not see
    /// the whole board, only of his own.
    pub fn holdings(&self, power: Power) -> BTreeMap<Province, usize> {
        if self.is_bounded() && self.reader() != Some(Viewer::Power(power)) {
            return BTreeMap::new();
        }
        self.game.holdings(power)
    }

    /// What those who have signed on bring along, in order of sign-on; nothing where it is hidden who exists.
    pub fn brought(&self) -> Vec<&'g VariantData> {
        if self.view().is_some_and(GameView::hides_existence) {
            return Vec::new();
        }
        let seats = self.game.seated(Role::Player);
        seats.map(|seat| &seat.brings).collect()
    }

    /// A power's name in data, as the reader calls it; where nobody reads, its key.
    pub fn key(&self, power: Power) -> String {
        match self.view() {
            Some(view) if self.access.variant().own_labels().is_some() => {
                view.labels().key(power).to_owned()
            }
            _ => self.game.key(power).to_owned(),
        }
    }

    /// A power's name, as the reader calls it; where nobody reads, its key.
    pub fn name(&self, power: Power) -> String {
        match self.view() {
            Some(view) => view.labels().name(power).to_owned(),
            None => self.game.key(power).to_owned(),
        }
    }

    /// The powers that the reader has labels for; all of them where nobody reads.
    pub fn labelled(&self) -> Vec<Power> {
        match self.view() {
            Some(view) => view.labels().known().collect(),
            None => self.game.all_powers().collect(),
        }
    }

    fn is_bounded(&self) -> bool {
        let view = self.view();
        view.is_some_and(|view| view.visibility().is_bounded())
    }

    fn view(&self) -> Option<GameView<'g>> {
        let game = VariantGame::new(self.game, self.access.variant());
        self.reader().map(|reader| game.seen_by(reader))
    }
}

impl AsRef<Settings> for ToldGame<'_> {
    fn as_ref(&self) -> &Settings {
        self.settings()
    }
}

//! Readers, and the views through which all information about a game leaves. No view gives access to the game itself.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::{Game, Role, Seat, Variant, VariantGame, flows};
use dipjudge_rules::map::Power;
use dipjudge_view::{Moment, Viewer};

/// What one viewer may know of a game: boards, labels, and which powers exist.
#[derive(Clone, Copy)]
pub struct GameView<'g> {
    pub(super) game: &'g Game,
    pub(super) variant: &'g dyn Variant,
    pub(super) viewer: Viewer,
}

/// What one reader may know of a game: mails and lists, with dates in his zone and persons as far as he may know them.
#[derive(Clone, Copy)]
pub struct ReaderView<'g> {
    pub(super) game: &'g Game,
    pub(super) variant: &'g dyn Variant,
    pub(super) reader: &'g Reader,
}

impl<'g> VariantGame<'g> {
    /// What a viewer may know of the game.
    pub fn seen_by(self, viewer: Viewer) -> GameView<'g> {
        flows::read_as(viewer);
        GameView {
            game: self.game,
            variant: self.variant,
            viewer,
        }
    }

    /// What a reader may know of the game.
    pub fn read_by(self, reader: &'g Reader) -> ReaderView<'g> {
        flows::read_as(reader.viewer);
        ReaderView {
            game: self.game,
            variant: self.variant,
            reader,
        }
    }
}

impl<'g> GameView<'g> {
    /// The same viewer's knowledge of the game at another moment.
    pub(super) fn at<'m>(self, game: &'m Game) -> GameView<'m>
    where
        'g: 'm,
    {
        GameView { game, ..self }
    }

    pub(super) fn variant_game(self) -> VariantGame<'g> {
        VariantGame::new(self.game, self.variant)
    }
}

impl<'g> ReaderView<'g> {
    pub(super) fn variant_game(self) -> VariantGame<'g> {
        VariantGame::new(self.game, self.variant)
    }

    /// What is known to every reader of this class.
    pub(super) fn view(self) -> GameView<'g> {
        self.variant_game().seen_by(self.reader.viewer)
    }
}

/// The reader of a projection: the class, and the zone for dates.
#[derive(Clone, Debug, PartialEq)]
pub struct Reader {
    /// A power's leader, a master, an observer or a stranger.
    pub viewer: Viewer,
    /// The zone for dates.
    pub zone: TimeZone,
    /// Whether a reader of a power's view leads it now, rather than possibly later.
    pub leads_now: bool,
    /// Whether he reads people's names but no addresses.
    pub by_name: bool,
}

impl Reader {
    /// The reader at a seat. A player of several powers reads as each of them in turn.
    pub fn of(game: &Game, seat: &Seat, power: Option<Power>) -> Reader {
        let viewer = match (seat.role, power) {
            (Role::Master, _) => Viewer::Master,
            (Role::Player, Some(power)) => Viewer::Power(power),
            _ => Viewer::Observer,
        };
        Reader {
            viewer,
            zone: game.zone_of(Some(seat)),
            leads_now: true,
            by_name: false,
        }
    }

    /// A future leader of a power. What is kept for him belongs to the power and reveals nothing about a person.
    pub fn later_leader(game: &Game, power: Power) -> Reader {
        Reader {
            viewer: Viewer::Power(power),
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// A master, in the game's own zone.
    pub fn any_master(game: &Game) -> Reader {
        Reader {
            viewer: Viewer::Master,
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// Somebody who is not in the game.
    pub fn stranger(game: &Game) -> Reader {
        Reader {
            viewer: Viewer::Stranger,
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// An observer of the game.
    pub fn observer(game: &Game) -> Reader {
        Reader {
            viewer: Viewer::Observer,
            zone: game.zone(),
            leads_now: false,
            by_name: false,
        }
    }

    /// The same reader, who reads names and no addresses.
    pub fn by_name(self) -> Reader {
        Reader {
            by_name: true,
            ..self
        }
    }

    /// Whether this reader reads addresses, as LIST prints them. Strangers read only names, since anybody may ask.
    pub fn reads_addresses(&self) -> bool {
        !self.by_name && self.viewer != Viewer::Stranger
    }

    /// A moment in this reader's zone.
    pub fn moment(&self, at: Timestamp) -> Moment {
        Moment::new(at, &self.zone)
    }
}

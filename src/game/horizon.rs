//! What a reader of a game has in sight, by one rule for each game (`visibility.md` 4): the variant's own or the fog of BLIND.

use super::{Course, Game, Horizon, State, VariantGame};
use dipjudge_rules::map::{Power, Province, ProvinceSet};

impl VariantGame<'_> {
    /// Whether parts of the game's board are hidden from some of its readers at the moment. Nothing is hidden once the game is
    /// over.
    pub fn hides_board(self) -> bool {
        let over = matches!(self.game.state, State::Over(_));
        !over && (self.game.settings.blind || self.variant.hides_board(self.game))
    }
}

/// The fog of a BLIND game, and of variants that use the same rule: the provinces of units and centers that give sight, and all
/// provinces that touch them on any coast. A dislodged unit sees from its old province; fallen powers see nothing
/// (`visibility.md` 2).
pub fn fog<V: Course + ?Sized>(game: &Game, variant: &V, power: Power) -> Horizon {
    let from = game.settings.sight;
    let map = game.map();
    let mut watched = ProvinceSet::EMPTY;
    let mut watch = |at: Province| {
        if let Some(number) = map.number(at) {
            watched.add(number);
        }
    };
    if !variant.in_play(game, power) {
        return Horizon::default();
    }
    if from.units {
        let own = game.position.units_of(power);
        own.for_each(|unit| watch(unit.at.province));
    }
    if from.centers {
        game.position.centers_of(power).for_each(&mut watch);
    }
    if from.homes {
        homes(game, variant, power).into_iter().for_each(watch);
    }
    let near = watched.iter().map(|number| map.neighbors_of_number(number));
    let seen = near.fold(watched, ProvinceSet::union);
    let code = |number: u8| {
        map.provinces()
            .get(usize::from(number))
            .map(|info| info.code)
    };
    Horizon {
        provinces: seen.iter().filter_map(code).collect(),
        ..Horizon::default()
    }
}

/// The homes of a power: those that the variant defines, otherwise those of the map's power of that name.
pub fn homes<V: Course + ?Sized>(game: &Game, variant: &V, power: Power) -> Vec<Province> {
    if let Some(own) = variant.homes(game, power) {
        return own;
    }
    let map = game.map();
    let mut powers = (0..).map(Power).zip(map.powers());
    let fixed = powers.find(|(_, info)| info.key == game.key(power));
    fixed.map_or_else(Vec::new, |(fixed, _)| map.homes(fixed).to_vec())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Plain, created};
    use super::super::{Ending, Event, GameEdit, SightFrom};
    use super::*;
    use dipjudge_rules::map::{Location, UnitKind};
    use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};
    use dipjudge_view::Viewer;

    const AUSTRIA: Power = Power(0);
    const TURKEY: Power = Power(6);

    fn province(code: &str) -> Province {
        dipjudge_rules::map::Map::standard()
            .find_province(code)
            .unwrap()
    }

    fn unit(id: u32, power: Power, kind: UnitKind, at: &str) -> Unit {
        Unit {
            id: UnitId(id),
            power,
            kind,
            at: Location::from(province(at)),
        }
    }

    /// A BLIND standard game in which Austria has an army in Vienna and owns Trieste, and Turkey has a fleet in Ankara.
    fn blind() -> Game {
        let mut game = created("fog");
        game.settings.blind = true;
        game.state = State::Running;
        game.position = Position {
            units: vec![
                unit(1, AUSTRIA, UnitKind::ARMY, "vie"),
                unit(2, TURKEY, UnitKind::FLEET, "ank"),
            ],
            dislodged: Vec::new(),
            owners: [(province("tri"), AUSTRIA), (province("ank"), TURKEY)].into(),
        };
        game
    }

    fn seen(game: &Game, viewer: Viewer) -> Option<Vec<String>> {
        let horizon = VariantGame::new(game, &Plain).seen_by(viewer).horizon()?;
        Some(
            horizon
                .provinces
                .iter()
                .map(|province| province.to_string())
                .collect(),
        )
    }

    fn codes(text: &str) -> Option<Vec<String>> {
        let mut codes: Vec<String> = text.split(' ').map(str::to_uppercase).collect();
        codes.sort();
        Some(codes)
    }

    #[test]
    fn units_and_owned_centers_see_their_neighbors_on_every_coast() {
        let mut game = blind();
        let austria = Viewer::Power(AUSTRIA);
        let units = "vie boh bud gal tri tyr";
        let centers = "adr alb ser ven";
        assert_eq!(seen(&game, austria), codes(&format!("{units} {centers}")));
        game.settings.sight.centers = false;
        assert_eq!(seen(&game, austria), codes(units));
        game.settings.sight.homes = true;
        assert_eq!(
            seen(&game, austria),
            codes(&format!("{units} {centers} rum")),
            "homes see, owned or not"
        );
        // Only a fleet's coast touches the Western Mediterranean, and Venice touches Rome by land.
        game.settings.sight = SightFrom::default();
        game.position.units = vec![
            unit(1, AUSTRIA, UnitKind::FLEET, "rom"),
            unit(3, AUSTRIA, UnitKind::FLEET, "wes"),
        ];
        game.position.owners.clear();
        assert_eq!(
            seen(&game, austria),
            codes("rom apu nap tus tys ven wes lyo mao naf spa tun")
        );
    }

    #[test]
    fn a_dislodged_unit_still_sees_and_the_fallen_do_not() {
        let mut game = blind();
        let vienna = game.position.units.remove(0);
        game.position.owners.remove(&province("tri"));
        game.settings.sight.homes = true;
        assert_eq!(seen(&game, Viewer::Power(AUSTRIA)), Some(Vec::new()));
        game.settings.sight.homes = false;
        game.position.dislodged.push(Dislodged {
            unit: vienna,
            attacker: None,
            options: Vec::new(),
        });
        assert_eq!(
            seen(&game, Viewer::Power(AUSTRIA)),
            codes("vie boh bud gal tri tyr")
        );
    }

    #[test]
    fn masters_see_all_observers_nothing_and_everybody_all_after_the_end() {
        let mut game = blind();
        assert_eq!(seen(&game, Viewer::Master), None);
        assert_eq!(seen(&game, Viewer::Observer), Some(Vec::new()));
        assert_eq!(seen(&game, Viewer::Stranger), Some(Vec::new()));
        assert!(VariantGame::new(&game, &Plain).hides_board());
        let mut edit = GameEdit::of(&game, &Plain, jiff::Timestamp::UNIX_EPOCH);
        edit.emit(Event::Ended {
            ending: Ending::Terminated,
        });
        assert_eq!(seen(&edit.game, Viewer::Stranger), None);
        game.settings.blind = false;
        assert_eq!(seen(&game, Viewer::Power(TURKEY)), None);
    }
}

//! Movement phases with what the adjudicator says of them beside the board: reasons, stand-offs, convoys, and where dislodged
//! units may go.

use super::{Resolution, movement};
use crate::calendar::PhaseKind;
use crate::map::{Map, Power};
use crate::notation::{self, WrittenOrder};
use crate::orders::{Action, Assist, OrderSheet, Passage, Strength, Stronghold};
use crate::position::{Position, Unit, UnitId};

/// A movement phase.
pub(super) struct Phase {
    pub(super) position: Position,
    pub(super) sheet: OrderSheet,
}

impl Phase {
    /// From `Austria: A VIE - BUD, A GAL H; Italy: …`, where the number of a power is that of its letter: A, E, F, G, I, R, T.
    pub(super) fn new(text: &str) -> Phase {
        let map = Map::standard();
        let mut position = Position::default();
        let mut orders = Vec::new();
        for (letter, list) in text.split(';').map(|part| part.split_once(':').unwrap()) {
            let power = "AEFGIRT".find(letter.trim()).unwrap();
            for words in list.split(',').map(str::trim) {
                let named: Vec<&str> = words.split(' ').take(2).collect();
                let read = notation::unit(map, &named.join(" ")).unwrap();
                position.units.push(Unit {
                    id: UnitId(position.units.len() as u32),
                    power: Power(power as u8),
                    kind: read.kind,
                    at: read.at,
                });
                orders.push(words);
            }
        }
        let read = |words: &&str| {
            let order = WrittenOrder::read(map, PhaseKind::Movement, words).unwrap();
            order.in_position(&position).unwrap()
        };
        let sheet = OrderSheet {
            orders: orders.iter().map(read).collect(),
            ..OrderSheet::default()
        };
        Phase { position, sheet }
    }

    pub(super) fn resolve(&self) -> Resolution {
        movement(Map::standard(), &self.position, &self.sheet)
    }

    /// The seas of each convoy route, in order.
    fn routes(&self) -> Vec<String> {
        let routes = self.resolve().routes;
        let through = routes.iter().map(|route| {
            let seas = route.through.iter().map(|sea| sea.as_str());
            seas.collect::<Vec<_>>().join(" ")
        });
        through.collect()
    }

    /// For each unit in order: where it moved, why it failed, or nothing.
    fn results(&self) -> Vec<String> {
        let outcomes = self.resolve().outcomes;
        let result = outcomes.iter().map(|outcome| match &outcome.reason {
            Some(reason) => reason.to_string(),
            None => outcome.moved.map_or(String::new(), |to| format!("-> {to}")),
        });
        result.collect()
    }
}

#[test]
fn equal_moves_to_an_empty_province_stand_off() {
    let phase = Phase::new("A: A VIE - GAL; R: A WAR - GAL; T: A RUM H");
    assert_eq!(
        phase.results(),
        [
            "bounced off A War, 1 against 1",
            "bounced off A Vie, 1 against 1",
            ""
        ]
    );
    let stand_offs = phase.resolve().stand_offs;
    assert_eq!(stand_offs.len(), 1);
    assert_eq!(stand_offs[0].province.as_str(), "GAL");
    assert_eq!(stand_offs[0].contenders, [UnitId(0), UnitId(1)]);
}

#[test]
fn the_strongest_that_kept_a_move_out_is_named() {
    let phase = Phase::new("A: A VIE - GAL; R: A WAR - GAL, A UKR S A WAR - GAL; T: A RUM - GAL");
    assert_eq!(
        phase.results(),
        [
            "bounced off A War, 1 against 2",
            "-> GAL",
            "",
            "bounced off A War, 1 against 2"
        ]
    );
    let phase = Phase::new("A: A VIE - GAL, A BUD S A VIE - GAL; R: A GAL H, A WAR S A GAL");
    assert_eq!(phase.results()[0], "bounced off A Gal, 2 against 2");
}

#[test]
fn a_move_against_an_own_unit_says_so_where_it_was_strong_enough() {
    let alone = Phase::new("A: A VIE - BUD, A BUD H");
    assert_eq!(alone.results()[0], "bounced off A Bud, 1 against 1");
    let supported = Phase::new("A: A VIE - BUD, A BUD H; I: A TRI S A VIE - BUD");
    assert_eq!(supported.results()[0], "cannot dislodge its own A Bud");
    let contested = Phase::new(
        "A: A VIE - BUD, A BUD H; I: A TRI S A VIE - BUD; T: A RUM - BUD, A SER S A RUM - BUD",
    );
    assert_eq!(contested.results()[0], "bounced off A Rum, 2 against 2");
}

#[test]
fn a_cut_support_names_the_unit_that_cut_it() {
    let phase = Phase::new("A: A TYR - MUN; G: A MUN - BUR, A RUH S A MUN - BUR; F: A BEL - RUH");
    assert_eq!(phase.results()[2], "support cut by A Bel");
    // An attack by a unit of the same power cuts nothing.
    let own = Phase::new("G: A MUN - BUR, A RUH S A MUN - BUR, A BEL - RUH");
    assert_eq!(own.results()[1], "");
    // Nor does an attack from the province at which the support is aimed, unless it dislodges.
    let aimed = Phase::new("G: A MUN - BUR, A RUH S A MUN - BUR; F: A BUR - RUH");
    assert_eq!(aimed.results()[..2], ["-> BUR", ""]);
}

#[test]
fn a_unit_without_strength_cuts_no_support() {
    let mut phase = Phase::new("G: A MUN - BUR, A RUH S A MUN - BUR; F: A BEL - RUH");
    assert_eq!(phase.results()[1], "support cut by A Bel");
    let weak = Strength {
        attack: 0,
        ..Strength::default()
    };
    phase.sheet.strengths.insert(UnitId(2), weak);
    assert_eq!(phase.results()[1], "");
}

#[test]
fn a_convoy_says_whether_it_stood_and_what_broke_it() {
    let stands = Phase::new("E: A LON - NWY, F NTH C A LON - NWY");
    assert_eq!(stands.results(), ["-> NWY", ""]);
    let routes = stands.resolve().routes;
    assert_eq!(routes.len(), 1);
    assert!(routes[0].stands);
    let through: Vec<&str> = routes[0].through.iter().map(|sea| sea.as_str()).collect();
    assert_eq!(through, ["NTH"]);

    let unordered = Phase::new("E: A LON H, F NTH C A LON - NWY");
    assert_eq!(
        unordered.results()[1],
        "the unit it named did something else"
    );

    let none = Phase::new("E: A LON - NWY, F NTH H");
    assert_eq!(
        none.results()[0],
        "no complete chain of fleets was ordered to convoy it"
    );
    assert_eq!(none.resolve().routes, []);

    let broken =
        Phase::new("E: A LON - NWY, F NTH C A LON - NWY; G: F SKA - NTH, F DEN S F SKA - NTH");
    assert_eq!(
        broken.results()[0],
        "convoy disrupted: F Nth dislodged by F Ska"
    );
    assert!(!broken.resolve().routes[0].stands);
    let dislodged = &broken.resolve().dislodged;
    assert_eq!(dislodged.len(), 1);
    let options: Vec<String> = dislodged[0]
        .options
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(!options.contains(&"SKA".to_owned()), "{options:?}");
    assert!(options.contains(&"NWG".to_owned()), "{options:?}");
}

#[test]
fn several_fleets_of_one_convoy_are_one_route() {
    let phase = Phase::new(
        "E: A LON - TUN, F ENG C A LON - TUN, F MAO C A LON - TUN, F WES C A LON - TUN, A YOR - NWY, F NTH C A YOR - NWY",
    );
    assert_eq!(phase.results(), ["-> TUN", "", "", "", "-> NWY", ""]);
    assert_eq!(phase.routes(), ["ENG MAO WES", "NTH"]);
}

#[test]
fn a_dislodged_unit_goes_neither_to_a_stand_off_nor_to_its_attacker_nor_to_a_unit() {
    let phase = Phase::new(
        "A: A BUD H; R: A RUM - BUD, A GAL S A RUM - BUD; T: A SER H; I: A TRI - VIE; G: A BOH - VIE",
    );
    let dislodged = phase.resolve().dislodged;
    assert_eq!(dislodged.len(), 1);
    let options: Vec<String> = dislodged[0]
        .options
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(options, [""; 0]);
    let attacker = dislodged[0].attacker.map(|from| from.as_str().to_owned());
    assert_eq!(attacker.as_deref(), Some("RUM"));
    let free =
        Phase::new("A: A BUD H; R: A RUM - BUD, A GAL S A RUM - BUD; T: A SER H; I: A TRI - VEN");
    let options: Vec<String> = free.resolve().dislodged[0]
        .options
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(options, ["TRI", "VIE"]);
}

#[test]
fn marks_are_a_set() {
    use super::{Mark, Marks};
    let none: Marks = [].into_iter().collect();
    assert!(none.is_empty());
    let both: Marks = [Mark::Bounce, Mark::Dislodged].into_iter().collect();
    assert!(!both.is_empty());
    assert!(both.has(Mark::Bounce) && both.has(Mark::Dislodged) && !both.has(Mark::Cut));
}

#[test]
fn an_assist_counts_until_attacks_of_its_strength_cut_it() {
    let orders = "A: A VIE - GAL, A BUD H; R: A GAL H; T: A SER - BUD, A RUM - BUD";
    let assisted = |cut_at| {
        let mut phase = Phase::new(orders);
        phase.sheet.assists.push(Assist {
            by: UnitId(1),
            of: UnitId(0),
            cut_at,
        });
        phase.results().swap_remove(0)
    };
    let alone = Phase::new(orders).results().swap_remove(0);
    assert_eq!(alone, "bounced off A Gal, 1 against 1");
    // Two attacks of strength 1 against Budapest.
    assert_eq!(assisted(1), "bounced off A Gal, 1 against 1");
    assert_eq!(assisted(2), "bounced off A Gal, 1 against 1");
    assert_eq!(assisted(3), "-> GAL");
    // An attack from the province at which the help is directed does not count.
    let mut aimed = Phase::new("A: A VIE - GAL, A BUD H; R: A GAL - BUD");
    aimed.sheet.assists.push(Assist {
        by: UnitId(1),
        of: UnitId(0),
        cut_at: 1,
    });
    assert_eq!(aimed.results()[0], "-> GAL");
    // An attack of its own power does not count either.
    let mut own = Phase::new("A: A VIE - GAL, A BUD H, A RUM - BUD; R: A GAL H");
    own.sheet.assists.push(Assist {
        by: UnitId(1),
        of: UnitId(0),
        cut_at: 1,
    });
    assert_eq!(own.results()[0], "-> GAL");
}

#[test]
fn a_stronghold_repels_a_move_without_a_unit_and_not_its_owner() {
    let mut phase = Phase::new("A: A VIE - GAL");
    let gal = phase.resolve().outcomes[0].moved.unwrap().province;
    let stronghold = |owner| Stronghold::adding(Power(owner), 1);
    phase.sheet.overlay.strongholds.insert(gal, stronghold(5));
    assert_eq!(phase.results(), ["kept out by the fort, 1 against 1"]);
    phase.sheet.overlay.strongholds.insert(gal, stronghold(0));
    assert_eq!(phase.results(), ["-> GAL"]);
}

#[test]
fn a_stronghold_alone_makes_no_stand_off_for_retreats() {
    // Vienna repels the move from Tyrolia by itself, so Budapest may retreat there.
    let mut phase = Phase::new("A: A BUD H; R: A RUM - BUD, A GAL S A RUM - BUD; G: A TYR - VIE");
    let vienna = notation::place(Map::standard(), "VIE").unwrap().province;
    let stronghold = Stronghold::adding(Power(0), 1);
    phase.sheet.overlay.strongholds.insert(vienna, stronghold);
    let resolution = phase.resolve();
    assert_eq!(resolution.stand_offs.len(), 1);
    assert_eq!(resolution.stand_offs[0].contenders, [UnitId(3)]);
    let options: Vec<String> = resolution.dislodged[0]
        .options
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(options.contains(&"VIE".to_owned()), "{options:?}");
}

#[test]
fn a_voided_support_is_not_given_and_says_why() {
    let mut phase = Phase::new("A: A VIE - GAL, A BUD S A VIE - GAL; R: A GAL H");
    assert_eq!(phase.results()[0], "-> GAL");
    phase
        .sheet
        .voided
        .insert(UnitId(1), "it is bewitched".to_owned());
    assert_eq!(
        phase.results()[..2],
        ["bounced off A Gal, 1 against 1", "it is bewitched"]
    );
}

#[test]
fn a_withdrawn_unit_is_not_in_the_way() {
    let mut phase = Phase::new("A: A VIE - GAL; R: A GAL H");
    assert_eq!(phase.results()[0], "bounced off A Gal, 1 against 1");
    phase.sheet.withdrawn.insert(UnitId(1));
    assert_eq!(phase.results()[0], "-> GAL");
    assert_eq!(phase.resolve().dislodged, []);
}

#[test]
fn a_move_kept_out_by_a_unit_and_by_an_equal_move_names_the_move() {
    let phase = Phase::new("A: A VIE - GAL; R: A GAL H; T: A RUM - GAL");
    assert_eq!(
        phase.results(),
        [
            "bounced off A Rum, 1 against 1",
            "",
            "bounced off A Vie, 1 against 1"
        ]
    );
}

#[test]
fn a_route_must_lead_there_even_where_the_army_could_walk() {
    let routed = |sea: &str| {
        let mut phase = Phase::new("A: A TRI - ALB; I: F ADR C A TRI - ALB");
        let place = |words: &str| notation::place(Map::standard(), words).unwrap();
        phase.sheet.orders[0].action = Action::Move {
            to: place("ALB"),
            by: Passage::Route(vec![place(sea).province]),
        };
        phase.results().swap_remove(0)
    };
    assert_eq!(routed("ADR"), "-> ALB");
    assert_eq!(routed("BLA"), "not a legal order");
}

#[test]
fn convoys_of_two_armies_to_one_place_are_two_routes() {
    let phase = Phase::new("E: A LON - NWY, F NTH C A LON - NWY, A EDI - NWY, F NWG C A EDI - NWY");
    assert_eq!(phase.routes(), ["NTH", "NWG"]);
}

#[test]
fn a_convoy_for_an_army_that_takes_no_part_is_reported_and_not_void() {
    let mut phase = Phase::new("E: A LON - NWY, F NTH C A LON - NWY");
    phase.sheet.withdrawn.insert(UnitId(0));
    assert_eq!(phase.results(), ["", ""]);
    let routes = phase.resolve().routes;
    assert_eq!(routes.len(), 1);
    assert!(routes[0].stands);
}

/// Help without an order: by this unit, for this one, until attacks of this strength cut it.
fn help(by: u32, of: u32, cut_at: u32) -> Assist {
    Assist {
        by: UnitId(by),
        of: UnitId(of),
        cut_at,
    }
}

#[test]
fn a_unit_that_takes_no_part_helps_nobody() {
    let mut phase = Phase::new("A: A VIE - GAL, A BUD H; R: A GAL H");
    phase.sheet.assists.push(help(1, 0, 9));
    assert_eq!(phase.results()[0], "-> GAL");
    phase.sheet.withdrawn.insert(UnitId(1));
    assert_eq!(phase.results()[0], "bounced off A Gal, 1 against 1");
}

#[test]
fn a_dislodged_unit_helps_nobody_however_little_attacks_count() {
    // The attack comes from the province to which the help is directed, so that it cuts by dislodging only.
    let mut phase =
        Phase::new("A: A VIE - GAL, A BUD H; R: A GAL - BUD, A RUM S A GAL - BUD; G: A SIL - GAL");
    phase.sheet.assists.push(help(1, 0, 9));
    assert_eq!(
        phase.results(),
        [
            "bounced off A Sil, 1 against 1",
            "",
            "-> BUD",
            "",
            "bounced off A Vie, 1 against 1"
        ]
    );
}

#[test]
fn a_ring_may_live_by_the_help_of_one_of_its_own_armies() {
    // The helper is not dislodged only because it moves on, which it does only because its help counts.
    let mut phase = Phase::new("G: A HOL - BEL; F: A BEL - RUH; E: A RUH - HOL; I: A BUR - BEL");
    phase.sheet.assists.push(help(2, 0, 9));
    assert_eq!(
        phase.results(),
        [
            "-> BEL",
            "-> RUH",
            "-> HOL",
            "bounced off A Hol, 1 against 2"
        ]
    );
}

#[test]
fn helps_that_cut_each_other_are_all_cut() {
    let mut phase = Phase::new("A: A VIE - GAL, A BUD H; R: A GAL H, A RUM - BUD");
    phase.sheet.assists.extend([help(1, 0, 2), help(2, 3, 2)]);
    assert_eq!(
        phase.results(),
        [
            "bounced off A Gal, 1 against 1",
            "",
            "",
            "bounced off A Bud, 1 against 1"
        ]
    );
}

#[test]
fn helps_that_cut_each_other_are_all_cut_though_one_of_the_helpers_may_move_away() {
    // Galicia helps against Budapest and against its own move; if its help were given, it would stay and Vienna fail.
    let mut phase = Phase::new(
        "A: A VIE - GAL, A BUD H; R: A GAL - UKR, A MOS S A GAL - UKR; T: A RUM - BUD, A SEV - UKR; G: A SIL - GAL",
    );
    phase
        .sheet
        .assists
        .extend([help(1, 0, 2), help(2, 4, 3), help(2, 5, 3)]);
    assert_eq!(
        phase.results(),
        [
            "bounced off A Sil, 1 against 1",
            "",
            "-> UKR",
            "",
            "bounced off A Bud, 1 against 1",
            "bounced off A Gal, 1 against 2",
            "bounced off A Vie, 1 against 1"
        ]
    );
}

#[test]
fn a_ring_whose_armies_help_each_other_moves_though_it_could_stay_as_well() {
    // If the ring stays, Kiel's attack on Munich cuts Munich's help for Berlin, and Berlin fails against the Ruhr. If it moves, both
    // helps count. Circular movement is preferred.
    let mut phase =
        Phase::new("F: A KIE - MUN; G: A MUN - BER, A BUR - MUN, A BER - KIE; F: A RUH - KIE");
    phase.sheet.assists.extend([help(1, 3, 1), help(4, 0, 4)]);
    assert_eq!(
        phase.results(),
        [
            "-> MUN",
            "-> BER",
            "bounced off A Kie, 1 against 2",
            "-> KIE",
            "bounced off A Ber, 1 against 2"
        ]
    );
}

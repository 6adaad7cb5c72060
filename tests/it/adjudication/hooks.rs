//! What a variant can write on the order sheet, each on a board small enough to work out by hand.

use super::scene::{Scene, action, province};
use dipjudge::map::{Map, Power};
use dipjudge::orders::{Assist, Ferry, Strength, Stronghold, legal};
use dipjudge::position::UnitId;

#[test]
fn a_unit_of_double_strength_needs_no_support() {
    let scene = Scene::standard("Austria: A VIE; Italy: A TYR").orders(&["VIE - TYR"]);
    assert_eq!(scene.marks("VIE"), "bounce");
    assert_eq!(scene.reason("VIE"), "bounced off A Tyr, 1 against 1");
    let double = scene.unit("VIE");
    let scene = scene.with(|sheet| {
        sheet.strengths.insert(double, Strength::of(2));
    });
    assert_eq!(scene.marks("VIE"), "");
    assert_eq!(scene.marks("TYR"), "dislodged");
}

#[test]
fn a_supporter_of_double_strength_supports_with_two() {
    let scene = Scene::standard("Austria: A VIE, A BOH; Italy: A TYR, A VEN").orders(&[
        "VIE - TYR",
        "BOH S VIE - TYR",
        "TYR H",
        "VEN S TYR",
    ]);
    assert_eq!(scene.marks("VIE"), "bounce");
    let supporter = scene.unit("BOH");
    let scene = scene.with(|sheet| {
        sheet.strengths.insert(
            supporter,
            Strength {
                attack: 1,
                hold: 1,
                support: 2,
            },
        );
    });
    assert_eq!(scene.marks("TYR"), "dislodged");
}

#[test]
fn an_attack_without_strength_cuts_nothing() {
    let scene = Scene::standard("Austria: A VIE, A BOH; Italy: A TYR; Germany: A SIL").orders(&[
        "VIE - TYR",
        "BOH S VIE - TYR",
        "SIL - BOH",
    ]);
    assert_eq!(scene.marks("BOH"), "cut");
    assert_eq!(scene.reason("BOH"), "support cut by A Sil");
    let weak = scene.unit("SIL");
    let scene = scene.with(|sheet| {
        sheet.strengths.insert(weak, Strength::of(0));
    });
    assert_eq!(scene.marks("BOH"), "");
    assert_eq!(scene.marks("TYR"), "dislodged");
}

#[test]
fn a_link_joins_two_provinces_for_moves_supports_and_retreats() {
    let link = (province("PAR"), province("MOS"));
    let scene = Scene::standard("France: A PAR; Russia: A WAR, A UKR; Turkey: A MOS").orders(&[
        "WAR - MOS",
        "UKR S WAR - MOS",
        "PAR S MOS",
    ]);
    assert_eq!(scene.marks("PAR"), "void");
    assert_eq!(scene.marks("MOS"), "dislodged");
    assert!(!scene.retreats("MOS").contains(&"PAR".to_owned()));
    let scene = scene.with(|sheet| sheet.overlay.links.push(link));
    assert_eq!(scene.marks("PAR"), "");
    assert_eq!(scene.marks("MOS"), "");
    let scene = Scene::standard("France: A GAS; Russia: A WAR, A UKR; Turkey: A MOS")
        .orders(&["WAR - MOS", "UKR S WAR - MOS"])
        .with(|sheet| sheet.overlay.links.push(link));
    assert!(scene.retreats("MOS").contains(&"PAR".to_owned()));
    let scene = Scene::standard("France: A PAR")
        .orders(&["PAR - MOS"])
        .with(|sheet| sheet.overlay.links.push(link));
    assert_eq!(scene.marks("PAR"), "");
}

#[test]
fn a_linked_fleet_sails_to_any_coast_and_convoys_from_inland() {
    let sea_to_coasts = (province("NTH"), province("SPA"));
    let fleet =
        Scene::standard("England: F NTH").with(|sheet| sheet.overlay.links.push(sea_to_coasts));
    let fleet = fleet.orders(&["NTH - SPA/SC"]);
    assert_eq!(fleet.marks("NTH"), "");
    assert_eq!(
        fleet.resolve().outcomes[0].moved.unwrap().to_string(),
        "SPA/SC"
    );
    let inland = (province("NTH"), province("MUN"));
    let scene =
        Scene::standard("England: F NTH; Germany: A MUN").orders(&["NTH C MUN - LON", "MUN - LON"]);
    assert_eq!(scene.marks("MUN"), "void");
    let scene = scene.with(|sheet| sheet.overlay.links.push(inland));
    assert_eq!(scene.marks("MUN"), "");
}

#[test]
fn extra_reach_is_one_units_own() {
    let scene = Scene::standard("Austria: A VIE, A BUD").orders(&["VIE - PAR", "BUD - ROM"]);
    let unit = scene.unit("VIE");
    let scene = scene.with(|sheet| {
        sheet
            .overlay
            .reach
            .insert(unit, vec![province("PAR").into()]);
    });
    assert_eq!(scene.marks("VIE"), "");
    assert_eq!(scene.marks("BUD"), "void");
}

#[test]
fn a_stronghold_resists_all_but_its_owner_even_when_it_is_empty() {
    let fort = |owner: u8| Stronghold::adding(Power(owner), 1);
    let lone = || Scene::standard("Austria: A VIE; Italy: A VEN").orders(&["VIE - TYR"]);
    let foreign = lone().with(|sheet| {
        sheet.overlay.strongholds.insert(province("TYR"), fort(1));
    });
    assert_eq!(foreign.marks("VIE"), "bounce");
    assert_eq!(foreign.reason("VIE"), "kept out by the fort, 1 against 1");
    let stand_offs = foreign.resolve().stand_offs;
    assert_eq!(
        (stand_offs[0].province, stand_offs[0].contenders.len()),
        (province("TYR"), 1)
    );
    let own = lone().with(|sheet| {
        sheet.overlay.strongholds.insert(province("TYR"), fort(0));
    });
    assert_eq!(own.marks("VIE"), "");
}

#[test]
fn a_stronghold_alone_makes_no_stand_off_for_retreats() {
    // Russia takes Vienna; Austria's lone move to the fort in Tyrolia was repelled, so Tyrolia is open to the retreat.
    let scene = Scene::standard("Austria: A VIE, A BOH; Russia: A GAL, A BUD; Italy: A ROM")
        .orders(&["BOH - TYR", "GAL - VIE", "BUD S GAL - VIE"])
        .with(|sheet| {
            sheet
                .overlay
                .strongholds
                .insert(province("TYR"), Stronghold::adding(Power(2), 1));
        });
    assert_eq!(scene.marks("BOH"), "bounce");
    assert!(scene.retreats("VIE").contains(&"TYR".to_owned()));
}

#[test]
fn a_stronghold_strengthens_its_unit_in_a_head_to_head_fight() {
    let scene = Scene::standard("Austria: A VIE, A BOH; Italy: A TYR").orders(&[
        "VIE - TYR",
        "BOH S VIE - TYR",
        "TYR - VIE",
    ]);
    assert_eq!(scene.marks("TYR"), "bounce, dislodged");
    let scene = scene.with(|sheet| {
        sheet
            .overlay
            .strongholds
            .insert(province("TYR"), Stronghold::adding(Power(1), 1));
    });
    assert_eq!(scene.marks("TYR"), "bounce");
    assert_eq!(scene.marks("VIE"), "bounce");
}

#[test]
fn a_stronghold_may_double_and_have_a_least_strength() {
    let doubled = Stronghold {
        owner: Power(1),
        plus: 0,
        times: 2,
        at_least: 1,
    };
    assert_eq!(doubled.against(Power(0), 0), 1);
    assert_eq!(doubled.against(Power(0), 2), 4);
    assert_eq!(doubled.against(Power(1), 2), 2);
}

#[test]
fn an_assist_costs_no_order_and_is_cut_by_enough_strength() {
    // Bohemia holds, and Galicia helps it whatever it does itself.
    let scene = || {
        let scene =
            Scene::standard("Austria: A BOH, A GAL; Germany: A MUN, A SIL; Russia: A WAR, A UKR");
        let (by, of) = (scene.unit("GAL"), scene.unit("BOH"));
        scene.with(|sheet| sheet.assists.push(Assist { by, of, cut_at: 2 }))
    };
    let attack = ["MUN - BOH", "SIL S MUN - BOH"];
    assert_eq!(scene().orders(&attack).marks("BOH"), "");
    // One attack on Galicia is not enough to cut it, two that add up are.
    assert_eq!(
        scene().orders(&attack).orders(&["WAR - GAL"]).marks("BOH"),
        ""
    );
    assert_eq!(
        scene()
            .orders(&attack)
            .orders(&["WAR - GAL", "UKR - GAL"])
            .marks("BOH"),
        "dislodged"
    );
    // A supported attack counts with its support, and it dislodges the helper besides.
    assert_eq!(
        scene()
            .orders(&attack)
            .orders(&["WAR - GAL", "UKR S WAR - GAL"])
            .marks("BOH"),
        "dislodged"
    );
}

#[test]
fn an_assist_helps_a_move_even_of_a_moving_helper() {
    let scene = Scene::standard("Austria: A BOH, A GAL; Germany: A MUN")
        .orders(&["BOH - MUN", "GAL - BOH"]);
    let (by, of) = (scene.unit("GAL"), scene.unit("BOH"));
    assert_eq!(scene.marks("BOH"), "bounce");
    let scene = scene.with(|sheet| sheet.assists.push(Assist { by, of, cut_at: 1 }));
    assert_eq!(scene.marks("BOH"), "");
    assert_eq!(scene.marks("GAL"), "");
}

#[test]
fn an_attack_from_where_the_assist_is_directed_does_not_count() {
    let scene = Scene::standard("Austria: A BOH, A SIL; Germany: A MUN")
        .orders(&["BOH - MUN", "MUN - SIL"]);
    let (by, of) = (scene.unit("SIL"), scene.unit("BOH"));
    let scene = scene.with(|sheet| sheet.assists.push(Assist { by, of, cut_at: 1 }));
    assert_eq!(scene.marks("BOH"), "");
    assert_eq!(scene.marks("MUN"), "bounce, dislodged");
}

#[test]
fn assists_that_would_have_to_stand_and_fall_at_once_are_cut() {
    // Each helper is attacked by the unit that the other side helps: a circle of nothing but help.
    let scene = Scene::standard("Austria: A BOH, A MUN; Germany: A SIL, A TYR").orders(&[
        "BOH - SIL",
        "SIL - BOH",
        "MUN - TYR",
        "TYR - MUN",
    ]);
    let unit = |at: &str| scene.unit(at);
    let assists = [
        Assist {
            by: unit("MUN"),
            of: unit("BOH"),
            cut_at: 2,
        },
        Assist {
            by: unit("TYR"),
            of: unit("SIL"),
            cut_at: 2,
        },
        Assist {
            by: unit("BOH"),
            of: unit("MUN"),
            cut_at: 2,
        },
        Assist {
            by: unit("SIL"),
            of: unit("TYR"),
            cut_at: 2,
        },
    ];
    let scene = scene.with(|sheet| sheet.assists.extend(assists));
    for at in ["BOH", "SIL", "MUN", "TYR"] {
        assert_eq!(scene.marks(at), "bounce", "{at}");
    }
}

#[test]
fn a_withdrawn_unit_blocks_nobody_and_cuts_nothing() {
    let scene = Scene::standard("Austria: A VIE; Italy: A TYR").orders(&["VIE - TYR"]);
    let absent = scene.unit("TYR");
    let scene = scene.with(|sheet| sheet.withdraw(absent));
    assert_eq!(scene.marks("VIE"), "");
    assert_eq!(scene.marks("TYR"), "");
    assert!(scene.resolve().dislodged.is_empty());
    let scene = Scene::standard("Austria: A VIE, A BOH; Italy: A TYR; Germany: A SIL").orders(&[
        "VIE - TYR",
        "BOH S VIE - TYR",
        "SIL - BOH",
    ]);
    let absent = scene.unit("SIL");
    assert_eq!(scene.with(|sheet| sheet.withdraw(absent)).marks("BOH"), "");
}

#[test]
fn a_ferry_carries_its_passenger_over_land() {
    let scene = Scene::standard("Germany: A KIE, A BER; Russia: A PRU")
        .orders(&["BER - HOL", "KIE C BER - HOL"]);
    assert_eq!(scene.marks("BER"), "void");
    assert_eq!(scene.marks("KIE"), "void");
    let ferry = Ferry {
        by: scene.unit("KIE"),
        passenger: scene.unit("BER"),
        to: vec!["HOL".parse().unwrap()],
    };
    let scene = scene.with(|sheet| sheet.overlay.ferries.push(ferry.clone()));
    assert_eq!(scene.marks("BER"), "");
    assert_eq!(scene.marks("KIE"), "");
    // It is one passenger's ferry, nobody else's.
    let other = Scene::standard("Germany: A KIE, A BER; Russia: A RUH")
        .orders(&["RUH - DEN", "KIE C RUH - DEN"]);
    let other = other.with(|sheet| sheet.overlay.ferries.push(ferry));
    assert_eq!(other.marks("KIE"), "void");
}

#[test]
fn a_ferry_that_is_dislodged_carries_nobody() {
    let scene = Scene::standard("Germany: A KIE, A BER; England: F HEL, F DEN").orders(&[
        "BER - HOL",
        "KIE C BER - HOL",
        "HEL - KIE",
        "DEN S HEL - KIE",
    ]);
    let ferry = Ferry {
        by: scene.unit("KIE"),
        passenger: scene.unit("BER"),
        to: vec!["HOL".parse().unwrap()],
    };
    let scene = scene.with(|sheet| sheet.overlay.ferries.push(ferry));
    assert_eq!(scene.marks("BER"), "disrupted");
    assert_eq!(
        scene.reason("BER"),
        "convoy disrupted: A Kie dislodged by F Hel"
    );
}

#[test]
fn a_closed_province_admits_only_those_it_is_open_to() {
    let map = Map::parse(
        "name x\nuse standard\npower Master\nICE  Iceland  coast  only Master\n fleet NAO NWG\n",
        Map::named,
    );
    let map = map.unwrap();
    let scene = Scene::new(&map, "England: F NAO, F NWG, A CLY").orders(&[
        "NAO - ICE",
        "NWG C CLY - ICE",
        "CLY - ICE",
    ]);
    assert_eq!(scene.marks("NAO"), "void");
    assert_eq!(scene.marks("CLY"), "void");
    let open = scene.with(|sheet| {
        sheet.overlay.only.insert(province("ICE"), vec![Power(0)]);
    });
    assert_eq!(open.marks("NAO"), "bounce");
    assert_eq!(open.marks("CLY"), "bounce");
}

#[test]
fn what_the_variant_makes_void_says_why() {
    let scene = Scene::standard("Austria: A VIE, A BOH; Italy: A TYR")
        .orders(&["VIE - TYR", "BOH S VIE - TYR"]);
    let supporter = scene.unit("BOH");
    let scene = scene.with(|sheet| {
        sheet
            .voided
            .insert(supporter, "somebody else was in the tunnel".to_owned());
    });
    assert_eq!(scene.marks("BOH"), "void");
    assert_eq!(scene.reason("BOH"), "somebody else was in the tunnel");
    assert_eq!(scene.marks("VIE"), "bounce");
}

#[test]
fn convoys_for_passengers_that_are_not_on_the_sheet_are_told() {
    let scene = Scene::standard("England: F NTH, F ENG; France: F BRE, F MAO").orders(&[
        "NTH C YOR - HOL",
        "ENG C WAL - PIC",
        "BRE - ENG",
        "MAO S BRE - ENG",
    ]);
    // Nobody stands in Yorkshire or Wales as far as the sheet knows, so as orders they are void ...
    assert_eq!(scene.marks("NTH"), "void");
    // ... unless the passenger is withdrawn: there, but taking no part.
    let scene = Scene::standard("England: F NTH, F ENG, A YOR, A WAL; France: F BRE, F MAO")
        .orders(&[
            "NTH C YOR - HOL",
            "ENG C WAL - PIC",
            "BRE - ENG",
            "MAO S BRE - ENG",
        ]);
    let (york, wales) = (scene.unit("YOR"), scene.unit("WAL"));
    let scene = scene.with(|sheet| {
        sheet.withdraw(york);
        sheet.withdraw(wales);
    });
    let routes = scene.resolve().routes;
    let stands = |from: &str| {
        routes
            .iter()
            .find(|route| route.from == province(from))
            .unwrap()
            .stands
    };
    assert!(stands("YOR"));
    assert!(!stands("WAL"));
}

#[test]
fn an_army_that_does_not_fight_is_convoyed_and_blocks_nobody() {
    let text = "name x\nuse standard\nkind FA  Female Army  land  idle\n";
    let map = Map::parse(text, Map::named).unwrap();
    let scene = Scene::new(
        &map,
        "Germany: FA YOR, FA HOL; England: F NTH, A YOR; France: A BEL",
    )
    .orders(&["NTH C YOR - HOL", "BEL - HOL"]);
    assert_eq!(scene.marks("BEL"), "");
    let resolution = scene.resolve();
    let fleet = scene.position.standing(province("NTH")).unwrap();
    assert!(resolution.outcome(fleet.id).unwrap().marks.is_empty());
    assert!(resolution.routes[0].stands);
    assert!(resolution.dislodged.is_empty());
}

#[test]
fn a_support_means_the_unit_that_fights() {
    let text = "name x\nuse standard\nkind FA  Female Army  land  idle\n";
    let map = Map::parse(text, Map::named).unwrap();
    let scene = Scene::new(&map, "Germany: FA YOR, F YOR; England: F LON")
        .orders(&["LON S YOR - NTH"])
        .with(|sheet| {
            let [army, fleet] = [0, 1].map(UnitId);
            sheet.replace(army, action("H"), None);
            sheet.replace(fleet, action("- NTH"), None);
        });
    assert_eq!(scene.marks("LON"), "");
    let resolution = scene.resolve();
    assert!(resolution.outcome(UnitId(1)).unwrap().moved.is_some());
}

#[test]
fn a_route_means_by_these_seas_only() {
    let units = "England: A LON, F ENG, F NTH; France: F BRE, F MAO";
    let attack = [
        "ENG C LON - BEL",
        "NTH C LON - BEL",
        "BRE - ENG",
        "MAO S BRE - ENG",
    ];
    let any = Scene::standard(units)
        .orders(&attack)
        .orders(&["LON - BEL"]);
    assert_eq!(any.marks("LON"), "");
    let only = Scene::standard(units)
        .orders(&attack)
        .orders(&["LON - BEL BY ENG"]);
    assert_eq!(only.marks("LON"), "disrupted");
    assert_eq!(only.marks("NTH"), "void");
    let other = Scene::standard(units)
        .orders(&attack)
        .orders(&["LON - BEL BY NTH"]);
    assert_eq!(other.marks("LON"), "");
}

#[test]
fn the_last_order_for_a_unit_counts_and_a_replaced_one_says_why() {
    let scene = Scene::standard("Austria: A VIE").orders(&["VIE - TYR", "VIE - BOH"]);
    assert_eq!(
        scene.resolve().outcomes[0].moved.unwrap().to_string(),
        "BOH"
    );
    let unit = scene.unit("VIE");
    let scene = scene.with(|sheet| sheet.replace(unit, action("- GAL"), Some("JESTER".to_owned())));
    assert_eq!(
        scene.resolve().outcomes[0].moved.unwrap().to_string(),
        "GAL"
    );
    assert_eq!(scene.sheet.reasons[&unit], "JESTER");
}

#[test]
fn refusals_keep_the_gist_of_the_old_sentences() {
    let map = Map::standard();
    let scene =
        Scene::standard("Austria: A VIE, F TRI, A BUD; England: F NTH, A LON; Russia: F SEV");
    let say = |at: &str, order: &str| {
        let unit = scene.position.standing(province(at)).unwrap();
        let verdict = legal(
            map,
            &Default::default(),
            unit,
            &action(order),
            Some(&scene.position.units),
        );
        verdict.map_or_else(
            |illegal| illegal.sentence(map, map.powers()),
            |()| "legal".to_owned(),
        )
    };
    assert_eq!(
        say("VIE", "- BER"),
        "The army in Vienna cannot reach Berlin."
    );
    assert_eq!(say("VIE", "- TYR"), "legal");
    assert_eq!(
        say("SEV", "S BUD - UKR"),
        "The fleet in Sevastopol cannot support into Ukraine: it could not move there itself."
    );
    assert_eq!(
        say("TRI", "S TYR"),
        "The fleet in Trieste cannot support into Tyrolia: it could not move there itself."
    );
    assert_eq!(say("VIE", "S GAL"), "There is no unit in Galicia.");
    assert_eq!(
        say("VIE", "C BUD - TRI"),
        "The army in Vienna cannot convoy anything."
    );
    assert_eq!(say("LON", "- BEL BY NTH"), "legal");
    assert_eq!(
        say("LON", "- BEL BY ENG"),
        "The army in London cannot be convoyed through the English Channel: a convoy route names seas only. Two steps over land take two turns."
    );
    assert_eq!(
        say("NTH", "C LON - ROM"),
        "The fleet in North Sea cannot convoy from London to Rome: no chain of fleets leads over it from the one to the other."
    );
    assert_eq!(
        say("VIE", "S VIE"),
        "The army in Vienna cannot support itself."
    );
}

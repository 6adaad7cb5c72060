//! A place that is land and water: armies and fleets can be there, and a fleet there convoys (the Baleares of `ancient`).

use super::scene::Scene;
use dipjudge::map::Map;

fn scene(units: &str) -> Scene<'static> {
    Scene::new(Map::named("ancient").unwrap(), units)
}

#[test]
fn a_fleet_in_islands_convoys() {
    let scene = scene("Rome: A TAR, F BAL, F BER").orders(&[
        "TAR - MAU",
        "BAL C TAR - MAU",
        "BER C TAR - MAU",
    ]);
    assert_eq!(scene.marks("TAR"), "", "{}", scene.reason("TAR"));
}

#[test]
fn an_army_comes_to_islands_and_leaves_them_by_convoy_alone() {
    let there = scene("Rome: A TAR, F LIG").orders(&["TAR - BAL", "LIG C TAR - BAL"]);
    assert_eq!(there.marks("TAR"), "");
    let back = scene("Rome: A BAL, F LIG").orders(&["BAL - TAR", "LIG C BAL - TAR"]);
    assert_eq!(back.marks("BAL"), "");
    let alone = scene("Rome: A BAL").orders(&["BAL - TAR"]);
    assert_ne!(alone.marks("BAL"), "");
}

#[test]
fn a_fleet_in_islands_carries_nobody_to_them() {
    let scene = scene("Rome: A TAR, F LIG; Persia: F BAL, F BER").orders(&[
        "TAR - BAL",
        "BAL C TAR - BAL",
        "BER C TAR - BAL",
    ]);
    assert_ne!(scene.reason("BAL"), "");
    assert_ne!(scene.marks("TAR"), "");
}

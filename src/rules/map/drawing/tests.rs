//! The notation of drawing files. What must hold of the drawings that are shipped is looked at in `tests/it/drawings.rs`.

use super::super::Map;
use super::*;

#[test]
fn faults_of_a_drawing_are_told_by_line() {
    let fault = |text: &str, overlay: &str| {
        Drawing::read(Map::standard(), text, overlay)
            .unwrap_err()
            .to_string()
    };
    let ring = "size 99 99\nborder SWI edge  0,0 99,0 99,99 0,99 0,0\n";
    assert_eq!(
        fault(ring, ""),
        "line 2: `SWI` is no province of the map, and no line `land SWI` or `water SWI` is above"
    );
    for (text, told) in [
        (
            "arc BOH edge  0,0",
            "line 2: unknown word `arc`; a line begins with size, land, water, strait, waterway, place, border or a point",
        ),
        (
            "size 9",
            "line 2: expected two numbers, as `size 2000 1800`",
        ),
        (
            "land Alps",
            "line 2: expected a name in small letters, and the province that it is a part of, if any",
        ),
        ("land alps ALP", "line 2: the map has no province `ALP`"),
        (
            "border BOH edge  0,0 100,0",
            "line 2: 100,0 is outside the picture; `size` tells how large that is",
        ),
        (
            "border BOH edge  0,0 9;0",
            "line 2: expected a point as `1012,1448`",
        ),
        (
            "border BOH  0,0 9,0",
            "line 2: expected two sides and points, as `border ADR ALB  1174,1480 1177,1480`",
        ),
        (
            "border BOH/NC edge  0,0 9,0",
            "line 2: no fleet can be at BOH/NC; a province with several coasts is told with one of them",
        ),
        ("5,5 6,6", "line 2: expected `border` before its points"),
        (
            "border BOH edge  0,0 9,0 9,9",
            "line 2: the borders of BOH leave it open at 9,9: no other of its borders begins or ends there",
        ),
        (
            "border BOH edge  0,0 9,0 9,9 0,0",
            "line 2: BOH has borders and no line `place BOH`",
        ),
        (
            "place BOH  unit 5,5",
            "line 2: expected the fields unit, dislodged and name, as `unit 1012,1448`",
        ),
        (
            "place BOH  unit/nc 5,5",
            "line 2: no fleet can be at BOH/NC; a province with several coasts is told with one of them",
        ),
        (
            "place BOH  name 5,5 huge Boh",
            "line 2: expected small, medium or large behind the name's point",
        ),
    ] {
        assert_eq!(fault(&format!("size 99 99\n{text}"), ""), told);
    }
    assert_eq!(
        fault("size 99 99", "\nland x ICE"),
        "overlay, line 2: the map has no province `ICE`"
    );
}

//! Turns a layout so that north is up, as far as the words of a map tell: coasts are named after where they lie, and so are some
//! provinces and powers. A map without such words has no north.

use super::super::super::{Coast, Location, Map, Province, ProvinceInfo, Travel};
use super::super::spot::Spot;

/// Something that lies in a direction.
struct Hint {
    /// The direction in the layout.
    seen: Spot,
    /// The direction in the picture.
    wanted: Spot,
}

/// Turns the places of provinces, and of further cells behind them, around the middle of a disc, or mirrors and turns them.
pub(super) fn turned(map: &Map, provinces: &[&ProvinceInfo], spots: Vec<Spot>) -> Vec<Spot> {
    let mirrored: Vec<Spot> = spots
        .iter()
        .map(|spot| Spot {
            x: -spot.x,
            ..*spot
        })
        .collect();
    let ways = [spots, mirrored].map(|spots| {
        let (mut cosine, mut sine) = (0.0, 0.0);
        for Hint { seen, wanted } in hints(map, provinces, &spots) {
            cosine += seen.x * wanted.x + seen.y * wanted.y;
            sine += seen.x * wanted.y - seen.y * wanted.x;
        }
        (cosine, sine, spots)
    });
    let agreement = |cosine: f64, sine: f64| (cosine * cosine + sine * sine).sqrt();
    let [plain, mirrored] = ways;
    let best = if agreement(mirrored.0, mirrored.1) > agreement(plain.0, plain.1) {
        mirrored
    } else {
        plain
    };
    let (cosine, sine, spots) = best;
    let length = agreement(cosine, sine);
    if length == 0.0 {
        return spots;
    }
    let (cosine, sine) = (cosine / length, sine / length);
    let turn = |spot: Spot| Spot {
        x: cosine * spot.x - sine * spot.y,
        y: sine * spot.x + cosine * spot.y,
    };
    spots.into_iter().map(turn).collect()
}

fn hints(map: &Map, provinces: &[&ProvinceInfo], spots: &[Spot]) -> Vec<Hint> {
    let spot_of = |code: Province| {
        let number = provinces.iter().position(|info| info.code == code)?;
        spots.get(number).copied()
    };
    let mut hints = Vec::new();
    for (info, &spot) in provinces.iter().zip(spots) {
        for &coast in &info.coasts {
            let reached = |coast| map.reach(Travel::Sea, Location::on(info.code, coast));
            let others = info.coasts.iter().filter(|other| **other != coast);
            let elsewhere: Vec<_> = others.flat_map(|other| reached(*other)).collect();
            let near = reached(coast).iter().filter(|to| !elsewhere.contains(to));
            hints.extend(near.filter_map(|to| {
                let there = spot_of(to.province)?;
                let length = there.distance(spot).max(1e-9);
                Some(Hint {
                    seen: Spot {
                        x: (there.x - spot.x) / length,
                        y: (there.y - spot.y) / length,
                    },
                    wanted: direction(coast),
                })
            }));
        }
        let power = info.home.and_then(|power| map.powers().get(power.index()?));
        let names = [
            Some(info.name.as_str()),
            power.map(|power| power.name.as_str()),
        ];
        let words = names.into_iter().flatten().flat_map(str::split_whitespace);
        hints.extend(words.filter_map(|word| {
            Some(Hint {
                seen: spot,
                wanted: direction(side_named(word)?),
            })
        }));
    }
    hints
}

/// The direction that a word names.
fn side_named(word: &str) -> Option<Coast> {
    Some(match word.to_lowercase().as_str() {
        "north" | "northern" => Coast::North,
        "south" | "southern" => Coast::South,
        "east" | "eastern" => Coast::East,
        "west" | "western" => Coast::West,
        _ => return None,
    })
}

fn direction(coast: Coast) -> Spot {
    let (x, y) = match coast {
        Coast::North => (0.0, -1.0),
        Coast::South => (0.0, 1.0),
        Coast::East => (1.0, 0.0),
        Coast::West => (-1.0, 0.0),
    };
    Spot { x, y }
}

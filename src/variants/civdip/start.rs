//! How a game begins (rules page, section 2): how many civilizations there are, who leads them, and where they start. All of
//! it is drawn from the game's seed.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use super::{CARD, CIVS, START};
use dipjudge_game::{Dice, Game, Refusal, Role, SeatId, SettingAsked, Settings, refuse};
use dipjudge_rules::map::{Map, Province};

/// How many play on the variant's own map.
const ON_ITS_OWN_MAP: RangeInclusive<usize> = 7..=13;

/// How often the picking of starts begins again where it gets stuck, before all choices are searched.
const MOST_ATTEMPTS: usize = 10_000;

// How many fit -----------------------------------------------------------------------

/// The centers of a map, each with those that it touches and itself, as sets of their places in the list of centers.
struct Centers {
    all: Vec<Province>,
    near: Vec<u128>,
}

impl Centers {
    fn of(map: &Map) -> Centers {
        // A set has 128 places; no map has half as many centers.
        let all: Vec<Province> = map.centers().iter().copied().take(128).collect();
        let near = all.iter().map(|center| {
            let touched = map.neighbors(*center);
            let places = all.iter().enumerate();
            let near = places.filter(|(_, other)| *other == center || touched.contains(other));
            near.fold(0, |set, (place, _)| set | 1u128 << place)
        });
        Centers {
            near: near.collect(),
            all,
        }
    }

    fn every(&self) -> u128 {
        (0..self.all.len()).fold(0, |set, place| set | 1u128 << place)
    }

    fn near(&self, place: usize) -> u128 {
        self.near.get(place).copied().unwrap_or_default()
    }

    /// The center of a set that touches the fewest of it, itself included, and these.
    fn loneliest(&self, set: u128) -> Option<u128> {
        let near = places(set).map(|place| self.near(place) & set);
        near.min_by_key(|near| near.count_ones())
    }

    /// Those of a set that hang together with its first.
    fn joined(&self, set: u128) -> u128 {
        let mut joined = set & set.wrapping_neg();
        loop {
            let grown = places(joined).fold(joined, |all, place| all | self.near(place) & set);
            if grown == joined {
                return joined;
            }
            joined = grown;
        }
    }

    /// By `better`, the size of the largest or of the smallest set of centers of which no two touch and to which none of the
    /// others can be added. One of them holds the loneliest center or one that it touches; parts that do not hang together are
    /// counted apart.
    fn size(&self, set: u128, better: fn(u32, u32) -> u32, known: &mut BTreeMap<u128, u32>) -> u32 {
        if set == 0 {
            return 0;
        }
        if let Some(size) = known.get(&set) {
            return *size;
        }
        let part = self.joined(set);
        let size = if part == set {
            let chosen = places(self.loneliest(set).unwrap_or_default());
            let sizes = chosen.map(|place| 1 + self.size(set & !self.near(place), better, known));
            sizes.reduce(better).unwrap_or_default()
        } else {
            self.size(part, better, known) + self.size(set & !part, better, known)
        };
        known.insert(set, size);
        size
    }
}

/// The places of a set.
fn places(set: u128) -> impl Iterator<Item = usize> {
    (0..128).filter(move |place| set & 1u128 << place != 0)
}

/// How many civilizations fit on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// The largest number of centers of which no two touch.
    pub most: usize,
    /// So many can always be picked one after another, whichever they are.
    pub sure: usize,
}

/// Found by search, once for each map.
pub(super) fn room(map: &Map) -> Room {
    static KNOWN: Mutex<BTreeMap<String, Room>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(room) = known.get(map.name()) {
        return *room;
    }
    let centers = Centers::of(map);
    let size = |better| centers.size(centers.every(), better, &mut BTreeMap::new()) as usize;
    let room = Room {
        most: size(u32::max),
        sure: size(u32::min),
    };
    known.insert(map.name().to_owned(), room);
    room
}

/// Between what numbers that of the civilizations may be set.
pub(super) fn limits(map: &Map) -> RangeInclusive<usize> {
    if map.name() == CARD.map {
        ON_ITS_OWN_MAP
    } else {
        2..=room(map).most
    }
}

/// The limits between which it is drawn where nobody sets others.
pub(super) fn usual(map: &Map) -> RangeInclusive<usize> {
    let centers = map.full_center_count();
    let limits = limits(map);
    let least = centers.div_ceil(5).max(*limits.start());
    let most = room(map).sure.min(centers * 2 / 5).min(*limits.end());
    least.min(*limits.end())..=most.max(least).min(*limits.end())
}

// Settings -------------------------------------------------------------------------------

/// What CIVS says: one number, or two.
fn numbers(value: &str) -> Option<RangeInclusive<usize>> {
    let (low, high) = value.split_once('-').unwrap_or((value, value));
    let number = |text: &str| text.trim().parse::<usize>().ok();
    Some(number(low)?..=number(high)?)
}

/// The limits between which the number of civilizations is drawn in a game.
pub(super) fn civs(map: &Map, settings: &Settings) -> RangeInclusive<usize> {
    if let Some(start) = set_starts(map, settings) {
        return start.len()..=start.len();
    }
    numbers(CIVS.among(settings)).unwrap_or_else(|| usual(map))
}

/// The centers that START names.
fn set_starts(map: &Map, settings: &Settings) -> Option<Vec<Province>> {
    let value = START.among(settings);
    if value == START.default {
        return None;
    }
    named(map, value)
}

/// The provinces that words stand for; nothing if one of them is no province.
fn named(map: &Map, words: &str) -> Option<Vec<Province>> {
    let words = words.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(|word| map.find_province(word)).collect()
}

/// CIVS as it may be set.
pub(super) fn check_civs(asked: &SettingAsked<'_>) -> Result<String, Refusal> {
    let limits = limits(asked.map);
    let (least, most) = limits.clone().into_inner();
    let between =
        format!("CIVS takes a number from {least} to {most}, or two of them: CIVS {least}-{most}.");
    let wanted = numbers(asked.value).ok_or_else(|| between.clone())?;
    let fits = limits.contains(wanted.start()) && limits.contains(wanted.end());
    if !fits || wanted.is_empty() {
        return refuse(between);
    }
    if wanted.start() == wanted.end() && !asked.by_master {
        return refuse(
            "Only a Master, who does not play, may say how many civilizations there are; SET CIVS 8-11 sets limits.",
        );
    }
    Ok(asked.value.to_owned())
}

/// What all may know of CIVS: of a number that was fixed, the limits between which it would be drawn.
pub(super) fn civs_told(map: &Map, value: &str) -> Option<String> {
    let limits = numbers(value).filter(|numbers| numbers.start() != numbers.end());
    let (least, most) = limits.unwrap_or_else(|| usual(map)).into_inner();
    Some(format!("{least}-{most}"))
}

/// START as it may be set.
pub(super) fn check_starts(asked: &SettingAsked<'_>) -> Result<String, Refusal> {
    if !asked.by_master {
        return refuse("Only a Master, who does not play, may say where civilizations start.");
    }
    if asked.value == START.default {
        return Ok(asked.value.to_owned());
    }
    let centers = asked.map.centers();
    let mut named = named(asked.map, asked.value)
        .filter(|named| named.iter().all(|place| centers.contains(place)))
        .ok_or("START takes DRAWN, or supply centers by their abbreviations: START VIE LON DEN.")?;
    named.sort();
    named.dedup();
    for (index, one) in named.iter().enumerate() {
        let near = asked.map.neighbors(*one);
        if let Some(other) = named
            .iter()
            .skip(index + 1)
            .find(|other| near.contains(other))
        {
            return refuse(format!(
                "{} and {} are neighbors; no two civilizations start so.",
                asked.map.full_name((*one).into()),
                asked.map.full_name((*other).into())
            ));
        }
    }
    let limits = limits(asked.map);
    if !limits.contains(&named.len()) {
        return refuse(format!(
            "START takes {} to {} centers, one for each civilization.",
            limits.start(),
            limits.end()
        ));
    }
    let codes: Vec<String> = named
        .iter()
        .map(|code| code.to_string().to_lowercase())
        .collect();
    Ok(codes.join("-"))
}

// The draw ---------------------------------------------------------------------------------

/// Who of those that have signed on plays, in the order of their civilizations, and who stands by, in which order.
pub(super) fn seats(game: &Game) -> (Vec<SeatId>, Vec<SeatId>) {
    let mut candidates: Vec<SeatId> = game.seated(Role::Player).map(|seat| seat.id).collect();
    let (low, high) = civs(game.map(), &game.settings).into_inner();
    let high = high.min(candidates.len());
    let span = (high + 1).saturating_sub(low).max(1);
    let dice = game.dice();
    let drawn = low + dice.draw("civdip/count", 0, span as u64) as usize;
    dice.shuffle("civdip/who", &mut candidates);
    let standing_by = candidates.split_off(drawn.min(candidates.len()));
    (candidates, standing_by)
}

/// Where so many start, in the order of their civilizations: no two next to one another.
pub(super) fn starts(map: &Map, count: usize, settings: &Settings, dice: Dice) -> Vec<Province> {
    if let Some(mut set) = set_starts(map, settings) {
        dice.shuffle("civdip/start", &mut set);
        return set;
    }
    let centers = Centers::of(map);
    let mut draws = 0;
    for _ in 0..MOST_ATTEMPTS {
        if let Some(picked) = pick(&centers, count, dice, &mut draws) {
            return centers.named(&picked);
        }
    }
    let mut order: Vec<usize> = (0..centers.all.len()).collect();
    dice.shuffle("civdip/search", &mut order);
    let found = search(&centers, &order, count).unwrap_or_default();
    centers.named(&found)
}

impl Centers {
    fn named(&self, places: &[usize]) -> Vec<Province> {
        let centers = places.iter().filter_map(|place| self.all.get(*place));
        centers.copied().collect()
    }
}

/// Draws one center after another, leaving out what the drawn ones touch; nothing if none is left too early.
fn pick(centers: &Centers, count: usize, dice: Dice, draws: &mut u64) -> Option<Vec<usize>> {
    let mut left = centers.every();
    let mut picked = Vec::new();
    while picked.len() < count {
        let free: Vec<usize> = places(left).collect();
        if free.is_empty() {
            return None;
        }
        let drawn = dice.draw("civdip/centre", *draws, free.len() as u64) as usize;
        *draws += 1;
        let place = *free.get(drawn)?;
        left &= !centers.near(place);
        picked.push(place);
    }
    Some(picked)
}

/// The first so many centers, tried in this order, of which no two touch.
fn search(centers: &Centers, order: &[usize], count: usize) -> Option<Vec<usize>> {
    fn deeper(
        centers: &Centers,
        order: &[usize],
        left: u128,
        count: usize,
        picked: &mut Vec<usize>,
    ) -> bool {
        if picked.len() == count {
            return true;
        }
        for (index, place) in order.iter().enumerate() {
            if left & 1u128 << place == 0 {
                continue;
            }
            picked.push(*place);
            let later = order.get(index + 1..).unwrap_or_default();
            if deeper(centers, later, left & !centers.near(*place), count, picked) {
                return true;
            }
            picked.pop();
        }
        false
    }
    let mut picked = Vec::new();
    deeper(centers, order, centers.every(), count, &mut picked).then_some(picked)
}

#[cfg(test)]
mod tests {
    use super::super::CivDip;
    use super::*;
    use dipjudge_game::labels::testing::player_seated;
    use dipjudge_game::{Enrolment, Event, SeatChange, Seed, apply};
    use dipjudge_rules::orders::VariantData;

    fn drawn(seed: u8, count: usize) -> String {
        let seed = Seed::new([seed; 32]);
        let settings = Settings::default();
        let starts = starts(Map::standard(), count, &settings, Dice::new(&seed));
        let codes: Vec<String> = starts.iter().map(ToString::to_string).collect();
        codes.join(" ")
    }

    /// Cases #1 to #3.
    #[test]
    fn starts_are_drawn_as_the_specification_draws_them() {
        assert_eq!(drawn(0, 7), "ANK HOL SER LON SPA STP LVP");
        assert_eq!(drawn(0, 9), "ANK HOL SER LON SPA STP LVP ROM WAR");
        assert_eq!(
            drawn(0, 13),
            "ANK HOL SER LON SPA STP LVP ROM WAR VIE PAR MUN DEN"
        );
        assert_eq!(
            drawn(1, 13),
            "SMY POR SEV BUL LVP VIE NAP DEN MUN PAR TUN BEL STP"
        );
    }

    /// A table at which so many have signed on, with the seed of zeros; each of them chooses the name of his number, if there
    /// is one.
    fn table(candidates: u32, names: &[(u32, &str)]) -> Game {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let made = CARD.created("dawn", Seed::new([0; 32]));
        let mut game = apply::create(&made, at).unwrap();
        for n in 0..candidates {
            apply::apply(&mut game, at, &player_seated(n));
        }
        for (n, name) in names {
            let chosen = Event::SeatChanged {
                seat: SeatId(*n),
                change: SeatChange::Brings(VariantData::of(name).unwrap()),
            };
            apply::apply(&mut game, at, &chosen);
        }
        game
    }

    /// Case #10: who chooses no name gets the same one, whatever the others choose.
    #[test]
    fn a_name_of_the_pool_is_its_seats() {
        let named = |names: &[(u32, &str)]| -> Vec<String> {
            let seating = CivDip.roster(&table(7, names)).unwrap();
            let powers = seating.powers.into_iter();
            powers.map(|(power, _)| power.name).collect()
        };
        let nobody = named(&[]);
        let (order, _) = seats(&table(7, &[]));
        let place = |seat: u32| order.iter().position(|one| one.0 == seat).unwrap();
        let others = named(&[(0, "Sparta"), (3, "Carthage"), (5, &nobody[place(1)])]);
        for seat in 0..7 {
            let silent = ![0, 3, 5].contains(&seat);
            assert_eq!(others[place(seat)] == nobody[place(seat)], silent, "{seat}");
        }
        assert_eq!(others[place(3)], "Carthage");
    }

    /// Case #4: of candidates a to j eight play, d first; e, then b stand by.
    #[test]
    fn who_plays_and_who_stands_by_is_drawn() {
        let letters = |seats: Vec<SeatId>| -> String {
            let letters = seats.iter().map(|seat| b"abcdefghij"[seat.0 as usize]);
            letters.map(char::from).collect()
        };
        let (playing, standing_by) = seats(&table(10, &[]));
        assert_eq!(letters(playing), "dfjichag");
        assert_eq!(letters(standing_by), "eb");
    }

    #[test]
    fn so_many_fit_on_each_map() {
        let standard = Map::standard();
        assert_eq!(room(standard), Room { most: 17, sure: 13 });
        assert_eq!((limits(standard), usual(standard)), (7..=13, 7..=13));
        for name in Map::names() {
            let map = Map::named(name).unwrap();
            let Room { most, sure } = room(map);
            assert!((1..=most).contains(&sure), "{name}");
            if most < 2 {
                continue;
            }
            let usual = usual(map);
            assert!(!usual.is_empty(), "{name}: {usual:?}");
            assert!(
                limits(map).contains(usual.start()) && limits(map).contains(usual.end()),
                "{name}: {usual:?}"
            );
            // As many as fit at all are found, be it by search.
            let seed = Seed::new([7; 32]);
            let starts = starts(map, most, &Settings::default(), Dice::new(&seed));
            assert_eq!(starts.len(), most, "{name}");
            for one in &starts {
                let near = map.neighbors(*one);
                assert!(!starts.iter().any(|other| near.contains(other)), "{name}");
            }
        }
    }

    fn checked(
        setting: &dipjudge_game::Setting,
        value: &str,
        by_master: bool,
    ) -> Result<String, Refusal> {
        setting.check(&SettingAsked {
            value,
            map: Map::standard(),
            by_master,
        })
    }

    /// Case #5.
    #[test]
    fn a_number_is_set_within_the_limits_and_told_to_nobody() {
        for value in ["14", "6", "6-9", "9-14", "9-8", "many", ""] {
            let refused = checked(&CIVS, value, true).unwrap_err().text();
            assert!(refused.contains("from 7 to 13"), "{value}: {refused}");
        }
        assert_eq!(checked(&CIVS, "9", true).as_deref(), Ok("9"));
        assert!(checked(&CIVS, "9", false).is_err());
        assert_eq!(checked(&CIVS, "8-11", false).as_deref(), Ok("8-11"));
        let told = |value: &str| CIVS.told(Map::standard(), value);
        assert_eq!(told("9").as_deref(), Some("7-13"));
        assert_eq!(told("drawn").as_deref(), Some("7-13"));
        assert_eq!(told("8-11").as_deref(), Some("8-11"));
    }

    /// Case #6.
    #[test]
    fn no_two_starts_that_a_master_names_are_neighbors() {
        let rest = "por-nap-mos-ank-kie";
        for pair in [
            "vie-bud", "lvp-edi", "nwy-stp", "bul-con", "kie-den", "mar-spa",
        ] {
            let refused = checked(&START, &format!("{pair}-{rest}"), true)
                .unwrap_err()
                .text();
            assert!(refused.contains("are neighbors"), "{pair}: {refused}");
        }
        for pair in ["gre-smy", "lon-lvp"] {
            let taken = checked(&START, &format!("{pair}-por-nap-mos-kie-vie"), true);
            assert!(taken.is_ok(), "{pair}: {taken:?}");
        }
        assert!(checked(&START, "tun-nap-lon-lvp-mos-kie-vie", true).is_ok());
        assert!(checked(&START, "vie-lon", true).is_err(), "too few");
        assert!(
            checked(&START, "vie-lon-boh-mos-kie-tun-nap", true).is_err(),
            "Bohemia"
        );
        assert!(checked(&START, "drawn", false).is_err());
        assert_eq!(START.told(Map::standard(), "vie-lon"), None);
    }
}

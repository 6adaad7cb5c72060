//! What is read and written on the standard map, made once.

use std::io::BufRead;
use std::sync::OnceLock;

use dipjudge_game::Variant;
use dipjudge_rules::adjudicator::plain::MOST_POWERS;
use dipjudge_rules::map::{Location, Map, PlaceSet, Power, Province, Stations, Travel, UnitKind};
use dipjudge_variants as variants;

use super::page::Token;
use crate::by_engine::{SettingsAfterMoves, settings_after_moves};

/// A variant whose movement phases are read here.
#[derive(Clone, Copy)]
pub(super) struct TakenVariant {
    pub(super) variant: &'static dyn Variant,
    /// Its settings if the line has none.
    pub(super) usual: SettingsAfterMoves,
}

impl TakenVariant {
    fn of(variant: &'static dyn Variant) -> Option<TakenVariant> {
        let usual = settings_after_moves(variant, b"{}")?;
        Some(TakenVariant { variant, usual })
    }

    /// Whether it is that of a line which names none.
    pub(super) fn is_unnamed(&self) -> bool {
        self.variant.card().name == variants::UNNAMED.card().name
    }
}

pub(super) struct Tokens {
    /// Those that a line may name.
    variants: Vec<TakenVariant>,
    /// Whether a line is read by these that names none.
    takes_unnamed: bool,
    pub(super) map: &'static Map,
    pub(super) stations: Stations,
    /// By three letters: the number of the province.
    provinces: Vec<Option<u8>>,
    /// By station.
    armies: Vec<UnitTokens>,
    fleets: Vec<UnitTokens>,
    /// By station: `"STP/SC",`.
    places: Vec<Token>,
    pub(super) powers: Vec<PowerToken>,
    pub(super) centers: PlaceSet,
    /// How many centers win.
    pub(super) enough: u32,
}

/// A unit as it is written.
pub(super) struct UnitTokens {
    /// `"A STP":[`
    pub(super) opening: Token,
    /// `"A STP":[],`
    pub(super) unmarked: Token,
    /// `"A STP",`
    pub(super) listed: Token,
    /// `"*A STP",`
    pub(super) starred: Token,
}

impl UnitTokens {
    fn of(kind: UnitKind, at: &Location) -> Option<UnitTokens> {
        Some(UnitTokens {
            opening: Token::new(format!("\"{kind} {at}\":[").as_bytes())?,
            unmarked: Token::new(format!("\"{kind} {at}\":[],").as_bytes())?,
            listed: Token::new(format!("\"{kind} {at}\",").as_bytes())?,
            starred: Token::new(format!("\"*{kind} {at}\",").as_bytes())?,
        })
    }
}

/// A power as it is read and written.
pub(super) struct PowerToken {
    pub(super) key: &'static [u8],
    /// `"AUSTRIA":`
    pub(super) opening: Token,
    pub(super) homes: PlaceSet,
}

/// Those of the standard map.
pub(super) fn tokens() -> Option<&'static Tokens> {
    static TOKENS: OnceLock<Option<Tokens>> = OnceLock::new();
    TOKENS
        .get_or_init(|| {
            let named = variants::ALL.iter().copied().filter(|variant| {
                let card = variant.card();
                card.name == variants::UNNAMED.card().name
                    || (card.standard_movement && card.places.is_empty())
            });
            let tokens = Tokens::of(variants::UNNAMED, named)?;
            Some(Tokens {
                takes_unnamed: true,
                ..tokens
            })
        })
        .as_ref()
}

/// What stands before the name of a variant.
const NAMES_VARIANT: &[u8] = b"variant\":";

/// The variant that a line seems to name; what the line says is known only when it has been read.
pub(super) fn variant_named(line: &[u8]) -> Option<&[u8]> {
    let (first, others) = NAMES_VARIANT.split_first()?;
    let mut rest = line;
    // Few of the letters of a line are small.
    while rest.skip_until(*first).is_ok_and(|skipped| skipped > 0) {
        let Some(behind) = rest.strip_prefix(others) else {
            continue;
        };
        let name = behind.trim_ascii_start().strip_prefix(b"\"")?;
        let end = name.iter().position(|&byte| byte == b'"')?;
        return name.get(..end);
    }
    None
}

/// Those by which lines of a variant are read.
pub(super) fn tokens_of(variant: &[u8]) -> Option<&'static Tokens> {
    let common = tokens()?;
    if common.takes_variant(variant).is_some() {
        return Some(common);
    }
    of_own_powers()
        .iter()
        .find(|tokens| tokens.takes_variant(variant).is_some())
}

/// Those of variants with powers of their own.
fn of_own_powers() -> &'static [Tokens] {
    static ALL: OnceLock<Vec<Tokens>> = OnceLock::new();
    ALL.get_or_init(|| {
        let variants = variants::ALL.iter().copied();
        let own = variants.filter(|variant| {
            let card = variant.card();
            card.standard_movement && !card.places.is_empty()
        });
        own.filter_map(|variant| Tokens::of(variant, [variant]))
            .collect()
    })
}

const fn letters_slot(letters: [u8; 3]) -> usize {
    let [a, b, c] = letters;
    ((a & 31) as usize) << 10 | ((b & 31) as usize) << 5 | (c & 31) as usize
}

impl Tokens {
    fn of(
        variant: &'static dyn Variant,
        named: impl IntoIterator<Item = &'static dyn Variant>,
    ) -> Option<Tokens> {
        let card = variant.card();
        let map = Map::with_places(card.map, card.places)?;
        let stations = Stations::of(map)?;
        let number_of = |province: &Province| map.number(*province);
        let set = |all: &[Province]| {
            all.iter()
                .filter_map(number_of)
                .fold(0, |set: PlaceSet, number| set | 1 << number)
        };
        let mut provinces = vec![None; 1 << 15];
        for info in map.provinces() {
            provinces[letters_slot(info.code.letters())] = map.number(info.code);
        }
        let units = |kind: UnitKind| {
            let unit = |at| UnitTokens::of(kind, at);
            stations
                .places()
                .iter()
                .map(unit)
                .collect::<Option<Vec<_>>>()
        };
        let powers = (0u8..).map(Power).zip(map.powers()).map(|(power, info)| {
            Some(PowerToken {
                key: info.key.as_bytes(),
                opening: Token::new(format!("\"{}\":", info.key).as_bytes())?,
                homes: set(map.homes(power)),
            })
        });
        if map.powers().len() > MOST_POWERS {
            return None;
        }
        let place = |place| Token::new(format!("\"{place}\",").as_bytes());
        Some(Tokens {
            variants: named
                .into_iter()
                .map(TakenVariant::of)
                .collect::<Option<_>>()?,
            takes_unnamed: false,
            map,
            armies: units(UnitKind::ARMY)?,
            fleets: units(UnitKind::FLEET)?,
            places: stations.places().iter().map(place).collect::<Option<_>>()?,
            powers: powers.collect::<Option<_>>()?,
            centers: set(map.centers()),
            provinces,
            enough: card.winning.number_on(map),
            stations,
        })
    }

    /// The variant of a line that names none.
    pub(super) fn unnamed(&self) -> Option<&TakenVariant> {
        self.variants
            .iter()
            .find(|taken| self.takes_unnamed && taken.is_unnamed())
    }

    /// The variant that a line names, if its movement phases are read by these.
    pub(super) fn takes_variant(&self, name: &[u8]) -> Option<&TakenVariant> {
        self.variants
            .iter()
            .find(|taken| taken.variant.card().name.as_bytes() == name)
    }

    /// Whether a line's map is this one.
    pub(super) fn takes_map(&self, name: &[u8]) -> Option<()> {
        (name == self.map.name().as_bytes()).then_some(())
    }

    #[inline]
    pub(super) fn unit(&self, travel: Travel, station: u8) -> &UnitTokens {
        let tokens = if travel == Travel::Sea {
            &self.fleets
        } else {
            &self.armies
        };
        &tokens[usize::from(station)]
    }

    #[inline]
    pub(super) fn place(&self, station: u8) -> &Token {
        &self.places[usize::from(station)]
    }

    /// The number of the province with these letters, which are capitals.
    #[inline]
    pub(super) fn province(&self, letters: [u8; 3]) -> Option<u8> {
        if !letters.iter().all(u8::is_ascii_uppercase) {
            return None;
        }
        self.provinces[letters_slot(letters)]
    }

    /// The number of the power with exactly this key.
    #[inline]
    pub(super) fn power(&self, key: &[u8]) -> Option<u8> {
        let index = self.powers.iter().position(|power| power.key == key)?;
        u8::try_from(index).ok()
    }
}

//! Reads map files. `README.md` in this folder describes the notation.

use std::collections::{BTreeMap, BTreeSet};

use super::entries::{ProvinceInfo, StartUnit, SummaryCenter, Terrain};
use super::{Coast, Location, Power, PowerInfo, Province, Travel, UnitKind, UnitKindInfo};

/// A fault of a map file and its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct MapError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: MapFault,
}

/// A fault of a map file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapFault {
    /// The line begins neither with a word of the notation nor with the code of a province.
    #[error("unknown word `{0}`")]
    UnknownWord(String),
    /// Something is missing or malformed.
    #[error("expected {0}")]
    Expected(&'static str),
    /// `use` names a map that does not exist.
    #[error("no map is called `{0}`")]
    NoSuchMap(String),
    /// There is no power of this name.
    #[error("no power is called `{0}`")]
    NoSuchPower(String),
    /// A province that the file does not declare.
    #[error("no province {0}")]
    NoSuchProvince(Province),
    /// Something is declared twice.
    #[error("`{0}` is there already")]
    Twice(String),
    /// Two provinces have the same spelling.
    #[error("the spelling `{0}` means both {1} and {2}")]
    SharedSpelling(String, Province, Province),
    /// A border is in the file from one side only.
    #[error("{from} has a border to {to} for {travel}, but {to} has none to {from}")]
    OneSided {
        /// The place whose line has the border.
        from: Location,
        /// The place whose line lacks it.
        to: Location,
        /// `armies` or `fleets`.
        travel: &'static str,
    },
    /// A unit or border is at a place where such units cannot be.
    #[error("{what} cannot be at {at}")]
    CannotStand {
        /// `armies`, `fleets`, or the letters of the unit's kind.
        what: String,
        /// The place where it cannot be.
        at: Location,
    },
    /// There are more than 255 provinces or powers.
    #[error("more than 255 provinces")]
    TooMany,
}

/// The contents of a map file. A [`Map`](super::Map) keeps them, so that other map files can build on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) powers: Vec<PowerInfo>,
    /// What else people call the powers in letters: `Turks`, `Sultan`.
    pub(super) peoples: Vec<(Power, String)>,
    pub(super) kinds: Vec<UnitKindInfo>,
    pub(super) start: Vec<StartUnit>,
    /// Empty if the file does not give an order.
    pub(super) summary: Vec<SummaryCenter>,
    /// The number of centers that `no centers` has removed.
    pub(super) left_away: usize,
    pub(super) provinces: BTreeMap<Province, DraftProvince>,
}

#[derive(Clone, Debug)]
pub(super) struct DraftProvince {
    pub(super) info: ProvinceInfo,
    pub(super) army: BTreeSet<Province>,
    pub(super) fleet: BTreeMap<Option<Coast>, BTreeSet<Location>>,
    /// The line that declares the province; `None` if it comes from the map in use.
    pub(super) line: Option<usize>,
}

impl Draft {
    pub(super) fn read(
        text: &str,
        base: impl FnOnce(&str) -> Option<Self>,
    ) -> Result<Self, MapError> {
        let mut draft = Self {
            kinds: standard_kinds(),
            ..Self::default()
        };
        let mut base = Some(base);
        let mut current = None;
        let mut starts = Vec::new();
        let mut last = 0;
        for (line, text) in (1..).zip(text.lines()) {
            last = line;
            let text = text
                .split_once('#')
                .map_or(text, |(before, _)| before)
                .trim();
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let rest = rest.trim();
            let result = match word {
                "" => Ok(()),
                "name" if rest.is_empty() => Err(MapFault::Expected("a name")),
                "name" => {
                    draft.name = rest.to_owned();
                    Ok(())
                }
                "use" => match base.take().and_then(|base| base(rest)) {
                    None => Err(MapFault::NoSuchMap(rest.to_owned())),
                    Some(found) => draft.inherit(found),
                },
                "no" => draft.leave_out(rest),
                "kind" => draft.read_kind(rest),
                "called" => draft.read_called(rest),
                "shown" => draft.read_shown(rest),
                "power" => draft.read_power(rest),
                "powers" => draft.make_powers(rest),
                "people" => draft.read_people(rest),
                "summary" => draft.read_summary(rest),
                "start" => {
                    starts.push((line, rest));
                    Ok(())
                }
                "also" | "foreign" | "army" => draft.read_detail(current, word, None, rest),
                _ if word == "fleet" || word.starts_with("fleet/") => match word.split_once('/') {
                    None => draft.read_detail(current, "fleet", None, rest),
                    Some((_, coast)) => match coast.parse() {
                        Ok(coast) => draft.read_detail(current, "fleet", Some(coast), rest),
                        Err(_) => Err(MapFault::Expected("a coast as nc, sc, ec, wc")),
                    },
                },
                _ => draft
                    .read_province(word, rest, line)
                    .map(|province| current = Some(province)),
            };
            result.map_err(|fault| MapError { line, fault })?;
        }
        draft.mirror_inherited();
        for (line, text) in starts {
            draft
                .read_start(text)
                .map_err(|fault| MapError { line, fault })?;
        }
        draft.check(last)?;
        Ok(draft)
    }

    fn inherit(&mut self, base: Self) -> Result<(), MapFault> {
        if !self.provinces.is_empty() || !self.powers.is_empty() {
            return Err(MapFault::Expected(
                "`use` before anything that builds on it",
            ));
        }
        self.powers = base.powers;
        self.peoples = base.peoples;
        self.start = base.start;
        self.left_away = base.left_away;
        self.provinces = base.provinces;
        for kind in base.kinds {
            if !self.kinds.iter().any(|own| own.kind == kind.kind) {
                self.kinds.push(kind);
            }
        }
        for province in self.provinces.values_mut() {
            province.line = None;
        }
        Ok(())
    }

    fn leave_out(&mut self, what: &str) -> Result<(), MapFault> {
        match what {
            "centers" => {
                self.summary.clear();
                for province in self.provinces.values_mut() {
                    self.left_away += usize::from(province.info.center);
                    province.info.center = false;
                    province.info.home = None;
                }
            }
            "homes" => self
                .provinces
                .values_mut()
                .for_each(|province| province.info.home = None),
            "start" => self.start.clear(),
            "powers" => {
                self.powers.clear();
                self.peoples.clear();
                self.start.clear();
                for province in self.provinces.values_mut() {
                    province.info.home = None;
                    province.info.only = None;
                }
            }
            _ => {
                return Err(MapFault::Expected(
                    "`no centers`, `no homes`, `no start` or `no powers`",
                ));
            }
        }
        Ok(())
    }

    fn read_kind(&mut self, text: &str) -> Result<(), MapFault> {
        let mut fields = fields(text);
        let (Some(letters), Some(name), Some(travel)) =
            (fields.next(), fields.next(), fields.next())
        else {
            return Err(MapFault::Expected(
                "a kind as `DOM  Dirty Old Man Army  land  idle`",
            ));
        };
        let kind: UnitKind = letters
            .parse()
            .map_err(|_| MapFault::Expected("the letters of a kind"))?;
        let travel = match travel {
            "land" => Travel::Land,
            "sea" => Travel::Sea,
            "both" => Travel::Both,
            _ => return Err(MapFault::Expected("land, sea or both")),
        };
        let fights = match fields.next() {
            None | Some("fights") => true,
            Some("idle") => false,
            Some(_) => return Err(MapFault::Expected("fights or idle")),
        };
        if self.kinds.iter().any(|known| known.kind == kind) {
            return Err(MapFault::Twice(letters.to_owned()));
        }
        self.kinds.push(UnitKindInfo {
            kind,
            name: name.to_owned(),
            shown: None,
            also: Vec::new(),
            travel,
            fights,
        });
        Ok(())
    }

    /// `called FA  Decoy army, DA`: other words for a kind of unit.
    fn read_called(&mut self, text: &str) -> Result<(), MapFault> {
        let mut fields = fields(text);
        let kind = self.kind_of(fields.next())?;
        let words = fields.next().ok_or(MapFault::Expected("words of a kind"))?;
        let words = words.split(',').map(|word| word.trim().to_owned());
        kind.also.extend(words.filter(|word| !word.is_empty()));
        Ok(())
    }

    /// `shown FA  Decoy army  DA`: what a kind is called from here on. Its former name is read too.
    fn read_shown(&mut self, text: &str) -> Result<(), MapFault> {
        let mut fields = fields(text);
        let kind = self.kind_of(fields.next())?;
        let (Some(name), Some(code)) = (fields.next(), fields.next()) else {
            return Err(MapFault::Expected("a kind as `DOM  Warden army  WA`"));
        };
        let code = code
            .parse()
            .map_err(|_| MapFault::Expected("the letters of a kind"))?;
        kind.shown = Some(code);
        let former = std::mem::replace(&mut kind.name, name.to_owned());
        kind.also.extend([former, code.to_string()]);
        Ok(())
    }

    /// The kind with these letters, which a line above has made.
    fn kind_of(&mut self, letters: Option<&str>) -> Result<&mut UnitKindInfo, MapFault> {
        let letters = letters.unwrap_or_default();
        let mut kinds = self.kinds.iter_mut();
        kinds
            .find(|known| known.kind.as_str() == letters)
            .ok_or_else(|| MapFault::UnknownWord(letters.to_owned()))
    }

    /// `summary VEN ROM NWY=Nor`: the centers in the order of SUMMARY, with the letters shown where these are not the
    /// code's own.
    fn read_summary(&mut self, text: &str) -> Result<(), MapFault> {
        self.summary.clear();
        for word in text.split_whitespace() {
            let (code, heading) = word.split_once('=').unwrap_or((word, ""));
            let center: Province = code
                .parse()
                .map_err(|_| MapFault::Expected("codes of provinces"))?;
            let heading = if heading.is_empty() {
                center.titled()
            } else {
                heading.to_owned()
            };
            self.summary.push(SummaryCenter { center, heading });
        }
        Ok(())
    }

    fn read_power(&mut self, text: &str) -> Result<(), MapFault> {
        let mut fields = fields(text);
        let name = fields
            .next()
            .ok_or(MapFault::Expected("a power as `Austria  Austrian  A`"))?;
        if self.powers.iter().any(|power| power.name == name) {
            return Err(MapFault::Twice(name.to_owned()));
        }
        if self.powers.len() >= 255 {
            return Err(MapFault::TooMany);
        }
        self.powers.push(PowerInfo {
            name: name.to_owned(),
            adjective: fields.next().unwrap_or(name).to_owned(),
            key: name.to_uppercase(),
            letter: fields.next().and_then(|letter| letter.chars().next()),
        });
        Ok(())
    }

    /// `people Turkey  Turks, Sultan`: what else people call a power of a line above.
    fn read_people(&mut self, text: &str) -> Result<(), MapFault> {
        let mut fields = fields(text);
        let name = fields.next().unwrap_or_default();
        let power = (0..)
            .zip(&self.powers)
            .find(|(_, info)| info.name == name)
            .map(|(index, _)| Power(index))
            .ok_or_else(|| MapFault::NoSuchPower(name.to_owned()))?;
        let words = fields
            .next()
            .ok_or(MapFault::Expected("words for a power"))?;
        let words = words
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty());
        self.peoples
            .extend(words.map(|word| (power, word.to_owned())));
        Ok(())
    }

    /// `powers of centers`: each center above becomes the home of a power of its own, which has the name and the code of the
    /// center.
    fn make_powers(&mut self, of: &str) -> Result<(), MapFault> {
        if of != "of centers" {
            return Err(MapFault::Expected("`powers of centers`"));
        }
        let centers = self
            .provinces
            .values_mut()
            .filter(|province| province.info.center);
        for province in centers {
            let info = &mut province.info;
            let power = u8::try_from(self.powers.len()).map_err(|_| MapFault::TooMany)?;
            if Power(power) == Power::NEUTRAL {
                return Err(MapFault::TooMany);
            }
            info.home = Some(Power(power));
            self.powers
                .push(PowerInfo::by_code(info.code.as_str(), &info.name));
        }
        Ok(())
    }

    fn power(&self, name: &str) -> Result<Power, MapFault> {
        (0u8..)
            .zip(&self.powers)
            .find(|(_, power)| power.name == name)
            .map(|(index, _)| Power(index))
            .ok_or_else(|| MapFault::NoSuchPower(name.to_owned()))
    }

    fn read_province(&mut self, word: &str, text: &str, line: usize) -> Result<Province, MapFault> {
        let code = match word.parse::<Province>() {
            Ok(code) if code.as_str() == word => code,
            _ => return Err(MapFault::UnknownWord(word.to_owned())),
        };
        let mut fields = fields(text);
        let name = fields
            .next()
            .ok_or(MapFault::Expected("the province's name"))?;
        let terrain = match fields.next() {
            Some("sea") => Terrain::Sea,
            Some("inland") => Terrain::Inland,
            Some("coast") => Terrain::Coast,
            Some("islands") => Terrain::Islands,
            _ => return Err(MapFault::Expected("sea, inland, coast or islands")),
        };
        let mut info = ProvinceInfo {
            code,
            name: name.to_owned(),
            terrain,
            center: false,
            home: None,
            coasts: Vec::new(),
            only: None,
            shared: false,
            aliases: Vec::new(),
            foreign: Vec::new(),
        };
        for field in fields {
            match field.split_once(' ').unwrap_or((field, "")) {
                ("center", "") => info.center = true,
                ("center", power) => {
                    info.center = true;
                    info.home = Some(self.power(power)?);
                }
                ("only", power) => info.only = Some(self.power(power)?),
                ("shared", "") => info.shared = true,
                _ => return Err(MapFault::UnknownWord(field.to_owned())),
            }
        }
        let province = DraftProvince {
            info,
            army: BTreeSet::new(),
            fleet: BTreeMap::new(),
            line: Some(line),
        };
        match self.provinces.insert(code, province) {
            None => Ok(code),
            Some(_) => Err(MapFault::Twice(word.to_owned())),
        }
    }

    fn read_detail(
        &mut self,
        current: Option<Province>,
        word: &str,
        coast: Option<Coast>,
        text: &str,
    ) -> Result<(), MapFault> {
        let province = current
            .and_then(|code| self.provinces.get_mut(&code))
            .ok_or(MapFault::Expected(
                "a province before its borders and spellings",
            ))?;
        match word {
            "also" | "foreign" => {
                let spellings = text
                    .split(',')
                    .map(str::trim)
                    .filter(|spelling| !spelling.is_empty());
                let known = if word == "also" {
                    &mut province.info.aliases
                } else {
                    &mut province.info.foreign
                };
                known.extend(spellings.map(str::to_lowercase));
            }
            "army" => {
                for to in text.split_whitespace() {
                    province
                        .army
                        .insert(to.parse().map_err(|_| MapFault::Expected("provinces"))?);
                }
            }
            _ => {
                if let Some(coast) = coast.filter(|coast| !province.info.coasts.contains(coast)) {
                    province.info.coasts.push(coast);
                    province.info.coasts.sort_unstable();
                }
                let borders = province.fleet.entry(coast).or_default();
                for to in text.split_whitespace() {
                    borders.insert(
                        to.parse()
                            .map_err(|_| MapFault::Expected("places as STP/SC"))?,
                    );
                }
            }
        }
        Ok(())
    }

    fn read_start(&mut self, text: &str) -> Result<(), MapFault> {
        let mut fields = fields(text);
        let (Some(power), Some(units)) = (fields.next(), fields.next()) else {
            return Err(MapFault::Expected(
                "a power and units as `Austria  A BUD, F TRI`",
            ));
        };
        let power = self.power(power)?;
        for unit in units.split(',') {
            let (kind, at) = unit
                .trim()
                .split_once(' ')
                .ok_or(MapFault::Expected("units as `A BUD, F TRI`"))?;
            let kind: UnitKind = kind
                .parse()
                .map_err(|_| MapFault::Expected("the letters of a kind"))?;
            let at: Location = at
                .trim()
                .parse()
                .map_err(|_| MapFault::Expected("a place as STP/SC"))?;
            let travel = self
                .kinds
                .iter()
                .find(|known| known.kind == kind)
                .map(|known| known.travel)
                .ok_or_else(|| MapFault::UnknownWord(kind.to_string()))?;
            if !self.can_stand(travel, at) {
                return Err(MapFault::CannotStand {
                    what: kind.to_string(),
                    at,
                });
            }
            self.start.push(StartUnit { power, kind, at });
        }
        Ok(())
    }

    /// Adds the borders of new provinces to the provinces of the map in use, from the other side.
    fn mirror_inherited(&mut self) {
        let mut armies = Vec::new();
        let mut fleets = Vec::new();
        for (&code, province) in self
            .provinces
            .iter()
            .filter(|(_, province)| province.line.is_some())
        {
            armies.extend(province.army.iter().map(|&to| (to, code)));
            for (&coast, to) in &province.fleet {
                fleets.extend(to.iter().map(|&to| {
                    (
                        to,
                        Location {
                            province: code,
                            coast,
                        },
                    )
                }));
            }
        }
        let inherited = |province: &&mut DraftProvince| province.line.is_none();
        for (to, from) in armies {
            if let Some(other) = self.provinces.get_mut(&to).filter(inherited) {
                other.army.insert(from);
            }
        }
        for (to, from) in fleets {
            if let Some(other) = self.provinces.get_mut(&to.province).filter(inherited) {
                other.fleet.entry(to.coast).or_default().insert(from);
            }
        }
    }

    pub(super) fn can_stand(&self, travel: Travel, at: Location) -> bool {
        self.provinces
            .get(&at.province)
            .is_some_and(|province| match travel {
                Travel::Land => province.info.terrain != Terrain::Sea && at.coast.is_none(),
                Travel::Sea => {
                    province.info.terrain != Terrain::Inland && {
                        let coasts = &province.info.coasts;
                        at.coast
                            .map_or(coasts.is_empty(), |coast| coasts.contains(&coast))
                    }
                }
                Travel::Both => at.coast.is_none(),
            })
    }
}

fn standard_kinds() -> Vec<UnitKindInfo> {
    let kind = |kind, name: &str, travel| UnitKindInfo {
        kind,
        name: name.to_owned(),
        shown: None,
        also: Vec::new(),
        travel,
        fights: true,
    };
    vec![
        kind(UnitKind::ARMY, "Army", Travel::Land),
        kind(UnitKind::FLEET, "Fleet", Travel::Sea),
    ]
}

/// The fields of a line, which are separated by two blanks or more.
fn fields(text: &str) -> impl Iterator<Item = &str> {
    text.split("  ")
        .map(str::trim)
        .filter(|field| !field.is_empty())
}

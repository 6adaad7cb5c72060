//! The checks of a map: every border is in the file from both sides, units can be at both ends of a border, and no spelling
//! stands for two provinces.

use std::collections::BTreeMap;

use super::file::{Draft, MapError, MapFault};
use super::{Location, Province, Travel};

impl Draft {
    /// Checks the whole draft. `last` is the line of faults for which no other line is known.
    pub(super) fn check(&self, last: usize) -> Result<(), MapError> {
        if self.provinces.len() > 255 {
            return Err(MapError {
                line: last,
                fault: MapFault::TooMany,
            });
        }
        let mut spellings: BTreeMap<String, Province> = BTreeMap::new();
        for (&code, province) in &self.provinces {
            let error = |fault| {
                Err(MapError {
                    line: province.line.unwrap_or(last),
                    fault,
                })
            };
            for &to in &province.army {
                let (from, to) = (Location::from(code), Location::from(to));
                for at in [from, to] {
                    if !self.can_stand(Travel::Land, at) {
                        return error(MapFault::CannotStand {
                            what: "armies".to_owned(),
                            at,
                        });
                    }
                }
                if !self
                    .provinces
                    .get(&to.province)
                    .is_some_and(|other| other.army.contains(&code))
                {
                    return error(MapFault::OneSided {
                        from,
                        to,
                        travel: "armies",
                    });
                }
            }
            for (&coast, borders) in &province.fleet {
                let from = Location {
                    province: code,
                    coast,
                };
                for &to in borders {
                    for at in [from, to] {
                        if !self.can_stand(Travel::Sea, at) {
                            return error(MapFault::CannotStand {
                                what: "fleets".to_owned(),
                                at,
                            });
                        }
                    }
                    let back = self
                        .provinces
                        .get(&to.province)
                        .and_then(|other| other.fleet.get(&to.coast));
                    if !back.is_some_and(|back| back.contains(&from)) {
                        return error(MapFault::OneSided {
                            from,
                            to,
                            travel: "fleets",
                        });
                    }
                }
            }
            for spelling in province.info.spellings() {
                if let Some(other) = spellings
                    .insert(spelling.clone(), code)
                    .filter(|&other| other != code)
                {
                    return error(MapFault::SharedSpelling(spelling, other, code));
                }
            }
        }
        Ok(())
    }
}

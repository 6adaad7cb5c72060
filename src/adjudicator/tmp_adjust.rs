//! stub
#![allow(missing_docs)]
use std::collections::BTreeMap;
use crate::map::*;
use crate::position::*;
pub struct Allowances(BTreeMap<Power, (i32, Vec<Province>)>);
pub enum Sites { Homes, Owned, OwnedIfHome }
impl Allowances {
    pub fn standard(map: &Map, position: &Position, powers: usize, _: Sites) -> Allowances {
        Allowances((0..powers).map(|p| { let p = Power(p as u8);
            let due = position.centers_of(p).count() as i32 - position.units_of(p).count() as i32;
            let sites = map.homes(p).iter().copied().filter(|h| position.owners.get(h) == Some(&p) && position.standing(*h).is_none()).collect();
            (p, (due, sites)) }).collect())
    }
    pub fn usable(&self, p: Power) -> (usize, usize, usize) { let Some((due, sites)) = self.0.get(&p) else { return (0,0,0) };
        if *due >= 0 { let b = (*due as usize).min(sites.len()); (b, 0, *due as usize - b) } else { (0, (-due) as usize, 0) } }
    pub fn sites(&self, p: Power) -> Vec<Province> { self.0.get(&p).map(|x| x.1.clone()).unwrap_or_default() }
    pub fn due(&self, p: Power) -> i32 { self.0.get(&p).map_or(0, |x| x.0) }
}
pub fn civil_disorder(_: &Map, position: &Position, p: Power) -> Option<Unit> { position.units_of(p).next().copied() }

//! stub
#![allow(missing_docs)]
use crate::map::*;
use crate::position::*;
pub struct Allowances;
pub enum Sites { Homes, Owned, OwnedIfHome }
impl Allowances {
    pub fn standard(_: &Map, _: &Position, _: usize, _: Sites) -> Allowances { Allowances }
    pub fn usable(&self, _: Power) -> (usize, usize, usize) { (0, 0, 0) }
    pub fn due(&self, _: Power) -> i32 { 0 }
}

//! The orders of a phase.

use std::collections::BTreeMap;

use super::board::{PowerLine, items};
use super::{LineError, WrittenOrder, each_line};
use crate::calendar::PhaseKind;
use crate::map::{Map, Power};
use crate::orders::{Action, Order};
use crate::position::Position;

/// Reads the orders of a movement phase for units of the position, one on each line.
///
/// # Errors
/// What is wrong with the first line that cannot be read, or whose unit the position does not have.
pub fn movement_orders(
    map: &Map,
    position: &Position,
    text: &str,
) -> Result<Vec<Order>, LineError> {
    unit_orders(map, PhaseKind::Movement, position, text)
}

/// Reads the orders of a retreat phase for dislodged units of the position, one on each line.
///
/// # Errors
/// As for [`movement_orders`].
pub fn retreat_orders(map: &Map, position: &Position, text: &str) -> Result<Vec<Order>, LineError> {
    unit_orders(map, PhaseKind::Retreats, position, text)
}

fn unit_orders(
    map: &Map,
    phase: PhaseKind,
    position: &Position,
    text: &str,
) -> Result<Vec<Order>, LineError> {
    let mut orders = Vec::new();
    each_line(text, |line| {
        orders.push(WrittenOrder::read(map, phase, line)?.in_position(position)?);
        Ok(())
    })?;
    Ok(orders)
}

/// Reads builds, removals and waivers, with a line for each power: `France: F BRE B, WAIVE`.
///
/// # Errors
/// What is wrong with the first line that cannot be read.
pub fn adjustment_orders(map: &Map, text: &str) -> Result<BTreeMap<Power, Vec<Action>>, LineError> {
    let mut orders: BTreeMap<Power, Vec<Action>> = BTreeMap::new();
    each_line(text, |line| {
        let PowerLine { power, list } = PowerLine::read(map, line)?;
        for item in items(list) {
            let order = WrittenOrder::read(map, PhaseKind::Adjustments, item)?;
            orders.entry(power).or_default().push(order.action);
        }
        Ok(())
    })?;
    Ok(orders)
}

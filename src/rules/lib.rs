//! An adjudicator for the board game Diplomacy. For each order that failed it gives the reason and the unit that caused it. It
//! adjudicates movement, retreats and adjustments on any map by the rulebook of 2023 and the
//! *Diplomacy Adjudicator Test Cases* (DATC) 3.0 by Lucas B. Kruijswijk, in microseconds.
//!
//! References such as *DATC 6.B.9* in this documentation are to sections and cases of that document.
//!
//! # Movement
//!
//! Units and orders are read from text in a [`notation`]. The result has an [`Outcome`](adjudicator::Outcome) for each unit:
//! the marks of its order, the place to which it moved, and the reason if the order failed.
//!
//! ```
//! use dipjudge_rules::adjudicator::{Mark, Reason, movement};
//! use dipjudge_rules::map::Map;
//! use dipjudge_rules::notation;
//!
//! let map = Map::standard();
//! let position = notation::position(map, "
//!     France: A PAR, A MAR
//!     Germany: A MUN, A RUH
//!     Italy: A TYR")?;
//! let orders = notation::movement_orders(map, &position, "
//!     A PAR - BUR
//!     A MAR S A PAR - BUR
//!     A RUH - BUR
//!     A MUN S A RUH - BUR
//!     A TYR - MUN")?;
//! let resolution = movement(map, &position, &orders.into());
//!
//! let paris = resolution.outcome(position.units[0].id).unwrap();
//! assert_eq!(paris.moved, Some("BUR".parse()?));
//!
//! // The support from Munich is cut, so the move from the Ruhr is alone.
//! let ruhr = resolution.outcome(position.units[3].id).unwrap();
//! assert!(ruhr.marks.has(Mark::Bounce));
//! let reason = ruhr.reason.as_ref().unwrap();
//! assert_eq!(reason.to_string(), "bounced off A Par, 1 against 2");
//!
//! let munich = resolution.outcome(position.units[2].id).unwrap();
//! let Some(Reason::Cut { by }) = &munich.reason else { panic!() };
//! assert_eq!(by.to_string(), "A Tyr");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Retreats
//!
//! [`Resolution::apply`](adjudicator::Resolution::apply) gives the position after a phase. After movement it contains the
//! dislodged units, each with the places to which it may retreat.
//!
//! ```
//! use dipjudge_rules::adjudicator::{movement, retreats};
//! use dipjudge_rules::map::Map;
//! use dipjudge_rules::notation;
//!
//! let map = Map::standard();
//! let before = notation::position(map, "
//!     France: A PAR, A MAR
//!     Germany: A BUR")?;
//! let orders = notation::movement_orders(map, &before, "
//!     A PAR - BUR
//!     A MAR S A PAR - BUR")?;
//! let position = movement(map, &before, &orders.into()).apply(&before);
//! let options: Vec<String> = position.dislodged[0].options.iter().map(|to| to.to_string()).collect();
//! assert_eq!(options, ["BEL", "GAS", "MUN", "PIC", "RUH"]);
//!
//! let orders = notation::retreat_orders(map, &position, "A BUR R MUN")?;
//! let after = retreats(map, &position, &orders).apply(&position);
//! assert_eq!(notation::write_position(map, &after), "France: A BUR, A MAR\nGermany: A MUN\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Adjustments
//!
//! What a power may build or must remove is its [`Allowance`](adjudicator::Allowance), computed from the position. The owners
//! of centers are part of the position; the caller updates them after Fall.
//!
//! ```
//! use dipjudge_rules::adjudicator::{Adjustment, Allowances, Sites, adjustments};
//! use dipjudge_rules::map::Map;
//! use dipjudge_rules::notation;
//!
//! let map = Map::standard();
//! let mut position = notation::position(map, "
//!     France: A SPA, A BUR
//!     Germany: A MUN, A RUH")?;
//! position.owners = notation::centers(map, "
//!     France: BRE, MAR, PAR, SPA
//!     Germany: MUN")?;
//! let allowances = Allowances::standard(map, &position, map.powers().len(), Sites::Homes);
//!
//! let orders = notation::adjustment_orders(map, "France: F BRE B, F PAR B, WAIVE")?;
//! let adjusted = adjustments(map, &position, &allowances, &orders);
//! for (power, adjustment) in &adjusted.adjustments {
//!     if let Adjustment::Refused(index, why) = adjustment {
//!         assert_eq!(*index, 1);
//!         assert_eq!(why.sentence(map, map.powers()), "There cannot be a fleet in Paris: check the coast.");
//!     }
//! }
//! // Germany ordered nothing, so it loses the unit that is farthest from its only center.
//! let board = notation::write_position(map, &adjusted.position);
//! assert_eq!(board, "France: A SPA, A BUR, F BRE\nGermany: A MUN\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | module | contents |
//! | --- | --- |
//! | [`adjudicator`] | [`movement`](adjudicator::movement), [`retreats`](adjudicator::retreats), [`adjustments`](adjudicator::adjustments), and their results |
//! | [`orders`] | orders; [`legal`](orders::legal) checks one and [`Illegal`](orders::Illegal) says what is wrong with it; the [`OrderSheet`](orders::OrderSheet) of a phase, with what a variant adds to it |
//! | [`position`] | units, dislodged units, owners of centers |
//! | [`map`] | provinces, coasts, borders and powers; the included maps, and a reader for map files |
//! | [`notation`] | units and orders as text |
//! | [`calendar`] | seasons, and names of phases such as `S1901M` |
//! | [`sorted_map`] | maps of few entries, such as the owners of centers |
//! | [`text`], [`folding`], [`conditions`] | tools for programs that read what players type: lines and names in a form that can be compared, and conditions of AND, OR and NOT |
//!
//! Nothing in this crate reads a file, a clock or a random number generator: the same position and orders always give the
//! same result.

// See clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod adjudicator;
pub mod calendar;
pub mod conditions;
pub mod folding;
pub mod map;
pub mod notation;
pub mod orders;
pub mod position;
pub mod sorted_map;
pub mod text;

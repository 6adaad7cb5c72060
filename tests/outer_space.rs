//! ...It Came from Outer Space!: the cases of its rules page, played by the engine from lines as players write them.

#[path = "outer_space/by_hand.rs"]
mod by_hand;
#[path = "outer_space/cases.rs"]
mod cases;
#[path = "adjudication/crowd.rs"]
mod crowd;
#[path = "outer_space/refusals.rs"]
mod refusals;
#[path = "outer_space/table.rs"]
mod table;
#[path = "outer_space/unused.rs"]
mod unused;

//! ...It Came from Outer Space!: the cases of its rules page, played by the engine from lines as players write them.

mod by_hand;
mod cases;
mod refusals;
mod table;
mod unused;

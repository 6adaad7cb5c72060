//! ...It Came from Outer Space!: the cases of its rules page, played by the engine from lines as players write them.

#[path = "outer_space/cases.rs"]
mod cases;
#[path = "outer_space/table.rs"]
mod table;

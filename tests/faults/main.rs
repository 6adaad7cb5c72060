//! The program is ended, or fails, at each of its steps once, and recovers: nothing is lost, doubled or out of order. The machine is
//! lost, and yesterday's backup and the mailbox are enough.

#[path = "../common/judge_folder/mod.rs"]
mod judge_folder;
#[path = "../common/planted_faults/mod.rs"]
mod planted_faults;
#[path = "../common/scripted_smtp/mod.rs"]
mod scripted_smtp;
#[path = "../common/store_lines/mod.rs"]
mod store_lines;

mod each_step;
mod folder;
mod lost_machine;
mod refusals;
mod soak;

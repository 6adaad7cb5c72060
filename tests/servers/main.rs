//! Tests with real mail servers: Dovecot and Exim, which `deploy/install-test-needs.sh` installs.

#[path = "../common/games/mod.rs"]
mod games;
#[path = "../common/judge_folder/mod.rs"]
mod judge_folder;
#[path = "../common/mail_system/mod.rs"]
mod mail_system;
#[path = "../common/memory/mod.rs"]
mod memory;
#[path = "../common/old_tools/mod.rs"]
mod old_tools;
#[path = "../common/piped.rs"]
mod piped;
#[path = "../common/planted_faults/mod.rs"]
mod planted_faults;
#[path = "../common/scripted_smtp/mod.rs"]
mod scripted_smtp;
#[path = "../common/servers_host.rs"]
mod servers_host;
#[path = "../common/store_lines/mod.rs"]
mod store_lines;

mod bridge;
mod checks;
mod civdip;
mod courier;
mod debian;
mod each_step;
mod gunboat;
mod imap_settings;
mod life;
mod log;
mod loops;
mod lost_machine;
mod manual;
mod oauth2;
mod outbox_server;
mod outer_space;
mod rather_silly;
mod returned;
mod setup;
mod several_judges;
mod unit;
mod whole_game;
mod wire_imap;
mod wire_smtp;

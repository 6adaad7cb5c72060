//! All tests that need nothing but the program: rules, mails, transcripts, whole games, the command line.

#[path = "../common/games/mod.rs"]
mod games;
#[path = "../common/judge_folder/mod.rs"]
mod judge_folder;
#[path = "../common/memory/mod.rs"]
mod memory;
#[path = "../common/old_tools/mod.rs"]
mod old_tools;
#[path = "../common/piped.rs"]
mod piped;
#[path = "../common/random_play/mod.rs"]
mod random_play;
#[path = "../common/scripted_smtp/mod.rs"]
mod scripted_smtp;
#[path = "../common/silly_reference/mod.rs"]
mod silly_reference;
#[path = "../common/strangers/mod.rs"]
mod strangers_variant;

mod additions;
mod adjudication;
mod architecture;
mod bridge;
mod cli_maildir;
mod config;
mod datc;
mod demo;
mod drawings;
mod error_flag;
mod export;
mod floor_plan;
mod fuzzing;
mod game_proofs;
mod grammar_commands;
mod grammar_files;
mod grammar_mail;
mod grammar_orders;
mod grammar_properties;
mod grammar_sentences;
mod grammar_variant;
mod halted_games;
mod import_circles;
mod importing;
mod inbound;
mod interchange;
mod interchange_random;
mod judges_words;
mod keeper_acts;
mod keeper_outbox;
mod keeper_reads;
mod keeper_set_aside;
mod keeper_store;
mod kill;
mod leaks;
mod licences;
mod life;
mod limits;
mod long_book;
mod manual_lines;
mod maps;
mod next_step;
mod outbox_order;
mod outer_space;
mod outer_space_random;
mod overruling_silly;
mod page_lines;
mod page_mails;
mod pictures;
mod power_names;
mod proofs;
mod published;
mod random_bridge;
mod random_civdip;
mod random_life;
mod random_openings;
mod random_silly;
mod random_standard;
mod rather_silly;
mod recorded;
mod release_features;
mod reports;
mod returned_mail;
mod rolling_back;
mod rolling_back_by_mail;
mod rows_in_transcripts;
mod sealed;
mod sentences_by_mail;
mod setup;
mod sight;
mod silly_lines;
mod snapshots;
mod sources;
mod stopped_games;
mod store_kill;
mod store_model;
mod store_promises;
mod subjects;
mod test_targets;
mod threats;
mod told;
mod transcripts;
mod transcripts_runner;
mod type_names;
mod units;
mod whole_game_judge;
mod whole_game_maildir;
mod whole_gunboat;
mod wire_imap_script;
mod wire_smtp_script;
mod worked_turns;

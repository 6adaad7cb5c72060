//! The people who write to the judge, and how they get a seat.

pub(crate) mod admission;
pub(crate) mod becoming_master;
pub(crate) mod bounces;
pub(crate) mod choosing;
pub(crate) mod chosen_powers;
pub(crate) mod create_options;
pub(crate) mod creating;
pub(crate) mod guessing;
pub(crate) mod joining;
pub(crate) mod linking;
pub(crate) mod offering;
pub(crate) mod passwords;
pub(crate) mod preferences;
pub(crate) mod press_sender;
pub(crate) mod quotation;
pub(crate) mod registering;
pub(crate) mod relay;
pub(crate) mod reply_addresses;
pub(crate) mod seating;
pub(crate) mod sign_on;
pub(crate) mod stand_by;
pub(crate) mod take_over;
pub(crate) mod telling;
pub(crate) mod unlisted;
pub(crate) mod unwanted;

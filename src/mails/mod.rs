//! Mails read (`inbound`) and mails written (`outbound`).

pub mod inbound;
pub mod outbound;

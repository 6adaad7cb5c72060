//! Mails read (`inbound`) and mails written (`outbound`).

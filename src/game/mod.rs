//! One game in time.

//! The saved-game format of the `diplomacy` package: the `adjudicate` filter.

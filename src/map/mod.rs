//! The board as data: provinces, coasts, borders, names and homes, read from map files.

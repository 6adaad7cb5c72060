//! What a unit can be told, and whether it is legal.

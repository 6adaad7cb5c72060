//! Movement, retreats and adjustments by the rulebook and the DATC.

//! What one reader may know.

//! The use cases: who wrote, may they, what follows, who is told.

//! The variants, one folder each, and the list of them.

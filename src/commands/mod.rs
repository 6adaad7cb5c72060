//! A mail's lines made into commands or refusals.

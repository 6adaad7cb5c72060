//! Order lines, from any sender: parsed, checked against what their power sees, and stored.

pub(crate) mod acceptance;
pub(crate) mod branches;
pub(crate) mod lines;
pub(crate) mod meant;
pub(crate) mod variant_lines;
pub(crate) mod warnings;

//! Lines of orders, whoever they come from: read, considered by what their power sees, noted.

pub(crate) mod branches;
pub(crate) mod lines;
pub(crate) mod variant_lines;
pub(crate) mod warnings;

//! What stands where: units, dislodged units, owners of centers.

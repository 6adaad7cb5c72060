//! Conditions of every atom, joined at random.

use super::lines::Writer;

/// Writes conditions.
pub(super) struct Asking<'w, 'a> {
    pub writer: &'w mut Writer<'a>,
}

const POWERS: [&str; 7] = [
    "AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY",
];

impl Asking<'_, '_> {
    /// `IF ... THEN `, or nothing, for a step; now and then of what is not known by then.
    pub(super) fn condition(&mut self, step: u8) -> String {
        let step = if self.writer.numbers.once_in(30) {
            11
        } else {
            step
        };
        let (one, other) = (self.fact(step), self.fact(step));
        match self.writer.numbers.below(10) {
            0 => format!("IF {one} AND NOT {other} THEN "),
            1 => format!("IF ({one} OR {other}) THEN "),
            2 => format!("IF {one} THEN "),
            3 => format!("IF NOT {one} OR {other} AND {one} THEN "),
            _ => String::new(),
        }
    }

    fn power(&mut self) -> &'static str {
        self.writer.numbers.pick(&POWERS).unwrap()
    }

    fn unit(&mut self) -> String {
        let unit = self.writer.any_unit();
        let unit = unit.map(|unit| Writer::named(&unit));
        unit.unwrap_or_else(|| "A(Par)".to_owned())
    }

    fn space(&mut self) -> String {
        let units = self.writer.any_unit();
        match units.filter(|_| !self.writer.numbers.once_in(3)) {
            Some(unit) => unit.at.province.to_string(),
            None => self.writer.space(),
        }
    }

    fn fact(&mut self, step: u8) -> String {
        let space = self.space();
        // The later a step, the more is known before it.
        let known = match step {
            4 | 5 => 19,
            6 => 20,
            7..=10 => 21,
            _ => 22,
        };
        match self.writer.numbers.below(known) {
            0 => format!("BORG IN {space}"),
            1 => format!("TARDIS IN {space}"),
            2 => "TARDIS IN HYPERSPACE".to_owned(),
            3 => format!("MONSTERS IN {space}"),
            4 => format!("SEA MONSTERS IN {space}"),
            5 => format!("SPACE MONSTERS IN {space}"),
            6 => format!("EMPTY {space}"),
            7 => format!("LINK {space}-Tun"),
            8 => format!("OWNS {} {space}", self.power()),
            9 => {
                let than = ["<", "<=", "=", ">", ">="][self.writer.numbers.below(5)];
                format!(
                    "CENTRES {} {than} {}",
                    self.power(),
                    self.writer.numbers.below(7)
                )
            }
            10 => format!("{} SOLD", self.unit()),
            11 => format!("{} DISLODGED", self.unit()),
            12 => format!("{}-{space} FAILED", self.unit()),
            13 => format!("{} FAILED", self.unit()),
            14 => format!("{} SUCCEEDED", self.unit()),
            15 => format!("STANDOFF {space}"),
            16 => format!("MERGED {space}"),
            17 => format!("{} DESTROYED", self.unit()),
            18 => {
                let whose = ["", "MY ", "ENEMY ", "ANY ", "FRENCH ", "SOOTHSAYER'S "];
                let whose = whose[self.writer.numbers.below(6)];
                let kind = ["UNIT", "A", "F", "FA", "DOM", "B"][self.writer.numbers.below(6)];
                format!("{whose}{kind} IN {space}")
            }
            19 => format!("{} EATEN", self.unit()),
            20 => format!("EXPLODED {space}"),
            _ => format!("RIGHT {}", self.power()),
        }
    }
}

//! The lines of a report that tools have always parsed (`judge-workflow.md` 6.10).

use std::collections::BTreeMap;

use super::KeptPhase;

/// Where in a report a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Before,
    Movement,
    Retreats,
    Adjustments,
    Dislodged,
    Ownership,
    After,
}

/// Reads the report of a phase.
pub(super) fn phase<'l>(token: &str, lines: impl Iterator<Item = &'l str>) -> KeptPhase {
    let mut phase = KeptPhase {
        token: token.to_owned(),
        ..KeptPhase::default()
    };
    let mut section = Section::Before;
    // Sentences of these sections may go on in the next line.
    let mut open = String::new();
    for line in lines {
        let line = line.trim_end();
        if let Some(next) = head(line) {
            section = next;
            open.clear();
            continue;
        }
        let text = line.trim_start();
        match section {
            Section::Before | Section::After => {}
            Section::Movement => phase.movement(text),
            Section::Retreats => phase.retreat(text),
            Section::Adjustments => phase.adjustment(text),
            Section::Dislodged | Section::Ownership => {
                if text.is_empty() {
                    open.clear();
                    continue;
                }
                if !open.is_empty() {
                    open.push(' ');
                }
                open.push_str(text);
                if open.ends_with('.') {
                    let sentence = one_blank(&std::mem::take(&mut open));
                    phase.sentence(section, &sentence);
                }
            }
        }
    }
    phase.said.sort_unstable();
    phase
}

/// The section that begins with a line.
fn head(line: &str) -> Option<Section> {
    let begins = |words: &str| line.starts_with(words);
    Some(if begins("Movement results for ") {
        Section::Movement
    } else if begins("Retreat results for ") {
        Section::Retreats
    } else if begins("Adjustment results for ") {
        Section::Adjustments
    } else if begins("The following units were dislodged:") {
        Section::Dislodged
    } else if begins("Ownership of supply centers:") {
        Section::Ownership
    } else if begins("The next phase of ") || begins("The game is over.") {
        Section::After
    } else {
        return None;
    })
}

/// The words with one blank between each two.
fn one_blank(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line `Austria: Army Serbia HOLD.  (*cut*)`: the power, what stands before the full stop, and the marks.
struct Told {
    power: String,
    told: String,
    marks: Vec<String>,
}

impl Told {
    fn of(line: &str) -> Option<Told> {
        let (power, rest) = line.split_once(':')?;
        let is_power = |c: char| c.is_alphanumeric() || matches!(c, '-' | ' ' | '\'');
        if power.is_empty() || power.len() > 60 || !power.chars().all(is_power) {
            return None;
        }
        let (rest, marks) = match rest.rsplit_once("(*") {
            Some((rest, marks)) => (rest.trim_end(), marks.trim_end().strip_suffix("*)")?),
            None => (rest, ""),
        };
        let told = one_blank(rest.strip_suffix('.')?);
        let mut marks: Vec<String> = marks
            .split(',')
            .map(|mark| mark.trim().to_owned())
            .filter(|mark| !mark.is_empty())
            .collect();
        marks.sort_unstable();
        Some(Told {
            power: power.to_owned(),
            told,
            marks,
        })
    }

    fn is_of_a_unit(&self) -> bool {
        self.told.starts_with("Army ") || self.told.starts_with("Fleet ")
    }

    fn said(&self) -> String {
        format!("{}: {} ({})", self.power, self.told, self.marks.join(", "))
    }
}

const NO_ORDER: &str = ", No Order Processed";

impl KeptPhase {
    fn order(&mut self, power: &str, line: String) {
        self.orders.entry(power.to_owned()).or_default().push(line);
    }

    fn movement(&mut self, line: &str) {
        self.unit(line, |told| !told.ends_with(NO_ORDER));
    }

    fn retreat(&mut self, line: &str) {
        self.unit(line, |told| !told.contains(NO_ORDER));
    }

    /// Takes in the line of a unit, and its order if there is one.
    fn unit(&mut self, line: &str, is_order: impl Fn(&str) -> bool) {
        let Some(told) = Told::of(line).filter(Told::is_of_a_unit) else {
            return;
        };
        self.said.push(told.said());
        if is_order(&told.told) {
            self.order(&told.power, told.told);
        }
    }

    fn adjustment(&mut self, line: &str) {
        let Some(told) = Told::of(line) else {
            return;
        };
        let builds = ["Builds an army in ", "Builds a fleet in "];
        let removes = [
            "Removes the army in ",
            "Removes the fleet in ",
            "Defaults, removing the army in ",
            "Defaults, removing the fleet in ",
        ];
        let kind = if told.told.contains(" fleet in ") {
            "F"
        } else {
            "A"
        };
        let place = |heads: &[&str]| heads.iter().find_map(|head| told.told.strip_prefix(head));
        let order = if let Some(place) = place(&builds) {
            format!("Build {kind} {place}")
        } else if let Some(place) = place(&removes) {
            format!(
                "Remove {kind} {}",
                place.strip_prefix("the ").unwrap_or(place)
            )
        } else if told.told == "Build waived" {
            "Waive".to_owned()
        } else {
            return;
        };
        // Who removed a unit, its leader or the rules, makes no difference on the board.
        self.said.push(format!("{}: {order}", told.power));
        self.order(&told.power, order);
    }

    fn sentence(&mut self, section: Section, sentence: &str) {
        match section {
            Section::Ownership => {
                if let Some((power, centers)) = sentence.split_once(": ")
                    && !sentence.contains(" Supply center")
                {
                    let centers = centers.trim_end_matches('.').split(", ");
                    let mut centers: Vec<&str> = centers.collect();
                    centers.sort_unstable();
                    self.said
                        .push(format!("{power} owns {}", centers.join(", ")));
                }
            }
            _ if sentence.contains("with no valid retreats was destroyed") => {
                self.said.push(sentence.to_owned());
            }
            _ => {
                if let Some((unit, places)) = sentence.split_once(" can retreat to ") {
                    let mut places: Vec<&str> =
                        places.trim_end_matches('.').split(" or ").collect();
                    places.sort_unstable();
                    self.said
                        .push(format!("{unit} can retreat to {}", places.join(", ")));
                }
            }
        }
    }
}

/// What stands behind `Variant:` in the header of a mail.
pub(super) fn variant(lines: &[String]) -> Option<&str> {
    let head = lines.iter().find(|line| line.starts_with(":: Judge:"))?;
    let (_, variant) = head.split_once("Variant:")?;
    Some(variant.trim())
}

/// Who leads what, as far as a mail says so with addresses.
pub(super) fn people(tail: &str, lines: &[String]) -> BTreeMap<String, String> {
    let mut people = BTreeMap::new();
    if tail.starts_with("Game Starting") {
        let list = lines
            .iter()
            .skip_while(|line| !line.contains("following players"))
            .skip(1)
            .take_while(|line| line.trim().is_empty() || line.starts_with(' '));
        let entries = list.filter_map(|line| line.split_once(':'));
        people.extend(entries.filter_map(|(role, who)| {
            let role = role.trim();
            // Several observe; who they were is nothing to the game.
            (role != "Observer").then_some((role.to_owned(), address(who)?))
        }));
    }
    if tail.starts_with("New Player Signon") {
        // A sentence may go on in the next line.
        let words: Vec<&str> = lines
            .iter()
            .flat_map(|line| line.split_whitespace())
            .collect();
        let text = words.join(" ");
        let parts: Vec<&str> = text.split(" has taken over the ").collect();
        for pair in parts.windows(2) {
            let [who, what] = pair else {
                continue;
            };
            let Some((what, _)) = what.split_once(" in game ") else {
                continue;
            };
            let power = what
                .trim_start_matches("abandoned ")
                .trim_start_matches("vacant ");
            people.extend(address(who).map(|who| (power.to_owned(), who)));
        }
    }
    people
}

/// The address in a few words.
fn address(words: &str) -> Option<String> {
    let word = words
        .split_whitespace()
        .rev()
        .find(|word| word.contains('@'))?;
    let bare = word.trim_matches(['(', ')', '<', '>', ',', ';']);
    Some(bare.to_owned())
}

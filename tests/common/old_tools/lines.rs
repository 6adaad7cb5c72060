//! The patterns, and a reader that goes through a mail once, as the tools do.

use std::sync::OnceLock;

use regex::{Captures, Regex};

/// What tools find in a mail. Names are as printed: full names of provinces, powers, adjectives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// Code, game and phase of the subject.
    pub subject: Option<Subject>,
    /// `:: Judge: X  Game: Y  Variant: Z`, the first such line.
    pub header: Option<(String, String, String)>,
    /// `:: Deadline: F1901M <date>`.
    pub deadline: Option<(String, String)>,
    /// *you have been selected as P*.
    pub selected: Option<String>,
    /// Roles and addresses under *following players*.
    pub players: Vec<(String, String)>,
    /// Season and year of *Starting position for* or *Status of the … phase for*.
    pub position_of: Option<(String, i32)>,
    /// Units under it: power, kind, place.
    pub position: Vec<(String, String, String)>,
    /// What the report is of: (`Movement`, `results` or `orders`, season, year).
    pub report: Option<(String, String, String, i32)>,
    /// Movement orders.
    pub orders: Vec<Order>,
    /// Units that may retreat: adjective, kind, place, places to go.
    pub dislodged: Vec<(String, String, String, Vec<String>)>,
    /// Units destroyed for want of a retreat: adjective, kind, place.
    pub destroyed: Vec<(String, String, String)>,
    /// Retreat orders.
    pub retreats: Vec<Retreat>,
    /// Lines of an adjustment phase.
    pub winter: Vec<Winter>,
    /// Centers by power; `Unowned` among them.
    pub ownership: Vec<(String, Vec<String>)>,
    /// Power, centers, units, builds (positive) or removals (negative).
    pub counts: Vec<(String, i32, i32, i32)>,
    /// Game, kind, season and year of the next phase.
    pub next: Option<(String, String, String, i32)>,
    /// The next deadline.
    pub next_deadline: Option<String>,
    /// *The game is over.*
    pub over: bool,
}

/// The subject of a mail about a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// `USXX`.
    pub judge: String,
    /// `kaiser`.
    pub game: String,
    /// `S1901M`.
    pub phase: String,
}

/// One movement order.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Whose.
    pub power: String,
    /// `Army` or `Fleet`.
    pub kind: String,
    /// Where it stands, with its coast.
    pub place: String,
    /// `HOLD`, `MOVE`, `SUPPORT`, `CONVOY`, `NONE`, or the word that stands there.
    pub verb: String,
    /// Places of a move in order, or what stands behind SUPPORT and CONVOY.
    pub rest: Vec<String>,
    /// `bounce`, `cut`, ...
    pub marks: Vec<String>,
}

/// One retreat order.
#[derive(Clone, Debug, PartialEq)]
pub struct Retreat {
    /// Whose.
    pub power: String,
    /// `Army` or `Fleet`.
    pub kind: String,
    /// From where.
    pub place: String,
    /// To where; `None` for a disbanded unit.
    pub to: Option<String>,
    /// `bounce`, `destroyed`.
    pub marks: Vec<String>,
}

/// One line of an adjustment phase.
#[derive(Clone, Debug, PartialEq)]
pub enum Winter {
    /// Power, kind, place.
    Builds(String, String, String),
    /// Power, kind, place, by default.
    Removes(String, String, String, bool),
    /// Power.
    Waived(String),
    /// Power, number, what: `builds pending`, `unusable build waived`.
    Counted(String, i32, String),
}

struct Patterns {
    subject: Regex,
    header: Regex,
    deadline: Regex,
    selected: Regex,
    player: Regex,
    position: Regex,
    unit: Regex,
    report: Regex,
    order: Regex,
    dislodged: Regex,
    destroyed: Regex,
    retreat: Regex,
    builds: Regex,
    removes: Regex,
    counted: Regex,
    count: Regex,
    next: Regex,
    next_deadline: Regex,
}

impl Patterns {
    fn new() -> Patterns {
        let pattern = |text: &str| Regex::new(text).unwrap();
        let unit = r"(Army|Fleet)\s+([A-Z][A-Za-z.' -]*?(?: \((?:north|south|east|west) coast\))?)";
        Patterns {
            subject: pattern(r"([A-Za-z]+):([A-Za-z0-9]+)\s-\s([A-Z]\d{4}[A-Z])"),
            header: pattern(r"^:: Judge: (\S+)  Game: (\S+)  Variant: (.+?)\s*$"),
            deadline: pattern(r"^:: Deadline: ([A-Z]\d{4}[A-Z]X?P?) (.+?)\s*$"),
            selected: pattern(r"(?i)you have been selected as ([\w-]+)"),
            player: pattern(r"^\s+([\w-]+):\s+(\S+@\S+)$"),
            position: pattern(
                r"^(?:Starting position for|Status of the \w+ phase for) (Spring|Summer|Fall|Winter) of (\d+)\.",
            ),
            unit: pattern(&format!(r"^\s*([\w-]+):\s+{unit}\.$")),
            report: pattern(
                r"^(Movement|Retreat|Adjustment) (results|orders) for (Spring|Summer|Fall|Winter) of (\d+)\.",
            ),
            order: pattern(&format!(
                r"^\s*([\w-]+):\s+{unit}( HOLD| SUPPORT .+| CONVOY .+|(?: -> [^.>(]+(?: \(\w+ coast\))?)+|, No Order Processed| [A-Z]+(?: .+)?)\.(?:\s+\(\*(.*?)\*\))?$"
            )),
            dislodged: pattern(r"^The (\S+) (\S+) in (?:the )?(.+?) can retreat to (.+)\.$"),
            destroyed: pattern(
                r"^The (\S+) (\S+) in (?:the )?(.+?) with no valid retreats was destroyed\.$",
            ),
            retreat: pattern(&format!(
                r"^\s*([\w-]+):\s+{unit}( -> [^.]+?| DISBAND|, No Order Processed \(DISBAND\))\.(?:\s+\(\*(.*?)\*\))?$"
            )),
            builds: pattern(r"^([\w-]+):\s+Builds an? (\w+) in (.+)\.$"),
            removes: pattern(
                r"^([\w-]+):\s+(Removes|Defaults, removing) the (\w+) in (?:the )?(.+)\.$",
            ),
            counted: pattern(
                r"^([\w-]+):\s+(\d+) ((?:unusable )?(?:builds?|removals?) (?:waived|pending))\.$",
            ),
            count: pattern(r"(?i)^([\w-]*):\D*(\d+)\D+(\d+)\D+(\d+).*\."),
            next: pattern(
                r"^The next phase of '(\w+)' will be (Movement|Retreats|Adjustments) for (Spring|Summer|Fall|Winter) of (\d+)\.",
            ),
            next_deadline: pattern(r"^The deadline for orders will be (.+)\.$"),
        }
    }
}

/// Where in the mail the reader is.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Nowhere,
    Players,
    Position,
    Movement,
    Retreats,
    Adjustments,
    Dislodged,
    Ownership,
    Counts,
}

pub(super) fn read(subject: &str, body: &str) -> Parsed {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(Patterns::new);
    let mut parsed = Parsed {
        subject: patterns.subject.captures(subject).map(|found| Subject {
            judge: text(&found, 1),
            game: text(&found, 2),
            phase: text(&found, 3),
        }),
        ..Parsed::default()
    };
    let mut place = Place::Nowhere;
    // Lines of the dislodged and of the tables are joined until they are whole, for both may be wrapped.
    let mut pending = String::new();
    for line in body.lines() {
        let line = line.trim_end_matches('\r');
        if let Some(found) = patterns.header.captures(line) {
            parsed
                .header
                .get_or_insert((text(&found, 1), text(&found, 2), text(&found, 3)));
        } else if let Some(found) = patterns.deadline.captures(line) {
            parsed
                .deadline
                .get_or_insert((text(&found, 1), text(&found, 2)));
        } else if let Some(found) = patterns.selected.captures(line) {
            parsed.selected = Some(text(&found, 1));
        } else if let Some(found) = patterns.position.captures(line) {
            parsed.position_of = Some((text(&found, 1), number(&found, 2)));
            place = Place::Position;
        } else if let Some(found) = patterns.report.captures(line) {
            place = match &found[1] {
                "Movement" => Place::Movement,
                "Retreat" => Place::Retreats,
                _ => Place::Adjustments,
            };
            parsed.report = Some((
                text(&found, 1),
                text(&found, 2),
                text(&found, 3),
                number(&found, 4),
            ));
        } else if let Some(found) = patterns.next.captures(line) {
            parsed.next = Some((
                text(&found, 1),
                text(&found, 2),
                text(&found, 3),
                number(&found, 4),
            ));
            place = Place::Nowhere;
        } else if let Some(found) = patterns.next_deadline.captures(line) {
            parsed.next_deadline = Some(text(&found, 1));
        } else if line.starts_with("The game is over.") {
            parsed.over = true;
            place = Place::Nowhere;
        } else if line.contains("following players") {
            place = Place::Players;
        } else if line == "The following units were dislodged:" {
            place = Place::Dislodged;
        } else if line == "Ownership of supply centers:" {
            place = Place::Ownership;
        } else {
            place = parsed.line(patterns, place, line, &mut pending);
        }
    }
    parsed
}

impl Parsed {
    fn line(
        &mut self,
        patterns: &Patterns,
        place: Place,
        line: &str,
        pending: &mut String,
    ) -> Place {
        match place {
            Place::Players => {
                if let Some(found) = patterns.player.captures(line) {
                    self.players.push((text(&found, 1), text(&found, 2)));
                }
            }
            Place::Position => {
                if let Some(found) = patterns.unit.captures(line) {
                    self.position
                        .push((text(&found, 1), text(&found, 2), text(&found, 3)));
                }
            }
            Place::Movement => self
                .orders
                .extend(patterns.order.captures(line).map(|found| order(&found))),
            Place::Retreats => {
                if let Some(found) = patterns.retreat.captures(line) {
                    self.retreats.push(Retreat {
                        power: text(&found, 1),
                        kind: text(&found, 2),
                        place: text(&found, 3),
                        to: found[4].strip_prefix(" -> ").map(str::to_owned),
                        marks: marks(&found, 5),
                    });
                }
            }
            Place::Adjustments => self.winter.extend(winter(patterns, line)),
            Place::Dislodged => {
                join(pending, line);
                if pending.ends_with('.') {
                    let sentence = std::mem::take(pending);
                    self.dislodged_sentence(patterns, &sentence);
                }
            }
            Place::Ownership => {
                if line.is_empty() && !self.ownership.is_empty() {
                    return Place::Counts;
                }
                join(pending, line);
                if pending.ends_with('.') {
                    let entry = std::mem::take(pending);
                    let (power, centers) = entry.split_once(':').unwrap();
                    let centers = centers
                        .trim()
                        .trim_end_matches('.')
                        .split(", ")
                        .map(str::to_owned)
                        .collect();
                    self.ownership.push((power.to_owned(), centers));
                }
            }
            Place::Counts => {
                if let Some(found) = patterns.count.captures(line) {
                    let sign = if line.contains("Removes") { -1 } else { 1 };
                    self.counts.push((
                        text(&found, 1),
                        number(&found, 2),
                        number(&found, 3),
                        sign * number(&found, 4),
                    ));
                }
            }
            Place::Nowhere => {}
        }
        place
    }

    fn dislodged_sentence(&mut self, patterns: &Patterns, sentence: &str) {
        if let Some(found) = patterns.dislodged.captures(sentence) {
            let options = found[4].split(" or ").map(str::to_owned).collect();
            self.dislodged
                .push((text(&found, 1), text(&found, 2), text(&found, 3), options));
        } else if let Some(found) = patterns.destroyed.captures(sentence) {
            self.destroyed
                .push((text(&found, 1), text(&found, 2), text(&found, 3)));
        }
    }
}

fn order(found: &Captures) -> Order {
    let told = &found[4];
    let (verb, rest) = if told == ", No Order Processed" {
        ("NONE".to_owned(), vec![])
    } else if told.starts_with(" -> ") {
        let path = told
            .split(" -> ")
            .skip(1)
            .map(|place| place.trim().to_owned());
        ("MOVE".to_owned(), path.collect())
    } else {
        let (verb, rest) = told.trim().split_once(' ').unwrap_or((told.trim(), ""));
        let rest = if rest.is_empty() {
            vec![]
        } else {
            vec![rest.to_owned()]
        };
        (verb.to_owned(), rest)
    };
    Order {
        power: text(found, 1),
        kind: text(found, 2),
        place: text(found, 3),
        verb,
        rest,
        marks: marks(found, 5),
    }
}

fn winter(patterns: &Patterns, line: &str) -> Option<Winter> {
    if let Some(found) = patterns.builds.captures(line) {
        return Some(Winter::Builds(
            text(&found, 1),
            text(&found, 2),
            text(&found, 3),
        ));
    }
    if let Some(found) = patterns.removes.captures(line) {
        let by_default = &found[2] != "Removes";
        return Some(Winter::Removes(
            text(&found, 1),
            text(&found, 3),
            text(&found, 4),
            by_default,
        ));
    }
    if let Some(found) = patterns.counted.captures(line) {
        return Some(Winter::Counted(
            text(&found, 1),
            number(&found, 2),
            text(&found, 3),
        ));
    }
    let (power, said) = line.split_once(':')?;
    (said.trim() == "Build waived.").then(|| Winter::Waived(power.to_owned()))
}

fn text(found: &Captures, group: usize) -> String {
    found[group].to_owned()
}

fn number(found: &Captures, group: usize) -> i32 {
    found[group].parse().unwrap()
}

fn marks(found: &Captures, group: usize) -> Vec<String> {
    found
        .get(group)
        .map(|marks| marks.as_str().split(", ").map(str::to_owned).collect())
        .unwrap_or_default()
}

fn join(pending: &mut String, line: &str) {
    if !pending.is_empty() && !line.trim().is_empty() {
        pending.push(' ');
    }
    pending.push_str(line.trim());
}

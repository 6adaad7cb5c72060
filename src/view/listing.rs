//! LIST and SUMMARY as one reader may have them (`judge-workflow.md` 6.8, 6.9).

use serde::Serialize;

use super::{CenterTable, Label, Moment, PhaseTitle, SeenUnit};

/// One game of the brief list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedGame {
    /// `kaiser`.
    pub name: String,
    /// `S1902R`; empty before the start.
    pub phase: String,
    /// `Standard, Gunboat, 71 hrs, Moderated (Gm), Press:W-P-.`
    pub options: String,
    /// The comment of the master, if there is one.
    pub comment: Option<String>,
    /// `Forming: 3 players needed.` or `Openings: Italy (4/4)`.
    pub state: Option<String>,
}

/// The full listing of one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Listing {
    /// `kaiser`.
    pub name: String,
    /// `002`.
    pub number: String,
    /// `F1901M`.
    pub phase: String,
    /// `forming`, `running`, `paused`, `won`, `drawn`, `terminated`, with what there is to say.
    pub state: String,
    /// The deadline of the phase, if one is set.
    pub deadline: Option<Moment>,
    /// When sign-up closes, of a game that is forming until a date.
    pub sign_up: Option<Moment>,
    /// The earliest time at which the phase is adjudicated.
    pub start: Option<Moment>,
    /// Whether all orders are in, where the reader may know it.
    pub all_in: Option<bool>,
    /// The text that the master wrote, if any.
    pub information: Option<String>,
    /// The rules and times of the game.
    pub parameters: ParameterBlock,
    /// The players, one line for each.
    pub people: Vec<ListedPerson>,
    /// Whether it is told who plays; otherwise one text for everybody stands there.
    pub disclosed: bool,
    /// Where they are not: whether WHOGAME tells who began the game.
    pub beginners: bool,
    /// Whether it is hidden who exists: then one sentence is all that stands there.
    pub hides_existence: bool,
    /// The phase to which the position belongs.
    pub title: Option<PhaseTitle>,
    /// The units of each power.
    pub units: Vec<Vec<SeenUnit>>,
    /// The owners of centers, and the counts of each power.
    pub centers: Option<CenterTable>,
    /// Tables of the variant, with words of their own.
    pub tables: Vec<super::FilledSection>,
}

/// One line of the list of players: `Austria    move    3/3        6 anna@ex.org`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedPerson {
    /// `Master`, `Austria`, `Observer`.
    pub role: String,
    /// `move`, `late`, `CD`, `aband`, `none`; empty for masters and observers.
    pub status: String,
    /// `3/3`: units, centers; empty where there are none.
    pub strength: String,
    /// How often late, where the game shows it.
    pub late: Option<u32>,
    /// Dedication, where it is shown.
    pub dedication: Option<i64>,
    /// The address, or `someone@somewhere`; the name, for those who are not in the game.
    pub called: String,
}

/// The parameters of a game as LIST shows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterBlock {
    /// The times of movement, retreat and adjustment phases, in that order.
    pub phases: Vec<PhaseParameters>,
    /// The zone of their times: `UTC`.
    pub zone: String,
    /// `Any-site, Level: Any, Moderated, Dedication: -10000`.
    pub access: String,
    /// `Standard`.
    pub variant: String,
    /// `NoNMR, NoProxy, DIAS`.
    pub flags: String,
    /// `HomeCentres, Concessions, Max Absence: 15`.
    pub xflags: String,
    /// `White, Partial Allowed, No Fake`.
    pub press: String,
    /// `By Preference List Only`.
    pub assignment: String,
    /// `18`.
    pub winning: u32,
    /// Of what: `centers`.
    pub winning_by: String,
    /// Index: sum of squares of center counts by powers.
    pub index: Option<u32>,
    /// Settings of the variant: name and value.
    pub own: Vec<(String, String)>,
}

/// `Move    clock 1410 min 12.00 next  71.00 grace 167.00 delay 0.50 days -MTWTF-`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseParameters {
    /// `Move`, `Retreat`, `Adjust`.
    pub kind: String,
    /// Minute of the day, -1 for none.
    pub clock: i32,
    /// Hours with two digits: `12.00`.
    pub min: String,
    /// The hours from one deadline to the next.
    pub next: String,
    /// The hours from the deadline until late powers are given up.
    pub grace: String,
    /// The hours from the last order until the phase is adjudicated.
    pub delay: String,
    /// Seven characters, Sunday first.
    pub days: String,
}

/// SUMMARY.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// `kaiser`.
    pub name: String,
    /// The last phase adjudicated: `F1901M`.
    pub through: String,
    /// Who played what, in time.
    pub players: Vec<SummaryPlayer>,
    /// The rules and times of the game.
    pub parameters: ParameterBlock,
    /// The time at which the game began.
    pub started: Option<Moment>,
    /// How and when it ended: `won`, `drawn`, `conceded`, `terminated`.
    pub ended: Option<(String, Moment)>,
    /// The two staggered lines of center names (`Ven Nap ...`, `Rom Tun ...`), in the fixed order.
    pub center_names: (Vec<String>, Vec<String>),
    /// Year and the owner's letter of each center in the same order, `.` for nobody.
    pub ownership: Vec<(i32, Vec<String>)>,
    /// Counts by power and year.
    pub counts: Vec<SummaryRow>,
    /// Index of each year.
    pub index: Vec<u32>,
    /// The years of `counts` and `index`.
    pub years: Vec<i32>,
}

/// One person's line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SummaryPlayer {
    /// `Turkey`; empty on a successor's line.
    pub role: String,
    /// The name of the player.
    pub name: String,
    /// The email address of the player.
    pub address: String,
    /// From which phase on, for a successor: `F1901M`.
    pub since: Option<String>,
}

/// One power's counts of centers, year by year, with unused builds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SummaryRow {
    /// The power whose counts these are.
    pub power: Label,
    /// `(centers, unused builds)` by year.
    pub counts: Vec<(usize, usize)>,
    /// Who played it last.
    pub player: String,
}

//! What a master may set. Every field bears the name by which `Event::Set` changes it, so that a log reads like the
//! commands that made it; defaults are those of `judge-workflow.md` 0.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Phase;

/// The clock of one kind of phase (`judge-workflow.md` 4.1). Lengths are whole minutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseClock {
    /// Minute of the day on which deadlines fall (0 to 1439).
    pub clock: Option<u16>,
    /// Must pass after the last processing before the next.
    pub min: u32,
    /// From the last processing to the deadline.
    pub next: u32,
    /// From the deadline to the end of grace.
    pub grace: u32,
    /// From "all orders in" to the processing.
    pub delay: u32,
    /// Which days deadlines may fall on.
    pub days: Days,
}

/// Seven characters, Sunday first: a capital allows the day, a small letter only from noon, `-` not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Days([DayRule; 7]);

/// What a day allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayRule {
    /// All day.
    Allowed,
    /// From 12:00 on.
    Afternoon,
    /// Not at all.
    Forbidden,
}

/// A text that does not name seven days.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DaysError {
    /// Not seven characters of `SMTWTFS` in order, or `-`.
    #[error(
        "days are seven characters from Sunday to Saturday, such as -MTWTF-: a letter allows the day, a small letter only its afternoon, - forbids it"
    )]
    Shape,
    /// All seven are forbidden.
    #[error("at least one day must be allowed")]
    None,
}

impl Days {
    /// The rule of a day, counted from Sunday = 0.
    pub fn rule(&self, day: usize) -> DayRule {
        self.0.get(day % 7).copied().unwrap_or(DayRule::Allowed)
    }
}

impl TryFrom<String> for Days {
    type Error = DaysError;

    fn try_from(text: String) -> Result<Days, DaysError> {
        let letters: Vec<char> = text.chars().collect();
        if letters.len() != 7 {
            return Err(DaysError::Shape);
        }
        let mut days = [DayRule::Forbidden; 7];
        for ((rule, given), name) in days.iter_mut().zip(letters).zip("SMTWTFS".chars()) {
            *rule = match given {
                '-' => DayRule::Forbidden,
                c if c == name => DayRule::Allowed,
                c if c == name.to_ascii_lowercase() => DayRule::Afternoon,
                _ => return Err(DaysError::Shape),
            };
        }
        if days.iter().all(|rule| *rule == DayRule::Forbidden) {
            return Err(DaysError::None);
        }
        Ok(Days(days))
    }
}

impl std::fmt::Display for Days {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (rule, name) in self.0.iter().zip("SMTWTFS".chars()) {
            let letter = match rule {
                DayRule::Allowed => name,
                DayRule::Afternoon => name.to_ascii_lowercase(),
                DayRule::Forbidden => '-',
            };
            write!(f, "{letter}")?;
        }
        Ok(())
    }
}

impl From<Days> for String {
    fn from(days: Days) -> String {
        days.to_string()
    }
}

/// How powers are dealt (`judge-workflow.md` 1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Assignment {
    /// By preference lists.
    List,
    /// All by lot.
    Random,
    /// Players whose list is `*` by lot first, then the lists.
    Both,
}

/// Where builds are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildSites {
    /// Own homes.
    Home,
    /// Any owned center.
    Any,
    /// Any owned center if at least one home is held.
    One,
}

/// Whether partial press and broadcasts may be faked (`judge-workflow.md` 5.2b).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fakes {
    /// Never.
    No,
    /// On request.
    May,
    /// On request, only to a false list.
    PartialOnly,
    /// Partial press reads as a broadcast unless `NO FAKE`.
    BroadcastByDefault,
}

/// Who among observers may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObserverPress {
    /// Any press.
    Any,
    /// White press only.
    White,
    /// None.
    None,
}

/// What gives sight in a BLIND game, of itself and its neighbors (`visibility.md` 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SightFrom {
    /// Own units.
    pub units: bool,
    /// Centers owned.
    pub centers: bool,
    /// Own homes, whoever owns them.
    pub homes: bool,
}

impl Default for SightFrom {
    fn default() -> SightFrom {
        SightFrom {
            units: true,
            centers: true,
            homes: false,
        }
    }
}

impl std::fmt::Display for SightFrom {
    /// `units, centers`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = [
            (self.units, "units"),
            (self.centers, "centers"),
            (self.homes, "homes"),
        ];
        let words: Vec<&str> = all.iter().filter(|(on, _)| *on).map(|(_, w)| *w).collect();
        f.write_str(&words.join(", "))
    }
}

/// Level of play asked of those who join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Level {
    Any,
    Novice,
    Amateur,
    Intermediate,
    Advanced,
    Expert,
}

impl Level {
    /// All of them, rising.
    pub const ALL: [Level; 6] = [
        Level::Any,
        Level::Novice,
        Level::Amateur,
        Level::Intermediate,
        Level::Advanced,
        Level::Expert,
    ];

    /// The level of this name, in any case.
    pub fn named(name: &str) -> Option<Level> {
        Self::ALL
            .into_iter()
            .find(|level| level.to_string().eq_ignore_ascii_case(name.trim()))
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self, f)
    }
}

/// A game's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Clock of movement phases.
    pub moves: PhaseClock,
    /// Clock of retreat phases.
    pub retreats: PhaseClock,
    /// Clock of adjustment phases.
    pub adjusts: PhaseClock,
    /// The zone of all times, an IANA name.
    pub timezone: String,
    /// A tardy power goes into civil disorder after grace, instead of the game waiting for a replacement.
    pub nmr: bool,
    /// Shown in LIST.
    pub list: bool,
    /// Only masters may use master's settings.
    pub moderated: bool,
    /// Only PROCESS processes.
    pub manual_process: bool,
    /// The master begins the game.
    pub manual_start: bool,
    /// Only powers with a move due may WAIT.
    pub strict_wait: bool,
    /// Grace ends to the minute, even on a forbidden day.
    pub strict_grace: bool,
    /// Longest absence in days.
    pub max_absence: u32,
    /// Late notices and LIST tell how often each was late.
    pub late_count: bool,
    /// Late powers are named (`visibility.md` 6.1).
    pub latelist: bool,
    /// How many centers (or what else the variant counts) win; the variant's own number unless a master set one.
    pub centers: Option<u32>,
    /// Draws include all survivors.
    pub dias: bool,
    /// Concessions may be voted.
    pub concessions: bool,
    /// Least dedication of those who join.
    pub dedication: i64,
    /// Least ratio of turns on time of those who join, in hundredths.
    pub on_time: Option<u32>,
    /// Highest ratio of resignations of those who join, in hundredths.
    pub resigned: Option<u32>,
    /// Level asked of those who join.
    pub level: Level,
    /// Who may join; rules alone if not empty.
    pub allow: BTreeSet<String>,
    /// Who may not join.
    pub deny: BTreeSet<String>,
    /// The master approves each player's orders.
    pub approval: bool,
    /// No notices of abandonment and takeover.
    pub quiet: bool,
    /// Names are shown in SUMMARY after a gunboat game.
    pub reveal: bool,
    /// Counts for dedication.
    pub rated: bool,
    /// Any player may RESUME; by default a moderated game leaves it to the master.
    pub resume_any: Option<bool>,
    /// Orders are sealed from the master.
    pub blind_master: bool,
    /// How powers are dealt.
    pub assignment: Assignment,
    /// Who leads a power is hidden.
    pub gunboat: bool,
    /// Who leads a power was hidden when the game began and is so no longer: addresses at which players answer one another
    /// still lead on.
    pub was_gunboat: bool,
    /// Each sees only what his own sight reaches.
    pub blind: bool,
    /// What gives sight in a blind game.
    pub sight: SightFrom,
    /// Processed as soon as all orders are in; by default not in a blind game, where it would tell that they are
    /// (`visibility.md` 6.2).
    pub early: Option<bool>,
    /// White press may be sent.
    pub white: bool,
    /// Grey press may be sent.
    pub grey: bool,
    /// Grey is the default where both may be sent.
    pub grey_first: bool,
    /// Press to some.
    pub partial: bool,
    /// False recipients.
    pub fakes: Fakes,
    /// Press by observers.
    pub observer_press: ObserverPress,
    /// Observers may `SET ALL PRESS`.
    pub watch_all_press: bool,
    /// Late powers may press.
    pub late_press: bool,
    /// Press in retreat and adjustment phases.
    pub minor_press: bool,
    /// Press while anybody is late.
    pub grace_press: bool,
    /// Press only with complete orders.
    pub must_order: bool,
    /// Where to build.
    pub build_sites: BuildSites,
    /// How many players begin the game, where the variant leaves it open.
    #[serde(default)]
    pub players: Option<u32>,
    /// Units may be lent by PROXY.
    pub proxy: bool,
    /// A coast must be named where two are within reach.
    pub strict_coasts: bool,
    /// One line for the brief list, 60 characters at most.
    pub comment: Option<String>,
    /// A text for the full list.
    pub information: Option<String>,
    /// Archive numbers, by their letters: `EP`, `BN`.
    pub numbers: BTreeMap<String, String>,
    /// Changed after the start in a way that makes the game unrated.
    pub irregular: bool,
    /// Settings that the variant registers.
    pub own: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Settings {
        let days =
            |text: &str| Days::try_from(text.to_owned()).unwrap_or(Days([DayRule::Allowed; 7]));
        let minor = PhaseClock {
            clock: None,
            min: 0,
            next: 23 * 60,
            grace: 71 * 60,
            delay: 30,
            days: days("-mTWTF-"),
        };
        Settings {
            moves: PhaseClock {
                clock: Some(1410),
                min: 12 * 60,
                next: 71 * 60,
                grace: 167 * 60,
                delay: 30,
                days: days("-MTWTF-"),
            },
            retreats: minor.clone(),
            adjusts: minor,
            timezone: "UTC".to_owned(),
            nmr: false,
            list: false,
            moderated: false,
            manual_process: false,
            manual_start: false,
            strict_wait: false,
            strict_grace: false,
            max_absence: 15,
            late_count: false,
            latelist: true,
            centers: None,
            dias: true,
            concessions: true,
            dedication: -10_000,
            on_time: None,
            resigned: None,
            level: Level::Any,
            allow: BTreeSet::new(),
            deny: BTreeSet::new(),
            approval: false,
            quiet: false,
            reveal: true,
            rated: true,
            resume_any: None,
            blind_master: false,
            assignment: Assignment::List,
            gunboat: false,
            was_gunboat: false,
            blind: false,
            sight: SightFrom::default(),
            early: None,
            white: true,
            grey: false,
            grey_first: false,
            partial: true,
            fakes: Fakes::No,
            observer_press: ObserverPress::Any,
            watch_all_press: false,
            late_press: true,
            minor_press: true,
            grace_press: true,
            must_order: false,
            build_sites: BuildSites::Home,
            players: None,
            proxy: false,
            strict_coasts: false,
            comment: None,
            information: None,
            numbers: BTreeMap::new(),
            irregular: false,
            own: BTreeMap::new(),
        }
    }
}

/// A setting that does not exist, or a value that it cannot have.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// No such setting.
    #[error("there is no setting {0}")]
    Unknown(String),
    /// The value has the wrong shape.
    #[error("the setting {name} cannot be {value}: {why}")]
    Value {
        /// The setting.
        name: String,
        /// The value, as JSON.
        value: String,
        /// Why not.
        why: String,
    },
}

impl Settings {
    /// These settings with one of them changed; `name` is a field of this struct.
    pub fn with(&self, name: &str, value: &Value) -> Result<Settings, SettingError> {
        let wrong = |why: serde_json::Error| SettingError::Value {
            name: name.to_owned(),
            value: value.to_string(),
            why: why.to_string(),
        };
        let mut all = serde_json::to_value(self).map_err(wrong)?;
        let field = all
            .get_mut(name)
            .ok_or_else(|| SettingError::Unknown(name.to_owned()))?;
        *field = value.clone();
        serde_json::from_value(all).map_err(wrong)
    }

    /// One setting's value, as `with` takes it.
    pub fn value(&self, name: &str) -> Option<Value> {
        serde_json::to_value(self).ok()?.get(name).cloned()
    }

    /// The clock of a phase: adjustments have their own, a variant's own phases keep the retreats' (Life, section 4).
    pub fn clock(&self, phase: &Phase) -> &PhaseClock {
        match phase {
            Phase::Movement => &self.moves,
            Phase::Adjustments | Phase::Ownership => &self.adjusts,
            Phase::Retreats | Phase::Own(_) => &self.retreats,
        }
    }

    /// Whether a phase is processed before its deadline once all orders are in.
    pub fn processes_early(&self) -> bool {
        self.early.unwrap_or(!self.blind)
    }

    /// Whether the game has any press among players.
    pub fn has_press(&self) -> bool {
        self.white || self.grey
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn days_are_read_and_written_alike() {
        for text in ["-MTWTF-", "-mTWTF-", "SMTWTFS"] {
            assert_eq!(Days::try_from(text.to_owned()).unwrap().to_string(), text);
        }
        assert_eq!(Days::try_from("-------".to_owned()), Err(DaysError::None));
        assert_eq!(Days::try_from("MTWTF".to_owned()), Err(DaysError::Shape));
    }

    #[test]
    fn a_setting_is_changed_by_its_name() {
        let settings = Settings::default().with("nmr", &json!(true)).unwrap();
        assert!(settings.nmr);
        let shorter = settings.with("centers", &json!(12)).unwrap();
        assert_eq!((settings.centers, shorter.centers), (None, Some(12)));
        assert!(matches!(
            settings.with("nonsense", &json!(1)),
            Err(SettingError::Unknown(_))
        ));
        assert!(matches!(
            settings.with("centers", &json!("many")),
            Err(SettingError::Value { .. })
        ));
    }
}

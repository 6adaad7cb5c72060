//! What a master may set. Each setting is declared once, in the list `settings!` below; defaults are those of
//! `judge-workflow.md` 0.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Phase, ToCome};

/// The clock of one kind of phase (`judge-workflow.md` 4.1). Lengths are whole minutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseClock {
    /// Minute of the day at which deadlines are set (0 to 1439).
    pub clock: Option<u16>,
    /// Minimum time from the last processing to the next.
    pub min: u32,
    /// From the last processing to the deadline.
    pub next: u32,
    /// From the deadline to the end of grace.
    pub grace: u32,
    /// From "all orders in" to the processing.
    pub delay: u32,
    /// Which days deadlines may be on.
    pub days: Days,
}

/// `monday` on Monday, and every day from Tuesday to Friday allowed.
fn weekdays(monday: DayRule) -> Days {
    let mut days = [DayRule::Allowed; 7];
    (days[0], days[1], days[6]) = (DayRule::Forbidden, monday, DayRule::Forbidden);
    Days(days)
}

impl PhaseClock {
    fn of_moves() -> PhaseClock {
        PhaseClock {
            clock: Some(1410),
            min: 12 * 60,
            next: 71 * 60,
            grace: 167 * 60,
            delay: 30,
            days: weekdays(DayRule::Allowed),
        }
    }

    fn of_minor_phases() -> PhaseClock {
        PhaseClock {
            clock: None,
            min: 0,
            next: 23 * 60,
            grace: 71 * 60,
            delay: 30,
            days: weekdays(DayRule::Afternoon),
        }
    }
}

/// Seven characters, Sunday first: a capital allows the day, a small letter allows it from noon on, `-` forbids it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Days([DayRule; 7]);

/// How far a day is allowed.
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
    /// Players whose list is `*` first, by lot; then the others by their lists.
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
    /// Partial press is shown as a broadcast unless `NO FAKE` is given.
    BroadcastByDefault,
}

/// Which press observers may write.
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

/// Whether contacts read the names of each other's leaders, in a game that hides who exists (CivDip 11.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Addresses {
    /// Never: the judge forwards all letters.
    Hidden,
    /// Name and address, from the time on at which they are in contact.
    Shown,
}

impl std::fmt::Display for Addresses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Addresses::Hidden => "hidden",
            Addresses::Shown => "shown to contacts",
        })
    }
}

/// What gives sight in a BLIND game, of its own province and the adjacent ones (`visibility.md` 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SightFrom {
    /// Own units.
    pub units: bool,
    /// Centers owned.
    pub centers: bool,
    /// Own homes, whether or not the power still owns them.
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

/// The level of play required to join.
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

/// The name by which LIST tells a switch: where it is on, or as a function of all settings says.
macro_rules! flag {
    ($settings:ident, $field:ident, $name:literal) => {
        $settings.$field.then_some($name)
    };
    ($settings:ident, $field:ident, $told:ident) => {
        $told($settings)
    };
}

fn early(settings: &Settings) -> Option<&'static str> {
    match (settings.blind, settings.early) {
        (true, Some(true)) => Some("Early"),
        (false, Some(false)) => Some("NoEarly"),
        _ => None,
    }
}

fn unrated(settings: &Settings) -> Option<&'static str> {
    (!settings.rated).then_some("Unrated")
}

fn no_show(settings: &Settings) -> Option<&'static str> {
    (!settings.show).then_some("NoShow")
}

/// Declares each setting once: its change, its field, its type, its default, and its flag in LIST. `Settings` and `SettingChange`
/// are generated from that.
macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $change:ident $field:ident: $type:ty = $default:expr $(=> $flag:tt)?;)+) => {
        /// A game's settings.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Settings {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings {
                    $($field: $default,)+
                }
            }
        }

        /// One setting with its new value. In a log it is the name of the field of [`Settings`] and the value:
        /// `"name":"nmr","value":true`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "name", content = "value", rename_all = "snake_case")]
        pub enum SettingChange {
            $(
                $(#[doc = $doc])+
                #[serde(serialize_with = "with_sorted_keys", deserialize_with = "present")]
                $change($type),
            )+
        }

        impl SettingChange {
            /// The names of changes in a log: those of the fields of [`Settings`].
            pub const NAMES: &[&str] = &[$(stringify!($field),)+];

            /// The change that resets the same setting to its default.
            pub fn taken_back(&self) -> SettingChange {
                match self {
                    $(SettingChange::$change(_) => SettingChange::$change($default),)+
                }
            }
        }

        impl Settings {
            /// Sets the new value.
            pub fn apply(&mut self, change: &SettingChange) {
                match change {
                    $(SettingChange::$change(value) => self.$field = value.clone(),)+
                }
            }

            /// The switches that LIST names if they differ from their defaults, by the names that it uses.
            pub fn flags(&self) -> impl Iterator<Item = &'static str> {
                let flags = [$($(flag!(self, $field, $flag),)?)+];
                flags.into_iter().flatten()
            }

            /// Whether a change would alter anything.
            pub fn differs(&self, change: &SettingChange) -> bool {
                match change {
                    $(SettingChange::$change(value) => self.$field != *value,)+
                }
            }
        }
    };
}

settings! {
    /// Clock of movement phases.
    Moves moves: PhaseClock = PhaseClock::of_moves();
    /// Clock of retreat phases.
    Retreats retreats: PhaseClock = PhaseClock::of_minor_phases();
    /// Clock of adjustment phases.
    Adjusts adjusts: PhaseClock = PhaseClock::of_minor_phases();
    /// The zone of all times, an IANA name.
    Timezone timezone: String = "UTC".to_owned();
    /// A tardy power goes into civil disorder after grace, instead of the game waiting for a replacement.
    Nmr nmr: bool = false;
    /// Shown in LIST.
    List list: bool = false;
    /// Only masters may use master's settings.
    Moderated moderated: bool = false;
    /// Longest absence in days.
    MaxAbsence max_absence: u32 = 15;
    /// Late powers are named (`visibility.md` 6.1).
    Latelist latelist: bool = true;
    /// The number of centers (or of what else the variant counts) needed to win; `None` means the variant's own number.
    Centers centers: Option<u32> = None;
    /// Draws include all survivors.
    Dias dias: bool = true;
    /// Concessions may be voted.
    Concessions concessions: bool = true;
    /// Minimum dedication to join.
    Dedication dedication: i64 = -10_000;
    /// Minimum ratio of turns on time to join, in hundredths.
    OnTime on_time: Option<u32> = None;
    /// Maximum ratio of resignations to join, in hundredths.
    Resigned resigned: Option<u32> = None;
    /// Level required to join.
    Level level: Level = Level::Any;
    /// Who may join; rules alone if not empty.
    Allow allow: BTreeSet<String> = BTreeSet::new();
    /// Who may not join.
    Deny deny: BTreeSet<String> = BTreeSet::new();
    /// Names are shown in SUMMARY after a gunboat game.
    Reveal reveal: bool = true;
    /// Any player may RESUME; by default, only the master may in a moderated game.
    ResumeAny resume_any: Option<bool> = None;
    /// How powers are dealt.
    Assignment assignment: Assignment = Assignment::List;
    /// Leaders were hidden when the game began and are not any more: the addresses through which players answered one another
    /// still work.
    WasGunboat was_gunboat: bool = false;
    /// Who reads leaders' names and addresses where it is hidden who exists.
    Addresses addresses: Addresses = Addresses::Hidden;
    /// What gives sight in a blind game.
    Sight sight: SightFrom = SightFrom::default();
    /// White press may be sent.
    White white: bool = true;
    /// Grey press may be sent.
    Grey grey: bool = false;
    /// Grey is the default where both may be sent.
    GreyFirst grey_first: bool = false;
    /// Press to some.
    Partial partial: bool = true;
    /// False recipients.
    Fakes fakes: Fakes = Fakes::No;
    /// Press by observers.
    ObserverPress observer_press: ObserverPress = ObserverPress::Any;
    /// Observers may `SET ALL PRESS`.
    WatchAllPress watch_all_press: bool = false;
    /// Late powers may press.
    LatePress late_press: bool = true;
    /// Press in retreat and adjustment phases.
    MinorPress minor_press: bool = true;
    /// Press while anybody is late.
    GracePress grace_press: bool = true;
    /// Press only with complete orders.
    MustOrder must_order: bool = false;
    /// Where to build.
    BuildSites build_sites: BuildSites = BuildSites::Home;
    /// How many players begin the game, if the variant allows the choice.
    Players players: Option<u32> = None;
    /// When sign-up closes, if the game begins at a date; by default two weeks after it was created.
    SignUp sign_up: Option<Timestamp> = None;
    /// Units may be lent by PROXY.
    Proxy proxy: bool = false;
    /// One line for the brief list, 60 characters at most.
    Comment comment: Option<String> = None;
    /// A text for the full list.
    Information information: Option<String> = None;
    /// Archive numbers, by their letters: `EP`, `BN`.
    Numbers numbers: BTreeMap<String, String> = BTreeMap::new();
    /// Settings that the variant registers.
    Own own: BTreeMap<String, String> = BTreeMap::new();
    /// Values that the variant's settings get when a later phase begins.
    OwnToCome own_to_come: BTreeMap<String, ToCome> = BTreeMap::new();
    // Flags, in the order in which LIST names them.
    /// Who leads a power is hidden.
    Gunboat gunboat: bool = false => "Gunboat";
    /// Each player sees only what is in his own sight.
    Blind blind: bool = false => "Blind";
    /// Processed as soon as all orders are in; by default not in a blind game, where it would reveal that they are
    /// (`visibility.md` 6.2).
    Early early: Option<bool> = None => early;
    /// Only powers with a move due may WAIT.
    StrictWait strict_wait: bool = false => "StrictWait";
    /// Grace ends to the minute, even on a forbidden day.
    StrictGrace strict_grace: bool = false => "StrictGrace";
    /// A coast must be named where two are within reach.
    StrictCoasts strict_coasts: bool = false => "StrictCoasts";
    /// Phases are processed by the command PROCESS only.
    ManualProcess manual_process: bool = false => "ManualProcess";
    /// The master begins the game.
    ManualStart manual_start: bool = false => "ManualStart";
    /// The master approves each player's orders.
    Approval approval: bool = false => "Approval";
    /// Late notices and LIST tell how often each was late.
    LateCount late_count: bool = false => "LateCount";
    /// No notices of abandonment and takeover.
    Quiet quiet: bool = false => "Quiet";
    /// Whether the game counts for dedication.
    Rated rated: bool = true => unrated;
    /// A change after the start has made the game unrated.
    Irregular irregular: bool = false => "Irregular";
    /// Orders are sealed from the master.
    BlindMaster blind_master: bool = false => "BlindMaster";
    /// Results tell where all units stand afterwards.
    Position position: bool = false => "Position";
    /// The game begins on an empty board, with a Winter of builds, if the variant allows the choice.
    BlankBoard blank_board: bool = false => "BlankBoard";
    /// Who changes a setting is named.
    Show show: bool = true => no_show;
    /// Before the start only masters are told how many have joined and who; afterwards as `quiet`.
    Secret secret: bool = false => "Secret";
    /// Letters to some are kept, for everybody to read once the game is over.
    RevealPress reveal_press: bool = false => "RevealPress";
    /// Letters to some go to neighbors only, and everybody broadcasts once a turn at most.
    TouchPress touch_press: bool = false => "TouchPress";
    /// Postal press is taken: it comes with the next results.
    PostalPress postal_press: bool = false => "PostalPress";
    /// Press may be without text.
    BlankPress blank_press: bool = false => "BlankPress";
    /// Dislodged units are destroyed, so there are no retreats.
    AutoDisband auto_disband: bool = false => "AutoDisband";
    /// In Winter every power may remove units of its own.
    AnyDisband any_disband: bool = false => "AnyDisband";
}

/// In logs the keys of a value are sorted, regardless of the order of its fields.
fn with_sorted_keys<T: Serialize, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    let value = serde_json::to_value(value).map_err(S::Error::custom)?;
    value.serialize(to)
}

/// A missing value is an error, not `None`.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::deserialize(from)
}

impl Settings {
    /// The clock of a phase: adjustments have their own, a variant's own phases use that of retreats (Life, section 4).
    pub fn clock(&self, phase: &Phase) -> &PhaseClock {
        match phase {
            Phase::Movement => &self.moves,
            Phase::Adjustments | Phase::Ownership => &self.adjusts,
            Phase::Retreats | Phase::Own(_) => &self.retreats,
        }
    }

    /// Whether nobody is told who was given up or taken over.
    pub fn is_quiet(&self) -> bool {
        self.quiet || self.secret
    }

    /// Whether players may write any press.
    pub fn has_press(&self) -> bool {
        self.white || self.grey
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn days_are_read_and_written_alike() {
        for text in ["-MTWTF-", "-mTWTF-", "SMTWTFS"] {
            assert_eq!(Days::try_from(text.to_owned()).unwrap().to_string(), text);
        }
        assert_eq!(Days::try_from("-------".to_owned()), Err(DaysError::None));
        assert_eq!(Days::try_from("MTWTF".to_owned()), Err(DaysError::Shape));
    }

    fn read(name: &str, value: Value) -> Result<SettingChange, serde_json::Error> {
        serde_json::from_value(json!({"name": name, "value": value}))
    }

    #[test]
    fn a_change_bears_the_name_and_the_value_of_its_field() {
        let defaults = serde_json::to_value(Settings::default()).unwrap();
        assert_eq!(
            defaults.as_object().unwrap().len(),
            SettingChange::NAMES.len()
        );
        for name in SettingChange::NAMES {
            let change = read(name, defaults[name].clone()).unwrap();
            assert!(!Settings::default().differs(&change), "{name}");
            let written = serde_json::to_value(&change).unwrap();
            assert_eq!(written, json!({"name": name, "value": defaults[name]}));
        }
        let written = serde_json::to_string(&SettingChange::Nmr(true)).unwrap();
        assert_eq!(written, r#"{"name":"nmr","value":true}"#);
        let written = serde_json::to_string(&SettingChange::Sight(SightFrom::default())).unwrap();
        let sorted = r#"{"name":"sight","value":{"centers":true,"homes":false,"units":true}}"#;
        assert_eq!(written, sorted);
    }

    #[test]
    fn a_change_changes_its_setting_alone() {
        let mut settings = Settings::default();
        let change = SettingChange::Centers(Some(12));
        assert!(settings.differs(&change));
        settings.apply(&change);
        assert!(!settings.differs(&change));
        let expected = Settings {
            centers: Some(12),
            ..Settings::default()
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn what_is_no_setting_or_no_value_of_it_is_not_read() {
        assert!(read("nonsense", json!(1)).is_err());
        assert!(read("centers", json!("many")).is_err());
        assert!(read("nmr", json!(null)).is_err());
        let bare: Result<SettingChange, _> = serde_json::from_value(json!({"name": "centers"}));
        assert!(bare.is_err());
    }
}

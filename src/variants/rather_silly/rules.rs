//! The settings (8.1), and the rules of a game as they have them.

use serde::{Deserialize, Serialize};

use super::names::{FLAVOUR, Flavor};
use super::{DOCTOR, JESTER, MASTERMIND, SOOTHSAYER};
use dipjudge_game::{Game, LeaderNeed, Refusal, Setting, SettingAsked, Settings, Takes, refuse};
use dipjudge_rules::map::Power;

const HERD_OWNER: Setting = one_of("herd-owner", &["public", "hidden"]);
const SOUL_RESALE: Setting = one_of("soul-resale", &["yes", "no"]);
const LOST_SOUL: Setting = one_of("lost-soul", &["forever", "timer"]);
const UNDERPASS_CUT: Setting = one_of("underpass-cut", &["any", "unsupported"]);
const NONCOMBAT_CAPTURE: Setting = one_of("noncombat-capture", &["yes", "no"]);
const EXPOSE_OWN_SPACE: Setting = one_of("expose-own-space", &["no", "yes"]);
const SHARE_DILUTE: Setting = one_of("share-dilute", &["no", "yes"]);
const MASTERMIND_BUILDS: Setting = one_of("mastermind-builds", &["all", "free"]);
const ANSWER_SLACK: Setting = one_of("answer-slack", &["normal", "exact"]);
const TARDIS_LEGS: Setting = one_of("tardis-legs", &["one", "two"]);
const SOOTHSAYER_SUPPLY: Setting = one_of("soothsayer-supply", &["needed", "free"]);
/// Fixed when the game begins: whoever votes must know who will read it.
const VOTES: Setting = Setting::one_of("votes", &["secret", "open"]);
const DRAW_NEEDS: Setting = Setting::one_of("draw-needs", &["all", "units"]);
const SEATS: Setting = checked("seats", "jester,mastermind,doctor,soothsayer", check_seats);
const VICTORY_CENTRES: Setting = number("victory-centres", "18");
const DOCTOR_POINTS: Setting = number("doctor-points", "30");
const JESTER_YEAR: Setting = number("jester-year", "1920");
const BORG_START: Setting = checked("borg-start", "s1901", check_season).at_any_time();

/// All of them.
pub(super) const SETTINGS: &[Setting] = &[
    FLAVOUR,
    HERD_OWNER,
    SOUL_RESALE,
    LOST_SOUL,
    UNDERPASS_CUT,
    NONCOMBAT_CAPTURE,
    EXPOSE_OWN_SPACE,
    SHARE_DILUTE,
    MASTERMIND_BUILDS,
    ANSWER_SLACK,
    TARDIS_LEGS,
    SOOTHSAYER_SUPPLY,
    VOTES,
    VICTORY_CENTRES,
    DOCTOR_POINTS,
    JESTER_YEAR,
    BORG_START,
    DRAW_NEEDS,
    SEATS,
];

/// The four roles, as SEATS names them.
const ROLES: [(&str, Power); 4] = [
    ("jester", JESTER),
    ("mastermind", MASTERMIND),
    ("doctor", DOCTOR),
    ("soothsayer", SOOTHSAYER),
];

/// A setting that takes these words, the first where nobody sets it. Masters may change it later, as most of these.
const fn one_of(name: &'static str, words: &'static [&'static str]) -> Setting {
    Setting::one_of(name, words).at_any_time()
}

/// A setting whose value is told as it is written.
const fn checked(
    name: &'static str,
    default: &'static str,
    check: fn(&SettingAsked<'_>) -> Result<String, Refusal>,
) -> Setting {
    Setting {
        name,
        default,
        takes: Takes::Checked {
            check,
            told: |_, value| Some(value.to_owned()),
        },
        later: false,
    }
}

/// A setting that takes a whole number above zero.
const fn number(name: &'static str, default: &'static str) -> Setting {
    checked(name, default, check_number).at_any_time()
}

fn check_number(asked: &SettingAsked<'_>) -> Result<String, Refusal> {
    match asked.value.parse::<u16>() {
        Ok(number) if number > 0 => Ok(number.to_string()),
        _ => refuse("This takes a whole number above zero."),
    }
}

/// Names of roles, or `NONE`.
fn check_seats(asked: &SettingAsked<'_>) -> Result<String, Refusal> {
    let words = asked.value.split([',', ' ', ';']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words == ["none"] {
        return Ok("none".to_owned());
    }
    let is_role = |word: &&str| ROLES.iter().any(|(name, _)| name == word);
    if words.is_empty() || !words.iter().all(is_role) {
        return refuse("SEATS takes the roles that may be played, such as JESTER,DOCTOR, or NONE.");
    }
    let named = ROLES.iter().map(|(name, _)| *name);
    let named: Vec<&str> = named.filter(|name| words.contains(name)).collect();
    Ok(named.join(","))
}

/// `S1903`, `F1903` or `NEVER`.
fn check_season(asked: &SettingAsked<'_>) -> Result<String, Refusal> {
    let value = asked.value.to_lowercase();
    let year = value.strip_prefix(['s', 'f']);
    let is_season = year.is_some_and(|year| year.len() == 4 && year.parse::<u16>().is_ok());
    if is_season || value == "never" {
        Ok(value)
    } else {
        refuse("BORG-START takes a season, S1901 or F1903, or NEVER.")
    }
}

/// What a master may have otherwise; the default is the first value of each setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Rules {
    /// What the judge calls things.
    pub flavor: Flavor,
    /// EXPOSE works in a DOM's own space too (R63).
    pub expose_own_space: bool,
    /// The move that is supported through the UNDERPASS does not cut that support (R38).
    pub only_unsupported_cut_below: bool,
    /// The TARDIS lands only from hyperspace (R84).
    pub two_legs: bool,
    /// The report does not say whose herd exploded (R20).
    pub herd_owner_hidden: bool,
    /// A unit sells its soul once in its life (R30).
    pub soul_once: bool,
    /// A lost soul is charged only until the sale would have run out (R31).
    pub lost_for_a_time: bool,
    /// FEMALE and DIRTY OLD MAN armies take no centers (R57).
    pub idle_take_nothing: bool,
    /// JESTER and SOOTHSAYER count among those who share a free unit (R77).
    pub share_diluted: bool,
    /// The MASTERMIND builds nothing for his centers (R81).
    pub mastermind_free_only: bool,
    /// Answers must be exact (R83).
    pub exact_answers: bool,
    /// Merged units need no center (R96).
    pub merged_free: bool,
    /// Who has voted for which LINK is told.
    pub open_votes: bool,
    /// The season of BORG's first step; none if he never comes.
    pub borg_start: Option<String>,
    pub victory_centers: usize,
    pub doctor_points: u32,
    pub jester_year: u16,
}

impl Rules {
    /// Those of a game.
    pub(super) fn of(settings: &Settings) -> Rules {
        let is = |setting: &Setting, value: &str| setting.among(settings) == value;
        let number = |setting: &Setting| setting.among(settings).parse::<u16>().unwrap_or(u16::MAX);
        let borg_start = BORG_START.among(settings).to_uppercase();
        Rules {
            flavor: Flavor::of(settings),
            expose_own_space: is(&EXPOSE_OWN_SPACE, "yes"),
            only_unsupported_cut_below: is(&UNDERPASS_CUT, "unsupported"),
            two_legs: is(&TARDIS_LEGS, "two"),
            herd_owner_hidden: is(&HERD_OWNER, "hidden"),
            soul_once: is(&SOUL_RESALE, "no"),
            lost_for_a_time: is(&LOST_SOUL, "timer"),
            idle_take_nothing: is(&NONCOMBAT_CAPTURE, "no"),
            share_diluted: is(&SHARE_DILUTE, "yes"),
            mastermind_free_only: is(&MASTERMIND_BUILDS, "free"),
            exact_answers: is(&ANSWER_SLACK, "exact"),
            merged_free: is(&SOOTHSAYER_SUPPLY, "free"),
            open_votes: is(&VOTES, "open"),
            borg_start: Some(borg_start).filter(|start| start != "NEVER"),
            victory_centers: usize::from(number(&VICTORY_CENTRES)),
            doctor_points: u32::from(number(&DOCTOR_POINTS)),
            jester_year: number(&JESTER_YEAR),
        }
    }
}

/// Whether SEATS names a role.
fn may_be_played(settings: &Settings, name: &str) -> bool {
    let mut words = SEATS.among(settings).split(',');
    words.any(|word| word.trim_ascii() == name)
}

/// What a game needs for a power: the seven, and of the roles those that SEATS names may be played.
pub(super) fn need(power: Power, settings: &Settings) -> LeaderNeed {
    match ROLES.iter().find(|(_, role)| *role == power) {
        None => LeaderNeed::Required,
        Some((name, _)) if may_be_played(settings, name) => LeaderNeed::Optional,
        Some(_) => LeaderNeed::Closed,
    }
}

/// Whether a draw needs the vote of a power.
pub(super) fn draw_needs(game: &Game, power: Power) -> bool {
    !DRAW_NEEDS.is(game, "units") || game.unit_count(power) > 0 || game.center_count(power) > 0
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::of(&Settings::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_rules::map::Map;

    fn checked(setting: &Setting, value: &str) -> Result<String, Refusal> {
        setting.check(&SettingAsked {
            value,
            map: Map::standard(),
            by_master: true,
        })
    }

    #[test]
    fn settings_are_the_rules_of_a_game() {
        let mut settings = Settings::default();
        assert_eq!(Rules::of(&settings), Rules::default());
        assert_eq!(Rules::default().victory_centers, 18);
        assert_eq!(Rules::default().borg_start.as_deref(), Some("S1901"));
        for (name, value) in [
            ("borg-start", "never"),
            ("tardis-legs", "two"),
            ("jester-year", "1910"),
        ] {
            settings.own.insert(name.to_owned(), value.to_owned());
        }
        let rules = Rules::of(&settings);
        assert!(rules.two_legs && rules.borg_start.is_none());
        assert_eq!(rules.jester_year, 1910);
        assert_eq!(checked(&BORG_START, "F1903").as_deref(), Ok("f1903"));
        assert!(checked(&BORG_START, "sometime").is_err());
        assert!(checked(&JESTER_YEAR, "0").is_err());
    }

    #[test]
    fn seats_are_those_that_are_named() {
        assert_eq!(
            checked(&SEATS, "doctor, jester").as_deref(),
            Ok("jester,doctor")
        );
        assert_eq!(checked(&SEATS, "doctor").as_deref(), Ok("doctor"));
        assert_eq!(checked(&SEATS, "none").as_deref(), Ok("none"));
        assert!(checked(&SEATS, "doctor,none").is_err());
        assert!(checked(&SEATS, "").is_err());
        let mut settings = Settings::default();
        assert_eq!(need(JESTER, &settings), LeaderNeed::Optional);
        settings.own.insert("seats".to_owned(), "doctor".to_owned());
        assert_eq!(need(DOCTOR, &settings), LeaderNeed::Optional);
        assert_eq!(need(JESTER, &settings), LeaderNeed::Closed);
        assert_eq!(need(Power(6), &settings), LeaderNeed::Required);
    }
}

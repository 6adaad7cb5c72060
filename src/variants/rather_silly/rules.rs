//! The rules of a game, as its settings have them (8.1).

/// What a master may have otherwise; the default is the first value of each setting.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rules {
    /// EXPOSE works in a DOM's own space too (R63).
    pub expose_own_space: bool,
    /// The move that is supported through the UNDERPASS does not cut that support (R38).
    pub only_unsupported_cut_below: bool,
    /// The TARDIS lands only from hyperspace (R84).
    pub two_legs: bool,
    /// A unit sells its soul once in its life (R30).
    pub soul_once: bool,
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
    /// The season of BORG's first step.
    pub borg_start: String,
    pub victory_centers: usize,
    pub doctor_points: u32,
    pub jester_year: u16,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            expose_own_space: false,
            only_unsupported_cut_below: false,
            two_legs: false,
            soul_once: false,
            idle_take_nothing: false,
            share_diluted: false,
            mastermind_free_only: false,
            exact_answers: false,
            merged_free: false,
            borg_start: "S1901".to_owned(),
            victory_centers: 18,
            doctor_points: 30,
            jester_year: 1920,
        }
    }
}

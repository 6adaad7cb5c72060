//! The standard calendar, in which games without a variant of their own are played: `S1901M`, `F1901R`, `W1901A`.

use crate::calendar::{PhaseKind, PhaseName, Season};

/// Reads a token of the standard calendar; the error is a sentence.
pub(super) fn standard_phase(token: &str) -> Result<PhaseName, String> {
    let phase = token.parse().ok().filter(|phase: &PhaseName| {
        let is_token = token.eq_ignore_ascii_case(&phase.to_string())
            || token.eq_ignore_ascii_case(&phase.in_mail());
        is_token && is_standard(*phase)
    });
    phase.ok_or_else(|| not_standard(token))
}

fn is_standard(phase: PhaseName) -> bool {
    use {PhaseKind as K, Season as S};
    matches!(
        (phase.turn.season, phase.kind),
        (S::Spring | S::Fall, K::Movement | K::Retreats) | (S::Winter, K::Adjustments)
    )
}

/// What is said of a phase that the standard calendar does not have.
pub(super) fn not_standard(token: &str) -> String {
    format!("`{token}` is not a phase of the standard calendar, as S1901M, F1901R or W1901A.")
}

/// The phase after this one, whether or not there is anything to decide in it.
pub(super) fn following(phase: PhaseName) -> PhaseName {
    use {PhaseKind as K, Season as S};
    let turn = phase.turn;
    let (turn, kind) = match (turn.season, phase.kind) {
        (S::Spring | S::Fall, K::Movement) => (turn, K::Retreats),
        (S::Fall, _) => (turn.next(), K::Adjustments),
        (S::Spring | S::Summer | S::Winter, _) => (turn.next(), K::Movement),
    };
    PhaseName { turn, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_has_five_phases() {
        let mut phase: PhaseName = "S1901M".parse().unwrap();
        for token in ["S1901R", "F1901M", "F1901R", "W1901A", "S1902M"] {
            phase = following(phase);
            assert_eq!(phase, standard_phase(token).unwrap());
        }
    }

    #[test]
    fn only_tokens_of_the_standard_calendar_are_read() {
        assert_eq!(standard_phase("f1901b"), standard_phase("W1901A"));
        for other in [
            "Spring 1901",
            "S1901MX",
            "S1901A",
            "U1901L",
            "F1901A",
            "W1901M",
            "",
        ] {
            assert_eq!(standard_phase(other), Err(not_standard(other)));
        }
    }
}

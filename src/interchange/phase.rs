//! The standard calendar, for games without a variant of their own: `S1901M`, `F1901R`, `W1901A`.

use dipjudge_game::DataError;
use dipjudge_rules::calendar::{PhaseKind, PhaseName, Season};

/// Reads a token of the standard calendar; the error is a sentence.
pub(super) fn standard_phase(token: &str) -> Result<PhaseName, DataError> {
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

/// The sentence for a phase that the standard calendar does not have.
pub(super) fn not_standard(token: &str) -> DataError {
    format!("`{token}` is not a phase of the standard calendar, as S1901M, F1901R or W1901A.")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

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

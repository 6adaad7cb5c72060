//! Kinds of submissions. A variant declares each of its kinds once. Only that declaration decides who reads submissions, for all
//! code that shows, plays, keeps or predicts them.

use super::Variant;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// A kind of submission: bids, lists of forts. Its declaration says who reads it besides its owner, and when.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionKind {
    /// The mark of lines that are stored for a later phase.
    pub name: &'static str,
    /// The names of submissions of this kind.
    pub slots: Slots,
    /// The rules of the variant's grammar that read a line of this kind.
    pub lines: &'static [&'static str],
    /// The moments that open it; the first of them does. If the list is empty, it is never opened.
    pub opens: &'static [OpenedBy],
    /// Who can read it from then on.
    pub to: OpenTo,
    /// Whether a master may read it earlier, unless the game is `BLINDMASTER`.
    pub masters: bool,
    /// Why a line of this kind is not stored for a later phase, where it is valid only for what is open on its arrival.
    pub not_ahead: Option<&'static str>,
    /// The note in a prediction for a reader who may not read it. It depends on the turn in hand and never on what was
    /// submitted.
    pub left_out: fn(Turn) -> Option<&'static str>,
}

/// The names of submissions of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slots {
    /// None: submissions of this kind are in the variant's own state.
    None,
    /// This name.
    Named(&'static str),
    /// All names with this prefix.
    Begin(&'static str),
    /// Every name that belongs to no kind declared before.
    Others,
}

/// The moments that can open a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenedBy {
    /// When it is made; such a submission is not secret.
    Made,
    /// The phase for which it was made is adjudicated.
    Played,
    /// A moment of the variant's own: bids are revealed, a question closes, something explodes. A step of the variant then takes
    /// out the sealed content, and its event stores it in a public place.
    Said,
    /// The game is over.
    Over,
}

/// The readers of an opened submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenTo {
    /// All readers of the game who see what it is about.
    All,
    /// The powers and the masters.
    Players,
}

impl OpenTo {
    fn includes(self, reader: Viewer) -> bool {
        match self {
            OpenTo::All => true,
            OpenTo::Players => matches!(reader, Viewer::Power(_) | Viewer::Master),
        }
    }
}

/// Orders, in every game, and what goes with them.
pub const ORDERS: SubmissionKind = SubmissionKind {
    name: "orders",
    slots: Slots::Begin(super::effect::MEANING),
    opens: &[OpenedBy::Played],
    masters: true,
    ..SubmissionKind::SEALED
};

impl SubmissionKind {
    /// Used for names that no declaration covers: never opened, not even to masters.
    pub const SEALED: SubmissionKind = SubmissionKind {
        name: "undeclared",
        slots: Slots::None,
        lines: &[],
        opens: &[],
        to: OpenTo::All,
        masters: false,
        not_ahead: None,
        left_out: |_| None,
    };

    /// All kinds of a variant, the common one first.
    pub(super) fn all(variant: &dyn Variant) -> impl Iterator<Item = &'static SubmissionKind> {
        std::iter::once(&ORDERS).chain(variant.submissions())
    }

    /// The kind of submissions of this name.
    pub(super) fn of_slot(variant: &dyn Variant, slot: &str) -> &'static SubmissionKind {
        let holds = |kind: &&SubmissionKind| match kind.slots {
            Slots::None => false,
            Slots::Named(name) => slot == name,
            Slots::Begin(begin) => slot.starts_with(begin),
            Slots::Others => true,
        };
        let mut all = SubmissionKind::all(variant);
        all.find(holds).unwrap_or(&SubmissionKind::SEALED)
    }

    /// The kind of this name.
    pub fn named(variant: &dyn Variant, name: &str) -> &'static SubmissionKind {
        let mut all = SubmissionKind::all(variant);
        all.find(|kind| kind.name == name)
            .unwrap_or(&SubmissionKind::SEALED)
    }

    /// The kind of one of the variant's own lines, by the rule of its grammar that reads it.
    pub fn of_line(variant: &dyn Variant, rule: &str) -> &'static SubmissionKind {
        let mut all = variant.submissions().iter();
        all.find(|kind| kind.lines.contains(&rule))
            .unwrap_or(&SubmissionKind::SEALED)
    }

    /// Whether a reader may know what `owner` has submitted of this kind, after these moments. `blind_master`: the game hides
    /// from its masters what their powers do before it is adjudicated.
    pub fn is_read_by(
        &self,
        reader: Viewer,
        owner: Power,
        come: &[OpenedBy],
        blind_master: bool,
    ) -> bool {
        let opened = |moment: &OpenedBy| *moment == OpenedBy::Made || come.contains(moment);
        let opened = self.opens.iter().any(opened);
        match reader {
            _ if opened && self.to.includes(reader) => true,
            Viewer::Power(reader) => reader == owner,
            Viewer::Master => self.masters && !blind_master,
            Viewer::Observer | Viewer::Stranger => false,
        }
    }

    /// Whether it stays sealed after the phase for which it was made.
    pub(super) fn outlasts_its_phase(&self) -> bool {
        let ends = |moment: &OpenedBy| matches!(moment, OpenedBy::Made | OpenedBy::Played);
        !self.opens.iter().any(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds as declared by variants that ask, hide and vote, besides those of this crate.
    fn kinds() -> Vec<SubmissionKind> {
        let of = |name, opens, to, masters| SubmissionKind {
            name,
            opens,
            to,
            masters,
            ..SubmissionKind::SEALED
        };
        use OpenTo::{All, Players};
        use OpenedBy::{Made, Over, Played, Said};
        vec![
            ORDERS,
            of("public", &[Made], All, true),
            of("bid", &[Said], All, false),
            of("list of forts", &[Played], All, false),
            of("answer", &[Said], Players, true),
            of("hidden place", &[Said, Over], All, true),
            of("last will", &[Over], Players, false),
            of("secret vote", &[], All, false),
            SubmissionKind::SEALED,
        ]
    }

    const OWNER: Power = Power(0);

    /// O is the owner, M a master, P another power, W an observer, S a stranger.
    fn readers(kind: &SubmissionKind, come: &[OpenedBy], blind_master: bool) -> String {
        let all = [
            ('O', Viewer::Power(OWNER)),
            ('M', Viewer::Master),
            ('P', Viewer::Power(Power(1))),
            ('W', Viewer::Observer),
            ('S', Viewer::Stranger),
        ];
        all.into_iter()
            .filter(|(_, reader)| kind.is_read_by(*reader, OWNER, come, blind_master))
            .map(|(letter, _)| letter)
            .collect()
    }

    #[test]
    fn who_reads_a_submission_when() {
        let table = "
            kind           standing  blind   played  said    over
            orders         OM        O       OMPWS   OM      OM
            public         OMPWS     OMPWS   OMPWS   OMPWS   OMPWS
            bid            O         O       O       OMPWS   O
            list of forts  O         O       OMPWS   O       O
            answer         OM        O       OM      OMP     OM
            hidden place   OM        O       OM      OMPWS   OMPWS
            last will      O         O       O       O       OMP
            secret vote    O         O       O       O       O
            undeclared     O         O       O       O       O
        ";
        let mut rows = table.lines().map(str::trim).filter(|row| !row.is_empty());
        let head = rows.next().unwrap();
        for (kind, row) in kinds().iter().zip(rows) {
            let cells = [
                readers(kind, &[], false),
                readers(kind, &[], true),
                readers(kind, &[OpenedBy::Played], false),
                readers(kind, &[OpenedBy::Said], false),
                readers(kind, &[OpenedBy::Over], false),
            ];
            let told = format!("{} {}", kind.name, cells.join(" "));
            let wanted: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(told, wanted.join(" "), "{head}");
        }
    }

    #[test]
    fn what_outlasts_its_phase_is_a_secret_of_the_game() {
        let kept: Vec<&str> = kinds()
            .iter()
            .filter(|kind| kind.outlasts_its_phase())
            .map(|kind| kind.name)
            .collect();
        let wanted = [
            "bid",
            "answer",
            "hidden place",
            "last will",
            "secret vote",
            "undeclared",
        ];
        assert_eq!(kept, wanted);
    }
}

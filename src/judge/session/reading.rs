//! The state of reading a mail, and the effect of earlier lines on later ones.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::orders::branches::Branches;
use crate::orders::variant_lines::TextUntil;
use crate::session::quoting::Secrets;
use crate::work::acting::Acting;
use dipjudge_commands::letters::Readers;
use dipjudge_commands::names::Names;
use dipjudge_commands::reach_question::AskedBefore;
use dipjudge_game::project::Chronicle;
use dipjudge_rules::calendar::PhaseName;

#[derive(Debug)]
pub(crate) struct ReadingState {
    /// Whether no further line is read.
    pub stopped: bool,
    /// Whether the sender has resigned, so that he has no place for the rest of the mail.
    pub resigned: bool,
    /// Whether the mail goes on to a sign-on.
    pub signs_on: bool,
    /// Whether a SIGNON line was accepted.
    pub signed_on_by_line: bool,
    /// Whether the mail contains anything besides its sign-on.
    pub has_more: bool,
    /// The phase that order lines are for.
    pub orders_for: OrdersFor,
    /// Whether a line has said that the orders from it on are for a later turn: `for the fall`.
    pub speaks_of_later: bool,
    /// The phases to come for which lines were kept, and how many for each.
    pub kept_for: BTreeMap<PhaseName, usize>,
    /// Whether the answer shows how the orders stand: the mail asks for that, or holds a text or an answer to a proposal.
    pub shows_orders: bool,
    /// A letter that the mail has begun in words and not by PRESS.
    pub letter: Option<LetterInWords>,
    /// The lines of which only a part is proposed.
    pub proposed_in_part: Vec<String>,
    /// The lines that are talk.
    pub unread: Vec<String>,
    /// The words that help was given on because a line seemed to be about them, and the questions done so.
    pub helped: BTreeSet<&'static str>,
    /// The first words of the variant's own lines that were told for a question.
    pub lines_told: BTreeSet<String>,
    /// The entries of pages that were shown.
    pub entries_shown: BTreeSet<String>,
    /// Of which moves the mail has asked.
    pub asked_reach: AskedBefore,
    /// Whether orders of the sender's own stand in the mail or are meant by it, once that was looked for.
    pub has_orders: Option<bool>,
    /// How many lines were looked up by what they are about.
    pub looked_up: usize,
    /// The conditions around order lines.
    pub branches: Branches,
    /// Whether the sender has been told that orders came too late for their phase.
    pub told_too_late: bool,
    /// The readers of the letters that the mail has begun in words, by name.
    pub written_to: Vec<String>,
    /// The words of a letter that was proposed and that the mail has dropped.
    pub dropped_letter: Vec<String>,
    /// Whether the mail confirms that its sender's orders count as they stand: it says so, or has dropped what was proposed to him.
    pub confirms_orders: bool,
    /// The names by which orders are parsed; set when first needed.
    pub names: Option<Names>,
    /// Those to whom the sender can write, once that was looked for, and who he was then.
    pub readers: RefCell<Option<(Option<Acting>, Rc<Readers>)>>,
    /// Where the text that follows a line of the variant ends, while it is being read.
    pub own_text_until: Option<TextUntil>,
    /// The grammar rules of the mail's commands.
    pub commands: BTreeSet<String>,
    /// The story of the game in hand, once something was asked about it.
    pub story: Option<ReadStory>,
    /// The words that no answer may repeat.
    pub secrets: Secrets,
}

/// The story of a game, read from its log.
#[derive(Debug)]
pub(crate) struct ReadStory {
    /// The number of events that the mail had brought when it was read.
    pub events: usize,
    pub story: Chronicle,
}

/// A letter that begins as `Dear France,` or `Tell France: ...` and not with PRESS. It is proposed behind the other lines of the mail, apart
/// from the orders in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LetterInWords {
    /// The line by which the judge sends it.
    pub opens: String,
    /// The line that ends it; `None` for orders of a power, which a master writes.
    pub ends: Option<&'static str>,
    pub words: Vec<String>,
    /// Whether the mail says that it is to be sent: `Tell France: thanks!` A greeting alone does not.
    pub asked_for: bool,
    /// The first word of the line that asks for it, in small letters: another line that begins so asks for another letter.
    pub verb: Option<String>,
    /// Whether it begins with its readers and a colon, `To France:`, which says all that PRESS does.
    pub headed: bool,
    /// Why the judge cannot send it as it is asked to.
    pub refused: Option<CannotSend>,
    /// Orders of the sender's own that stand in it.
    pub orders: Vec<String>,
    /// Whether a line has said that those below it are the sender's orders.
    pub in_orders: bool,
}

/// What the judge cannot do with a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CannotSend {
    /// Send it at a later time.
    Later,
    /// Send it as if somebody else had written it.
    AsAnother,
    /// Send it to one person before the game has begun.
    BeforeTheStart,
    /// Send it to a player of a game in which players write no letters.
    NoPress,
    /// Send it to somebody whom the sender cannot address.
    NobodyCalledSo,
    /// Say for whom it is: its heading names others, too.
    UnclearHeading,
}

impl LetterInWords {
    /// A letter of which no line has been read.
    pub(crate) fn new(opens: String, ends: Option<&'static str>) -> LetterInWords {
        LetterInWords {
            opens,
            ends,
            words: Vec::new(),
            asked_for: false,
            verb: None,
            headed: false,
            refused: None,
            orders: Vec::new(),
            in_orders: false,
        }
    }
}

/// The phase that order lines are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrdersFor {
    Now,
    Later(PhaseName),
    /// None: the PHASE line was not accepted, so the lines after it are dropped.
    Nothing,
}

impl ReadingState {
    /// The state before the first line.
    pub(crate) fn new(secrets: Secrets) -> ReadingState {
        ReadingState {
            stopped: false,
            resigned: false,
            signs_on: false,
            signed_on_by_line: false,
            has_more: false,
            speaks_of_later: false,
            orders_for: OrdersFor::Now,
            kept_for: BTreeMap::new(),
            shows_orders: false,
            helped: BTreeSet::new(),
            lines_told: BTreeSet::new(),
            entries_shown: BTreeSet::new(),
            asked_reach: AskedBefore::default(),
            has_orders: None,
            looked_up: 0,
            letter: None,
            proposed_in_part: Vec::new(),
            unread: Vec::new(),
            branches: Branches::default(),
            told_too_late: false,
            written_to: Vec::new(),
            dropped_letter: Vec::new(),
            confirms_orders: false,
            names: None,
            readers: RefCell::default(),
            own_text_until: None,
            commands: BTreeSet::new(),
            story: None,
            secrets,
        }
    }
}

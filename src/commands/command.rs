//! Commands, read but neither permitted nor carried out.
//!
//! What depends on the game that is signed on to, such as lists of powers, is kept as it was
//! written: [`super::power_list`], [`super::press_options`] and [`super::condition_words`] read it
//! once the game is known.

use super::date_words::DateWords;
use super::set_item::SetItem;
use super::sign_on::SignOn;
use crate::calendar::PhaseName;

/// A command of one line.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    // Getting in and out
    /// `SIGNON`, also as `JOIN`, `TAKEOVER`, `HELLO`, `LOGIN`.
    SignOn(SignOn),
    /// `OBSERVE`, `WATCH`, `MONITOR`.
    Observe(SignOn),
    /// `CREATE`.
    Create(SignOn),
    /// `RESIGN power@game pw`, in place of a sign-on.
    ResignFrom(SignOn),
    /// `I AM ALSO address`.
    AlsoAt(String),
    /// `RESIGN`, `WITHDRAW`; the master's with a power.
    Resign(Option<String>),

    // Information
    /// `HELP [word]`.
    Help(Option<String>),
    /// `GET file`.
    Get(String),
    /// `GET PACKAGE`.
    GetPackage,
    /// `GET DEDICATION`.
    GetDedication,
    /// `INFO PLAYER address`.
    InfoPlayer(String),
    /// `LIST`.
    List(Listing),
    /// `SUMMARY [game]`.
    Summary(Option<String>),
    /// `STATUS [game]`.
    Status(Option<String>),
    /// `HISTORY …`.
    History(HistoryWords),
    /// `WHOGAME [game] [FULL]`.
    WhoGame {
        /// The game, if named.
        game: Option<String>,
        /// Observers too.
        full: bool,
    },
    /// `WHO user…`.
    Who(Vec<String>),
    /// `VERSION`.
    Version,
    /// `MAP [game] [phase]`.
    Map {
        /// The game, if named.
        game: Option<String>,
        /// The phase, if named.
        phase: Option<PhaseName>,
        /// A format that was asked for, in small letters: `gif`.
        format: Option<String>,
    },
    /// `DEDGAME game`.
    DedicationOf(String),

    // Playing
    /// `SET …`: what is done one after the other.
    Set(Vec<SetItem>),
    /// `PHASE …`: what follows is for that phase.
    Phase {
        /// The phase as it was written.
        text: String,
        /// The phase, if it can be read; a game with a calendar of its own reads the text.
        phase: Option<PhaseName>,
    },
    /// `CLEAR`.
    Clear,
    /// `CLEAR ORDERS`.
    ClearOrders,
    /// `IF …`: the condition, and what stands behind it.
    If(String),
    /// `ELSE IF …`.
    ElseIf(String),
    /// `ELSE`.
    Else,
    /// `ENDIF`.
    EndIf,
    /// `DIARY LIST`.
    DiaryList,
    /// `DIARY READ n`.
    DiaryRead(i64),
    /// `DIARY DELETE n…`; not empty.
    DiaryDelete(Vec<i64>),

    // The master
    /// `BECOME MASTER`.
    BecomeMaster,
    /// `BECOME power`.
    Become(String),
    /// `PROCESS [phase]`.
    Process {
        /// The phase, if named.
        phase: Option<PhaseName>,
        /// `PROCESS!`.
        forced: bool,
    },
    /// `PREDICT`, `PREVIEW`.
    Predict,
    /// `ROLLBACK …`.
    Rollback {
        /// Where to; without it the turn before.
        to: Option<RollbackTo>,
        /// `FULL`.
        full: bool,
        /// `RESTORE`.
        restore: bool,
    },
    /// `ROLLFORWARD`.
    Rollforward,
    /// `PAUSE`.
    Pause,
    /// `RESUME`.
    Resume,
    /// `TERMINATE`.
    Terminate,
    /// `NO TERMINATE`.
    NoTerminate,
    /// `EJECT power` or `EJECT address`.
    Eject(Option<String>),
    /// `PROMOTE address`.
    Promote(Option<String>),
    /// `FORCE BEGIN`.
    ForceBegin,
    /// `UNSTART`.
    Unstart,
    /// `DUMMY power`.
    Dummy(String),
    /// `REVIVE power`.
    Revive(String),
    /// `ACTIVATE`: as `SET AUTO START`.
    Activate,
    /// `WAIT` alone: as `SET WAIT` for a player, as `PAUSE` for a master.
    Wait,
    /// `NOWAIT` alone.
    NoWait,
    /// `REVEAL`.
    Reveal,
    /// `OVERRULE …`, `AMEND …`.
    Overrule(String),

    /// A command of the old judges that is not carried over, by its name: `ADJUST`.
    NotOffered(String),
}

/// What `LIST` lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listing {
    /// Nothing was named: the public games before a sign-on, the own game after it.
    Brief,
    /// `FULL`.
    Full,
    /// One game.
    Game(String),
}

/// What `HISTORY` asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryWords {
    /// The game, if named.
    pub game: Option<String>,
    /// `FROM date`.
    pub from: Option<DateWords>,
    /// `TO date`.
    pub to: Option<DateWords>,
    /// `LINES n`.
    pub lines: Option<i64>,
    /// `EXCLSTART phase`.
    pub after: Option<PhaseName>,
    /// `EXCLEND phase`.
    pub until: Option<PhaseName>,
    /// `BROAD`.
    pub broadcasts: bool,
}

/// Where `ROLLBACK` goes back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RollbackTo {
    /// A turn's number, as in `(kaiser.007)`.
    Turn(i64),
    /// A phase.
    Phase(PhaseName),
}

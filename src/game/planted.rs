//! Deliberate leaks that test the test of secrecy: each must make it fail. The code asks `planted` wherever a leak can be
//! opened; without the feature `planted-leaks` it returns a constant `false`, which the compiler removes. The search may
//! also ask for passwords that are hashed quickly; they are hashed as always without the feature.

#[cfg(feature = "planted-leaks")]
use std::cell::{Cell, RefCell};
#[cfg(feature = "planted-leaks")]
use std::collections::BTreeSet;

macro_rules! leaks {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A place where hidden information leaks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Leak {
            $($(#[$doc])* $name,)*
        }

        impl Leak {
            /// All of them.
            pub const ALL: &[Leak] = &[$(Leak::$name,)*];
        }
    };
}

// One more is a line here and `planted(Leak::…)` where it leaks: the search looks for it by itself.
leaks! {
    /// A report counts the votes of all.
    Report,
    /// An answer counts the orders of all.
    Reply,
    /// A refusal tells whether anybody waits.
    Refusal,
    /// A Message-ID counts the mails to everybody.
    Counter,
    /// A date is finer than the minute.
    Clock,
    /// HISTORY counts the votes of all.
    History,
    /// An export holds the orders of others before they are adjudicated.
    Export,
    /// The order of recipients depends on how many orders are in for later phases.
    Sequence,
    /// An answer about a variant's submissions counts the submissions of all.
    Submissions,
    /// A master reads what its declaration seals from him.
    Sealed,
    /// A return path counts the mails to everybody.
    ReturnPath,
    /// A blind game without EARLY is adjudicated as soon as all orders are in.
    Early,
    /// Results bear the reply address of another seat.
    ReplyAddress,
    /// Everybody reads who will be absent.
    Absence,
    /// A condition is evaluated on the whole board.
    Condition,
    /// Whether a support was void is decided on the whole board.
    Void,
    /// Dedication reveals at once who was late in a game that hides it.
    Dedication,
    /// Lists of players name powers that their reader has not met.
    Existence,
    /// A letter names all its addressees, whether or not its reader knows them.
    Addressees,
    /// A power that the sender has not met is found by its name.
    Unmet,
    /// A reader has labels for powers that he never read of.
    Labels,
    /// Everybody reads what one power does to another.
    Told,
    /// A bounce that one civilization saw is shown to all.
    Glimpse,
    /// A map that is given shows units that another power sees which its giver has met.
    MapGift,
    /// Everybody reads that a unit has changed hands.
    UnitGift,
    /// An exchange is reported to members who have not met all others.
    Exchange,
    /// Transactions of all are numbered in one series.
    Numbers,
    /// A name that another has is refused.
    NameTaken,
    /// Homes of others are reported as one's own.
    Homes,
    /// The picture of a report shows the whole board.
    Picture,
    /// MAP shows the whole board.
    Map,
    /// Everybody reads where all herds are.
    Herds,
    /// Everybody reads what was foreseen and has not come true.
    Prediction,
    /// Everybody reads which souls were not sold because a condition did not hold.
    Unsold,
    /// Everybody reads which herds did not explode.
    Unfired,
    /// The accepted answers are printed beside the question.
    Accepted,
    /// A master's lines for a power are checked against what is sealed from him.
    Lent,
    /// An answer to a letter leaves with the orders that stand in it.
    Letters,
    /// The picture of one's orders shows which of them fit the orders of others.
    OrderMap,
    /// A trial is made on the whole board.
    Trial,
    /// WHY is worked out from the orders of all.
    Reckoning,
    /// A letter that holds the name of anybody in the game is refused, so its writer learns who plays.
    NameInPress,
    /// A late power reads before which of the other late ones it comes, though it may not know their names.
    LatePlace,
    /// A blind game's picture of results marks units that were destroyed out of its reader's sight.
    Wreck,
    /// MAP of a past phase shows what stood then wherever its reader sees today.
    Hindsight,
    /// The entries for calendars of all seats of a game are numbered in one series.
    CalendarSeries,
    /// Everybody reads who voted for a link that nobody voted against.
    Unanimous,
    /// LIST tells everybody before the deadline whether all bids are in.
    BidsIn,
    /// A saved game tells a power where units of others that it sees may retreat.
    RetreatOptions,
    /// A letter's readers get the id of the mail by which it came, with the host of its writer.
    WriterThread,
    /// A misspelt name is answered with the name of an unlisted game, to who is not in it.
    Hint,
    /// The line limit of HISTORY counts the mails of others, so a reader of a blind game learns how much they were sent.
    HistoryLimit,
    /// A saved game tells a power the kind of a unit out of its sight that its own order names.
    PartnerKind,
    /// A list of powers for a draw is refused in a blind game for a power that was eliminated out of the voter's sight.
    Fallen,
    /// A reply address changes with the leader of the writer's power, so readers learn of a replacement that is hidden.
    RelayToken,
    /// A blind game's reports tell everybody for whose absence the next deadline was moved.
    MovedFor,
    /// WHOIS tells who shares a blind game whether a person still leads a power in it.
    Whois,
    /// A master who processes by hand is told before the deadline that everything is in, where that is secret until then.
    Nudge,
    /// Everybody at a forming table reads all preference lists.
    Preferences,
    /// HISTORY shows a power's later leader dates in the time zone of the former one.
    Zone,
    /// LIST of a game that hides its board shows the raised winning number, so everybody learns that two powers are level.
    RaisedNumber,
    /// In a variant of tests: what one power's spy heard is reported to everybody.
    SpyReport,
    /// In a variant of tests: the answer to a power that sends its spy tells of another's.
    SpyAnswer,
    /// In a variant of tests: pictures show the spies of all powers.
    SpyMark,
    /// In a variant of tests: saved games tell where the spies of all powers are.
    SpySaved,
    // The fourth lot, planted by somebody who had not read the search.
    /// LIST of a game that hides its leaders shows the dedication of each power's leader, by which people are told apart.
    LeaderPoints,
    /// All whose orders are missing are reminded at the hour that the first of them has set for himself.
    RemindedTogether,
    /// A blind game's report tells which unit out of sight a foreign unit in sight supports or convoys.
    HiddenPartner,
    /// Colors of pictures follow the seats of the leaders, so where these are hidden it shows that one was replaced.
    ColorOrder,
    /// The entry for a calendar loses its alarm as soon as the orders of all are in, where that is secret too.
    AlarmAllIn,
    /// Who has refused three offers of one civilization is said to hear no more of any, so others learn of the refusals.
    RefusedOthers,
    /// A forming table of Outer Space that hides its leaders lists empires in order of sign-on.
    SignOnOrder,
    /// A deadline that somebody sets is told to all in his time zone.
    SetterZone,
    /// A saved game lists units by their numbers, so a power of a blind game learns which of those that come into sight again
    /// is which, and which was built first.
    SavedOrder,
    /// A label has a numeral if any other power of the game has that name, so who meets one of two learns of the other.
    NumeralOfAll,
    // The fifth lot, planted by who had mended the search, in classes that none of the others has.
    /// SUMMARY of a game that hides its leaders names those who have left it.
    FormerLeaders,
    /// An absence is refused that overlaps another's.
    AbsenceOverlap,
    /// Entries of all diaries of a game are numbered in one series.
    DiaryNumber,
    /// A saved game tells a power of a blind game who owns the centers that it once owned.
    LostCenter,
    /// Whoever alone has sent no orders is reminded twice as early.
    LastReminded,
    // The sixth lot, planted by somebody who chose the places from the program alone.
    /// SET NO ABSENCE looks among the absences of all, so the answer tells whether anybody is away then.
    AbsenceFound,
    /// The alarm of all entries for calendars stands at the earliest hour at which anybody wants to be reminded.
    CommonAlarm,
    /// A saved game tells a power of a blind game what others did not build.
    SavedWaive,
    /// LIST of a game that hides its leaders has the powers in the order of their leaders' names.
    NameOrder,
    /// LIST tells everybody how often each power was late, where it is secret who is.
    LateCount,
}

#[cfg(feature = "planted-leaks")]
thread_local! {
    static PLANTED: RefCell<BTreeSet<Leak>> = const { RefCell::new(BTreeSet::new()) };
    static REACHED: RefCell<BTreeSet<Leak>> = const { RefCell::new(BTreeSet::new()) };
}

#[cfg(feature = "planted-leaks")]
thread_local! {
    static QUICK: Cell<bool> = const { Cell::new(false) };
}

/// Lets this thread hash passwords with the least memory.
#[cfg(feature = "planted-leaks")]
pub fn hash_quickly() {
    QUICK.set(true);
}

/// Whether this thread hashes passwords with the least memory.
#[cfg(feature = "planted-leaks")]
pub fn hashes_quickly() -> bool {
    QUICK.get()
}

/// Whether passwords are hashed with the least memory: always `false`.
#[cfg(not(feature = "planted-leaks"))]
#[inline(always)]
pub const fn hashes_quickly() -> bool {
    false
}

/// Opens these leaks in this thread, and closes all others.
#[cfg(feature = "planted-leaks")]
pub fn plant(leaks: impl IntoIterator<Item = Leak>) {
    PLANTED.set(leaks.into_iter().collect());
}

/// Whether this leak is open in this thread.
#[cfg(feature = "planted-leaks")]
pub fn planted(leak: Leak) -> bool {
    let open = PLANTED.with_borrow(|open| open.contains(&leak));
    if open {
        REACHED.with_borrow_mut(|reached| reached.insert(leak));
    }
    open
}

/// Whether any leak is open in this thread.
#[cfg(feature = "planted-leaks")]
pub(crate) fn any_open() -> bool {
    PLANTED.with_borrow(|open| !open.is_empty())
}

/// The open leaks that this thread came past since it was last asked: no other can have shown itself.
#[cfg(feature = "planted-leaks")]
pub fn reached() -> BTreeSet<Leak> {
    REACHED.take()
}

/// Whether this leak is open: always `false`.
#[cfg(not(feature = "planted-leaks"))]
#[inline(always)]
pub const fn planted(_: Leak) -> bool {
    false
}

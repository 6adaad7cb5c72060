//! What HELP says of the words of the game itself, which are no commands: orders, and what befalls units, orders and players.

/// A topic: the words that name it, and what HELP says.
struct Topic {
    words: &'static [&'static str],
    text: &'static str,
}

const TOPICS: &[Topic] = &[
    Topic {
        words: &["orders", "order", "moves"],
        text: "Orders
    One a line, or several with ; between them. In Spring and Fall:
    A Par - Bur (move), F Bre H (hold), A Mar S A Par - Bur (support),
    F Nth C A Lon - Nwy (convoy). In a retreat phase: A Bur - Gas, or
    A Bur DISBAND. In Winter: BUILD A Par, REMOVE F Bre, WAIVE.
    The last valid order for each unit counts. GET SYNTAX tells more.",
    },
    Topic {
        words: &["yes", "no"],
        text: "YES, NO
    YES and nothing else, in an answer to a mail of the judge, takes what that
    mail proposes, makes orders behind an error flag or from before a rollback
    count as they stand, and proves that your address is yours. NO drops what
    is proposed. Either may be said in other words: ok, ja, oui.",
    },
    Topic {
        words: &["resume"],
        text: "RESUME
    Goes on with a game after PAUSE. It is for the master, and for any player
    where LIST shows it or there is no master. The next deadline is counted
    from then on, unless one was set during the pause.",
    },
    Topic {
        words: &["who is late"],
        text: "WHO IS LATE
    Behind the deadline it names who is late, where the game allows it, and a
    master reads at any time whose orders are missing.",
    },
    Topic {
        words: &["reminder", "reminders", "remind"],
        text: "Reminders
    The judge reminds each player whose orders are missing eight hours before
    the deadline (SET REMIND changes the hours), and again every day after it.
    Before the deadline LIST tells whether all orders are in. After it LIST
    and the late notice name those who are late, in most games. To write to
    all: BROADCAST, your text, ENDBROADCAST.",
    },
    Topic {
        words: &["move", "attack"],
        text: "A Par - Bur
    The unit goes to a neighboring province. Whoever has most support enters a
    province; if two are equal, nobody enters it.",
    },
    Topic {
        words: &["hold", "stand"],
        text: "F Bre H
    The unit stays where it is. A unit without an order holds, too, but your
    orders are not complete then.",
    },
    Topic {
        words: &["support"],
        text: "A Mar S A Par - Bur, A Mar S A Bur
    The unit helps another to move, or to stay where it is (A Bur, or
    A Bur H). It must be able to move to that province itself. Support is cut
    when another power attacks the supporting unit, but not from the province
    against which it supports: from there only dislodging it cuts support.
    A unit that supports still defends its own province.",
    },
    Topic {
        words: &["convoy", "convoys"],
        text: "F Nth C A Lon - Nwy, and A Lon - Nwy
    A fleet at sea carries an army from coast to coast. The army needs its
    order, too; a chain of fleets carries it further. A fleet that is attacked
    still carries it, unless it is dislodged.",
    },
    Topic {
        words: &["retreat", "retreats", "dislodged"],
        text: "A Bur - Gas, or A Bur DISBAND
    A dislodged unit goes to a neighboring province that is empty, in which
    equal units have not just kept each other out, and from which it was not
    attacked. If you order nothing it is disbanded. There is a phase for it
    after the moves; your mail names the open places.",
    },
    Topic {
        words: &["build", "builds"],
        text: "BUILD A Par
    In Winter, if you own more centers than you have units, in a vacant center
    of yours where the rules allow it: in most games one of your home centers.
    WAIVE gives a build up.",
    },
    Topic {
        words: &["remove", "removal", "removals", "disband"],
        text: "REMOVE F Bre
    In Winter, if you have more units than centers. If you name none, the
    judge removes the unit that is farthest from your centers.",
    },
    Topic {
        words: &["waive"],
        text: "WAIVE
    In Winter: gives one build up. WAIVE ALL gives all of them up.",
    },
    Topic {
        words: &["adjustment", "adjustments", "winter"],
        text: "BUILD A Par, REMOVE F Bre, WAIVE
    After Fall whoever owns more centers than units builds, and whoever owns
    fewer removes. See HELP BUILD and HELP REMOVE.",
    },
    Topic {
        words: &["coast", "coasts"],
        text: "F Stp/nc, F Spa (sc), F Bulgaria east coast
    Bulgaria, Spain and St Petersburg have two coasts, and a fleet is on one
    of them. An army needs no coast.",
    },
    Topic {
        words: &["late", "lateness", "deadline", "deadlines", "grace"],
        text: "Deadlines
    Every phase has a deadline: LIST game shows it. Whoever has not sent
    complete orders by then is late. When grace ends, anyone may take the
    power over, or the game goes on without its orders (NMR games).
    GET DEADLINES tells more. For masters: SET DEADLINE, SET LATE COUNT.",
    },
    Topic {
        words: &["abandoned", "abandon", "takeover", "replacement", "vacancy"],
        text: "Abandoned powers
    A power whose player left, or was late until the end of grace. LIST shows
    which are free. Anyone may take one over: PLAY and the game's name, or
    SIGNON, its letter before the game's name, and a password of your own,
    such as SIGNON Fkaiser password.",
    },
    Topic {
        words: &["nmr", "disorder", "cd"],
        text: "Civil disorder
    In a game with NMR a power whose orders are missing at the end of grace is
    in civil disorder: units without an order hold, and the game goes on. Its
    player comes back with SIGNON. LIST game shows NMR or NoNMR.",
    },
    Topic {
        words: &["error", "errors", "flag"],
        text: "The error flag
    If a line of your orders cannot be used, all your orders wait. A mail with
    an order and no error makes them count. So does YES to the answer, which
    takes what it proposes, and where it proposes nothing the orders as they
    stand; and a mail with your SIGNON line alone, in an answer that is SIGNON
    kaiser, without a password. CLEAR ORDERS deletes them all. GET DEADLINES
    tells more.",
    },
    Topic {
        words: &["gunboat", "anonymous"],
        text: "Gunboat
    Nobody but the master knows who plays which power. Press is signed with
    the power alone, and a text that shows an address or your name is not
    sent.",
    },
    Topic {
        words: &["blind", "fog"],
        text: "Blind
    You see only what is in or next to your own units and centers. GET BLIND
    tells more.",
    },
    Topic {
        words: &["guide", "newcomer", "beginner", "start"],
        text: "GET GUIDE
    A first year of play, mail by mail. GET INFO tells how to join a game,
    GET INDEX lists all pages.",
    },
    Topic {
        words: &["letter", "letters", "message", "mail", "write"],
        text: "PRESS TO F
    Your text follows on the next lines, and then ENDPRESS. BROADCAST writes
    to everybody, PRESS TO M to the master. GET PRESS tells more.",
    },
    Topic {
        words: &["victory", "win", "end"],
        text: "The end
    Whoever owns more than half of the centers after a Fall wins (18 of 34;
    variants differ). Players can also vote: SET DRAW, SET CONCEDE power.
    GET DRAWS tells more.",
    },
    Topic {
        words: &["map", "maps", "picture"],
        text: "MAP, GET MAP, SET MAP NEAR, SET MAP OFF
    MAP sends a picture of the board as you see it, MAP F1901M one of a past
    phase. GET MAP lists the provinces in words. SET MAP NEAR: results come
    with the part around your own units, for a phone; SET MAP OFF: without a
    picture; SET MAP ON brings the whole back.",
    },
    Topic {
        words: &["rules"],
        text: "GET RULES
    Which rules are played. GET RULES.STANDARD is the standard game in short;
    each variant has a page, such as GET RULES.BRIDGE. GET INDEX lists them.",
    },
];

/// What HELP says of a word of the game.
pub(super) fn about(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let topic = TOPICS
        .iter()
        .find(|topic| topic.words.contains(&word.as_str()));
    topic.map(|topic| topic.text)
}

/// All words that name a topic.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    TOPICS.iter().flat_map(|topic| topic.words.iter().copied())
}

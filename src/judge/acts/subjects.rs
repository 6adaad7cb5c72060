//! Questions and requests in which no command or order can be found: what they are about is answered, so that their sender
//! knows the line to write.

use super::asked::reader;
use super::files::rules_page;
use super::settings::times;
use super::{help, help_topics};
use crate::session::Session;
use crate::session::asked_in_words::set_deadline;
use crate::session::joining_lines::{joining_lines, named_game, words_of};
use crate::session::own_orders::OwnOrders;
use dipjudge_commands::command_reader::command_of;
use dipjudge_commands::corrections::asks_to_join;
use dipjudge_commands::date_words::DateWords;
use dipjudge_commands::mail_reader::is_question;
use dipjudge_commands::press_options::text_lines;
use dipjudge_commands::prose::{asks_judge, bare_words, parts_of, sentences};
use dipjudge_commands::reach_question::AskedBefore;
use dipjudge_commands::slots::{self, zone_asked};
use dipjudge_commands::subjects::{
    Asker, Meant, Needs, Subject, asks, joined_questions, subject_of,
};
use dipjudge_game::{Game, Phase, Role};
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::indented;
use dipjudge_rules::calendar::{PhaseKind, PhaseName, Season, Turn};
use dipjudge_rules::map::Map;
use dipjudge_variants as variants;
use dipjudge_view::{Moment, and_list};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// The fewest words of a sentence: shorter lines are orders and commands with mistakes.
const FEWEST_WORDS: usize = 3;
/// The fewest words of a sentence that is no question, where more than one subject may be meant.
const FEWEST_OF_STATEMENT: usize = 5;

/// The most lines of a mail that are looked up: whoever writes more has written a text.
const MOST_LOOKED_UP: usize = 30;

/// The most words of one question that are explained.
const MOST_EXPLAINED: usize = 6;

/// Topics of HELP whose words stand in questions of all kinds.
const GENERAL_TOPICS: [&str; 7] = [
    "order", "orders", "move", "moves", "attack", "hold", "stand",
];

/// The question of a subject that has the same answer for everybody and in every game.
const OF_NO_GAME: &str = "LIST GAMES";

/// The most words of a question that asks one thing: `who can reach Munich`.
const MOST_OF_SHORT: usize = 4;

/// How the first line of a judge's mail begins.
const JUDGES_HEAD: &str = ":: ";

/// What is said of a sentence in which no order or command can be found.
pub(super) const UNREAD: &str = "I could not read this line, so nothing was done with it.";

/// The same where lines are proposed for it.
const NOT_YET: &str = "Not done yet.";

/// What stands above lines for several wishes.
const OFFERS: &str = "Perhaps you want one of these; then write the lines below it:";
/// The same where another wish was told before.
const OTHER_OFFERS: &str = "Or perhaps you want one of these; then write the lines below it:";

/// The subjects of whoever wants a phase to go on without him.
const OF_PASS: [&str; 2] = ["ready", "not-hold-up"];

/// The subject of whoever needs more time for a turn.
const MORE_TIME: &str = "time";

const DAY: SignedDuration = SignedDuration::from_hours(24);
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Words of whoever wants a deadline before the one as it is.
const EARLIER: [&str; 5] = ["earlier", "sooner", "forward", "shorten", "faster"];

/// The answer to questions of builds and removals where a game has none.
const NO_BUILDS: &str = "There are no builds and no removals in this game.";

/// The answer to who wants to write without his name where a game has no grey press.
const NO_GREY_PRESS: &str = "Every letter of this game names the power that wrote it, so the judge sends none without your name.  Nothing was sent.";

/// Questions whose answers are too long for who may have meant another.
const LONG_ANSWERS: [&str; 2] = ["LIST", "HISTORY"];

impl Session<'_, '_> {
    /// Answers a question by what it is about, if it holds no order of the sender's own, which would be one with a mistake.
    pub(crate) fn answer_question(&mut self, line: &str) -> bool {
        if line.split_whitespace().count() < FEWEST_WORDS || self.sender.acting.is_none() {
            return false;
        }
        // "Suppose Austria moves to Tyrolia. Does Rome get into Venice?", "My fleet is in Brest. Can it go to Spain?"
        if let [before, question] = sentences(line)[..]
            && (self.answer_what_if(line)
                || self.tells_of_it(before, question) && self.answer_reach(line))
        {
            return true;
        }
        let joined = joined_questions(line);
        let any_place = joined.len() > 1
            && joined.iter().any(|part| {
                self.names_province(part) || self.asks_strength(part) || zone_asked(part).is_some()
            });
        if joined.len() > 1
            && (any_place || !matches!(subject_of(line, self.asker()), Meant::Clear(_)))
        {
            self.answer_each(joined);
            return true;
        }
        let goes_on = self.reading.asked_reach != AskedBefore::default();
        let is_short = line.split_whitespace().count() <= MOST_OF_SHORT;
        if (goes_on || is_short || self.is_question_of_places(line)) && self.answer_reach(line) {
            return true;
        }
        if self.answer_meanings(line) {
            return true;
        }
        if self.answer_closed_retreat(line)
            || self.answer_what_if(line)
            || self.answer_by_report(line)
            || self.answer_past_orders(line)
            || self.answer_strength(line)
            || self.answer_builds(line)
            || self.answer_places(line)
            || self.answer_unowned(line)
            || self.answer_units_of(line)
            || self.answer_sight(line)
        {
            return true;
        }
        if self.answer_deadline_elsewhere(line) {
            return true;
        }
        let asked = parts_of(line).into_iter().find_map(question);
        if let Some((text, question)) = asked {
            self.reply.wanted = true;
            self.carry_out(text, &question, &question.rule);
            return true;
        }
        // "Could you build a fleet in Smyrna?" asks for an order.
        let mut asks_for_orders = || asks_judge(line) && !self.orders_meant(line).is_empty();
        asks(line) && !asks_for_orders() && self.answer_subject(line)
    }

    /// Answers each of the questions that are joined in a sentence: `How many players are missing and when does it start?`
    fn answer_each(&mut self, joined: Vec<&str>) {
        for part in joined {
            let asked = format!("{}?", part.trim_end_matches('?'));
            if !self.answer_question(&asked) && !self.variant_line(&asked, "") {
                self.leave_unread(&asked);
            }
        }
    }

    /// Answers when the deadline is in the hours of a city.
    fn answer_deadline_elsewhere(&mut self, line: &str) -> bool {
        // Each line of orders comes here, too.
        if !asks(line) || joined_questions(line).len() > 1 {
            return false;
        }
        let zone = zone_asked(line);
        let times = self.game().and_then(|game| game.timing.times);
        let found = zone.and_then(|name| Some((name, TimeZone::get(name).ok()?)));
        let (Some((name, zone)), Some(times)) = (found, times) else {
            return false;
        };
        self.reply.wanted = true;
        let deadline = Moment::new(times.deadline, &zone);
        self.fault(line, format!("In {name} the deadline is {deadline}."));
        true
    }

    /// Answers a sentence by what it is about, if it holds no order of the sender's own.
    pub(crate) fn answer_subject(&mut self, line: &str) -> bool {
        !self.holds_own_order(line) && self.answer_prose(line)
    }

    /// Answers a sentence by what it is about.
    pub(crate) fn answer_prose(&mut self, line: &str) -> bool {
        let words = line.split_whitespace().count();
        // "What I really do:" is a heading.
        let too_short = words < FEWEST_WORDS || is_shouted(line) || line.trim_end().ends_with(':');
        if too_short || self.sender.acting.is_none() || self.reads_like_a_judges() {
            return false;
        }
        self.reading.looked_up += 1;
        if self.reading.looked_up > MOST_LOOKED_UP {
            return false;
        }
        if asks(line) && self.answer_question_of_own_lines(line) {
            return true;
        }
        // "what are we waiting for and when does it go on"
        let joined = joined_questions(line);
        let clear = |part: &str| match self.subject_meant(part, self.asker()) {
            Meant::Clear(subject) => Some(subject),
            _ => None,
        };
        if joined.len() > 1 {
            let whole = clear(line);
            let is_another = |part: &&str| {
                clear(part)
                    .is_some_and(|subject| whole.is_none_or(|whole| !std::ptr::eq(subject, whole)))
            };
            if joined.iter().any(is_another) {
                self.answer_each(joined);
                return true;
            }
        }
        if self.proposes_to_join(line) {
            return true;
        }
        let meant = self.subject_meant(line, self.asker());
        let likeliest = match &meant {
            Meant::Clear(subject) => Some(*subject),
            Meant::OneOf(subjects) => subjects.first().copied(),
            Meant::Nothing => None,
        };
        let speaks_of_builds = bare_words(line).any(|word| {
            let word = word.to_lowercase();
            word.starts_with("buil") || word.starts_with("remov")
        });
        let needs = likeliest.and_then(|subject| subject.needs);
        if speaks_of_builds && needs == Some(Needs::Builds) && !self.has_builds() {
            self.reply.wanted = true;
            self.fault(line, NO_BUILDS);
            let page = self.edit().map(|edit| rules_page(edit.variant.card().name));
            if let Some(page) = page {
                let page = page.to_uppercase();
                self.say(format!("GET {page} tells how units come and go."));
            }
            self.add_rules(line);
            return true;
        }
        // "I would agree to a draw. Is that anonymous?" is about no letter.
        let is_of_letter = || !self.frequent_about(line).likely;
        if needs == Some(Needs::GreyPress) && !self.has_grey_press() && is_of_letter() {
            self.reply.wanted = true;
            self.fault(line, NO_GREY_PRESS);
            return true;
        }
        if likeliest.is_some_and(|subject| subject.name == MORE_TIME) && !self.has_master() {
            self.reply.wanted = true;
            self.tell_time_by_any_player(line);
            return true;
        }
        let may_pass = OF_PASS.iter().any(|subject| meant.may_be(subject));
        if may_pass && !asks(line) && self.proposes_pass(line) {
            return true;
        }
        let subjects = match meant {
            Meant::Clear(subject) => return self.answer_clear(line, subject),
            Meant::OneOf(subjects) => subjects,
            Meant::Nothing => Vec::new(),
        };
        if asks(line) {
            self.answer_unclear_question(line, &subjects)
        } else {
            self.answer_unclear_statement(line, words, &subjects)
        }
    }

    /// What a sentence may be about. The subject whose dates the sentence fills is clear: `away from 24 December until 2
    /// January` is an absence.
    pub(crate) fn subject_meant(&self, sentence: &str, asker: Asker) -> Meant {
        match subject_of(sentence, asker) {
            Meant::OneOf(subjects) => {
                let dates = |one: &&&Subject| {
                    let lines = one.fill.iter();
                    lines.map(|fill| fill.matches("{date}").count()).max()
                };
                // Of those that are alike in this the first, which is the likeliest, is taken.
                let likeliest_last = subjects.iter().rev();
                let filled =
                    likeliest_last.filter(|one| !self.dates_filled(sentence, one).is_empty());
                // The one that says most of them is meant: an absence from one day to another, not the end of one.
                match filled.max_by_key(dates) {
                    Some(filled) => Meant::Clear(filled),
                    None => Meant::OneOf(subjects),
                }
            }
            meant => meant,
        }
    }

    /// The lines of a subject that need dates, filled by those of a sentence.
    fn dates_filled(&self, sentence: &str, subject: &Subject) -> Vec<String> {
        if subject.fill.iter().any(|fill| fill.contains("{date}")) {
            self.filled_by(sentence, subject)
        } else {
            Vec::new()
        }
    }

    /// Whether letters of the game in hand may be sent without their writers' names.
    fn has_grey_press(&self) -> bool {
        self.game().is_none_or(|game| game.settings.grey)
    }

    /// Whether the years of the game in hand have builds and removals.
    fn has_builds(&self) -> bool {
        self.edit().is_none_or(|edit| {
            let year = edit.game.turn.year;
            let seasons = [Season::Spring, Season::Summer, Season::Fall, Season::Winter];
            let mut phases = seasons
                .into_iter()
                .flat_map(|season| edit.variant.order_of_play(Turn { season, year }));
            phases.any(|phase| phase == Phase::Adjustments)
        })
    }

    /// Answers a question by the rules or the pages of frequent questions, or by what it may be about.
    fn answer_unclear_question(&mut self, line: &str, subjects: &[&'static Subject]) -> bool {
        let found = self.frequent_about(line);
        // A short answer in the words of a question comes before passages of the rules.
        if !found.likely && self.answer_by_rules(line) {
            return true;
        }
        if found.likely || subjects.is_empty() {
            return self.answer_by_frequent(line, found);
        }
        // What the likeliest one asks is answered at once: a question changes nothing.
        let begun = self.game().is_some_and(Game::begun);
        let likeliest = subjects.split_first().and_then(|(first, others)| {
            let ask = first.ask.filter(|ask| !ask.contains('{'))?;
            let is_short = !begun || !LONG_ANSWERS.contains(&ask);
            (first.fill.is_empty() && is_short).then_some((ask, others))
        });
        match likeliest {
            Some((ask, others)) if self.reading.helped.insert(ask) => {
                self.ask(line, ask);
                if !others.is_empty() {
                    self.offer_besides(line, others);
                }
            }
            _ => {
                self.offer(line, subjects);
            }
        }
        true
    }

    /// Answers a statement of so many words by what it may be about.
    fn answer_unclear_statement(
        &mut self,
        line: &str,
        words: usize,
        subjects: &[&'static Subject],
    ) -> bool {
        if self.answer_by_own_lines(line) {
            return true;
        }
        // What stands beside a question that was answered explains it: "I pressed send, but then came a tunnel."
        let explains = words < FEWEST_OF_STATEMENT || !self.reading.helped.is_empty();
        if subjects.is_empty() || explains {
            return false;
        }
        // "I want to go home! Tyrol back to Vienna." "I own Spain and Portugal now": so much speaks of the board, and nothing for one
        // of the subjects.
        let is_beside_orders = self.mail_has_orders();
        if is_beside_orders || self.asker() == Asker::Player && self.names_province(line) {
            self.reading.unread.push(line.trim().to_owned());
        } else {
            self.offer(line, subjects);
        }
        true
    }

    /// Proposes the lines by which the sender joins another game, if a sentence asks for that: "Put me into alpine, too".
    fn proposes_to_join(&mut self, line: &str) -> bool {
        if !asks_to_join(line) {
            return false;
        }
        let named = named_game(self).filter(|game| words_of(line).contains(&game.name));
        let Some(lines) = named.map(|game| joining_lines(self, game)) else {
            return false;
        };
        self.ask_before(line);
        self.propose_all(lines);
        true
    }

    /// Whether a judge wrote the mail. Two judges that find something in each other's answers would never fall silent.
    pub(crate) fn reads_like_a_judges(&self) -> bool {
        let mut own = self.mail.own_lines();
        own.any(|line| line.text.starts_with(JUDGES_HEAD))
    }

    /// Answers a question by what HELP says of a word of the game in it.
    pub(crate) fn answer_by_topic(&mut self, line: &str) -> bool {
        let words = line.split(|sign: char| !sign.is_alphanumeric());
        let words = words.map(str::to_lowercase);
        let mut special = words.filter(|word| !GENERAL_TOPICS.contains(&word.as_str()));
        let Some(text) = special.find_map(|word| help_topics::about(&word)) else {
            return false;
        };
        self.reply.wanted = true;
        self.fault(
            line,
            "I take this for a question, so it orders nothing.  HELP says of it:",
        );
        self.print(text.to_owned());
        true
    }

    /// Answers what words of LIST mean, by HELP on each: `What do NoNMR, DIAS and White mean?`
    fn answer_meanings(&mut self, line: &str) -> bool {
        let asks_meaning = |words: &[&str]| {
            let stands_for = |pair: &[&str]| matches!(pair, ["stand" | "stands", "for"]);
            words.contains(&"mean") || words.contains(&"means") || words.windows(2).any(stands_for)
        };
        let asked = sentences(line).into_iter().find_map(|sentence| {
            let words: Vec<&str> = bare_words(sentence).collect();
            asks_meaning(&words).then_some(words)
        });
        // "the Ionian, I mean"
        let speaks_of_itself =
            |words: &Vec<&str>| words.windows(2).any(|pair| pair == ["I", "mean"]);
        let Some(words) = asked.filter(|words| !speaks_of_itself(words)) else {
            return false;
        };
        // White, noNMR
        let is_term = |word: &&&str| {
            let ends = word.chars().rev().take(2);
            word.len() > 2 && word.starts_with(char::is_uppercase)
                || ends.into_iter().all(char::is_uppercase)
        };
        let played = self.edit().map(|edit| edit.variant);
        let terms = words.iter().skip(1).filter(is_term);
        let mut terms: Vec<&str> = terms
            .filter(|word| !GENERAL_TOPICS.contains(&word.to_lowercase().as_str()))
            .copied()
            .collect();
        terms.dedup();
        let explained = terms
            .into_iter()
            .filter_map(|term| help::about(term, played));
        let mut explained: Vec<String> = explained.take(MOST_EXPLAINED).collect();
        explained.dedup();
        if explained.len() < 2 {
            return false;
        }
        self.fault(line, "HELP says of these words:");
        self.print(explained.join("\n"));
        true
    }

    /// Whether a line of the mail is an order of the sender's own, or means one.
    fn mail_has_orders(&mut self) -> bool {
        if let Some(known) = self.reading.has_orders {
            return known;
        }
        let own = self.mail.own_lines().take(MOST_LOOKED_UP);
        let lines: Vec<&str> = own.map(|line| line.text.as_str()).collect();
        let has_orders = lines.into_iter().any(|line| {
            self.read_orders(line).iter().any(Result::is_ok) || !self.orders_meant(line).is_empty()
        });
        self.reading.has_orders = Some(has_orders);
        has_orders
    }

    /// As whom the sender asks.
    pub(super) fn asker(&self) -> Asker {
        let role = self.sender.acting.and_then(|acting| {
            let seat = self.game()?.seat(acting.seat)?;
            Some(seat.role)
        });
        let begun = self.game().is_some_and(Game::begun);
        match role {
            None => Asker::Stranger,
            Some(Role::Master) => Asker::Master,
            Some(_) if !begun => Asker::Newcomer,
            Some(Role::Observer) => Asker::Observer,
            Some(Role::Player) => Asker::Player,
        }
    }

    /// Answers a sentence whose subject is clear: a question at once, a request by the lines to write and the help on it.
    fn answer_clear(&mut self, line: &str, subject: &'static Subject) -> bool {
        self.reply.wanted = true;
        let is_new = self.reading.helped.insert(subject.name);
        // What was only offered is answered now that it is clear.
        let is_asked = subject
            .ask
            .is_some_and(|command| self.reading.helped.insert(command));
        if !is_new && !is_asked {
            self.reading.unread.push(line.trim().to_owned());
            return true;
        }
        let filled = self.filled_by(line, subject);
        // "My support from Munich was cut" names the unit of the question.
        let names_unit = self.names_province(line);
        if let Some(command) = subject
            .ask
            .filter(|ask| names_unit || !ask.contains("{unit}"))
        {
            if filled.is_empty() {
                let command = self.filled_in(line, command);
                self.ask(line, &command);
            }
            filled.iter().for_each(|command| self.ask(line, command));
            if let Some(says) = subject.says {
                self.say(says);
            }
            return true;
        }
        let wish = format!("Perhaps you want {}.", subject.wish);
        self.fault(line, wish);
        if !filled.is_empty() {
            let dated = filled.iter().find_map(|line| self.deadline_told(line));
            self.propose_all(filled);
            self.propose_reason(line);
            dated.into_iter().for_each(|told| self.say(told));
            if let Some(says) = subject.says {
                let says = self.filled_in(line, says);
                self.say(says);
            }
            return true;
        }
        let lines = self.lines_of(line, &subject.propose);
        if !lines.is_empty() {
            self.propose_all(lines);
        }
        self.show_lines_and_help(line, subject);
        let tells_nothing =
            subject.propose.is_empty() && subject.write.is_empty() && subject.says.is_none();
        if tells_nothing && asks(line) {
            self.add_rules(line);
        }
        true
    }

    /// The deadline that a date means.
    fn deadline_set_by(&self, date: &DateWords) -> Option<Timestamp> {
        let (game, acting) = (self.game()?, self.sender.acting?);
        times::moment(game, acting, date, self.work.now).ok()
    }

    /// What a SET DEADLINE line would set the deadline to.
    fn deadline_told(&self, line: &str) -> Option<String> {
        let at = self.deadline_set_by(&deadline_words(line)?)?;
        let context = self.reader_context();
        let shown = reader(&context, self.game()?).moment(at);
        Some(format!("{line} moves the deadline to {shown}."))
    }

    /// Proposes what a master says beside his wish as a letter to all, if he asks that they are told why: `Tom is in hospital. Give
    /// everybody until Tuesday, and tell them why.`
    fn propose_reason(&mut self, line: &str) {
        let asks_to_tell = |sentence: &&str| {
            let sentence = sentence.to_lowercase();
            let told = [
                "them",
                "all",
                "everybody",
                "everyone",
                "the others",
                "the players",
            ];
            told.iter().any(|told| {
                sentence.contains(&format!("tell {told} why"))
                    || sentence.contains(&format!("let {told} know"))
            })
        };
        let (wish, mut reason): (Vec<&str>, Vec<&str>) =
            sentences(line).into_iter().partition(asks_to_tell);
        if wish.is_empty() || !self.is_master() {
            return;
        }
        if reason.is_empty() {
            reason = wish;
        }
        let reason = self.quotable(&reason.join(" "));
        self.propose_all(text_lines("BROADCAST".to_owned(), [reason], "ENDBROADCAST"));
    }

    /// Tells somebody who has not said for which of his games he asks which lines he may write in an answer to a mail of it.
    pub(crate) fn advise(&mut self, sentence: &str, subject: &Subject) {
        if let Some(question) = subject.ask.filter(|ask| *ask == OF_NO_GAME) {
            self.ask(sentence, question);
            return subject.says.into_iter().for_each(|says| self.say(says));
        }
        let lines = self.lines_to_write(sentence, subject);
        let wish = format!("Perhaps you want {}.", subject.wish);
        self.fault(sentence, wish);
        if !lines.is_empty() {
            self.say("Then write, in an answer to a mail of the game:");
            self.print(indented(&lines, "    "));
        }
        if let Some(says) = subject.says {
            let says = self.filled_in(sentence, says);
            self.say(says);
        }
    }

    /// The lines that a sentence of this subject means: the question that answers it, or what is proposed where it is clear.
    pub(crate) fn lines_meant_by(&self, sentence: &str, subject: &Subject) -> Vec<String> {
        let filled = self.filled_by(sentence, subject);
        match subject.ask {
            _ if !filled.is_empty() => filled,
            Some(question) if asks(sentence) => vec![question.to_owned()],
            Some(_) => Vec::new(),
            None => self.lines_of(sentence, &subject.propose),
        }
    }

    /// Shows the lines to write, what is said of them, and the help on them.
    pub(crate) fn show_lines_and_help(&mut self, line: &str, subject: &Subject) {
        let lines = self.lines_of(line, &subject.write);
        if !lines.is_empty() {
            self.say("Then write:");
            self.print(indented(&lines, "    "));
        }
        if let Some(says) = subject.says {
            let says = self.filled_in(line, says);
            self.say(says);
        }
        let played = self.edit().map(|edit| edit.variant);
        if let Some(help) = subject.help.and_then(|topic| help::about(topic, played)) {
            self.print(help);
        }
    }

    /// Shows what a sentence may mean, with the lines to write for each. Returns whether anything of it is new.
    fn offer(&mut self, line: &str, subjects: &[&'static Subject]) -> bool {
        self.reply.wanted = true;
        if !self.note_offered(subjects) {
            self.reading.unread.push(line.trim().to_owned());
            return false;
        }
        let wish = self.propose_likeliest(line, subjects);
        let others = subjects.get(usize::from(wish.is_some())..);
        let others = others.unwrap_or_default();
        let told = match wish {
            Some(wish) if others.is_empty() => format!("{NOT_YET}  Perhaps you want {wish}."),
            Some(wish) => format!("{NOT_YET}  Perhaps you want {wish}.  {OTHER_OFFERS}"),
            None => format!("{UNREAD}  {OFFERS}"),
        };
        self.fault(line, told);
        self.show_offers(line, others);
        true
    }

    /// Shows what else a question may mean that was answered, with the lines to write for each.
    fn offer_besides(&mut self, line: &str, subjects: &[&'static Subject]) {
        if self.note_offered(subjects) {
            self.say(OTHER_OFFERS);
            self.show_offers(line, subjects);
        }
    }

    /// Notes that these are offered, and gives whether one of them was not before.
    fn note_offered(&mut self, subjects: &[&'static Subject]) -> bool {
        let names = subjects.iter().map(|subject| subject.name);
        let new = names.filter(|name| self.reading.helped.insert(name));
        new.count() > 0
    }

    /// Shows the lines to write for each of these, or what is said of it.
    fn show_offers(&mut self, line: &str, subjects: &[&'static Subject]) {
        let mut offers = Vec::new();
        let mut told = Vec::new();
        let mut rest = subjects;
        // What is likeliest is explained.
        if let [first, others @ ..] = subjects
            && let Some(says) = first.says
            && !(first.write.is_empty() && first.propose.is_empty())
        {
            let lines = indented(&self.lines_to_write(line, first), "    ");
            self.print(format!("{}:\n{lines}", first.wish));
            let says = self.filled_in(line, says);
            self.say(says);
            rest = others;
        }
        for subject in rest {
            let lines = self.lines_to_write(line, subject);
            match subject.says {
                Some(says) if lines.is_empty() => {
                    told.push(format!("{}: {}", subject.wish, self.filled_in(line, says)));
                }
                _ => offers.push(format!("{}:\n{}", subject.wish, indented(&lines, "    "))),
            }
        }
        if !offers.is_empty() {
            self.print(offers.join("\n"));
        }
        told.into_iter().for_each(|sentence| self.say(sentence));
    }

    /// Proposes the lines of the likeliest of these subjects, where a mail that asks nothing is to change a setting or to vote, which can be
    /// taken back, and the opposite is not as likely. Gives what its writer then wants.
    fn propose_likeliest(
        &mut self,
        line: &str,
        subjects: &[&'static Subject],
    ) -> Option<&'static str> {
        let (likeliest, others) = subjects.split_first()?;
        let mut own = self.mail.own_lines();
        let is_unclear = others.iter().any(|other| likeliest.is_opposite_of(other));
        if is_unclear || asks(line) || own.any(|own| own.text.contains('?')) {
            return None;
        }
        let lines = self.lines_meant_by(line, likeliest);
        let can_be_undone = |line: &String| line.starts_with("SET ");
        if lines.is_empty() || !lines.iter().all(can_be_undone) {
            return None;
        }
        let before = self.reply.proposed.len();
        self.propose_all(lines);
        (self.reply.proposed.len() > before).then_some(likeliest.wish)
    }

    /// The lines of a subject that the sentence, or for a time zone another one of the mail, fills.
    fn filled_by(&self, line: &str, subject: &Subject) -> Vec<String> {
        let own: Vec<&str> = self
            .mail
            .own_lines()
            .map(|line| line.text.as_str())
            .collect();
        let whole = own.join(" ");
        let line = self.with_phases_named(line);
        let lines = subject.fill.iter();
        let filled = lines.flat_map(|fill| slots::filled(fill, &line, &whole));
        filled
            .map(|filled| self.behind_deadline(&filled, &line).unwrap_or(filled))
            .collect()
    }

    /// A SET DEADLINE line with a day of the week before the day of the deadline as it is, for that day after it: who waits until Thursday
    /// wants more time.
    fn behind_deadline(&self, line: &str, sentence: &str) -> Option<String> {
        let date = deadline_words(line)?;
        let (game, acting) = (self.game()?, self.sender.acting?);
        let deadline = game.timing.times?.deadline;
        let mut at = self.deadline_set_by(&date)?;
        let is_weekday = date.weekday.is_some() && date.day.is_none();
        let wants_less = bare_words(sentence)
            .any(|word| EARLIER.iter().any(|known| word.eq_ignore_ascii_case(known)));
        if !is_weekday || wants_less || at.checked_add(DAY).ok()? > deadline {
            return None;
        }
        while at < deadline {
            at = at.checked_add(WEEK).ok()?;
        }
        Some(set_deadline(game, acting.seat, at))
    }

    /// The lines by which somebody gets what he wants.
    fn lines_to_write(&self, line: &str, subject: &Subject) -> Vec<String> {
        let filled = self.filled_by(line, subject);
        if !filled.is_empty() {
            return filled;
        }
        let lines = match (subject.ask, subject.help) {
            _ if !subject.write.is_empty() => subject.write.clone(),
            _ if !subject.propose.is_empty() => subject.propose.clone(),
            (Some(question), _) => vec![question],
            (None, Some(topic)) if subject.says.is_none() => return vec![format!("HELP {topic}")],
            (None, _) => Vec::new(),
        };
        self.lines_of(line, &lines)
    }

    /// Lines of a subject, with the names of this game in them, and the unit that the sender's line names.
    fn lines_of(&self, asked: &str, lines: &[&str]) -> Vec<String> {
        let filled_in = lines.iter().map(|line| self.filled_in(asked, line));
        filled_in.collect()
    }

    fn filled_in(&self, asked: &str, line: &str) -> String {
        if !line.contains('{') {
            return line.to_owned();
        }
        let unit = || OwnOrders::of(self)?.unit_named(asked);
        let game = self.game().map_or("game", |game| game.name.as_str());
        let variant = self
            .edit()
            .map(|edit| edit.variant.card().name.to_uppercase());
        let own = self.sender.acting.and_then(|acting| acting.power);
        let roster = self.roster();
        let asked_words = asked.to_lowercase();
        let others = roster.iter().filter(|(power, _)| Some(*power) != own);
        let mut others: Vec<(bool, String, Option<char>)> = others
            .map(|(_, info)| {
                let words = [&info.name, &info.adjective].map(|word| word.to_lowercase());
                let is_named = words.iter().any(|word| asked_words.contains(word.as_str()));
                (is_named, info.name.clone(), info.letter)
            })
            .collect();
        others.sort_by_key(|(is_named, ..)| !is_named);
        let other = others.into_iter().next();
        let named = other.as_ref().filter(|(is_named, ..)| *is_named);
        let named_power = named.map_or("power", |(_, name, _)| name).to_owned();
        let (power, letter) = other.map_or(("power".to_owned(), None), |(_, name, letter)| {
            (name, letter)
        });
        let keeper = &self.work.judge.settings.keeper;
        let variant_names = variants::ALL.iter().map(|variant| variant.card().name);
        self.with_state_told(slots::with_examples(line, asked))
            .replace("{wanted variant}", &named_in(asked, variant_names, "chaos"))
            .replace("{wanted map}", &named_in(asked, Map::names(), "ancient"))
            .replace("{keeper}", keeper)
            .replace("{tomorrow}", &self.day_from_now(1))
            .replace("{next week}", &self.day_from_now(7))
            .replace("{begun}", &self.day_of_beginning())
            .replace("{called}", &new_name(asked).unwrap_or("friends".to_owned()))
            .replace("{game}", game)
            .replace("{variant}", &variant.unwrap_or_default())
            .replace("{named power}", &named_power)
            .replace("{power}", &power)
            .replace("{letter}", &letter.unwrap_or('F').to_string())
            .replace("{unit}", &unit().unwrap_or("A Par".to_owned()))
            .replace(
                "{next}",
                &self.next_movement().unwrap_or("F1902M".to_owned()),
            )
    }

    /// A line with what it tells of the game in hand and its board; only that is worked out.
    fn with_state_told(&self, mut line: String) -> String {
        type Told<S> = fn(&S) -> Option<String>;
        let slots: [(&str, Told<Self>); 5] = [
            ("{mastered}", Self::masters_told),
            ("{winning}", Self::winning_told),
            ("{dislodged}", Self::dislodged_told),
            ("{runs}", Self::when_it_runs),
            ("{rhythm}", Self::rhythm),
        ];
        for (slot, told) in slots {
            if line.contains(slot) {
                line = line.replace(slot, &told(self).unwrap_or_default());
            }
        }
        line
    }

    /// Who the masters of the game in hand are, if there are any.
    fn masters_told(&self) -> Option<String> {
        let game = self.game()?;
        let names = game.seated(Role::Master).map(|seat| {
            let person = self.work.registry.person(seat.person);
            person.map_or("one without a name", |person| person.name.as_str())
        });
        let names: Vec<&str> = names.collect();
        Some(match names.as_slice() {
            [] => "This game has no master.  Its turns run by themselves; LIST shows Unmoderated where any player may use the master's commands.".to_owned(),
            names => format!(
                "It has: {}.  PRESS TO M, your words and ENDPRESS write to the master.",
                and_list(names.to_vec())
            ),
        })
    }

    /// How many centers or the like win the game in hand.
    fn winning_told(&self) -> Option<String> {
        let edit = self.edit()?;
        let context = self.reader_context();
        let viewer = reader(&context, &edit.game).viewer;
        let parameters = edit.variant_game().seen_by(viewer).parameters();
        let page = rules_page(edit.variant.card().name).to_uppercase();
        Some(format!(
            "In this game {} {} win; GET {page} has all of it.",
            parameters.winning, parameters.winning_by
        ))
    }

    /// The day on which the game in hand began, in the sender's time zone.
    fn day_of_beginning(&self) -> String {
        let begun = self.game().and_then(|game| game.timing.begun);
        let begun = begun.zip(self.own_zone());
        let begun = begun.map(|(begun, zone)| begun.to_zoned_datetime(zone));
        begun.map_or_else(
            || "a day to come".to_owned(),
            |begun| begun.strftime("%A, %-d %B %Y").to_string(),
        )
    }

    /// A day so many days from now, in the sender's time zone, as SET takes it: `22 December`.
    fn day_from_now(&self, days: i64) -> String {
        let zone = self.own_zone().unwrap_or(TimeZone::UTC);
        let at = self
            .work
            .now
            .saturating_add(SignedDuration::from_hours(24 * days));
        let at = at.unwrap_or(self.work.now).to_zoned_datetime(zone);
        at.strftime("%-d %B").to_string()
    }

    /// The movement phase behind the present phase, as a mail writes it.
    fn next_movement(&self) -> Option<String> {
        let game = self.game().filter(|game| game.begun())?;
        let now = game.phase_name(variants::of(&game.variant)).turn;
        let turn = match now.season {
            Season::Spring | Season::Summer => Turn {
                season: Season::Fall,
                ..now
            },
            Season::Fall | Season::Winter => Turn {
                season: Season::Spring,
                year: now.year + 1,
            },
        };
        Some(PhaseName::new(turn, PhaseKind::Movement).in_mail())
    }

    /// Whether a sentence is a question that can be answered, if only by help.
    pub(crate) fn asks_about_something(&self, sentence: &str) -> bool {
        let is_known = || !matches!(subject_of(sentence, self.asker()), Meant::Nothing);
        sentence.trim_end().ends_with('?') && (question(sentence).is_some() || is_known())
    }

    /// Answers a sentence by a question that it means.
    pub(super) fn ask(&mut self, line: &str, command: &str) {
        let Some(question) = command_of(command) else {
            return;
        };
        self.fault(line, format!("I took this for the question {command}:"));
        let first = self.reply.answers.len();
        self.carry_out(command, &question, &question.rule);
        for answer in self.reply.answers.iter_mut().skip(first) {
            answer.taken_for = Some(command.to_owned());
        }
    }
}

/// The date of a SET DEADLINE line.
fn deadline_words(line: &str) -> Option<DateWords> {
    DateWords::parse(line.strip_prefix("SET DEADLINE ")?)
}

/// The name of a variant or map that a sentence holds, or another one as an example; the standard one only if it names no other.
fn named_in<'n>(asked: &str, names: impl Iterator<Item = &'n str>, example: &'n str) -> String {
    let fold = |text: &str| -> String {
        let text = text.to_lowercase();
        text.chars().filter(|sign| sign.is_alphanumeric()).collect()
    };
    let folded = fold(asked);
    let mut named: Vec<&str> = names.filter(|name| folded.contains(&fold(name))).collect();
    named.sort_by_key(|name| *name == "standard");
    named.first().unwrap_or(&example).to_uppercase()
}

/// The name that a sentence gives a new game: `a game called 'winter'`.
fn new_name(asked: &str) -> Option<String> {
    let mut words = bare_words(asked);
    words.find(|word| {
        ["called", "named", "name"]
            .iter()
            .any(|lead| word.eq_ignore_ascii_case(lead))
    })?;
    let name = words.next()?;
    Some(name.to_lowercase())
}

/// Whether a line is written in capital letters alone, as orders and lines of variants are.
fn is_shouted(line: &str) -> bool {
    !line.chars().any(char::is_lowercase)
}

/// How people begin a question that they put into a sentence.
const LEADS: [&str; 8] = [
    "can you tell me ",
    "could you tell me ",
    "can you say ",
    "please tell me ",
    "do you know ",
    "i would like to know ",
    "i'd like to know ",
    "and ",
];

/// A part of a line that is a question in the words of people.
pub(crate) fn question(part: &str) -> Option<(&str, Line)> {
    let lower = part.to_lowercase();
    let lead = LEADS.iter().find(|lead| lower.starts_with(*lead));
    let part = lead.and_then(|lead| part.get(lead.len()..)).unwrap_or(part);
    let question = command_of(part).filter(is_question)?;
    Some((part, question))
}

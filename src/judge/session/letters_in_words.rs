//! Letters that a mail begins in words, `Dear France,`, and orders that a master writes for a power: the lines behind belong to
//! them, and all are proposed at the end.

use std::collections::BTreeSet;

use crate::session::Session;
use crate::session::letter_text::{
    BEGINS_QUESTION, asks_as_question, drop_orders_to_come, drop_thanks, drop_thanks_behind_quoted,
    ends_letter, is_part_of_plan, keep_quoted, lines_behind_name, speaks_of_judge,
    speaks_of_own_vote, speaks_to_reader, speaks_to_somebody, turns_to_orders, without_asking,
    words_for_both,
};
use crate::session::reading::{CannotSend, LetterInWords};
use dipjudge_commands::corrections::{SentenceRequest, lines_asked_within, misspelt_press};
use dipjudge_commands::letters::{
    comes_from_another, copied_readers, greets_all, leaves_later, readers_told, unquoted,
    wants_letter,
};
use dipjudge_commands::press_options::{
    Addressees, Recipients, press_lines, read_press, text_lines,
};
use dipjudge_commands::prose::{bare_words, sentences};
use dipjudge_game::{Phase, Role};
use dipjudge_mails::inbound::LinePart;
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// The refusal of press while no power has a leader yet.
pub(crate) const BEFORE_THE_START: &str = "The game has not started: until then use BROADCAST, PRESS TO M (master) or \
 PRESS TO O (observers).";

/// The refusal of press in a game without any.
pub(crate) const NO_PRESS: &str = "This game has no press; only PRESS TO M reaches anybody.";

/// The lines around the text of a letter.
struct LetterFrame {
    opens: String,
    ends: &'static str,
}

/// The line that begins a letter to the masters.
const TO_MASTER: &str = "PRESS TO M";

/// The lines that begin a letter to all.
const TO_ALL: [&str; 3] = ["BROADCAST", "PRESS TO everyone", "PRESS TO all"];

/// How headings above orders end.
const HEADINGS: [&str; 5] = ["orders", "moves", "mine", "mine then", "my own"];
/// The most words of such a heading.
const MOST_OF_HEADING: usize = 5;

/// The fewest words of a mail that greets all, if the judge answers something in it.
const FEWEST_TO_ALL: usize = 15;

/// The same if it asks nothing.
const FEWEST_TOLD_TO_ALL: usize = 8;

/// The most words of somebody's name, with a title.
const MOST_OF_NAME: usize = 3;

/// The fewest words behind somebody's first name: fewer are a signature, `Ben, England`.
const FEWEST_TO_SOMEBODY: usize = 4;

impl Session<'_, '_> {
    /// Begins a letter that is written in words, if its reader is one to whom the sender may write.
    pub(super) fn begin_letter(&mut self, line: &str, to: Vec<String>, text: String) -> bool {
        let Some(LetterFrame { opens, ends }) = self.frame_of_letter(&to) else {
            return self.begin_too_early(line, &to) || self.begin_to_nobody(line);
        };
        // "To France:", "Tell France: hold", and not "Dear France,"
        let asked_for = text != line.trim();
        let head = line.split_once(':').map_or(line, |(head, _)| head);
        let asked = line.trim().strip_suffix(text.as_str()).unwrap_or(head);
        let is_unclear = || {
            asked_for
                && line.contains(':')
                && self.letter_headed(line).is_none()
                && self.names_others(head, opens.trim_start_matches("PRESS TO "))
        };
        let refused = if asked_for && comes_from_another(head) {
            Some(CannotSend::AsAnother)
        } else if leaves_later(asked) {
            Some(CannotSend::Later)
        } else {
            is_unclear().then_some(CannotSend::UnclearHeading)
        };
        // "Tell France: thanks", and not "Tell France I agree: Burgundy stays empty"
        let behind_colon = line
            .split_once(':')
            .map(|(_, behind)| unquoted(behind).trim());
        let headed = asked_for
            && (text.is_empty() || behind_colon == Some(text.as_str()))
            && self.letter_headed(line).is_some();
        // "Could you write to France: shall we meet?" asks France.
        let is_own_question = behind_colon == Some(text.as_str());
        let text = if asked_for && asks_as_question(line) && !is_own_question {
            without_asking(&text)
        } else {
            text
        };
        let words = Some(text).filter(|text| !text.is_empty());
        let words = words.into_iter().collect();
        self.begin(LetterInWords {
            asked_for,
            verb: asked_for.then(|| first_word(line)),
            headed,
            refused,
            words,
            ..LetterInWords::new(opens, Some(ends))
        })
    }

    /// Begins a letter to somebody who has joined a game that has not begun; nobody gets it.
    fn begin_too_early(&mut self, line: &str, to: &[String]) -> bool {
        let game = self.game().filter(|game| !game.begun());
        let joined = game.into_iter().flat_map(|game| game.seated(Role::Player));
        let mut joined = joined.filter(|seat| to.iter().any(|name| self.is_called(seat, name)));
        if joined.next().is_none() {
            return false;
        }
        drop(joined);
        let letter = LetterInWords::new(format!("PRESS TO {}", to.join(", ")), Some("ENDPRESS"));
        self.begin(LetterInWords {
            refused: Some(CannotSend::BeforeTheStart),
            words: vec![line.trim().to_owned()],
            ..letter
        })
    }

    /// Begins a letter whose heading names somebody whom the sender cannot address, `To Mr Unknown:`, so that its lines are not read
    /// as orders.
    fn begin_to_nobody(&mut self, line: &str) -> bool {
        let Some(head) = line.trim().strip_suffix(':') else {
            return false;
        };
        let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
        let names: Vec<&str> = head.split_whitespace().skip(1).collect();
        let all_names =
            !names.is_empty() && names.len() <= MOST_OF_NAME && names.iter().all(is_name);
        if !all_names || self.names_province(head) {
            return false;
        }
        let letter = LetterInWords::new(format!("PRESS TO {}", names.join(" ")), Some("ENDPRESS"));
        self.begin(LetterInWords {
            asked_for: true,
            refused: Some(CannotSend::NobodyCalledSo),
            ..letter
        })
    }

    /// The lines that begin and end a letter to these readers, to all if there are none; `None` if the sender may write to none
    /// of them.
    fn frame_of_letter(&self, to: &[String]) -> Option<LetterFrame> {
        if to.is_empty() {
            return Some(LetterFrame {
                opens: "BROADCAST".to_owned(),
                ends: "ENDBROADCAST",
            });
        }
        let to: Vec<String> = to.iter().map(|name| self.power_called(name)).collect();
        // "Mr Brandt" is not master and Russia.
        if to.first().is_some_and(|name| self.reads_as_letters(name)) {
            return None;
        }
        // "Hi France and thanks": what follows the first names need not be one.
        let readable = (1..=to.len()).rev().filter_map(|number| to.get(..number));
        let mut readable = readable.map(|names| names.join(", "));
        let to = readable.find(|to| read_press(&format!("TO {to}"), self.roster()).is_ok())?;
        Some(LetterFrame {
            opens: format!("PRESS TO {to}"),
            ends: "ENDPRESS",
        })
    }

    /// The lines of a letter to these readers with this text.
    pub(super) fn letter_lines(&self, to: &[String], text: &str) -> Option<Vec<String>> {
        let LetterFrame { opens, ends } = self.frame_of_letter(to)?;
        Some(text_lines(opens, [text.trim().to_owned()], ends))
    }

    /// Begins a letter by a line whose first word is nearly PRESS.
    pub(super) fn begin_misspelt_press(&mut self, line: &str) -> bool {
        let Some(options) = misspelt_press(line) else {
            return false;
        };
        if read_press(options, self.roster()).is_err() {
            return false;
        }
        let opens = format!("PRESS {options}");
        self.begin(LetterInWords::new(opens, Some("ENDPRESS")))
    }

    /// Takes a line as the next of a letter that is written in words, if one has begun. An order of the sender's stays apart.
    pub(crate) fn continues_letter(&mut self, line: &str) -> bool {
        if self.reading.letter.is_none() {
            return false;
        }
        if self.adds_readers(line) || self.repeats_readers(line) || self.thanks_judge(line) {
            return true;
        }
        if ends_letter(line) {
            self.end_letter();
            return true;
        }
        if self.begins_orders(line) {
            return true;
        }
        let in_orders = self
            .reading
            .letter
            .as_ref()
            .is_some_and(|letter| letter.in_orders);
        let is_closed = self.letter_ends_below(line) || self.letter_suggests();
        let is_order = if is_closed {
            false
        } else if in_orders {
            self.is_own_order(line)
        } else {
            !is_part_of_plan(line)
                && (self.orders_own_units(line)
                    || self.turns_to_own_orders(line)
                    || self.orders_own_retreat(line))
        };
        if let Some(letter) = &mut self.reading.letter {
            let lines = if is_order {
                &mut letter.orders
            } else {
                &mut letter.words
            };
            lines.push(line.trim().to_owned());
        }
        true
    }

    /// Whether each sentence of a line is an order of the sender's own: `Bohemia: hold. Tyrolia: Munich.`
    fn orders_own_units(&mut self, line: &str) -> bool {
        let parts = sentences(line);
        !parts.is_empty()
            && parts.into_iter().all(|part| {
                let read = self.read_orders(part);
                let is_order = !read.is_empty() && read.iter().all(Result::is_ok);
                is_order && self.holds_own_order(part)
            })
    }

    /// Whether a line of a letter turns to orders of the sender's own, whatever else it says behind them.
    fn turns_to_own_orders(&mut self, line: &str) -> bool {
        let first = sentences(line).into_iter().next().unwrap_or_default();
        turns_to_orders(line) && !self.orders_meant(first).is_empty()
    }

    /// Whether a line below words of a letter orders a retreat of the sender's, `My army goes to Gascony.`: few letters speak of that.
    fn orders_own_retreat(&mut self, line: &str) -> bool {
        let is_due = self
            .game()
            .is_some_and(|game| game.phase == Phase::Retreats);
        let letter = self.reading.letter.as_ref();
        let is_below = letter.is_some_and(|letter| !letter.words.is_empty());
        is_due && is_below && !line.contains('?') && !self.orders_meant(line).is_empty()
    }

    /// Takes a line that says of itself that the sender's orders stand in it or below it: `And my orders: everything holds.`
    fn begins_orders(&mut self, line: &str) -> bool {
        let Some((head, rest)) = line.split_once(':') else {
            return false;
        };
        let (head, rest) = (head.to_lowercase(), rest.trim());
        let is_heading = head.split_whitespace().count() <= MOST_OF_HEADING
            && HEADINGS.iter().any(|word| head.ends_with(word));
        if !is_heading || !(rest.is_empty() || self.is_own_order(rest)) {
            return false;
        }
        if let Some(letter) = &mut self.reading.letter {
            letter.in_orders = true;
            letter
                .orders
                .extend(Some(rest.to_owned()).filter(|rest| !rest.is_empty()));
        }
        true
    }

    /// Whether words order units of the sender's.
    fn is_own_order(&mut self, words: &str) -> bool {
        self.reads_as_order(words) || !self.orders_meant(words).is_empty()
    }

    /// Whether a line below this one says that the letter is over: then all lines before that are the letter's.
    fn letter_ends_below(&self, line: &str) -> bool {
        let own = self.mail.own_lines().map(|own| own.text.trim());
        let mut below = own.skip_while(|own| *own != line.trim()).skip(1);
        below.any(ends_letter)
    }

    /// Whether the letter that is being read suggests something to its reader, `My suggestion for this turn:`, so that orders in it are
    /// his to read.
    fn letter_suggests(&self) -> bool {
        let letter = self.reading.letter.as_ref();
        let words = letter.into_iter().flat_map(|letter| &letter.words);
        let mut heads = words.filter(|line| line.trim_end().ends_with(':'));
        let suggests = ["suggest", "propos", "plan", "offer", "idea"];
        heads.any(|line| {
            suggests
                .iter()
                .any(|stem| line.to_lowercase().contains(stem))
        })
    }

    /// Adds those whom a line below the first reader names: `Cc: Austria`.
    fn adds_readers(&mut self, line: &str) -> bool {
        let is_head = |letter: &LetterInWords| {
            letter.opens.starts_with("PRESS") && letter.words.iter().all(|line| line.is_empty())
        };
        let copied =
            copied_readers(line).and_then(|names| self.request_of(&format!("To {names}:")));
        let Some(SentenceRequest::Letter { to, .. }) = copied else {
            return false;
        };
        let Some(LetterFrame { opens, .. }) = self.frame_of_letter(&to) else {
            return false;
        };
        let (Some(more), Some(letter)) =
            (opens.strip_prefix("PRESS TO "), &mut self.reading.letter)
        else {
            return false;
        };
        let adds = is_head(letter);
        if adds {
            letter.opens = format!("{}, {more}", letter.opens);
        }
        adds
    }

    /// Whether a line of a letter says no more than for whom it is, which is known: `(this is for Germany only)`.
    fn repeats_readers(&self, line: &str) -> bool {
        let letter = self.reading.letter.as_ref();
        let opens = letter.map_or("", |letter| letter.opens.as_str());
        let Some(readers) = readers_told(line, &self.readers()) else {
            return false;
        };
        let to_all = TO_ALL.contains(&opens);
        let mut to = opens.trim_start_matches("PRESS TO ").split(", ");
        let is_reader = |name: &str| readers.iter().any(|one| one.eq_ignore_ascii_case(name));
        if readers.is_empty() {
            to_all
        } else {
            to.all(is_reader)
        }
    }

    /// Whether a line is for the judge and asks for nothing: `Thanks, judge!`
    fn thanks_judge(&self, line: &str) -> bool {
        let mut words = bare_words(line);
        words.any(|word| word.eq_ignore_ascii_case("judge")) && self.says_nothing(line)
    }

    /// The words of a letter with the empty lines that stand between them in the mail.
    fn with_paragraphs(&self, words: Vec<String>) -> Vec<String> {
        let own = self.mail.lines.iter();
        let own = own.filter(|line| line.part == LinePart::Own);
        let own: Vec<&str> = own.map(|line| line.text.trim()).collect();
        let mut from = 0;
        let mut parted: Vec<String> = Vec::new();
        for line in words {
            let below = own.get(from..).unwrap_or_default();
            // A line that is made up of several stands nowhere in the mail.
            if let Some(at) = below.iter().position(|own| own.contains(line.as_str())) {
                let is_apart = below.iter().take(at).any(|own| own.is_empty());
                if is_apart && !parted.is_empty() {
                    parted.push(String::new());
                }
                from += at;
            }
            parted.push(line);
        }
        parted
    }

    /// Ends the letter that is being read where a line begins another one: `@Germany` and nothing else, or `And say to Austria: ...`
    /// behind `Say to Turkey: ...`.
    pub(crate) fn begins_another_letter(&mut self, line: &str) -> bool {
        if self.reading.letter.is_some()
            && line.trim_start().starts_with('@')
            && let Some(next) = self.letter_by_name(line)
        {
            self.end_letter();
            return self.begin(next);
        }
        if let Some(next) = self.next_note(line) {
            self.end_letter();
            return self.begin(next);
        }
        if let Some(text) = words_for_both(line) {
            self.end_letter();
            if let [.., one, other] = self.reading.written_to.as_slice() {
                let to = vec![one.clone(), other.clone()];
                return self.begin_letter(line, to, text.to_owned());
            }
        }
        let Some(letter) = &self.reading.letter else {
            return false;
        };
        let Some(SentenceRequest::Letter { to, text }) = self.request_of(line) else {
            return false;
        };
        // "Tell Germany that we fight. Tell England that we do not."
        let is_alike = || letter.verb.as_deref() == Some(first_word(line).as_str());
        let asks_again = letter.asked_for && text != line.trim();
        let goes_on = text.is_empty() || (asks_again && (line.contains(':') || is_alike()));
        if !goes_on || self.frame_of_letter(&to).is_none() {
            return false;
        }
        self.end_letter();
        self.begin_letter(line, to, text)
    }

    /// The letter that a line begins by somebody else's name and a colon, behind a letter that began so: `Gwen: thanks for Serbia.`,
    /// `Anna: sorry about Vienna.`
    fn next_note(&self, line: &str) -> Option<LetterInWords> {
        let begins = |line: &str| {
            let first = line.split_whitespace().next();
            first.is_some_and(|first| first.ends_with(':'))
        };
        let letter = self.reading.letter.as_ref()?;
        let began_so = letter.words.first().is_some_and(|first| begins(first));
        let next = self
            .letter_by_name(line)
            .filter(|_| began_so && begins(line))?;
        (next.opens != letter.opens).then_some(next)
    }

    /// Begins a letter to all whom the sender may address but these.
    pub(super) fn begin_letter_to_others(
        &mut self,
        line: &str,
        except: &[String],
        text: String,
    ) -> bool {
        let to = self.all_but(except);
        !to.is_empty() && self.begin_letter(line, to, text)
    }

    /// All powers but the sender's and these; empty if these name none.
    fn all_but(&self, except: &[String]) -> Vec<String> {
        let except: Vec<String> = except.iter().map(|name| self.power_called(name)).collect();
        let own = self.sender.acting.and_then(|acting| acting.power);
        let roster = self.roster();
        let is_left_out = |name: &str| {
            let readers = read_press(&format!("TO {name}"), &roster);
            match readers.ok().and_then(|options| options.to) {
                Some(Recipients::Only(Addressees { powers, .. })) => powers,
                _ => BTreeSet::new(),
            }
        };
        let left_out: BTreeSet<Power> = except.iter().flat_map(|name| is_left_out(name)).collect();
        if left_out.is_empty() {
            return Vec::new();
        }
        let others = roster
            .iter()
            .filter(|(power, _)| Some(*power) != own && !left_out.contains(power));
        others.map(|(_, info)| info.name.clone()).collect()
    }

    /// Takes the readers of a letter that greets all from its last sentence, where that leaves somebody out: `Please send that round to
    /// everyone apart from Turkey.`
    fn take_left_out(&self, letter: &mut LetterInWords) {
        if letter.asked_for || !TO_ALL.contains(&letter.opens.as_str()) {
            return;
        }
        let mut lines = letter.words.iter_mut().rev();
        let Some(line) = lines.find(|line| !self.says_nothing(line)) else {
            return;
        };
        let sentence = sentences(line).pop().unwrap_or_default();
        let asked = self.request_of(sentence);
        let Some(SentenceRequest::LetterToOthers { except, text }) = asked else {
            return;
        };
        let frame = self.frame_of_letter(&self.all_but(&except));
        if let Some(LetterFrame { opens, ends }) = frame.filter(|_| text.is_empty()) {
            letter.opens = opens;
            letter.ends = Some(ends);
            *line = line
                .strip_suffix(sentence)
                .unwrap_or(line)
                .trim_end()
                .to_owned();
        }
    }

    /// Whether a letter can only be meant for those whom it names, with all its words: it is headed by them, and nothing in it may be
    /// for the judge, such as an order of the sender's own.
    fn is_plain_letter(&mut self, letter: &LetterInWords) -> bool {
        let signed_on = self.sender.claimed.is_none() && self.sender.master.is_none();
        let knows_all = self.edit().is_some_and(|edit| {
            !edit
                .variant_game()
                .seen_by(Viewer::Stranger)
                .hides_existence()
        });
        signed_on
            && knows_all
            && letter.headed
            && letter.orders.is_empty()
            && lines_behind_name(&letter.words, |name| self.is_own_name(name)) == 0
            && self.reading.branches.is_empty()
            && self.proposes_certain_orders_alone()
            && letter
                .words
                .iter()
                .all(|line| lines_asked_within(line).is_none() && !speaks_of_judge(line))
            && !letter.words.iter().any(|line| self.may_order(line))
    }

    /// Whether a sentence of a line may be an order of the sender's own.
    fn may_order(&mut self, line: &str) -> bool {
        sentences(line).into_iter().any(|sentence| {
            self.holds_own_order(sentence) || !self.orders_meant(sentence).is_empty()
        })
    }

    /// Proposes the letter that the mail began in words, or sends it, if nothing in it can be meant otherwise.
    pub(crate) fn end_letter(&mut self) {
        let Some(mut letter) = self.reading.letter.take() else {
            return;
        };
        self.take_left_out(&mut letter);
        let to = letter.opens.strip_prefix("PRESS TO ");
        self.reading.written_to.extend(to.map(str::to_owned));
        // "No, to Ben please", in answer to the proposal of a letter
        if letter.words.iter().all(|line| self.says_nothing(line)) && letter.asked_for {
            letter.words.append(&mut self.reading.dropped_letter);
        }
        let Some(ends) = letter.ends else {
            if !letter.words.is_empty() {
                self.say("These read as orders of a power. A master gives them behind the line BECOME and its name, so nothing was done yet.");
                let words = letter.words.into_iter();
                let orders = words.filter(|line| !self.says_nothing(line));
                let lines: Vec<String> = std::iter::once(letter.opens).chain(orders).collect();
                self.propose_all(lines);
            }
            return;
        };
        letter.words = self.with_paragraphs(letter.words);
        drop_thanks_behind_quoted(&mut letter.words);
        drop_orders_to_come(&mut letter.words);
        self.take_orders_behind_name(&mut letter);
        if letter.asked_for {
            drop_thanks(&mut letter.words);
            let behind = keep_quoted(&mut letter.words);
            let behind = behind.into_iter().filter(|line| !self.says_nothing(line));
            let behind: Vec<String> = behind.collect();
            self.reading.unread.extend(behind);
        }
        let says_nothing = letter.words.iter().all(|line| self.says_nothing(line));
        if says_nothing && !letter.asked_for && letter.orders.is_empty() {
            return;
        }
        if letter.words.is_empty() && letter.refused.is_none() {
            self.say(format!("Your mail names {} as the reader of a letter and holds no words for it, so nothing was sent.  Write them below that line.", letter.opens.trim_start_matches("PRESS TO ")));
            return;
        }
        match letter
            .refused
            .or_else(|| self.cannot_write_to(&letter.opens))
        {
            Some(CannotSend::NoPress) => {
                self.say(format!(
                    "{NO_PRESS}  So your letter was not sent, and no line of it was taken as an order."
                ));
                return;
            }
            Some(CannotSend::Later) => {
                let lines = text_lines(letter.opens, letter.words, ends);
                self.say("A letter goes out as soon as it arrives; the judge keeps none for later, so yours was not sent.  Send these lines when the time has come:");
                return self.print(lines.join("\n"));
            }
            Some(CannotSend::AsAnother) => {
                self.say("The judge sends no letter as if another player had written it, so yours was not sent.  Where LIST shows grey press, GREY behind the readers' names hides who wrote it; GET PRESS tells more.");
                return;
            }
            Some(CannotSend::NobodyCalledSo) => {
                let name = letter.opens.trim_start_matches("PRESS TO ");
                let name = self.quotable(name);
                self.say(format!("I know nobody in this game who is called `{name}`, so your letter was not sent, and no line of it was taken as an order.  Write the name of a power: PRESS TO and the power, your text, and the line ENDPRESS.  LIST shows who plays which power."));
                return;
            }
            Some(CannotSend::UnclearHeading) => {
                self.say("I do not understand for whom your letter is, so it was not sent, and no line of it was taken as an order.  Answer with one line that names its readers and nobody else, such as To Austria and Italy:, and below it your text.");
                return;
            }
            Some(CannotSend::BeforeTheStart) => {
                self.say(format!("{BEFORE_THE_START}  So your letter was not sent.  BROADCAST is read by all who have joined."));
                return;
            }
            None => {}
        }
        if self.is_plain_letter(&letter) {
            return self.send_letter(&letter.opens, letter.words);
        }
        // "Hi all, I can't continue": it asks the judge for something, too. A master tells the players of himself.
        let asks_judge = |line: &&String| !letter.asked_for || speaks_of_own_vote(line);
        let asked = if self.is_master() {
            Vec::new()
        } else {
            let lines = letter.words.iter().filter(asks_judge);
            let asked = lines.filter_map(|line| lines_asked_within(line));
            asked.flatten().collect()
        };
        let first_order = letter.orders.first().cloned();
        let orders: Vec<String> = letter
            .orders
            .iter()
            .flat_map(|line| self.orders_of_letter(line))
            .collect();
        let is_another = self.reply.proposed.iter().any(|line| line == ends);
        let reads = if self.orders.accepted > 0 {
            "A part of your mail reads as a letter.  It was not sent yet, and no line of this part"
        } else {
            "Your mail reads as a letter.  It was not sent yet, and no line of it"
        };
        let opens = letter.opens.clone();
        let lines = text_lines(letter.opens, letter.words, ends);
        self.propose_all(lines.into_iter().chain(orders).chain(asked).collect());
        if !self.reply.proposed.contains(&opens) {
            self.say(format!(
                "{reads} was taken as an order.  It is not repeated here, since it is very long or may hold a password: send it again, below the line {opens}, with the line {ends} at its end."
            ));
        } else if !is_another {
            self.say(format!(
                "{reads} was taken as an order: at the top it stands as the judge sends it, from {opens} to {ends}."
            ));
        }
        if let Some(first) = first_order {
            let first = self.quotable(&first);
            self.say(format!(
                "Lines of it that order your own units, such as `{first}`, are not part of the letter: they stand behind it, as orders."
            ));
        }
    }

    /// Takes what stands behind the name at the end of a letter as orders, if it orders the writer's units and speaks to nobody:
    /// `Channel to Belgium and Yorkshire to London for me please.`
    fn take_orders_behind_name(&mut self, letter: &mut LetterInWords) {
        let behind = lines_behind_name(&letter.words, |name| self.is_own_name(name));
        let start = letter.words.len() - behind;
        let lines = letter.words.get(start..).unwrap_or_default().to_vec();
        let orders = |session: &mut Self, line: &String| {
            !speaks_to_reader(line)
                && sentences(line)
                    .into_iter()
                    .all(|part| session.is_own_order(part))
        };
        if behind > 0 && lines.iter().all(|line| orders(self, line)) {
            letter.orders.extend(lines);
            letter.words.truncate(start - 1);
        }
    }

    /// Why letters of the game in hand cannot be sent by such a line, if they cannot.
    fn cannot_write_to(&self, opens: &str) -> Option<CannotSend> {
        let game = self.game()?;
        let is_without = game.begun() && !game.settings.has_press() && opens != TO_MASTER;
        (is_without && !self.is_master()).then_some(CannotSend::NoPress)
    }

    /// The orders in a line of a letter that orders its writer's units.
    fn orders_of_letter(&mut self, line: &str) -> Vec<String> {
        let parts: Vec<&str> = sentences(line);
        let mut meant = Vec::new();
        for part in parts {
            // What cannot be given stays, so that the answer to YES tells why.
            let read = self.read_orders(part);
            let is_read = !read.is_empty() && read.iter().all(Result::is_ok);
            meant.extend(if is_read {
                vec![part.to_owned()]
            } else {
                self.orders_meant(part)
            });
        }
        if meant.is_empty() {
            meant.push(line.to_owned());
        }
        meant
    }

    /// Begins orders that a master writes for a power.
    pub(super) fn begin_orders_of(&mut self, power: &str) -> bool {
        let reads = read_press(&format!("TO {power}"), self.roster()).is_ok();
        reads && self.begin(LetterInWords::new(format!("BECOME {power}"), None))
    }

    /// Begins a letter to somebody whom the sender calls by his name.
    pub(super) fn begin_letter_by_name(&mut self, line: &str) -> bool {
        match self.letter_by_name(line) {
            Some(letter) => self.begin(letter),
            None => false,
        }
    }

    /// Whether a line calls the leader of a power by its name or his, as letters do.
    pub(super) fn begins_by_name(&self, line: &str) -> bool {
        let letter = self.letter_by_name(line);
        letter.is_some_and(|letter| letter.opens != TO_MASTER)
    }

    /// The letter to somebody whom a line calls by his name: a power by its whole name, `Austria, nothing to worry about`,
    /// `@Austria thanks`, `Austria you rat`, somebody who plays by his first name, `Ben, if you build a fleet ...`, or a master,
    /// `Mona, could you look after Germany?`
    fn letter_by_name(&self, line: &str) -> Option<LetterInWords> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let marked = first.strip_prefix('@');
        let name = marked.unwrap_or(first).trim_end_matches([',', ':']);
        // "Anna dear, ...", "georg mate can you ..."
        let dear = words.clone().next().is_some_and(|next| {
            let next = next.trim_end_matches([',', ':', '!']);
            ["dear", "mate", "buddy", "pal", "dude", "bro"]
                .iter()
                .any(|word| next.eq_ignore_ascii_case(word))
        });
        // "Gwen: thanks", "Anna: sorry", one below the other
        let goes_on = self.reading.letter.is_some() && words.clone().next().is_some();
        let fewest = if goes_on { 1 } else { FEWEST_TO_SOMEBODY };
        let is_note = first.ends_with(':') && words.clone().count() >= fewest;
        let called = first.ends_with(',') || dear || is_note;
        let is_question = BEGINS_QUESTION
            .iter()
            .any(|word| first.eq_ignore_ascii_case(word));
        let spoken_to = !is_question && speaks_to_somebody(words.clone());
        if !(called || spoken_to || marked.is_some()) {
            return None;
        }
        let letter = |opens: String, text: String| LetterInWords {
            words: vec![text],
            ..LetterInWords::new(opens, Some("ENDPRESS"))
        };
        let whole = || line.trim().to_owned();
        if self.names_another_power(name) {
            let behind = || words.clone().collect::<Vec<&str>>().join(" ");
            let text = marked.map_or_else(whole, |_| behind());
            return Some(letter(format!("PRESS TO {name}"), text));
        }
        let power = self.power_called(name);
        let is_signature = !(spoken_to || dear || is_note || self.heads_mail(line))
            && words.count() < FEWEST_TO_SOMEBODY;
        if power != name && !is_signature && self.names_another_power(&power) {
            return Some(letter(format!("PRESS TO {power}"), whole()));
        }
        let game = self.game().filter(|_| !self.is_master())?;
        let mut masters = game.seated(Role::Master);
        let is_master = masters.any(|seat| self.is_called(seat, name));
        is_master.then(|| letter(TO_MASTER.to_owned(), whole()))
    }

    /// Whether a line is the first of the mail, with others below it.
    fn heads_mail(&self, line: &str) -> bool {
        let own = self.mail.own_lines().map(|own| own.text.trim());
        let mut own = own.filter(|own| !own.is_empty());
        own.next() == Some(line.trim()) && own.nth(1).is_some()
    }

    /// Proposes the whole mail as a letter to the only other player whom it names, if it asks that somebody is told something and
    /// nothing else in it was understood: `The letter that I wrote Gwen I regret. Please tell her it no longer holds.`
    pub(crate) fn propose_letter_to_named(&mut self) {
        let own: Vec<String> = self
            .mail
            .own_lines()
            .map(|line| line.text.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect();
        let whole = own.join(" ");
        if self.sender.acting.and_then(|acting| acting.power).is_none() || !wants_letter(&whole) {
            return;
        }
        let names =
            bare_words(&whole).filter(|name| name.chars().next().is_some_and(char::is_uppercase));
        let named: BTreeSet<String> = names
            .map(|name| self.power_called(name))
            .filter(|power| self.names_another_power(power))
            .collect();
        let mut named = named.into_iter();
        let (Some(only), None) = (named.next(), named.next()) else {
            return;
        };
        if self.cannot_write_to(&format!("PRESS TO {only}")).is_some() {
            return;
        }
        let words: Vec<String> = own
            .into_iter()
            .filter(|line| !self.says_nothing(line))
            .collect();
        self.reply.wanted = true;
        self.say(format!(
            "A letter is sent from the line PRESS TO {only} to the line ENDPRESS."
        ));
        let words = self.with_paragraphs(words);
        self.propose_all(press_lines(&format!("TO {only}"), words));
    }

    /// Proposes the whole mail as a letter to all, if it greets all and nothing else in it was understood: `Hello everybody, I have taken
    /// over Italy. Write to me!`
    pub(crate) fn propose_letter_to_all(&mut self) {
        let own = self
            .mail
            .own_lines()
            .map(|line| line.text.trim().to_owned());
        let lines: Vec<String> = own.filter(|line| !line.is_empty()).collect();
        let greets = lines.first().is_some_and(|first| greets_all(first));
        let is_player = self
            .sender
            .acting
            .is_some_and(|acting| acting.power.is_some());
        // "Hi all, when is the deadline?" is for the judge, and "Hi all, I will send my removal tonight" is not.
        let words = bare_words(&lines.join(" ")).count();
        let asks = lines.iter().any(|line| line.contains('?'));
        let is_short = words
            < if asks {
                FEWEST_TO_ALL
            } else {
                FEWEST_TOLD_TO_ALL
            };
        let is_answered = self.reading.unread.is_empty() && is_short;
        if !greets || !(is_player || self.is_master()) || is_answered {
            return;
        }
        self.reply.wanted = true;
        self.reading.unread.clear();
        self.say("Your mail greets all.  It was not sent to anybody yet.");
        let words = self.with_paragraphs(lines);
        self.propose_all(text_lines("BROADCAST".to_owned(), words, "ENDBROADCAST"));
    }

    /// Takes the lines that follow as those of a letter.
    fn begin(&mut self, letter: LetterInWords) -> bool {
        self.reply.wanted = true;
        self.reading.letter = Some(letter);
        true
    }
}

fn first_word(line: &str) -> String {
    let first = bare_words(line).next().unwrap_or_default();
    first.to_lowercase()
}

//! The state of a mail while its lines are executed in order, each with an answer (`judge-workflow.md` 2.0).

use crate::orders::lines::OrderOutcomes;
use crate::session::quoting::Secrets;
use crate::session::reading::ReadingState;
use crate::session::reply_draft::ReplyDraft;
use crate::session::sender::MailSender;
use crate::tokens;
use crate::work::acting::{ActOutcome, Acting, Refusal, not_signed_on, refuse};
use crate::work::game_work::OpenGame;
use crate::work::leak_check;
use crate::work::reader_context::ReaderContext;
use crate::work::{GameWork, MailClass, Work};
use dipjudge_commands::due::Due;
use dipjudge_commands::names::Names;
use dipjudge_commands::order_words::OrderWords;
use dipjudge_commands::orders::{grammar_of, read_orders_by, reads_as_regular_order};
use dipjudge_commands::parse_error::{ParseError, ParseReason};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{self, Roster};
use dipjudge_game::{Game, GameEdit, Role, VariantGame};
use dipjudge_mails::inbound::{InboundMail, Proof};
use dipjudge_mails::outbound::{Answer, Document, Text};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;
use jiff::tz::TimeZone;

/// A mail while its lines are executed.
pub(crate) struct Session<'j, 'm> {
    pub mail: &'m InboundMail,
    /// The unit of work of the mail.
    pub work: Work<'j>,
    /// The game that the mail is about, once it is known.
    pub open: Option<OpenGame>,
    /// The name of the game that the mail is about, if its writer has said so for a part of a mail.
    pub about: Option<String>,
    /// Whether the mail is read to know what it would be answered with: see [`Session::answers_as`].
    pub is_trial: bool,
    /// The sender of the mail, and the role in which he acts.
    pub sender: MailSender,
    /// How far the mail is read, and how its next line is to be parsed.
    pub reading: ReadingState,
    /// The outcome of the order lines.
    pub orders: OrderOutcomes,
    /// The reply so far.
    pub reply: ReplyDraft,
}

impl<'j, 'm> Session<'j, 'm> {
    pub(crate) fn new(work: Work<'j>, mail: &'m InboundMail) -> Session<'j, 'm> {
        let mut session = Session {
            mail,
            open: None,
            about: None,
            is_trial: false,
            sender: MailSender::of(mail),
            reading: ReadingState::new(Secrets::of(work.judge, mail)),
            orders: OrderOutcomes::default(),
            reply: ReplyDraft::new(&work.judge.settings, mail),
            work,
        };
        session.reply.subject = session.quotable_subject();
        session
    }

    /// Opens the game that the mail is about.
    pub(crate) fn take_up(&mut self, game: &Game) -> GameWork<'_, 'j> {
        let open = self.open.insert(OpenGame::of(game, self.work.now));
        GameWork::new(&mut self.work, open)
    }

    /// The unit of work with the game in hand, if there is one.
    pub(crate) fn in_game(&mut self) -> Option<GameWork<'_, 'j>> {
        let open = self.open.as_mut()?;
        Some(GameWork::new(&mut self.work, open))
    }

    /// The working copy of the game in hand, with its events.
    pub(crate) fn edit(&self) -> Option<&GameEdit<'static>> {
        self.open.as_ref().map(|open| &open.edit)
    }

    /// The game in hand.
    pub(crate) fn game(&self) -> Option<&Game> {
        self.edit().map(|edit| &edit.game)
    }

    /// The time zone in which the sender reads of the game in hand.
    pub(crate) fn own_zone(&self) -> Option<TimeZone> {
        let game = self.game()?;
        let seat = self.sender.acting.and_then(|acting| game.seat(acting.seat));
        Some(game.zone_of(seat))
    }

    /// The context for questions of this sender.
    pub(crate) fn reader_context(&self) -> ReaderContext<'_, 'j> {
        ReaderContext {
            work: &self.work,
            open: self.open.as_ref(),
            acting: self.sender.acting,
            address: self.asker_address(),
        }
    }

    /// Sends a text to an address that need not belong to the game in hand. Returns the mail's id, if it was written.
    pub(crate) fn send_to(
        &mut self,
        address: &str,
        text: Text,
        class: MailClass,
    ) -> Option<String> {
        match self.in_game() {
            Some(mut work) => work.send_to(address, text, class),
            None => self.work.send_without_game(address, text, class),
        }
    }

    // Answers ---------------------------------------------------------------------

    /// Adds an answer for the sender. Whether he may know its contents is checked now, since the next line of his mail
    /// may change that.
    pub(crate) fn answer(&mut self, answer: Answer) {
        let checked = answer.checked || self.may_say(&answer.document().all_words());
        self.add_answer(Answer { checked, ..answer });
    }

    /// Whether the sender may be told something, in the present state of the game in hand.
    pub(super) fn may_say(&mut self, words: &str) -> bool {
        let (acting, outside) = (self.sender.acting, self.answer_to());
        let Some(work) = self.in_game() else {
            return true;
        };
        match acting {
            Some(acting) => leak_check::may_answer_in_game(&work, acting.recipient(), words),
            None => leak_check::may_say_outside(&work, &outside, words),
        }
    }

    /// Adds a sentence for the sender.
    pub(crate) fn say(&mut self, sentence: impl Into<String>) {
        self.answer(Answer::say(sentence));
    }

    /// Adds a document for the sender.
    pub(crate) fn show(&mut self, shown: impl Into<Document>) {
        self.answer(Answer::show(shown.into()));
    }

    /// Adds preformatted lines for the sender.
    pub(crate) fn print(&mut self, text: impl Into<String>) {
        self.answer(Answer::print(text));
    }

    /// Adds all parts of a text for the sender.
    pub(crate) fn tell(&mut self, Document(said): Document) {
        said.into_iter().for_each(|block| self.show(vec![block]));
    }

    /// Adds a text without checking it, because it holds no secret of the game in hand: it is about another game, or
    /// was sent before.
    pub(crate) fn show_passed(&mut self, shown: Document) {
        self.answer(Answer {
            checked: true,
            ..Answer::show(shown)
        });
    }

    /// Quotes a line and says what was wrong with it.
    pub(crate) fn fault(&mut self, line: &str, why: impl Into<Refusal>) {
        let mut sentences = why.into().into_sentences();
        if planted(Leak::Refusal) {
            let standings = self.game().into_iter();
            let standings = standings.flat_map(|game| game.standings.values());
            let waiting = standings.filter(|one| one.wait).count();
            sentences.push(format!("({waiting})"));
        }
        let quote = format!("{}{}", self.prefix(), line.trim());
        let answer = self.without_passwords(Answer::about(quote, sentences));
        self.answer(answer);
    }

    fn prefix(&self) -> String {
        let letter = self.sender.acting.and_then(|acting| {
            let game = self.game()?;
            match (acting.power, game.seat(acting.seat)?.role) {
                (Some(power), _) => {
                    Some(VariantGame::new(game, self.edit()?.variant).prefix_of(power))
                }
                (None, Role::Master) => Some("M".to_owned()),
                (None, Role::Observer) => Some("O".to_owned()),
                (None, Role::Player) => Some("?".to_owned()),
            }
        });
        letter
            .map(|letter| format!("{letter}: "))
            .unwrap_or_default()
    }

    /// Adds the outcome of a command: its sentences, or the quoted line with the refusal.
    pub(crate) fn outcome(&mut self, line: &str, said: ActOutcome) {
        match said {
            Ok(said) => {
                self.reply.wanted = true;
                self.tell(said);
            }
            Err(why) => self.fault(line, why),
        }
    }

    /// Adds the answer to a question: the document, or the quoted line with the refusal.
    pub(crate) fn shown(&mut self, line: &str, shown: Result<Document, Refusal>) {
        match shown {
            Ok(shown) => self.show(shown),
            Err(why) => {
                self.fault(line, why);
                self.propose_game(line);
            }
        }
    }

    /// Whether the sender acts as a master.
    pub(crate) fn is_master(&self) -> bool {
        let Some(acting) = self.sender.acting else {
            return false;
        };
        self.game()
            .and_then(|game| game.seat(acting.seat))
            .is_some_and(|seat| seat.role == Role::Master)
    }

    /// The address at which a sender is answered who has not signed on. A registered person is answered only at the
    /// From address: what the judge knows of him must not go to a Reply-To, which anybody can set in a mail with his
    /// name (`visibility.md` L31).
    pub(crate) fn answer_to(&self) -> String {
        match self.work.registry.by_address(&self.sender.address) {
            Some(_) => self.sender.address.clone(),
            None => self.mail.answer_to().key(),
        }
    }

    /// The address that identifies the sender in his questions: that of his seat once he has signed on. Anybody can
    /// forge a From address, and the answer goes to the seat.
    fn asker_address(&self) -> String {
        let signed_on = self.sender.signed_on();
        let seat = signed_on.and_then(|acting| self.game()?.seat(acting.seat));
        seat.map_or_else(|| self.sender.address.clone(), |seat| seat.address.clone())
    }

    /// Whether a line that begins like a command can be parsed as an order of the game, or could be if it named only
    /// those whom the sender may address.
    pub(crate) fn reads_as_order(&mut self, line: &str) -> bool {
        let reads = |order: &Result<OrderWords, ParseError>| match order {
            Ok(_) => true,
            Err(error) => matches!(error.reason, ParseReason::NoContact { .. }),
        };
        self.read_orders(line).iter().any(reads)
    }

    /// Whether a line is an order in the form that the judge uses, without polite words and the like.
    pub(crate) fn reads_as_regular_order(&mut self, line: &str) -> bool {
        if self.sender.acting.and_then(|acting| acting.power).is_none() {
            return false;
        }
        self.make_names();
        let Some((names, edit)) = self.reading.names.as_ref().zip(self.edit()) else {
            return false;
        };
        let due = Due::in_phase(&edit.game.phase);
        reads_as_regular_order(grammar_of(edit.variant), line, &due, names)
    }

    /// Whether a line is an order of the game, with or without a mistake.
    pub(crate) fn is_meant_as_order(&mut self, line: &str) -> bool {
        let read = self.read_orders(line);
        read.iter()
            .any(|order| order.as_ref().map_or_else(ParseError::is_error, |_| true))
    }

    /// Whether a line is orders and nothing else.
    pub(crate) fn reads_as_orders_alone(&mut self, line: &str) -> bool {
        let read = self.read_orders(line);
        !read.is_empty() && read.iter().all(Result::is_ok)
    }

    pub(crate) fn read_orders(&mut self, line: &str) -> Vec<Result<OrderWords, ParseError>> {
        if self.sender.acting.and_then(|acting| acting.power).is_none() {
            return Vec::new();
        }
        self.make_names();
        let Some((names, edit)) = self.reading.names.as_ref().zip(self.edit()) else {
            return Vec::new();
        };
        let grammar = grammar_of(edit.variant);
        let game = &edit.game;
        read_orders_by(grammar, line, Due::in_phase(&game.phase), names)
    }

    pub(crate) fn make_names(&mut self) {
        if self.reading.names.is_none() {
            let roster = self.roster();
            self.reading.names = self.game().map(|game| Names::shared(game.map(), &roster));
        }
    }

    /// The powers that the sender may address in the game in hand.
    pub(crate) fn roster(&self) -> Roster {
        let Some(edit) = self.edit() else {
            return Roster::default();
        };
        let game = &edit.game;
        let seated = self.sender.acting.and_then(|acting| {
            let seat = game.seat(acting.seat)?;
            Some(project::Reader::of(game, seat, acting.power))
        });
        let reader = seated.unwrap_or_else(|| project::Reader::stranger(game));
        VariantGame::new(game, edit.variant)
            .seen_by(reader.viewer)
            .roster()
    }

    /// A text to be passed on, without token addresses of the judge that the writer pasted into it.
    pub(crate) fn without_tokens(&self, text: &str) -> String {
        let Some((local, host)) = self.work.judge.settings.address.split_once('@') else {
            return text.to_owned();
        };
        let pattern = format!(
            r"(?i){local}\+(?:[a-z0-9]+@{host}|[a-z0-9]{{{length}}}\b)",
            local = regex::escape(local),
            host = regex::escape(host),
            length = tokens::LENGTH,
        );
        let plain = |found: &regex::Captures| match found.get(0) {
            Some(found) if found.as_str().contains('@') => self.work.judge.settings.address.clone(),
            // Written as `judge+TOKEN at host`.
            _ => local.to_owned(),
        };
        match regex::Regex::new(&pattern) {
            Ok(tokens) => tokens.replace_all(text, plain).into_owned(),
            Err(_) => text.to_owned(),
        }
    }

    /// Whether a text contains the password with which the sender has just signed on, or did last.
    pub(crate) fn holds_password(&self, text: &str) -> bool {
        // Shorter passwords would be found in ordinary words.
        self.sender.password.as_ref().is_some_and(|word| {
            word.len() >= 5
                && text
                    .to_lowercase()
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|part| part == word.to_lowercase())
        }) || self.holds_remembered_password(text)
    }

    /// Whether a text contains the password with which the sender signed on last, if the judge still remembers it.
    pub(crate) fn holds_remembered_password(&self, text: &str) -> bool {
        let Some((game, acting)) = self.game().zip(self.sender.acting) else {
            return false;
        };
        let Some(seat) = game.seat(acting.seat) else {
            return false;
        };
        let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        text.split_whitespace()
            .flat_map(|word| [word.to_owned(), bare(word)])
            .filter(|word| word.len() >= 5)
            .any(|word| self.work.judge.remembers(&game.name, seat, &word))
    }

    /// BECOME power: the rest of the mail acts as that power; its leader is told.
    pub(crate) fn become_power(&mut self, power: Power) {
        if let Some(mut work) = self.in_game() {
            work.give_labels_to(&[Viewer::Power(power)]);
        }
        let (Some(acting), Some(open)) = (self.sender.acting, &mut self.open) else {
            return;
        };
        let game = &open.edit.game;
        // The power's leader reads this too: `England (E)`, `Jedi Knights (JED)`.
        let labels = VariantGame::new(game, open.edit.variant)
            .seen_by(Viewer::Power(power))
            .labels();
        let name = match labels.introduced(power) {
            name if name.as_str() == labels.name(power) => {
                format!("{name} ({})", labels.letter(power))
            }
            name => name.to_string(),
        };
        let master = game
            .seat(acting.seat)
            .map(|seat| seat.address.clone())
            .unwrap_or_default();
        // If nobody leads the power, the reply goes to the master alone.
        let leader = game.holder(power).filter(|seat| !seat.left);
        let seat = leader.map_or(acting.seat, |seat| seat.id);
        self.reply.begin_for_power();
        self.sender.master = Some(acting);
        self.sender.flag_before = game.standing(power).flag;
        self.sender.acting = Some(Acting {
            seat,
            power: Some(power),
            ..acting
        });
        open.acts_as_power = true;
        self.say(format!("Master {master} assuming identity of {name}."));
    }

    /// Executes an action in the game that the sender has signed on to, and adds its outcome to the reply.
    pub(crate) fn act(
        &mut self,
        text: &str,
        act: impl FnOnce(&mut GameWork, Acting) -> ActOutcome,
    ) {
        let said = self.try_act(act);
        self.outcome(text, said);
    }

    /// Executes an action in the game that the sender has signed on to.
    pub(crate) fn try_act<T>(
        &mut self,
        act: impl FnOnce(&mut GameWork, Acting) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        match (self.sender.acting, self.in_game()) {
            (Some(acting), Some(mut work)) => act(&mut work, acting),
            _ => Err(not_signed_on()),
        }
    }

    // What proof a command needs ---------------------------------------------------------

    /// Checks the proof of identity that actions need which cannot be undone (`judge-workflow.md` 7).
    pub(crate) fn proven(&self) -> Result<(), Refusal> {
        let Some(acting) = self.sender.acting else {
            return Ok(());
        };
        if acting.by_token {
            return Ok(());
        }
        if self.sender.password_untried {
            return refuse(
                "This command is taken only with your password in the SIGNON line, or as an answer to a mail of the judge.",
            );
        }
        if !acting.from_home {
            return refuse(
                "This command is taken only from your address on file, or as an answer to a mail of the judge.",
            );
        }
        match self
            .mail
            .proven(self.work.judge.settings.authserv_id.as_deref())
        {
            Proof::NotConfigured | Proof::Pass => Ok(()),
            Proof::Fail | Proof::None => refuse(
                "I cannot be sure this mail is yours, so I did not do this. Send the same command as an answer to any \
                 mail from me; that proves it.",
            ),
        }
    }
}

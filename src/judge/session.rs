//! The lines of one mail done in their order, each answered, and the one reply that tells of all (`judge-workflow.md`
//! 2.0).

use super::branches::{self, Branches};
use super::errand::{ANSWERS, Errand, Recipient};
use super::order_lines::{self, Taken};
use super::registering::{self, Form};
use super::sign_on::{self, Acting, Door, Refused, Wanted};
use super::{ahead, forming_lines, info, joining, lines};
use crate::commands::command::Command;
use crate::commands::names::Names;
use crate::commands::orders::{grammar_of, read_orders_by};
use crate::commands::phase_name::PhaseName;
use crate::commands::sign_on::{Seat as SeatWords, SignOn};
use crate::game::{Game, Role, Seat, mail_token, project};
use crate::mails::inbound::{InboundMail, Proof};
use crate::mails::outbound::{self, Answer, Reply};
use crate::map::Power;
use crate::view::Viewer;

/// A mail in the course of being done.
pub(super) struct Session<'j, 'm> {
    /// What follows so far.
    pub errand: Errand<'j>,
    /// The mail.
    pub mail: &'m InboundMail,
    /// The sender's address, normalised.
    pub from: String,
    /// As whom the sender acts, once signed on.
    pub acting: Option<Acting>,
    /// The answers so far.
    pub reply: Reply,
    /// What came of order lines.
    pub taken: Taken,
    /// Lines are for this later phase; `Some(None)` for a phase that could not be read: they are dropped.
    pub ahead: Option<Option<PhaseName>>,
    /// Nothing further is read.
    pub stopped: bool,
    /// Whether anything in the mail called for an answer.
    pub answered: bool,
    /// That orders came too late for their phase was said.
    told_too_late: bool,
    /// A master acts as another: the reply goes to both.
    pub became: Option<Acting>,
    names: Option<Names>,
    branches: Branches,
    word: Option<String>,
    /// The sender is in the game, but the word he named is not his.
    word_untried: bool,
    /// Somebody took a place in a forming game.
    pub(super) joined: bool,
    /// The error flag stood when the sender signed on.
    pub(super) flag_before: bool,
}

impl<'j, 'm> Session<'j, 'm> {
    /// A session for one mail.
    pub(super) fn new(errand: Errand<'j>, mail: &'m InboundMail) -> Session<'j, 'm> {
        let mut reply = Reply::new(errand.judge.settings.name.clone(), mail.subject.clone());
        reply.notes = mail.notes.iter().map(ToString::to_string).collect();
        Session {
            from: mail.from.key(),
            errand,
            mail,
            acting: None,
            reply,
            taken: Taken::default(),
            ahead: None,
            stopped: false,
            answered: false,
            told_too_late: false,
            became: None,
            names: None,
            branches: Branches::default(),
            word: None,
            word_untried: false,
            joined: false,
            flag_before: false,
        }
    }

    /// The errand, for what follows the mail.
    pub(super) fn into_errand(self) -> Errand<'j> {
        self.errand
    }

    /// Does every line of the mail, which came in by this door.
    pub(super) fn read(&mut self, door: Door) {
        self.sign_on_by_token(door);
        lines::read(self);
    }

    // Answers ---------------------------------------------------------------------

    /// Says something to the sender.
    pub(super) fn say(&mut self, sentence: impl Into<String>) {
        self.answered = true;
        self.reply.answers.push(Answer::say(sentence));
    }

    /// Shows a text to the sender.
    pub(super) fn show(&mut self, text: impl Into<String>) {
        self.answered = true;
        self.reply.answers.push(Answer::show(text));
    }

    /// Quotes a line and says what was wrong with it.
    pub(super) fn fault(&mut self, line: &str, sentences: Vec<String>) {
        self.answered = true;
        #[cfg(feature = "planted-leaks")]
        let sentences = self.telling_who_waits(sentences);
        let prefix = self.prefix();
        self.reply.answers.push(Answer::about(
            format!("{prefix}{}", hide_password(line)),
            sentences,
        ));
    }

    /// A leak planted in refusals: how many wait.
    #[cfg(feature = "planted-leaks")]
    fn telling_who_waits(&self, mut sentences: Vec<String>) -> Vec<String> {
        let standings = self.errand.game().map(|game| game.standings.values());
        let waiting = standings.map_or(0, |all| all.filter(|one| one.wait).count());
        if let Some(last) = sentences.last_mut() {
            crate::planted::spill(crate::planted::Leak::Refusal, last, waiting);
        }
        sentences
    }

    fn prefix(&self) -> String {
        let letter = self.acting.and_then(|acting| {
            let game = self.errand.game()?;
            match (acting.power, game.seat(acting.seat)?.role) {
                (Some(power), _) => Some(game.power_letter(power)),
                (None, Role::Master) => Some("M".to_owned()),
                (None, Role::Observer) => Some("O".to_owned()),
                (None, Role::Player) => Some("?".to_owned()),
            }
        });
        letter
            .map(|letter| format!("{letter}: "))
            .unwrap_or_default()
    }

    /// Says what came of a command: its sentences, or the line quoted with why not.
    pub(super) fn outcome(&mut self, line: &str, said: Result<Vec<String>, Refused>) {
        match said {
            Ok(sentences) => {
                self.answered = true;
                for sentence in sentences {
                    // A block of several lines is shown as it is.
                    let answer = if sentence.contains('\n') || sentence.contains("   ") {
                        Answer::show(sentence)
                    } else {
                        Answer::say(sentence)
                    };
                    self.reply.answers.push(answer);
                }
            }
            Err(Refused(why)) => self.fault(line, why.split('\n').map(str::to_owned).collect()),
        }
    }

    /// What a list or summary shows, or why not.
    pub(super) fn shown(&mut self, line: &str, shown: Result<String, Refused>) {
        match shown {
            Ok(text) => self.show(text),
            Err(Refused(why)) => self.fault(line, vec![why]),
        }
    }

    // Signing on ---------------------------------------------------------------------

    /// A reply to `judge+TOKEN@…` is a sign-on for that game and power. Any SIGNON line must then agree.
    fn sign_on_by_token(&mut self, door: Door) {
        match door {
            Door::Front | Door::Relay(_) => {}
            Door::Address(name, seat, address) => {
                let Some(game) = self.errand.judge.game(&name) else {
                    return;
                };
                self.errand.open(game);
                let said = super::set::confirm_address(&mut self.errand, seat, &address);
                self.enter(Acting {
                    seat,
                    power: None,
                    from_home: true,
                    by_token: true,
                });
                self.outcome("", said);
                self.stopped = true;
            }
            Door::Seat(name, seat) => {
                let Some(game) = self.errand.judge.game(&name) else {
                    return;
                };
                self.errand.open(game);
                let power = game.led_by(seat).first().copied();
                self.enter(Acting {
                    seat,
                    power,
                    from_home: true,
                    by_token: true,
                });
            }
        }
    }

    /// SIGNON, JOIN, OBSERVE, CREATE: a failing one ends the reading.
    pub(super) fn sign_on(&mut self, line: &str, words: &SignOn) {
        let result = self.try_sign_on(words);
        self.entered(line, result);
    }

    /// OBSERVE.
    pub(super) fn observe(&mut self, line: &str, words: &SignOn) {
        let result = self.try_observe(words);
        self.entered(line, result);
    }

    /// CREATE.
    pub(super) fn create(&mut self, line: &str, words: &SignOn) {
        if self.acting.is_some() {
            return self.second_sign_on(line);
        }
        let name = words.seat.trim_start_matches('?').to_owned();
        let word = words.password.clone().unwrap_or_default();
        let result = joining::create(&mut self.errand, &self.from, &name, &word, &words.wishes);
        self.entered(line, result);
    }

    fn entered(&mut self, line: &str, result: Result<(Acting, Vec<String>), Refused>) {
        match result {
            Ok((acting, said)) => {
                self.enter(acting);
                self.outcome(line, Ok(said));
            }
            Err(refused) => {
                self.outcome(line, Err(refused));
                self.say("The request could not be completed; the lines behind it were not read.");
                self.stopped = true;
            }
        }
    }

    fn second_sign_on(&mut self, line: &str) {
        let agrees = self.acting.is_some_and(|acting| acting.by_token);
        let why = if agrees {
            "This mail answers a mail of another game or power than the SIGNON line names; send one of them alone."
        } else {
            "A mail has one sign-on; send the rest of this one, from here on, as a mail of its own."
        };
        self.fault(line, vec![why.to_owned()]);
        self.stopped = true;
    }

    fn try_sign_on(&mut self, words: &SignOn) -> Result<(Acting, Vec<String>), Refused> {
        let readings = words.readings();
        if readings
            .first()
            .is_some_and(|(seat, _)| *seat == SeatWords::Keeper)
        {
            return Err(Refused(
                "The keeper no longer signs on by mail; see the judge's command line.".to_owned(),
            ));
        }
        let named = readings.iter().find_map(|(seat, name)| match name {
            Some(name) => self
                .errand
                .judge
                .game(name)
                .map(|game| (seat.clone(), game)),
            None => None,
        });
        let any_place = readings
            .first()
            .is_some_and(|(seat, name)| *seat == SeatWords::Place && name.is_none());
        let (seat, game) = match named {
            Some(found) => found,
            None if any_place => (SeatWords::Place, self.first_forming()?),
            None => {
                let name = readings
                    .last()
                    .and_then(|(_, name)| name.clone())
                    .unwrap_or_else(|| words.seat.clone());
                return Err(Refused(format!(
                    "There is no game '{name}' on this judge.  Send LIST for the games there are, or CREATE ?{name} password to make it."
                )));
            }
        };
        let Some(word) = words.password.clone() else {
            return Err(Refused(
                "No password given: SIGNON needs one, such as SIGNON Fkaiser password.".to_owned(),
            ));
        };
        self.word = Some(word.clone());
        if let Some(acting) = self.acting {
            return self.agree(acting, game, &seat, &word);
        }
        self.errand.open(game);
        if seat == SeatWords::Place {
            self.check_word_of_one_inside(game, &word)?;
            let result = joining::join(&mut self.errand, &self.from, &word, &words.wishes)?;
            self.joined = true;
            return Ok(result);
        }
        let wanted = wanted(game, &seat).ok_or_else(sign_on::invalid)?;
        let vacant = match wanted {
            Wanted::Power(power) => game.begun() && game.standing(power).vacant(),
            _ => false,
        };
        let acting = sign_on::by_password(&mut self.errand, &self.from, wanted, &word)?;
        Ok((
            acting,
            if vacant {
                self.welcome(acting)
            } else {
                Vec::new()
            },
        ))
    }

    /// Who plays already comes in by his word like anybody, be it with a letter or with `?`. Before the start any word does
    /// to look at one's place, but not for what needs proof.
    fn check_word_of_one_inside(&mut self, game: &Game, word: &str) -> Result<(), Refused> {
        let known = self.errand.registry.by_address(&self.from);
        let Some(known) = known.map(|person| person.id) else {
            return Ok(());
        };
        let own = |seat: &&Seat| !seat.left && seat.person == known && seat.role == Role::Player;
        let Some(seat) = game.seats.iter().find(own) else {
            return Ok(());
        };
        if !game.begun() {
            self.word_untried = !self.errand.judge.word_fits(&game.name, seat, word);
            return Ok(());
        }
        let power = game.led_by(seat.id).first().copied();
        let wanted = power.map_or(Wanted::Whoever, Wanted::Power);
        sign_on::by_password(&mut self.errand, &self.from, wanted, word).map(|_| ())
    }

    /// What somebody is told who has just taken over a vacant power, or come back to it.
    fn welcome(&self, acting: Acting) -> Vec<String> {
        let Some((game, power)) = self.errand.game().zip(acting.power) else {
            return Vec::new();
        };
        let mut said = vec![format!(
            "You now lead {} in game '{}'.",
            game.power_name(power),
            game.name
        )];
        if game.standing(power).wait {
            said.push("WAIT is set for you, so that you have time until the deadline; SET NOWAIT lifts it.".to_owned());
        }
        // Whoever comes new must know what the power has submitted and others no longer say.
        if let Some(course) = &self.errand.course {
            let tables = course.variant.tables(&course.game, Viewer::Power(power));
            said.extend((!tables.is_empty()).then(|| outbound::tables_text(&tables)));
        }
        said
    }

    /// A SIGNON line below a reply token must mean the same seat.
    fn agree(
        &mut self,
        acting: Acting,
        game: &crate::game::Game,
        seat: &SeatWords,
        word: &str,
    ) -> Result<(Acting, Vec<String>), Refused> {
        let own = self.errand.game().is_some_and(|own| own.name == game.name);
        let other = Refused("This mail answers another game or power than its SIGNON line names, or holds a second sign-on.".to_owned());
        let Some(wanted) = wanted(game, seat).filter(|_| own && acting.by_token) else {
            return Err(other);
        };
        let again = sign_on::by_password(&mut self.errand, &self.from, wanted, word)?;
        if again.seat != acting.seat {
            return Err(other);
        }
        Ok((
            Acting {
                by_token: true,
                from_home: true,
                ..again
            },
            Vec::new(),
        ))
    }

    fn first_forming(&self) -> Result<&'j crate::game::Game, Refused> {
        let open = |game: &&crate::game::Game| {
            game.settings.list && game.state == crate::game::State::Forming
        };
        self.errand.judge.games().find(open).ok_or_else(|| {
            Refused("No public game is forming at the moment; CREATE makes one.".to_owned())
        })
    }

    fn try_observe(&mut self, words: &SignOn) -> Result<(Acting, Vec<String>), Refused> {
        if self.acting.is_some() {
            return Err(Refused("A mail has one sign-on.".to_owned()));
        }
        let found = words
            .games()
            .into_iter()
            .find_map(|name| self.errand.judge.game(&name));
        let Some(game) = found else {
            return Err(Refused(format!(
                "There is no game '{}' on this judge.",
                words.seat
            )));
        };
        self.errand.open(game);
        joining::observe(
            &mut self.errand,
            &self.from,
            words.password.as_deref().unwrap_or_default(),
        )
    }

    /// Somebody was let in: what follows is his.
    pub(super) fn enter(&mut self, acting: Acting) {
        self.acting = Some(acting);
        self.answered = true;
        self.errand.actor = Some(acting.seat);
        if let Some(power) = acting.power {
            self.flag_before = self
                .errand
                .game()
                .is_some_and(|game| game.standing(power).flag);
            sign_on::come_back(&mut self.errand, power);
        }
    }

    /// A second SIGNON: below a reply token the first one is welcome if it means the same seat.
    pub(super) fn second_sign_on_line(&mut self, line: &str, words: &SignOn) {
        if self.acting.is_some_and(|acting| acting.by_token) {
            return self.sign_on(line, words);
        }
        self.second_sign_on(line);
    }

    /// Whether the sender acts as a master.
    pub(super) fn is_master(&self) -> bool {
        let Some(acting) = self.acting else {
            return false;
        };
        self.errand
            .game()
            .and_then(|game| game.seat(acting.seat))
            .is_some_and(|seat| seat.role == Role::Master)
    }

    /// Where somebody is answered who has not signed on. Who is registered is answered at home alone: what the judge knows
    /// of him is for no Reply-To, which anybody can write below his name (`visibility.md` L31).
    pub(super) fn answer_to(&self) -> String {
        match self.errand.registry.by_address(&self.from) {
            Some(_) => self.from.clone(),
            None => self.mail.answer_to().key(),
        }
    }

    /// STATUS: how things of the variant stand; the orders stand in every reply.
    pub(super) fn status(&mut self) {
        let seen = self
            .acting
            .and_then(|acting| info::position(&self.errand, acting));
        if let Some(position) = seen {
            self.show(position);
        }
        self.say("Your orders and the phase stand below; SUMMARY sends the summary of the game.");
        self.show_tables();
    }

    /// Shows how things of the variant stand, as the sender may know it.
    fn show_tables(&mut self) {
        let Some(acting) = self.acting else { return };
        let Some(course) = self
            .errand
            .course
            .as_ref()
            .filter(|course| course.game.begun())
        else {
            return;
        };
        let to = Recipient {
            seat: acting.seat,
            power: acting.power.filter(|_| self.became.is_none()),
        };
        let viewer = match self.became {
            Some(_) => Viewer::Master,
            None => self
                .errand
                .reader(to)
                .map_or(Viewer::Observer, |reader| reader.viewer),
        };
        let tables = course.variant.tables(&course.game, viewer);
        if !tables.is_empty() {
            self.show(outbound::tables_text(&tables));
        }
    }

    /// Sends a page of the judge's documents, before the reply.
    pub(super) fn send_page(&mut self, name: &str, text: &str) {
        let page = outbound::page_mail(&self.errand.judge.settings.name, name, text);
        match self.acting {
            Some(acting) => self.errand.send(
                Recipient {
                    seat: acting.seat,
                    power: acting.power,
                },
                page,
                ANSWERS,
            ),
            None => {
                let to = self.answer_to();
                self.errand.send_to(&to, page, true);
            }
        }
    }

    /// Whether a line that begins like a command can be read as an order of the game.
    pub(super) fn reads_as_order(&mut self, line: &str) -> bool {
        if self.acting.and_then(|acting| acting.power).is_none() {
            return false;
        }
        self.make_names();
        let Some((names, course)) = self.names.as_ref().zip(self.errand.course.as_ref()) else {
            return false;
        };
        let grammar = grammar_of(course.variant);
        let game = &course.game;
        read_orders_by(grammar, line, order_lines::phase_kind(&game.phase), names)
            .iter()
            .any(Result::is_ok)
    }

    fn make_names(&mut self) {
        if self.names.is_none() {
            self.names = self
                .errand
                .game()
                .map(|game| Names::of(game.map(), &game.powers));
        }
    }

    /// A text that is passed on, without the judge's token addresses that were pasted into it.
    pub(super) fn without_tokens(&self, text: &str) -> String {
        let Some((local, host)) = self.errand.judge.settings.address.split_once('@') else {
            return text.to_owned();
        };
        let pattern = format!(
            r"(?i){}\+[a-z0-9]+@{}",
            regex::escape(local),
            regex::escape(host)
        );
        match regex::Regex::new(&pattern) {
            Ok(tokens) => tokens
                .replace_all(text, self.errand.judge.settings.address.as_str())
                .into_owned(),
            Err(_) => text.to_owned(),
        }
    }

    /// Whether a text holds the word that the sender has just signed on with.
    pub(super) fn holds_password(&self, text: &str) -> bool {
        // Short words would be found in any text.
        self.word.as_ref().is_some_and(|word| {
            word.len() >= 5
                && text
                    .to_lowercase()
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|part| part == word.to_lowercase())
        })
    }

    /// Whether a text holds the word by which the sender signed on last, where the judge still knows it.
    pub(super) fn holds_remembered_password(&self, text: &str) -> bool {
        let Some((game, acting)) = self.errand.game().zip(self.acting) else {
            return false;
        };
        let Some(seat) = game.seat(acting.seat) else {
            return false;
        };
        let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        text.split_whitespace()
            .flat_map(|word| [word.to_owned(), bare(word)])
            .filter(|word| word.len() >= 5)
            .any(|word| self.errand.judge.remembers(&game.name, seat, &word))
    }

    /// BECOME power: the rest of the mail acts as that power; its leader learns of it.
    pub(super) fn become_power(&mut self, power: Power) {
        let Some(acting) = self.acting else { return };
        let Some(game) = self.errand.game() else {
            return;
        };
        let (name, letter) = (game.power_name(power).to_owned(), game.power_letter(power));
        let master = game
            .seat(acting.seat)
            .map(|seat| seat.address.clone())
            .unwrap_or_default();
        // Where nobody leads the power the reply is the master's alone.
        let leader = game.holder(power).filter(|seat| !seat.left);
        let seat = leader.map_or(acting.seat, |seat| seat.id);
        self.became = Some(acting);
        self.flag_before = game.standing(power).flag;
        self.acting = Some(Acting {
            seat,
            power: Some(power),
            ..acting
        });
        self.errand.acts_as_power = true;
        self.say(format!(
            "Master {master} assuming identity of {name} ({letter})."
        ));
    }

    // Orders ---------------------------------------------------------------------

    /// A line that is no command: orders, for now or for the phase that was named.
    pub(super) fn order_line(&mut self, line: &str) {
        self.answered = true;
        if let Some(answers) = self
            .acting
            .and_then(|acting| forming_lines::take(&mut self.errand, acting, line))
        {
            for answer in answers {
                match answer {
                    Ok(said) => said.into_iter().for_each(|sentence| self.say(sentence)),
                    Err(sentences) => self.fault(line, sentences),
                }
            }
            return;
        }
        let Some(power) = self.acting.and_then(|acting| acting.power) else {
            let master = self.acting.is_some_and(|acting| {
                self.errand
                    .game()
                    .and_then(|game| game.seat(acting.seat))
                    .is_some_and(|s| s.role == Role::Master)
            });
            let why = if master {
                "This line is no command of a Master.  BECOME and a power lets you give its orders."
            } else {
                "This line is no command, and there is no power here that you could give orders to."
            };
            return self.fault(line, vec![why.to_owned()]);
        };
        match self.ahead {
            Some(Some(phase)) => return ahead::store(&mut self.errand, power, phase, line),
            Some(None) => return,
            None => {}
        }
        if let Some(why) = self.too_late() {
            // Once is enough for a whole mail.
            if !self.told_too_late {
                self.told_too_late = true;
                self.fault(line, vec![why]);
            }
            return;
        }
        self.make_names();
        let Some(names) = &self.names else { return };
        if !self.branches.open() {
            return;
        }
        order_lines::take(&mut self.errand, power, line, names, &mut self.taken);
        self.reply.answers.append(&mut self.taken.answers);
    }

    /// IF, ELSE IF, ELSE, ENDIF: kept with the orders of a later phase, else tried on what the sender sees.
    pub(super) fn condition_line(&mut self, line: &str, command: &Command) {
        let Some(power) = self.acting.and_then(|acting| acting.power) else {
            return self.fault(line, vec!["Only players have orders.".to_owned()]);
        };
        match self.ahead {
            Some(Some(phase)) => return ahead::store(&mut self.errand, power, phase, line),
            Some(None) => return,
            None => {}
        }
        self.make_names();
        let Some((names, course)) = self.names.as_ref().zip(self.errand.course.as_ref()) else {
            return;
        };
        let sight = project::sight(&course.game, course.variant, power);
        match branches::step(&mut self.branches, command, names, &sight) {
            Ok(None) => {}
            Ok(Some(then)) => self.order_line(&then),
            Err(why) => {
                self.taken.errors += 1;
                self.fault(line, vec![why]);
            }
        }
    }

    /// Orders in an answer to a mail of a phase that is over do not act on the new one (`judge-workflow.md` 7).
    fn too_late(&self) -> Option<String> {
        let game = self.errand.game().filter(|game| game.begun())?;
        let named = phase_in_subject(&self.mail.subject, &game.name)?;
        let now = ahead::phase_now(game)?;
        // A report names the phase that it is of: an answer to the newest one is for the phase in hand.
        let reported = game
            .last
            .as_ref()
            .map(|last| mail_token(last.turn, &last.phase));
        let newest =
            self.mail.subject.trim_end().ends_with(" Results") && reported == Some(named.in_mail());
        (named < now && !newest).then(|| {
            format!(
                "Your mail's subject names {}, but '{}' is in {} now, so its orders were not applied.  Send them with another subject to give them for {}.",
                named.in_mail(),
                game.name,
                now.in_mail(),
                now.in_mail()
            )
        })
    }

    /// Registers the sender by a form.
    pub(super) fn register(&mut self, form: &Form) {
        let said = registering::register(&mut self.errand, &self.mail.from, form);
        self.outcome("REGISTER", said);
    }

    // What proof a command needs ---------------------------------------------------------

    /// Whether the sender is proven to be at home: for what cannot be taken back (`judge-workflow.md` 7).
    pub(super) fn proven(&self) -> Result<(), Refused> {
        let Some(acting) = self.acting else {
            return Ok(());
        };
        if acting.by_token {
            return Ok(());
        }
        if self.word_untried {
            return Err(Refused(
                "This command is taken only with your password in the SIGNON line, or as an answer to a mail of the judge.".to_owned(),
            ));
        }
        if !acting.from_home {
            return Err(Refused("This command is taken only from your address on file, or as an answer to a mail of the judge.".to_owned()));
        }
        match self.mail.proven(self.errand.judge.settings.authserv_id.as_deref()) {
            Proof::NotConfigured | Proof::Pass => Ok(()),
            Proof::Fail | Proof::None => Err(Refused(
                "Nothing proves that this mail came from your address, so this command was not done.  Answer a mail of the judge instead: its reply address proves you.".to_owned(),
            )),
        }
    }
}

fn wanted(game: &crate::game::Game, seat: &SeatWords) -> Option<Wanted> {
    let by = |test: &dyn Fn(&crate::map::PowerInfo) -> bool| {
        game.all_powers()
            .find(|power| game.power(*power).is_some_and(test))
            .map(Wanted::Power)
    };
    match seat {
        SeatWords::Letter(letter) => by(&|info| info.letter == Some(*letter)),
        SeatWords::Named(name) => by(&|info| {
            [&info.name, &info.key, &info.adjective]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        }),
        SeatWords::Master => Some(Wanted::Master),
        SeatWords::Observer => Some(Wanted::Observer),
        SeatWords::Undecided => Some(Wanted::Whoever),
        SeatWords::Place | SeatWords::Keeper => None,
    }
}

/// The phase in a subject that a mail program made of one of ours: `Re: USXX:kaiser - S1901M Results`.
fn phase_in_subject(subject: &str, game: &str) -> Option<PhaseName> {
    let (before, after) = subject.split_once(" - ")?;
    let ours = before
        .rsplit_once(':')
        .is_some_and(|(_, name)| name.trim().eq_ignore_ascii_case(game));
    let token = after
        .split_whitespace()
        .next()?
        .trim_end_matches(['P', 'X']);
    if ours { token.parse().ok() } else { None }
}

/// A line as it may be quoted: a password behind SIGNON, CREATE, OBSERVE or SET PASSWORD is not.
fn hide_password(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let word = |n: usize| {
        words
            .get(n)
            .map(|word| word.to_lowercase())
            .unwrap_or_default()
    };
    let first = word(0);
    let hidden = match (first.as_str(), word(1).as_str()) {
        ("sign", "on") => Some(3),
        (
            "signon" | "join" | "takeover" | "hello" | "login" | "create" | "observe" | "watch"
            | "monitor" | "resign",
            _,
        ) => Some(2),
        ("set", "password" | "pw" | "p") => Some(2),
        _ => None,
    };
    match hidden {
        Some(n) => {
            let shown = |(index, word): (usize, &&str)| {
                if index == n {
                    "****".to_owned()
                } else {
                    (*word).to_owned()
                }
            };
            words
                .iter()
                .enumerate()
                .map(shown)
                .collect::<Vec<_>>()
                .join(" ")
        }
        None => line.trim().to_owned(),
    }
}

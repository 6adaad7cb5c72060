//! How the sender of a mail enters a game: by a reply address or a sign-on line, as a player or as an observer.

use crate::acts::settings;
use crate::boundary::PassedPassword;
use crate::people::choosing;
use crate::people::creating;
use crate::people::guessing;
use crate::people::joining;
use crate::people::offering;
use crate::people::sign_on::{self, ArrivedBy, SignOnRole};
use crate::people::unlisted;
use crate::session::Session;
use crate::session::joining_lines::joining_lines;
use crate::tokens;
use crate::work::acting::{Acting, Entered, Refusal, invalid, refuse};
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, Work};
use dipjudge_commands::power_list::read_power;
use dipjudge_commands::sign_on::{Seat as SeatWords, SignOn};
use dipjudge_game::{Game, Role, Seat, State, Variant, VariantGame, project};
use dipjudge_mails::inbound::Proof;
use dipjudge_mails::outbound;
use dipjudge_mails::outbound::Document;
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

impl<'j> Session<'j, '_> {
    /// Signs on the sender of a mail to a reply address (`judge+TOKEN@…`) for that game and power. A SIGNON line in the
    /// same mail must name the same seat.
    pub(crate) fn sign_on_by_token(&mut self, arrived_by: ArrivedBy) {
        match arrived_by {
            ArrivedBy::PlainAddress
            | ArrivedBy::Relay(_)
            | ArrivedBy::Ended(..)
            | ArrivedBy::Linking(..) => {}
            ArrivedBy::Stopped(name) => {
                let judge = self.work.judge;
                let sentence = judge
                    .stopped_game(&name)
                    .map(|stopped| stopped.sentence(&judge.settings.keeper));
                self.outcome("", Ok(sentence.map(Document::from).unwrap_or_default()));
                self.reading.stopped = true;
            }
            ArrivedBy::Address(name, seat, address) => {
                let Some(game) = self.work.judge.game(&name) else {
                    return;
                };
                let from = self.sender.address.clone();
                let mut work = self.take_up(game);
                let said = settings::confirm_address(&mut work, seat, &address);
                let from_home = work.lives_at(seat, &from);
                self.enter(Acting {
                    seat,
                    power: None,
                    from_home,
                    by_token: true,
                });
                self.outcome("", said);
                self.reading.stopped = true;
            }
            ArrivedBy::Offer(name, offer) => {
                let Some(game) = self.work.judge.game(&name) else {
                    return;
                };
                let consent = self.consent().map(|answer| answer.consent);
                let mut work = self.take_up(game);
                let said = offering::answered(&mut work, &offer.id, consent);
                // As long as the offer stands, the answer about it is answered like the offer itself.
                let reply_to = offering::reply_address(&work, &offer.id);
                self.reply.answered_at = reply_to;
                self.outcome("", said);
                self.reading.stopped = true;
            }
            ArrivedBy::Seat(name, seat) => {
                let Some(game) = self.work.judge.game(&name) else {
                    return;
                };
                let from = self.sender.address.clone();
                let from_home = self.take_up(game).lives_at(seat, &from);
                self.enter(Acting {
                    seat,
                    power: game.led_by(seat).first().copied(),
                    from_home,
                    by_token: true,
                });
            }
        }
    }

    /// SIGNON, JOIN, OBSERVE, CREATE: if one fails, the rest of the mail is not read.
    pub(crate) fn sign_on(&mut self, line: &str, words: &SignOn) {
        let result = self.try_sign_on(words);
        self.reading.signed_on_by_line |= result.is_ok();
        let refused = result.is_err();
        self.entered(line, result);
        if refused && let Some(lines) = self.lines_that_join(words) {
            self.propose_all(lines);
        }
    }

    /// The words of a sign-on as they were probably meant, where they name no game as they stand: with a power apart from its
    /// game, or with a misspelt name of a game in which the sender has a place.
    pub(crate) fn meant_words(&mut self, words: SignOn, rule: &str) -> SignOn {
        let known = |words: &SignOn| self.named_by(words).is_some();
        if !known(&words) {
            let apart = words.with_power_apart();
            if let Some(meant) = apart.into_iter().find(|words| known(words)) {
                return meant;
            }
        }
        if let Some(game) = self.named_by(&words) {
            // JOIN says that he wants to come in.
            let undecided = matches!(words.readings().last(), Some((SeatWords::Undecided, Some(name))) if *name == game.name);
            let comes_in = rule == "join" && game.state == State::Forming && undecided;
            if comes_in && !unlisted::sits(&self.work, game, &self.sender.address) {
                return SignOn {
                    seat: format!("?{}", game.name),
                    ..words
                };
            }
            return words;
        }
        let from = &self.sender.address;
        let readings = words.readings();
        for (seat, name) in readings {
            let name: Vec<String> = name.into_iter().collect();
            let meant = unlisted::meant(&self.work, from, &name);
            let meant = meant.and_then(|name| self.work.judge.game(name));
            let Some(game) = meant.filter(|game| unlisted::sits(&self.work, game, from)) else {
                continue;
            };
            let power = match seat {
                SeatWords::Letter(letter) => format!("{letter}@"),
                SeatWords::Named(name) => format!("{name}@"),
                SeatWords::Master => "M@".to_owned(),
                SeatWords::Observer => "O@".to_owned(),
                SeatWords::Undecided => String::new(),
                SeatWords::Place | SeatWords::Keeper => continue,
            };
            let written = name.first().map_or("", String::as_str);
            self.say(format!(
                "There is no game '{written}' on this judge, so this was read as '{}'.",
                game.name
            ));
            return SignOn {
                seat: format!("{power}{}", game.name),
                ..words
            };
        }
        words
    }

    /// The game that the words of a sign-on name, if the sender may learn that there is this game.
    pub(crate) fn named_by(&self, words: &SignOn) -> Option<&'j Game> {
        let names = words.readings().into_iter().filter_map(|(_, name)| name);
        let mut games = names.filter_map(|name| self.work.judge.game(&name));
        games.find(|game| unlisted::answers(&self.work, game, &self.sender.address))
    }

    /// The lines by which the sender joins the forming game that a refused sign-on was probably about.
    fn lines_that_join(&self, words: &SignOn) -> Option<Vec<String>> {
        let from = &self.sender.address;
        let names: Vec<String> = words
            .readings()
            .into_iter()
            .filter_map(|(_, name)| name)
            .collect();
        let near = || {
            let name = unlisted::meant(&self.work, from, &names)?;
            self.work.judge.game(name)
        };
        let game = self.named_by(words).or_else(near)?;
        let may_join = game.state == State::Forming && !unlisted::sits(&self.work, game, from);
        may_join.then(|| joining_lines(self, game))
    }

    /// Handles the words after the password of a successful sign-on as an order line. A player who joins gives
    /// preferences there.
    pub(crate) fn orders_behind(&mut self, line: &str, words: &SignOn) {
        let orders = words.order_line();
        let joins =
            self.sender.joined || matches!(words.readings().first(), Some((SeatWords::Place, _)));
        if orders.is_empty() || joins || self.reading.stopped || self.sender.acting.is_none() {
            return;
        }
        self.reading.has_more = true;
        if self.is_meant_as_order(orders) {
            self.reading.secrets.only_spoken();
            self.order_line(orders);
        } else {
            let why =
                "I could not read the words after your password as an order, so I ignored them.";
            self.fault(line, why);
        }
    }

    /// PLAY: joins a forming game by a drawn password that nobody knows. Its player answers the judge's mails.
    pub(crate) fn play(&mut self, line: &str, words: &SignOn) {
        let result = self.try_play(words);
        self.reading.signed_on_by_line |= result.is_ok();
        let refused = result.is_err();
        self.entered(line, result);
        if refused && let Some(lines) = self.lines_that_join(words) {
            self.propose_all(lines);
        }
    }

    fn try_play(&mut self, words: &SignOn) -> Result<Entered, Refusal> {
        if self.sender.acting.is_some() {
            return refuse("A mail has one sign-on.");
        }
        let from = self.sender.address.clone();
        let names = words.games();
        let found = names.iter().find_map(|name| self.work.judge.game(name));
        let Some(game) = found.filter(|game| unlisted::answers(&self.work, game, &from)) else {
            let name = names.first().unwrap_or(&words.seat);
            return Err(unlisted::no_game_to_play(&self.work, &from, name, &names));
        };
        if plays(&self.work, game, &from) {
            return refuse(format!(
                "You are in game '{}' already.  Answer any of its mails, and the judge knows you.",
                game.name
            ));
        }
        let mut readings = words.readings().into_iter();
        let chosen = readings.find_map(|(seat, name)| {
            let of_game = name.is_some_and(|name| name == game.name);
            let wanted = wanted(game, variants::of(&game.variant), &seat);
            match wanted.filter(|_| of_game)? {
                SignOnRole::Power(power) if choosing::is_choice(game, power) => Some(seat),
                _ => None,
            }
        });
        let words = SignOn {
            seat: format!("?{}", game.name),
            ..words.clone()
        };
        let drawn = tokens::base32(&self.work.ids.id());
        let seat = chosen.unwrap_or(SeatWords::Place);
        let mut entered = self.let_in(&words, seat, game, drawn)?;
        entered.said.push(
            "You need no password: answer any mail of this game, and the judge knows you.  SET PASSWORD word, in such an answer, sets one.",
        );
        Ok(entered)
    }

    pub(crate) fn observe(&mut self, line: &str, words: &SignOn) {
        let word = words.password.clone().unwrap_or_default();
        let result = self.try_observe(words, &word);
        self.entered(line, result);
    }

    /// Lets somebody watch a game without a password of his own: he answers its mails.
    pub(crate) fn spectate(&mut self, line: &str, words: &SignOn) {
        let drawn = tokens::base32(&self.work.ids.id());
        let result = self.try_observe(words, &drawn);
        self.entered(line, result);
    }

    pub(crate) fn create(&mut self, line: &str, words: &SignOn) {
        if self.sender.acting.is_some() {
            return self.second_sign_on(line);
        }
        let name = words.seat.trim_start_matches('?').to_owned();
        let word = words.password.clone().unwrap_or_default();
        self.reading.secrets.add(&word);
        let result = self.try_create(&name, &word, &words.wishes());
        self.entered(line, result);
    }

    fn try_create(
        &mut self,
        name: &str,
        word: &str,
        wishes: &[String],
    ) -> Result<Entered, Refusal> {
        let new = creating::new_game(&mut self.work, &self.sender.address, name, word, wishes)?;
        let open = self.open.insert(new.open(self.work.now)?);
        let mut work = GameWork::new(&mut self.work, open);
        creating::create(&mut work, &self.sender.address, word, &new)
    }

    fn entered(&mut self, line: &str, result: Result<Entered, Refusal>) {
        match result {
            Ok(Entered { acting, said }) => {
                self.enter(acting);
                self.outcome(line, Ok(said));
            }
            Err(refused) => {
                self.outcome(line, Err(refused));
                self.say("I stopped here; the rest of your mail was not read.");
                self.reading.stopped = true;
            }
        }
    }

    fn second_sign_on(&mut self, line: &str) {
        let agrees = self.sender.acting.is_some_and(|acting| acting.by_token);
        let why = if agrees {
            "You answered a mail of one game but signed on to another. I did nothing. Start a new mail, or leave the \
             SIGNON line out."
        } else {
            "One SIGNON per mail. Everything up to here was done; send the rest as a separate mail."
        };
        self.fault(line, why);
        self.reading.stopped = true;
    }

    fn try_sign_on(&mut self, words: &SignOn) -> Result<Entered, Refusal> {
        let readings = words.readings();
        if readings
            .first()
            .is_some_and(|(seat, _)| *seat == SeatWords::Keeper)
        {
            return refuse("The keeper no longer signs on by mail; see the judge's command line.");
        }
        // A single word may be the password, so it is looked up as a game's name but never quoted.
        let Some(word) = words.password.clone() else {
            if let Some(acting) = self.seat_of_answer(&readings) {
                return Ok(Entered::new(acting, Document::default()));
            }
            return refuse(
                "Your SIGNON line has no password: SIGNON Fkaiser password. If you have lost it, send GET PASSWORD, or just \
                 answer a mail of the game: that needs none.",
            );
        };
        self.reading.secrets.add(&word);
        let named = readings.iter().find_map(|(seat, name)| match name {
            Some(name) => self.work.judge.game(name).map(|game| (seat.clone(), game)),
            None => None,
        });
        let any_place = readings
            .first()
            .is_some_and(|(seat, name)| *seat == SeatWords::Place && name.is_none());
        let (seat, game) = match named {
            Some(found) => found,
            None if any_place => (SeatWords::Place, self.first_forming()?),
            None => return Err(self.no_game(words)),
        };
        let from_outside = self.sender.acting.is_none();
        let result = self.let_in(words, seat, game, word);
        if result.is_ok() || unlisted::answers(&self.work, game, &self.sender.address) {
            return result;
        }
        // Whatever the reason, the answer is the same as for a name that no game has.
        if from_outside {
            self.open = None;
            self.reply.room.as_nobodys = true;
        }
        self.sender.password = None;
        Err(self.no_game(words))
    }

    /// The seat whose mail is answered, where a sign-on without a password names it or its game: the token proves it, and
    /// whoever has no password confirms his orders so.
    fn seat_of_answer(&self, readings: &[(SeatWords, Option<String>)]) -> Option<Acting> {
        let acting = self.sender.acting.filter(|acting| acting.by_token)?;
        let game = self.game()?;
        let (seat, _) = readings
            .iter()
            .find(|(_, name)| name.as_deref() == Some(game.name.as_str()))?;
        let own = game.seat(acting.seat)?;
        let wanted = wanted(game, variants::of(&game.variant), seat)?;
        let power = match wanted {
            SignOnRole::Power(power) if game.begun() && game.standing(power).vacant() => {
                return None;
            }
            SignOnRole::Power(power) => Some(power),
            _ => acting.power,
        };
        means_own(game, own, wanted).then_some(Acting { power, ..acting })
    }

    /// The refusal of a sign-on whose name no game has.
    fn no_game(&self, words: &SignOn) -> Refusal {
        let readings = words.readings().into_iter();
        let names: Vec<String> = readings.filter_map(|(_, name)| name).collect();
        let name = names.last().unwrap_or(&words.seat);
        unlisted::no_game_to_play(&self.work, &self.sender.address, name, &names)
    }

    /// Lets the sender into an existing game, if he may enter it.
    fn let_in(
        &mut self,
        words: &SignOn,
        seat: SeatWords,
        game: &'j Game,
        word: String,
    ) -> Result<Entered, Refusal> {
        self.sender.password = Some(word.clone());
        let named = wanted(game, variants::of(&game.variant), &seat);
        let choice = match named {
            Some(SignOnRole::Power(power)) if choosing::is_choice(game, power) => Some(power),
            _ => None,
        };
        if let (Some(power), Some(acting)) = (choice, self.sender.acting.filter(|own| own.by_token))
        {
            return self.choose_by_token(acting, game, power);
        }
        if let Some(acting) = self.sender.acting {
            return self.agree(acting, game, &seat, &word);
        }
        let may_take_over = self.may_take_over(game);
        let from = self.sender.address.clone();
        let mut work = self.take_up(game);
        if seat == SeatWords::Place {
            let untried = check_word_of_one_inside(&mut work, game, &from, &word)?;
            let joined = joining::join(&mut work, &from, &word, &words.wishes(), may_take_over);
            let Entered { acting, mut said } = joined?;
            self.sender.password_untried = untried;
            self.sender.joined = true;
            // There is nothing to say if the sender has taken over a vacant power.
            if said == Document::default() {
                said = self.welcome(acting);
            }
            return Ok(Entered { acting, said });
        }
        if let Some(power) = choice {
            let chosen = choosing::choose(&mut work, &from, &word, &words.wishes(), power)?;
            self.sender.joined = true;
            return Ok(chosen);
        }
        let wanted = named.ok_or_else(invalid)?;
        let vacant = match wanted {
            SignOnRole::Power(power) => game.begun() && game.standing(power).vacant(),
            _ => false,
        };
        if let (true, SignOnRole::Power(power), Err(why)) = (vacant, wanted, may_take_over) {
            // The same as for a wrong password for a power that has a leader.
            return Err(if work.hides() {
                guessing::refused_at(&mut work, power)
            } else {
                why
            });
        }
        let acting = sign_on::by_password(&mut work, &from, wanted, &word)?;
        let said = if vacant {
            self.welcome(acting)
        } else {
            Document::default()
        };
        Ok(Entered { acting, said })
    }

    /// Handles an answer to a mail of a forming game that names a power: the sender's seat has that power from now on.
    fn choose_by_token(
        &mut self,
        acting: Acting,
        game: &Game,
        power: Power,
    ) -> Result<Entered, Refusal> {
        let in_hand = self.in_game().filter(|own| own.game().name == game.name);
        let Some(mut work) = in_hand else {
            return refuse("This mail answers a mail of another game than its SIGNON line names.");
        };
        let said = choosing::take(&mut work, acting.seat, power)?;
        Ok(Entered { acting, said })
    }

    /// A power without a leader is given to a sender with any password, so the sender's address is the only proof of
    /// identity. If the keeper has configured a host that vouches for senders, that host must vouch for the address.
    fn may_take_over(&self, game: &Game) -> Result<(), Refusal> {
        let hides = || VariantGame::new(game, variants::of(&game.variant)).hides_board();
        let host = self.work.judge.settings.authserv_id.as_deref();
        match self.mail.proven(host) {
            Proof::NotConfigured | Proof::Pass => Ok(()),
            // Not everybody may know which powers have no leader.
            Proof::Fail | Proof::None if hides() => Err(invalid()),
            Proof::Fail | Proof::None => refuse(
                "I cannot tell that this mail really came from you, so you cannot take over a power with it. Ask the \
                 master to let you in.",
            ),
        }
    }

    /// The text for a player who has just taken over a vacant power or returned to it.
    fn welcome(&self, acting: Acting) -> Document {
        let Some((edit, power)) = self.edit().zip(acting.power) else {
            return Document::default();
        };
        let game = &edit.game;
        let mut said = Document::from(format!(
            "You now play {} in '{}'.",
            VariantGame::new(game, edit.variant)
                .seen_by(Viewer::Power(power))
                .labels()
                .introduced(power),
            game.name
        ));
        if game.standing(power).wait {
            said.push("I set WAIT for you, so you have until the deadline. SET NOWAIT when you are ready.");
        }
        // A new leader needs to know what the power has submitted and others no longer say.
        let tables = VariantGame::new(game, edit.variant)
            .read_by(&project::Reader::later_leader(game, power))
            .tables();
        if !tables.is_empty() {
            let templates = self.work.judge.templates_of(edit.variant);
            let text = outbound::sections(&templates, &tables).or_logged();
            said.append(text.unwrap_or_default());
        }
        said
    }

    /// Checks that a SIGNON line in a mail to a reply address means the same seat.
    fn agree(
        &mut self,
        acting: Acting,
        game: &Game,
        seat: &SeatWords,
        word: &str,
    ) -> Result<Entered, Refusal> {
        let from = self.sender.address.clone();
        let in_hand = self.in_game().filter(|own| own.game().name == game.name);
        let own = in_hand.and_then(|work| work.game().seat(acting.seat).cloned().zip(Some(work)));
        let other = Refusal::from(
            "This mail answers another game or power than its SIGNON line names, or holds a second sign-on.",
        );
        let named = if acting.by_token {
            wanted(game, variants::of(&game.variant), seat)
        } else {
            None
        };
        let (Some(wanted), Some((own, mut work))) = (named, own) else {
            return Err(other);
        };
        let vacant = match wanted {
            SignOnRole::Power(power) => game.begun() && game.standing(power).vacant(),
            _ => false,
        };
        if vacant {
            let again = sign_on::by_password(&mut work, &from, wanted, word)?;
            if again.seat != acting.seat {
                return Err(other);
            }
            let again = Acting {
                by_token: true,
                ..again
            };
            return Ok(Entered::new(again, Document::default()));
        }
        let power = match wanted {
            SignOnRole::Power(power) => Some(power),
            _ => acting.power,
        };
        // Another seat's password is never tried here. The token proves more than the password, so nothing is counted,
        // and where passwords are closed none is needed.
        if !means_own(game, &own, wanted) {
            return Err(invalid());
        }
        let judge = work.judge;
        if guessing::may_try(&work, &own) {
            if !judge.word_fits(&game.name, &own, word) {
                return Err(invalid());
            }
            work.ruling.passed.push(PassedPassword {
                game: game.name.clone(),
                seat: own.id,
                keyed: judge.keyed(word),
            });
        }
        let acting = Acting { power, ..acting };
        Ok(Entered::new(acting, Document::default()))
    }

    fn first_forming(&self) -> Result<&'j Game, Refusal> {
        self.work.judge.games.first_forming().ok_or_else(|| {
            Refusal::from(
                "No public game needs players right now. You can start one: CREATE ?name password.",
            )
        })
    }

    fn try_observe(&mut self, words: &SignOn, word: &str) -> Result<Entered, Refusal> {
        if self.sender.acting.is_some() {
            return refuse("A mail has one sign-on.");
        }
        let found = words
            .games()
            .into_iter()
            .find_map(|name| self.work.judge.game(&name));
        let found =
            found.filter(|game| unlisted::answers_watchers(&self.work, game, &self.sender.address));
        let Some(game) = found else {
            return Err(unlisted::no_game_to_watch(
                &self.work,
                &self.sender.address,
                &words.seat,
                &words.games(),
            ));
        };
        let from = self.sender.address.clone();
        joining::observe(&mut self.take_up(game), &from, word)
    }

    /// Records that the sender has entered: the following lines act for him.
    pub(crate) fn enter(&mut self, acting: Acting) {
        self.sender.acting = Some(acting);
        self.reply.wanted = true;
        let Some(mut work) = self.in_game() else {
            return;
        };
        work.open.actor = Some(acting.seat);
        work.give_labels(&[acting.recipient()]);
        if let Some(power) = acting.power {
            let flag = work.game().standing(power).flag;
            sign_on::come_back(&mut work, acting.seat, power);
            self.sender.flag_before = flag;
        }
    }

    /// A second SIGNON line. In a mail to a reply address the first SIGNON line is accepted if it means the same seat.
    pub(crate) fn second_sign_on_line(&mut self, line: &str, words: &SignOn) {
        if self.sender.acting.is_some_and(|acting| acting.by_token) {
            self.sign_on(line, words);
            return self.orders_behind(line, words);
        }
        self.second_sign_on(line);
    }
}

/// A player of a running game signs on with the password, by the power's letter or by `?`. Before the start any
/// password is enough to see one's own seat, but not for commands that need proof. Returns whether the password must
/// still be checked for those.
fn check_word_of_one_inside(
    work: &mut GameWork,
    game: &Game,
    from: &str,
    word: &str,
) -> Result<bool, Refusal> {
    let known = work.registry.by_address(from);
    let Some(known) = known.map(|person| person.id) else {
        return Ok(false);
    };
    let own = |seat: &&Seat| !seat.left && seat.person == known && seat.role == Role::Player;
    let Some(seat) = game.seats.iter().find(own) else {
        return Ok(false);
    };
    if !game.begun() {
        return Ok(!sign_on::is_word_of(work, seat, word));
    }
    let power = game.led_by(seat.id).first().copied();
    let wanted = power.map_or(SignOnRole::Whoever, SignOnRole::Power);
    sign_on::by_password(work, from, wanted, word).map(|_| false)
}

/// Whether a sender has a player's seat in a game.
fn plays(work: &Work, game: &Game, from: &str) -> bool {
    let person = work.registry.by_address(from).map(|person| person.id);
    let mut players = game.seated(Role::Player);
    players.any(|seat| Some(seat.person) == person)
}

/// Whether a seat is the one that a sign-on names.
fn means_own(game: &Game, own: &Seat, wanted: SignOnRole) -> bool {
    match wanted {
        SignOnRole::Power(power) => game.led_by(own.id).contains(&power),
        SignOnRole::Master => own.role == Role::Master,
        SignOnRole::Observer => own.role == Role::Observer,
        SignOnRole::Whoever => true,
    }
}

/// The role that a SIGNON line asks for, named in an outsider's terms. In games where each reader has labels of his
/// own, a power's name means nothing to an outsider and selects nobody; the password and the address decide.
fn wanted(game: &Game, variant: &dyn Variant, seat: &SeatWords) -> Option<SignOnRole> {
    let roster = VariantGame::new(game, variant)
        .seen_by(Viewer::Stranger)
        .roster();
    let power = |word: &str| read_power(word, &roster).ok().map(SignOnRole::Power);
    match seat {
        SeatWords::Letter(letter) => power(&letter.to_string()),
        SeatWords::Named(name) => power(name),
        SeatWords::Master => Some(SignOnRole::Master),
        SeatWords::Observer => Some(SignOnRole::Observer),
        SeatWords::Undecided => Some(SignOnRole::Whoever),
        SeatWords::Place | SeatWords::Keeper => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_game::labels::testing::{FRANCE, OwnNames, begun};

    #[test]
    fn a_sign_on_names_no_power_where_each_reader_has_labels_of_his_own() {
        let game = begun(&[(FRANCE, "par")]);
        let standard = variants::of("standard");
        let named = |name: &str| SeatWords::Named(name.to_owned());
        for name in ["Babel", "Babel II", "France", "Nobody"] {
            assert_eq!(wanted(&game, &OwnNames, &named(name)), None, "{name}");
        }
        let undecided = wanted(&game, &OwnNames, &SeatWords::Undecided);
        assert_eq!(undecided, Some(SignOnRole::Whoever));
        let france = wanted(&game, standard, &named("France"));
        assert_eq!(france, Some(SignOnRole::Power(FRANCE)));
    }
}

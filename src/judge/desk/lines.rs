//! What each line of a mail is, and who does it.

use crate::commands::command::{Command, HistoryWords, Listing, RollbackTo};
use crate::commands::command_reader::BlockKind;
use crate::commands::date_words::Sense;
use crate::commands::form::{self, About};
use crate::commands::mail_reader::{Block, BodyLine, Ended, Item, What, read_mail};
use crate::commands::power_list::{PowerListError, read_power};
use crate::commands::set_item::SetItem;
use crate::game::{Event, Leave, Variant};
use crate::judge::acts::info;
use crate::judge::acts::master;
use crate::judge::acts::seats;
use crate::judge::acts::settings;
use crate::judge::clock::ahead;
use crate::judge::desk::answer_room::is_question;
use crate::judge::desk::press_words;
use crate::judge::desk::session::Session;
use crate::judge::people::registering::Form;
use crate::judge::work::acting::Refused;
use crate::judge::work::authority;
use crate::mails::inbound::LinePart;
use crate::mails::outbound;
use crate::variants;

/// Does every line of a session's mail, in order.
pub(crate) fn read(session: &mut Session) {
    let mail = session.mail;
    let lines: Vec<BodyLine> = mail
        .lines
        .iter()
        .take_while(|line| line.part != LinePart::Signature)
        .map(|line| BodyLine {
            number: line.number,
            text: &line.text,
            original: &line.original,
            quoted: line.part == LinePart::Quote,
        })
        .collect();
    let reading = read_mail(&lines, session.acting.is_some());
    for item in &reading.items {
        if session.stopped {
            return;
        }
        one(session, item);
    }
    if reading.ended == Ended::SecondSignOn {
        return;
    }
    if !session.answered {
        session.say(
            "No sign-on was found in your mail, so nothing was done.  Begin with SIGNON, your power's letter before the name of the game, and your password, such as SIGNON Fkaiser password.  HELP tells more.",
        );
        if let Some(line) = reading.first_line.filter(|_| session.may_repeat_first()) {
            let line: String = session.quotable(&line).chars().take(60).collect();
            session.show(format!("Its first line was: {line}"));
        }
    }
}

fn one(session: &mut Session, item: &Item) {
    let faulty = |what: &str| format!("Line {}: {what}", item.line);
    session.secrets.begin(item.line);
    match &item.what {
        What::Command(command) => self::command(session, &item.text, command),
        What::Block(block) => self::block(session, &item.text, block),
        What::Form(form) => session.register(&filled(form)),
        What::Order => session.order_line(&item.text),
        What::Invalid { wanted } => {
            // It may still be an order: a unit can stand in a province that begins like a command.
            if session.reads_as_order(&item.text) {
                return session.order_line(&item.text);
            }
            let hint = if wanted.is_empty() {
                String::new()
            } else {
                format!("  Expected here: {}.", wanted.join(" or "))
            };
            session.fault(&item.text, vec![faulty(&format!("invalid command.{hint}"))]);
        }
        What::SecondSignOn(words) => session.second_sign_on_line(&item.text, words),
    }
}

fn filled(form: &form::Form) -> Form {
    let get = |about: About| form.get(&about).map(str::to_owned);
    Form {
        name: get(About::Name),
        email: get(About::Email),
        level: get(About::Level),
        country: get(About::Country),
        zone: get(About::Zone),
        package: form.wants_package(),
        ignored: form
            .fields
            .iter()
            .filter_map(|field| match &field.about {
                About::NotKept(name) => Some(name.clone()),
                _ => None,
            })
            .collect(),
    }
}

fn block(session: &mut Session, line: &str, block: &Block) {
    match block.kind {
        BlockKind::Press | BlockKind::Broadcast | BlockKind::Official => {
            press_words::send(session, line, block)
        }
        BlockKind::Comment => {
            let Some(acting) = session.acting else { return };
            let said = settings::information(&mut session.work, acting, &block.text());
            session.outcome(line, said);
        }
        BlockKind::Postal | BlockKind::Diary => {
            session.fault(line, vec!["This judge offers no postal press and no diaries; PRESS TO M reaches the Master.".to_owned()]);
        }
    }
}

fn command(session: &mut Session, line: &str, command: &Command) {
    if is_question(command) && !session.is_to_be_answered(command) {
        return;
    }
    match command {
        Command::SignOn(words) => {
            session.sign_on(line, words);
            session.orders_behind(line, words);
        }
        Command::Observe(words) => session.observe(line, words),
        Command::Create(words) => session.create(line, words),
        Command::ResignFrom(words) => {
            session.sign_on(line, words);
            if !session.stopped {
                resign(session, line, None);
            }
        }
        Command::AlsoAt(_) => refuse(
            session,
            line,
            "Addresses are not linked by mail; send REGISTER from the new one.",
        ),
        Command::Resign(whom) => resign(session, line, whom.as_deref()),
        Command::Help(word) => help(session, word.as_deref()),
        Command::Get(file) => get(session, line, file),
        Command::GetPackage => {
            session.send_package();
        }
        Command::GetDedication => {
            let said = info::dedication(&session.work, &session.asker());
            session.outcome(line, said);
        }
        Command::List(listing) => list(session, line, listing),
        Command::Status(None) if session.acting.is_some() => session.status(),
        Command::Summary(game) | Command::Status(game) => {
            let shown = info::summary(
                &session.work,
                &session.asker(),
                game.as_deref(),
                session.acting,
            );
            shown_of(session, line, game.as_deref(), shown);
        }
        Command::History(words) => history(session, line, words),
        Command::WhoGame { game, full } => {
            let shown = info::who_game(
                &session.work,
                &session.asker(),
                game.as_deref(),
                *full,
                session.acting,
            );
            shown_of(session, line, game.as_deref(), shown);
        }
        Command::Version => info::version()
            .into_iter()
            .for_each(|sentence| session.say(sentence)),
        Command::InfoPlayer(_) | Command::Who(_) | Command::DedicationOf(_) => {
            refuse(
                session,
                line,
                "What the judge knows of persons is shown by WHOGAME to those who play with them.",
            );
        }
        Command::Map { .. } => refuse(
            session,
            line,
            "Maps are not sent by this judge yet; LIST game shows the position, in a BLIND game STATUS.",
        ),
        Command::DiaryList | Command::DiaryRead(_) | Command::DiaryDelete(_) => {
            refuse(session, line, "This judge offers no diaries.");
        }
        Command::NotOffered(name) => {
            refuse(
                session,
                line,
                &format!(
                    "{} is no longer done by mail; see the keeper's command line.",
                    name.to_uppercase()
                ),
            );
        }
        _ => game_command(session, line, command),
    }
}

fn refuse(session: &mut Session, line: &str, why: &str) {
    session.fault(line, vec![why.to_owned()]);
}

/// Commands that need a sign-on.
fn game_command(session: &mut Session, line: &str, command: &Command) {
    let Some(acting) = session.acting else {
        return refuse(session, line, "Sign on to a game first.");
    };
    if destructive(command)
        && let Err(refused) = session.proven()
    {
        return session.outcome(line, Err(refused));
    }
    let work = &mut session.work;
    let said = match command {
        Command::Set(items) => return set(session, line, items),
        Command::Phase { text, phase } => return phase_line(session, line, text, *phase),
        Command::Clear => {
            let Some(power) = acting.power else {
                return refuse(session, line, "Only players have orders.");
            };
            work.emit(Event::AheadDropped { power, phase: None });
            Ok(vec![
                "Pending orders cleared.  CLEAR ORDERS clears those of the phase in hand."
                    .to_owned(),
            ])
        }
        Command::ClearOrders => {
            let Some(power) = acting.power else {
                return refuse(session, line, "Only players have orders.");
            };
            match work
                .game()
                .and_then(|game| crate::judge::desk::order_lines::closed(game, power))
            {
                Some(why) => Err(Refused(why)),
                None => {
                    work.emit(Event::Cleared { power });
                    Ok(vec!["Your orders of this phase are cleared.".to_owned()])
                }
            }
        }
        Command::BecomeMaster => seats::become_master(work, acting.seat),
        Command::Become(whom) => return become_power(session, line, whom),
        Command::Process { phase, .. } => master::process(
            work,
            acting,
            phase.map(|phase| phase.to_string()).as_deref(),
        ),
        Command::Predict => {
            let shown = master::predict(work, acting);
            return session.shown(line, shown);
        }
        Command::Rollback { to, .. } => {
            let (number, phase) = match to {
                Some(RollbackTo::Turn(n)) => (Some(u32::try_from(*n).unwrap_or(0)), None),
                Some(RollbackTo::Phase(phase)) => (None, Some(phase.to_string())),
                None => (None, None),
            };
            master::rollback(work, acting, number, phase.as_deref())
        }
        Command::Pause => master::pause(work, acting),
        Command::Resume => master::resume(work, acting),
        Command::Terminate => master::terminate(work, acting),
        Command::NoTerminate => master::no_terminate(work, acting),
        Command::Eject(whom) => seats::eject(work, acting, whom.as_deref().unwrap_or_default()),
        Command::Promote(address) => {
            seats::promote(work, acting, address.as_deref().unwrap_or_default())
        }
        Command::ForceBegin => master::force_begin(work, acting),
        Command::Unstart => master::unstart(work, acting),
        Command::Activate => {
            return set(
                session,
                line,
                &[SetItem::Flag(
                    crate::commands::set_item::Flag::ManualStart,
                    false,
                )],
            );
        }
        Command::Wait if session.is_master() => master::pause(&mut session.work, acting),
        Command::Wait => return set(session, line, &[SetItem::Wait(true)]),
        Command::NoWait => return set(session, line, &[SetItem::Wait(false)]),
        Command::If(_) | Command::ElseIf(_) | Command::Else | Command::EndIf => {
            return session.condition_line(line, command);
        }
        _ => Err(Refused(
            "This command is not offered by this judge.".to_owned(),
        )),
    };
    session.outcome(line, said);
}

/// What cannot be taken back needs proof of who sent it (`judge-workflow.md` 7, levels 2 and 3).
fn destructive(command: &Command) -> bool {
    matches!(
        command,
        Command::Process { .. }
            | Command::Rollback { .. }
            | Command::Terminate
            | Command::Eject(_)
            | Command::Become(_)
            | Command::Unstart
            | Command::ForceBegin
            | Command::Promote(_)
            | Command::Pause
            | Command::Resume
    )
}

fn set(session: &mut Session, line: &str, items: &[SetItem]) {
    let Some(acting) = session.acting else {
        return refuse(session, line, "Sign on to a game first.");
    };
    if let (Some(Some(phase)), Some(power)) = (session.ahead, acting.power) {
        // WAIT is kept with the orders of a later phase; other settings are of the moment.
        if items.iter().all(|item| matches!(item, SetItem::Wait(_))) {
            return ahead::store(&mut session.work, power, phase, line);
        }
    }
    if items.is_empty() {
        return refuse(session, line, "Invalid command: SET needs a setting.");
    }
    for item in items {
        if let SetItem::Password(Some(word)) = item {
            session.secrets.add(&word.0);
        }
        let proof = if settings::needs_home(item) {
            session.proven()
        } else {
            Ok(())
        };
        let from = session.from.clone();
        let said = proof.and_then(|()| settings::carry_out(&mut session.work, acting, &from, item));
        let failed = said.is_err();
        session.outcome(line, said);
        // The first that is unknown or forbidden ends the line.
        if failed {
            return;
        }
    }
}

fn phase_line(
    session: &mut Session,
    line: &str,
    text: &str,
    phase: Option<crate::calendar::PhaseName>,
) {
    let Some(game) = session.work.game() else {
        return;
    };
    let now = game.phase_name();
    let refused = match phase {
        None => Err(format!(
            "Invalid phase '{}' specified: write it as F1902M or as Fall 1902 movement.",
            text.trim()
        )),
        Some(phase) => ahead::may_store(game, phase, now).map(|()| phase),
    };
    match refused {
        Ok(phase) if phase == now => session.ahead = None,
        Ok(phase) => session.ahead = Some(Some(phase)),
        Err(why) => {
            // What follows is not stored, and not taken for now either.
            session.ahead = Some(None);
            session.taken.errors += 1;
            session.fault(
                line,
                vec![why, "The orders behind this line were not kept.".to_owned()],
            );
        }
    }
}

fn become_power(session: &mut Session, line: &str, whom: &str) {
    let Some(acting) = session.acting else { return };
    if let Err(refused) = authority::only_master(&session.work, acting, "BECOME") {
        session.outcome(line, Err(refused));
        session.say("The lines behind it were not read.");
        session.stopped = true;
        return;
    }
    let roster = session
        .work
        .game()
        .map(|game| game.powers.clone())
        .unwrap_or_default();
    match read_power(whom, &roster) {
        Ok(power) => session.become_power(power),
        Err(error) => {
            let why = match error {
                PowerListError::Ambiguous { .. } => error.to_string(),
                _ => format!("'{}' is not a power of this game.", whom.trim()),
            };
            session.fault(line, vec![why]);
            session.stopped = true;
        }
    }
}

fn resign(session: &mut Session, line: &str, whom: Option<&str>) {
    let Some(acting) = session.acting else {
        return refuse(session, line, "Sign on to a game first.");
    };
    if session.is_master() {
        let said = match whom {
            Some(whom) => seats::eject(&mut session.work, acting, whom),
            None => Err(Refused(
                "A Master does not resign; use EJECT and your address.".to_owned(),
            )),
        };
        return session.outcome(line, said);
    }
    let said = session
        .proven()
        .and_then(|()| seats::leave(&mut session.work, acting, acting.seat, Leave::Resigned));
    session.stopped = said.is_ok();
    session.outcome(line, said);
}

fn help(session: &mut Session, word: Option<&str>) {
    match word.and_then(|word| outbound::help(word).or_else(|| help_of_variants(word))) {
        Some(text) => session.show(text),
        None => {
            if let Some(text) = outbound::page("info") {
                session.show(text);
            }
            // Before a sign-on HELP ends the reading, as it always did.
            session.stopped = session.acting.is_none();
        }
    }
}

/// HELP about a variant, or about a word of its lines: its rules page explains them.
fn help_of_variants(words: &str) -> Option<String> {
    let page = |variant: &dyn Variant| format!("GET RULES.{}", variant.name().to_uppercase());
    if let Some(variant) = variants::named(words) {
        return Some(format!(
            "{} brings the rules of {}.",
            page(variant),
            variant.title()
        ));
    }
    let word = words.split_whitespace().next()?.to_lowercase();
    let quoted = format!("\"{word}\"");
    let lines: Vec<String> = variants::ALL
        .iter()
        .filter(|variant| variant.grammar().contains(&quoted))
        .map(|variant| {
            format!(
                "{} belongs to the lines of {}: {} explains them.",
                word.to_uppercase(),
                variant.title(),
                page(*variant)
            )
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn get(session: &mut Session, line: &str, file: &str) {
    match info::page(file) {
        Ok((name, text)) => {
            if session.send_page(&name, &text) {
                session.say(format!("File {name} sent."));
            }
        }
        Err(refused) => session.outcome(line, Err(refused)),
    }
}

fn list(session: &mut Session, line: &str, listing: &Listing) {
    let shown = match listing {
        Listing::Brief if session.acting.is_none() => info::brief(&session.work),
        Listing::Brief => info::full(&session.work, &session.asker(), None, session.acting),
        Listing::Full if session.acting.is_none() => info::brief(&session.work),
        Listing::Full => info::full(&session.work, &session.asker(), None, session.acting),
        Listing::Game(name) => {
            info::full(&session.work, &session.asker(), Some(name), session.acting)
        }
    };
    let game = match listing {
        Listing::Game(name) => Some(name.as_str()),
        _ => None,
    };
    shown_of(session, line, game, shown);
}

/// Shows what was asked of a game. What is public in another one is no secret of the game in hand, whoever plays in both.
fn shown_of(session: &mut Session, line: &str, game: Option<&str>, shown: Result<String, Refused>) {
    let own = session.work.game().map(|game| game.name.clone());
    let other = game.is_some_and(|name| own.is_some_and(|own| !own.eq_ignore_ascii_case(name)));
    match shown {
        Ok(text) if other => session.show_passed(text),
        shown => session.shown(line, shown),
    }
}

fn history(session: &mut Session, line: &str, words: &HistoryWords) {
    let time = |date: &Option<crate::commands::date_words::DateWords>| match date {
        None => Ok(None),
        Some(date) => {
            info::moment_behind(&session.work, session.acting, date, Sense::Behind).map(Some)
        }
    };
    let asked = time(&words.from).and_then(|from| {
        Ok(info::Asked {
            game: words.game.clone(),
            from,
            to: time(&words.to)?,
            lines: words.lines.and_then(|n| usize::try_from(n).ok()),
            after: words.after,
            until: words.until,
            broadcasts: words.broadcasts,
        })
    });
    let shown = asked
        .and_then(|asked| info::history(&session.work, &session.asker(), &asked, session.acting));
    match shown {
        // What was sent before passed the net before; players' own words stand in it.
        Ok(text) => session.show_passed(text),
        refused => session.shown(line, refused),
    }
}

//! Determines what each line of a mail is, and dispatches it.

use crate::acts::commands::command;
use crate::acts::settings;
use crate::acts::table::Act;
use crate::orders::variant_lines::{long_line, opens_until};
use crate::people::sign_on::ArrivedBy;
use crate::session::Session;
use crate::work::GameWork;
use dipjudge_commands::command_reader::Consent;
use dipjudge_commands::form::Form;
use dipjudge_commands::mail_reader::{
    Block, BodyLine, Ended, Item, ItemKind, MailReader, OwnTexts, SignOnBy, TextEnd, holds_sign_on,
};
use dipjudge_mails::inbound::{self, LinePart};

/// Handles these lines of a mail, in order.
fn read(session: &mut Session, lines: &[inbound::BodyLine]) {
    let lines: Vec<BodyLine> = lines
        .iter()
        .take_while(|line| line.part != LinePart::Signature)
        .map(|line| BodyLine {
            number: line.number,
            text: &line.text,
            original: &line.original,
            quoted: line.part == LinePart::Quote,
        })
        .collect();
    let sign_on = if session.sender.acting.is_some() {
        SignOnBy::ReplyAddress
    } else {
        SignOnBy::Line
    };
    let mut reader = MailReader::new(&lines, sign_on);
    while let Some(item) = reader.next(session) {
        if session.reading.stopped {
            return;
        }
        one(session, &item);
    }
    if reader.ended == Ended::SecondSignOn {
        return;
    }
    if !session.reply.wanted {
        session.say(
            "No sign-on was found in your mail, so nothing was done.  Begin with SIGNON, your power's letter before the name of the game, and your password, such as SIGNON Fkaiser password.  HELP tells more.",
        );
        if let Some(line) = reader.first_line
            && session.may_repeat_first()
        {
            let line: String = session.quotable(&line).chars().take(60).collect();
            session.print(format!("Its first line was: {line}"));
            session.propose_command(&line);
        }
    }
}

fn one(session: &mut Session, item: &Item) {
    session.reading.secrets.begin(item.line);
    session.reading.has_more |= !is_sign_on(&item.kind);
    match &item.kind {
        ItemKind::Command(line) => {
            session.reading.commands.insert(line.rule.clone());
            session.carry_out(&item.text, line, &line.rule);
        }
        ItemKind::Block(block) => text(session, &item.text, block),
        ItemKind::Form(form) => form_of(session, form),
        ItemKind::OwnText(block) if block.holds_sign_on => {
            let why = "A SIGNON line stands in this text, which would show your password, so it was not taken.";
            session.fault(&item.text, why);
        }
        ItemKind::OwnText(block) if long_line_of(session, &item.text, block) => {}
        ItemKind::OwnText(block) if session.variant_line(&item.text, &block.text()) => {}
        ItemKind::OwnText(_) => {
            let why = "This line is not for the game as it now stands, so neither it nor its text was taken.";
            session.fault(&item.text, why);
        }
        ItemKind::Order if session.propose_for_sentence(&item.text) => {}
        ItemKind::Order => session.order_line(&item.text),
        ItemKind::Invalid { wanted } => {
            // It may still be an order: a unit can be in a province whose name begins like a command.
            if session.reads_as_order(&item.text) {
                return session.order_line(&item.text);
            }
            if session.propose_for_sentence(&item.text) {
                return;
            }
            // Or a line of the variant for people who lead no power.
            if session.variant_line(&item.text, "") {
                return;
            }
            let hint = if wanted.is_empty() {
                String::new()
            } else {
                format!("  Expected here: {}.", wanted.join(" or "))
            };
            session.fault(
                &item.text,
                format!("Line {}: invalid command.{hint}", item.line),
            );
            session.propose_command(&item.text);
        }
        ItemKind::SecondSignOn(words) => session.second_sign_on_line(&item.text, words),
    }
}

fn is_sign_on(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Command(line) => matches!(line.rule.as_str(), "sign-on" | "greeting" | "join"),
        ItemKind::SecondSignOn(_) => true,
        _ => false,
    }
}

/// Whether this is an order line that spans several lines of the mail; if so, it is handled as one line.
fn long_line_of(session: &mut Session, first: &str, block: &Block) -> bool {
    let acting = session.sender.acting;
    let long = |work: GameWork| long_line(&work, acting, first);
    let Some(long) = session.in_game().and_then(long) else {
        return false;
    };
    if !block.followed {
        let broken = block.broken_at.as_ref().map(|line| {
            let line = session.quotable(line);
            format!("Its text ended before the line `{line}`, which reads as a line of its own.")
        });
        session.orders.errors += 1;
        let said = broken.into_iter().chain([long.missing.to_owned()]);
        session.fault(first, said.collect::<Vec<String>>());
        return true;
    }
    let lines = block.lines.iter().map(|line| line.trim());
    let whole: Vec<&str> = std::iter::once(first).chain(lines).collect();
    session.order_line(whole.join(" ").trim());
    true
}

fn text(session: &mut Session, line: &str, block: &Block) {
    if let Some(Act::Text(act)) = command(&block.rule).map(|command| &command.act) {
        return act(session, line, block);
    }
    // The text of SET COMMENT BEGIN, which is a setting and not a command.
    session.act(line, |work, acting| {
        settings::information(work, acting, &block.text())
    });
}

fn form_of(session: &mut Session, form: &Form) {
    if let Some(Act::Form(act)) = command("register").map(|command| &command.act) {
        act(session, form);
    }
}

impl OwnTexts for Session<'_, '_> {
    fn opens(&mut self, line: &str) -> bool {
        let acting = self.sender.acting;
        let until = |work: GameWork| opens_until(&work, acting, line);
        self.reading.own_text_until = self.in_game().and_then(until);
        self.reading.own_text_until.is_some()
    }

    fn ends(&mut self, line: &str) -> Option<TextEnd> {
        let until = self.reading.own_text_until?;
        let acting = self.sender.acting;
        until.ended_by(&self.in_game()?, acting, line)
    }
}

impl Session<'_, '_> {
    /// Handles every line of the mail, which arrived at the given address.
    pub(crate) fn read(&mut self, arrived_by: ArrivedBy) {
        // A mail to an address that is being proven is answered by that alone.
        let proves_address = matches!(arrived_by, ArrivedBy::Address(..));
        self.sign_on_by_token(arrived_by);
        let mail = self.mail;
        match self.consent() {
            Some(consent) if !proves_address && self.may_be_consent() => self.read_consent(consent),
            _ => read(self, &mail.lines),
        }
    }

    /// Executes what the sender has consented to in answer to a proposal, after the sign-on lines.
    fn read_consent(&mut self, consent: Consent) {
        let own = self.mail.own_lines();
        let sign_on: Vec<_> = own.filter(|line| holds_sign_on(&line.text)).collect();
        if !sign_on.is_empty() {
            let sign_on: Vec<inbound::BodyLine> = sign_on.into_iter().cloned().collect();
            read(self, &sign_on);
            if self.sender.acting.is_none() {
                return;
            }
        }
        if let Some(lines) = self.answer_proposal(consent) {
            read(self, &lines);
        }
    }
}

//! Goes through a script and writes down what happens.

use dipjudge::game::Seed;
use dipjudge::shell::demo::message::{AnsweredMail, message};
use dipjudge::shell::demo::script::{Mail, Position, Script, Step};
use jiff::Timestamp;

use super::JUDGE;
use super::received::Received;

/// The judge with its mail ends.
pub trait JudgeHost {
    /// Whether several mails are handed over together, and arrive at the time of the last.
    fn together(&self) -> bool {
        false
    }
    /// Something will arrive at this hour.
    fn expect(&mut self, _at: Timestamp) {}
    /// Puts a message into the judge's inbox, arrived at an hour.
    fn post(&mut self, from: &str, to: &str, bytes: &[u8], at: Timestamp);
    /// Has the judge take what is there and do what is due at an hour.
    fn look(&mut self, at: Timestamp);
    /// Gives a game that was just created the seed for which its script is written.
    fn give_seed(&mut self, game: &str, _seed: &Seed) {
        panic!("the chance of '{game}' cannot be fixed here");
    }
    /// What the judge has sent since the last call, in the order of sending for each reader.
    fn collect(&mut self) -> Vec<Received>;
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum PlayEvent {
    /// A mail went to the judge.
    Sent(Mail),
    /// The judge looked at the clock.
    Ticked(Timestamp),
    /// A mail came from the judge.
    Received(Received),
    /// This position should stand now.
    Expected(Position),
}

/// The mails that came, in order.
pub fn came(record: &[PlayEvent]) -> impl Iterator<Item = &Received> {
    record.iter().filter_map(|happened| match happened {
        PlayEvent::Received(came) => Some(came),
        _ => None,
    })
}

/// A range of a script's steps.
pub fn play(
    script: &Script,
    steps: &[Step],
    host: &mut dyn JudgeHost,
    record: &mut Vec<PlayEvent>,
) {
    let mut waiting: Vec<&Mail> = Vec::new();
    for step in steps {
        if let Step::Mail(mail) = step {
            // An answer needs what it answers.
            if mail.answering || !host.together() {
                hand_over(script, &mut waiting, host, record);
            }
            waiting.push(mail);
            continue;
        }
        hand_over(script, &mut waiting, host, record);
        match step {
            Step::Clock(at) => {
                host.look(*at);
                record.push(PlayEvent::Ticked(*at));
                record.extend(host.collect().into_iter().map(PlayEvent::Received));
            }
            Step::Seed(seed) => host.give_seed(&game_of(script), seed),
            Step::Position(position) => record.push(PlayEvent::Expected(position.clone())),
            Step::Mail(_) | Step::Part(_) => {}
        }
    }
    hand_over(script, &mut waiting, host, record);
}

fn hand_over(
    script: &Script,
    waiting: &mut Vec<&Mail>,
    host: &mut dyn JudgeHost,
    record: &mut Vec<PlayEvent>,
) {
    let Some(last) = waiting.last().map(|mail| mail.at) else {
        return;
    };
    host.expect(last);
    record.extend(host.collect().into_iter().map(PlayEvent::Received));
    for mail in waiting.drain(..) {
        post(script, mail, host, record);
    }
    host.look(last);
    record.extend(host.collect().into_iter().map(PlayEvent::Received));
}

/// Sends one mail of the script. An answer is one to the newest mail by which the judge told its writer something of itself, for
/// the judge's answer to his orders and the results that follow at once may overtake each other on the way.
pub fn post(script: &Script, mail: &Mail, host: &mut dyn JudgeHost, record: &mut Vec<PlayEvent>) {
    let writer = script.person(&mail.from).unwrap();
    let answered = came(record)
        .filter(|came| came.reader() == mail.from && !came.subject.starts_with("Re: "))
        .filter_map(|came| {
            Some(AnsweredMail {
                reply_to: came.reply_to.clone()?,
                message_id: came.message_id.clone(),
                subject: came.subject.clone(),
            })
        })
        .last();
    let bytes = message(mail, &game_of(script), writer, JUDGE, answered.as_ref());
    let to = answered
        .filter(|_| mail.answering)
        .map_or(JUDGE.to_owned(), |answered| answered.reply_to);
    for _ in 0..if mail.twice { 2 } else { 1 } {
        host.post(&writer.address, &to, &bytes, mail.at);
    }
    record.push(PlayEvent::Sent(mail.clone()));
}

/// The name of the game that a script creates.
pub fn game_of(script: &Script) -> String {
    let created = script.mails().find_map(|mail| {
        let line = mail
            .text
            .lines()
            .find_map(|line| line.strip_prefix("CREATE ?"))?;
        line.split_whitespace().next().map(str::to_owned)
    });
    created.expect("somebody creates the game")
}

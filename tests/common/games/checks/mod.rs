//! What must be true of every mail of a game, whoever's mail servers carried it.

pub mod answers;
mod form;
mod secrecy;
mod story;

use dipjudge::shell::demo::script::{Mail, Position, Script};

use super::play::PlayEvent;
use super::received::Received;

const POWERS: [(&str, &str); 7] = [
    ("Austria", "anna"),
    ("England", "ben"),
    ("France", "cleo"),
    ("Germany", "dirk"),
    ("Italy", "emma"),
    ("Russia", "finn"),
    ("Turkey", "gwen"),
];

/// All of it.
pub fn everything(script: &Script, record: &[PlayEvent]) {
    let game = Game { script, record };
    game.every_mail_is_well_formed();
    game.every_message_has_its_answer();
    game.nothing_comes_twice();
    game.passwords_are_never_repeated();
    game.orders_stay_with_their_owner();
    game.press_reaches_whom_it_names();
    game.results_come_once_to_all();
    game.threads_hold();
    game.reports_tell_the_real_game();
    game.votes_stay_secret();
    game.italy_is_waited_for_and_replaced();
    game.faults_are_told();
    game.orders_ahead_come_into_force();
    game.the_game_is_won();
}

struct Game<'a> {
    script: &'a Script,
    record: &'a [PlayEvent],
}

impl Game<'_> {
    fn came(&self) -> impl Iterator<Item = &Received> {
        self.record.iter().filter_map(|happened| match happened {
            PlayEvent::Received(came) => Some(came),
            _ => None,
        })
    }

    fn sent(&self) -> impl Iterator<Item = &Mail> {
        self.record.iter().filter_map(|happened| match happened {
            PlayEvent::Sent(sent) => Some(sent),
            _ => None,
        })
    }

    /// Those about the game whose subject ends with something.
    fn titled(&self, tail: &str) -> Vec<&Received> {
        self.came()
            .filter(|mail| mail.subject.ends_with(tail))
            .collect()
    }

    fn readers(mails: &[&Received]) -> Vec<String> {
        let mut readers: Vec<String> = mails.iter().map(|mail| mail.reader().to_owned()).collect();
        readers.sort();
        readers
    }

    /// Who has a part in the game at a point of the record: masters, those who play, observers.
    fn everybody(after_replacement: bool) -> Vec<String> {
        let italy = if after_replacement { "hugo" } else { "emma" };
        let mut names = vec![
            "anna", "ben", "cleo", "dirk", italy, "finn", "gwen", "gm", "olga",
        ];
        names.sort_unstable();
        names.into_iter().map(str::to_owned).collect()
    }
}

/// A phase as mails write it: winter is the fall's last part.
pub fn printed(phase: &str) -> String {
    match phase
        .strip_prefix('W')
        .and_then(|rest| rest.strip_suffix('A'))
    {
        Some(year) => format!("F{year}B"),
        None => phase.to_owned(),
    }
}

/// Whether a mail holds the results of a phase.
pub fn is_results(mail: &Received, phase: &str) -> bool {
    mail.subject == format!("USXX:kaiser - {} Results", printed(phase))
}

/// The positions of a script.
pub fn positions(record: &[PlayEvent]) -> impl Iterator<Item = &Position> {
    record.iter().filter_map(|happened| match happened {
        PlayEvent::Expected(position) => Some(position),
        _ => None,
    })
}

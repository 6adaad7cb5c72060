//! DIARY: what a player notes for the day on which all is told. Masters read an entry at once, all others when the game is
//! over (`judge-workflow.md` 2.3).

use super::table::{Act, Command, Discloses, everywhere};
use crate::clock::diaries;
use crate::session::Session;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use dipjudge_commands::mail_reader::Block;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Diary, DiaryEntry, Event, Role, Seat, SeatChange};
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::{Document, player_words};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["diary-record"],
        examples: &["DIARY"],
        act: Act::Text(record),
        help: "DIARY
    An entry of your diary, ended by END DIARY. Your master reads it at once,
    all others when the game is over, unless it keeps its players secret then.",
        ..Command::BASE
    },
    Command {
        rules: &["diary-list", "diary-read"],
        examples: &["DIARY LIST", "DIARY READ 3"],
        act: Act::Game(|work, acting, line| match line.rule.as_str() {
            "diary-list" => list(work, acting),
            _ => read(work, acting, line.number().unwrap_or_default()),
        }),
        question: true,
        help: "DIARY LIST
    The entries of your diary; DIARY READ 3 brings one.",
        tells: everywhere(Discloses::OwnLine),
        ..Command::BASE
    },
    Command {
        rules: &["diary-delete"],
        examples: &["DIARY DELETE 3, 4"],
        act: Act::Game(delete),
        help: "DIARY DELETE number, number
    Take entries out. Your master has read them; their numbers are not given
    again.",
        ..Command::BASE
    },
];

/// How many entries a diary may hold at once.
const MOST: usize = 200;
/// The longest entry, in characters.
const LONGEST: usize = 10_000;

fn record(session: &mut Session, line: &str, block: &Block) {
    let text = session.without_tokens(&block.text());
    let refused = if block.holds_sign_on || session.holds_password(&text) {
        Some("The text holds a SIGNON line or your password, so it was not taken.")
    } else if text.trim().is_empty() {
        Some("Your entry has no text, so nothing was recorded.")
    } else if text.chars().count() > LONGEST {
        Some("That is too long for one entry of a diary, so it was not taken; send it in parts.")
    } else {
        None
    };
    match refused {
        Some(why) => session.fault(line, why),
        None => session.act(line, |work, acting| written(work, acting, text.clone())),
    }
}

/// The seat of a player, who alone keeps a diary.
fn own<'e>(work: &'e GameWork, acting: Acting) -> Result<&'e Seat, Refusal> {
    let player = |seat: &&Seat| seat.role == Role::Player;
    let seat = work.game().seat(acting.seat).filter(player);
    seat.ok_or_else(|| Refusal::from("Only players keep diaries."))
}

fn written(work: &mut GameWork, acting: Acting, text: String) -> ActOutcome {
    let diary = &own(work, acting)?.diary;
    if diary.entries.len() >= MOST {
        return refuse("Your diary is full; DIARY DELETE takes entries out.");
    }
    let number = diary.written + 1;
    let number = if planted(Leak::DiaryNumber) {
        let diaries = work.game().seats.iter().map(|seat| &seat.diary);
        diaries.map(|diary| diary.written).sum::<u32>() + 1
    } else {
        number
    };
    let phase = work.game().token(work.variant());
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::DiaryWritten(DiaryEntry {
            phase,
            power: acting.power,
            text: text.clone(),
        }),
    });
    let tail = |work: &GameWork, to| {
        let labels = work.labels(to);
        let who = acting
            .power
            .map_or("?".to_owned(), |power| labels.letter(power));
        Some(format!("New diary entry from {who}"))
    };
    work.tell_each(Some(acting.seat), tail, |work, to| {
        if !work.is_master(to) {
            return None;
        }
        let labels = work.labels(to);
        let who = acting.power.map_or("A player", |power| labels.name(power));
        let mut told = Document::from(format!("{who} has written entry {number} of the diary:"));
        told.append(player_words(&text).checked());
        Some(told)
    });
    if work.game().over() {
        diaries::publish(work);
    }
    say(vec![format!("Entry {number} of your diary is recorded.")])
}

fn list(work: &GameWork, acting: Acting) -> ActOutcome {
    let Diary { entries, .. } = &own(work, acting)?.diary;
    if entries.is_empty() {
        return refuse("Your diary is empty.");
    }
    let lines = entries.iter().map(|(number, entry)| {
        let first = entry.text.lines().find(|line| !line.trim().is_empty());
        let first: String = first.unwrap_or_default().trim().chars().take(50).collect();
        format!("{number:>3}  {}  {first}", entry.phase)
    });
    let lines: Vec<String> = lines.collect();
    Ok(player_words(&lines.join("\n")))
}

fn read(work: &GameWork, acting: Acting, number: i64) -> ActOutcome {
    let diary = &own(work, acting)?.diary;
    let entry = u32::try_from(number)
        .ok()
        .and_then(|number| diary.entries.get(&number));
    let Some(entry) = entry else {
        return refuse(format!(
            "Your diary has no entry {number}; DIARY LIST lists them."
        ));
    };
    let mut shown = Document::from(format!("Entry {number}, {}:", entry.phase));
    shown.append(player_words(&entry.text));
    Ok(shown)
}

fn delete(work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
    let diary = own(work, acting)?.diary.clone();
    let numbers = line.texts_of("diary-number").into_iter();
    let numbers: Vec<u32> = numbers.filter_map(|number| number.parse().ok()).collect();
    if let Some(none) = numbers
        .iter()
        .find(|number| !diary.entries.contains_key(number))
    {
        return refuse(format!(
            "Your diary has no entry {none}; nothing was deleted."
        ));
    }
    for number in &numbers {
        work.emit(Event::SeatChanged {
            seat: acting.seat,
            change: SeatChange::DiaryDeleted(*number),
        });
    }
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    say(vec![format!(
        "Deleted from your diary: {}.",
        numbers.join(", ")
    )])
}

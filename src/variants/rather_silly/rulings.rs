//! The master's word on questions and answers [14] [19].

use super::MASTERMIND;
use super::slots::QUESTION;
use super::state::SillyState;
use dipjudge_game::{
    Audience, CommandEffects, CommandInput, Dice, Event, Game, MasterDecision, Notification, Phase,
    Refusal, Sentence, VariantAct, VariantCommand, refuse,
};

/// What a master may say.
pub(super) const COMMANDS: &[VariantCommand] = &[
    VariantCommand {
        rule: "rule-answer",
        examples: &["RULE ANSWER France right", "RULE ANSWER Turkey wrong"],
        help: "RULE ANSWER power RIGHT|WRONG [BECAUSE reason]
    In Rather Silly, for masters: whether an answer to the MASTERMIND's
    question is right, whatever the comparison says. Everybody is told.",
        text_until: None,
        act: VariantAct::Master(rule_answer),
    },
    VariantCommand {
        rule: "reject-question",
        examples: &["REJECT QUESTION it has two answers"],
        help: "REJECT QUESTION reason
    In Rather Silly, for masters: the MASTERMIND's question does not stand; he
    may send another before the moves are adjudicated. Everybody is told.",
        text_until: None,
        act: VariantAct::Master(reject_question),
    },
];

/// Everybody reads the sentence, and the reason if one was given.
fn ruled(
    subject: &str,
    sentence: Sentence,
    because: Option<&str>,
    events: Vec<Event>,
) -> MasterDecision {
    let because = because.map(|because| Sentence::of(format!("Because: {}", because.trim())));
    MasterDecision {
        said: Vec::new(),
        happened: CommandEffects {
            events,
            said: vec![sentence.clone()],
            told: vec![Notification {
                lines: [sentence].into_iter().chain(because).collect(),
                ..Notification::new(Audience::Everyone, Sentence::of(subject))
            }],
        },
    }
}

fn rule_answer(
    given: &CommandInput<'_>,
    game: &Game,
    _dice: Dice<'_>,
) -> Result<MasterDecision, Refusal> {
    let Some(seat) = given.line.power().filter(|seat| *seat != MASTERMIND) else {
        return refuse("Say whose answer: RULE ANSWER FRANCE RIGHT.");
    };
    let right = given.line.has("ruled-right");
    let mut state = SillyState::of(game);
    if game.phase == Phase::Movement || state.question.is_none() {
        return refuse("No question is open: it is published with the results of the moves.");
    }
    state.season.ruled.push((seat, right));
    let word = if right { "right" } else { "wrong" };
    let sentence = Sentence::of("The Master rules the answer of ")
        .power(seat)
        .words(format!(" {word}."));
    let because = given.line.text_of("reason");
    Ok(ruled("Ruling", sentence, because, vec![state.kept()]))
}

fn reject_question(
    given: &CommandInput<'_>,
    game: &Game,
    _dice: Dice<'_>,
) -> Result<MasterDecision, Refusal> {
    if game.phase != Phase::Movement {
        return refuse("A question can be rejected until the moves are adjudicated.");
    }
    let reason = given.line.words().unwrap_or_default().trim();
    let sentence = Sentence::of("The Master has rejected the question of ")
        .power(MASTERMIND)
        .words(match reason {
            "" => ".".to_owned(),
            reason => format!(": {reason}"),
        });
    let taken_back = Event::Submitted {
        power: MASTERMIND,
        name: QUESTION.to_owned(),
        data: None,
        lasting: true,
    };
    Ok(ruled("Question Rejected", sentence, None, vec![taken_back]))
}

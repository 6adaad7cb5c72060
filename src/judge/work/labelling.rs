//! The labels by which readers of the game in hand name its powers, and their assignment before a mail is made.

use crate::work::{GameWork, Recipient};
use dipjudge_game::project::{Labels, Roster};
use dipjudge_game::{Event, Sentence, VariantGame};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

impl GameWork<'_, '_> {
    /// The labels that a recipient has for the powers.
    pub(crate) fn labels(&self, to: Recipient) -> Labels<'_> {
        self.variant_game().seen_by(self.reader(to).viewer).labels()
    }

    /// A sentence as a recipient reads it.
    pub(crate) fn sentence(&self, to: Recipient, sentence: &Sentence) -> String {
        self.variant_game()
            .read_by(&self.reader(to))
            .sentence(sentence)
    }

    /// The powers that a sender may address.
    pub(crate) fn roster(&self, sender: Recipient) -> Roster {
        self.variant_game()
            .seen_by(self.reader(sender).viewer)
            .roster()
    }

    /// Gives recipients labels for all powers that the next mail names to them for the first time. Call it before the
    /// mail is made, since what a projection shows depends on the log alone.
    pub(crate) fn give_labels(&mut self, to: &[Recipient]) {
        let viewers: Vec<Viewer> = to.iter().map(|to| self.reader(*to).viewer).collect();
        self.give_labels_to(&viewers);
    }

    /// Like [`GameWork::give_labels`], for readers who may have no seat: what they would have received is archived for
    /// HISTORY.
    pub(crate) fn give_labels_to(&mut self, viewers: &[Viewer]) {
        for viewer in viewers {
            for given in self.variant_game().seen_by(*viewer).labels_to_give() {
                self.emit(Event::Labelled(given));
            }
        }
    }

    /// Gives a recipient labels for powers that a mail introduces, whether or not he sees anything of them.
    pub(crate) fn introduce(&mut self, to: Recipient, powers: &[Power]) {
        let viewer = self.reader(to).viewer;
        let (game, variant) = (self.game(), self.variant());
        for given in VariantGame::new(game, variant)
            .seen_by(viewer)
            .labels_to_introduce(powers)
        {
            self.emit(Event::Labelled(given));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::acts::seats;
    use crate::testing::with_game;
    use crate::work::acting::Acting;
    use crate::work::{GameWork, MailClass, Recipient};
    use dipjudge_game::labels::testing::{
        ENGLAND, FRANCE, GERMANY, RUSSIA, TURKEY, begun, seat_of,
    };
    use dipjudge_game::{Event, Game, Leave, SeatId, apply};
    use dipjudge_rules::map::Power;
    use dipjudge_view::Viewer;

    /// The mails that a unit of work with a game of the test variant sends, as addresses and texts, and its events.
    fn sent(game: &Game, act: impl FnOnce(&mut GameWork)) -> (Vec<(String, String)>, Vec<Event>) {
        let mut outcome = (Vec::new(), Vec::new());
        with_game(game, |work| {
            act(work);
            let mails = work.ruling.mails.iter().map(|mail| {
                let text = String::from_utf8(mail.letter.own.clone()).unwrap();
                (mail.to.clone(), text)
            });
            outcome = (mails.collect(), work.open.edit.events.clone());
        });
        outcome
    }

    fn reader(power: Power) -> Recipient {
        Recipient::new(seat_of(power), Some(power))
    }

    const MASTER: Recipient = Recipient::new(SeatId(1), None);

    /// Sends these readers a notice about France.
    fn tell_of_france(work: &mut GameWork, to: &[Recipient]) {
        work.broadcast(to, MailClass::Notice, |work, to| {
            let line = format!("It is {}.", work.labels(to).name(FRANCE));
            work.notice(to, "France", line)
        });
    }

    fn game() -> Game {
        begun(&[
            (TURKEY, "bur"),
            (FRANCE, "par"),
            (GERMANY, "mun"),
            (ENGLAND, "bel"),
            (RUSSIA, "mos"),
        ])
    }

    #[test]
    fn a_label_is_given_by_an_event_before_the_mail_that_first_names_the_power() {
        let mut game = game();
        let to = [reader(TURKEY), reader(RUSSIA), MASTER];
        let (mails, events) = sent(&game, |work| tell_of_france(work, &to));
        let to_whom = |address: &str, words: &str| {
            let found = mails.iter().find(|(to, _)| to == address).unwrap();
            assert!(found.1.contains(words), "{}", found.1);
        };
        assert_eq!(mails.len(), 3);
        to_whom("p8@ex.org", "It is Babel III.");
        to_whom("p7@ex.org", "It is Unknown.");
        to_whom("p1@ex.org", "It is Babel III.");
        // The labels are in the log before the effects of a mail, and a replay makes the same mails again.
        let labelled = |event: &Event| matches!(event, Event::Labelled(_));
        let first_other = events.iter().position(|event| !labelled(event)).unwrap();
        assert!(!events[first_other..].iter().any(labelled), "{events:?}");
        let log = serde_json::to_string(&events).unwrap();
        let logged: Vec<Event> = serde_json::from_str(&log).unwrap();
        for event in &logged {
            apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, event);
        }
        let (again, events) = sent(&game, |work| tell_of_france(work, &to));
        assert!(!events.iter().any(labelled), "{events:?}");
        for ((_, one), (_, other)) in mails.iter().zip(&again) {
            let body = |text: &str| text.split_once("\r\n\r\n").unwrap().1.to_owned();
            assert_eq!(body(one), body(other));
        }
    }

    #[test]
    fn who_is_told_nothing_is_given_no_label() {
        let game = game();
        let (_, events) = sent(&game, |work| {
            work.tell_others(None, "France", |work, to| {
                let told = to.power == Some(TURKEY);
                told.then(|| vec![format!("It is {}.", work.labels(to).name(FRANCE))])
            });
        });
        let labelled: Vec<Viewer> = events
            .iter()
            .filter_map(|event| match event {
                Event::Labelled(given) => Some(given.reader()),
                _ => None,
            })
            .collect();
        assert!(!labelled.is_empty());
        assert!(
            labelled
                .iter()
                .all(|reader| *reader == Viewer::Power(TURKEY)),
            "another's notice would order the labels of who sees two at different hours: {labelled:?}"
        );
    }

    #[test]
    fn a_notice_to_the_others_calls_its_power_as_each_reader_does() {
        let mut game = begun(&[(FRANCE, "par"), (GERMANY, "mun"), (RUSSIA, "mos")]);
        game.settings.blind = false;
        let acting = Acting {
            seat: seat_of(FRANCE),
            power: Some(FRANCE),
            from_home: true,
            by_token: true,
        };
        let (mails, _) = sent(&game, |work| {
            work.give_labels(&[acting.recipient()]);
            let said = seats::leave(work, acting, acting.seat, Leave::Resigned).unwrap();
            let resigned =
                "You have resigned as Babel in 'many'. Your power is now free for another player."
                    .to_owned();
            assert_eq!(said, resigned.into());
            work.send_notices();
        });
        let told: Vec<(&str, &str)> = mails
            .iter()
            .filter_map(|(to, text)| {
                let line = text.lines().find(|line| line.starts_with("Subject:"))?;
                Some((to.as_str(), line.rsplit(": ").next()?))
            })
            .collect();
        assert_eq!(
            told,
            [
                ("p1@ex.org", "Babel II"),
                ("p2@ex.org", "Babel II"),
                // England keeps its own name, and Germany's label comes before that of France.
                ("p3@ex.org", "Babel III"),
                ("p5@ex.org", "Babel II"),
                ("p6@ex.org", "Babel II"),
                ("p7@ex.org", "Babel II"),
                ("p8@ex.org", "Babel II"),
            ]
        );
    }
}

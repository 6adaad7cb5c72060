//! How a reader is told who wrote press.

use crate::work::{GameWork, Recipient};
use dipjudge_game::project::{self, Labels};
use dipjudge_game::{Role, Seat};
use dipjudge_mails::outbound::Sender;
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// The writer of white press, as far as this reader may know him.
pub(crate) fn white(
    work: &GameWork,
    to: Recipient,
    writer: &Seat,
    led: Option<Power>,
) -> Option<Sender> {
    white_by(work, to, writer, led, &work.labels(to))
}

/// Like [`white`], with powers named by `labels`.
pub(crate) fn white_by(
    work: &GameWork,
    to: Recipient,
    writer: &Seat,
    led: Option<Power>,
    labels: &Labels,
) -> Option<Sender> {
    let for_master = work.reader(to).viewer == Viewer::Master;
    let person = work.person_for(to, writer.id)?;
    let (power, letter) = name_of_writer(writer, led, labels);
    let masked = work.variant_game().hides_leaders() && writer.role != Role::Master;
    Some(if masked && for_master {
        Sender::Bracketed {
            address: writer.address.clone(),
            power,
            letter,
        }
    } else if masked && (person == project::HIDDEN || led.is_some()) {
        Sender::Power { power, letter }
    } else {
        Sender::Person {
            person,
            power,
            letter,
        }
    })
}

/// The writer's name and letter: those of his power, or substitutes for a writer who leads none.
pub(crate) fn name_of_writer(
    writer: &Seat,
    led: Option<Power>,
    labels: &Labels,
) -> (String, String) {
    match (writer.role, led) {
        (Role::Master, _) => ("Master".to_owned(), "M".to_owned()),
        (Role::Observer, _) => ("Observer".to_owned(), "O".to_owned()),
        (Role::Player, Some(power)) => (labels.name(power).to_owned(), labels.letter(power)),
        (Role::Player, None) => ("a power".to_owned(), "?".to_owned()),
    }
}

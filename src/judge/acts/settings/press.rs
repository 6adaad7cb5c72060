//! Which press a game allows (`judge-workflow.md` 5.2).

use serde_json::json;

use super::change::{ruler, setting, told};
use crate::commands::set_item::PressColors;
use crate::game::{Event, Fakes, ObserverPress};
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Said};
use crate::judge::work::authority::game_of;

/// SET WHITE, SET GREY and both together.
pub(super) fn colors(work: &mut Work, acting: Acting, colors: PressColors) -> Said {
    ruler(work, acting, "this setting")?;
    let (white, grey, grey_first, words) = match colors {
        PressColors::None => (false, false, false, "no press"),
        PressColors::White => (true, false, false, "white press"),
        PressColors::Grey => (false, true, true, "grey press"),
        PressColors::WhiteGrey => (true, true, false, "white and grey press"),
        PressColors::GreyWhite => (true, true, true, "grey and white press"),
    };
    // Three fields that only together mean something.
    for (field, on) in [("white", white), ("grey", grey), ("grey_first", grey_first)] {
        if game_of(work)?.settings.value(field) != Some(json!(on)) {
            work.emit(Event::Set {
                name: field.to_owned(),
                value: json!(on),
            });
        }
    }
    told(work, acting, &format!("set the game to {words}"))
}

/// SET OBSERVER.
pub(super) fn by_observers(work: &mut Work, acting: Acting, who: ObserverPress) -> Said {
    let words = match who {
        ObserverPress::Any => "any press",
        ObserverPress::White => "white press only",
        ObserverPress::None => "no press",
    };
    let done = format!("allowed observers {words}");
    setting(work, acting, "observer_press", json!(who), &done)
}

/// SET PARTIAL MAY BE FAKED.
pub(super) fn may_be_faked(work: &mut Work, acting: Acting) -> Said {
    fakes(work, acting, Fakes::May, "let partial press be faked")
}

/// SET PARTIAL FAKES BROADCAST BY DEFAULT.
pub(super) fn faked_by_default(work: &mut Work, acting: Acting) -> Said {
    let done = "let partial press read as a broadcast";
    fakes(work, acting, Fakes::BroadcastByDefault, done)
}

/// SET NO FAKE BROADCAST.
pub(super) fn no_fake_broadcast(work: &mut Work, acting: Acting) -> Said {
    fakes(work, acting, Fakes::PartialOnly, "forbade fake broadcasts")
}

/// SET NO FAKE.
pub(super) fn no_fake(work: &mut Work, acting: Acting) -> Said {
    fakes(work, acting, Fakes::No, "forbade fakes")
}

fn fakes(work: &mut Work, acting: Acting, fakes: Fakes, done: &str) -> Said {
    setting(work, acting, "fakes", json!(fakes), done)
}

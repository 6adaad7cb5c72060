//! Twelve years of a gunboat game through real mail servers (`games::gunboat`).

use jiff::Timestamp;

use crate::games::gunboat::{GunboatGame, PEOPLE};
use crate::servers_host::Servers;

#[test]
fn twelve_years_of_gunboat_through_real_servers() {
    let Some(mut servers) = Servers::start(PEOPLE.into_iter()) else {
        return;
    };
    let mut game = GunboatGame::at(&mut servers, Timestamp::now());
    game.play();
    assert!(game.record.len() > 500, "{} mails came", game.record.len());
    servers.keeper_has_heard_nothing();
}

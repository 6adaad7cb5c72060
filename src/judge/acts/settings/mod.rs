//! SET: what players may set for themselves, and masters for their games (`judge-workflow.md` 2.6 to 2.8). Here every
//! setting is given to the file that carries it out.

mod address;
mod approval;
mod change;
mod entry;
mod flag;
mod own;
mod preference;
mod press;
mod rules;
mod shown;
mod times;
mod variant;

pub(crate) use address::confirm as confirm_address;
pub(crate) use shown::information;

use crate::commands::set_item::SetItem;
use crate::judge::acts::absence;
use crate::judge::acts::votes;
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Said, refuse};
use times::Which;

/// What a setting needs to be proven (`judge-workflow.md` 7): that the mail really came from the address of record.
pub(crate) fn needs_home(item: &SetItem) -> bool {
    matches!(
        item,
        SetItem::Password(_)
            | SetItem::Address(_)
            | SetItem::Deadline(_)
            | SetItem::Grace(_)
            | SetItem::Start(_)
            | SetItem::Allow { .. }
            | SetItem::Deny { .. }
    )
}

/// Whether a setting decides who reads a seat's mail, at once or by a later sign-on.
fn redirects(item: &SetItem) -> bool {
    matches!(item, SetItem::Password(_) | SetItem::Address(_))
}

/// Carries out one setting; returns what to say of it. `from` is the address that the mail came from.
pub(crate) fn carry_out(work: &mut Work, acting: Acting, from: &str, item: &SetItem) -> Said {
    // What is sealed from a master stands in that mail.
    if redirects(item) && work.acts_as_power && work.seals_from_masters() {
        return refuse(
            "In this game something is sealed from its masters, so only a player himself sets where his mail goes, and his password.",
        );
    }
    match item {
        // Everybody's own
        SetItem::Wait(on) => own::wait(work, acting, *on),
        SetItem::Password(word) => own::password(work, acting, word.as_ref()),
        SetItem::Address(address) => address::set(work, acting, from, address.as_deref()),
        SetItem::AllPress(on) => own::all_press(work, acting, *on),
        SetItem::Zone(zone) => own::zone(work, acting, zone.as_deref()),
        SetItem::Remind(hours) => own::remind(work, acting, *hours),
        SetItem::Preference(list) => preference::set(work, acting, list),
        SetItem::Absence { from, to } => absence::set(work, acting, from, to.as_ref()),
        SetItem::NoAbsence(date) => absence::cancel(work, acting, date.as_ref()),
        SetItem::Draw(list) => votes::draw(work, acting, list.as_deref()),
        SetItem::Concede(to) => votes::concede(work, acting, to.as_deref()),
        SetItem::NoDraw | SetItem::NoConcede => votes::withdraw(work, acting),

        // When phases end
        SetItem::Deadline(date) => times::set(work, acting, Which::Deadline, date),
        SetItem::Grace(date) => times::set(work, acting, Which::Grace, date),
        SetItem::Start(date) => times::set(work, acting, Which::Start, date),
        SetItem::Timing { phase, keys } => times::clock(work, acting, *phase, keys),
        SetItem::MaxAbsence(days) => times::max_absence(work, acting, *days),

        // Who may come in
        SetItem::Dedication(n) => entry::dedication(work, acting, *n),
        SetItem::OnTimeRatio(r) => entry::on_time(work, acting, *r),
        SetItem::ResignationRatio(r) => entry::resigned(work, acting, *r),
        SetItem::Level(level) => entry::level(work, acting, *level),
        SetItem::Allow { address, remove } => entry::allow(work, acting, address, *remove),
        SetItem::Deny { address, remove } => entry::deny(work, acting, address, *remove),
        SetItem::Access(_) => Ok(vec![
            "ACCESS is read and shown, but refuses nobody: sites are anybody's word.".to_owned(),
        ]),
        SetItem::Approve(powers) => approval::set(work, acting, powers, true),
        SetItem::Disapprove(powers) => approval::set(work, acting, powers, false),

        // What is played
        SetItem::Map(name) => variant::map(work, acting, name),
        SetItem::Variant(words) => variant::set(work, acting, words, true),
        SetItem::NotVariant(words) => variant::set(work, acting, words, false),
        SetItem::Sight(from) => variant::sight(work, acting, *from),
        SetItem::Players(n) => variant::players(work, acting, *n),
        SetItem::Named {
            name,
            value,
            wanted,
        } => variant::own(work, acting, name, value, wanted),
        SetItem::Assignment(method) => rules::assignment(work, acting, *method),
        SetItem::Centers(n) => rules::centers(work, acting, *n),
        SetItem::BuildSites(sites) => rules::build_sites(work, acting, *sites),
        SetItem::Flag(flag, on) => flag::set(work, acting, *flag, *on),

        // Press
        SetItem::Press(colors) => press::colors(work, acting, *colors),
        SetItem::ObserverPress(who) => press::by_observers(work, acting, *who),
        SetItem::PartialMayBeFaked => press::may_be_faked(work, acting),
        SetItem::PartialFakesBroadcast => press::faked_by_default(work, acting),
        SetItem::NoFakeBroadcast => press::no_fake_broadcast(work, acting),
        SetItem::NoFake => press::no_fake(work, acting),

        // What is shown of the game
        SetItem::Comment(text) => shown::comment(work, acting, text.as_deref()),
        SetItem::CommentBegins => refuse("Put the text between SET COMMENT BEGIN and END COMMENT."),
        SetItem::Archive { name, number } => shown::archive(work, acting, name, number),

        SetItem::Broadcast(_) | SetItem::Pictures(_) | SetItem::Powers(_) => {
            refuse("This setting is not offered by this judge.")
        }
        SetItem::VariantOption(name, _) => refuse(format!(
            "{} is not an option of this variant.",
            name.to_uppercase()
        )),
        SetItem::NotOffered(name) => refuse(format!(
            "{} is not offered by this judge.",
            name.to_uppercase()
        )),
    }
}

//! The check of one message.

use jiff::Timestamp;
use mail_auth::{AuthenticatedMessage, DkimResult, MessageAuthenticator, Parameters};
use sha2::{Digest, Sha256};

use super::Sealers;
use super::keys::KeyCache;
use super::rules::{self, SignatureFacts};
use dipjudge_judge::SignedBy;
use dipjudge_mails::inbound::{self, Address, InboundMail, Limits};

/// The most signatures of a mail that are checked.
const MOST: usize = 3;

/// Checks signatures of mails to one judge.
pub struct SignatureChecker {
    /// The judge's own address.
    pub judge: Address,
    /// Whose chains of ARC are believed.
    pub sealers: Sealers,
    /// The keys that are known.
    pub keys: KeyCache,
    /// Whom others are asked for.
    pub resolver: MessageAuthenticator,
}

impl SignatureChecker {
    /// The signature that proves who sent a message, if it has one.
    pub async fn proving(&self, message: &[u8], arrived: Timestamp) -> Option<SignedBy> {
        let mail = inbound::read_header(message, &Limits::default())?;
        let message = inbound::without_mbox_line(message);
        let mut read = AuthenticatedMessage::parse(message)?;
        if !rules::is_for_this_judge(&read, mail.date, arrived, &self.judge) {
            return None;
        }
        // Others are not asked for keys.
        read.dkim_headers.retain(|header| {
            let signature = &header.header;
            rules::signs_for(&signature.d, &mail.from)
                && SignatureFacts::from(signature).covers_the_mail()
        });
        read.dkim_headers.truncate(MOST);
        let parameters = Parameters::new(&read).with_txt_cache(&self.keys);
        let checked = self.resolver.verify_dkim(parameters).await;
        let passed = checked
            .iter()
            .filter(|one| *one.result() == DkimResult::Pass);
        let mut passed = passed.filter_map(|one| one.signature());
        if let Some(signature) = passed.next() {
            return Some(signed("dkim", &signature.b));
        }
        self.by_chain(&read, &mail).await
    }

    /// The chain of ARC that proves it: all its sealers are named in the config, and the first has seen that the mail is of its
    /// sender's domain.
    async fn by_chain(
        &self,
        read: &AuthenticatedMessage<'_>,
        mail: &InboundMail,
    ) -> Option<SignedBy> {
        let domains = read
            .as_headers
            .iter()
            .map(|signature| signature.header.d.as_str());
        if read.as_headers.is_empty() || !rules::are_named(domains, &self.sealers) {
            return None;
        }
        let parameters = Parameters::new(read).with_txt_cache(&self.keys);
        let chain = self.resolver.verify_arc(parameters).await;
        if *chain.result() != DkimResult::Pass {
            return None;
        }
        let last = chain.sets().last()?.signature.header;
        let first = chain.sets().first()?;
        let seen = String::from_utf8_lossy(first.results.value);
        let proves = SignatureFacts::from(last).covers_the_mail()
            && inbound::sealed_results_prove(&seen, &mail.from);
        proves.then(|| signed("arc", &last.b))
    }
}

/// The key by which a signature is recognized that comes again.
fn signed(kind: &str, signature: &[u8]) -> SignedBy {
    let mut hash = Sha256::new();
    hash.update(kind.as_bytes());
    hash.update([0]);
    hash.update(signature);
    SignedBy {
        key: hash.finalize().into(),
    }
}

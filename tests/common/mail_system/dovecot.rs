//! Dovecot's configuration: IMAP with TLS, and LMTP through which Exim delivers.

use std::fs;

use super::MailSystem;

pub(super) fn configure(mail: &MailSystem, accounts: &[&str], more: &str) {
    let folder = mail.path().display();
    let (imap, imaps, lmtp) = (mail.ports.imap, mail.ports.imaps, mail.ports.lmtp);
    let text = format!(
        "base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
instance_name = {folder}
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:{folder}/mail/%n/Maildir
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
mail_max_userip_connections = 100
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%n {folder}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%n {folder}/users
  default_fields = uid=mail gid=mail home={folder}/mail/%n
}}
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service stats {{
  client_limit = 100
}}
{more}
"
    );
    fs::write(mail.path().join("dovecot.conf"), text).unwrap();
    let users: String = accounts
        .iter()
        .map(|name| format!("{name}:{{PLAIN}}{}::::::\n", MailSystem::password(name)))
        .collect();
    fs::write(mail.path().join("users"), users).unwrap();
    fs::create_dir(mail.path().join("mail")).unwrap();
    mail.give(&mail.path().join("mail"), "mail:mail");
}

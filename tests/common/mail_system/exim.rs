//! Exim's configuration: takes mail for mail.test and hands it to Dovecot.
//!
//! Recipients with a meaning: `tempfail` is always put off (451 4.7.1), `greylist` until the file `open` exists, `reject` is refused (550
//! 5.1.1), everybody outside mail.test is (550 relay not permitted). Whoever has no account is accepted and then bounced, a real DSN. A
//! message over 300 kB is too large (552), and one with the header `X-Test: spam` is refused after its text. By XOAUTH2 logs in who says
//! what stands in the file `xoauth2`.

use std::fs;

use super::MailSystem;

pub(super) fn configure(mail: &MailSystem) {
    let folder = mail.path().display();
    let (smtp, smtps, lmtp) = (mail.ports.smtp, mail.ports.smtps, mail.ports.lmtp);
    let text = format!(
        "keep_environment =
primary_hostname = mail.test
spool_directory = {folder}/spool
log_file_path = {folder}/log/%slog
pid_file_path = {folder}/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = {smtp} : {smtps}
tls_on_connect_ports = {smtps}
tls_advertise_hosts = *
tls_certificate = {folder}/exim-cert.pem
tls_privatekey = {folder}/exim-key.pem
auth_advertise_hosts = *
never_users =
domainlist local_domains = mail.test
message_size_limit = 300k
smtp_accept_queue_per_connection = 0
smtp_accept_max_per_connection = 0
smtp_accept_max = 100
acl_smtp_rcpt = acl_rcpt
acl_smtp_data = acl_data
log_selector = +smtp_connection
begin acl
acl_rcpt:
  defer
    local_parts = tempfail
    message = 4.7.1 greylisted, try again later
  defer
    local_parts = greylist
    condition = ${{if exists{{{folder}/open}} {{no}}{{yes}}}}
    message = 4.7.1 greylisted, try again later
  deny
    local_parts = reject
    message = 5.1.1 no such user here
  accept
    domains = +local_domains
  deny
    message = relay not permitted
acl_data:
  deny
    condition = ${{if eq{{$h_X-Test:}}{{spam}}}}
    message = 5.7.1 this looks like spam
  accept
begin routers
lmtp_all:
  driver = manualroute
  domains = +local_domains
  route_list = * 127.0.0.1
  self = send
  transport = lmtp_tcp
begin transports
lmtp_tcp:
  driver = smtp
  protocol = lmtp
  port = {lmtp}
  allow_localhost
  hosts_avoid_tls = *
begin retry
*  *  F,1m,1s; G,1h,10s,1.5; F,4d,1h
begin authenticators
plain_server:
  driver = plaintext
  public_name = PLAIN
  server_set_id = $auth2
  server_condition = ${{if eq{{$auth3}}{{pw-${{sg{{$auth2}}{{@.*}}{{}}}}}}}}
  server_advertise_condition = yes
xoauth2_server:
  driver = plaintext
  public_name = XOAUTH2
  server_set_id = token
  server_condition = ${{if eq{{$auth1}}{{${{readfile{{{folder}/xoauth2}}}}}}}}
  server_advertise_condition = yes
"
    );
    fs::write(mail.path().join("exim.conf"), text).unwrap();
    for name in ["spool", "log"] {
        fs::create_dir(mail.path().join(name)).unwrap();
        mail.give(&mail.path().join(name), "Debian-exim:Debian-exim");
    }
    // Exim reads the key as its own user; Dovecot's copy stays root's.
    for (from, to) in [("cert.pem", "exim-cert.pem"), ("key.pem", "exim-key.pem")] {
        fs::copy(mail.path().join(from), mail.path().join(to)).unwrap();
        mail.give(&mail.path().join(to), "Debian-exim:Debian-exim");
    }
}

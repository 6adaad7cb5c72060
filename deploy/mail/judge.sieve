# For Dovecot: each message goes to the judge, and none stays in the mailbox but those that deliver could not take.
require "vnd.dovecot.pipe";
pipe "dipjudge-deliver";

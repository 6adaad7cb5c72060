//! The `::` block and the subject of a mail about a game (`judge-workflow.md` 6.1, 6.10).

use std::sync::OnceLock;

use regex::Regex;

use super::Document;
use super::fixed_tables::name_value_table;
use crate::inbound::clean_header_text;
use dipjudge_view::{Heading, columns};

/// The block at the head of a mail about a game. Its second line ends with two blanks, as in mails of the old judge, since
/// tools expect them.
pub(super) fn block(heading: &Heading) -> Document {
    let deadline = match &heading.deadline {
        Some(moment) => moment.to_string(),
        None => "not set".to_owned(),
    };
    let deadline = if heading.phase.is_empty() {
        deadline
    } else {
        format!("{} {deadline}", heading.phase)
    };
    let facts = [
        (columns::JUDGE, &heading.judge),
        (columns::GAME, &heading.title),
        (columns::VARIANT, &heading.variant),
        (columns::DEADLINE, &deadline),
    ];
    let [judge, game, variant, deadline] = facts.map(|(name, value)| format!("{name}: {value}"));
    let rows = facts.map(|(name, value)| vec![name.to_owned(), value.clone()]);
    Document::fixed_lines(
        format!(":: {judge}  {game}  {variant}\n:: {deadline}  "),
        name_value_table(rows.into()),
    )
}

/// The block at the head of a mail that concerns no game.
pub(super) fn bare_block(judge: &str) -> Document {
    let row = vec![columns::JUDGE.to_owned(), judge.to_owned()];
    let line = format!(":: {}: {judge}", columns::JUDGE);
    Document::fixed_lines(line, name_value_table(vec![row]))
}

/// `USXX:kaiser - S1901M Results`; before the start, when there is no phase, `USXX:kaiser - Results`.
pub(super) fn subject(heading: &Heading, tail: &str) -> String {
    let place = format!("{}:{} -", heading.judge, heading.game);
    if heading.phase.is_empty() {
        format!("{place} {tail}")
    } else {
        format!("{place} {} {tail}", heading.phase)
    }
}

/// The most codes that a subject names one by one.
const MAX_CODES: usize = 6;

/// Letters or codes of powers as a subject names them: `EFT`, `JED ZOR`. All letters are listed, since old tools read
/// them. Of more than `MAX_CODES` codes the first are listed with the number of the others, `JED ZOR KLA BAJ CAR and 29
/// more`, because a subject is shown on one line; the body names all of them.
pub fn codes_in_subject(codes: &[&str]) -> String {
    if codes.iter().all(|code| code.chars().count() == 1) {
        return codes.concat();
    }
    match codes.get(..MAX_CODES - 1) {
        Some(first) if codes.len() > MAX_CODES => {
            format!("{} and {} more", first.join(" "), codes.len() - first.len())
        }
        _ => codes.join(" "),
    }
}

/// The subject of an answer: `Re: [Error Flag] USXX:kaiser - S1901M orders`. `Re:`, the flag, a reply token and the prefix
/// are removed from what the sender wrote, so that subjects do not grow; if nothing is left it is `orders`.
pub(super) fn reply_subject(heading: Option<&Heading>, written: &str, error_flag: bool) -> String {
    let flag = if error_flag { "[Error Flag] " } else { "" };
    let rest = stripped(written);
    match heading {
        Some(heading) => {
            let rest = if rest.is_empty() { "orders" } else { &rest };
            format!("Re: {flag}{}", subject(heading, rest))
        }
        None if rest.is_empty() => format!("Re: {flag}your mail"),
        None => format!("Re: {flag}{rest}"),
    }
}

/// A subject without the parts that the judge or a mail program added.
fn stripped(written: &str) -> String {
    static PREFIX: OnceLock<Option<Regex>> = OnceLock::new();
    static TOKEN: OnceLock<Option<Regex>> = OnceLock::new();
    let prefix = PREFIX.get_or_init(|| {
        let pattern = concat!(
            r"(?i)^\s*(?:(?:re|aw|antw|sv|vs|odp|rif|fwd?|wg|tr)\s*(?:\[\d+\])?\s*:",
            r"|\[error flag\]|\[you are late!\]",
            r"|[a-z]{2,8}:[a-z][a-z0-9]{0,14}\s+-(?:\s+[a-z]\d{4}[a-z]{1,2}(?:\s|$))?)\s*",
        );
        Regex::new(pattern).ok()
    });
    let token = TOKEN.get_or_init(|| Regex::new(r"\[#[^\]]*\]").ok());
    let cleaned = clean_header_text(written);
    let mut rest = match token {
        Some(token) => token.replace_all(&cleaned, "").into_owned(),
        None => cleaned,
    };
    if let Some(prefix) = prefix {
        while let Some(found) = prefix.find(&rest) {
            rest = rest.get(found.end()..).unwrap_or_default().to_owned();
        }
    }
    rest.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn of_many_codes_a_subject_names_the_first_ones() {
        assert_eq!(codes_in_subject(&["E", "F", "T"]), "EFT");
        assert_eq!(codes_in_subject(&["A"; 9]), "AAAAAAAAA");
        assert_eq!(codes_in_subject(&["JED", "M"]), "JED M");
        let codes: Vec<String> = ('A'..='Z').map(|letter| format!("X{letter}X")).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let six = codes_in_subject(codes.get(..6).unwrap());
        assert_eq!(six, "XAX XBX XCX XDX XEX XFX");
        let all = codes_in_subject(&codes);
        assert_eq!(all, "XAX XBX XCX XDX XEX and 21 more");
    }

    #[test]
    fn reply_subjects_do_not_grow() {
        let heading = samples::heading("S1901M");
        let answer = |written: &str, flag| reply_subject(Some(&heading), written, flag);
        assert_eq!(
            answer("orders", true),
            "Re: [Error Flag] USXX:kaiser - S1901M orders"
        );
        assert_eq!(answer("", false), "Re: USXX:kaiser - S1901M orders");
        for written in [
            "Re: [Error Flag] USXX:kaiser - S1901M my moves",
            "RE: Re: Re[2]: my moves",
            "AW: [You are late!] USXX:kaiser - F1901BX my moves [#c0ffee]",
            "USXX:kaiser - my moves",
        ] {
            assert_eq!(
                answer(written, false),
                "Re: USXX:kaiser - S1901M my moves",
                "{written}"
            );
        }
        let once = answer("my moves", true);
        assert_eq!(answer(&once, true), once);
        assert_eq!(
            answer("Return: to sender", false),
            "Re: USXX:kaiser - S1901M Return: to sender"
        );
    }

    #[test]
    fn a_subject_cannot_carry_a_line_break() {
        let heading = samples::heading("S1901M");
        assert_eq!(
            reply_subject(Some(&heading), "a\r\nBcc: x@ex.org", false),
            "Re: USXX:kaiser - S1901M a Bcc: x@ex.org"
        );
    }

    #[test]
    fn without_a_game_the_answer_keeps_the_subject() {
        assert_eq!(reply_subject(None, "re: REGISTER", false), "Re: REGISTER");
        assert_eq!(reply_subject(None, " ", false), "Re: your mail");
    }
}

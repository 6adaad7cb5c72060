//! The secret token of a reply: `judge+TOKEN@host` among the addresses of a mail, or `[#TOKEN]` in its subject.

use super::address::Address;

/// The lengths that a token can have.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=80;

/// All tokens, in lower case, without repetition: those of the addresses in their order, then those of the subject.
pub(super) fn tokens<'a>(
    addresses: impl Iterator<Item = &'a Address>,
    subject: &str,
    judge: &Address,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let in_addresses =
        addresses.filter_map(|address| address.detail_of(judge).map(str::to_lowercase));
    for token in in_addresses.chain(in_subject(subject)) {
        if is_token(&token) && !found.contains(&token) {
            found.push(token);
        }
    }
    found
}

/// `[#TOKEN]`, perhaps with blanks where a mail program folded it.
fn in_subject(subject: &str) -> impl Iterator<Item = String> {
    let pieces = subject
        .split("[#")
        .skip(1)
        .filter_map(|piece| piece.split_once(']'));
    pieces.map(|(inner, _)| inner.split_whitespace().collect::<String>().to_lowercase())
}

fn is_token(text: &str) -> bool {
    LENGTHS.contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_found_in_addresses_and_subjects() {
        let judge = Address::parse("judge@example.org").unwrap();
        let read = |addresses: &[&str], subject: &str| {
            let addresses: Vec<Address> = addresses
                .iter()
                .map(|text| Address::parse(text).unwrap())
                .collect();
            tokens(addresses.iter(), subject, &judge)
        };
        assert_eq!(
            read(&["Judge+ABCdef123456@Example.org"], ""),
            ["abcdef123456"]
        );
        assert_eq!(
            read(&["judge@example.org", "judge+x@example.org"], ""),
            Vec::<String>::new()
        );
        assert_eq!(
            read(&["judge+abcdef123456@example.net"], ""),
            Vec::<String>::new()
        );
        assert_eq!(read(&[], "Re: friday [#ABCDEF123456]"), ["abcdef123456"]);
        assert_eq!(
            read(&[], "Re: friday [#ABCDEF 123456] and [# 1"),
            ["abcdef123456"]
        );
        assert_eq!(
            read(
                &[
                    "judge+first12345@example.org",
                    "judge+second1234@example.org"
                ],
                "[#FIRST12345]"
            ),
            ["first12345", "second1234"]
        );
        assert_eq!(read(&[], "[#drop table]"), ["droptable"]);
        assert_eq!(read(&[], "[#../../etc/passwd]"), Vec::<String>::new());
    }
}

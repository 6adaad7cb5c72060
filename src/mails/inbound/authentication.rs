//! What the trusted mail host found out about the sender (RFC 8601).
//!
//! Anybody can write an `Authentication-Results` field, so only the topmost one with the configured name counts, and the
//! host must remove forged ones with its name (RFC 8601 5).

use super::address::Address;
use super::fields::{Fields, unfold};

/// The most fields that are kept.
const MAX_COUNT: usize = 20;

/// How well it is proven that the mail is from the address in `From`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No host is trusted, and no signature was found valid; `From` is believed, as in the old judges.
    NotConfigured,
    /// The domain of `From` confirms the mail: DMARC passed, or a DKIM signature of that domain or one above it.
    Pass,
    /// The domain of `From` rejects the mail: the sender needs a password or a token.
    Fail,
    /// There is no result either way.
    None,
}

/// The results that hosts on the way wrote into the header, top first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authentication {
    fields: Vec<String>,
    /// Whether the domain of `From` has signed the mail, as was found here.
    signed: bool,
}

impl Authentication {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
        Authentication {
            fields: fields
                .all("authentication-results")
                .take(MAX_COUNT)
                .map(unfold)
                .collect(),
            signed: false,
        }
    }

    /// The same with a signature of the sender's domain that was found valid here.
    pub(super) fn signed(self) -> Self {
        Authentication {
            signed: true,
            ..self
        }
    }

    /// What the host named `authserv_id` found out about mail from `from`.
    pub(super) fn proven(&self, authserv_id: Option<&str>, from: &Address) -> Proof {
        let Some(trusted) = authserv_id else {
            return if self.signed {
                Proof::Pass
            } else {
                Proof::NotConfigured
            };
        };
        let results = self.fields.iter().filter_map(|field| Results::read(field));
        match results
            .into_iter()
            .find(|results| results.host.eq_ignore_ascii_case(trusted.trim()))
        {
            Some(results) => results.judge(from.domain()),
            None => Proof::None,
        }
    }
}

/// Whether an `ARC-Authentication-Results` field (RFC 8617 4.1.1) says that a mail is from this address.
pub(super) fn sealed_results_prove(field: &str, from: &Address) -> bool {
    // Before the host it says which hop wrote it: `i=1; mx.example.org; dmarc=pass`.
    let results = field.split_once(';').map(|(_, results)| results);
    let results = results.map(|text| unfold(text.as_bytes()));
    let results = results.as_deref().and_then(Results::read);
    results.is_some_and(|results| results.judge(from.domain()) == Proof::Pass)
}

/// One field, taken apart.
struct Results {
    host: String,
    methods: Vec<Method>,
}

/// `dkim=pass header.d=example.org`.
struct Method {
    name: String,
    result: String,
    properties: Vec<(String, String)>,
}

impl Results {
    fn read(field: &str) -> Option<Self> {
        let clauses = clauses(field);
        let (head, rest) = clauses.split_first()?;
        // A version may follow the host's name.
        let host = match head.first()? {
            Token::Word(host) => host.clone(),
            Token::Equals => return None,
        };
        Some(Results {
            host,
            methods: rest
                .iter()
                .filter_map(|clause| Method::read(clause))
                .collect(),
        })
    }

    fn judge(&self, domain: &str) -> Proof {
        let of = |name: &str| {
            self.methods
                .iter()
                .filter(move |method| method.name == name)
                .collect::<Vec<_>>()
        };
        let about_us = |method: &&Method| {
            method
                .property("header.from")
                .is_none_or(|from| from.eq_ignore_ascii_case(domain))
        };
        let dmarc = of("dmarc");
        if dmarc
            .iter()
            .any(|method| method.result == "fail" && about_us(method))
        {
            return Proof::Fail;
        }
        if dmarc
            .iter()
            .any(|method| method.result == "pass" && about_us(method))
        {
            return Proof::Pass;
        }
        let aligned: Vec<&Method> = of("dkim")
            .into_iter()
            .filter(|method| method.signs_for(domain))
            .collect();
        if aligned.iter().any(|method| method.result == "pass") {
            return Proof::Pass;
        }
        if aligned.iter().any(|method| method.result == "fail") {
            return Proof::Fail;
        }
        Proof::None
    }
}

impl Method {
    fn read(clause: &[Token]) -> Option<Self> {
        let [
            Token::Word(name),
            Token::Equals,
            Token::Word(result),
            rest @ ..,
        ] = clause
        else {
            return None;
        };
        let mut properties = Vec::new();
        let mut rest = rest;
        while let [first, tail @ ..] = rest {
            rest = match (first, tail) {
                (Token::Word(name), [Token::Equals, Token::Word(value), after @ ..]) => {
                    properties.push((name.to_ascii_lowercase(), value.clone()));
                    after
                }
                _ => tail,
            };
        }
        // `dkim/1=pass`: the version of the method says nothing here.
        let name = name
            .split('/')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        Some(Method {
            name,
            result: result.to_ascii_lowercase(),
            properties,
        })
    }

    fn property(&self, name: &str) -> Option<&str> {
        self.properties
            .iter()
            .find(|(have, _)| have == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether the signature is of the domain itself or of one above it. One below it is not enough: `evil.example.co` must not
    /// sign for `example.co`, which may give names below it to strangers.
    fn signs_for(&self, domain: &str) -> bool {
        let signer = match (self.property("header.d"), self.property("header.i")) {
            (Some(signer), _) => signer,
            (None, Some(identity)) => identity
                .rsplit_once('@')
                .map_or(identity, |(_, domain)| domain),
            (None, None) => return false,
        };
        let signer = signer.trim_end_matches('.').to_lowercase();
        let above = || {
            domain
                .strip_suffix(signer.as_str())
                .is_some_and(|rest| rest.ends_with('.'))
        };
        signer == domain || (signer.contains('.') && above())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Equals,
}

/// The field's parts between semicolons, as words and equals signs, without comments.
fn clauses(field: &str) -> Vec<Vec<Token>> {
    let mut reader = ClauseReader::default();
    let mut signs = field.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '(' => {
                reader.end_word();
                skip_comment(&mut signs);
            }
            '"' => loop {
                match signs.next() {
                    Some('"') | None => break,
                    Some('\\') => reader.word.extend(signs.next()),
                    Some(inner) => reader.word.push(inner),
                }
            },
            ';' => reader.end_clause(),
            '=' => {
                reader.end_word();
                reader.clause.push(Token::Equals);
            }
            blank if blank.is_whitespace() => reader.end_word(),
            other => reader.word.push(other),
        }
    }
    reader.end_clause();
    reader.clauses
}

/// Passes over the rest of a comment, in which comments may nest.
fn skip_comment(signs: &mut std::str::Chars<'_>) {
    let mut depth = 1_usize;
    while depth > 0 {
        match signs.next() {
            Some('(') => depth += 1,
            Some(')') => depth -= 1,
            Some('\\') => {
                signs.next();
            }
            Some(_) => {}
            None => break,
        }
    }
}

/// The clauses read so far, the last of them and its last word not yet ended.
#[derive(Default)]
struct ClauseReader {
    clauses: Vec<Vec<Token>>,
    clause: Vec<Token>,
    word: String,
}

impl ClauseReader {
    fn end_word(&mut self) {
        if !self.word.is_empty() {
            self.clause
                .push(Token::Word(std::mem::take(&mut self.word)));
        }
    }

    fn end_clause(&mut self) {
        self.end_word();
        self.clauses.push(std::mem::take(&mut self.clause));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proven(header: &str) -> Proof {
        let text = format!("{header}\r\n\r\n");
        let results = Authentication::read(&Fields::split(text.as_bytes()).0);
        results.proven(
            Some("mx.example.org"),
            &Address::parse("ben@mail.example.net").unwrap(),
        )
    }

    fn said(results: &str) -> Proof {
        proven(&format!(
            "Authentication-Results: mx.example.org; {results}"
        ))
    }

    #[test]
    fn dmarc_and_aligned_dkim_prove() {
        assert_eq!(
            said("dmarc=pass (p=REJECT) header.from=mail.example.net"),
            Proof::Pass
        );
        assert_eq!(
            said("spf=fail smtp.mailfrom=x@y.org;\r\n dmarc=pass"),
            Proof::Pass
        );
        assert_eq!(said("dkim=pass header.d=mail.example.net"), Proof::Pass);
        assert_eq!(
            said("dkim=pass (2048-bit key; =\\) tricky) header.d=EXAMPLE.net header.s=a"),
            Proof::Pass
        );
        assert_eq!(
            said("dkim=pass header.i=@example.net header.s=x"),
            Proof::Pass
        );
        assert_eq!(
            said("dkim/1 = pass reason=\"a; b=c\" header.d = example.net"),
            Proof::Pass
        );
        assert_eq!(
            said("dkim=fail header.d=list.org; dkim=pass header.d=example.net"),
            Proof::Pass
        );
    }

    #[test]
    fn a_disowned_mail_fails() {
        assert_eq!(
            said("dmarc=fail header.from=mail.example.net; dkim=pass header.d=example.net"),
            Proof::Fail
        );
        assert_eq!(said("dkim=fail header.d=example.net"), Proof::Fail);
    }

    #[test]
    fn what_speaks_of_others_is_no_proof() {
        for results in [
            "none",
            "dmarc=pass header.from=evil.org",
            "dkim=pass header.d=evil.org",
            "dkim=pass header.d=net",
            "dkim=pass header.d=deep.mail.example.net",
            "dkim=pass header.d=xample.net",
            "dkim=pass",
            "dkim=none; dmarc=none; spf=pass smtp.mailfrom=mail.example.net",
            "x=\"dmarc=pass\"",
            "(dmarc=pass",
            "=pass",
        ] {
            assert_eq!(said(results), Proof::None, "{results}");
        }
    }

    #[test]
    fn only_the_topmost_field_of_the_trusted_host_counts() {
        let forged = "Authentication-Results: mx.example.org; dmarc=pass";
        assert_eq!(
            proven(&format!(
                "Authentication-Results: mx.example.org 1; dmarc=fail\r\n{forged}"
            )),
            Proof::Fail
        );
        assert_eq!(
            proven(&format!(
                "Authentication-Results: other.org; dmarc=fail\r\n{forged}"
            )),
            Proof::Pass
        );
        assert_eq!(
            proven("Authentication-Results: evil.org; dmarc=pass"),
            Proof::None
        );
        assert_eq!(
            proven("Authentication-Results: evil.org (mx.example.org); dmarc=pass"),
            Proof::None
        );
        assert_eq!(proven("Subject: x"), Proof::None);
        let nothing = Authentication::default();
        assert_eq!(
            nothing.proven(None, &Address::parse("a@b.org").unwrap()),
            Proof::NotConfigured
        );
    }
}

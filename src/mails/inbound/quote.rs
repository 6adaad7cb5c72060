//! Decides which lines are the sender's own, quoted, or a signature.

use super::attribution::{Attribution, attribution, divides, header_block};
use super::quotation_words::QuotationWords;
use super::raw_line::RawLine;

/// Who wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePart {
    /// The sender's own.
    Own,
    /// Quoted from another mail, or the attribution before a quotation.
    Quote,
    /// A signature, the footer of a list, "Sent from my phone", and everything after `--`.
    Signature,
}

/// The part of each line. `cleaned` are the same lines, cleaned.
pub(super) fn parts(raw: &[RawLine], cleaned: &[String]) -> Vec<LinePart> {
    let texts: Vec<&str> = cleaned.iter().map(String::as_str).collect();
    let lines = MailLines { raw, texts };
    let mut parts = Vec::with_capacity(raw.len());
    while parts.len() < raw.len() {
        match lines.at(parts.len()) {
            LineRun::One(part) => parts.push(part),
            LineRun::Some(part, count) => {
                parts.resize((parts.len() + count.max(1)).min(raw.len()), part)
            }
            LineRun::Rest(part) => parts.resize(raw.len(), part),
        }
    }
    mark_broken_links(&lines, &mut parts);
    mark_device(&lines, &mut parts);
    parts
}

/// The lines that are decided at once, from a given one on.
enum LineRun {
    One(LinePart),
    Some(LinePart, usize),
    Rest(LinePart),
}

struct MailLines<'a> {
    raw: &'a [RawLine],
    texts: Vec<&'a str>,
}

impl<'a> MailLines<'a> {
    fn at(&self, index: usize) -> LineRun {
        if self.is_quoted(index) {
            return LineRun::One(LinePart::Quote);
        }
        let Some((line, below)) = self.texts.get(index..).and_then(<[&str]>::split_first) else {
            return LineRun::Rest(LinePart::Own);
        };
        if self.delimits(index) || is_list_footer(line, below) {
            return LineRun::Rest(LinePart::Signature);
        }
        if divides(line) {
            let divider = Attribution {
                lines: 1,
                certain: true,
            };
            return self.quotation(index, divider);
        }
        if self.texts.get(index..).is_some_and(header_block)
            || (is_rule(line) && first_filled(below).is_some_and(header_block))
        {
            return LineRun::Rest(LinePart::Quote);
        }
        match self.texts.get(index..).and_then(attribution) {
            Some(found) => self.quotation(index, found),
            None => LineRun::One(LinePart::Own),
        }
    }

    /// An attribution was found. If marked lines follow, they are the quotation, and lines below them are the sender's again;
    /// otherwise all following lines are the quotation, since nothing marks its end.
    fn quotation(&self, index: usize, found: Attribution) -> LineRun {
        let next = (index + found.lines..self.texts.len()).find(|at| {
            self.texts
                .get(*at)
                .is_some_and(|text| !text.trim().is_empty())
        });
        match next {
            Some(next) if self.is_quoted(next) => LineRun::Some(LinePart::Quote, found.lines),
            _ if found.certain => LineRun::Rest(LinePart::Quote),
            _ => LineRun::One(LinePart::Own),
        }
    }

    fn is_quoted(&self, index: usize) -> bool {
        self.raw.get(index).is_some_and(|line| line.depth > 0)
    }

    /// Whether it is the delimiter of a signature. Phones replace two hyphens by a long dash.
    fn delimits(&self, index: usize) -> bool {
        let text = self.raw.get(index).map(|line| line.text.trim_end());
        matches!(text, Some("--" | "\u{2014}"))
    }
}

/// The lines from the first one that is not empty.
fn first_filled<'s, 'a>(lines: &'s [&'a str]) -> Option<&'s [&'a str]> {
    let first = lines
        .iter()
        .take(3)
        .position(|line| !line.trim().is_empty())?;
    lines.get(first..)
}

/// Whether a line is drawn with one sign, as by Outlook above the original mail.
fn is_rule(line: &str) -> bool {
    let line = line.trim().as_bytes();
    line.len() >= 5
        && line
            .first()
            .is_some_and(|first| b"_-=*~#".contains(first) && line.iter().all(|sign| sign == first))
}

/// Whether the footer of a mailing list begins here: a rule of underscores, then the list's name or address.
fn is_list_footer(line: &str, below: &[&str]) -> bool {
    let rule = line.trim();
    rule.len() >= 30
        && rule.bytes().all(|byte| byte == b'_')
        && below.iter().take(4).any(|text| {
            text.contains("mailing list") || text.contains("http://") || text.contains("https://")
        })
}

/// Marks lines between quoted ones that are pieces of a link, which a program has broken without a mark.
fn mark_broken_links(lines: &MailLines<'_>, parts: &mut [LinePart]) {
    for index in 1..parts.len() {
        let between = lines.is_quoted(index - 1) && lines.is_quoted(index + 1);
        let (Some(part), Some(text)) = (parts.get_mut(index), lines.texts.get(index)) else {
            return;
        };
        let above = lines.texts.get(index - 1);
        if *part == LinePart::Own
            && between
            && (begins_link(text)
                || (above.is_some_and(|above| is_open_link(above)) && closes_link(text)))
        {
            *part = LinePart::Quote;
        }
    }
}

fn begins_link(line: &str) -> bool {
    let line = line.trim_start();
    ["(http", "<http"]
        .iter()
        .any(|begin| line.starts_with(begin))
}

/// Whether a line ends within a link in brackets.
fn is_open_link(line: &str) -> bool {
    line.rsplit_once(['(', '<'])
        .is_some_and(|(_, link)| link.starts_with("http") && !link.contains([')', '>', ' ']))
}

fn closes_link(line: &str) -> bool {
    line.trim_end().ends_with([')', '>']) && !line.trim().contains(' ')
}

/// Marks the sender's last lines as a signature if they only name a device. What stands above words of his own is no
/// signature.
fn mark_device(lines: &MailLines<'_>, parts: &mut [LinePart]) {
    for (part, text) in parts.iter_mut().zip(&lines.texts).rev() {
        let line = text.trim().to_lowercase();
        if *part != LinePart::Own || line.is_empty() {
            continue;
        }
        if !QuotationWords::all().signs(&line) {
            return;
        }
        *part = LinePart::Signature;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::clean::clean_line;
    use crate::inbound::raw_line::fixed;

    /// `o` own, `q` quote, `s` signature, one letter a line.
    fn marks(text: &str) -> String {
        let raw = fixed(text);
        let cleaned: Vec<String> = raw.iter().map(|line| clean_line(&line.text)).collect();
        let letters = parts(&raw, &cleaned).into_iter().map(|part| match part {
            LinePart::Own => 'o',
            LinePart::Quote => 'q',
            LinePart::Signature => 's',
        });
        letters.collect()
    }

    #[test]
    fn orders_above_and_below_a_quotation_are_own() {
        assert_eq!(
            marks(
                "A Par H\n\nOn Mon, 2 Mar 2026 at 18:04, J <j@x.org> wrote:\n> old\n>\n> older\n\nA Mar H"
            ),
            "ooqqqqoo"
        );
        assert_eq!(marks("> old\nA Par H\n> older\nA Mar H"), "qoqo");
        assert_eq!(marks("As Ben wrote:\n> peace!\nI agree"), "qqo");
    }

    #[test]
    fn unmarked_quotations_reach_to_the_end() {
        assert_eq!(
            marks("A Par H\nOn Mon, 2 Mar 2026 at 18:04, J <j@x.org>\nwrote:\n\nold\nA Mar H"),
            "oqqqqq"
        );
        assert_eq!(
            marks("A Par H\n-----Original Message-----\nFrom: J\nA Mar H"),
            "oqqq"
        );
        assert_eq!(
            marks(
                "A Par H\n________________________________\nFrom: J\nSent: Monday\nTo: me\nSubject: x\n\nA Mar H"
            ),
            "oqqqqqqq"
        );
        assert_eq!(
            marks("A Par H\n\nVon: J\nGesendet: Montag\nAn: Ben\n\nA Mar H"),
            "ooqqqqq"
        );
        assert_eq!(marks("On Mon, 2 Mar 2026, J <j@x.org> wrote:"), "q");
    }

    #[test]
    fn own_words_are_not_taken_for_a_quotation() {
        assert_eq!(marks("As Bismarck wrote:\nThe great questions"), "oo");
        assert_eq!(
            marks("PRESS TO F\nFrom: the king\nwith love\nENDPRESS\nA Par H"),
            "ooooo"
        );
        assert_eq!(marks("---\nA Par H\n______\nA Mar H"), "oooo");
    }

    #[test]
    fn orders_below_what_only_looks_like_an_attribution_stay() {
        for text in [
            "Turkey writes:\nA Par - Bur",
            "As Ben said:\nA Par - Bur",
            "Orders I sent:\nA Par - Bur",
            "---- Ben wrote ----\nA Par - Bur",
            "From: Paris\nTo: Burgundy\nA Par - Bur",
            "Date: spring\nA Par - Bur",
            "Sent from my throne\nA Par - Bur",
        ] {
            assert!(!marks(text).contains(['q', 's']), "{text}");
        }
    }

    #[test]
    fn a_signature_ends_the_reading() {
        assert_eq!(marks("A Par H\n-- \nBen\nA Mar H\n> old"), "ossss");
        assert_eq!(marks("A Par H\n--\nBen"), "oss");
        assert_eq!(marks("A Par H\n\u{2014}\nBen"), "oss");
        assert_eq!(marks("> --\nA Par H"), "qo");
        assert_eq!(
            marks(
                "A Par H\n_______________________________________________\nGames mailing list\nGames@example.org"
            ),
            "osss"
        );
    }

    #[test]
    fn pieces_of_quoted_links_are_quoted() {
        assert_eq!(
            marks("Yes\n> see (http://example.org/action\n_nonce=3dd518)\n>\n> old"),
            "oqqqq"
        );
        assert_eq!(marks("> old\n (http://example.org/c) >\n> older"), "qqq");
        assert_eq!(marks("> old (see\nA Par H\n> older"), "qoq");
        assert_eq!(
            marks("> (http://example.org\nA Par - Bur (North)\n> older"),
            "qoq"
        );
    }

    #[test]
    fn a_date_above_an_address_begins_a_head() {
        assert_eq!(
            marks("A Par H\nDate: Wed, 16 May 2012 00:15:02 -0600\nTo: ben@example.org\nold"),
            "oqqq"
        );
        assert_eq!(marks("Date: 1901\nTo: Burgundy\nA Par H"), "ooo");
    }

    #[test]
    fn telephones_are_not_orders() {
        assert_eq!(marks("A Par H\n\nSent from my iPhone"), "oos");
        assert_eq!(
            marks(
                "A Par H\nVon meinem iPad gesendet\n\nAm 02.03.2026 um 19:04 schrieb J <j@x.org>:\n> old"
            ),
            "osoqq"
        );
        assert_eq!(marks("Sent from my iPhone\nA Par H"), "oo");
    }
}

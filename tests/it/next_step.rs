//! The links at the end of an HTML mail: they hold what its text holds, and are short enough for mail programs.

use dipjudge::mails::outbound::{AnswerAddress, HowMuch, next_step};
use dipjudge::view::{NextStep, OtherAnswer, ReadyAnswer};

fn step(lines: usize) -> NextStep {
    let ready = |name: &str, lines: Vec<String>| ReadyAnswer {
        name: name.to_owned(),
        lines,
    };
    let orders = (0..lines).map(|_| "F Stp/sc -".to_owned()).collect();
    NextStep {
        sentences: vec!["Your orders are due.".to_owned()],
        answer: Some(ready("Send your orders", orders)),
        offers: Vec::new(),
        others: vec![OtherAnswer {
            ready: ready(
                "Write to France",
                vec![
                    "PRESS TO F".to_owned(),
                    String::new(),
                    "ENDPRESS".to_owned(),
                ],
            ),
            clause: "PRESS TO F and ENDPRESS write to France".to_owned(),
        }],
    }
}

fn address() -> AnswerAddress {
    AnswerAddress {
        address: "judge+c0ffee@example.org".to_owned(),
        subject: "USXX:kaiser - S1901M Results".to_owned(),
    }
}

#[test]
fn a_link_holds_the_lines_that_the_text_holds() {
    let document = next_step(&step(2), HowMuch::All, Some(&address()));
    let html = document.html("Results", None);
    assert!(
        html.contains(
            "mailto:judge%2Bc0ffee@example.org?subject=Re%3A%20USXX%3Akaiser%20-%20S1901M%20Results&amp;body=F%20Stp%2Fsc%20-%0D%0AF%20Stp%2Fsc%20-"
        ),
        "{html}"
    );
    assert!(
        html.contains("body=PRESS%20TO%20F%0D%0A%0D%0AENDPRESS"),
        "{html}"
    );
    let text = document.text();
    assert_eq!(
        text,
        "What you may do next:\n\nYour orders are due.\n\n     F Stp/sc -\n     F Stp/sc -\n\nYou can also answer with this: PRESS TO F and ENDPRESS write to France."
    );
    assert!(!text.contains("mailto"));
}

#[test]
fn a_link_that_is_too_long_is_left_out() {
    let document = next_step(&step(200), HowMuch::Needed, Some(&address()));
    assert!(!document.html("Results", None).contains("mailto:"));
    let without = next_step(&step(2), HowMuch::Needed, None);
    assert!(!without.html("Results", None).contains("mailto:"));
}

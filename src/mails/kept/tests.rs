//! Mails as players have kept them.

use super::*;

const RESULTS: &str = "Date:    Tue Dec  1 22:06:00 2026 (1796162760)
Subject: USXX:kaiser - S1902M Results

:: Judge: USXX  Game: Kaiser  Variant: Standard
:: Deadline: S1902M Mon Dec 07 2026 23:30:00 +0000

Movement results for Spring of 1902.  (kaiser.004)

Austria: Army Serbia SUPPORT Russian Army Rumania -> Bulgaria.
Austria: Fleet Greece -> Aegean Sea.  (*bounce*)

England: Army Yorkshire -> North Sea -> Norway.
France: Fleet Brest, No Order Processed.
France: Army Burgundy HOLD.  (*dislodged*)

The following units were dislodged:

The French Army in Burgundy can retreat to Gascony or Paris or
Belgium.
The Turkish Army in Bulgaria with no valid retreats was destroyed.

The next phase of 'kaiser' will be Retreats for Spring of 1902.
The deadline for orders will be Fri Dec 18 2026 21:31:00 +0000.

Date:    Tue Dec  2 22:06:00 2026 (1796162761)
Subject: USXX:kaiser - S1902M Broadcast from E

| Subject: USXX:other - S1902M Results
England: Army London HOLD.

Date:    Tue Dec  3 22:06:00 2026 (1796162762)
Subject: USXX:kaiser - F1902B Results

Adjustment results for Winter of 1902.  (kaiser.008)

Austria:                  Builds an army in Trieste.
Austria:                  Build waived.
Germany:                  Defaults, removing the fleet in Kiel.
Russia:                   Builds a fleet in St Petersburg (north coast).
Turkey:                   1 unusable build waived.

The next phase of 'kaiser' will be Movement for Spring of 1903.
";

#[test]
fn results_are_read_from_a_history() {
    let game = read(RESULTS.as_bytes()).unwrap();
    assert_eq!(game.name, "kaiser");
    assert_eq!(game.variant, "Standard");
    let [first, second] = game.phases.as_slice() else {
        panic!("{:?}", game.phases);
    };
    assert_eq!(
        first.orders["Austria"],
        [
            "Army Serbia SUPPORT Russian Army Rumania -> Bulgaria",
            "Fleet Greece -> Aegean Sea"
        ]
    );
    assert_eq!(
        first.orders["England"],
        ["Army Yorkshire -> North Sea -> Norway"]
    );
    assert_eq!(first.orders["France"], ["Army Burgundy HOLD"]);
    let burgundy = "The French Army in Burgundy can retreat to Belgium, Gascony, Paris";
    assert!(
        first.said.iter().any(|said| said == burgundy),
        "{:?}",
        first.said
    );
    assert_eq!(second.token, "F1902B");
    assert_eq!(second.orders["Austria"], ["Build A Trieste", "Waive"]);
    assert_eq!(second.orders["Germany"], ["Remove F Kiel"]);
    assert_eq!(
        second.orders["Russia"],
        ["Build F St Petersburg (north coast)"]
    );
    assert!(!second.orders.contains_key("Turkey"));
}

#[test]
fn people_are_read_where_they_stand() {
    let text = "Subject: USXX:kaiser - S1901M Game Starting

The following players are in this game:
     Master:                   gm@ex.org
     Austria:                  Anna Example (anna@ex.org)
     Turkey:                   gwen@ex.org
     Observer:                 olga@ex.org

Subject: USXX:kaiser - F1901M New Player Signon: T

Hugo Example (hugo@ex.org) has taken over the abandoned Turkey in game 'kaiser'.

Subject: USXX:kaiser - F1901M New Player Signon: I

Cleopatra Longname-Example (cleo@ex.org) has taken over the vacant Italy in
game 'kaiser'.
The deadline of 'kaiser' is now Tue Dec 22 2026 23:30:00 +0000.

Subject: USXX:kaiser - F1901M Results

Movement results for Fall of 1901.
";
    let game = read(text.as_bytes()).unwrap();
    let people: Vec<(&str, &str)> = game
        .people
        .iter()
        .map(|(role, who)| (role.as_str(), who.as_str()))
        .collect();
    assert_eq!(
        people,
        [
            ("Austria", "anna@ex.org"),
            ("Italy", "cleo@ex.org"),
            ("Master", "gm@ex.org"),
            ("Turkey", "hugo@ex.org")
        ]
    );
}

#[test]
fn a_mailbox_file_is_read_by_its_messages() {
    let message = |subject: &str, body: &str| {
        format!(
            "From judge Tue Dec  1 22:06:00 2026\nFrom: judge@ex.org\nSubject: {subject}\nContent-Type: text/plain\n\n{body}\n\n"
        )
    };
    let text = message(
        "USXX:kaiser - S1901M Results",
        "Movement results for Spring of 1901.\nFrance: Army Paris HOLD.",
    ) + &message("hello", "Subject: USXX:other - S1901M Results");
    let game = read(text.as_bytes()).unwrap();
    assert_eq!(game.name, "kaiser");
    assert_eq!(game.phases[0].orders["France"], ["Army Paris HOLD"]);
}

#[test]
fn what_is_no_game_is_refused_in_words() {
    let why = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
    assert!(why("hello").contains("no results were found"));
    let two = "Subject: USXX:a1 - S1901M Results\nSubject: USXX:b1 - S1901M Results\n";
    assert!(why(two).contains("several games, 'a1' and 'b1'"));
    let twice = RESULTS.to_owned() + &RESULTS.replace("Burgundy HOLD", "Burgundy -> Paris");
    assert!(why(&twice).contains("stand in it twice, and differ"));
    assert_eq!(
        read((RESULTS.to_owned() + RESULTS).as_bytes())
            .unwrap()
            .phases
            .len(),
        2
    );
    let endless = "Subject: USXX:kaiser - S1901M Results\n".repeat(MOST_MAILS + 1);
    assert!(why(&endless).contains("more than 20000 mails"));
    let large = vec![b'a'; MOST_BYTES + 1];
    assert!(
        read(&large)
            .unwrap_err()
            .to_string()
            .contains("more than 16 MB")
    );
    let many: String = (0..=MOST_PHASES)
        .map(|year| format!("Subject: USXX:kaiser - S{:04}M Results\n", 1901 + year))
        .collect();
    assert!(why(&many).contains("more than 1000 phases"));
}

#[test]
fn a_rollback_takes_the_phases_back() {
    let phase = |token: &str| format!("Subject: USXX:kaiser - {token} Results\n");
    let text = phase("S1901M")
        + &phase("F1901M")
        + "Subject: USXX:kaiser - S1902M Rollback to F1901M\n"
        + &phase("F1901M").replace(
            '\n',
            "\nMovement results for Fall of 1901.\nFrance: Army Paris HOLD.\n",
        );
    let game = read(text.as_bytes()).unwrap();
    let tokens: Vec<&str> = game
        .phases
        .iter()
        .map(|phase| phase.token.as_str())
        .collect();
    assert_eq!(tokens, ["S1901M", "F1901M"]);
    assert_eq!(game.phases[1].orders.len(), 1);
}

#[test]
fn a_saved_game_is_read_by_its_phases() {
    let text = r#"{"id": "Kaiser", "map": "standard", "phases": [
        {"name": "S1901M", "orders": {"FRANCE": ["A PAR - BUR", "F BRE H"], "TURKEY": null},
         "state": {"units": {"FRANCE": ["A PAR", "F BRE"]}}},
        {"name": "W1901A", "orders": {"FRANCE": ["A PAR B", "WAIVE"], "ITALY": ["A ROM D"]}},
        {"name": "S1902M", "orders": {}}]}"#;
    let game = read(text.as_bytes()).unwrap();
    assert_eq!(
        (game.name.as_str(), game.variant.as_str()),
        ("kaiser", "standard")
    );
    let [first, second] = game.phases.as_slice() else {
        panic!("{:?}", game.phases);
    };
    assert_eq!(first.orders["FRANCE"], ["A PAR - BUR", "F BRE H"]);
    assert_eq!(first.units["FRANCE"], ["A PAR", "F BRE"]);
    assert!(!first.orders.contains_key("TURKEY"));
    assert_eq!(second.orders["FRANCE"], ["Build A PAR", "WAIVE"]);
    assert_eq!(second.orders["ITALY"], ["Remove A ROM"]);
    assert!(
        read(b"{}")
            .unwrap_err()
            .to_string()
            .contains("no saved game")
    );
}

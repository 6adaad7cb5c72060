//! The judge's one draw, by the rule that is published for everybody who wants to check it (`adjudicate-json.md`, "Recorded draws").

use sha2::{Digest, Sha256};

/// One of the options, which are put in order first; nothing is drawn from one.
pub(super) fn draw(
    seed: &str,
    season: &str,
    label: &str,
    mut options: Vec<String>,
) -> Option<String> {
    options.sort();
    options.dedup();
    if options.len() < 2 {
        return options.pop();
    }
    let number = number(
        &bytes(seed),
        &format!("{season}/{label}"),
        options.len() as u64,
    );
    Some(options.swap_remove(number as usize))
}

/// `draw(stream, 0, many)`.
fn number(seed: &[u8], stream: &str, many: u64) -> u64 {
    // The greatest multiple of `many` up to 2^64.
    let limit = (1_u128 << 64) / u128::from(many) * u128::from(many);
    for attempt in 0_u64.. {
        let mut hash = Sha256::new();
        hash.update(seed);
        for part in [stream, "0", &attempt.to_string()] {
            hash.update([0]);
            hash.update(part.as_bytes());
        }
        let digest = hash.finalize();
        let first: [u8; 8] = digest[..8].try_into().unwrap();
        let drawn = u64::from_be_bytes(first);
        if u128::from(drawn) < limit {
            return drawn % many;
        }
    }
    unreachable!("there is always a next attempt")
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = (0..hex.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

#[test]
fn draws_are_those_of_the_rules() {
    let zero = "00".repeat(32);
    let season = [
        ("S1901/sea-monsters", 61, 56),
        ("F1901/space-monsters", 56, 21),
    ];
    for (stream, many, drawn) in season {
        assert_eq!(number(&bytes(&zero), stream, many), drawn);
    }
    assert_eq!(number(&bytes(&zero), "F1903/tardis-space", 74), 62);
    assert_eq!(number(&bytes(&zero), "S1901/tardis", 2), 1);
}

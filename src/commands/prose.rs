//! Prose: the sentences and clauses of a line, and whether words deny something.

/// Words that turn the meaning of a line round.
const NEGATIONS: [&str; 16] = [
    "not", "dont", "no", "never", "without", "unless", "doesnt", "didnt", "isnt", "wont", "cant",
    "shouldnt", "wouldnt", "couldnt", "mustnt", "arent",
];

/// The words of a text, without the signs around them.
pub fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|sign: char| !sign.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// Whether a word is written as names are: a capital letter, then small ones.
pub(super) fn is_written_as_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase)
}

/// The sentences of a line, and the clauses of each.
pub fn parts_of(line: &str) -> Vec<&str> {
    sentences(line).into_iter().flat_map(clauses).collect()
}

/// Words behind which a full stop ends no sentence: `St. Petersburg`, `ca. 3`, `Norw. Sea`. Single letters are none either.
const ABBREVIATIONS: [&str; 14] = [
    "st", "ca", "nr", "no", "mr", "dr", "vs", "eg", "ie", "norw", "med", "atl", "tyrr", "balt",
];

/// The sentences of a line: each ends with a full stop or the like and a blank.
pub fn sentences(line: &str) -> Vec<&str> {
    let ends = line.match_indices(['.', '!', '?']).filter(|(at, sign)| {
        let before = line.get(..*at).unwrap_or_default();
        let word = before.rsplit([' ', '-', '/']).next().unwrap_or_default();
        let behind = line.get(at + 1..).unwrap_or_default();
        let is_short = ABBREVIATIONS
            .iter()
            .any(|short| short.eq_ignore_ascii_case(word));
        // "No. 2", but "No. A Lvp - Wal"
        let is_answer = word.eq_ignore_ascii_case("no")
            && !behind
                .trim_start()
                .starts_with(|next: char| next.is_ascii_digit());
        // "Western Med. Mid Atlantic to North Africa": a name ends so, and none begins so.
        let ends_name =
            word.eq_ignore_ascii_case("med") && behind.trim_start().starts_with(char::is_uppercase);
        let abbreviates =
            *sign == "." && (word.chars().count() < 2 || is_short && !is_answer && !ends_name);
        !abbreviates && behind.starts_with(' ')
    });
    parts_between(line, ends.map(|(at, _)| at + 1).collect())
}

/// The parts of a sentence of which each may hold an order: between commas, colons and words that join.
pub(super) fn clauses_of_orders(sentence: &str) -> Vec<&str> {
    let joints = [
        ", ", ";", ": ", "...", " and ", " & ", " then ", " while ", " - the ", " - my ", " - I ",
        " - so ", " - but ", " - just ",
    ];
    // "supports her army in Serbia, which is to enter Greece"
    let goes_on = [
        "which ",
        "who ",
        "that ",
        "on the north",
        "on the south",
        "on the east",
        "on the west",
    ];
    let places = joints.iter().flat_map(|joint| {
        let found = sentence.match_indices(joint).filter(|(at, joint)| {
            let behind = sentence.get(at + joint.len()..).unwrap_or_default();
            !goes_on.iter().any(|word| behind.starts_with(word))
        });
        found.map(|(at, joint)| at + joint.trim_end().len())
    });
    let mut places: Vec<usize> = places.collect();
    places.sort_unstable();
    places.dedup();
    parts_between(sentence, places)
}

/// Words between which and "I" a question or a condition lies, and no wish: "what happens if I resign", "how do I leave the game".
const ASKING: [&str; 24] = [
    "if", "when", "once", "unless", "until", "before", "after", "whether", "how", "what", "where",
    "why", "that", "do", "did", "can", "could", "may", "must", "should", "shall", "will", "would",
    "am",
];

/// A sentence, and what stands between its commas: the longest parts from each comma on first.
fn clauses(sentence: &str) -> Vec<&str> {
    let parts = parts_between(
        sentence,
        sentence.match_indices(", ").map(|(at, _)| at).collect(),
    );
    let signs = |sign: char| sign == ',' || sign.is_whitespace();
    // "So I am the Jester ... what can I do?"
    let marks = [", ", "... ", " - ", " so ", " but ", ": "];
    let behind = marks.iter().flat_map(|mark| {
        let found = sentence.match_indices(mark);
        found.filter_map(|(at, _)| sentence.get(at + mark.len()..))
    });
    // "With the new baby I can't continue"
    let speakers = [" I ", " I'm ", " i ", " i'm "];
    let spoken = speakers.iter().flat_map(|mark| {
        let found = sentence.match_indices(mark);
        let found = found.filter(|(at, _)| {
            let before = sentence.get(..*at).unwrap_or_default();
            let word = before.rsplit(' ').next().unwrap_or_default();
            !ASKING.iter().any(|asks| asks.eq_ignore_ascii_case(word))
        });
        found.filter_map(|(at, _)| sentence.get(at + 1..))
    });
    let all = std::iter::once(sentence);
    let all = all.chain(behind).chain(spoken).chain(parts);
    all.map(|part| part.trim_matches(signs)).collect()
}

/// The parts of a sentence between words that join.
pub fn joined_clauses(sentence: &str) -> Vec<&str> {
    const JOINT: &str = " and ";
    let places = sentence
        .match_indices(JOINT)
        .map(|(at, _)| at + JOINT.len());
    let mut parts = parts_between(sentence, places.collect());
    for part in &mut parts {
        *part = part.strip_suffix(JOINT.trim()).unwrap_or(part).trim_end();
    }
    parts
}

/// The parts of a text before, between and behind these places.
fn parts_between(text: &str, places: Vec<usize>) -> Vec<&str> {
    let starts = std::iter::once(0).chain(places.iter().copied());
    let ends = places.iter().copied().chain([text.len()]);
    let parts = starts
        .zip(ends)
        .filter_map(|(start, end)| text.get(start..end));
    parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// Whether a sentence asks the judge to do something: `Could you take Edinburgh to the Norwegian Sea?`, `Could Rome stay put after
/// all?`, `Can I get a fleet in Smyrna?`
pub fn asks_judge(sentence: &str) -> bool {
    let words: Vec<String> = bare_words(sentence).map(str::to_lowercase).collect();
    let (Some(first), Some(second)) = (words.first(), words.get(1)) else {
        return false;
    };
    let is_one_of = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let all = words.join(" ");
    let wishes = ["please", "after all", "instead"];
    let is_wish = || wishes.iter().any(|wish| all.contains(wish));
    // "Could I have a fleet in Trieste?"
    let gets = || match words.get(2..4) {
        Some([verb, article]) => {
            is_one_of(verb, &["get", "have"]) && is_one_of(article, &["a", "an"])
        }
        _ => false,
    };
    is_one_of(first, &["can", "could", "would", "will"]) && second == "you"
        || is_one_of(first, &["can", "could"]) && second != "i" && is_wish()
        || is_one_of(first, &["can", "could", "may"]) && is_one_of(second, &["i", "we"]) && gets()
}

/// Whether a word of these turns their meaning round.
pub fn denies(words: &str) -> bool {
    let negates = |word: &str| {
        let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        let word = word.to_lowercase().replace('\u{2019}', "'");
        NEGATIONS.contains(&word.as_str()) || word.ends_with("n't")
    };
    words.split_whitespace().any(negates)
}

//! The names of the standard map, as tools print and abbreviate them.

const NAMES: &str = "\
ADR Adriatic Sea,AEG Aegean Sea,ALB Albania,ANK Ankara,APU Apulia,ARM Armenia,BAL Baltic Sea,BAR Barents Sea,BEL Belgium,BER Berlin,\
BLA Black Sea,BOH Bohemia,BOT Gulf of Bothnia,BRE Brest,BUD Budapest,BUL Bulgaria,BUR Burgundy,CLY Clyde,CON Constantinople,DEN Denmark,\
EAS Eastern Mediterranean,EDI Edinburgh,ENG English Channel,FIN Finland,GAL Galicia,GAS Gascony,GRE Greece,HEL Helgoland Bight,HOL Holland,\
ION Ionian Sea,IRI Irish Sea,KIE Kiel,LON London,LVN Livonia,LVP Liverpool,LYO Gulf of Lyon,MAO Mid-Atlantic Ocean,MAR Marseilles,MOS Moscow,\
MUN Munich,NAF North Africa,NAO North Atlantic Ocean,NAP Naples,NTH North Sea,NWG Norwegian Sea,NWY Norway,PAR Paris,PIC Picardy,PIE Piedmont,\
POR Portugal,PRU Prussia,ROM Rome,RUH Ruhr,RUM Rumania,SER Serbia,SEV Sevastopol,SIL Silesia,SKA Skagerrak,SMY Smyrna,SPA Spain,\
STP St Petersburg,SWE Sweden,SYR Syria,TRI Trieste,TUN Tunis,TUS Tuscany,TYR Tyrolia,TYS Tyrrhenian Sea,UKR Ukraine,VEN Venice,VIE Vienna,\
WAL Wales,WAR Warsaw,WES Western Mediterranean,YOR Yorkshire";

/// `St Petersburg (south coast)` as `STP/SC`.
pub fn abbreviation(printed: &str) -> String {
    let (name, coast) = match printed.trim().split_once(" (") {
        Some((name, coast)) => (name, Some(coast.trim_end_matches(')'))),
        None => (printed.trim(), None),
    };
    let name = name.strip_prefix("the ").unwrap_or(name);
    let entry = NAMES
        .split(',')
        .find(|entry| &entry[4..] == name)
        .unwrap_or_else(|| panic!("no province is called {name}"));
    let coast = match coast {
        None => "",
        Some("north coast") => "/NC",
        Some("south coast") => "/SC",
        Some("east coast") => "/EC",
        Some("west coast") => "/WC",
        Some(other) => panic!("no coast is called {other}"),
    };
    format!("{}{coast}", &entry[..3])
}

/// `Army` and a place as `A BUD`.
pub fn unit(kind: &str, printed: &str) -> String {
    format!("{} {}", &kind[..1], abbreviation(printed))
}

/// The province of a unit: `STP` of `F STP/SC`.
pub fn province(unit: &str) -> &str {
    &unit[2..5]
}

/// The power of an adjective.
pub fn power(adjective: &str) -> &'static str {
    match adjective {
        "Austrian" => "Austria",
        "English" => "England",
        "French" => "France",
        "German" => "Germany",
        "Italian" => "Italy",
        "Russian" => "Russia",
        "Turkish" => "Turkey",
        other => panic!("no power's adjective is {other}"),
    }
}

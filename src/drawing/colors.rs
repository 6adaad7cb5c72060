//! Colors. Color-blind people can tell the colors of powers apart. They are light and the letters on them black, so that these
//! can be read in print without color; a letter on units and centers also names the power. After eight powers the colors are used
//! again with a pattern.

/// A color: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

impl std::fmt::Display for Rgb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Rgb(red, green, blue) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Rgb {
    /// The color that a text begins with, written as six digits; `None` if it does not.
    pub(super) fn read(text: &str) -> Option<Rgb> {
        let digits = u32::from_str_radix(text.get(..6)?, 16).ok()?;
        let [_, red, green, blue] = digits.to_be_bytes();
        Some(Rgb(red, green, blue))
    }

    /// This color mixed with hundredths of another.
    const fn mixed(self, other: Rgb, hundredths: u32) -> Rgb {
        const fn mix(one: u8, other: u8, hundredths: u32) -> u8 {
            ((one as u32 * (100 - hundredths) + other as u32 * hundredths + 50) / 100) as u8
        }
        Rgb(
            mix(self.0, other.0, hundredths),
            mix(self.1, other.1, hundredths),
            mix(self.2, other.2, hundredths),
        )
    }
}

/// Around the map.
pub(super) const PAGE: Rgb = Rgb(0xfc, 0xfb, 0xf7);
/// Letters and symbols.
pub(super) const INK: Rgb = Rgb(0x1c, 0x1c, 0x1c);
/// What makes symbols stand out from what lies below them.
pub(super) const HALO: Rgb = Rgb(0xff, 0xff, 0xff);
/// Land of nobody.
pub(super) const LAND: Rgb = Rgb(0xf5, 0xf6, 0xf6);
/// Land that nobody can enter.
pub(super) const CLOSED: Rgb = Rgb(0xe4, 0xe4, 0xe0);
/// Water.
pub(super) const WATER: Rgb = Rgb(0xd9, 0xe6, 0xee);
/// Names of seas.
pub(super) const SEA_NAME: Rgb = Rgb(0x23, 0x4a, 0x68);
/// Coasts.
pub(super) const COAST: Rgb = Rgb(0x3d, 0x56, 0x66);
/// Borders on land.
pub(super) const BORDER: Rgb = Rgb(0x6b, 0x60, 0x52);
/// Borders at sea.
pub(super) const SEA_BORDER: Rgb = Rgb(0x86, 0xaa, 0xc2);
/// Where many units stand side by side.
pub(super) const SPACE: Rgb = Rgb(0xe3, 0xe0, 0xf0);
/// Land that is out of sight.
pub(super) const FOG_LAND: Rgb = Rgb(0x8d, 0x89, 0x83);
/// Water that is out of sight.
pub(super) const FOG_WATER: Rgb = Rgb(0x7e, 0x8a, 0x92);
/// The lines over what is out of sight.
pub(super) const FOG_LINE: Rgb = Rgb(0x76, 0x7c, 0x80);
/// What failed, is dislodged or gone.
pub(super) const ALARM: Rgb = Rgb(0xb0, 0x12, 0x12);
/// What is new.
pub(super) const NEW: Rgb = Rgb(0x0b, 0x66, 0x3a);
/// Units of no power.
pub(super) const NOBODY: Rgb = Rgb(0xff, 0xff, 0xff);

/// The colors of powers, in the order in which the reader has come to know them.
const POWERS: [Rgb; 8] = [
    Rgb(0xe3, 0x5c, 0x26),
    Rgb(0xa5, 0x72, 0xff),
    Rgb(0x9a, 0xff, 0xb1),
    Rgb(0x9d, 0x91, 0x72),
    Rgb(0xf5, 0xa5, 0x60),
    Rgb(0x91, 0x90, 0xb7),
    Rgb(0xff, 0xec, 0x19),
    Rgb(0xd0, 0xa9, 0xff),
];

/// The pattern that distinguishes powers of the same color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pattern {
    /// One color.
    Plain,
    /// Stripes that rise.
    Rising,
    /// Dots.
    Dots,
    /// Stripes that fall.
    Falling,
    /// Lines across one another.
    Grid,
    /// Level stripes.
    Level,
}

/// The first ones make the smallest files.
const PATTERNS: [Pattern; 6] = [
    Pattern::Plain,
    Pattern::Level,
    Pattern::Grid,
    Pattern::Rising,
    Pattern::Dots,
    Pattern::Falling,
];

/// How the things of one power are colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PowerStyle {
    /// Its units.
    pub(super) unit: Rgb,
    /// Its land.
    pub(super) land: Rgb,
    /// Land in which only its unit stands.
    pub(super) held: Rgb,
    /// Its arrows, and the lines of its pattern.
    pub(super) line: Rgb,
    /// The pattern.
    pub(super) pattern: Pattern,
}

/// The style of the power with this number.
pub(super) fn power_style(number: usize) -> PowerStyle {
    let unit = POWERS.get(number % POWERS.len()).copied();
    let unit = unit.unwrap_or(NOBODY);
    let round = number / POWERS.len();
    let pattern = PATTERNS.get(round % PATTERNS.len()).copied();
    PowerStyle {
        unit,
        land: unit.mixed(HALO, 28),
        held: unit.mixed(LAND, 33),
        line: unit.mixed(Rgb(0, 0, 0), 50),
        pattern: pattern.unwrap_or(Pattern::Plain),
    }
}

/// The style of what belongs to no power.
pub(super) const NEUTRAL_STYLE: PowerStyle = PowerStyle {
    unit: NOBODY,
    land: LAND,
    held: LAND,
    line: Rgb(0x4a, 0x4a, 0x4a),
    pattern: Pattern::Plain,
};

#[cfg(test)]
mod tests {
    use super::*;

    /// How the cones of the eye answer, for those who see all colors and those who lack one kind (Machado and others, 2009).
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    fn light(Rgb(red, green, blue): Rgb) -> [f64; 3] {
        [red, green, blue].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    fn times(table: [[f64; 3]; 3], color: [f64; 3]) -> [f64; 3] {
        table.map(|row| row.iter().zip(color).map(|(a, b)| a * b).sum())
    }

    /// CIE Lab of what these eyes see.
    fn lab(eyes: [[f64; 3]; 3], color: Rgb) -> [f64; 3] {
        const XYZ: [[f64; 3]; 3] = [
            [
                0.4124564 / 0.95047,
                0.3575761 / 0.95047,
                0.1804375 / 0.95047,
            ],
            [0.2126729, 0.7151522, 0.0721750],
            [
                0.0193339 / 1.08883,
                0.1191920 / 1.08883,
                0.9503041 / 1.08883,
            ],
        ];
        let seen = times(eyes, light(color)).map(|part| part.clamp(0.0, 1.0));
        let [x, y, z] = times(XYZ, seen).map(|part| {
            if part > 0.008856 {
                part.cbrt()
            } else {
                7.787 * part + 16.0 / 116.0
            }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// The difference of two colors that a reader sees with these eyes: CIEDE2000.
    fn difference(eyes: [[f64; 3]; 3], one: Rgb, other: Rgb) -> f64 {
        let [[light1, a1, b1], [light2, a2, b2]] = [lab(eyes, one), lab(eyes, other)];
        let seventh = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25f64.powi(7))).sqrt();
        let plain = (a1.hypot(b1) + a2.hypot(b2)) / 2.0;
        let stretch = 1.0 + 0.5 * (1.0 - seventh(plain));
        let (a1, a2) = (a1 * stretch, a2 * stretch);
        let (chroma1, chroma2) = (a1.hypot(b1), a2.hypot(b2));
        let hue = |a: f64, b: f64| b.atan2(a).to_degrees().rem_euclid(360.0);
        let (hue1, hue2) = (hue(a1, b1), hue(a2, b2));
        let turn = (hue2 - hue1 + 540.0).rem_euclid(360.0) - 180.0;
        let hues = 2.0 * (chroma1 * chroma2).sqrt() * (turn.to_radians() / 2.0).sin();
        let (light, chroma) = ((light1 + light2) / 2.0, (chroma1 + chroma2) / 2.0);
        let mean = (hue1 + turn / 2.0).rem_euclid(360.0);
        let cos = |times: f64, plus: f64| (times * mean + plus).to_radians().cos();
        let weight = 1.0 - 0.17 * cos(1.0, -30.0) + 0.24 * cos(2.0, 0.0) + 0.32 * cos(3.0, 6.0)
            - 0.20 * cos(4.0, -63.0);
        let far = (light - 50.0).powi(2);
        let light = (light2 - light1) / (1.0 + 0.015 * far / (20.0 + far).sqrt());
        let hues = hues / (1.0 + 0.015 * chroma * weight);
        let turned = 30.0 * (-((mean - 275.0) / 25.0).powi(2)).exp();
        let rotation = -2.0 * seventh(chroma) * (2.0 * turned).to_radians().sin();
        let chroma = (chroma2 - chroma1) / (1.0 + 0.045 * chroma);
        (light * light + chroma * chroma + hues * hues + rotation * chroma * hues).sqrt()
    }

    /// The least difference of any color of one list from any of the other, to any eyes.
    fn least_difference(ones: &[Rgb], others: &[Rgb]) -> f64 {
        let pairs = ones
            .iter()
            .flat_map(|one| others.iter().map(move |other| (*one, *other)));
        let pairs = pairs.filter(|(one, other)| one != other);
        let seen = pairs.flat_map(|(one, other)| EYES.map(|eyes| difference(eyes, one, other)));
        seen.fold(f64::MAX, f64::min)
    }

    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let bright = |color: Rgb| {
            let [red, green, blue] = light(color);
            0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        };
        let (one, other) = (bright(one), bright(other));
        (one / other).max(other / one)
    }

    /// The differences of the primary colors of a screen are well known.
    #[test]
    fn differences_are_those_of_the_standard() {
        let white = Rgb(0xff, 0xff, 0xff);
        let black = Rgb(0, 0, 0);
        assert!((difference(EYES[0], white, black) - 100.0).abs() < 0.1);
        assert!((difference(EYES[0], Rgb(255, 0, 0), Rgb(0, 255, 0)) - 86.6).abs() < 0.2);
        assert!((difference(EYES[0], Rgb(255, 0, 0), Rgb(0, 0, 255)) - 52.9).abs() < 0.2);
    }

    #[test]
    fn all_eyes_tell_powers_apart_and_their_land_from_the_rest() {
        let all = |part: fn(PowerStyle) -> Rgb| -> Vec<Rgb> {
            (0..POWERS.len())
                .map(|number| part(power_style(number)))
                .collect()
        };
        let units = all(|style| style.unit);
        let far = least_difference(&units, &units);
        assert!(far >= 12.0, "units: {far}");
        let land = all(|style| style.land);
        let far = least_difference(&land, &land);
        assert!(far >= 9.0, "land of two powers: {far}");
        let rest = [LAND, WATER, FOG_LAND, FOG_WATER];
        for (name, tints) in [("land", land), ("held", all(|style| style.held))] {
            let far = least_difference(&tints, &rest);
            assert!(far >= 12.0, "{name} and the rest: {far}");
        }
    }

    #[test]
    fn letters_are_read_on_all_colors_and_in_grey() {
        let styles = (0..POWERS.len()).map(power_style).chain([NEUTRAL_STYLE]);
        for style in styles {
            for color in [style.unit, style.land, style.held] {
                assert!(contrast(INK, color) > 4.5, "{color}");
            }
            assert!(contrast(style.line, HALO) > 4.5, "{}", style.line);
        }
        for color in [WATER, FOG_WATER, LAND, FOG_LAND, PAGE] {
            assert!(contrast(INK, color) > 4.5, "{color}");
        }
        assert!(contrast(SEA_NAME, WATER) > 4.5 && contrast(HALO, NEW) > 4.5);
        assert!(contrast(ALARM, HALO) > 4.5);
    }

    #[test]
    fn no_two_of_45_powers_are_dressed_alike() {
        let all: std::collections::BTreeSet<String> = (0..45)
            .map(|number| format!("{:?}", power_style(number)))
            .collect();
        assert_eq!(all.len(), 45);
    }
}

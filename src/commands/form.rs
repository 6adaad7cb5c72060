//! The form behind `REGISTER`.

/// Lines of a form, up to its `END`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    /// What was filled in, in order.
    pub fields: Vec<Field>,
    /// Lines that are no field, by number.
    pub unread: Vec<usize>,
    /// Whether `END` came.
    pub closed: bool,
}

/// One line of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Number of the line in the mail.
    pub line: usize,
    /// What is told.
    pub about: About,
    /// The words behind the colon; not empty.
    pub value: String,
}

/// What a field of a form tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// `Name`.
    Name,
    /// `Email`, `E-mail`.
    Email,
    /// `Level`.
    Level,
    /// `Country`.
    Country,
    /// `Timezone`, `Time zone`, `Zone`.
    Zone,
    /// `Package`: whether newcomers' files are wanted.
    Package,
    /// `Site`.
    Site,
    /// `Phone`, `Address`, `Birthdate`, `Sex`: read and thrown away.
    NotKept(String),
    /// Any other, by its name.
    Other(String),
}

impl Form {
    /// Takes a line. A field that is left empty, as in a form just sent back, counts as not there.
    pub(super) fn take(&mut self, number: usize, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        match line.split_once(':') {
            Some((key, value)) if !key.trim().is_empty() && key.len() <= 30 => {
                let value = value.trim();
                if !value.is_empty() {
                    let (about, value) = (About::named(key), value.to_owned());
                    self.fields.push(Field {
                        line: number,
                        about,
                        value,
                    });
                }
            }
            _ => self.unread.push(number),
        }
    }

    /// What was told about something; of several the last.
    pub fn get(&self, about: &About) -> Option<&str> {
        self.fields
            .iter()
            .rev()
            .find(|field| field.about == *about)
            .map(|field| field.value.as_str())
    }

    /// Whether `Package: Yes` was asked for.
    pub fn wants_package(&self) -> bool {
        self.get(&About::Package)
            .is_some_and(|value| value.to_ascii_lowercase().starts_with('y'))
    }
}

impl About {
    fn named(key: &str) -> Self {
        let bare: String = key
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        match bare.as_str() {
            "name" => Self::Name,
            "email" => Self::Email,
            "level" => Self::Level,
            "country" => Self::Country,
            "timezone" | "zone" => Self::Zone,
            "package" => Self::Package,
            "site" => Self::Site,
            "phone" | "address" | "birthdate" | "birthday" | "sex" => {
                Self::NotKept(key.trim().to_owned())
            }
            _ => Self::Other(key.trim().to_owned()),
        }
    }
}

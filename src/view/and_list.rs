//! Lists of names in a sentence.

/// `France`, `France and Russia`, `England, France and Turkey`; empty for none.
pub fn and_list<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> String {
    list(names, " and ")
}

/// `Kiel`, `Kiel or Silesia`, `Berlin, Kiel or Silesia`; empty for none.
pub fn or_list<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> String {
    list(names, " or ")
}

fn list<T: AsRef<str>>(names: impl IntoIterator<Item = T>, last: &str) -> String {
    let names: Vec<T> = names.into_iter().collect();
    let mut list = String::new();
    for (index, name) in names.iter().enumerate() {
        list.push_str(match index {
            0 => "",
            _ if index + 1 == names.len() => last,
            _ => ", ",
        });
        list.push_str(name.as_ref());
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_names_read_as_a_sentence() {
        assert_eq!(and_list([""; 0]), "");
        assert_eq!(and_list(["France"]), "France");
        assert_eq!(and_list(["France", "Italy"]), "France and Italy");
        assert_eq!(
            and_list(["England", "France", "Turkey"]),
            "England, France and Turkey"
        );
        assert_eq!(or_list(["Kiel", "Silesia"]), "Kiel or Silesia");
    }
}

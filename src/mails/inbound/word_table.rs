//! Tables of words that programs write in many languages: one line each, with an example that is a test.

/// A line of a table: `kind | language | words | example`.
pub(super) struct TableLine<'t> {
    pub(super) kind: &'t str,
    /// In lower case.
    pub(super) words: &'t str,
    #[cfg(test)]
    pub(super) language: &'t str,
    #[cfg(test)]
    pub(super) example: &'t str,
}

/// The lines of a table; those that begin with `#` are comments.
pub(super) fn table_lines(table: &str) -> impl Iterator<Item = TableLine<'_>> {
    table.lines().filter_map(|line| {
        let mut columns = line.splitn(4, " | ");
        let (kind, language) = (columns.next()?, columns.next()?);
        let (words, example) = (columns.next()?, columns.next()?);
        #[cfg(not(test))]
        let _ = (language, example);
        (!kind.starts_with('#')).then_some(TableLine {
            kind,
            words,
            #[cfg(test)]
            language,
            #[cfg(test)]
            example,
        })
    })
}

//! Reads the files of the top folder `grammar/` and matches lines of text against them.

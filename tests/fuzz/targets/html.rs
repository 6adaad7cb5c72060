#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dipjudge_fuzz::html(data));

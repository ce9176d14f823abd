#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| citations_fuzz::stored(data));

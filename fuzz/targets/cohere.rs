#![no_main]

use llxprt_code_citations::input::Shape;
libfuzzer_sys::fuzz_target!(|data: &[u8]| citations_fuzz::read(Shape::Cohere, data));

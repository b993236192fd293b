//! An enum with payloads and match, values from a closure.
enum Op {
    Add(f64),
    Scale(f64, f64),
    Wave,
}

#[no_mangle]
pub unsafe extern "C" fn enums(codes: *const i32, x: *const f64, n: usize) -> f64 {
    let codes = std::slice::from_raw_parts(codes, n);
    let x = std::slice::from_raw_parts(x, n);
    let limit = x[0] * 3.0;
    let clamp = |v: f64| if v > limit { limit + 0.1 * v } else { v };
    let mut value = 0.5;
    for i in 0..n {
        let op = match codes[i] {
            0 => Op::Add(x[i]),
            1 => Op::Scale(x[i], x[(i + 1) % n]),
            _ => Op::Wave,
        };
        value = clamp(match op {
            Op::Add(a) => value + a,
            Op::Scale(a, b) => value * a - b,
            Op::Wave => value.sin(),
        });
    }
    value
}

//! Vec that grows and is freed, Box, Option, and a recursive function.
#[inline(never)]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

fn largest(v: &[f64]) -> Option<f64> {
    let mut best = *v.first()?;
    for &a in v {
        if a > best {
            best = a;
        }
    }
    Some(best)
}

#[no_mangle]
pub unsafe extern "C" fn vectors(x: *const f64, n: usize) -> f64 {
    let x = std::slice::from_raw_parts(x, n);
    let mut v: Vec<f64> = Vec::new();
    for &a in x {
        if a > 0.0 {
            v.push(a * a);
        }
        v.push(power(a, 3));
    }
    let boxed = Box::new(v[0] * v[v.len() - 1]);
    v.iter().sum::<f64>() * *boxed + largest(&v).unwrap_or(0.0)
}

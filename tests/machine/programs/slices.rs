//! Slices with bounds checks, iterators, zip, map and sum.
#[no_mangle]
pub unsafe extern "C" fn slices(x: *const f64, y: *mut f64, n: usize) -> f64 {
    let x = std::slice::from_raw_parts(x, n);
    let y = std::slice::from_raw_parts_mut(y, n);
    let dot: f64 = x.iter().zip(y.iter()).map(|(a, b)| a * b).sum();
    for i in 1..n {
        y[i] = y[i] * y[i - 1] + dot * x[n - i];
    }
    y.iter().rev().step_by(2).fold(0.0, |s, v| s * 0.5 + v.sin())
}

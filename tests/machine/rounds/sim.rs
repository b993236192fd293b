// In place, by way of a vector, with checks of bounds.
#[no_mangle]
pub extern "C" fn sim(x: *mut f64, n: usize, steps: usize) -> f64 {
    let u = unsafe { std::slice::from_raw_parts_mut(x, n) };
    let mut v = vec![0.0; n];
    for _ in 0..steps {
        for i in 1..n - 1 { v[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) + 0.01 * u[i].sin() * u[i]; }
        for i in 1..n - 1 { u[i] = v[i]; }
    }
    u.iter().map(|y| y * y).sum()
}

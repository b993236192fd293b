#[no_mangle]
pub extern "C" fn closures(x: f64, n: i32) -> f64 {
    let k = x * x;
    let f = |y: f64| y * k + x;
    (0..n).map(|i| f(i as f64)).sum()
}
#[no_mangle]
pub extern "C" fn vectors(x: f64, n: i32) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    for i in 0..n {
        v.push(x * i as f64 + x * x);
    }
    let mut s = 0.0;
    for y in v.iter() {
        s += y * y;
    }
    s
}
#[no_mangle]
pub extern "C" fn boxes(x: f64, n: i32) -> f64 {
    let mut b: Box<f64> = Box::new(x);
    for _ in 0..n {
        *b = *b * x + 1.0;
    }
    *b
}
#[derive(Clone, Copy)]
struct P {
    x: f64,
    y: f64,
    k: i32,
}
fn dot(a: P, b: P) -> P {
    P {
        x: a.x * b.x,
        y: a.y * b.y + a.k as f64 * b.x,
        k: a.k + b.k,
    }
}
#[no_mangle]
pub extern "C" fn structs(x: f64, n: i32) -> f64 {
    let mut p = P {
        x: x,
        y: 2.0 * x,
        k: 1,
    };
    for i in 0..n {
        p = dot(
            p,
            P {
                x: 0.5 * x,
                y: x,
                k: i,
            },
        );
    }
    p.x + p.y
}
fn norm(a: &[f64]) -> f64 {
    a.iter()
        .zip(a.iter().skip(1))
        .map(|(p, q)| p * q)
        .sum::<f64>()
        .sqrt()
}
#[no_mangle]
pub extern "C" fn slices(x: f64, n: i32) -> f64 {
    let a = [x, x * x, 2.0 * x, 1.0, x * 3.0, x.sin().abs() + 1.0];
    norm(&a[..(n as usize).min(6).max(2)])
}
trait Shape {
    fn area(&self) -> f64;
}
struct Sq(f64);
struct Ci(f64);
impl Shape for Sq {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Ci {
    fn area(&self) -> f64 {
        3.0 * self.0 * self.0
    }
}
#[no_mangle]
pub extern "C" fn traits(x: f64, n: i32) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        let b: Box<dyn Shape> = if i % 2 == 0 {
            Box::new(Sq(x))
        } else {
            Box::new(Ci(x))
        };
        s += b.area();
    }
    s
}
#[no_mangle]
pub extern "C" fn options(x: f64, n: i32) -> f64 {
    let v = vec![Some(x), None, Some(x * x)];
    v.iter()
        .cycle()
        .take(n as usize)
        .filter_map(|o| *o)
        .fold(1.0, |a, b| a * b + b)
}
#[no_mangle]
pub extern "C" fn tuples(x: f64, n: i32) -> f64 {
    let mut t = (x, 1.0, 0);
    while t.2 < n {
        t = (t.0 * t.1, t.1 + x, t.2 + 1);
    }
    t.0 + t.1
}

// A result whose error shares its first byte with an address.
enum Trouble {
    TooFew,
    Negative,
}
struct Curve<'a> {
    knots: &'a [f64],
    values: Vec<f64>,
    bends: Vec<f64>,
    score: f64,
}
#[inline(never)]
fn curve(x: &[f64]) -> Result<Curve<'_>, Trouble> {
    if x.len() < 2 {
        return Err(Trouble::TooFew);
    }
    let mut values = Vec::new();
    for v in x {
        if *v <= 0.0 {
            return Err(Trouble::Negative);
        }
        values.push(v * v);
    }
    Ok(Curve { knots: x, values, bends: x.to_vec(), score: x[1] })
}
#[inline(never)]
fn total(c: &Curve) -> f64 {
    c.score * c.values.iter().zip(c.knots).zip(&c.bends).map(|((a, b), d)| a * b * d).sum::<f64>()
}
fn fitted(x: &[f64]) -> Result<f64, Trouble> {
    let c = curve(x)?;
    Ok(total(&c))
}
#[no_mangle]
pub extern "C" fn result_of_a_struct(x: f64, n: i32) -> f64 {
    let x: Vec<f64> = (0..n).map(|k| x * (k as f64 + 1.0).sqrt()).collect();
    match fitted(&x) {
        Ok(sum) => sum,
        Err(Trouble::TooFew) => x[0],
        Err(Trouble::Negative) => 0.0,
    }
}

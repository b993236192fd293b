use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::slice;
#[no_mangle]
pub unsafe extern "C" fn dot(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    a.iter().map(|v| v * v).sum()
}
#[no_mangle]
pub unsafe extern "C" fn poly(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let mut s = 0.0;
    for i in 0..a.len() {
        for j in i..a.len() {
            s += a[i] * a[j] * (i + j) as f64;
        }
    }
    s
}
#[no_mangle]
pub unsafe extern "C" fn chunked(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    a.chunks(2).map(|c| c.iter().product::<f64>()).sum()
}
#[no_mangle]
pub unsafe extern "C" fn windows(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    a.windows(2)
        .map(|w| (w[1] - w[0]).powi(2))
        .sum::<f64>()
        .sqrt()
}
#[no_mangle]
pub unsafe extern "C" fn sorted(x: *const f64, n: i32) -> f64 {
    let mut a = slice::from_raw_parts(x, n as usize).to_vec();
    a.sort_by(|p, q| p.partial_cmp(q).unwrap());
    a.iter().enumerate().map(|(i, v)| i as f64 * v * v).sum()
}
#[no_mangle]
pub unsafe extern "C" fn matrix(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let m: Vec<Vec<f64>> = a
        .iter()
        .map(|v| a.iter().map(|w| v * w).collect())
        .collect();
    m.iter().map(|r| r.iter().sum::<f64>()).sum()
}
#[no_mangle]
pub unsafe extern "C" fn tree(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let mut m = BTreeMap::new();
    for (i, v) in a.iter().enumerate() {
        m.insert((i * 7) % 5, v * v);
    }
    m.iter().map(|(k, v)| *k as f64 * v).sum()
}
#[no_mangle]
pub unsafe extern "C" fn deque(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let mut q = VecDeque::new();
    for v in a {
        q.push_back(v * v);
        if q.len() > 3 {
            q.pop_front();
        }
    }
    q.iter().sum()
}
struct Node {
    v: f64,
    next: Option<Box<Node>>,
}
#[no_mangle]
pub unsafe extern "C" fn linked(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let mut head: Option<Box<Node>> = None;
    for v in a {
        head = Some(Box::new(Node { v: *v, next: head }));
    }
    let mut s = 0.0;
    let mut p = &head;
    while let Some(b) = p {
        s = s * 0.5 + b.v * b.v;
        p = &b.next;
    }
    s
}
#[no_mangle]
pub unsafe extern "C" fn shared(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let r = Rc::new(RefCell::new(0.0));
    for v in a {
        let c = r.clone();
        *c.borrow_mut() += v * v * v;
    }
    let y = *r.borrow();
    y * y
}
#[repr(C)]
pub struct V3 {
    x: f64,
    y: f64,
    z: f64,
}
impl std::ops::Add for V3 {
    type Output = V3;
    fn add(self, o: V3) -> V3 {
        V3 {
            x: self.x + o.x,
            y: self.y * o.y,
            z: self.z - o.z,
        }
    }
}
#[no_mangle]
pub unsafe extern "C" fn vec3(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let mut t = V3 {
        x: 0.0,
        y: 1.0,
        z: 0.0,
    };
    for c in a.chunks_exact(2) {
        t = t + V3 {
            x: c[0],
            y: c[1],
            z: c[0] * c[1],
        };
    }
    t.x * t.y + t.z
}
enum E {
    A(f64),
    B(f64, f64),
    C,
}
fn ev(e: &E) -> f64 {
    match e {
        E::A(x) => x * x,
        E::B(x, y) => x * y,
        E::C => 1.0,
    }
}
#[no_mangle]
pub unsafe extern "C" fn enums(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    (0..a.len())
        .map(|i| match i % 3 {
            0 => E::A(a[i]),
            1 => E::B(a[i], a[i - 1]),
            _ => E::C,
        })
        .map(|e| ev(&e))
        .sum()
}
#[no_mangle]
pub unsafe extern "C" fn output(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    if n < 0 {
        println!("negative {}", a[0]);
    }
    let s = format!("{:?}", n);
    a[0] * a[1] * s.len() as f64
}

pub enum Trouble {
    Negative,
    Small,
}

pub struct Scaled {
    values: Vec<f64>,
    factors: Vec<f64>,
}

// What shares its place with a pointer is a number of one byte: LLVM takes the pointer apart.
fn scaled(values: Vec<f64>, least: f64) -> Result<Scaled, Trouble> {
    if values[0] < 0.0 {
        return Err(Trouble::Negative);
    }
    if values[1] < least {
        return Err(Trouble::Small);
    }
    let mut factors = vec![values[0]];
    factors.extend(values.windows(2).map(|w| w[0] * w[1]));
    Ok(Scaled { values, factors })
}

fn summed(x: &[f64]) -> Result<f64, Trouble> {
    let first = scaled(x.iter().scan(0.0, |t, s| { *t += 0.1 * s * s; Some(*t) }).collect(), 0.01)?;
    let second = scaled(first.factors.iter().map(|f| f * f + 1.0).collect(), 0.02)?;
    let all = first.values.iter().zip(&second.factors).map(|(v, f)| v * f);
    Ok(all.sum::<f64>() + second.values[2])
}

#[no_mangle]
pub unsafe extern "C" fn fallible(x: *const f64, n: i32) -> f64 {
    match summed(slice::from_raw_parts(x, n as usize)) {
        Ok(value) => value,
        Err(Trouble::Negative) => -1.0,
        Err(Trouble::Small) => 0.0,
    }
}
// Each thread has keys for hashes, which lie in the standard library.
#[no_mangle]
pub unsafe extern "C" fn hashed(x: *const f64, n: i32) -> f64 {
    let x = slice::from_raw_parts(x, n as usize);
    let mut words: HashMap<String, usize> = HashMap::new();
    for word in "a b a c b a".split(' ') {
        *words.entry(word.to_string()).or_default() += 1;
    }
    let mut seen = HashSet::new();
    let kept = (0..20).filter(|i| seen.insert(i * i % 7)).map(|i| x[i % 6] * x[0] * i as f64).sum::<f64>();
    kept * seen.len() as f64 + x[0] * x[1] * words["a"] as f64 + x[2] * words["b"] as f64
}
/// What objects behind one trait hold is told apart: numbers here, a vector there, counts elsewhere.
trait Rule {
    fn value(&mut self, x: &[f64]) -> f64;
}
struct Stretch {
    by: f64,
    shift: f64,
    limit: Option<f64>,
}
struct Memory {
    seen: Vec<f64>,
}
struct Stride {
    step: usize,
    calls: usize,
    weight: f64,
}
impl Rule for Stretch {
    fn value(&mut self, x: &[f64]) -> f64 {
        self.shift += self.by * x.len() as f64;
        x.iter().map(|v| (v * self.by).min(self.limit.unwrap_or(9.0))).sum::<f64>() + self.shift
    }
}
impl Rule for Memory {
    fn value(&mut self, x: &[f64]) -> f64 {
        self.seen.extend(x.iter().map(|v| v * v));
        self.seen.iter().sum()
    }
}
impl Rule for Stride {
    fn value(&mut self, x: &[f64]) -> f64 {
        self.calls += 1;
        x.iter().step_by(self.step).product::<f64>() * self.weight * self.calls as f64
    }
}
#[no_mangle]
pub unsafe extern "C" fn rules(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let mut rules: Vec<Box<dyn Rule>> = vec![
        Box::new(Stretch { by: a[0], shift: a[1], limit: Some(4.0) }),
        Box::new(Memory { seen: vec![a[2]; 3] }),
        Box::new(Stride { step: 2, calls: 0, weight: a[3] }),
    ];
    (0..3).map(|k| rules.iter_mut().map(|rule| rule.value(&a[k..])).sum::<f64>()).sum()
}
#[derive(Debug)]
enum Unfit {
    Negative,
    Large,
}
impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unfit::Negative => write!(f, "negative"),
            Unfit::Large => write!(f, "{} is large", "it"),
        }
    }
}
fn checked_root(v: f64) -> Result<f64, Unfit> {
    match v {
        v if v < 0.0 => Err(Unfit::Negative),
        v if v > 2.0 => Err(Unfit::Large),
        v => Ok(v.sqrt()),
    }
}
#[no_mangle]
pub unsafe extern "C" fn errors(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    a.iter()
        .map(|v| checked_root(*v).unwrap_or_else(|trouble| v * trouble.to_string().len() as f64))
        .sum()
}
/// An order of indices by numbers: sorts share code that asks for addresses alone.
#[no_mangle]
pub unsafe extern "C" fn ranked(x: *const f64, n: i32) -> f64 {
    let a = slice::from_raw_parts(x, n as usize);
    let boxes: Vec<(usize, f64)> = (0..4 * a.len()).map(|k| (k, a[k % a.len()] + (k as f64).sin())).collect();
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&p, &q| boxes[p].1.partial_cmp(&boxes[q].1).unwrap());
    let mut by: Vec<&(usize, f64)> = boxes.iter().collect();
    by.sort_by(|p, q| q.1.partial_cmp(&p.1).unwrap().then(p.0.cmp(&q.0)));
    let ranks: f64 = order.iter().enumerate().map(|(k, &i)| k as f64 * boxes[i].1).sum();
    ranks + by.iter().enumerate().map(|(k, b)| (k * k) as f64 * b.1).sum::<f64>()
}

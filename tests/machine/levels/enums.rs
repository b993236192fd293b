// Enums whose words are floats in one variant and lengths or addresses in another, and maps.
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
macro_rules! slice {
    ($x:ident, $n:ident) => {
        unsafe { std::slice::from_raw_parts($x, $n as usize) }
    };
}

enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
    Node(Box<Shape>),
    Count(usize),
}
impl Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => 3.0 * r * r,
            Shape::Rect { w, h } => w * h,
            Shape::Node(b) => 2.0 * b.area(),
            Shape::Count(k) => *k as f64,
        }
    }
}
#[no_mangle]
pub extern "C" fn shapes(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let v = vec![
        Shape::Circle(x[0]),
        Shape::Rect { w: x[1], h: x[2] },
        Shape::Node(Box::new(Shape::Circle(x[3]))),
        Shape::Count(3),
        Shape::Node(Box::new(Shape::Node(Box::new(Shape::Rect { w: x[4], h: x[5] })))),
    ];
    v.iter().map(|s| s.area()).sum::<f64>() * x[0]
}

enum Expr {
    Const(f64),
    Var(usize),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Sin(Box<Expr>),
    Pow(Box<Expr>, i32),
}
impl Expr {
    fn eval(&self, x: &[f64]) -> f64 {
        match self {
            Expr::Const(c) => *c,
            Expr::Var(i) => x[*i],
            Expr::Add(a, b) => a.eval(x) + b.eval(x),
            Expr::Mul(a, b) => a.eval(x) * b.eval(x),
            Expr::Sin(a) => a.eval(x).sin(),
            Expr::Pow(a, k) => a.eval(x).powi(*k),
        }
    }
}
fn build(x: &[f64]) -> Expr {
    use Expr::*;
    let mut e = Const(x[0]);
    for i in 0..x.len() {
        e = if i % 2 == 0 {
            Add(
                Box::new(e),
                Box::new(Mul(Box::new(Var(i)), Box::new(Const(x[i] * x[i])))),
            )
        } else {
            Mul(Box::new(Sin(Box::new(e))), Box::new(Pow(Box::new(Var(i)), 2)))
        };
    }
    e
}
#[no_mangle]
pub extern "C" fn expr_tree(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    build(x).eval(x)
}
#[inline(never)]
fn best(x: &[f64]) -> Option<(usize, f64)> {
    let mut b: Option<(usize, f64)> = None;
    for (i, &v) in x.iter().enumerate() {
        match b {
            None => b = Some((i, v)),
            Some((_, w)) if v > w => b = Some((i, v)),
            _ => {}
        }
    }
    b
}
#[no_mangle]
pub extern "C" fn option_pair(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    match best(x) {
        Some((i, v)) => v * v * x[(i + 1) % x.len()],
        None => 0.0,
    }
}
#[no_mangle]
pub extern "C" fn hash_map(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let mut m: HashMap<usize, f64> = HashMap::new();
    for (i, &v) in x.iter().enumerate() {
        *m.entry(i % 3).or_insert(0.0) += v * v;
    }
    let mut s = 0.0;
    for i in 0..3 {
        s += m[&i] * x[i];
    }
    s
}
#[no_mangle]
pub extern "C" fn hash_map_str(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let mut m: HashMap<&str, f64> = HashMap::new();
    m.insert("alpha", x[0]);
    m.insert("beta", x[1] * x[2]);
    m.insert("gamma", x[3].sin());
    let a = m.get("alpha").copied().unwrap_or(1.0);
    a * m["beta"] + m.get("gamma").unwrap() * m.get("delta").copied().unwrap_or(x[4])
}
#[no_mangle]
pub extern "C" fn btree_map(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let mut m: BTreeMap<usize, f64> = BTreeMap::new();
    for (i, &v) in x.iter().enumerate() {
        *m.entry((i * 7) % 4).or_insert(1.0) *= v;
    }
    m.iter().map(|(k, v)| (*k as f64 + 1.0) * v).sum()
}
#[derive(Clone)]
enum Op {
    Push(f64),
    Load(usize),
    Add,
    Mul,
    Neg,
    Jump(usize),
}
#[no_mangle]
pub extern "C" fn stack_machine(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let prog = vec![
        Op::Push(x[0]),
        Op::Load(1),
        Op::Mul,
        Op::Jump(5),
        Op::Neg,
        Op::Load(2),
        Op::Add,
        Op::Push(2.0),
        Op::Mul,
    ];
    let mut st: Vec<f64> = Vec::new();
    let mut pc = 0;
    while pc < prog.len() {
        match &prog[pc] {
            Op::Push(v) => st.push(*v),
            Op::Load(i) => st.push(x[*i]),
            Op::Add => {
                let b = st.pop().unwrap();
                let a = st.pop().unwrap();
                st.push(a + b)
            }
            Op::Mul => {
                let b = st.pop().unwrap();
                let a = st.pop().unwrap();
                st.push(a * b)
            }
            Op::Neg => {
                let a = st.pop().unwrap();
                st.push(-a)
            }
            Op::Jump(t) => {
                pc = *t;
                continue;
            }
        }
        pc += 1;
    }
    st[0]
}
#[derive(Clone)]
enum Tree {
    Leaf {
        value: f64,
        count: u32,
    },
    Split {
        feature: usize,
        threshold: f64,
        left: Box<Tree>,
        right: Box<Tree>,
    },
}
impl Tree {
    fn predict(&self, x: &[f64]) -> f64 {
        match self {
            Tree::Leaf { value, count } => value * *count as f64,
            Tree::Split {
                feature,
                threshold,
                left,
                right,
            } => {
                if x[*feature] < *threshold {
                    left.predict(x) * (threshold - x[*feature])
                } else {
                    right.predict(x)
                }
            }
        }
    }
    fn depth(&self) -> usize {
        match self {
            Tree::Leaf { .. } => 1,
            Tree::Split { left, right, .. } => 1 + left.depth().max(right.depth()),
        }
    }
}
#[no_mangle]
pub extern "C" fn decision_tree(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let leaf = |v: f64, c: u32| Box::new(Tree::Leaf { value: v, count: c });
    let t = Tree::Split {
        feature: 1,
        threshold: x[0],
        left: leaf(x[2], 3),
        right: Box::new(Tree::Split {
            feature: 2,
            threshold: 5.0,
            left: leaf(x[3], 1),
            right: leaf(1.0, 2),
        }),
    };
    t.clone().predict(x) * t.depth() as f64
}
enum Ex {
    C(f64),
    X,
    Add(Rc<Ex>, Rc<Ex>),
    Mul(Rc<Ex>, Rc<Ex>),
    Exp(Rc<Ex>),
}
fn d(e: &Rc<Ex>) -> Rc<Ex> {
    match &**e {
        Ex::C(_) => Rc::new(Ex::C(0.0)),
        Ex::X => Rc::new(Ex::C(1.0)),
        Ex::Add(a, b) => Rc::new(Ex::Add(d(a), d(b))),
        Ex::Mul(a, b) => Rc::new(Ex::Add(
            Rc::new(Ex::Mul(d(a), b.clone())),
            Rc::new(Ex::Mul(a.clone(), d(b))),
        )),
        Ex::Exp(a) => Rc::new(Ex::Mul(d(a), e.clone())),
    }
}
fn ev(e: &Ex, x: f64) -> f64 {
    match e {
        Ex::C(c) => *c,
        Ex::X => x,
        Ex::Add(a, b) => ev(a, x) + ev(b, x),
        Ex::Mul(a, b) => ev(a, x) * ev(b, x),
        Ex::Exp(a) => ev(a, x).exp(),
    }
}
#[no_mangle]
pub extern "C" fn symbolic_rc(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let e = Rc::new(Ex::Mul(
        Rc::new(Ex::C(x[0])),
        Rc::new(Ex::Exp(Rc::new(Ex::Mul(
            Rc::new(Ex::X),
            Rc::new(Ex::C(x[1] * 0.3)),
        )))),
    ));
    ev(&d(&d(&e)), x[2]) + ev(&e, x[3])
}
// Small arrays of floats and enums are passed in the guise of integers.
#[derive(Clone, Copy)]
enum Rate {
    Fixed(f64),
    Steps(u64),
    Flag(bool),
}
#[inline(never)]
fn doubled(r: Rate) -> Rate {
    match r {
        Rate::Fixed(v) => Rate::Fixed(v * 2.0),
        Rate::Steps(n) => Rate::Steps(n + 1),
        Rate::Flag(b) => Rate::Flag(!b),
    }
}
#[no_mangle]
pub extern "C" fn rates(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let rates: Vec<Rate> = x
        .iter()
        .enumerate()
        .map(|(i, a)| {
            if i % 2 == 0 {
                Rate::Fixed(a * a)
            } else {
                Rate::Steps(i as u64)
            }
        })
        .collect();
    rates
        .iter()
        .map(|r| match doubled(doubled(*r)) {
            Rate::Fixed(v) => v * x[1],
            Rate::Steps(n) => n as f64,
            Rate::Flag(_) => 0.0,
        })
        .sum()
}

// Text that the library makes, beside numbers.
#[inline(never)]
fn checked(x: &[f64]) -> Result<f64, String> {
    let s: f64 = x.iter().sum();
    if s < 0.0 {
        return Err(format!("sum {} is negative", s));
    }
    if x.is_empty() {
        return Err("empty".to_string());
    }
    Ok(s.ln())
}
fn twice(x: &[f64]) -> Result<f64, String> {
    let a = checked(x)?;
    let b = checked(&x[1..])?;
    Ok(a * b + a)
}
#[no_mangle]
pub extern "C" fn result_string(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    match twice(x) {
        Ok(v) => v,
        Err(e) => e.len() as f64,
    }
}
#[no_mangle]
pub extern "C" fn hash_map_string(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let mut m: HashMap<String, f64> = HashMap::new();
    for (i, &v) in x.iter().enumerate() {
        m.insert(format!("k{}", i), v * v);
    }
    m["k0"] * m["k1"] + m.values().sum::<f64>()
}
#[no_mangle]
pub extern "C" fn btree_map_str(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let mut m: BTreeMap<&'static str, f64> = BTreeMap::new();
    m.insert("a", x[0]);
    m.insert("b", x[1]);
    m.insert("c", x[2] * x[3]);
    if let Some(v) = m.get_mut("b") {
        *v *= x[4];
    }
    m.values().fold(1.0, |a, b| a * b) + m["c"]
}

// Values that the library moves piece by piece.
#[no_mangle]
pub extern "C" fn moved(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let make = |a: f64, i: usize| {
        if i % 3 == 1 {
            Rate::Steps(i as u64)
        } else {
            Rate::Fixed(a * a)
        }
    };
    let mut rates: Vec<(Rate, f64)> = x.iter().enumerate().map(|(i, a)| (make(*a, i), *a)).collect();
    rates.swap(0, 1);
    rates.rotate_left(2);
    rates.reverse();
    let (head, tail) = rates.split_at_mut(3);
    head.swap_with_slice(tail);
    std::mem::swap(&mut head[0], &mut tail[2]);
    let old = std::mem::replace(&mut head[1], (Rate::Flag(true), x[2]));
    rates.push(old);
    rates.sort_by(|a, b| a.1.partial_cmp(&b.1).unwrap());
    rates
        .iter()
        .enumerate()
        .map(|(i, (r, w))| match r {
            Rate::Fixed(v) => v * w * (i + 1) as f64,
            Rate::Steps(k) => *k as f64 * w,
            Rate::Flag(_) => *w,
        })
        .sum()
}

// Texts that are cloned.
#[derive(Clone, Debug)]
enum Value {
    Int(i64),
    Real(f64),
    List(Vec<Value>),
    Text(String),
    None,
}
fn add(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Value::Int(x + y),
        (Value::Real(x), Value::Real(y)) => Value::Real(x + y),
        (Value::Int(x), Value::Real(y)) | (Value::Real(y), Value::Int(x)) => Value::Real(*x as f64 * 0.5 + y),
        (Value::List(v), o) | (o, Value::List(v)) => Value::List(v.iter().map(|e| add(e, o)).collect()),
        (Value::Text(s), _) => Value::Int(s.len() as i64),
        _ => Value::None,
    }
}
fn num(v: &Value) -> f64 {
    match v {
        Value::Int(i) => *i as f64,
        Value::Real(r) => r * r,
        Value::List(l) => l.iter().map(num).sum(),
        Value::Text(_) => 1.0,
        Value::None => 0.0,
    }
}
#[no_mangle]
pub extern "C" fn values(x: *const f64, n: i32) -> f64 {
    let x = slice!(x, n);
    let mut acc = Value::List(vec![Value::Int(2), Value::Real(x[0]), Value::Text("ab".into())]);
    for (i, v) in x.iter().enumerate() {
        let o = if i % 2 == 0 {
            Value::Real(*v)
        } else {
            Value::Int(i as i64)
        };
        acc = add(&acc, &o);
    }
    num(&acc.clone()) * x[1]
}

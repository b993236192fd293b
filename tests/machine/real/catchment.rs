//! A catchment of three basins: snow, soil and groundwater of each as stores with laws that are expression trees, rain by
//! a spline through gauges, evaporation by quadrature over the day, routing by a unit hydrograph and Muskingum reaches, a
//! reservoir with a rule curve and a spillway solved by Newton and bisection, and scores of the flow against records. The
//! numbers are parameters of soils, of the spline, of reaches and of the dam.

use std::fmt;
use std::ops::{Add, Div, Mul};
use std::rc::Rc;

/// What can go wrong while a model is built or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ModelError {
    TooFewPoints,
    NotIncreasing,
    NoBracket,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            ModelError::TooFewPoints => "a spline needs three points",
            ModelError::NotIncreasing => "abscissae must increase",
            ModelError::NoBracket => "no change of sign",
        };
        f.write_str(text)
    }
}

impl std::error::Error for ModelError {}

/// Laws of flow, as they are written in a file of parameters.
#[derive(Debug)]
enum Expr {
    Number(f64),
    Storage,
    Parameter(usize),
    Sum(Rc<Expr>, Rc<Expr>),
    Product(Rc<Expr>, Rc<Expr>),
    Ratio(Rc<Expr>, Rc<Expr>),
    Power(Rc<Expr>, f64),
    Exp(Rc<Expr>),
    Above(Rc<Expr>, f64),
}

impl Expr {
    fn value(&self, storage: f64, parameters: &[f64]) -> f64 {
        match self {
            Expr::Number(v) => *v,
            Expr::Storage => storage,
            Expr::Parameter(k) => parameters[*k],
            Expr::Sum(a, b) => a.value(storage, parameters) + b.value(storage, parameters),
            Expr::Product(a, b) => a.value(storage, parameters) * b.value(storage, parameters),
            Expr::Ratio(a, b) => a.value(storage, parameters) / b.value(storage, parameters),
            Expr::Power(a, p) => a.value(storage, parameters).max(0.0).powf(*p),
            Expr::Exp(a) => a.value(storage, parameters).exp(),
            Expr::Above(a, limit) => (a.value(storage, parameters) - limit).max(0.0),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Expr::Number(_) | Expr::Storage | Expr::Parameter(_) => 1,
            Expr::Sum(a, b) | Expr::Product(a, b) | Expr::Ratio(a, b) => 1 + a.depth().max(b.depth()),
            Expr::Power(a, _) | Expr::Exp(a) | Expr::Above(a, _) => 1 + a.depth(),
        }
    }
}

/// An expression, to be calculated with.
#[derive(Clone, Debug)]
struct Law(Rc<Expr>);

impl Law {
    fn new(expr: Expr) -> Self {
        Law(Rc::new(expr))
    }

    fn value(&self, storage: f64, parameters: &[f64]) -> f64 {
        self.0.value(storage, parameters)
    }

    fn power(&self, p: f64) -> Law {
        Law::new(Expr::Power(Rc::clone(&self.0), p))
    }

    fn exp(&self) -> Law {
        Law::new(Expr::Exp(Rc::clone(&self.0)))
    }

    fn above(&self, limit: f64) -> Law {
        Law::new(Expr::Above(Rc::clone(&self.0), limit))
    }
}

impl From<f64> for Law {
    fn from(v: f64) -> Law {
        Law::new(Expr::Number(v))
    }
}

impl Add for Law {
    type Output = Law;
    fn add(self, o: Law) -> Law {
        Law::new(Expr::Sum(self.0, o.0))
    }
}

impl Mul for Law {
    type Output = Law;
    fn mul(self, o: Law) -> Law {
        Law::new(Expr::Product(self.0, o.0))
    }
}

impl Div for Law {
    type Output = Law;
    fn div(self, o: Law) -> Law {
        Law::new(Expr::Ratio(self.0, o.0))
    }
}

/// A natural cubic spline.
struct Spline {
    at: Vec<f64>,
    values: Vec<f64>,
    bends: Vec<f64>,
}

impl Spline {
    fn through(points: &[(f64, f64)]) -> Result<Self, ModelError> {
        if points.len() < 3 {
            return Err(ModelError::TooFewPoints);
        }
        if points.windows(2).any(|w| w[0].0 >= w[1].0) {
            return Err(ModelError::NotIncreasing);
        }
        let (at, values): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        let n = at.len();
        let (mut diagonal, mut right) = (vec![1.0; n], vec![0.0; n]);
        let mut upper = vec![0.0; n];
        for k in 1..n - 1 {
            let (h0, h1) = (at[k] - at[k - 1], at[k + 1] - at[k]);
            let slope = (values[k + 1] - values[k]) / h1 - (values[k] - values[k - 1]) / h0;
            let factor = h0 / diagonal[k - 1];
            diagonal[k] = 2.0 * (h0 + h1) - factor * upper[k - 1];
            upper[k] = h1;
            right[k] = 6.0 * slope - factor * right[k - 1];
        }
        let mut bends = vec![0.0; n];
        for k in (1..n - 1).rev() {
            bends[k] = (right[k] - upper[k] * bends[k + 1]) / diagonal[k];
        }
        Ok(Spline { at, values, bends })
    }

    fn value(&self, t: f64) -> f64 {
        let k = self.at.partition_point(|&a| a <= t).clamp(1, self.at.len() - 1);
        let h = self.at[k] - self.at[k - 1];
        let (a, b) = ((self.at[k] - t) / h, (t - self.at[k - 1]) / h);
        let curve = (a.powi(3) - a) * self.bends[k - 1] + (b.powi(3) - b) * self.bends[k];
        a * self.values[k - 1] + b * self.values[k] + curve * h * h / 6.0
    }
}

/// Gauss-Legendre's rule with five points, over a number of panels.
fn integral<F: Fn(f64) -> f64>(f: F, from: f64, to: f64, panels: usize) -> f64 {
    const RULE: [(f64, f64); 5] = [
        (-0.906179845938664, 0.236926885056189),
        (-0.538469310105683, 0.478628670499366),
        (0.0, 0.568888888888889),
        (0.538469310105683, 0.478628670499366),
        (0.906179845938664, 0.236926885056189),
    ];
    let h = (to - from) / panels as f64;
    (0..panels)
        .map(|k| {
            let middle = from + (k as f64 + 0.5) * h;
            0.5 * h * RULE.iter().map(|&(x, w)| w * f(middle + 0.5 * h * x)).sum::<f64>()
        })
        .sum()
}

/// Newton's method, kept within a bracket.
fn root(f: impl Fn(f64) -> (f64, f64), mut low: f64, mut high: f64) -> Result<f64, ModelError> {
    if f(low).0 * f(high).0 > 0.0 {
        return Err(ModelError::NoBracket);
    }
    let rising = f(high).0 > 0.0;
    let mut x = 0.5 * (low + high);
    for _ in 0..40 {
        let (value, slope) = f(x);
        if (value > 0.0) == rising {
            high = x;
        } else {
            low = x;
        }
        let next = x - value / slope;
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        if (next - x).abs() < 1e-13 {
            return Ok(next);
        }
        x = next;
    }
    Ok(x)
}

#[derive(Clone, Default)]
struct Stores {
    snow: f64,
    soil: f64,
    ground: f64,
}

struct Basin {
    area: f64,
    parameters: [f64; 3],
    infiltration: Law,
    baseflow: Law,
    stores: Stores,
    hydrograph: [f64; 5],
    queue: [f64; 5],
}

impl Basin {
    fn new(area: f64, parameters: [f64; 3], laws: (&Law, &Law), delay: f64) -> Self {
        let weights: [f64; 5] = std::array::from_fn(|k| (k as f64 + 0.5) * (-(k as f64 + 0.5) / delay).exp());
        let total: f64 = weights.iter().sum();
        Basin {
            area,
            parameters,
            infiltration: laws.0.clone(),
            baseflow: laws.1.clone(),
            stores: Stores { soil: 0.5, ground: 0.8, ..Stores::default() },
            hydrograph: weights.map(|w| w / total),
            queue: [0.0; 5],
        }
    }

    /// One day: what falls, melts, seeps and evaporates; what leaves by the river.
    fn step(&mut self, rain: f64, temperature: f64, evaporation: f64) -> f64 {
        let Stores { snow, soil, ground } = &mut self.stores;
        let melted = if temperature < 0.0 {
            *snow += rain;
            0.0
        } else {
            let melt = (0.4 * temperature).min(*snow);
            *snow -= melt;
            melt + rain
        };
        let seeped = melted * self.infiltration.value(*soil, &self.parameters).min(1.0);
        *soil += seeped - evaporation * *soil / (*soil + 0.3);
        let down = 0.2 * soil.powi(2);
        *soil -= down;
        *ground += down;
        let base = self.baseflow.value(*ground, &self.parameters);
        *ground -= base;
        let quick = melted - seeped;
        self.queue.iter_mut().zip(&self.hydrograph).for_each(|(q, w)| *q += w * quick);
        let arrived = std::mem::take(&mut self.queue[0]);
        self.queue.rotate_left(1);
        self.area * (arrived + base)
    }
}

/// A reach of a river after Muskingum.
struct Reach {
    weights: [f64; 3],
    last: Option<(f64, f64)>,
}

impl Reach {
    fn new(k: f64, x: f64) -> Self {
        let d = k * (1.0 - x) + 0.5;
        Reach { weights: [(0.5 - k * x) / d, (0.5 + k * x) / d, (k * (1.0 - x) - 0.5) / d], last: None }
    }

    fn route(&mut self, inflow: f64) -> f64 {
        let outflow = match self.last {
            None => inflow,
            Some((before, out)) => {
                let [a, b, c] = self.weights;
                a * inflow + b * before + c * out
            }
        };
        self.last = Some((inflow, outflow));
        outflow
    }
}

enum Outlet {
    Gate { opening: f64 },
    Spillway { crest: f64, width: f64 },
    Turbine { most: f64, head: f64 },
}

impl Outlet {
    /// What leaves at a level, and how that changes with it.
    fn flow(&self, level: f64) -> (f64, f64) {
        match *self {
            Outlet::Gate { opening } => {
                let root = (level + 0.1).sqrt();
                (opening * root, 0.5 * opening / root)
            }
            Outlet::Spillway { crest, width } if level > crest => {
                let over = level - crest;
                (width * over.powf(1.5), 1.5 * width * over.sqrt())
            }
            Outlet::Spillway { .. } => (0.0, 0.0),
            Outlet::Turbine { most, head } => {
                let t = (level / head).tanh();
                (most * t, most * (1.0 - t * t) / head)
            }
        }
    }
}

struct Reservoir {
    level: f64,
    surface: f64,
    outlets: Vec<Outlet>,
}

impl Reservoir {
    /// The level after a day follows implicitly from what leaves at that level.
    fn step(&mut self, inflow: f64) -> Result<f64, ModelError> {
        let (level, surface, outlets) = (self.level, self.surface, &self.outlets);
        let balance = |z: f64| {
            let (out, slope) = outlets.iter().map(|o| o.flow(z)).fold((0.0, 0.0), |(q, s), (a, b)| (q + a, s + b));
            (surface * (z - level) - inflow + out, surface + slope)
        };
        let next = root(balance, 0.0, level + inflow / surface + 1.0)?;
        let released = inflow - surface * (next - level);
        self.level = next;
        Ok(released)
    }
}

/// Nash and Sutcliffe's score, that of the logarithms, and the error of volume.
fn scores(model: &[f64], record: &[f64]) -> [f64; 3] {
    let nash = |f: &dyn Fn(f64) -> f64| {
        let mean = record.iter().map(|&q| f(q)).sum::<f64>() / record.len() as f64;
        let errors: f64 = model.iter().zip(record).map(|(&m, &r)| (f(m) - f(r)).powi(2)).sum();
        let spread: f64 = record.iter().map(|&r| (f(r) - mean).powi(2)).sum();
        1.0 - errors / spread
    };
    let volume = model.iter().sum::<f64>() / record.iter().sum::<f64>() - 1.0;
    [nash(&|q| q), nash(&|q| (q + 0.01).ln()), volume]
}

fn run(x: &[f64]) -> Result<f64, ModelError> {
    let [a, b, k] = [0, 1, 2].map(|n| Law::new(Expr::Parameter(n)));
    let storage = Law::new(Expr::Storage);
    let infiltration = a / (b + storage.power(1.4));
    let baseflow = k.clone() * storage.power(1.3) + Law::from(0.02) * storage.above(1.0);
    let shallow = k * (Law::from(-0.5) / (storage + Law::from(0.2))).exp();
    let gauges: Vec<(f64, f64)> =
        [0.3, 1.2, 0.1, 0.8, 1.5, 0.4].iter().enumerate().map(|(k, r)| (6.0 * k as f64, r * x[k % 3])).collect();
    let rain = Spline::through(&gauges)?;
    let mut basins: Vec<Basin> = [(2.0, &baseflow), (1.4, &shallow), (0.9, &baseflow)]
        .iter()
        .enumerate()
        .map(|(k, (area, law))| {
            let parameters = [0.6 * x[3], 0.5 * x[4] + 0.1 * k as f64, 0.1 * x[5]];
            Basin::new(*area, parameters, (&infiltration, law), 0.8 + 0.4 * x[6])
        })
        .collect();
    let mut reaches = [Reach::new(0.9 * x[7], 0.2), Reach::new(0.7 * x[7], 0.1)];
    let outlets = vec![
        Outlet::Gate { opening: 0.3 * x[8] },
        Outlet::Spillway { crest: 1.2, width: 1.5 * x[9] },
        Outlet::Turbine { most: 0.2, head: 2.0 },
    ];
    let mut dam = Reservoir { level: 0.6 + 0.4 * x[10], surface: 3.0, outlets };
    let mut flows = Vec::new();
    for day in 0..30 {
        let season = (0.2 * day as f64).sin();
        let sun = integral(|t| (0.3 + 0.2 * season) * (t * t * (-t).exp()), 0.0, 2.0 * x[11], 2);
        let fall = rain.value(day as f64).max(0.0);
        let local: Vec<f64> =
            basins.iter_mut().enumerate().map(|(k, b)| b.step(fall, 4.0 * season + k as f64, 0.3 * sun)).collect();
        let upper = reaches[0].route(local[0] + local[1]);
        flows.push(reaches[1].route(dam.step(upper)?) + local[2]);
    }
    let record: Vec<f64> = (0..flows.len()).map(|k| 1.0 + 0.8 * (0.3 * k as f64).sin()).collect();
    let peak = flows.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = [1.0, 0.5, -0.3];
    let score: f64 = scores(&flows, &record).iter().zip(weights).map(|(s, w)| s * w).sum();
    let stored: f64 = basins.iter().map(|b| b.area * (b.stores.snow + b.stores.soil + b.stores.ground)).sum();
    Ok(score + peak + 0.2 * stored + dam.level + 0.01 * infiltration.0.depth() as f64)
}

#[no_mangle]
pub extern "C" fn catchment(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    run(x).unwrap_or_else(|error| -(error.to_string().len() as f64))
}

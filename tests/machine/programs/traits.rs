//! Trait objects: calls through tables of functions.
trait Layer {
    fn apply(&self, x: f64) -> f64;
}

struct Affine {
    a: f64,
    b: f64,
}

struct Tanh;

impl Layer for Affine {
    fn apply(&self, x: f64) -> f64 {
        self.a * x + self.b
    }
}

impl Layer for Tanh {
    fn apply(&self, x: f64) -> f64 {
        x.tanh()
    }
}

#[no_mangle]
pub unsafe extern "C" fn traits(p: *const f64, x: f64) -> f64 {
    let p = std::slice::from_raw_parts(p, 4);
    let layers: [Box<dyn Layer>; 3] =
        [Box::new(Affine { a: p[0], b: p[1] }), Box::new(Tanh), Box::new(Affine { a: p[2], b: p[3] })];
    layers.iter().fold(x, |v, layer| layer.apply(v))
}

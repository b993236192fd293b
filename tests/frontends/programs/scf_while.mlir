// A loop that ends when a number is large enough.
func.func @f(%x: f64) -> f64 {
  %lim = arith.constant 50.0 : f64
  %two = arith.constant 1.3 : f64
  %r = scf.while (%v = %x) : (f64) -> f64 {
    %c = arith.cmpf olt, %v, %lim : f64
    scf.condition(%c) %v : f64
  } do {
  ^bb0(%v: f64):
    %w = arith.mulf %v, %two : f64
    %u = math.sin %v : f64
    %k = arith.addf %w, %u : f64
    scf.yield %k : f64
  }
  return %r : f64
}
func.func @forward(%x: f64, %dx: f64) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: f64, %ct: f64) -> (f64, f64) {
  %r:2 = enzyme.autodiff @f(%x, %ct) {
    activity = [#enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @forward2(%x: f64, %dx0: f64, %dx1: f64) -> (f64, f64) {
  %dx = vector.from_elements %dx0, %dx1 : vector<2xf64>
  %r = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (f64, vector<2xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: f64, %ct0: f64, %ct1: f64) -> (f64, f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  %r = enzyme.autodiff @f(%x, %ct) {
    activity = [#enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (f64, vector<2xf64>) -> (vector<2xf64>)
  %g00 = vector.extract %r[0] : f64 from vector<2xf64>
  %g01 = vector.extract %r[1] : f64 from vector<2xf64>
  return %g00, %g01 : f64, f64
}

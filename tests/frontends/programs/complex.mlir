// Complex numbers.
func.func @f(%x: f64, %y: f64) -> f64 {
  %z = complex.create %x, %y : complex<f64>
  %w = complex.mul %z, %z : complex<f64>
  %v = complex.add %w, %z : complex<f64>
  %a = complex.abs %v : complex<f64>
  %r = complex.re %w : complex<f64>
  %i = complex.im %v : complex<f64>
  %p = arith.mulf %r, %i : f64
  %q = arith.addf %p, %a : f64
  return %q : f64
}
func.func @forward(%x: f64, %dx: f64, %y: f64, %dy: f64) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (f64, f64, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: f64, %y: f64, %ct: f64) -> (f64, f64, f64) {
  %r:3 = enzyme.autodiff @f(%x, %y, %ct) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (f64, f64, f64) -> (f64, f64, f64)
  return %r#0, %r#1, %r#2 : f64, f64, f64
}
func.func @forward2(%x: f64, %dx0: f64, %dx1: f64, %y: f64, %dy0: f64, %dy1: f64) -> (f64, f64) {
  %dx = vector.from_elements %dx0, %dx1 : vector<2xf64>
  %dy = vector.from_elements %dy0, %dy1 : vector<2xf64>
  %r = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (f64, vector<2xf64>, f64, vector<2xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: f64, %y: f64, %ct0: f64, %ct1: f64) -> (f64, f64, f64, f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  %r:2 = enzyme.autodiff @f(%x, %y, %ct) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (f64, f64, vector<2xf64>) -> (vector<2xf64>, vector<2xf64>)
  %g00 = vector.extract %r#0[0] : f64 from vector<2xf64>
  %g01 = vector.extract %r#0[1] : f64 from vector<2xf64>
  %g10 = vector.extract %r#1[0] : f64 from vector<2xf64>
  %g11 = vector.extract %r#1[1] : f64 from vector<2xf64>
  return %g00, %g01, %g10, %g11 : f64, f64, f64, f64
}

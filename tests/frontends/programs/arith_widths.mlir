// Conversions between floats and integers.
func.func @f(%x: f64, %n: index) -> f64 {
  %i = arith.index_cast %n : index to i64
  %s = arith.sitofp %i : i64 to f64
  %a = arith.mulf %x, %s : f64
  %t = arith.truncf %a : f64 to f32
  %u = arith.extf %t : f32 to f64
  %e = arith.subf %a, %u : f64
  %z = arith.constant 0.0 : f64
  %k = arith.mulf %e, %z : f64
  %r = arith.addf %a, %k : f64
  return %r : f64
}
func.func @forward(%x: f64, %dx: f64, %n: index) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (f64, f64, index) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: f64, %n: index, %ct: f64) -> (f64, f64) {
  %r:2 = enzyme.autodiff @f(%x, %n, %ct) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (f64, index, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @forward2(%x: f64, %dx0: f64, %dx1: f64, %n: index) -> (f64, f64) {
  %dx = vector.from_elements %dx0, %dx1 : vector<2xf64>
  %r = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (f64, vector<2xf64>, index) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: f64, %n: index, %ct0: f64, %ct1: f64) -> (f64, f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  %r = enzyme.autodiff @f(%x, %n, %ct) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (f64, index, vector<2xf64>) -> (vector<2xf64>)
  %g00 = vector.extract %r[0] : f64 from vector<2xf64>
  %g01 = vector.extract %r[1] : f64 from vector<2xf64>
  return %g00, %g01 : f64, f64
}

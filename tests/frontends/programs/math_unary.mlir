// Twenty functions of one number.
func.func @f(%x: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %u = arith.mulf %x, %half : f64
  %m0 = math.sin %u : f64
  %m1 = math.cos %u : f64
  %m2 = math.tan %u : f64
  %m3 = math.exp %u : f64
  %m4 = math.exp2 %u : f64
  %m5 = math.expm1 %u : f64
  %m6 = math.log %u : f64
  %m7 = math.log2 %u : f64
  %m8 = math.log10 %u : f64
  %m9 = math.log1p %u : f64
  %m10 = math.sqrt %u : f64
  %m11 = math.rsqrt %u : f64
  %m12 = math.cbrt %u : f64
  %m13 = math.tanh %u : f64
  %m14 = math.sinh %u : f64
  %m15 = math.cosh %u : f64
  %m16 = math.atan %u : f64
  %m17 = math.asinh %u : f64
  %m18 = math.erf %u : f64
  %m19 = math.absf %u : f64
  %s1 = arith.addf %m0, %m1 : f64
  %s2 = arith.addf %s1, %m2 : f64
  %s3 = arith.addf %s2, %m3 : f64
  %s4 = arith.addf %s3, %m4 : f64
  %s5 = arith.addf %s4, %m5 : f64
  %s6 = arith.addf %s5, %m6 : f64
  %s7 = arith.addf %s6, %m7 : f64
  %s8 = arith.addf %s7, %m8 : f64
  %s9 = arith.addf %s8, %m9 : f64
  %s10 = arith.addf %s9, %m10 : f64
  %s11 = arith.addf %s10, %m11 : f64
  %s12 = arith.addf %s11, %m12 : f64
  %s13 = arith.addf %s12, %m13 : f64
  %s14 = arith.addf %s13, %m14 : f64
  %s15 = arith.addf %s14, %m15 : f64
  %s16 = arith.addf %s15, %m16 : f64
  %s17 = arith.addf %s16, %m17 : f64
  %s18 = arith.addf %s17, %m18 : f64
  %s19 = arith.addf %s18, %m19 : f64
  return %s19 : f64
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

// Functions that call functions, and one that calls itself.
func.func private @power(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %zero -> (f64) {
    %one = arith.constant 1.0 : f64
    scf.yield %one : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @power(%x, %m) : (f64, index) -> f64
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
func.func private @shifted(%x: f64, %y: f64) -> f64 {
  %s = math.sqrt %x : f64
  %r = arith.addf %s, %y : f64
  return %r : f64
}
func.func @f(%x: f64, %n: index) -> f64 {
  %r = func.call @power(%x, %n) : (f64, index) -> f64
  %s = func.call @shifted(%r, %x) : (f64, f64) -> f64
  return %s : f64
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

// Blocks, branches and a switch.
func.func @f(%x: f64, %n: i32) -> f64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c0, %x : i32, f64)
^head(%i: i32, %s: f64):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^done
^body:
  %t = math.sin %s : f64
  %u = arith.addf %t, %s : f64
  %j = arith.addi %i, %c1 : i32
  cf.switch %i : i32, [
    default: ^head(%j, %u : i32, f64),
    1: ^head(%j, %t : i32, f64)
  ]
^done:
  %r = arith.mulf %s, %x : f64
  return %r : f64
}
func.func @forward(%x: f64, %dx: f64, %n: i32) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (f64, f64, i32) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: f64, %n: i32, %ct: f64) -> (f64, f64) {
  %r:2 = enzyme.autodiff @f(%x, %n, %ct) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (f64, i32, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @forward2(%x: f64, %dx0: f64, %dx1: f64, %n: i32) -> (f64, f64) {
  %dx = vector.from_elements %dx0, %dx1 : vector<2xf64>
  %r = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (f64, vector<2xf64>, i32) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: f64, %n: i32, %ct0: f64, %ct1: f64) -> (f64, f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  %r = enzyme.autodiff @f(%x, %n, %ct) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (f64, i32, vector<2xf64>) -> (vector<2xf64>)
  %g00 = vector.extract %r[0] : f64 from vector<2xf64>
  %g01 = vector.extract %r[1] : f64 from vector<2xf64>
  return %g00, %g01 : f64, f64
}

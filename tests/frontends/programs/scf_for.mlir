// A loop that carries two numbers.
func.func @f(%x: memref<?xf64>, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y, %p = %y) -> (f64, f64) {
    %v = memref.load %x[%i] : memref<?xf64>
    %t = arith.addf %s, %v : f64
    %q = arith.mulf %p, %v : f64
    scf.yield %q, %t : f64, f64
  }
  %m = arith.mulf %r#0, %r#1 : f64
  return %m : f64
}
func.func @forward(%x: memref<?xf64>, %dx: memref<?xf64>, %y: f64, %dy: f64) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<?xf64>, memref<?xf64>, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<?xf64>, %dx: memref<?xf64>, %y: f64, %ct: f64) -> (f64, f64) {
  %r:2 = enzyme.autodiff @f(%x, %dx, %y, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<?xf64>, memref<?xf64>, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @forward2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: f64, %dy0: f64, %dy1: f64) -> (f64, f64) {
  %dy = vector.from_elements %dy0, %dy1 : vector<2xf64>
  %r = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, f64, vector<2xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: f64, %ct0: f64, %ct1: f64) -> (f64, f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  %r = enzyme.autodiff @f(%x, %dx, %y, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, f64, vector<2xf64>) -> (vector<2xf64>)
  %g00 = vector.extract %r[0] : f64 from vector<2xf64>
  %g01 = vector.extract %r[1] : f64 from vector<2xf64>
  return %g00, %g01 : f64, f64
}

// Constants of the module and memory with a layout of its own.
memref.global "private" constant @weights : memref<3xf64> = dense<[1.5, -2.0, 0.25]>
func.func @f(%x: memref<3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.get_global @weights : memref<3xf64>
  %z = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %z) -> (f64) {
    %w = memref.load %g[%i] : memref<3xf64>
    %v = memref.load %x[%i] : memref<3xf64>
    %p = arith.mulf %v, %w : f64
    %q = arith.mulf %p, %v : f64
    %t = arith.addf %s, %q : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @forward(%x: memref<3xf64>, %dx: memref<3xf64>) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<3xf64>, memref<3xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<3xf64>, %dx: memref<3xf64>, %ct: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<3xf64>, memref<3xf64>, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<3xf64>, %dx: memref<2x3xf64>) -> (f64, f64) {
  %r = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<3xf64>, memref<2x3xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<3xf64>, %dx: memref<2x3xf64>, %ct0: f64, %ct1: f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<3xf64>, memref<2x3xf64>, vector<2xf64>) -> ()
  return
}

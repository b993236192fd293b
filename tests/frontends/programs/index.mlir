// Arithmetic of indices in addresses.
func.func @f(%x: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = index.constant 2
  %z = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
    %j = index.mul %i, %two
    %k = index.remu %j, %n
    %v = memref.load %x[%k] : memref<?xf64>
    %w = memref.load %x[%i] : memref<?xf64>
    %p = arith.mulf %v, %w : f64
    %t = arith.addf %s, %p : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @forward(%x: memref<?xf64>, %dx: memref<?xf64>, %n: index) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<?xf64>, memref<?xf64>, index) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<?xf64>, %dx: memref<?xf64>, %n: index, %ct: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %n, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<?xf64>, memref<?xf64>, index, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %n: index) -> (f64, f64) {
  %r = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, index) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %n: index, %ct0: f64, %ct1: f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  enzyme.autodiff @f(%x, %dx, %n, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, index, vector<2xf64>) -> ()
  return
}

// An affine parallel loop that reduces.
func.func @f(%x: memref<6xf64>) -> f64 {
  %r = affine.parallel (%i) = (0) to (6) reduce ("addf") -> f64 {
    %v = affine.load %x[%i] : memref<6xf64>
    %w = math.exp %v : f64
    %p = arith.mulf %v, %w : f64
    affine.yield %p : f64
  }
  return %r : f64
}
func.func @forward(%x: memref<6xf64>, %dx: memref<6xf64>) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<6xf64>, memref<6xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<6xf64>, %dx: memref<6xf64>, %ct: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<6xf64>, memref<6xf64>, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<6xf64>, %dx: memref<2x6xf64>) -> (f64, f64) {
  %r = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<6xf64>, memref<2x6xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<6xf64>, %dx: memref<2x6xf64>, %ct0: f64, %ct1: f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<6xf64>, memref<2x6xf64>, vector<2xf64>) -> ()
  return
}

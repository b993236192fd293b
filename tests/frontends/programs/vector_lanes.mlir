// Vectors: loads, products with sums, a reduction, an element.
func.func @f(%x: memref<8xf64>, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = vector.load %x[%c0] : memref<8xf64>, vector<4xf64>
  %b = vector.load %x[%c4] : memref<8xf64>, vector<4xf64>
  %s = vector.broadcast %y : f64 to vector<4xf64>
  %f = vector.fma %a, %b, %s : vector<4xf64>
  %e = math.exp %f : vector<4xf64>
  vector.store %e, %x[%c4] : memref<8xf64>, vector<4xf64>
  %sh = vector.shuffle %a, %f [0, 5, 2, 7] : vector<4xf64>, vector<4xf64>
  %r = vector.reduction <add>, %sh : vector<4xf64> into f64
  %l = vector.extract %f[2] : f64 from vector<4xf64>
  %m = arith.mulf %r, %l : f64
  return %m : f64
}
func.func @forward(%x: memref<8xf64>, %dx: memref<8xf64>, %y: f64, %dy: f64) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<8xf64>, memref<8xf64>, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<8xf64>, %dx: memref<8xf64>, %y: f64, %ct: f64) -> (f64, f64) {
  %r:2 = enzyme.autodiff @f(%x, %dx, %y, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<8xf64>, memref<8xf64>, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @forward2(%x: memref<8xf64>, %dx: memref<2x8xf64>, %y: f64, %dy0: f64, %dy1: f64) -> (f64, f64) {
  %dy = vector.from_elements %dy0, %dy1 : vector<2xf64>
  %r = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<8xf64>, memref<2x8xf64>, f64, vector<2xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<8xf64>, %dx: memref<2x8xf64>, %y: f64, %ct0: f64, %ct1: f64) -> (f64, f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  %r = enzyme.autodiff @f(%x, %dx, %y, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<8xf64>, memref<2x8xf64>, f64, vector<2xf64>) -> (vector<2xf64>)
  %g00 = vector.extract %r[0] : f64 from vector<2xf64>
  %g01 = vector.extract %r[1] : f64 from vector<2xf64>
  return %g00, %g01 : f64, f64
}

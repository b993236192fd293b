// Views: subview, cast, transpose, collapse, expand, reinterpret.
func.func @f(%x: memref<4x6xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sv = memref.subview %x[1, 2] [2, 3] [2, 1] : memref<4x6xf64> to memref<2x3xf64, strided<[12, 1], offset: 8>>
  %tr = memref.transpose %sv (i, j) -> (j, i) : memref<2x3xf64, strided<[12, 1], offset: 8>> to memref<3x2xf64, strided<[1, 12], offset: 8>>
  %a = memref.load %tr[%c2, %c1] : memref<3x2xf64, strided<[1, 12], offset: 8>>
  %fl = memref.collapse_shape %x [[0, 1]] : memref<4x6xf64> into memref<24xf64>
  %ex = memref.expand_shape %fl [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xf64> into memref<2x3x4xf64>
  %b = memref.load %ex[%c1, %c2, %c1] : memref<2x3x4xf64>
  %rc = memref.reinterpret_cast %x to offset: [3], sizes: [5], strides: [4] : memref<4x6xf64> to memref<5xf64, strided<[4], offset: 3>>
  %dy = memref.cast %rc : memref<5xf64, strided<[4], offset: 3>> to memref<?xf64, strided<[?], offset: ?>>
  %c = memref.load %dy[%c2] : memref<?xf64, strided<[?], offset: ?>>
  %ab = arith.mulf %a, %b : f64
  memref.store %ab, %sv[%c0, %c0] : memref<2x3xf64, strided<[12, 1], offset: 8>>
  %r = arith.mulf %ab, %c : f64
  return %r : f64
}
func.func @forward(%x: memref<4x6xf64>, %dx: memref<4x6xf64>) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<4x6xf64>, memref<4x6xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<4x6xf64>, %dx: memref<4x6xf64>, %ct: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<4x6xf64>, memref<4x6xf64>, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<4x6xf64>, %dx: memref<2x4x6xf64>) -> (f64, f64) {
  %r = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<4x6xf64>, memref<2x4x6xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<4x6xf64>, %dx: memref<2x4x6xf64>, %ct0: f64, %ct1: f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<4x6xf64>, memref<2x4x6xf64>, vector<2xf64>) -> ()
  return
}

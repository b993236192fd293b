// Transfers with padding, a contraction, an outer product.
func.func @f(%a: memref<4x3xf64>, %b: memref<3x2xf64>, %c: memref<4x2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %va = vector.transfer_read %a[%c0, %c0], %z : memref<4x3xf64>, vector<4x3xf64>
  %vb = vector.transfer_read %b[%c0, %c0], %z : memref<3x2xf64>, vector<3x2xf64>
  %vc = vector.transfer_read %c[%c0, %c0], %z : memref<4x2xf64>, vector<4x2xf64>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %vc : vector<4x3xf64>, vector<3x2xf64> into vector<4x2xf64>
  vector.transfer_write %r, %c[%c0, %c0] : vector<4x2xf64>, memref<4x2xf64>
  return
}
func.func @forward(%a: memref<4x3xf64>, %da: memref<4x3xf64>, %b: memref<3x2xf64>, %db: memref<3x2xf64>, %c: memref<4x2xf64>, %dc: memref<4x2xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<4x3xf64>, memref<4x3xf64>, memref<3x2xf64>, memref<3x2xf64>, memref<4x2xf64>, memref<4x2xf64>) -> ()
  return
}
func.func @reverse(%a: memref<4x3xf64>, %da: memref<4x3xf64>, %b: memref<3x2xf64>, %db: memref<3x2xf64>, %c: memref<4x2xf64>, %dc: memref<4x2xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<4x3xf64>, memref<4x3xf64>, memref<3x2xf64>, memref<3x2xf64>, memref<4x2xf64>, memref<4x2xf64>) -> ()
  return
}
func.func @forward2(%a: memref<4x3xf64>, %da: memref<2x4x3xf64>, %b: memref<3x2xf64>, %db: memref<2x3x2xf64>, %c: memref<4x2xf64>, %dc: memref<2x4x2xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<4x3xf64>, memref<2x4x3xf64>, memref<3x2xf64>, memref<2x3x2xf64>, memref<4x2xf64>, memref<2x4x2xf64>) -> ()
  return
}
func.func @reverse2(%a: memref<4x3xf64>, %da: memref<2x4x3xf64>, %b: memref<3x2xf64>, %db: memref<2x3x2xf64>, %c: memref<4x2xf64>, %dc: memref<2x4x2xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<4x3xf64>, memref<2x4x3xf64>, memref<3x2xf64>, memref<2x3x2xf64>, memref<4x2xf64>, memref<2x4x2xf64>) -> ()
  return
}

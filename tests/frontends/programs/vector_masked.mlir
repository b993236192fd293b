// Loads and stores under a mask.
func.func @f(%x: memref<8xf64>, %y: memref<8xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = vector.create_mask %n : vector<8xi1>
  %p = arith.constant dense<0.5> : vector<8xf64>
  %v = vector.maskedload %x[%c0], %m, %p : memref<8xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
  %w = arith.mulf %v, %v : vector<8xf64>
  vector.maskedstore %y[%c0], %m, %w : memref<8xf64>, vector<8xi1>, vector<8xf64>
  return
}
func.func @forward(%x: memref<8xf64>, %dx: memref<8xf64>, %y: memref<8xf64>, %dy: memref<8xf64>, %n: index) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = []
  } : (memref<8xf64>, memref<8xf64>, memref<8xf64>, memref<8xf64>, index) -> ()
  return
}
func.func @reverse(%x: memref<8xf64>, %dx: memref<8xf64>, %y: memref<8xf64>, %dy: memref<8xf64>, %n: index) {
  enzyme.autodiff @f(%x, %dx, %y, %dy, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = []
  } : (memref<8xf64>, memref<8xf64>, memref<8xf64>, memref<8xf64>, index) -> ()
  return
}
func.func @forward2(%x: memref<8xf64>, %dx: memref<2x8xf64>, %y: memref<8xf64>, %dy: memref<2x8xf64>, %n: index) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [], width = 2 : i64
  } : (memref<8xf64>, memref<2x8xf64>, memref<8xf64>, memref<2x8xf64>, index) -> ()
  return
}
func.func @reverse2(%x: memref<8xf64>, %dx: memref<2x8xf64>, %y: memref<8xf64>, %dy: memref<2x8xf64>, %n: index) {
  enzyme.autodiff @f(%x, %dx, %y, %dy, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [], width = 2 : i64
  } : (memref<8xf64>, memref<2x8xf64>, memref<8xf64>, memref<2x8xf64>, index) -> ()
  return
}

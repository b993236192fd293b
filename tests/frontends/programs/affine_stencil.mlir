// Affine loops with bounds by maps.
func.func @f(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
    %a = affine.load %x[%i - 1] : memref<?xf64>
    %b = affine.load %x[%i] : memref<?xf64>
    %c = affine.load %x[%i + 1] : memref<?xf64>
    %ac = arith.mulf %a, %c : f64
    %d = arith.subf %ac, %b : f64
    affine.store %d, %y[%i] : memref<?xf64>
  }
  return
}
func.func @forward(%x: memref<?xf64>, %dx: memref<?xf64>, %y: memref<?xf64>, %dy: memref<?xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  return
}
func.func @reverse(%x: memref<?xf64>, %dx: memref<?xf64>, %y: memref<?xf64>, %dy: memref<?xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  return
}
func.func @forward2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: memref<?xf64>, %dy: memref<2x?xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, memref<?xf64>, memref<2x?xf64>) -> ()
  return
}
func.func @reverse2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: memref<?xf64>, %dy: memref<2x?xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, memref<?xf64>, memref<2x?xf64>) -> ()
  return
}

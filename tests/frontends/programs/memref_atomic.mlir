// An atomic sum.
func.func @f(%x: memref<?xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %v : f64
    %o = memref.atomic_rmw addf %w, %y[%c0] : (f64, memref<1xf64>) -> f64
  }
  return
}
func.func @forward(%x: memref<?xf64>, %dx: memref<?xf64>, %y: memref<1xf64>, %dy: memref<1xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<?xf64>, memref<?xf64>, memref<1xf64>, memref<1xf64>) -> ()
  return
}
func.func @reverse(%x: memref<?xf64>, %dx: memref<?xf64>, %y: memref<1xf64>, %dy: memref<1xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<?xf64>, memref<?xf64>, memref<1xf64>, memref<1xf64>) -> ()
  return
}
func.func @forward2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: memref<1xf64>, %dy: memref<2x1xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, memref<1xf64>, memref<2x1xf64>) -> ()
  return
}
func.func @reverse2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: memref<1xf64>, %dy: memref<2x1xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, memref<1xf64>, memref<2x1xf64>) -> ()
  return
}

// A kernel in place, with its blocks and threads.
func.func @f(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %c2 = arith.constant 2 : index
  %b = arith.ceildivui %n, %c2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %b, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %o = arith.muli %bx, %sx : index
    %i = arith.addi %o, %tx : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %v = memref.load %x[%i] : memref<?xf64>
      %w = arith.mulf %v, %v : f64
      %u = math.sin %w : f64
      memref.store %u, %y[%i] : memref<?xf64>
    }
    gpu.terminator
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

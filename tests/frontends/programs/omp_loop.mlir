// A parallel loop of OpenMP.
func.func @f(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %v = memref.load %x[%i] : memref<?xf64>
        %w = math.sin %v : f64
        %u = arith.mulf %w, %v : f64
        memref.store %u, %y[%i] : memref<?xf64>
        omp.yield
      }
    }
    omp.terminator
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

// A parallel loop with a reduction.
func.func @f(%x: memref<?xf64>, %y: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = math.sin %v : f64
    memref.store %w, %y[%i] : memref<?xf64>
    %p = arith.mulf %v, %w : f64
    scf.reduce(%p : f64) {
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      scf.reduce.return %c : f64
    }
  }
  return %r : f64
}
func.func @forward(%x: memref<?xf64>, %dx: memref<?xf64>, %y: memref<?xf64>, %dy: memref<?xf64>) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<?xf64>, %dx: memref<?xf64>, %y: memref<?xf64>, %dy: memref<?xf64>, %ct: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %y, %dy, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: memref<?xf64>, %dy: memref<2x?xf64>) -> (f64, f64) {
  %r = enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, memref<?xf64>, memref<2x?xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %y: memref<?xf64>, %dy: memref<2x?xf64>, %ct0: f64, %ct1: f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  enzyme.autodiff @f(%x, %dx, %y, %dy, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, memref<?xf64>, memref<2x?xf64>, vector<2xf64>) -> ()
  return
}

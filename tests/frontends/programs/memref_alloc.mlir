// Memory of its own: on the heap, on the stack, copied.
func.func @f(%x: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %h = memref.alloc(%n) : memref<?xf64>
  %s = memref.alloca() : memref<f64>
  %z = arith.constant 0.0 : f64
  memref.copy %x, %h : memref<?xf64> to memref<?xf64>
  memref.store %z, %s[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %h[%i] : memref<?xf64>
    %w = arith.mulf %v, %v : f64
    memref.store %w, %h[%i] : memref<?xf64>
    %a = memref.load %s[] : memref<f64>
    %b = arith.addf %a, %w : f64
    %c = arith.mulf %b, %v : f64
    memref.store %c, %s[] : memref<f64>
  }
  memref.copy %h, %x : memref<?xf64> to memref<?xf64>
  memref.dealloc %h : memref<?xf64>
  %r = memref.load %s[] : memref<f64>
  return %r : f64
}
func.func @forward(%x: memref<?xf64>, %dx: memref<?xf64>) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<?xf64>, memref<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<?xf64>, %dx: memref<?xf64>, %ct: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<?xf64>, memref<?xf64>, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<?xf64>, %dx: memref<2x?xf64>) -> (f64, f64) {
  %r = enzyme.fwddiff @f(%x, %dx) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %ct0: f64, %ct1: f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  enzyme.autodiff @f(%x, %dx, %ct) {
    activity = [#enzyme<activity enzyme_dup>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, vector<2xf64>) -> ()
  return
}

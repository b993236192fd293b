// A switch, a region that is executed, a loop over all elements.
func.func @f(%x: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.execute_region -> f64 {
    %v = memref.load %x[%c0] : memref<?xf64>
    scf.yield %v : f64
  }
  %r = scf.index_switch %n -> f64
  case 4 {
    %a = arith.mulf %y, %y : f64
    scf.yield %a : f64
  }
  default {
    scf.yield %y : f64
  }
  %z = memref.load %x[%c1] : memref<?xf64>
  scf.forall (%i) in (%n) {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %z : f64
    memref.store %w, %x[%i] : memref<?xf64>
  }
  return %r : f64
}
func.func @forward(%x: memref<?xf64>, %dx: memref<?xf64>, %n: index) -> (f64, f64) {
  %r:2 = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dup>]
  } : (memref<?xf64>, memref<?xf64>, index) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @reverse(%x: memref<?xf64>, %dx: memref<?xf64>, %n: index, %ct: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %n, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<?xf64>, memref<?xf64>, index, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %n: index) -> (f64, f64) {
  %r = enzyme.fwddiff @f(%x, %dx, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, index) -> vector<2xf64>
  %r0 = vector.extract %r[0] : f64 from vector<2xf64>
  %r1 = vector.extract %r[1] : f64 from vector<2xf64>
  return %r0, %r1 : f64, f64
}
func.func @reverse2(%x: memref<?xf64>, %dx: memref<2x?xf64>, %n: index, %ct0: f64, %ct1: f64) {
  %ct = vector.from_elements %ct0, %ct1 : vector<2xf64>
  enzyme.autodiff @f(%x, %dx, %n, %ct) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>], width = 2 : i64
  } : (memref<?xf64>, memref<2x?xf64>, index, vector<2xf64>) -> ()
  return
}

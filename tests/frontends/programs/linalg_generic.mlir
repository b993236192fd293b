// A reduction over rows with a body of its own.
func.func @f(%a: memref<3x4xf64>, %b: memref<3xf64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<3x4xf64>) outs(%b : memref<3xf64>) {
  ^bb0(%x: f64, %s: f64):
    %e = math.exp %x : f64
    %p = arith.mulf %e, %s : f64
    %t = arith.addf %p, %x : f64
    linalg.yield %t : f64
  }
  return
}
func.func @forward(%a: memref<3x4xf64>, %da: memref<3x4xf64>, %b: memref<3xf64>, %db: memref<3xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<3x4xf64>, memref<3x4xf64>, memref<3xf64>, memref<3xf64>) -> ()
  return
}
func.func @reverse(%a: memref<3x4xf64>, %da: memref<3x4xf64>, %b: memref<3xf64>, %db: memref<3xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<3x4xf64>, memref<3x4xf64>, memref<3xf64>, memref<3xf64>) -> ()
  return
}
func.func @forward2(%a: memref<3x4xf64>, %da: memref<2x3x4xf64>, %b: memref<3xf64>, %db: memref<2x3xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<3x4xf64>, memref<2x3x4xf64>, memref<3xf64>, memref<2x3xf64>) -> ()
  return
}
func.func @reverse2(%a: memref<3x4xf64>, %da: memref<2x3x4xf64>, %b: memref<3xf64>, %db: memref<2x3xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<3x4xf64>, memref<2x3x4xf64>, memref<3xf64>, memref<2x3xf64>) -> ()
  return
}

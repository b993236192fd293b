// Named ops on memory: a product of matrices, a fill.
func.func @f(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  %z = arith.constant 0.5 : f64
  linalg.fill ins(%z : f64) outs(%c : memref<?x?xf64>)
  linalg.matmul ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>) outs(%c : memref<?x?xf64>)
  return
}
func.func @forward(%a: memref<?x?xf64>, %da: memref<?x?xf64>, %b: memref<?x?xf64>, %db: memref<?x?xf64>, %c: memref<?x?xf64>, %dc: memref<?x?xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  return
}
func.func @reverse(%a: memref<?x?xf64>, %da: memref<?x?xf64>, %b: memref<?x?xf64>, %db: memref<?x?xf64>, %c: memref<?x?xf64>, %dc: memref<?x?xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  return
}
func.func @forward2(%a: memref<?x?xf64>, %da: memref<2x?x?xf64>, %b: memref<?x?xf64>, %db: memref<2x?x?xf64>, %c: memref<?x?xf64>, %dc: memref<2x?x?xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<?x?xf64>, memref<2x?x?xf64>, memref<?x?xf64>, memref<2x?x?xf64>, memref<?x?xf64>, memref<2x?x?xf64>) -> ()
  return
}
func.func @reverse2(%a: memref<?x?xf64>, %da: memref<2x?x?xf64>, %b: memref<?x?xf64>, %db: memref<2x?x?xf64>, %c: memref<?x?xf64>, %dc: memref<2x?x?xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<?x?xf64>, memref<2x?x?xf64>, memref<?x?xf64>, memref<2x?x?xf64>, memref<?x?xf64>, memref<2x?x?xf64>) -> ()
  return
}

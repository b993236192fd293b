// A product of matrices, and a condition on indices.
func.func @f(%a: memref<3x4xf64>, %b: memref<4x2xf64>, %c: memref<3x2xf64>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 4 {
        affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%k, %j) {
          %x = affine.load %a[%i, %k] : memref<3x4xf64>
          %y = affine.load %b[%k, %j] : memref<4x2xf64>
          %z = affine.load %c[%i, %j] : memref<3x2xf64>
          %p = arith.mulf %x, %y : f64
          %s = arith.addf %z, %p : f64
          affine.store %s, %c[%i, %j] : memref<3x2xf64>
        }
      }
    }
  }
  return
}
func.func @forward(%a: memref<3x4xf64>, %da: memref<3x4xf64>, %b: memref<4x2xf64>, %db: memref<4x2xf64>, %c: memref<3x2xf64>, %dc: memref<3x2xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<3x4xf64>, memref<3x4xf64>, memref<4x2xf64>, memref<4x2xf64>, memref<3x2xf64>, memref<3x2xf64>) -> ()
  return
}
func.func @reverse(%a: memref<3x4xf64>, %da: memref<3x4xf64>, %b: memref<4x2xf64>, %db: memref<4x2xf64>, %c: memref<3x2xf64>, %dc: memref<3x2xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<3x4xf64>, memref<3x4xf64>, memref<4x2xf64>, memref<4x2xf64>, memref<3x2xf64>, memref<3x2xf64>) -> ()
  return
}
func.func @forward2(%a: memref<3x4xf64>, %da: memref<2x3x4xf64>, %b: memref<4x2xf64>, %db: memref<2x4x2xf64>, %c: memref<3x2xf64>, %dc: memref<2x3x2xf64>) {
  enzyme.fwddiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<3x4xf64>, memref<2x3x4xf64>, memref<4x2xf64>, memref<2x4x2xf64>, memref<3x2xf64>, memref<2x3x2xf64>) -> ()
  return
}
func.func @reverse2(%a: memref<3x4xf64>, %da: memref<2x3x4xf64>, %b: memref<4x2xf64>, %db: memref<2x4x2xf64>, %c: memref<3x2xf64>, %dc: memref<2x3x2xf64>) {
  enzyme.autodiff @f(%a, %da, %b, %db, %c, %dc) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<3x4xf64>, memref<2x3x4xf64>, memref<4x2xf64>, memref<2x4x2xf64>, memref<3x2xf64>, memref<2x3x2xf64>) -> ()
  return
}

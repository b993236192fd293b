// A convolution and a dot product.
func.func @f(%x: memref<8xf64>, %k: memref<3xf64>, %y: memref<6xf64>, %s: memref<f64>) {
  linalg.conv_1d ins(%x, %k : memref<8xf64>, memref<3xf64>) outs(%y : memref<6xf64>)
  linalg.dot ins(%y, %y : memref<6xf64>, memref<6xf64>) outs(%s : memref<f64>)
  return
}
func.func @forward(%x: memref<8xf64>, %dx: memref<8xf64>, %k: memref<3xf64>, %dk: memref<3xf64>, %y: memref<6xf64>, %dy: memref<6xf64>, %s: memref<f64>, %ds: memref<f64>) {
  enzyme.fwddiff @f(%x, %dx, %k, %dk, %y, %dy, %s, %ds) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<8xf64>, memref<8xf64>, memref<3xf64>, memref<3xf64>, memref<6xf64>, memref<6xf64>, memref<f64>, memref<f64>) -> ()
  return
}
func.func @reverse(%x: memref<8xf64>, %dx: memref<8xf64>, %k: memref<3xf64>, %dk: memref<3xf64>, %y: memref<6xf64>, %dy: memref<6xf64>, %s: memref<f64>, %ds: memref<f64>) {
  enzyme.autodiff @f(%x, %dx, %k, %dk, %y, %dy, %s, %ds) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<8xf64>, memref<8xf64>, memref<3xf64>, memref<3xf64>, memref<6xf64>, memref<6xf64>, memref<f64>, memref<f64>) -> ()
  return
}
func.func @forward2(%x: memref<8xf64>, %dx: memref<2x8xf64>, %k: memref<3xf64>, %dk: memref<2x3xf64>, %y: memref<6xf64>, %dy: memref<2x6xf64>, %s: memref<f64>, %ds: memref<2xf64>) {
  enzyme.fwddiff @f(%x, %dx, %k, %dk, %y, %dy, %s, %ds) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<8xf64>, memref<2x8xf64>, memref<3xf64>, memref<2x3xf64>, memref<6xf64>, memref<2x6xf64>, memref<f64>, memref<2xf64>) -> ()
  return
}
func.func @reverse2(%x: memref<8xf64>, %dx: memref<2x8xf64>, %k: memref<3xf64>, %dk: memref<2x3xf64>, %y: memref<6xf64>, %dy: memref<2x6xf64>, %s: memref<f64>, %ds: memref<2xf64>) {
  enzyme.autodiff @f(%x, %dx, %k, %dk, %y, %dy, %s, %ds) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<8xf64>, memref<2x8xf64>, memref<3xf64>, memref<2x3xf64>, memref<6xf64>, memref<2x6xf64>, memref<f64>, memref<2xf64>) -> ()
  return
}

// What upstream has no pass for: copies between strides, softmax, tiles, reductions of many dimensions.
func.func @f(%x: memref<3x4xf64>, %y: memref<4x6xf64>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.1 : f64
  %low = arith.constant 0xFFF0000000000000 : f64
  %s = memref.subview %x[1, 0] [2, 2] [1, 2] : memref<3x4xf64> to memref<2x2xf64, strided<[4, 2], offset: 4>>
  %t = memref.subview %y[0, 3] [2, 2] [2, 1] : memref<4x6xf64> to memref<2x2xf64, strided<[12, 1], offset: 3>>
  memref.copy %s, %t : memref<2x2xf64, strided<[4, 2], offset: 4>> to memref<2x2xf64, strided<[12, 1], offset: 3>>
  %v = bufferization.to_tensor %y restrict : memref<4x6xf64> to tensor<4x6xf64>
  %e = tensor.empty() : tensor<4x6xf64>
  %p = linalg.softmax dimension(1) ins(%v : tensor<4x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  %tiles = tensor.empty() : tensor<2x3x2x2xf64>
  %packed = linalg.pack %p inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %tiles
      : tensor<4x6xf64> -> tensor<2x3x2x2xf64>
  %squares = arith.mulf %packed, %packed : tensor<2x3x2x2xf64>
  %r = linalg.unpack %squares inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e
      : tensor<2x3x2x2xf64> -> tensor<4x6xf64>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4x6xf64>, memref<4x6xf64>) -> ()
  %w = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true]} : memref<3x4xf64>, vector<3x4xf64>
  %m = vector.multi_reduction <maximumf>, %w, %low [0, 1] : vector<3x4xf64> to f64
  memref.store %m, %x[%c0, %c0] : memref<3x4xf64>
  return
}
func.func @forward(%x: memref<3x4xf64>, %dx: memref<3x4xf64>, %y: memref<4x6xf64>, %dy: memref<4x6xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>], ret_activity = []
  } : (memref<3x4xf64>, memref<3x4xf64>, memref<4x6xf64>, memref<4x6xf64>) -> ()
  return
}
func.func @reverse(%x: memref<3x4xf64>, %dx: memref<3x4xf64>, %y: memref<4x6xf64>, %dy: memref<4x6xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>], ret_activity = []
  } : (memref<3x4xf64>, memref<3x4xf64>, memref<4x6xf64>, memref<4x6xf64>) -> ()
  return
}
func.func @forward2(%x: memref<3x4xf64>, %dx: memref<2x3x4xf64>, %y: memref<4x6xf64>, %dy: memref<2x4x6xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>], ret_activity = [], width = 2 : i64
  } : (memref<3x4xf64>, memref<2x3x4xf64>, memref<4x6xf64>, memref<2x4x6xf64>) -> ()
  return
}
func.func @reverse2(%x: memref<3x4xf64>, %dx: memref<2x3x4xf64>, %y: memref<4x6xf64>, %dy: memref<2x4x6xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>], ret_activity = [], width = 2 : i64
  } : (memref<3x4xf64>, memref<2x3x4xf64>, memref<4x6xf64>, memref<2x4x6xf64>) -> ()
  return
}

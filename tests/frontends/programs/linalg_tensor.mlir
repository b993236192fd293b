// Ops on tensors, in buffers.
func.func @f(%x: memref<4xf64>, %y: memref<4xf64>) {
  %t = bufferization.to_tensor %x restrict : memref<4xf64> to tensor<4xf64>
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    %s = math.sin %a : f64
    %p = arith.mulf %s, %a : f64
    linalg.yield %p : f64
  } -> tensor<4xf64>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4xf64>, memref<4xf64>) -> ()
  return
}
func.func @forward(%x: memref<4xf64>, %dx: memref<4xf64>, %y: memref<4xf64>, %dy: memref<4xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<4xf64>, memref<4xf64>, memref<4xf64>, memref<4xf64>) -> ()
  return
}
func.func @reverse(%x: memref<4xf64>, %dx: memref<4xf64>, %y: memref<4xf64>, %dy: memref<4xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<4xf64>, memref<4xf64>, memref<4xf64>, memref<4xf64>) -> ()
  return
}
func.func @forward2(%x: memref<4xf64>, %dx: memref<2x4xf64>, %y: memref<4xf64>, %dy: memref<2x4xf64>) {
  enzyme.fwddiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<4xf64>, memref<2x4xf64>, memref<4xf64>, memref<2x4xf64>) -> ()
  return
}
func.func @reverse2(%x: memref<4xf64>, %dx: memref<2x4xf64>, %y: memref<4xf64>, %dy: memref<2x4xf64>) {
  enzyme.autodiff @f(%x, %dx, %y, %dy) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<4xf64>, memref<2x4xf64>, memref<4xf64>, memref<2x4xf64>) -> ()
  return
}

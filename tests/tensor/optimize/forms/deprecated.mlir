// Ops that are out of use.
// RUN
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) {
  %0 = "stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 4>}> : (tensor<4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.dot"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>
}

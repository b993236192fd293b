// One value that is two results, and an argument that is a result.
// RUN
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  return %1, %1, %c : tensor<4xf32>, tensor<4xf32>, tensor<f32>
}

// Arrays without elements.
// KEEP: tensor<0x3xf32>
// RUN
func.func @main(%x: tensor<0x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<0x3xf32>) {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.negate %x : tensor<0x3xf32>
  %3 = stablehlo.negate %2 : tensor<0x3xf32>
  return %0, %1, %3 : tensor<2x3xf32>, tensor<3xf32>, tensor<0x3xf32>
}

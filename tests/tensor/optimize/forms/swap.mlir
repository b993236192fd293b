// Products of different precision are not one.
// KEEP: precision = [HIGHEST, DEFAULT]
// KEEP: precision = [DEFAULT, HIGHEST]
// KEEP: precision = [HIGHEST, HIGHEST]
// RUN
func.func @main(%x: tensor<4x3xf32>, %y: tensor<3x2xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
  %b = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %c = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %d = stablehlo.subtract %b, %c : tensor<4x2xf32>
  return %1, %2, %d : tensor<2x4xf32>, tensor<4xf32>, tensor<4x2xf32>
}

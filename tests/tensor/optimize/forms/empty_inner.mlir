// Arrays without elements, in the middle.
// RUN
func.func @main(%y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<3x3xf32>, tensor<3xf32>) {
  %e = stablehlo.slice %y [0:0, 0:3] : (tensor<2x3xf32>) -> tensor<0x3xf32>
  %0 = stablehlo.concatenate %e, %y, dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %t = stablehlo.tanh %e : tensor<0x3xf32>
  %1 = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  %f = stablehlo.slice %y [0:2, 1:1] : (tensor<2x3xf32>) -> tensor<2x0xf32>
  %d = stablehlo.dot_general %f, %f, contracting_dims = [1] x [1] : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x2xf32>
  %p = stablehlo.pad %e, %z, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %c = stablehlo.constant dense<> : tensor<0x3xf32>
  %s = stablehlo.add %e, %c : tensor<0x3xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %d, %p, %r : tensor<2x3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<3x3xf32>, tensor<3xf32>
}

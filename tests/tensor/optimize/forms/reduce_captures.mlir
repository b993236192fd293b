// A reduction by something that is no group.
// KEEP: stablehlo.multiply
func.func @main(%x: tensor<3x4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.negate %x : tensor<3x4xf32>
  %0 = stablehlo.reduce(%n init: %z) across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %u = stablehlo.add %a, %b : tensor<f32>
    %v = stablehlo.multiply %u, %u : tensor<f32>
    stablehlo.return %v : tensor<f32>
  }
  return %0 : tensor<4xf32>
}

// A size that is known at run time only, in the middle.
// KEEP: stablehlo.dynamic_reshape
func.func @main(%x: tensor<6xf32>, %n: tensor<1xi32>) -> tensor<f32> {
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<6xf32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.negate %0 : tensor<?xf32>
  %2 = stablehlo.negate %1 : tensor<?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}

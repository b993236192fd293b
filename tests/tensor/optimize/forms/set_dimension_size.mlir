// A size that is set.
// KEEP: stablehlo.set_dimension_size
// RUN
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<f32> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

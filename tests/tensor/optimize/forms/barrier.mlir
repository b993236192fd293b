// A barrier: what stands on both sides of it stays apart.
// KEEP: stablehlo.optimization_barrier
// KEEP: stablehlo.negate
// RUN
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1:2 = stablehlo.optimization_barrier %0, %z : tensor<4xf32>, tensor<f32>
  %2 = stablehlo.negate %1#0 : tensor<4xf32>
  %3 = stablehlo.add %1#1, %1#1 : tensor<f32>
  return %2, %3 : tensor<4xf32>, tensor<f32>
}

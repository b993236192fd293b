// Batched products, and products of bf16 into f32.
// RUN
func.func @main(%x: tensor<5x4x3xf32>, %y: tensor<5x3x2xf32>, %w: tensor<4x3xbf16>, %v: tensor<3x2xbf16>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : (tensor<5x4x3xf32>, tensor<5x3x2xf32>) -> tensor<5x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<5x4x2xf32>) -> tensor<5x2x4xf32>
  %d = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<4x3xbf16>, tensor<3x2xbf16>) -> tensor<4x2xf32>
  %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %two = stablehlo.constant dense<3.0> : tensor<4x2xf32>
  %m = stablehlo.multiply %d, %two : tensor<4x2xf32>
  %k = stablehlo.constant dense<3.0> : tensor<4x3xbf16>
  %wk = stablehlo.multiply %w, %k : tensor<4x3xbf16>
  %e = stablehlo.dot_general %wk, %v, contracting_dims = [1] x [0] : (tensor<4x3xbf16>, tensor<3x2xbf16>) -> tensor<4x2xf32>
  return %1, %t, %m, %e : tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

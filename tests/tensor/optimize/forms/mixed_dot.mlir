// Products of small types into larger ones.
// KEEP: tensor<2x2xi32>
// RUN
func.func @main(%x: tensor<4x4xbf16>, %y: tensor<4x4xbf16>, %i: tensor<2x3xi8>, %j: tensor<3x2xi8>) -> (tensor<4x4xf32>, tensor<2x2xi32>, tensor<f32>, tensor<4x4xf32>) {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %n = stablehlo.negate %t : tensor<4x4xbf16>
  %0 = stablehlo.dot_general %n, %y, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
  %ut = stablehlo.transpose %i, dims = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
  %1 = stablehlo.dot_general %ut, %j, contracting_dims = [0] x [0] : (tensor<3x2xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>
  %s = stablehlo.slice %x [0:1, 0:1] : (tensor<4x4xbf16>) -> tensor<1x1xbf16>
  %r = stablehlo.reshape %s : (tensor<1x1xbf16>) -> tensor<bf16>
  %2 = stablehlo.dot_general %r, %r, contracting_dims = [] x [] : (tensor<bf16>, tensor<bf16>) -> tensor<f32>
  %k = stablehlo.constant dense<2.0> : tensor<4x4xbf16>
  %m = stablehlo.multiply %x, %k : tensor<4x4xbf16>
  %3 = stablehlo.dot_general %m, %k, contracting_dims = [1] x [0] : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<2x2xi32>, tensor<f32>, tensor<4x4xf32>
}

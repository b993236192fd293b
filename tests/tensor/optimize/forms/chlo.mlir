// Client ops.
// KEEP: chlo.erf
// RUN
func.func @main(%x: tensor<4xf32>, %y: tensor<4x1xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<2xf32>, tensor<2xi32>, tensor<4xi1>) {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.broadcast_add %x, %y : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %2, %3 = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %n = stablehlo.negate %0 : tensor<4xf32>
  %m = stablehlo.negate %n : tensor<4xf32>
  %4 = chlo.is_inf %m : tensor<4xf32> -> tensor<4xi1>
  %s = chlo.square %m : tensor<4xf32> -> tensor<4xf32>
  return %s, %1, %2, %3, %4 : tensor<4xf32>, tensor<4x4xf32>, tensor<2xf32>, tensor<2xi32>, tensor<4xi1>
}

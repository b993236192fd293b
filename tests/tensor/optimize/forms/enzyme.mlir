// Where derivatives stop.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "enzyme.ignore_derivatives"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

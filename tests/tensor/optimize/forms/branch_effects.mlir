// Branches that send and print, of which nobody uses the result.
// KEEP: outfeed_config = "yes"
// KEEP: @print
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %t: !stablehlo.token) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %a = "stablehlo.outfeed"(%x, %t) <{outfeed_config = "yes"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    stablehlo.return %a : !stablehlo.token
  }, {
    stablehlo.return %t : !stablehlo.token
  }) : (tensor<i1>) -> !stablehlo.token
  %1 = "stablehlo.if"(%p) ({
    %b = stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A loop that sends.
// KEEP: stablehlo.outfeed
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%a = %i, %b = %t, %c = %x) : tensor<i32>, !stablehlo.token, tensor<4xf32>
    cond { %n = stablehlo.constant dense<3> : tensor<i32>
      %p = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %a, %one : tensor<i32>
      %u = "stablehlo.outfeed"(%c, %b) <{outfeed_config = "here"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
      %s = stablehlo.sine %c : tensor<4xf32>
      stablehlo.return %j, %u, %s : tensor<i32>, !stablehlo.token, tensor<4xf32>
    }
  return %x : tensor<4xf32>
}

// Tokens, and what reaches the outside world.
// KEEP: outfeed_config = "here"
// KEEP: infeed_config = "there"
// KEEP: stablehlo.send
// KEEP: stablehlo.recv
// KEEP: stablehlo.after_all
func.func @main(%x: tensor<4xf32>, %t: !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.after_all %t, %t : !stablehlo.token
  %3 = "stablehlo.outfeed"(%1, %2) <{outfeed_config = "here"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %4:2 = "stablehlo.infeed"(%3) <{infeed_config = "there", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %5 = stablehlo.create_token : !stablehlo.token
  %6 = "stablehlo.send"(%1, %5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %7:2 = "stablehlo.recv"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %1, %4#1 : tensor<4xf32>, !stablehlo.token
}

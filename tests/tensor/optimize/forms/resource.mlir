// A constant that is kept elsewhere.
// KEEP: dense_resource<big>
// KEEP: big: "0x
module {
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense_resource<big> : tensor<4xf32>
  %0 = stablehlo.multiply %x, %c : tensor<4xf32>
  %1 = stablehlo.multiply %0, %c : tensor<4xf32>
  %2 = stablehlo.slice %1 [0:4] : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %c, %c : tensor<4xf32>
  %4 = stablehlo.add %2, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}}
{-# dialect_resources: { builtin: { big: "0x040000000000803F000000400000404000008040" } } #-}

// A size that is known at run time only, from a function of which there is no body.
// KEEP: call @g
// KEEP: stablehlo.reverse
func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = call @g(%x) : (tensor<4xf32>) -> tensor<?xf32>
  %1 = stablehlo.negate %0 : tensor<?xf32>
  %2 = stablehlo.negate %1 : tensor<?xf32>
  %3 = stablehlo.add %2, %2 : tensor<?xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<?xf32>
  %5 = stablehlo.reverse %4, dims = [0] : tensor<?xf32>
  return %5 : tensor<?xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<?xf32>

// A size that is known at run time only, handed on.
// KEEP: stablehlo.add %arg0, %arg0 : tensor<?xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @g(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @g(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

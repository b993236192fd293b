// A function of several blocks.
// KEEP: cf.cond_br
func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %n = stablehlo.negate %0 : tensor<4xf32>
  "cf.cond_br"(%c, %n, %n)[^a, ^b] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, tensor<4xf32>, tensor<4xf32>) -> ()
^a(%y: tensor<4xf32>):
  %m = stablehlo.negate %y : tensor<4xf32>
  return %m : tensor<4xf32>
^b(%z: tensor<4xf32>):
  return %z : tensor<4xf32>
}

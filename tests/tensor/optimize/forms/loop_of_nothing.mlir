// A loop and a branch that carry nothing.
func.func @main(%p: tensor<i1>) {
  "stablehlo.while"() ({ stablehlo.return %p : tensor<i1> }, { stablehlo.return }) : () -> ()
  "stablehlo.if"(%p) ({ stablehlo.return }, { stablehlo.return }) : (tensor<i1>) -> ()
  return
}

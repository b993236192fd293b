// A loop that is never entered.
// RUN
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%a = %x) : tensor<i32>
    cond { %t = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %t : tensor<i1> }
    do { %b = stablehlo.add %a, %a : tensor<i32>
      stablehlo.return %b : tensor<i32> }
  return %0 : tensor<i32>
}

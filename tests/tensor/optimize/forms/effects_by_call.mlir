// Calls for the sake of what they do.
// KEEP: custom_call @print
// KEEP: custom_call @beep
// KEEP: stablehlo.while
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @prints(%x) : (tensor<4xf32>) -> tensor<4xf32>
  call @nothing() : () -> ()
  %1 = call @pure(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c5 = stablehlo.constant dense<5> : tensor<i32>
  %w:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
   cond { %p = stablehlo.compare LT, %i, %c5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do {
     %one = stablehlo.constant dense<1> : tensor<i32>
     %j = stablehlo.add %i, %one : tensor<i32>
     %q = func.call @prints(%y) : (tensor<4xf32>) -> tensor<4xf32>
     stablehlo.return %j, %y : tensor<i32>, tensor<4xf32>
   }
  return %x : tensor<4xf32>
}
func.func private @prints(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}
func.func private @nothing() { stablehlo.custom_call @beep() {has_side_effect = true} : () -> ()
 return }
func.func private @pure(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }

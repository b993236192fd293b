// A custom call that gives a tuple.
// KEEP: @two
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @two(%x) : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Tuples.
// RUN
func.func @main(%x: tensor<4xf32>, %y: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<4xf32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
  %3 = stablehlo.negate %1 : tensor<4xf32>
  %4 = stablehlo.negate %3 : tensor<4xf32>
  return %4, %2 : tensor<4xf32>, tensor<i32>
}

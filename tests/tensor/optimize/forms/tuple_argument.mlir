// Tuples as arguments and results.
// KEEP: tuple<tensor<4xf32>, tuple<tensor<i32>>>
func.func @main(%0: tuple<tensor<4xf32>, tuple<tensor<i32>>>) -> tuple<tensor<4xf32>> {
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4xf32>, tuple<tensor<i32>>>) -> tensor<4xf32>
  %3 = stablehlo.negate %1 : tensor<4xf32>
  %4 = stablehlo.negate %3 : tensor<4xf32>
  %5 = stablehlo.tuple %4 : tuple<tensor<4xf32>>
  return %5 : tuple<tensor<4xf32>>
}

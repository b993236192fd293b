// A composite, and the function that says what it is.
// KEEP: stablehlo.composite "odml.double"
// KEEP: decomposition = @double
// KEEP: func.func private @double
// RUN
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.composite "odml.double" %0 {composite_attributes = {k = 1 : i32}, decomposition = @double, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

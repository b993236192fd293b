// A size that is known at run time only.
// KEEP: stablehlo.get_dimension_size
// KEEP: tensor<?x4xf32>
module @m attributes {jax.uses_shape_polymorphism = true} {
func.func public @main(%arg0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.negate %arg0 : tensor<?x4xf32>
  %1 = stablehlo.negate %0 : tensor<?x4xf32>
  %2 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<4> : tensor<i32>
  %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %6 = stablehlo.constant dense<1.0> : tensor<f32>
  %7 = stablehlo.dynamic_broadcast_in_dim %6, %5, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %8 = stablehlo.multiply %1, %7 : tensor<?x4xf32>
  return %8 : tensor<?x4xf32>
}}

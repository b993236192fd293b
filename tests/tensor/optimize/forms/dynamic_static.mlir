// Dynamic ops of which all sizes are known.
// KEEP: tensor<2x6xf32>
// RUN
func.func @main(%x: tensor<6xf32>, %k: tensor<1xi32>, %op: tensor<4x4xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<8xf32>, tensor<4xi32>, tensor<2x6xf32>, tensor<2x4xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %a = stablehlo.constant dense<1> : tensor<1xi32>
  %b = stablehlo.constant dense<4> : tensor<1xi32>
  %1 = "stablehlo.real_dynamic_slice"(%x, %a, %b, %a) : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<1xi32>
  %2 = stablehlo.dynamic_pad %x, %z, %a, %a, %c0 : (tensor<6xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<8xf32>
  %3 = stablehlo.dynamic_iota %b, dim = 0 : (tensor<1xi32>) -> tensor<4xi32>
  %t = stablehlo.constant dense<[2, 6]> : tensor<2xi32>
  %4 = stablehlo.dynamic_broadcast_in_dim %x, %t, dims = [1] : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  %g = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi32>
  %ss = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %5 = "stablehlo.dynamic_gather"(%op, %g, %ss) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xf32>, tensor<3xf32>, tensor<8xf32>, tensor<4xi32>, tensor<2x6xf32>, tensor<2x4xf32>
}

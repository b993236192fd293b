// Constants that are kept elsewhere, where rules look for numbers.
// KEEP: dense_resource<n>
module {
func.func @main(%x: tensor<4x4xf32>) -> (tensor<f32>, tensor<f32>, tensor<4x4xf32>, tensor<2xi32>) {
  %c = stablehlo.constant dense_resource<init> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense_resource<n> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<4x4xf32>
   cond { %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do {
     %one = stablehlo.constant dense_resource<one> : tensor<i32>
     %j = stablehlo.add %i, %one : tensor<i32>
     %t = stablehlo.sine %y : tensor<4x4xf32>
     stablehlo.return %j, %t : tensor<i32>, tensor<4x4xf32>
   }
  %g = stablehlo.constant dense_resource<at> : tensor<2x1xi32>
  %io = stablehlo.iota dim = 0 : tensor<4xi32>
  %ga = "stablehlo.gather"(%io, %g) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  return %0, %1, %w#1, %ga : tensor<f32>, tensor<f32>, tensor<4x4xf32>, tensor<2xi32>
}}
{-# dialect_resources: { builtin: { init: "0x0400000000000000", n: "0x0400000003000000", one: "0x0400000001000000", at: "0x040000000100000002000000" } } #-}

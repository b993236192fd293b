// A comparator that uses constants from outside.
// KEEP: stablehlo.sort
// RUN
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare EQ, %a, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a0 = stablehlo.select %p, %z, %a : tensor<i1>, tensor<f32>
    %q = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a1 = stablehlo.select %q, %n, %a0 : tensor<i1>, tensor<f32>
    %l = stablehlo.compare LT, %a1, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %k = stablehlo.constant dense<2.0> : tensor<4xf32>
  %r = stablehlo.multiply %0, %k : tensor<4xf32>
  return %r : tensor<4xf32>
}

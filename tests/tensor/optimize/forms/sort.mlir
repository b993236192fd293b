// A sort of two arrays, by total order.
// KEEP: TOTALORDER
// KEEP: is_stable = true
// RUN
func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x4xi32>, %c: tensor<f32>) -> (tensor<3x4xf32>, tensor<3x2xi32>) {
  %k = stablehlo.constant dense<2.0> : tensor<3x4xf32>
  %s = stablehlo.multiply %x, %k : tensor<3x4xf32>
  %0:2 = "stablehlo.sort"(%s, %y) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %d: tensor<i32>, %e: tensor<i32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %a1 = stablehlo.add %a, %z : tensor<f32>
    %p = stablehlo.compare LT, %a1, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3x4xf32>, tensor<3x4xi32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
  %1 = stablehlo.slice %0#1 [0:3, 0:2] : (tensor<3x4xi32>) -> tensor<3x2xi32>
  return %0#0, %1 : tensor<3x4xf32>, tensor<3x2xi32>
}

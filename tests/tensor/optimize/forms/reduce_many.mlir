// Reductions of two arrays at once, one over no dimension.
// KEEP: reducer
// RUN
func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<3x4xf32>, tensor<2x4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %z), (%y init: %i) across dimensions = [0] : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %u = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
    %v = stablehlo.add %c, %d : tensor<i32>
    stablehlo.return %u, %v : tensor<f32>, tensor<i32>
  }
  %1:2 = stablehlo.reduce(%x init: %z), (%y init: %i) across dimensions = [] : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %u = stablehlo.add %a, %b : tensor<f32>
    %v = stablehlo.add %c, %d : tensor<i32>
    stablehlo.return %u, %v : tensor<f32>, tensor<i32>
  }
  %2:2 = "stablehlo.reduce_window"(%x, %y, %z, %i) <{window_dimensions = array<i64: 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<i32>, %b: tensor<f32>, %d: tensor<i32>):
    %u = stablehlo.maximum %a, %b : tensor<f32>
    %v = stablehlo.add %c, %d : tensor<i32>
    stablehlo.return %u, %v : tensor<f32>, tensor<i32>
  }) : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return %0#0, %0#1, %1#0, %2#0 : tensor<4xf32>, tensor<4xi32>, tensor<3x4xf32>, tensor<2x4xf32>
}

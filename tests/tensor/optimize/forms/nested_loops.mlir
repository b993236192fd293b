// Loops in loops in loops.
// KEEP: stablehlo.while
func.func @main(%x: tensor<f32>) -> tensor<f32> {
%c0 = stablehlo.constant dense<0> : tensor<i32>
%c1 = stablehlo.constant dense<1> : tensor<i32>
%c3 = stablehlo.constant dense<30> : tensor<i32>
%w6:2 = stablehlo.while(%i6 = %c0, %y5 = %x) : tensor<i32>, tensor<f32>
 cond { %p = stablehlo.compare LT, %i6, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %p : tensor<i1> } do { %n6 = stablehlo.add %i6, %c1 : tensor<i32>
 %w5:2 = stablehlo.while(%i5 = %c0, %y4 = %y5) : tensor<i32>, tensor<f32>
 cond { %p = stablehlo.compare LT, %i5, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %p : tensor<i1> } do { %n5 = stablehlo.add %i5, %c1 : tensor<i32>
 %w4:2 = stablehlo.while(%i4 = %c0, %y3 = %y4) : tensor<i32>, tensor<f32>
 cond { %p = stablehlo.compare LT, %i4, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %p : tensor<i1> } do { %n4 = stablehlo.add %i4, %c1 : tensor<i32>
 %w3:2 = stablehlo.while(%i3 = %c0, %y2 = %y3) : tensor<i32>, tensor<f32>
 cond { %p = stablehlo.compare LT, %i3, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %p : tensor<i1> } do { %n3 = stablehlo.add %i3, %c1 : tensor<i32>
 %w2:2 = stablehlo.while(%i2 = %c0, %y1 = %y2) : tensor<i32>, tensor<f32>
 cond { %p = stablehlo.compare LT, %i2, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %p : tensor<i1> } do { %n2 = stablehlo.add %i2, %c1 : tensor<i32>
 %w1:2 = stablehlo.while(%i1 = %c0, %y0 = %y1) : tensor<i32>, tensor<f32>
 cond { %p = stablehlo.compare LT, %i1, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %p : tensor<i1> } do { %n1 = stablehlo.add %i1, %c1 : tensor<i32>
 %r0 = stablehlo.sine %y0 : tensor<f32>
 stablehlo.return %n1, %r0 : tensor<i32>, tensor<f32> }
 %r1 = stablehlo.negate %w1#1 : tensor<f32>
 stablehlo.return %n2, %r1 : tensor<i32>, tensor<f32> }
 %r2 = stablehlo.negate %w2#1 : tensor<f32>
 stablehlo.return %n3, %r2 : tensor<i32>, tensor<f32> }
 %r3 = stablehlo.negate %w3#1 : tensor<f32>
 stablehlo.return %n4, %r3 : tensor<i32>, tensor<f32> }
 %r4 = stablehlo.negate %w4#1 : tensor<f32>
 stablehlo.return %n5, %r4 : tensor<i32>, tensor<f32> }
 %r5 = stablehlo.negate %w5#1 : tensor<f32>
 stablehlo.return %n6, %r5 : tensor<i32>, tensor<f32> }
 %r6 = stablehlo.negate %w6#1 : tensor<f32>
return %r6 : tensor<f32>
}

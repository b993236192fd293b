// Loops that count down, double, end at the last number of their type, swap.
// RUN
func.func @main(%x: tensor<3xf32>, %lim: tensor<i32>) -> (tensor<3xf32>, tensor<i32>, tensor<i8>, tensor<3xf32>, tensor<3xf32>, tensor<ui8>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c10 = stablehlo.constant dense<10> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  // down by three, with NE
  %a:2 = stablehlo.while(%i = %c10, %y = %x) : tensor<i32>, tensor<3xf32>
   cond { %m2 = stablehlo.constant dense<-2> : tensor<i32>
     %p = stablehlo.compare NE, %i, %m2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do { %j = stablehlo.subtract %i, %c3 : tensor<i32>
     %s = stablehlo.sine %y : tensor<3xf32>
     stablehlo.return %j, %s : tensor<i32>, tensor<3xf32> }
  // i8 counter that comes to 127
  %i0 = stablehlo.constant dense<100> : tensor<i8>
  %b:2 = stablehlo.while(%i = %i0, %y = %x) : tensor<i8>, tensor<3xf32>
   cond { %m = stablehlo.constant dense<127> : tensor<i8>
     %p = stablehlo.compare LT, %i, %m : (tensor<i8>, tensor<i8>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do { %q = stablehlo.constant dense<9> : tensor<i8>
     %j = stablehlo.add %i, %q : tensor<i8>
     %s = stablehlo.cosine %y : tensor<3xf32>
     stablehlo.return %j, %s : tensor<i8>, tensor<3xf32> }
  // number of rounds known at run time; the counter doubles
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %d:2 = stablehlo.while(%i = %c1, %y = %x) : tensor<i32>, tensor<3xf32>
   cond { %p = stablehlo.compare LE, %i, %lim : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do { %j = stablehlo.add %i, %i : tensor<i32>
     %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
     %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<3xf32>
     %s = stablehlo.add %y, %g : tensor<3xf32>
     stablehlo.return %j, %s : tensor<i32>, tensor<3xf32> }
  // ui8, unsigned compare, GT on the left
  %u0 = stablehlo.constant dense<250> : tensor<ui8>
  %e = stablehlo.while(%i = %u0) : tensor<ui8>
   cond { %m = stablehlo.constant dense<254> : tensor<ui8>
     %p = stablehlo.compare GT, %m, %i : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do { %q = stablehlo.constant dense<1> : tensor<ui8>
     %j = stablehlo.add %i, %q : tensor<ui8>
     stablehlo.return %j : tensor<ui8> }
  // values that change places
  %h:3 = stablehlo.while(%i = %c0, %y = %x, %z = %d#1) : tensor<i32>, tensor<3xf32>, tensor<3xf32>
   cond { %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do { %j = stablehlo.add %i, %c1 : tensor<i32>
     stablehlo.return %j, %z, %y : tensor<i32>, tensor<3xf32>, tensor<3xf32> }
  return %a#1, %d#0, %b#0, %b#1, %h#1, %e : tensor<3xf32>, tensor<i32>, tensor<i8>, tensor<3xf32>, tensor<3xf32>, tensor<ui8>
}

// As Reactant.jl writes: a loop in a loop, element by element.
// RUN
func.func @main(%A: tensor<6x4xf64>, %b: tensor<6xf64>) -> (tensor<4xf64>, tensor<6x4xf64>) {
  %z = stablehlo.constant dense<0.0> : tensor<4xf64>
  %c1 = stablehlo.constant dense<1> : tensor<i64>
  %c4 = stablehlo.constant dense<4> : tensor<i64>
  %c6 = stablehlo.constant dense<6> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%j = %c1, %o = %z, %M = %A) : tensor<i64>, tensor<4xf64>, tensor<6x4xf64>
   cond { %p = stablehlo.compare LE, %j, %c4 : (tensor<i64>, tensor<i64>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   } do {
     %jj = stablehlo.convert %j : (tensor<i64>) -> tensor<i32>
     %k = stablehlo.subtract %jj, %one : tensor<i32>
     %acc = stablehlo.constant dense<0.0> : tensor<f64>
     %in:2 = stablehlo.while(%i = %c1, %s = %acc) : tensor<i64>, tensor<f64>
      cond { %p = stablehlo.compare LE, %i, %c6 : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %ii = stablehlo.convert %i : (tensor<i64>) -> tensor<i32>
        %l = stablehlo.subtract %ii, %one : tensor<i32>
        %e = stablehlo.dynamic_slice %A, %l, %k, sizes = [1, 1] : (tensor<6x4xf64>, tensor<i32>, tensor<i32>) -> tensor<1x1xf64>
        %e0 = stablehlo.reshape %e : (tensor<1x1xf64>) -> tensor<f64>
        %f = stablehlo.dynamic_slice %b, %l, sizes = [1] : (tensor<6xf64>, tensor<i32>) -> tensor<1xf64>
        %f0 = stablehlo.reshape %f : (tensor<1xf64>) -> tensor<f64>
        %m = stablehlo.multiply %e0, %f0 : tensor<f64>
        %t = stablehlo.add %s, %m : tensor<f64>
        %n = stablehlo.add %i, %c1 : tensor<i64>
        stablehlo.return %n, %t : tensor<i64>, tensor<f64>
      }
     %u = stablehlo.reshape %in#1 : (tensor<f64>) -> tensor<1xf64>
     %o2 = stablehlo.dynamic_update_slice %o, %u, %k : (tensor<4xf64>, tensor<1xf64>, tensor<i32>) -> tensor<4xf64>
     %col = stablehlo.dynamic_slice %M, %zero, %k, sizes = [6, 1] : (tensor<6x4xf64>, tensor<i32>, tensor<i32>) -> tensor<6x1xf64>
     %v = stablehlo.broadcast_in_dim %in#1, dims = [] : (tensor<f64>) -> tensor<6x1xf64>
     %w = stablehlo.add %col, %v : tensor<6x1xf64>
     %M2 = stablehlo.dynamic_update_slice %M, %w, %zero, %k : (tensor<6x4xf64>, tensor<6x1xf64>, tensor<i32>, tensor<i32>) -> tensor<6x4xf64>
     %n = stablehlo.add %j, %c1 : tensor<i64>
     stablehlo.return %n, %o2, %M2 : tensor<i64>, tensor<4xf64>, tensor<6x4xf64>
   }
  return %r#1, %r#2 : tensor<4xf64>, tensor<6x4xf64>
}

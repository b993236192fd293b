// Random numbers in a loop: each round has its own.
// KEEP: stablehlo.rng
func.func @main() -> tensor<3xf32> {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.constant dense<3> : tensor<1xi64>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.constant dense<0.0> : tensor<3xf32>
  %0:2 = stablehlo.while(%j = %i, %c = %x) : tensor<i32>, tensor<3xf32>
    cond { %m = stablehlo.constant dense<3> : tensor<i32>
      %p = stablehlo.compare LT, %j, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %k = stablehlo.add %j, %one : tensor<i32>
      %r = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
      %s = stablehlo.add %c, %r : tensor<3xf32>
      stablehlo.return %k, %s : tensor<i32>, tensor<3xf32>
    }
  return %0#1 : tensor<3xf32>
}

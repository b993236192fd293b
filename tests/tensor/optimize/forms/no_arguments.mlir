// Functions without arguments, results, uses or body, and one that calls itself.
// KEEP: func.func private @ext
// KEEP: call @ext
// KEEP: call @rec
// KEEP: func.func @g
func.func @main() { return }
func.func @once(%x: tensor<f32>) -> tensor<f32> { %0 = call @rec(%x) : (tensor<f32>) -> tensor<f32>
 return %0 : tensor<f32> }
func.func @g() -> tensor<f32> { %c = stablehlo.constant dense<1.0> : tensor<f32>
 %d = stablehlo.add %c, %c : tensor<f32>
 return %d : tensor<f32> }
func.func private @ext(tensor<f32>) -> tensor<f32>
func.func private @calls(%x: tensor<f32>) -> tensor<f32> { %0 = call @ext(%x) : (tensor<f32>) -> tensor<f32>
 return %x : tensor<f32> }
func.func private @rec(%x: tensor<f32>) -> tensor<f32> { %0 = call @rec(%x) : (tensor<f32>) -> tensor<f32>
 return %0 : tensor<f32> }

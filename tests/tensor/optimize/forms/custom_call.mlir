// Custom calls, with and without effects, with their attributes.
// KEEP: @noise
// KEEP: @nothing
// KEEP: @two
// KEEP: backend_config = {a = 1 : i32}
// KEEP: mhlo.frontend_attributes = {k = "v"}
// KEEP: called_computations = [@h]
// KEEP: mhlo.sharding = "{devices=[2]<=[2]}"
// KEEP: func.func private @h
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = stablehlo.custom_call @noise(%x) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @pure(%x) {api_version = 4 : i32, backend_config = {a = 1 : i32}, mhlo.frontend_attributes = {k = "v"}} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @unused(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %3:2 = stablehlo.custom_call @two(%x, %1) {called_computations = [@h]} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  stablehlo.custom_call @nothing(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
  %4 = stablehlo.custom_call @Sharding(%3#0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %4, %3#1 : tensor<4xf32>, tensor<2xf32>
}
func.func private @h(%x: tensor<f32>) -> tensor<f32> { 
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  return %1 : tensor<f32> }

// Shardings of both kinds, and attributes of arguments, results, functions and the module.
// KEEP: sdy.mesh @mesh
// KEEP: sdy.sharding_constraint
// KEEP: sdy.manual_computation
// KEEP: tf.aliasing_output = 0 : i32
// KEEP: jax.buffer_donor = true
// KEEP: jax.arg_info = "y"
// KEEP: jax.result_info = "result"
// KEEP: mhlo.layout_mode = "default"
// KEEP: execution_thread = "main"
// KEEP: @unused
// KEEP: no_inline
// KEEP: mhlo.xla_entry_computation_parameter_layouts
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32, mhlo.xla_entry_computation_parameter_layouts = [dense<0> : tensor<1xindex>]} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32, jax.buffer_donor = true, mhlo.layout_mode = "default"}, %arg1: tensor<8xf32> {jax.arg_info = "y"}) -> (tensor<8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, mhlo.layout_mode = "default"}) attributes {execution_thread = "main"} {
    %0 = stablehlo.negate %arg0 {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
    %1 = stablehlo.negate %0 : tensor<8xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<8xf32>
    %3 = stablehlo.add %2, %2 {mhlo.frontend_attributes = {k = "v"}} : tensor<8xf32>
    %4 = sdy.manual_computation(%3) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<4xf32>) {
      %5 = stablehlo.negate %a : tensor<4xf32>
      %6 = stablehlo.negate %5 : tensor<4xf32>
      %7 = stablehlo.sine %6 : tensor<4xf32>
      sdy.return %7 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %4 : tensor<8xf32>
  }
  func.func private @unused(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
    return %x : tensor<f32>
  }
}

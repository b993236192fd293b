// Locations of all kinds.
// RUN
#loc1 = loc("x.py":3:4)
#loc2 = loc("jit(f)/neg"(#loc1))
module @jit_f attributes {jax.uses_shape_polymorphism = false} {
func.func public @main(%arg0: tensor<4xf32> loc("x")) -> (tensor<4xf32> {jax.result_info = ""}) {
  %0 = stablehlo.negate %arg0 : tensor<4xf32> loc(#loc2)
  %1 = stablehlo.negate %0 : tensor<4xf32> loc(fused<"meta">[#loc1, #loc2])
  %2 = stablehlo.sine %1 : tensor<4xf32> loc(callsite(#loc1 at #loc2))
  return %2 : tensor<4xf32> loc(unknown)
} loc(#loc1)
} loc(#loc2)

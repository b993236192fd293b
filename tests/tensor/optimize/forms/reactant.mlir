// As Reactant.jl writes: columns first, loops from 1, arrays that are written in place.
// KEEP: tf.aliasing_output = 0 : i32
// KEEP: enzymexla.memory_effects
// RUN
module @reactant_loop attributes {mhlo.num_partitions = 1 : i64, mhlo.num_replicas = 1 : i64} {
  func.func @main(%arg0: tensor<3x4xf32> {enzymexla.memory_effects = [], tf.aliasing_output = 0 : i32}, %arg1: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) attributes {enzymexla.memory_effects = ["read", "write", "allocate", "free"]} {
    %c1 = stablehlo.constant dense<1> : tensor<i64>
    %c4 = stablehlo.constant dense<4> : tensor<i64>
    %i1 = stablehlo.constant dense<1> : tensor<i32>
    %t = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %0:2 = stablehlo.while(%i = %c1, %x = %t) : tensor<i64>, tensor<4x3xf32> attributes {enzymexla.disable_min_cut}
      cond { %p = stablehlo.compare LE, %i, %c4 : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %j = stablehlo.convert %i : (tensor<i64>) -> tensor<i32>
        %k = stablehlo.subtract %j, %i1 : tensor<i32>
        %z = stablehlo.constant dense<0> : tensor<i32>
        %u = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
        %row = stablehlo.dynamic_slice %u, %z, %k, sizes = [3, 1] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x1xf32>
        %v = stablehlo.reshape %row : (tensor<3x1xf32>) -> tensor<3xf32>
        %s = stablehlo.sine %v : tensor<3xf32>
        %w = stablehlo.reshape %s : (tensor<3xf32>) -> tensor<1x3xf32>
        %y = stablehlo.dynamic_update_slice %x, %w, %k, %z : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
        %n = stablehlo.add %i, %c1 : tensor<i64>
        stablehlo.return %n, %y : tensor<i64>, tensor<4x3xf32>
      }
    %1 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.transpose %arg1, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
    return %1, %2 : tensor<3x4xf32>, tensor<4xf32>
  }
}

// As PyTorch/XLA writes.
// KEEP: mhlo.is_dynamic = false
// RUN
module @IrToHlo.12 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<5xf32>, %arg1: tensor<5x10xf32>, %arg2: tensor<2x10xf32>, %arg3: tensor<i64>) -> (tensor<2x5xf32>, tensor<2x5xi1>) {
    %0 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[10,5]{0,1}"} : (tensor<5x10xf32>) -> tensor<10x5xf32>
    %1 = stablehlo.dot_general %arg2, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10xf32>, tensor<10x5xf32>) -> tensor<2x5xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<5xf32>) -> tensor<2x5xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x5xf32>
    %4 = stablehlo.convert %arg3 : (tensor<i64>) -> tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %6 = stablehlo.multiply %3, %5 : tensor<2x5xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %8 = stablehlo.compare GT, %6, %7, FLOAT : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %9 = stablehlo.select %8, %6, %7 : tensor<2x5xi1>, tensor<2x5xf32>
    return %9, %8 : tensor<2x5xf32>, tensor<2x5xi1>
  }
}

// A kernel in a module of its own, and memory of the device.
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @scale(%m: memref<6xf64>, %a: f64) kernel {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %s = gpu.block_dim x
    %o = arith.muli %b, %s : index
    %i = arith.addi %o, %t : index
    %v = memref.load %m[%i] : memref<6xf64>
    %w = arith.mulf %v, %a : f64
    %u = arith.mulf %w, %v : f64
    memref.store %u, %m[%i] : memref<6xf64>
    gpu.return
  }
}
func.func @f(%x: memref<6xf64>, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %d = gpu.alloc () : memref<6xf64>
  gpu.memcpy %d, %x : memref<6xf64>, memref<6xf64>
  gpu.launch_func @kernels::@scale blocks in (%c3, %c1, %c1) threads in (%c2, %c1, %c1) args(%d : memref<6xf64>, %a : f64)
  gpu.memcpy %x, %d : memref<6xf64>, memref<6xf64>
  gpu.dealloc %d : memref<6xf64>
  return
}
func.func @forward(%x: memref<6xf64>, %dx: memref<6xf64>, %a: f64, %da: f64) {
  enzyme.fwddiff @f(%x, %dx, %a, %da) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = []
  } : (memref<6xf64>, memref<6xf64>, f64, f64) -> ()
  return
}
func.func @reverse(%x: memref<6xf64>, %dx: memref<6xf64>, %a: f64) -> (f64) {
  %r = enzyme.autodiff @f(%x, %dx, %a) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_active>],
    ret_activity = []
  } : (memref<6xf64>, memref<6xf64>, f64) -> (f64)
  return %r : f64
}
func.func @forward2(%x: memref<6xf64>, %dx: memref<2x6xf64>, %a: f64, %da0: f64, %da1: f64) {
  %da = vector.from_elements %da0, %da1 : vector<2xf64>
  enzyme.fwddiff @f(%x, %dx, %a, %da) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_dup>],
    ret_activity = [], width = 2 : i64
  } : (memref<6xf64>, memref<2x6xf64>, f64, vector<2xf64>) -> ()
  return
}
func.func @reverse2(%x: memref<6xf64>, %dx: memref<2x6xf64>, %a: f64) -> (f64, f64) {
  %r = enzyme.autodiff @f(%x, %dx, %a) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_active>],
    ret_activity = [], width = 2 : i64
  } : (memref<6xf64>, memref<2x6xf64>, f64) -> (vector<2xf64>)
  %g00 = vector.extract %r[0] : f64 from vector<2xf64>
  %g01 = vector.extract %r[1] : f64 from vector<2xf64>
  return %g00, %g01 : f64, f64
}
}

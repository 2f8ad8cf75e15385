// RUN: jit-opt %s --jit-gpu-outline | FileCheck %s

// Of blocks that wait for each other the device decides how many there are: the kernel does not count on them.
// CHECK: gpu.func @forward_loop_0({{.*}}) kernel attributes {jit.cooperative = array<i32: 4, 1, 1>, known_block_size = array<i32: 32, 1, 1>}
func.func @forward(%x: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %n = gpu.grid_dim x
    memref.store %n, %x[%bx] : memref<8xindex>
    gpu.terminator
  } {jit.kernel = "loop", jit.cooperative}
  return
}

// RUN: jit-opt %s --jit-gpu-emulate | FileCheck %s

// Blocks that wait for each other are one.
// CHECK-LABEL: func.func @loop(
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         memref.store %[[ONE]]
gpu.module @kernels {
  gpu.func @loop(%x: memref<index>) kernel attributes {jit.cooperative = array<i32: 4, 1, 1>} {
    %n = gpu.grid_dim x
    memref.store %n, %x[] : memref<index>
    gpu.return
  }
}

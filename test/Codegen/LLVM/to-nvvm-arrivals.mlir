// RUN: jit-opt %s --pass-pipeline='builtin.module(gpu.module(jit-gpu-to-nvvm))' | FileCheck %s

gpu.module @kernels {
  // Blocks count up and look; fences beside order what they did.
  // CHECK-LABEL: llvm.func @arrive(
  // CHECK:         llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr, i32
  // CHECK:         llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  gpu.func @arrive(%come: memref<i32>, %seen: memref<i32>) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %come[] : (i32, memref<i32>) -> i32
    %now = memref.atomic_rmw addi %zero, %come[] : (i32, memref<i32>) -> i32
    memref.store %now, %seen[] : memref<i32>
    gpu.return
  }
}

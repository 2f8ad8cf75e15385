// RUN: jit-opt %s --jit-gpu-emulate | FileCheck %s

// The assembly of a group's product is a call for each step: what it is, its attribute says (columns, steps, bf16, columns of the
// second factor side by side, first factor in registers, sums go on).
// CHECK-LABEL: func.func @product(
// CHECK:         llvm.mlir.zero
// CHECK-COUNT-2: call @jit_rt_warpgroup_multiply(
// CHECK:         call @jit_rt_warpgroup_commit(
// CHECK:         call @jit_rt_warpgroup_wait(
// CHECK:         %[[SUM:.*]] = llvm.extractvalue
// CHECK:         llvm.store %[[SUM]], %[[SUMS:.*]] : f32
// CHECK:         %[[FLAGS:.*]] = arith.constant 5 : i64
// CHECK:         call @jit_rt_warpgroup_multiply_registers(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FLAGS]], %{{.*}})
// CHECK:         call @jit_rt_warpgroup_commit(
// CHECK-NOT:     inline_asm
gpu.module @kernels {
  gpu.func @product(%y: memref<4xf32>, %d: i64, %w: i32) workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %r = llvm.inline_asm has_side_effects {jit.group_product = array<i64: 8, 2, 0, 0, 0, 0>} "wgmma", "=&f,=&f,=&f,=&f,l,l,l,l" %d, %d, %d, %d
        : (i64, i64, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    %0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    %q = llvm.inline_asm has_side_effects {jit.group_product = array<i64: 8, 1, 1, 1, 1, 1>} "wgmma", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l" %0, %0, %0, %0, %w, %w, %w, %w, %d
        : (f32, f32, f32, f32, i32, i32, i32, i32, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    %1 = llvm.extractvalue %q[0] : !llvm.struct<(f32, f32, f32, f32)>
    %at = arith.constant 0 : index
    memref.store %1, %y[%at] : memref<4xf32>
    gpu.return
  }
}

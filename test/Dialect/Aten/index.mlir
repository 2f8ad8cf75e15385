// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[4,2,3],i64[5]" | FileCheck %s

// CHECK-LABEL: func.func @forward
func.func @forward(%x: !jit.tensor, %i: !jit.tensor) -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %m1 = arith.constant -1 : i64
  %none = jit.constant !jit.none = unit
  %two = jit.list %x, %x : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  // CHECK: aten.cat {{.*}} -> !jit.tensor<[4,4,3],f32>
  %a = aten.cat %two, %c1 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  // CHECK: aten.stack {{.*}} -> !jit.tensor<[4,2,3,2],f32>
  %b = aten.stack %two, %m1 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %at = jit.derefine %i : !jit.tensor to !jit.optional<!jit.tensor>
  %all = jit.derefine %none : !jit.none to !jit.optional<!jit.tensor>
  %places = jit.list %at, %all, %at : (!jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>, !jit.optional<!jit.tensor>) -> !jit.list<!jit.optional<!jit.tensor>>
  // Indices that do not stand side by side give the first dimension.
  // CHECK: aten.index.Tensor {{.*}} -> !jit.tensor<[5,2],f32>
  %c = aten.index.Tensor %x, %places : (!jit.tensor, !jit.list<!jit.optional<!jit.tensor>>) -> !jit.tensor
  return %a, %b, %c : !jit.tensor, !jit.tensor, !jit.tensor
}

// -----

// What a loop has gathered is one tensor: joining its slices only reorders it.
// CHECK-LABEL: func.func @forward
func.func @forward(%x: !jit.tensor, %i: !jit.tensor) -> !jit.tensor {
  %c1 = arith.constant 1 : i64
  %list = jit.list_from_tensor %x : (!jit.tensor) -> !jit.list<!jit.tensor>
  // CHECK: aten.permute {{.*}} -> !jit.tensor<[2,4,3],f32>
  // CHECK: aten.view {{.*}} -> !jit.tensor<[2,12],f32>
  // CHECK-NOT: aten.cat
  %a = aten.cat %list, %c1 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %a : !jit.tensor
}

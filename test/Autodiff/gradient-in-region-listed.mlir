// RUN: jit-opt %s --split-input-file --jit-expand-gradients | FileCheck %s

// A region of the GPU's alone casts nothing on the CPU; of convolutions and slopes PyTorch takes the gradient as it is.

// CHECK-LABEL: func.func @cuda_alone
//   CHECK-NOT: aten.to.dtype
//       CHECK: aten.matmul
//   CHECK-NOT: aten.to.dtype
//       CHECK: return
func.func @cuda_alone(%x: !jit.tensor<[2,3],f32>, %w: !jit.tensor<[3,2],f32>, %weight: !jit.tensor<[2,2],f32>) -> (!jit.tensor<[2,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %y = aten.mm %l, %w : (!jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>) -> !jit.tensor<[2,2],f32>
  %outputs = jit.list %y : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cuda = 5 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g0 : !jit.tensor<[2,3],f32>
}

// -----

// CHECK-LABEL: func.func @listed
//   CHECK-NOT: bf16
//       CHECK: return
func.func @listed(%x: !jit.tensor<[1,2,8],f32>, %w: !jit.tensor<[4,2,3],f32>, %s: !jit.tensor<[1],f32>, %weight: !jit.tensor<[1,4,6],f32>) -> (!jit.tensor<[1,2,8],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[1,2,8],f32>) -> !jit.tensor<[1,2,8],f32>
  %none = jit.constant !jit.none = unit
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %p = aten.prelu %l, %s : (!jit.tensor<[1,2,8],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[1,2,8],f32>
  %y = aten.conv1d %p, %w, %none, %ones, %zeros, %ones, %1 : (!jit.tensor<[1,2,8],f32>, !jit.tensor<[4,2,3],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[1,4,6],f32>
  %outputs = jit.list %y : (!jit.tensor<[1,4,6],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[1,2,8],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[1,4,6],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[1,2,8],f32>
  return %g0 : !jit.tensor<[1,2,8],f32>
}

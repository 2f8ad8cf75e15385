// RUN: jit-opt %s --split-input-file --jit-expand-gradients | FileCheck %s

// Where a region of autocast asks for a gradient, what it does not cast stays: doubles, what is in its element type already, operators by
// elements. Of a square both shares are cast, and counted once.

// CHECK-LABEL: func.func @doubles
//   CHECK-NOT: aten.to.dtype
//       CHECK: aten.matmul %{{.*}} -> !jit.tensor<[2,3],f64>
//   CHECK-NOT: aten.to.dtype
//       CHECK: return
func.func @doubles(%x: !jit.tensor<[2,3],f64>, %w: !jit.tensor<[3,2],f64>, %weight: !jit.tensor<[2,2],f64>) -> (!jit.tensor<[2,3],f64>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[2,3],f64>) -> !jit.tensor<[2,3],f64>
  %y = aten.mm %l, %w : (!jit.tensor<[2,3],f64>, !jit.tensor<[3,2],f64>) -> !jit.tensor<[2,2],f64>
  %outputs = jit.list %y : (!jit.tensor<[2,2],f64>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[2,3],f64>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,2],f64>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f64>
  return %g0 : !jit.tensor<[2,3],f64>
}

// -----

// CHECK-LABEL: func.func @halves
//   CHECK-NOT: aten.to.dtype
//       CHECK: aten.matmul %{{.*}} -> !jit.tensor<[2,3],bf16>
//   CHECK-NOT: aten.to.dtype
//       CHECK: return
func.func @halves(%x: !jit.tensor<[2,3],bf16>, %w: !jit.tensor<[3,2],bf16>, %weight: !jit.tensor<[2,2],bf16>) -> (!jit.tensor<[2,3],bf16>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[2,3],bf16>) -> !jit.tensor<[2,3],bf16>
  %y = aten.mm %l, %w : (!jit.tensor<[2,3],bf16>, !jit.tensor<[3,2],bf16>) -> !jit.tensor<[2,2],bf16>
  %outputs = jit.list %y : (!jit.tensor<[2,2],bf16>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[2,3],bf16>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,2],bf16>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],bf16>
  return %g0 : !jit.tensor<[2,3],bf16>
}

// -----

// CHECK-LABEL: func.func @square
// CHECK-COUNT-2: aten.to.dtype %{{.*}} -> !jit.tensor<[3,3],bf16>
//       CHECK: aten.matmul
//       CHECK: aten.matmul
//       CHECK: %[[A:.*]] = aten.to.dtype %{{.*}} -> !jit.tensor<[3,3],f32>
//       CHECK: %[[B:.*]] = aten.to.dtype %{{.*}} -> !jit.tensor<[3,3],f32>
//       CHECK: %[[SUM:.*]] = aten.add.Tensor %[[A]], %[[B]]
//   CHECK-NOT: aten.add.Tensor
//       CHECK: return
func.func @square(%x: !jit.tensor<[3,3],f32>, %weight: !jit.tensor<[3,3],f32>) -> (!jit.tensor<[3,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %y = aten.mm %l, %l : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g0 : !jit.tensor<[3,3],f32>
}

// -----

// CHECK-LABEL: func.func @pointwise
//   CHECK-NOT: aten.to.dtype
//       CHECK: aten.mul.Tensor %{{.*}} -> !jit.tensor<[2,3],f32>
//   CHECK-NOT: aten.to.dtype
//       CHECK: return
func.func @pointwise(%x: !jit.tensor<[2,3],f32>, %weight: !jit.tensor<[2,3],f32>) -> (!jit.tensor<[2,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %y = aten.tanh %l : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g0 : !jit.tensor<[2,3],f32>
}

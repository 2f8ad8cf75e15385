// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// Of each input it is said by itself that it has no history.

// CHECK-LABEL: func.func @inputs
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "element 1 of the input tensors does not require grad"
//   CHECK-NOT: jit.guard
func.func @inputs(%x: !jit.tensor<[2,3],f32>, %z: !jit.tensor<[2,3],f32>, %weight: !jit.tensor<[2,3],f32>) -> (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %y = aten.sin %l : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l, %z : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  %g1 = aten._gradient %outputs, %inputs, %weights, %1, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g0, %g1 : !jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>
}

// -----

// Integers cannot require a gradient.

// CHECK-LABEL: func.func @integers
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "Only Tensors of floating point and complex dtype can require gradients"
//       CHECK: return %arg0
func.func @integers(%x: !jit.tensor<[2],i64>) -> !jit.tensor<[2],i64> {
  %0 = aten._leaf %x : (!jit.tensor<[2],i64>) -> !jit.tensor<[2],i64>
  return %0 : !jit.tensor<[2],i64>
}

// A function that is declared alone asks for nothing.

// CHECK: func.func private @declared
func.func private @declared(!jit.tensor<[2],i64>) -> !jit.tensor<[2],i64>

// -----

// A weight whose sizes the call says is named by what is known; one that is broadcast is summed.

// CHECK-LABEL: func.func @open
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "invalid gradient at index 0 - got [?, 4] but expected shape compatible with [1, 3]"
func.func @open(%x: !jit.tensor<[1,3],f32>, %weight: !jit.tensor<[?,4],f32>) -> (!jit.tensor<[1,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[1,3],f32>) -> !jit.tensor<[1,3],f32>
  %y = aten.sin %l : (!jit.tensor<[1,3],f32>) -> !jit.tensor<[1,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[1,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[1,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[?,4],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[1,3],f32>
  return %g0 : !jit.tensor<[1,3],f32>
}

// -----

// CHECK-LABEL: func.func @rows
//       CHECK: aten._grad_sum_to_size %arg1, %{{.*}} -> !jit.tensor<[1,3],f32>
//   CHECK-NOT: jit.guard
//       CHECK: return
func.func @rows(%x: !jit.tensor<[1,3],f32>, %weight: !jit.tensor<[2,3],f32>) -> (!jit.tensor<[1,3],f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %l = aten._leaf %x : (!jit.tensor<[1,3],f32>) -> !jit.tensor<[1,3],f32>
  %y = aten.sin %l : (!jit.tensor<[1,3],f32>) -> !jit.tensor<[1,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[1,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[1,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g0 = aten._gradient %outputs, %inputs, %weights, %0, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[1,3],f32>
  return %g0 : !jit.tensor<[1,3],f32>
}

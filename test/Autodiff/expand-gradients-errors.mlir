// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// What PyTorch raises is a guard that fails; what follows has zeros.

// CHECK-LABEL: func.func @no_history
//       CHECK: jit.guard %{{false.*}}, "builtins.RuntimeError", "element 0 of tensors does not require grad and does not have a grad_fn"
//       CHECK: aten.zeros_like
func.func @no_history(%x: !jit.tensor<[],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %e = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %e : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

// CHECK-LABEL: func.func @several_elements
//       CHECK: jit.guard %{{false.*}}, "builtins.RuntimeError", "grad can be implicitly created only for scalar outputs"
func.func @several_elements(%x: !jit.tensor<[3],f32> {jit.requires_grad}) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %e = aten.sin %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %outputs = jit.list %e : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g : !jit.tensor<[3],f32>
}

// -----

// CHECK-LABEL: func.func @unused
//       CHECK: jit.guard %{{false.*}}, "builtins.RuntimeError", "element 0 of the differentiated Tensors appears to not have been used in the graph.
func.func @unused(%x: !jit.tensor<[],f32> {jit.requires_grad}, %y: !jit.tensor<[],f32> {jit.requires_grad}) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %e = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %e : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %y : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

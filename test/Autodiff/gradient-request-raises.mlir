// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// What PyTorch finds wrong with a request raises at run time, in its words.

// CHECK-LABEL: func.func @no_history
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "element 0 of tensors does not require grad and does not have a grad_fn"
func.func @no_history(%x: !jit.tensor<[],f32> {jit.requires_grad}, %y: !jit.tensor<[],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %y : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

// CHECK-LABEL: func.func @no_scalar
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "grad can be implicitly created only for scalar outputs"
func.func @no_scalar(%x: !jit.tensor<[2,3],f32> {jit.requires_grad}) -> !jit.tensor<[2,3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %outputs = jit.list %f : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g : !jit.tensor<[2,3],f32>
}

// -----

// CHECK-LABEL: func.func @one_element
//       CHECK: aten.cos
//       CHECK: return
func.func @one_element(%x: !jit.tensor<[1,1],f32> {jit.requires_grad}) -> !jit.tensor<[1,1],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[1,1],f32>) -> !jit.tensor<[1,1],f32>
  %outputs = jit.list %f : (!jit.tensor<[1,1],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[1,1],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[1,1],f32>
  return %g : !jit.tensor<[1,1],f32>
}

// -----

// CHECK-LABEL: func.func @too_few
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "invalid gradient at index 0 - got [3] but expected shape compatible with [2, 3]"
func.func @too_few(%x: !jit.tensor<[2,3],f32> {jit.requires_grad}, %w: !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %outputs = jit.list %f : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g : !jit.tensor<[2,3],f32>
}

// -----

// CHECK-LABEL: func.func @other
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "invalid gradient at index 0 - got [2, 4] but expected shape compatible with [2, 3]"
func.func @other(%x: !jit.tensor<[2,3],f32> {jit.requires_grad}, %w: !jit.tensor<[2,4],f32>) -> !jit.tensor<[2,3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %outputs = jit.list %f : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[2,4],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g : !jit.tensor<[2,3],f32>
}

// -----

// CHECK-LABEL: func.func @summed
//       CHECK: aten._grad_sum_to_size %{{.*}} -> !jit.tensor<[2,3],f32>
//       CHECK: return
func.func @summed(%x: !jit.tensor<[2,3],f32> {jit.requires_grad}, %w: !jit.tensor<[5,2,3],f32>) -> !jit.tensor<[2,3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %outputs = jit.list %f : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[5,2,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g : !jit.tensor<[2,3],f32>
}

// -----

// CHECK-LABEL: func.func @as_it_is
//       CHECK: aten.mul.Tensor %{{.*}}, %{{.*}} : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>)
//       CHECK: return
func.func @as_it_is(%x: !jit.tensor<[2,3],f32> {jit.requires_grad}, %w: !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %f = aten.sin %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %outputs = jit.list %f : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g : !jit.tensor<[2,3],f32>
}

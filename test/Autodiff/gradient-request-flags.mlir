// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// Two calls that differ in what they differentiate alone are two.

// CHECK-LABEL: func.func @outputs
//   CHECK-DAG: %[[COS:.*]] = aten.cos %arg0
//   CHECK-DAG: %[[SIN:.*]] = aten.sin %arg0
//   CHECK-DAG: aten.neg
//       CHECK: return
func.func @outputs(%x: !jit.tensor<[],f32> {jit.requires_grad}) -> (!jit.tensor<[],f32>, !jit.tensor<[],f32>) {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %f = aten.cos %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %others = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %outputs = jit.list %e : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  %h = aten._gradient %others, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g, %h : !jit.tensor<[],f32>, !jit.tensor<[],f32>
}

// -----

// An input that only data tell the use of has zeros where it is not used, unless None is asked for.

// CHECK-LABEL: func.func @by_data
//       CHECK: scf.if
//       CHECK: return
func.func @by_data(%p: i1, %x: !jit.tensor<[],f32> {jit.requires_grad}, %y: !jit.tensor<[],f32> {jit.requires_grad}) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %b = scf.if %p -> !jit.tensor<[],f32> {
    %0 = aten.mul.Tensor %x, %y : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[],f32>
    scf.yield %0 : !jit.tensor<[],f32>
  } else {
    scf.yield %y : !jit.tensor<[],f32>
  }
  %outputs = jit.list %b : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

// Nor does it matter for None where another output is made of it in each case.

// CHECK-LABEL: func.func @beside
//       CHECK: aten.cos
//       CHECK: return
func.func @beside(%p: i1, %x: !jit.tensor<[],f32> {jit.requires_grad}, %y: !jit.tensor<[],f32> {jit.requires_grad}) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %b = scf.if %p -> !jit.tensor<[],f32> {
    %0 = aten.mul.Tensor %x, %y : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[],f32>
    scf.yield %0 : !jit.tensor<[],f32>
  } else {
    scf.yield %y : !jit.tensor<[],f32>
  }
  %e = aten.sin %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %b, %e : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none, %none : (!jit.none, !jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

// A weight of fewer dimensions is none, though those that it has are equal.

// CHECK-LABEL: func.func @fewer
//       CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "invalid gradient at index 0 - got [3] but expected shape compatible with [1, 3]"
func.func @fewer(%x: !jit.tensor<[1,3],f32> {jit.requires_grad}, %w: !jit.tensor<[3],f32>) -> !jit.tensor<[1,3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = aten.sin %x : (!jit.tensor<[1,3],f32>) -> !jit.tensor<[1,3],f32>
  %outputs = jit.list %e : (!jit.tensor<[1,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[1,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[1,3],f32>
  return %g : !jit.tensor<[1,3],f32>
}

// -----

// In a loop, what it carries has no part in a gradient by what a trip computed.

// CHECK-LABEL: func.func @trip
//       CHECK: scf.for
//       CHECK: return
func.func @trip(%n: i64, %x: !jit.tensor<[],f32>, %z: !jit.tensor<[],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %z) -> (!jit.tensor<[],f32>) : i64 {
    %l = aten._leaf %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
    %s = aten.sin %l : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
    %e = aten.mul.Tensor %s, %a : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %outputs = jit.list %e : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
    scf.yield %g : !jit.tensor<[],f32>
  }
  return %r : !jit.tensor<[],f32>
}

// -----

// A region refuses nothing of what no gradient is asked of; where there is none, nothing is.

// CHECK-LABEL: func.func @apart
//       CHECK: aten.cos
//       CHECK: return
func.func @apart(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %w: !jit.tensor<[3,3],f32>, %u: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %v = aten.linalg_vecdot %w, %w, %minus : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>, i64) -> !jit.tensor<[3],f32>
  %s = aten.sin %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %e = aten.mul.Tensor %s, %v : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %outputs = jit.list %e : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %u : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g : !jit.tensor<[3],f32>
}

// -----

// CHECK-LABEL: func.func @no_region
//       CHECK: aten.mul.Tensor
//       CHECK: return
func.func @no_region(%x: !jit.tensor<[3,3],f32> {jit.requires_grad}, %w: !jit.tensor<[3,3],f32>, %u: !jit.tensor<[3],f32>) -> !jit.tensor<[3,3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %e = aten.linalg_vecdot %x, %w, %minus : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,3],f32>, i64) -> !jit.tensor<[3],f32>
  %outputs = jit.list %e : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %u : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g : !jit.tensor<[3,3],f32>
}

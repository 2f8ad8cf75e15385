// RUN: not jit-opt %s --split-input-file --jit-expand-gradients --mlir-print-ir-after-failure -o /dev/null 2>&1 | FileCheck %s

// An operator whose rule knows too little ends the pass: by itself, in a region of autocast, in a branch, in a loop.

// CHECK: error: expected more to be known of the operands of 'aten.cumprod'
// CHECK: IR Dump After {{.*}} Failed
// CHECK: @plain(
func.func @plain(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %d: i64, %c: i1, %w: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = aten.cumprod %x, %d, %none : (!jit.tensor<[3],f32>, i64, !jit.none) -> !jit.tensor<[3],f32>
  %outputs = jit.list %e : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g : !jit.tensor<[3],f32>
}

// -----

// CHECK: error: expected more to be known of the operands of 'aten.cumprod'
// CHECK: IR Dump After {{.*}} Failed
// CHECK: @region(
func.func @region(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %d: i64, %c: i1, %w: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = aten.cumprod %x, %d, %none : (!jit.tensor<[3],f32>, i64, !jit.none) -> !jit.tensor<[3],f32>
  %outputs = jit.list %e : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g : !jit.tensor<[3],f32>
}

// -----

// CHECK: error: expected more to be known of the operands of 'aten.cumprod'
// CHECK: IR Dump After {{.*}} Failed
// CHECK: @branch(
func.func @branch(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %d: i64, %c: i1, %w: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = scf.if %c -> !jit.tensor<[3],f32> {
    %p = aten.cumprod %x, %d, %none : (!jit.tensor<[3],f32>, i64, !jit.none) -> !jit.tensor<[3],f32>
    scf.yield %p : !jit.tensor<[3],f32>
  } else {
    scf.yield %x : !jit.tensor<[3],f32>
  }
  %outputs = jit.list %e : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g : !jit.tensor<[3],f32>
}

// -----

// CHECK: error: expected more to be known of the operands of 'aten.cumprod'
// CHECK: IR Dump After {{.*}} Failed
// CHECK: sym_name = "loop"
func.func @loop(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %d: i64, %c: i1, %w: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = scf.for %i = %zero to %d step %one iter_args(%a = %x) -> (!jit.tensor<[3],f32>) : i64 {
    %p = aten.cumprod %a, %d, %none : (!jit.tensor<[3],f32>, i64, !jit.none) -> !jit.tensor<[3],f32>
    scf.yield %p : !jit.tensor<[3],f32>
  }
  %outputs = jit.list %e : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %w : (!jit.tensor<[3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g : !jit.tensor<[3],f32>
}

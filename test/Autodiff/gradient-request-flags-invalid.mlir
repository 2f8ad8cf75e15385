// RUN: jit-opt %s --jit-expand-gradients --split-input-file --verify-diagnostics

// Outputs, or weights, that only the call tells, though there are as many of the others as are known of them.

func.func @outputs(%x: !jit.tensor<[],f32> {jit.requires_grad}, %list: !jit.list<!jit.tensor>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list : () -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error @below {{expected lists of known length and known flags}}
  %g = aten._gradient %list, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @weights(%x: !jit.tensor<[],f32> {jit.requires_grad}, %list: !jit.list<!jit.optional<!jit.tensor>>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %outputs = jit.list : () -> !jit.list<!jit.tensor>
  // expected-error @below {{expected lists of known length and known flags}}
  %g = aten._gradient %outputs, %inputs, %list, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

// Of two calls one allows for an input that is not used: what it gives then has to be known before.

func.func @unused(%x: !jit.tensor<[],f32> {jit.requires_grad}, %y: !jit.tensor<[],f32> {jit.requires_grad}) -> (!jit.tensor<[],f32>, !jit.tensor<[],f32>) {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %outputs = jit.list %y : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  // expected-error @below {{expected to know before the program is differentiated that no output depends on element 0 of the inputs}}
  %h = aten._gradient %outputs, %inputs, %weights, %zero, %false, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g, %h : !jit.tensor<[],f32>, !jit.tensor<[],f32>
}

// -----

// A call that was not taken apart for its inputs.

func.func @whole(%outputs: !jit.list<!jit.tensor>, %inputs: !jit.list<!jit.tensor>) -> !jit.list<!jit.optional<!jit.tensor>> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-error @below {{expected lists of known length and known flags}}
  %g = aten.grad %outputs, %inputs, %none, %none, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.none, !jit.none, i1, i1) -> !jit.list<!jit.optional<!jit.tensor>>
  return %g : !jit.list<!jit.optional<!jit.tensor>>
}

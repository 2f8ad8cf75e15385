// RUN: jit-opt %s --jit-expand-gradients --split-input-file --verify-diagnostics

// The energy of a trip depends on the argument by what the trips before made of it.
func.func @carried(%x: !jit.tensor<[],f32> {jit.requires_grad}) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %last = scf.for %i = %zero to %five step %one iter_args(%e = %x) -> (!jit.tensor<[],f32>) : i64 {
    %f = aten.sin %e : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
    %outputs = jit.list %f : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
    %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
    %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
    // expected-error@+1 {{expected a gradient within one trip of the loop around it, got one by what was computed before the loop, through what the loop carries}}
    %g = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
    scf.yield %g : !jit.tensor<[],f32>
  }
  return %last : !jit.tensor<[],f32>
}

// -----

func.func @by_data(%p: i1, %x: !jit.tensor<[],f32>) -> i1 {
  %y = scf.if %p -> !jit.tensor<[],f32> {
    %leaf = aten._leaf %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
    scf.yield %leaf : !jit.tensor<[],f32>
  } else {
    scf.yield %x : !jit.tensor<[],f32>
  }
  // expected-error@+1 {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %r = aten.requires_grad %y : (!jit.tensor<[],f32>) -> i1
  return %r : i1
}

// -----

// Specialize would have said None.
func.func @unused_after_all(%x: !jit.tensor<[],f32> {jit.requires_grad}, %y: !jit.tensor<[],f32> {jit.requires_grad}) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %outputs = jit.list %y : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected to know before the program is differentiated that no output depends on element 0 of the inputs}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

// -----

func.func @used_by_data(%p: i1, %x: !jit.tensor<[],f32> {jit.requires_grad}, %y: !jit.tensor<[],f32> {jit.requires_grad}) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %e = scf.if %p -> !jit.tensor<[],f32> {
    %0 = aten.mul.Tensor %x, %y : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[],f32>
    scf.yield %0 : !jit.tensor<[],f32>
  } else {
    scf.yield %y : !jit.tensor<[],f32>
  }
  %outputs = jit.list %e : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected to know whether an output depends on element 0 of the inputs: it depends on the data}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}

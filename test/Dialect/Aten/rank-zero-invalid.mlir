// What goes along a dimension asks for one.
// RUN: jit-opt %s --split-input-file --verify-diagnostics

func.func @unflatten(%x: !jit.tensor<[],f32>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sizes = jit.list %one, %one : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected a tensor with at least one dimension}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.unflatten.int %x, %zero, %sizes : (!jit.tensor<[],f32>, i64, !jit.list<i64>) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

func.func @glu(%x: !jit.tensor<[],f32>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  // expected-error @+2 {{expected a tensor with at least one dimension}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.glu %x, %zero : (!jit.tensor<[],f32>, i64) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

func.func @repeat(%x: !jit.tensor<[],f32>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  // expected-error @+2 {{expected a tensor with at least one dimension}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.repeat_interleave.self_int %x, %two, %zero, %none : (!jit.tensor<[],f32>, i64, i64, !jit.none) -> !jit.tensor
  return %r : !jit.tensor
}

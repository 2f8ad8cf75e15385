// Sizes that are not those of a norm.
// RUN: jit-opt %s --jit-infer-types --split-input-file --verify-diagnostics

!t = !jit.tensor<[3,4],f32>

func.func @layer_norm(%x: !t) -> !jit.tensor {
  %nine = arith.constant 9 : i64
  %eps = arith.constant 1.0e-05 : f64
  %yes = arith.constant true
  %none = jit.constant !jit.none = unit
  %shape = jit.list %nine : (i64) -> !jit.list<i64>
  // expected-error @below {{expected the last sizes of the input as normalized_shape, got others}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.layer_norm %x, %shape, %none, %none, %eps, %yes : (!t, !jit.list<i64>, !jit.none, !jit.none, f64, i1) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @group_norm(%x: !t) -> !jit.tensor {
  %three = arith.constant 3 : i64
  %eps = arith.constant 1.0e-05 : f64
  %yes = arith.constant true
  %none = jit.constant !jit.none = unit
  // expected-error @below {{expected groups of equally many channels, got 3 of 4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.group_norm %x, %three, %none, %none, %eps, %yes : (!t, i64, !jit.none, !jit.none, f64, i1) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!v = !jit.tensor<[4],f32>

func.func @no_channels(%x: !v) -> !jit.tensor {
  %two = arith.constant 2 : i64
  %eps = arith.constant 1.0e-05 : f64
  %yes = arith.constant true
  %none = jit.constant !jit.none = unit
  // expected-error @below {{expected at least two dimensions, got 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.group_norm %x, %two, %none, %none, %eps, %yes : (!v, i64, !jit.none, !jit.none, f64, i1) -> !jit.tensor
  return %0 : !jit.tensor
}

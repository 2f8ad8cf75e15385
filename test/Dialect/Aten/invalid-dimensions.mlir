// Dimensions that a tensor has not, of operators whose result has its sizes.
// RUN: jit-opt %s --jit-infer-types --split-input-file --verify-diagnostics

!t = !jit.tensor<[3,4],f32>

func.func @scan(%x: !t) -> !jit.tensor {
  %dim = arith.constant 5 : i64
  %none = jit.constant !jit.none = unit
  // expected-error @below {{expected a dimension from -2 to 1, got 5}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.cumsum %x, %dim, %none : (!t, i64, !jit.none) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @flip(%x: !t, %n: i64) -> !jit.tensor {
  %dim = arith.constant 2 : i64
  %dims = jit.list %n, %dim : (i64, i64) -> !jit.list<i64>
  // expected-error @below {{expected a dimension from -2 to 1, got 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.flip %x, %dims : (!t, !jit.list<i64>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

!t = !jit.tensor<[3,4],f32>

func.func @softmax(%x: !t) -> !jit.tensor {
  %dim = arith.constant -3 : i64
  %none = jit.constant !jit.none = unit
  // expected-error @below {{expected a dimension from -2 to 1, got -3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.softmax.int %x, %dim, %none : (!t, i64, !jit.none) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

// A dimension that only the call tells.
func.func @unknown(%x: !jit.tensor<[3,4],f32>, %n: i64) -> !jit.tensor<[3,4],f32> {
  %none = jit.constant !jit.none = unit
  %0 = aten.cumsum %x, %n, %none : (!jit.tensor<[3,4],f32>, i64, !jit.none) -> !jit.tensor<[3,4],f32>
  return %0 : !jit.tensor<[3,4],f32>
}

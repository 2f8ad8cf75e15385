// An operator that is left says what it needs.
// RUN: jit-opt %s --jit-lower --split-input-file --verify-diagnostics

func.func @shifts(%x: !jit.tensor<[4],f32>, %n: i64) -> !jit.tensor<[4],f32> {
  %zero = arith.constant 0 : i64
  %shifts = jit.list %n : (i64) -> !jit.list<i64>
  %dims = jit.list %zero : (i64) -> !jit.list<i64>
  // expected-error @below {{got aten.roll; it needs the rank of self and the values of shifts and dims}}
  %0 = aten.roll %x, %shifts, %dims : (!jit.tensor<[4],f32>, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor<[4],f32>
  return %0 : !jit.tensor<[4],f32>
}

// -----

// So does one of whose result nothing is known for want of it.
func.func @unknown_rank(%x: !jit.tensor<[2,4],f32>, %p: i64) -> !jit.tensor<[2,4],f32> {
  // expected-error @below {{in aten.matrix_power, got '!jit.tensor<*,f32>'; it needs the sizes of matrices and the value of n}}
  %0 = aten.matrix_power %x, %p : (!jit.tensor<[2,4],f32>, i64) -> !jit.tensor<*,f32>
  %1 = aten.maximum %x, %0 : (!jit.tensor<[2,4],f32>, !jit.tensor<*,f32>) -> !jit.tensor<[2,4],f32>
  return %1 : !jit.tensor<[2,4],f32>
}

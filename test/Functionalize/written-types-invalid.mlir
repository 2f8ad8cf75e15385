// RUN: jit-opt %s --split-input-file --jit-functionalize-tensors --verify-diagnostics

// A result is cast to no element type of a category that does not hold its own.
func.func @category(%x: !jit.tensor<[3],i64>, %y: !jit.tensor<[3],f32>) -> !jit.tensor<[3],i64> {
  %z = aten.relu %x : (!jit.tensor<[3],i64>) -> !jit.tensor<[3],i64>
  // expected-error @below {{expected a tensor that a result of element type f32 can be cast to, got one of i64}}
  %w = jit.overwrite %z, %y {jit.cast = "category"} : (!jit.tensor<[3],i64>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],i64>
  return %w : !jit.tensor<[3],i64>
}

// -----

// What eager PyTorch would compute in the element type of what it writes.
func.func @same(%x: !jit.tensor<[3],f16>, %y: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f16> {
  %z = aten.relu %x : (!jit.tensor<[3],f16>) -> !jit.tensor<[3],f16>
  // expected-error @below {{expected an out= tensor of the result's element type, f32, got f16}}
  %w = jit.overwrite %z, %y {jit.cast = "same"} : (!jit.tensor<[3],f16>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],f16>
  return %w : !jit.tensor<[3],f16>
}

// -----

// A running sum of several bools counts them; one of a single bool is that (written-scans.mlir).
func.func @scan(%x: !jit.tensor<[3],i1>) -> !jit.tensor<[3],i1> {
  %zero = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %z = aten.logical_not %x : (!jit.tensor<[3],i1>) -> !jit.tensor<[3],i1>
  %s = aten.cumsum %z, %zero, %none : (!jit.tensor<[3],i1>, i64, !jit.none) -> !jit.tensor<[3],i64>
  // expected-error @below {{expected a tensor that a result of element type i64 can be cast to, got one of i1}}
  %w = jit.overwrite %z, %s {jit.cast = "category"} : (!jit.tensor<[3],i1>, !jit.tensor<[3],i64>) -> !jit.tensor<[3],i1>
  return %w : !jit.tensor<[3],i1>
}

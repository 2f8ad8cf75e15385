// RUN: jit-opt %s --jit-functionalize-tensors --verify-diagnostics

// Eager PyTorch would resize what `out=` names, where an operator in place broadcasts.
func.func @out(%x: !jit.tensor<[3],f32>, %y: !jit.tensor<[4,3],f32>) -> !jit.tensor<[4,3],f32> {
  %z = aten.relu %y : (!jit.tensor<[4,3],f32>) -> !jit.tensor<[4,3],f32>
  // expected-error @below {{expected an out= tensor that has the sizes of the result}}
  %w = jit.overwrite %z, %x {jit.out} : (!jit.tensor<[4,3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[4,3],f32>
  return %w : !jit.tensor<[4,3],f32>
}

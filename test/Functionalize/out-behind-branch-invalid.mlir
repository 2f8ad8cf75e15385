// RUN: jit-opt %s --jit-functionalize-tensors --verify-diagnostics

// No call is served where each way that data choose ends in what is not supported.
func.func @forward(%x: !jit.tensor<[3],f32>, %v: !jit.tensor<[2],f32>, %c: i1) -> !jit.tensor<[3],f32> {
  %y = aten.relu %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  scf.if %c {
    // expected-error @below {{expected an out= tensor that has the sizes of the result}}
    %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[3],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[3],f32>
  } else {
    %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor<[3],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[3],f32>
  }
  return %y : !jit.tensor<[3],f32>
}

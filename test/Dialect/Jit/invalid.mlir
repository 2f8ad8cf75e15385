// RUN: jit-opt %s --split-input-file --verify-diagnostics
func.func @group_of_two_sizes(%x: !jit.tensor<[4],f32>, %y: !jit.tensor<[8],f32>) -> !jit.tensor<[4],f32> {
  %g = jit.group -> (!jit.tensor<[4],f32>) {
    %0 = aten.tanh %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    // expected-error@+1 {{expected the sizes of the group, got '!jit.tensor<[8],f32>'}}
    %1 = aten.tanh %y : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
    jit.yield %0 : !jit.tensor<[4],f32>
  }
  return %g : !jit.tensor<[4],f32>
}

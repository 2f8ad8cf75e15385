// RUN: jit-opt %s --jit-lower --verify-diagnostics

// What a list holds counts for the operator that takes it.
func.func @joined(%x: !jit.tensor<[?],f32>) -> !jit.tensor<[4],f32> attributes {jit.symbolic} {
  %l = jit.list %x, %x : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.list<!jit.tensor>
  // expected-error @below {{expected a static size in aten.block_diag, got '!jit.tensor<[?],f32>'}}
  %r = aten.block_diag %l : (!jit.list<!jit.tensor>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

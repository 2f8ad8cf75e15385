// RUN: jit-opt %s --jit-infer-types --verify-diagnostics --split-input-file

func.func @sizes(%a: !jit.tensor<[4],f32>, %b: !jit.tensor<[3],f32>) -> !jit.tensor {
  %x = jit.derefine %a : !jit.tensor<[4],f32> to !jit.tensor
  %y = aten.mul.Tensor %x, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  // expected-error@+1 {{expected operands that broadcast, got sizes 4 and 3 at dimension -1}}
  %z = aten.mul.Tensor %y, %b : (!jit.tensor, !jit.tensor<[3],f32>) -> !jit.tensor
  return %z : !jit.tensor
}

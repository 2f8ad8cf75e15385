// A rule for gradients says what it needs.
// RUN: jit-opt %s --jit-differentiate --verify-diagnostics

func.func @forward(%x: !jit.tensor<[2,2],f32> {jit.requires_grad}) -> !jit.tensor<[2,2],f32> {
  %lower = jit.constant !jit.str = "L"
  // expected-error @below {{expected more to be known of the operands of 'aten.linalg_eigh' to differentiate it; it needs a rule for gradients of eigenvectors, whose signs are open}}
  %values, %vectors = aten.linalg_eigh %x, %lower : (!jit.tensor<[2,2],f32>, !jit.str) -> (!jit.tensor<[2],f32>, !jit.tensor<[2,2],f32>)
  return %vectors : !jit.tensor<[2,2],f32>
}

// A rule for gradients says what it needs.
// RUN: jit-opt %s --jit-differentiate --verify-diagnostics

func.func @forward(%x: !jit.tensor<[2,2],f32> {jit.requires_grad}, %upper: i1) -> !jit.tensor<[2,2],f32> {
  %no = arith.constant false
  // expected-error @below {{expected more to be known of the operands of 'aten.linalg_cholesky_ex' to differentiate it; it needs square matrices of known rank as self and the value of upper}}
  %factor, %info = aten.linalg_cholesky_ex %x, %upper, %no : (!jit.tensor<[2,2],f32>, i1, i1) -> (!jit.tensor<[2,2],f32>, !jit.tensor<[],i32>)
  return %factor : !jit.tensor<[2,2],f32>
}

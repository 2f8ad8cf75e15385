// RUN: jit-opt %s --split-input-file --jit-specialize="args=f8e4m3fn[3],u16[3]" --verify-diagnostics

// Unsigned integers of 16 bits and more, and floats of eight bits, have few operators.
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  // expected-error @+1 {{expected elements other than float8 in aten::neg; convert them first}}
  %0 = aten.neg %x : (!jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  // expected-error @+1 {{expected elements other than uint16 to uint64 in aten::abs; convert them first}}
  %0 = aten.abs %y : (!jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  // expected-error @+1 {{expected elements of one type in aten::mul.Tensor, got f8e4m3fn and u16: convert one of them first}}
  %0 = aten.mul.Tensor %x, %y : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}
